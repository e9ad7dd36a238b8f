//! What a command compiler works with: names, look-ups, and the lists it fills. No I/O.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::find::Find;
use super::lookup::{Listed, Needs, Services, Wanted};
use super::tag_settings::LONGEST_VALUE as LONGEST_TAG_VALUE;
use crate::azure::types::{ACTIVITY_LOG_ALERT, METRIC_ALERT, SCHEDULED_QUERY_RULE, SOLUTION};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::desired::{Desired, OwnedProfile, Tag, Tags};
use crate::naming::{Convention, Location, NameContext, NameError, NameRequest, same_location};
use crate::protocol::{FindingCode, Kept};
use crate::settings::{Finding, Place};

/// What is known of a run beside its settings.
#[derive(Debug)]
pub struct Project {
    /// How names are made.
    pub convention: Convention,
    /// What names are made of beside the settings.
    pub name_context: NameContext,
    /// The subscription.
    pub subscription: ResourceId,
    /// The tag that carries publish names.
    pub service_tag_key: String,
    /// The tag whose value excludes a resource from log alerts.
    pub exception_tag_key: String,
    /// The tags of the tag settings; empty with `-OmitTags`.
    pub tags: Tags,
}

impl Project {
    /// Takes the subscription that the run is connected to. Returns whether names change with it.
    pub fn enter(&mut self, subscription_id: &str) -> bool {
        self.subscription = ResourceId::subscription(subscription_id);
        let known = self.name_context.subscription_id.replace(subscription_id.to_owned());
        self.convention.uses_subscription_id() && known.as_deref() != Some(subscription_id)
    }
}

/// A resource group that ends up holding exactly the rules of the document.
#[derive(Debug, Clone)]
pub struct CompleteMode {
    /// The group.
    pub group: ResourceId,
    /// The type of the rules: those that the document does not have are deleted.
    pub rules: &'static ResourceType,
    /// The setting that names the group.
    pub place: Place,
}

/// A publish name and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    /// The name.
    pub name: String,
    /// The setting.
    pub place: Place,
}

impl Published {
    /// The name of the item, else that of the whole document. Both are given with the places of their objects, and
    /// `setting` is relative to these: `service.publish.storage`.
    #[must_use]
    pub(crate) fn first(
        setting: &str,
        item: (Option<&String>, &Place),
        root: (Option<&String>, &Place),
    ) -> Option<Published> {
        [item, root]
            .into_iter()
            .find_map(|(name, place)| Some(Published { name: name?.clone(), place: place.dotted(setting) }))
    }
}

/// What helps where two resources have one generated name.
#[derive(Debug, Clone, Default)]
pub(crate) struct WayOut {
    /// What to shorten, where the name was cut: "the name of the group, 'x'".
    pub shorten: String,
    /// What to do where they are called alike: "set name".
    pub rename: String,
}

fn given_key(resource_type: &ResourceType, generated: &str) -> String {
    format!("{}/{generated}", resource_type.name)
}

/// What a compilation has come to.
pub(crate) struct Compilation<'a> {
    pub(super) project: &'a Project,
    pub(super) services: &'a Services,
    pub(super) needs: Needs,
    desired: Vec<Desired>,
    warnings: Vec<String>,
    kept: Vec<Kept>,
    pub(super) findings: Vec<Finding>,
    names: HashMap<String, Place>,
    /// What generated names were made of. One name that is made of several was cut.
    given: HashMap<String, HashSet<String>>,
    warned: HashSet<String>,
    /// Resources that are here a second time.
    repeated: HashSet<ResourceId>,
    complete: Option<CompleteMode>,
    owned: Option<OwnedProfile>,
}

/// The outcome of a compilation.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The resources, in the order of the settings.
    pub desired: Vec<Desired>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What the settings want otherwise and what stays as it is.
    pub kept: Vec<Kept>,
    /// What is wrong with the settings, or with what they refer to.
    pub findings: Vec<Finding>,
    /// Which look-ups were made.
    pub needs: Needs,
    /// The group that is to hold nothing else.
    pub complete: Option<CompleteMode>,
    /// The front door that is to hold nothing else of the document's own.
    pub owned: Option<OwnedProfile>,
}

impl<'a> Compilation<'a> {
    /// An empty compilation.
    #[must_use]
    pub(crate) fn new(project: &'a Project, services: &'a Services) -> Compilation<'a> {
        Compilation {
            project,
            services,
            needs: Needs::default(),
            desired: Vec::new(),
            warnings: Vec::new(),
            kept: Vec::new(),
            findings: Vec::new(),
            names: HashMap::new(),
            given: HashMap::new(),
            warned: HashSet::new(),
            repeated: HashSet::new(),
            complete: None,
            owned: None,
        }
    }

    /// Ends the compilation.
    #[must_use]
    pub(crate) fn finish(mut self) -> Compiled {
        self.warn_of_namesakes();
        Compiled {
            desired: self.desired,
            warnings: self.warnings,
            kept: self.kept,
            findings: self.findings,
            needs: self.needs,
            complete: self.complete,
            owned: self.owned,
        }
    }

    /// Warns of publish names that something else of the type carries already: who depends on one would find several.
    fn warn_of_namesakes(&mut self) {
        let own: HashSet<&ResourceId> = self.desired.iter().map(|resource| &resource.id).collect();
        let is_surplus = |id: &ResourceId| {
            // A rule that the document no longer has is deleted by the same run.
            let complete = self.complete.as_ref().filter(|complete| id.is_within(&complete.group));
            complete.is_some_and(|complete| id.resource_type().eq_ignore_ascii_case(complete.rules.name))
        };
        let mut warnings = Vec::new();
        for resource in &self.desired {
            let known = resource.resource_type;
            let Some(tag) = self.service_tag_of(resource) else { continue };
            // Nothing depends on these.
            if [&SOLUTION, &ACTIVITY_LOG_ALERT, &METRIC_ALERT, &SCHEDULED_QUERY_RULE]
                .iter()
                .any(|other| other.name == known.name)
            {
                continue;
            }
            *if known.name == RESOURCE_GROUP_TYPE { &mut self.needs.groups } else { &mut self.needs.resources } = true;
            let mut others = self.services.published(known.name, &tag.value);
            others.retain(|id| !own.contains(id) && !is_surplus(id));
            others.sort();
            if let [first, more @ ..] = others.as_slice() {
                let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
                let message = format!(
                    "the publish name '{}' is already used by the {} '{first}'{more}; a dependency on it finds several",
                    tag.value, known.label
                );
                warnings.push((tag.place.clone(), message));
            }
        }
        for (place, message) in warnings {
            self.warning(&place, message);
        }
    }

    /// The tag with the publish name of a resource.
    fn service_tag_of<'b>(&self, resource: &'b Desired) -> Option<&'b Tag> {
        let key = &self.project.service_tag_key;
        resource.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, tag)| tag)
    }

    /// What this compilation has added of a type and publishes under a name.
    pub(super) fn planned_as(&self, resource_type: &str, service: &str) -> Vec<Listed> {
        let is_it = |resource: &&Desired| {
            resource.resource_type.name.eq_ignore_ascii_case(resource_type)
                && self.service_tag_of(resource).is_some_and(|tag| tag.value == service)
        };
        self.desired.iter().filter(is_it).map(|resource| Listed::planned(resource, service)).collect()
    }

    /// The subscription.
    #[must_use]
    pub(crate) fn subscription(&self) -> &ResourceId {
        &self.project.subscription
    }

    /// Notes that something is wrong at a place.
    pub(crate) fn finding(&mut self, place: Place, code: FindingCode, message: impl Into<String>) {
        self.findings.push(Finding { place, code, message: message.into() });
    }

    /// The same, once, however many items of the settings come across it.
    pub(crate) fn finding_once(&mut self, place: Place, code: FindingCode, message: String) {
        let is_it = |known: &Finding| known.message == message && known.place.path() == place.path();
        if !self.findings.iter().any(is_it) {
            self.finding(place, code, message);
        }
    }

    /// Warns of something at a place; once, however many items of the settings come across it.
    pub(crate) fn warning(&mut self, place: &Place, message: impl AsRef<str>) {
        let message = format!("{}: {}: {}", place.show(), place.path(), message.as_ref());
        if self.warned.insert(message.clone()) {
            self.warnings.push(message);
        }
    }

    /// Notes something that exists, that the settings want otherwise, and that stays as it is; once, like a warning. The reason of `kept` is a
    /// fragment, which gets its place here.
    pub(crate) fn kept(&mut self, place: &Place, kept: Kept) {
        let reason = format!("{}: {}: {}", place.show(), place.path(), kept.reason);
        if self.warned.insert(reason.clone()) {
            self.kept.push(Kept { reason, ..kept });
        }
    }

    /// A location as Azure writes it (`uksouth`); a finding when it is not known.
    pub(crate) fn location(&mut self, text: &str, place: Place) -> String {
        self.known_location(text, place).map_or_else(|| text.to_owned(), |location| location.name().to_owned())
    }

    /// The location of a text in any spelling; a finding when it is not known.
    pub(crate) fn known_location(&mut self, text: &str, place: Place) -> Option<&'static Location> {
        Location::find(text)
            .map_err(|unknown| self.finding(place, FindingCode::UnknownLocation, unknown.to_string()))
            .ok()
    }

    /// The generated name of a resource; a finding when none can be made or Azure would refuse it.
    pub(crate) fn name(&mut self, resource_type: &ResourceType, request: &NameRequest<'_>, place: &Place) -> String {
        match self.generated(request, |character| resource_type.takes_in_names(character), place) {
            Some(generated) => {
                self.check_name(resource_type, &generated, place);
                let given = self.given.entry(given_key(resource_type, &generated)).or_default();
                given.insert(request.name.to_lowercase());
                generated
            }
            None => request.name.to_lowercase(),
        }
    }

    /// The ids in a group that a resource would have in other locations, as far as its name depends on that.
    pub(crate) fn ids_elsewhere(
        &self,
        resource_type: &ResourceType,
        request: &NameRequest<'_>,
        group: &ResourceId,
    ) -> Vec<ResourceId> {
        let name = |location: Option<&str>| {
            let request = NameRequest { location, ..*request };
            let takes = |character| resource_type.takes_in_names(character);
            self.project.convention.generate(&request, &self.project.name_context, takes).ok()
        };
        let own = name(request.location);
        let others = Location::all().filter_map(|location| name(Some(location.name())));
        let mut ids: Vec<ResourceId> = others
            .filter(|other| Some(other) != own.as_ref())
            .map(|name| resource_type.child_of(group, &name))
            .collect();
        ids.dedup();
        ids
    }

    /// The generated name of a part of a resource, such as a receiver; a finding when none can be made.
    pub(crate) fn part_name(&mut self, request: &NameRequest<'_>, place: &Place) -> String {
        self.generated(request, |_| true, place).unwrap_or_else(|| request.name.to_lowercase())
    }

    /// A name of the convention, of the characters that are taken; none, with a finding, when it cannot be made.
    fn generated(&mut self, request: &NameRequest<'_>, takes: impl Fn(char) -> bool, place: &Place) -> Option<String> {
        match self.project.convention.generate(request, &self.project.name_context, takes) {
            Ok(generated) => Some(generated),
            // A location that is not known is a finding of its own, where it is written.
            Err(NameError::UnknownLocation(_)) => None,
            Err(error) => {
                self.finding(place.clone(), FindingCode::NameCannotBeGenerated, error.to_string());
                None
            }
        }
    }

    /// A finding when Azure would refuse the name.
    pub(crate) fn check_name(&mut self, resource_type: &ResourceType, name: &str, place: &Place) {
        if let Err(broken) = resource_type.check_name(name) {
            self.finding(place.clone(), FindingCode::NameRefused, broken.to_string());
        }
    }

    /// Looks for resources of a publish name; see [`Find`].
    pub(crate) fn find<'b>(&'b mut self, wanted: Wanted<'b>) -> Find<'b, 'a> {
        Find::new(self, wanted)
    }

    /// A resource of the document's own as it is before the run; none when it does not exist, or nobody can be asked. Only for
    /// what decides by how it is which resources are wanted: the plan compares everything else.
    pub(crate) fn before(&mut self, resource_type: &'static ResourceType, id: &ResourceId) -> Option<&'a Value> {
        if let Some(path) = id.as_str().strip_prefix(self.project.subscription.as_str()) {
            self.needs.own.insert((resource_type.name, path.to_owned()));
        }
        self.services.own(id)
    }

    /// Whether what exists could be looked at; else look-ups answer with placeholders.
    #[must_use]
    pub(crate) fn is_connected(&self) -> bool {
        matches!(self.services, Services::Read(_))
    }

    /// From now on the group is to hold nothing but the rules that are added.
    pub(crate) fn complete(&mut self, complete: CompleteMode) {
        self.complete = Some(complete);
    }

    /// From now on what is in the front door and not added leaves it.
    pub(crate) fn own(&mut self, owned: OwnedProfile) {
        self.owned = Some(owned);
    }

    /// The tag with the publish name, when there is one.
    #[must_use]
    pub(crate) fn service_tag(&self, publish: Option<&Published>) -> Tags {
        publish
            .map(|publish| {
                (
                    self.project.service_tag_key.clone(),
                    Tag { value: publish.name.clone(), place: publish.place.clone() },
                )
            })
            .into_iter()
            .collect()
    }

    /// The tags of the tag settings, with the publish name over them.
    #[must_use]
    pub(crate) fn tags(&self, publish: Option<&Published>) -> Tags {
        let mut tags = self.project.tags.clone();
        let service_tag = self.service_tag(publish);
        tags.retain(|key, _| !service_tag.keys().any(|other| other.eq_ignore_ascii_case(key)));
        tags.extend(service_tag);
        tags
    }

    /// Adds a resource; a finding when there is one of its name already, or its tags are more than its type takes.
    pub(crate) fn add(&mut self, resource: Desired) {
        self.add_named(resource, &WayOut::default());
    }

    /// The same, with what helps where two have one name.
    pub(crate) fn add_named(&mut self, resource: Desired, way_out: &WayOut) {
        let known = resource.resource_type;
        let key = if known.worldwide_name {
            format!("{}/{}", known.name, resource.id.name())
        } else {
            resource.id.to_string()
        };
        let first = self.names.insert(key.to_ascii_lowercase(), resource.place.clone());
        // What is in a resource that is here twice is here twice for that reason.
        let in_repeated = || {
            std::iter::successors(resource.id.parent(), ResourceId::parent)
                .any(|parent| self.repeated.contains(&parent))
        };
        if let Some(first) = first.filter(|_| !in_repeated()) {
            self.repeated.insert(resource.id.clone());
            let message = format!(
                "duplicate {} '{}', first used by {} ({}){}",
                resource.resource_type.label,
                resource.id.name(),
                first.path(),
                first.show(),
                self.advice(&resource, way_out)
            );
            self.finding(resource.place.clone(), FindingCode::DuplicateName, message);
        }
        self.check_tags(&resource);
        self.check_group_location(&resource);
        self.desired.push(resource);
    }

    /// What to do about a name that two resources have: the end of the finding about the second.
    fn advice(&self, resource: &Desired, way_out: &WayOut) -> String {
        let given = self.given.get(&given_key(resource.resource_type, resource.id.name()));
        let is_cut = given.is_some_and(|given| given.len() > 1);
        match (is_cut, way_out.shorten.as_str(), way_out.rename.as_str()) {
            (true, "", "") => "; they differ only in what is cut off".to_owned(),
            (false, _, "") => String::new(),
            (false, _, rename) | (true, "", rename) => format!("; {rename}"),
            (true, shorten, _) => format!("; they differ only in what is cut off: shorten {shorten}"),
        }
    }

    /// A finding when a resource group would have no region: what is in it may be global, the group itself is somewhere.
    fn check_group_location(&mut self, resource: &Desired) {
        let location = resource.body.get("location").and_then(Value::as_str);
        if resource.resource_type.name == RESOURCE_GROUP_TYPE
            && location.is_some_and(|text| same_location(text, "Global"))
        {
            let message = "a resource group cannot be in Global; use a region, such as uksouth";
            self.finding(resource.origin("location"), FindingCode::ValueRefused, message);
        }
    }

    /// The id of a resource of a type and name that this compilation has added already.
    #[must_use]
    pub(crate) fn planned(&self, resource_type: &'static ResourceType, name: &str) -> Option<ResourceId> {
        let is_it = |known: &&Desired| {
            known.resource_type.name == resource_type.name && known.id.name().eq_ignore_ascii_case(name)
        };
        self.desired.iter().find(is_it).map(|known| known.id.clone())
    }

    /// What this compilation has added under an id.
    #[must_use]
    pub(crate) fn added(&self, id: &ResourceId) -> Option<&Desired> {
        self.desired.iter().find(|known| known.id == *id)
    }

    /// Adds a resource that several settings may ask for, once. What one of them deploys is not just looked at.
    pub(crate) fn add_once(&mut self, resource: Desired) {
        match self.desired.iter_mut().find(|known| known.id == resource.id) {
            Some(known) if known.watch.is_some() => *known = resource,
            Some(_) => {}
            None => self.add(resource),
        }
    }

    fn check_tags(&mut self, resource: &Desired) {
        if let Some(tag) = self.service_tag_of(resource) {
            let length = tag.value.chars().count();
            let place = tag.place.show();
            let is_told = |finding: &Finding| finding.code == FindingCode::TagsRefused && finding.place.show() == place;
            if length > LONGEST_TAG_VALUE && !self.findings.iter().any(is_told) {
                let message = format!(
                    "the publish name has {length} characters; it is the value of a tag, which can have at most {LONGEST_TAG_VALUE}"
                );
                self.finding(tag.place.clone(), FindingCode::TagsRefused, message);
            }
        }
        let mut keys: Vec<&String> = resource.creation_tags.keys().chain(resource.tags.keys()).collect();
        keys.sort();
        keys.dedup();
        let Some(limits) = resource.resource_type.tags else { return };
        let label = resource.resource_type.label;
        let mut problems = Vec::new();
        if keys.len() > limits.count {
            problems.push(format!("{} tags are too many; a {label} takes at most {}", keys.len(), limits.count));
        }
        for key in keys.iter().filter(|key| key.chars().count() > limits.key_length) {
            problems.push(format!(
                "the tag key '{key}' is too long; a {label} takes at most {} characters",
                limits.key_length
            ));
        }
        for problem in problems {
            self.finding(resource.place.clone(), FindingCode::TagsRefused, problem);
        }
    }
}
