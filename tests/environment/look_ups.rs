//! The look-ups of what another document of the run makes.

use super::*;
use crate::support::estate::{landing_zone, planned};
use crate::web::front_door::{APPS, FRONT_DOOR, web_document};
use crate::web::functions::CONTRIBUTOR;

/// A web app that reports to the application insights of core monitoring, and a function app with the account of the shop.
pub(super) const WEB: &str = "\
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
    let insights = rehearsed
        .plan()
        .iter()
        .find(|action| action.resource.resource_type == "Microsoft.Insights/components")
        .unwrap();
    assert!(settings.depends_on.contains(&insights.index), "{settings:#?}");
    let outcome = environment.deploy_twice(&cloud);
    assert!(!outcome.resources().is_empty());
    let app = outcome
        .resources()
        .iter()
        .find(|made| {
            made.resource.full_name.starts_with("app-shop") && made.resource.resource_type == "Microsoft.Web/sites"
        })
        .unwrap()
        .resource
        .resource_id
        .clone();
    let written = cloud.resource(&format!("{app}/config/appsettings")).unwrap();
    let of = cloud.resource(&insights.resource.resource_id).unwrap();
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
    let roles =
        outcome.plan().iter().filter(|action| action.resource.resource_type.ends_with("roleAssignments")).count();
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
    let rule = outcome
        .plan()
        .iter()
        .find(|action| action.resource.name.starts_with("alt-mtr-storage-files-availability"))
        .unwrap();
    let account = outcome.action("stordersdb8e13ec");
    assert!(rule.depends_on.contains(&account.index), "{rule:#?}");
    let name = account.resource.name.clone();
    assert!(planned(&outcome, &name).contains_key("tags.svc-service"));
    let log = outcome.plan().iter().find(|action| action.resource.name.starts_with("alt-log-servers")).unwrap();
    let workspace = outcome
        .plan()
        .iter()
        .find(|action| action.resource.resource_type == "Microsoft.OperationalInsights/workspaces")
        .unwrap();
    assert!(log.depends_on.contains(&workspace.index), "{log:#?}");
}

#[test]
fn apps_join_the_pools_of_a_front_door_that_another_document_makes() {
    let more = web_document("- {name: extra, runTime: 'NODE|22-lts', backendpool: SHOP}\n", "");
    let environment = Environment::of(&[("a-apps.yml", &more), ("b-door.yml", &web_document(APPS, FRONT_DOOR))]);
    let cloud = landing_zone();
    let outcome = environment.deploy_twice(&cloud);
    let origin = outcome.plan().iter().find(|action| {
        action.resource.name.starts_with("app-extra-") && action.resource.resource_type.ends_with("/origins")
    });
    let origin = origin.unwrap_or_else(|| panic!("{:#?}", outcome.descriptions()));
    assert!(origin.resource.full_name.contains("/shop/"), "{origin:#?}");
    // What the first document has in the pool is not taken out by the one that owns the front door.
    assert_eq!(origin.document.as_deref(), Some(environment.path("a-apps.yml").as_str()));
    let wrong = more.replace("SHOP", "shopp");
    environment.project.write("a-apps.yml", wrong);
    let outcome = environment.rehearse(&landing_zone());
    assert!(
        outcome.last_error().failure.message.contains("has no origin group 'shopp'"),
        "{:#?}",
        outcome.last_error()
    );
}

#[test]
fn a_pool_that_its_owner_takes_away_is_not_found() {
    let more = web_document("- {name: extra, runTime: 'NODE|22-lts', backendpool: api}\n", "");
    let environment = Environment::of(&[("a-apps.yml", &more), ("b-door.yml", &web_document(APPS, FRONT_DOOR))]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    let [apps, front_door] = [APPS, FRONT_DOOR].map(|text| text.replace("api", "orders"));
    environment.project.write("b-door.yml", web_document(&apps, &front_door));
    let outcome = environment.deploy(&cloud);
    assert!(
        outcome.last_error().failure.message.contains("has no origin group 'api'; it has shop, orders"),
        "{outcome:#?}"
    );
}

/// An endpoint of the account of [`STORAGE`], with a zone by its name.
pub(super) const ENDPOINTS: &str = "\
component: privateEndpoints
service:
  dependencies:
    resourceGroup: landing-zone
    vnet: hub-network
    privateZones: [privatelink.blob.core.windows.net]
privateEndpoints:
  - name: files
    resourceNameSpace: Microsoft.Storage/storageAccounts
    subResourceName: blob
    subnetName: endpoints
    service:
      dependencies: {resource: shop-files}
";

#[test]
fn endpoints_lead_to_what_the_run_makes_and_share_its_zones() {
    let private = "\
component: storage
location: UK South
service:
  dependencies:
    resourceGroup: shop-group
    vnet: hub-network
    privateZones: [privatelink.blob.core.windows.net]
storageAccounts:
  - storageAccountName: Payments
    accountType: Standard
    privateEndpoints:
      - {subnetName: endpoints, subResourceName: blob}
";
    let environment = Environment::of(&[("a.yml", ENDPOINTS), ("b.yml", private), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    let outcome = environment.deploy_twice(&cloud);
    let of_type =
        |kind: &str| outcome.plan().iter().filter(|action| action.resource.resource_type.ends_with(kind)).count();
    assert_eq!((of_type("/privateDnsZones"), of_type("/virtualNetworkLinks"), of_type("/privateEndpoints")), (1, 1, 2));
    assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
    let endpoint = outcome.plan().iter().find(|action| action.resource.name.starts_with("ped-files")).unwrap();
    assert!(endpoint.depends_on.contains(&outcome.action("stordersdb8e13ec").index), "{endpoint:#?}");
}

#[test]
fn what_the_run_excepts_is_excluded() {
    let alerts = LOG_ALERTS.replace("Low_Disk_Space\n", "Low_Disk_Space\n            exclusions: [patching]\n");
    let environment = Environment::of(&[("alerts.yml", &alerts), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    environment.project.write("other/tags.yml", "tags: {custom: {svc-monitor-exception: patching}}");
    let cloud = landing_zone();
    let tags = json!({"tagSettingsFile": environment.project.path("other/tags.yml")});
    let outcome = run_deployment(&with(environment.request(&cloud), tags));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let query = |outcome: &Outcome| {
        let changes = outcome.plan().iter().flat_map(|action| &action.changes);
        let queries: Vec<String> = changes
            .filter(|change| change.path.contains("criteria"))
            .filter_map(|change| Some(change.after.as_ref()?.to_string()))
            .collect();
        queries.into_iter().any(|query| query.contains("stordersdb8e13ec"))
    };
    assert!(query(&outcome), "{:#?}", outcome.plan());
    assert!(
        !outcome.warnings().iter().any(|warning| warning.contains("nothing is excluded")),
        "{:#?}",
        outcome.warnings()
    );
}

#[test]
fn what_the_run_renames_is_found_under_its_new_name() {
    let environment = Environment::of(&[("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    environment.project.write("storage.yml", STORAGE.replace("storage: shop-files", "storage: renamed-files"));
    environment.project.write("a.yml", ENDPOINTS.replace("shop-files", "renamed-files"));
    let outcome = environment.deploy_twice(&cloud);
    let endpoint = outcome.plan().iter().find(|action| action.resource.name.starts_with("ped-files")).unwrap();
    assert!(endpoint.depends_on.contains(&outcome.action("stordersdb8e13ec").index), "{endpoint:#?}");
}
