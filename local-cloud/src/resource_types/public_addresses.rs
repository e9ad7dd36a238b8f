//! Microsoft.Network/publicIPAddresses.

use super::network::{check_departure_not_busy, check_not_busy, invalid_format};
use super::{
    Answer, Departure, Fixed, Refusal, ResourceId, State, Write, guid_of, known_value, list, properties_mut, property,
    text,
};
use crate::locations::run_together;
use crate::query::Query;
use crate::state::{Body, Resource};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::Ipv4Addr;

pub(super) const PUBLIC_ADDRESS: &str = "Microsoft.Network/publicIPAddresses";

const VERSIONS: &[&str] = &["IPv4", "IPv6"];
const TIERS: &[&str] = &["Regional", "Global"];
const ZONES: &[&str] = &["1", "2", "3"];
/// The range of addresses for benchmarks (RFC 2544): none of them is anybody's.
const FIRST_ADDRESS: u32 = u32::from_be_bytes([198, 18, 0, 1]);
const LAST_ADDRESS: u32 = u32::from_be_bytes([198, 19, 255, 254]);

/// The sku of an address. Without one it is Basic, which was retired in September 2025.
fn sku(body: &Body) -> &str {
    text(body, "sku/name").unwrap_or("Basic")
}

pub(super) const FIXED: &[Fixed] = &[
    Fixed { path: "sku.name", check: |write, existing| check_stays(write, sku(existing), sku(write.body)) },
    Fixed { path: "sku.tier", check: |write, existing| check_stays(write, tier(existing), tier(write.body)) },
];

fn tier(body: &Body) -> &str {
    text(body, "sku/tier").unwrap_or("Regional")
}

fn check_stays(write: &Write<'_>, before: &str, wanted: &str) -> Result<(), Refusal> {
    if before.eq_ignore_ascii_case(wanted) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "PublicIPAddressSkuCannotBeChanged",
        format!("The sku of public IP address {} cannot be changed to '{wanted}'.", write.id.text()),
    ))
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_not_busy(write.state, write.id, write.id, write.now)?;
    check_sku(write)?;
    let values = [("publicIPAddressVersion", VERSIONS), ("publicIPAllocationMethod", &["Static", "Dynamic"])];
    for (name, known) in values {
        match property(write.body, name) {
            None | Some(Value::Null) => {}
            Some(Value::String(value)) if known_value(known, value).is_some() => {}
            Some(value) => return Err(invalid_format(&format!("The value {value} of properties.{name} is unknown."))),
        }
    }
    let method = text(write.body, "properties/publicIPAllocationMethod").unwrap_or("Dynamic");
    // One that is there may be older than the rule.
    let before = write.existing.and_then(|existing| text(existing, "properties/publicIPAllocationMethod"));
    if !method.eq_ignore_ascii_case("Static") && !before.is_some_and(|before| before.eq_ignore_ascii_case(method)) {
        return Err(Refusal::bad_request(
            "StandardSkuPublicIPAddressMustBeStatic",
            format!("Standard sku publicIp {} must have AllocationMethod set to Static.", write.id.text()),
        ));
    }
    if let Some(minutes) = property(write.body, "idleTimeoutInMinutes").filter(|minutes| !minutes.is_null())
        && !minutes.as_u64().is_some_and(|minutes| (4..=30).contains(&minutes))
    {
        return Err(Refusal::bad_request(
            "PublicIPAddressIdleTimeoutIsOutOfRange",
            format!("The idle timeout of {minutes} minutes is not between 4 and 30."),
        ));
    }
    check_zones(write)?;
    check_label(write)
}

fn check_sku(write: &Write<'_>) -> Result<(), Refusal> {
    let tier = tier(write.body);
    if known_value(TIERS, tier).is_none() {
        return Err(invalid_format(&format!("The value '{tier}' of sku.tier is unknown.")));
    }
    match sku(write.body) {
        // One that exists may still be of this sku; that another becomes one is refused as a change.
        "Basic" if write.existing.is_some() => Ok(()),
        "Basic" => Err(Refusal::bad_request(
            "IPv4BasicSkuPublicIpCountLimitReached",
            "Cannot create more than 0 IPv4 Basic SKU public IP addresses for this subscription in this region.",
        )),
        sku if known_value(&["Standard", "StandardV2"], sku).is_some() => Ok(()),
        sku => Err(invalid_format(&format!("The value '{sku}' of sku.name is unknown."))),
    }
}

fn check_zones(write: &Write<'_>) -> Result<(), Refusal> {
    let zones = |body: &Body| -> BTreeSet<String> {
        let zones = body.get("zones").and_then(Value::as_array).into_iter().flatten();
        zones.map(|zone| zone.as_str().unwrap_or_default().to_owned()).collect()
    };
    let wanted = zones(write.body);
    if let Some(zone) = wanted.iter().find(|zone| !ZONES.contains(&zone.as_str())) {
        return Err(Refusal::bad_request(
            "InvalidAvailabilityZone",
            format!("The zone '{zone}' is not one of 1, 2 and 3."),
        ));
    }
    match write.existing {
        Some(existing) if write.body.contains_key("zones") && zones(existing) != wanted => Err(Refusal::bad_request(
            "ResourceAvailabilityZonesCannotBeModified",
            format!(
                "Resource {} has an existing availability zone constraint, which cannot be modified.",
                write.id.text()
            ),
        )),
        _ => Ok(()),
    }
}

/// The label of a DNS name: a lower-case letter, then lower-case letters, digits and hyphens, 3 to 63 in all. It is unique
/// in its region.
fn check_label(write: &Write<'_>) -> Result<(), Refusal> {
    let Some(label) = text(write.body, "properties/dnsSettings/domainNameLabel") else { return Ok(()) };
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let legal = (3..=63).contains(&label.len())
        && label.starts_with(|first: char| first.is_ascii_lowercase())
        && !label.ends_with('-')
        && label.bytes().all(inner);
    if !legal {
        return Err(Refusal::bad_request(
            "InvalidDomainNameLabel",
            format!(
                "The domain name label {label} is invalid. It must conform to the following regular expression: \
                 ^[a-z][a-z0-9-]{{1,61}}[a-z0-9]$."
            ),
        ));
    }
    let name = domain_name(write.body, label);
    let taken = addresses(write.state).any(|(key, other)| {
        let label = text(&other.body, "properties/dnsSettings/domainNameLabel");
        key != write.id.key() && label.is_some_and(|label| domain_name(&other.body, label) == name)
    });
    if taken {
        let message = format!("DNS record {name} is already used by another public IP.");
        return Err(Refusal::bad_request("DnsRecordInUse", message));
    }
    Ok(())
}

/// `GET /subscriptions/{id}/providers/Microsoft.Network/locations/{region}/CheckDnsNameAvailability`.
pub(super) fn is_label_free(state: &State, region: &ResourceId, query: &Query) -> Result<Answer, Refusal> {
    let label = query.get("domainNameLabel").unwrap_or_default();
    let taken = addresses(state).any(|(_, other)| {
        text(&other.body, "location") == Some(run_together(region.name()).as_str())
            && text(&other.body, "properties/dnsSettings/domainNameLabel") == Some(label)
    });
    Ok(Answer::json(200, json!({"available": !taken})))
}

fn domain_name(body: &Body, label: &str) -> String {
    format!("{label}.{}.cloudapp.azure.com", text(body, "location").unwrap_or_default())
}

fn addresses(state: &State) -> impl Iterator<Item = (&str, &Resource)> {
    state.all().filter(|(_, resource)| resource.text("type") == PUBLIC_ADDRESS)
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let sku = known_value(&["Basic", "Standard", "StandardV2"], sku(body)).unwrap_or("Standard");
    let tier = text(body, "sku/tier").and_then(|tier| known_value(TIERS, tier)).unwrap_or("Regional");
    body.insert("sku".to_owned(), json!({"name": sku, "tier": tier}));
    let name = text(body, "properties/dnsSettings/domainNameLabel").map(|label| domain_name(body, label));
    let guid = guid_of(write, "resourceGuid");
    let before = write.existing.and_then(|existing| property(existing, "ipAddress")).cloned();
    let Some(properties) = properties_mut(body) else { return };
    for (member, known, default) in
        [("publicIPAddressVersion", VERSIONS, "IPv4"), ("publicIPAllocationMethod", &["Static", "Dynamic"], "Static")]
    {
        let value = properties.get(member).and_then(Value::as_str).and_then(|value| known_value(known, value));
        properties.insert(member.to_owned(), value.unwrap_or(default).into());
    }
    properties.insert("resourceGuid".to_owned(), guid);
    let version_6 = properties.get("publicIPAddressVersion") == Some(&json!("IPv6"));
    properties.insert("ipAddress".to_owned(), before.unwrap_or_else(|| free_address(write.state, version_6).into()));
    if let (Some(name), Some(Value::Object(settings))) = (name, properties.get_mut("dnsSettings")) {
        settings.insert("fqdn".to_owned(), name.into());
    }
}

/// The first address nobody has.
fn free_address(state: &State, version_6: bool) -> String {
    let taken: BTreeSet<&str> =
        addresses(state).filter_map(|(_, other)| property(&other.body, "ipAddress")?.as_str()).collect();
    let free = (FIRST_ADDRESS..=LAST_ADDRESS)
        .map(Ipv4Addr::from_bits)
        // The range of addresses for documentation (RFC 3849).
        .map(|address| if version_6 { format!("2001:db8::{address}") } else { address.to_string() })
        .find(|address| !taken.contains(address.as_str()));
    free.unwrap_or_default()
}

/// The user of an address: the id of the IP configuration, and the key of the resource it belongs to.
pub(super) fn user(state: &State, address: &str) -> Option<(String, String)> {
    state.referrers(address).find_map(|(key, resource)| {
        let part = match resource.text("type") {
            super::bastion_hosts::BASTION => "bastionHostIpConfigurations",
            _ => "ipConfigurations",
        };
        let uses = |configuration: &&Body| {
            let properties = configuration.get("properties");
            let used = properties.and_then(|properties| super::reference(properties.get("publicIPAddress")));
            used.is_some_and(|id| id.key() == address)
        };
        let configuration = list(&resource.body, "ipConfigurations").find(uses)?;
        let name = text(configuration, "name").unwrap_or_default();
        Some((format!("{}/{part}/{name}", resource.text("id")), key.to_owned()))
    })
}

/// An address shows what uses it.
pub(super) fn show(state: &State, body: &mut Body) {
    let key = text(body, "id").unwrap_or_default().to_lowercase();
    let user = user(state, &key);
    if let (Some((configuration, _)), Some(properties)) = (user, properties_mut(body)) {
        properties.insert("ipConfiguration".to_owned(), json!({"id": configuration}));
    }
}

pub(super) fn check_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    match user(departure.state, &departure.id.key()) {
        Some((configuration, key)) if !departure.takes_along(&key) => Err(Refusal::bad_request(
            "PublicIPAddressCannotBeDeleted",
            format!(
                "Public IP address {} can not be deleted since it is still allocated to resource {configuration}. In order to \
                 delete the public IP, disassociate/detach the Public IP address from the resource.",
                departure.id.text()
            ),
        )),
        _ => check_departure_not_busy(departure),
    }
}
