//! The resource group of an alert command: found, or made; and owned, in complete mode.

use serde_json::json;

use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ResourceId, ResourceType};
use crate::commands::compilation::{Compilation, CompleteMode, Published};
use crate::commands::lookup::Wanted;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::plan::Desired;
use crate::settings::Place;

const DEPENDENCY: &str = "service.dependencies.resourceGroup";
const PUBLISH: &str = "service.publish.resourceGroup";

/// What the settings say of the group.
pub(in crate::commands) struct AlertGroup<'a> {
    /// The publish name of an existing group.
    pub(in crate::commands) dependency: Option<&'a String>,
    /// The publish name of the group that is used, or made, where no existing one is named or found.
    pub(in crate::commands) publish: Option<&'a String>,
    /// Where it is made, in any spelling.
    pub(in crate::commands) location: Option<&'a String>,
    /// The name it is made of.
    pub(in crate::commands) name: &'static str,
    /// The type of the rules, of which the group holds exactly those of the document.
    pub(in crate::commands) rules: &'static ResourceType,
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
    let found = named.iter().find_map(|(name, setting)| {
        let found =
            compilation.quiet_dependency(Wanted::Type(RESOURCE_GROUP.name), (*name)?, None, &root.dotted(setting))?;
        Some(found).filter(|found| !found.placeholder)
    });
    let publish = settings.publish.map(|name| Published { name: name.clone(), place: root.dotted(PUBLISH) });
    let (id, location, tags) = match (found, &publish, location) {
        // A group that is found by one name is not published under another: the next run would not find it.
        (Some(group), _, _) => (group.id, group.location, compilation.tags(None)),
        (None, Some(publish), Some(location)) => {
            let request = NameRequest {
                kind: ResourceKind::ResourceGroup,
                arm_type: Some(RESOURCE_GROUP.name),
                name: settings.name,
                architecture: Architecture::Monitor,
                location: Some(&location),
            };
            let name = compilation.name(&request, &publish.place);
            (compilation.subscription().group(&name), location, compilation.tags(Some(publish)))
        }
        (None, Some(publish), None) => {
            let message = format!(
                "the resource group '{}' does not exist, and without a location it cannot be created",
                publish.name
            );
            if compilation.is_connected() {
                compilation.finding(root.dotted("location"), "Missing", message);
                return None;
            }
            (
                compilation.subscription().group(&format!("<resource group published as '{}'>", publish.name)),
                String::new(),
                compilation.tags(None),
            )
        }
        (None, None, location) => match settings.dependency {
            Some(name) => {
                let group = compilation.dependency_group(name, &root.dotted(DEPENDENCY));
                (
                    group.id,
                    if group.location.is_empty() { location.unwrap_or_default() } else { group.location },
                    compilation.tags(None),
                )
            }
            None => {
                compilation.finding(
                    root.dotted(DEPENDENCY),
                    "Missing",
                    "either it or service.publish.resourceGroup is needed",
                );
                return None;
            }
        },
    };
    let place = root.dotted(if settings.dependency.is_some() { DEPENDENCY } else { PUBLISH });
    let body = json!({ "location": location });
    compilation.add(Desired { tags, ..Desired::new(id.clone(), &RESOURCE_GROUP, body, place.clone()) });
    compilation.complete(CompleteMode { group: id.clone(), rules: settings.rules, place });
    Some(Group { id, location })
}
