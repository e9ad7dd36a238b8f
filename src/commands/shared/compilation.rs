//! What a command compiler works with: names, look-ups, and the lists it fills. No I/O.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::lookup::{Found, LookUp, Needs, Outcome, Services, Wanted};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::desired::{Desired, Tag, Tags};
use crate::naming::{Convention, Location, NameContext, NameError, NameRequest, check_name};
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

/// Types whose names are worldwide: two of one name cannot be even in different resource groups.
const WORLDWIDE: &[&str] =
    &["Microsoft.Storage/storageAccounts", "Microsoft.Web/sites", "Microsoft.ApiManagement/service"];

/// What a compilation has come to.
pub(crate) struct Compilation<'a> {
    project: &'a Project,
    services: &'a Services,
    needs: Needs,
    desired: Vec<Desired>,
    warnings: Vec<String>,
    findings: Vec<Finding>,
    names: HashMap<String, Place>,
    warned: HashSet<String>,
    /// Resources that are here a second time.
    repeated: HashSet<ResourceId>,
    complete: Option<CompleteMode>,
}

/// The outcome of a compilation.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The resources, in the order of the settings.
    pub desired: Vec<Desired>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What is wrong with the settings, or with what they refer to.
    pub findings: Vec<Finding>,
    /// Which look-ups were made.
    pub needs: Needs,
    /// The group that is to hold nothing else.
    pub complete: Option<CompleteMode>,
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
            findings: Vec::new(),
            names: HashMap::new(),
            warned: HashSet::new(),
            repeated: HashSet::new(),
            complete: None,
        }
    }

    /// Ends the compilation.
    #[must_use]
    pub(crate) fn finish(self) -> Compiled {
        Compiled {
            desired: self.desired,
            warnings: self.warnings,
            findings: self.findings,
            needs: self.needs,
            complete: self.complete,
        }
    }

    /// The subscription.
    #[must_use]
    pub(crate) fn subscription(&self) -> &ResourceId {
        &self.project.subscription
    }

    /// Notes that something is wrong at a place.
    pub(crate) fn finding(&mut self, place: Place, code: &'static str, message: impl Into<String>) {
        self.findings.push(Finding { place, code, message: message.into() });
    }

    /// Warns of something at a place; once, however many items of the settings come across it.
    pub(crate) fn warning(&mut self, place: &Place, message: impl AsRef<str>) {
        let message = format!("{}: {}: {}", place.show(), place.path(), message.as_ref());
        if self.warned.insert(message.clone()) {
            self.warnings.push(message);
        }
    }

    /// A location as Azure writes it (`uksouth`); a finding when it is not known.
    pub(crate) fn location(&mut self, text: &str, place: Place) -> String {
        self.known_location(text, place).map_or_else(|| text.to_owned(), |location| location.name().to_owned())
    }

    /// The location of a text in any spelling; a finding when it is not known.
    pub(crate) fn known_location(&mut self, text: &str, place: Place) -> Option<&'static Location> {
        Location::find(text).map_err(|unknown| self.finding(place, "UnknownLocation", unknown.to_string())).ok()
    }

    /// The generated name of a resource; a finding when none can be made or Azure would refuse it.
    pub(crate) fn name(&mut self, request: &NameRequest<'_>, place: &Place) -> String {
        match self.project.convention.generate(request, &self.project.name_context) {
            Ok(generated) => {
                if let Some(arm_type) = request.arm_type {
                    self.check_name(arm_type, &generated, place);
                }
                generated
            }
            // A location that is not known is a finding of its own, where it is written.
            Err(NameError::UnknownLocation(_)) => request.name.to_lowercase(),
            Err(error) => {
                self.finding(place.clone(), "NameCannotBeGenerated", error.to_string());
                request.name.to_lowercase()
            }
        }
    }

    /// A finding when Azure would refuse the name.
    pub(crate) fn check_name(&mut self, arm_type: &str, name: &str, place: &Place) {
        if let Err(broken) = check_name(arm_type, name) {
            self.finding(place.clone(), "NameRefused", broken.to_string());
        }
    }

    /// The resource group that is published under a name.
    pub(crate) fn dependency_group(&mut self, service: &str, place: &Place) -> Found {
        self.dependency(Wanted::Type(RESOURCE_GROUP_TYPE), service, None, place)
    }

    /// The one resource that is published under a name; of several the one in `near`.
    pub(crate) fn dependency(&mut self, wanted: Wanted<'_>, service: &str, near: Option<&str>, place: &Place) -> Found {
        self.preferred_dependency(wanted, service, near, |_| true, place)
    }

    /// The same; of several the one whose type is preferred, then the one in `near`.
    pub(crate) fn preferred_dependency(
        &mut self,
        wanted: Wanted<'_>,
        service: &str,
        near: Option<&str>,
        prefers: fn(&str) -> bool,
        place: &Place,
    ) -> Found {
        let found = self.told(&LookUp { wanted, service, near, single: true, prefers, place }).into_iter().next();
        found.unwrap_or_else(|| Found {
            id: self.project.subscription.group(service),
            location: String::new(),
            placeholder: true,
            details: None,
        })
    }

    /// The same, with the resource itself in `details`.
    pub(crate) fn whole_dependency(
        &mut self,
        resource_type: &'static str,
        service: &str,
        near: Option<&str>,
        place: &Place,
    ) -> Found {
        self.needs.details.insert((resource_type.to_owned(), service.to_owned()));
        self.dependency(Wanted::Type(resource_type), service, near, place)
    }

    /// The same, with the names of what is below it of a type; none of them where it was not read.
    pub(crate) fn dependency_with_children(
        &mut self,
        resource_type: &'static str,
        service: &str,
        children: &'static ResourceType,
        place: &Place,
    ) -> (Found, Option<&'a [String]>) {
        self.needs.children.insert((resource_type.to_owned(), service.to_owned(), children.name));
        let found = self.whole_dependency(resource_type, service, None, place);
        let names = self.services.children(&found.id, children.name);
        (found, names)
    }

    /// The same, and whether the caller may do something with it.
    pub(crate) fn dependency_and_right(
        &mut self,
        resource_type: &'static str,
        service: &str,
        near: Option<&str>,
        action: &str,
        place: &Place,
    ) -> (Found, bool) {
        self.needs.permissions.insert((resource_type.to_owned(), service.to_owned()));
        let found = self.whole_dependency(resource_type, service, near, place);
        let may = found.placeholder || self.services.may(action, &found.id);
        (found, may)
    }

    /// A resource of the document's own as it is before the run; none when it does not exist, or nobody can be asked. Only for
    /// what decides by how it is which resources are wanted: the plan compares everything else.
    pub(crate) fn before(&mut self, resource_type: &'static ResourceType, id: &ResourceId) -> Option<&'a Value> {
        if let Some(path) = id.as_str().strip_prefix(self.project.subscription.as_str()) {
            self.needs.own.insert((resource_type.name, path.to_owned()));
        }
        self.services.own(id)
    }

    /// The same, without a word when it is not found: somebody else asks for it, too.
    pub(crate) fn quiet_dependency(
        &mut self,
        wanted: Wanted<'_>,
        service: &str,
        near: Option<&str>,
        place: &Place,
    ) -> Option<Found> {
        let look_up = LookUp { wanted, service, near, single: true, prefers: |_| true, place };
        self.untold(&look_up).into_iter().next()
    }

    /// Every resource that is published under a name.
    pub(crate) fn dependencies(&mut self, wanted: Wanted<'_>, service: &str, place: &Place) -> Vec<Found> {
        self.told(&LookUp { wanted, service, near: None, single: false, prefers: |_| true, place })
    }

    /// Every resource that an exclusion stands for: by the value of its exception tag, else by its publish name.
    pub(crate) fn excluded(&mut self, name: &str, place: &Place) -> Vec<Found> {
        self.needs.exceptions = true;
        let excepted = self.services.excepted(name);
        if !excepted.is_empty() {
            return excepted;
        }
        let look_up =
            LookUp { wanted: Wanted::Any, service: name, near: None, single: false, prefers: |_| true, place };
        let also = format!("none has it in the tag '{}' either", self.project.exception_tag_key);
        match self.look_up(&look_up) {
            Outcome::Found(found) => found,
            Outcome::Missing(found, message) => {
                self.warning(place, format!("{message}; {also}; the plan shows a placeholder"));
                vec![found]
            }
            Outcome::Wrong(finding) => {
                let message = format!("{}; {also}", finding.message);
                self.findings.push(Finding { message, ..*finding });
                Vec::new()
            }
        }
    }

    /// Every resource of a type that is published under a name, without a word when there is none.
    pub(crate) fn published(&mut self, resource_type: &'static str, service: &str, place: &Place) -> Vec<Found> {
        let wanted = Wanted::Type(resource_type);
        let look_up = LookUp { wanted, service, near: None, single: false, prefers: |_| true, place };
        self.untold(&look_up).into_iter().filter(|found| !found.placeholder).collect()
    }

    /// The private DNS zones of a name, anywhere in the subscription.
    pub(crate) fn zones_named(&mut self, name: &str) -> Vec<Found> {
        self.needs.zones = true;
        self.services.zones(name)
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

    /// Looks something up, and notes which listing that takes.
    fn look_up(&mut self, look_up: &LookUp<'_>) -> Outcome {
        match look_up.wanted {
            Wanted::Type(wanted) if wanted.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) => self.needs.groups = true,
            _ => self.needs.resources = true,
        }
        self.services.find(look_up, &self.project.subscription)
    }

    /// What is found; what is not is a finding, or under `-WhatIf` a warning and a placeholder.
    fn told(&mut self, look_up: &LookUp<'_>) -> Vec<Found> {
        match self.look_up(look_up) {
            Outcome::Found(found) => found,
            Outcome::Missing(found, message) => {
                self.warning(look_up.place, format!("{message}; the plan shows a placeholder"));
                vec![found]
            }
            Outcome::Wrong(finding) => {
                self.findings.push(*finding);
                Vec::new()
            }
        }
    }

    /// What is found, without a word about what is not.
    fn untold(&mut self, look_up: &LookUp<'_>) -> Vec<Found> {
        match self.look_up(look_up) {
            Outcome::Found(found) => found,
            Outcome::Missing(..) | Outcome::Wrong(_) => Vec::new(),
        }
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
        let kind = resource.resource_type.name;
        let key =
            if WORLDWIDE.contains(&kind) { format!("{kind}/{}", resource.id.name()) } else { resource.id.to_string() };
        let first = self.names.insert(key.to_ascii_lowercase(), resource.place.clone());
        // What is in a resource that is here twice is here twice for that reason.
        let in_repeated = || {
            std::iter::successors(resource.id.parent(), ResourceId::parent)
                .any(|parent| self.repeated.contains(&parent))
        };
        if let Some(first) = first.filter(|_| !in_repeated()) {
            self.repeated.insert(resource.id.clone());
            let message = format!(
                "duplicate {} '{}', first used by {} ({})",
                resource.resource_type.label,
                resource.id.name(),
                first.path(),
                first.show()
            );
            self.finding(resource.place.clone(), "DuplicateName", message);
        }
        self.check_tags(&resource);
        self.desired.push(resource);
    }

    /// The id of a resource of a type and name that this compilation has added already.
    #[must_use]
    pub(crate) fn planned(&self, resource_type: &'static ResourceType, name: &str) -> Option<ResourceId> {
        let is_it = |known: &&Desired| {
            known.resource_type.name == resource_type.name && known.id.name().eq_ignore_ascii_case(name)
        };
        self.desired.iter().find(is_it).map(|known| known.id.clone())
    }

    /// Adds a resource that several settings may ask for, once.
    pub(crate) fn add_once(&mut self, resource: Desired) {
        if !self.desired.iter().any(|known| known.id == resource.id) {
            self.add(resource);
        }
    }

    fn check_tags(&mut self, resource: &Desired) {
        let mut keys: Vec<&String> = resource.creation_tags.keys().chain(resource.tags.keys()).collect();
        keys.sort();
        keys.dedup();
        let limits = crate::azure::tag_limits(resource.resource_type.name);
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
            self.finding(resource.place.clone(), "TagsRefused", problem);
        }
    }
}
