//! Microsoft.Cdn/profiles/originGroups and their origins.

use super::cdn::{PREMIUM, ROUTE, bad, conflict, require_front_door};
use super::{Departure, Refusal, ResourceId, State, Write, property, text};
use crate::state::Resource;
use serde_json::json;

pub(super) fn check_group(write: &Write<'_>) -> Result<(), Refusal> {
    require_front_door(write)?;
    let Some(balancing) = property(write.body, "loadBalancingSettings").filter(|balancing| !balancing.is_null()) else {
        return Err(bad("Property 'Properties.LoadBalancingSettings' is required but it was not set.".to_owned()));
    };
    let number = |name: &str| balancing.get(name)?.as_u64();
    if number("successfulSamplesRequired").unwrap_or(3) > number("sampleSize").unwrap_or(4) {
        return Err(bad("successfulSamplesRequired is not to be more than sampleSize.".to_owned()));
    }
    match text(write.body, "properties/healthProbeSettings/probePath") {
        Some(path) if !path.starts_with('/') => Err(bad(format!("The probePath '{path}' does not begin with '/'."))),
        _ => Ok(()),
    }
}

pub(super) fn check_origin(write: &Write<'_>) -> Result<(), Refusal> {
    let profile = require_front_door(write)?;
    for name in ["hostName", "originHostHeader"] {
        let host = text(write.body, &format!("properties/{name}")).unwrap_or_default();
        let legal = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter);
        if !host.chars().all(legal) {
            return Err(bad(format!("The {name} '{host}' is neither a host name nor an IP address.")));
        }
    }
    let private = property(write.body, "sharedPrivateLinkResource").is_some_and(|link| !link.is_null());
    if private && text(&profile, "sku/name") != Some(PREMIUM) {
        return Err(bad(format!("Private link to origins is available for profiles of the sku {PREMIUM} only.")));
    }
    // A route needs an origin that is enabled.
    let disabled =
        text(write.body, "properties/enabledState").is_some_and(|state| state.eq_ignore_ascii_case("Disabled"));
    match disabled && is_last(write.state, write.id) && is_group_used(write.state, &write.id.parent(), |_| true) {
        true => Err(last_origin()),
        false => Ok(()),
    }
}

/// The keys of the enabled origins of a group.
fn origins(state: &State, group: &ResourceId) -> Vec<String> {
    let enabled = |resource: &Resource| property(&resource.body, "enabledState") == Some(&json!("Enabled"));
    let prefix = format!("{}/origins/", group.key());
    state.below(&prefix).filter(|(_, origin)| enabled(origin)).map(|(key, _)| key.to_owned()).collect()
}

/// True when a route can lead to a group.
pub(super) fn has_origin(state: &State, group: &ResourceId) -> bool {
    !origins(state, group).is_empty()
}

/// True when an origin is the only enabled one of its group.
fn is_last(state: &State, origin: &ResourceId) -> bool {
    origins(state, &origin.parent()) == [origin.key()]
}

fn is_group_used(state: &State, group: &ResourceId, counts: impl Fn(&str) -> bool) -> bool {
    state.referrers(&group.key()).any(|(key, user)| user.text("type") == ROUTE && counts(key))
}

fn last_origin() -> Refusal {
    conflict(
        "Cannot disable or delete the last origin when the origin group is still associated with a route or a rule. Please \
         disassociate the origin group and try again."
            .to_owned(),
    )
}

pub(super) fn check_origin_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let stays = |key: &str| !departure.takes_along(key);
    let group = departure.id.parent();
    if departure.is_direct() && is_last(departure.state, departure.id) && is_group_used(departure.state, &group, stays)
    {
        return Err(last_origin());
    }
    Ok(())
}
