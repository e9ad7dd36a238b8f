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
    assert_eq!(post("slotsswap").refusal(), (400, "BadRequest".into()));
    assert_eq!(bench.call("POST", &web("sites/none/stop"), WEB, None).status, 404);
}

#[test]
fn a_slot_changes_places_with_its_app_but_for_what_stays() {
    let bench = with_site();
    let (app, slot) = (web("sites/shop"), web("sites/shop/slots/stage"));
    bench.made(&slot, WEB, &json!({"location": "uksouth"}));
    for (at, name) in [(&app, "app"), (&slot, "slot")] {
        let settings = json!({"properties": {"COLOUR": name, "WHERE": name}});
        assert_eq!(bench.put(&format!("{at}/config/appsettings"), WEB, &settings).status, 200);
        assert_eq!(
            bench.put(&format!("{at}/config/web"), WEB, &json!({"properties": {"appCommandLine": name}})).status,
            200
        );
    }
    let sticky = json!({"properties": {"appSettingNames": ["WHERE"]}});
    assert_eq!(bench.put(&format!("{app}/config/slotConfigNames"), WEB, &sticky).status, 200);
    let swap = |at: &str, target: &str| {
        bench.call("POST", &format!("{at}/slotsswap"), WEB, Some(&json!({"targetSlot": target})))
    };
    let settings = |at: &str| {
        let all = bench.call("POST", &format!("{at}/config/appsettings/list"), WEB, None).json()["properties"].clone();
        let line = bench.get(&format!("{at}/config/web"), WEB).json()["properties"]["appCommandLine"].clone();
        (all["COLOUR"].clone(), all["WHERE"].clone(), line)
    };
    assert_eq!(swap(&app, "stage").status, 200);
    assert_eq!(settings(&app), (json!("slot"), json!("app"), json!("slot")));
    assert_eq!(settings(&slot), (json!("app"), json!("slot"), json!("app")));
    assert_eq!(swap(&slot, "production").status, 200);
    assert_eq!(settings(&app), (json!("app"), json!("app"), json!("app")));
    assert_eq!(swap(&app, "none").refusal(), (404, "ResourceNotFound".into()));
    let credentials = bench.call("POST", &format!("{app}/config/publishingcredentials/list"), WEB, None).json();
    assert_eq!(credentials["properties"]["publishingUserName"], "$shop");
    assert!(credentials["properties"]["scmUri"].as_str().unwrap().ends_with("@shop.scm.azurewebsites.net"));
}

#[test]
fn what_an_answer_of_azure_says_stays() {
    let bench = bench();
    let id = absolute("resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i");
    let identity =
        json!({"type": "UserAssigned", "userAssignedIdentities": {&id: {"principalId": "p", "clientId": "c"}}});
    let (network, site) = (network_path("virtualNetworks", "v"), web("sites/old"));
    let links = json!([{"name": "l", "properties": {"linkedResourceType": "Microsoft.Web/serverfarms"}}]);
    bench
        .cloud
        .import(&[
            json!({"id": absolute(&web("serverfarms/p")), "location": "uksouth", "sku": {"name": "S1"}, "properties": {}}),
            json!({"id": absolute(&site), "location": "uksouth", "identity": identity, "etag": "one",
                "properties": {"serverFarmId": absolute(&web("serverfarms/p"))}}),
            json!({"id": absolute(&network), "location": "uksouth", "etag": "two", "properties": {
                "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
                "subnets": [{"name": "s", "properties": {"addressPrefix": "10.0.0.0/24", "serviceAssociationLinks": links}}],
            }}),
        ])
        .unwrap();
    assert_eq!(bench.get(&network, NETWORK).json()["etag"], "two");
    let again = json!({"location": "uksouth", "properties": {
        "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
        "subnets": [{"name": "s", "properties": {"addressPrefix": "10.0.0.0/24"}}],
    }});
    assert_eq!(bench.put(&network, NETWORK, &again).status, 200);
    assert_eq!(
        bench.get(&network, NETWORK).json()["properties"]["subnets"][0]["properties"]["serviceAssociationLinks"],
        links
    );
    let body = json!({"location": "uksouth", "identity": {"type": "UserAssigned", "userAssignedIdentities": {&id: {}}},
        "properties": {"serverFarmId": absolute(&web("serverfarms/p"))}});
    bench.made(&site, WEB, &body);
    assert_eq!(bench.get(&site, WEB).json()["identity"], identity);
}

#[test]
fn a_key_is_made_anew_alone() {
    let bench = bench();
    bench.account("abc", json!({}));
    let account = super::common::account_path("abc");
    let keys = |word: &str, body: Option<&Value>| {
        let keys =
            bench.call("POST", &format!("{account}/{word}"), super::common::STORAGE, body).json()["keys"].clone();
        [0, 1].map(|index| keys[index]["value"].as_str().unwrap().to_owned())
    };
    let before = keys("listKeys", None);
    std::thread::sleep(std::time::Duration::from_millis(5));
    let after = keys("regenerateKey", Some(&json!({"keyName": "key2"})));
    assert_eq!((&before[0], before[1] != after[1]), (&after[0], true));
    assert_eq!(keys("listKeys", None), after);
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
        "resources": [{"type": "Microsoft.Network/virtualNetworks", "apiVersion": NETWORK, "name": "v", "location": "[resourceGroup().location]",
            "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}}],
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
