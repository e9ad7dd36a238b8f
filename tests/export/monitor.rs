//! Documents of the monitoring of a subscription.

use super::*;
use crate::support::estate::*;

const CORE: &str = "rg-platform-core-8998747e";

fn monitored() -> (LocalCloud, String) {
    let cloud = landing_zone();
    let example = std::fs::read_to_string(repository("examples/core-monitor.yml")).unwrap();
    deploy(CORE_MONITOR, &example, &cloud);
    (cloud, example)
}

#[test]
fn the_document_says_what_the_subscription_is_monitored_with() {
    let (cloud, _) = monitored();
    let text = whole(CORE_MONITOR, "monitor", CORE, &cloud);
    for part in [
        "name: platform\nlocation: uksouth\nadvisorLowCPUThresholdPercentage: 10\nworkspaceDataRetentionInDays: 120\n",
        "    workspace: platform-workspace\n    appInsights: platform-insights\n    solution: platform-solutions\n",
        "  dependencies:\n    keyvault: central-vault\n",
        "  keyvaultAdmin:\n    actionGroupName: security\n    enabled: true\n",
        "    impactedLocations:\n      - UK South\n      - UK West\n      - Global\n",
        "    sms:\n      - countryCode: '44'\n        phoneNumber: '2079460000'\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A document that uses what another one has made names that, by what sends to it.
#[test]
fn what_is_used_in_place_of_new_ones_is_a_dependency() {
    let (cloud, example) = monitored();
    let mut second: Value = serde_yaml::from_str(&example).unwrap();
    second["name"] = json!("Second");
    let publish = second["service"]["publish"].as_object_mut().unwrap();
    publish.remove("solution");
    let parts = ["storage", "workspace", "appInsights"].map(|key| (key, publish.remove(key).unwrap()));
    for (_, name) in publish.iter_mut() {
        *name = json!(format!("second-{}", name.as_str().unwrap()));
    }
    for (key, name) in parts.iter().filter(|(key, _)| *key != "appInsights") {
        second["service"]["dependencies"][key] = name.clone();
    }
    second["service"]["publish"]["appInsights"] = json!("second-insights");
    deploy(CORE_MONITOR, &second.to_string(), &cloud);
    let group = cloud.ids().into_iter().find(|id| id.contains("/rg-second-core-")).unwrap();
    let text = whole(CORE_MONITOR, "monitor", group.split('/').nth(4).unwrap(), &cloud);
    let dependencies =
        "  dependencies:\n    keyvault: central-vault\n    storage: platform-logs\n    workspace: platform-workspace\n";
    assert!(text.contains(dependencies) && text.contains("    appInsights: second-insights\n"), "{text}");
}

/// What is missing is made by a plan, which the document tells; what no convention names is left out.
#[test]
fn what_is_missing_is_told() {
    let (cloud, _) = monitored();
    let ids = cloud.ids();
    let of = |part: &str| ids.iter().find(|id| id.contains(part)).unwrap().clone();
    delete_by_id(&cloud, &of("/alt-platform-servicehealth-"), "2020-10-01");
    let outcome = export("monitor", CORE, &cloud);
    let told = outcome.differences().join("\n");
    assert!(told.contains("Create activity log alert 'alt-platform-servicehealth-"), "{told}");
    let plan = plan_of(CORE_MONITOR, &outcome, &cloud);
    assert_eq!(plan.descriptions().len(), 1, "{}", outcome.document());
}

#[test]
fn a_group_of_others_has_no_document() {
    let (cloud, _) = monitored();
    let outcome = export("monitor", "rg-landing-zone", &cloud);
    assert_eq!(outcome.failed_with().0, "NothingToExport", "{outcome:#?}");
}
