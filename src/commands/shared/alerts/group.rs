//! The resource group of an alert command: found, or made; and owned, in complete mode.

use serde_json::json;

use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, CompleteMode, Published};
use crate::commands::shared::lookup::{Wanted, unknown_group};
use crate::commands::shared::service::{Named, Service};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind, same_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

const DEPENDENCY: &str = "service.dependencies.resourceGroup";
const PUBLISH: &str = "service.publish.resourceGroup";

/// What the settings say of the group.
pub(in crate::commands) struct AlertGroup<'a> {
    /// The publish name of an existing group.
    dependency: Option<&'a String>,
    /// The publish name of the group that is used, or made, where no existing one is named or found.
    publish: Option<&'a String>,
    /// Where it is made, in any spelling.
    location: Option<&'a String>,
    /// The name it is made of.
    name: &'static str,
    /// The type of the rules, of which the group holds exactly those of the document.
    rules: &'static ResourceType,
}

/// The dependencies, or the publish names, at the root of an alert document.
pub(in crate::commands) trait NamesGroup {
    /// What they call the resource group.
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
    let named = [(settings.dependency, DEPENDENCY), (settings.publish, PUBLISH)];
    let near = location.as_deref();
    let found = named.iter().find_map(|(name, setting)| {
        compilation.find(Wanted::GROUP).published_as((*name)?, &root.dotted(setting)).near(near).one_if_any()
    });
    let publish = settings.publish.map(|name| Published { name: name.clone(), place: root.dotted(PUBLISH) });
    let (id, location, tags) = match (found, &publish, location) {
        // A group that is found by one name is not published under another: the next run would not find it.
        (Some(group), _, _) => (group.id, group.location, compilation.tags(None)),
        (None, Some(publish), Some(location)) => {
            let request = NameRequest {
                kind: ResourceKind::ResourceGroup,
                name: settings.name,
                architecture: Architecture::Monitor,
                location: Some(&location),
            };
            let name = compilation.name(&RESOURCE_GROUP, &request, &publish.place);
            (compilation.subscription().group(&name), location, compilation.tags(Some(publish)))
        }
        (None, Some(publish), None) => {
            let message = format!(
                "the resource group '{}' does not exist, and cannot be created without a location",
                publish.name
            );
            if compilation.is_connected() {
                compilation.finding(root.dotted("location"), FindingCode::Missing, message);
                return None;
            }
            (
                compilation.find(Wanted::GROUP).published_as(&publish.name, &publish.place).one().id,
                String::new(),
                compilation.tags(None),
            )
        }
        (None, None, location) => match settings.dependency {
            Some(name) => {
                let place = root.dotted(DEPENDENCY);
                let group = compilation.find(Wanted::GROUP).published_as(name, &place).near(location.as_deref()).one();
                // Nobody makes this group, so it does not matter what the document says of a place for it.
                let said = location.filter(|location| !same_location(location, "Global")).unwrap_or_default();
                let location = if group.location.is_empty() { said } else { group.location };
                (group.id, location, compilation.tags(None))
            }
            None => {
                compilation.finding(
                    root.dotted(DEPENDENCY),
                    FindingCode::Missing,
                    "required, unless service.publish.resourceGroup is set",
                );
                // What is wrong with the rules does not depend on their group.
                let id = compilation.subscription().group(&unknown_group());
                return Some(Group { id, location: location.unwrap_or_default() });
            }
        },
    };
    let place = root.dotted(if settings.dependency.is_some() { DEPENDENCY } else { PUBLISH });
    let body = json!({ "location": location });
    compilation.add(Desired {
        tags,
        origins: vec![("location", "/location")],
        ..Desired::new(id.clone(), &RESOURCE_GROUP, body, place.clone())
    });
    compilation.complete(CompleteMode { group: id.clone(), rules: settings.rules, place });
    Some(Group { id, location })
}
