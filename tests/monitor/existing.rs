//! Core monitoring beside what exists: resources that are used instead of new ones, and what others have set.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::monitor::core_monitor::*;
use crate::support::estate::{CORE_MONITOR, Deployment, LANDING_ZONE, landing_zone, published};
use crate::support::{in_subscription, resource, tamper};

/// A document that uses the account and the workspace of the landing zone, and insights that are put beside them.
fn with_existing() -> (LocalCloud, Deployment) {
    let cloud = landing_zone();
    let workspace = format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone");
    let insights = published(
        &format!("{LANDING_ZONE}/providers/Microsoft.Insights/components/appi-central"),
        "uksouth",
        "central-insights",
        json!({"Application_Type": "web", "WorkspaceResourceId": in_subscription(&workspace)}),
    );
    cloud.import(&[insights]).unwrap();
    let dependencies = ", storage: central-files, workspace: central-logs, appInsights: central-insights";
    (cloud, Deployment::new(CORE_MONITOR, &document_with("", dependencies, "")))
}

#[test]
fn existing_resources_are_used_and_left_as_they_are() {
    let (cloud, deployment) = with_existing();
    let existing = [
        format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"),
        format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/stlandingzone"),
        format!("{LANDING_ZONE}/providers/Microsoft.Insights/components/appi-central"),
    ];
    let before: Vec<Value> = existing.iter().map(|path| resource(&cloud, path)).collect();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 8", "{:#?}", outcome.errors());
    assert_eq!(existing.iter().map(|path| resource(&cloud, path)).collect::<Vec<Value>>(), before);
    let made: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
    assert_eq!(
        made,
        [
            "rg-platform-core-8998747e",
            "Service",
            "log-landing-zone",
            "agrp-security-dev-gbl-fed73849",
            "alt-platform-keyvaultadmin-dev-gbl-f7855e50",
            "alt-platform-resourcehealth-dev-gbl-4f380097",
            "alt-platform-servicehealth-dev-gbl-e9fbdc01",
            "default",
        ]
    );
    // Solutions are made together with their workspace only.
    assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
    let log = resource(&cloud, &format!("{SETTINGS}/log-landing-zone"));
    assert_eq!(log["properties"]["workspaceId"], in_subscription(&existing[0]));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 8");
}

#[test]
fn an_existing_account_in_another_location_is_refused_where_settings_send_to_it() {
    let cloud = landing_zone();
    let account = format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/stfar");
    cloud.import(&[published(&account, "ukwest", "far-files", json!({}))]).unwrap();
    let publish = "workspace: core-workspace, appInsights: core-insights,";
    let deployment = Deployment::new(CORE_MONITOR, &document_with(publish, ", storage: far-files", ""));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(
        outcome.failed_with().1,
        "settings.yml has 1 problem:\n[1] 8:52 service.dependencies.storage: the storage account 'stfar' is in 'ukwest', but diagnostic settings need one in the location of the document, 'uksouth'"
    );
    // Nothing is sent to it where the two others exist as well.
    let dependencies = ", storage: far-files, workspace: central-logs, appInsights: central-insights";
    let (cloud, _) = with_existing();
    cloud.import(&[published(&account, "ukwest", "far-files", json!({}))]).unwrap();
    deployment.rewrite(&document_with("", dependencies, ""));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 8");
}

#[test]
fn publishing_wins_over_an_existing_resource() {
    let cloud = landing_zone();
    let deployment = Deployment::new(CORE_MONITOR, &document_with(MADE, ", storage: central-files", ""));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), EVERYTHING);
    assert_eq!(
        outcome.warnings()[0],
        "settings.yml:8:52: service.dependencies.storage: service.publish.storage is also set, so a new one is deployed and the existing one is not used; leave service.publish.storage empty to use it"
    );
}

#[test]
fn retired_solutions_are_never_made_and_kept_tagged_where_they_exist() {
    let (cloud, deployment) = (landing_zone(), core(""));
    let outcome = deployment.deploy(&cloud);
    let told = outcome.verbose();
    for part in [
        "Updates (since ",
        "AzureActivity (since ",
        "Azure Update Manager and the diagnostic setting of the subscription",
    ] {
        assert!(told.iter().any(|line| line.contains(": the solutions ") && line.contains(part)), "{part}: {told:#?}");
    }
    let path = |name: &str| {
        in_group(&format!("Microsoft.OperationsManagement/solutions/{name}(log-platform-dev-uks-5bc5146d)"))
    };
    let solutions = ["Updates", "AzureActivity"].map(|name| {
        let plan = format!("{name}(log-platform-dev-uks-5bc5146d)");
        let mut solution = published(
            &path(name),
            "uksouth",
            "",
            json!({"workspaceResourceId": in_subscription(&in_group(WORKSPACE))}),
        );
        solution["plan"] = json!({"name": plan, "publisher": "Microsoft", "product": format!("OMSGallery/{name}")});
        solution["tags"] = json!({"theirs": "1"});
        solution
    });
    cloud.import(&solutions).unwrap();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 2, unchanged 18", "{:#?}", outcome.errors());
    assert!(
        outcome.plan().iter().all(|action| action.changes.len() == 1 && action.changes[0].path == "tags.svc-service")
    );
    let kept = resource(&cloud, &path("Updates"));
    assert_eq!(kept["tags"], json!({"theirs": "1", "svc-service": "core-solutions"}));
    assert_eq!(kept["plan"]["product"], "OMSGallery/Updates");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 20");
}

#[test]
fn the_advisor_configuration_keeps_what_others_set() {
    // Azure lists the configuration of a subscription also by the id of the subscription.
    for name in ["default", svc_local_cloud::LOCAL_SUBSCRIPTION_ID] {
        let (cloud, deployment) = (landing_zone(), core(""));
        let digest = json!({"name": "weekly", "frequency": 7});
        let theirs = json!({"exclude": true, "lowCpuThreshold": "20", "duration": "30", "digests": [digest]});
        let path = format!("{ADVISOR}/{name}");
        cloud.import(&[json!({"id": in_subscription(&path), "properties": theirs})]).unwrap();
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.summary(), "created 17, modified 1", "{:#?}", outcome.errors());
        assert_eq!(
            outcome.action("default").description,
            "Change Advisor configuration 'default' of the subscription: properties.lowCpuThreshold from \"20\" to \"10\"."
        );
        let [sent] = &sent(&cloud, &format!("{ADVISOR}/default"))[..] else { panic!("not once") };
        assert_eq!(
            sent["properties"],
            json!({"exclude": true, "lowCpuThreshold": "10", "duration": "30", "digests": [digest]})
        );
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
    }
}

/// Puts a diagnostic setting on a resource.
fn put_setting(cloud: &LocalCloud, of: &str, name: &str, properties: Value) -> String {
    let path = format!("{of}/{SETTINGS}/{name}").trim_start_matches('/').to_owned();
    cloud.import(&[json!({"id": in_subscription(&path), "properties": properties})]).unwrap();
    path
}

#[test]
fn settings_of_other_names_that_send_the_same_are_left_alone() {
    let (cloud, deployment) = with_existing();
    let workspace =
        in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"));
    let vault = format!("{LANDING_ZONE}/{VAULT}");
    let audit = json!([{"category": "AuditEvent", "enabled": true}]);
    let logs: Vec<Value> = [
        "Administrative",
        "Security",
        "ServiceHealth",
        "Alert",
        "Recommendation",
        "Policy",
        "Autoscale",
        "ResourceHealth",
    ]
    .iter()
    .map(|category| json!({"category": category, "enabled": true}))
    .collect();
    let theirs = [
        put_setting(&cloud, &vault, "theirs", json!({"workspaceId": workspace.to_uppercase(), "logs": audit})),
        put_setting(&cloud, "", "everything-to-logs", json!({"workspaceId": workspace, "logs": logs})),
    ];
    let before: Vec<Value> = theirs.iter().map(|path| resource(&cloud, path)).collect();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 6, unchanged 2", "{:#?}", outcome.errors());
    assert!(
        outcome.verbose().contains(&"The diagnostic setting 'everything-to-logs' of the subscription is up to date.")
    );
    assert_eq!(theirs.iter().map(|path| resource(&cloud, path)).collect::<Vec<Value>>(), before);
    assert!(sent(&cloud, &format!("{vault}/{SETTINGS}/Service")).is_empty());
}

#[test]
fn only_what_no_other_setting_sends_is_sent() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment
        .deploy_approving(&cloud, |action| action.resource.resource_type != "Microsoft.Insights/diagnosticSettings");
    let [workspace, account] = [WORKSPACE, ACCOUNT].map(|path| in_subscription(&in_group(path)));
    let log = |name: &str| json!({"category": name, "enabled": true});
    let metrics = json!([log("AllMetrics")]);
    put_setting(
        &cloud,
        &in_group(WORKSPACE),
        "theirs",
        json!({"workspaceId": workspace, "logs": [log("Audit")], "metrics": metrics}),
    );
    put_setting(&cloud, "", "theirs", json!({"workspaceId": workspace, "logs": [log("Security"), log("Policy")]}));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4, unchanged 14", "{:#?}", outcome.errors());
    assert_eq!(
        sent(&cloud, &in_group(&format!("{WORKSPACE}/{SETTINGS}/Diagnostics"))),
        [json!({"properties": {"storageAccountId": account, "logs": [log("Audit")], "metrics": metrics}})]
    );
    let [sent] = &sent(&cloud, &format!("{SETTINGS}/log-platform-dev-uks-5bc5146d"))[..] else { panic!("not once") };
    let logs = sent["properties"]["logs"].as_array().unwrap();
    assert_eq!(logs.len(), 6);
    assert!(!logs.contains(&log("Security")) && !logs.contains(&log("Policy")));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
}

#[test]
fn settings_of_the_replaced_module_are_left_as_they_are() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment
        .deploy_approving(&cloud, |action| action.resource.resource_type != "Microsoft.Insights/diagnosticSettings");
    let account = in_subscription(&in_group(ACCOUNT));
    let retention = json!({"days": 90, "enabled": true});
    let logs: Vec<Value> = [
        "AppAvailabilityResults",
        "AppBrowserTimings",
        "AppDependencies",
        "AppEvents",
        "AppExceptions",
        "AppMetrics",
        "AppPageViews",
        "AppPerformanceCounters",
        "AppRequests",
        "AppSystemEvents",
        "AppTraces",
    ]
    .iter()
    .map(|category| json!({"category": category, "enabled": true, "retentionPolicy": retention}))
    .collect();
    let metrics = json!([{"category": "AllMetrics", "enabled": true, "retentionPolicy": retention}]);
    let properties = json!({"storageAccountId": account, "logs": logs, "metrics": metrics});
    put_setting(&cloud, &in_group(COMPONENT), "Diagnostics", properties);
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 3, unchanged 15", "{:#?}", outcome.errors());
    assert!(sent(&cloud, &in_group(&format!("{COMPONENT}/{SETTINGS}/Diagnostics"))).is_empty());
}

#[test]
fn what_others_chose_for_the_workspace_stays() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment.deploy(&cloud);
    let path = in_group(WORKSPACE);
    tamper(&cloud, &path, |body| {
        body["properties"]["sku"] = json!({"name": "CapacityReservation", "capacityReservationLevel": 100});
        body["properties"]["workspaceCapping"]["dailyQuotaGb"] = json!(5);
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
    tamper(&cloud, &path, |body| body["properties"]["retentionInDays"] = json!(30));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18", "90 days are a default");
    deployment.rewrite(&document("").replace("name: Platform", "name: Platform\nworkspaceDataRetentionInDays: 90"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 17", "{:#?}", outcome.errors());
    let properties = &resource(&cloud, &path)["properties"];
    assert_eq!(
        (&properties["retentionInDays"], &properties["sku"]["name"]),
        (&json!(90), &json!("CapacityReservation"))
    );
    assert_eq!(properties["workspaceCapping"]["dailyQuotaGb"], 5);
}
