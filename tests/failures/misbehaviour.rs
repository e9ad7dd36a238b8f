//! An endpoint that misbehaves: what is tried again, what is not, and what people read in the end.

use serde_json::json;
use svc_engine::protocol::ErrorCategory;

use crate::support::*;

const READING: &str = "storage.yml:2:20: the resource group 'rg-shop-iaas-99b8167f' cannot be read";
const CREATING: &str =
    "storage.yml:4:5: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created";

fn project() -> Project {
    Project::with(&document("queue: [orders]"))
}

/// One way to misbehave, and what is said when it does not end. `{host}` stands for the endpoint.
struct Case {
    fault: &'static str,
    code: &'static str,
    category: ErrorCategory,
    message: &'static str,
    /// The number of times that the request is sent in all.
    tries: usize,
    recommendation: &'static str,
}

const TOLD_TO: &str = "The local cloud was told to answer like this.";
const AGAIN: &str = "Check the network, the firewall and the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY). Then run the command again; it continues where it stopped.";
const PROXY: &str = "Check the endpoint: a proxy or a sign-in page may have answered in its place.";
const OWN_PROBLEM: &str = "Azure had an internal problem. Run the command again; it continues where it stopped.";
const THROTTLED: &str =
    "Azure is throttling this subscription. Run the command again later; it continues where it stopped.";

const CASES: &[Case] = &[
    Case {
        fault: "status=401",
        code: "AuthenticationFailed",
        category: ErrorCategory::AuthenticationError,
        message: TOLD_TO,
        tries: 1,
        recommendation: "The token was refused. Check which tenant the identity signed in to and which cloud is chosen, then sign in again.",
    },
    Case {
        fault: "status=403",
        code: "AuthorizationFailed",
        category: ErrorCategory::PermissionDenied,
        message: TOLD_TO,
        tries: 1,
        recommendation: "Give the identity a role with the action that the message names, then run the command again.",
    },
    Case {
        fault: "status=409",
        code: "Conflict",
        category: ErrorCategory::ResourceBusy,
        message: TOLD_TO,
        tries: 1,
        recommendation: "Something else is changing the resource. Run the command again when it is done.",
    },
    Case {
        fault: "status=429,retry-after=1ms",
        code: "TooManyRequests",
        category: ErrorCategory::LimitsExceeded,
        message: TOLD_TO,
        tries: 20,
        recommendation: THROTTLED,
    },
    Case {
        fault: "status=429",
        code: "TooManyRequests",
        category: ErrorCategory::LimitsExceeded,
        message: TOLD_TO,
        tries: 20,
        recommendation: THROTTLED,
    },
    Case {
        fault: "status=500",
        code: "InternalServerError",
        category: ErrorCategory::ResourceUnavailable,
        message: TOLD_TO,
        tries: 6,
        recommendation: OWN_PROBLEM,
    },
    Case {
        fault: "html",
        code: "HttpStatus502",
        category: ErrorCategory::ResourceUnavailable,
        message: "Azure Resource Manager answered with the status 502 and no explanation.",
        tries: 6,
        recommendation: OWN_PROBLEM,
    },
    Case {
        fault: "html=200",
        code: "AnswerNotUnderstood",
        category: ErrorCategory::InvalidResult,
        message: "{host} did not answer as Azure Resource Manager does (status 200, text/html; charset=utf-8 instead of JSON).",
        tries: 1,
        recommendation: PROXY,
    },
    Case {
        fault: "reset",
        code: "ConnectionFailed",
        category: ErrorCategory::ConnectionError,
        message: "{host} cannot be reached: the connection was closed before the answer was complete.",
        tries: 6,
        recommendation: AGAIN,
    },
    Case {
        fault: "truncated",
        code: "ConnectionFailed",
        category: ErrorCategory::ConnectionError,
        message: "{host} cannot be reached: the connection was closed before the answer was complete.",
        tries: 6,
        recommendation: AGAIN,
    },
];

/// Tries every case, all at the same time: most of the time they wait.
fn for_each_case(test: impl Fn(&Case) + Sync) {
    std::thread::scope(|scope| {
        let test = &test;
        for case in CASES {
            scope.spawn(move || test(case));
        }
    });
}

#[test]
fn reading_what_exists_fails_before_anything_is_asked_or_changed() {
    for_each_case(|case| {
        let (cloud, project) = (cloud(), project());
        cloud.misbehave(fault(&format!("{},times=always", case.fault)));
        let outcome = project.deploy(&cloud);
        let report = outcome.last_error();
        let host = cloud.endpoint().trim_start_matches("http://");
        let expected = format!("{READING}: {}", case.message.replace("{host}", host));
        assert_eq!(
            (report.failure.code.as_str(), report.failure.message.as_str()),
            (case.code, expected.as_str()),
            "{}",
            case.fault
        );
        assert_eq!(report.failure.category, case.category, "{}", case.fault);
        assert_eq!(report.failure.recommendation.as_deref(), Some(case.recommendation), "{}", case.fault);
        assert!(outcome.plan().is_empty());
        // What is in the group is listed at the same time; that this fails, too, is not told.
        let mut tries = shown(&cloud.requests());
        tries.retain(|request| *request == format!("GET {GROUP}"));
        assert_eq!(tries.len(), case.tries, "{}", case.fault);
    });
}

#[test]
fn creating_an_account_fails_with_its_place_and_a_second_run_finishes() {
    for_each_case(|case| {
        let (cloud, project) = (cloud(), project());
        let never_carried_out = case.fault != "truncated";
        cloud.misbehave(fault(&format!("{},method=PUT,path=/stordersdb8e13ec?,times={}", case.fault, case.tries)));
        let outcome = project.deploy(&cloud);
        let [report] = outcome.errors()[..] else { panic!("{}: {outcome:#?}", case.fault) };
        let host = cloud.endpoint().trim_start_matches("http://");
        let expected = format!("{CREATING}: {}", case.message.replace("{host}", host));
        // A request that was carried out before the answer was lost is answered otherwise the second time.
        if never_carried_out {
            assert_eq!(
                (report.failure.code.as_str(), report.failure.message.as_str()),
                (case.code, expected.as_str()),
                "{}",
                case.fault
            );
        }
        assert!(!report.terminating);
        assert_eq!(outcome.summary(), "created 1, skipped 1, failed 1", "{}", case.fault);
        let sent = writes(&cloud.requests());
        let sent = sent.iter().filter(|request| request.url.contains("/stordersdb8e13ec?")).count();
        assert_eq!(sent, case.tries, "{}", case.fault);
        let again = project.deploy(&cloud);
        assert_eq!(again.counts().failed, 0, "{}: {again:#?}", case.fault);
        assert_eq!(project.deploy(&cloud).summary(), "unchanged 3", "{}", case.fault);
    });
}

/// Whoever answers a success without the resource has created nothing that anybody knows of.
#[test]
fn a_success_without_a_resource_is_not_created() {
    let again = "status=404,method=GET,path=/stordersdb8e13ec?,times=always";
    for (body, more, reason) in [
        ("null", None, "status 200, null instead of the resource"),
        ("[]", None, "status 200, a list instead of the resource"),
        ("{}", None, "status 200, an empty object instead of the resource"),
        (r#"{"error":{"code":"Busy","message":"No."}}"#, None, "status 200, an error 'Busy' instead of the resource"),
        (" ", Some(again), "status 200, no answer, and the resource is not there"),
    ] {
        let (cloud, project) = (cloud(), project());
        cloud.misbehave(fault(&format!("status=200,method=PUT,path=/stordersdb8e13ec?,body={body}")));
        more.into_iter().for_each(|more| cloud.misbehave(fault(more)));
        let outcome = project.deploy(&cloud);
        let [report] = outcome.errors()[..] else { panic!("{body}: {outcome:#?}") };
        let host = cloud.endpoint().trim_start_matches("http://");
        let expected = format!("{CREATING}: {host} did not answer as Azure Resource Manager does ({reason}).");
        assert_eq!(
            (report.failure.code.as_str(), report.failure.message.as_str()),
            ("AnswerNotUnderstood", expected.as_str()),
            "{body}"
        );
        assert_eq!(outcome.summary(), "created 1, skipped 1, failed 1", "{body}");
    }
}

/// An answer without a body is as good as the resource that is there.
#[test]
fn a_success_without_a_body_is_looked_up() {
    let (cloud, project) = (cloud(), project());
    assert_eq!(project.deploy(&cloud).summary(), "created 3");
    project.write("storage.yml", document("minimumTlsVersion: TLS1_1\nqueue: [orders]"));
    cloud.misbehave(fault("status=200,method=PUT,path=/stordersdb8e13ec?,body= "));
    let reads = || cloud.requests().iter().filter(|request| request.method == "GET").count();
    let before = reads();
    assert_eq!(project.deploy(&cloud).counts().failed, 0);
    assert!(reads() > before + 1);
}

#[test]
fn what_passes_by_itself_is_not_noticed() {
    let faults = [
        "status=429,retry-after=1ms,times=5",
        "status=429,retry-after=0,times=2",
        "status=429,times=3",
        "status=408,times=2",
        "status=500,times=3",
        "status=502,times=2",
        "status=503,retry-after=5ms,times=3",
        "status=504,times=2",
        "html,times=2",
        "reset,times=3",
        "reset-after,times=2",
        "truncated,times=2",
        "delay=10,times=3",
        r#"status=409,times=2,body={"error":{"code":"AnotherOperationInProgress","message":"Wait."}}"#,
        r#"status=409,times=2,body={"error":{"code":"StorageAccountOperationInProgress","message":"Wait."}}"#,
    ];
    let passes = |text: &str| {
        for condition in
            ["", "method=PUT,path=/stordersdb8e13ec?,", "method=PUT,path=/queues/,", "path=/operationResults/,"]
        {
            let (kind, rest) = text.split_once(',').unwrap();
            let (cloud, project) = (cloud(), project());
            cloud.misbehave(fault(&format!("{kind},{condition}{rest}")));
            let outcome = project.deploy(&cloud);
            assert_eq!(outcome.summary(), "created 3", "{text} {condition}: {:#?}", outcome.errors());
            assert!(outcome.errors().is_empty());
            assert_eq!(project.deploy(&cloud).summary(), "unchanged 3", "{text} {condition}");
        }
    };
    std::thread::scope(|scope| {
        for text in faults {
            scope.spawn(move || passes(text));
        }
    });
}

#[test]
fn a_resource_that_another_operation_has_keeps_no_other_from_being_written() {
    let (cloud, project) = (
        cloud(),
        Project::with(&document_of(&[
            ("Orders", "accountType: Standard"),
            ("Bills", "accountType: Standard\nqueue: [bills]"),
        ])),
    );
    // The network provider answers so, too; it is no quota, although the status is that of one.
    cloud.misbehave(fault(
        r#"status=429,retry-after=1,method=PUT,path=/stordersdb8e13ec?,body={"error":{"code":"RetryableErrorDueToAnotherOperation","message":"Wait."}}"#,
    ));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4");
    let order: Vec<&str> = outcome.resources().iter().map(|report| report.resource.name.as_str()).collect();
    assert_eq!(order[2..], ["bills", "stordersdb8e13ec"], "{order:?}");
}

#[test]
fn a_server_that_asks_to_wait_for_years_ends_the_run_that_says_so() {
    let locked = r#"body={"error":{"code":"AnotherOperationInProgress","message":"Wait."}}"#;
    let told = "body={\"error\":{\"code\":\"Busy\",\"message\":\"Wait.\"}}";
    for (status, body) in [(429, told), (503, told), (500, told), (409, locked)] {
        let (cloud, project) = (cloud(), project());
        cloud.misbehave(fault(&format!(
            "status={status},retry-after=99999999,method=PUT,path=/stordersdb8e13ec?,{body}"
        )));
        let outcome = project.deploy(&cloud);
        let [report] = outcome.errors()[..] else { panic!("{status}: {outcome:#?}") };
        let expected = format!(
            "{CREATING}: Wait. Azure asks to wait 99999999 seconds before the next try; a request is tried for at most 30 minutes."
        );
        assert_eq!(report.failure.message, expected, "{status}");
        // A read as well, before anything is changed; and no longer than the operations of the run may take.
        if status != 409 {
            cloud.misbehave(fault(&format!("status={status},retry-after=61,method=GET,path={GROUP}?,{body}")));
            let context = json!({"context": {"operationTimeout": "PT1M"}});
            let outcome = run(&with(project.request(&cloud), context));
            let expected = format!(
                "{READING}: Wait. Azure asks to wait 61 seconds before the next try; a request is tried for at most 1 minute."
            );
            assert_eq!(outcome.last_error().failure.message, expected, "{status}");
        }
    }
}

#[test]
fn every_cause_of_a_retry_is_counted_for_itself() {
    let (cloud, project) = (cloud(), project());
    let path = "method=PUT,path=/stordersdb8e13ec?";
    let locked = r#"body={"error":{"code":"AnotherOperationInProgress","message":"Wait."}}"#;
    for text in [
        format!("status=429,retry-after=1ms,times=7,{path}"),
        format!("status=503,times=5,{path}"),
        format!("status=409,times=7,{path},{locked}"),
        format!("reset,times=5,{path}"),
    ] {
        cloud.misbehave(fault(&text));
    }
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 3", "{:#?}", outcome.errors());
    let sent = writes(&cloud.requests()).iter().filter(|request| request.url.contains("/stordersdb8e13ec?")).count();
    assert_eq!(sent, 25);
}

#[test]
fn retries_are_told_to_those_who_ask_for_detail() {
    use svc_engine::protocol::Message;
    let (cloud, project) = (cloud(), project());
    cloud.misbehave(fault("status=503,method=PUT,path=resourceGroups"));
    let outcome = project.deploy(&cloud);
    let told = |message: &Message| matches!(message, Message::Debug { message } if message.starts_with("PUT /subscriptions/") && message.contains(" will be retried in "));
    assert!(outcome.messages.iter().any(told), "{outcome:#?}");
}

#[test]
fn nobody_at_the_endpoint() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (cloud, project) = (cloud(), project());
    let request = with(project.request(&cloud), json!({"context": {"cloud": format!("http://127.0.0.1:{port}")}}));
    let outcome = run(&request);
    let report = outcome.last_error();
    assert_eq!(
        (report.failure.code.as_str(), report.failure.category),
        ("ConnectionFailed", ErrorCategory::ConnectionError)
    );
    let expected = format!("{READING}: 127.0.0.1:{port} cannot be reached: ");
    assert_eq!(report.failure.message, format!("{expected}the server refused the connection."));
    let advice = "Check the endpoint and the firewall. If this network needs a proxy, set HTTPS_PROXY. Then run the command again; it continues where it stopped.";
    assert_eq!(report.failure.recommendation.as_deref(), Some(advice));
}

#[test]
fn a_request_that_hangs_can_be_cancelled() {
    let (cloud, project) = (cloud(), project());
    cloud.misbehave(fault("delay=3600000,times=always"));
    let operation = start(&project.request(&cloud));
    wait_until("the first request", || !cloud.requests().is_empty());
    operation.cancel();
    let outcome = follow(&operation, |_| panic!("there is no plan"));
    assert_eq!(outcome.warnings(), ["The command was stopped. Nothing was changed."]);
    assert!(outcome.errors().is_empty());
}

#[test]
fn a_refusal_by_azure_has_its_leaf_cause_and_its_request_id() {
    let (cloud, project) = (cloud(), project());
    cloud.misbehave(fault(
        r#"status=409,method=PUT,path=/stordersdb8e13ec?,body={"error":{"code":"Conflict","message":"It failed.","details":[{"code":"ScopeLocked","message":"The scope\n is locked."}]}}"#,
    ));
    let outcome = project.deploy(&cloud);
    let report = outcome.errors()[0];
    assert_eq!(report.failure.code.as_str(), "ScopeLocked");
    assert_eq!(report.failure.message, format!("{CREATING}: The scope is locked."));
    assert_eq!(
        report.failure.recommendation.as_deref(),
        Some("A lock protects this scope. Remove the lock, then run the command again.")
    );
    assert!(report.failure.request_id.is_some());
}
