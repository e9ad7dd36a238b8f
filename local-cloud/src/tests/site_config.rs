//! The configuration of sites and slots.

use super::common::Bench;
use super::web::{WEB, site_body, web_bench, web_path};
use serde_json::{Value, json};

fn settings(bench: &Bench, site: &str) -> Value {
    let listed = bench.call("POST", &format!("{site}/config/appsettings/list"), WEB, None);
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.json()["properties"].clone()
}

fn with_settings(settings: Value) -> Value {
    site_body(json!({"siteConfig/appSettings": settings}))
}

#[test]
fn settings_are_read_by_post_only() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    let made = bench.made(&site, WEB, &with_settings(json!([{"name": "COLOUR", "value": "blue"}])));
    let config = &made["properties"]["siteConfig"];
    assert_eq!((&config["appSettings"], &config["minTlsVersion"]), (&Value::Null, &Value::Null));
    assert!(config.as_object().unwrap().contains_key("appSettings"), "it is there, but null");
    assert_eq!((&config["linuxFxVersion"], &config["numberOfWorkers"]), (&json!("NODE|22-lts"), &json!(1)));
    assert_eq!(settings(&bench, &site), json!({"COLOUR": "blue"}));
    for name in ["appsettings", "connectionstrings", "APPSETTINGS"] {
        let refused = bench.get(&format!("{site}/config/{name}"), WEB);
        assert_eq!(refused.refusal(), (405, "MethodNotAllowed".into()), "{name}");
    }
    let listed = bench.get(&format!("{site}/config"), WEB);
    assert!(!listed.text.contains("blue"), "{listed:?}");
    assert!(listed.json()["value"].as_array().unwrap().iter().any(|config| config["name"] == "web"));
    let listed = bench.get("resourceGroups/g/providers/Microsoft.Web/sites", WEB);
    assert!(!listed.text.contains("blue"), "{listed:?}");
    let wrong = bench.call("POST", &format!("{site}/config/web/list"), WEB, None);
    assert_eq!(wrong.status, 404);
}

#[test]
fn a_put_of_settings_replaces_them_all() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    bench.made(&site, WEB, &with_settings(json!([{"name": "A", "value": "1"}, {"name": "B", "value": "2"}])));
    let put = bench.put(&format!("{site}/config/appsettings"), WEB, &json!({"properties": {"C": "3"}}));
    assert_eq!((put.status, &put.json()["properties"]), (200, &json!({"C": "3"})));
    assert_eq!(settings(&bench, &site), json!({"C": "3"}));
    let connections = json!({"properties": {"db": {"value": "Server=x", "type": "SQLAzure"}}});
    assert_eq!(bench.put(&format!("{site}/config/connectionstrings"), WEB, &connections).status, 200);
    let listed = bench.call("POST", &format!("{site}/config/connectionstrings/list"), WEB, None).json();
    assert_eq!(listed["properties"], connections["properties"]);
}

#[test]
fn a_put_of_the_site_replaces_the_settings_it_names_and_keeps_them_otherwise() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    bench.made(&site, WEB, &with_settings(json!([{"name": "A", "value": "1"}])));
    let mut config = site_body(json!({"siteConfig": {"ftpsState": "Disabled", "minTlsVersion": "1.3"}}));
    bench.made(&site, WEB, &config);
    assert_eq!(settings(&bench, &site), json!({"A": "1"}));
    config["properties"]["siteConfig"] = json!(null);
    let kept = bench.made(&site, WEB, &config);
    assert_eq!(kept["properties"]["siteConfig"]["linuxFxVersion"], "NODE|22-lts");
    let web = bench.get(&format!("{site}/config/web"), WEB).json();
    assert_eq!(
        (&web["properties"]["ftpsState"], &web["properties"]["minTlsVersion"]),
        (&json!("Disabled"), &json!("1.3"))
    );
    assert_eq!(web["properties"].get("appSettings"), None);
    // What a GET gives can be put again: its nulls change nothing.
    bench.made(&site, WEB, &kept);
    assert_eq!(bench.get(&format!("{site}/config/web"), WEB).json(), web);
    assert_eq!(settings(&bench, &site), json!({"A": "1"}));
    bench.made(&site, WEB, &with_settings(json!([{"name": "B", "value": "2"}])));
    assert_eq!(settings(&bench, &site), json!({"B": "2"}));
    bench.made(&site, WEB, &with_settings(json!([])));
    assert_eq!(settings(&bench, &site), json!({}));
}

#[test]
fn a_site_has_a_configuration_from_the_start() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    let mut plain = site_body(json!({}));
    plain["properties"]["siteConfig"] = json!(null);
    bench.made(&site, WEB, &plain);
    let web = bench.get(&format!("{site}/config/web"), WEB).json()["properties"].clone();
    assert_eq!(
        (&web["minTlsVersion"], &web["ftpsState"], &web["alwaysOn"]),
        (&json!("1.2"), &json!("FtpsOnly"), &json!(false))
    );
    assert_eq!(settings(&bench, &site), json!({}));
    let changed = bench.put(
        &format!("{site}/config/web"),
        WEB,
        &json!({"properties": {
            "alwaysOn": true, "appSettings": [{"name": "A", "value": "1"}],
        }}),
    );
    assert_eq!((changed.status, &changed.json()["properties"]["minTlsVersion"]), (200, &json!("1.2")));
    assert_eq!(changed.json()["properties"].get("appSettings"), None);
    assert_eq!(settings(&bench, &site), json!({"A": "1"}));
    assert_eq!(bench.get(&site, WEB).json()["properties"]["siteConfig"]["alwaysOn"], true);
    let patched =
        bench.call("PATCH", &format!("{site}/config/web"), WEB, Some(&json!({"properties": {"alwaysOn": false}})));
    assert_eq!((patched.status, &patched.json()["properties"]["alwaysOn"]), (200, &json!(false)));
    let unknown = bench.put(&format!("{site}/config/settings"), WEB, &json!({"properties": {}}));
    assert_eq!(unknown.refusal(), (404, "NotFound".into()));
    bench.delete(&site, WEB);
    assert_eq!(bench.get(&format!("{site}/config/web"), WEB).status, 404);
}

#[test]
fn settings_azure_refuses_are_refused() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    bench.made(&site, WEB, &site_body(json!({})));
    let put = |properties: Value| {
        bench.refused(&format!("{site}/config/appsettings"), WEB, &json!({"properties": properties})).2
    };
    assert!(put(json!({"my-setting": "1"})).contains("'my-setting' is not allowed"));
    assert!(put(json!({"A": 1})).contains("appSettings['A']"));
    assert!(put(json!([])).contains("properties"));
    let twice = with_settings(json!([{"name": "A", "value": "1"}, {"name": "a", "value": "2"}]));
    assert!(bench.refused(&site, WEB, &twice).2.contains("is duplicated"));
    assert!(bench.refused(&site, WEB, &with_settings(json!({"A": "1"}))).2.contains("appSettings"));
    assert!(bench.refused(&site, WEB, &with_settings(json!([{"value": "1"}]))).2.contains("appSettings"));
    let web = json!({"properties": {"minTlsVersion": "3"}});
    assert!(bench.refused(&format!("{site}/config/web"), WEB, &web).2.contains("minTlsVersion"));
    let missing = bench.put(&web_path("sites/none/config", "appsettings"), WEB, &json!({"properties": {}}));
    assert_eq!(missing.refusal(), (404, "ParentResourceNotFound".into()));
}

#[test]
fn a_slot_has_settings_of_its_own() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    bench.made(&site, WEB, &with_settings(json!([{"name": "A", "value": "1"}])));
    let slot = format!("{site}/slots/next");
    bench.made(
        &slot,
        WEB,
        &json!({"location": "uksouth", "properties": {"siteConfig": {"linuxFxVersion": "PHP|8.4"}}}),
    );
    assert_eq!(settings(&bench, &slot), json!({}));
    bench.put(&format!("{slot}/config/appsettings"), WEB, &json!({"properties": {"B": "2"}}));
    assert_eq!((settings(&bench, &slot), settings(&bench, &site)), (json!({"B": "2"}), json!({"A": "1"})));
    let shown = bench.get(&slot, WEB).json();
    assert_eq!(shown["properties"]["siteConfig"]["linuxFxVersion"], "PHP|8.4");
    assert_eq!(bench.get(&site, WEB).json()["properties"]["siteConfig"]["linuxFxVersion"], "NODE|22-lts");
}

#[test]
fn a_function_app_has_stacks_of_its_own() {
    let bench = web_bench();
    let path = web_path("sites", "work");
    let body = |stack: &str| {
        let mut body = site_body(json!({"siteConfig": {
            "linuxFxVersion": stack,
            "appSettings": [
                {"name": "FUNCTIONS_EXTENSION_VERSION", "value": "~4"},
                {"name": "AzureWebJobsStorage__accountName", "value": "stwork"},
            ],
        }}));
        body["kind"] = json!("functionapp,linux");
        body
    };
    assert!(bench.refused(&path, WEB, &body("PHP|8.4")).2.contains("LinuxFxVersion"));
    let made = bench.made(&path, WEB, &body("DOTNET-ISOLATED|10.0"));
    assert_eq!(
        (&made["kind"], &made["properties"]["clientAffinityEnabled"]),
        (&json!("functionapp,linux"), &json!(false))
    );
    assert_eq!(settings(&bench, &path)["FUNCTIONS_EXTENSION_VERSION"], "~4");
}
