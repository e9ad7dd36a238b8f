//! The private DNS zones of private endpoints: which zone an entry stands for, what is linked, and what is warned of.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

const BLOB_ZONE: &str = "privatelink.blob.core.windows.net";
const ENDPOINT: &str = "ped-files-dev-uks-b0b3342b";

/// A document with one endpoint for the blobs of the landing zone that has these zones, in line 10.
fn document(zones: &str) -> String {
    format!(
        "\
service:
  dependencies: {{resourceGroup: landing-zone, vnet: hub-network}}
privateEndpoints:
  - name: files
    subResourceName: blob
    subnetName: endpoints
    service:
      dependencies:
        resource: central-files
        privateZones: {zones}
"
    )
}

fn deployment(zones: &str) -> Deployment {
    Deployment::new(PRIVATE_ENDPOINTS, &document(zones))
}

/// The id of the zone for blobs in a resource group.
fn zone_id(group: &str) -> String {
    in_subscription(&format!("resourceGroups/{group}/providers/Microsoft.Network/privateDnsZones/{BLOB_ZONE}"))
}

/// The resources that a run writes beside the endpoint: paths below the resource groups.
fn written(cloud: &LocalCloud, before: usize) -> Vec<String> {
    let mut paths: Vec<String> = writes(&requests_after(cloud, before))
        .iter()
        .map(|request| request.url.split('?').next().unwrap().to_owned())
        .filter(|path| !path.ends_with(ENDPOINT))
        .map(|path| {
            path.trim_start_matches(&in_subscription("resourceGroups/")).replace("/providers/Microsoft.Network", "")
        })
        .collect();
    paths.sort();
    paths
}

/// The zones of the zone group of the endpoint.
fn zone_group(cloud: &LocalCloud) -> Vec<(String, String)> {
    let group = resource(cloud, &network(&format!("privateEndpoints/{ENDPOINT}/privateDnsZoneGroups/default")));
    let zones = group["properties"]["privateDnsZoneConfigs"].as_array().unwrap();
    zones
        .iter()
        .map(|zone| {
            let id = zone["properties"]["privateDnsZoneId"].as_str().unwrap();
            let path = id.trim_start_matches(&in_subscription("resourceGroups/"));
            (
                zone["name"].as_str().unwrap().to_owned(),
                path.replace("/providers/Microsoft.Network/privateDnsZones", ""),
            )
        })
        .collect()
}

/// Runs a document, then again, and returns what the first run wrote.
fn converge(cloud: &LocalCloud, zones: &str) -> Vec<String> {
    let deployment = deployment(zones);
    let before = cloud.requests().len();
    let outcome = deployment.deploy(cloud);
    assert_eq!(outcome.counts().failed, 0, "{zones}: {:#?}", outcome.errors());
    let written = written(cloud, before);
    let before = cloud.requests().len();
    let again = deployment.deploy(cloud);
    assert_eq!(again.plan(), [], "{zones}");
    assert!(writes(&requests_after(cloud, before)).is_empty(), "{zones}");
    written
}

const ZONE_GROUP: &str = "rg-landing-zone/privateEndpoints/ped-files-dev-uks-b0b3342b/privateDnsZoneGroups/default";

#[test]
fn a_zone_that_is_missing_is_created_and_linked() {
    let cloud = landing_zone();
    assert_eq!(
        converge(&cloud, "[PrivateLink.Blob.core.windows.net]"),
        [
            "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net",
            "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net/virtualNetworkLinks/vnet-hub-link",
            ZONE_GROUP,
        ]
    );
    assert_eq!(
        zone_group(&cloud),
        [("privatelink_blob_core_windows_net".to_owned(), format!("rg-landing-zone/{BLOB_ZONE}"))]
    );
}

#[test]
fn a_zone_of_another_resource_group_is_found_by_its_name_and_linked() {
    for service in ["", "dns-zone", BLOB_ZONE] {
        let cloud = landing_zone();
        cloud.import(&[group("rg-dns", "dns"), zone("rg-dns", BLOB_ZONE, service)]).unwrap();
        assert_eq!(
            converge(&cloud, &format!("[{BLOB_ZONE}]")),
            ["rg-dns/privateDnsZones/privatelink.blob.core.windows.net/virtualNetworkLinks/vnet-hub-link", ZONE_GROUP]
        );
        assert_eq!(zone_group(&cloud)[0].1, format!("rg-dns/{BLOB_ZONE}"));
    }
}

#[test]
fn an_existing_zone_keeps_its_tags() {
    for (service, tags) in [("", Value::Null), ("blob-zone", json!({"svc-service": "blob-zone"}))] {
        let cloud = landing_zone();
        cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, service)]).unwrap();
        assert_eq!(
            converge(&cloud, &format!("[{BLOB_ZONE}]")),
            [
                "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net/virtualNetworkLinks/vnet-hub-link",
                ZONE_GROUP
            ]
        );
        let now = resource(&cloud, &network(&format!("privateDnsZones/{BLOB_ZONE}")))["tags"].clone();
        assert!(now == tags || tags.is_null() && now == json!({}), "{now}");
    }
}

#[test]
fn of_several_zones_of_a_name_the_one_in_the_group_of_the_endpoint_is_meant() {
    for service in ["", BLOB_ZONE] {
        let cloud = landing_zone();
        let zones = ["a", "rg-landing-zone", "z"].map(|group| zone(group, BLOB_ZONE, service));
        cloud.import(&[group("a", "a"), group("z", "z")]).unwrap();
        cloud.import(&zones).unwrap();
        converge(&cloud, &format!("[{BLOB_ZONE}]"));
        assert_eq!(zone_group(&cloud)[0].1, format!("rg-landing-zone/{BLOB_ZONE}"), "'{service}'");
    }
}

#[test]
fn of_several_zones_of_a_name_elsewhere_none_is_chosen() {
    for service in ["", BLOB_ZONE] {
        let cloud = landing_zone();
        cloud.import(&[group("a", "a"), group("z", "z")]).unwrap();
        cloud.import(&["a", "z"].map(|group| zone(group, BLOB_ZONE, service))).unwrap();
        let outcome = deployment(&format!("[{BLOB_ZONE}]")).deploy(&cloud);
        let message = format!(
            "settings.yml has 1 problem:\n[1] 10:24 privateEndpoints[0].service.dependencies.privateZones[0]: \
             several private DNS zones are named 'privatelink.blob.core.windows.net', and none of them is in the resource group of the endpoint: {}, {}; publish the right one under a separate name and use that",
            zone_id("a"),
            zone_id("z")
        );
        assert_eq!(outcome.failed_with(), ("ServiceAmbiguous", message.as_str()));
    }
}

#[test]
fn a_network_that_is_linked_under_another_name_is_left_alone() {
    let cloud = landing_zone();
    let link = |name: &str| format!("privateDnsZones/{BLOB_ZONE}/virtualNetworkLinks/{name}");
    let theirs = json!({
        "id": network_id(&link("theirs")),
        "location": "global",
        "properties": {
            "virtualNetwork": {"id": network_id("virtualNetworks/vnet-hub").to_uppercase().replace("/SUBSCRIPTIONS", "/subscriptions")},
            "registrationEnabled": true,
        },
    });
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, ""), theirs]).unwrap();
    let before = resource(&cloud, &network(&link("theirs")));
    assert_eq!(converge(&cloud, &format!("[{BLOB_ZONE}]")), [ZONE_GROUP]);
    assert_eq!(resource(&cloud, &network(&link("theirs"))), before);
    assert_eq!(cloud.resource(&network_id(&link("vnet-hub-link"))), None);
    // A link of another network under the name that is wanted is not the same.
    let cloud = landing_zone();
    let mut other = before;
    other["id"] = json!(network_id(&link("someone-else")));
    other["properties"]["virtualNetwork"]["id"] = json!(network_id("virtualNetworks/vnet-spoke"));
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, ""), other]).unwrap();
    assert_eq!(converge(&cloud, &format!("[{BLOB_ZONE}]")).len(), 2);
}

#[test]
fn a_zone_by_its_publish_name_is_not_linked() {
    let cloud = landing_zone();
    cloud.import(&[group("rg-dns", "dns"), zone("rg-dns", BLOB_ZONE, "blob-zone")]).unwrap();
    assert_eq!(converge(&cloud, "[blob-zone]"), [ZONE_GROUP]);
    assert_eq!(zone_group(&cloud)[0].1, format!("rg-dns/{BLOB_ZONE}"));
    // A publish name with full stops in it is a publish name all the same.
    let cloud = landing_zone();
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, "zone.of.blobs")]).unwrap();
    assert_eq!(converge(&cloud, "[zone.of.blobs]"), [ZONE_GROUP]);
    assert_eq!(zone_group(&cloud)[0].1, format!("rg-landing-zone/{BLOB_ZONE}"));
}

#[test]
fn every_zone_of_a_publish_name_is_meant() {
    let cloud = landing_zone();
    let zones = [BLOB_ZONE, "privatelink.blob.core.usgovcloudapi.net", "privatelink.blob.core.chinacloudapi.cn"];
    cloud.import(&zones.map(|name| zone("rg-landing-zone", name, "blob-zones"))).unwrap();
    let other =
        published(&format!("{LANDING_ZONE}/providers/Microsoft.Test/others/other"), "uksouth", "blob-zones", json!({}));
    cloud.import(&[other]).unwrap();
    assert_eq!(converge(&cloud, "[blob-zones]"), [ZONE_GROUP]);
    let mut found: Vec<String> = zone_group(&cloud).into_iter().map(|(_, path)| path).collect();
    found.sort();
    let mut expected = zones.map(|name| format!("rg-landing-zone/{name}"));
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_zone_that_is_named_twice_is_in_the_group_once() {
    let cloud = landing_zone();
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, "blob-zone")]).unwrap();
    let zones = format!("[{BLOB_ZONE}, blob-zone, {}]", BLOB_ZONE.to_uppercase());
    assert_eq!(converge(&cloud, &zones).len(), 2);
    assert_eq!(zone_group(&cloud).len(), 1);
    // Two zones of one name cannot be in one zone group.
    cloud.import(&[group("rg-dns", "dns"), zone("rg-dns", BLOB_ZONE, "blob-zone")]).unwrap();
    let outcome = deployment("[blob-zone]").deploy(&cloud);
    let message = format!(
        "settings.yml has 1 problem:\n[1] 10:23 privateEndpoints[0].service.dependencies.privateZones: \
         Azure takes one zone of each name for one endpoint, found {} and {}",
        zone_id("rg-dns"),
        zone_id("rg-landing-zone")
    );
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
    assert_eq!(
        outcome.last_error().failure.recommendation.as_deref(),
        Some("Correct the settings and run the command again. Nothing was changed.")
    );
}

#[test]
fn none_and_nothing() {
    let root = |zones: &str, own: &str| {
        document(own).replace("vnet: hub-network}", &format!("vnet: hub-network, privateZones: {zones}}}"))
    };
    // The zones of the root, those of the item, and whether there is a zone group.
    for (zones, own, expected) in [
        ("[]", "[]", false),
        ("", "", false),
        ("[none]", "", false),
        (BLOB_ZONE_LIST, "", true),
        (BLOB_ZONE_LIST, "[]", true),
        (BLOB_ZONE_LIST, "['']", true),
        (BLOB_ZONE_LIST, "[None]", false),
        ("[none]", BLOB_ZONE_LIST, true),
        ("[vault-zone]", BLOB_ZONE_LIST, true),
    ] {
        let cloud = landing_zone();
        let outcome = Deployment::new(PRIVATE_ENDPOINTS, &root(zones, own)).deploy(&cloud);
        let told = usize::from(own == "['']");
        assert_eq!(outcome.warnings().len(), told, "{zones}, {own}: {:?}", outcome.warnings());
        let names: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
        let all = [ENDPOINT, BLOB_ZONE, "vnet-hub-link", "default"];
        assert_eq!(names, if expected { &all[..] } else { &all[..1] }, "{zones}, {own}");
    }
}

const BLOB_ZONE_LIST: &str = "[privatelink.blob.core.windows.net]";

#[test]
fn more_than_five_zones_are_refused() {
    let cloud = landing_zone();
    let five = "[a.example, b.example, c.example, d.example, e.example]";
    assert_eq!(deployment(five).rehearse(&cloud).plan().len(), 12);
    let message = "settings.yml has 1 problem:\n[1] 10:23 privateEndpoints[0].service.dependencies.privateZones: \
        6 zones are too many; Azure takes at most 5 for one endpoint";
    let requests = cloud.requests().len();
    let outcome = deployment(&five.replace(']', ", f.example]")).deploy(&cloud);
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
    assert_eq!(cloud.requests().len(), requests, "nothing is asked for");
    // How many zones a publish name stands for is known when they were looked up.
    let zones = ["a", "b"].map(|name| zone("rg-landing-zone", &format!("{name}.other"), "two-zones"));
    cloud.import(&zones).unwrap();
    let outcome = deployment(&five.replace("e.example", "two-zones")).deploy(&cloud);
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn a_zone_that_is_not_the_one_for_the_target_is_a_warning() {
    let cloud = landing_zone();
    let outcome =
        deployment("[vault-zone, privatelink.file.core.windows.net, privatelink.blob.core.windows.net]").deploy(&cloud);
    assert_eq!(
        outcome.warnings(),
        ["privatelink.vaultcore.azure.net", "privatelink.file.core.windows.net"].map(|zone| format!(
            "settings.yml:10:23: privateEndpoints[0].service.dependencies.privateZones: '{zone}' is not the zone for blob of Microsoft.Storage/storageAccounts, which is privatelink.blob.core.windows.net; names will not resolve through it"
        ))
    );
    assert_eq!(outcome.summary(), "created 6");
}

#[test]
fn an_entry_that_stands_for_no_zone() {
    let cloud = landing_zone();
    for (entry, hint) in [
        ("valt-zone", ", did you mean 'vault-zone'?"),
        // The group is published under this name, and is no zone.
        ("landing-zone", "; the only published one is 'vault-zone'"),
        ("not a.zone", "; the only published one is 'vault-zone'"),
    ] {
        let outcome = deployment(&format!("[{entry}]")).deploy(&cloud);
        let message = format!(
            "settings.yml has 1 problem:\n[1] 10:24 privateEndpoints[0].service.dependencies.privateZones[0]: \
             no private DNS zone in this subscription is published as '{entry}'{hint}"
        );
        assert_eq!(outcome.failed_with(), ("ServiceNotFound", message.as_str()));
    }
    let outcome = deployment("[valt-zone, privatelink.blob.core.windows.net]").rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        ["settings.yml:10:24: privateEndpoints[0].service.dependencies.privateZones[0]: \
            no private DNS zone in this subscription is published as 'valt-zone', did you mean 'vault-zone'?; the plan shows a placeholder"]
    );
    let zones: Value = serde_json::from_str(&planned(&outcome, "default")["properties.privateDnsZoneConfigs"]).unwrap();
    assert_eq!(zones[0]["name"], "<private DNS zone published as 'valt-zone'>");
    assert_eq!(zones[1]["name"], "privatelink_blob_core_windows_net");
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn endpoints_of_two_groups_share_a_new_zone() {
    let cloud = landing_zone();
    cloud.import(&[group("rg-second", "second")]).unwrap();
    let second = "  - name: files
    subResourceName: blob
    subnetName: endpoints
    service: {dependencies: {resource: central-files, vnet: spoke-network, resourceGroup: second, privateZones: [privatelink.blob.core.windows.net]}}
";
    let deployment = Deployment::new(PRIVATE_ENDPOINTS, &(document(BLOB_ZONE_LIST) + second));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 7", "{:#?}", outcome.errors());
    assert_eq!(
        written(&cloud, 0),
        [
            "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net",
            "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net/virtualNetworkLinks/vnet-hub-link",
            "rg-landing-zone/privateDnsZones/privatelink.blob.core.windows.net/virtualNetworkLinks/vnet-spoke-link",
            ZONE_GROUP,
            &ZONE_GROUP.replace("rg-landing-zone", "rg-second"),
        ]
    );
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).plan(), []);
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}
