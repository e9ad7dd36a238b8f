//! Microsoft.Advisor. Source: azure-rest-api-specs 2025-01-01.

use super::action_groups::ACTION_GROUP;
use super::alert_rules::bad_request;
use super::shape;
use super::{
    PROXY, Refusal, ResourceId, ResourceType, Write, done, fill, known_value, list, properties_mut, property, text,
};
use crate::state::Body;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) static TYPES: &[ResourceType] = &[ResourceType {
    name: "Microsoft.Advisor/configurations",
    create: done(200),
    check_name,
    check,
    complete,
    ..PROXY
}];

/// Texts of numbers; the first is the default.
const VALUES: &[(&str, &[&str])] =
    &[("lowCpuThreshold", &["5", "10", "15", "20"]), ("duration", &["7", "14", "21", "30", "60", "90"])];
/// What resource groups have not.
const OF_SUBSCRIPTIONS: &[&str] = &["lowCpuThreshold", "duration", "digests"];
const STATES: &[&str] = &["Active", "Disabled"];
/// How often a digest comes, in days.
const DIGEST_FREQUENCIES: std::ops::RangeInclusive<u64> = 7..=30;

/// There is one configuration of a subscription or group.
fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    if id.name().eq_ignore_ascii_case("default") {
        return Ok(());
    }
    Err(bad_request(format!("The configuration name '{}' is invalid. It is 'default'.", id.name())))
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    shape::check_properties(write.body, "Microsoft.Advisor/configurations")?;
    if write.id.group.is_some() {
        let given = |name: &&&str| property(write.body, name).is_some_and(|value| !value.is_null());
        return match OF_SUBSCRIPTIONS.iter().find(given) {
            Some(name) => Err(bad_request(format!("{name} is valid for subscriptions only."))),
            None => Ok(()),
        };
    }
    for (name, values) in VALUES {
        if let Some(value) = text(write.body, &format!("properties/{name}"))
            && !values.contains(&value)
        {
            return Err(bad_request(format!("The {name} '{value}' is not one of {}.", values.join(", "))));
        }
    }
    let mut names = BTreeSet::new();
    list(write.body, "digests").try_for_each(|digest| check_digest(write, digest, &mut names))
}

fn check_digest(write: &Write<'_>, digest: &Body, names: &mut BTreeSet<String>) -> Result<(), Refusal> {
    let name = text(digest, "name").unwrap_or_default();
    if !names.insert(name.to_lowercase()) {
        return Err(bad_request(format!("Two digests have the name '{name}'.")));
    }
    if let Some(days) = digest.get("frequency").and_then(Value::as_u64)
        && !DIGEST_FREQUENCIES.contains(&days)
    {
        return Err(bad_request(format!("The digest '{name}' cannot come every {days} days.")));
    }
    if let Some(state) = text(digest, "state")
        && known_value(STATES, state).is_none()
    {
        return Err(bad_request(format!("The state '{state}' of the digest '{name}' is unknown.")));
    }
    let group = text(digest, "actionGroupResourceId");
    let there = |group: &str| {
        let id = ResourceId::parse(group).filter(|id| id.type_name().eq_ignore_ascii_case(ACTION_GROUP));
        id.is_some_and(|id| write.state.get(&id.key()).is_some())
    };
    match group.filter(|group| !there(group)) {
        Some(group) => Err(bad_request(format!("The action group '{group}' of the digest '{name}' does not exist."))),
        None => Ok(()),
    }
}

fn complete(write: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "exclude", false);
    if write.id.group.is_none() {
        for (name, values) in VALUES {
            fill(properties, name, values[0]);
        }
    }
}
