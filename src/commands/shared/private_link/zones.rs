//! The private DNS zones of a private endpoint: which ones are meant, what is made of them, and what is warned of.

use serde_json::json;

use super::endpoint::{Endpoint, GroupId};
use crate::azure::ResourceId;
use crate::azure::types::{
    PRIVATE_DNS_ZONE, PRIVATE_DNS_ZONE_GROUP, VIRTUAL_NETWORK_LINK, ZONE_GROUP_NAME, private_link,
};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::found::Found;
use crate::commands::shared::service::is_nothing;
use crate::commands::shared::virtual_network::has_own_name_servers;
use crate::commands::shared::wanted::Wanted;
use crate::desired::{Desired, Watch};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// Azure takes no more zones in a zone group ("Azure Private Endpoint DNS integration").
const MOST_ZONES: usize = 5;

/// The location of private DNS zones and their links.
const GLOBAL: &str = "global";

/// Adds the zone group of an endpoint with the zones in it. Where the settings ask for none, one that is there is told: taking it
/// away would end the resolution of names that others may rely on.
pub(super) fn add_zone_group(
    endpoint: &Endpoint<'_>,
    id: &ResourceId,
    network: &Found,
    group_id: &GroupId,
    compilation: &mut Compilation<'_>,
) {
    let Some((entries, place)) = &endpoint.zones else { return };
    let zones = zones(endpoint, network, group_id, compilation);
    let asks_for_none = entries.iter().all(|entry| is_nothing(entry));
    if zones.is_empty() && !asks_for_none {
        return;
    }
    let configurations: Vec<_> = zones
        .iter()
        .map(|zone| json!({ "name": zone.name().replace('.', "_"), "properties": { "privateDnsZoneId": zone.as_str() } }))
        .collect();
    compilation.add(Desired {
        depends_on: zones,
        lock: Some(network.id.clone()),
        watch: asks_for_none.then_some(Watch::Unwanted),
        origins: vec![("properties.privateDnsZoneConfigs[].properties.privateDnsZoneId", "")],
        ..Desired::new(
            PRIVATE_DNS_ZONE_GROUP.child_of(id, ZONE_GROUP_NAME),
            &PRIVATE_DNS_ZONE_GROUP,
            json!({ "properties": { "privateDnsZoneConfigs": configurations } }),
            place.clone(),
        )
    });
}

/// The zones of an endpoint. Those that are written by name and are not there are created, and linked to the network.
fn zones(
    endpoint: &Endpoint<'_>,
    network: &Found,
    group_id: &GroupId,
    compilation: &mut Compilation<'_>,
) -> Vec<ResourceId> {
    let Some((entries, list_place)) = &endpoint.zones else { return Vec::new() };
    // The zones, and those of them that are more than placeholders.
    let (mut zones, mut known): (Vec<ResourceId>, Vec<ResourceId>) = (Vec::new(), Vec::new());
    for (index, entry) in entries.iter().enumerate() {
        let place = list_place.index(index);
        if is_nothing(entry) {
            continue;
        }
        let published = compilation.find(Wanted::Type(PRIVATE_DNS_ZONE.name)).published_as(entry, &place).known();
        let is_name = entry.contains('.') && PRIVATE_DNS_ZONE.check_name(entry).is_ok();
        let own = published.iter().all(|zone| zone.id.name().eq_ignore_ascii_case(entry));
        let found = if is_name && own {
            vec![zone_by_name(entry, endpoint, network, published, &place, compilation)]
        } else if published.is_empty() {
            let zone = compilation.find(Wanted::Type(PRIVATE_DNS_ZONE.name)).published_as(entry, &place).one();
            add_new(&mut zones, zone.id);
            continue;
        } else {
            let found: Vec<ResourceId> = published.into_iter().map(|zone| zone.id).collect();
            found.iter().for_each(|zone| expect_link(zone, network, &place, compilation));
            found
        };
        for zone in found {
            add_new(&mut zones, zone.clone());
            add_new(&mut known, zone);
        }
    }
    warn_of_other_zones(&known, endpoint, group_id, list_place, compilation);
    check_zone_group(&known, list_place, compilation);
    zones
}

fn add_new(zones: &mut Vec<ResourceId>, zone: ResourceId) {
    if !zones.contains(&zone) {
        zones.push(zone);
    }
}

/// Checks what Azure would refuse in a zone group.
fn check_zone_group(zones: &[ResourceId], place: &Place, compilation: &mut Compilation<'_>) {
    if zones.len() > MOST_ZONES {
        let message = format!("{} zones are too many; Azure takes at most {MOST_ZONES} for one endpoint", zones.len());
        compilation.finding(place.clone(), FindingCode::TooManyZones, message);
    }
    for (index, zone) in zones.iter().enumerate() {
        if let Some(other) = zones[..index].iter().find(|other| other.name().eq_ignore_ascii_case(zone.name())) {
            let message = format!("Azure takes one zone of each name for one endpoint, found {other} and {zone}");
            compilation.finding(place.clone(), FindingCode::DuplicateName, message);
        }
    }
}

fn warn_of_other_zones(
    zones: &[ResourceId],
    endpoint: &Endpoint<'_>,
    group_id: &GroupId,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    let GroupId::Of(group_id) = group_id else { return };
    let target_type = &endpoint.target.resource_type();
    let recommended = private_link::recommended_zones(target_type, group_id);
    if recommended.is_empty() {
        return;
    }
    for zone in zones.iter().filter(|zone| !private_link::is_recommended(zone.name(), &recommended)) {
        let message = format!(
            "'{}' is not the zone for {group_id} of {target_type}, which is {}; names will not resolve through it",
            zone.name(),
            recommended.join(" or ")
        );
        compilation.warning(place, message);
    }
}

/// A zone that is written by its name: the one that exists, wherever it is, or a new one in the group of the endpoint. Either
/// way the network is linked to it.
fn zone_by_name(
    name: &str,
    endpoint: &Endpoint<'_>,
    network: &Found,
    published: Vec<Found>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> ResourceId {
    let name = name.to_lowercase();
    let wanted = Wanted::Type(PRIVATE_DNS_ZONE.name);
    let existing = if published.is_empty() { compilation.find(wanted).called(&name) } else { published };
    let existing = existing_zone(&name, existing, endpoint, place, compilation);
    // An endpoint of another resource group may have asked for the zone already in this run.
    let id = existing
        .or_else(|| compilation.planned(&PRIVATE_DNS_ZONE, &name))
        .unwrap_or_else(|| PRIVATE_DNS_ZONE.child_of(&endpoint.group, &name));
    if id.is_within(&endpoint.group) {
        let publish = Published { name: name.clone(), place: place.clone() };
        compilation.add_once(Desired {
            // Others may have published a zone that exists under a name of their own.
            creation_tags: compilation.service_tag(Some(&publish)),
            ..Desired::new(id.clone(), &PRIVATE_DNS_ZONE, json!({ "location": GLOBAL }), place.clone())
        });
    }
    let link = link(&id, network, place);
    match compilation.added(&link.id).is_some_and(|other| other.body != link.body) {
        // Two networks of one name: the link of the second would have the name of the first one's.
        true => expect_link(&id, network, place, compilation),
        false => compilation.add_once(link),
    }
    id
}

fn link(zone: &ResourceId, network: &Found, place: &Place) -> Desired {
    let id = VIRTUAL_NETWORK_LINK.child_of(zone, &format!("{}-link", network.id.name()));
    let body = json!({ "location": GLOBAL, "properties": { "virtualNetwork": { "id": network.id.as_str() } } });
    Desired {
        creation_body: json!({ "properties": { "registrationEnabled": false } }),
        ..Desired::new(id, &VIRTUAL_NETWORK_LINK, body, place.clone())
    }
}

/// A zone that somebody has published is linked by them; where they have not, nobody in the network finds the endpoint. Machines
/// that ask name servers of the network's own find it if these do.
fn expect_link(zone: &ResourceId, network: &Found, place: &Place, compilation: &mut Compilation<'_>) {
    if network.placeholder || network.details.as_ref().is_some_and(has_own_name_servers) {
        return;
    }
    let link = link(zone, network, place);
    let other = compilation.added(&link.id).filter(|other| other.body != link.body);
    let (id, way_out) = match other {
        // Under whatever name the link of the network is, it is found by what it leads to.
        Some(_) => (
            VIRTUAL_NETWORK_LINK.child_of(zone, &format!("{}-link-to-another", network.id.name())),
            "Link the zone to the network by hand: another network of this name is linked to it under the name of the link"
                .to_owned(),
        ),
        None => (
            link.id.clone(),
            format!("Link the zone to the network, or name it '{}' in the settings to have it linked", zone.name()),
        ),
    };
    let consequence = format!(
        "the private DNS zone '{}' in resource group '{}' is not linked to the virtual network '{}' in resource group '{}', so names of the \
         endpoint will not resolve there. {way_out}.",
        zone.name(),
        zone.resource_group().unwrap_or_default(),
        network.id.name(),
        network.id.resource_group().unwrap_or_default()
    );
    compilation.add_once(Desired { id, watch: Some(Watch::Expected(consequence)), ..link });
}

/// The one that is meant of the zones of a name: the one in the group of the endpoint, else the only one.
fn existing_zone(
    name: &str,
    zones: Vec<Found>,
    endpoint: &Endpoint<'_>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> Option<ResourceId> {
    let mut ids: Vec<ResourceId> = zones.into_iter().map(|zone| zone.id).collect();
    if let Some(own) = ids.iter().find(|id| id.is_within(&endpoint.group)) {
        return Some(own.clone());
    }
    ids.sort();
    if ids.len() > 1 {
        let ids: Vec<&str> = ids.iter().map(ResourceId::as_str).collect();
        let message = format!(
            "several private DNS zones are named '{name}', and none of them is in the resource group of the endpoint: {}; publish the right one under a separate name and use that",
            ids.join(", ")
        );
        compilation.finding(place.clone(), FindingCode::ServiceAmbiguous, message);
    }
    ids.into_iter().next()
}
