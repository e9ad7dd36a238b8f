//! Microsoft.Network/virtualNetworks and their subnets.
//!
//! A subnet is stored once, as a child; the virtual network shows its children. A PUT of the network with `subnets` replaces
//! them, one without leaves them as they are (Azure since 2024, "Azure Virtual Network now supports updates without subnet
//! property").

use super::address_pools;
use super::address_range::overlap;
use super::network::{another_operation, check_not_busy, invalid_format};
use super::private_endpoints::ENDPOINT;
use super::subnets::{
    SERVICE_LINKS, SUBNET, SUBNET_READ_ONLY, check_prefix_change, check_subnet_name, check_subnets, check_unused,
    ranges, show_subnet, subnet_ranges, subnets_of,
};
use super::{Companion, Departure, Refusal, ResourceId, State, Write, find, guid_of, properties_mut, property, text};
use crate::moment::Moment;
use crate::resources::completed;
use crate::state::Body;
use ipnet::IpNet;
use serde_json::Value;
use std::borrow::Cow;

pub(super) const NETWORK: &str = "Microsoft.Network/virtualNetworks";

/// The address prefixes of a virtual network, as they stand in its body.
pub(super) fn address_space(network: &Body) -> Vec<&Value> {
    property(network, "addressSpace")
        .and_then(|space| space.get("addressPrefixes"))
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .collect()
}

/// Refuses a write while an operation works on the network, one of its subnets or a private endpoint in it: Azure carries
/// out one write per virtual network at a time.
pub(super) fn check_idle(state: &State, network: &ResourceId, by: &ResourceId, now: Moment) -> Result<(), Refusal> {
    check_not_busy(state, network, by, now)?;
    for (key, subnet) in subnets_of(state, &network.key()) {
        let endpoints =
            state.referrers(&key).filter(|(_, resource)| resource.text("type").eq_ignore_ascii_case(ENDPOINT));
        let others = endpoints.filter(|(endpoint, _)| *endpoint != by.key()).map(|(_, resource)| resource);
        let working = std::iter::once(subnet).chain(others).filter_map(|resource| resource.operation.as_ref());
        if let Some(operation) = working.filter_map(|id| state.operation(id)).next() {
            return Err(another_operation(operation, by, now));
        }
    }
    Ok(())
}

pub(super) fn check_network(write: &Write<'_>) -> Result<(), Refusal> {
    check_idle(write.state, write.id, write.id, write.now)?;
    let space = address_pools::space_of(write.state, write.id, write.body).unwrap_or_default();
    let prefixes = space.get("addressPrefixes").and_then(Value::as_array).into_iter().flatten();
    let space = ranges(write.id, prefixes)?;
    if space.is_empty() {
        return Err(invalid_format(&format!(
            "The virtual network {} has no address space: properties.addressSpace.addressPrefixes is missing or empty.",
            write.id.text()
        )));
    }
    for (index, range) in space.iter().enumerate() {
        if let Some(other) = space[..index].iter().find(|other| overlap(**other, *range)) {
            return Err(Refusal::bad_request(
                "NetcfgVnetAddressSpaceOverlap",
                format!("The address prefixes {other} and {range} of virtual network '{}' overlap.", write.id.name()),
            ));
        }
    }
    let wanted = match wanted_subnets(write.body)? {
        Some(wanted) => wanted.into_iter().map(|(name, body)| (name.to_owned(), Cow::Borrowed(body))).collect(),
        None => existing_subnets(write),
    };
    check_subnets(write.state, write.id, &space, &wanted)?;
    for (key, subnet) in subnets_of(write.state, &write.id.key()) {
        let stays = wanted.iter().find(|(name, _)| name.eq_ignore_ascii_case(subnet.text("name")));
        match stays {
            Some((_, body)) => check_prefix_change(write.state, &key, &subnet.body, body)?,
            None => check_unused(write.state, &key, subnet.text("name"), |_| false)?,
        }
    }
    Ok(())
}

/// The subnets of a body of a virtual network, by name; `None` where it says nothing of them.
fn wanted_subnets(body: &Body) -> Result<Option<Vec<(&str, &Body)>>, Refusal> {
    let list = match property(body, "subnets") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(invalid_format("The subnets of a virtual network are not a list.")),
    };
    let mut subnets: Vec<(&str, &Body)> = Vec::new();
    for subnet in list {
        let name = subnet.get("name").and_then(Value::as_str);
        let (Some(name), Some(body)) = (name, subnet.as_object()) else {
            return Err(invalid_format("A subnet in the body of a virtual network has no name."));
        };
        if subnets.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            return Err(Refusal::bad_request(
                "DuplicateResourceName",
                format!("The subnet name '{name}' is used more than once in the virtual network."),
            ));
        }
        check_subnet_name(name)?;
        subnets.push((name, body));
    }
    Ok(Some(subnets))
}

fn existing_subnets<'a>(write: &'a Write<'_>) -> Vec<(String, Cow<'a, Body>)> {
    let subnets = subnets_of(write.state, &write.id.key()).into_iter();
    subnets.map(|(_, subnet)| (subnet.text("name").to_owned(), Cow::Borrowed(&subnet.body))).collect()
}

pub(super) fn check_network_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    if departure.is_direct() {
        check_idle(departure.state, departure.id, departure.id, departure.now)?;
    }
    for (key, subnet) in subnets_of(departure.state, &departure.id.key()) {
        check_unused(departure.state, &key, subnet.text("name"), |key| departure.takes_along(key))?;
    }
    Ok(())
}

pub(super) fn complete_network(write: &Write<'_>, body: &mut Body) {
    let guid = guid_of(write, "resourceGuid");
    let space = address_pools::space_of(write.state, write.id, body);
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("resourceGuid".to_owned(), guid);
    properties.extend(space.map(|space| ("addressSpace".to_owned(), space.into())));
}

/// The subnets in the body of a virtual network become its children.
pub(super) fn subnet_companions(write: &Write<'_>, body: &mut Body) -> Vec<Companion> {
    let wanted: Vec<(String, Body)> = match wanted_subnets(write.body) {
        Ok(Some(wanted)) => wanted.into_iter().map(|(name, body)| (name.to_owned(), body.clone())).collect(),
        _ => Vec::new(),
    };
    let said = properties_mut(body).and_then(|properties| properties.shift_remove("subnets"));
    let Some(entry) = find(SUBNET).filter(|_| said.is_some_and(|said| said.is_array())) else { return Vec::new() };
    let existing = subnets_of(write.state, &write.id.key());
    let gone = existing
        .iter()
        .filter(|(_, subnet)| !wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case(subnet.text("name"))))
        .map(|(key, _)| Companion::Remove(key.clone()));
    let mut companions: Vec<Companion> = gone.collect();
    let space = ranges(write.id, address_space(body).into_iter()).unwrap_or_default();
    let mut taken: Vec<IpNet> = wanted.iter().flat_map(|(_, subnet)| subnet_ranges(subnet)).collect();
    // An import brings what only the service sets.
    let said = if write.api_version.is_empty() { SERVICE_LINKS } else { &[] };
    for (name, mut subnet) in wanted {
        let id = write.id.with(None, "subnets", &name);
        subnet.retain(|member, _| member == "properties");
        if let Some(properties) = properties_mut(&mut subnet) {
            properties
                .retain(|member, _| !SUBNET_READ_ONLY.contains(&member.as_str()) || said.contains(&member.as_str()));
            address_pools::allocate(properties, &space, &taken);
        }
        taken.extend(subnet_ranges(&subnet));
        let before = write.state.get(&id.key()).map(|subnet| &subnet.body);
        let write = Write { id: &id, body: &subnet, existing: before, ..*write };
        companions.push(Companion::Put(completed(&write, entry)));
    }
    companions
}

/// A virtual network shows its subnets, in the order of their names.
pub(super) fn show_network(state: &State, body: &mut Body) {
    let key = text(body, "id").unwrap_or_default().to_lowercase();
    let subnets: Vec<Value> = subnets_of(state, &key)
        .into_iter()
        .map(|(_, subnet)| {
            let mut subnet = subnet.body.clone();
            show_subnet(state, &mut subnet);
            Value::Object(subnet)
        })
        .collect();
    if let Some(properties) = properties_mut(body) {
        properties.insert("subnets".to_owned(), Value::Array(subnets));
    }
}
