//! The publish names that documents lack, written where that is approved.

use std::collections::BTreeSet;

use svc_engine::protocol::{Action, ActionKind};
use svc_local_cloud::Fault;

use super::*;
use crate::support::estate::*;

const ENDPOINTS: &str = "privateEndpoints";
const SPOKE: &str = "virtualNetworks/vnet-spoke";

/// Private endpoints whose network and vault have lost the tags that they had.
fn without_names() -> LocalCloud {
    let cloud = landing_zone();
    deploy(PRIVATE_ENDPOINTS, &std::fs::read_to_string(repository("examples/private-endpoints.yml")).unwrap(), &cloud);
    tamper(&cloud, &network(SPOKE), |body| body["tags"] = json!({"owner": "network"}));
    tamper(&cloud, &vault(), |body| body["tags"] = json!({}));
    cloud
}

fn vault() -> String {
    format!("{LANDING_ZONE}/providers/Microsoft.KeyVault/vaults/kv-landing-zone")
}

/// An export of the endpoints that asks for what it would tag.
fn tag(cloud: &LocalCloud, members: Value, answer: impl FnMut(&[Action]) -> Vec<usize>) -> Outcome {
    let request = with(with(request(ENDPOINTS, LANDING_ZONE, cloud), json!({"tag": true})), members);
    follow(&run::start(Start::new(Work::Export, request.to_string().as_bytes())), answer)
}

fn all(actions: &[Action]) -> Vec<usize> {
    actions.iter().map(|action| action.index).collect()
}

fn tags(cloud: &LocalCloud, path: &str) -> Value {
    resource(cloud, path)["tags"].clone()
}

#[test]
fn what_is_approved_is_written_and_the_document_has_it() {
    let cloud = without_names();
    let outcome = tag(&cloud, json!({}), all);
    let shown: BTreeSet<(String, &str)> = outcome
        .plan()
        .iter()
        .map(|action| {
            assert_eq!(action.action, ActionKind::Modify);
            assert_eq!(action.origin, None, "no document has it");
            let [change] = &action.changes[..] else { panic!("{action:?}") };
            assert_eq!((change.path.as_str(), &change.before), ("tags.svc-service", &None));
            (action.resource.full_name.clone(), change.after.as_deref().and_then(serde_json::Value::as_str).unwrap())
        })
        .collect();
    let name = |name: &str| name.to_owned();
    assert_eq!(
        shown,
        BTreeSet::from([(name("vnet-spoke"), "vnet-spoke"), (name("kv-landing-zone"), "kv-landing-zone")])
    );
    assert_eq!(outcome.resources().len(), 2);
    assert_eq!(tags(&cloud, &network(SPOKE)), json!({"owner": "network", "svc-service": "vnet-spoke"}));
    assert_eq!(tags(&cloud, &vault()), json!({"svc-service": "kv-landing-zone"}));
    // What was left out before is in it, and nobody is told of that.
    assert!(outcome.document().contains("vnet: vnet-spoke\n"), "{}", outcome.document());
    assert_eq!(outcome.warnings(), Vec::<&str>::new());
    assert_eq!(plan_of(PRIVATE_ENDPOINTS, &outcome, &cloud).descriptions(), Vec::<&str>::new());
    // There is nothing left to ask about.
    let again = tag(&cloud, json!({}), |_| panic!("nothing is asked"));
    assert_eq!(again.document(), outcome.document());
}

#[test]
fn what_is_declined_is_left_out_and_not_asked_for_again() {
    for (members, approves) in [(json!({}), false), (json!({"whatIf": true}), true)] {
        let cloud = without_names();
        let before = (tags(&cloud, &network(SPOKE)), tags(&cloud, &vault()));
        let mut asked = 0;
        let outcome = tag(&cloud, members, |actions| {
            asked += 1;
            if approves { all(actions) } else { Vec::new() }
        });
        assert_eq!(asked, 1);
        assert_eq!((tags(&cloud, &network(SPOKE)), tags(&cloud, &vault())), before);
        assert_eq!(outcome.warnings().len(), 2, "{:#?}", outcome.warnings());
        assert!(outcome.document().contains("files-hub"), "what has names is there");
    }
    // One of the two.
    let cloud = without_names();
    let mut asked = 0;
    let outcome = tag(&cloud, json!({}), |actions| {
        asked += 1;
        vec![actions.iter().find(|action| action.resource.name == "vnet-spoke").unwrap().index]
    });
    assert_eq!(asked, 1);
    assert_eq!(outcome.resources().len(), 1);
    assert_eq!(outcome.warnings().len(), 1, "{:#?}", outcome.warnings());
    assert!(outcome.warnings()[0].contains("'kv-landing-zone' has no publish name"));
}

#[test]
fn a_name_that_another_one_of_the_type_has_gets_the_group() {
    let cloud = without_names();
    tamper(&cloud, &network("virtualNetworks/vnet-hub"), |body| body["tags"]["svc-service"] = json!("VNet-Spoke"));
    let outcome = tag(&cloud, json!({}), all);
    assert_eq!(tags(&cloud, &network(SPOKE))["svc-service"], "vnet-spoke-rg-landing-zone");
    assert!(outcome.document().contains("vnet: vnet-spoke-rg-landing-zone\n"), "{}", outcome.document());
}

#[test]
fn an_environment_asks_for_all_of_its_documents() {
    let cloud = without_names();
    let project = Project::new();
    let members = json!({"component": null, "resourceGroup": null, "all": true, "path": project.path("estate")});
    let mut asked = 0;
    let outcome = tag(&cloud, members, |actions| {
        asked += 1;
        all(actions)
    });
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    assert_eq!(asked, 1);
    let text = std::fs::read_to_string(project.path("estate/privateEndpoints.yml")).unwrap();
    assert!(text.contains("vnet: vnet-spoke\n"), "{text}");
}

#[test]
fn a_tag_that_is_refused_ends_the_export_before_anything_is_written() {
    let cloud = without_names();
    let body = json!({"error": {"code": "AuthorizationFailed", "message": "You may not."}});
    cloud.misbehave(format!("status=403,method=PATCH,path=kv-landing-zone,body={body}").parse::<Fault>().unwrap());
    let project = Project::new();
    let path = project.path("endpoints.yml");
    let outcome = tag(&cloud, json!({"path": path}), all);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "AuthorizationFailed", "{message}");
    assert!(!path.exists());
}

#[test]
fn an_export_that_is_stopped_at_the_question_writes_nothing() {
    let cloud = without_names();
    let project = Project::new();
    let path = project.path("endpoints.yml");
    let request = with(request(ENDPOINTS, LANDING_ZONE, &cloud), json!({"tag": true, "path": path}));
    let operation = run::start(Start::new(Work::Export, request.to_string().as_bytes()));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        if matches!(message, Message::Plan { .. }) {
            operation.cancel();
        }
        messages.push(message);
    }
    assert_eq!(Outcome { messages }.warnings(), ["The command was stopped. Nothing was changed."]);
    assert!(!path.exists());
    assert_eq!(tags(&cloud, &vault()), json!({}));
}

/// What one resource lacks is asked for together, whatever of it is missing first.
#[test]
fn everything_that_is_missing_is_asked_for_once() {
    let cloud = landing_zone();
    let text = |file: &str| std::fs::read_to_string(repository("examples").join(file)).unwrap();
    deploy(PRIVATE_ENDPOINTS, &text("private-endpoints.yml"), &cloud);
    deploy(RESOURCE_HEALTH_ALERTS, &text("resource-health-alerts.yml"), &cloud);
    deploy(METRIC_ALERTS, &text("metric-alerts.yml"), &cloud);
    for id in cloud.ids() {
        let path = id.split_once("/resourceGroups/").map(|(_, path)| format!("resourceGroups/{path}"));
        let is_needed =
            ["/actionGroups/", "/virtualNetworks/vnet-", "/vaults/", "/storageAccounts/", "/virtualMachines/"];
        let is_child = |path: &str| path.split('/').count() != 6;
        let Some(path) = path.filter(|path| !is_child(path) && is_needed.iter().any(|kind| path.contains(kind))) else {
            continue;
        };
        tamper(&cloud, &path, |body| body["tags"] = json!({}));
    }
    let project = Project::new();
    let members = json!({"component": null, "resourceGroup": null, "all": true, "path": project.path("estate")});
    let mut asked = Vec::new();
    let outcome = tag(&cloud, members, |actions| {
        asked.push(actions.len());
        all(actions)
    });
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    assert!(asked.len() == 1 && asked[0] >= 6, "{asked:?}");
}
