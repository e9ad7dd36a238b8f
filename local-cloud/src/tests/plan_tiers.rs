//! The tiers of plans: what runs on them, what their apps can have, and what they can become.

use super::common::{Bench, NETWORK, absolute, change_members, network_path};
use super::web::{WEB, plan_body, site_body, web_path};
use serde_json::{Value, json};

/// A cloud with a plan `p` of a sku in the group `g`.
fn bench(sku: &str) -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&web_path("serverfarms", "p"), WEB, &plan_body(sku));
    bench
}

/// A function app on the plan `p`.
fn function_body() -> Value {
    let mut body = site_body(json!({"siteConfig": {"linuxFxVersion": "PYTHON|3.12"}}));
    body["kind"] = json!("functionapp,linux");
    body
}

/// A function app on the Flex Consumption plan `p`.
fn flex_body(change: Value) -> Value {
    let mut body = site_body(json!({"siteConfig": {"minTlsVersion": "1.2"}, "functionAppConfig": {
        "deployment": {"storage": {
            "type": "blobContainer",
            "value": "https://stwork.blob.core.windows.net/package",
            "authentication": {"type": "SystemAssignedIdentity"},
        }},
        "scaleAndConcurrency": {"maximumInstanceCount": 100, "instanceMemoryMB": 2048},
        "runtime": {"name": "python", "version": "3.12"},
    }}));
    body["kind"] = json!("functionapp,linux");
    change_members(&mut body["properties"], change);
    body
}

#[test]
fn plans_run_the_kinds_of_apps_of_their_tier() {
    for (sku, web_apps, functions) in
        [("F1", true, false), ("B1", true, true), ("EP1", false, true), ("Y1", false, true), ("WS1", false, false)]
    {
        let bench = bench(sku);
        for (body, runs) in [(site_body(json!({})), web_apps), (function_body(), functions)] {
            let name = body["kind"].as_str().unwrap().split(',').next().unwrap();
            let put = bench.put(&web_path("sites", name), WEB, &body);
            assert_eq!(put.status == 202, runs, "{sku} {name} {put:?}");
            assert!(runs || put.text.contains("are not supported by plans of the tier"), "{put:?}");
        }
    }
}

#[test]
fn tiers_that_cannot_be_had_are_refused() {
    let bench = bench("EP1");
    let plan = |name: &str| web_path("serverfarms", name);
    assert!(bench.refused(&plan("q"), WEB, &plan_body("I1v2")).2.contains("in an App Service Environment only"));
    let mut windows = plan_body("FC1");
    windows["properties"]["reserved"] = json!(false);
    assert!(bench.refused(&plan("q"), WEB, &windows).2.contains("for Linux plans only"));
    bench.made(&plan("p"), WEB, &plan_body("EP3"));
    let refused = bench.refused(&plan("p"), WEB, &plan_body("B1"));
    assert_eq!((refused.0, refused.1.as_str()), (409, "Conflict"));
    assert!(refused.2.contains("cannot be changed from the tier 'ElasticPremium' to 'Basic'"), "{}", refused.2);
}

#[test]
fn a_flex_consumption_app_has_a_configuration_of_its_own() {
    let bench = bench("FC1");
    let site = web_path("sites", "work");
    let refused = |change: Value| bench.refused(&site, WEB, &flex_body(change)).2;
    assert!(refused(json!({"functionAppConfig": null})).contains("which is required for Flex Consumption sites"));
    assert!(
        refused(json!({"siteConfig/linuxFxVersion": "PYTHON|3.12"})).contains("linuxFxVersion for Flex Consumption")
    );
    for (path, value) in [
        ("functionAppConfig/runtime/name", json!("php")),
        ("functionAppConfig/runtime/version", Value::Null),
        ("functionAppConfig/deployment/storage/value", json!("stwork")),
        ("functionAppConfig/deployment/storage/authentication/type", json!("None")),
        ("functionAppConfig/deployment/storage/authentication/type", json!("StorageAccountConnectionString")),
        ("functionAppConfig/scaleAndConcurrency/instanceMemoryMB", json!(1000)),
    ] {
        assert!(refused(json!({ path: value })).contains("FunctionAppConfig."), "{path}");
    }
    let worker = json!([{"name": "FUNCTIONS_WORKER_RUNTIME", "value": "python"}]);
    assert!(
        refused(json!({"siteConfig/appSettings": worker}))
            .contains("(site.siteconfig.appsettings.FUNCTIONS_WORKER_RUNTIME) for Flex Consumption sites is invalid")
    );
    let made = bench.made(&site, WEB, &flex_body(json!({})));
    assert_eq!(made["properties"]["sku"], "FlexConsumption");
    assert_eq!(made["properties"]["functionAppConfig"]["runtime"]["name"], "python");
    let settings = json!({"properties": {"FUNCTIONS_EXTENSION_VERSION": "~4"}});
    assert!(bench.refused(&format!("{site}/config/appsettings"), WEB, &settings).2.contains("for Flex Consumption"));
    let second = bench.refused(&web_path("sites", "other"), WEB, &flex_body(json!({}))).2;
    assert!(second.contains("There can only be one site per Flex Consumption serverfarm"), "{second}");
    // It stays on its tier, and nothing else comes there.
    bench.made(&web_path("serverfarms", "q"), WEB, &plan_body("B1"));
    let mut moved = function_body();
    moved["properties"]["serverFarmId"] = json!(absolute(&web_path("serverfarms", "q")));
    assert!(bench.refused(&site, WEB, &moved).2.contains("cannot be moved from a plan of the tier 'FlexConsumption'"));
    assert!(
        bench
            .refused(&web_path("sites", "third"), WEB, &{
                let mut body = flex_body(json!({}));
                body["properties"]["serverFarmId"] = moved["properties"]["serverFarmId"].clone();
                body
            })
            .2
            .contains("for Flex Consumption sites only")
    );
}

#[test]
fn private_endpoints_need_a_tier_that_has_them() {
    for (sku, has) in [("F1", false), ("B1", true)] {
        let bench = bench(sku);
        bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
        bench.made(&web_path("sites", "shop"), WEB, &site_body(json!({})));
        let body = json!({"location": "uksouth", "properties": {
            "subnet": {"id": absolute(&network_path("virtualNetworks/v/subnets", "a"))},
            "privateLinkServiceConnections": [{"name": "c", "properties": {
                "privateLinkServiceId": absolute(&web_path("sites", "shop")), "groupIds": ["sites"],
            }}],
        }});
        let put = bench.put(&network_path("privateEndpoints", "e"), NETWORK, &body);
        assert_eq!(put.status == 201, has, "{sku} {put:?}");
        assert!(has || put.text.contains("SkuCode 'Free' is invalid for private endpoint"), "{put:?}");
    }
}
