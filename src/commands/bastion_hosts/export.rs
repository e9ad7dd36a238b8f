//! The document of the bastion hosts of a resource group.

use serde_json::Value;

use super::{DIAGNOSTIC_SETTING_NAME, subnet};
use crate::azure::ResourceId;
use crate::azure::types::{BASTION_HOST, DIAGNOSTIC_SETTING, PUBLIC_IP_ADDRESS, SUBNET};
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, name_of, plain, required,
};
use crate::naming::{Architecture, ResourceKind, same_location};
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[Reading::of(&BASTION_HOST).with(|_| vec![&DIAGNOSTIC_SETTING]), Reading::of(&PUBLIC_IP_ADDRESS).besides()],
    further: |estate| estate.of_type(&BASTION_HOST).filter_map(|host| Some((subnet_of(host)?, &SUBNET))).collect(),
    write,
};

/// The settings that a document has once for all of its hosts.
struct Common<'a> {
    location: &'a str,
    workspace: &'a str,
}

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "bastionHosts")], ..Exported::default() };
    let (mut common, mut hosts): (Option<Common<'_>>, Vec<Written>) = (None, Vec::new());
    for there in estate.of_type(&BASTION_HOST) {
        match host(there, &mut common, estate) {
            Ok(keys) => hosts.push(Written::Object(keys)),
            Err(why) => exported.leave_out(&BASTION_HOST, there, &why),
        }
    }
    let mut dependencies = Vec::new();
    match estate.published(estate.group) {
        Some(name) => dependencies.push(required("resourceGroup", name)),
        None => exported.notes.push(format!(
            "The document names no resource group: {}.",
            estate.not_published("the resource group", &estate.group.id)
        )),
    }
    dependencies.extend(common.as_ref().map(|common| required("workspace", common.workspace)));
    let location = common.as_ref().map_or(estate.group.location(), |common| common.location);
    exported.keys.push(required("location", location));
    let names = Names { dependencies, ..Names::default() };
    exported.keys.extend(names.key());
    let hosts = WrittenKey { is_required: true, ..WrittenKey::new("bastionHosts", Written::List(hosts)) };
    exported.keys.push(hosts);
    exported
}

/// The keys of a host.
///
/// # Errors
/// Why the settings cannot say it, or not together with the hosts before it.
fn host<'a>(there: &'a There, common: &mut Option<Common<'a>>, estate: &Estate<'a>) -> Result<Vec<WrittenKey>, String> {
    let behind = |id: &ResourceId, kind, resource_type| {
        estate.name_behind(id.name(), resource_type, (kind, Architecture::Iaas, Some(there.location())))
    };
    let name = behind(&there.id, ResourceKind::BastionHost, &BASTION_HOST).ok_or(NOT_GENERATED)?;
    let id = |pointer: &str| there.body.pointer(pointer).and_then(Value::as_str).and_then(ResourceId::checked);
    let subnet = subnet_of(there).ok_or("it is in no subnet")?;
    let address =
        id("/properties/ipConfigurations/0/properties/publicIPAddress/id").ok_or("it has no public IP address")?;
    if behind(&address, ResourceKind::PublicIPAddress, &PUBLIC_IP_ADDRESS).as_ref() != Some(&name) {
        return Err(format!(
            "the naming convention does not generate the name of its public IP address, '{}', of the same name",
            address.name()
        ));
    }
    let network = subnet.parent().ok_or("it is in no subnet")?;
    let workspace = workspace(there).ok_or_else(|| {
        format!("it has no diagnostic setting '{DIAGNOSTIC_SETTING_NAME}' that sends its audit log to a workspace")
    })?;
    let vnet = estate.needed_name("its virtual network", &network);
    let workspace = estate.needed_name("the workspace of its audit log,", &workspace);
    let (vnet, workspace) = (vnet?, workspace?);
    let first = common.get_or_insert(Common { location: there.location(), workspace });
    if !same_location(first.location, there.location()) {
        return Err(format!("the hosts of one document are in one location, here {}", first.location));
    }
    if first.workspace != workspace {
        return Err(format!("the hosts of one document have one workspace, here '{}'", first.workspace));
    }
    let mut names = Names { dependencies: vec![required("vnet", vnet)], ..Names::default() };
    names.publish.extend(estate.published(there).map(|name| plain("bastion", name)));
    let address_name = estate.of_type(&PUBLIC_IP_ADDRESS).find(|known| known.id == address);
    let address_name = address_name.and_then(|address| estate.published(address));
    names.publish.extend(address_name.map(|name| plain("bastionPublicIP", name)));
    let mut keys = vec![required("bastionHostName", name)];
    // Whoever deploys the document where there is no such subnet makes the same.
    let there = estate.of_type(&SUBNET).find(|known| known.id == subnet);
    let range = there.and_then(|there| subnet::first_range(&there.body));
    keys.extend(range.map(|range| plain("bastionHostSubnetPrefix", range.to_string())));
    keys.extend(names.key());
    Ok(keys)
}

/// The subnet of a host.
fn subnet_of(host: &There) -> Option<ResourceId> {
    let id = host.said("properties.ipConfigurations")?;
    ResourceId::checked(id.pointer("/0/properties/subnet/id")?.as_str()?)
}

/// The workspace that gets the audit log of a host.
fn workspace(host: &There) -> Option<ResourceId> {
    let settings = host.items(&DIAGNOSTIC_SETTING).iter();
    let setting = settings.clone().find(|setting| name_of(setting).eq_ignore_ascii_case(DIAGNOSTIC_SETTING_NAME))?;
    ResourceId::checked(setting.pointer("/properties/workspaceId")?.as_str()?)
}
