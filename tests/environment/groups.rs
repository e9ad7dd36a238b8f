//! The things that several documents want together: one group, one resource, one owner.

use super::*;

/// A document with one account, in the group Shop.
fn storage(account: &str, publish: &str) -> String {
    format!(
        "component: storage\nlocation: UK South\nresourceGroupName: Shop\n{publish}storageAccounts:\n  - storageAccountName: {account}\n    accountType: \
         Standard\n"
    )
}

const SHOP: &str = "service: {publish: {resourceGroup: shop}}\n";

#[test]
fn a_group_of_two_documents_is_one() {
    let environment = Environment::of(&[("a.yml", &storage("one", SHOP)), ("b.yml", &storage("two", SHOP))]);
    let outcome = environment.deploy_twice(&cloud());
    assert_eq!(outcome.summary(), "created 3");
}

#[test]
fn a_group_that_two_documents_publish_differently_is_an_error() {
    let other = SHOP.replace("shop}", "other}");
    let environment = Environment::of(&[("a.yml", &storage("one", SHOP)), ("b.yml", &storage("two", &other))]);
    let cloud = cloud();
    let outcome = environment.deploy(&cloud);
    let report = outcome.last_error();
    assert_eq!(report.findings[0].code.as_str(), "DuplicateName");
    assert!(
        report.failure.message.contains("(a.yml:3:20)") && report.failure.message.contains("the tag 'svc-service'"),
        "{}",
        report.failure.message
    );
    assert!(cloud.requests().is_empty());
}

#[test]
fn one_publish_name_for_two_groups_is_an_error() {
    let other = storage("two", SHOP).replace("resourceGroupName: Shop", "resourceGroupName: Other");
    let environment = Environment::of(&[("a.yml", &storage("one", SHOP)), ("b.yml", &other)]);
    let outcome = environment.deploy(&cloud());
    let report = outcome.last_error();
    assert!(report.findings.iter().any(|finding| finding.code.as_str() == "ServiceAmbiguous"), "{report:#?}");
}

#[test]
fn one_account_of_two_documents_that_want_it_differently_names_both() {
    let premium = storage("one", SHOP).replace("Standard", "Premium");
    let environment = Environment::of(&[("a.yml", &storage("one", SHOP)), ("b.yml", &premium)]);
    let outcome = environment.deploy(&cloud());
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid");
    assert!(message.contains("b.yml has 1 problem") && message.contains("(a.yml:6:5)"), "{message}");
}

#[test]
fn two_alert_documents_do_not_own_one_group() {
    let health = "\
component: resourceHealthAlerts
location: UK South
service:
  publish: {resourceGroup: log-alerts}
alerts:
  - name: Any
    eventStatus: [Active]
";
    let environment = Environment::of(&[
        ("a.yml", LOG_ALERTS),
        ("b.yml", &LOG_ALERTS.replace("Servers", "Others")),
        ("core.yml", CORE),
    ]);
    let outcome = environment.deploy(&crate::support::estate::landing_zone());
    let report = outcome.last_error();
    assert!(report.findings.iter().any(|finding| finding.code.as_str() == "OwnedTwice"), "{report:#?}");
    let environment = Environment::of(&[("a.yml", LOG_ALERTS), ("b.yml", health), ("core.yml", CORE)]);
    let outcome = environment.deploy(&crate::support::estate::landing_zone());
    let report = outcome.last_error();
    assert!(!report.findings.is_empty(), "one publish name for two groups: {report:#?}");
}
