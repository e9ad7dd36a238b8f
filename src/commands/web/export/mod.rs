//! The document of the web hosting in a resource group: a solution, or a front door with the solutions whose apps are behind it.

mod front_door;
mod reading;
mod solution_of_group;

use self::front_door::Door;
use super::COMMAND;
use crate::azure::types::{API_MANAGEMENT, APP_SERVICE_PLAN, CDN_PROFILE, PRIVATE_ENDPOINT, WEB_APP};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::export::{Estate, Export, Exported, Names, Reading, There, object, plain};
use crate::naming::normalise_location;
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[
        Reading::of(&APP_SERVICE_PLAN),
        Reading::of(&API_MANAGEMENT),
        Reading::of(&CDN_PROFILE),
        Reading::of(&WEB_APP).besides(),
        Reading::of(&PRIVATE_ENDPOINT).besides(),
    ],
    further: reading::further,
    write,
};

/// The resources that the document is written of, and what all of its parts have to know.
struct Document<'a> {
    estate: &'a Estate<'a>,
    /// The front door: of the document, or one that others have.
    door: Option<Door<'a>>,
    /// The publish name of the application insights that apps report to, with their connection string.
    insights: Option<(&'a str, String)>,
}

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", COMMAND.component)], ..Exported::default() };
    let document = Document { estate, door: front_door::find(estate), insights: solution_of_group::insights(estate) };
    let own_door = document.door.as_ref().filter(|door| door.is_own);
    let mut groups = vec![estate.group.id.clone()];
    for group in own_door.iter().flat_map(|door| &door.backends).filter_map(ResourceId::group_id) {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    let solutions = groups.iter().filter_map(|group| document.solution(group, &mut exported.notes));
    let solutions: Vec<Written> = solutions.map(Written::Object).collect();
    exported.keys.push(document.service());
    // A front door sends requests to apps of its document, so without a solution there is none.
    exported.keys.push(WrittenKey { is_required: true, ..WrittenKey::new("webSolutions", Written::List(solutions)) });
    let door = own_door.map(|door| door.keys(&document));
    exported.keys.extend(door.map(|keys| WrittenKey::new("frontdoor", Written::Object(keys))));
    let others = estate.of_type(&CDN_PROFILE).filter(|profile| !document.has_profile(profile));
    let note = |there: &There| {
        format!(
            "The {} '{}' is left out: it is neither the front door of its group nor the CDN of an app.",
            CDN_PROFILE.label,
            there.id.name()
        )
    };
    exported.notes.extend(others.map(note));
    exported
}

impl<'a> Document<'a> {
    /// The names of the whole document: of the front door, which has them nowhere else, and of what apps report to.
    fn service(&self) -> WrittenKey {
        let dependencies = self.insights.iter().map(|(name, _)| plain("appInsights", *name)).collect();
        let publish = self.door.iter().flat_map(|door| door.names(self.estate)).collect();
        let publish = WrittenKey { is_required: true, ..WrittenKey::new("publish", Written::Object(publish)) };
        let keys = object("dependencies", dependencies).into_iter().chain([publish]).collect();
        WrittenKey { is_required: true, ..WrittenKey::new("service", Written::Object(keys)) }
    }

    /// The resources of a type right below a resource or a group.
    fn below(&self, parent: &'a ResourceId, resource_type: &'static ResourceType) -> impl Iterator<Item = &'a There> {
        below(self.estate, parent, resource_type)
    }

    fn has_profile(&self, profile: &There) -> bool {
        let is_door = self.door.as_ref().is_some_and(|door| door.is_own && door.profile == profile.id);
        is_door || self.estate.of_type(&WEB_APP).any(|app| self.is_of(app, &profile.id))
    }
}

/// The resources of a type right below a resource or a group.
fn below<'a>(
    estate: &'a Estate<'a>,
    parent: &'a ResourceId,
    resource_type: &'static ResourceType,
) -> impl Iterator<Item = &'a There> {
    estate.of_type(resource_type).filter(move |there| there.id.parent().as_ref() == Some(parent))
}

/// The publish name that a resource has, as its `service`.
fn service_of(key: &str, there: &There, estate: &Estate<'_>) -> Option<WrittenKey> {
    let publish = estate.published(there).map(|name| plain(key, name)).into_iter().collect();
    Names { publish, ..Names::default() }.key()
}

/// The location of a resource, as the settings of web hosting have it.
fn region(there: &There) -> String {
    normalise_location(there.location())
}

/// Whether an app is a function app.
fn is_function(app: &There) -> bool {
    app.said("kind").is_some_and(|kind| kind.as_str().is_some_and(|kind| kind.to_lowercase().contains("functionapp")))
}
