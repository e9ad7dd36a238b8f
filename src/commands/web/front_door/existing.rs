//! An existing front door: backends are attached to its origin groups, nothing else of it is touched.

use super::{PUBLISH, classic_front_doors, classic_notice, hint, pools};
use crate::azure::types::{CDN_PROFILE, CLASSIC_FRONT_DOOR, ORIGIN_GROUP, classic_tier};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::wanted::Wanted;
use crate::commands::web::Backend;
use crate::commands::web::settings::WebSettings;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// Adds the backends to the pools of the front door that is published under the name of the document.
pub(super) fn attach(settings: &WebSettings, root: &Place, backends: &[Backend], compilation: &mut Compilation<'_>) {
    let with_pool: Vec<(&Backend, &String)> =
        backends.iter().filter_map(|backend| Some((backend, backend.routing.pool.as_ref()?))).collect();
    let Some(service) = settings.service.publish.frontdoor.as_ref().filter(|_| !with_pool.is_empty()) else { return };
    let place = &root.dotted(PUBLISH);
    if only_classic(service, place, compilation) {
        return;
    }
    let wanted = compilation.find(Wanted::Type(CDN_PROFILE.name)).published_as(service, place);
    let door = wanted.whole().with_children(&ORIGIN_GROUP).one();
    if let Some(tier) = door.details.as_ref().and_then(classic_tier) {
        let message = format!("'{}' is not a front door but a classic CDN profile of the tier {tier}", door.id.name());
        return compilation.finding(place.clone(), FindingCode::ClassicProfile, message);
    }
    for (backend, pool) in with_pool {
        let group = match &door.children {
            // Nobody knows what pools there are; the plan shows what is asked for.
            None => pool.as_str(),
            Some(groups) => match groups.iter().find(|group| group.eq_ignore_ascii_case(pool)) {
                Some(group) => group,
                None => {
                    let message = format!(
                        "the front door '{}' has no origin group '{pool}'; it has {}{}",
                        door.id.name(),
                        if groups.is_empty() { "none".to_owned() } else { groups.join(", ") },
                        hint(pool, groups.iter().map(String::as_str))
                    );
                    compilation.finding(backend.place.dotted("backendpool"), FindingCode::PoolNotFound, message);
                    continue;
                }
            },
        };
        pools::add_origin(backend, &ORIGIN_GROUP.child_of(&door.id, group), compilation);
    }
}

/// A finding when the name is that of a classic front door and of no other: nothing can be attached to it.
fn only_classic(service: &str, place: &Place, compilation: &mut Compilation<'_>) -> bool {
    let classic = classic_front_doors(service, place, compilation);
    let front_doors = compilation.find(Wanted::Type(CDN_PROFILE.name)).published_as(service, place).known();
    let Some(classic) = classic.first().filter(|_| front_doors.is_empty()) else { return false };
    let message = format!(
        "the resource published as '{service}' is the {} '{}', but backends can only be attached to Azure Front Door Standard or Premium{}",
        CLASSIC_FRONT_DOOR.label,
        classic.name(),
        classic_notice()
    );
    compilation.finding(place.clone(), FindingCode::ClassicProfile, message);
    true
}
