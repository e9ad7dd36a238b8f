//! The resources that are there before a run: endpoints, zone groups and links that somebody else made or changed, and subnets that are missing.

use std::time::Duration;

use serde_json::{Value, json};
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::endpoints::private_endpoints::{VAULT, example, vault_endpoints};
use crate::support::estate::*;
use crate::support::*;

const BLOB_ZONE: &str = "privatelink.blob.core.windows.net";
const VAULT_ZONE: &str = "privatelink.vaultcore.azure.net";

/// One endpoint for the vault, with these zones.
fn vault_with(zones: &str) -> Deployment {
    let lines = format!("service: {{dependencies: {{resource: central-vault, privateZones: {zones}}}}}");
    Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", &lines)]))
}

fn zone_id(name: &str) -> String {
    network_id(&format!("privateDnsZones/{name}"))
}

/// Replaces the zone group of the vault's endpoint by one of this name with these entries.
fn replace_zone_group(cloud: &LocalCloud, name: &str, entries: &[(&str, &str)]) {
    delete(cloud, &network(&format!("{VAULT}/privateDnsZoneGroups/default")));
    let entries: Vec<Value> = entries
        .iter()
        .map(|(name, zone)| json!({"name": name, "properties": {"privateDnsZoneId": zone_id(zone)}}))
        .collect();
    let group = network_id(&format!("{VAULT}/privateDnsZoneGroups/{name}"));
    cloud.import(&[json!({"id": group, "properties": {"privateDnsZoneConfigs": entries}})]).unwrap();
}

/// The entries of a zone group of the vault's endpoint.
fn zones_of(cloud: &LocalCloud, name: &str) -> Vec<(String, String)> {
    let group = resource(cloud, &network(&format!("{VAULT}/privateDnsZoneGroups/{name}")));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = group["properties"]["privateDnsZoneConfigs"].as_array().unwrap().iter();
    entries.map(|entry| (text(&entry["name"]), text(&entry["properties"]["privateDnsZoneId"]))).collect()
}

#[test]
fn a_subnet_that_the_network_does_not_have_is_found_in_the_plan() {
    let cloud = landing_zone();
    let bare = published(
        &network("virtualNetworks/vnet-bare"),
        "uksouth",
        "bare-network",
        json!({"addressSpace": {"addressPrefixes": ["10.40.0.0/16"]}}),
    );
    cloud.import(&[bare]).unwrap();
    let in_bare = "service: {dependencies: {resource: central-vault, vnet: bare-network}}";
    for (lines, subnet, message) in [
        ("", "endpoint", "the virtual network 'vnet-hub' has no subnet 'endpoint'; use endpoints or workload"),
        (in_bare, "endpoints", "the virtual network 'vnet-bare' has no subnet 'endpoints', and no other"),
    ] {
        let text =
            vault_endpoints(&[("vault", lines)]).replace("subnetName: endpoints", &format!("subnetName: {subnet}"));
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
        for outcome in [deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
            let message = format!("settings.yml has 1 problem:\n[1] 8:17 privateEndpoints[0].subnetName: {message}");
            assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
        }
    }
    let requests = cloud.requests().len();
    for subnet in ["CloudBastionSubnet", "azurebastionsubnet"] {
        let text = vault_endpoints(&[("vault", "")]).replace("subnetName: endpoints", &format!("subnetName: {subnet}"));
        let outcome = Deployment::new(PRIVATE_ENDPOINTS, &text).deploy(&cloud);
        let message = "settings.yml has 1 problem:\n[1] 8:17 privateEndpoints[0].subnetName: \
            AzureBastionSubnet is for bastion hosts alone; use another subnet";
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
    }
    assert_eq!(cloud.requests().len(), requests, "nothing is asked for");
    assert!(writes(&cloud.requests()).is_empty());
    // Letter case makes no difference.
    let text = vault_endpoints(&[("vault", "")]).replace("subnetName: endpoints", "subnetName: EndPoints");
    let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 1");
}

/// The name of the endpoint of [`files_endpoint`].
const FILES: &str = "ped-files-dev-uks-b0b3342b";
const HUB_SUBNETS: &str = "virtualNetworks/vnet-hub/subnets";

/// A landing zone with an endpoint for blobs, and its document.
fn files_endpoint() -> (LocalCloud, String) {
    let cloud = landing_zone();
    let files = "resourceNameSpace: Microsoft.Storage\nservice: {dependencies: {resource: central-files}}";
    let text = vault_endpoints(&[("files", files)]).replace("subResourceName: vault", "subResourceName: blob");
    assert_eq!(Deployment::new(PRIVATE_ENDPOINTS, &text).deploy(&cloud).summary(), "created 1");
    (cloud, text)
}

/// The id of a storage account of the landing zone.
fn storage_account(name: &str) -> String {
    in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/{name}"))
}

#[test]
fn what_an_endpoint_leads_to_cannot_be_changed() {
    let (cloud, text) = files_endpoint();
    let connection = format!("properties.privateLinkServiceConnections[{FILES}].properties");
    let before = cloud.requests().len();
    for (replaced, by, place, what) in [
        (
            "subnetName: endpoints",
            "subnetName: workload",
            "8:17 privateEndpoints[0].subnetName",
            format!(
                "has properties.subnet.id '{}', which Azure cannot change to '{}'; use another name for an endpoint there, or delete this one first",
                network_id(&format!("{HUB_SUBNETS}/endpoints")),
                network_id(&format!("{HUB_SUBNETS}/workload"))
            ),
        ),
        (
            "subResourceName: blob",
            "subResourceName: file",
            "7:22 privateEndpoints[0].subResourceName",
            format!(
                "has {connection}.groupIds 'blob', which Azure cannot change to 'file'; use another name for an endpoint to that, or delete this one first"
            ),
        ),
        (
            "resource: central-files",
            "resource: web-storage",
            "10:40 privateEndpoints[0].service.dependencies.resource",
            format!(
                "has {connection}.privateLinkServiceId '{}', which Azure cannot change to '{}'; use another name for an endpoint to that, or delete this one first",
                storage_account("stlandingzone"),
                storage_account("stwebfunctions")
            ),
        ),
    ] {
        let changed = text.replace(replaced, by);
        assert_ne!(changed, text);
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &changed);
        let message = format!(
            "settings.yml has 1 problem:\n[1] {place}: the private endpoint '{FILES}' in resource group 'rg-landing-zone' {what}"
        );
        for outcome in [deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
            assert_eq!(outcome.failed_with(), ("CannotBeChanged", message.as_str()));
        }
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn azure_refuses_to_change_what_an_endpoint_leads_to() {
    let (cloud, _) = files_endpoint();
    let path = network(&format!("privateEndpoints/{FILES}"));
    let body = resource(&cloud, &path);
    let change = |pointer: &str, value: Value| {
        let mut body = json!({"location": body["location"], "properties": {
            "subnet": {"id": body["properties"]["subnet"]["id"]},
            "privateLinkServiceConnections": [{"name": FILES, "properties": {
                "privateLinkServiceId": storage_account("stlandingzone"), "groupIds": ["blob"]}}]}});
        *body.pointer_mut(pointer).unwrap() = value;
        put_by_hand(&cloud, &path, &body)
    };
    let properties = "/properties/privateLinkServiceConnections/0/properties";
    for (pointer, value) in [
        ("/properties/subnet/id".to_owned(), json!(network_id(&format!("{HUB_SUBNETS}/workload")))),
        (format!("{properties}/groupIds/0"), json!("file")),
        (format!("{properties}/privateLinkServiceId"), json!(storage_account("stwebfunctions"))),
    ] {
        assert_eq!(change(&pointer, value), (400, "PropertyChangeNotAllowed".to_owned()), "{pointer}");
    }
}

#[test]
fn a_link_of_another_network_of_the_name_cannot_become_that_of_this_one() {
    let cloud = landing_zone();
    let other = "resourceGroups/rg-other/providers/Microsoft.Network/virtualNetworks/vnet-hub";
    let zone_link = format!("privateDnsZones/{BLOB_ZONE}/virtualNetworkLinks/vnet-hub-link");
    let theirs = json!({"id": network_id(&zone_link), "location": "global",
        "properties": {"virtualNetwork": {"id": in_subscription(other)}, "registrationEnabled": false}});
    cloud.import(&[group("rg-other", "other"), virtual_network(other, "uksouth", "other-network")]).unwrap();
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, ""), theirs]).unwrap();
    let text = vault_endpoints(&[(
        "files",
        &format!("service: {{dependencies: {{resource: central-files, privateZones: [{BLOB_ZONE}]}}}}"),
    )])
    .replace("subResourceName: vault", "subResourceName: blob");
    let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
    let message = format!(
        "settings.yml has 1 problem:\n[1] 9:70 privateEndpoints[0].service.dependencies.privateZones[0]: the virtual network link 'vnet-hub-link' of private DNS zone '{BLOB_ZONE}' \
         in resource group 'rg-landing-zone' has properties.virtualNetwork.id '{}', which Azure cannot change to '{}'; \
         link the network to the zone under another name, or delete this link first",
        in_subscription(other),
        network_id("virtualNetworks/vnet-hub")
    );
    for outcome in [deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", message.as_str()));
    }
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn a_zone_group_under_another_name_with_the_wanted_zones_is_right() {
    for entries in [
        &[("vault", VAULT_ZONE)][..],
        &[("theirs", VAULT_ZONE), ("blobs", BLOB_ZONE)],
        // The portal writes hyphens.
        &[("privatelink-vaultcore-azure-net", VAULT_ZONE)],
    ] {
        for name in ["deployedByPolicy", "default"] {
            if (name, entries.len()) == ("default", 2) {
                continue;
            }
            let (cloud, deployment) = (landing_zone(), vault_with("[vault-zone]"));
            cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, "")]).unwrap();
            assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
            replace_zone_group(&cloud, name, entries);
            let (before, zones) = (cloud.requests().len(), zones_of(&cloud, name));
            let outcome = deployment.deploy_with(&cloud, json!({"context": {"includeUnchanged": true}}));
            assert_eq!((outcome.plan(), outcome.summary().as_str()), (&[][..], "unchanged 2"), "{name} {entries:?}");
            assert_eq!(outcome.unchanged()[1].resource.name, name);
            assert!(writes(&requests_after(&cloud, before)).is_empty());
            assert_eq!(zones_of(&cloud, name), zones);
        }
    }
}

#[test]
fn a_zone_group_of_somebody_else_gets_what_it_lacks_and_ours_is_as_the_document_says() {
    let (cloud, deployment) = (landing_zone(), vault_with("[vault-zone]"));
    cloud.import(&[zone("rg-landing-zone", BLOB_ZONE, "")]).unwrap();
    deployment.deploy(&cloud);
    replace_zone_group(&cloud, "theirs", &[("blobs", BLOB_ZONE)]);
    let before = cloud.requests().len();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 1", "{:#?}", outcome.errors());
    assert!(
        outcome.descriptions()[0].starts_with(
            "Change private DNS zone group 'theirs' of private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone': \
             properties.privateDnsZoneConfigs[privatelink_vaultcore_azure_net] from nothing to "
        ),
        "{:?}",
        outcome.descriptions()
    );
    let written = shown(&writes(&requests_after(&cloud, before)));
    assert_eq!(written, [format!("PUT {}", network(&format!("{VAULT}/privateDnsZoneGroups/theirs")))]);
    let mut zones = zones_of(&cloud, "theirs");
    zones.sort();
    let both = [("blobs", BLOB_ZONE), ("privatelink_vaultcore_azure_net", VAULT_ZONE)];
    assert_eq!(zones, both.map(|(name, zone)| (name.to_owned(), zone_id(zone))));
    assert_eq!(deployment.deploy(&cloud).plan(), []);
    // Ours holds what the document says, and no more.
    delete(&cloud, &network(&format!("{VAULT}/privateDnsZoneGroups/theirs")));
    deployment.deploy(&cloud);
    replace_zone_group(&cloud, "default", &both);
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 1");
    assert_eq!(zones_of(&cloud, "default").len(), 1);
    assert_eq!(deployment.deploy(&cloud).plan(), []);
}

#[test]
fn an_existing_zone_group_that_the_document_does_not_want_is_told_and_stays() {
    for name in ["default", "theirs"] {
        let (cloud, deployment) = (landing_zone(), vault_with("[vault-zone]"));
        deployment.deploy(&cloud);
        replace_zone_group(&cloud, name, &[("vault", VAULT_ZONE)]);
        let before = cloud.requests().len();
        for outcome in [vault_with("[none]").deploy(&cloud), vault_with("[none]").rehearse(&cloud)] {
            let warning = format!(
                "settings.yml:9:69: privateEndpoints[0].service.dependencies.privateZones: the private DNS zone group '{name}' of private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone' exists, \
                 although the settings ask for none. It stays as it is; delete it if it is not needed."
            );
            assert_eq!(outcome.warnings(), [warning]);
            assert_eq!((outcome.summary().as_str(), outcome.counts().kept), ("unchanged 1, kept 1", 1));
        }
        assert!(writes(&requests_after(&cloud, before)).is_empty());
    }
    // An endpoint of which the document says nothing about zones is nobody's concern.
    let (cloud, without) = (landing_zone(), Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", "")])));
    vault_with("[vault-zone]").deploy(&cloud);
    assert!(without.deploy(&cloud).warnings().is_empty());
    assert!(vault_with("[none]").deploy(&landing_zone()).warnings().is_empty());
}

#[test]
fn a_published_zone_that_is_not_linked_to_the_network_is_a_warning() {
    let warning = "settings.yml:9:70: privateEndpoints[0].service.dependencies.privateZones[0]: the private DNS zone 'privatelink.vaultcore.azure.net' in resource group 'rg-landing-zone' \
        is not linked to the virtual network 'vnet-hub' in resource group 'rg-landing-zone', so names of the endpoint will not resolve there. Link the zone to the network, \
        or name it 'privatelink.vaultcore.azure.net' in the settings to have it linked.";
    let link = format!("privateDnsZones/{VAULT_ZONE}/virtualNetworkLinks/hub");
    let deployment = vault_with("[vault-zone]");
    let cloud = landing_zone();
    assert!(deployment.deploy(&cloud).warnings().is_empty());
    delete(&cloud, &network(&link));
    assert_eq!(deployment.rehearse(&cloud).warnings(), [warning]);
    assert_eq!(deployment.deploy(&cloud).warnings(), [warning]);
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2", "a link of others is not in the plan");
    // Its own name links it, and then it is linked for both.
    let outcome = vault_with(&format!("[vault-zone, {VAULT_ZONE}]")).deploy(&cloud);
    assert_eq!((outcome.warnings(), outcome.summary().as_str()), (vec![], "created 1, unchanged 3"));
    delete(&cloud, &network(&format!("privateDnsZones/{VAULT_ZONE}/virtualNetworkLinks/vnet-hub-link")));
    // A network with name servers of its own asks these.
    tamper(&cloud, &network("virtualNetworks/vnet-hub"), |body| {
        body["properties"]["dhcpOptions"] = json!({"dnsServers": ["10.10.3.4"]});
    });
    assert!(deployment.deploy(&cloud).warnings().is_empty());
    tamper(&cloud, &network("virtualNetworks/vnet-hub"), |body| {
        body["properties"]["dhcpOptions"] = json!({"dnsServers": []});
    });
    // Who may not read the links of others is not bothered.
    cloud.misbehave(fault("status=403,method=GET,path=/virtualNetworkLinks,times=always"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.warnings(), outcome.summary().as_str()), (vec![], "unchanged 2"));
    // Links that are wanted have to be read.
    let outcome = vault_with(&format!("[vault-zone, {VAULT_ZONE}]")).deploy(&cloud);
    assert!(outcome.failed_with().1.contains("the virtual network link 'vnet-hub-link'"), "{outcome:#?}");
}

#[test]
fn of_two_networks_of_one_name_the_second_is_linked_by_hand() {
    let cloud = landing_zone();
    let other = "resourceGroups/rg-other/providers/Microsoft.Network/virtualNetworks/vnet-hub";
    cloud.import(&[group("rg-other", "other"), virtual_network(other, "uksouth", "other-network")]).unwrap();
    let zones = "{resource: central-files, privateZones: [privatelink.blob.core.windows.net]";
    let text = vault_endpoints(&[
        ("one", &format!("service: {{dependencies: {zones}}}}}")),
        ("two", &format!("service: {{dependencies: {zones}, vnet: other-network}}}}")),
    ])
    .replace("subResourceName: vault", "subResourceName: blob");
    let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
    let outcome = deployment.deploy(&cloud);
    let warning = "settings.yml:13:70: privateEndpoints[1].service.dependencies.privateZones[0]: the private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone' is not linked \
        to the virtual network 'vnet-hub' in resource group 'rg-other', so names of the endpoint will not resolve there. Link the zone to the network by hand: \
        another network of this name is linked to it under the name of the link.";
    assert_eq!((outcome.warnings(), outcome.summary().as_str()), (vec![warning], "created 6"));
    cloud.import(&[link("rg-landing-zone", BLOB_ZONE, &in_subscription(other))]).unwrap();
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.warnings(), outcome.summary().as_str()), (vec![], "unchanged 6"));
}

#[test]
fn an_endpoint_that_somebody_else_made_under_our_name_is_right() {
    let vault = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.KeyVault/vaults/kv-landing-zone"));
    for list in ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"] {
        let cloud = landing_zone();
        let connection = json!([{"name": "theirs", "properties": {
            "privateLinkServiceId": vault.to_uppercase().replace("/SUBSCRIPTIONS", "/subscriptions"), "groupIds": ["Vault"]}}]);
        let theirs = published(
            &network(VAULT),
            "uksouth",
            "",
            json!({"subnet": {"id": network_id("virtualNetworks/vnet-hub/subnets/endpoints")}, list: connection}),
        );
        cloud.import(&[theirs]).unwrap();
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", "")]));
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 1", "{list}");
        // A tag is one change, and the connection stays what it is.
        deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: net}}");
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1", "{:#?}", outcome.errors());
        assert_eq!(outcome.plan()[0].changes.len(), 1);
        let after = resource(&cloud, &network(VAULT));
        assert_eq!(after["properties"][list][0]["name"], "theirs");
        assert_eq!(after["properties"][list][0]["properties"]["groupIds"], json!(["Vault"]));
    }
}

#[test]
fn two_runs_at_once_end_well() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(60));
    for other in [None, Some(vault_endpoints(&[("one", ""), ("two", ""), ("three", "")]))] {
        let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
        let deployments = [example(), other.map_or_else(example, |text| Deployment::new(PRIVATE_ENDPOINTS, &text))];
        for outcome in deployments[0].deploy_beside(&deployments[1], &cloud) {
            assert_eq!((outcome.counts().failed, outcome.counts().skipped), (0, 0), "{:#?}", outcome.errors());
        }
        for deployment in &deployments {
            assert_eq!(deployment.deploy(&cloud).plan(), []);
        }
    }
}

#[test]
fn a_rehearsal_that_cannot_look_up_the_target_of_an_existing_endpoint_does_not_say_that_it_is_another_one() {
    let cloud = landing_zone();
    let deployment = vault_with("[none]");
    assert!(deployment.deploy(&cloud).errors().is_empty());
    let lines = "service: {dependencies: {resource: no-vault, privateZones: [none]}}";
    deployment.rewrite(&vault_endpoints(&[("vault", lines)]));
    let outcome = deployment.rehearse(&cloud);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let missing = "service.dependencies.resource: no resource in this subscription is published as 'no-vault'";
    assert!(outcome.warnings().iter().any(|warning| warning.contains(missing)), "{:#?}", outcome.warnings());
    let endpoint = outcome.plan().iter().find(|action| action.resource.resource_id.ends_with(VAULT)).unwrap();
    let target = endpoint.changes.iter().find(|change| change.path.ends_with(".privateLinkServiceId")).unwrap();
    assert!(
        target.after.as_ref().map(ToString::to_string).as_deref().unwrap().contains("'no-vault'>"),
        "{endpoint:#?}"
    );
    // A run has to know it.
    assert_eq!(deployment.deploy(&cloud).last_error().failure.code.as_str(), "ServiceNotFound");
}
