//! One private endpoint with its zone group, the zones that are missing and their links: the piece that every command with
//! private endpoints calls.

use serde_json::json;

use crate::azure::ResourceId;
use crate::azure::types::{
    PRIVATE_DNS_ZONE, PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT, SUBNET, VIRTUAL_NETWORK, VIRTUAL_NETWORK_LINK,
    private_link,
};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::lookup::{Found, Wanted};
use crate::commands::shared::service::is_nothing;
use crate::desired::{Desired, Tags, placeholder};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// Azure takes no more zones in a zone group ("Azure Private Endpoint DNS integration").
const MOST_ZONES: usize = 5;

/// Where private DNS zones and their links are.
const GLOBAL: &str = "global";

/// The setting of the virtual network.
const NETWORK: &str = "service.dependencies.vnet";
/// The same at the root of the document.
const ROOT_NETWORK: &str = "/service.dependencies.vnet";

/// Which setting a property of the endpoint comes from.
fn origins(endpoint: &Endpoint<'_>) -> Vec<(&'static str, &'static str)> {
    let is_root = endpoint.network.as_ref().is_some_and(|network| network.place.path().to_string() == NETWORK);
    vec![
        ("location", if is_root { ROOT_NETWORK } else { NETWORK }),
        ("properties.subnet", "subnetName"),
        ("properties.privateLinkServiceConnections", "subResourceName"),
    ]
}

/// What an endpoint is made of.
pub(in crate::commands) struct Endpoint<'a> {
    /// Part of the generated name.
    pub(in crate::commands) name: &'a str,
    /// The location in the generated name. Default: the location of the virtual network.
    pub(in crate::commands) name_location: Option<&'a str>,
    /// Where it is asked to be: of several networks of a name the one there is meant.
    pub(in crate::commands) near: Option<&'a str>,
    /// The resource group of the endpoint and of the zones that it needs.
    pub(in crate::commands) group: ResourceId,
    /// The publish name of the virtual network and where it is written.
    pub(in crate::commands) network: Option<Published>,
    /// The subnet.
    pub(in crate::commands) subnet: &'a str,
    /// The resource to connect to.
    pub(in crate::commands) target: ResourceId,
    /// The part of it that is connected to, where that is a resource by itself.
    pub(in crate::commands) part: Option<ResourceId>,
    /// What to connect to in it.
    pub(in crate::commands) group_id: Option<&'a str>,
    /// The setting of the whole document that may say it, where there is one.
    pub(in crate::commands) global_group_id: Option<&'static str>,
    /// The entries for private DNS zones, and the list they are in.
    pub(in crate::commands) zones: Option<(&'a [String], Place)>,
    /// The tags of the endpoint.
    pub(in crate::commands) tags: Tags,
    /// The object that describes the endpoint in the settings.
    pub(in crate::commands) place: Place,
}

/// Adds an endpoint and what belongs to it.
pub(in crate::commands) fn add_endpoint(endpoint: Endpoint<'_>, compilation: &mut Compilation<'_>) {
    let place = &endpoint.place;
    let network = match &endpoint.network {
        Some(network) => {
            let wanted = compilation.find(Wanted::Type(VIRTUAL_NETWORK.name));
            wanted.published_as(&network.name, &network.place).near(endpoint.near).one()
        }
        None => {
            compilation.finding(
                place.dotted(NETWORK),
                FindingCode::Missing,
                "a virtual network is required, here or at the root",
            );
            // What else is wrong is told, too.
            Found::placeholder(VIRTUAL_NETWORK.child_of(&endpoint.group, &placeholder("its virtual network")))
        }
    };
    compilation.check_name(&SUBNET, endpoint.subnet, &place.dotted("subnetName"));
    let target_type = endpoint.target.resource_type();
    let Some(group_id) = group_id(&endpoint, &target_type, compilation) else { return };
    let name = name(&endpoint, &network, compilation);
    let id = PRIVATE_ENDPOINT.child_of(&endpoint.group, &name);
    let location = if network.placeholder { placeholder("location of its network") } else { network.location.clone() };
    let body = json!({
        "location": location,
        "properties": {
            "subnet": { "id": SUBNET.child_of(&network.id, endpoint.subnet).as_str() },
            "privateLinkServiceConnections": [{
                "name": name,
                "properties": { "privateLinkServiceId": endpoint.target.as_str(), "groupIds": [group_id] },
            }],
        },
    });
    compilation.add(Desired {
        tags: endpoint.tags.clone(),
        depends_on: std::iter::once(endpoint.target.clone()).chain(endpoint.part.clone()).collect(),
        lock: Some(network.id.clone()),
        origins: origins(&endpoint),
        ..Desired::new(id.clone(), &PRIVATE_ENDPOINT, body, place.clone())
    });
    let zones = zones(&endpoint, &network, &target_type, &group_id, compilation);
    if zones.is_empty() {
        return;
    }
    let configurations: Vec<_> = zones
        .iter()
        .map(|zone| json!({ "name": zone.name().replace('.', "_"), "properties": { "privateDnsZoneId": zone.as_str() } }))
        .collect();
    let zones_place = endpoint.zones.map_or_else(|| place.clone(), |(_, place)| place);
    compilation.add(Desired {
        depends_on: zones,
        lock: Some(network.id),
        ..Desired::new(
            PRIVATE_DNS_ZONE_GROUP.child_of(&id, "default"),
            &PRIVATE_DNS_ZONE_GROUP,
            json!({ "properties": { "privateDnsZoneConfigs": configurations } }),
            zones_place,
        )
    });
}

fn group_id(endpoint: &Endpoint<'_>, target_type: &str, compilation: &mut Compilation<'_>) -> Option<String> {
    let known = private_link::group_ids(target_type);
    let place = endpoint.place.dotted("subResourceName");
    let Some(group_id) = endpoint.group_id else {
        if known.is_empty() && !compilation.is_connected() {
            // Which sub-resources there are is known with the resource; without one the plan cannot show the endpoint.
            compilation
                .warning(&place, "a sub-resource to connect to is required; the plan does not show the endpoint");
            return None;
        }
        let choice = if known.is_empty() { String::new() } else { format!("; {target_type} has {}", known.join(", ")) };
        let elsewhere = endpoint.global_group_id.map_or(String::new(), |setting| format!(", here or as {setting}"));
        compilation.finding(
            place,
            FindingCode::Missing,
            format!("a sub-resource to connect to is required{elsewhere}{choice}"),
        );
        return None;
    };
    // Azure's own spelling, where it is known; what the table does not know is for Azure to judge.
    if let Some(spelled) = known.iter().find(|known| known.eq_ignore_ascii_case(group_id)) {
        return Some((*spelled).to_owned());
    }
    let is_slot = group_id.to_ascii_lowercase().starts_with("sites-");
    if !known.is_empty() && !is_slot {
        compilation.warning(
            &place,
            format!("'{group_id}' is not a known sub-resource of {target_type}; known ones are {}", known.join(", ")),
        );
    }
    Some(group_id.to_owned())
}

/// The generated name; where the network is a placeholder, so that its location is not known, a text that says so.
fn name(endpoint: &Endpoint<'_>, network: &Found, compilation: &mut Compilation<'_>) -> String {
    let location = endpoint.name_location.or(Some(network.location.as_str()).filter(|_| !network.placeholder));
    if location.is_none() {
        // With the network in it, because one name is two in two locations.
        let network = endpoint.network.as_ref().map_or("its network", |network| network.name.as_str());
        return placeholder(&format!("name of '{}' in the location of '{network}'", endpoint.name));
    }
    let request = NameRequest {
        kind: ResourceKind::PrivateEndpoint,
        name: endpoint.name,
        architecture: Architecture::Iaas,
        location,
    };
    compilation.name(&PRIVATE_ENDPOINT, &request, &endpoint.place.dotted("name"))
}

/// The zones of an endpoint. Those that are written by name and are not there are created, and linked to the network.
fn zones(
    endpoint: &Endpoint<'_>,
    network: &Found,
    target_type: &str,
    group_id: &str,
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
            published.into_iter().map(|zone| zone.id).collect()
        };
        for zone in found {
            add_new(&mut zones, zone.clone());
            add_new(&mut known, zone);
        }
    }
    warn_of_other_zones(&known, target_type, group_id, list_place, compilation);
    check_zone_group(&known, list_place, compilation);
    zones
}

fn add_new(zones: &mut Vec<ResourceId>, zone: ResourceId) {
    if !zones.contains(&zone) {
        zones.push(zone);
    }
}

/// What Azure would refuse in a zone group.
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
    target_type: &str,
    group_id: &str,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
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
    let link = VIRTUAL_NETWORK_LINK.child_of(&id, &format!("{}-link", network.id.name()));
    let body = json!({
        "location": GLOBAL,
        "properties": { "virtualNetwork": { "id": network.id.as_str() }, "registrationEnabled": false },
    });
    compilation.add_once(Desired::new(link, &VIRTUAL_NETWORK_LINK, body, place.clone()));
    id
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
