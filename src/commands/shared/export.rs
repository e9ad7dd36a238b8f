//! The material that a settings document is written of: what exists, and what stands for it in a document. The command itself judges the result: a
//! run plans the written document, and takes out what would change anything.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::lookup::Services;
use crate::azure::{ResourceId, ResourceType};
use crate::desired::body;
use crate::naming::{Architecture, Location, NameRequest, ResourceKind, normalise_location};
use crate::settings::{Written, WrittenKey, left_out};

use super::compilation::Project;

/// The export of a command: how its document is written of what exists.
#[derive(Debug, Clone, Copy)]
pub struct Export {
    /// The types that are read of the resource group.
    pub reads: &'static [Reading],
    /// The resources that are read besides, each with its type, once what is there is known: of what Azure lists, any name stands for all. It is asked
    /// again with what was read, until it wants nothing new.
    pub further: fn(&Estate<'_>) -> Vec<(ResourceId, &'static ResourceType)>,
    /// Writes the document.
    pub write: fn(&Estate<'_>) -> Exported,
}

/// A type that is read of a resource group.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// The type.
    pub resource_type: &'static ResourceType,
    /// The types that are read below one of them, which is given as Azure describes it; none where nothing is.
    pub below: Option<fn(&Value) -> Vec<&'static ResourceType>>,
    /// Whether there is a document of it alone; without anything of such a type there is none.
    pub is_subject: bool,
}

impl Reading {
    /// A type of which there are documents.
    pub(in crate::commands) const fn of(resource_type: &'static ResourceType) -> Reading {
        Reading { resource_type, below: None, is_subject: true }
    }

    /// The same with what is below each.
    pub(in crate::commands) const fn with(self, below: fn(&Value) -> Vec<&'static ResourceType>) -> Reading {
        Reading { below: Some(below), ..self }
    }

    /// A type that is only read besides.
    pub(in crate::commands) const fn besides(self) -> Reading {
        Reading { is_subject: false, ..self }
    }
}

impl Export {
    /// The types of which there are documents.
    pub fn subjects(&self) -> impl Iterator<Item = &'static ResourceType> {
        self.reads.iter().filter(|reading| reading.is_subject).map(|reading| reading.resource_type)
    }
}

/// A resource that exists, with what is below it.
#[derive(Debug, Clone)]
pub struct There {
    /// Its id.
    pub id: ResourceId,
    /// As Azure describes it.
    pub body: Value,
    /// The resources below it, by the type.
    pub below: Vec<(&'static str, Vec<Value>)>,
}

/// The existing resources of which a document is written.
#[derive(Debug)]
pub struct Estate<'a> {
    /// The resource group.
    pub group: &'a There,
    /// Its content, and what was read besides.
    pub there: Vec<There>,
    /// The project: how names are made, and the keys of tags.
    pub project: &'a Project,
    /// The folders whose files count for the document, the nearest first.
    pub folders: &'a [PathBuf],
    /// The published resources of the subscription.
    pub services: &'a Services,
    /// The resources that the document cannot have, each with the reason that its command has found.
    pub left_out: Vec<(ResourceId, String)>,
    /// The resources whose publish names the document lacks, as far as it was written.
    pub unpublished: RefCell<BTreeSet<ResourceId>>,
}

/// A document of what exists.
#[derive(Debug, Clone, Default)]
pub struct Exported {
    /// Its keys.
    pub keys: Vec<WrittenKey>,
    /// The notes of what it does not say, a sentence or more each.
    pub notes: Vec<String>,
    /// The paths of what is left out as a whole where something of it is wrong: without a part of it, it would be another one.
    pub wholes: Vec<(String, ResourceId)>,
}

impl There {
    /// Its location, as Azure writes it; empty where it has none.
    pub(in crate::commands) fn location(&self) -> &str {
        self.body.get("location").and_then(Value::as_str).unwrap_or_default()
    }

    /// The bodies of what is below it of a type.
    pub(in crate::commands) fn items(&self, resource_type: &ResourceType) -> &[Value] {
        let of_type = self.below.iter().find(|(name, _)| *name == resource_type.name);
        of_type.map_or(&[], |(_, items)| items.as_slice())
    }

    /// The value at a path of its body, in the words of the settings; none where there is none.
    pub(in crate::commands) fn said(&self, path: &str) -> Option<Value> {
        said(&self.body, path)
    }
}

impl<'a> Estate<'a> {
    /// Why the document cannot have a resource, where its command has found that.
    ///
    /// # Errors
    /// The reason.
    pub(in crate::commands) fn check(&self, there: &There) -> Result<(), String> {
        let found = self.left_out.iter().find(|(id, _)| *id == there.id);
        found.map_or(Ok(()), |(_, why)| Err(why.clone()))
    }

    /// The resources of a type.
    pub(in crate::commands) fn of_type(&self, resource_type: &'static ResourceType) -> impl Iterator<Item = &There> {
        self.there.iter().filter(|there| there.id.is_of_type(resource_type.name))
    }

    /// The name that is generated of one in the settings.
    pub(in crate::commands) fn generate(
        &self,
        resource_type: &ResourceType,
        name: &str,
        made: (ResourceKind, Architecture, Option<&str>),
    ) -> Option<String> {
        let (kind, architecture, location) = made;
        let request = NameRequest::new(kind, name, architecture, location);
        let takes = |character| resource_type.takes_in_names(character);
        self.project.convention.generate(&request, &self.project.name_context, takes).ok()
    }

    /// The resources of a type right below a resource.
    pub(in crate::commands) fn children<'t>(
        &'t self,
        of: &'t There,
        resource_type: &'static ResourceType,
    ) -> impl Iterator<Item = &'t Value> {
        let below = self.of_type(resource_type).filter(|there| there.id.parent().as_ref() == Some(&of.id));
        of.items(resource_type).iter().chain(below.map(|there| &there.body))
    }

    /// The resource in the group with the name that is generated of one in the settings.
    pub(in crate::commands) fn generated(
        &self,
        resource_type: &'static ResourceType,
        name: &str,
        made: (ResourceKind, Architecture, Option<&str>),
    ) -> Option<&There> {
        let name = self.generate(resource_type, name, made)?;
        self.of_type(resource_type).find(|there| there.id.name().eq_ignore_ascii_case(&name))
    }

    /// The name in the settings of which the name of a resource is generated; none where the convention does not generate it.
    pub(in crate::commands) fn name_behind(
        &self,
        name: &str,
        resource_type: &ResourceType,
        made: (ResourceKind, Architecture, Option<&str>),
    ) -> Option<String> {
        let (kind, architecture, location) = made;
        let request = NameRequest::new(kind, "", architecture, location.filter(|text| !text.is_empty()));
        let takes = |character| resource_type.takes_in_names(character);
        self.project.convention.behind(name, &request, &self.project.name_context, takes)
    }

    /// The same of what is global, where only the name says which region the settings have, and that region.
    pub(in crate::commands) fn name_and_region_behind(
        &self,
        name: &str,
        resource_type: &ResourceType,
        kind: ResourceKind,
        likely: &str,
    ) -> Option<(String, String)> {
        // To take a name back takes long, so that of a region is tried only where its code is in it.
        let has_code = |region: &&str| {
            let code = self.project.convention.location_code(region);
            code.is_ok_and(|code| name.to_lowercase().contains(&code.to_lowercase()))
        };
        let others = Location::all().map(|location| location.name()).filter(has_code);
        let mut regions = std::iter::once(likely).chain(others);
        regions.find_map(|region| {
            let behind = self.name_behind(name, resource_type, (kind, Architecture::Paas, Some(region)))?;
            Some((behind, normalise_location(region)))
        })
    }

    /// The publish name of something in the group, as its own tags have it.
    pub(in crate::commands) fn published<'t>(&self, there: &'t There) -> Option<&'t str> {
        let tags = there.body.get("tags")?.as_object()?;
        let (_, name) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(&self.project.run.service_tag_key))?;
        name.as_str().filter(|name| !name.is_empty())
    }

    /// The publish name of something anywhere in the subscription.
    pub(in crate::commands) fn publish_name(&self, id: &ResourceId) -> Option<&'a str> {
        self.published_at(id).map(|(name, _)| name)
    }

    /// The publish name of something anywhere in the subscription, and where it is.
    pub(in crate::commands) fn published_at(&self, id: &ResourceId) -> Option<(&'a str, &'a str)> {
        self.services.publish_name(id)
    }

    /// The names that exclusions of log alerts can have, each with the machines that it excludes.
    pub(in crate::commands) fn exclusions(&self) -> Vec<(&'a str, Vec<&'a str>)> {
        self.services.exclusions()
    }

    /// The publish name of what something depends on. All that one thing depends on is asked for before any of it ends the writing of that, so
    /// that everything that lacks a name is noted together.
    ///
    /// # Errors
    /// Why it cannot be said; `what` is what it is to the thing.
    pub(in crate::commands) fn needed_name(&self, what: &str, id: &ResourceId) -> Result<&'a str, String> {
        self.publish_name(id).ok_or_else(|| self.not_published(what, id))
    }

    /// Why something that has no publish name cannot be said, and what helps. It is noted as lacking one.
    pub(in crate::commands) fn not_published(&self, what: &str, id: &ResourceId) -> String {
        self.unpublished.borrow_mut().insert(id.clone());
        let (tag, name) = (&self.project.run.service_tag_key, id.name());
        format!("{what} '{name}' has no publish name; export again with -Tag, or give it the tag {tag} before")
    }
}

impl Exported {
    /// Notes that the document does not have a resource.
    pub(in crate::commands) fn leave_out(&mut self, resource_type: &ResourceType, there: &There, why: &str) {
        self.notes.push(format!("The {} '{}' is left out: {why}.", resource_type.label, there.id.name()));
    }
}

/// Why a name cannot be said.
pub const NOT_GENERATED: &str = "the naming convention does not generate its name";

/// The names in a `service` of the settings.
#[derive(Debug, Clone, Default)]
pub(in crate::commands) struct Names {
    pub(in crate::commands) dependencies: Vec<WrittenKey>,
    pub(in crate::commands) publish: Vec<WrittenKey>,
}

impl Names {
    /// These names and others.
    pub(in crate::commands) fn and(mut self, others: Names) -> Names {
        self.dependencies.extend(others.dependencies);
        self.publish.extend(others.publish);
        self
    }

    /// An item with these names.
    pub(in crate::commands) fn item(self, keys: impl IntoIterator<Item = WrittenKey>) -> Written {
        Written::Object(keys.into_iter().chain(self.key()).collect())
    }

    /// The key `service`; none where there are no names.
    pub(in crate::commands) fn key(self) -> Option<WrittenKey> {
        // Without what it depends on a resource would be another one, so only publish names can be left out.
        let needed = |key: WrittenKey| WrittenKey { is_required: true, ..key };
        let has_needs = !self.dependencies.is_empty();
        let parts = [object("dependencies", self.dependencies).map(needed), object("publish", self.publish)];
        let service = object("service", parts.into_iter().flatten().collect())?;
        Some(WrittenKey { is_required: has_needs, ..service })
    }
}

/// Takes the names that all of several items have out of them, as far as they may stand `at_root`: there a document says them once.
pub(in crate::commands) fn said_once<'n>(items: impl Iterator<Item = &'n mut Names>, at_root: &[&str]) -> Names {
    let (mut items, mut once) = (items.collect::<Vec<_>>(), Names::default());
    let parts: [fn(&mut Names) -> &mut Vec<WrittenKey>; 2] = [|of| &mut of.dependencies, |of| &mut of.publish];
    for part in parts {
        let [first, _, ..] = items.as_mut_slice() else { break };
        for key in part(first).clone().into_iter().filter(|key| at_root.contains(&key.key.as_str())) {
            if items.iter_mut().all(|names| part(names).contains(&key)) {
                items.iter_mut().for_each(|names| part(names).retain(|other| *other != key));
                part(&mut once).push(key);
            }
        }
    }
    once
}

/// A key with a text, a number or a switch.
pub(in crate::commands) fn plain(key: &str, value: impl Into<Value>) -> WrittenKey {
    WrittenKey::new(key, Written::Plain(value.into()))
}

/// The same of a key without which its object means nothing.
pub(in crate::commands) fn required(key: &str, value: impl Into<Value>) -> WrittenKey {
    WrittenKey { is_required: true, ..plain(key, value) }
}

/// A key with an object; none where that is empty.
pub(in crate::commands) fn object(key: &str, keys: Vec<WrittenKey>) -> Option<WrittenKey> {
    (!keys.is_empty()).then(|| WrittenKey::new(key, Written::Object(keys)))
}

/// A key with a list; none where that is empty.
pub(in crate::commands) fn list(key: &str, items: Vec<Written>) -> Option<WrittenKey> {
    (!items.is_empty()).then(|| WrittenKey::new(key, Written::List(items)))
}

/// A key of which a comment says why it does not count: the value is that of what exists.
pub(in crate::commands) fn off(key: WrittenKey, why: &str) -> WrittenKey {
    WrittenKey { is_off: true, comment: left_out(why), ..key }
}

/// The comment above an item of a list: sentences, a line each.
pub(in crate::commands) fn told(mut keys: Vec<WrittenKey>, sentences: Vec<String>) -> Vec<WrittenKey> {
    if let Some(first) = keys.iter_mut().find(|key| !key.is_off) {
        first.comment = sentences.join("\n");
    }
    keys
}

/// The value at a path of a body; none where there is none.
pub(in crate::commands) fn said(body: &Value, path: &str) -> Option<Value> {
    body::at(body, path).filter(|value| !value.is_null()).cloned()
}

/// The id at a path of a body.
pub(in crate::commands) fn id_at(body: &Value, path: &str) -> Option<ResourceId> {
    ResourceId::checked(said(body, path)?.as_str()?)
}

/// The last segment of the id of a body; that of a child has nothing but its name there.
pub(in crate::commands) fn name_of(body: &Value) -> &str {
    body.get("name").and_then(Value::as_str).map_or("", |name| name.rsplit('/').next().unwrap_or(name))
}
