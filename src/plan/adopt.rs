//! Resources that exist already under another name.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::found::Siblings;
use super::reference;
use crate::azure::ResourceId;
use crate::desired::{Desired, Existing, World, body};

/// Gives what is wanted the id of what exists and is the same under another name, as the type says: an origin that leads to the same
/// host already. What is wanted under its own name is nobody else.
#[must_use]
pub fn adopt(mut desired: Vec<Desired>, world: &World) -> Vec<Desired> {
    let World::Known(existing) = world else { return desired };
    let mut claimed: HashSet<ResourceId> = desired.iter().map(|resource| resource.id.clone()).collect();
    let mut renamed: HashMap<ResourceId, ResourceId> = HashMap::new();
    let siblings = Siblings::in_world(world);
    for resource in &desired {
        if let Some(same) = same(resource, existing, (world, &siblings), &claimed) {
            claimed.insert(same.clone());
            renamed.insert(resource.id.clone(), same);
        }
    }
    if renamed.is_empty() {
        return desired;
    }
    for resource in &mut desired {
        let references = resource.references.iter_mut().chain(&mut resource.creation_references);
        let ids = references.map(|reference| &mut reference.of).chain(&mut resource.depends_on);
        for id in ids.chain(std::iter::once(&mut resource.id)) {
            if let Some(new) = renamed.get(id) {
                *id = new.clone();
            }
        }
        rename_in(&mut resource.body, &renamed);
        rename_in(&mut resource.creation_body, &renamed);
    }
    desired
}

/// The id under which a resource exists that is not there under its own.
fn same(
    resource: &Desired,
    existing: &Existing,
    (world, siblings): (&World, &Siblings<'_>),
    claimed: &HashSet<ResourceId>,
) -> Option<ResourceId> {
    let path = resource.resource_type.known_by.filter(|_| !existing.contains_key(&resource.id))?;
    let (resolved, _) = reference::resolve(resource, None, world);
    let wanted = body::at(&resolved.body, path)?.as_str()?;
    let is_it = |body: &Value| {
        body::at(body, path).and_then(Value::as_str).is_some_and(|other| other.eq_ignore_ascii_case(wanted))
    };
    let mut others = siblings.of(resource);
    others.find(|(id, body)| !claimed.contains(id) && is_it(body)).map(|(id, _)| id.clone())
}

/// Puts the new ids in the place of the old ones.
fn rename_in(value: &mut Value, renamed: &HashMap<ResourceId, ResourceId>) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| rename_in(member, renamed)),
        Value::Array(items) => items.iter_mut().for_each(|item| rename_in(item, renamed)),
        Value::String(text) if text.starts_with('/') => {
            if let Some(new) = renamed.get(&ResourceId::new(text.as_str())) {
                *text = new.to_string();
            }
        }
        _ => {}
    }
}
