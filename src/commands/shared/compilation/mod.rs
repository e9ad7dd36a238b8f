//! The tools of a command compiler: names, look-ups, and the lists it fills. No I/O.

mod adding;
mod names;
mod tags;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::found::Listed;
use super::lookup::Services;
use super::needs::Needs;
use super::search::Find;
use super::sought::{Sought, SoughtNames};
use super::wanted::Wanted;
use crate::azure::types::{ACTIVITY_LOG_ALERT, METRIC_ALERT, SCHEDULED_QUERY_RULE, SOLUTION};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::desired::{Desired, OwnedProfile, Tags};
use crate::naming::{Architecture, Convention, NameContext, NameParts, NameRequest, ResourceKind};
use crate::protocol::{EXCEPTION_TAG_KEY, FindingCode, Kept, SERVICE_TAG_KEY, Warning};
use crate::settings::{Finding, Place};

/// The facts that all documents of a run share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// The subscription that is deployed to; one of zeros where a plan is made offline and none is known.
    pub subscription: ResourceId,
    /// The tag that carries publish names.
    pub service_tag_key: String,
    /// The tag whose value excludes a resource from log alerts.
    pub exception_tag_key: String,
}

impl RunFacts {
    /// The facts of a run in a subscription, with the keys of tags that go without saying.
    #[must_use]
    pub fn of(subscription_id: &str) -> RunFacts {
        RunFacts {
            subscription: ResourceId::subscription(subscription_id),
            service_tag_key: SERVICE_TAG_KEY.to_owned(),
            exception_tag_key: EXCEPTION_TAG_KEY.to_owned(),
        }
    }
}

/// The facts of a document beside its settings: those of its project, and of the run.
#[derive(Debug)]
pub struct Project {
    /// The facts that all documents of the run share.
    pub run: RunFacts,
    /// The naming convention.
    pub convention: Convention,
    /// The parts of names that are not in the settings.
    pub name_context: NameContext,
    /// The tag that tells the environments of the subscription apart; none where the context has no key for it.
    pub environment_tag: Option<EnvironmentTag>,
    /// The tags of the tag settings; empty with `-OmitTags`.
    pub tags: Tags,
}

/// The tag of what belongs to an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentTag {
    /// Its key.
    pub key: String,
    /// Its value: the word of the environment in names.
    pub value: String,
}

impl EnvironmentTag {
    /// The environment that an entry of a listing belongs to, where it is none of these.
    pub fn other<'a>(environments: &[&EnvironmentTag], item: &'a serde_json::Value) -> Option<&'a str> {
        let of = environments.iter().find_map(|tag| tag.of(item));
        of.filter(|of| environments.iter().all(|tag| tag.value != *of))
    }

    /// The environment that an entry of a listing belongs to; none where it says nothing, as what all of them share.
    #[must_use]
    pub fn of<'a>(&self, item: &'a serde_json::Value) -> Option<&'a str> {
        let tags = item.get("tags")?.as_object()?;
        let (_, value) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(&self.key))?;
        value.as_str().filter(|value| !value.is_empty())
    }
}

impl Project {
    /// One without files of its own, for what may not depend on who reads a document.
    #[must_use]
    pub fn without_files() -> Project {
        Project {
            run: RunFacts::of("00000000-0000-0000-0000-000000000000"),
            convention: Convention::builtin(),
            name_context: NameContext::default(),
            environment_tag: None,
            tags: Tags::new(),
        }
    }

    /// Takes the facts of a run that is connected to this subscription. Returns whether names change with it.
    pub fn enter(&mut self, run: &RunFacts, subscription_id: &str) -> bool {
        self.run = run.clone();
        let known = self.name_context.subscription_id.replace(subscription_id.to_owned());
        self.convention.uses_subscription_id() && known.as_deref() != Some(subscription_id)
    }
}

/// A resource group that ends up holding exactly the rules of the document.
#[derive(Debug, Clone)]
pub struct CompleteMode {
    /// The resource group that has only what the document has when the run is over.
    pub group: ResourceId,
    /// The type of the rules: those that the document does not have are deleted.
    pub rules: &'static ResourceType,
    /// The setting that names the group.
    pub place: Place,
}

/// A publish name and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    /// Under which other documents find the resource.
    pub name: String,
    /// The setting that gives it.
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

/// The way out where two resources have one generated name.
#[derive(Debug, Clone, Default)]
pub(crate) struct WayOut {
    /// The part to shorten, where the name was cut: "the name of the group, 'x'".
    pub shorten: String,
    /// The way out where they are called alike: "set name".
    pub rename: String,
}

/// The state of a compilation.
pub(crate) struct Compilation<'a> {
    pub(in crate::commands::shared) project: &'a Project,
    pub(in crate::commands::shared) services: &'a Services,
    pub(in crate::commands::shared) needs: Needs,
    pub(in crate::commands::shared) sought: SoughtNames,
    desired: Vec<Desired>,
    warnings: Vec<Warning>,
    notes: Vec<String>,
    kept: Vec<Kept>,
    pub(in crate::commands::shared) findings: Vec<Finding>,
    /// The first place of each id, and of each name that is unique worldwide: its type and it.
    names: HashMap<ResourceId, Place>,
    /// The names that generated names were made of. One name that is made of several was cut.
    given: HashMap<String, HashSet<String>>,
    /// The names that were made.
    made_names: Vec<GivenName>,
    warned: HashSet<String>,
    /// Resources that are here a second time.
    repeated: HashSet<ResourceId>,
    complete: Vec<CompleteMode>,
    owned: Vec<OwnedProfile>,
}

/// A resource whose publish name something else of its type carries already.
#[derive(Debug, Clone)]
pub struct Namesake {
    /// The resource.
    pub id: ResourceId,
    /// The label of its type.
    pub label: &'static str,
    /// The publish name.
    pub service: String,
    /// Those that carry it, at least one.
    pub others: Vec<ResourceId>,
    /// The setting that gives the name.
    pub place: Place,
}

impl Namesake {
    /// The warning of what it means for others, and of the ways out where the resource would be made anew.
    #[must_use]
    pub fn warning(&self, is_new: bool) -> Warning {
        let Namesake { id, label, service, others, place } = self;
        let first = others.first().unwrap_or(id);
        let more = if others.len() < 2 { String::new() } else { format!(" and {} more", others.len() - 1) };
        if !is_new {
            return place.warning(format_args!(
                "the publish name '{service}' is already used by the {label} '{first}'{more}; a dependency on it finds several"
            ));
        }
        place.warning(format_args!(
            "the {label} '{}' would be created beside '{first}'{more}, with the same publish name '{service}'. If it is meant, keep its name: let a \
             naming file in _names make '{}'. If it is to be replaced, delete it first: a dependency on '{service}' finds several until then",
            id.name(),
            first.name()
        ))
    }
}

/// The outcome of a compilation.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The resources, in the order of the settings.
    pub desired: Vec<Desired>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// The resources whose publish names something else carries.
    pub namesakes: Vec<Namesake>,
    /// The notes, which ask for nothing: they are told to those who asked for detail.
    pub notes: Vec<String>,
    /// The properties and resources that the settings want otherwise and that stay as they are.
    pub kept: Vec<Kept>,
    /// The findings about the settings, or about what they refer to.
    pub findings: Vec<Finding>,
    /// The reads that the look-ups need.
    pub needs: Needs,
    /// The names that were looked up.
    pub sought: Vec<Sought>,
    /// The resources that were found, each with the name that it was looked for by.
    pub looked_up: BTreeMap<ResourceId, String>,
    /// The groups that are to hold nothing else; at most one for each document.
    pub complete: Vec<CompleteMode>,
    /// The front doors that are to hold nothing else of their document's own; at most one for each document.
    pub owned: Vec<OwnedProfile>,
    /// The names that the naming convention has made.
    pub names: Vec<GivenName>,
}

/// A name that the naming convention has made.
#[derive(Debug, Clone)]
pub struct GivenName {
    /// The ARM type of what has it.
    pub resource_type: &'static str,
    /// As it was made.
    pub generated: String,
    /// The kind, the architecture and the location that it was made of.
    pub made_as: (ResourceKind, Architecture, Option<String>),
    /// The name in the settings that it was made of.
    pub name: String,
    /// The setting that says this name.
    pub place: Place,
}

impl GivenName {
    /// Its parts; none where it cannot be made any more.
    #[must_use]
    pub fn parts(&self, project: &Project) -> Option<NameParts> {
        let (kind, architecture, location) = &self.made_as;
        let (kind, architecture, location) = (*kind, *architecture, location.as_deref());
        let request = NameRequest::new(kind, &self.name, architecture, location);
        let kind = crate::azure::resource_type(self.resource_type)?;
        let takes = |character| kind.takes_in_names(character);
        project.convention.parts(&request, &project.name_context, takes).ok()
    }
}

impl<'a> Compilation<'a> {
    /// An empty compilation.
    #[must_use]
    pub(crate) fn new(project: &'a Project, services: &'a Services) -> Compilation<'a> {
        Compilation {
            project,
            services,
            needs: Needs::default(),
            sought: SoughtNames::default(),
            desired: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            kept: Vec::new(),
            findings: Vec::new(),
            names: HashMap::new(),
            given: HashMap::new(),
            made_names: Vec::new(),
            warned: HashSet::new(),
            repeated: HashSet::new(),
            complete: Vec::new(),
            owned: Vec::new(),
        }
    }

    /// Ends the compilation.
    #[must_use]
    pub(crate) fn finish(mut self) -> Compiled {
        let namesakes = self.namesakes();
        self.desired.shrink_to_fit();
        let (sought, looked_up) = self.sought.into_parts();
        Compiled {
            desired: self.desired,
            warnings: self.warnings,
            namesakes,
            notes: self.notes,
            kept: self.kept,
            findings: self.findings,
            needs: self.needs,
            sought,
            looked_up,
            complete: self.complete,
            owned: self.owned,
            names: self.made_names,
        }
    }

    /// The publish names that something else of the type carries already: who depends on one would find several.
    fn namesakes(&mut self) -> Vec<Namesake> {
        let own: HashSet<&ResourceId> = self.desired.iter().map(|resource| &resource.id).collect();
        let is_surplus = |id: &ResourceId| {
            // A rule that the document no longer has is deleted by the same run.
            let complete = self.complete.iter().find(|complete| id.is_within(&complete.group));
            complete.is_some_and(|complete| id.is_of_type(complete.rules.name))
        };
        let mut namesakes = Vec::new();
        // Thousands of resources may have one publish name.
        let mut others_of: HashMap<(&str, &str), Vec<ResourceId>> = HashMap::new();
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
            let others = others_of.entry((known.name, &tag.value)).or_insert_with(|| {
                let mut others = self.services.published(known.name, &tag.value);
                others.retain(|id| !own.contains(id) && !is_surplus(id));
                others.sort();
                others
            });
            if !others.is_empty() {
                let (id, service, place) = (resource.id.clone(), tag.value.clone(), tag.place.clone());
                let others = others.clone();
                namesakes.push(Namesake { id, label: known.label, service, others, place });
            }
        }
        namesakes
    }

    /// The resources that this compilation has added of a type and publishes under a name.
    pub(in crate::commands::shared) fn planned_as(&self, resource_type: &str, service: &str) -> Vec<Listed> {
        let is_it = |resource: &&Desired| {
            resource.resource_type.name.eq_ignore_ascii_case(resource_type)
                && self.service_tag_of(resource).is_some_and(|tag| tag.value == service)
        };
        self.desired.iter().filter(is_it).map(|resource| Listed::planned(resource, service)).collect()
    }

    #[must_use]
    pub(crate) fn subscription(&self) -> &ResourceId {
        &self.project.run.subscription
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
        self.warn_once(place.warning(message.as_ref()));
    }

    /// Tells those who asked for detail of something at a place.
    pub(crate) fn note(&mut self, place: &Place, message: impl AsRef<str>) {
        self.notes.push(place.warning(message.as_ref()).message);
    }

    /// Warns of something that has its place in the message already; once.
    pub(in crate::commands::shared) fn warn_once(&mut self, warning: Warning) {
        if self.warned.insert(warning.message.clone()) {
            self.warnings.push(warning);
        }
    }

    /// Notes something that exists, that the settings want otherwise, and that stays as it is; once, like a warning.
    pub(crate) fn kept(&mut self, kept: Kept) {
        if self.warned.insert(kept.reason.clone()) {
            self.kept.push(kept);
        }
    }

    /// Looks for resources of a publish name; see [`Find`].
    pub(crate) fn find<'b>(&'b mut self, wanted: Wanted<'b>) -> Find<'b, 'a> {
        Find::new(self, wanted)
    }

    /// A resource of the document's own as it is before the run; none when it does not exist, or nobody can be asked. Only for
    /// what decides by how it is which resources are wanted: the plan compares everything else.
    pub(crate) fn before(&mut self, resource_type: &'static ResourceType, id: &ResourceId) -> Option<&'a Value> {
        if let Some(path) = id.as_str().strip_prefix(self.project.run.subscription.as_str()) {
            self.needs.own.insert((resource_type.name, path.to_owned()));
        }
        self.services.own(id)
    }

    /// Whether what exists could be looked at; else look-ups answer with placeholders.
    #[must_use]
    pub(crate) fn is_connected(&self) -> bool {
        self.services.is_read()
    }

    /// The ending of the addresses of storage accounts; none where nobody was asked.
    #[must_use]
    pub(crate) fn storage_domain(&self) -> Option<&'static str> {
        self.services.storage_domain()
    }

    /// From now on the group is to hold nothing but the rules that are added.
    pub(crate) fn complete(&mut self, complete: CompleteMode) {
        self.complete = vec![complete];
    }

    /// From now on what is in the front door and not added leaves it.
    pub(crate) fn own(&mut self, owned: OwnedProfile) {
        self.owned = vec![owned];
    }
}
