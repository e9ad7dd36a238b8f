//! Microsoft.Network/virtualNetworks/subnets: their address ranges, and what is in them.

use super::address_pools;
use super::address_range::{self, RangeError, overlap};
use super::bastion_hosts::BASTION;
use super::network::check_resource_name;
use super::network_interfaces::INTERFACE;
use super::private_endpoints::ENDPOINT;
use super::virtual_networks::{address_space, check_idle};
use super::{
    Departure, Refusal, ResourceId, State, Write, complete_parts, fill, list, list_mut, properties_mut, property, text,
};
use crate::locations;
use crate::lookup;
use crate::published;
use crate::state::{Body, Resource};
use ipnet::IpNet;
use serde_json::{Value, json};
use std::borrow::Cow;

pub(super) const SUBNET: &str = "Microsoft.Network/virtualNetworks/subnets";
/// The subnet bastion hosts are in, and nothing else.
pub(super) const BASTION_SUBNET: &str = "AzureBastionSubnet";
/// The smallest subnet a bastion host takes. Source: learn.microsoft.com, "Azure Bastion FAQ".
pub(super) const BASTION_PREFIX_LENGTH: u8 = 26;

/// The smallest subnet, and the only size of IPv6. Source: learn.microsoft.com, "Azure Virtual Network FAQ".
const SMALLEST_PREFIX_LENGTH: u8 = 29;
const SUBNET_PREFIX_LENGTH_6: u8 = 64;

/// The members of subnets that only the service sets.
pub(super) const SUBNET_READ_ONLY: &[&str] = &[
    "privateEndpoints",
    "ipConfigurations",
    "ipConfigurationProfiles",
    "resourceNavigationLinks",
    "serviceAssociationLinks",
    "purpose",
];

/// The members that other services set in a subnet that they use; they stay when the subnet is written.
pub(super) const SERVICE_LINKS: &[&str] = &["resourceNavigationLinks", "serviceAssociationLinks", "purpose"];

/// Reads address prefixes, in Azure's refusals where they are none.
pub(super) fn ranges<'a>(id: &ResourceId, texts: impl Iterator<Item = &'a Value>) -> Result<Vec<IpNet>, Refusal> {
    texts
        .map(|text| {
            let prefix = text.as_str().map(Cow::Borrowed).unwrap_or_else(|| Cow::Owned(text.to_string()));
            address_range::parse(&prefix).map_err(|error| match error {
                RangeError::Format => Refusal::bad_request(
                    "InvalidAddressPrefixFormat",
                    format!(
                        "Address prefix {prefix} of resource {} is not formatted correctly. It should follow CIDR notation, for \
                         example 10.0.0.0/24.",
                        id.text()
                    ),
                ),
                RangeError::NotTheFirst(range) => Refusal::bad_request(
                    "InvalidCIDRNotation",
                    format!(
                        "The address prefix {prefix} in resource {} has an invalid CIDR notation. For the given prefix length, \
                         the address prefix should be {range}.",
                        id.text()
                    ),
                ),
            })
        })
        .collect()
}

/// The prefixes of a subnet: `addressPrefix`, or `addressPrefixes`.
fn prefixes(subnet: &Body) -> Vec<&Value> {
    match property(subnet, "addressPrefix").filter(|prefix| !prefix.is_null()) {
        Some(prefix) => vec![prefix],
        None => property(subnet, "addressPrefixes").and_then(Value::as_array).into_iter().flatten().collect(),
    }
}

/// The ranges of a subnet that was checked when it was written; of an imported one, those that are any.
pub(super) fn subnet_ranges(subnet: &Body) -> Vec<IpNet> {
    prefixes(subnet).into_iter().filter_map(|prefix| address_range::parse(prefix.as_str()?).ok()).collect()
}

/// The subnets of the virtual network with a key, with their keys, by name.
pub(super) fn subnets_of<'a>(state: &'a State, network: &str) -> Vec<(String, &'a Resource)> {
    let prefix = format!("{network}/subnets/");
    state
        .below(&prefix)
        .filter(|(key, _)| !key[prefix.len()..].contains('/'))
        .map(|(key, subnet)| (key.to_owned(), subnet))
        .collect()
}

/// Every subnet is inside the address space and overlaps no other.
pub(super) fn check_subnets(
    state: &State,
    network: &ResourceId,
    space: &[IpNet],
    subnets: &[(String, Cow<'_, Body>)],
) -> Result<(), Refusal> {
    let mut taken: Vec<(&str, IpNet)> = Vec::new();
    for (name, subnet) in subnets {
        let id = network.with(None, "subnets", name);
        let own = ranges(&id, prefixes(subnet).into_iter())?;
        let from_pool = property(subnet, "ipamPoolPrefixAllocations").is_some();
        if own.is_empty() && !from_pool {
            return Err(invalid_subnet(name, network));
        }
        // What is there already may be older than the rules for sizes.
        let before = state.get(&id.key()).map(|subnet| subnet_ranges(&subnet.body)).unwrap_or_default();
        for range in own {
            let new = !before.contains(&range);
            let legal = match range.addr().is_ipv6() {
                true => range.prefix_len() == SUBNET_PREFIX_LENGTH_6,
                false => range.prefix_len() <= SMALLEST_PREFIX_LENGTH,
            };
            if new && !legal {
                return Err(invalid_subnet(name, network));
            }
            if !space.iter().any(|space| space.contains(&range)) {
                return Err(Refusal::bad_request(
                    "NetcfgSubnetRangeOutsideVnet",
                    format!(
                        "Subnet '{name}' is not valid because its IP address range is outside the IP address range of virtual \
                         network '{}'.",
                        network.name()
                    ),
                ));
            }
            if let Some((other, _)) = taken.iter().find(|(_, other)| overlap(*other, range)) {
                return Err(Refusal::bad_request(
                    "NetcfgSubnetRangesOverlap",
                    format!(
                        "Subnet '{name}' is not valid because its IP address range overlaps with that of an existing subnet \
                         '{other}'."
                    ),
                ));
            }
            if new && name.eq_ignore_ascii_case(BASTION_SUBNET) && range.prefix_len() > BASTION_PREFIX_LENGTH {
                return Err(bastion_subnet_too_small(&range));
            }
            taken.push((name, range));
        }
    }
    Ok(())
}

fn invalid_subnet(name: &str, network: &ResourceId) -> Refusal {
    Refusal::bad_request(
        "NetcfgInvalidSubnet",
        format!("Subnet '{name}' is not valid in virtual network '{}'.", network.name()),
    )
}

/// The refusal of a subnet that no bastion host could be in.
pub(super) fn bastion_subnet_too_small(range: &IpNet) -> Refusal {
    Refusal::bad_request(
        "BastionSubnetTooSmall",
        format!("The subnet '{BASTION_SUBNET}' has the prefix {range}. It must be /{BASTION_PREFIX_LENGTH} or larger."),
    )
}

/// 1 to 80 letters, digits, `_`, `.` and `-`; a letter or digit first, a letter, digit or `_` last.
pub(super) fn check_subnet_name(name: &str) -> Result<(), Refusal> {
    check_resource_name(name)
}

pub(super) fn check_subnet(write: &Write<'_>) -> Result<(), Refusal> {
    let network_id = write.id.parent();
    check_idle(write.state, &network_id, write.id, write.now)?;
    let Some(network) = write.state.get(&network_id.key()) else { return Ok(()) };
    let space = ranges(&network_id, address_space(&network.body).into_iter())?;
    let mut subnets: Vec<(String, Cow<'_, Body>)> = subnets_of(write.state, &network_id.key())
        .into_iter()
        .filter(|(key, _)| *key != write.id.key())
        .map(|(_, subnet)| (subnet.text("name").to_owned(), Cow::Borrowed(&subnet.body)))
        .collect();
    // Last, so that a refusal names this subnet and not one that was there before.
    subnets.push((write.id.name().to_owned(), Cow::Borrowed(write.body)));
    check_subnets(write.state, &network_id, &space, &subnets)?;
    write.existing.map_or(Ok(()), |existing| check_prefix_change(write.state, &write.id.key(), existing, write.body))
}

/// The range of a subnet cannot change while something is in it.
pub(super) fn check_prefix_change(state: &State, key: &str, existing: &Body, wanted: &Body) -> Result<(), Refusal> {
    let wanted = subnet_ranges(wanted);
    match subnet_ranges(existing).into_iter().find(|range| !wanted.contains(range)) {
        Some(range) if !users(state, key).is_empty() => Err(Refusal::bad_request(
            "InUsePrefixCannotBeDeleted",
            format!(
                "IpPrefix {range} on Subnet {} has active allocations and cannot be deleted.",
                text(existing, "name").unwrap_or_default()
            ),
        )),
        _ => Ok(()),
    }
}

/// The ids of the IP configurations in a subnet, with the keys of the resources they belong to.
fn users(state: &State, subnet: &str) -> Vec<(String, String)> {
    let mut users = Vec::new();
    for (key, resource) in state.referrers(subnet) {
        let part = match resource.text("type") {
            INTERFACE => "ipConfigurations",
            BASTION => "bastionHostIpConfigurations",
            _ => continue,
        };
        for configuration in list(&resource.body, "ipConfigurations") {
            let there =
                configuration.get("properties").and_then(|properties| super::reference(properties.get("subnet")));
            if there.is_some_and(|id| id.key() == subnet) {
                let name = text(configuration, "name").unwrap_or_default();
                users.push((format!("{}/{part}/{name}", resource.text("id")), key.to_owned()));
            }
        }
    }
    users
}

pub(super) fn check_unused(
    state: &State,
    subnet: &str,
    name: &str,
    takes_along: impl Fn(&str) -> bool,
) -> Result<(), Refusal> {
    let users = users(state, subnet);
    let staying: Vec<&str> =
        users.iter().filter(|(_, key)| !takes_along(key)).map(|(configuration, _)| configuration.as_str()).collect();
    if staying.is_empty() {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "InUseSubnetCannotBeDeleted",
        format!(
            "Subnet {name} is in use by {} and cannot be deleted. In order to delete the subnet, delete all the resources within \
             the subnet. See aka.ms/deletesubnet.",
            staying.join(", ")
        ),
    ))
}

pub(super) fn check_subnet_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    if departure.is_direct() {
        check_idle(departure.state, &departure.id.parent(), departure.id, departure.now)?;
    }
    let name = text(departure.body, "name").unwrap_or_default();
    check_unused(departure.state, &departure.id.key(), name, |key| departure.takes_along(key))
}

pub(super) fn complete_subnet(write: &Write<'_>, body: &mut Body) {
    let id = text(body, "id").map_or_else(|| write.id.text(), str::to_owned);
    let network = write.id.parent();
    let space = write.state.get(&network.key()).map(|network| address_space(&network.body)).unwrap_or_default();
    let space = ranges(&network, space.into_iter()).unwrap_or_default();
    let others = subnets_of(write.state, &network.key()).into_iter().filter(|(key, _)| *key != write.id.key());
    let taken: Vec<IpNet> = others.flat_map(|(_, other)| subnet_ranges(&other.body)).collect();
    let Some(properties) = properties_mut(body) else { return };
    address_pools::allocate(properties, &space, &taken);
    for name in SERVICE_LINKS {
        let before =
            write.existing.and_then(|existing| property(existing, name)).filter(|_| !properties.contains_key(*name));
        properties.extend(before.map(|before| ((*name).to_owned(), before.clone())));
    }
    for parts in complete_parts(list_mut(properties, "delegations"), "delegations", &id, SUBNET) {
        let service = parts.get("serviceName").and_then(Value::as_str).unwrap_or_default();
        if let Some(actions) = published::delegation_actions(service) {
            fill(parts, "actions", actions.to_vec());
        }
    }
}

/// The regions in which a service is reached from a subnet: that of the network and its pair for storage, every one for most others.
fn service_locations(service: &str, region: &str) -> Vec<&'static str> {
    let region = locations::find(region);
    match service.to_lowercase().as_str() {
        "microsoft.storage" => {
            region.into_iter().flat_map(|region| [Some(region.name), region.pair]).flatten().collect()
        }
        "microsoft.sql" => region.into_iter().map(|region| region.name).collect(),
        _ => vec!["*"],
    }
}

/// A subnet shows what is in it, and the state of the network while that is being written.
pub(super) fn show_subnet(state: &State, body: &mut Body) {
    let Some(id) = text(body, "id").and_then(ResourceId::parse) else { return };
    let key = id.key();
    let endpoints: Vec<Value> = state
        .referrers(&key)
        .filter(|(_, resource)| resource.text("type") == ENDPOINT)
        .map(|(_, resource)| json!({"id": resource.text("id")}))
        .collect();
    let configurations: Vec<Value> = users(state, &key).into_iter().map(|(id, _)| json!({"id": id})).collect();
    let network = state.get(&id.parent().key()).filter(|network| network.operation.is_some());
    let working = network.and_then(|network| property(&network.body, "provisioningState")).cloned();
    let region = region(state, &id).unwrap_or_default();
    let Some(properties) = properties_mut(body) else { return };
    for endpoint in list_mut(properties, "serviceEndpoints") {
        let service = text(endpoint, "service").unwrap_or_default();
        fill(endpoint, "locations", service_locations(service, &region));
    }
    if let Some(working) = working {
        properties.insert("provisioningState".to_owned(), working);
    }
    for (member, value) in [("privateEndpoints", endpoints), ("ipConfigurations", configurations)] {
        if !value.is_empty() {
            properties.insert(member.to_owned(), Value::Array(value));
        }
    }
}

/// The subnet with an id, if it is there.
pub(super) fn subnet<'a>(state: &'a State, id: &ResourceId) -> Option<&'a Body> {
    let body = &state.get(&id.key())?.body;
    text(body, "type")?.eq_ignore_ascii_case(SUBNET).then_some(body)
}

/// The region of the network a subnet is in.
pub(super) fn region(state: &State, subnet: &ResourceId) -> Option<String> {
    let network = lookup::look_up(state, &subnet.parent()).ok()?;
    text(&network, "location").map(str::to_owned)
}
