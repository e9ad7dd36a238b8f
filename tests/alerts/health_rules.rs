//! Resource health alerts: which resources, types and events a rule is about.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::alerts::groups_and_rules::{HEALTH_GROUP, deploy, estate, health};
use crate::support::estate::{RESOURCE_HEALTH_ALERTS as HEALTH, group};
use crate::support::*;

const CATEGORY: &str = r#"{"field":"category","equals":"ResourceHealth"}"#;

fn conditions(cloud: &LocalCloud) -> Value {
    let path = format!("{HEALTH_GROUP}/providers/Microsoft.Insights/activityLogAlerts/alt-all-dev-uks-7b111c38");
    resource(cloud, &path)["properties"]["condition"]["allOf"].take()
}

fn category() -> Value {
    serde_json::from_str(CATEGORY).unwrap()
}

fn warnings(cloud: &LocalCloud, alert: &str) -> Vec<String> {
    let outcome = deploy(HEALTH, &health(&format!("- name: All\n{alert}")), cloud);
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    outcome.warnings().iter().map(|warning| (*warning).to_owned()).collect()
}

fn dependencies(text: &str) -> String {
    format!("  service: {{dependencies: {{{text}}}}}\n")
}

#[test]
fn a_rule_for_no_targets_is_one_for_the_whole_subscription_and_says_so() {
    let cloud = estate();
    let place = "alerts[0].service.dependencies";
    let none = "none stands for no targets, so the rule holds for the whole subscription";
    assert_eq!(
        warnings(&cloud, &dependencies("targetResources: [none], targetResourceGroups: [None]")),
        [format!("alerts.yml:8:47: {place}.targetResources: {none}")]
    );
    assert_eq!(
        warnings(&cloud, &dependencies("targetResourceGroups: [none]")),
        [format!("alerts.yml:8:52: {place}.targetResourceGroups: {none}")]
    );
    assert_eq!(conditions(&cloud), json!([category()]));
    // Beside targets of the other kind it means just what it says, and who names no targets means the subscription.
    assert_eq!(warnings(&cloud, &dependencies("targetResources: [none], targetResourceGroups: [estate]")), [""; 0]);
    assert_eq!(warnings(&cloud, ""), [""; 0]);
}

#[test]
fn an_empty_list_of_targets_does_not_widen_a_rule_to_the_subscription() {
    let cloud = estate();
    let refused = |text: &str| {
        let outcome = deploy(HEALTH, &health(&format!("- name: All\n{}", dependencies(text))), &cloud);
        assert!(writes(&cloud.requests()).is_empty(), "{text}");
        outcome.failed_with().1.to_owned()
    };
    let message = "the list is empty, so the rule would hold for the whole subscription; name a target, or use none if that is meant";
    let place = "alerts[0].service.dependencies";
    assert_eq!(
        refused("targetResources: []"),
        format!("alerts.yml has 1 problem:\n[1] 8:47 {place}.targetResources: {message}")
    );
    // An unset variable in a script.
    assert_eq!(
        refused("targetResourceGroups: ''"),
        format!("alerts.yml has 1 problem:\n[1] 8:52 {place}.targetResourceGroups: {message}")
    );
    // Beside targets of the other kind it widens nothing, and null says that there is none.
    assert_eq!(warnings(&cloud, &dependencies("targetResources: [], targetResourceGroups: [estate]")), [""; 0]);
    assert_eq!(warnings(&cloud, &dependencies("targetResources: null")), [""; 0]);
    assert_eq!(
        warnings(&cloud, "  resourceTypes: []\n"),
        ["alerts.yml:8:20: alerts[0].resourceTypes: the list is empty, so the rule holds for all types"]
    );
}

#[test]
fn rules_that_can_never_fire_are_warned_of() {
    let cloud = estate();
    cloud.import(&[group("rg-other", "other")]).unwrap();
    let place = "alerts[0].service.dependencies.targetResources";
    assert_eq!(
        warnings(&cloud, &dependencies("targetResourceGroups: [other], targetResources: [servers, files]")),
        [format!(
            "alerts.yml:8:78: {place}: none of the target resources is in the target resource groups, so the rule never fires"
        )]
    );
    let far = json!({"id": in_subscription("resourceGroups/rg-other/providers/Microsoft.Compute/virtualMachines/vm-other"),
        "location": "uksouth", "tags": {"svc-service": "servers"}, "properties": {}});
    cloud.import(std::slice::from_ref(&far)).unwrap();
    assert_eq!(
        warnings(&cloud, &dependencies("targetResourceGroups: [estate], targetResources: [files, servers]")),
        [format!(
            "alerts.yml:8:87: {place}[1]: '{}' is not in the target resource groups, so the rule never fires for it",
            far["id"].as_str().unwrap()
        )]
    );
    let types =
        |types: &str| format!("  resourceTypes: [{types}]\n{}", dependencies("targetResources: [servers, files]"));
    assert_eq!(
        warnings(&cloud, &types("Microsoft.KeyVault/vaults")),
        [format!(
            "alerts.yml:9:47: {place}: none of the target resources is of the resource types, so the rule never fires"
        )]
    );
    assert_eq!(
        warnings(&cloud, &types("microsoft.compute/virtualmachines, Microsoft.Storage/storageAccounts")),
        [""; 0]
    );
}

#[test]
fn what_is_no_resource_type_is_ignored_with_a_warning() {
    let cloud = estate();
    let wrong = |index: usize, column: usize, text: &str, more: &str| {
        format!(
            "alerts.yml:8:{column}: alerts[0].resourceTypes[{index}]: '{text}' is not a resource type with its namespace, such as Microsoft.Compute/virtualMachines; it is \
             ignored{more}"
        )
    };
    assert_eq!(
        warnings(&cloud, "  resourceTypes: [virtualMachines, Microsoft.Storage/storageAccounts]\n"),
        [wrong(0, 21, "virtualMachines", "")]
    );
    let leaf = json!({"field": "resourceType", "equals": "Microsoft.Storage/storageAccounts"});
    assert_eq!(conditions(&cloud), json!([category(), {"anyOf": [leaf]}]));
    assert_eq!(
        warnings(&cloud, "  resourceTypes: [Microsoft.Storage]\n"),
        [wrong(0, 21, "Microsoft.Storage", ", and the rule holds for all types")]
    );
    assert_eq!(conditions(&cloud), json!([category()]));
}

#[test]
fn a_changed_condition_names_its_line() {
    let cloud = estate();
    let alert = |status: &str, before: &str| {
        health(&format!(
            "- name: All\n  reasonType: [Unknown]\n  eventStatus: {status}\n  healthStatus: {{current: Available, previous: {before}}}\n"
        ))
    };
    deploy(HEALTH, &alert("[Active]", "Degraded"), &cloud);
    let outcome = deploy(HEALTH, &alert("[Active, Updated]", "Unknown"), &cloud);
    let origins: Vec<_> = outcome.plan()[0].changes.iter().map(|change| change.origin.clone().unwrap()).collect();
    assert_eq!(origins, ["alerts.yml:9:18", "alerts.yml:10:50", "alerts.yml:10:50"]);
}

#[test]
fn none_in_a_list_of_values_is_no_condition() {
    let cloud = estate();
    let alert = "  eventStatus: [none]\n  reasonType: None\n  resourceTypes: [none]\n  healthStatus: {current: [NONE], previous: none}\n";
    assert_eq!(warnings(&cloud, alert), [""; 0]);
    assert_eq!(conditions(&cloud), json!([category()]));
    let mixed = deploy(HEALTH, &health("- name: All\n  eventStatus: [none, Active]\n"), &cloud);
    assert_eq!(
        mixed.last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 8:19 alerts[0].eventStatus[0]: 'none' is not valid; use Active, In Progress, Resolved or Updated"
    );
}

#[test]
fn two_alerts_of_one_name_are_told_apart_by_name() {
    let cloud = estate();
    let message = |alerts: &str| deploy(HEALTH, &health(alerts), &cloud).last_error().failure.message.clone();
    let unnamed = message("- enabled: true\n- enabled: true\n");
    assert!(
        unnamed.starts_with("alerts.yml has 1 problem:\n[1] 8:5 alerts[1]: duplicate activity log alert 'alt-dev-uks-"),
        "{unnamed}"
    );
    assert!(unnamed.ends_with("', first used by alerts[0] (alerts.yml:7:5); set name to tell them apart"), "{unnamed}");
    let same = message("- name: One\n- name: one\n");
    assert!(same.ends_with(", first used by alerts[0] (alerts.yml:7:5); use another name"), "{same}");
    let long = "Everything-that-happens-to-the-servers-of-the-shop-in-the-country";
    let cut = message(&format!("- name: {long}-1\n- name: {long}-2\n"));
    assert!(
        cut.ends_with(&format!("(alerts.yml:7:5); they differ only in what is cut off: shorten the name '{long}-2'")),
        "{cut}"
    );
}

#[test]
fn a_description_is_not_too_long() {
    let cloud = estate();
    let text = |length: usize| health(&format!("- name: All\n  description: {}\n", "x".repeat(length)));
    assert_eq!(
        deploy(HEALTH, &text(2049), &cloud).last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 8:18 alerts[0].description: 2049 characters are too many; an activity log alert takes at most 2048"
    );
    assert_eq!(deploy(HEALTH, &text(2048), &cloud).summary(), "created 2");
}
