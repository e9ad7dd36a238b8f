//! The order of changes of which one has to lose what another gets: losers first, and what two have to swap over a step between.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::graph::walk;
use super::{Change, FirstStep};
use crate::azure::{Exclusive, ResourceId, ResourceType, resource_type};
use crate::desired::{Existing, body};

/// One change has to lose something before another can get it.
struct Edge {
    loser: usize,
    winner: usize,
    what: String,
}

/// Makes every change wait for those that lose what it gets, and puts the changes into an order in which they can be made.
pub fn arrange(changes: &mut Vec<Change>, existing: &Existing) {
    let shifts = shifts(changes, existing);
    let mut edges = edges(&shifts);
    while let Some(cycle) = cycle(&edges, changes.len()) {
        break_up(&cycle, &mut edges, changes, existing);
    }
    let late = late_losers(&shifts, &edges, changes);
    // Nothing is taken away before everything else is there that its next owner needs: if that fails, all stays as it was.
    let needed: Vec<(usize, Vec<ResourceId>)> =
        edges.iter().map(|edge| (edge.loser, changes[edge.winner].depends_on.clone())).collect();
    for (loser, ids) in needed {
        wait_for(&mut changes[loser].depends_on, ids);
    }
    for (before, after) in edges.iter().map(|edge| (edge.loser, edge.winner)).chain(late) {
        let before = changes[before].id.clone();
        wait_for(&mut changes[after].depends_on, [before]);
    }
    sort(changes);
}

fn wait_for(depends_on: &mut Vec<ResourceId>, ids: impl IntoIterator<Item = ResourceId>) {
    for id in ids {
        if !depends_on.contains(&id) {
            depends_on.push(id);
        }
    }
}

/// The parts that a change takes from a resource, and those that it gives to it.
struct Shift {
    change: usize,
    resource_type: &'static ResourceType,
    exclusive: Exclusive,
    parent: Option<ResourceId>,
    lost: BTreeSet<String>,
    won: BTreeSet<String>,
}

fn shifts(changes: &[Change], existing: &Existing) -> Vec<Shift> {
    let shift = |(index, change): (usize, &Change)| {
        let resource_type = resource_type(&change.resource_type.name)?;
        let exclusive = resource_type.exclusive?;
        let before = existing.get(&change.id).map(exclusive.has).unwrap_or_default();
        let after = change.body.as_ref().map(exclusive.has).unwrap_or_default();
        Some(Shift {
            change: index,
            resource_type,
            exclusive,
            parent: change.id.parent(),
            lost: before.difference(&after).cloned().collect(),
            won: after.difference(&before).cloned().collect(),
        })
    };
    changes.iter().enumerate().filter_map(shift).collect()
}

/// The edges: who has to lose what to whom.
fn edges(shifts: &[Shift]) -> Vec<Edge> {
    type Key<'a> = (&'a str, &'a Option<ResourceId>, &'a str);
    let mut losers: HashMap<Key<'_>, usize> = HashMap::new();
    for shift in shifts {
        losers.extend(
            shift.lost.iter().map(|what| ((shift.resource_type.name, &shift.parent, what.as_str()), shift.change)),
        );
    }
    let mut edges = Vec::new();
    for shift in shifts {
        edges.extend(shift.won.iter().filter_map(|what| {
            let loser = *losers.get(&(shift.resource_type.name, &shift.parent, what.as_str()))?;
            Some(Edge { loser, winner: shift.change, what: what.clone() })
        }));
    }
    edges
}

/// Those of whom nobody gets what they lose wait for those who serve it from now on, so that somebody always does: a route goes when
/// the routes that take its place are there. Pairs of who is before whom.
fn late_losers(shifts: &[Shift], edges: &[Edge], changes: &[Change]) -> Vec<(usize, usize)> {
    let is_free =
        |shift: &Shift| changes[shift.change].first.is_none() && !edges.iter().any(|edge| edge.loser == shift.change);
    let mut late = Vec::new();
    for loser in shifts.iter().filter(|shift| !shift.lost.is_empty() && is_free(shift)) {
        for winner in shifts {
            // Two who both get and lose something could wait for each other.
            let may_wait = loser.won.is_empty() || winner.lost.is_empty();
            let is_near = winner.resource_type.name == loser.resource_type.name && winner.parent == loser.parent;
            let replaces =
                || loser.lost.iter().any(|lost| winner.won.iter().any(|won| (loser.exclusive.replaces)(lost, won)));
            if winner.change != loser.change && may_wait && is_near && replaces() {
                late.push((winner.change, loser.change));
            }
        }
    }
    late
}

/// Changes that wait for each other, if there are any.
fn cycle(edges: &[Edge], count: usize) -> Option<Vec<usize>> {
    let mut winners = vec![Vec::new(); count];
    edges.iter().for_each(|edge| winners[edge.loser].push(edge.winner));
    walk(&winners).cycle
}

/// Lets the one of a cycle that keeps most lose what others get in a step of its own. All of the cycle is made, or nothing.
fn break_up(cycle: &[usize], edges: &mut Vec<Edge>, changes: &mut [Change], existing: &Existing) {
    let candidates = cycle.iter().filter_map(|index| {
        let change = &changes[*index];
        let known = resource_type(&change.resource_type.name)?;
        let exclusive = known.exclusive?;
        let taken: BTreeSet<String> =
            edges.iter().filter(|edge| edge.loser == *index).map(|edge| edge.what.clone()).collect();
        let narrowed = (exclusive.without)(&body::writable(known, existing.get(&change.id)?), &taken);
        let keeps = narrowed.as_ref().map_or(0, |narrowed| (exclusive.has)(narrowed).len());
        Some((keeps, *index, narrowed))
    });
    // Of equal ones the first of the plan.
    let best = candidates.max_by_key(|(keeps, index, _)| (*keeps, std::cmp::Reverse(*index)));
    let Some((_, index, narrowed)) = best else { return edges.clear() };
    let id = changes[index].id.clone();
    let winners: HashSet<usize> = edges.iter().filter(|edge| edge.loser == index).map(|edge| edge.winner).collect();
    let mut depends_on = changes[index].depends_on.clone();
    for winner in winners {
        changes[winner].after_first_of.push(id.clone());
        wait_for(&mut depends_on, changes[winner].depends_on.clone());
    }
    changes[index].first = Some(Box::new(FirstStep { body: narrowed, depends_on }));
    edges.retain(|edge| edge.loser != index);
    let ids: Vec<ResourceId> = cycle.iter().map(|index| changes[*index].id.clone()).collect();
    for index in cycle {
        let others = ids.iter().filter(|id| **id != changes[*index].id);
        let new: Vec<ResourceId> = others.filter(|id| !changes[*index].together.contains(id)).cloned().collect();
        changes[*index].together.extend(new);
    }
}

/// Prerequisites before what needs them; otherwise the order stays.
fn sort(changes: &mut Vec<Change>) {
    let by_id: HashMap<&ResourceId, usize> =
        changes.iter().enumerate().map(|(index, change)| (&change.id, index)).collect();
    let before = |change: &Change| change.depends_on.iter().filter_map(|id| by_id.get(id).copied()).collect();
    let ordered = walk(&changes.iter().map(before).collect::<Vec<_>>()).ordered;
    let mut places: Vec<Option<Change>> = std::mem::take(changes).into_iter().map(Some).collect();
    changes.extend(ordered.into_iter().filter_map(|index| places[index].take()));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::azure::types::{FRONT_DOOR_ENDPOINT, ROUTE};
    use crate::desired::{Desired, World};
    use crate::plan::{deletion, plan};
    use crate::settings::{Document, Place, SettingsPath};

    const ENDPOINT: &str = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cdn/profiles/p/afdEndpoints/e";

    fn place() -> Place {
        Place::value(&Document::from_object(json!({})).unwrap(), SettingsPath::root())
    }

    fn id(name: &str) -> ResourceId {
        ROUTE.child_of(&ResourceId::new(ENDPOINT), name)
    }

    fn route(patterns: &[&str]) -> Value {
        json!({"properties": {"patternsToMatch": patterns, "linkToDefaultDomain": "Enabled", "supportedProtocols": ["Https"]}})
    }

    /// The changes that lead from routes with these patterns to others, in their order; no patterns are no route.
    fn arranged(moves: &[(&str, &[&str], &[&str])]) -> Vec<Change> {
        assert!(FRONT_DOOR_ENDPOINT.exclusive.is_none());
        let before = moves.iter().filter(|(_, before, _)| !before.is_empty());
        let existing: Existing = before.map(|(name, before, _)| (id(name), route(before))).collect();
        let after = moves.iter().filter(|(_, _, after)| !after.is_empty());
        let desired: Vec<Desired> =
            after.map(|(name, _, after)| Desired::new(id(name), &ROUTE, route(after), place())).collect();
        let world = World::Known(existing);
        let mut changes = plan(&desired, &world).changes;
        for (name, _, _) in moves.iter().filter(|(_, _, after)| after.is_empty()) {
            changes.push(deletion(id(name), (&ROUTE).into(), &place()));
        }
        let World::Known(existing) = world else { unreachable!() };
        arrange(&mut changes, &existing);
        changes
    }

    fn names(changes: &[Change]) -> Vec<&str> {
        changes.iter().map(|change| change.id.name()).collect()
    }

    #[test]
    fn losers_go_first() {
        let changes = arranged(&[("winner", &["/a"], &["/a", "/b"]), ("loser", &["/b", "/c"], &["/c"])]);
        assert_eq!(names(&changes), ["loser", "winner"]);
        assert!(changes[1].depends_on.contains(&id("loser")) && changes.iter().all(|change| change.first.is_none()));
        let renamed = arranged(&[("new", &[], &["/*"]), ("old", &["/*"], &[])]);
        assert_eq!(names(&renamed), ["old", "new"]);
        let apart = arranged(&[("new", &[], &["/a"]), ("old", &["/b"], &[])]);
        assert_eq!(names(&apart), ["new", "old"], "what has nothing to do with each other stays in its order");
        assert!(!apart[0].depends_on.contains(&id("old")));
    }

    #[test]
    fn what_nobody_gets_goes_when_what_takes_its_place_is_there() {
        let split = arranged(&[("old", &["/*"], &[]), ("one", &[], &["/a/*"]), ("two", &[], &["/b"])]);
        assert_eq!(names(&split), ["one", "two", "old"]);
        assert!(split[2].depends_on.contains(&id("one")) && split[2].depends_on.contains(&id("two")));
        let narrowed = arranged(&[("wide", &["/*"], &["/w"]), ("one", &[], &["/a"])]);
        assert_eq!(names(&narrowed), ["one", "wide"]);
        let both_ways = arranged(&[("a", &["/a/*"], &["/b/x"]), ("b", &["/b/*"], &["/a/x"])]);
        assert_eq!(names(&both_ways), ["a", "b"], "they cannot both wait");
        // Somebody gets it, so it has to go first.
        let taken = arranged(&[("new", &[], &["/*"]), ("narrow", &[], &["/a"]), ("old", &["/*"], &[])]);
        assert_eq!(names(&taken), ["old", "new", "narrow"]);
    }

    #[test]
    fn a_swap_is_made_over_a_step_between_by_the_one_that_keeps_most() {
        let changes = arranged(&[("one", &["/a"], &["/b"]), ("other", &["/b", "/c"], &["/a", "/c"])]);
        assert_eq!(names(&changes), ["one", "other"]);
        let [one, other] = &changes[..] else { panic!("{changes:?}") };
        assert_eq!(
            other.first.as_ref().unwrap().body.as_ref().unwrap()["properties"]["patternsToMatch"],
            json!(["/c"])
        );
        assert_eq!((&one.after_first_of, &one.first.is_none()), (&vec![id("other")], &true));
        assert!(other.depends_on.contains(&id("one")) && !one.depends_on.contains(&id("other")));
        assert_eq!((&one.together, &other.together), (&vec![id("other")], &vec![id("one")]));
    }

    #[test]
    fn a_swap_of_all_that_routes_have_takes_one_of_them_out() {
        let changes = arranged(&[("one", &["/a"], &["/b"]), ("two", &["/b"], &["/c"]), ("three", &["/c"], &["/a"])]);
        let first: Vec<&Change> = changes.iter().filter(|change| change.first.is_some()).collect();
        let [first] = first[..] else { panic!("{changes:?}") };
        assert!(first.id == id("one") && first.first.as_ref().unwrap().body.is_none());
        assert_eq!(names(&changes), ["three", "two", "one"]);
        assert_eq!(changes[0].after_first_of, [id("one")]);
        assert_eq!(first.together.len(), 2);
    }
}
