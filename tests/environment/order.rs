//! The order of the documents: by what they publish and depend on.

use super::*;

/// A document whose account goes into the group that is published as `group`, and which publishes it as `account`.
fn storage_in(group: &str, account: &str) -> String {
    format!(
        "component: storage\nlocation: UK South\nservice:\n  dependencies: {{resourceGroup: {group}}}\n  publish: {{storage: {account}}}\n\
         storageAccounts:\n  - storageAccountName: {account}\n    accountType: Standard\n"
    )
}

#[test]
fn what_another_document_makes_is_found_whatever_the_order() {
    for names in [["a.yml", "b.yml"], ["b.yml", "a.yml"]] {
        let inner = storage_in("shop-group", "inner");
        let environment = Environment::of(&[(names[0], STORAGE), (names[1], &inner)]);
        let cloud = cloud();
        let outcome = environment.deploy_twice(&cloud);
        assert_eq!(outcome.summary(), "created 3");
        let group = outcome.action("rg-shop-iaas-99b8167f").index;
        let inner = outcome.plan().iter().find(|action| action.resource.name.starts_with("stinner")).unwrap();
        assert_eq!(inner.resource.resource_group.as_deref(), Some("rg-shop-iaas-99b8167f"));
        assert!(inner.depends_on.contains(&group), "{inner:#?}");
        assert_eq!(inner.document.as_deref(), Some(environment.path(names[1]).as_str()));
        assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
    }
}

#[test]
fn offline_what_the_run_makes_is_known() {
    let inner = storage_in("shop-group", "inner");
    let environment = Environment::of(&[("a.yml", &inner), ("b.yml", STORAGE)]);
    let request = json!({"settingsFiles": [environment.project.path("")], "whatIf": true, "context": {"offline": true}, "environment": {}});
    let outcome = run_deployment(&request);
    let inner = outcome.plan().iter().find(|action| action.resource.name.starts_with("stinner")).unwrap();
    assert_eq!(inner.resource.resource_group.as_deref(), Some("rg-shop-iaas-99b8167f"));
}

#[test]
fn documents_that_need_each_other_are_named() {
    let alerts = |publish: &str, target: &str| {
        format!(
            "component: metricAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: {publish}}}}}\ngroups:\n  - name: g\n    alertSets:\n      \
             - name: s\n        resourceType: Microsoft.Storage/storageAccounts\n        alerts:\n          - name: a\n            conditions:\n              \
             - {{metricName: Availability, threshold: {{operator: LessThan, value: 99, timeAggregation: Average}}}}\n            service: {{dependencies: \
             {{targetResourceGroups: [{target}]}}}}\n"
        )
    };
    let environment = Environment::of(&[("a.yml", &alerts("one", "two")), ("b.yml", &alerts("two", "one"))]);
    let cloud = cloud();
    let outcome = environment.deploy(&cloud);
    let report = outcome.last_error();
    let cycle: Vec<&str> = report
        .findings
        .iter()
        .filter(|finding| finding.code.as_str() == "DependencyCycle")
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(cycle.len(), 1, "{report:#?}");
    assert!(cycle[0].starts_with("a.yml needs 'two' of b.yml, which needs 'one' of a.yml"), "{}", cycle[0]);
    assert!(cloud.requests().is_empty());
}
