//! A front door that the document owns: what is in it and not in the document leaves it. What leads to others, or is used by others,
//! stays.

mod leaving;
mod policies;

use serde_json::Value;

use self::leaving::Leaving;
use super::{Change, Plan, TypeFacts};
use crate::azure::types::{CUSTOM_DOMAIN, ORIGIN, ORIGIN_GROUP, ROUTE, SECURITY_POLICY};
use crate::azure::{ResourceId, ResourceType};
use crate::desired::{Desired, Existing, OwnedProfile};
use crate::protocol::{Confirm, Kept, Warning};

/// The parts that leave a front door.
#[derive(Debug, Default)]
pub struct Departures {
    /// In the order in which they are told: each with the facts of its type.
    resources: Vec<(ResourceId, &'static ResourceType)>,
    /// The resources that stay although the document does not have them, and why.
    kept: Vec<Kept>,
    /// The warnings that the user should know.
    warnings: Vec<Warning>,
}

/// Finds what leaves a front door. What is wanted of its security policies is completed by what others associated with them, and
/// policies that lose a domain to the document are added to what is wanted.
#[must_use]
pub fn departures(owned: &OwnedProfile, desired: &mut Vec<Desired>, existing: &Existing) -> Departures {
    let mut departures = Departures::default();
    let door = Door { owned, existing };
    let leaving = Leaving::of(&door, desired, &mut departures);
    let policies = policies::settle(&door, desired, &leaving.domains, &mut departures);
    let lists: [(Vec<ResourceId>, &'static ResourceType); 5] = [
        (leaving.routes, &ROUTE),
        (policies, &SECURITY_POLICY),
        (leaving.origins, &ORIGIN),
        (leaving.pools, &ORIGIN_GROUP),
        (leaving.domains, &CUSTOM_DOMAIN),
    ];
    for (ids, resource_type) in lists {
        departures.resources.extend(ids.into_iter().map(|id| (id, resource_type)));
    }
    departures
}

impl Departures {
    /// Puts the departures into the plan: after everything that uses what leaves. Nothing leaves a front door that is left alone.
    pub fn join(self, owned: &OwnedProfile, existing: &Existing, plan: &mut Plan) {
        if plan.left_alone.iter().any(|left| left.id == owned.profile) {
            return;
        }
        plan.kept.extend(self.kept);
        plan.warnings.extend(self.warnings);
        let before = plan.changes.len();
        for (id, resource_type) in self.resources {
            plan.changes.push(deletion(id, resource_type, owned));
        }
        for index in before..plan.changes.len() {
            let prerequisites = prerequisites(&plan.changes[index], &plan.changes, existing);
            plan.changes[index].depends_on = prerequisites;
        }
    }
}

/// Routes, pools and origins were always replaced unasked; what can be lost for good is asked for.
fn deletion(id: ResourceId, resource_type: &'static ResourceType, owned: &OwnedProfile) -> Change {
    let replaced = [ROUTE.name, ORIGIN_GROUP.name, ORIGIN.name].contains(&resource_type.name);
    Change {
        confirm: if replaced { Confirm::Normal } else { Confirm::Always },
        last: false,
        ..super::deletion(id, TypeFacts::from(resource_type), &owned.place)
    }
}

/// The changes that have to be made before something can be deleted: Azure keeps what is used, what has children, and the last origin of a pool that
/// is used.
fn prerequisites(leaving: &Change, changes: &[Change], existing: &Existing) -> Vec<ResourceId> {
    let id = &leaving.id;
    let pool = id.parent().filter(|_| leaving.resource_type.name == ORIGIN.name);
    let is_before = |other: &Change| {
        if other.id == *id || pool.as_ref() == Some(&other.id) {
            return false;
        }
        let is_below = other.id.parent().as_ref() == Some(id);
        let is_new_sibling = pool.is_some() && other.id.parent() == pool && other.body.is_some();
        let used = pool.as_ref().unwrap_or(id);
        is_below || is_new_sibling || existing.get(&other.id).is_some_and(|body| mentions(body, used))
    };
    changes.iter().filter(|other| is_before(other)).map(|other| other.id.clone()).collect()
}

/// Whether the id of a resource is somewhere in a body, other than as its own id.
fn mentions(body: &Value, id: &ResourceId) -> bool {
    match body {
        Value::Object(members) => members.values().any(|member| mentions(member, id)),
        Value::Array(items) => items.iter().any(|item| mentions(item, id)),
        Value::String(text) => text.eq_ignore_ascii_case(id.as_str()),
        _ => false,
    }
}

/// A front door as it is.
struct Door<'a> {
    owned: &'a OwnedProfile,
    existing: &'a Existing,
}

impl<'a> Door<'a> {
    /// The existing resources of a type in the front door, by id.
    fn parts(&self, resource_type: &ResourceType) -> Vec<(&'a ResourceId, &'a Value)> {
        let is_below = |id: &ResourceId| {
            std::iter::successors(id.parent(), ResourceId::parent).any(|parent| parent == self.owned.profile)
        };
        let is_one = |id: &ResourceId| id.is_of_type(resource_type.name) && is_below(id);
        let mut parts: Vec<_> = self.existing.iter().filter(|(id, _)| is_one(id)).collect();
        parts.sort_by_key(|(id, _)| *id);
        parts
    }

    /// The existing resources of a type in the front door that are not wanted.
    fn surplus(&self, resource_type: &ResourceType, desired: &[Desired]) -> Vec<(&'a ResourceId, &'a Value)> {
        let mut parts = self.parts(resource_type);
        parts.retain(|(id, _)| !desired.iter().any(|resource| resource.id == **id));
        parts
    }

    /// A part of the front door that stays.
    fn kept(&self, id: &ResourceId, resource_type: &ResourceType, why: &str) -> Kept {
        super::kept::resource_kept(id, resource_type, &self.owned.place, self.owned.place.warning(why))
    }
}
