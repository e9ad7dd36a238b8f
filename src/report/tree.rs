//! The actions of a plan as a tree: resource group, resource, children. What belongs to the subscription itself stands apart.

use std::collections::HashMap;

use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, SUBSCRIPTION_TYPE, label_of_type, resource_type};
use crate::protocol::{Action, ActionKind};

/// A resource of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// The action on it; none where it is there only for what it holds.
    pub action: Option<&'a Action>,
    /// The plain name of its type, as in `storage account`.
    pub label: String,
    /// Its name below the node that holds it.
    pub name: String,
    /// The nodes below it, in the order of the plan.
    pub children: Vec<Node<'a>>,
}

/// The tree of a plan: its resource groups in the order of the plan, then the subscription with what is in no group.
#[must_use]
pub fn tree<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Vec<Node<'a>> {
    let mut forest = Forest::default();
    for action in actions {
        let entry = forest.enter(&ResourceId::new(&action.resource.resource_id));
        forest.entries[entry].action = Some(action);
    }
    let (groups, others): (Vec<usize>, Vec<usize>) = (0..forest.entries.len())
        .filter(|entry| forest.entries[*entry].holder.is_none())
        .partition(|entry| forest.entries[*entry].id.resource_group().is_some());
    groups.into_iter().chain(others).map(|entry| forest.node(entry)).collect()
}

/// The number of actions of a kind for each type, by its plain name; the most frequent first.
#[must_use]
pub fn by_type(actions: &[Action], kind: ActionKind) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for action in actions.iter().filter(|action| action.action == kind) {
        match counts.iter_mut().find(|(label, _)| *label == action.resource.label) {
            Some((_, count)) => *count += 1,
            None => counts.push((&action.resource.label, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// The resources that hold a resource and have a name of their own, from the nearest to the group or the subscription. Parts such
/// as the blob service of an account are passed over: there is one of them in each.
pub(super) fn holders(id: &ResourceId) -> impl Iterator<Item = ResourceId> {
    let in_group = id.resource_group().is_some();
    std::iter::successors(id.parent(), ResourceId::parent).filter(move |id| {
        let kind = id.resource_type();
        if kind == SUBSCRIPTION_TYPE { !in_group } else { resource_type(&kind).is_some() }
    })
}

struct Entry<'a> {
    id: ResourceId,
    action: Option<&'a Action>,
    holder: Option<usize>,
    held: Vec<usize>,
}

#[derive(Default)]
struct Forest<'a> {
    entries: Vec<Entry<'a>>,
    known: HashMap<ResourceId, usize>,
}

impl<'a> Forest<'a> {
    /// The entry of a resource, with those of everything that holds it.
    fn enter(&mut self, id: &ResourceId) -> usize {
        if let Some(known) = self.known.get(id) {
            return *known;
        }
        let holder = holders(id).next().map(|holder| self.enter(&holder));
        let entry = self.entries.len();
        self.entries.push(Entry { id: id.clone(), action: None, holder, held: Vec::new() });
        self.known.insert(id.clone(), entry);
        if let Some(holder) = holder {
            self.entries[holder].held.push(entry);
        }
        entry
    }

    fn node(&self, entry: usize) -> Node<'a> {
        let Entry { id, action, holder, held } = &self.entries[entry];
        let own_type = id.resource_type();
        let label = match action {
            Some(action) => &action.resource.label,
            None => label_of_type(&own_type).unwrap_or("subscription"),
        };
        let is_known = resource_type(&own_type).is_some();
        let name = match holder {
            // A type that is not in the table may be below others that are not: its name is all of them.
            Some(holder) if !is_known => below(id, &self.entries[*holder].id),
            _ => id.name().to_owned(),
        };
        Node {
            action: *action,
            label: label.to_owned(),
            name,
            children: held.iter().map(|entry| self.node(*entry)).collect(),
        }
    }
}

/// The names of an id that are not those of the resource that holds it.
fn below(id: &ResourceId, holder: &ResourceId) -> String {
    let (full, above) = (id.full_name(), holder.full_name());
    match full.strip_prefix(&above).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) if holder.resource_type() != RESOURCE_GROUP_TYPE => rest.to_owned(),
        _ => full,
    }
}
