//! The service locator: finds resources by the tag that carries their publish name. What a run needs is recorded by a
//! first compilation, read once, and handed to the second.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::compilation::{EnvironmentTag, RunFacts};
use super::found::{Content, Found, Listed, Part};
use super::made_in_run::Planned;
use super::needs::Needs;
use super::permissions;
use super::taken_away::TakenAway;
use super::wanted::Wanted;
use crate::azure::types::ResourceType;
use crate::azure::{ResourceId, is_being_deleted};
use crate::desired::Desired;
use crate::naming::same_location;
use crate::protocol::{FindingCode, first_of, nearest};
use crate::settings::{Finding, Place};

/// The resources that a look-up can see.
#[derive(Debug, Default)]
pub enum Services {
    /// Nothing yet: every look-up is recorded and answered with a placeholder.
    #[default]
    NotRead,
    /// The services that the run needs were read, or are made by another document of the run.
    Known(Box<Index>),
}

/// The index of a subscription.
#[derive(Debug, Default)]
pub struct Index {
    /// Whether it was read; else there is only what other documents of the run make, and everything else is answered with a placeholder.
    is_read: bool,
    /// The resources that other documents of the run make.
    pub(crate) planned: Planned,
    /// The names that documents of the run take away from what is there.
    taken_away: TakenAway,
    /// The resources that are published and being deleted.
    leaving: Vec<Listed>,
    /// The resources that are published in other environments, with these.
    elsewhere: Vec<(Listed, String)>,
    /// The locations of the resource groups that documents of the run have and that are there.
    pub(crate) group_locations: HashMap<ResourceId, String>,
    /// The ending of the addresses of storage accounts.
    storage_domain: Option<&'static str>,
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
    /// The contents of resource groups.
    pub(crate) contents: HashMap<ResourceId, Vec<Content>>,
    /// Whether something in a resource is there, by its id.
    pub(crate) parts: HashMap<ResourceId, Part>,
    /// The permissions of the caller for resources, as Azure lists them.
    pub(crate) permissions: HashMap<ResourceId, Vec<Value>>,
    /// Resources of the document's own, as they are before the run.
    pub(crate) own: HashMap<ResourceId, Value>,
    /// Whether a name that is not found is a warning and a placeholder, as under `-WhatIf`.
    placeholders: bool,
}

/// The outcome of a look-up.
pub(in crate::commands) enum Outcome {
    Found(Vec<Found>),
    /// Under `-WhatIf`: a placeholder, and a sentence to warn with.
    Missing(Box<Found>, String),
    Wrong(Box<Finding>),
}

impl Services {
    /// From now on what a document makes is found by the others. Of a subscription of which nothing was read, nothing else is.
    pub fn plan(&mut self, desired: &[Desired], run: &RunFacts, needs: &Needs) {
        if let Services::NotRead = self {
            *self = Services::Known(Box::default());
        }
        if let Services::Known(index) = self {
            let mut planned = std::mem::take(&mut index.planned);
            planned.add(desired, run, needs, index);
            index.planned = planned;
        }
    }

    /// Forgets what documents make, but not which names they take away: by those nothing is found from now on. Returns whether there are
    /// others than were known before.
    pub fn forget_planned<'a>(&mut self, made: impl Iterator<Item = &'a Desired>, run: &RunFacts) -> bool {
        match self {
            Services::Known(index) if index.is_read => {
                index.planned = Planned::default();
                let taken_away = TakenAway::by(made, run, &index.tagged, &index.excepted);
                let is_new = !taken_away.is_same(&index.taken_away);
                index.taken_away = taken_away;
                is_new
            }
            _ => {
                *self = Services::NotRead;
                false
            }
        }
    }

    /// Whether the subscription was read.
    pub(in crate::commands) fn is_read(&self) -> bool {
        matches!(self, Services::Known(index) if index.is_read)
    }

    /// The ending of the addresses of storage accounts; none where nobody was asked.
    pub(in crate::commands) fn storage_domain(&self) -> Option<&'static str> {
        self.index()?.storage_domain
    }

    /// Forgets how resources of these types are before the run, as if they were not there.
    pub fn forget_own(&mut self, resource_types: &[&ResourceType]) {
        if let Services::Known(index) = self {
            index
                .own
                .retain(|id, _| resource_types.iter().all(|kind| !kind.name.eq_ignore_ascii_case(&id.resource_type())));
        }
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
            narrow(&mut matching, |item| item.is_own);
            narrow(&mut matching, |item| prefers(&item.resource_type));
            if let Some(near) = near {
                narrow(&mut matching, |item| same_location(&item.location, near));
            }
        }
        let [label, labels] = wanted.labels();
        if matching.is_empty() {
            let taken_away = index.hint_of_taken_away(service, |kind| wanted.fits(kind));
            // What this run takes away is missed by the next one, and nobody makes it in between.
            let may_come = index.placeholders && taken_away.is_none();
            let leaving = || index.hint_of_leaving(service, |kind| wanted.fits(kind));
            let elsewhere = || index.hint_of_elsewhere(service, |kind| wanted.fits(kind));
            let hint = taken_away.or_else(leaving).or_else(elsewhere).unwrap_or_else(|| index.hint(service, *wanted));
            let message = format!("no {label} in this subscription is published as '{service}'{hint}");
            if may_come {
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
            let new = matching.iter().find(|item| !index.is_there(&item.id)).map_or(String::new(), |new| {
                let name = new.id.name();
                format!("; '{name}' is new: let a naming file in _names make the name of the other one, or delete that first")
            });
            let message = format!("several {labels} are published as '{service}': {}{new}", ids.join(", "));
            return Outcome::Wrong(Box::new(Finding {
                place: (*place).clone(),
                code: FindingCode::ServiceAmbiguous,
                message,
            }));
        }
        Outcome::Found(matching.into_iter().map(|item| index.found(item)).collect())
    }

    /// The resources of a type that are published under a name.
    pub(in crate::commands) fn published(&self, resource_type: &str, service: &str) -> Vec<ResourceId> {
        let Some(index) = self.index() else { return Vec::new() };
        let published = index.matching(service, |kind| kind.eq_ignore_ascii_case(resource_type));
        published.into_iter().map(|item| item.id.clone()).collect()
    }

    /// The publish name of a resource, and where it is; none where it has none.
    #[must_use]
    pub fn publish_name(&self, id: &ResourceId) -> Option<(&str, &str)> {
        let item = self.index()?.tagged.iter().find(|item| item.id == *id && !item.service.is_empty())?;
        Some((&item.service, &item.location))
    }

    /// The published resources of a type, with the publish names.
    pub fn published_of(&self, resource_type: &'static ResourceType) -> impl Iterator<Item = (&ResourceId, &str)> {
        let tagged = self.index().into_iter().flat_map(|index| &index.tagged);
        let of_type = tagged.filter(|item| !item.service.is_empty() && item.id.is_of_type(resource_type.name));
        of_type.map(|item| (&item.id, item.service.as_str()))
    }

    /// The exclusions that there can be: the values of the exception tag, and the publish names that are none of these, each with the names of
    /// its resources.
    pub(in crate::commands) fn exclusions(&self) -> Vec<(&str, Vec<&str>)> {
        let Some(index) = self.index() else { return Vec::new() };
        let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
        for (items, is_first) in [(&index.excepted, true), (&index.tagged, false)] {
            let known = all.len();
            for item in items.iter().filter(|item| !item.service.is_empty()) {
                match all.iter_mut().position(|(name, _)| *name == item.service) {
                    Some(place) if is_first || place >= known => all[place].1.push(item.id.name()),
                    Some(_) => {}
                    None => all.push((&item.service, vec![item.id.name()])),
                }
            }
        }
        all
    }

    /// The resources whose exception tag has this value.
    pub(in crate::commands) fn excepted(&self, value: &str) -> Vec<Found> {
        let Some(index) = self.index() else { return Vec::new() };
        let is_it = |item: &Listed| item.service == value && !index.taken_away.has_exception(item);
        index.with_planned(&index.excepted, &index.planned.excepted, is_it)
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

/// Keeps those that are liked, where there are any.
fn narrow(matching: &mut Vec<&Listed>, likes: impl Fn(&Listed) -> bool) {
    if matching.len() > 1 && matching.iter().any(|item| likes(item)) {
        matching.retain(|item| likes(item));
    }
}

/// The thing that is looked for.
pub(in crate::commands) struct LookUp<'a> {
    pub(in crate::commands) wanted: Wanted<'a>,
    pub(in crate::commands) service: &'a str,
    /// The location of the one that depends on it.
    pub(in crate::commands) near: Option<&'a str>,
    /// One is needed; else all of the name are meant.
    pub(in crate::commands) single: bool,
    /// Types that are more likely to be meant than others.
    pub(in crate::commands) prefers: fn(&str) -> bool,
    /// The resources that the document itself makes and publishes under the name.
    pub(in crate::commands) planned: Vec<Listed>,
    pub(in crate::commands) place: &'a Place,
}

impl Index {
    /// That of a subscription that is being read; `placeholders` answer what is not found, as under `-WhatIf`.
    pub(crate) fn read(storage_domain: &'static str, placeholders: bool) -> Index {
        Index { is_read: true, placeholders, storage_domain: Some(storage_domain), ..Index::default() }
    }

    /// Takes in what carries the tag, as far as it belongs to an environment of the run, or to none.
    pub(crate) fn see<'a>(
        &mut self,
        items: impl Iterator<Item = &'a Value>,
        tag_key: &str,
        environments: &[&EnvironmentTag],
    ) {
        for item in items {
            let Some(listed) = Listed::tagged(item, tag_key) else { continue };
            if let Some(other) = EnvironmentTag::other(environments, item) {
                self.elsewhere.push((listed, other.to_owned()));
                continue;
            }
            let is_own = environments.is_empty() || environments.iter().any(|tag| tag.of(item).is_some());
            self.tagged.push(Listed { is_own, ..listed });
        }
    }

    /// Takes out what is being deleted of these resources, with everything in it: to everybody who needs it, it is not there.
    pub(crate) fn take_leaving<'a>(&mut self, bodies: impl IntoIterator<Item = &'a Value>) {
        let leaving = bodies.into_iter().filter(|body| is_being_deleted(body));
        let gone: Vec<ResourceId> = leaving.filter_map(|body| ResourceId::checked(body.get("id")?.as_str()?)).collect();
        if gone.is_empty() {
            return;
        }
        let is_gone = |item: &mut Listed| gone.iter().any(|gone| item.id == *gone || item.id.is_within(gone));
        self.leaving.extend(self.tagged.extract_if(.., is_gone));
        self.excepted.extract_if(.., is_gone).for_each(drop);
        self.zones.extract_if(.., is_gone).for_each(drop);
    }

    /// The ids of everything of a type that is published under a name.
    pub(crate) fn published(&self, resource_type: &str, service: &str) -> Vec<ResourceId> {
        let is_it = |item: &&Listed| item.service == service && item.resource_type.eq_ignore_ascii_case(resource_type);
        self.tagged.iter().filter(is_it).map(|item| item.id.clone()).collect()
    }

    /// The resources that are published under a name when the run is over.
    fn matching(&self, service: &str, fits: impl Fn(&str) -> bool) -> Vec<&Listed> {
        let is_it = |item: &&Listed| item.service == service && fits(&item.resource_type);
        let mut matching: Vec<&Listed> =
            self.tagged.iter().filter(is_it).filter(|item| self.taken_away.service(item).is_none()).collect();
        for item in self.planned.tagged.iter().filter(is_it) {
            if matching.iter().all(|known| known.id != item.id) {
                matching.push(item);
            }
        }
        matching
    }

    /// The end of the sentence that nothing has a publish name, where a document of the run takes it away.
    fn hint_of_taken_away(&self, service: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        let is_it = |item: &&Listed| item.service == service && fits(&item.resource_type);
        let mut renamed =
            self.tagged.iter().filter(is_it).filter_map(|item| Some((item, self.taken_away.service(item)?)));
        let (item, tag) = renamed.next()?;
        let (name, place) = (item.id.name(), tag.place.show());
        Some(format!(" when the run is over: '{name}' becomes '{}' ({place})", tag.value))
    }

    /// The same where what is published under the name is being deleted.
    fn hint_of_leaving(&self, service: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        let item = self.leaving.iter().find(|item| item.service == service && fits(&item.resource_type))?;
        Some(format!(", because '{}' is being deleted", item.id.name()))
    }

    /// The same where only another environment has one.
    fn hint_of_elsewhere(&self, service: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        let is_it = |(item, _): &&(Listed, String)| item.service == service && fits(&item.resource_type);
        let (item, environment) = self.elsewhere.iter().find(is_it)?;
        Some(format!(" in this environment; '{}' is of the environment '{environment}'", item.id.name()))
    }

    /// The same with a publish name that is much like it, else with those that there are of its type.
    fn hint(&self, service: &str, wanted: Wanted<'_>) -> String {
        let there = self.tagged.iter().filter(|item| self.taken_away.service(item).is_none());
        let fitting = there.chain(&self.planned.tagged).filter(|item| wanted.fits(&item.resource_type));
        let names: BTreeSet<&str> = fitting.map(|item| item.service.as_str()).filter(|name| !name.is_empty()).collect();
        match nearest(service, names.iter().copied()) {
            Some(near) => format!(", did you mean '{near}'?"),
            // Whatever is published says nothing about what is meant.
            None if names.is_empty() || matches!(wanted, Wanted::Any) => String::new(),
            None => {
                let names: Vec<String> = names.into_iter().map(|name| format!("'{name}'")).collect();
                let ones = if names.len() == 1 { "only published one is" } else { "published ones are" };
                format!("; the {ones} {}", first_of(&names, ", "))
            }
        }
    }

    /// Whether something is there, as far as the listings say.
    pub(super) fn is_there(&self, id: &ResourceId) -> bool {
        self.tagged.iter().chain(&self.excepted).chain(&self.zones).any(|item| item.id == *id)
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
