//! Microsoft.Advisor. Source: azure-rest-api-specs 2025-01-01.

use super::action_groups::ACTION_GROUP;
use super::alert_rules::bad_request;
use super::{PROXY, Refusal, ResourceId, ResourceType, Write, done, fill, list, properties_mut, property, text};
use crate::state::Body;
use std::collections::BTreeSet;

pub(super) static TYPES: &[ResourceType] = &[ResourceType {
    name: "Microsoft.Advisor/configurations",
    create: done(200),
    check_name,
    check,
    complete,
    ..PROXY
}];

/// The members that configurations of resource groups do not have.
const OF_SUBSCRIPTIONS: &[&str] = &["lowCpuThreshold", "duration", "digests"];

/// There is one configuration of a subscription or group.
fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    if id.name().eq_ignore_ascii_case("default") {
        return Ok(());
    }
    Err(bad_request(format!("The configuration name '{}' is invalid. It is 'default'.", id.name())))
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    if write.id.group.is_some() {
        let given = |name: &&&str| property(write.body, name).is_some_and(|value| !value.is_null());
        return match OF_SUBSCRIPTIONS.iter().find(given) {
            Some(name) => Err(bad_request(format!("{name} is valid for subscriptions only."))),
            None => Ok(()),
        };
    }
    let mut names = BTreeSet::new();
    list(write.body, "digests").try_for_each(|digest| check_digest(write, digest, &mut names))
}

fn check_digest(write: &Write<'_>, digest: &Body, names: &mut BTreeSet<String>) -> Result<(), Refusal> {
    let name = text(digest, "name").unwrap_or_default();
    if !names.insert(name.to_lowercase()) {
        return Err(bad_request(format!("Two digests have the name '{name}'.")));
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
    if write.id.group.is_none() {
        fill(properties, "lowCpuThreshold", "5");
        fill(properties, "duration", "7");
    }
}
