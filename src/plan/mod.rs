//! The plan: what has to change so that what exists is what is desired.

mod adopt;
mod change;
mod compare;
mod complete;
mod defaults;
mod fixed;
mod found;
mod front_door;
mod order;
mod owner;
mod reference;
mod sentences;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use serde_json::Value;

pub use adopt::adopt;
use change::{creation, modification};
pub use complete::{deletion, surplus};
pub use front_door::departures;
pub use order::arrange;
pub use owner::{PublishedOtherwise, published_otherwise};
pub use reference::KNOWN_AFTER_APPLY;
pub use sentences::STATE_UNKNOWN;

use crate::azure::{ArmError, LeftAlone, ResourceId, ResourceType, Told, is_terminal, provisioning_state};
use crate::desired::{Desired, Existing, Reference, World};
use crate::protocol::{Action, ActionKind, Confirm, ErrorReport, PropertyChange, UnchangedReport};
use crate::settings::{Finding, Place};

/// What a change has to know of a type. Foreign resources may be of types that the engine's table does not have.
#[derive(Debug, Clone)]
pub struct TypeFacts {
    /// The full type.
    pub name: Cow<'static, str>,
    /// How it is called in sentences.
    pub label: Cow<'static, str>,
    /// The version of its interface.
    pub api_version: Cow<'static, str>,
    /// How long one operation on it is followed.
    pub longest_operation: Duration,
    /// See [`ResourceType::is_there`].
    pub is_there: Option<&'static str>,
    /// See [`ResourceType::is_busy`].
    pub is_busy: Option<&'static str>,
}

impl From<&'static ResourceType> for TypeFacts {
    fn from(known: &'static ResourceType) -> TypeFacts {
        TypeFacts {
            name: Cow::Borrowed(known.name),
            label: Cow::Borrowed(known.label),
            api_version: Cow::Borrowed(known.api_version),
            longest_operation: known.longest_operation,
            is_there: known.is_there,
            is_busy: known.is_busy,
        }
    }
}

/// One change of one resource.
#[derive(Debug, Clone)]
pub struct Change {
    /// What is to be done.
    pub kind: ActionKind,
    /// The resource.
    pub id: ResourceId,
    /// The facts of its type.
    pub resource_type: TypeFacts,
    /// The body of the PUT, without the values of `references`; none for a deletion.
    pub body: Option<Value>,
    /// Others write into the resource as well, such as app settings: the body is put over what is there when it is sent.
    pub put_over: Option<&'static ResourceType>,
    /// The existing resource has to go first: Azure cannot change it into the new one.
    pub replaces: bool,
    /// Values of the body that are not known yet.
    pub references: Vec<Reference>,
    /// Property by property.
    pub changes: Vec<PropertyChange>,
    /// The changes that have to succeed first.
    pub depends_on: Vec<ResourceId>,
    /// A step that is made before the change itself: what others get is taken away.
    pub first: Option<FirstStep>,
    /// The changes whose first step has to succeed first.
    pub after_first_of: Vec<ResourceId>,
    /// The changes without which it is not made either: those that it swaps something with.
    pub together: Vec<ResourceId>,
    /// How it is asked for.
    pub confirm: Confirm,
    /// It waits until everything else has succeeded.
    pub last: bool,
    /// No two changes with the same lock are made at once.
    pub lock: Option<ResourceId>,
    /// That it cannot be made is a warning, not a failure.
    pub best_effort: bool,
    /// What to tell of the resource when it is made.
    pub told: Option<Told>,
    /// The setting it comes from.
    pub place: Place,
    /// Nobody knows whether the resource exists.
    pub unknown: bool,
}

/// What is done to a resource before it is changed to what is wanted.
#[derive(Debug, Clone)]
pub struct FirstStep {
    /// The body of the PUT; none where the resource is deleted.
    pub body: Option<Value>,
    /// The changes that have to succeed first.
    pub depends_on: Vec<ResourceId>,
}

/// A group of which something is to be deleted, as it was when the plan was made.
#[derive(Debug, Clone)]
pub struct CompletedGroup {
    /// The group.
    pub id: ResourceId,
    /// The setting it comes from.
    pub place: Place,
    /// What was in it.
    pub content: HashSet<ResourceId>,
}

/// The whole plan.
#[derive(Debug, Default)]
pub struct Plan {
    /// In an order in which they can be made.
    pub changes: Vec<Change>,
    /// Found as the settings want them.
    pub unchanged: Vec<Unchanged>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What stays as it is because the document does not say it, and a default would be something else.
    pub notes: Vec<String>,
    /// How many of the warnings are about values that the settings want otherwise and that stay as they are.
    pub kept: usize,
    /// The group that is to hold nothing else, where the document says so.
    pub completed: Option<CompletedGroup>,
    /// What exists and cannot become what the settings want.
    pub left_alone: Vec<Untouched>,
    /// What Azure would refuse. With one of them the plan cannot be carried out.
    pub refused: Vec<Finding>,
}

/// A resource that exists and cannot become what the settings want.
#[derive(Debug, Clone)]
pub struct Untouched {
    /// The error that says why, and what to do.
    pub error: ErrorReport,
    /// The resource.
    pub id: ResourceId,
    /// The facts of its type.
    pub resource_type: &'static ResourceType,
    /// The names of what is below it or needs it, in the order of the plan.
    pub skipped: Vec<String>,
}

/// A resource that is as the settings want it.
#[derive(Debug, Clone)]
pub struct Unchanged {
    /// The resource.
    pub id: ResourceId,
    /// The facts of its type.
    pub resource_type: &'static ResourceType,
    /// Azure is still working on it, from an earlier run or for somebody else.
    pub in_progress: bool,
    /// What is told of the resource when it is made.
    pub properties: Option<Value>,
}

/// Compares what is desired with what exists.
#[must_use]
pub fn plan(desired: &[Desired], world: &World) -> Plan {
    let mut plan = Plan::default();
    // For each resource that is not touched, the one of `left_alone` that it is skipped for.
    let mut untouched: HashMap<&ResourceId, usize> = HashMap::new();
    for wanted in in_order(desired) {
        let (resource, existing) = found::found(wanted, world);
        let resource = resource.as_ref();
        let name = || sentences::full_name(&resource.id, resource.resource_type.label);
        if let Some(watch) = &resource.watch {
            found::look_at(watch, resource, existing, world, &mut plan);
            continue;
        }
        if let Some(cause) = prerequisites(resource).iter().find_map(|id| untouched.get(id).copied()) {
            plan.left_alone[cause].skipped.push(name());
            untouched.insert(&wanted.id, cause);
            continue;
        }
        let left_alone = resource.resource_type.left_alone.zip(existing);
        if let Some(why) = left_alone.and_then(|(left_alone, existing)| left_alone(existing, &resource.body)) {
            untouched.insert(&wanted.id, plan.left_alone.len());
            plan.left_alone.push(Untouched {
                error: left_alone_error(resource, why),
                id: resource.id.clone(),
                resource_type: resource.resource_type,
                skipped: Vec::new(),
            });
            continue;
        }
        if existing.is_none() && resource.never_made {
            continue;
        }
        if let (World::Known(world), None) = (world, existing)
            && let Some(moved) = fixed::moved(resource, desired, world)
        {
            plan.refused.push(moved);
            continue;
        }
        let (mut resource, references) = reference::resolve(resource, existing, world);
        if let (World::Known(others), Some(refuses)) = (world, resource.resource_type.refuses)
            && let Some(refused) = refuses(&resource.id, &resource.body, existing, others)
        {
            plan.refused.push(fixed::refusal(&resource, &refused));
            continue;
        }
        if let World::Known(existing) = world {
            plan.refused.extend(fixed::unmet(&resource, existing));
        }
        if let (World::Known(world), Some(remainder)) = (world, resource.resource_type.remainder) {
            let others = siblings(&resource, world);
            let bodies: Vec<&Value> = others.iter().map(|(_, body)| *body).collect();
            match remainder(&resource.body, existing, &bodies) {
                Some(body) if body == resource.body => {}
                Some(body) => resource.to_mut().body = body,
                None => {
                    let other = others.first().filter(|_| existing.is_none());
                    let id = other.map_or(&resource.id, |(id, _)| *id).clone();
                    let properties = other.map(|(_, body)| *body).or(existing).and_then(|body| told(&resource, body));
                    let resource_type = resource.resource_type;
                    plan.unchanged.push(Unchanged { id, resource_type, in_progress: false, properties });
                    continue;
                }
            }
        }
        match existing {
            None => plan.changes.push(creation(&resource, references, matches!(world, World::Unknown))),
            Some(existing) => match modification(&resource, existing, references, &mut plan) {
                Some(change) => plan.changes.push(change),
                None => {
                    let waits_for = match (resource.resource_type.unfinished, world) {
                        (Some(unfinished), World::Known(world)) => unfinished(existing, world),
                        _ => None,
                    };
                    let place = resource.place.show();
                    plan.warnings.extend(waits_for.map(|what| format!("{place}: the {} {what}.", name())));
                    plan.unchanged.push(Unchanged {
                        id: resource.id.clone(),
                        resource_type: resource.resource_type,
                        in_progress: provisioning_state(existing).is_some_and(|state| !is_terminal(state)),
                        properties: told(&resource, existing),
                    });
                }
            },
        }
    }
    plan
}

/// What is told of a resource when it is made, of one that exists.
fn told(resource: &Desired, existing: &Value) -> Option<Value> {
    resource.resource_type.told.and_then(|told| told(existing))
}

impl Unchanged {
    /// The resource as it is reported where that was asked for.
    #[must_use]
    pub fn report(&self) -> UnchangedReport {
        UnchangedReport {
            resource_type: self.resource_type.name.to_owned(),
            label: self.resource_type.label.to_owned(),
            name: self.id.name().to_owned(),
            full_name: self.id.full_name(),
            resource_group: self.id.resource_group().map(str::to_owned),
            resource_id: self.id.to_string(),
            properties: self.properties.clone(),
        }
    }
}

impl Plan {
    /// The changes as the host is asked about them.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        let indexes: HashMap<&ResourceId, usize> =
            self.changes.iter().enumerate().map(|(index, change)| (&change.id, index)).collect();
        let depends_on = |change: &Change| -> Vec<usize> {
            let indexes: BTreeSet<usize> = change.depends_on.iter().filter_map(|id| indexes.get(id).copied()).collect();
            indexes.into_iter().collect()
        };
        self.changes
            .iter()
            .enumerate()
            .map(|(index, change)| Action {
                index,
                action: change.kind,
                resource_type: change.resource_type.name.to_string(),
                label: change.resource_type.label.to_string(),
                name: change.id.name().to_owned(),
                full_name: change.id.full_name(),
                resource_group: change.id.resource_group().map(str::to_owned),
                resource_id: change.id.to_string(),
                description: sentences::description(change),
                question: sentences::question(change),
                confirm: change.confirm,
                depends_on: depends_on(change),
                changes: change.changes.clone(),
                origin: Some(change.place.show()).filter(|place| !place.is_empty()),
            })
            .collect()
    }
}

/// The full name of a resource in a sentence: "the blob container 'data' of the storage account 'stx'".
#[must_use]
pub fn full_name(id: &ResourceId, label: &str) -> String {
    sentences::full_name(id, label)
}

/// The name of a resource with the resources it is below and without its group: "queue 'orders' of storage account 'stx'".
#[must_use]
pub fn short_name(id: &ResourceId, label: &str) -> String {
    sentences::short_name(id, label)
}

/// The error for a change that failed, with the setting it comes from.
#[must_use]
pub fn failure(change: &Change, error: &ArmError) -> ErrorReport {
    let place = blamed(change, error).unwrap_or_else(|| change.place.show());
    let is_new = change.kind == ActionKind::Create;
    let mut report = error.report_of(&sentences::failed(change, &place), is_new);
    report.resource_id = Some(change.id.to_string());
    report.target = Some(place);
    report
}

/// The error for a resource that is left alone. The rest of the plan goes on.
fn left_alone_error(resource: &Desired, why: LeftAlone) -> ErrorReport {
    let (place, name) = (resource.place.show(), sentences::full_name(&resource.id, resource.resource_type.label));
    ErrorReport {
        target: Some(place.clone()),
        resource_id: Some(resource.id.to_string()),
        recommendation: Some(why.recommendation),
        ..ErrorReport::new(why.code, format!("{place}: the {name} cannot be changed: {}.", why.reason))
    }
}

/// The setting of the property that Azure finds wrong, where it says which.
fn blamed(change: &Change, error: &ArmError) -> Option<String> {
    let ArmError::Refused(refusal) = error else { return None };
    refusal.paths.iter().find_map(|path| {
        let is_meant = |property: &&PropertyChange| {
            let known = property.path.as_str();
            let inner = known.strip_prefix("properties.").unwrap_or(known);
            known.eq_ignore_ascii_case(path) || inner.eq_ignore_ascii_case(path)
        };
        change.changes.iter().find(is_meant)?.origin.clone()
    })
}

/// What else exists of the same type below the same parent, by id.
fn siblings<'a>(resource: &Desired, existing: &'a Existing) -> Vec<(&'a ResourceId, &'a Value)> {
    let (parent, name) = (resource.id.parent(), resource.resource_type.name);
    let is_one =
        |id: &ResourceId| *id != resource.id && id.parent() == parent && id.resource_type().eq_ignore_ascii_case(name);
    let mut siblings: Vec<_> = existing.iter().filter(|(id, _)| is_one(id)).collect();
    siblings.sort_by_key(|(id, _)| *id);
    siblings
}

/// Prerequisites before what needs them; otherwise in the order of the settings.
fn in_order(desired: &[Desired]) -> Vec<&Desired> {
    fn visit<'a>(
        index: usize,
        desired: &'a [Desired],
        by_id: &HashMap<&ResourceId, usize>,
        seen: &mut HashSet<usize>,
        ordered: &mut Vec<&'a Desired>,
    ) {
        if !seen.insert(index) {
            return;
        }
        for id in prerequisites(&desired[index]) {
            if let Some(before) = by_id.get(&id) {
                visit(*before, desired, by_id, seen, ordered);
            }
        }
        ordered.push(&desired[index]);
    }
    let by_id: HashMap<&ResourceId, usize> =
        desired.iter().enumerate().map(|(index, resource)| (&resource.id, index)).collect();
    let (mut seen, mut ordered) = (HashSet::new(), Vec::with_capacity(desired.len()));
    for index in 0..desired.len() {
        visit(index, desired, &by_id, &mut seen, &mut ordered);
    }
    ordered
}

/// What a resource needs: what it names, the resources it is below, and its resource group.
fn prerequisites(resource: &Desired) -> Vec<ResourceId> {
    let parents = std::iter::successors(resource.id.parent(), ResourceId::parent);
    let referred = resource.references.iter().map(|reference| reference.of.clone());
    resource.depends_on.iter().cloned().chain(referred).chain(parents).collect()
}
