//! The first run: what it does with the estate, and leaves alone.

use svc_engine::protocol::{Code, ErrorReport};
use svc_local_cloud::RecordedRequest;

use super::*;

/// A resource of the estate, by its path below the resource groups.
fn body(cloud: &LocalCloud, path: &str) -> Value {
    cloud.resource(&in_subscription(&format!("resourceGroups/{path}"))).unwrap_or_else(|| panic!("{path}"))
}

#[test]
fn after_the_first_run_the_second_finds_everything_as_it_should_be() {
    for project in Project::all() {
        let cloud = project.estate();
        for document in DOCUMENTS {
            let first = project.run(document, &cloud, false);
            let is_told = |error: &&ErrorReport| error.failure.code == Code::ClassicProfile;
            assert!(first.errors().iter().all(is_told), "{}: {:#?}", document.file, first.errors());
            let second = project.run(document, &cloud, false);
            assert_eq!(second.descriptions(), [] as [&str; 0], "{}", document.file);
        }
        // Every request is one of resources: nothing is a deployment, so the history of a group ends with the replaced module.
        let is_deployment = |request: &RecordedRequest| {
            request.url.to_lowercase().contains("/providers/microsoft.resources/deployments")
        };
        assert!(!cloud.requests().iter().any(is_deployment));
    }
}

/// What the document does not say of an app, of a rule and of the services of an account stays as the templates wrote it.
#[test]
fn what_the_document_does_not_say_stays() {
    let project = Project::current();
    let cloud = project.estate();
    for document in DOCUMENTS {
        project.run(document, &cloud, false);
    }
    let group = "rg-shop-paas-bcaf29f2/providers/Microsoft.Web/sites";
    let app = body(&cloud, &format!("{group}/app-storefront-prd-5bea3d7e/config/appsettings"));
    assert_eq!(app["properties"]["ApplicationInsightsAgent_EXTENSION_VERSION"], "~2");
    assert!(app["properties"]["APPINSIGHTS_INSTRUMENTATIONKEY"].is_string());
    let function = body(&cloud, &format!("{group}/func-orders-prd-7b58a43e/config/appsettings"));
    assert_eq!(function["properties"]["WEBSITE_NODE_DEFAULT_VERSION"], "10.14.1");
    assert_eq!(function["properties"]["FUNCTIONS_EXTENSION_VERSION"], "~3");
    let rules = "rg-metric-alerts-mon-392fc8ab/providers/Microsoft.Insights/metricAlerts";
    let rule = body(&cloud, &format!("{rules}/alt-mtr-compute-1-prd-uks-70a61030"));
    assert_eq!(rule["properties"]["description"], "Alert for  on Microsoft.Compute/virtualMachines");
    let rules = "rg-log-alerts-mon-b215e283/providers/Microsoft.Insights/scheduledQueryRules";
    let own = body(&cloud, &format!("{rules}/alt-log-queues-0-prd-uks-d9d8ff10"));
    assert_eq!(own["properties"].get("skipQueryValidation").filter(|value| **value != json!(false)), None);
    let built_in = body(&cloud, &format!("{rules}/alt-log-servers-compute-0-prd-uks-4c0245e7"));
    assert_eq!(built_in["properties"]["description"], "VM not responsive.");
    let accounts = "rg-shop-iaas-99b8167f/providers/Microsoft.Storage/storageAccounts";
    let services = body(&cloud, &format!("{accounts}/stordersdb8e13ec/blobServices/default"));
    assert_eq!(services["properties"]["deleteRetentionPolicy"]["enabled"], false);
    let diagnostics = "rg-shop-core-e039faba/providers/Microsoft.Insights/components/appi-shop-prd-uks-054a9584/providers/Microsoft.Insights/diagnosticSettings/Diagnostics";
    assert!(body(&cloud, diagnostics)["properties"]["workspaceId"].is_string());
}

/// The replaced module tagged everything in its groups. Only what the document has is tagged now.
#[test]
fn tags_cover_what_the_document_has() {
    let project = Project::of_2020();
    project.write_tags("tags: {custom: {shift: night}}");
    let outcome = project.run(document("monitor.yml"), &project.estate(), true);
    let tagged: Vec<&str> = outcome
        .plan()
        .iter()
        .filter(|action| action.changes.iter().any(|change| change.path == "tags.shift"))
        .map(|action| action.resource.name.as_str())
        .collect();
    assert!(tagged.contains(&"log-shop-prd-uks-0eb373c6"), "{tagged:?}");
    for left in ["ServiceMap(", "4c9e2a55-", "kv-landing-zone"] {
        assert!(!tagged.iter().any(|name| name.starts_with(left)), "{left} in {tagged:?}");
    }
}

/// A container `none` was made in accounts without another one.
#[test]
fn the_container_none_is_left_where_it_is() {
    let project = Project::current();
    let cloud = project.estate();
    project.run(document("storage.json"), &cloud, false);
    let ids = cloud.ids();
    let containers: Vec<&String> = ids.iter().filter(|id| id.ends_with("/containers/none")).collect();
    assert_eq!(containers.len(), 1, "{containers:?}");
}
