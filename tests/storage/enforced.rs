//! Defaults on what exists: they are counted where somebody has changed one, and enforced where the context says so.

use serde_json::json;

use crate::support::*;

#[test]
fn what_differs_from_defaults_is_counted_and_enforced_where_that_is_asked_for() {
    let (cloud, project) = (cloud(), Project::with(&document("allowBlobPublicAccess: false")));
    project.deploy(&cloud);
    // Somebody lowers what the document leaves open.
    tamper(&cloud, ACCOUNT, |body| {
        body["properties"]["minimumTlsVersion"] = json!("TLS1_0");
        body["properties"]["supportsHttpsTrafficOnly"] = json!(false);
    });
    let outcome = project.deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.counts().open_defaults), ("unchanged 2", 2));
    assert!(
        outcome
            .counts()
            .sentence()
            .ends_with(" 2 values that the settings leave open differ from their defaults; verbose output has them."),
        "{}",
        outcome.counts().sentence()
    );
    let told: Vec<&str> = outcome.verbose().into_iter().filter(|line| line.contains("does not set")).collect();
    assert!(
        told.len() == 1 && told[0].contains("properties.minimumTlsVersion \"TLS1_0\" (default: \"TLS1_2\")"),
        "{told:?}"
    );
    let enforced = with(project.request(&cloud), json!({"context": {"enforceDefaults": true}}));
    let outcome = run(&enforced);
    let mut paths: Vec<&str> =
        outcome.action("stordersdb8e13ec").changes.iter().map(|change| change.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["properties.minimumTlsVersion", "properties.supportsHttpsTrafficOnly"]);
    assert!(
        outcome.action("stordersdb8e13ec").changes.iter().all(|change| change.origin.is_none()),
        "a default has no place"
    );
    assert_eq!((outcome.summary().as_str(), outcome.counts().open_defaults), ("modified 1, unchanged 1", 0));
    assert_eq!(run(&enforced).summary(), "unchanged 2");
    assert_eq!(resource(&cloud, ACCOUNT)["properties"]["minimumTlsVersion"], "TLS1_2");
}

#[test]
fn what_azure_cannot_change_stays_also_where_defaults_are_enforced() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    project.deploy(&cloud);
    // Azure makes no StorageV2 of a BlockBlobStorage account.
    tamper(&cloud, ACCOUNT, |body| body["kind"] = json!("BlockBlobStorage"));
    let outcome = run(&with(project.request(&cloud), json!({"context": {"enforceDefaults": true}})));
    assert!(outcome.errors().is_empty() && outcome.plan().is_empty(), "{:#?}", outcome.messages);
}

#[test]
fn a_default_that_is_set_to_nothing_is_no_answer() {
    let project = Project::with(&document(""));
    let request = with(project.request(&cloud()), json!({"environment": {"SVC_ENFORCE_DEFAULTS": ""}}));
    assert_eq!(run(&request).failed_with().0, "ContextInvalid");
    let request = with(project.request(&cloud()), json!({"environment": {"SVC_ENFORCE_DEFAULTS": "sometimes"}}));
    assert_eq!(run(&request).failed_with().0, "ContextInvalid");
}
