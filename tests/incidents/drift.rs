//! The drift: what exists against the documents, and who has changed it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use svc_engine::azure::ResourceId;
use svc_engine::azure::types::resource_type;
use svc_engine::protocol::{DifferenceKind, Drift, Message};
use svc_engine::run::Work;
use svc_local_cloud::LocalCloud;

use super::{deploy_shop, of_the_shop};
use crate::support::estate::*;
use crate::support::*;

/// Somebody who changes things: the claims of a token, and the client.
#[derive(Clone, Copy)]
struct Identity {
    claims: &'static str,
    agent: &'static str,
    told: &'static str,
}

const JANE: Identity = Identity {
    claims: r#"{"upn":"jane@contoso.com","appid":"c44b4083-3bb0-49c1-b47d-974e53cbdf3c"}"#,
    agent: "Mozilla/5.0 (Windows NT 10.0)",
    told: "jane@contoso.com, Azure Portal, ",
};
const OMAR: Identity = Identity {
    claims: r#"{"unique_name":"omar@contoso.com","appid":"04b07795-8ddb-461a-bbee-02f9e1bf7b46"}"#,
    agent: "python/3.12 AZURECLI/2.80.0",
    told: "omar@contoso.com, Azure CLI, ",
};
const ROBOT: Identity = Identity {
    claims: r#"{"appid":"7d3a0000-0000-4000-8000-00000000beef"}"#,
    agent: "some-script/1",
    told: "7d3a0000-0000-4000-8000-00000000beef, ",
};

/// Sends a request as somebody.
fn send(cloud: &LocalCloud, method: &str, id: &str, body: &str, who: Identity) {
    let version = resource_type(&ResourceId::new(id).resource_type()).unwrap().api_version;
    let token = format!("e30.{}.e30", URL_SAFE_NO_PAD.encode(who.claims));
    let mut stream = TcpStream::connect(cloud.endpoint().trim_start_matches("http://")).unwrap();
    let request = format!(
        "{method} {id}?api-version={version} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nUser-Agent: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        who.agent,
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 20"), "{method} {id}: {answer}");
}

/// The id of the only resource that ends like this.
fn ending(cloud: &LocalCloud, end: &str) -> String {
    let found: Vec<String> =
        cloud.ids().into_iter().filter(|id| id.to_lowercase().ends_with(&end.to_lowercase())).collect();
    assert_eq!(found.len(), 1, "{end}: {found:?}");
    found[0].clone()
}

/// Changes one value of a resource as somebody.
fn edit(cloud: &LocalCloud, id: &str, pointer: &str, value: Value, who: Identity) {
    let mut body = cloud.resource(id).unwrap();
    *body.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer} in {id}")) = value;
    send(cloud, "PUT", id, &body.to_string(), who);
}

/// Compares what exists with the documents of a request.
fn compare(request: &Value) -> (Drift, Outcome) {
    let operation = crate::start_at(Work::Compare, request.to_string().as_bytes(), UNHURRIED);
    let outcome = follow(&operation, |_| panic!("nothing is asked"));
    let drift = outcome.messages.iter().find_map(|message| match message {
        Message::Drift(drift) => Some((**drift).clone()),
        _ => None,
    });
    (drift.unwrap_or_else(|| panic!("no drift: {:?}", outcome.errors())), outcome)
}

/// Ten edits by three people, as (what is shown of the resource, path, who).
fn ten_edits(cloud: &LocalCloud) -> Vec<(String, &'static str, Identity)> {
    let account = |name: &str| ending(cloud, &format!("/storageAccounts/{name}"));
    let (orders, ledger) = (account("stcontosoordersdev488935"), account("stcontosoledgerdev86c946"));
    let one = |part: &str| {
        cloud
            .ids()
            .into_iter()
            .find(|id| id.contains(part) && !id.contains("landing-zone"))
            .unwrap_or_else(|| panic!("no {part}"))
    };
    let (app, logs) = (one("/sites/"), account("stcontososhopdev61b883"));
    let (rule, metric) = (one("/scheduledQueryRules/"), one("/metricAlerts/"));
    let (workspace, people) = (one("/workspaces/"), one("/actionGroups/"));
    let queue = ending(cloud, "/queues/returns");
    let edits: Vec<(String, &'static str, &'static str, Value, Identity)> = vec![
        (orders.clone(), "/properties/minimumTlsVersion", "properties.minimumTlsVersion", json!("TLS1_0"), JANE),
        (ledger, "/properties/networkAcls/defaultAction", "properties.networkAcls.defaultAction", json!("Allow"), OMAR),
        (app, "/properties/httpsOnly", "properties.httpsOnly", json!(false), JANE),
        (logs, "/properties/minimumTlsVersion", "properties.minimumTlsVersion", json!("TLS1_1"), ROBOT),
        (rule, "/properties/severity", "properties.severity", json!(4), OMAR),
        (metric, "/properties/enabled", "properties.enabled", json!(false), JANE),
        (workspace, "/properties/retentionInDays", "properties.retentionInDays", json!(730), ROBOT),
        (people, "/properties/enabled", "properties.enabled", json!(false), OMAR),
        (orders, "/properties/allowBlobPublicAccess", "properties.allowBlobPublicAccess", json!(true), ROBOT),
    ];
    let mut told = Vec::new();
    for (id, pointer, path, value, who) in edits {
        edit(cloud, &id, pointer, value, who);
        told.push((id, path, who));
    }
    send(cloud, "DELETE", &queue, "", JANE);
    told.push((queue, "", JANE));
    told
}

#[test]
fn ten_edits_are_ten_differences_with_a_line_a_name_and_a_time_until_they_are_reverted() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    let (quiet, _) = compare(&of_the_shop(&cloud, json!({})));
    assert!(!quiet.has_differences && quiet.differences.is_empty(), "{quiet:?}");
    assert_eq!(quiet.sentence, "No differences, 82 up to date.");
    let edits = ten_edits(&cloud);
    let before = cloud.requests().len();
    let (night, outcome) = compare(&of_the_shop(&cloud, json!({})));
    let is_write =
        |request: &svc_local_cloud::RecordedRequest| matches!(request.method.as_str(), "PUT" | "PATCH" | "DELETE");
    assert!(!requests_after(&cloud, before).iter().any(is_write) && outcome.plan().is_empty());
    let mut expected: Vec<(String, String)> =
        edits.iter().map(|(id, path, _)| (id.to_lowercase(), (*path).to_owned())).collect();
    let mut found: Vec<(String, String)> = night
        .differences
        .iter()
        .map(|difference| (difference.resource.resource_id.to_lowercase(), difference.path.clone()))
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    for (id, path, who) in &edits {
        let difference = night
            .differences
            .iter()
            .find(|one| one.resource.resource_id.eq_ignore_ascii_case(id) && one.path == *path)
            .unwrap();
        let changed = difference.changed.as_ref().unwrap_or_else(|| panic!("nobody: {difference:?}"));
        assert!(changed.in_words().starts_with(who.told), "{path}: {}", changed.in_words());
        assert!(
            difference.place.as_ref().is_some_and(|place| place.line > 1 && place.file.ends_with(".yml")),
            "{difference:?}"
        );
        let is_missing = difference.kind == DifferenceKind::Missing;
        assert_eq!(is_missing, path.is_empty());
    }
    let (again, _) = compare(&of_the_shop(&cloud, json!({})));
    let prints = |drift: &Drift| drift.differences.iter().map(|one| one.fingerprint.clone()).collect::<Vec<_>>();
    assert_eq!(prints(&night), prints(&again));
    assert!(deploy_shop(&cloud, json!({"enforceDefaults": true})).errors().is_empty());
    let (reverted, _) = compare(&of_the_shop(&cloud, json!({})));
    assert_eq!(reverted.differences, [], "{reverted:?}");
}

#[test]
fn what_somebody_may_not_ask_is_told_once_and_fails_nothing() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    ten_edits(&cloud);
    cloud.misbehave(fault("status=403,method=POST,path=Microsoft.ResourceGraph,times=always"));
    let (by_events, outcome) = compare(&of_the_shop(&cloud, json!({})));
    // The activity log says who wrote to it last, and does not say which property.
    assert!(
        by_events.differences.iter().all(|difference| difference.changed.is_some()),
        "{by_events:#?} {:?}",
        outcome.warnings()
    );
    assert!(!outcome.warnings().iter().any(|told| told.contains("is not known")), "{:?}", outcome.warnings());
    cloud.misbehave(fault("status=403,method=GET,path=eventtypes,times=always"));
    let (unknown, outcome) = compare(&of_the_shop(&cloud, json!({})));
    assert_eq!(unknown.differences.len(), 10);
    assert!(unknown.differences.iter().all(|difference| difference.changed.is_none()));
    let told: Vec<&str> =
        outcome.warnings().into_iter().filter(|told| told.contains("is not known for every")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(outcome.errors().is_empty());
}

#[test]
fn what_is_kept_and_what_left_the_documents_is_in_the_comparison() {
    let cloud = cloud();
    let text = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n    replication: LRS\n    service:\n      publish:\n        storage: orders\n";
    let project = Project::with(&format!("{text}    queue:\n      - new\n"));
    assert!(project.deploy(&cloud).errors().is_empty());
    project.write("storage.yml", text.replace("Standard", "Premium"));
    let (drift, outcome) = compare(&project.request(&cloud));
    let told: Vec<(&str, bool)> = drift.kept.iter().map(|kept| (kept.path.as_str(), kept.orphan)).collect();
    // Nothing of the document is a queue any more, so nothing but the comparison looks for queues.
    assert_eq!(told, [("sku.name", false), ("", true)], "{drift:?} {:?}", outcome.warnings());
    assert!(outcome.kept().is_empty(), "it is told once");
    assert_eq!(drift.sentence, "No differences, 1 kept, 1 in no document, 2 up to date.");
}

#[test]
fn who_is_not_asked_about_is_told() {
    let cloud = cloud();
    let text = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n";
    let project = Project::with(text);
    assert!(project.deploy(&cloud).errors().is_empty());
    let queues: Vec<String> = (0..51).map(|number| format!("queue-{number}")).collect();
    project.write("storage.yml", format!("{text}    queue: [{}]\n", queues.join(", ")));
    let (drift, outcome) = compare(&project.request(&cloud));
    assert_eq!(drift.differences.len(), 51);
    let told = outcome.warnings().join("\n");
    assert!(told.ends_with("The activity log was asked about the first 50 of 51 resources."), "{told}");
}

#[test]
fn a_comparison_is_written_as_every_plan_and_the_next_night_over_it() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    ten_edits(&cloud);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let files = [path("drift.md"), path("drift.html"), path("drift.json")];
    for _ in 0..2 {
        let (drift, outcome) = compare(&of_the_shop(&cloud, json!({ "planReport": files })));
        assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
        let markdown = std::fs::read_to_string(path("drift.md")).unwrap();
        assert!(markdown.starts_with("## Drift of `development, "), "{markdown}");
        let page = std::fs::read_to_string(path("drift.html")).unwrap();
        let json: Value = serde_json::from_str(&std::fs::read_to_string(path("drift.json")).unwrap()).unwrap();
        assert_eq!((&json["format"], &json["command"]), (&json!(1), &json!("Compare-SvcDeployment")));
        for (index, difference) in drift.differences.iter().enumerate() {
            assert!(markdown.contains(&format!("<!-- {} -->", difference.fingerprint)));
            assert!(page.contains(&format!("id=\"{}\"", difference.fingerprint)));
            assert_eq!(json["differences"][index]["fingerprint"], json!(difference.fingerprint));
        }
        assert!(markdown.contains("jane@contoso.com, Azure Portal"), "{markdown}");
    }
    // A comparison approves nothing.
    let approving = deploy_shop(&cloud, json!({ "approvedPlan": path("drift.json") }));
    assert_eq!(approving.failed_with().0, "ApprovedPlanInvalid");
}

#[test]
fn secrets_are_in_no_comparison() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    let group = cloud.ids().into_iter().find(|id| id.contains("/actionGroups/")).unwrap();
    let mut body = cloud.resource(&group).unwrap();
    body["properties"]["webhookReceivers"] = json!([{"name": "hook", "serviceUri": "https://example.com/a?code=s3cr3t-value-of-a-hook", "useCommonAlertSchema": true}]);
    send(&cloud, "PUT", &group, &body.to_string(), JANE);
    let (drift, _) = compare(&of_the_shop(&cloud, json!({})));
    assert!(!serde_json::to_string(&drift).unwrap().contains("s3cr3t-value"), "{drift:?}");
}

#[test]
fn a_comparison_asks_somebody() {
    let cloud = landing_zone();
    let request = of_the_shop(&cloud, json!({"offline": true}));
    let operation = crate::start_at(Work::Compare, request.to_string().as_bytes(), UNHURRIED);
    let outcome = follow(&operation, |_| Vec::new());
    assert_eq!(outcome.failed_with().0, "ContextInvalid");
}
