//! The resource group of an alert command: found, or made; and owned, in complete mode.

use serde_json::json;

use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, CompleteMode, Published};
use crate::commands::shared::found::Found;
use crate::commands::shared::service::{Named, Service};
use crate::commands::shared::wanted::{Wanted, unknown_group};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind, same_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

const DEPENDENCY: &str = "service.dependencies.resourceGroup";
const PUBLISH: &str = "service.publish.resourceGroup";

/// The settings of the group.
pub(in crate::commands) struct AlertGroup<'a> {
    /// The publish name of an existing group.
    dependency: Option<&'a String>,
    /// The publish name of the group that is used, or made, where no existing one is named or found.
    publish: Option<&'a String>,
    /// The location in which it is made, in any spelling.
    location: Option<&'a String>,
    /// The name it is made of.
    name: &'static str,
    /// The type of the rules, of which the group holds exactly those of the document.
    rules: &'static ResourceType,
}

/// The dependencies, or the publish names, at the root of an alert document.
pub(in crate::commands) trait NamesGroup {
    /// The publish name that they have for the resource group.
    fn resource_group(&self) -> Option<&String>;
}

impl<'a> AlertGroup<'a> {
    /// The group of a document, by the service and the location at its root.
    pub(in crate::commands) fn of<D: NamesGroup, P: NamesGroup>(
        service: &'a Option<Service<D, P>>,
        location: Option<&'a String>,
        name: &'static str,
        rules: &'static ResourceType,
    ) -> AlertGroup<'a> {
        AlertGroup {
            dependency: service.dependencies().and_then(NamesGroup::resource_group),
            publish: service.publish().and_then(NamesGroup::resource_group),
            location,
            name,
            rules,
        }
    }
}

/// The group of an alert command.
pub(in crate::commands) struct Group {
    pub(in crate::commands) id: ResourceId,
    /// As Azure writes it; empty in a plan that is made without looking.
    pub(in crate::commands) location: String,
}

/// Finds the group, or adds it; none when the settings do not say enough.
pub(in crate::commands) fn alert_group(
    settings: &AlertGroup<'_>,
    root: &Place,
    compilation: &mut Compilation<'_>,
) -> Option<Group> {
    let location = settings.location.map(|location| compilation.location(location, root.dotted("location")));
    let found = found_group(settings, location.as_deref(), root, compilation);
    let publish = settings.publish.map(|name| Published { name: name.clone(), place: root.dotted(PUBLISH) });
    // A group that is found by one name is not published under another: the next run would not find it.
    let mut tags = compilation.tags(None);
    // Nobody makes the group of others anew.
    let is_of_others = matches!(found, Some((_, DEPENDENCY)));
    let group = match (found, &publish, location) {
        (Some((group, _)), _, _) => Group { id: group.id, location: group.location },
        (None, Some(publish), Some(location)) => {
            tags = compilation.tags(Some(publish));
            new_group(settings, publish, location, compilation)
        }
        (None, Some(publish), None) => group_without_location(publish, root, compilation)?,
        (None, None, location) => match settings.dependency {
            Some(name) => group_of_others(name, location, root, compilation),
            None => return Some(group_not_named(location, root, compilation)),
        },
    };
    let place = root.dotted(if settings.dependency.is_some() { DEPENDENCY } else { PUBLISH });
    let body = json!({ "location": group.location });
    compilation.add(Desired {
        tags,
        never_made: is_of_others,
        origins: vec![("location", "/location")],
        ..Desired::new(group.id.clone(), &RESOURCE_GROUP, body, place.clone())
    });
    compilation.complete(CompleteMode { group: group.id.clone(), rules: settings.rules, place });
    Some(group)
}

/// The group that exists under one of the names of the settings, with the setting that has it.
fn found_group(
    settings: &AlertGroup<'_>,
    near: Option<&str>,
    root: &Place,
    compilation: &mut Compilation<'_>,
) -> Option<(Found, &'static str)> {
    let named = [(settings.dependency, DEPENDENCY), (settings.publish, PUBLISH)];
    named.iter().find_map(|(name, setting)| {
        let found =
            compilation.find(Wanted::GROUP).published_as((*name)?, &root.dotted(setting)).near(near).one_if_any();
        found.map(|found| (found, *setting))
    })
}

/// The group that is made where none is found.
fn new_group(
    settings: &AlertGroup<'_>,
    publish: &Published,
    location: String,
    compilation: &mut Compilation<'_>,
) -> Group {
    let request = NameRequest::new(ResourceKind::ResourceGroup, settings.name, Architecture::Monitor, Some(&location));
    let name = compilation.name(&RESOURCE_GROUP, &request, &publish.place);
    Group { id: compilation.subscription().group(&name), location }
}

/// A group that is not found and that the document gives no location: an error, unless the plan is made without looking.
fn group_without_location(publish: &Published, root: &Place, compilation: &mut Compilation<'_>) -> Option<Group> {
    if compilation.is_connected() {
        let message =
            format!("the resource group '{}' does not exist, and cannot be created without a location", publish.name);
        compilation.finding(root.dotted("location"), FindingCode::Missing, message);
        return None;
    }
    let id = compilation.find(Wanted::GROUP).published_as(&publish.name, &publish.place).one().id;
    Some(Group { id, location: String::new() })
}

/// A group that the document only depends on, and that is not found.
fn group_of_others(name: &str, location: Option<String>, root: &Place, compilation: &mut Compilation<'_>) -> Group {
    let place = root.dotted(DEPENDENCY);
    let group = compilation.find(Wanted::GROUP).published_as(name, &place).near(location.as_deref()).one();
    // Nobody makes this group, so it does not matter what the document says of a place for it.
    let said = location.filter(|location| !same_location(location, "Global")).unwrap_or_default();
    Group { id: group.id, location: if group.location.is_empty() { said } else { group.location } }
}

/// Stands for the group of a document that names none: what is wrong with the rules does not depend on it.
fn group_not_named(location: Option<String>, root: &Place, compilation: &mut Compilation<'_>) -> Group {
    compilation.finding(
        root.dotted(DEPENDENCY),
        FindingCode::Missing,
        "required, unless service.publish.resourceGroup is set",
    );
    Group { id: compilation.subscription().group(&unknown_group()), location: location.unwrap_or_default() }
}
