//! The targets of metric alert rules: resources, or resource groups, and their locations.

use serde_json::json;
use svc_local_cloud::LocalCloud;

use crate::alerts::groups_and_rules::{CPU, METRIC_GROUP, deploy, estate, metric};
use crate::support::estate::{METRIC_ALERTS as METRIC, published};
use crate::support::*;

const RULE: &str = "alt-mtr-compute-servers-0-dev";

/// The estate with a group in UK West that has a server in UK South, and one that has none.
fn with_groups() -> LocalCloud {
    let cloud = estate();
    let machine = "resourceGroups/rg-west/providers/Microsoft.Compute/virtualMachines/vm-south";
    cloud
        .import(&[
            published("resourceGroups/rg-west", "ukwest", "west", json!({})),
            published(machine, "uksouth", "", json!({})),
            published("resourceGroups/rg-empty", "ukwest", "empty", json!({})),
        ])
        .unwrap();
    cloud
}

fn groups(names: &str, location: &str) -> String {
    metric(&format!("{CPU}\n{location}service: {{dependencies: {{targetResourceGroups: {names}}}}}"))
}

fn rule(cloud: &LocalCloud) -> serde_json::Value {
    let id = cloud.ids().into_iter().find(|id| id.contains(RULE)).unwrap();
    cloud.resource(&id).unwrap()
}

#[test]
fn a_group_may_be_elsewhere_than_the_resources_in_it() {
    let cloud = with_groups();
    let outcome = deploy(METRIC, &groups("[west]", "targetResourceLocation: UK South\n"), &cloud);
    assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("created 2", 0));
    let properties = rule(&cloud)["properties"].take();
    assert_eq!(properties["targetResourceRegion"], "uksouth");
    assert_eq!(properties["scopes"], json!([in_subscription("resourceGroups/rg-west")]));
    // Two groups, in two locations, of whose resources those in one are watched.
    let two = deploy(METRIC, &groups("[west, estate]", "targetResourceLocation: uksouth\n"), &cloud);
    assert_eq!((two.summary().as_str(), two.warnings().len()), ("modified 1, unchanged 1", 0));
    // Without a word the resources are taken to be where the groups are.
    let unsaid = deploy(METRIC, &groups("[estate, west]", ""), &cloud);
    assert_eq!(
        unsaid.last_error().failure.message,
        format!(
            "alerts.yml has 1 problem:\n[1] 13:60 groups[0].alertSets[0].alerts[0].service.dependencies.targetResourceGroups: a rule watches groups of one location, but \
             the targets are in several: {} (uksouth), {} (ukwest)",
            in_subscription("resourceGroups/rg-estate"),
            in_subscription("resourceGroups/rg-west")
        )
    );
}

#[test]
fn a_group_without_a_resource_of_the_type_is_warned_of() {
    let cloud = with_groups();
    let place = "groups[0].alertSets[0].alerts[0].service.dependencies.targetResourceGroups";
    let empty = deploy(METRIC, &groups("[estate, empty]", "targetResourceLocation: uksouth\n"), &cloud);
    assert_eq!(
        empty.warnings(),
        [format!(
            "alerts.yml:14:69: {place}[1]: the resource group 'rg-empty' has no Microsoft.Compute/virtualMachines in uksouth; the rule watches nothing there"
        )]
    );
    assert_eq!(empty.summary(), "created 2");
    let elsewhere = deploy(METRIC, &groups("[west]", ""), &cloud);
    assert_eq!(
        elsewhere.warnings(),
        [format!(
            "alerts.yml:13:61: {place}[0]: the resource group 'rg-west' has no Microsoft.Compute/virtualMachines in ukwest, only in uksouth; the rule watches nothing there"
        )]
    );
    // Who may not look into the group deploys all the same.
    cloud.misbehave(fault("status=403,method=GET,path=rg-empty/resources,times=always"));
    let unseen = deploy(METRIC, &groups("[empty]", ""), &cloud);
    assert_eq!((unseen.summary().as_str(), unseen.warnings().len()), ("modified 1, unchanged 1", 0));
}

#[test]
fn a_name_that_stands_for_resources_in_two_locations_is_an_error_that_names_each() {
    let cloud = estate();
    let far = "resourceGroups/rg-estate/providers/Microsoft.Compute/virtualMachines/vm-3";
    cloud.import(&[published(far, "northeurope", "servers", json!({}))]).unwrap();
    let machine = |name: &str| {
        in_subscription(&format!("resourceGroups/rg-estate/providers/Microsoft.Compute/virtualMachines/{name}"))
    };
    let all =
        format!("{} (uksouth), {} (uksouth), {} (northeurope)", machine("vm-1"), machine("vm-2"), machine("vm-3"));
    let text =
        |location: &str| metric(&format!("{CPU}\n{location}service: {{dependencies: {{targetResources: [servers]}}}}"));
    let before = cloud.requests().len();
    for (location, line, message) in [
        ("", 13, "a rule watches resources of one location, but the targets are in several"),
        (
            "targetResourceLocation: UK South\n",
            14,
            "a rule watches resources of one location, 'uksouth' here, but the targets are in several",
        ),
        ("targetResourceLocation: West Europe\n", 14, "none of the targets is in 'westeurope'"),
    ] {
        assert_eq!(
            deploy(METRIC, &text(location), &cloud).last_error().failure.message,
            format!(
                "alerts.yml has 1 problem:\n[1] {line}:55 groups[0].alertSets[0].alerts[0].service.dependencies.targetResources: {message}: {all}"
            )
        );
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn the_spelling_of_locations_and_types_is_no_change() {
    let cloud = estate();
    let text = metric(&format!("{CPU}\nservice: {{dependencies: {{targetResources: [servers]}}}}"));
    deploy(METRIC, &text, &cloud);
    let id = cloud.ids().into_iter().find(|id| id.contains(RULE)).unwrap();
    let path = id.split_once(METRIC_GROUP).map(|(_, rest)| format!("{METRIC_GROUP}{rest}")).unwrap();
    tamper(&cloud, &path, |rule| {
        rule["properties"]["targetResourceRegion"] = json!("UK South");
        rule["properties"]["targetResourceType"] = json!("microsoft.compute/virtualmachines");
        rule["properties"]["criteria"]["allOf"][0]["metricNamespace"] = json!("microsoft.compute/virtualmachines");
    });
    assert_eq!(deploy(METRIC, &text, &cloud).summary(), "unchanged 2");
}

#[test]
fn a_rule_takes_five_action_groups_however_few_names_stand_for_them() {
    let cloud = estate();
    let crowd: Vec<_> = (1..=6)
        .map(|index| {
            published(
                &format!("resourceGroups/rg-estate/providers/Microsoft.Insights/actionGroups/ag-{index}"),
                "Global",
                "crowd",
                json!({"groupShortName": "c", "enabled": true}),
            )
        })
        .collect();
    cloud.import(&crowd).unwrap();
    let own = "{targetResources: [servers], actionGroups: [crowd]}";
    let text = metric(&format!("{CPU}\nservice: {{dependencies: {own}}}"));
    // As Azure spells them.
    let id =
        |group: &serde_json::Value| group["id"].as_str().unwrap().replace("Microsoft.Insights", "microsoft.insights");
    let ids: Vec<String> = crowd.iter().map(id).collect();
    assert_eq!(
        deploy(METRIC, &text, &cloud).last_error().failure.message,
        format!(
            "alerts.yml has 1 problem:\n[1] 13:80 groups[0].alertSets[0].alerts[0].service.dependencies.actionGroups: a rule notifies at most 5 action groups, and these \
             names stand for 6: {}",
            ids.join(", ")
        )
    );
    // The groups of the document are one mistake, however many alerts notify them.
    let root = metric(&format!("{CPU}\nname: One\nservice: {{dependencies: {{targetResources: [servers]}}}}"))
        .replace("actionGroups: [ops]", "actionGroups: [crowd]");
    let second = root.lines().skip(11).collect::<Vec<_>>().join("\n").replace("One", "Two");
    let message = deploy(METRIC, &format!("{root}{second}\n"), &cloud).last_error().failure.message.clone();
    assert!(
        message.starts_with(
            "alerts.yml has 1 problem:\n[1] 4:32 service.dependencies.actionGroups: a rule notifies at most 5"
        ),
        "{message}"
    );
}
