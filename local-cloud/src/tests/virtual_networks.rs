use super::common::{Bench, NETWORK, RESOURCES, absolute, network_body, network_path, quick};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

fn vnet() -> String {
    network_path("virtualNetworks", "v")
}

fn subnet(name: &str) -> String {
    network_path("virtualNetworks/v/subnets", name)
}

fn subnet_body(prefix: &str) -> Value {
    json!({"properties": {"addressPrefix": prefix}})
}

fn names(network: &Value) -> Vec<&str> {
    network["properties"]["subnets"].as_array().unwrap().iter().map(|subnet| subnet["name"].as_str().unwrap()).collect()
}

#[test]
fn a_network_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let network = bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    let properties = &network["properties"];
    assert_eq!(properties["provisioningState"], "Succeeded");
    assert_eq!(properties["enableDdosProtection"], false);
    assert_eq!(properties["virtualNetworkPeerings"], json!([]));
    assert_eq!(properties["resourceGuid"].as_str().unwrap().len(), 36);
    assert!(network["etag"].as_str().unwrap().starts_with("W/\""));
    let first = &properties["subnets"][0];
    assert_eq!(first["id"], absolute(&subnet("a")));
    assert_eq!(first["type"], "Microsoft.Network/virtualNetworks/subnets");
    assert!(first["etag"].is_string());
    assert_eq!(first["properties"]["privateEndpointNetworkPolicies"], "Disabled");
    assert_eq!(first["properties"]["privateLinkServiceNetworkPolicies"], "Enabled");
    assert_eq!(first["properties"]["provisioningState"], "Succeeded");
    assert_eq!(first, &bench.get(&subnet("a"), NETWORK).json());
    let listed = bench.get("resourceGroups/g/providers/Microsoft.Network/virtualNetworks", NETWORK).json();
    assert_eq!(listed["value"], json!([network]));
    // Neither the subnets nor anything else that has no location is a resource of its own.
    assert_eq!(bench.get("resources", RESOURCES).json()["value"].as_array().unwrap().len(), 1);
}

#[test]
fn delegations_of_a_subnet_have_ids_and_states() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[]);
    let mut body = subnet_body("10.0.3.0/24");
    body["properties"]["delegations"] =
        json!([{"name": "farms", "properties": {"serviceName": "Microsoft.Web/serverFarms"}}]);
    let made = bench.made(&subnet("c"), NETWORK, &body);
    let delegation = &made["properties"]["delegations"][0];
    assert_eq!(delegation["id"], format!("{}/delegations/farms", absolute(&subnet("c"))));
    assert_eq!(delegation["type"], "Microsoft.Network/virtualNetworks/subnets/delegations");
    assert_eq!(
        delegation["properties"],
        json!({
            "serviceName": "Microsoft.Web/serverFarms", "provisioningState": "Succeeded",
            "actions": ["Microsoft.Network/virtualNetworks/subnets/action"],
        })
    );
    let again = bench.made(&subnet("c"), NETWORK, &made);
    assert_eq!(again["properties"]["delegations"][0]["id"], delegation["id"], "what was read can be sent back");
}

#[test]
fn subnets_in_the_body_and_as_children_are_one_thing() {
    let bench = bench();
    let network = bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24"), ("b", "10.0.2.0/24")]);
    let made = bench.put(&subnet("c"), NETWORK, &subnet_body("10.0.3.0/24"));
    assert_eq!((made.status, &made.json()["properties"]["provisioningState"]), (201, &json!("Creating")));
    assert_eq!(names(&bench.get(&vnet(), NETWORK).json()), ["a", "b", "c"]);
    let deleted = bench.delete(&subnet("b"), NETWORK);
    assert_eq!((deleted.status, bench.finish(&deleted).status), (202, 200));
    assert_eq!(names(&bench.get(&vnet(), NETWORK).json()), ["a", "c"]);

    // A body that says nothing of subnets leaves them, a list replaces them, what was read can be sent back.
    let silent = json!({"location": "uksouth", "properties": network["properties"]["addressSpace"]});
    assert_eq!(bench.put(&vnet(), NETWORK, &silent).status, 400);
    let mut silent = network_body("10.0.0.0/16", &[]);
    silent["properties"].as_object_mut().unwrap().remove("subnets");
    let kept = bench.made(&vnet(), NETWORK, &silent);
    assert_eq!(names(&kept), ["a", "c"]);
    assert_eq!(kept["properties"]["resourceGuid"], network["properties"]["resourceGuid"]);
    assert_eq!(names(&bench.made(&vnet(), NETWORK, &kept)), ["a", "c"]);
    assert_eq!(names(&bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/25"), ("d", "10.0.4.0/24")])), ["a", "d"]);
    assert_eq!(bench.get(&subnet("a"), NETWORK).json()["properties"]["addressPrefix"], "10.0.1.0/25");
    assert_eq!(bench.get(&subnet("c"), NETWORK).status, 404);
    assert_eq!(names(&bench.network("v", "10.0.0.0/16", &[])), [""; 0]);

    let deleted = bench.delete(&vnet(), NETWORK);
    assert_eq!(bench.finish(&deleted).status, 200);
    assert_eq!(bench.put(&subnet("a"), NETWORK, &subnet_body("10.0.1.0/24")).refusal().1, "ParentResourceNotFound");
}

#[test]
fn a_subnet_put_replaces_that_subnet_only() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24"), ("b", "10.0.2.0/24")]);
    let before = bench.get(&subnet("b"), NETWORK).json();
    let service = json!([{"service": "Microsoft.Storage"}]);
    let body = json!({"properties": {"addressPrefix": "10.0.1.0/24", "serviceEndpoints": service}});
    let shown =
        json!([{"service": "Microsoft.Storage", "provisioningState": "Succeeded", "locations": ["uksouth", "ukwest"]}]);
    assert_eq!(bench.made(&subnet("a"), NETWORK, &body)["properties"]["serviceEndpoints"], shown);
    let replaced = bench.made(&subnet("a"), NETWORK, &subnet_body("10.0.1.0/24"));
    assert_eq!(replaced["properties"].get("serviceEndpoints"), None);
    assert_eq!(bench.get(&subnet("b"), NETWORK).json(), before);
}

#[test]
fn address_ranges_are_checked() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    for (prefix, code) in [
        ("10.0.1.128/25", "NetcfgSubnetRangesOverlap"),
        ("10.1.0.0/24", "NetcfgSubnetRangeOutsideVnet"),
        ("10.0.0.0/8", "NetcfgSubnetRangeOutsideVnet"),
        ("10.0.2.1/24", "InvalidCIDRNotation"),
        ("10.0.2.0", "InvalidAddressPrefixFormat"),
        ("ten", "InvalidAddressPrefixFormat"),
        ("10.0.2.0/30", "NetcfgInvalidSubnet"),
    ] {
        let (status, found, message) = bench.refused(&subnet("b"), NETWORK, &subnet_body(prefix));
        assert_eq!((status, found.as_str()), (400, code), "{prefix}: {message}");
        let whole = network_body("10.0.0.0/16", &[("a", "10.0.1.0/24"), ("b", prefix)]);
        assert_eq!(bench.put(&vnet(), NETWORK, &whole).refusal(), (400, code.into()), "{prefix}");
    }
    let overlap = bench.refused(&subnet("b"), NETWORK, &subnet_body("10.0.1.128/25")).2;
    assert!(overlap.starts_with("Subnet 'b' is not valid") && overlap.ends_with("existing subnet 'a'."), "{overlap}");
    assert_eq!(bench.refused(&subnet("b"), NETWORK, &json!({"properties": {}})).1, "NetcfgInvalidSubnet");
    assert_eq!(bench.refused(&subnet("b c"), NETWORK, &subnet_body("10.0.2.0/24")).1, "InvalidResourceName");
    let two = json!({"properties": {"addressPrefixes": ["10.0.2.0/24", "10.0.1.0/25"]}});
    assert_eq!(bench.refused(&subnet("b"), NETWORK, &two).1, "NetcfgSubnetRangesOverlap");
    // The address space cannot leave a subnet outside.
    let mut smaller = network_body("10.0.0.0/24", &[]);
    smaller["properties"].as_object_mut().unwrap().remove("subnets");
    assert_eq!(bench.refused(&vnet(), NETWORK, &smaller).1, "NetcfgSubnetRangeOutsideVnet");
    let other = network_path("virtualNetworks", "w");
    for (space, code) in [
        (json!([]), "InvalidRequestFormat"),
        (json!(["10.0.0.0/8", "10.1.0.0/16"]), "NetcfgVnetAddressSpaceOverlap"),
        (json!(["10.0.0.1/8"]), "InvalidCIDRNotation"),
        (json!([5]), "InvalidAddressPrefixFormat"),
    ] {
        let body = json!({"location": "uksouth", "properties": {"addressSpace": {"addressPrefixes": space}}});
        assert_eq!(bench.put(&other, NETWORK, &body).refusal(), (400, code.into()), "{body}");
    }
    let twice = network_body("10.0.0.0/16", &[("a", "10.0.1.0/24"), ("A", "10.0.2.0/24")]);
    assert_eq!(bench.refused(&other, NETWORK, &twice).1, "DuplicateResourceName");
    assert_eq!(names(&bench.get(&vnet(), NETWORK).json()), ["a"]);
    assert_eq!(bench.get(&other, NETWORK).status, 404);
}

#[test]
fn a_bastion_subnet_is_large_enough() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[]);
    let path = subnet("AzureBastionSubnet");
    assert_eq!(bench.refused(&path, NETWORK, &subnet_body("10.0.1.0/27")).1, "BastionSubnetTooSmall");
    assert_eq!(bench.put(&path, NETWORK, &subnet_body("10.0.1.0/26")).status, 201);
}

#[test]
fn a_network_has_one_write_at_a_time() {
    let bench =
        Bench::with(LocalCloudOptions { operation_time: OperationTime::Fixed(Duration::from_secs(600)), ..quick() });
    bench.group("g");
    assert_eq!(bench.put(&vnet(), NETWORK, &network_body("10.0.0.0/16", &[("a", "10.0.1.0/24")])).status, 201);
    assert_eq!(bench.get(&subnet("a"), NETWORK).json()["properties"]["provisioningState"], "Creating");
    let busy = bench.put(&subnet("b"), NETWORK, &subnet_body("10.0.2.0/24"));
    assert_eq!(busy.refusal(), (409, "AnotherOperationInProgress".into()));
    assert_eq!(busy.header("retry-after"), Some("15"));
    for reply in [
        bench.put(&vnet(), NETWORK, &network_body("10.0.0.0/16", &[])),
        bench.delete(&vnet(), NETWORK),
        bench.delete(&subnet("a"), NETWORK),
    ] {
        assert_eq!(reply.refusal(), (409, "AnotherOperationInProgress".into()));
    }
    // Another network is another matter.
    let other = network_path("virtualNetworks", "w");
    assert_eq!(bench.put(&other, NETWORK, &network_body("10.0.0.0/16", &[])).status, 201);
}

#[test]
fn a_patch_changes_tags_and_nothing_else() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    let patch = json!({"tags": {"a": "1"}, "properties": {"subnets": [], "addressSpace": {"addressPrefixes": []}}});
    let patched = bench.call("PATCH", &vnet(), NETWORK, Some(&patch));
    assert_eq!((patched.status, &patched.json()["tags"]), (200, &json!({"a": "1"})));
    assert_eq!(names(&patched.json()), ["a"]);
}

#[test]
fn public_addresses_are_standard_and_static() {
    let bench = bench();
    let path = network_path("publicIPAddresses", "p");
    let body = |change: Value| {
        let mut body = json!({
            "location": "UK South",
            "sku": {"name": "Standard"},
            "properties": {"publicIPAllocationMethod": "static", "dnsSettings": {"domainNameLabel": "my-name"}},
        });
        for (name, value) in change.as_object().unwrap() {
            match body[name].as_object_mut() {
                Some(object) if value.is_object() => object.extend(value.as_object().unwrap().clone()),
                _ => body[name] = value.clone(),
            }
        }
        body
    };
    for (change, code) in [
        (json!({"sku": {"name": "Basic"}}), "IPv4BasicSkuPublicIpCountLimitReached"),
        (json!({"sku": null}), "IPv4BasicSkuPublicIpCountLimitReached"),
        (json!({"sku": {"name": "Best"}}), "InvalidRequestFormat"),
        (json!({"properties": {"publicIPAllocationMethod": "Dynamic"}}), "StandardSkuPublicIPAddressMustBeStatic"),
        (json!({"properties": {"publicIPAllocationMethod": null}}), "StandardSkuPublicIPAddressMustBeStatic"),
        (json!({"properties": {"publicIPAddressVersion": "IPv5"}}), "InvalidRequestFormat"),
        (json!({"properties": {"idleTimeoutInMinutes": 31}}), "PublicIPAddressIdleTimeoutIsOutOfRange"),
        (json!({"properties": {"dnsSettings": {"domainNameLabel": "My-name"}}}), "InvalidDomainNameLabel"),
        (json!({"properties": {"dnsSettings": {"domainNameLabel": "ab"}}}), "InvalidDomainNameLabel"),
        (json!({"zones": ["4"]}), "InvalidAvailabilityZone"),
    ] {
        assert_eq!(bench.put(&path, NETWORK, &body(change.clone())).refusal(), (400, code.into()), "{change}");
    }
    let made = bench.made(&path, NETWORK, &body(json!({"zones": ["1", "2"]})));
    assert_eq!(made["sku"], json!({"name": "Standard", "tier": "Regional"}));
    let properties = &made["properties"];
    assert_eq!(properties["ipAddress"], "198.18.0.1");
    assert_eq!(properties["dnsSettings"]["fqdn"], "my-name.uksouth.cloudapp.azure.com");
    assert_eq!(properties["publicIPAllocationMethod"], "Static");
    assert_eq!(
        (&properties["publicIPAddressVersion"], &properties["idleTimeoutInMinutes"]),
        (&json!("IPv4"), &json!(4))
    );
    assert_eq!(properties.get("ipConfiguration"), None);

    let second = network_path("publicIPAddresses", "q");
    let (status, code, message) = bench.refused(&second, NETWORK, &body(json!({})));
    assert_eq!((status, code.as_str()), (400, "DnsRecordInUse"));
    assert!(message.contains("my-name.uksouth.cloudapp.azure.com"), "{message}");
    let elsewhere = bench.made(&second, NETWORK, &body(json!({"location": "ukwest"})));
    assert_eq!(elsewhere["properties"]["dnsSettings"]["fqdn"], "my-name.ukwest.cloudapp.azure.com");
    assert_eq!(elsewhere["properties"]["ipAddress"], "198.18.0.2");
    let again = bench.made(&path, NETWORK, &made);
    assert_eq!(again["properties"]["ipAddress"], "198.18.0.1");
    assert_eq!(again["properties"]["resourceGuid"], properties["resourceGuid"]);
    let zones = bench.refused(&path, NETWORK, &body(json!({"zones": ["3"]})));
    assert_eq!(zones.1, "ResourceAvailabilityZonesCannotBeModified");
    assert_eq!(bench.finish(&bench.delete(&path, NETWORK)).status, 200);
    let third = bench.made(&network_path("publicIPAddresses", "r"), NETWORK, &body(json!({})));
    assert_eq!(third["properties"]["ipAddress"], "198.18.0.1");
}
