//! The reports of failures: a failure stops nothing that does not need it, and is told when everything else is done: each failure, the counts, and one
//! error that has it all.

use serde_json::json;
use svc_engine::protocol::{ActionKind, ErrorCategory, Message};

use crate::support::estate::{Deployment, WEB, landing_zone};
use crate::support::*;

/// Two accounts that have nothing to do with each other.
fn two_accounts() -> Project {
    let accounts = [("Orders", "accountType: Standard\nqueue: [orders]"), ("Ledger", "accountType: Standard")];
    Project::with(&document_of(&accounts))
}

/// The place of the first message that fits.
fn position(outcome: &Outcome, fits: impl Fn(&Message) -> bool) -> usize {
    outcome.messages.iter().position(fits).unwrap_or_else(|| panic!("no such message: {outcome:#?}"))
}

#[test]
fn one_of_two_fails_and_the_other_is_made_all_the_same() {
    let (cloud, project) = (cloud(), two_accounts());
    cloud.misbehave(fault("status=403,method=PUT,path=/stordersdb8e13ec?,times=always"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 2, skipped 1, failed 1");
    let tried = shown(&writes(&cloud.requests()));
    for account in ["stordersdb8e13ec", "stledger4239756b"] {
        assert!(tried.iter().any(|request| request.ends_with(account)), "{account} in {tried:?}");
    }
    let last = outcome.deployment_failed();
    assert_eq!(
        last.failure.message,
        "1 of 4 resources failed: storage account 'stordersdb8e13ec' (AuthorizationFailed). 2 are done, 1 is skipped. \
         Run the command again when the causes are gone."
    );
    assert_eq!(last.failure.category, ErrorCategory::PermissionDenied);
    let [failure] = last.failures.as_slice() else { panic!("not one failure: {last:#?}") };
    assert_eq!(failure.resource_id.as_deref(), Some(in_subscription(ACCOUNT).as_str()));
    assert_eq!(failure.target.as_deref(), Some("storage.yml:4:5"));
    assert!(failure.request_id.is_some() && failure.recommendation.is_some(), "{failure:?}");
    let done: Vec<(ActionKind, &str)> =
        last.done.iter().map(|report| (report.action, report.resource.full_name.as_str())).collect();
    assert_eq!(done, [(ActionKind::Create, "rg-shop-iaas-99b8167f"), (ActionKind::Create, "stledger4239756b")]);

    // When it happens it is a line of progress; the error comes after everything that was done.
    let happens = position(
        &outcome,
        |message| matches!(message, Message::Verbose { message } if message == "The storage account 'stordersdb8e13ec' failed (AuthorizationFailed)."),
    );
    let error = position(&outcome, |message| matches!(message, Message::Error(_)));
    let is_work = |message: &Message| matches!(message, Message::Resource(_) | Message::Progress { .. });
    assert!(happens < error && !outcome.messages[error..].iter().any(is_work), "{outcome:#?}");
    let end = outcome.messages.iter().rev().find_map(|message| match message {
        Message::Progress { status, .. } => Some(status.as_str()),
        _ => None,
    });
    assert_eq!(end, Some("2 of 4 done, 1 failed"));
    assert!(!outcome.verbose().iter().any(|line| line.starts_with("Everything")), "{:#?}", outcome.verbose());
}

#[test]
fn what_had_failed_is_told_when_the_run_is_cancelled() {
    let project = two_accounts();
    let cloud = cloud_with(svc_local_cloud::LocalCloudOptions {
        operation_time: svc_local_cloud::OperationTime::Fixed(PATIENCE),
        ..Default::default()
    });
    cloud.misbehave(fault("status=409,method=PUT,path=/stordersdb8e13ec?,times=always"));
    let operation = start(&project.request(&cloud));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        match &message {
            Message::Plan { id, .. } => {
                operation.answer(&json!({"id": id, "approved": [0, 1, 2, 3]}).to_string()).unwrap();
            }
            Message::Verbose { message } if message.contains("failed (Conflict)") => {
                wait_until("the other account being created", || {
                    cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
                });
                operation.cancel();
            }
            _ => {}
        }
        messages.push(message);
    }
    let outcome = Outcome { messages };
    assert_eq!(outcome.summary(), "created 1, skipped 1, failed 1");
    let warning = position(
        &outcome,
        |message| matches!(message, Message::Warning(warning) if warning.message.starts_with("The command was stopped.") && warning.message.contains("'stledger4239756b'")),
    );
    assert!(warning < position(&outcome, |message| matches!(message, Message::Error(_))), "{outcome:#?}");
    let last = outcome.deployment_failed();
    assert!(
        last.failure
            .message
            .starts_with("1 of 4 resources failed: storage account 'stordersdb8e13ec' (Conflict). 1 is done"),
        "{}",
        last.failure.message
    );
    assert_eq!(last.done.len(), 1);
}

/// What only Azure knows of a resource is there on a second run, too.
#[test]
fn facts_of_what_is_up_to_date() {
    let (cloud, deployment) = (landing_zone(), Deployment::example(WEB, "examples/web.yml"));
    let first = deployment.deploy(&cloud);
    let outcome = deployment.deploy_with(&cloud, json!({"context": {"includeUnchanged": true}}));
    assert!(outcome.resources().is_empty());
    let mut made: Vec<_> = first
        .resources()
        .into_iter()
        .map(|report| (&report.resource.resource_id, report.properties.is_some()))
        .collect();
    let mut found: Vec<_> = outcome
        .unchanged()
        .into_iter()
        .map(|report| (&report.resource.resource_id, report.properties.is_some()))
        .collect();
    made.sort();
    found.sort();
    assert_eq!(made, found);
    assert!(found.iter().any(|(_, has_facts)| *has_facts));
}
