//! API management services.

use super::common::{Bench, RESOURCES, absolute, change_members, quick};
use super::web::{WEB, plan_body, site_body, web_path};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

pub(super) const SERVICES: &str = "2024-05-01";
const DELETED: &str = "providers/Microsoft.ApiManagement/locations/uksouth/deletedservices/apim-shop";

pub(super) fn path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.ApiManagement/service/{name}")
}

pub(super) fn body(change: Value) -> Value {
    let mut body = json!({"location": "uksouth", "sku": {"name": "Developer", "capacity": 1}, "properties": {
        "publisherEmail": "api@example.com", "publisherName": "Example",
    }});
    change_members(&mut body, change);
    body
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

#[test]
fn a_service_is_activated_for_long_and_then_filled_in() {
    // Ten times as long as in Azure: nothing ends while the test runs.
    let slow = Bench::with(LocalCloudOptions { operation_time: OperationTime::Factor(10.0), ..quick() });
    slow.group("g");
    let started = slow.put(&path("apim-shop"), SERVICES, &body(json!({})));
    let states = |service: &Value| {
        let properties = &service["properties"];
        assert_eq!((&properties["publicIPAddresses"], &properties["portalUrl"]), (&Value::Null, &Value::Null));
        [properties["provisioningState"].clone(), properties["targetProvisioningState"].clone()]
    };
    assert_eq!((started.status, states(&started.json())), (201, [json!("Created"), json!("Activating")]));
    assert_eq!(started.header("retry-after"), Some("15"));
    assert_eq!(slow.follow(started.header("location").unwrap()).status, 202);
    let status = slow.follow(started.header("azure-asyncoperation").unwrap());
    assert_eq!((status.status, &status.json()["status"]), (200, &json!("InProgress")));
    let read = slow.get(&path("apim-shop"), SERVICES).json();
    assert_eq!(states(&read), [json!("Activating"), json!("Activating")]);
    let again = slow.put(&path("apim-shop"), SERVICES, &body(json!({})));
    assert_eq!((again.refusal(), again.header("retry-after")), ((409, "ServiceLocked".into()), Some("15")));
    assert_eq!(slow.delete(&path("apim-shop"), SERVICES).refusal(), (409, "ServiceLocked".into()));

    let bench = bench();
    let made = bench.made(&path("Apim-Shop"), SERVICES, &body(json!({"identity": {"type": "SystemAssigned"}})));
    let properties = &made["properties"];
    assert_eq!((&properties["provisioningState"], &made["location"]), (&json!("Succeeded"), &json!("UK South")));
    assert_eq!((&properties["targetProvisioningState"], &made["tags"]), (&json!(""), &Value::Null));
    assert_eq!(properties["gatewayUrl"], "https://apim-shop.azure-api.net");
    assert_eq!(properties["developerPortalUrl"], "https://apim-shop.developer.azure-api.net");
    assert_eq!(properties["hostnameConfigurations"][0]["hostName"], "apim-shop.azure-api.net");
    assert_eq!((&properties["virtualNetworkType"], &properties["platformVersion"]), (&json!("None"), &json!("stv2")));
    assert!(made["identity"]["principalId"].is_string() && made["etag"].is_string());
    assert_eq!(bench.put(&path("apim-shop"), SERVICES, &made).status, 200, "what was read can be sent back");
    let consumption =
        bench.made(&path("apim-small"), SERVICES, &body(json!({"sku": {"name": "consumption", "capacity": 0}})));
    assert_eq!(consumption["sku"], json!({"name": "Consumption", "capacity": 0}));
    assert_eq!(
        (&consumption["properties"]["portalUrl"], &consumption["properties"]["platformVersion"]),
        (&Value::Null, &json!("mtv1"))
    );
}

#[test]
fn the_gateway_keeps_its_host_and_certificates_are_only_written() {
    let bench = bench();
    let secret = json!({"encodedCertificate": "MIIC", "certificatePassword": "hush", "storeName": "Root"});
    let host = json!({
        "type": "Proxy", "hostName": "api.example.com", "encodedCertificate": "MIIC", "certificatePassword": "hush",
        "defaultSslBinding": true,
    });
    let change = json!({"properties/certificates": [secret], "properties/hostnameConfigurations": [host]});
    let made = bench.made(&path("apim-shop"), SERVICES, &body(change));
    assert_eq!(made["properties"]["certificates"], json!([{"storeName": "Root"}]));
    let hosts = made["properties"]["hostnameConfigurations"].as_array().unwrap();
    let shown: Vec<_> = hosts.iter().map(|host| (&host["hostName"], &host["defaultSslBinding"])).collect();
    let expected = [(json!("apim-shop.azure-api.net"), json!(false)), (json!("api.example.com"), json!(true))];
    assert_eq!(shown, expected.iter().map(|(name, bound)| (name, bound)).collect::<Vec<_>>());
    let certificate = &hosts[1]["certificate"];
    assert_eq!(
        (&certificate["subject"], &hosts[1]["certificateSource"]),
        (&json!("CN=api.example.com"), &json!("Custom"))
    );
    assert_eq!(certificate["thumbprint"].as_str().unwrap().len(), 40);
    assert!(!made.to_string().contains("hush") && !made.to_string().contains("MIIC"), "{made}");
    let again = bench.made(&path("apim-shop"), SERVICES, &made);
    assert_eq!(again["properties"]["hostnameConfigurations"], made["properties"]["hostnameConfigurations"]);
}

#[test]
fn services_azure_refuses_are_refused() {
    let bench = bench();
    let refused = |name: &str, change: Value| bench.refused(&path(name), SERVICES, &body(change));
    for name in ["1a", "a-", "a_b", &"x".repeat(51)] {
        assert!(refused(name, json!({})).2.contains("is invalid"), "{name}");
    }
    for (sku, capacity) in
        [("Consumption", 1), ("Developer", 0), ("Developer", 2), ("Basic", 3), ("Standard", 5), ("Premium", 32)]
    {
        let message = refused("a", json!({"sku": {"name": sku, "capacity": capacity}})).2;
        assert!(message.contains(&format!("capacity of the sku {sku}")), "{message}");
    }
    assert!(refused("a", json!({"sku": {"name": "Developer"}})).2.contains("capacity"));
    assert!(refused("a", json!({"sku": {"name": "Gold", "capacity": 1}})).2.contains("'Gold' is not known"));
    assert!(refused("a", json!({"properties/publisherEmail": null})).2.contains("publisherEmail is required"));
    assert!(refused("a", json!({"properties/publisherName": "x".repeat(101)})).2.contains("at most 100"));
    assert!(refused("a", json!({"properties/publisherEmail": "nobody"})).2.contains("not an email address"));
    assert!(refused("a", json!({"properties/virtualNetworkType": "Both"})).2.contains("virtualNetworkType"));
    let old = bench.put(&path("a"), "2020-12-01", &body(json!({})));
    assert_eq!(old.refusal(), (400, "NoRegisteredProviderFound".into()));
    bench.made(&path("a"), SERVICES, &body(json!({})));
    bench.group("h");
    let taken =
        bench.refused("resourceGroups/h/providers/Microsoft.ApiManagement/service/A", SERVICES, &body(json!({})));
    assert_eq!((taken.0, taken.1.as_str()), (409, "ServiceAlreadyExists"));
    assert!(refused("a", json!({"sku": {"name": "Consumption", "capacity": 0}})).2.contains("cannot be changed"));
    assert_eq!(bench.made(&path("a"), SERVICES, &body(json!({"sku/name": "Basic"})))["sku"]["name"], "Basic");
}

#[test]
fn a_deleted_service_keeps_its_name_until_it_is_purged() {
    let bench = bench();
    bench.made(&path("apim-shop"), SERVICES, &body(json!({})));
    let started = bench.delete(&path("apim-shop"), SERVICES);
    assert_eq!(started.status, 202);
    assert_eq!(bench.finish(&started).status, 200);
    assert_eq!(bench.get(&path("apim-shop"), SERVICES).status, 404);
    let deleted = bench.get(DELETED, SERVICES).json();
    assert_eq!(
        (&deleted["type"], &deleted["location"]),
        (&json!("Microsoft.ApiManagement/deletedservices"), &json!("UK South"))
    );
    assert_eq!(deleted["properties"]["serviceId"], absolute(&path("apim-shop")));
    assert!(deleted["properties"]["scheduledPurgeDate"].is_string() && deleted.get("service").is_none());
    let listed = bench.get("providers/Microsoft.ApiManagement/deletedservices", SERVICES).json();
    assert_eq!(listed["value"], json!([deleted]));

    let (status, code, message) = bench.refused(&path("apim-shop"), SERVICES, &body(json!({})));
    assert_eq!((status, code.as_str()), (409, "ServiceAlreadyExistsInSoftDeletedState"));
    assert!(message.starts_with("Api service apim-shop was soft-deleted."), "{message}");
    assert_eq!(bench.refused(&path("APIM-SHOP"), SERVICES, &body(json!({}))).0, 409);
    let ask = || {
        let body = json!({"name": "apim-shop"});
        bench.call("POST", "providers/Microsoft.ApiManagement/checkNameAvailability", SERVICES, Some(&body)).json()
    };
    assert_eq!((&ask()["nameAvailable"], &ask()["reason"]), (&json!(false), &json!("AlreadyExists")));
    assert_eq!(bench.put(DELETED, SERVICES, &json!({})).status, 404, "it is not written");
    assert_eq!(bench.finish(&bench.delete(DELETED, SERVICES)).status, 200);
    assert_eq!((&ask()["nameAvailable"], bench.get(DELETED, SERVICES).status), (&json!(true), 404));
    bench.made(&path("apim-shop"), SERVICES, &body(json!({})));
}

#[test]
fn a_deleted_service_can_be_brought_back_as_it_was() {
    let bench = bench();
    let nothing = bench.refused(&path("apim-shop"), SERVICES, &body(json!({"properties/restore": true})));
    assert_eq!((nothing.0, nothing.1.as_str()), (400, "ServiceUndeleteNotPossible"));
    let made = bench.made(&path("apim-shop"), SERVICES, &body(json!({"tags": {"a": "b"}, "sku/name": "Standard"})));
    // Also one that goes with its group.
    assert_eq!(bench.finish(&bench.delete("resourceGroups/g", RESOURCES)).status, 200);
    bench.group("g");
    let back =
        bench.made(&path("apim-shop"), SERVICES, &body(json!({"properties/restore": true, "sku/name": "Premium"})));
    for member in ["sku", "tags", "location"] {
        assert_eq!(back[member], made[member], "{member}");
    }
    assert_eq!(
        (&back["properties"]["provisioningState"], &back["properties"].get("restore")),
        (&json!("Succeeded"), &None)
    );
    assert_eq!(bench.get(DELETED, SERVICES).status, 404);
}

#[test]
fn a_service_takes_forty_times_as_long_as_a_site() {
    let options = LocalCloudOptions { operation_time: OperationTime::Factor(1000.0), ..quick() };
    let seconds = |name: &str| crate::resource_types::all().find(|entry| entry.name == name).unwrap().seconds;
    let (site, service) = (seconds("Microsoft.Web/sites"), seconds("Microsoft.ApiManagement/service"));
    let time = |seconds: u32| options.operation_time.of(seconds);
    assert_eq!(time(service), 40 * time(site));
    let compressed = OperationTime::Factor(0.001);
    assert_eq!((compressed.of(site), compressed.of(service)), (Duration::from_millis(45), Duration::from_millis(1800)));
    // It holds for what a cloud does, too: a site is still being made.
    let bench = Bench::with(options);
    bench.group("g");
    let mut plan = plan_body("S1");
    plan["id"] = json!(absolute(&web_path("serverfarms", "p")));
    bench.cloud.import(&[plan]).unwrap();
    assert_eq!(bench.put(&web_path("sites", "shop"), WEB, &site_body(json!({}))).status, 202);
    assert_eq!(bench.get(&web_path("sites", "shop"), WEB).status, 404);
}
