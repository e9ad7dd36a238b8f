//! Lists that hold nothing, in every way in which documents and scripts write them.

use crate::support::estate::*;
use crate::support::*;

/// The actions of a document.
fn planned(command: &'static str, text: &str) -> Vec<String> {
    let outcome = Deployment::new(command, text).rehearse(&landing_zone());
    assert!(outcome.errors().is_empty(), "{outcome:#?}");
    outcome.descriptions().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_list_that_holds_only_none_is_nothing() {
    let expected = planned(STORAGE, &document(""));
    for list in ["blobContainer", "fileShare", "queue", "table", "privateEndpoints"] {
        for nothing in ["[none]", "None", "['', NONE]", "[]", ""] {
            let text = document(&format!("{list}: {nothing}"));
            assert_eq!(planned(STORAGE, &text), expected, "{list}: {nothing}");
        }
    }
    let accounts = |list: &str| {
        planned(STORAGE, &format!("location: UK South\nresourceGroupName: Shop\nstorageAccounts: {list}\n"))
    };
    for nothing in ["[]", "[none]", "none", "['']"] {
        let planned = accounts(nothing);
        assert_eq!(planned.len(), 1, "the group: {planned:?}");
    }
}

#[test]
fn slots_of_none_are_none() {
    let text = |slots: &str| {
        format!(
            "component: web\nservice: {{dependencies: {{appInsights: central-insights}}, publish: {{frontdoor: f, frontdoorResourceGroup: g}}}}\n\
             webSolutions:\n  - name: shop\n    appServicePlans:\n      - name: plan\n        region: UK South\n        sku: S1\n        \
             webApps:\n          - name: front\n            runTime: NODE|22-lts\n            slots: {slots}\n"
        )
    };
    let [none, staging] = ["[none]", "[staging]"].map(|slots| {
        let outcome = Deployment::new(WEB, &text(slots)).rehearse(&landing_zone());
        assert!(outcome.errors().is_empty(), "{outcome:#?}");
        outcome.plan().iter().filter(|action| action.resource.resource_type.ends_with("slots")).count()
    });
    assert_eq!((none, staging), (0, 1));
}

#[test]
fn an_empty_item_is_left_out_with_a_warning_and_places_stay() {
    let text = document("queue: [orders, '', Bad_Name]");
    let outcome = Deployment::new(STORAGE, &text).rehearse(&cloud());
    let message = &outcome.last_error().failure.message;
    assert!(message.contains("[1] 6:25 storageAccounts[0].queue[2]: queue names"), "{message}");
    let outcome = Deployment::new(STORAGE, &document("queue: [orders, '', returns]")).rehearse(&cloud());
    let warnings: Vec<&str> = outcome.warnings().into_iter().filter(|warning| warning.contains("empty")).collect();
    assert_eq!(warnings, ["settings.yml:6:21: storageAccounts[0].queue[1]: the item is empty and is ignored"]);
    assert_eq!(outcome.plan().len(), 4);
}

#[test]
fn an_empty_item_among_targets_or_types_is_an_error() {
    let text = |lines: &str| {
        format!(
            "component: resourceHealthAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: health}}}}\nalerts:\n  - name: a\n{lines}"
        )
    };
    let table = [
        ("    resourceTypes: ['']\n", "6:21 alerts[0].resourceTypes[0]"),
        ("    resourceTypes: [Microsoft.Compute/virtualMachines, null]\n", "6:56 alerts[0].resourceTypes[1]"),
        (
            "    service: {dependencies: {targetResources: ['']}}\n",
            "6:48 alerts[0].service.dependencies.targetResources[0]",
        ),
        (
            "    service: {dependencies: {targetResourceGroups: [shop, '']}}\n",
            "6:59 alerts[0].service.dependencies.targetResourceGroups[1]",
        ),
    ];
    for (lines, place) in table {
        let outcome = Deployment::new(RESOURCE_HEALTH_ALERTS, &text(lines)).rehearse(&cloud());
        let message = &outcome.last_error().failure.message;
        let expected = format!("[1] {place}: the item is empty; give it a value or remove it");
        assert!(message.contains(&expected), "{message}");
        assert_eq!(outcome.last_error().findings.len(), 1, "{message}");
    }
}
