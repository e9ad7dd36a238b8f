//! The order in which changes are made, as a graph that can still be read: with every change where that is possible, else with the
//! changes of a resource, or of a type in a resource group, as one node.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::{Action, ActionKind, plural};

/// The type of resource groups, in lower case.
const RESOURCE_GROUP: &str = "microsoft.resources/resourcegroups";

/// The amount that a drawing can show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) nodes: usize,
    pub(super) edges: usize,
}

/// Changes, and which of them has to succeed before which.
#[derive(Debug)]
pub(super) struct Graph {
    /// In the order in which they would be made.
    pub(super) nodes: Vec<Node>,
    /// From what comes first to what needs it, both as indexes of `nodes`; only what does not follow from the others. A pair
    /// that goes back is only there where nodes stand for several changes.
    pub(super) edges: Vec<(usize, usize)>,
    /// The detail that a node stands for.
    pub(super) detail: Detail,
}

/// The details that nodes can stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    Change,
    /// A resource with what is in it.
    Resource,
    /// The resources of a type in a resource group.
    Type,
}

/// One change, or several that are drawn as one.
#[derive(Debug)]
pub(super) struct Node {
    /// The action; none where there are several.
    pub(super) kind: Option<ActionKind>,
    /// The name that people have for the type.
    pub(super) label: String,
    /// The name, or how many there are.
    pub(super) name: String,
    /// The text that a pointer shows: everything about it.
    pub(super) title: String,
    pub(super) resource_group: Option<String>,
    /// It is the resource group.
    pub(super) is_group: bool,
    /// The index of the first of its changes.
    pub(super) action: usize,
    changes: usize,
}

impl Graph {
    /// The graph in the most detail that the limits allow; none where nothing depends on anything, or where even the least
    /// detail is too much.
    pub(super) fn new(actions: &[Action], limits: Limits) -> Option<Graph> {
        [Detail::Change, Detail::Resource, Detail::Type]
            .into_iter()
            .find_map(|detail| Graph::with(actions, detail, limits))
            .filter(|graph| !graph.edges.is_empty())
    }

    /// The note that a reader needs about the drawing; nothing where every change has its node.
    pub(super) fn note(&self) -> Option<&'static str> {
        match self.detail {
            Detail::Change => None,
            Detail::Resource => {
                Some("Every box is a resource with all that is in it: there are too many changes for a box each.")
            }
            Detail::Type => {
                Some("Every box is a type in a resource group: there are too many resources for a box each.")
            }
        }
    }

    fn with(actions: &[Action], detail: Detail, limits: Limits) -> Option<Graph> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut by_key: BTreeMap<String, usize> = BTreeMap::new();
        let mut node_of: BTreeMap<usize, usize> = BTreeMap::new();
        for action in actions {
            let node = *by_key.entry(key(action, detail)).or_insert_with(|| {
                nodes.push(Node::new(action, detail));
                nodes.len() - 1
            });
            nodes[node].add(action, detail);
            if nodes.len() > limits.nodes {
                return None;
            }
            node_of.insert(action.index, node);
        }
        let mut edges = BTreeSet::new();
        for action in actions {
            let to = node_of[&action.index];
            let from = action.depends_on.iter().filter_map(|index| node_of.get(index));
            edges.extend(from.filter(|from| **from != to).map(|from| (*from, to)));
        }
        let edges = without_what_follows(nodes.len(), &edges);
        (edges.len() <= limits.edges).then_some(Graph { nodes, edges, detail })
    }
}

/// Changes with the same key are one node.
fn key(action: &Action, detail: Detail) -> String {
    let id = action.resource.resource_id.to_lowercase();
    match detail {
        Detail::Change => format!("{} {id}", action.index),
        Detail::Resource => top_level(&id).to_owned(),
        Detail::Type => {
            let group = action.resource.resource_group.as_deref().unwrap_or_default().to_lowercase();
            format!("{group} {}", action.resource.resource_type.to_lowercase())
        }
    }
}

/// The id of the resource that this one is in: `…/providers/Microsoft.Web/sites/shop` of a slot of it.
pub(super) fn top_level(id: &str) -> &str {
    let Some(start) = id.find("/providers/") else { return id };
    let after = start + "/providers/".len();
    let mut slashes = id[after..].match_indices('/').map(|(at, _)| after + at);
    slashes.nth(2).map_or(id, |end| &id[..end])
}

impl Node {
    fn new(action: &Action, detail: Detail) -> Node {
        Node {
            kind: Some(action.action),
            label: action.resource.label.clone(),
            name: if detail == Detail::Change {
                action.resource.name.clone()
            } else {
                action.resource.full_name.clone()
            },
            title: action.description.clone(),
            resource_group: action.resource.resource_group.clone(),
            is_group: action.resource.resource_type.eq_ignore_ascii_case(RESOURCE_GROUP),
            action: action.index,
            changes: 0,
        }
    }

    fn add(&mut self, action: &Action, detail: Detail) {
        self.changes += 1;
        self.kind = self.kind.filter(|kind| *kind == action.action);
        if self.changes < 2 {
            return;
        }
        let changes = format!("{} changes", self.changes);
        match detail {
            Detail::Change => {}
            Detail::Resource => {
                // The resource itself may be unchanged, or come after what is in it.
                let own = top_level(&action.resource.resource_id).rsplit('/').next().unwrap_or_default();
                own.clone_into(&mut self.name);
                self.title = format!("{own}: {changes}");
            }
            Detail::Type => {
                self.name = format!("{} resource{}", self.changes, plural(self.changes));
                self.title = format!("{}: {changes}", self.label);
            }
        }
    }
}

/// The edges without those that a way over other edges says already.
fn without_what_follows(nodes: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    // An edge that goes back is in no way that is looked at, so that there is no circle.
    for (from, to) in edges.iter().filter(|(from, to)| from < to) {
        next[*from].push(*to);
    }
    let mut reached: Vec<Vec<bool>> = vec![vec![false; nodes]; nodes];
    let mut kept: Vec<(usize, usize)> = edges.iter().copied().filter(|(from, to)| from > to).collect();
    for from in (0..nodes).rev() {
        // The nearest first: what a farther one says may follow from it.
        for to in &next[from] {
            if !reached[from][*to] {
                kept.push((from, *to));
            }
            let beyond = reached[*to].clone();
            let own = &mut reached[from];
            own[*to] = true;
            own.iter_mut().zip(beyond).for_each(|(own, beyond)| *own |= beyond);
        }
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{action, many};

    const WIDE: Limits = Limits { nodes: 1000, edges: 1000 };

    #[test]
    fn what_follows_is_not_drawn() {
        let site = "resourceGroups/rg/providers/Microsoft.Web/sites/shop";
        let actions = [
            action(0, "resourceGroups/rg", &[]),
            action(1, site, &[0]),
            action(2, &format!("{site}/slots/staging"), &[0, 1]),
            action(3, &format!("{site}/slots/staging/config/appsettings"), &[0, 1, 2]),
        ];
        let graph = Graph::new(&actions, WIDE).unwrap();
        assert_eq!(graph.edges, [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(graph.detail, Detail::Change);
        assert!(graph.nodes[0].is_group && !graph.nodes[1].is_group);
    }

    #[test]
    fn changes_that_do_not_depend_on_each_other_are_no_graph() {
        assert!(Graph::new(&[action(0, "resourceGroups/a", &[]), action(1, "resourceGroups/b", &[])], WIDE).is_none());
        assert!(Graph::new(&[], WIDE).is_none());
    }

    #[test]
    fn many_changes_are_drawn_as_resources_and_more_as_types() {
        let actions = many(20, 0);
        let in_detail = |nodes| Graph::new(&actions, Limits { nodes, edges: 1000 }).map(|graph| graph.detail);
        // 20 apps with a slot and their settings, 2 plans, 1 group.
        assert_eq!(in_detail(63), Some(Detail::Change));
        assert_eq!(in_detail(62), Some(Detail::Resource));
        assert_eq!(in_detail(22), Some(Detail::Type));
        assert_eq!(in_detail(4), None);
        let types = Graph::new(&actions, Limits { nodes: 22, edges: 1000 }).unwrap();
        assert_eq!(types.nodes[2].name, "20 resources");
        assert!(types.note().is_some());
        assert_eq!(Graph::new(&actions, Limits { nodes: 63, edges: 61 }).unwrap().detail, Detail::Resource);
    }

    #[test]
    fn nodes_that_stand_for_several_changes_may_need_each_other() {
        let in_group = |what: &str| format!("resourceGroups/rg/providers/Microsoft.Web/{what}");
        let actions = [
            action(0, &in_group("sites/a"), &[]),
            action(1, &in_group("serverfarms/b"), &[0]),
            action(2, &in_group("sites/c"), &[1]),
        ];
        let graph = Graph::new(&actions, Limits { nodes: 2, edges: 10 }).unwrap();
        assert_eq!((graph.detail, &graph.edges[..]), (Detail::Type, &[(0, 1), (1, 0)][..]));
    }

    #[test]
    fn a_resource_is_found_above_what_is_in_it() {
        let site = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Web/sites/shop";
        assert_eq!(top_level(site), site);
        assert_eq!(top_level(&format!("{site}/slots/staging")), site);
        assert_eq!(top_level(&format!("{site}/providers/Microsoft.Authorization/roleAssignments/x")), site);
        assert_eq!(top_level("/subscriptions/s/resourceGroups/rg"), "/subscriptions/s/resourceGroups/rg");
    }
}
