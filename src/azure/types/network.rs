//! Microsoft.Network.

use std::time::Duration;

use serde_json::Value;

use super::name_rule::{DOMAIN_NAME, NETWORK, NameRule, WORD_AT_THE_END, WORDS_DOTS_HYPHENS};
use super::{Fixed, Listing, Otherwise, ResourceType, TagLimits, never};

/// Virtual networks; only looked up.
pub static VIRTUAL_NETWORK: ResourceType = ResourceType {
    name: "Microsoft.Network/virtualNetworks",
    label: "virtual network",
    api_version: "2025-09-01",
    name_rule: Some(NameRule::new(2, 64, WORDS_DOTS_HYPHENS, WORD_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    ..ResourceType::PLAIN
};

/// Subnets, written one at a time so that the others of the network are not touched.
pub static SUBNET: ResourceType = ResourceType {
    name: "Microsoft.Network/virtualNetworks/subnets",
    label: "subnet",
    api_version: "2025-09-01",
    name_rule: Some(NETWORK),
    listing: Listing::InParent,
    read_only: &[
        "properties.applicationGatewayIPConfigurations[].etag",
        "properties.delegations[].etag",
        "properties.delegations[].properties.actions",
        "properties.delegations[].properties.provisioningState",
        "properties.ipConfigurationProfiles",
        "properties.ipConfigurations",
        "properties.privateEndpoints",
        "properties.purpose",
        "properties.resourceNavigationLinks",
        "properties.serviceAssociationLinks",
        "properties.serviceEndpoints[].provisioningState",
    ],
    ..ResourceType::PLAIN
};

/// Public IP addresses.
pub static PUBLIC_IP_ADDRESS: ResourceType = ResourceType {
    name: "Microsoft.Network/publicIPAddresses",
    label: "public IP address",
    api_version: "2025-09-01",
    name_rule: Some(NETWORK),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        // Given by Azure to a static address; sending it back is refused when it is not free.
        "properties.ipAddress",
        "properties.ipConfiguration",
        // Derived from the label and the region.
        "properties.dnsSettings.fqdn",
        "properties.resourceGuid",
        "properties.upgradedToV2",
    ],
    fixed: &[
        Fixed { path: "sku.name", allows: never, otherwise: Otherwise::Kept },
        Fixed { path: "sku.tier", allows: never, otherwise: Otherwise::Kept },
    ],
    ..ResourceType::PLAIN
};

/// Bastion hosts.
pub static BASTION_HOST: ResourceType = ResourceType {
    name: "Microsoft.Network/bastionHosts",
    label: "bastion host",
    api_version: "2025-09-01",
    name_rule: Some(NETWORK),
    // Its creation takes about ten minutes ("Deploy Azure Bastion").
    longest_operation: Duration::from_secs(60 * 60),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "properties.dnsName",
        "properties.ipConfigurations[].etag",
        "properties.ipConfigurations[].properties.provisioningState",
        "properties.ipConfigurations[].type",
    ],
    ..ResourceType::PLAIN
};

/// Private endpoints.
pub static PRIVATE_ENDPOINT: ResourceType = ResourceType {
    name: "Microsoft.Network/privateEndpoints",
    label: "private endpoint",
    api_version: "2025-09-01",
    name_rule: Some(NameRule::new(2, 64, WORDS_DOTS_HYPHENS, WORD_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "properties.customDnsConfigs",
        "properties.ipConfigurations[].etag",
        "properties.ipConfigurations[].type",
        "properties.manualPrivateLinkServiceConnections[].etag",
        "properties.manualPrivateLinkServiceConnections[].id",
        "properties.manualPrivateLinkServiceConnections[].properties.provisioningState",
        "properties.manualPrivateLinkServiceConnections[].type",
        "properties.networkInterfaces",
        "properties.privateLinkServiceConnections[].etag",
        "properties.privateLinkServiceConnections[].id",
        "properties.privateLinkServiceConnections[].properties.privateLinkServiceConnectionState",
        "properties.privateLinkServiceConnections[].properties.provisioningState",
        "properties.privateLinkServiceConnections[].type",
    ],
    sets: &["properties.privateLinkServiceConnections[].properties.groupIds"],
    ..ResourceType::PLAIN
};

/// The zone group of a private endpoint, through which its DNS records are kept.
pub static PRIVATE_DNS_ZONE_GROUP: ResourceType = ResourceType {
    name: "Microsoft.Network/privateEndpoints/privateDnsZoneGroups",
    label: "private DNS zone group",
    api_version: "2025-09-01",
    listing: Listing::InParent,
    read_only: &["properties.privateDnsZoneConfigs[].properties.recordSets"],
    ..ResourceType::PLAIN
};

/// Private DNS zones.
pub static PRIVATE_DNS_ZONE: ResourceType = ResourceType {
    name: "Microsoft.Network/privateDnsZones",
    label: "private DNS zone",
    api_version: "2024-06-01",
    name_rule: Some(NameRule::new(1, 253, WORDS_DOTS_HYPHENS, DOMAIN_NAME)),
    tags: Some(TagLimits::FEW),
    read_only: &[
        "properties.internalId",
        "properties.maxNumberOfRecordSets",
        "properties.maxNumberOfVirtualNetworkLinks",
        "properties.maxNumberOfVirtualNetworkLinksWithRegistration",
        "properties.numberOfRecordSets",
        "properties.numberOfVirtualNetworkLinks",
        "properties.numberOfVirtualNetworkLinksWithRegistration",
    ],
    ..ResourceType::PLAIN
};

/// Links between private DNS zones and virtual networks.
pub static VIRTUAL_NETWORK_LINK: ResourceType = ResourceType {
    name: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
    label: "virtual network link",
    api_version: "2024-06-01",
    name_rule: Some(NETWORK),
    listing: Listing::InParent,
    read_only: &["properties.virtualNetworkLinkState"],
    remainder: Some(not_linked_yet),
    ..ResourceType::PLAIN
};

/// A network is linked to a zone once; a second link, under whatever name, is refused.
fn not_linked_yet(desired: &Value, own: Option<&Value>, others: &[&Value]) -> Option<Value> {
    let network = |body: &Value| {
        body.pointer("/properties/virtualNetwork/id").and_then(Value::as_str).map(str::to_ascii_lowercase)
    };
    let wanted = network(desired);
    let is_linked = wanted.is_some() && own.iter().chain(others).any(|link| network(link) == wanted);
    (!is_linked).then(|| desired.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_link_to_a_network_is_enough() {
        let link = |id: &str| json!({ "properties": { "virtualNetwork": { "id": id } } });
        let wanted = link("/A/vnet");
        assert_eq!(not_linked_yet(&wanted, None, &[&link("/a/other"), &link("/a/VNET")]), None);
        assert_eq!(not_linked_yet(&wanted, Some(&link("/a/VNET")), &[]), None);
        assert_eq!(not_linked_yet(&wanted, Some(&json!({})), &[&link("/A/other")]), Some(wanted));
        assert_eq!(not_linked_yet(&json!({}), None, &[&json!({})]), Some(json!({})));
    }
}
