//! Complete mode: a resource group ends up holding exactly what the document says. Azure's own complete mode deletes
//! unasked; here the deletions are part of the plan.

use std::collections::HashSet;

use super::{Change, TypeFacts};
use crate::azure::{ResourceId, ResourceType};
use crate::desired::{Desired, GroupContent};
use crate::protocol::{ActionKind, Confirm};
use crate::settings::Place;

/// The resources that have to go so that the group holds only what is desired.
#[derive(Debug, Default)]
pub struct Surplus {
    /// The number of rules of the command's own type that the group and the document have.
    pub kept: usize,
    /// Rules of the command's own type that the document does not have.
    pub rules: Vec<ResourceId>,
    /// Everything else that complete mode would delete.
    pub foreign: Vec<(ResourceId, String)>,
}

/// Sorts what is in the group and not desired.
#[must_use]
pub fn surplus(content: &GroupContent, desired: &[Desired], rules: &ResourceType) -> Surplus {
    let wanted: HashSet<&ResourceId> = desired.iter().map(|resource| &resource.id).collect();
    let mut surplus = Surplus::default();
    for item in content.items() {
        match (item.resource_type.eq_ignore_ascii_case(rules.name), wanted.contains(&item.id)) {
            (true, true) => surplus.kept += 1,
            (true, false) => surplus.rules.push(item.id.clone()),
            (false, true) => {}
            (false, false) => surplus.foreign.push((item.id.clone(), item.resource_type.clone())),
        }
    }
    surplus
}

impl Surplus {
    /// Whether the group has several rules and the document none of them: they are those of another document, of another
    /// environment, or an empty list has come about by accident.
    #[must_use]
    pub fn keeps_none(&self) -> bool {
        self.kept == 0 && self.rules.len() > 1
    }
}

/// A planned deletion, which is asked for and made when everything else has succeeded.
#[must_use]
pub fn deletion(id: ResourceId, resource_type: TypeFacts, place: &Place) -> Change {
    Change { confirm: Confirm::Always, last: true, ..Change::new(ActionKind::Delete, id, resource_type, place) }
}
