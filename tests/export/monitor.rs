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

/// The address of a webhook is a secret. Receivers that have one are left out one by one: those beside them stay, and so does the group that alerts name.
#[test]
fn receivers_without_a_secret_stay() {
    let cloud = landing_zone();
    let mut document: Value =
        serde_yaml::from_str(&std::fs::read_to_string(repository("examples/core-monitor.yml")).unwrap()).unwrap();
    let account = in_subscription(
        "/resourceGroups/rg-landing-zone/providers/Microsoft.Automation/automationAccounts/auto-fields",
    );
    let runbook = |name: &str, uri: Option<&str>| {
        let own = json!({
            "automationAccountId": account,
            "runbookName": name,
            "webhookResourceId": format!("{account}/webhooks/{name}"),
            "isGlobalRunbook": false,
        });
        uri.map_or(own.clone(), |uri| with(own, json!({ "serviceUri": uri })))
    };
    let group = &mut document["actionGroups"][0];
    group["webhooks"] =
        json!([{"serviceUri": "https://a.example/alerts"}, {"serviceUri": "https://b.example/alerts?sig=c2Vjcm"}]);
    group["runbooks"] = json!([runbook("quiet", None), runbook("loud", Some("https://c.example/alerts"))]);
    deploy(CORE_MONITOR, &document.to_string(), &cloud);
    let outcome = export("monitor", CORE, &cloud);
    let text = outcome.document();
    assert!(outcome.errors().is_empty() && text.contains("  - name: operations\n"), "{text}");
    assert!(text.contains("        runbookName: quiet\n") && text.contains("      #  runbookName: loud\n"), "{text}");
    assert_eq!(text.matches("# Left out: serviceUri is a secret, and no export has one.\n").count(), 2, "{text}");
    assert!(["example/alerts", "c2Vjcm"].iter().all(|secret| !text.contains(secret)), "{text}");
    // Put back as the comments have them, with their secrets, nothing changes.
    let put_back = |line: &str| match line.split_once('#') {
        Some((indent, key)) if indent.starts_with("    ") && key.chars().take_while(|c| *c == ' ').count() != 1 => {
            format!("{indent}{key}\n")
        }
        _ => format!("{line}\n"),
    };
    let whole: String = text.lines().map(put_back).collect();
    let secrets = [("a", "alerts"), ("b", "alerts?sig=c2Vjcm"), ("c", "alerts")];
    let whole = secrets.iter().fold(whole, |text, (host, secret)| {
        text.replace(&format!("https://{host}.example/***"), &format!("https://{host}.example/{secret}"))
    });
    let again = Deployment::new(CORE_MONITOR, &whole).rehearse(&cloud);
    assert!(again.errors().is_empty() && again.plan().is_empty(), "{whole}\n{:#?}", again.descriptions());
    // The plan takes away what has a secret, as the document says.
    let plan = plan_of(CORE_MONITOR, &outcome, &cloud);
    let changes: Vec<&str> =
        plan.plan().iter().flat_map(|action| &action.changes).map(|change| change.path.as_str()).collect();
    let kinds = changes.iter().map(|path| path.split('[').next().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        kinds,
        ["properties.automationRunbookReceivers", "properties.webhookReceivers", "properties.webhookReceivers"]
    );
    let told = outcome.differences().join("\n");
    assert!(changes.iter().all(|path| told.contains(path.trim_start_matches("properties."))), "{told}");
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
