//! The resources that other documents of the run make: look-ups find them as if they were there.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::compilation::RunFacts;
use super::found::{Content, Listed};
use super::lookup::Index;
use super::needs::Needs;
use crate::azure::types::PRIVATE_DNS_ZONE;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::desired::{Desired, Tag, body, has_placeholder};

/// The resources that other documents of the run make.
#[derive(Debug, Default)]
pub(crate) struct Planned {
    /// Everything that is published, with the name under which it is.
    pub(super) tagged: Vec<Listed>,
    /// Everything with the exception tag, with its value in place of the publish name.
    pub(super) excepted: Vec<Listed>,
    /// The private DNS zones.
    pub(super) zones: Vec<Listed>,
    /// The resources that are needed whole.
    bodies: HashMap<ResourceId, Body>,
    /// The names of what is below a resource, by its id and the type of the children.
    children: HashMap<(ResourceId, &'static str), Vec<String>>,
    /// The contents of resource groups.
    contents: HashMap<ResourceId, Vec<Content>>,
    /// Each that is published.
    services: HashSet<ResourceId>,
}

/// A resource as its document wants it.
#[derive(Debug)]
struct Body {
    resource_type: &'static ResourceType,
    /// The body that holds whether it exists or not.
    body: Value,
    /// The body that holds only where this run creates it.
    creation_body: Value,
}

/// The tag of a key that a resource has when it is made.
fn tag<'a>(resource: &'a Desired, key: &str) -> Option<&'a Tag> {
    let tags = resource.tags.iter().chain(&resource.creation_tags);
    tags.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, tag)| tag)
}

/// Whether the run makes a resource, or at least keeps it right.
pub(super) fn is_made(resource: &Desired) -> bool {
    resource.watch.is_none() && !resource.never_made
}

/// The tag of a key that a resource has when the run is over, though it be there before with another one.
pub(super) fn lasting_tag<'a>(resource: &'a Desired, key: &str) -> Option<&'a Tag> {
    let mut tags = resource.tags.iter().filter(|_| !resource.keep_existing);
    tags.find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, tag)| tag)
}

/// The resources that a document makes and publishes: the type, the publish name, and the tag.
pub(crate) fn published<'a>(desired: &'a [Desired], tag_key: &'a str) -> impl Iterator<Item = (&'a Desired, &'a Tag)> {
    desired
        .iter()
        .filter(|resource| is_made(resource))
        .filter_map(move |resource| Some((resource, tag(resource, tag_key)?)))
}

impl Planned {
    /// Adds what a document makes, of which the index says what is there. Of what nobody needs whole there is no more than a line.
    pub(crate) fn add(&mut self, desired: &[Desired], run: &RunFacts, needs: &Needs, index: &Index) {
        let RunFacts { service_tag_key: service_key, exception_tag_key: exception_key, .. } = run;
        // What is there does not get the tags that only new resources get.
        let tag = |resource, key| {
            lasting_tag(resource, key).or_else(|| tag(resource, key).filter(|_| !index.is_there(&resource.id)))
        };
        for resource in desired.iter().filter(|resource| is_made(resource)) {
            let known = resource.resource_type;
            if let Some(service) = tag(resource, service_key) {
                let location = index.group_locations.get(&resource.id).cloned();
                let item = Listed::planned(resource, &service.value);
                self.tagged.push(Listed { location: location.unwrap_or(item.location), ..item });
                self.services.insert(resource.id.clone());
                if needs.details.contains(&(known.name.to_owned(), service.value.clone())) {
                    let (body, creation_body) = (resource.body.clone(), resource.creation_body.clone());
                    self.bodies.insert(resource.id.clone(), Body { resource_type: known, body, creation_body });
                }
            }
            if let Some(value) = tag(resource, exception_key) {
                self.excepted.push(Listed::planned(resource, &value.value));
            }
            if known.name == PRIVATE_DNS_ZONE.name {
                self.zones.push(Listed::planned(resource, ""));
            }
            if let Some(parent) = resource.id.parent().filter(|_| needs.has_children(known.name)) {
                self.children.entry((parent, known.name)).or_default().push(resource.id.name().to_owned());
            }
            if !needs.contents.is_empty() && known.name != RESOURCE_GROUP_TYPE && !has_placeholder(&resource.id) {
                let content = Content { resource_type: known.name.to_owned(), location: location(resource) };
                self.contents.extend_group(&resource.id, content);
            }
        }
    }

    /// A resource as it will be, of which `existing` was read, and whether the run makes it; none where no document has it.
    pub(super) fn details(&self, id: &ResourceId, existing: Option<&Value>) -> Option<(Value, bool)> {
        let Body { resource_type, body: wanted, creation_body } = self.bodies.get(id)?;
        let mut whole = existing.cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if existing.is_none() && !creation_body.is_null() {
            body::overlay(resource_type, &mut whole, creation_body);
        }
        body::overlay(resource_type, &mut whole, wanted);
        Some((whole, existing.is_none()))
    }

    /// Whether a document makes it, and publishes it.
    pub(super) fn has(&self, id: &ResourceId) -> bool {
        self.services.contains(id)
    }

    /// The names of what is made below a resource.
    pub(super) fn children(&self, id: &ResourceId, children: &'static str) -> Option<&Vec<String>> {
        self.children.get(&(id.clone(), children))
    }

    /// The contents that are put into a resource group.
    pub(super) fn contents(&self, group: &ResourceId) -> Option<&Vec<Content>> {
        self.contents.get(group)
    }

    /// The same, as far as the ids are known.
    pub(crate) fn ids<'a>(&'a self, kind: &'a str, service: &'a str) -> impl Iterator<Item = &'a ResourceId> {
        self.published(kind, service).filter(|id| !has_placeholder(id))
    }

    /// The ids of what is of a type and published under a name.
    pub(super) fn published<'a>(&'a self, kind: &'a str, service: &'a str) -> impl Iterator<Item = &'a ResourceId> {
        self.tagged.iter().filter(move |item| item.is(kind, service)).map(Listed::id)
    }
}

/// Groups by the resource group of an id.
trait ByGroup {
    fn extend_group(&mut self, id: &ResourceId, content: Content);
}

impl ByGroup for HashMap<ResourceId, Vec<Content>> {
    fn extend_group(&mut self, id: &ResourceId, content: Content) {
        if let Some(group) = id.group_id() {
            self.entry(group).or_default().push(content);
        }
    }
}

/// The location of a resource when it is made; empty where that is not said.
pub(super) fn location(resource: &Desired) -> String {
    let of = |body: &Value| body.get("location").and_then(Value::as_str).map(str::to_owned);
    of(&resource.body).or_else(|| of(&resource.creation_body)).unwrap_or_default()
}
