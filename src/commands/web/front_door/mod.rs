//! The front door: the one of the document, or an existing one that backends are attached to.

mod domains;
mod existing;
mod policies;
mod pools;
mod routes;

pub(super) use self::pools::OF_POOL;
use std::collections::HashMap;

use serde_json::json;

use self::domains::Domain;
use self::pools::Pool;
use super::Backend;
use super::profile;
use super::settings::{FrontDoor, WebSettings};
use crate::azure::types::{CDN_PROFILE, CLASSIC_FRONT_DOOR, FRONT_DOOR_ENDPOINT, RESOURCE_GROUP};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::wanted::Wanted;
use crate::desired::{Desired, OwnedProfile};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::{FindingCode, nearest};
use crate::settings::Place;

/// The settings that name the front door and its resource group.
const PUBLISH: &str = "service.publish.frontdoor";
const PUBLISH_GROUP: &str = "service.publish.frontdoorResourceGroup";

/// Adds the front door with everything in it, or the origins in an existing one.
pub(super) fn compile(settings: &WebSettings, root: &Place, backends: &[Backend], compilation: &mut Compilation<'_>) {
    check_published(settings, root, backends, compilation);
    match &settings.frontdoor {
        Some(door) => add(settings, door, root, backends, compilation),
        None => existing::attach(settings, root, backends, compilation),
    }
}

/// The names of the front door are required where there is one, or something that is to join one.
fn check_published(settings: &WebSettings, root: &Place, backends: &[Backend], compilation: &mut Compilation<'_>) {
    let publish = &settings.service.publish;
    let is_used = settings.frontdoor.is_some() || backends.iter().any(|backend| backend.routing.pool.is_some());
    for (name, setting) in [(&publish.frontdoor, PUBLISH), (&publish.frontdoor_resource_group, PUBLISH_GROUP)] {
        let place = root.dotted(setting);
        match name {
            Some(_) => {}
            None if is_used => compilation.finding(place, FindingCode::Missing, "required, but not set"),
            // Most documents without a front door are of people who have none.
            None => compilation.note(&place, "not set; required, if frontdoor or a backendpool is set"),
        }
    }
}

/// The front door of the document, for those that add its parts.
struct Run<'a> {
    settings: &'a WebSettings,
    door: &'a FrontDoor,
    root: &'a Place,
    /// The object `frontdoor`.
    place: &'a Place,
    profile: &'a ResourceId,
    /// Its own endpoint.
    endpoint: &'a ResourceId,
}

fn add(
    settings: &WebSettings,
    door: &FrontDoor,
    root: &Place,
    backends: &[Backend],
    compilation: &mut Compilation<'_>,
) {
    let place = &root.dotted("frontdoor");
    let location = compilation.location(&door.region, place.dotted("region"));
    let publish = |name: &Option<String>, setting: &str| {
        name.as_ref().map(|name| Published { name: name.clone(), place: root.dotted(setting) })
    };
    let group_publish = publish(&settings.service.publish.frontdoor_resource_group, PUBLISH_GROUP);
    let name = |kind, resource_type: &ResourceType, compilation: &mut Compilation<'_>| {
        let request = NameRequest::new(kind, &door.name, Architecture::Paas, Some(&location));
        compilation.name(resource_type, &request, &place.dotted("name"))
    };
    let group_name = name(ResourceKind::ResourceGroup, &RESOURCE_GROUP, compilation);
    let group = compilation.subscription().group(&group_name);
    if compilation.planned(&RESOURCE_GROUP, &group_name).is_some() {
        let message = format!(
            "the front door has the name of a web solution and so the same resource group '{group_name}'; the group is published under the solution's name, not as '{}'",
            settings.service.publish.frontdoor_resource_group.as_deref().unwrap_or_default()
        );
        compilation.warning(&root.dotted(PUBLISH_GROUP), message);
    } else {
        compilation.add(Desired {
            tags: compilation.tags(group_publish.as_ref()),
            origins: vec![("location", "region")],
            ..Desired::new(group.clone(), &RESOURCE_GROUP, json!({ "location": location }), place.clone())
        });
    }
    let profile_name = name(ResourceKind::FrontDoor, &CDN_PROFILE, compilation);
    let profile = CDN_PROFILE.child_of(&group, &profile_name);
    let endpoint = FRONT_DOOR_ENDPOINT.child_of(&profile, &profile::endpoint_name(&profile_name));
    compilation.check_name(&FRONT_DOOR_ENDPOINT, endpoint.name(), &place.dotted("name"));
    let run = Run { settings, door, root, place, profile: &profile, endpoint: &endpoint };
    compilation.own(run.owned(backends));
    let domains = run.domains(compilation);
    let (policies, tier) = run.policies(&domains, compilation);
    let door_publish = publish(&settings.service.publish.frontdoor, PUBLISH);
    let tier_origin = policies.iter().find(|policy| policy.is_premium()).map(|policy| ("sku.name", policy.origin));
    compilation.add(Desired {
        tags: compilation.tags(door_publish.as_ref()),
        origins: tier_origin.into_iter().collect(),
        ..profile::profile(&profile, tier, place)
    });
    compilation.add(Desired { tags: compilation.tags(None), ..profile::endpoint(&endpoint, place) });
    let targets = run.targets(&domains, compilation);
    let pools = run.add_pools(backends, &targets, &domains, compilation);
    run.add_domains(&domains, &targets, compilation);
    let routes = run.add_routes(&targets, &pools, &domains, compilation);
    run.add_policies(&policies, &domains, &routes, compilation);
    run.report_classic(compilation);
}

impl Run<'_> {
    /// The ownership of the profile: what is in it and not added leaves it.
    fn owned(&self, backends: &[Backend]) -> OwnedProfile {
        OwnedProfile {
            profile: self.profile.clone(),
            endpoint: self.endpoint.clone(),
            apps: backends.iter().map(|backend| (backend.id.clone(), backend.host.clone())).collect(),
            place: self.place.clone(),
        }
    }

    /// The front door of the replaced module is told of where it is still there: nobody moves it but its owner.
    fn report_classic(&self, compilation: &mut Compilation<'_>) {
        let Some(service) = &self.settings.service.publish.frontdoor else { return };
        let place = self.root.dotted(PUBLISH);
        for classic in classic_front_doors(service, &place, compilation) {
            let message = format!("{}{}", classic_sentence(&classic, service), classic_notice());
            compilation.warning(&place, message);
        }
    }
}

/// That classic front doors are retired, as the end of a sentence.
fn classic_notice() -> String {
    CLASSIC_FRONT_DOOR.retired.map_or(String::new(), |notice| format!("; {notice}"))
}

/// The classic front doors that are published under a name.
fn classic_front_doors(service: &str, place: &Place, compilation: &mut Compilation<'_>) -> Vec<ResourceId> {
    let found = compilation.find(Wanted::Type(CLASSIC_FRONT_DOOR.name)).published_as(service, place).known();
    found.into_iter().map(|found| found.id).collect()
}

fn classic_sentence(classic: &ResourceId, service: &str) -> String {
    format!(
        "the classic Front Door '{}' in resource group '{}' is also published as '{service}'; it is not changed",
        classic.name(),
        classic.resource_group().unwrap_or_default()
    )
}

/// The end of a sentence about a name that is not known.
fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map_or(String::new(), |near| format!(", did you mean '{near}'?"))
}

/// The things that are declared under names that settings use, ignoring letter case.
type ByName<T> = HashMap<String, T>;

/// The targets of a rule: requests for the front door's own host name, and for custom domains.
struct Targets {
    /// Requests for the front door's own host name.
    own: bool,
    /// Requests for these custom domains, as indexes.
    domains: Vec<usize>,
}

/// A route that was added, with the domains that it answers for.
struct Route {
    id: ResourceId,
    domains: Vec<usize>,
}
