//! Microsoft.Network/bastionHosts.

use super::network::{check_not_busy, invalid_format, invalid_reference};
use super::subnets::{self, BASTION_PREFIX_LENGTH, BASTION_SUBNET, SUBNET, subnet_ranges};
use super::virtual_networks::check_idle;
use super::{
    Fixed, Refusal, ResourceId, Write, complete_parts, fill, known_value, list, list_mut, properties_mut, property,
    public_addresses, text,
};
use crate::locations::run_together;
use crate::state::Body;
use serde_json::json;

pub(super) const BASTION: &str = "Microsoft.Network/bastionHosts";

/// From the least to the most: a host can go up only.
const SKUS: &[&str] = &["Developer", "Basic", "Standard", "Premium"];
/// The features that a host can be asked for, and the least sku that has each. Source: learn.microsoft.com, "Azure Bastion configuration
/// settings".
const FEATURES: &[(&str, &str)] = &[
    ("enableFileCopy", "Standard"),
    ("enableIpConnect", "Standard"),
    ("enableShareableLink", "Standard"),
    ("enableTunneling", "Standard"),
    ("disableCopyPaste", "Standard"),
    ("enableSessionRecording", "Premium"),
    ("enablePrivateOnlyBastion", "Premium"),
];

/// The flags that every host but one of the sku Developer has, off unless it is asked for. Source: azure-rest-api-specs,
/// 2024-05-01 `BastionHostGet` and `BastionHostDeveloperGet`.
const FLAGS: &[&str] = &[
    "disableCopyPaste",
    "enableTunneling",
    "enableIpConnect",
    "enableShareableLink",
    "enableKerberos",
    "enableSessionRecording",
    "enablePrivateOnlyBastion",
];

fn sku(body: &Body) -> Option<&'static str> {
    known_value(SKUS, text(body, "sku/name").unwrap_or("Basic"))
}

fn rank(sku: &str) -> usize {
    SKUS.iter().position(|known| *known == sku).unwrap_or_default()
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_not_busy(write.state, write.id, write.id, write.now)?;
    let sku = sku(write.body).ok_or_else(|| invalid_format("The value of sku.name is not a sku of a bastion host."))?;
    check_sku(write, sku)?;
    let configurations: Vec<&Body> = list(write.body, "ipConfigurations").collect();
    if sku == "Developer" {
        return check_developer(write, &configurations);
    }
    let [configuration] = configurations.as_slice() else {
        return Err(invalid_format("A bastion host has exactly one IP configuration."));
    };
    if text(configuration, "name").is_none_or(str::is_empty) {
        return Err(invalid_format("The IP configuration of the bastion host has no name."));
    }
    let parts = configuration.get("properties");
    let subnet = super::reference(parts.and_then(|parts| parts.get("subnet"))).ok_or_else(|| {
        invalid_format("Value for reference id is missing. Path properties.ipConfigurations[0].properties.subnet.")
    })?;
    check_subnet(write, &subnet)?;
    let address = super::reference(parts.and_then(|parts| parts.get("publicIPAddress")));
    match address {
        Some(address) => check_address(write, &address),
        None if property(write.body, "enablePrivateOnlyBastion") == Some(&json!(true)) => Ok(()),
        None => Err(invalid_format(
            "Value for reference id is missing. Path properties.ipConfigurations[0].properties.publicIPAddress.",
        )),
    }
}

fn check_sku(write: &Write<'_>, sku: &str) -> Result<(), Refusal> {
    if let Some(before) = write.existing.and_then(self::sku)
        && rank(sku) < rank(before)
    {
        return Err(Refusal::bad_request(
            "BastionHostSkuDowngradeNotSupported",
            format!("The bastion host {} cannot go from sku {before} back to {sku}.", write.id.name()),
        ));
    }
    for (feature, least) in FEATURES {
        if property(write.body, feature) == Some(&json!(true)) && rank(sku) < rank(least) {
            return Err(Refusal::bad_request(
                "BastionHostFeatureNotSupportedForSku",
                format!("{feature} needs the sku {least}; the bastion host {} has {sku}.", write.id.name()),
            ));
        }
    }
    let most = if rank(sku) >= rank("Standard") { 50 } else { 2 };
    match property(write.body, "scaleUnits").filter(|units| !units.is_null()) {
        Some(units) if !units.as_u64().is_some_and(|units| (2..=most).contains(&units)) => Err(Refusal::bad_request(
            "BastionHostScaleUnitsOutOfRange",
            format!("{units} scale units are not between 2 and {most}, which the sku {sku} has."),
        )),
        _ => Ok(()),
    }
}

/// The Developer sku is attached to a virtual network and has no address of its own.
fn check_developer(write: &Write<'_>, configurations: &[&Body]) -> Result<(), Refusal> {
    if !configurations.is_empty() {
        return Err(invalid_format("A bastion host of the sku Developer has no IP configurations."));
    }
    let network = super::reference(property(write.body, "virtualNetwork"));
    let network =
        network.ok_or_else(|| invalid_format("Value for reference id is missing. Path properties.virtualNetwork."))?;
    match write.state.get(&network.key()) {
        Some(_) => Ok(()),
        None => Err(invalid_reference(&network.text(), write.id)),
    }
}

fn check_subnet(write: &Write<'_>, id: &ResourceId) -> Result<(), Refusal> {
    if !id.type_name().eq_ignore_ascii_case(SUBNET) {
        return Err(invalid_format(&format!(
            "Reference Id {} is not formatted correctly. The Id is expected to reference resources of type \
             virtualNetworks/subnets. Path properties.ipConfigurations[0].properties.subnet.",
            id.text()
        )));
    }
    if id.name() != BASTION_SUBNET {
        return Err(Refusal::bad_request(
            "SubnetNameMustBeAzureBastionSubnet",
            format!(
                "Subnet name {} is invalid for Azure Bastion. Azure Bastion can only be created in subnet with name \
                 '{BASTION_SUBNET}'.",
                id.text()
            ),
        ));
    }
    let subscription = |id: &ResourceId| id.subscription.as_deref().map(str::to_lowercase);
    let same_subscription = subscription(id) == subscription(write.id);
    let region = subnets::region(write.state, id);
    let here = text(write.body, "location").unwrap_or_default();
    let near = region.is_some_and(|region| run_together(&region) == run_together(here));
    let Some(subnet) = subnets::subnet(write.state, id).filter(|_| same_subscription && near) else {
        return Err(invalid_reference(&id.text(), write.id));
    };
    if let Some(range) = subnet_ranges(subnet)
        .into_iter()
        .find(|range| range.addr().is_ipv4() && range.prefix_len() > BASTION_PREFIX_LENGTH)
    {
        return Err(subnets::bastion_subnet_too_small(&range));
    }
    if write.existing.is_none() {
        check_idle(write.state, &id.parent(), write.id, write.now)?;
    }
    let other = write
        .state
        .referrers(&id.key())
        .find(|(key, other)| *key != write.id.key() && other.text("type").eq_ignore_ascii_case(BASTION));
    if let Some((_, other)) = other {
        return Err(Refusal::bad_request(
            "BastionHostAlreadyExistsInVirtualNetwork",
            format!(
                "The virtual network {} has the bastion host {} already; it can have one only.",
                id.parent().text(),
                other.text("id")
            ),
        ));
    }
    Ok(())
}

/// A host stays in its subnet.
pub(super) const FIXED: &[Fixed] =
    &[Fixed { path: "properties.ipConfigurations[].properties.subnet.id", check: check_subnet_stays }];

fn check_subnet_stays(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let subnet = |body: &Body| {
        let configuration = list(body, "ipConfigurations").next()?;
        super::reference(configuration.get("properties")?.get("subnet"))
    };
    match (subnet(existing), subnet(write.body)) {
        (Some(before), Some(wanted)) if before.key() != wanted.key() => Err(Refusal::bad_request(
            "BastionHostIpConfigurationCannotBeChanged",
            format!("The bastion host {} stays in the subnet {}.", write.id.name(), before.text()),
        )),
        _ => Ok(()),
    }
}

fn check_address(write: &Write<'_>, id: &ResourceId) -> Result<(), Refusal> {
    let here = run_together(text(write.body, "location").unwrap_or_default());
    let is_address = id.type_name().eq_ignore_ascii_case(public_addresses::PUBLIC_ADDRESS);
    let address =
        write.state.get(&id.key()).filter(|address| is_address && run_together(address.text("location")) == here);
    let Some(address) = address else { return Err(invalid_reference(&id.text(), write.id)) };
    check_not_busy(write.state, id, write.id, write.now)?;
    let suits = text(&address.body, "sku/name").is_some_and(|sku| sku.starts_with("Standard"))
        && property(&address.body, "publicIPAllocationMethod") == Some(&json!("Static"));
    if !suits {
        return Err(Refusal::bad_request(
            "BastionHostPublicIPAddressNotStandardStatic",
            format!("The public IP address {} of a bastion host must have the sku Standard and be static.", id.text()),
        ));
    }
    match public_addresses::user(write.state, &id.key()) {
        Some((configuration, key)) if key != write.id.key() => Err(Refusal::bad_request(
            "PublicIPAddressInUse",
            format!("Public IP address {} is in use by {configuration}.", id.text()),
        )),
        _ => Ok(()),
    }
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let sku = sku(body).unwrap_or("Basic");
    body.insert("sku".to_owned(), json!({"name": sku}));
    let id = text(body, "id").unwrap_or_default().to_owned();
    let before = write.existing.and_then(|existing| property(existing, "dnsName")).cloned();
    let Some(properties) = properties_mut(body) else { return };
    let name = before.unwrap_or_else(|| format!("bst-{}.bastion.azure.com", uuid::Uuid::new_v4()).into());
    properties.insert("dnsName".to_owned(), name);
    if sku != "Developer" {
        fill(properties, "scaleUnits", 2);
        FLAGS.iter().for_each(|flag| fill(properties, flag, false));
    }
    let configurations = list_mut(properties, "ipConfigurations");
    for parts in complete_parts(configurations, "bastionHostIpConfigurations", &id, BASTION) {
        fill(parts, "privateIPAllocationMethod", "Dynamic");
    }
}
