//! The service locator: finds resources by the tag that carries their publish name. What a run needs is recorded by a
//! first compilation, read once, and handed to the second.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::compilation::Project;
use super::made_in_run::{Planned, location};
use super::needs::Needs;
use super::permissions;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, resource_type};
use crate::desired::{Desired, placeholder};
use crate::naming::same_location;
use crate::protocol::{FindingCode, nearest};
use crate::settings::{Finding, Place};

/// A resource that a setting names by its publish name.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Its id; that of a placeholder says so.
    pub id: ResourceId,
    /// Where it is, as Azure writes it; empty for a placeholder.
    pub location: String,
    /// It was not looked for, or not found under `-WhatIf`.
    pub placeholder: bool,
    /// The resource itself, where it was asked for and is there.
    pub details: Option<Value>,
    /// The names of what is below it, where they were asked for and read.
    pub children: Option<Vec<String>>,
    /// What is in it, where it is a resource group of which that was asked for and read.
    pub contents: Option<Vec<Content>>,
    /// Whether something in it is there, where it was asked for and read.
    pub part: Option<Part>,
    /// Whether the caller may do with it what was asked; taken for granted where nobody was.
    pub allowed: bool,
    /// Another document of the run makes it: what Azure decides of it is not known yet.
    pub is_new: bool,
}

/// A resource in a resource group.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// Its full type.
    pub resource_type: String,
    /// Where it is, as Azure writes it.
    pub location: String,
}

/// Whether something in a resource is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// It is there.
    There,
    /// It is not.
    Missing,
    /// The caller may not see it: what Azure says.
    Hidden(String),
}

impl Found {
    /// A resource that the run makes.
    fn planned(item: &Listed) -> Found {
        Found { location: item.location.clone(), placeholder: false, ..Found::placeholder(item.id.clone()) }
    }

    /// Stands for a resource that is not known.
    pub(crate) fn placeholder(id: ResourceId) -> Found {
        Found {
            id,
            location: String::new(),
            placeholder: true,
            details: None,
            children: None,
            contents: None,
            part: None,
            allowed: true,
            is_new: false,
        }
    }
}

/// One resource of the tag index, or of a listing by type.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    id: ResourceId,
    resource_type: String,
    location: String,
    /// The publish name; empty for one that is not published.
    service: String,
}

/// What a look-up can see.
#[derive(Debug, Default)]
pub enum Services {
    /// Nothing yet: every look-up is recorded and answered with a placeholder.
    #[default]
    NotRead,
    /// What the run needs was read, or is made by another document of the run.
    Known(Box<Index>),
}

/// What is known of a subscription.
#[derive(Debug, Default)]
pub struct Index {
    /// Whether it was read; else there is only what other documents of the run make, and everything else is answered with a placeholder.
    pub(crate) is_read: bool,
    /// What other documents of the run make.
    pub(crate) planned: Planned,
    /// What the addresses of storage accounts end in.
    pub(crate) storage_domain: Option<&'static str>,
    /// Everything that carries the tag.
    pub(crate) tagged: Vec<Listed>,
    /// Everything that carries the exception tag, with its value in place of the publish name.
    pub(crate) excepted: Vec<Listed>,
    /// The private DNS zones of the subscription, published or not.
    pub(crate) zones: Vec<Listed>,
    /// Resources of which more than the listing is needed.
    pub(crate) details: HashMap<ResourceId, Value>,
    /// The names of what is below a resource, by its id and the type of the children.
    pub(crate) children: HashMap<(ResourceId, &'static str), Vec<String>>,
    /// What is in a resource group.
    pub(crate) contents: HashMap<ResourceId, Vec<Content>>,
    /// Whether something in a resource is there, by its id.
    pub(crate) parts: HashMap<ResourceId, Part>,
    /// What the caller may do with a resource, as Azure lists it.
    pub(crate) permissions: HashMap<ResourceId, Vec<Value>>,
    /// Resources of the document's own, as they are before the run.
    pub(crate) own: HashMap<ResourceId, Value>,
    /// Whether a name that is not found is a warning and a placeholder, as under `-WhatIf`.
    pub(crate) placeholders: bool,
}

/// Which types a publish name may stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted<'a> {
    /// Just this one.
    Type(&'a str),
    /// All of a namespace, such as `Microsoft.Storage`.
    Namespace(&'a str),
    /// All.
    Any,
}

/// The outcome of a look-up.
pub(in crate::commands) enum Outcome {
    Found(Vec<Found>),
    /// Under `-WhatIf`: a placeholder, and a sentence to warn with.
    Missing(Box<Found>, String),
    Wrong(Box<Finding>),
}

impl Wanted<'_> {
    pub(crate) const GROUP: Wanted<'static> = Wanted::Type(RESOURCE_GROUP_TYPE);

    pub(super) fn fits(&self, found: &str) -> bool {
        match self {
            Wanted::Type(wanted) => wanted.eq_ignore_ascii_case(found),
            Wanted::Namespace(wanted) => {
                found.split('/').next().is_some_and(|namespace| namespace.eq_ignore_ascii_case(wanted))
            }
            // Groups are looked up among groups only.
            Wanted::Any => !found.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE),
        }
    }

    /// How sentences call one of what fits, and several.
    fn labels(&self) -> [String; 2] {
        let of = |whose: &str| [format!("resource of {whose}"), format!("resources of {whose}")];
        match self {
            Wanted::Type(wanted) => match resource_type(wanted) {
                Some(known) => [known.label.to_owned(), format!("{}s", known.label)],
                None => of(&format!("the type {wanted}")),
            },
            Wanted::Namespace(wanted) => of(wanted),
            Wanted::Any => ["resource".to_owned(), "resources".to_owned()],
        }
    }

    /// Stands for what is wanted under a publish name.
    pub(super) fn placeholder(&self, service: &str, subscription: &ResourceId) -> Found {
        let [label, _] = self.labels();
        let name = placeholder(&format!("{label} published as '{service}'"));
        let somewhere = || subscription.group(&unknown_group());
        let id = match self {
            Wanted::Type(wanted) if wanted.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) => subscription.group(&name),
            Wanted::Type(wanted) => somewhere().resource(wanted, &name),
            Wanted::Namespace(_) | Wanted::Any => somewhere().resource(&placeholder("its type"), &name),
        };
        Found::placeholder(id)
    }
}

impl Services {
    /// From now on what a document makes is found by the others. Of a subscription of which nothing was read, nothing else is.
    pub fn plan(&mut self, desired: &[Desired], project: &Project, needs: &Needs) {
        if let Services::NotRead = self {
            *self = Services::Known(Box::default());
        }
        if let Services::Known(index) = self {
            index.planned.add(desired, project, needs);
        }
    }

    /// Forgets what documents make.
    pub fn forget_planned(&mut self) {
        match self {
            Services::Known(index) if index.is_read => index.planned = Planned::default(),
            _ => *self = Services::NotRead,
        }
    }

    /// Whether the subscription was read.
    pub(in crate::commands) fn is_read(&self) -> bool {
        matches!(self, Services::Known(index) if index.is_read)
    }

    /// What the addresses of storage accounts end in; none where nobody was asked.
    pub(in crate::commands) fn storage_domain(&self) -> Option<&'static str> {
        self.index()?.storage_domain
    }

    fn index(&self) -> Option<&Index> {
        match self {
            Services::NotRead => None,
            Services::Known(index) => Some(index),
        }
    }

    /// Finds the resources with a publish name. Of several, where `single` is wanted, the one that `prefers` likes, then the
    /// one in `near`.
    pub(in crate::commands) fn find(&self, look_up: &LookUp<'_>, subscription: &ResourceId) -> Outcome {
        let LookUp { wanted, service, near, single, prefers, planned, place } = look_up;
        let unknown = || {
            let planned = planned.first().map(Found::planned);
            Outcome::Found(vec![planned.unwrap_or_else(|| wanted.placeholder(service, subscription))])
        };
        let Some(index) = self.index() else { return unknown() };
        let mut matching: Vec<&Listed> = index.matching(service, |kind| wanted.fits(kind));
        if matching.is_empty() && !index.is_read {
            return unknown();
        }
        // What the run makes counts as much as what is there.
        let is_new = |item: &&Listed| matching.iter().all(|known| known.id != item.id);
        let new: Vec<&Listed> = planned.iter().filter(is_new).collect();
        matching.extend(new);
        if *single {
            narrow(&mut matching, |item| prefers(&item.resource_type));
            if let Some(near) = near {
                narrow(&mut matching, |item| same_location(&item.location, near));
            }
        }
        let [label, labels] = wanted.labels();
        if matching.is_empty() {
            let all = index.tagged.iter().chain(&index.planned.tagged);
            let names = all.filter(|item| wanted.fits(&item.resource_type)).map(|item| item.service.as_str());
            let hint = nearest(service, names).map_or(String::new(), |near| format!(", did you mean '{near}'?"));
            let message = format!("no {label} in this subscription is published as '{service}'{hint}");
            if index.placeholders {
                return Outcome::Missing(Box::new(wanted.placeholder(service, subscription)), message);
            }
            return Outcome::Wrong(Box::new(Finding {
                place: (*place).clone(),
                code: FindingCode::ServiceNotFound,
                message,
            }));
        }
        if *single && matching.len() > 1 {
            let ids: BTreeSet<&str> = matching.iter().map(|item| item.id.as_str()).collect();
            let ids: Vec<&str> = ids.into_iter().collect();
            let message = format!("several {labels} are published as '{service}': {}", ids.join(", "));
            return Outcome::Wrong(Box::new(Finding {
                place: (*place).clone(),
                code: FindingCode::ServiceAmbiguous,
                message,
            }));
        }
        Outcome::Found(matching.into_iter().map(|item| index.found(item)).collect())
    }

    /// What is of a type and published under a name.
    pub(in crate::commands) fn published(&self, resource_type: &str, service: &str) -> Vec<ResourceId> {
        let Some(index) = self.index() else { return Vec::new() };
        let mut published = index.published(resource_type, service);
        let new: Vec<ResourceId> =
            index.planned.published(resource_type, service).filter(|id| !published.contains(id)).cloned().collect();
        published.extend(new);
        published
    }

    /// The resources whose exception tag has this value.
    pub(in crate::commands) fn excepted(&self, value: &str) -> Vec<Found> {
        let Some(index) = self.index() else { return Vec::new() };
        index.with_planned(&index.excepted, &index.planned.excepted, |item| item.service == value)
    }

    /// The names of what is below a resource; none when that was not read.
    pub(in crate::commands) fn children(&self, id: &ResourceId, children: &'static str) -> Option<Vec<String>> {
        let index = self.index()?;
        let read = index.children.get(&(id.clone(), children));
        // Where nothing is made below what another document makes, there is nothing.
        let nothing = Vec::new();
        let planned = index.planned.children(id, children).or_else(|| index.planned.has(id).then_some(&nothing));
        let (Some(names), more) = (read.or(planned), planned.into_iter().flatten()) else { return None };
        let mut names = names.clone();
        for name in more {
            if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name.clone());
            }
        }
        Some(names)
    }

    /// Whether something in a resource is there; none when that was not read.
    pub(in crate::commands) fn part(&self, id: &ResourceId) -> Option<Part> {
        self.index()?.parts.get(id).cloned()
    }

    /// Whether the caller may do something with a resource. Where nobody was asked it is taken that they may.
    pub(in crate::commands) fn may(&self, action: &str, id: &ResourceId) -> bool {
        let Some(index) = self.index() else { return true };
        // With what is not there yet the caller may do what they may do everywhere.
        let everywhere = || {
            let subscription = ResourceId::subscription(id.subscription_id().filter(|_| index.planned.has(id))?);
            index.permissions.get(&subscription)
        };
        let permissions = index.permissions.get(id).or_else(everywhere);
        permissions.is_none_or(|permissions| permissions::allow(permissions, action))
    }

    /// A resource of the document's own as it is before the run; none when it does not exist, or was not read.
    pub(in crate::commands) fn own(&self, id: &ResourceId) -> Option<&Value> {
        self.index()?.own.get(id)
    }

    /// The private DNS zones of a name, in whatever resource groups they are.
    pub(in crate::commands) fn zones(&self, name: &str) -> Vec<Found> {
        let Some(index) = self.index() else { return Vec::new() };
        index.with_planned(&index.zones, &index.planned.zones, |zone| zone.id.name().eq_ignore_ascii_case(name))
    }
}

/// The name of a resource group of which nothing is known.
pub(in crate::commands) fn unknown_group() -> String {
    placeholder("its resource group")
}

/// Keeps those that are liked, where there are any.
fn narrow(matching: &mut Vec<&Listed>, likes: impl Fn(&Listed) -> bool) {
    if matching.len() > 1 && matching.iter().any(|item| likes(item)) {
        matching.retain(|item| likes(item));
    }
}

/// What is looked for.
pub(in crate::commands) struct LookUp<'a> {
    pub(in crate::commands) wanted: Wanted<'a>,
    pub(in crate::commands) service: &'a str,
    /// The location of the one that depends on it.
    pub(in crate::commands) near: Option<&'a str>,
    /// One is needed; else all of the name are meant.
    pub(in crate::commands) single: bool,
    /// Types that are more likely to be meant than others.
    pub(in crate::commands) prefers: fn(&str) -> bool,
    /// What the document itself makes and publishes under the name.
    pub(in crate::commands) planned: Vec<Listed>,
    pub(in crate::commands) place: &'a Place,
}

impl Index {
    /// The ids of everything of a type that is published under a name.
    pub(crate) fn published(&self, resource_type: &str, service: &str) -> Vec<ResourceId> {
        let is_it = |item: &&Listed| item.service == service && item.resource_type.eq_ignore_ascii_case(resource_type);
        self.tagged.iter().filter(is_it).map(|item| item.id.clone()).collect()
    }

    /// What is published under a name when the run is over.
    fn matching(&self, service: &str, fits: impl Fn(&str) -> bool) -> Vec<&Listed> {
        let is_it = |item: &&Listed| item.service == service && fits(&item.resource_type);
        let mut matching: Vec<&Listed> =
            self.tagged.iter().filter(is_it).filter(|item| !self.planned.is_renamed(item)).collect();
        for item in self.planned.tagged.iter().filter(is_it) {
            if matching.iter().all(|known| known.id != item.id) {
                matching.push(item);
            }
        }
        matching
    }

    /// Those that are there and those that other documents of the run make, each once.
    fn with_planned(&self, read: &[Listed], planned: &[Listed], is_it: impl Fn(&Listed) -> bool) -> Vec<Found> {
        let mut found: Vec<&Listed> = Vec::new();
        for item in read.iter().chain(planned).filter(|item| is_it(item)) {
            if found.iter().all(|known| known.id != item.id) {
                found.push(item);
            }
        }
        found.into_iter().map(|item| self.found(item)).collect()
    }

    fn found(&self, item: &Listed) -> Found {
        let read = self.details.get(&item.id);
        let (details, is_new) = match self.planned.details(&item.id, read) {
            Some((details, is_new)) => (Some(details), is_new),
            None => (read.cloned(), false),
        };
        let contents = self.contents.get(&item.id).into_iter().chain(self.planned.contents(&item.id));
        let contents: Vec<&Vec<Content>> = contents.collect();
        Found {
            id: item.id.clone(),
            location: item.location.clone(),
            placeholder: false,
            details,
            children: None,
            contents: (!contents.is_empty()).then(|| contents.into_iter().flatten().cloned().collect()),
            part: None,
            allowed: true,
            is_new,
        }
    }
}

impl Content {
    pub(crate) fn read(item: &Value) -> Option<Content> {
        let text = |member: &str| item.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = ResourceId::new(item.get("id")?.as_str()?);
        Some(Content { resource_type: id.resource_type(), location: text("location") })
    }
}

impl Listed {
    /// A resource that the document makes and publishes.
    pub(in crate::commands) fn planned(resource: &Desired, service: &str) -> Listed {
        Listed {
            id: resource.id.clone(),
            resource_type: resource.resource_type.name.to_owned(),
            location: location(resource),
            service: service.to_owned(),
        }
    }

    pub(super) fn id(&self) -> &ResourceId {
        &self.id
    }

    pub(super) fn is_published_as(&self, service: &str) -> bool {
        self.service == service
    }

    pub(super) fn is(&self, kind: &str, service: &str) -> bool {
        self.service == service && self.resource_type.eq_ignore_ascii_case(kind)
    }

    /// An entry of a listing. Its id was looked at: it is one of a resource in the subscription.
    pub(crate) fn read(item: &Value) -> Option<Listed> {
        let id = ResourceId::checked(item.get("id")?.as_str()?)?;
        Some(Listed {
            resource_type: id.resource_type(),
            location: item.get("location").and_then(Value::as_str).unwrap_or_default().to_owned(),
            service: String::new(),
            id,
        })
    }

    pub(crate) fn tagged(item: &Value, tag_key: &str) -> Option<Listed> {
        // Tag names ignore case, tag values do not (Azure Resource Manager, "Use tags").
        let tags = item.get("tags")?.as_object()?;
        let (_, service) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key))?;
        Some(Listed { service: service.as_str()?.to_owned(), ..Listed::read(item)? })
    }
}
