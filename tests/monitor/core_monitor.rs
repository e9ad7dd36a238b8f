//! Core monitoring: what is made of a document, and in which words Azure gets it.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::offline::{command, with_event};
use crate::support::*;

/// The group of [`document`], and what is in it.
pub(crate) const GROUP: &str = "resourceGroups/rg-platform-core-8998747e";
pub(crate) const WORKSPACE: &str = "Microsoft.OperationalInsights/workspaces/log-platform-dev-uks-5bc5146d";
pub(crate) const COMPONENT: &str = "Microsoft.Insights/components/appi-platform-dev-uks-8bc9cbc6";
pub(crate) const ACCOUNT: &str = "Microsoft.Storage/storageAccounts/stplatform5834ce34";
pub(crate) const ACTION_GROUP: &str = "Microsoft.Insights/actionGroups/agrp-security-dev-gbl-fed73849";
pub(crate) const SETTINGS: &str = "providers/Microsoft.Insights/diagnosticSettings";
pub(crate) const ADVISOR: &str = "providers/Microsoft.Advisor/configurations";
pub(crate) const VAULT: &str = "providers/Microsoft.KeyVault/vaults/kv-landing-zone";

/// The publish names that are mandatory unless something existing is used.
pub(crate) const MADE: &str = "storage: core-logs, workspace: core-workspace, appInsights: core-insights,";

/// The result of [`document`].
pub(crate) const EVERYTHING: &str = "created 18";

/// A document with one action group, Security, that has these further lines.
pub(crate) fn document(lines: &str) -> String {
    document_with(MADE, "", lines)
}

/// The same with other publish names and further dependencies.
pub(crate) fn document_with(publish: &str, dependencies: &str, lines: &str) -> String {
    let mut text = format!(
        "\
component: monitor
name: Platform
location: UK South
advisorLowCPUThresholdPercentage: 10
service:
  publish: {{{publish} resourceGroup: core, solution: core-solutions, actionGroup: core-team,
    keyvaultAdminAlert: vault-alert, resourceHealthAlert: health-alert, serviceHealthAlert: service-alert}}
  dependencies: {{keyvault: central-vault{dependencies}}}
alerts:
  keyvaultAdmin: {{actionGroupName: Security}}
  resourceHealth: {{actionGroupName: Security, enabled: true}}
  serviceHealth: {{actionGroupName: security}}
actionGroups:
  - name: Security
    shortname: security
"
    );
    for line in lines.lines() {
        text.push_str(&format!("    {line}\n"));
    }
    text
}

pub(crate) fn core(lines: &str) -> Deployment {
    Deployment::new(CORE_MONITOR, &document(lines))
}

/// A path in the group of the document, from the type on.
pub(crate) fn in_group(path: &str) -> String {
    format!("{GROUP}/providers/{path}")
}

/// The bodies that were sent for a resource.
pub(crate) fn sent(cloud: &LocalCloud, path: &str) -> Vec<Value> {
    writes(&cloud.requests())
        .into_iter()
        .filter(|request| request.url.split('?').next() == Some(in_subscription(path).as_str()))
        .map(|request| request.body.unwrap())
        .collect()
}

#[test]
fn everything_is_made_in_one_run_and_a_second_one_does_nothing() {
    let (cloud, deployment) = (landing_zone(), core(""));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), EVERYTHING, "{:#?}", outcome.errors());
    let expected: Vec<String> = [
        "resource group 'rg-platform-core-8998747e'",
        "storage account 'stplatform5834ce34' in {group}",
        "blob container 'insights-logs-addonazurebackuppolicy' of storage account 'stplatform5834ce34' in {group}",
        "blob container 'insights-logs-azurebackupreport' of storage account 'stplatform5834ce34' in {group}",
        "blob container 'insights-logs-coreazurebackup' of storage account 'stplatform5834ce34' in {group}",
        "blob container 'insights-logs-networksecuritygroupflowevent' of storage account 'stplatform5834ce34' in {group}",
        "Log Analytics workspace 'log-platform-dev-uks-5bc5146d' in {group}",
        "application insights 'appi-platform-dev-uks-8bc9cbc6' in {group}",
        "management solution 'KeyVaultAnalytics(log-platform-dev-uks-5bc5146d)' in {group}",
        "diagnostic setting 'Diagnostics' of Log Analytics workspace 'log-platform-dev-uks-5bc5146d' in {group}",
        "diagnostic setting 'Diagnostics' of application insights 'appi-platform-dev-uks-8bc9cbc6' in {group}",
        "diagnostic setting 'Service' of key vault 'kv-landing-zone' in resource group 'rg-landing-zone'",
        "diagnostic setting 'log-platform-dev-uks-5bc5146d' of the subscription",
        "action group 'agrp-security-dev-gbl-fed73849' in {group}",
        "activity log alert 'alt-platform-keyvaultadmin-dev-gbl-f7855e50' in {group}",
        "activity log alert 'alt-platform-resourcehealth-dev-gbl-4f380097' in {group}",
        "activity log alert 'alt-platform-servicehealth-dev-gbl-e9fbdc01' in {group}",
        "Advisor configuration 'default' of the subscription",
    ]
    .iter()
    .map(|name| format!("Create {}.", name.replace("{group}", "resource group 'rg-platform-core-8998747e'")))
    .collect();
    assert_eq!(outcome.descriptions(), expected);
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn what_is_sent_is_what_azure_wants() {
    let cloud = landing_zone();
    core("").deploy(&cloud);
    let tags = |service: &str| json!({"svc-service": service});
    let id = |path: &str| in_subscription(&in_group(path));
    assert_eq!(sent(&cloud, GROUP), [json!({"location": "uksouth", "tags": tags("core")})]);
    assert_eq!(
        sent(&cloud, &in_group(ACCOUNT)),
        [
            json!({"location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "tags": tags("core-logs"),
            "properties": {"minimumTlsVersion": "TLS1_2", "supportsHttpsTrafficOnly": true}})
        ]
    );
    assert_eq!(
        sent(&cloud, &in_group(WORKSPACE)),
        [json!({"location": "uksouth", "tags": tags("core-workspace"), "properties": {
            "sku": {"name": "PerGB2018"}, "retentionInDays": 90,
            "features": {"enableLogAccessUsingOnlyResourcePermissions": true}}})]
    );
    assert_eq!(
        sent(&cloud, &in_group(COMPONENT)),
        [json!({"location": "uksouth", "kind": "web", "tags": tags("core-insights"), "properties": {
            "Application_Type": "web", "IngestionMode": "LogAnalytics", "WorkspaceResourceId": id(WORKSPACE)}})]
    );
    let all_metrics = json!([{"category": "AllMetrics", "enabled": true}]);
    assert_eq!(
        sent(&cloud, &in_group(&format!("{WORKSPACE}/{SETTINGS}/Diagnostics"))),
        [json!({"properties": {"workspaceId": id(WORKSPACE), "storageAccountId": id(ACCOUNT),
            "logs": [{"category": "Audit", "enabled": true}], "metrics": all_metrics}})]
    );
    assert_eq!(
        sent(&cloud, &in_group(&format!("{COMPONENT}/{SETTINGS}/Diagnostics"))),
        [json!({"properties": {"storageAccountId": id(ACCOUNT),
            "logs": [{"categoryGroup": "allLogs", "enabled": true}], "metrics": all_metrics}})]
    );
    assert_eq!(
        sent(&cloud, &format!("{LANDING_ZONE}/{VAULT}/{SETTINGS}/Service")),
        [json!({"properties": {"workspaceId": id(WORKSPACE), "logs": [{"categoryGroup": "audit", "enabled": true}]}})]
    );
    let [log] = &sent(&cloud, &format!("{SETTINGS}/log-platform-dev-uks-5bc5146d"))[..] else { panic!("not once") };
    assert_eq!(log["properties"]["workspaceId"], id(WORKSPACE));
    let categories: Vec<&Value> =
        log["properties"]["logs"].as_array().unwrap().iter().map(|log| &log["category"]).collect();
    assert_eq!(categories.len(), 8);
    assert!(["Administrative", "Policy", "ResourceHealth"].iter().all(|name| categories.contains(&&json!(name))));
    let solution = "KeyVaultAnalytics(log-platform-dev-uks-5bc5146d)";
    assert_eq!(
        sent(&cloud, &in_group(&format!("Microsoft.OperationsManagement/solutions/{solution}"))),
        [json!({"location": "uksouth", "tags": tags("core-solutions"),
            "plan": {"name": solution, "publisher": "Microsoft", "product": "OMSGallery/KeyVaultAnalytics", "promotionCode": ""},
            "properties": {"workspaceResourceId": id(WORKSPACE)}})]
    );
    assert_eq!(sent(&cloud, &format!("{ADVISOR}/default")), [json!({"properties": {"lowCpuThreshold": "10"}})]);
}

#[test]
fn alerts_watch_the_subscription_and_notify_the_action_group_of_their_name() {
    let cloud = landing_zone();
    core("").deploy(&cloud);
    let rule = |name: &str| {
        let [body] = &sent(&cloud, &in_group(&format!("Microsoft.Insights/activityLogAlerts/{name}")))[..] else {
            panic!("{name} was not sent once")
        };
        body.clone()
    };
    let kind = |name: &str| json!({"field": "resourceType", "equals": name});
    let category = |name: &str| json!({"field": "category", "equals": name});
    assert_eq!(
        rule("alt-platform-keyvaultadmin-dev-gbl-f7855e50"),
        json!({"location": "Global", "tags": {"svc-service": "vault-alert"}, "properties": {
            "enabled": false,
            "scopes": [in_subscription("").trim_end_matches('/')],
            "condition": {"allOf": [category("Administrative"), kind("Microsoft.KeyVault/vaults")]},
            "actions": {"actionGroups": [{"actionGroupId": in_subscription(&in_group(ACTION_GROUP))}]},
        }})
    );
    let health = rule("alt-platform-resourcehealth-dev-gbl-4f380097");
    assert_eq!(
        (&health["properties"]["enabled"], &health["tags"]["svc-service"]),
        (&json!(true), &json!("health-alert"))
    );
    let types = [
        kind("Microsoft.KeyVault/vaults"),
        kind("Microsoft.OperationalInsights/workspaces"),
        kind("Microsoft.Storage/storageAccounts"),
    ];
    assert_eq!(health["properties"]["condition"]["allOf"], json!([category("ResourceHealth"), {"anyOf": types}]));
    // Without impacted locations it is that of the document.
    let services = rule("alt-platform-servicehealth-dev-gbl-e9fbdc01");
    let field = "properties.impactedServices[*].ImpactedRegions[*].RegionName";
    assert_eq!(
        services["properties"]["condition"]["allOf"],
        json!([category("ServiceHealth"), {"field": field, "containsAny": ["UK South"]}])
    );
}

#[test]
fn a_solution_that_azure_refuses_is_a_warning_and_the_rest_is_made() {
    let (cloud, deployment) = (landing_zone(), core(""));
    cloud.misbehave(fault("status=409,method=PUT,path=/solutions/KeyVaultAnalytics,times=100"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 17, skipped 1");
    assert!(outcome.errors().is_empty());
    let warning = outcome.warnings().into_iter().find(|warning| warning.contains("continues without it")).unwrap();
    let start = "settings.yml:6:119: the management solution 'KeyVaultAnalytics(log-platform-dev-uks-5bc5146d)' in resource group \
        'rg-platform-core-8998747e' was not created";
    assert!(warning.starts_with(start), "{warning}");
    // What is retired is told of when the workspace is made, and not tried. Later runs do nothing about solutions, and are quiet.
    let is_retired = |line: &&str| line.contains("service.publish.solution: the ");
    assert_eq!(outcome.warnings().into_iter().filter(is_retired).count(), 0, "{:#?}", outcome.warnings());
    assert_eq!(outcome.verbose().into_iter().filter(is_retired).count(), 1, "{:#?}", outcome.verbose());
    let again = deployment.deploy(&cloud);
    assert_eq!((again.summary().as_str(), again.warnings()), ("unchanged 17", Vec::new()));
}

#[test]
fn without_a_publish_name_no_solution_is_made() {
    let cloud = landing_zone();
    let text = document("").replace("solution: core-solutions,", "");
    let outcome = Deployment::new(CORE_MONITOR, &text).deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.errors().len()), ("created 17", 0), "{:#?}", outcome.errors());
    assert!(!writes(&cloud.requests()).iter().any(|put| put.url.contains("OperationsManagement")));
}

#[test]
fn a_run_that_was_cut_off_before_its_solution_is_finished_by_the_next() {
    let (finished, deployment) = (landing_zone(), core(""));
    deployment.deploy(&finished);
    let solution = "Microsoft.OperationsManagement/solutions/KeyVaultAnalytics(log-platform-dev-uks-5bc5146d)";
    let [setting, solution, workspace] =
        [format!("{WORKSPACE}/{SETTINGS}/Diagnostics"), solution.to_owned(), WORKSPACE.to_owned()]
            .map(|path| in_group(&path));
    let cut_off = landing_zone();
    cut_off.import(&[GROUP, &workspace].map(|path| resource(&finished, path))).unwrap();
    let outcome = deployment.deploy(&cut_off);
    assert_eq!(outcome.summary(), "created 16, unchanged 2", "{:#?}", outcome.errors());
    // The setting comes after the solution, so that it says that it was tried.
    let puts: Vec<String> = writes(&cut_off.requests()).into_iter().map(|put| put.url.to_lowercase()).collect();
    let place = |path: &str| puts.iter().position(|url| url.contains(&path.to_lowercase()));
    let (solution_put, setting_put) = (place(&solution), place(&setting));
    assert!(solution_put.is_some() && solution_put < setting_put, "{puts:#?}");
    // What somebody removed from what is finished stays away.
    let removed = landing_zone();
    for id in finished.ids().into_iter().filter(|id| !id.ends_with(&solution)) {
        let mut body = finished.resource(&id).unwrap();
        // Not every resource shows its id as it is addressed.
        body["id"] = json!(id);
        removed.import(&[body]).unwrap();
    }
    assert_eq!(deployment.deploy(&removed).summary(), "unchanged 17");
}

#[test]
fn tags_are_put_on_everything_that_takes_them() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: platform}}");
    assert_eq!(deployment.deploy(&cloud).summary(), EVERYTHING);
    let puts = writes(&cloud.requests());
    let tagged = puts.iter().filter(|put| put.body.as_ref().is_some_and(|body| body["tags"]["owner"] == "platform"));
    // The group, the account, the workspace, insights, a solution, the action group and three alerts.
    assert_eq!(tagged.count(), 9);
    // The vault is not of this run.
    assert_eq!(resource(&cloud, &format!("{LANDING_ZONE}/{VAULT}"))["tags"], json!({"svc-service": "central-vault"}));
}

#[test]
fn a_vault_that_is_not_there_yet_gets_its_setting_from_the_next_run() {
    let cloud = landing_zone();
    let deployment = Deployment::new(CORE_MONITOR, &document("").replace("central-vault", "new-vault"));
    let warning = "settings.yml:8:28: service.dependencies.keyvault: no key vault in this subscription is published as 'new-vault'; \
        the published ones are 'central-vault', 'web-keyvault'; its audit log goes nowhere yet; run the command again when the key vault is there";
    let planned = deployment.rehearse(&cloud);
    assert_eq!(planned.plan().len(), 17);
    assert!(planned.warnings().contains(&warning), "{:#?}", planned.warnings());
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 17", "{:#?}", outcome.errors());
    assert!(outcome.warnings().contains(&warning), "{:#?}", outcome.warnings());
    let vault = "resourceGroups/rg-landing-zone/providers/Microsoft.KeyVault/vaults/kv-new";
    cloud.import(&[published(vault, "uksouth", "new-vault", json!({}))]).unwrap();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(
        outcome.descriptions(),
        ["Create diagnostic setting 'Service' of key vault 'kv-new' in resource group 'rg-landing-zone'."]
    );
    assert_eq!((outcome.summary().as_str(), outcome.warnings()), ("created 1, unchanged 17", Vec::new()));
}

#[test]
fn defaults_shape_what_is_made_and_leave_what_exists() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment.deploy(&cloud);
    tamper(&cloud, &in_group(ACCOUNT), |body| {
        body["sku"] = json!({"name": "Standard_GRS"});
        body["properties"]["supportsHttpsTrafficOnly"] = json!(false);
    });
    tamper(&cloud, &in_group(WORKSPACE), |body| body["properties"]["retentionInDays"] = json!(365));
    let rule = in_group("Microsoft.Insights/activityLogAlerts/alt-platform-servicehealth-dev-gbl-e9fbdc01");
    tamper(&cloud, &rule, |body| {
        body["properties"]["enabled"] = json!(true);
        body["properties"]["condition"]["allOf"][1]["containsAny"] = json!(["UK South", "UK West"]);
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
    // What the document says holds on every run.
    let text =
        document("").replace("location: UK South", "location: UK South\nworkspaceDataRetentionInDays: 90").replace(
            "serviceHealth: {actionGroupName: security}",
            "serviceHealth: {actionGroupName: security, enabled: false, impactedLocations: [UK South]}",
        );
    deployment.rewrite(&text);
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 2, unchanged 16", "{:#?}", outcome.descriptions());
    assert_eq!(resource(&cloud, &in_group(WORKSPACE))["properties"]["retentionInDays"], 90);
    assert_eq!(resource(&cloud, &rule)["properties"]["enabled"], false);
}

#[test]
fn an_offline_plan_shows_everything_with_placeholders() {
    let project = Project::new();
    let dependencies = ", storage: files, workspace: logs, appInsights: insights";
    project.write("made.yml", document(""));
    project.write("found.yml", document_with("", dependencies, ""));
    for (file, count) in [("made.yml", 18), ("found.yml", 8)] {
        let (messages, status) = command(CORE_MONITOR, &project, file);
        assert_eq!(status, 0, "{messages:#?}");
        let actions = with_event(&messages, "plan")[0]["actions"].as_array().unwrap().clone();
        assert_eq!(actions.len(), count);
        assert!(actions.iter().all(|action| {
            let description = action["description"].as_str().unwrap();
            description.starts_with("Create or update ") && description.ends_with(" (current state unknown).")
        }));
        assert!(actions.iter().all(|action| !action["name"].as_str().unwrap().starts_with("Updates")));
    }
}
