//! The plan for each desired resource: a change, nothing, or an error that says why it stays as it is.

use std::collections::HashMap;

use serde_json::Value;

use super::change::{References, creation, modification};
use super::failure::left_alone;
use super::found::Siblings;
use super::prerequisites::{in_order, prerequisites};
use super::{Plan, Unchanged, Untouched, fixed, found, reference, sentences};
use crate::azure::ResourceId;
use crate::desired::{Desired, World};
use crate::settings::Finding;

/// Compares what is desired with what exists.
#[must_use]
pub fn plan(desired: &[Desired], world: &World) -> Plan {
    let mut planner = Planner::new(desired, world);
    for index in in_order(desired) {
        planner.add(&desired[index]);
    }
    planner.plan
}

/// The plan where nobody knows what exists. Nothing else is asked of what is desired then, and there may be very much of it: each
/// resource makes room for its change.
#[must_use]
pub fn plan_unknown(desired: Vec<Desired>) -> Plan {
    let order = in_order(&desired);
    let mut planner = Planner::new(&[], &World::Unknown);
    planner.plan.changes.reserve_exact(desired.len());
    let mut desired: Vec<Option<Desired>> = desired.into_iter().map(Some).collect();
    for index in order {
        if let Some(wanted) = desired[index].take() {
            planner.add(&wanted);
        }
    }
    planner.plan
}

/// A plan that is being made.
struct Planner<'a> {
    /// Everything that is desired; nothing where it is not known what exists.
    desired: &'a [Desired],
    world: &'a World,
    siblings: Siblings<'a>,
    /// For each resource that is not touched, the one of `left_alone` that it is skipped for.
    untouched: HashMap<ResourceId, usize>,
    plan: Plan,
}

impl<'a> Planner<'a> {
    fn new(desired: &'a [Desired], world: &'a World) -> Planner<'a> {
        Planner {
            desired,
            world,
            siblings: Siblings::in_world(world),
            untouched: HashMap::new(),
            plan: Plan::default(),
        }
    }

    /// Adds what becomes of one resource. What it needs was added before.
    fn add(&mut self, wanted: &Desired) {
        let (resource, existing) = found::found(wanted, &self.siblings);
        let resource = resource.as_ref();
        if let Some(watch) = &resource.watch {
            return found::look_at(watch, resource, existing, &self.siblings, &mut self.plan);
        }
        if self.leave_alone(wanted, resource, existing) || (existing.is_none() && resource.never_made) {
            return;
        }
        if let Some(moved) = self.moved(resource, existing) {
            return self.plan.refused.push((resource.id.clone(), moved));
        }
        let (mut resource, references) = reference::resolve(resource, existing, self.world);
        if let Some(refused) = self.refused(&resource, existing) {
            return self.plan.refused.push((resource.id.clone(), refused));
        }
        if let World::Known(existing) = self.world {
            let unmet = fixed::unmet(&resource, existing);
            self.plan.refused.extend(unmet.into_iter().map(|finding| (resource.id.clone(), finding)));
        }
        match self.remainder(&resource, existing) {
            Remainder::All => {}
            Remainder::Part(body) => resource.to_mut().body = body,
            Remainder::Nothing(unchanged) => return self.plan.unchanged.push(unchanged),
        }
        self.compare(&resource, references, existing);
    }

    /// Notes a resource that cannot become what is wanted, or that needs one which cannot. Returns whether it is one of them.
    fn leave_alone(&mut self, wanted: &Desired, resource: &Desired, existing: Option<&Value>) -> bool {
        let cause = prerequisites(resource).iter().find_map(|id| self.untouched.get(id).copied());
        if let Some(cause) = cause {
            self.plan.left_alone[cause].skipped.push(name(resource));
            self.untouched.insert(wanted.id.clone(), cause);
            return true;
        }
        let reason = resource.resource_type.left_alone.zip(existing);
        let Some(reason) = reason.and_then(|(reason, existing)| reason(existing, &resource.body)) else { return false };
        self.untouched.insert(wanted.id.clone(), self.plan.left_alone.len());
        self.plan.left_alone.push(Untouched {
            error: left_alone(resource, reason),
            id: resource.id.clone(),
            resource_type: resource.resource_type,
            skipped: Vec::new(),
            place: resource.place.clone(),
        });
        true
    }

    /// The finding about a new resource that exists in another location already: Azure moves none.
    fn moved(&self, resource: &Desired, existing: Option<&Value>) -> Option<Finding> {
        match (self.world, existing) {
            (World::Known(world), None) => fixed::moved(resource, self.desired, world),
            _ => None,
        }
    }

    /// The finding about a resource that Azure would refuse for what it is or for what exists beside it.
    fn refused(&self, resource: &Desired, existing: Option<&Value>) -> Option<Finding> {
        let World::Known(others) = self.world else { return None };
        let refuses = resource.resource_type.refuses?;
        refuses(&resource.id, &resource.body, existing, others).map(|refused| fixed::refusal(resource, &refused))
    }

    /// The remainder of a resource, next to others of its type that do some of it already.
    fn remainder(&self, resource: &Desired, existing: Option<&Value>) -> Remainder {
        let (World::Known(_), Some(remainder)) = (self.world, resource.resource_type.remainder) else {
            return Remainder::All;
        };
        let others = || self.siblings.of(resource);
        match remainder(&resource.body, existing, &mut others().map(|(_, body)| body)) {
            Some(body) if body == resource.body => Remainder::All,
            Some(body) => Remainder::Part(body),
            None => {
                let other = others().next().filter(|_| existing.is_none());
                let id = other.map_or(&resource.id, |(id, _)| id).clone();
                let body = other.map(|(_, body)| body).or(existing).unwrap_or(&Value::Null);
                Remainder::Nothing(Unchanged { id, in_progress: false, ..Unchanged::of(resource, body) })
            }
        }
    }

    /// Adds the change of a resource, or that it is as the settings want it.
    fn compare(&mut self, resource: &Desired, references: References, existing: Option<&Value>) {
        let Some(existing) = existing else {
            let unknown = matches!(self.world, World::Unknown);
            return self.plan.changes.push(creation(resource, references, unknown));
        };
        if let Some(change) = modification(resource, existing, references, &mut self.plan) {
            return self.plan.changes.push(change);
        }
        let waits_for = match (resource.resource_type.unfinished, self.world) {
            (Some(unfinished), World::Known(world)) => unfinished(existing, world),
            _ => None,
        };
        if let Some(what) = waits_for {
            self.plan.warnings.push(resource.place.remark(format_args!("the {} {what}.", name(resource))));
        }
        self.plan.unchanged.push(Unchanged::of(resource, existing));
    }
}

/// The remainder that is left to be done of a resource.
enum Remainder {
    All,
    Part(Value),
    Nothing(Unchanged),
}

/// The name of an existing resource, as messages tell it when one is made.
fn name(resource: &Desired) -> String {
    sentences::full_name(&resource.id, resource.resource_type.label)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::STORAGE_ACCOUNT;
    use crate::settings::{Document, Place, SettingsPath};

    #[test]
    fn a_plan_that_makes_room_is_the_same_as_one_that_does_not() {
        let document = Document::from_object(json!({})).unwrap();
        let id = |name: &str| {
            let group = "/subscriptions/s/resourceGroups/g";
            ResourceId::new(format!("{group}/providers/Microsoft.Storage/storageAccounts/{name}"))
        };
        let account = |name: &str, needs: &[&str]| {
            let place = Place::value(&document, SettingsPath::root());
            let body = json!({"location": "uksouth", "properties": {"note": name}});
            let depends_on = needs.iter().map(|other| id(other)).collect();
            Desired { depends_on, ..Desired::new(id(name), &STORAGE_ACCOUNT, body, place) }
        };
        let desired = vec![account("last", &["middle"]), account("first", &[]), account("middle", &["first"])];
        let named = |plan: &Plan| -> Vec<String> {
            plan.changes
                .iter()
                .map(|change| format!("{} {:?} {:?}", change.id.name(), change.body, change.changes))
                .collect()
        };
        let kept = plan(&desired, &World::Unknown);
        assert_eq!(kept.changes.iter().map(|change| change.id.name()).collect::<Vec<_>>(), ["first", "middle", "last"]);
        assert_eq!(named(&plan_unknown(desired)), named(&kept));
    }

    #[test]
    fn what_few_changes_have_takes_no_room_in_every_change() {
        // With room for a rehearsal and a first step it was 904 bytes, a twentieth more of the memory of a large plan.
        let size = size_of::<crate::plan::Change>();
        assert!(size <= 640, "{size}");
    }
}
