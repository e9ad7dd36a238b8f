//! Children that a resource brings along, what is done to it by a word, and what is older than a rule.

use super::common::{Bench, NETWORK, RESOURCES, absolute, network_path};
use serde_json::{Value, json};

const WEB: &str = "2025-03-01";
const VAULTS: &str = "2023-07-01";

fn web(path: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Web/{path}")
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

fn with_site() -> Bench {
    let bench = bench();
    bench.made(&web("serverfarms/p"), WEB, &json!({"location": "uksouth", "sku": {"name": "S1"}}));
    let plan = absolute(&web("serverfarms/p"));
    bench.made(&web("sites/shop"), WEB, &json!({"location": "uksouth", "properties": {"serverFarmId": plan}}));
    bench
}

fn names(bench: &Bench, path: &str) -> Vec<Value> {
    let list = bench.get(path, WEB).json();
    list["value"]
        .as_array()
        .unwrap_or_else(|| panic!("{path}: {list}"))
        .iter()
        .map(|item| item["name"].clone())
        .collect()
}

#[test]
fn a_site_has_the_children_that_every_site_has() {
    let bench = with_site();
    let policies = web("sites/shop/basicPublishingCredentialsPolicies");
    assert_eq!(names(&bench, &policies), ["ftp", "scm"]);
    let scm = format!("{policies}/scm");
    assert_eq!(bench.get(&scm, WEB).json()["properties"], json!({"allow": true}));
    assert_eq!(bench.put(&scm, WEB, &json!({"properties": {"allow": false}})).status, 200);
    assert_eq!(bench.get(&scm, WEB).json()["properties"], json!({"allow": false}));
    assert_eq!(names(&bench, &policies), ["ftp", "scm"]);
    for (name, pointer, value) in
        [("logs", "/httpLogs/fileSystem/enabled", json!(false)), ("authsettingsV2", "/platform/enabled", json!(false))]
    {
        let config = bench.get(&web(&format!("sites/shop/config/{name}")), WEB).json();
        assert_eq!(config["properties"].pointer(pointer), Some(&value), "{config}");
    }
    assert!(!names(&bench, &web("sites/shop/config")).contains(&json!("appsettings")));
    assert_eq!(bench.get(&web("sites/none/config/logs"), WEB).status, 404);
}

#[test]
fn a_site_is_stopped_and_started() {
    let bench = with_site();
    let site = web("sites/shop");
    let post = |word: &str| bench.call("POST", &format!("{site}/{word}"), WEB, None);
    let state = || bench.get(&site, WEB).json()["properties"]["state"].clone();
    for (word, after) in [("restart", "Running"), ("stop", "Stopped"), ("start", "Running")] {
        assert_eq!(post(word).status, 200);
        assert_eq!(state(), after);
    }
    assert_eq!(post("slotsswap").refusal(), (404, "NotFound".into()));
    assert_eq!(bench.call("POST", &web("sites/none/stop"), WEB, None).status, 404);
}

#[test]
fn access_policies_change_the_vault() {
    let bench = bench();
    let vault = "resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv1";
    let tenant = crate::LOCAL_TENANT_ID;
    let body = json!({"location": "uksouth", "properties": {"tenantId": tenant, "sku": {"family": "A", "name": "standard"}, "accessPolicies": []}});
    bench.made(vault, VAULTS, &body);
    let policy =
        |who: &str, rights: &str| json!({"tenantId": tenant, "objectId": who, "permissions": {"secrets": [rights]}});
    let (one, two) = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222");
    let change = |word: &str, policies: Value| {
        let answer = bench.put(
            &format!("{vault}/accessPolicies/{word}"),
            VAULTS,
            &json!({"properties": {"accessPolicies": policies}}),
        );
        assert!([200, 201].contains(&answer.status), "{answer:?}");
        let now = bench.get(vault, VAULTS).json()["properties"]["accessPolicies"].clone();
        assert_eq!(answer.json()["properties"]["accessPolicies"], now);
        now
    };
    assert_eq!(change("add", json!([policy(one, "get")])), json!([policy(one, "get")]));
    assert_eq!(change("add", json!([policy(two, "list")])), json!([policy(one, "get"), policy(two, "list")]));
    assert_eq!(change("replace", json!([policy(two, "set")])), json!([policy(two, "set")]));
    assert_eq!(change("remove", json!([policy(two, "set")])), json!([]));
    assert_eq!(bench.put(&format!("{vault}/accessPolicies/x"), VAULTS, &json!({"properties": {}})).status, 400);
    assert_eq!(bench.cloud.resource(&absolute(&format!("{vault}/accessPolicies/add"))), None);
}

#[test]
fn what_exists_is_not_checked_for_what_does_not_change() {
    let bench = bench();
    let address = network_path("publicIPAddresses", "old");
    let network = network_path("virtualNetworks", "v");
    bench
        .cloud
        .import(&[
            json!({"id": absolute(&address), "location": "uksouth", "sku": {"name": "Basic"}, "properties": {"publicIPAllocationMethod": "Dynamic"}}),
            json!({"id": absolute(&network), "location": "uksouth", "properties": {
                "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
                "subnets": [{"name": "AzureBastionSubnet", "properties": {"addressPrefix": "10.0.0.0/27"}}],
            }}),
        ])
        .unwrap();
    assert_eq!(bench.call("PATCH", &address, NETWORK, Some(&json!({"tags": {"a": "1"}}))).status, 200);
    let again =
        json!({"location": "uksouth", "sku": {"name": "Basic"}, "properties": {"publicIPAllocationMethod": "Dynamic"}});
    assert_eq!(bench.put(&address, NETWORK, &again).status, 200);
    let subnet = |name: &str, prefix: &str| {
        bench.put(&format!("{network}/subnets/{name}"), NETWORK, &json!({"properties": {"addressPrefix": prefix}}))
    };
    assert_eq!(subnet("beside", "10.0.1.0/24").status, 201);
    assert_eq!(bench.call("PATCH", &network, NETWORK, Some(&json!({"tags": {"a": "1"}}))).status, 200);
    assert_eq!(subnet("AzureBastionSubnet", "10.0.0.32/27").refusal().1, "BastionSubnetTooSmall");
}

#[test]
fn a_deployment_says_where_its_resources_are_and_has_its_operations_at_both_paths() {
    let bench = bench();
    let template = json!({
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0",
        "languageVersion": "2.0",
        "resources": {"v": {"type": "Microsoft.Network/virtualNetworks", "apiVersion": NETWORK, "name": "v", "location": "uksouth",
            "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}}},
    });
    let path = "resourceGroups/g/providers/Microsoft.Resources/deployments/d";
    bench.put(path, RESOURCES, &json!({"properties": {"mode": "Incremental", "template": template}}));
    let mut deployment = bench.get(path, RESOURCES).json();
    for _ in 0..200 {
        if deployment["properties"]["provisioningState"] == "Succeeded" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        deployment = bench.get(path, RESOURCES).json();
    }
    let kinds = &deployment["properties"]["providers"][0]["resourceTypes"];
    assert_eq!(kinds, &json!([{"resourceType": "virtualNetworks", "locations": ["uksouth"]}]));
    let operations = bench.get(&format!("{path}/operations"), RESOURCES).json();
    assert_eq!(bench.get("resourceGroups/g/deployments/d/operations", RESOURCES).json(), operations);
    let one = operations["value"][0]["operationId"].as_str().unwrap();
    assert_eq!(
        bench.get(&format!("resourceGroups/g/deployments/d/operations/{one}"), RESOURCES).json(),
        operations["value"][0]
    );
}
