//! Plans that are made without knowing what exists.

use serde_json::{Value, json};

use crate::support::offline::{command, rehearse, with_event};
use crate::support::*;

#[test]
fn an_offline_plan_does_not_know_what_exists() {
    let project = Project::with(&document("queue: [orders]"));
    let (messages, status) = rehearse(&project, &json!({}));
    assert_eq!(status, 0);
    let warnings: Vec<&str> =
        with_event(&messages, "warning").iter().map(|message| message["message"].as_str().unwrap()).collect();
    assert_eq!(warnings, ["The plan is made offline, so it does not show what exists."], "it is said once");
    let plan = with_event(&messages, "plan")[0];
    let descriptions: Vec<&str> =
        plan["actions"].as_array().unwrap().iter().map(|action| action["description"].as_str().unwrap()).collect();
    assert_eq!(
        descriptions,
        [
            "Create or update resource group 'rg-shop-iaas-99b8167f' (current state unknown).",
            "Create or update storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' (current state unknown).",
            "Create or update queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' (current state unknown).",
        ]
    );
    assert!(with_event(&messages, "error").is_empty());
    let result = with_event(&messages, "result")[0];
    assert_eq!((&result["created"], &result["unchanged"]), (&Value::from(3), &Value::from(0)));
    assert_eq!(result["whatIf"], true);
}

#[test]
fn a_missing_credential_is_an_error_under_what_if_too() {
    let project = Project::with(&document(""));
    let (messages, status) = rehearse(&project, &json!({"offline": false}));
    assert_eq!(status, 1);
    let [error] = with_event(&messages, "error")[..] else { panic!("not one error: {messages:#?}") };
    assert_eq!(error["code"], "CredentialUnavailable");
    assert!(error["recommendation"].as_str().unwrap().ends_with("needs none: -WhatIf with -Offline."), "{error}");
    assert!(with_event(&messages, "plan").is_empty() && with_event(&messages, "target").is_empty());
}

#[test]
fn an_offline_run_asks_for_no_credential_and_reads_nothing_of_the_cloud() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let request = with(project.request(&cloud), json!({"whatIf": true, "environment": {"SVC_OFFLINE": "true"}}));
    let outcome = run(&request);
    assert!(outcome.plan().iter().all(|action| action.description.ends_with("(current state unknown).")));
    assert!(cloud.requests().is_empty(), "nobody was asked");
    // An offline plan cannot be carried out, so a run that would do it is refused.
    let outcome = run(&with(project.request(&cloud), json!({"context": {"offline": true}})));
    let error = outcome.errors()[0];
    assert_eq!((error.failure.code.as_str(), error.failure.target.as_deref()), ("ContextInvalid", Some("offline")));
}

#[test]
fn a_subscription_that_is_known_is_in_an_offline_plan_and_dependencies_are_placeholders() {
    let text = document("").replace("resourceGroupName: Shop", "service: {dependencies: {resourceGroup: shop-group}}");
    let (messages, _) =
        rehearse(&Project::with(&text), &json!({"subscriptionId": "11111111-2222-3333-4444-555555555555"}));
    let action = &with_event(&messages, "plan")[0]["actions"][0];
    assert_eq!(
        action["resourceId"],
        "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/<resource group published as 'shop-group'>/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec"
    );
}

/// No zeros stand for the subscription: a name that has them would be nobody's, and not the one that the run makes.
#[test]
fn a_name_that_is_made_of_a_subscription_that_nobody_knows_is_not_known() {
    let project = Project::with(&document("queue: [orders]"));
    let generators = "formats: [{name: storage, components: [{source: resource}, {source: name, maxLength: 4}, {source: subscriptionId, maxLength: 6}, {source: hash, maxLength: 4}]}]\n";
    project.write("_names/generators.yml", generators);
    let names = |context: &Value| {
        let (messages, status) = rehearse(&project, context);
        assert_eq!(status, 0, "{messages:#?}");
        let shown = serde_json::to_string(&messages).unwrap();
        assert!(!shown.contains("000000"), "{shown}");
        let warnings = with_event(&messages, "warning");
        let unknown = warnings
            .iter()
            .filter(|warning| warning["message"].as_str().unwrap().contains("<subscription> and <hash>"));
        let actions = with_event(&messages, "plan")[0]["actions"].as_array().unwrap().clone();
        (
            actions.iter().map(|action| action["fullName"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
            unknown.count(),
        )
    };
    let group = "rg-shop-iaas-99b8167f";
    let account = "storde<subscription><hash>";
    let queue = format!("{account}/default/orders");
    let (found, warnings) = names(&json!({}));
    assert_eq!((found[0].as_str(), found[1].as_str(), warnings), (group, account, 1));
    assert!(found[2].starts_with(account) && found[2].ends_with("orders"), "{queue}: {found:?}");
    // The hash is that of `printf 'stordeabcdef|' | md5sum`.
    let (found, warnings) = names(&json!({"subscriptionId": "abcdef12-2222-3333-4444-555555555555"}));
    assert_eq!((found[1].as_str(), warnings), ("stordeabcdef786c", 0));
}

#[test]
fn an_offline_plan_of_an_alert_command_says_that_it_knows_no_deletions() {
    let project = Project::new();
    let text = "component: resourceHealthAlerts\nlocation: UK South\nservice: {publish: {resourceGroup: health}}\nalerts: [{name: One}]\n";
    project.write("alerts.yml", text);
    let (messages, status) = command("New-SvcMonitorResourceHealthAlerts", &project, "alerts.yml");
    assert_eq!(status, 0);
    let warnings = with_event(&messages, "warning");
    let expected =
        "alerts.yml:3:36: the other contents of the resource group are not known, so the plan shows no deletions.";
    assert!(warnings.iter().any(|warning| warning["message"] == expected), "{warnings:?}");
    assert_eq!(with_event(&messages, "plan")[0]["actions"].as_array().unwrap().len(), 2);
}

/// The location of the workspace is not known, so the names of the rules are made with that of the document.
#[test]
fn an_offline_plan_of_log_alerts_has_placeholders_and_the_location_of_the_document() {
    let project = Project::new();
    let text = "component: logAlerts\nlocation: UK South\nservice: {dependencies: {workspace: logs}, publish: {resourceGroup: log-alerts}}\n\
        groups: [{name: Servers, alertSets: [{type: VirtualMachines, alerts: [{definition: VM_Reboot}, {definition: VM_NonResponsive, exclusions: [test]}]}]}]\n";
    project.write("alerts.yml", text);
    let (messages, status) = command("New-SvcMonitorLogAlerts", &project, "alerts.yml");
    assert_eq!(status, 0, "{messages:?}");
    let plan = with_event(&messages, "plan")[0];
    let rule = &plan["actions"][2];
    assert_eq!(rule["name"], "alt-log-servers-1-dev-uks-f57b8eec");
    let after = |path: &str| {
        let changes = rule["changes"].as_array().unwrap();
        changes.iter().find(|change| change["path"] == path).unwrap()["after"].as_str().unwrap().to_owned()
    };
    assert_eq!(after("location"), "\"uksouth\"");
    assert!(after("properties.scopes").contains("<Log Analytics workspace published as 'logs'>"));
    assert!(after("properties.criteria.allOf").contains("<resource published as 'test'>"));
}
