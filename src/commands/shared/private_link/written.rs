//! A private endpoint that exists, in the words of the documents that declare it.

use serde_json::Value;

use crate::azure::ResourceId;
use crate::azure::types::{PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT};
use crate::commands::shared::export::{Estate, NOT_GENERATED, Names, There, id_at, list, plain, required};
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

/// The settings of an endpoint.
pub(in crate::commands) struct WrittenEndpoint<'a> {
    /// Its name in the settings.
    pub(in crate::commands) name: String,
    /// The resource that it connects to.
    pub(in crate::commands) target: ResourceId,
    /// The group id that it connects to in that; none where it is the whole.
    pub(in crate::commands) group_id: Option<&'a str>,
    /// The name of its subnet.
    pub(in crate::commands) subnet: String,
    /// The publish name of its virtual network.
    vnet: &'a str,
    /// That of what it connects to, where the place of the endpoint does not say it.
    resource: Option<&'a str>,
    zones: Vec<Written>,
    publish: Option<&'a str>,
}

impl<'a> WrittenEndpoint<'a> {
    /// An endpoint whose name is generated with a location. One that stands alone names what it connects to.
    ///
    /// # Errors
    /// Why the settings cannot say it.
    pub(in crate::commands) fn of(
        there: &'a There,
        location: &str,
        stands_alone: bool,
        estate: &'a Estate<'_>,
    ) -> Result<WrittenEndpoint<'a>, String> {
        let made = (ResourceKind::PrivateEndpoint, Architecture::Iaas, Some(location));
        let name = estate.name_behind(there.id.name(), &PRIVATE_ENDPOINT, made).ok_or(NOT_GENERATED)?;
        let connection = connection(&there.body).ok_or("its connection needs the approval of somebody")?;
        let target = target(connection).ok_or("it connects to nothing")?;
        let subnet = id_at(&there.body, "properties.subnet.id").ok_or("it is in no subnet")?;
        let network = subnet.parent().ok_or("it is in no subnet")?;
        let vnet = estate.needed_name("its virtual network", &network);
        let resource = stands_alone.then(|| estate.needed_name("what it connects to,", &target)).transpose();
        let (vnet, resource) = (vnet?, resource?);
        Ok(WrittenEndpoint {
            name,
            target,
            group_id: connection.pointer("/properties/groupIds/0").and_then(Value::as_str),
            subnet: subnet.name().to_owned(),
            vnet,
            resource,
            zones: zones(there, estate),
            publish: estate.published(there),
        })
    }

    /// The key `service`.
    pub(in crate::commands) fn service(&self) -> Option<WrittenKey> {
        let mut names = Names { dependencies: vec![required("vnet", self.vnet)], ..Names::default() };
        names.dependencies.extend(self.resource.map(|resource| required("resource", resource)));
        names.dependencies.extend(list("privateZones", self.zones.clone()));
        names.publish.extend(self.publish.map(|name| plain("privateEndpoint", name)));
        names.key()
    }
}

/// The endpoints in the group of a resource that connect to it, as its `privateEndpoints`: those to this part of it, where it has several places for
/// them. What cannot be said is a note.
pub(in crate::commands) fn nested(
    owner: &There,
    part: Option<&str>,
    estate: &Estate<'_>,
    notes: &mut Vec<String>,
) -> Option<WrittenKey> {
    let is_of = |there: &&There| {
        let connection = connection(&there.body);
        let group_id = connection.and_then(|connection| connection.pointer("/properties/groupIds/0")?.as_str());
        connection.and_then(target).as_ref() == Some(&owner.id)
            && there.id.group_id() == owner.id.group_id()
            && part.is_none_or(|part| group_id.is_some_and(|group_id| group_id.eq_ignore_ascii_case(part)))
    };
    let mut items = Vec::new();
    for there in estate.of_type(&PRIVATE_ENDPOINT).filter(is_of) {
        match WrittenEndpoint::of(there, owner.location(), false, estate) {
            Ok(endpoint) => {
                let mut keys =
                    vec![required("name", endpoint.name.clone()), required("subnetName", endpoint.subnet.clone())];
                let group_id = endpoint.group_id.filter(|_| part.is_none());
                keys.extend(group_id.map(|group_id| required("subResourceName", group_id)));
                keys.extend(endpoint.service());
                items.push(Written::Object(keys));
            }
            Err(why) => notes.push(format!("The {} '{}' is left out: {why}.", PRIVATE_ENDPOINT.label, there.id.name())),
        }
    }
    list("privateEndpoints", items)
}

fn target(connection: &Value) -> Option<ResourceId> {
    id_at(connection, "properties.privateLinkServiceId")
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
    let configurations = estate.children(there, &PRIVATE_DNS_ZONE_GROUP).flat_map(of_group);
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
