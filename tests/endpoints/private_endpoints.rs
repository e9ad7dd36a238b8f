//! Private endpoints: what is created, what a second run does, and what is read and written in which order.

use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::protocol::ErrorCategory;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;

pub(crate) const BLOB_ZONE: &str = "privateDnsZones/privatelink.blob.core.windows.net";
pub(crate) const HUB: &str = "privateEndpoints/ped-files-hub-dev-uks-5ef4448a";
const SPOKE: &str = "privateEndpoints/ped-files-spoke-dev-uks-6b2ce475";
pub(crate) const VAULT: &str = "privateEndpoints/ped-vault-dev-uks-eaccc69d";

/// Three endpoints in two networks that share a zone.
pub(crate) fn example() -> Deployment {
    Deployment::example(PRIVATE_ENDPOINTS, "examples/private-endpoints.yml")
}

/// A document with endpoints for the vault, each with its name and its further lines.
pub(crate) fn vault_endpoints(endpoints: &[(&str, &str)]) -> String {
    let mut text =
        "service:\n  dependencies:\n    resourceGroup: landing-zone\n    vnet: hub-network\nprivateEndpoints:\n"
            .to_owned();
    for (name, lines) in endpoints {
        text.push_str(&format!("  - name: {name}\n    subResourceName: vault\n    subnetName: endpoints\n"));
        if !lines.contains("service:") {
            text.push_str("    service: {dependencies: {resource: central-vault}}\n");
        }
        for line in lines.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

/// The reads of a run, sorted, since many are parallel; without those that follow operations.
fn reads(cloud: &LocalCloud, before: usize) -> Vec<String> {
    let mut reads = shown(&requests_after(cloud, before));
    reads.retain(|request| request.starts_with("GET ") && !request.to_lowercase().contains("operation"));
    reads.sort();
    reads
}

#[test]
fn three_endpoints_in_two_networks_that_share_a_zone_converge_in_one_run() {
    let (cloud, deployment) = (landing_zone(), example());
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    assert_eq!(
        outcome.descriptions(),
        [
            "Create private endpoint 'ped-files-hub-dev-uks-5ef4448a' in resource group 'rg-landing-zone'.",
            "Create private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone'.",
            "Create virtual network link 'vnet-hub-link' of private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone'.",
            "Create private DNS zone group 'default' of private endpoint 'ped-files-hub-dev-uks-5ef4448a' in resource group 'rg-landing-zone'.",
            "Create private endpoint 'ped-files-spoke-dev-uks-6b2ce475' in resource group 'rg-landing-zone'.",
            "Create virtual network link 'vnet-spoke-link' of private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone'.",
            "Create private DNS zone group 'default' of private endpoint 'ped-files-spoke-dev-uks-6b2ce475' in resource group 'rg-landing-zone'.",
            "Create private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone'.",
            "Create private DNS zone group 'default' of private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone'.",
        ]
    );
    assert_eq!(outcome.summary(), "created 9");
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 9");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    assert_eq!(
        reads(&cloud, before),
        [
            "GET providers/Microsoft.Network/privateDnsZones".to_owned(),
            format!("GET {}", network("privateDnsZones")),
            format!("GET {}", network(&format!("{BLOB_ZONE}/virtualNetworkLinks"))),
            format!("GET {}", network("privateDnsZones/privatelink.vaultcore.azure.net/virtualNetworkLinks")),
            format!("GET {}", network("privateEndpoints")),
            format!("GET {}", network(&format!("{HUB}/privateDnsZoneGroups"))),
            format!("GET {}", network(&format!("{SPOKE}/privateDnsZoneGroups"))),
            format!("GET {}", network(&format!("{VAULT}/privateDnsZoneGroups"))),
            format!("GET {}", network("virtualNetworks/vnet-hub")),
            format!("GET {}", network("virtualNetworks/vnet-spoke")),
            "GET resourcegroups".to_owned(),
            "GET resources".to_owned(),
        ]
    );
}

#[test]
fn what_is_sent_is_what_azure_wants() {
    let cloud = landing_zone();
    example().deploy(&cloud);
    let body = |path: &str| {
        let id = network_id(path);
        let sent: Vec<Value> = writes(&cloud.requests())
            .into_iter()
            .filter(|request| request.method == "PUT" && request.url.split('?').next() == Some(id.as_str()))
            .map(|request| request.body.unwrap())
            .collect();
        let [only] = &sent[..] else { panic!("{path} was not sent once: {sent:#?}") };
        only.clone()
    };
    let account = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/stlandingzone"));
    assert_eq!(
        body(SPOKE),
        json!({
            "location": "uksouth",
            "tags": {"svc-service": "landing-zone-endpoints"},
            "properties": {
                "subnet": {"id": network_id("virtualNetworks/vnet-spoke/subnets/endpoints")},
                "privateLinkServiceConnections": [{
                    "name": "ped-files-spoke-dev-uks-6b2ce475",
                    "properties": {"privateLinkServiceId": account, "groupIds": ["blob"]},
                }],
            },
        })
    );
    assert_eq!(
        body(BLOB_ZONE),
        json!({"location": "global", "tags": {"svc-service": "privatelink.blob.core.windows.net"}})
    );
    assert_eq!(
        body(&format!("{BLOB_ZONE}/virtualNetworkLinks/vnet-spoke-link")),
        json!({
            "location": "global",
            "properties": {
                "virtualNetwork": {"id": network_id("virtualNetworks/vnet-spoke")},
                "registrationEnabled": false,
            },
        })
    );
    assert_eq!(
        body(&format!("{SPOKE}/privateDnsZoneGroups/default")),
        json!({"properties": {"privateDnsZoneConfigs": [{
            "name": "privatelink_blob_core_windows_net",
            "properties": {"privateDnsZoneId": network_id(BLOB_ZONE)},
        }]}})
    );
}

#[test]
fn what_was_deleted_by_hand_is_all_that_is_restored() {
    let (cloud, deployment) = (landing_zone(), example());
    deployment.deploy(&cloud);
    let link = format!("{BLOB_ZONE}/virtualNetworkLinks/vnet-hub-link");
    let zone_group = format!("{SPOKE}/privateDnsZoneGroups/default");
    let table: [(&str, &[&str], &str); 3] = [
        (&link, &["vnet-hub-link"], "created 1, unchanged 8"),
        (&zone_group, &["default"], "created 1, unchanged 8"),
        // The zone group goes with its endpoint.
        (HUB, &["ped-files-hub-dev-uks-5ef4448a", "default"], "created 2, unchanged 7"),
    ];
    for (deleted, restored, summary) in table {
        delete(&cloud, &network(deleted));
        let before = cloud.requests().len();
        let outcome = deployment.deploy(&cloud);
        let names: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
        assert_eq!((names.as_slice(), outcome.summary().as_str()), (restored, summary), "{deleted}");
        let written = writes(&requests_after(&cloud, before));
        assert_eq!(shown(&written)[0], format!("PUT {}", network(deleted)));
        assert_eq!(written.len(), restored.len(), "{deleted}");
        resource(&cloud, &network(deleted));
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 9");
    }
}

#[test]
fn the_number_of_listings_does_not_grow_with_the_number_of_endpoints() {
    let count = |endpoints: usize| {
        let cloud = landing_zone();
        let zones =
            "service: {dependencies: {resource: central-vault, privateZones: [vault-zone, privatelink.example.net]}}";
        let names: Vec<String> = (0..endpoints).map(|number| format!("vault{number}")).collect();
        let list: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), zones)).collect();
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&list));
        // The endpoints with their zone groups, the zone and its link.
        assert_eq!(deployment.deploy(&cloud).counts().created, 2 * endpoints + 2);
        let first = cloud.requests();
        let begin = first.iter().position(|request| request.method != "GET").unwrap();
        let before = first.len();
        assert_eq!(deployment.deploy(&cloud).counts().unchanged, 2 * endpoints + 2);
        let mut second = reads(&cloud, before);
        // The zone groups of an endpoint can be listed below it only.
        second.retain(|read| !read.ends_with("/privateDnsZoneGroups"));
        (begin, second)
    };
    let one = count(1);
    assert_eq!(one, count(7));
    let index: Vec<&String> = one.1.iter().filter(|read| !read.contains("Microsoft.")).collect();
    assert_eq!(index, ["GET resourcegroups", "GET resources"], "one listing of tagged groups, one of tagged resources");
}

#[test]
fn the_index_is_read_once_with_the_tag_key_of_the_context() {
    for (key, other) in [("svc-service", "cm-service"), ("cm-service", "svc-service")] {
        let cloud = landing_zone();
        for path in [LANDING_ZONE, &network("virtualNetworks/vnet-hub"), &network("virtualNetworks/vnet-spoke")] {
            tamper(&cloud, path, |body| body["tags"] = json!({key: body["tags"]["svc-service"]}));
        }
        for path in ["Microsoft.Storage/storageAccounts/stlandingzone", "Microsoft.KeyVault/vaults/kv-landing-zone"] {
            let path = format!("{LANDING_ZONE}/providers/{path}");
            tamper(&cloud, &path, |body| body["tags"] = json!({key: body["tags"]["svc-service"]}));
        }
        let zone = network("privateDnsZones/privatelink.vaultcore.azure.net");
        tamper(&cloud, &zone, |body| body["tags"] = json!({key: "vault-zone"}));
        let deployment = example();
        let context = json!({"context": {"serviceTagKey": key}});
        assert_eq!(deployment.deploy_with(&cloud, context.clone()).summary(), "created 9");
        assert_eq!(resource(&cloud, &network(HUB))["tags"], json!({key: "landing-zone-endpoints"}));
        assert_eq!(resource(&cloud, &network(BLOB_ZONE))["tags"], json!({key: "privatelink.blob.core.windows.net"}));
        let before = cloud.requests().len();
        assert_eq!(deployment.deploy_with(&cloud, context).summary(), "unchanged 9");
        let encoded = key.replace('-', "%2D");
        let index: Vec<String> = requests_after(&cloud, before)
            .into_iter()
            .map(|request| request.url)
            .filter(|url| url.contains("$filter"))
            .collect();
        assert_eq!(index.len(), 2, "{index:?}");
        assert!(index.iter().all(|url| url.contains(&format!("tagName%20eq%20%27{encoded}%27"))), "{index:?}");
        let failed = deployment.deploy_with(&cloud, json!({"context": {"serviceTagKey": other}}));
        assert_eq!(failed.failed_with().0, "ServiceNotFound");
    }
}

#[test]
fn writes_to_one_network_are_made_one_after_another() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(40));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let zones = |network: &str| {
        format!(
            "service: {{dependencies: {{resource: central-vault, vnet: {network}, privateZones: [vault-zone, privatelink.example.net]}}}}"
        )
    };
    let (hub, spoke) = (zones("hub-network"), zones("spoke-network"));
    let endpoints = [("a", &hub), ("b", &hub), ("c", &spoke), ("d", &hub), ("e", &spoke)];
    let endpoints = endpoints.map(|(name, lines)| (name, lines.as_str()));
    let outcome = Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&endpoints)).deploy(&cloud);
    assert_eq!((outcome.counts().created, outcome.counts().failed), (13, 0));
    // The local cloud refuses a write while another one works on the network, as Azure does; the engine would try again.
    let refused: Vec<_> = writes(&cloud.requests()).into_iter().filter(|request| request.status >= 400).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    // Endpoints of the two networks are written at once: the second write is in the other network.
    let puts: Vec<String> = writes(&cloud.requests())
        .iter()
        .filter(|request| request.url.contains("/privateEndpoints/") && !request.url.contains("ZoneGroups"))
        .map(|request| request.body.as_ref().unwrap()["properties"]["subnet"]["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(puts.len(), 5);
    assert_ne!(puts[0], puts[1]);
}

#[test]
fn a_modified_endpoint_keeps_what_others_set() {
    let (cloud, deployment) = (landing_zone(), example());
    deployment.deploy(&cloud);
    tamper(&cloud, &network(VAULT), |body| body["tags"] = json!({"theirs": "1"}));
    let before = resource(&cloud, &network(VAULT));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 8");
    let after = resource(&cloud, &network(VAULT));
    for member in ["subnet", "networkInterfaces", "customNetworkInterfaceName"] {
        assert_eq!(before["properties"][member], after["properties"][member]);
    }
    assert_eq!(after["tags"], json!({"theirs": "1", "svc-service": "vault-endpoint"}));
}

#[test]
fn a_declined_zone_takes_what_needs_it_along_and_the_endpoints_go_on() {
    let (cloud, deployment) = (landing_zone(), example());
    let outcome =
        deployment.deploy_approving(&cloud, |action| !action.resource.resource_type.ends_with("/privateDnsZones"));
    assert_eq!(outcome.summary(), "created 4, skipped 5");
    assert_eq!(
        outcome.warnings(),
        [
            "4 resources were skipped because the private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone' was not approved: \
            virtual network link 'vnet-hub-link' of private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone'; \
            private DNS zone group 'default' of private endpoint 'ped-files-hub-dev-uks-5ef4448a' in resource group 'rg-landing-zone'; \
            virtual network link 'vnet-spoke-link' of private DNS zone 'privatelink.blob.core.windows.net' in resource group 'rg-landing-zone'; \
            private DNS zone group 'default' of private endpoint 'ped-files-spoke-dev-uks-6b2ce475' in resource group 'rg-landing-zone'."
        ]
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "created 5, unchanged 4");
}

#[test]
fn what_azure_refuses_is_told_with_its_place_and_the_rest_goes_on() {
    let cloud = landing_zone();
    let text =
        vault_endpoints(&[("vault", ""), ("other", "")]).replacen("subResourceName: vault", "subResourceName: keys", 1);
    let outcome = Deployment::new(PRIVATE_ENDPOINTS, &text).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 1, failed 1");
    let [error] = &outcome.errors()[..] else { panic!("not one error: {outcome:#?}") };
    assert_eq!((error.failure.code.as_str(), error.failure.category), ("BadRequest", ErrorCategory::InvalidArgument));
    let vault = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.KeyVault/vaults/kv-landing-zone"));
    let message = format!(
        "settings.yml:6:5: the private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone' was not created: \
         Call to Microsoft.KeyVault/vaults failed. Error message: Invalid groupId 'keys'. The group ids of {vault} are: vault."
    );
    assert_eq!(error.failure.message, message);
    assert_eq!(error.failure.resource_id, Some(network_id(VAULT)));
}

#[test]
fn a_rehearsal_changes_nothing() {
    let (cloud, deployment) = (landing_zone(), example());
    let outcome = deployment.rehearse(&cloud);
    assert_eq!(outcome.plan().len(), 9);
    assert_eq!(outcome.summary(), "created 9");
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn what_several_endpoints_miss_is_warned_of_once() {
    let cloud = cloud();
    let outcome = example().rehearse(&cloud);
    let missing = [
        ("8:20", "service.dependencies.resourceGroup", "resource group", "landing-zone"),
        ("9:11", "service.dependencies.vnet", "virtual network", "hub-network"),
        ("22:19", "privateEndpoints[0].service.dependencies.resource", "storage account", "central-files"),
        ("29:19", "privateEndpoints[1].service.dependencies.resource", "storage account", "central-files"),
        ("30:15", "privateEndpoints[1].service.dependencies.vnet", "virtual network", "spoke-network"),
        (
            "39:19",
            "privateEndpoints[2].service.dependencies.resource",
            "resource of Microsoft.KeyVault",
            "central-vault",
        ),
        ("41:13", "privateEndpoints[2].service.dependencies.privateZones[0]", "private DNS zone", "vault-zone"),
    ];
    let mut expected = missing.map(|(place, setting, what, service)| {
        format!(
            "settings.yml:{place}: {setting}: no {what} in this subscription is published as '{service}'; the plan shows a placeholder"
        )
    });
    expected.sort();
    let mut warnings = outcome.warnings();
    warnings.sort_unstable();
    assert_eq!(warnings, expected);
    assert_eq!(outcome.plan().len(), 9);
}

#[test]
fn a_rehearsal_offline_plans_without_knowing_what_exists() {
    let project = Project::new();
    project.write("settings.yml", std::fs::read(repository("examples/private-endpoints.yml")).unwrap());
    let (messages, status) = offline::command_with(
        PRIVATE_ENDPOINTS,
        &project,
        "settings.yml",
        &json!({"subscriptionId": "11111111-2222-3333-4444-555555555555"}),
    );
    assert_eq!(status, 0);
    let warnings: Vec<&str> =
        offline::with_event(&messages, "warning").iter().map(|message| message["message"].as_str().unwrap()).collect();
    assert_eq!(warnings, ["The plan is made offline, so it does not show what exists."]);
    let plan = offline::with_event(&messages, "plan")[0];
    let shown: Vec<[&str; 2]> = plan["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| ["description", "resourceId"].map(|member| action[member].as_str().unwrap()))
        .collect();
    let endpoint = |name: &str| {
        let network = if name == "files-spoke" { "spoke-network" } else { "hub-network" };
        format!("private endpoint '<name of '{name}' in the location of '{network}'>'")
    };
    let zone = "private DNS zone 'privatelink.blob.core.windows.net'".to_owned();
    let link =
        |network: &str| format!("virtual network link '<virtual network published as '{network}'>-link' of {zone}");
    let zone_group = |name: &str| format!("private DNS zone group 'default' of {}", endpoint(name));
    let expected = [
        endpoint("files-hub"),
        zone.clone(),
        link("hub-network"),
        zone_group("files-hub"),
        endpoint("files-spoke"),
        link("spoke-network"),
        zone_group("files-spoke"),
        endpoint("vault"),
        zone_group("vault"),
    ]
    .map(|name| {
        format!("Create or update {name} in resource group '<resource group published as 'landing-zone'>' (current state unknown).")
    });
    assert_eq!(shown.iter().map(|[description, _]| *description).collect::<Vec<_>>(), expected);
    assert!(
        shown.iter().all(|[_, id]| id.starts_with("/subscriptions/11111111-2222-3333-4444-555555555555/")),
        "{shown:#?}"
    );
    let zones = plan["actions"][8]["changes"][0]["after"].as_str().unwrap();
    assert!(zones.contains("<private DNS zone published as 'vault-zone'>"), "{zones}");
}
