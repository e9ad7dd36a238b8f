//! What look-ups tell of what another document of the run makes.

use super::*;
use crate::support::estate::{landing_zone, planned};
use crate::web::functions::CONTRIBUTOR;

/// A web app that reports to the application insights of core monitoring, and a function app with the account of the shop.
const WEB: &str = "\
component: web
service:
  publish: {frontdoor: door, frontdoorResourceGroup: door-group}
  dependencies: {appInsights: core-insights, storage: shop-files}
webSolutions:
  - name: Shop
    appServicePlans:
      - name: Front
        sku: B1
        region: UK South
        webapps:
          - name: Shop
            runTime: NODE|22-lts
            enableAppInsight: true
        functions:
          - name: Orders
            runtime: PYTHON|3.12
";

#[test]
fn the_connection_string_of_new_application_insights_is_known_after_the_apply() {
    let environment = Environment::of(&[("a-web.yml", WEB), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    let rehearsed = environment.rehearse(&cloud);
    let settings = rehearsed.plan().iter().find(|action| {
        action.changes.iter().any(|change| change.path == "properties.APPLICATIONINSIGHTS_CONNECTION_STRING")
    });
    let settings = settings.unwrap_or_else(|| panic!("{:#?}", rehearsed.plan()));
    let insights =
        rehearsed.plan().iter().find(|action| action.resource_type == "Microsoft.Insights/components").unwrap();
    assert!(settings.depends_on.contains(&insights.index), "{settings:#?}");
    let outcome = environment.deploy_twice(&cloud);
    assert!(!outcome.resources().is_empty());
    let app = outcome
        .resources()
        .iter()
        .find(|made| made.full_name.starts_with("app-shop") && made.resource_type == "Microsoft.Web/sites")
        .unwrap()
        .resource_id
        .clone();
    let written = cloud.resource(&format!("{app}/config/appsettings")).unwrap();
    let of = cloud.resource(&insights.resource_id).unwrap();
    assert_eq!(
        written["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"], of["properties"]["ConnectionString"],
        "{written:#?}"
    );
}

#[test]
fn who_may_not_assign_roles_gets_a_key_of_a_new_account() {
    let environment = Environment::of(&[("a-web.yml", WEB), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    cloud.misbehave(fault(&format!("status=200,times=always,path=/permissions,body={CONTRIBUTOR}")));
    let outcome = environment.rehearse(&cloud);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let roles = outcome.plan().iter().filter(|action| action.resource_type.ends_with("roleAssignments")).count();
    assert_eq!(roles, 0, "{:#?}", outcome.descriptions());
}

#[test]
fn alerts_watch_and_notify_what_the_run_makes() {
    let metric = "\
component: metricAlerts
location: UK South
service:
  dependencies: {actionGroups: [core-team]}
  publish: {resourceGroup: metric-alerts}
groups:
  - name: Storage
    alertSets:
      - name: Files
        resourceType: Microsoft.Storage/storageAccounts
        alerts:
          - name: Availability
            targetResourceLocation: UK South
            conditions:
              - {metricName: Availability, threshold: {operator: LessThan, value: 99, timeAggregation: Average}}
            service:
              dependencies: {targetResources: [shop-files]}
          - name: Group
            targetResourceLocation: UK South
            conditions:
              - {metricName: Availability, threshold: {operator: LessThan, value: 99, timeAggregation: Average}}
            service:
              dependencies: {targetResourceGroups: [shop-group]}
";
    let environment = Environment::of(&[
        ("a-alerts.yml", LOG_ALERTS),
        ("b-metric.yml", metric),
        ("core.yml", CORE),
        ("storage.yml", STORAGE),
    ]);
    let cloud = landing_zone();
    let outcome = environment.deploy_twice(&cloud);
    assert!(!outcome.warnings().iter().any(|warning| warning.contains("watches nothing")), "{:#?}", outcome.warnings());
    let rule =
        outcome.plan().iter().find(|action| action.name.starts_with("alt-mtr-storage-files-availability")).unwrap();
    let account = outcome.action("stordersdb8e13ec");
    assert!(rule.depends_on.contains(&account.index), "{rule:#?}");
    let name = account.name.clone();
    assert!(planned(&outcome, &name).contains_key("tags.svc-service"));
    let log = outcome.plan().iter().find(|action| action.name.starts_with("alt-log-servers")).unwrap();
    let workspace = outcome
        .plan()
        .iter()
        .find(|action| action.resource_type == "Microsoft.OperationalInsights/workspaces")
        .unwrap();
    assert!(log.depends_on.contains(&workspace.index), "{log:#?}");
}
