//! Ranges that a virtual network and its subnets are given from the pools of a network manager.
//!
//! Source: azure-rest-api-specs 2024-05-01, `VirtualNetworkCreateWithIpamPool`.

use super::address_range::{self, overlap, parts};
use super::virtual_networks::{NETWORK, address_space};
use super::{State, property};
use crate::path::ResourceId;
use crate::state::Body;
use ipnet::IpNet;
use serde_json::{Value, json};

const ALLOCATIONS: &str = "ipamPoolPrefixAllocations";
/// The range of a pool that is not there.
const ANY_POOL: &str = "10.0.0.0/8";

/// The number of addresses that are asked of pools by an address space or a subnet that has no range of its own.
fn asked_for(holder: &Body) -> Option<u128> {
    let has = |name: &str| match holder.get(name) {
        Some(Value::Array(list)) => !list.is_empty(),
        other => other.is_some_and(Value::is_string),
    };
    let allocations = holder.get(ALLOCATIONS)?.as_array().filter(|list| !list.is_empty())?;
    let number = |allocation: &Value| allocation.get("numberOfIpAddresses")?.as_str()?.parse::<u128>().ok();
    (!has("addressPrefix") && !has("addressPrefixes")).then(|| allocations.iter().filter_map(number).sum())
}

/// Gives an address space or a subnet the first free range within others.
pub(super) fn allocate(holder: &mut Body, within: &[IpNet], taken: &[IpNet]) {
    let Some(number) = asked_for(holder) else { return };
    let free = |part: &IpNet| !taken.iter().any(|other| overlap(*other, *part));
    let Some(range) = within.iter().find_map(|range| parts(*range, number).find(free)) else { return };
    let prefixes = json!([range.to_string()]);
    if let Some(allocation) = holder.get_mut(ALLOCATIONS).and_then(|list| list.get_mut(0)) {
        allocation["allocatedAddressPrefixes"] = prefixes.clone();
    }
    holder.insert("addressPrefixes".to_owned(), prefixes);
}

/// The address space of a virtual network, with the range that it gets from a pool.
pub(super) fn space_of(state: &State, network: &ResourceId, body: &Body) -> Option<Body> {
    let mut space = property(body, "addressSpace")?.as_object()?.clone();
    let parse = |text: &Value| address_range::parse(text.as_str()?).ok();
    let pool = space.get(ALLOCATIONS).and_then(|list| super::reference(list.get(0)?.get("pool")));
    let pool = pool.and_then(|pool| state.get(&pool.key()));
    let ranges = pool.and_then(|pool| property(&pool.body, "addressPrefixes")).and_then(Value::as_array);
    let within = ranges.map_or_else(|| vec![json!(ANY_POOL)], Clone::clone);
    let networks = state.all().filter(|(key, other)| other.text("type") == NETWORK && *key != network.key());
    let taken: Vec<IpNet> = networks.flat_map(|(_, other)| address_space(&other.body)).filter_map(parse).collect();
    allocate(&mut space, &within.iter().filter_map(parse).collect::<Vec<_>>(), &taken);
    Some(space)
}
