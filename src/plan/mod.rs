//! The plan: what has to change so that what exists is what is desired.

mod adopt;
mod change;
mod compare;
mod complete;
mod defaults;
mod drift;
mod failure;
mod fixed;
mod found;
mod front_door;
pub mod graph;
mod kept;
mod meanwhile;
mod order;
mod orphans;
mod overwrites;
mod owner;
mod planner;
mod policies;
mod prerequisites;
mod rebase;
mod reference;
mod selection;
mod sentences;
mod twin;
mod unsaid;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use serde_json::Value;

pub use adopt::adopt;
pub use change::{Detail, content, masked, new_body, publishing, shown};
pub use compare::{is_there, pointer_of};
pub use complete::{deletion, surplus};
pub use defaults::enforce_defaults;
pub use drift::{attribute_by_events, attribute_by_rows, differences};
pub use failure::failure;
pub use found::Siblings;
pub use front_door::departures;
pub use kept::resource_kept;
pub use meanwhile::{Approved, kept_meanwhile, still_to_go};
pub use order::arrange;
pub use orphans::{Orphan, OrphanSearch, orphans, prune};
pub use overwrites::{left_to_do, overwritten};
pub use owner::{
    OtherEnvironment, OtherTagKey, PublishedOtherwise, other_environment, other_tag_key, published_otherwise,
};
pub use planner::{plan, plan_unknown};
pub use policies::{PolicyAnswers, PolicyNames, PolicyQuestion, apply_policies, policy_questions};
pub use prerequisites::{in_order, prerequisites};
pub use selection::{Limits, Selection};
pub use sentences::STATE_UNKNOWN;
use sentences::Sentences;
pub use twin::twins;
pub use unsaid::{unsaid, unsaid_of};

use crate::azure::{ResourceId, ResourceType, Told, is_terminal, provisioning_state};
use crate::desired::{Desired, Reference};
use crate::protocol::{
    Action, ActionKind, Confirm, ErrorReport, Kept, PropertyChange, Rehearsal, ResourceName, UnchangedReport, Warning,
};
use crate::settings::{Finding, Place};

/// The facts of a type that a change needs. Foreign resources may be of types that the engine's table does not have.
#[derive(Debug, Clone)]
pub struct TypeFacts {
    /// The full type.
    pub name: Cow<'static, str>,
    /// The name in sentences.
    pub label: Cow<'static, str>,
    /// The version of its interface.
    pub api_version: Cow<'static, str>,
    /// The longest time for which one operation on it is followed.
    pub longest_operation: Duration,
    /// See [`ResourceType::usual_creation`].
    pub usual_creation: Duration,
    /// Everything that the engine knows of the type; none for foreign ones.
    pub known: Option<&'static ResourceType>,
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
            usual_creation: known.usual_creation,
            known: Some(known),
            is_there: known.is_there,
            is_busy: known.is_busy,
        }
    }
}

/// One change of one resource.
#[derive(Debug, Clone)]
pub struct Change {
    /// The kind of change.
    pub kind: ActionKind,
    /// The resource id that the request goes to.
    pub id: ResourceId,
    /// The facts of its type, for sending and showing it.
    pub resource_type: TypeFacts,
    /// The body of the PUT, without the values of `references`; none for a deletion.
    pub body: Option<Value>,
    /// The wanted part of the body of an existing resource, as far as it can be changed: what is compared.
    pub wanted: Option<Value>,
    /// It is made where it is missing, and left alone where it exists.
    pub keep_existing: bool,
    /// The existing resource has to go first: Azure cannot change it into the new one.
    pub replaces: bool,
    /// Whether the resource that is still there is being deleted, and has to be gone first.
    pub after_deletion: bool,
    /// Values of the body that are not known yet.
    pub references: Vec<Reference>,
    /// The sources of the values of the body that other resources have: those of `references` and those that are known.
    pub sources: Vec<Reference>,
    /// The differences, one entry a property.
    pub changes: Vec<PropertyChange>,
    /// The facts of some of `changes` beside what is shown.
    pub details: Vec<Detail>,
    /// The changes that have to succeed first.
    pub depends_on: Vec<ResourceId>,
    /// A step that is made before the change itself: what others get is taken away.
    pub first: Option<Box<FirstStep>>,
    /// The changes whose first step has to succeed first.
    pub after_first_of: Vec<ResourceId>,
    /// The changes without which it is not made either: those that it swaps something with.
    pub together: Vec<ResourceId>,
    /// The need of consent.
    pub confirm: Confirm,
    /// It waits until everything else has succeeded.
    pub last: bool,
    /// No two changes with the same lock are made at once.
    pub lock: Option<ResourceId>,
    /// That it cannot be made is a warning, not a failure.
    pub best_effort: bool,
    /// The function that tells of the resource when it is made.
    pub told: Option<Told>,
    /// The setting it comes from.
    pub place: Place,
    /// Nobody knows whether the resource exists.
    pub unknown: bool,
    /// The rehearsal of the alert rule, where that was asked for.
    pub rehearsal: Option<Box<Rehearsal>>,
}

/// The step before a resource is changed to what is wanted.
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
    /// The resource group, which the document owns.
    pub id: ResourceId,
    /// The setting it comes from.
    pub place: Place,
    /// Its content when it was listed.
    pub content: HashSet<ResourceId>,
}

/// The whole plan.
#[derive(Debug, Default)]
pub struct Plan {
    /// In an order in which they can be made.
    pub changes: Vec<Change>,
    /// Found as the settings want them.
    pub unchanged: Vec<Unchanged>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// The values that stay as they are because the document does not say them, and a default would be something else.
    pub notes: Vec<String>,
    /// Their number.
    pub open_defaults: usize,
    /// The properties and resources that the settings want otherwise and that stay as they are.
    pub kept: Vec<Kept>,
    /// The groups that are to hold nothing else; at most one for each document.
    pub completed: Vec<CompletedGroup>,
    /// The existing resources that cannot become what the settings want.
    pub left_alone: Vec<Untouched>,
    /// The findings of what Azure would refuse, each with its resource. With one of them the plan cannot be carried out.
    pub refused: Vec<(ResourceId, Finding)>,
}

/// A resource that exists and cannot become what the settings want.
#[derive(Debug, Clone)]
pub struct Untouched {
    /// The error that says why, and what to do.
    pub error: ErrorReport,
    /// As Azure knows it.
    pub id: ResourceId,
    /// Of the existing resource, which is the wanted one as well.
    pub resource_type: &'static ResourceType,
    /// The names of what is below it or needs it, in the order of the plan.
    pub skipped: Vec<String>,
    /// The setting it comes from.
    pub place: Place,
}

/// A resource that is as the settings want it.
#[derive(Debug, Clone)]
pub struct Unchanged {
    /// That of the resource that exists, which may have been found under another name.
    pub id: ResourceId,
    /// For its label, and for what is told of it.
    pub resource_type: &'static ResourceType,
    /// Azure is still working on it, from an earlier run or for somebody else.
    pub in_progress: bool,
    /// The properties that are told of the resource when it is made.
    pub properties: Option<Value>,
    /// The setting it comes from.
    pub place: Place,
    /// The rehearsal of the alert rule, where that was asked for.
    pub rehearsal: Option<Box<Rehearsal>>,
}

impl Unchanged {
    /// A resource that is there and stays.
    fn of(resource: &Desired, existing: &Value) -> Unchanged {
        Unchanged {
            id: resource.id.clone(),
            resource_type: resource.resource_type,
            in_progress: provisioning_state(existing).is_some_and(|state| !is_terminal(state)),
            properties: resource.resource_type.told.and_then(|told| told(existing)),
            place: resource.place.clone(),
            rehearsal: None,
        }
    }

    /// The resource as it is reported where that was asked for.
    #[must_use]
    pub fn report(&self) -> UnchangedReport {
        UnchangedReport {
            resource: resource_name(&self.id, self.resource_type.name, self.resource_type.label),
            properties: self.properties.clone(),
            document: self.place.document(),
            rehearsal: self.rehearsal.clone(),
        }
    }
}

impl Plan {
    /// The changes as the host is asked about them.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        let indexes = self.indexes();
        let numbered = self.changes.iter().enumerate();
        numbered.map(|(index, change)| action(index, change, change.changes.clone(), &indexes)).collect()
    }

    /// The same of a plan that is only shown: each change makes room for its action, of which there may be very many.
    #[must_use]
    pub fn into_actions(self) -> Vec<Action> {
        let indexes = self.indexes();
        let shown = |(index, mut change): (usize, Change)| {
            let changes = std::mem::take(&mut change.changes);
            action(index, &change, changes, &indexes)
        };
        self.changes.into_iter().enumerate().map(shown).collect()
    }

    /// The index of each change in the plan.
    fn indexes(&self) -> HashMap<ResourceId, usize> {
        self.changes.iter().enumerate().map(|(index, change)| (change.id.clone(), index)).collect()
    }
}

/// The names of a resource of a type.
#[must_use]
pub fn resource_name(id: &ResourceId, resource_type: &str, label: &str) -> ResourceName {
    ResourceName {
        resource_type: resource_type.to_owned(),
        label: label.to_owned(),
        name: id.name().to_owned(),
        full_name: id.full_name(),
        resource_group: id.resource_group().map(str::to_owned),
        resource_id: id.to_string(),
    }
}

/// A change as the host is asked about it.
fn action(index: usize, change: &Change, changes: Vec<PropertyChange>, indexes: &HashMap<ResourceId, usize>) -> Action {
    let of = |ids: &[ResourceId]| -> Vec<usize> {
        let found: BTreeSet<usize> = ids.iter().filter_map(|id| indexes.get(id).copied()).collect();
        found.into_iter().collect()
    };
    let Sentences { description, question } = sentences::of(change, &changes);
    Action {
        index,
        action: change.kind,
        resource: resource_name(&change.id, &change.resource_type.name, &change.resource_type.label),
        description,
        question,
        confirm: change.confirm,
        depends_on: of(&change.depends_on),
        together: of(&change.together),
        last: change.last,
        changes,
        state_unknown: change.kind == ActionKind::Create && change.unknown,
        origin: Some(change.place.show()).filter(|place| !place.is_empty()),
        document: change.place.document(),
        rehearsal: change.rehearsal.clone(),
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
