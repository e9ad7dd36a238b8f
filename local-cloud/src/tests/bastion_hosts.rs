use super::common::{Bench, NETWORK, RESOURCES, absolute, network_body, network_path, quick};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};

/// A network with a subnet for a bastion host and one for other things, and an address.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    prepare(&bench);
    bench
}

fn prepare(bench: &Bench) {
    bench.network("v", "10.0.0.0/16", &[("AzureBastionSubnet", "10.0.0.0/26"), ("a", "10.0.1.0/24")]);
    address(bench, "p");
}

fn address(bench: &Bench, name: &str) {
    let body = json!({
        "location": "uksouth", "sku": {"name": "Standard"}, "properties": {"publicIPAllocationMethod": "Static"},
    });
    bench.made(&network_path("publicIPAddresses", name), NETWORK, &body);
}

fn host(name: &str) -> String {
    network_path("bastionHosts", name)
}

fn body(subnet: &str, address: &str, change: Value) -> Value {
    let mut body = json!({
        "location": "uksouth",
        "properties": {"ipConfigurations": [{"name": "IpConf", "properties": {
            "subnet": {"id": absolute(&network_path("virtualNetworks/v/subnets", subnet))},
            "publicIPAddress": {"id": absolute(&network_path("publicIPAddresses", address))},
        }}]},
    });
    if let Some(properties) = change.get("properties").and_then(Value::as_object) {
        body["properties"].as_object_mut().unwrap().extend(properties.clone());
    }
    if let Some(sku) = change.get("sku") {
        body["sku"] = json!({"name": sku});
    }
    body
}

fn plain() -> Value {
    body("AzureBastionSubnet", "p", json!({}))
}

#[test]
fn a_host_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let made = bench.made(&host("b"), NETWORK, &plain());
    assert_eq!(made["sku"], json!({"name": "Basic"}));
    let properties = &made["properties"];
    assert_eq!((&properties["scaleUnits"], &properties["provisioningState"]), (&json!(2), &json!("Succeeded")));
    let flags = |host: &Value| {
        let flags = host["properties"].as_object().unwrap().iter().filter(|(_, value)| value.is_boolean());
        flags.map(|(name, value)| (name.clone(), value == &json!(true))).collect::<Vec<_>>()
    };
    assert!(flags(&made).len() == 7 && flags(&made).iter().all(|(_, on)| !on), "{made}");
    let network = absolute(&network_path("virtualNetworks", "v"));
    let developer = json!({
        "location": "uksouth", "sku": {"name": "Developer"}, "properties": {"virtualNetwork": {"id": network}},
    });
    let developer = bench.made(&host("d"), NETWORK, &developer);
    assert_eq!((flags(&developer).len(), &developer["properties"]["scaleUnits"]), (0, &Value::Null));
    let name = properties["dnsName"].as_str().unwrap();
    assert!(name.starts_with("bst-") && name.ends_with(".bastion.azure.com"), "{name}");
    let configuration = &properties["ipConfigurations"][0];
    let id = format!("{}/bastionHostIpConfigurations/IpConf", absolute(&host("b")));
    assert_eq!(configuration["id"], Value::from(id.clone()));
    assert_eq!(configuration["properties"]["privateIPAllocationMethod"], "Dynamic");
    let address = bench.get(&network_path("publicIPAddresses", "p"), NETWORK).json();
    assert_eq!(address["properties"]["ipConfiguration"]["id"], Value::from(id.clone()));
    let subnet = bench.get(&network_path("virtualNetworks/v/subnets", "AzureBastionSubnet"), NETWORK).json();
    assert_eq!(subnet["properties"]["ipConfigurations"], json!([{"id": id}]));
    // What was read can be sent back, and the name stays.
    assert_eq!(bench.made(&host("b"), NETWORK, &made)["properties"]["dnsName"], properties["dnsName"]);
    let patched =
        bench.call("PATCH", &host("b"), NETWORK, Some(&json!({"tags": {"a": "1"}, "sku": {"name": "Premium"}})));
    assert_eq!(patched.status, 202);
    assert!(patched.header("azure-asyncoperation").is_some());
    let after = bench.get(&host("b"), NETWORK).json();
    assert_eq!((&after["tags"], &after["sku"]["name"]), (&json!({"a": "1"}), &json!("Basic")));
}

#[test]
fn what_a_host_needs_has_to_be_there() {
    let bench = bench();
    let with = |change: Value| body("AzureBastionSubnet", "p", change);
    let mut far = plain();
    far["location"] = json!("ukwest");
    let mut bare = plain();
    bare["properties"]["ipConfigurations"][0]["properties"]["subnet"] = Value::Null;
    let mut hidden = plain();
    hidden["properties"]["ipConfigurations"][0]["properties"].as_object_mut().unwrap().remove("publicIPAddress");
    for (body, code) in [
        (body("a", "p", json!({})), "SubnetNameMustBeAzureBastionSubnet"),
        (body("AzureBastionSubnet", "none", json!({})), "InvalidResourceReference"),
        (far, "InvalidResourceReference"),
        (bare, "InvalidRequestFormat"),
        (hidden, "InvalidRequestFormat"),
        (with(json!({"properties": {"ipConfigurations": []}})), "InvalidRequestFormat"),
        (with(json!({"sku": "Huge"})), "InvalidRequestFormat"),
        (with(json!({"sku": "Developer"})), "InvalidRequestFormat"),
        (with(json!({"properties": {"scaleUnits": 3}})), "BastionHostScaleUnitsOutOfRange"),
        (with(json!({"sku": "Standard", "properties": {"scaleUnits": 51}})), "BastionHostScaleUnitsOutOfRange"),
        (with(json!({"properties": {"enableTunneling": true}})), "BastionHostFeatureNotSupportedForSku"),
    ] {
        assert_eq!(bench.put(&host("b"), NETWORK, &body).refusal(), (400, code.into()), "{body}");
    }
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    assert_eq!(bench.refused(&host("b"), NETWORK, &plain()).1, "InvalidResourceReference");
    // An import is not checked, so the host has to look itself.
    let small = json!({
        "id": absolute(&network_path("virtualNetworks", "v")), "location": "uksouth",
        "properties": {
            "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
            "subnets": [{"name": "AzureBastionSubnet", "properties": {"addressPrefix": "10.0.0.0/27"}}],
        },
    });
    bench.cloud.import(&[small]).unwrap();
    assert_eq!(bench.refused(&host("b"), NETWORK, &plain()).1, "BastionSubnetTooSmall");
}

#[test]
fn a_network_has_one_host_and_an_address_one_user() {
    let bench = bench();
    bench.made(&host("b"), NETWORK, &plain());
    address(&bench, "q");
    let second = body("AzureBastionSubnet", "q", json!({}));
    assert_eq!(bench.refused(&host("c"), NETWORK, &second).1, "BastionHostAlreadyExistsInVirtualNetwork");
    let other = network_path("virtualNetworks", "w");
    bench.made(&other, NETWORK, &network_body("10.0.0.0/16", &[("AzureBastionSubnet", "10.0.0.0/26")]));
    let mut third = plain();
    let there = absolute(&format!("{other}/subnets/AzureBastionSubnet"));
    third["properties"]["ipConfigurations"][0]["properties"]["subnet"]["id"] = json!(there);
    assert_eq!(bench.refused(&host("c"), NETWORK, &third).1, "PublicIPAddressInUse");
    let moved = bench.refused(&host("b"), NETWORK, &third).1;
    assert_eq!(moved, "BastionHostIpConfigurationCannotBeChanged");
}

#[test]
fn what_a_host_uses_stays() {
    let bench = bench();
    bench.made(&host("b"), NETWORK, &plain());
    let subnet = network_path("virtualNetworks/v/subnets", "AzureBastionSubnet");
    assert_eq!(bench.delete(&subnet, NETWORK).refusal(), (400, "InUseSubnetCannotBeDeleted".into()));
    let network = network_path("virtualNetworks", "v");
    assert_eq!(bench.delete(&network, NETWORK).refusal(), (400, "InUseSubnetCannotBeDeleted".into()));
    let without = network_body("10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    assert_eq!(bench.refused(&network, NETWORK, &without).1, "InUseSubnetCannotBeDeleted");
    let larger = json!({"properties": {"addressPrefix": "10.0.0.0/25"}});
    assert_eq!(bench.refused(&subnet, NETWORK, &larger).1, "InUsePrefixCannotBeDeleted");
    let address = network_path("publicIPAddresses", "p");
    assert_eq!(bench.delete(&address, NETWORK).refusal(), (400, "PublicIPAddressCannotBeDeleted".into()));
    assert_eq!(bench.finish(&bench.delete(&host("b"), NETWORK)).status, 200);
    for path in [address, subnet, network] {
        assert_eq!(bench.delete(&path, NETWORK).status, 202, "{path}");
    }
}

#[test]
fn a_group_that_others_need_stays() {
    let bench = bench();
    bench.group("h");
    let elsewhere = "resourceGroups/h/providers/Microsoft.Network/bastionHosts/b";
    bench.made(elsewhere, NETWORK, &plain());
    let blocked = bench.delete("resourceGroups/g", RESOURCES);
    assert_eq!(blocked.refusal(), (409, "ResourceGroupDeletionBlocked".into()));
    assert!(blocked.text.contains("resourceGroups/h"), "{blocked:?}");
    assert_eq!(bench.finish(&bench.delete("resourceGroups/h", RESOURCES)).status, 200);
    assert_eq!(bench.finish(&bench.delete("resourceGroups/g", RESOURCES)).status, 200);
    assert_eq!(bench.get("resources", RESOURCES).json()["value"], json!([]));
}

#[test]
fn a_sku_goes_up_only() {
    let bench = bench();
    let with = |sku: &str| body("AzureBastionSubnet", "p", json!({"sku": sku}));
    bench.made(&host("b"), NETWORK, &with("basic"));
    assert_eq!(bench.made(&host("b"), NETWORK, &with("Standard"))["sku"]["name"], "Standard");
    assert_eq!(bench.refused(&host("b"), NETWORK, &with("Basic")).1, "BastionHostSkuDowngradeNotSupported");
    // A body without a sku asks for Basic.
    assert_eq!(bench.refused(&host("b"), NETWORK, &plain()).1, "BastionHostSkuDowngradeNotSupported");
}

#[test]
fn a_host_takes_as_long_as_in_azure() {
    // A thousand times as long: a network takes hours, a host more than a week.
    let bench = Bench::with(LocalCloudOptions { operation_time: OperationTime::Factor(1000.0), ..quick() });
    let path = |kind: &str, name: &str| absolute(&network_path(kind, name));
    let network = json!({
        "id": path("virtualNetworks", "v"), "location": "uksouth",
        "properties": {
            "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
            "subnets": [{"name": "AzureBastionSubnet", "properties": {"addressPrefix": "10.0.0.0/26"}}],
        },
    });
    let address = json!({
        "id": path("publicIPAddresses", "p"), "location": "uksouth", "sku": {"name": "Standard"},
        "properties": {"publicIPAllocationMethod": "Static"},
    });
    bench.cloud.import(&[network, address]).unwrap();
    let started = bench.put(&host("b"), NETWORK, &plain());
    assert_eq!((started.status, &started.json()["properties"]["provisioningState"]), (201, &json!("Creating")));
    assert_eq!(started.header("retry-after"), Some("15"));
    let again = bench.put(&host("b"), NETWORK, &plain());
    assert_eq!(again.refusal(), (409, "AnotherOperationInProgress".into()));
    assert_eq!(bench.delete(&host("b"), NETWORK).refusal(), (409, "AnotherOperationInProgress".into()));
    // The network is free meanwhile.
    let subnet = network_path("virtualNetworks/v/subnets", "a");
    assert_eq!(bench.put(&subnet, NETWORK, &json!({"properties": {"addressPrefix": "10.0.1.0/24"}})).status, 201);
}
