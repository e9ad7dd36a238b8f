use super::common::{Bench, DNS, NETWORK, RESOURCES, STORAGE, absolute, account_path, network_path, quick};
use super::web::{WEB, plan_body, site_body, web_path};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

/// A network with two subnets, and a storage account.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24"), ("tiny", "10.0.2.0/29")]);
    bench.account("abc", json!({}));
    bench
}

fn endpoint(name: &str) -> String {
    network_path("privateEndpoints", name)
}

fn body_to(subnet: &str, target: &str, group: &str) -> Value {
    json!({
        "location": "uksouth",
        "properties": {
            "subnet": {"id": absolute(&network_path("virtualNetworks/v/subnets", subnet))},
            "privateLinkServiceConnections": [
                {"name": "c", "properties": {"privateLinkServiceId": absolute(target), "groupIds": [group]}},
            ],
        },
    })
}

fn body() -> Value {
    body_to("a", &account_path("abc"), "blob")
}

fn address(bench: &Bench, endpoint: &Value) -> Value {
    let interface = endpoint["properties"]["networkInterfaces"][0]["id"].as_str().unwrap();
    let interface = bench.get(interface, NETWORK).json();
    interface["properties"]["ipConfigurations"][0]["properties"]["privateIPAddress"].clone()
}

#[test]
fn an_endpoint_comes_with_its_network_interface() {
    let bench = bench();
    let started = bench.put(&endpoint("e"), NETWORK, &body());
    assert_eq!(started.status, 201);
    assert!(started.header("azure-asyncoperation").is_some());
    let made = bench.get(&endpoint("e"), NETWORK).json();
    let properties = &made["properties"];
    assert_eq!(properties["provisioningState"], "Succeeded");
    let connection = &properties["privateLinkServiceConnections"][0];
    assert_eq!(connection["id"], absolute(&format!("{}/privateLinkServiceConnections/c", endpoint("e"))));
    assert_eq!(connection["properties"]["privateLinkServiceConnectionState"]["status"], "Approved");
    assert_eq!(properties["manualPrivateLinkServiceConnections"], json!([]));
    assert_eq!(
        properties["customDnsConfigs"],
        json!([{"fqdn": "abc.blob.core.windows.net", "ipAddresses": ["10.0.1.4"]}])
    );
    let id = properties["networkInterfaces"][0]["id"].as_str().unwrap().to_owned();
    assert!(id.contains("/networkInterfaces/e.nic."), "{id}");
    let interface = bench.get(&id, NETWORK).json();
    assert_eq!(interface["properties"]["privateEndpoint"]["id"], made["id"]);
    assert_eq!(interface["location"], "uksouth");
    let configuration = &interface["properties"]["ipConfigurations"][0];
    assert_eq!(configuration["properties"]["privateIPAddress"], "10.0.1.4");
    assert_eq!(configuration["properties"]["privateLinkConnectionProperties"]["groupId"], "blob");
    let subnet = bench.get(&network_path("virtualNetworks/v/subnets", "a"), NETWORK).json();
    assert_eq!(subnet["properties"]["privateEndpoints"], json!([{"id": made["id"]}]));
    assert_eq!(subnet["properties"]["ipConfigurations"], json!([{"id": configuration["id"]}]));
    let listed = bench.get("resources?$filter=resourceType eq 'Microsoft.Network/networkInterfaces'", RESOURCES).json();
    assert_eq!(listed["value"][0]["id"], Value::from(id.clone()));

    // What was read can be sent back: the interface stays.
    let again = bench.made(&endpoint("e"), NETWORK, &made);
    assert_eq!(again["properties"]["networkInterfaces"], properties["networkInterfaces"]);
    // The interface is not written or deleted by hand.
    assert_eq!(bench.put(&id, NETWORK, &interface).refusal(), (400, "OperationNotAllowed".into()));
    assert_eq!(bench.delete(&id, NETWORK).refusal(), (400, "OperationNotAllowed".into()));
    assert_eq!(bench.finish(&bench.delete(&endpoint("e"), NETWORK)).status, 200);
    assert_eq!(bench.get(&id, NETWORK).status, 404);
    let subnet = bench.get(&network_path("virtualNetworks/v/subnets", "a"), NETWORK).json();
    assert_eq!(subnet["properties"].get("ipConfigurations"), None);
}

#[test]
fn the_target_shows_the_connection() {
    let bench = bench();
    let made = bench.made(&endpoint("e"), NETWORK, &body());
    let account = bench.get(&account_path("abc"), STORAGE).json();
    let connections = account["properties"]["privateEndpointConnections"].as_array().unwrap();
    assert_eq!(connections.len(), 1);
    assert_eq!(connections[0]["properties"]["privateEndpoint"]["id"], made["id"]);
    assert_eq!(connections[0]["properties"]["privateLinkServiceConnectionState"]["status"], "Approved");
    let id = connections[0]["id"].as_str().unwrap();
    assert_eq!(bench.get(id, STORAGE).json(), connections[0]);
    let path = format!("{}/privateEndpointConnections", account_path("abc"));
    assert_eq!(bench.get(&path, STORAGE).json()["value"], json!(connections));
    assert_eq!(bench.get(&format!("{path}/none"), STORAGE).status, 404);
    assert_eq!(bench.put(id, STORAGE, &connections[0]).status, 404);
    // An update of the account keeps it, the end of the endpoint does not.
    let listed = bench.get("resourceGroups/g/providers/Microsoft.Storage/storageAccounts", STORAGE).json();
    assert_eq!(listed["value"][0]["properties"]["privateEndpointConnections"], json!(connections));
    let patched = bench.call("PATCH", &account_path("abc"), STORAGE, Some(&json!({"tags": {"a": "1"}}))).json();
    assert_eq!(patched["properties"]["privateEndpointConnections"], json!(connections));
    bench.finish(&bench.delete(&endpoint("e"), NETWORK));
    let account = bench.get(&account_path("abc"), STORAGE).json();
    assert_eq!(account["properties"]["privateEndpointConnections"], json!([]));

    bench.made(&endpoint("e"), NETWORK, &body());
    bench.delete(&account_path("abc"), STORAGE);
    let left = bench.get(&endpoint("e"), NETWORK).json();
    let state =
        &left["properties"]["privateLinkServiceConnections"][0]["properties"]["privateLinkServiceConnectionState"];
    assert_eq!(state["status"], "Disconnected");
}

#[test]
fn an_endpoint_needs_a_subnet_a_target_and_a_group() {
    let bench = bench();
    let changed = |path: &str, value: Value| {
        let mut body = body();
        *body.pointer_mut(path).unwrap() = value;
        body
    };
    let connection = "/properties/privateLinkServiceConnections/0";
    let one = body()["properties"]["privateLinkServiceConnections"][0].clone();
    let mut manual_too = body();
    manual_too["properties"]["manualPrivateLinkServiceConnections"] = json!([one]);
    let mut long = body();
    long["properties"]["privateLinkServiceConnections"][0]["properties"]["requestMessage"] = json!("x".repeat(141));
    for (body, code) in [
        (changed("/location", json!("ukwest")), "InvalidResourceReference"),
        (body_to("none", &account_path("abc"), "blob"), "InvalidResourceReference"),
        (body_to("a", &account_path("none"), "blob"), "InvalidResourceReference"),
        (changed("/properties/subnet", json!({})), "InvalidRequestFormat"),
        (changed("/properties/subnet/id", json!(absolute(&account_path("abc")))), "InvalidRequestFormat"),
        (changed("/properties/privateLinkServiceConnections", json!([])), "InvalidRequestFormat"),
        (changed("/properties/privateLinkServiceConnections", json!([one, one])), "InvalidRequestFormat"),
        (manual_too, "InvalidRequestFormat"),
        (long, "InvalidRequestFormat"),
        (changed(&format!("{connection}/name"), json!("")), "InvalidRequestFormat"),
        (
            changed(&format!("{connection}/properties/groupIds"), json!([])),
            "MissingParameterOnPrivateLinkServiceConnection",
        ),
        (
            changed(&format!("{connection}/properties/privateLinkServiceId"), json!("abc")),
            "MissingParameterOnPrivateLinkServiceConnection",
        ),
        (changed(&format!("{connection}/properties/groupIds"), json!(["blob", "file"])), "InvalidRequestFormat"),
        (body_to("a", &account_path("abc"), "vault"), "BadRequest"),
        (body_to("a", &account_path("abc"), "blob_secondary"), "BadRequest"),
    ] {
        assert_eq!(bench.put(&endpoint("e"), NETWORK, &body).refusal(), (400, code.into()), "{body}");
    }
    let message = bench.refused(&endpoint("e"), NETWORK, &body_to("a", &account_path("abc"), "vault")).2;
    assert!(message.contains("blob, file, queue, table, web, dfs"), "{message}");
    assert_eq!(bench.get(&endpoint("e"), NETWORK).status, 404);
    bench.made(
        &network_path("virtualNetworks/v/subnets", "AzureBastionSubnet"),
        NETWORK,
        &json!({"properties": {"addressPrefix": "10.0.3.0/26"}}),
    );
    let there = body_to("AzureBastionSubnet", &account_path("abc"), "blob");
    assert_eq!(bench.refused(&endpoint("e"), NETWORK, &there).1, "AzureBastionSubnet");
}

#[test]
fn subnet_and_target_of_an_endpoint_stay() {
    let bench = bench();
    bench.account("other", json!({}));
    bench.made(&endpoint("e"), NETWORK, &body());
    for body in [
        body_to("tiny", &account_path("abc"), "blob"),
        body_to("a", &account_path("other"), "blob"),
        body_to("a", &account_path("abc"), "file"),
    ] {
        assert_eq!(bench.refused(&endpoint("e"), NETWORK, &body).1, "PropertyChangeNotAllowed", "{body}");
    }
}

#[test]
fn groups_are_those_of_the_resource() {
    let bench = bench();
    let groups = |path: &str, version: &str| -> Vec<String> {
        let reply = bench.get(&format!("{path}/privateLinkResources"), version);
        assert_eq!(reply.status, 200, "{reply:?}");
        let list = reply.json()["value"].as_array().unwrap().clone();
        list.iter().map(|resource| resource["properties"]["groupId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(groups(&account_path("abc"), STORAGE), ["blob", "file", "queue", "table", "web", "dfs"]);
    let first = bench.get(&format!("{}/privateLinkResources", account_path("abc")), STORAGE).json()["value"][0].clone();
    assert_eq!(first["name"], "blob");
    assert_eq!(first["properties"]["requiredZoneNames"], json!(["privatelink.blob.core.windows.net"]));
    bench.account("wide", json!({"sku": {"name": "Standard_RAGRS"}}));
    assert!(groups(&account_path("wide"), STORAGE).contains(&"blob_secondary".to_owned()));
    bench.account("files", json!({"kind": "FileStorage", "sku": {"name": "Premium_LRS"}}));
    assert_eq!(groups(&account_path("files"), STORAGE), ["file"]);

    let vault = "resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-1";
    let vault_body = json!({"location": "uksouth", "properties": {
        "tenantId": crate::LOCAL_TENANT_ID, "sku": {"family": "A", "name": "standard"},
    }});
    bench.made(vault, "2024-11-01", &vault_body);
    assert_eq!(groups(vault, "2024-11-01"), ["vault"]);
    let site = "resourceGroups/g/providers/Microsoft.Web/sites/shop";
    bench.made(&web_path("serverfarms", "p"), WEB, &plan_body("S1"));
    bench.made(site, WEB, &site_body(json!({})));
    bench.made(&format!("{site}/slots/next"), WEB, &json!({"location": "uksouth"}));
    assert_eq!(groups(site, WEB), ["sites", "sites-next"]);
    let secure = web_path("sites", "secure");
    let scope = json!({"autoGeneratedDomainNameLabelScope": "TenantReuse"});
    let host =
        bench.made(&secure, WEB, &site_body(scope))["properties"]["defaultHostName"].as_str().unwrap().to_owned();
    let missing = bench.get(&format!("{}/privateLinkResources", account_path("none")), STORAGE);
    assert_eq!(missing.refusal(), (404, "ResourceNotFound".into()));

    let names = |name: &str, target: &str, group: &str| -> Vec<String> {
        let made = bench.made(&endpoint(name), NETWORK, &body_to("a", target, group));
        let list = made["properties"]["customDnsConfigs"].as_array().unwrap().clone();
        list.iter().map(|name| name["fqdn"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("v1", vault, "vault"), ["kv-1.vault.azure.net"]);
    assert_eq!(names("s1", site, "sites"), ["shop.azurewebsites.net", "shop.scm.azurewebsites.net"]);
    assert_eq!(names("s2", site, "sites-next")[0], "shop-next.azurewebsites.net");
    let (label, region) = host.split_once('.').unwrap();
    assert_eq!(names("s3", &secure, "sites"), [host.clone(), format!("{label}.scm.{region}")]);
    assert_eq!(names("b2", &account_path("wide"), "blob_secondary"), ["wide-secondary.blob.core.windows.net"]);
    assert_eq!(
        bench.get(vault, "2024-11-01").json()["properties"]["privateEndpointConnections"].as_array().unwrap().len(),
        1
    );
    // A type that is not known takes any group.
    let widget = "resourceGroups/g/providers/Microsoft.Maps/accounts/w";
    bench.made(widget, "2030-01-01", &json!({"location": "uksouth"}));
    assert_eq!(names("w1", widget, "anything"), [""; 0]);
}

#[test]
fn addresses_are_given_in_order_until_the_subnet_is_full() {
    let bench = bench();
    let tiny = body_to("tiny", &account_path("abc"), "blob");
    for (name, expected) in [("e1", "10.0.2.4"), ("e2", "10.0.2.5"), ("e3", "10.0.2.6")] {
        assert_eq!(address(&bench, &bench.made(&endpoint(name), NETWORK, &tiny)), expected);
    }
    assert_eq!(bench.refused(&endpoint("e4"), NETWORK, &tiny).1, "SubnetIsFull");
    bench.finish(&bench.delete(&endpoint("e2"), NETWORK));
    assert_eq!(address(&bench, &bench.made(&endpoint("e4"), NETWORK, &tiny)), "10.0.2.5");
    let fixed = |wanted: &str| {
        let mut body = body();
        body["properties"]["ipConfigurations"] =
            json!([{"name": "i", "properties": {"groupId": "blob", "memberName": "blob", "privateIPAddress": wanted}}]);
        body["properties"]["customNetworkInterfaceName"] = json!("my-interface");
        body
    };
    assert_eq!(bench.refused(&endpoint("f"), NETWORK, &fixed("10.0.2.5")).1, "PrivateIPAddressNotInSubnet");
    assert_eq!(bench.refused(&endpoint("f"), NETWORK, &fixed("10.0.1.3")).1, "PrivateIPAddressInReservedRange");
    let made = bench.made(&endpoint("f"), NETWORK, &fixed("10.0.1.40"));
    assert_eq!(address(&bench, &made), "10.0.1.40");
    let id = absolute(&network_path("networkInterfaces", "my-interface"));
    assert_eq!(made["properties"]["networkInterfaces"], json!([{"id": id}]));
    assert_eq!(bench.refused(&endpoint("h"), NETWORK, &fixed("10.0.1.40")).1, "PrivateIPAddressIsAllocated");
    assert_eq!(bench.refused(&endpoint("h"), NETWORK, &fixed("10.0.1.41")).1, "NetworkInterfaceNameAlreadyInUse");
}

#[test]
fn a_subnet_with_endpoints_stays() {
    let bench = bench();
    bench.made(&endpoint("e"), NETWORK, &body());
    let subnet = network_path("virtualNetworks/v/subnets", "a");
    let refused = bench.delete(&subnet, NETWORK);
    assert_eq!(refused.refusal(), (400, "InUseSubnetCannotBeDeleted".into()));
    assert!(refused.text.contains("/networkInterfaces/e.nic."), "{refused:?}");
    bench.finish(&bench.delete(&endpoint("e"), NETWORK));
    assert_eq!(bench.finish(&bench.delete(&subnet, NETWORK)).status, 200);
}

#[test]
fn an_endpoint_occupies_its_network_while_it_is_made() {
    let long = LocalCloudOptions { operation_time: OperationTime::Fixed(Duration::from_secs(600)), ..quick() };
    let bench = Bench::with(long);
    let resources = json!([
        {"id": absolute(&network_path("virtualNetworks", "v")), "location": "uksouth", "properties": {
            "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
            "subnets": [
                {"name": "a", "properties": {"addressPrefix": "10.0.1.0/24"}},
                {"name": "b", "properties": {"addressPrefix": "10.0.2.0/24"}},
            ],
        }},
        {"id": absolute(&account_path("abc")), "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}},
    ]);
    bench.cloud.import(resources.as_array().unwrap()).unwrap();
    assert_eq!(bench.put(&endpoint("e"), NETWORK, &body()).status, 201);
    let second = bench.put(&endpoint("f"), NETWORK, &body_to("b", &account_path("abc"), "blob"));
    assert_eq!(second.refusal(), (429, "RetryableErrorDueToAnotherOperation".into()));
    assert_eq!(second.header("retry-after"), Some("15"));
    let subnet = network_path("virtualNetworks/v/subnets", "c");
    let third = bench.put(&subnet, NETWORK, &json!({"properties": {"addressPrefix": "10.0.3.0/24"}}));
    assert_eq!(third.refusal(), (429, "RetryableErrorDueToAnotherOperation".into()));
    let group = format!("{}/privateDnsZoneGroups/default", endpoint("e"));
    assert_eq!(bench.put(&group, NETWORK, &json!({})).refusal().1, "RetryableErrorDueToAnotherOperation");
    let deleted = bench.delete("resourceGroups/g", RESOURCES);
    assert_eq!(deleted.status, 202);
}

#[test]
fn a_manual_connection_waits_for_approval() {
    let bench = bench();
    let mut body = body();
    let connections = body["properties"]["privateLinkServiceConnections"].take();
    body["properties"]["manualPrivateLinkServiceConnections"] = connections;
    let made = bench.made(&endpoint("e"), NETWORK, &body);
    let connection = &made["properties"]["manualPrivateLinkServiceConnections"][0]["properties"];
    assert_eq!(connection["privateLinkServiceConnectionState"]["status"], "Pending");
    let account = bench.get(&account_path("abc"), STORAGE).json();
    let shown = &account["properties"]["privateEndpointConnections"][0]["properties"];
    assert_eq!(shown["privateLinkServiceConnectionState"]["status"], "Pending");
}

#[test]
fn a_group_takes_everything_of_an_endpoint_along() {
    let bench = bench();
    bench.made(&endpoint("e"), NETWORK, &body());
    let zone = network_path("privateDnsZones", "privatelink.blob.core.windows.net");
    bench.finish(&bench.put(&zone, DNS, &json!({"location": "global"})));
    let group = json!({"properties": {"privateDnsZoneConfigs": [
        {"name": "z", "properties": {"privateDnsZoneId": absolute(&zone)}},
    ]}});
    bench.made(&format!("{}/privateDnsZoneGroups/default", endpoint("e")), NETWORK, &group);
    assert_eq!(bench.finish(&bench.delete("resourceGroups/g", RESOURCES)).status, 200);
    bench.group("g");
    assert_eq!(bench.get("resources", RESOURCES).json()["value"], json!([]));
    assert_eq!(bench.cloud.resource(&absolute(&format!("{}/privateDnsZoneGroups/default", endpoint("e")))), None);
}
