//! One private endpoint with its zone group, the zones that are missing and their links: the piece that every command with
//! private endpoints calls.

use serde_json::json;

use super::zones::add_zone_group;
use crate::azure::ResourceId;
use crate::azure::types::{PRIVATE_ENDPOINT, SLOT, SUBNET, VIRTUAL_NETWORK, WEB_APP, private_link};
use crate::commands::shared::compilation::{Compilation, Published, WayOut};
use crate::commands::shared::found::Found;
use crate::commands::shared::virtual_network::{BASTION_SUBNET, name_of, subnet, subnets};
use crate::commands::shared::wanted::Wanted;
use crate::desired::{Desired, Tags, placeholder};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::{FindingCode, alternatives};
use crate::settings::{Place, vocabulary};

/// The setting of the virtual network.
const NETWORK: &str = "service.dependencies.vnet";
/// The same at the root of the document.
const ROOT_NETWORK: &str = "/service.dependencies.vnet";

/// The settings that the properties of the endpoint come from.
fn origins(endpoint: &Endpoint<'_>) -> Vec<(&'static str, &'static str)> {
    let mut origins = vec![
        ("name", "name"),
        ("location", ROOT_NETWORK),
        ("location", NETWORK),
        ("properties.subnet", "subnetName"),
        ("properties.privateLinkServiceConnections", "subResourceName"),
        ("properties.manualPrivateLinkServiceConnections", "subResourceName"),
    ];
    let of_target = [
        "properties.privateLinkServiceConnections[].properties.privateLinkServiceId",
        "properties.manualPrivateLinkServiceConnections[].properties.privateLinkServiceId",
    ];
    origins.extend(of_target.map(|path| (path, endpoint.target_origin)));
    let of_group = endpoint.global_group_id.map(|(setting, _)| setting);
    let group_ids = "properties.privateLinkServiceConnections[].properties.groupIds";
    origins.extend(of_group.into_iter().chain(["subResourceName"]).map(|setting| (group_ids, setting)));
    origins
}

/// The parts that an endpoint is made of.
pub(in crate::commands) struct Endpoint<'a> {
    /// Part of the generated name.
    pub(in crate::commands) name: &'a str,
    /// The advice for a name that is one of ours, because the settings give none.
    pub(in crate::commands) unnamed: Option<Unnamed>,
    /// The location in the generated name. Default: the location of the virtual network.
    pub(in crate::commands) name_location: Option<&'a str>,
    /// The location in which it is asked to be: of several networks of a name the one there is meant.
    pub(in crate::commands) near: Option<&'a str>,
    /// The resource group of the endpoint and of the zones that it needs.
    pub(in crate::commands) group: ResourceId,
    /// The publish name of the virtual network and where it is written.
    pub(in crate::commands) network: Option<Published>,
    /// The name of the subnet in that network.
    pub(in crate::commands) subnet: &'a str,
    /// The resource to connect to.
    pub(in crate::commands) target: ResourceId,
    /// The setting that says which resource that is.
    pub(in crate::commands) target_origin: &'static str,
    /// The group id to connect to in it.
    pub(in crate::commands) group_id: Option<&'a str>,
    /// The setting of the whole document that may say it, where there is one, as an origin, and what it says.
    pub(in crate::commands) global_group_id: Option<(&'static str, Option<&'a str>)>,
    /// The entries for private DNS zones, and the list they are in.
    pub(in crate::commands) zones: Option<(&'a [String], Place)>,
    pub(in crate::commands) tags: Tags,
    /// The object that describes the endpoint in the settings.
    pub(in crate::commands) place: Place,
}

/// An endpoint without a name in the settings: it is named by its place among those.
#[derive(Debug)]
pub(in crate::commands) struct Unnamed {
    /// The name that the one after it has.
    pub(in crate::commands) next: String,
}

impl Unnamed {
    /// The way out when two endpoints have one name.
    const WHEN_TWICE: &'static str = "an endpoint without a name is named after what it connects to, so set name";

    /// The way out when it would take over the endpoint of another one.
    fn when_moved(&self) -> String {
        format!(
            "; endpoints without a name are numbered, and this number was another's before: set name ('{}' if it was the next)",
            self.next
        )
    }
}

/// Adds an endpoint and what belongs to it.
pub(in crate::commands) fn add_endpoint(endpoint: Endpoint<'_>, compilation: &mut Compilation<'_>) {
    let place = &endpoint.place;
    let network = match &endpoint.network {
        Some(network) => {
            let wanted = compilation.find(Wanted::Type(VIRTUAL_NETWORK.name));
            wanted.published_as(&network.name, &network.place).near(endpoint.near).whole().one()
        }
        None => {
            compilation.finding(
                place.dotted(NETWORK),
                FindingCode::Missing,
                "a virtual network is required, here or at the root",
            );
            // What else is wrong is told, too.
            Found::placeholder(VIRTUAL_NETWORK.child_of(&endpoint.group, &placeholder("its virtual network")))
        }
    };
    check_subnet(&endpoint, &network, compilation);
    let Some(group_id) = group_id(&endpoint, compilation) else { return };
    let name = name(&endpoint, &network, compilation);
    let id = PRIVATE_ENDPOINT.child_of(&endpoint.group, &name);
    let location = if network.placeholder { placeholder("location of its network") } else { network.location.clone() };
    let mut connection = json!({ "privateLinkServiceId": endpoint.target.as_str() });
    if let GroupId::Of(group_id) = &group_id {
        connection["groupIds"] = json!([group_id]);
    }
    let body = json!({
        "location": location,
        "properties": {
            "subnet": { "id": SUBNET.child_of(&network.id, endpoint.subnet).as_str() },
            "privateLinkServiceConnections": [{ "name": name, "properties": connection }],
        },
    });
    let resource = Desired {
        tags: endpoint.tags.clone(),
        depends_on: std::iter::once(endpoint.target.clone()).chain(slot_of(&endpoint, &group_id)).collect(),
        lock: Some(network.id.clone()),
        origins: origins(&endpoint),
        advice: endpoint.unnamed.as_ref().map(Unnamed::when_moved),
        ..Desired::new(id.clone(), &PRIVATE_ENDPOINT, body, place.clone())
    };
    let rename = if endpoint.unnamed.is_some() { Unnamed::WHEN_TWICE } else { "" };
    compilation.add_named(resource, &WayOut { rename: rename.to_owned(), ..WayOut::default() });
    add_zone_group(&endpoint, &id, &network, &group_id, compilation);
}

/// The group id that an endpoint connects to in its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GroupId {
    /// This one.
    Of(String),
    /// The target as a whole.
    Whole,
}

/// The slot of an app that a group id stands for: the endpoint waits for it.
fn slot_of(endpoint: &Endpoint<'_>, group_id: &GroupId) -> Option<ResourceId> {
    let GroupId::Of(group_id) = group_id else { return None };
    let is_app = endpoint.target.is_of_type(WEB_APP.name);
    private_link::slot_of(group_id).filter(|_| is_app).map(|slot| SLOT.child_of(&endpoint.target, slot))
}

/// Checks what Azure would refuse of the subnet: one that the network does not have, and the one of bastion hosts.
fn check_subnet(endpoint: &Endpoint<'_>, network: &Found, compilation: &mut Compilation<'_>) {
    let (wanted, place) = (endpoint.subnet, endpoint.place.dotted("subnetName"));
    compilation.check_name(&SUBNET, wanted, &place);
    if vocabulary::to_azure(wanted).eq_ignore_ascii_case(BASTION_SUBNET) {
        let message = format!("{BASTION_SUBNET} is for bastion hosts alone; use another subnet");
        return compilation.finding(place, FindingCode::CombinationNotInAzure, message);
    }
    let Some(details) = &network.details else { return };
    if subnet(details, wanted).is_some() {
        return;
    }
    let names: Vec<&str> =
        subnets(details).map(name_of).filter(|name| !name.eq_ignore_ascii_case(BASTION_SUBNET)).collect();
    let choice = if names.is_empty() { ", and no other".to_owned() } else { format!("; use {}", alternatives(&names)) };
    let message = format!("the virtual network '{}' has no subnet '{wanted}'{choice}", network.id.name());
    compilation.finding(place, FindingCode::DependencyNotUsable, message);
}

fn group_id(endpoint: &Endpoint<'_>, compilation: &mut Compilation<'_>) -> Option<GroupId> {
    let target_type = &endpoint.target.resource_type();
    let known = private_link::group_ids(target_type);
    let place = endpoint.place.dotted("subResourceName");
    if private_link::is_connected_whole(target_type) {
        // One for all endpoints of the document is meant for the others.
        if let Some(group_id) = endpoint.group_id {
            let message = format!("{target_type} has no sub-resources; '{group_id}' is ignored");
            compilation.warning(&place, message);
        }
        return Some(GroupId::Whole);
    }
    let Some(group_id) = endpoint.group_id.or(endpoint.global_group_id.and_then(|(_, group_id)| group_id)) else {
        if known.is_empty() && !compilation.is_connected() {
            // Which sub-resources there are is known with the resource; without one the plan cannot show the endpoint.
            compilation
                .warning(&place, "a sub-resource to connect to is required; the plan does not show the endpoint");
            return None;
        }
        let choice = if known.is_empty() { String::new() } else { format!("; {target_type} has {}", known.join(", ")) };
        let elsewhere = endpoint
            .global_group_id
            .map_or(String::new(), |(setting, _)| format!(", here or as {}", setting.trim_start_matches('/')));
        compilation.finding(
            place,
            FindingCode::Missing,
            format!("a sub-resource to connect to is required{elsewhere}{choice}"),
        );
        return None;
    };
    // Azure's own spelling, where it is known; what the table does not know is for Azure to judge.
    if let Some(spelled) = known.iter().find(|known| known.eq_ignore_ascii_case(group_id)) {
        return Some(GroupId::Of((*spelled).to_owned()));
    }
    let is_slot = private_link::slot_of(group_id).is_some();
    if !known.is_empty() && !is_slot {
        compilation.warning(
            &place,
            format!("'{group_id}' is not a known sub-resource of {target_type}; known ones are {}", known.join(", ")),
        );
    }
    Some(GroupId::Of(group_id.to_owned()))
}

/// The generated name; where the network is a placeholder, so that its location is not known, a text that says so.
fn name(endpoint: &Endpoint<'_>, network: &Found, compilation: &mut Compilation<'_>) -> String {
    let location = endpoint.name_location.or(Some(network.location.as_str()).filter(|_| !network.placeholder));
    if location.is_none() {
        // With the network in it, because one name is two in two locations.
        let network = endpoint.network.as_ref().map_or("its network", |network| network.name.as_str());
        return placeholder(&format!("name of '{}' in the location of '{network}'", endpoint.name));
    }
    let request = NameRequest::new(ResourceKind::PrivateEndpoint, endpoint.name, Architecture::Iaas, location);
    compilation.name(&PRIVATE_ENDPOINT, &request, &endpoint.place.dotted("name"))
}
