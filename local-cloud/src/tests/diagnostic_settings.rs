use super::common::{
    Bench, LOGS, RESOURCES, STORAGE, absolute, account_path, insights_path, workspace_path as workspace,
};
use serde_json::{Value, json};

const VERSION: &str = "2021-05-01-preview";

/// A workspace, an account and an imported bastion host and vault.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&workspace("logs"), LOGS, &json!({"location": "uksouth"}));
    bench.account("abc", json!({}));
    let resources = json!([
        {"id": absolute(&host()), "location": "uksouth", "properties": {}},
        {"id": absolute(&vault()), "location": "uksouth", "properties": {}},
        {"id": absolute(&component()), "location": "uksouth", "properties": {}},
    ]);
    bench.cloud.import(resources.as_array().unwrap()).unwrap();
    bench
}

fn host() -> String {
    "resourceGroups/g/providers/Microsoft.Network/bastionHosts/b".to_owned()
}

fn vault() -> String {
    "resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-1".to_owned()
}

fn component() -> String {
    insights_path("components", "app")
}

fn setting(scope: &str, name: &str) -> String {
    format!("{scope}/providers/Microsoft.Insights/diagnosticSettings/{name}")
}

fn body(logs: Value) -> Value {
    json!({"properties": {"workspaceId": absolute(&workspace("logs")), "logs": logs}})
}

fn category(name: &str) -> Value {
    json!([{"category": name, "enabled": true}])
}

fn group(name: &str) -> Value {
    json!([{"categoryGroup": name, "enabled": true}])
}

#[test]
fn a_setting_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let sent = json!({"properties": {
        "workspaceId": absolute(&workspace("logs")),
        "logs": group("audit"),
        "metrics": [{"category": "AllMetrics", "enabled": true}],
    }});
    let made = bench.put(&setting(&host(), "Service"), VERSION, &sent);
    assert_eq!(made.status, 200);
    let made = made.json();
    assert_eq!(made["type"], "Microsoft.Insights/diagnosticSettings");
    assert_eq!(made.get("location"), None);
    let properties = &made["properties"];
    assert_eq!(properties["storageAccountId"], Value::Null);
    let no_retention = json!({"enabled": false, "days": 0});
    assert_eq!(
        properties["logs"],
        json!([{"categoryGroup": "audit", "enabled": true, "category": null, "retentionPolicy": no_retention}])
    );
    assert_eq!(bench.put(&setting(&host(), "Service"), VERSION, &made).status, 200);
    let listed = bench.get(&format!("{}/providers/Microsoft.Insights/diagnosticSettings", host()), VERSION);
    assert_eq!(listed.json()["value"].as_array().unwrap().len(), 1);
    assert_eq!(bench.delete(&setting(&host(), "Service"), VERSION).status, 200);
    assert_eq!(bench.get(&setting(&host(), "Service"), VERSION).status, 404);
}

#[test]
fn destinations_exist() {
    let bench = bench();
    let refused =
        |properties: Value| bench.put(&setting(&host(), "s"), VERSION, &json!({"properties": properties})).refusal();
    assert_eq!(refused(json!({"logs": group("audit")})), (400, "BadRequest".into()));
    assert_eq!(refused(json!({"workspaceId": "", "logs": []})), (400, "BadRequest".into()));
    assert_eq!(refused(json!({"workspaceId": "logs"})), (400, "BadRequest".into()));
    assert_eq!(refused(json!({"workspaceId": absolute(&account_path("abc"))})), (400, "BadRequest".into()));
    assert_eq!(refused(json!({"workspaceId": absolute(&workspace("none"))})), (404, "ResourceNotFound".into()));
    assert_eq!(refused(json!({"storageAccountId": absolute(&account_path("none"))})), (404, "ResourceNotFound".into()));
    let rule =
        "resourceGroups/g/providers/Microsoft.EventHub/namespaces/n/authorizationRules/RootManageSharedAccessKey";
    assert_eq!(refused(json!({"eventHubAuthorizationRuleId": absolute(rule)})), (404, "ResourceNotFound".into()));
    let account = json!({"properties": {"storageAccountId": absolute(&account_path("abc")), "logs": group("audit")}});
    assert_eq!(bench.put(&setting(&host(), "s"), VERSION, &account).status, 200);
    let on_group = bench.put(&setting("resourceGroups/g", "s"), VERSION, &body(group("audit")));
    assert_eq!(on_group.refusal(), (400, "ResourceTypeNotSupported".into()));
    let on_nothing = bench.put(&setting(&account_path("none"), "s"), VERSION, &body(group("audit")));
    assert_eq!(on_nothing.refusal(), (404, "ResourceNotFound".into()));
}

#[test]
fn categories_are_those_of_the_type() {
    let bench = bench();
    let status = |scope: &str, logs: Value| bench.put(&setting(scope, "s"), VERSION, &body(logs)).status;
    let vault = vault();
    let blobs = format!("{}/blobServices/default", account_path("abc"));
    let subscription = absolute("").trim_end_matches('/').to_owned();
    for (scope, logs, expected) in [
        (host(), category("BastionAuditLogs"), 200),
        (host(), category("AuditEvent"), 400),
        (host(), group("allLogs"), 200),
        (host(), group("some"), 400),
        (vault.clone(), category("AuditEvent"), 200),
        (vault, category("bastionauditlogs"), 400),
        (workspace("logs"), category("Audit"), 200),
        (account_path("abc"), group("allLogs"), 400),
        (blobs, category("StorageRead"), 200),
        (subscription.clone(), category("Administrative"), 200),
        (subscription.clone(), category("Recommendation"), 200),
        (subscription, category("Audit"), 400),
        (component(), category("AppRequests"), 200),
        (component(), group("allLogs"), 200),
        (component(), group("audit"), 400),
        (host(), json!([{"category": "BastionAuditLogs"}]), 400),
        (host(), json!([{"enabled": true}]), 400),
        (host(), json!([{"category": "BastionAuditLogs", "categoryGroup": "audit", "enabled": true}]), 400),
        (
            host(),
            json!([{"category": "BastionAuditLogs", "enabled": true, "retentionPolicy": {"enabled": true, "days": 5}}]),
            400,
        ),
    ] {
        assert_eq!(status(&scope, logs.clone()), expected, "{scope} {logs}");
    }
}

#[test]
fn metrics_are_those_of_the_type() {
    let bench = bench();
    let subscription = absolute("").trim_end_matches('/').to_owned();
    for (scope, category, expected) in [
        (host(), "AllMetrics", 200),
        (host(), "Transaction", 400),
        (component(), "allmetrics", 200),
        (account_path("abc"), "Transaction", 200),
        (account_path("abc"), "Capacities", 400),
        (subscription, "AllMetrics", 200),
        ("resourceGroups/g/providers/Microsoft.Compute/disks/d".to_owned(), "Anything", 200),
    ] {
        if scope.contains("disks") {
            bench.put(&scope, "2025-01-02", &json!({"location": "uksouth"}));
        }
        let metrics = json!([{"category": category, "enabled": true}]);
        let body = json!({"properties": {"workspaceId": absolute(&workspace("logs")), "metrics": metrics}});
        assert_eq!(bench.put(&setting(&scope, "s"), VERSION, &body).status, expected, "{scope} {category}");
    }
}

#[test]
fn the_settings_of_a_subscription_are_listed_and_deleted() {
    let bench = bench();
    let setting = setting("", "Activity").trim_start_matches('/').to_owned();
    let categories = [
        "Administrative",
        "Security",
        "ServiceHealth",
        "Alert",
        "Recommendation",
        "Policy",
        "Autoscale",
        "ResourceHealth",
    ];
    let logs: Vec<Value> = categories.iter().map(|name| json!({"category": name, "enabled": true})).collect();
    let made = bench.put(&setting, VERSION, &body(logs.into()));
    assert_eq!(made.status, 200);
    // Ids of these have no slash before them.
    let in_ids = absolute(&setting).replace("Microsoft.Insights", "microsoft.insights");
    let shown = bench.get(&setting, VERSION).json();
    assert_eq!((&shown["id"], &shown["location"]), (&json!(in_ids[1..]), &json!("global")));
    assert_eq!(made.json()["id"], shown["id"]);
    assert_eq!(bench.put(&setting, VERSION, &made.json()).status, 200);
    let list = || bench.get("providers/Microsoft.Insights/diagnosticSettings", VERSION).json()["value"].clone();
    assert_eq!(list().as_array().unwrap().len(), 1);
    assert_eq!(list()[0]["id"], shown["id"]);
    let again = bench.put(&format!("{setting}2"), VERSION, &body(category("Policy")));
    assert_eq!(again.refusal(), (409, "Conflict".into()));
    assert_eq!([bench.delete(&setting, VERSION).status, bench.delete(&setting, VERSION).status], [200, 204]);
    assert_eq!(list(), json!([]));
}

#[test]
fn one_category_goes_to_one_place_once() {
    let bench = bench();
    let put = |name: &str, body: &Value| bench.put(&setting(&host(), name), VERSION, body);
    assert_eq!(put("first", &body(category("BastionAuditLogs"))).status, 200);
    for logs in [category("BastionAuditLogs"), group("audit"), group("allLogs")] {
        let refused = put("second", &body(logs));
        assert_eq!(refused.refusal(), (409, "Conflict".into()));
        assert!(refused.text.contains("is already used in diagnostic setting 'first'"), "{refused:?}");
    }
    let off = json!([{"category": "BastionAuditLogs", "enabled": false}]);
    assert_eq!(put("second", &body(off)).status, 200);
    let elsewhere =
        json!({"properties": {"storageAccountId": absolute(&account_path("abc")), "logs": group("allLogs")}});
    assert_eq!(put("third", &elsewhere).status, 200);
    for name in ["fourth", "fifth"] {
        assert_eq!(put(name, &body(json!([]))).status, 200);
    }
    let (status, code, message) = bench.refused(&setting(&host(), "sixth"), VERSION, &body(json!([])));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert!(message.contains("limit of 5"), "{message}");
    assert_eq!(put("fifth", &body(json!([]))).status, 200);
}

#[test]
fn a_vault_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    const VAULTS: &str = "2024-11-01";
    let imported = bench.get(&vault(), VAULTS).json();
    assert_eq!(imported["properties"]["vaultUri"], "https://kv-1.vault.azure.net/");
    assert_eq!(imported["properties"]["sku"], json!({"family": "A", "name": "standard"}));
    assert_eq!(bench.put(&vault(), VAULTS, &json!({"location": "uksouth"})).refusal(), (400, "BadRequest".into()));
    assert_eq!(bench.put(&vault(), VAULTS, &imported).status, 200);
    bench.group("h");
    let same = vault().replace("resourceGroups/g", "resourceGroups/h");
    assert_eq!(bench.put(&same, VAULTS, &imported).refusal(), (409, "VaultAlreadyExists".into()));
    let bad = vault().replace("kv-1", "1-kv");
    assert_eq!(bench.put(&bad, VAULTS, &imported).refusal(), (400, "VaultNameNotValid".into()));
    assert_eq!(bench.delete(&vault(), VAULTS).status, 200);
    assert_eq!(bench.get("resources", RESOURCES).json()["value"].as_array().unwrap().len(), 4);
    assert_eq!(bench.get(&account_path("abc"), STORAGE).status, 200);
}
