use super::common::{Bench, DNS, NETWORK, absolute, account_path, network_path};
use serde_json::{Value, json};

const BLOB: &str = "privatelink.blob.core.windows.net";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.network("v", "10.0.0.0/16", &[("a", "10.0.1.0/24")]);
    bench
}

fn zone(name: &str) -> String {
    network_path("privateDnsZones", name)
}

fn make_zone(bench: &Bench, name: &str) -> Value {
    let started = bench.put(&zone(name), DNS, &json!({"location": "global"}));
    assert_eq!((started.status, started.text.as_str()), (202, ""));
    bench.finish(&started).json()
}

fn link(zone_name: &str, name: &str) -> String {
    format!("{}/virtualNetworkLinks/{name}", zone(zone_name))
}

fn link_body(network: &str, registers: bool) -> Value {
    let id = absolute(&network_path("virtualNetworks", network));
    json!({"location": "global", "properties": {"virtualNetwork": {"id": id}, "registrationEnabled": registers}})
}

#[test]
fn a_zone_is_global_and_counts_what_is_in_it() {
    let bench = bench();
    let regional = bench.put(&zone(BLOB), DNS, &json!({"location": "uksouth"}));
    assert_eq!(regional.refusal(), (400, "LocationNotAvailableForResourceType".into()));
    assert_eq!(bench.put(&zone("a..b"), DNS, &json!({"location": "global"})).refusal(), (400, "BadRequest".into()));
    let tags: serde_json::Map<String, Value> = (0..16).map(|number| (format!("t{number}"), json!("x"))).collect();
    let tagged = bench.put(&zone(BLOB), DNS, &json!({"location": "Global", "tags": tags}));
    assert_eq!(tagged.refusal(), (400, "InvalidTagCount".into()));
    let made = make_zone(&bench, BLOB);
    assert_eq!(made["location"], "global");
    let properties = &made["properties"];
    assert_eq!((&properties["numberOfRecordSets"], &properties["maxNumberOfRecordSets"]), (&json!(1), &json!(25000)));
    assert_eq!(properties["numberOfVirtualNetworkLinks"], 0);
    bench.finish(&bench.put(&link(BLOB, "l"), DNS, &link_body("v", true)));
    let properties = bench.get(&zone(BLOB), DNS).json()["properties"].clone();
    assert_eq!(properties["numberOfVirtualNetworkLinks"], 1);
    assert_eq!(properties["numberOfVirtualNetworkLinksWithRegistration"], 1);
    assert_eq!(properties["internalId"], made["properties"]["internalId"]);
    assert_eq!(bench.delete(&zone(BLOB), DNS).refusal(), (409, "CannotDeleteResource".into()));
    bench.finish(&bench.delete(&link(BLOB, "l"), DNS));
    assert_eq!(bench.finish(&bench.delete(&zone(BLOB), DNS)).status, 200);
}

#[test]
fn links_join_a_zone_and_a_network_once() {
    let bench = bench();
    bench.network("w", "10.1.0.0/16", &[]);
    make_zone(&bench, BLOB);
    make_zone(&bench, "example.org");
    let made = bench.finish(&bench.put(&link(BLOB, "l"), DNS, &link_body("v", false))).json();
    assert_eq!(made["properties"]["virtualNetworkLinkState"], "Completed");
    assert_eq!(made["properties"]["resolutionPolicy"], "Default");
    assert_eq!((&made["location"], &made["properties"]["registrationEnabled"]), (&json!("global"), &json!(false)));
    assert_eq!(bench.put(&link(BLOB, "m"), DNS, &link_body("v", false)).refusal(), (409, "Conflict".into()));
    let refused = |path: &str, body: &Value| bench.refused(path, DNS, body);
    let (status, code, message) = refused(&link(BLOB, "l"), &link_body("w", false));
    assert_eq!((status, code.as_str()), (400, "BadRequest"), "{message}");
    assert!(message.contains("cannot be changed"), "{message}");
    assert!(refused(&link(BLOB, "m"), &link_body("none", false)).2.contains("was not found"));
    assert!(
        refused(&link(BLOB, "m"), &json!({"location": "global", "properties": {}})).2.contains("virtualNetwork.id")
    );
    assert_eq!(refused(&link(BLOB, "m"), &json!({"location": "uksouth"})).1, "LocationNotAvailableForResourceType");
    assert_eq!(refused(&link("none.org", "m"), &link_body("w", false)).1, "ParentResourceNotFound");

    // The same name twice would be two answers to one question.
    bench.group("h");
    let second = format!("resourceGroups/h/providers/Microsoft.Network/privateDnsZones/{BLOB}");
    bench.finish(&bench.put(&second, DNS, &json!({"location": "global"})));
    let overlap = refused(&format!("{second}/virtualNetworkLinks/l"), &link_body("v", false));
    assert!(overlap.2.contains("overlapping namespaces"), "{overlap:?}");
    // A network registers its machines in one zone.
    bench.finish(&bench.put(&link("example.org", "l"), DNS, &link_body("v", true)));
    let registers = refused(&link(BLOB, "l"), &link_body("v", true));
    assert!(registers.2.contains("auto-registration"), "{registers:?}");
    assert_eq!(bench.put(&link(BLOB, "m"), DNS, &link_body("w", true)).status, 202);
}

#[test]
fn links_go_with_their_network() {
    let bench = bench();
    make_zone(&bench, BLOB);
    bench.finish(&bench.put(&link(BLOB, "l"), DNS, &link_body("v", false)));
    bench.finish(&bench.delete(&network_path("virtualNetworks", "v"), NETWORK));
    assert_eq!(bench.get(&link(BLOB, "l"), DNS).status, 404);
    assert_eq!(bench.get(&zone(BLOB), DNS).json()["properties"]["numberOfVirtualNetworkLinks"], 0);
}

fn zone_group(zones: &[&str]) -> Value {
    let configurations: Vec<Value> = zones
        .iter()
        .map(|name| json!({"name": name.replace('.', "_"), "properties": {"privateDnsZoneId": absolute(&zone(name))}}))
        .collect();
    json!({"properties": {"privateDnsZoneConfigs": configurations}})
}

#[test]
fn a_zone_group_keeps_records_in_its_zones() {
    let bench = bench();
    bench.account("abc", json!({}));
    make_zone(&bench, BLOB);
    make_zone(&bench, "example.org");
    let endpoint = network_path("privateEndpoints", "e");
    let group = format!("{endpoint}/privateDnsZoneGroups/default");
    assert_eq!(bench.refused(&group, NETWORK, &zone_group(&[BLOB])).1, "ParentResourceNotFound");
    let body = json!({"location": "uksouth", "properties": {
        "subnet": {"id": absolute(&network_path("virtualNetworks/v/subnets", "a"))},
        "privateLinkServiceConnections": [{"name": "c", "properties": {
            "privateLinkServiceId": absolute(&account_path("abc")), "groupIds": ["blob"],
        }}],
    }});
    bench.made(&endpoint, NETWORK, &body);
    for (zones, code) in [
        (&[][..], "InvalidPrivateDnsZoneGroup"),
        (&["a.org", "b.org", "c.org", "d.org", "e.org", "f.org"][..], "InvalidPrivateDnsZoneGroup"),
        (&["none.org"][..], "InvalidPrivateDnsZoneIds"),
        (&[BLOB, BLOB][..], "DuplicateResourceName"),
    ] {
        assert_eq!(bench.put(&group, NETWORK, &zone_group(zones)).refusal(), (400, code.into()), "{zones:?}");
    }
    let started = bench.put(&group, NETWORK, &zone_group(&[BLOB, "example.org"]));
    assert_eq!(started.status, 201);
    assert!(started.header("azure-asyncoperation").is_some());
    let made = bench.get(&group, NETWORK).json();
    let configurations = &made["properties"]["privateDnsZoneConfigs"];
    assert_eq!(
        configurations[0]["properties"]["recordSets"],
        json!([{
            "recordType": "A",
            "recordSetName": "abc",
            "fqdn": format!("abc.{BLOB}"),
            "ttl": 10,
            "provisioningState": "Succeeded",
            "ipAddresses": ["10.0.1.4"],
        }])
    );
    // A zone of another name gets no records.
    assert_eq!(configurations[1]["properties"]["recordSets"], json!([]));
    assert_eq!(bench.get(&zone(BLOB), DNS).json()["properties"]["numberOfRecordSets"], 2);
    assert_eq!(bench.get(&zone("example.org"), DNS).json()["properties"]["numberOfRecordSets"], 1);
    assert_eq!(bench.get(&endpoint, NETWORK).json()["properties"]["customDnsConfigs"], json!([]));
    let second = bench.put(&format!("{endpoint}/privateDnsZoneGroups/more"), NETWORK, &zone_group(&[BLOB]));
    assert_eq!(second.refusal(), (400, "MultiplePrivateDnsZoneGroupsNotAllowed".into()));
    let listed = bench.get(&format!("{endpoint}/privateDnsZoneGroups"), NETWORK).json();
    assert_eq!(listed["value"], json!([made]));
    // What was read can be sent back.
    assert_eq!(bench.put(&group, NETWORK, &made).status, 200);
    bench.finish(&bench.delete(&group, NETWORK));
    assert_eq!(bench.get(&zone(BLOB), DNS).json()["properties"]["numberOfRecordSets"], 1);
    let names = bench.get(&endpoint, NETWORK).json()["properties"]["customDnsConfigs"].clone();
    assert_eq!(names[0]["fqdn"], "abc.blob.core.windows.net");
}
