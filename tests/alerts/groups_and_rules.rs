//! The alert commands: what their rules are made of, and the resource group that holds nothing else.

use serde_json::{Value, json};
use svc_engine::protocol::{ActionKind, Confirm, Operation};
use svc_local_cloud::{LocalCloud, RecordedRequest};

use crate::support::estate::{METRIC_ALERTS as METRIC, RESOURCE_HEALTH_ALERTS as HEALTH};
use crate::support::*;

pub(super) const HEALTH_GROUP: &str = "resourceGroups/rg-resourcehealth-alerts-mon-3bd74222";
pub(super) const METRIC_GROUP: &str = "resourceGroups/rg-metric-alerts-mon-392fc8ab";

/// The resources that the documents refer to: two action groups, servers in two locations, an account and a group.
pub(crate) fn estate() -> LocalCloud {
    let cloud = cloud();
    let group = "resourceGroups/rg-estate";
    let published = |kind: &str, name: &str, service: &str, location: &str, properties: Value| json!({"id": in_subscription(&format!("{group}/providers/{kind}/{name}")), "location": location, "tags": {"svc-service": service}, "properties": properties});
    let action_group = |name: &str, service: &str| {
        published(
            "Microsoft.Insights/actionGroups",
            name,
            service,
            "Global",
            json!({"groupShortName": name, "enabled": true}),
        )
    };
    let server = |name: &str, service: &str, location: &str| {
        published("Microsoft.Compute/virtualMachines", name, service, location, json!({}))
    };
    let mut account = published("Microsoft.Storage/storageAccounts", "stfiles", "files", "uksouth", json!({}));
    account["sku"] = json!({"name": "Standard_LRS"});
    account["kind"] = json!("StorageV2");
    let resources = [
        json!({"id": in_subscription(group), "location": "uksouth", "tags": {"svc-service": "estate"}}),
        action_group("ag-ops", "ops"),
        action_group("ag-call", "on-call"),
        server("vm-1", "servers", "uksouth"),
        server("vm-2", "servers", "uksouth"),
        server("vm-far", "far-server", "northeurope"),
        account,
    ];
    cloud.import(&resources).unwrap();
    cloud
}

fn start_command(command: &str, text: &str, cloud: &LocalCloud, members: Value) -> (Project, Operation) {
    let project = Project::new();
    project.write("alerts.yml", text);
    let request = with(project.request_for("alerts.yml", cloud), members);
    let operation = crate::support::start_command(command, &request, UNHURRIED);
    (project, operation)
}

pub(super) fn deploy(command: &str, text: &str, cloud: &LocalCloud) -> Outcome {
    deploy_with(command, text, cloud, json!({}))
}

pub(super) fn deploy_with(command: &str, text: &str, cloud: &LocalCloud, members: Value) -> Outcome {
    let (_project, operation) = start_command(command, text, cloud, members);
    follow(&operation, |actions| actions.iter().map(|action| action.index).collect())
}

pub(super) fn writes_of(cloud: &LocalCloud, before: usize) -> Vec<RecordedRequest> {
    writes(&requests_after(cloud, before))
}

pub(crate) fn health(alerts: &str) -> String {
    let indented: String = alerts.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice:\n  dependencies: {{actionGroups: [ops]}}\n  publish: {{resourceGroup: health, resourceHealthAlert: rules}}\nalerts:\n{indented}"
    )
}

pub(crate) fn metric(alert: &str) -> String {
    let indented: String = alerts_lines(alert);
    format!(
        "component: metricAlerts\nlocation: UK South\nservice:\n  dependencies: {{actionGroups: [ops]}}\n  publish: {{resourceGroup: metrics, metricAlert: rules}}\ngroups:\n  - name: Compute\n    alertSets:\n      - resourceType: Microsoft.Compute/virtualMachines\n        name: Servers\n        alerts:\n{indented}"
    )
}

fn alerts_lines(alert: &str) -> String {
    alert
        .lines()
        .enumerate()
        .map(|(index, line)| format!("          {}{line}\n", if index == 0 { "- " } else { "  " }))
        .collect()
}

pub(super) const CPU: &str = "conditions: [{metricName: Percentage CPU, threshold: {operator: GreaterThan, value: 90, timeAggregation: Average}}]";

#[test]
fn a_health_rule_has_an_any_of_for_each_kind_of_thing() {
    let cloud = estate();
    let alerts = "- name: All\n  eventStatus: [Active, inprogress]\n  reasonType: [platform initiated, Unknown]\n  resourceTypes: [Microsoft.Compute/virtualMachines]\n  \
        healthStatus: {current: [Unavailable], previous: [Available]}\n  service:\n    dependencies: {actionGroups: [ops, on-call], targetResources: [servers], targetResourceGroups: [estate]}\n";
    let first = deploy(HEALTH, &health(alerts), &cloud);
    assert_eq!(first.summary(), "created 2");
    let rule = resource(
        &cloud,
        &format!("{HEALTH_GROUP}/providers/Microsoft.Insights/activityLogAlerts/alt-all-dev-uks-7b111c38"),
    );
    let properties = &rule["properties"];
    let leaves = |index: usize| -> Vec<(String, String)> {
        properties["condition"]["allOf"][index]["anyOf"]
            .as_array()
            .unwrap()
            .iter()
            .map(|leaf| (leaf["field"].as_str().unwrap().to_owned(), leaf["equals"].as_str().unwrap().to_owned()))
            .collect()
    };
    let pairs = |field: &str, values: &[&str]| -> Vec<(String, String)> {
        values.iter().map(|value| (field.to_owned(), (*value).to_owned())).collect()
    };
    assert_eq!(properties["condition"]["allOf"][0], json!({"field": "category", "equals": "ResourceHealth"}));
    assert_eq!(leaves(1), pairs("resourceGroup", &["rg-estate"]));
    assert!(
        leaves(2).iter().all(|(field, id)| field == "resourceId" && id.contains("/virtualMachines/vm-")),
        "{:?}",
        leaves(2)
    );
    assert_eq!(leaves(2).len(), 2);
    assert_eq!(leaves(3), pairs("resourceType", &["Microsoft.Compute/virtualMachines"]));
    assert_eq!(leaves(4), pairs("status", &["Active", "In Progress"]));
    assert_eq!(leaves(5), pairs("properties.cause", &["PlatformInitiated", "Unknown"]));
    assert_eq!(leaves(6), pairs("properties.currentHealthStatus", &["Unavailable"]));
    assert_eq!(leaves(7), pairs("properties.previousHealthStatus", &["Available"]));
    assert_eq!(properties["scopes"], json!([in_subscription("").trim_end_matches('/')]));
    assert_eq!(properties["actions"]["actionGroups"].as_array().unwrap().len(), 2);
    assert_eq!((&rule["location"], &properties["description"]), (&json!("Global"), &json!("Resource health alert")));
    let before = cloud.requests().len();
    assert_eq!(deploy(HEALTH, &health(alerts), &cloud).summary(), "unchanged 2");
    assert!(writes_of(&cloud, before).is_empty());
}

#[test]
fn the_order_of_statuses_is_no_change_and_a_value_stands_once() {
    let cloud = estate();
    let rule = |statuses: &str| health(&format!("- name: All\n  eventStatus: {statuses}\n"));
    deploy(HEALTH, &rule("[Active, active, In Progress, Active]"), &cloud);
    let path = format!("{HEALTH_GROUP}/providers/Microsoft.Insights/activityLogAlerts/alt-all-dev-uks-7b111c38");
    let leaf = |value: &str| json!({"field": "status", "equals": value});
    let conditions = resource(&cloud, &path)["properties"]["condition"]["allOf"].take();
    assert_eq!(conditions[1]["anyOf"], json!([leaf("Active"), leaf("In Progress")]));
    assert_eq!(deploy(HEALTH, &rule("[In Progress, Active]"), &cloud).summary(), "unchanged 2");
    let one_more = deploy(HEALTH, &rule("[Resolved, Active]"), &cloud);
    assert_eq!(
        one_more.descriptions(),
        [
            "Change activity log alert 'alt-all-dev-uks-7b111c38' in resource group 'rg-resourcehealth-alerts-mon-3bd74222': \
             properties.condition.allOf[any status].anyOf[Resolved] from nothing to {\"field\":\"status\",\"equals\":\"Resolved\"}, \
             properties.condition.allOf[any status].anyOf[In Progress] from {\"field\":\"status\",\"equals\":\"In Progress\"} to nothing."
        ]
    );
    assert_eq!(deploy(HEALTH, &rule("[Active, Resolved]"), &cloud).summary(), "unchanged 2");
}

#[test]
fn a_description_that_the_document_does_not_give_is_not_compared() {
    let cloud = estate();
    deploy(HEALTH, &health("- name: All\n"), &cloud);
    let path = format!("{HEALTH_GROUP}/providers/Microsoft.Insights/activityLogAlerts/alt-all-dev-uks-7b111c38");
    tamper(&cloud, &path, |rule| rule["properties"]["description"] = json!("Better words"));
    assert_eq!(deploy(HEALTH, &health("- name: All\n"), &cloud).summary(), "unchanged 2");
    let given = deploy(HEALTH, &health("- name: All\n  description: Mine\n"), &cloud);
    assert_eq!(given.summary(), "modified 1, unchanged 1");
    let change = &given.plan()[0].changes[0];
    assert_eq!(
        (
            change.path.as_str(),
            change.before.as_ref().map(ToString::to_string).as_deref(),
            change.after.as_ref().map(ToString::to_string).as_deref()
        ),
        ("properties.description", Some("\"Better words\""), Some("\"Mine\""))
    );
}

#[test]
fn a_rule_that_is_taken_out_is_a_planned_deletion() {
    let cloud = estate();
    deploy(HEALTH, &health("- name: One\n- name: Two\n"), &cloud);
    let (_project, operation) = start_command(HEALTH, &health("- name: One\n"), &cloud, json!({}));
    let declined = follow(&operation, |_| Vec::new());
    assert_eq!(declined.summary(), "unchanged 2, skipped 1");
    let gone = deploy(HEALTH, &health("- name: One\n- name: Three\n"), &cloud);
    assert_eq!(
        gone.plan().iter().map(|action| action.action).collect::<Vec<_>>(),
        [ActionKind::Create, ActionKind::Delete]
    );
    assert_eq!((gone.plan()[0].confirm, gone.plan()[1].confirm), (Confirm::Normal, Confirm::Always));
    assert!(gone.plan()[1].question.ends_with("? This cannot be undone."), "{}", gone.plan()[1].question);
    assert_eq!(gone.summary(), "created 1, unchanged 2, deleted 1");
    let names: Vec<&str> = gone.resources().iter().map(|report| report.resource.name.as_str()).collect();
    assert!(names.last().unwrap().starts_with("alt-two-"), "deletions come last: {names:?}");
}

#[test]
fn nothing_is_deleted_when_another_change_failed() {
    let cloud = estate();
    deploy(HEALTH, &health("- name: One\n- name: Two\n"), &cloud);
    cloud.misbehave(fault("status=400,method=PUT,path=alt-three,times=always"));
    let outcome = deploy(HEALTH, &health("- name: One\n- name: Three\n"), &cloud);
    assert_eq!(outcome.summary(), "unchanged 2, skipped 1, failed 1");
    assert!(
        outcome.warnings()[0]
            .starts_with("Nothing was deleted because not all other changes were made: activity log alert 'alt-two-"),
        "{:?}",
        outcome.warnings()
    );
    assert!(writes(&cloud.requests()).iter().all(|request| request.method != "DELETE"));
}

#[test]
fn what_others_put_into_the_group_stops_the_command_unless_it_is_allowed() {
    let cloud = estate();
    deploy(HEALTH, &health("- name: One\n"), &cloud);
    let account = json!({"id": in_subscription(&format!("{HEALTH_GROUP}/providers/Microsoft.Storage/storageAccounts/stbyhand")),
        "location": "uksouth", "sku": {"name": "Standard_LRS"}, "kind": "StorageV2", "properties": {}});
    cloud.import(&[account]).unwrap();
    let before = cloud.requests().len();
    let refused = deploy(HEALTH, &health("- name: One\n- name: Two\n"), &cloud);
    assert_eq!(
        refused.failed_with(),
        (
            "CompleteModeWouldDelete",
            "alerts.yml:5:28: the resource group 'rg-resourcehealth-alerts-mon-3bd74222' may contain only the activity log alerts of the document, but contains 1 other resource: Microsoft.Storage/storageAccounts 'stbyhand'. Nothing was changed."
        )
    );
    assert!(writes_of(&cloud, before).is_empty());
    let allowed =
        deploy_with(HEALTH, &health("- name: One\n"), &cloud, json!({"context": {"allowForeignDeletes": true}}));
    assert_eq!(
        allowed.descriptions(),
        ["Delete storage account 'stbyhand' in resource group 'rg-resourcehealth-alerts-mon-3bd74222'."]
    );
    assert_eq!(allowed.summary(), "unchanged 2, deleted 1");
}

#[test]
fn what_appears_after_the_plan_is_left_alone_and_told() {
    let cloud = estate();
    deploy(HEALTH, &health("- name: One\n- name: Two\n"), &cloud);
    let late = in_subscription(&format!("{HEALTH_GROUP}/providers/Microsoft.Storage/storageAccounts/stlate"));
    let (_project, operation) = start_command(HEALTH, &health("- name: One\n"), &cloud, json!({}));
    let outcome = follow(&operation, |actions| {
        let account = json!({"id": late, "location": "uksouth", "sku": {"name": "Standard_LRS"}, "kind": "StorageV2", "properties": {}});
        cloud.import(&[account]).unwrap();
        actions.iter().map(|action| action.index).collect()
    });
    assert_eq!(outcome.summary(), "unchanged 2, deleted 1");
    assert_eq!(
        outcome.warnings(),
        [format!("{late} appeared in the resource group after the plan was made. It is not deleted.")]
    );
    assert!(cloud.resource(&late).is_some());
}

#[test]
fn the_group_is_found_by_either_name_or_made() {
    let cloud = estate();
    let text = |service: &str, location: &str| {
        format!("component: resourceHealthAlerts\n{location}service: {service}\nalerts: [{{name: One}}]\n")
    };
    let found =
        deploy_with(HEALTH, &text("{dependencies: {resourceGroup: estate}}", ""), &cloud, json!({"whatIf": true}));
    assert_eq!(found.last_error().failure.code.as_str(), "CompleteModeWouldDelete");
    let missing = deploy(HEALTH, &text("{dependencies: {resourceGroup: nowhere}}", ""), &cloud);
    assert_eq!(
        missing.failed_with(),
        (
            "ServiceNotFound",
            "alerts.yml has 1 problem:\n[1] 2:41 service.dependencies.resourceGroup: no resource group in this subscription is published as 'nowhere'; the only published one is 'estate'"
        )
    );
    let unplaced = deploy(HEALTH, &text("{publish: {resourceGroup: health}}", ""), &cloud);
    assert_eq!(
        unplaced.last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 1:1 location: the resource group 'health' does not exist, and cannot be created without a location"
    );
    let nothing = deploy(HEALTH, "component: resourceHealthAlerts\nalerts: [{name: One}]\n", &cloud);
    assert_eq!(
        nothing.last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 1:1 service.dependencies.resourceGroup: required, unless service.publish.resourceGroup is set"
    );
    let made = deploy(
        HEALTH,
        &text("{dependencies: {resourceGroup: nowhere}, publish: {resourceGroup: health}}", "location: UK South\n"),
        &cloud,
    );
    assert_eq!(made.summary(), "created 2");
    let again = deploy(HEALTH, &text("{publish: {resourceGroup: health}}", ""), &cloud);
    assert_eq!(again.summary(), "unchanged 2");
}

#[test]
fn a_metric_rule_watches_several_resources() {
    let cloud = estate();
    let alert = format!(
        "name: Cpu\nseverity: critical\nschedule: {{frequencyInMinutes: 15, timeWindowInMinutes: 1440}}\n{CPU}\nservice: {{dependencies: {{targetResources: [servers]}}}}"
    );
    assert_eq!(deploy(METRIC, &metric(&alert), &cloud).summary(), "created 2");
    let rules = format!("{METRIC_GROUP}/providers/Microsoft.Insights/metricAlerts");
    let rule = resource(&cloud, &format!("{rules}/alt-mtr-compute-servers-cpu-0-dev-uks-7908db8d"));
    let properties = &rule["properties"];
    assert_eq!(properties["scopes"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&properties["severity"], &properties["evaluationFrequency"], &properties["windowSize"]),
        (&json!(0), &json!("PT15M"), &json!("P1D"))
    );
    assert_eq!(
        (&properties["targetResourceType"], &properties["targetResourceRegion"]),
        (&json!("Microsoft.Compute/virtualMachines"), &json!("uksouth"))
    );
    assert_eq!(properties["description"], "Alert for Cpu on Microsoft.Compute/virtualMachines");
    let criterion = &properties["criteria"]["allOf"][0];
    assert_eq!(
        (&criterion["name"], &criterion["threshold"], &criterion["criterionType"]),
        (&json!("Alert Criteria 0"), &json!(90), &json!("StaticThresholdCriterion"))
    );
    let before = cloud.requests().len();
    assert_eq!(deploy(METRIC, &metric(&alert), &cloud).summary(), "unchanged 2");
    assert!(writes_of(&cloud, before).is_empty());
    let louder = deploy(METRIC, &metric(&alert.replace("90", "95")), &cloud);
    let change = &louder.plan()[0].changes[0];
    assert_eq!(
        (
            change.path.as_str(),
            change.before.as_ref().map(ToString::to_string).as_deref(),
            change.after.as_ref().map(ToString::to_string).as_deref()
        ),
        ("properties.criteria.allOf[Alert Criteria 0].threshold", Some("90"), Some("95"))
    );
}

#[test]
fn what_metric_rules_may_not_be() {
    let cloud = estate();
    let targets = "service: {dependencies: {targetResources: [servers]}}";
    let two = CPU
        .replace("]", ", {metricName: Network In, threshold: {operator: LessThan, value: 1, timeAggregation: Total}}]");
    let table = [
        (
            format!("{two}\n{targets}"),
            "groups[0].alertSets[0].alerts[0].conditions: a rule over several resources or a resource group can have one condition, found 2",
        ),
        (targets.to_owned(), "groups[0].alertSets[0].alerts[0].conditions: at least one condition is required"),
        (
            CPU.to_owned(),
            "groups[0].alertSets[0].alerts[0].service.dependencies: set either targetResources or targetResourceGroups",
        ),
        (
            format!("{CPU}\nservice: {{dependencies: {{targetResources: [servers], targetResourceGroups: [estate]}}}}"),
            "targetResources and targetResourceGroups are both set; use one of them",
        ),
        (
            format!("{CPU}\nschedule: {{frequencyInMinutes: 60, timeWindowInMinutes: 5}}\n{targets}"),
            "the window of 5 minutes is shorter than the frequency of 60 minutes",
        ),
        (
            format!("{CPU}\nschedule: {{frequencyInMinutes: 10, timeWindowInMinutes: 5}}\n{targets}"),
            "schedule.frequencyInMinutes: 10 is not valid; use 1, 5, 15, 30 or 60",
        ),
        (
            format!("{CPU}\nservice: {{dependencies: {{targetResources: [servers, far-server]}}}}"),
            "service.dependencies.targetResources: a rule watches resources of one location, but the targets are in several: ",
        ),
        (format!("{CPU}\ntargetResourceLocation: West Europe\n{targets}"), "none of the targets is in 'westeurope': "),
        (
            format!("{CPU}\nservice: {{dependencies: {{targetResources: [none]}}}}"),
            "set either targetResources or targetResourceGroups",
        ),
        (
            format!(
                "{CPU}\ntargetResourceLocation: UK South\nservice: {{dependencies: {{targetResources: [server]}}}}"
            ),
            "1 problem:",
        ),
    ];
    for (alert, expected) in table {
        let outcome = deploy(METRIC, &metric(&alert), &cloud);
        assert!(
            outcome.last_error().failure.message.contains(expected),
            "{alert}\n{}",
            outcome.last_error().failure.message
        );
    }
}

#[test]
fn a_list_that_holds_only_none_stands_for_nothing_and_takes_nothing_from_the_root() {
    let cloud = estate();
    let dependencies =
        "service: {dependencies: {actionGroups: [None], targetResources: [servers], targetResourceGroups: [none]}}";
    assert_eq!(deploy(METRIC, &metric(&format!("{CPU}\n{dependencies}")), &cloud).summary(), "created 2");
    let rule =
        format!("{METRIC_GROUP}/providers/Microsoft.Insights/metricAlerts/alt-mtr-compute-servers-0-dev-uks-1f5ca30e");
    assert_eq!(resource(&cloud, &rule)["properties"]["actions"], json!([]));
    let health_alert = "- name: All\n  service: {dependencies: {actionGroups: [none], targetResources: [none]}}\n";
    deploy(HEALTH, &health(health_alert), &cloud);
    let rule = format!("{HEALTH_GROUP}/providers/Microsoft.Insights/activityLogAlerts/alt-all-dev-uks-7b111c38");
    let properties = resource(&cloud, &rule)["properties"].take();
    assert_eq!(properties["actions"]["actionGroups"], json!([]));
    assert_eq!(properties["condition"]["allOf"], json!([{"field": "category", "equals": "ResourceHealth"}]));
}

/// The list of Azure Monitor ("metricAlerts", evaluationFrequency).
#[test]
fn a_metric_alert_runs_as_often_as_azure_lets_it() {
    let cloud = estate();
    let rehearse = |minutes: u32| {
        let alert = format!(
            "{CPU}\nschedule: {{frequencyInMinutes: {minutes}, timeWindowInMinutes: 60}}\nservice: {{dependencies: {{targetResources: [servers]}}}}"
        );
        deploy_with(METRIC, &metric(&alert), &cloud, json!({"whatIf": true}))
    };
    for minutes in [1, 5, 15, 30, 60] {
        let outcome = rehearse(minutes);
        assert!(outcome.errors().is_empty() && outcome.warnings().is_empty(), "{minutes}: {:?}", outcome.warnings());
    }
    let outcome = rehearse(10);
    let (_, message) = outcome.failed_with();
    assert!(message.ends_with("10 is not valid; use 1, 5, 15, 30 or 60"), "{message}");
}

#[test]
fn what_azure_has_not_is_warned_of() {
    let cloud = estate();
    let alert = format!(
        "{}\nschedule: {{frequencyInMinutes: 2, timeWindowInMinutes: 5}}\nservice: {{dependencies: {{targetResources: [servers]}}}}",
        CPU.replace("GreaterThan", "NotEquals")
    );
    let outcome = deploy_with(METRIC, &metric(&alert), &cloud, json!({"whatIf": true}));
    let warnings = outcome.warnings().join("\n");
    assert!(warnings.contains("Azure does not support a frequency of 2 minutes; 1 minute is used"), "{warnings}");
    assert!(warnings.contains("Azure no longer lists NotEquals for metric alerts and may refuse it"), "{warnings}");
}
