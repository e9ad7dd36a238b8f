//! Microsoft.Network/privateEndpoints, and the network interface each of them brings along.

use super::address_range::reserves;
use super::network::{check_departure_not_busy, check_not_busy, invalid_format, invalid_reference};
use super::network_interfaces::{INTERFACE, free_address, taken_addresses};
use super::private_dns::ZONE_GROUP;
use super::private_link::{self, connection_of, target_of};
use super::subnets::{self, BASTION_SUBNET, SUBNET};
use super::virtual_networks::check_idle;
use super::{
    Companion, Departure, Fixed, Refusal, ResourceId, State, Write, complete_parts, fill, find, list, list_mut,
    properties_mut, property, reference, text,
};
use crate::locations::run_together;
use crate::lookup;
use crate::resources::completed;
use crate::state::Body;
use serde_json::{Value, json};
use std::net::IpAddr;

pub(super) const ENDPOINT: &str = "Microsoft.Network/privateEndpoints";

/// The lists a connection can be in: approved at once, or by the owner of the target.
const CONNECTION_LISTS: &[&str] = &["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"];
const LONGEST_REQUEST_MESSAGE: usize = 140;

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_not_busy(write.state, write.id, write.id, write.now)?;
    let subnet = reference(property(write.body, "subnet"))
        .ok_or_else(|| invalid_format("Value for reference id is missing. Path properties.subnet."))?;
    let body = check_subnet(write, &subnet)?;
    let connections: Vec<&Body> = CONNECTION_LISTS.iter().flat_map(|name| list(write.body, name)).collect();
    let [connection] = connections.as_slice() else {
        return Err(invalid_format(&format!(
            "A private endpoint has exactly one private link service connection, and {} has {}.",
            write.id.text(),
            connections.len()
        )));
    };
    check_connection(write, connection)?;
    check_idle(write.state, &subnet.parent(), write.id, write.now)?;
    check_addresses(write, &subnet, body)?;
    if write.existing.is_none() {
        check_interface_name(write)?;
    }
    Ok(())
}

fn check_subnet<'a>(write: &Write<'a>, id: &ResourceId) -> Result<&'a Body, Refusal> {
    if !id.type_name().eq_ignore_ascii_case(SUBNET) {
        return Err(invalid_format(&format!(
            "Reference Id {} is not formatted correctly. The Id is expected to reference resources of type \
             virtualNetworks/subnets. Path properties.subnet.",
            id.text()
        )));
    }
    let here = run_together(text(write.body, "location").unwrap_or_default());
    let near = subnets::region(write.state, id).is_some_and(|region| run_together(&region) == here);
    let subnet = subnets::subnet(write.state, id).filter(|_| near);
    let subnet = subnet.ok_or_else(|| invalid_reference(&id.text(), write.id))?;
    if id.name().eq_ignore_ascii_case(BASTION_SUBNET) {
        return Err(Refusal::bad_request(
            "AzureBastionSubnet",
            format!("Subnet with name '{BASTION_SUBNET}' can be used only for the Azure Bastion resource."),
        ));
    }
    Ok(subnet)
}

/// Checks a connection alone.
fn check_connection(write: &Write<'_>, connection: &Body) -> Result<(), Refusal> {
    let name = text(connection, "name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| invalid_format("The private link service connection has no name."))?;
    let missing = |parameter: &str| {
        Refusal::bad_request(
            "MissingParameterOnPrivateLinkServiceConnection",
            format!(
                "Private link service connection {}/privateLinkServiceConnections/{name} is missing required parameter \
                 '{parameter}'.",
                write.id.text()
            ),
        )
    };
    let target = target_of(connection).ok_or_else(|| missing("private Link Service Id"))?;
    if lookup::look_up(write.state, &target).is_err() {
        return Err(invalid_reference(&target.text(), write.id));
    }
    let message = property(connection, "requestMessage").and_then(Value::as_str).unwrap_or_default();
    if message.chars().count() > LONGEST_REQUEST_MESSAGE {
        return Err(invalid_format(&format!(
            "The request message is longer than {LONGEST_REQUEST_MESSAGE} characters."
        )));
    }
    // A private link service of one's own has no groups.
    if target.type_name().eq_ignore_ascii_case("Microsoft.Network/privateLinkServices") {
        return Ok(());
    }
    let wanted: Vec<&Value> =
        property(connection, "groupIds").and_then(Value::as_array).into_iter().flatten().collect();
    let group = match wanted.as_slice() {
        [] => return Err(missing("group Id")),
        [group] => group.as_str().ok_or_else(|| missing("group Id"))?,
        _ => return Err(invalid_format("A private link service connection has one group id.")),
    };
    private_link::check_tier(write.state, &target)?;
    match private_link::groups(write.state, &target) {
        Some(groups) if !groups.iter().any(|known| known.eq_ignore_ascii_case(group)) => Err(Refusal::bad_request(
            "BadRequest",
            format!(
                "Call to {} failed. Error message: Invalid groupId '{group}'. The group ids of {} are: {}.",
                target.type_name(),
                target.text(),
                groups.join(", ")
            ),
        )),
        _ => Ok(()),
    }
}

/// Subnet, target and group stay, in whichever of the two lists the connection is.
pub(super) const FIXED: &[Fixed] = &[
    Fixed { path: "properties.subnet.id", check: check_subnet_stays },
    Fixed {
        path: "properties.privateLinkServiceConnections[].properties.privateLinkServiceId",
        check: check_target_stays,
    },
    Fixed { path: "properties.privateLinkServiceConnections[].properties.groupIds", check: check_group_stays },
    Fixed {
        path: "properties.manualPrivateLinkServiceConnections[].properties.privateLinkServiceId",
        check: check_target_stays,
    },
    Fixed { path: "properties.manualPrivateLinkServiceConnections[].properties.groupIds", check: check_group_stays },
];

fn check_subnet_stays(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let subnet = |body: &Body| reference(property(body, "subnet")).map(|id| id.key());
    check_stays(write, "properties.subnet", subnet(existing), subnet(write.body))
}

fn check_target_stays(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let target = |body: &Body| connection_of(body).and_then(target_of).map(|id| id.key());
    check_stays(write, "properties.privateLinkServiceConnections", target(existing), target(write.body))
}

fn check_group_stays(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let group = |body: &Body| {
        let group = connection_of(body).and_then(|connection| property(connection, "groupIds")?.get(0)?.as_str());
        group.map(str::to_lowercase)
    };
    check_stays(write, "properties.privateLinkServiceConnections", group(existing), group(write.body))
}

/// Checks that nothing which is there changes; a member that is not there yet can be given.
fn check_stays(
    write: &Write<'_>,
    property: &str,
    before: Option<String>,
    wanted: Option<String>,
) -> Result<(), Refusal> {
    if before.is_none() || before == wanted {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "PropertyChangeNotAllowed",
        format!("Changing property '{property}' of private endpoint {} is not allowed.", write.id.text()),
    ))
}

/// The addresses asked for can be given, or one is free.
fn check_addresses(write: &Write<'_>, subnet: &ResourceId, body: &Body) -> Result<(), Refusal> {
    let ranges = subnets::subnet_ranges(body);
    let taken = taken_addresses(write.state, subnet, write.id);
    for configuration in list(write.body, "ipConfigurations") {
        let wanted = property(configuration, "privateIPAddress").and_then(Value::as_str).unwrap_or_default();
        let refuse = |code: &str, why: &str| {
            Err(Refusal::bad_request(
                code,
                format!("Private static IP address {wanted} of private endpoint {} {why}.", write.id.text()),
            ))
        };
        let address = wanted.parse::<IpAddr>().ok();
        let Some((address, range)) =
            address.and_then(|ip| Some((ip, ranges.iter().find(|range| range.contains(&ip))?)))
        else {
            return refuse("PrivateIPAddressNotInSubnet", "does not belong to the range of the subnet");
        };
        if reserves(*range, address) {
            return refuse("PrivateIPAddressInReservedRange", "is one of those Azure keeps in every subnet");
        }
        if taken.contains(&address) {
            return refuse("PrivateIPAddressIsAllocated", "is already allocated to another resource");
        }
    }
    if free_address(&ranges, &taken).is_none() {
        return Err(Refusal::bad_request(
            "SubnetIsFull",
            format!("Subnet {} does not have enough capacity for 1 IP addresses.", subnet.text()),
        ));
    }
    Ok(())
}

/// A network interface with the name asked for must not be there yet.
fn check_interface_name(write: &Write<'_>) -> Result<(), Refusal> {
    let Some(name) = custom_interface_name(write.body) else { return Ok(()) };
    super::network::check_resource_name(name)?;
    let id = interface_id(write.id, name);
    match write.state.get_any(&id.key()) {
        Some(_) => Err(Refusal::conflict(
            "NetworkInterfaceNameAlreadyInUse",
            format!("The network interface {} of private endpoint {} already exists.", id.text(), write.id.text()),
        )),
        None => Ok(()),
    }
}

fn custom_interface_name(body: &Body) -> Option<&str> {
    property(body, "customNetworkInterfaceName")?.as_str().filter(|name| !name.is_empty())
}

fn interface_id(endpoint: &ResourceId, name: &str) -> ResourceId {
    endpoint.container().with(Some("Microsoft.Network"), "networkInterfaces", name)
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let id = text(body, "id").unwrap_or_default().to_owned();
    let interface = write.existing.and_then(|existing| property(existing, "networkInterfaces")).cloned();
    let interface = interface.unwrap_or_else(|| {
        let generated = format!("{}.nic.{}", write.id.name(), uuid::Uuid::new_v4());
        let name = custom_interface_name(write.body).unwrap_or(&generated);
        json!([{"id": interface_id(write.id, name).text()}])
    });
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("networkInterfaces".to_owned(), interface);
    for name in CONNECTION_LISTS {
        fill(properties, name, json!([]));
        let manual = name.starts_with("manual");
        for parts in complete_parts(list_mut(properties, name), name, &id, ENDPOINT) {
            let (status, description) =
                if manual { ("Pending", "Awaiting Approval") } else { ("Approved", "Auto-Approved") };
            let state = json!({"status": status, "description": description, "actionsRequired": "None"});
            parts.insert("privateLinkServiceConnectionState".to_owned(), state);
        }
    }
}

/// The network interface of an endpoint that has none yet.
pub(super) fn interface(write: &Write<'_>, body: &mut Body) -> Vec<Companion> {
    let subnet = reference(property(body, "subnet"));
    let own = property(body, "networkInterfaces").and_then(|list| list.get(0));
    let (Some(subnet), Some(id), Some(entry)) = (subnet, reference(own), find(INTERFACE)) else { return Vec::new() };
    if write.state.get_any(&id.key()).is_some() {
        return Vec::new();
    }
    let ranges = subnets::subnet(write.state, &subnet).map(subnets::subnet_ranges).unwrap_or_default();
    let taken = taken_addresses(write.state, &subnet, write.id);
    let fixed = list(body, "ipConfigurations").find_map(|wanted| property(wanted, "privateIPAddress")?.as_str());
    let address = fixed
        .map(str::to_owned)
        .or_else(|| free_address(&ranges, &taken).map(|address| address.to_string()))
        .unwrap_or_default();
    let connection = connection_of(body);
    let target = connection.and_then(target_of);
    let group = connection.and_then(|connection| property(connection, "groupIds")?.get(0)?.as_str());
    let names: Vec<String> = match (&target, group) {
        (Some(target), Some(group)) => {
            private_link::host_names(write.state, target, group).into_iter().map(|name| name.public).collect()
        }
        _ => Vec::new(),
    };
    let part = format!("privateEndpointIpConfig.{}", uuid::Uuid::new_v4());
    let wanted = json!({
        "location": text(body, "location"),
        "properties": {
            "privateEndpoint": {"id": text(body, "id")},
            "ipConfigurations": [{
                "name": part,
                "properties": {
                    "privateIPAddress": address,
                    "privateIPAllocationMethod": if fixed.is_some() { "Static" } else { "Dynamic" },
                    "subnet": {"id": subnet.text()},
                    "privateLinkConnectionProperties": {
                        "groupId": group, "requiredMemberName": group, "fqdns": names,
                    },
                },
            }],
        },
    });
    let Some(wanted) = wanted.as_object() else { return Vec::new() };
    let write = Write { id: &id, body: wanted, existing: None, ..*write };
    vec![Companion::Put(completed(&write, entry))]
}

/// The network interface of an endpoint.
pub(super) fn interface_of<'a>(state: &'a State, endpoint: &Body) -> Option<&'a Body> {
    let id = reference(property(endpoint, "networkInterfaces")?.get(0))?;
    state.get(&id.key()).map(|interface| &interface.body)
}

/// The private address of an endpoint; none as long as it has no network interface.
pub(super) fn address_of(state: &State, endpoint: &Body) -> Option<String> {
    let configuration = list(interface_of(state, endpoint)?, "ipConfigurations").next()?;
    property(configuration, "privateIPAddress")?.as_str().map(str::to_owned)
}

/// An endpoint shows the names to put into DNS unless a zone group does that, and whether its target is still there.
pub(super) fn show(state: &State, body: &mut Body) {
    let key = text(body, "id").unwrap_or_default().to_lowercase();
    let groups = format!("{key}/");
    let has_group = state.below(&groups).any(|(_, child)| child.text("type").eq_ignore_ascii_case(ZONE_GROUP));
    let connection = connection_of(body);
    let target = connection.and_then(target_of);
    let group = connection.and_then(|connection| property(connection, "groupIds")?.get(0)?.as_str());
    let names = match (&target, group, address_of(state, body)) {
        (Some(target), Some(group), Some(address)) if !has_group => private_link::host_names(state, target, group)
            .into_iter()
            .map(|name| json!({"fqdn": name.public, "ipAddresses": [address]}))
            .collect(),
        _ => Vec::new(),
    };
    let gone = target.is_some_and(|target| lookup::look_up(state, &target).is_err());
    let Some(properties) = properties_mut(body) else { return };
    // An imported one may have names of a target that is not known well enough.
    if has_group || !names.is_empty() || !properties.contains_key("customDnsConfigs") {
        properties.insert("customDnsConfigs".to_owned(), Value::Array(names));
    }
    if !gone {
        return;
    }
    for name in CONNECTION_LISTS {
        for parts in list_mut(properties, name).filter_map(properties_mut) {
            let state = json!({"status": "Disconnected", "description": "Deleted state", "actionsRequired": "None"});
            parts.insert("privateLinkServiceConnectionState".to_owned(), state);
        }
    }
}

pub(super) fn check_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    check_departure_not_busy(departure)?;
    match reference(property(departure.body, "subnet")).filter(|_| departure.is_direct()) {
        Some(subnet) => check_idle(departure.state, &subnet.parent(), departure.id, departure.now),
        None => Ok(()),
    }
}
