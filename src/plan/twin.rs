//! The resources that would be created beside one that is the same but for its name: somebody has renamed it, and Azure renames nothing.

use std::collections::HashSet;

use serde_json::Value;

use super::found::Siblings;
use super::{Plan, compare, sentences};
use crate::azure::ResourceId;
use crate::desired::{Desired, World};
use crate::protocol::{ActionKind, Warning};

/// A warning for each resource that the plan would create although one of its type and group has everything that is wanted of it, but for the
/// name and the publish name, and is not in the documents. Of those in `told` that is said already, and in groups that are `completed` it goes away.
#[must_use]
pub fn twins(
    desired: &[Desired],
    plan: &Plan,
    world: &World,
    tag_key: &str,
    told: &HashSet<&ResourceId>,
    completed: &[&ResourceId],
) -> Vec<Warning> {
    let ids: HashSet<&ResourceId> = desired.iter().map(|wanted| &wanted.id).collect();
    let created: HashSet<&ResourceId> =
        plan.changes.iter().filter(|change| change.kind == ActionKind::Create).map(|change| &change.id).collect();
    let own: HashSet<&ResourceId> =
        desired.iter().filter(|wanted| wanted.watch.is_none()).map(|wanted| &wanted.id).collect();
    let siblings = Siblings::in_world(world);
    // In a group of others there is what others have made, and a rule that the document no longer has is deleted.
    let is_own = |group: &ResourceId| !completed.contains(&group) && own.contains(group);
    let is_created = |resource: &&Desired| {
        resource.resource_type.tags.is_some()
            && !resource.keep_existing
            && !told.contains(&resource.id)
            && resource.id.group_id().is_some_and(|group| is_own(&group))
            && created.contains(&resource.id)
    };
    let warning = |resource: &Desired| {
        let label = resource.resource_type.label;
        let (twin, _) =
            siblings.of(resource).find(|(id, body)| !ids.contains(id) && is_same(resource, body, tag_key))?;
        Some(resource.place.remark(format_args!(
            "the {} would be created beside the {label} '{}', which has everything that is wanted of it but the name. If it was renamed, let a \
             naming file in _names keep the name, or delete the old one.",
            sentences::full_name(&resource.id, label),
            twin.name()
        )))
    };
    desired.iter().filter(is_created).filter_map(warning).collect()
}

/// Whether something that exists is as wanted, but for what it is called.
fn is_same(wanted: &Desired, existing: &Value, tag_key: &str) -> bool {
    let tags = existing.get("tags").and_then(Value::as_object);
    let has_tag = |key: &str, value: &str| {
        let found = tags.and_then(|tags| tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)));
        found.is_some_and(|(_, found)| found.as_str() == Some(value))
    };
    let is_published = tags.is_some_and(|tags| tags.keys().any(|key| key.eq_ignore_ascii_case(tag_key)));
    let mut others = wanted.tags.iter().filter(|(key, _)| !key.eq_ignore_ascii_case(tag_key));
    // What is not published was made by others.
    is_published
        && others.all(|(key, tag)| has_tag(key, &tag.value))
        && compare::differences(wanted.resource_type, &wanted.body, existing).is_empty()
}
