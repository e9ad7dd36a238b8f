//! Microsoft.Network/networkInterfaces: those of private endpoints, which come with them, and others.

use super::address_range::{hosts, reserves};
use super::network::{invalid_format, invalid_reference};
use super::{
    Answer, Departure, Refusal, ResourceId, State, Write, complete_parts, fill, guid_of, list, list_mut,
    properties_mut, property, reference, subnets, text,
};
use crate::query::Query;
use crate::state::Body;
use ipnet::IpNet;
use serde_json::json;
use std::collections::BTreeSet;
use std::net::IpAddr;

pub(super) const INTERFACE: &str = "Microsoft.Network/networkInterfaces";

/// The addresses in use in a subnet, but for those of one private endpoint.
pub(super) fn taken_addresses(state: &State, subnet: &ResourceId, but_for: &ResourceId) -> BTreeSet<IpAddr> {
    state
        .referrers(&subnet.key())
        .filter(|(_, resource)| resource.text("type").eq_ignore_ascii_case(INTERFACE))
        .filter(|(_, interface)| {
            reference(property(&interface.body, "privateEndpoint")).is_none_or(|owner| owner.key() != but_for.key())
        })
        .flat_map(|(_, interface)| list(&interface.body, "ipConfigurations"))
        .filter_map(|configuration| property(configuration, "privateIPAddress")?.as_str()?.parse().ok())
        .collect()
}

/// The first address of ranges that is not taken.
pub(super) fn free_address(ranges: &[IpNet], taken: &BTreeSet<IpAddr>) -> Option<IpAddr> {
    ranges.iter().flat_map(|range| hosts(*range)).find(|address| !taken.contains(address))
}

/// The endpoint a network interface belongs to.
pub(super) fn owner(interface: &Body) -> Option<&str> {
    text(interface, "properties/privateEndpoint/id")
}

/// The network interface of a private endpoint comes with it; any other is in a subnet that exists.
pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    if write.existing.is_some_and(|existing| owner(existing).is_some()) {
        return Err(Refusal::bad_request(
            "OperationNotAllowed",
            format!("The network interface {} belongs to a private endpoint and cannot be written.", write.id.text()),
        ));
    }
    let mut places = list(write.body, "ipConfigurations").filter_map(|part| part.get("properties")?.get("subnet"));
    let first = places.next().ok_or_else(|| invalid_format("The network interface is in no subnet."))?;
    for place in std::iter::once(first).chain(places) {
        let id = reference(Some(place)).unwrap_or_default();
        if subnets::subnet(write.state, &id).is_none()
            || subnets::region(write.state, &id).as_deref() != text(write.body, "location")
        {
            return Err(invalid_reference(&id.text(), write.id));
        }
    }
    Ok(())
}

/// Gives each part of a network interface its address and what Azure says of it.
pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let (id, guid) = (text(body, "id").unwrap_or_default().to_owned(), guid_of(write, "resourceGuid"));
    let first = list(body, "ipConfigurations").find_map(|part| property(part, "subnet")).cloned();
    let subnet = reference(first.as_ref()).unwrap_or_default();
    let ranges = subnets::subnet(write.state, &subnet).map(subnets::subnet_ranges).unwrap_or_default();
    let mut taken = taken_addresses(write.state, &subnet, write.id);
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "resourceGuid", guid);
    let parts = complete_parts(list_mut(properties, "ipConfigurations"), "ipConfigurations", &id, INTERFACE);
    for (index, parts) in parts.enumerate() {
        let free = free_address(&ranges, &taken);
        taken.extend(free);
        for (member, value) in [
            ("privateIPAddress", json!(free)),
            ("privateIPAllocationMethod", json!("Dynamic")),
            ("privateIPAddressVersion", json!("IPv4")),
            ("primary", json!(index == 0)),
            ("subnet", json!(first)),
        ] {
            fill(parts, member, value);
        }
    }
}

/// `GET {network}/CheckIPAddressAvailability`: whether an address of the network is free, and which others are where it is not.
pub(super) fn is_address_free(state: &State, network: &ResourceId, query: &Query) -> Result<Answer, Refusal> {
    crate::lookup::look_up(state, network)?;
    let wanted = query.get("ipAddress").and_then(|text| text.parse::<IpAddr>().ok());
    let wanted = wanted.ok_or_else(|| invalid_format("The parameter ipAddress is no IP address."))?;
    for (key, subnet) in subnets::subnets_of(state, &network.key()) {
        let ranges = subnets::subnet_ranges(&subnet.body);
        if let Some(range) = ranges.iter().find(|range| range.contains(&wanted)) {
            let taken = taken_addresses(state, &ResourceId::parse(&key).unwrap_or_default(), network);
            let available = !taken.contains(&wanted) && !reserves(*range, wanted);
            let others = hosts(*range).filter(|address| !available && !taken.contains(address)).take(5);
            let others: Vec<String> = others.map(|address| address.to_string()).collect();
            return Ok(Answer::json(200, json!({"available": available, "availableIPAddresses": others})));
        }
    }
    Err(Refusal::bad_request(
        "PrivateIPAddressNotInAnySubnet",
        format!(
            "Private static IP address {wanted} does not belong to the range of any subnet of the virtual network {}.",
            network.text()
        ),
    ))
}

pub(super) fn check_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let endpoint = owner(departure.body).map(str::to_lowercase);
    match endpoint.filter(|owner| departure.state.get(owner).is_some() && !departure.takes_along(owner)) {
        Some(owner) => Err(Refusal::bad_request(
            "OperationNotAllowed",
            format!("The network interface {} goes with the private endpoint {owner}.", departure.id.text()),
        )),
        None => Ok(()),
    }
}
