//! The resources that are deployed together: one deployment for each resource group, or more where two groups wait for each other.

use std::collections::BTreeSet;

use crate::plan::graph::lowest_first;

/// Resources that one deployment makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// The number of the scope that they are in.
    pub(super) scope: usize,
    /// Their positions, in an order in which they can be made.
    pub(super) members: Vec<usize>,
    /// The positions of the units that have to be done before.
    pub(super) after: BTreeSet<usize>,
}

/// The units of resources, of which `scopes` has the scope of each and `needs` what each needs, in an order in which they can be made.
/// A unit waits for whole units, so that what waits for each other over the bounds of a group is taken apart.
pub(super) fn units(scopes: &[usize], needs: &[Vec<usize>]) -> Vec<Unit> {
    let mut phases = vec![0; scopes.len()];
    for at in 0..scopes.len() {
        // What is needed comes before.
        let phase = needs[at].iter().map(|before| phases[*before] + usize::from(scopes[*before] != scopes[at])).max();
        phases[at] = phase.unwrap_or_default();
    }
    let keys: BTreeSet<(usize, usize)> = (0..scopes.len()).map(|at| (scopes[at], phases[at])).collect();
    let keys: Vec<(usize, usize)> = keys.into_iter().collect();
    let of: Vec<usize> =
        (0..scopes.len()).map(|at| keys.binary_search(&(scopes[at], phases[at])).unwrap_or_default()).collect();
    let edges: BTreeSet<(usize, usize)> = (0..scopes.len())
        .flat_map(|at| needs[at].iter().map(move |before| (*before, at)))
        .map(|(before, at)| (of[before], of[at]))
        .filter(|(before, at)| before != at)
        .collect();
    let merged = merged(&keys, &edges);
    arranged(scopes, &of.iter().map(|unit| merged[*unit]).collect::<Vec<_>>(), needs)
}

/// For each unit the first one that it can be joined with.
fn merged(keys: &[(usize, usize)], edges: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut of: Vec<usize> = (0..keys.len()).collect();
    for unit in 1..keys.len() {
        let before = (0..unit).filter(|other| of[*other] == *other && keys[*other].0 == keys[unit].0);
        for other in before.collect::<Vec<_>>() {
            of[unit] = other;
            if order(keys.len(), &relabelled(&of, edges)).is_some() {
                break;
            }
            of[unit] = unit;
        }
    }
    of
}

fn relabelled(of: &[usize], edges: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
    edges.iter().map(|(before, after)| (of[*before], of[*after])).filter(|(before, after)| before != after).collect()
}

/// The numbers below `count` in an order that the edges allow, lower ones first; none where they go round in a circle.
fn order(count: usize, edges: &BTreeSet<(usize, usize)>) -> Option<Vec<usize>> {
    let mut needs = vec![BTreeSet::new(); count];
    for (before, after) in edges {
        needs[*after].insert(*before);
    }
    lowest_first(&needs)
}

/// The units in their order.
fn arranged(scopes: &[usize], of: &[usize], needs: &[Vec<usize>]) -> Vec<Unit> {
    let all = of.iter().max().map_or(0, |most| most + 1);
    let needed = |at: usize| needs[at].iter().map(move |before| (of[*before], of[at]));
    let edges: BTreeSet<(usize, usize)> = (0..of.len()).flat_map(needed).filter(|(before, at)| before != at).collect();
    let Some(order) = order(all, &edges) else { return Vec::new() };
    let used: Vec<usize> = order.into_iter().filter(|unit| of.contains(unit)).collect();
    let position = |unit: usize| used.iter().position(|known| *known == unit).unwrap_or_default();
    let unit = |unit: &usize| {
        let members: Vec<usize> = (0..of.len()).filter(|at| of[*at] == *unit).collect();
        let before = edges.iter().filter(|(_, after)| after == unit);
        Unit {
            scope: members.first().map_or(0, |first| scopes[*first]),
            after: before.map(|(before, _)| position(*before)).collect(),
            members,
        }
    };
    used.iter().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(scopes: &[usize], needs: &[&[usize]]) -> Vec<(usize, Vec<usize>, Vec<usize>)> {
        let needs: Vec<Vec<usize>> = needs.iter().map(|needs| needs.to_vec()).collect();
        let units = units(scopes, &needs).into_iter();
        units.map(|unit| (unit.scope, unit.members, unit.after.into_iter().collect())).collect()
    }

    #[test]
    fn each_group_is_one_unit_where_it_can_be() {
        // The last one of group 0 waits for nothing of group 1.
        let made = shown(&[0, 1, 0], &[&[], &[0], &[0]]);
        assert_eq!(made, [(0, vec![0, 2], vec![]), (1, vec![1], vec![0])]);
        // One that waits for two others, of which the first waits for the second.
        let made = shown(&[0, 1, 2, 1], &[&[], &[0], &[1], &[]]);
        assert_eq!(made, [(0, vec![0], vec![]), (1, vec![1, 3], vec![0]), (2, vec![2], vec![1])]);
    }

    #[test]
    fn groups_that_wait_for_each_other_are_taken_apart() {
        // An app, its endpoint in the group of the network, and something in its own group that waits for the endpoint.
        let made = shown(&[0, 1, 0], &[&[], &[0], &[1]]);
        assert_eq!(made, [(0, vec![0], vec![]), (1, vec![1], vec![0]), (0, vec![2], vec![1])]);
    }

    #[test]
    fn nothing_is_no_unit() {
        assert_eq!(units(&[], &[]), []);
    }
}
