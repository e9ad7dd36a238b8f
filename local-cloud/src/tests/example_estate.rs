use super::common::{ACTION_GROUPS, Bench, DNS, NETWORK, RESOURCES, absolute, network_path};
use crate::{Imported, LocalCloudOptions, import_file};
use serde_json::{Value, json};
use std::path::PathBuf;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/landing-zone.json")
}

#[test]
fn the_landing_zone_of_the_examples_imports() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    assert_eq!(import_file(&file(), &state).unwrap(), Imported::Resources(17));
    let bench = Bench::with(LocalCloudOptions { state_file: Some(state), ..super::common::quick() });
    let published = |name: &str, of: &str| {
        let filter = format!("{of}?$filter=tagName eq 'svc-service' and tagValue eq '{name}'");
        let found = bench.get(&filter, RESOURCES).json()["value"].as_array().unwrap().clone();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        found[0]["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(published("landing-zone", "resourceGroups"), absolute("resourceGroups/rg-landing-zone"));
    for (name, end) in [
        ("hub-network", "virtualNetworks/vnet-hub"),
        ("spoke-network", "virtualNetworks/vnet-spoke"),
        ("central-logs", "workspaces/log-landing-zone"),
        ("central-vault", "vaults/kv-landing-zone"),
        ("central-files", "storageAccounts/stlandingzone"),
        ("vault-zone", "privateDnsZones/privatelink.vaultcore.azure.net"),
        ("ops-team", "actionGroups/ag-ops-team"),
        ("on-call", "actionGroups/ag-on-call"),
        ("web-insights", "components/appi-web"),
        ("web-storage", "storageAccounts/stwebfunctions"),
        ("web-keyvault", "vaults/kv-web"),
        ("web-firewall", "FrontDoorWebApplicationFirewallPolicies/wafweb"),
    ] {
        let id = published(name, "resources");
        assert!(id.ends_with(end), "{id}");
    }
    let machines = |tag: &str, value: &str| {
        let filter = format!("resources?$filter=tagName eq '{tag}' and tagValue eq '{value}'");
        let found = bench.get(&filter, RESOURCES).json()["value"].clone();
        found.as_array().unwrap().iter().map(|machine| machine["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(machines("svc-service", "shop-servers"), ["vm-shop-1", "vm-shop-2"]);
    assert_eq!(machines("svc-monitor-exception", "maintenance"), ["vm-shop-2"]);
    let group = bench.get(&published("on-call", "resources"), ACTION_GROUPS).json();
    assert_eq!(group["properties"]["emailReceivers"][0]["status"], "Enabled");
    let hub = bench.get(&published("hub-network", "resources"), NETWORK).json();
    let subnets: Vec<(&Value, &Value)> = hub["properties"]["subnets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|subnet| (&subnet["name"], &subnet["properties"]["addressPrefix"]))
        .collect();
    assert_eq!(subnets, [(&json!("endpoints"), &json!("10.10.1.0/24")), (&json!("workload"), &json!("10.10.2.0/24"))]);
}

/// An import is not checked; the file is to be such that Azure would take it as well.
#[test]
fn the_landing_zone_of_the_examples_could_be_put() {
    let resources: Vec<Value> = serde_json::from_slice(&std::fs::read(file()).unwrap()).unwrap();
    let bench = Bench::new();
    for resource in resources {
        let id = resource["id"].as_str().unwrap();
        let version = match id {
            id if id.contains("/virtualNetworks/") => NETWORK,
            id if id.contains("/privateDnsZones/") => DNS,
            id if id.contains("/storageAccounts/") => super::common::STORAGE,
            id if id.contains("/vaults/") => "2024-11-01",
            id if id.contains("/workspaces/") => "2025-07-01",
            id if id.contains("/actionGroups/") => ACTION_GROUPS,
            id if id.contains("/components/") => "2020-02-02",
            id if id.contains("FirewallPolicies/") => "2025-11-01",
            _ => RESOURCES,
        };
        let reply = bench.put(id, version, &resource);
        assert!([200, 201, 202].contains(&reply.status), "{reply:?}");
    }
}

#[test]
fn what_was_read_can_be_imported() {
    let first = Bench::new();
    let resources: Vec<Value> = serde_json::from_slice(&std::fs::read(file()).unwrap()).unwrap();
    first.cloud.import(&resources).unwrap();
    let within = |kind: &str, name: &str| {
        network_path(kind, name).replace("resourceGroups/g/", "resourceGroups/rg-landing-zone/")
    };
    let body = json!({"location": "uksouth", "properties": {
        "subnet": {"id": absolute(&within("virtualNetworks/vnet-hub/subnets", "endpoints"))},
        "privateLinkServiceConnections": [{"name": "c", "properties": {
            "privateLinkServiceId":
                absolute("resourceGroups/rg-landing-zone/providers/Microsoft.KeyVault/vaults/kv-landing-zone"),
            "groupIds": ["vault"],
        }}],
    }});
    let endpoint = first.made(&within("privateEndpoints", "e"), NETWORK, &body);
    let interface = first.get(endpoint["properties"]["networkInterfaces"][0]["id"].as_str().unwrap(), NETWORK).json();
    let network = first.get(&within("virtualNetworks", "vnet-hub"), NETWORK).json();

    // In any order: what refers to something comes after it.
    let exported = [endpoint.clone(), interface.clone(), network.clone()];
    let second = Bench::new();
    let mut all: Vec<Value> = exported.to_vec();
    all.extend(resources.iter().filter(|resource| !resource["id"].as_str().unwrap().ends_with("vnet-hub")).cloned());
    second.cloud.import(&all).unwrap();
    for exported in [&endpoint, &interface, &network] {
        let mut imported = second.cloud.resource(exported["id"].as_str().unwrap()).unwrap();
        let mut expected = exported.clone();
        for body in [&mut imported, &mut expected] {
            without_etags(body);
        }
        assert_eq!(imported, expected);
    }
    // An endpoint without its interface gets one, with an address of its subnet.
    let third = Bench::new();
    all.retain(|resource| resource["id"] != interface["id"]);
    third.cloud.import(&all).unwrap();
    let imported = third.cloud.resource(endpoint["id"].as_str().unwrap()).unwrap();
    assert_eq!(imported["properties"]["customDnsConfigs"], endpoint["properties"]["customDnsConfigs"]);
}

fn without_etags(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.shift_remove("etag");
            members.values_mut().for_each(without_etags);
        }
        Value::Array(items) => items.iter_mut().for_each(without_etags),
        _ => {}
    }
}
