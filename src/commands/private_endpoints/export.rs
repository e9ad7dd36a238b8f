//! The document of the private endpoints of a resource group.

use serde_json::Value;

use crate::azure::ResourceId;
use crate::azure::types::{PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT};
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, list, plain, required,
};
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[Reading::of(&PRIVATE_ENDPOINT).with(|_| vec![&PRIVATE_DNS_ZONE_GROUP])],
    further: |_| Vec::new(),
    write,
};

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "privateEndpoints")], ..Exported::default() };
    match estate.published(estate.group) {
        Some(name) => {
            let names = Names { dependencies: vec![plain("resourceGroup", name)], ..Names::default() };
            exported.keys.extend(names.key());
        }
        None => exported.notes.push(format!(
            "The document names no resource group: {}.",
            estate.not_published("the resource group", estate.group.id.name())
        )),
    }
    let mut endpoints = Vec::new();
    for there in estate.of_type(&PRIVATE_ENDPOINT) {
        match endpoint(there, estate) {
            Ok(keys) => endpoints.push(Written::Object(keys)),
            Err(why) => exported.leave_out(&PRIVATE_ENDPOINT, there, &why),
        }
    }
    let endpoints = WrittenKey { is_required: true, ..WrittenKey::new("privateEndpoints", Written::List(endpoints)) };
    exported.keys.push(endpoints);
    exported
}

/// The keys of an endpoint.
///
/// # Errors
/// Why the settings cannot say it.
fn endpoint(there: &There, estate: &Estate<'_>) -> Result<Vec<WrittenKey>, String> {
    let made = (ResourceKind::PrivateEndpoint, Architecture::Iaas, Some(there.location()));
    let name = estate.name_behind(there.id.name(), &PRIVATE_ENDPOINT, made).ok_or(NOT_GENERATED)?;
    let connection = connection(&there.body).ok_or("its connection needs the approval of somebody")?;
    let id = |value: Option<&Value>, pointer: &str| {
        value.and_then(|value| value.pointer(pointer)?.as_str()).and_then(ResourceId::checked)
    };
    let target = id(Some(connection), "/properties/privateLinkServiceId").ok_or("it connects to nothing")?;
    let subnet = id(Some(&there.body), "/properties/subnet/id").ok_or("it is in no subnet")?;
    let network = subnet.parent().ok_or("it is in no subnet")?;
    let published =
        |id: &ResourceId, what: &str| estate.publish_name(id).ok_or_else(|| estate.not_published(what, id.name()));
    let resource = published(&target, "what it connects to,")?;
    let vnet = published(&network, "its virtual network")?;
    let mut keys = vec![
        required("name", name),
        plain("location", there.location()),
        plain("resourceNameSpace", target.resource_type()),
        required("subnetName", subnet.name()),
    ];
    let group_id = connection.pointer("/properties/groupIds/0").and_then(Value::as_str);
    keys.extend(group_id.map(|group_id| required("subResourceName", group_id)));
    let mut names =
        Names { dependencies: vec![required("vnet", vnet), required("resource", resource)], ..Names::default() };
    names.dependencies.extend(list("privateZones", zones(there, estate)));
    names.publish.extend(estate.published(there).map(|name| plain("privateEndpoint", name)));
    keys.extend(names.key());
    Ok(keys)
}

/// The connection of an endpoint; none where somebody has to approve it, which no settings ask for.
fn connection(endpoint: &Value) -> Option<&Value> {
    let of = |list: &str| endpoint.pointer(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    match (of("/properties/privateLinkServiceConnections"), of("/properties/manualPrivateLinkServiceConnections")) {
        ([only], []) => Some(only),
        _ => None,
    }
}

/// The private DNS zones of an endpoint: by the names under which others publish them, else by their own.
fn zones(there: &There, estate: &Estate<'_>) -> Vec<Written> {
    let of_group = |group: &Value| {
        group.pointer("/properties/privateDnsZoneConfigs").and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let configurations = there.items(&PRIVATE_DNS_ZONE_GROUP).iter().flat_map(of_group);
    let ids = configurations.filter_map(|configuration| {
        ResourceId::checked(configuration.pointer("/properties/privateDnsZoneId")?.as_str()?)
    });
    let mut names: Vec<String> = Vec::new();
    for id in ids {
        let name = estate.publish_name(&id).unwrap_or(id.name()).to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| Written::Plain(name.into())).collect()
}
