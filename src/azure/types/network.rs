//! Microsoft.Network.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::name_rule::{DOMAIN_NAME, NETWORK, NameRule, WORD_AT_THE_END, WORDS_DOTS_HYPHENS};
use super::{Fixed, Listing, Otherwise, Refused, ResourceType, TagLimits, never};
use crate::azure::ResourceId;

/// Virtual networks; only looked up.
pub static VIRTUAL_NETWORK: ResourceType = ResourceType {
    name: "Microsoft.Network/virtualNetworks",
    label: "virtual network",
    api_version: "2025-09-01",
    name_rule: Some(NameRule::new(2, 64, WORDS_DOTS_HYPHENS, WORD_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    ..ResourceType::PLAIN
};

/// Subnets, written one at a time so that the others of the network are not touched. Their `etag` is no help against lost updates: it is that
/// of the whole network, which every endpoint that is made in it changes.
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
    // Addresses that were made before there were tiers show none (REST specification, `PublicIpAddressGet`).
    unshown: &[("sku.tier", "Regional")],
    any_case: &["properties.publicIPAllocationMethod", "properties.publicIPAddressVersion"],
    usual: &[
        ("properties.ddosSettings.protectionMode", &["VirtualNetworkInherited"]),
        ("properties.idleTimeoutInMinutes", &["4"]),
        // An address in all of them is in none in particular.
        ("zones", &["1, 2, 3"]),
    ],
    // The provider answers `PreconditionFailedEtagMismatch` (kubernetes-sigs/cloud-provider-azure issue 9729).
    checks_etag: true,
    ..ResourceType::PLAIN
};

/// A slow type: creating one takes about ten minutes.
pub static BASTION_HOST: ResourceType = ResourceType {
    name: "Microsoft.Network/bastionHosts",
    label: "bastion host",
    api_version: "2025-09-01",
    name_rule: Some(NETWORK),
    // Its creation takes about ten minutes ("Deploy Azure Bastion").
    longest_operation: Duration::from_secs(60 * 60),
    usual_creation: Duration::from_secs(10 * 60),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "properties.dnsName",
        "properties.ipConfigurations[].etag",
        "properties.ipConfigurations[].properties.provisioningState",
        "properties.ipConfigurations[].type",
    ],
    fixed: &[Fixed {
        path: "properties.ipConfigurations[].properties.subnet.id",
        allows: never,
        otherwise: Otherwise::Refused("use another bastionHostName for a host there, or delete this one first"),
    }],
    refuses: Some(host_of_no_use),
    usual: &[
        ("properties.ipConfigurations[].properties.privateIPAllocationMethod", &["Dynamic"]),
        ("properties.scaleUnits", &["2"]),
    ],
    remainder: Some(with_its_configuration),
    ..ResourceType::PLAIN
};

/// Its connection waits for approval where the target is another owner's.
pub static PRIVATE_ENDPOINT: ResourceType = ResourceType {
    name: "Microsoft.Network/privateEndpoints",
    label: "private endpoint",
    usual_creation: Duration::from_secs(60),
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
    fixed: &[
        Fixed {
            path: "properties.subnet.id",
            allows: never,
            otherwise: Otherwise::Refused("use another name for an endpoint there, or delete this one first"),
        },
        Fixed { path: "properties.privateLinkServiceConnections[].properties.privateLinkServiceId", ..CONNECTED_TO },
        Fixed { path: "properties.privateLinkServiceConnections[].properties.groupIds", ..CONNECTED_TO },
        Fixed {
            path: "properties.manualPrivateLinkServiceConnections[].properties.privateLinkServiceId",
            ..CONNECTED_TO
        },
        Fixed { path: "properties.manualPrivateLinkServiceConnections[].properties.groupIds", ..CONNECTED_TO },
    ],
    sets: &[
        "properties.privateLinkServiceConnections[].properties.groupIds",
        "properties.manualPrivateLinkServiceConnections[].properties.groupIds",
    ],
    usual: &[("properties.ipVersionType", &["IPv4"])],
    remainder: Some(with_its_connection),
    // As public IP addresses; the client of cloud-provider-azure sends it for endpoints and for their zone groups.
    checks_etag: true,
    ..ResourceType::PLAIN
};

/// The resource that an endpoint connects to, in one of its two lists.
const CONNECTED_TO: Fixed = Fixed {
    path: "",
    allows: never,
    otherwise: Otherwise::Refused("use another name for an endpoint to that, or delete this one first"),
};

/// The name of the zone groups that we make.
pub const ZONE_GROUP_NAME: &str = "default";

/// The zone group of a private endpoint, through which its DNS records are kept.
pub static PRIVATE_DNS_ZONE_GROUP: ResourceType = ResourceType {
    name: "Microsoft.Network/privateEndpoints/privateDnsZoneGroups",
    label: "private DNS zone group",
    api_version: "2025-09-01",
    listing: Listing::InParent,
    read_only: &["properties.privateDnsZoneConfigs[].properties.recordSets"],
    // "Azure Private Endpoint DNS integration": more are not supported.
    only_one: true,
    remainder: Some(with_its_zones),
    checks_etag: true,
    ..ResourceType::PLAIN
};

/// Resolves the names of private endpoints in the networks that are linked to it.
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
    // REST specification: the header `If-Match` of the operations of zones and of links.
    checks_etag: true,
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
    usual: &[("properties.resolutionPolicy", &["Default"])],
    fixed: &[Fixed {
        path: "properties.virtualNetwork.id",
        allows: never,
        otherwise: Otherwise::Refused("link the network to the zone under another name, or delete this link first"),
    }],
    remainder: Some(not_linked_yet),
    checks_etag: true,
    ..ResourceType::PLAIN
};

/// A network is linked to a zone once; a second link, under whatever name, is refused.
fn not_linked_yet(desired: &Value, own: Option<&Value>, mut others: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    let network = |body: &Value| {
        body.pointer("/properties/virtualNetwork/id").and_then(Value::as_str).map(str::to_ascii_lowercase)
    };
    let wanted = network(desired);
    let is_it = |link: &Value| wanted.is_some() && network(link) == wanted;
    let is_linked = own.is_some_and(is_it) || Iterator::any(&mut others, is_it);
    (!is_linked).then(|| desired.clone())
}

/// The list at a path of a body; empty where there is none.
fn list<'a>(body: &'a Value, pointer: &str) -> &'a [Value] {
    body.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Gives the only item of a list the name of the only item that exists: it is that one, whoever named it.
fn name_like(items: &mut [Value], existing: &[Value]) {
    if let ([item], [existing]) = (items, existing)
        && let Some(name) = existing.get("name")
    {
        item["name"] = name.clone();
    }
}

/// A bastion host has one configuration. Its address stays: the settings name none.
fn with_its_configuration(desired: &Value, own: Option<&Value>, _: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    const CONFIGURATIONS: &str = "/properties/ipConfigurations";
    let mut body = desired.clone();
    let wanted = body.pointer_mut(CONFIGURATIONS).and_then(Value::as_array_mut);
    if let Some((wanted, own)) = wanted.zip(own) {
        let existing = list(own, CONFIGURATIONS);
        name_like(wanted, existing);
        if let ([wanted], [existing]) = (&mut wanted[..], existing)
            && let Some(properties) = wanted.get_mut("properties").and_then(Value::as_object_mut)
        {
            properties.remove("publicIPAddress");
            // With it, because a list is sent whole.
            let address = existing.pointer("/properties/publicIPAddress").filter(|address| address.is_object());
            properties.extend(address.map(|address| ("publicIPAddress".to_owned(), json!({ "id": address["id"] }))));
        }
    }
    Some(body)
}

/// A host of the sku Developer has no subnet, and a new host takes a Standard, static address that nothing else uses ("Azure
/// Bastion configuration settings").
fn host_of_no_use(
    _: &ResourceId,
    desired: &Value,
    own: Option<&Value>,
    others: &HashMap<ResourceId, Value>,
) -> Option<Refused> {
    const ADDRESS: &str = "/properties/ipConfigurations/0/properties/publicIPAddress/id";
    if let Some(own) = own {
        let sku = own.pointer("/sku/name").and_then(Value::as_str);
        let is_developer = sku.is_some_and(|sku| sku.eq_ignore_ascii_case("Developer"));
        return is_developer.then(|| Refused {
            path: "sku",
            reason: "has the sku Developer, which has no subnet and no address of its own".to_owned(),
            way_out: "upgrade it to Basic or higher, or delete it first".to_owned(),
        });
    }
    let id = ResourceId::new(desired.pointer(ADDRESS)?.as_str()?);
    let address = others.get(&id)?;
    let text = |pointer: &str| address.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (sku, method) = (text("/sku/name"), text("/properties/publicIPAllocationMethod"));
    let user = text("/properties/ipConfiguration/id");
    let (reason, way_out) = if !user.is_empty() {
        (format!("is used by {user}"), "take it away there")
    } else if !sku.to_ascii_lowercase().starts_with("standard") || method != "Static" {
        (format!("has the sku {sku} and is {method}, and a host takes Standard and Static"), "delete it first")
    } else {
        return None;
    };
    Some(Refused {
        path: "properties.ipConfigurations",
        reason: format!("cannot have the public IP address '{}', which {reason}", id.name()),
        way_out: format!("{way_out}, or use another bastionHostName"),
    })
}

/// A private endpoint has one connection, in the list of those that are approved at once or in that of those which the owner of
/// the target approves. It stays in its list, and the letter case of its group id is a matter of who made it.
fn with_its_connection(desired: &Value, own: Option<&Value>, _: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    const AT_ONCE: &str = "privateLinkServiceConnections";
    const BY_OWNER: &str = "manualPrivateLinkServiceConnections";
    let mut body = desired.clone();
    let Some(own) = own else { return Some(body) };
    let of = |name: &str| list(own, &format!("/properties/{name}"));
    let name = if of(AT_ONCE).is_empty() && !of(BY_OWNER).is_empty() { BY_OWNER } else { AT_ONCE };
    let properties = body.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(properties) = properties
        && let Some(Value::Array(mut connections)) = properties.remove(AT_ONCE)
    {
        name_like(&mut connections, of(name));
        if let ([connection], [existing]) = (&mut connections[..], of(name))
            && let (Some(groups), Some(existing)) =
                (connection.pointer_mut("/properties/groupIds"), existing.pointer("/properties/groupIds"))
            && groups.to_string().eq_ignore_ascii_case(&existing.to_string())
        {
            *groups = existing.clone();
        }
        properties.insert(name.to_owned(), Value::Array(connections));
    }
    Some(body)
}

/// The zones of a group are told apart by the zones themselves, not by what their entries are called. A group that somebody else
/// made, under another name, keeps what it has and gets what it lacks.
fn with_its_zones(desired: &Value, own: Option<&Value>, _: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    const ENTRIES: &str = "/properties/privateDnsZoneConfigs";
    let Some(own) = own else { return Some(desired.clone()) };
    let zone = |entry: &Value| {
        let id = entry.pointer("/properties/privateDnsZoneId").and_then(Value::as_str);
        id.map(str::to_ascii_lowercase).unwrap_or_default()
    };
    // Two zones of one name cannot be in a group, so one takes the place of the other.
    let zone_name = |entry: &Value| zone(entry).rsplit('/').next().map(str::to_owned);
    let mut left: Vec<&Value> = list(own, ENTRIES).iter().collect();
    let mut entries: Vec<Value> = Vec::new();
    for entry in list(desired, ENTRIES) {
        let same = left.iter().position(|known| zone(known) == zone(entry));
        let same = same.or_else(|| left.iter().position(|known| zone_name(known) == zone_name(entry)));
        let mut entry = entry.clone();
        if let Some(name) = same.map(|index| left.remove(index)).and_then(|known| known.get("name")) {
            entry["name"] = name.clone();
        }
        entries.push(entry);
    }
    let is_ours = own.get("name").and_then(Value::as_str).is_none_or(|name| name.eq_ignore_ascii_case(ZONE_GROUP_NAME));
    if !is_ours {
        let kept = left.into_iter().map(|entry| {
            json!({ "name": entry["name"], "properties": { "privateDnsZoneId": entry["properties"]["privateDnsZoneId"] } })
        });
        entries.extend(kept);
    }
    Some(json!({ "properties": { "privateDnsZoneConfigs": entries } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(name: &str, entries: &[(&str, &str)]) -> Value {
        let entries: Vec<Value> = entries
            .iter()
            .map(|(name, zone)| json!({ "name": name, "properties": { "privateDnsZoneId": zone } }))
            .collect();
        json!({ "name": name, "properties": { "privateDnsZoneConfigs": entries } })
    }

    fn entries(group: Option<Value>) -> Vec<(String, String)> {
        let group = group.unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let entries = list(&group, "/properties/privateDnsZoneConfigs").iter();
        entries.map(|entry| (text(&entry["name"]), text(&entry["properties"]["privateDnsZoneId"]))).collect()
    }

    #[test]
    fn zones_of_a_group_are_told_apart_by_themselves() {
        let wanted = zones(ZONE_GROUP_NAME, &[("a_x", "/g/a.x"), ("b_x", "/g/b.x")]);
        let merged = |name: &str, own: &[(&str, &str)]| {
            let merged = entries(with_its_zones(&wanted, Some(&zones(name, own)), &mut std::iter::empty()));
            merged.iter().map(|(name, zone)| format!("{name}={zone}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(entries(with_its_zones(&wanted, None, &mut std::iter::empty())), entries(Some(wanted.clone())));
        // Ours loses what the settings do not have.
        assert_eq!(merged("default", &[("b-x", "/G/B.x"), ("c", "/g/c.x")]), "a_x=/g/a.x b-x=/g/b.x");
        // Somebody else's keeps it.
        assert_eq!(merged("theirs", &[("b-x", "/G/B.x"), ("c", "/g/c.x")]), "a_x=/g/a.x b-x=/g/b.x c=/g/c.x");
        // A zone of the same name elsewhere is replaced.
        assert_eq!(merged("theirs", &[("b-x", "/other/b.x")]), "a_x=/g/a.x b-x=/g/b.x");
    }

    #[test]
    fn an_endpoint_keeps_the_name_and_the_list_of_its_connection() {
        let connection = |name: &str, group: &str| json!([{ "name": name, "properties": { "privateLinkServiceId": "/t", "groupIds": [group] } }]);
        let wanted = json!({ "properties": { "privateLinkServiceConnections": connection("ours", "blob") } });
        for list in ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"] {
            let own = json!({ "properties": { list: connection("theirs", "Blob") } });
            let expected = json!({ "properties": { list: connection("theirs", "Blob") } });
            assert_eq!(with_its_connection(&wanted, Some(&own), &mut std::iter::empty()), Some(expected));
            let other = json!({ "properties": { list: connection("theirs", "file") } });
            let expected = json!({ "properties": { list: connection("theirs", "blob") } });
            assert_eq!(with_its_connection(&wanted, Some(&other), &mut std::iter::empty()), Some(expected));
        }
        assert_eq!(with_its_connection(&wanted, None, &mut std::iter::empty()), Some(wanted));
    }

    #[test]
    fn a_host_keeps_the_name_of_its_configuration() {
        let host = |name: &str, subnet: &str| json!({ "properties": { "ipConfigurations": [{ "name": name, "properties": { "subnet": { "id": subnet } } }] } });
        let merged = with_its_configuration(
            &host("IpConf", "/a"),
            Some(&host("bastion_ip_config", "/b")),
            &mut std::iter::empty(),
        );
        assert_eq!(merged, Some(host("bastion_ip_config", "/a")));
    }

    #[test]
    fn a_host_keeps_its_address() {
        let host = |address: Value| {
            let mut properties = json!({ "subnet": { "id": "/s" } });
            if !address.is_null() {
                properties["publicIPAddress"] = address;
            }
            json!({ "properties": { "ipConfigurations": [{ "name": "IpConf", "properties": properties }] } })
        };
        let ours = host(json!({ "id": "/ours" }));
        let merged = |own: &Value| with_its_configuration(&ours, Some(own), &mut std::iter::empty());
        assert_eq!(merged(&host(json!({ "id": "/theirs", "etag": "x" }))), Some(host(json!({ "id": "/theirs" }))));
        // One that is reached in the network alone has none.
        assert_eq!(merged(&host(Value::Null)), Some(host(Value::Null)));
        assert_eq!(with_its_configuration(&ours, None, &mut std::iter::empty()), Some(ours.clone()));
    }

    #[test]
    fn one_link_to_a_network_is_enough() {
        let link = |id: &str| json!({ "properties": { "virtualNetwork": { "id": id } } });
        let wanted = link("/A/vnet");
        assert_eq!(not_linked_yet(&wanted, None, &mut [&link("/a/other"), &link("/a/VNET")].into_iter()), None);
        assert_eq!(not_linked_yet(&wanted, Some(&link("/a/VNET")), &mut std::iter::empty()), None);
        assert_eq!(not_linked_yet(&wanted, Some(&json!({})), &mut [&link("/A/other")].into_iter()), Some(wanted));
        assert_eq!(not_linked_yet(&json!({}), None, &mut [&json!({})].into_iter()), Some(json!({})));
    }
}
