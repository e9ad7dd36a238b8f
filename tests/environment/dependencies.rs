//! Dependencies on what another document of the run makes: everything deploys from nothing in one run.

use super::look_ups::WEB;
use super::*;
use crate::support::estate::landing_zone;
use crate::support::internet::Internet;

/// The index of the only planned resource of a type whose name begins like this.
fn planned(outcome: &Outcome, resource_type: &str, start: &str) -> usize {
    let found: Vec<usize> = outcome
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type == resource_type && action.resource.name.starts_with(start))
        .map(|action| action.index)
        .collect();
    let [only] = found[..] else { panic!("{start}: {:#?}", outcome.descriptions()) };
    only
}

#[test]
fn a_bastion_host_is_in_a_new_group_and_logs_to_a_new_workspace() {
    let bastion = "\
component: bastionHosts
location: UK South
service:
  dependencies: {resourceGroup: shop-group, workspace: core-workspace, vnet: hub-network}
bastionHosts:
  - bastionHostName: Hub
    bastionHostSubnetPrefix: 10.10.250.0/26
";
    let environment = Environment::of(&[("a.yml", bastion), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let outcome = environment.deploy_twice(&landing_zone());
    let host = &outcome.plan()[planned(&outcome, "Microsoft.Network/bastionHosts", "")];
    assert_eq!(host.resource.resource_group.as_deref(), Some("rg-shop-iaas-99b8167f"));
    assert!(host.depends_on.contains(&outcome.action("rg-shop-iaas-99b8167f").index), "{host:#?}");
    let workspace = planned(&outcome, "Microsoft.OperationalInsights/workspaces", "");
    let mut logs = outcome.plan().iter().filter(|action| {
        action.resource.resource_type.ends_with("/diagnosticSettings")
            && action.resource.resource_id.contains("/bastionHosts/")
    });
    assert!(logs.all(|setting| setting.depends_on.contains(&workspace)), "{:#?}", outcome.plan());
}

#[test]
fn core_monitoring_uses_what_another_document_makes() {
    let used = "service: {dependencies: {keyvault: central-vault, storage: core-logs, workspace: core-workspace, appInsights: core-insights},\n  publish: ";
    // A second core monitoring, without an account, a workspace and application insights of its own.
    let second = CORE
        .replace("name: Platform", "name: Second")
        .replace(
            "service:\n  publish: {storage: core-logs, workspace: core-workspace, appInsights: core-insights,",
            &format!("{used}{{"),
        )
        .replace("    actionGroup: core-team", "    actionGroup: second-team")
        .replace("resourceGroup: core,", "resourceGroup: second,")
        .replace("\n  dependencies: {keyvault: central-vault}\n", "}\n")
        .replace("Security", "Second")
        .replace("security", "second");
    let environment = Environment::of(&[("a-second.yml", &second), ("core.yml", CORE)]);
    let cloud = landing_zone();
    let outcome = environment.deploy(&cloud);
    assert!(outcome.errors().is_empty(), "{second}\n{:#?}", outcome.errors());
    planned(&outcome, "Microsoft.OperationalInsights/workspaces", "");
    planned(&outcome, "Microsoft.Insights/components", "");
    assert!(environment.deploy(&cloud).plan().is_empty());
}

#[test]
fn health_alerts_watch_new_groups_and_resources() {
    let health = "\
component: resourceHealthAlerts
location: UK South
service:
  dependencies: {actionGroups: [core-team]}
  publish: {resourceGroup: health-alerts}
alerts:
  - name: Accounts
    service: {dependencies: {targetResources: [shop-files]}}
  - name: Groups
    service: {dependencies: {targetResourceGroups: [shop-group]}}
";
    let environment = Environment::of(&[("a.yml", health), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    let outcome = environment.deploy_twice(&cloud);
    let rule_type = "Microsoft.Insights/activityLogAlerts";
    let team = planned(&outcome, "Microsoft.Insights/actionGroups", "");
    for (name, target) in [("Accounts", "stordersdb8e13ec"), ("Groups", "rg-shop-iaas-99b8167f")] {
        let is_it = |action: &&Action| {
            action.resource.resource_type == rule_type && action.resource.resource_id.contains(&name.to_lowercase())
        };
        let rule = outcome.plan().iter().find(is_it).unwrap_or_else(|| panic!("{:#?}", outcome.descriptions()));
        assert!(rule.depends_on.contains(&team), "{rule:#?}");
        let condition = cloud.resource(&rule.resource.resource_id).unwrap()["properties"]["condition"].to_string();
        assert!(condition.contains(target), "{condition}");
    }
}

#[test]
fn outside_the_public_cloud_functions_get_the_addresses_of_a_new_account() {
    let cloud = landing_zone();
    let internet = Internet::with(&cloud);
    let environment = Environment::of(&[("a-web.yml", WEB), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let request = with(
        environment.request(&cloud),
        json!({"context": {"cloud": "usgovernment"}, "environment": internet.signed_in()}),
    );
    let outcome = run_deployment(&request);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let is_function = |made: &&svc_engine::protocol::ResourceReport| {
        made.resource.resource_type == "Microsoft.Web/sites" && made.resource.full_name.contains("orders")
    };
    let function = outcome.resources().into_iter().find(is_function).unwrap().resource.resource_id.clone();
    let settings = cloud.resource(&format!("{function}/config/appsettings")).unwrap();
    assert_eq!(
        settings["properties"]["AzureWebJobsStorage__blobServiceUri"],
        "https://stordersdb8e13ec.blob.core.usgovcloudapi.net",
        "{settings:#?}"
    );
}
