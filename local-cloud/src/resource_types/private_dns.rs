//! Microsoft.Network/privateDnsZones, their links to virtual networks, and the zone groups of private endpoints.

use super::network::{check_not_busy, invalid_format};
use super::private_endpoints::address_of;
use super::private_link::{self, connection_of, target_of};
use super::virtual_networks::NETWORK;
use super::{
    Departure, Fixed, Refusal, ResourceId, State, Write, fill, list, list_mut, properties_mut, property, reference,
    text,
};
use crate::state::{Body, Resource};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const ZONE: &str = "Microsoft.Network/privateDnsZones";
pub(super) const LINK: &str = "Microsoft.Network/privateDnsZones/virtualNetworkLinks";
pub(super) const ZONE_GROUP: &str = "Microsoft.Network/privateEndpoints/privateDnsZoneGroups";

pub(super) const ZONE_READ_ONLY: &[&str] = &[
    "internalId",
    "maxNumberOfRecordSets",
    "maxNumberOfVirtualNetworkLinks",
    "maxNumberOfVirtualNetworkLinksWithRegistration",
    "numberOfRecordSets",
    "numberOfVirtualNetworkLinks",
    "numberOfVirtualNetworkLinksWithRegistration",
];

/// The most zones of a zone group. Source: MicrosoftDocs/azure-docs, private-link/private-endpoint-dns-integration.md.
const MOST_ZONES: usize = 5;
/// The kinds of record sets. Source: REST specification of 2024-06-01, `RecordType`.
const RECORD_TYPES: &[&str] = &["A", "AAAA", "CNAME", "MX", "PTR", "SOA", "SRV", "TXT"];
/// The time for which a record of a private endpoint may be kept, in seconds.
const TIME_TO_LIVE: u32 = 10;

fn bad_request(message: String) -> Refusal {
    Refusal::bad_request("BadRequest", message)
}

/// 1 to 34 labels of 1 to 63 letters, digits, hyphens and underscores, 253 characters in all.
pub(super) fn check_zone_name(name: &str) -> Result<(), Refusal> {
    let label = |label: &str| {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (1..=63).contains(&label.len()) && label.bytes().all(legal) && !label.starts_with('-') && !label.ends_with('-')
    };
    if name.len() <= 253 && name.split('.').count() <= 34 && name.split('.').all(label) {
        return Ok(());
    }
    Err(bad_request(format!("The zone name '{name}' is not a valid private DNS zone name.")))
}

pub(super) fn complete_zone(write: &Write<'_>, body: &mut Body) {
    let before = write.existing.and_then(|existing| property(existing, "internalId")).cloned();
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("internalId".to_owned(), before.unwrap_or_else(|| uuid::Uuid::new_v4().to_string().into()));
    properties.insert("maxNumberOfRecordSets".to_owned(), 25_000.into());
    properties.insert("maxNumberOfVirtualNetworkLinks".to_owned(), 1000.into());
    properties.insert("maxNumberOfVirtualNetworkLinksWithRegistration".to_owned(), 100.into());
}

/// The record sets of a zone, of one kind or of `all`; none where the word is of no kind. Every zone has the record of its
/// authority, and a private endpoint brings its own along.
pub(super) fn record_sets(state: &State, zone: &ResourceId, kind: &str) -> Option<Vec<Body>> {
    if kind != "all" && !RECORD_TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        return None;
    }
    let key = zone.key();
    let record_set = |kind: &str, name: &str, time_to_live: u32, records: (&str, Value)| {
        let host = if name == "@" { String::new() } else { format!("{name}.") };
        let body = json!({
            "id": format!("{}/{kind}/{name}", zone.text()), "name": name, "type": format!("{ZONE}/{kind}"),
            "properties": {
                "fqdn": format!("{host}{}.", zone.name()), "ttl": time_to_live, "isAutoRegistered": false, records.0: records.1,
            },
        });
        body.as_object().cloned().unwrap_or_default()
    };
    let mut sets = BTreeMap::from([(format!("{key}/soa/@"), record_set("SOA", "@", 3600, ("soaRecord", authority())))]);
    let groups = state.referrers(&key).filter(|(_, other)| other.text("type").eq_ignore_ascii_case(ZONE_GROUP));
    for (record, address) in groups.flat_map(|(_, group)| records_of(state, &group.body, &key)) {
        let addresses = ("aRecords", json!([{"ipv4Address": address}]));
        sets.insert(format!("{key}/a/{record}").to_lowercase(), record_set("A", &record, TIME_TO_LIVE, addresses));
    }
    let is_record = |child: &Resource| !child.text("type").eq_ignore_ascii_case(LINK);
    let below = format!("{key}/");
    let written = state.below(&below).filter(|(_, child)| is_record(child));
    sets.extend(written.map(|(key, child)| (key.to_owned(), child.body.clone())));
    let of_kind = |set: &String| kind == "all" || set.starts_with(&format!("{key}/{kind}/"));
    Some(sets.into_iter().filter(|(set, _)| of_kind(set)).map(|(_, body)| body).collect())
}

/// The record of the authority of a zone. REST specification of 2024-06-01, `RecordSetSOAGet`.
fn authority() -> Value {
    json!({
        "host": "azureprivatedns.net", "email": "azureprivatedns-hostmaster.microsoft.com", "serialNumber": 1,
        "refreshTime": 3600, "retryTime": 300, "expireTime": 2_419_200, "minimumTtl": 300,
    })
}

/// A zone counts its records and links.
pub(super) fn show_zone(state: &State, body: &mut Body) {
    let Some(id) = text(body, "id").and_then(ResourceId::parse) else { return };
    let (mut links, mut registrations) = (0_usize, 0_usize);
    for (_, link) in state.below(&format!("{}/virtualnetworklinks/", id.key())) {
        links += 1;
        registrations += usize::from(registers(&link.body));
    }
    let records = record_sets(state, &id, "all").map_or(0, |records| records.len());
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("numberOfRecordSets".to_owned(), records.into());
    properties.insert("numberOfVirtualNetworkLinks".to_owned(), links.into());
    properties.insert("numberOfVirtualNetworkLinksWithRegistration".to_owned(), registrations.into());
}

/// A zone with links stays; with its group it goes.
pub(super) fn check_zone_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let below = format!("{}/virtualnetworklinks/", departure.id.key());
    let nested = departure.state.below(&below).map(|(_, link)| link.text("id")).next();
    match nested.filter(|_| departure.is_direct()) {
        Some(link) => Err(Refusal::conflict(
            "CannotDeleteResource",
            format!(
                "Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '{link}'. Please \
                 delete all nested resources before deleting this resource."
            ),
        )),
        None => Ok(()),
    }
}

fn registers(link: &Body) -> bool {
    property(link, "registrationEnabled") == Some(&json!(true))
}

/// The id of the virtual network of a link, which takes the link along. Source: learn.microsoft.com, "Azure Private DNS FAQ".
pub(super) fn network_of_link(link: &Body) -> Option<&str> {
    text(link, "properties/virtualNetwork/id")
}

pub(super) fn check_link(write: &Write<'_>) -> Result<(), Refusal> {
    let network = reference(property(write.body, "virtualNetwork"));
    let network = network.filter(|id| id.type_name().eq_ignore_ascii_case(NETWORK)).ok_or_else(|| {
        bad_request(
            "The properties.virtualNetwork.id of a virtual network link must be the id of a virtual network.".into(),
        )
    })?;
    if write.state.get(&network.key()).is_none() {
        return Err(bad_request(format!("The virtual network {} was not found.", network.text())));
    }
    match property(write.body, "registrationEnabled") {
        None | Some(Value::Null | Value::Bool(_)) => {}
        Some(value) => return Err(bad_request(format!("The value {value} of registrationEnabled is not a boolean."))),
    }
    let policy = text(write.body, "properties/resolutionPolicy").unwrap_or("Default");
    if !["Default", "NxDomainRedirect"].iter().any(|known| known.eq_ignore_ascii_case(policy)) {
        return Err(bad_request(format!(
            "The value '{policy}' of resolutionPolicy is not one of Default and NxDomainRedirect."
        )));
    }
    check_other_links(write, &network)
}

pub(super) const LINK_FIXED: &[Fixed] = &[Fixed { path: "properties.virtualNetwork.id", check: check_network_stays }];

fn check_network_stays(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let network = |body: &Body| network_of_link(body).map(str::to_lowercase);
    if network(existing).is_none() || network(existing) == network(write.body) {
        return Ok(());
    }
    Err(bad_request(format!("The virtual network of the link '{}' cannot be changed.", write.id.name())))
}

/// A zone is linked to a network once, and a network to one zone of a name, and registers its machines in one zone.
fn check_other_links(write: &Write<'_>, network: &ResourceId) -> Result<(), Refusal> {
    let zone = write.id.parent();
    // Links are hidden while they are made, and count already.
    let links = write.state.all().filter(|(key, resource)| {
        resource.text("type").eq_ignore_ascii_case(LINK)
            && *key != write.id.key()
            && network_of_link(&resource.body).is_some_and(|id| id.to_lowercase() == network.key())
    });
    for (key, link) in links {
        let Some(other) = ResourceId::parse(key).map(|id| id.parent()) else { continue };
        if other.key() == zone.key() {
            return Err(Refusal::conflict(
                "Conflict",
                format!(
                    "The private DNS zone '{}' is linked to the virtual network {} already, by the link '{}'.",
                    zone.name(),
                    network.text(),
                    link.text("name")
                ),
            ));
        }
        if other.name().eq_ignore_ascii_case(zone.name()) {
            return Err(bad_request(format!(
                "A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link virtual \
                 network with '{}' and '{}' zones.",
                zone.name(),
                other.name()
            )));
        }
        if registers(write.body) && registers(&link.body) {
            return Err(bad_request(format!(
                "A virtual network can only be linked to 1 Private DNS zone with auto-registration enabled; conflicting private \
                 DNS zone is '{}'.",
                other.text()
            )));
        }
    }
    Ok(())
}

pub(super) fn complete_link(_: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "registrationEnabled", false);
    fill(properties, "resolutionPolicy", "Default");
    properties.insert("virtualNetworkLinkState".to_owned(), "Completed".into());
}

fn zone_of(configuration: &Body) -> Option<ResourceId> {
    ResourceId::parse(text(configuration, "properties/privateDnsZoneId")?)
}

pub(super) fn check_zone_group(write: &Write<'_>) -> Result<(), Refusal> {
    let endpoint = write.id.parent();
    for needed in [&endpoint, write.id] {
        check_not_busy(write.state, needed, write.id, write.now)?;
    }
    let below = format!("{}/privatednszonegroups/", endpoint.key());
    if let Some((_, other)) = write.state.below(&below).find(|(key, _)| *key != write.id.key()) {
        return Err(Refusal::bad_request(
            "MultiplePrivateDnsZoneGroupsNotAllowed",
            format!("The private endpoint {} has the zone group '{}' already.", endpoint.text(), other.text("name")),
        ));
    }
    let configurations: Vec<&Body> = list(write.body, "privateDnsZoneConfigs").collect();
    if !(1..=MOST_ZONES).contains(&configurations.len()) {
        return Err(Refusal::bad_request(
            "InvalidPrivateDnsZoneGroup",
            format!("A zone group has 1 to {MOST_ZONES} private DNS zones, and this one has {}.", configurations.len()),
        ));
    }
    let mut seen = BTreeSet::new();
    for configuration in configurations {
        let name = text(configuration, "name").filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| invalid_format("A private DNS zone configuration has no name."))?;
        let zone = zone_of(configuration).filter(|zone| zone.type_name().eq_ignore_ascii_case(ZONE));
        let zone = zone.filter(|zone| write.state.get(&zone.key()).is_some()).ok_or_else(|| {
            Refusal::bad_request(
                "InvalidPrivateDnsZoneIds",
                format!("Private Dns Zone group {} has invalid private dns zone ids.", write.id.text()),
            )
        })?;
        if !seen.insert(name.to_lowercase()) || !seen.insert(zone.name().to_lowercase() + "/") {
            return Err(Refusal::bad_request(
                "DuplicateResourceName",
                format!("The zone group {} has the configuration or zone '{name}' more than once.", write.id.text()),
            ));
        }
    }
    Ok(())
}

/// The records a zone group keeps in a zone: name and address. There are none in a zone that is not the one recommended for
/// what the endpoint leads to.
fn records_of(state: &State, group: &Body, zone: &str) -> Vec<(String, String)> {
    let endpoint = text(group, "id").and_then(ResourceId::parse).and_then(|id| state.get(&id.parent().key()));
    let Some((endpoint, zone)) = endpoint.zip(ResourceId::parse(zone)) else { return Vec::new() };
    let connection = connection_of(&endpoint.body);
    let target = connection.and_then(target_of);
    let service = connection.and_then(|connection| property(connection, "groupIds")?.get(0)?.as_str());
    let (Some(target), Some(service), Some(address)) = (target, service, address_of(state, &endpoint.body)) else {
        return Vec::new();
    };
    private_link::host_names(state, &target, service)
        .into_iter()
        .filter(|name| name.zone.eq_ignore_ascii_case(zone.name()))
        .map(|name| (name.record, address.clone()))
        .collect()
}

/// A zone group shows the records it keeps.
pub(super) fn show_zone_group(state: &State, body: &mut Body) {
    let group = body.clone();
    let Some(properties) = properties_mut(body) else { return };
    for configuration in list_mut(properties, "privateDnsZoneConfigs") {
        let Some(zone) = zone_of(configuration) else { continue };
        let records: Vec<Value> = records_of(state, &group, &zone.key())
            .into_iter()
            .map(|(record, address)| {
                json!({
                    "recordType": "A",
                    "recordSetName": record,
                    "fqdn": format!("{record}.{}", zone.name()),
                    "ttl": TIME_TO_LIVE,
                    "provisioningState": "Succeeded",
                    "ipAddresses": [address],
                })
            })
            .collect();
        // An imported group may have records of an endpoint that is not known well enough.
        if let Some(parts) =
            properties_mut(configuration).filter(|parts| !records.is_empty() || !parts.contains_key("recordSets"))
        {
            parts.insert("recordSets".to_owned(), Value::Array(records));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zone_names_are_domain_names() {
        for good in ["privatelink.blob.core.windows.net", "a", "_x.example", &format!("{}a", "a.".repeat(33))] {
            assert_eq!(check_zone_name(good), Ok(()), "{good}");
        }
        for bad in ["", "a..b", "-a.b", "a b", ".a", &"a".repeat(64), &format!("{}a", "a.".repeat(34))] {
            assert!(check_zone_name(bad).is_err(), "{bad}");
        }
    }
}
