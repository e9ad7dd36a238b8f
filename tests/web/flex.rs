//! Function apps on Flex Consumption plans.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::functions::{CONTRIBUTOR, OWNER, deploy};
use crate::web::solutions::{bodies, document_of};

/// The function app of [`document`].
const APP: &str = "resourceGroups/rg-shop-paas-bcaf29f2/providers/Microsoft.Web/sites/func-orders-dev-f8274b04";
/// The account of the landing zone.
const ACCOUNT: &str = "resourceGroups/rg-landing-zone/providers/Microsoft.Storage/storageAccounts/stwebfunctions";

fn document(runtime: &str) -> String {
    document_of(
        "storage: web-storage",
        &format!(
            "appServicePlans:\n  - name: Jobs\n    sku: fc1\n    region: UK South\n    functions: [{{name: Orders, runtime: {runtime}}}]\n"
        ),
    )
}

/// The configuration that the app shows.
fn config(cloud: &LocalCloud) -> Value {
    resource(cloud, APP)["properties"]["functionAppConfig"].clone()
}

/// The container of the app, as the address in its configuration names it.
fn container(config: &Value) -> String {
    let address = config["deployment"]["storage"]["value"].as_str().unwrap();
    address.strip_prefix("https://stwebfunctions.blob.core.windows.net/").unwrap().to_owned()
}

#[test]
fn a_flex_consumption_app_has_its_runtime_and_container_in_its_configuration() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("PYTHON|3.12")));
    let outcome = deploy(&deployment, OWNER, &cloud);
    assert_eq!(outcome.summary(), "created 8");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let made = &bodies(&cloud, 0, APP)[0];
    let container = container(&made["properties"]["functionAppConfig"]);
    assert!(container.starts_with("app-package-func-orders-dev-f8274b04-"), "{container}");
    assert_eq!(
        made["properties"]["functionAppConfig"],
        json!({
            "deployment": {"storage": {
                "type": "blobContainer",
                "value": format!("https://stwebfunctions.blob.core.windows.net/{container}"),
                "authentication": {"type": "SystemAssignedIdentity"},
            }},
            "scaleAndConcurrency": {"maximumInstanceCount": 100, "instanceMemoryMB": 2048},
            "runtime": {"name": "python", "version": "3.12"},
        })
    );
    assert_eq!(made["properties"]["siteConfig"], json!({"minTlsVersion": "1.2"}));
    assert!(resource(&cloud, &format!("{ACCOUNT}/blobServices/default/containers/{container}"))["id"].is_string());
    let settings = resource(&cloud, &format!("{APP}/config/appsettings"))["properties"].clone();
    assert_eq!(
        settings,
        json!({"AzureWebJobsStorage__accountName": "stwebfunctions", "AzureWebJobsStorage__credential": "managedidentity"})
    );
    let plan = bodies(
        &cloud,
        0,
        "resourceGroups/rg-shop-paas-bcaf29f2/providers/Microsoft.Web/serverfarms/plan-jobs-dev-uks-1ee50b3e",
    );
    if let Some(plan) = plan.first() {
        assert_eq!(plan["sku"], json!({"name": "FC1", "tier": "FlexConsumption"}));
    }
    let before = cloud.requests().len();
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 7");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn another_version_is_changed_and_how_it_scales_is_kept() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("PYTHON|3.12")));
    deploy(&deployment, OWNER, &cloud);
    tamper(&cloud, APP, |app| {
        app["properties"]["functionAppConfig"]["scaleAndConcurrency"]["maximumInstanceCount"] = json!(40);
    });
    deployment.rewrite(&document("PYTHON|3.13"));
    let outcome = deploy(&deployment, OWNER, &cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 6");
    assert_eq!(outcome.plan()[0].changes.len(), 1);
    assert_eq!(outcome.plan()[0].changes[0].path, "properties.functionAppConfig.runtime.version");
    let config = config(&cloud);
    assert_eq!(
        (&config["runtime"]["version"], &config["scaleAndConcurrency"]["maximumInstanceCount"]),
        (&json!("3.13"), &json!(40))
    );
}

#[test]
fn a_container_that_somebody_chose_is_kept() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("PYTHON|3.12")));
    deploy(&deployment, OWNER, &cloud);
    let own = "https://stelsewhere.blob.core.windows.net/packages";
    tamper(&cloud, APP, |app| app["properties"]["functionAppConfig"]["deployment"]["storage"]["value"] = json!(own));
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 6");
    assert_eq!(config(&cloud)["deployment"]["storage"]["value"], own);
}

#[test]
fn who_may_not_assign_roles_deploys_with_the_key() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("NODE|22")));
    let outcome = deploy(&deployment, CONTRIBUTOR, &cloud);
    assert_eq!(outcome.summary(), "created 5");
    assert_eq!(
        config(&cloud)["deployment"]["storage"]["authentication"],
        json!({"type": "StorageAccountConnectionString", "storageAccountConnectionStringName": "AzureWebJobsStorage"})
    );
    assert_eq!(deploy(&deployment, CONTRIBUTOR, &cloud).summary(), "unchanged 5");
}
