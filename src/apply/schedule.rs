//! The schedule of the steps: which are ready, which wait, and what became of the others.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;

use super::deletions::Deletions;
use super::in_flight::InFlight;
use super::record::Record;
use super::sightings::{Sighting, Sightings};
use super::step::{Made, Step};
use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::plan::Plan;
use crate::plan::graph::walk;
use crate::protocol::Host;

/// The time of a step of which nothing else is known: a request and its answer.
const MOMENT: Duration = Duration::from_secs(1);

/// The ways in which a step ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Failed,
    NotApproved,
}

/// A step under way: its index, when it began and how it ended, with what Azure says of the resource.
pub(super) type Running<'a> = BoxFuture<'a, (usize, Instant, Result<Made, ArmError>)>;

/// The steps that are ready, and what became of the others.
pub(super) struct Schedule<'a> {
    pub(super) steps: &'a [Step<'a>],
    pub(super) host: &'a Host,
    /// The steps that wait for each step.
    dependents: Vec<Vec<usize>>,
    /// The number of steps that each step still waits for.
    waits_for: Vec<usize>,
    /// The steps that came to nothing because of each step, for one warning each.
    pub(super) blocked: HashMap<usize, Vec<usize>>,
    blocked_by: Vec<Option<usize>>,
    pub(super) ends: Vec<Option<End>>,
    /// The steps that wait for nothing more, those before which the most waits first.
    ready: BTreeSet<(Reverse<Duration>, usize)>,
    /// The time that each step and everything that waits for it usually take.
    ways: Vec<Duration>,
    /// The deletions, which wait until everything else of their document has succeeded.
    pub(super) deletions: Deletions,
    /// The locks of the steps that are under way.
    locked: HashSet<ResourceId>,
    /// The states that the first steps have made of resources whose changes are still to come.
    after_first: HashMap<ResourceId, Sighting<'a>>,
    pub(super) record: &'a Record,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(steps: &'a [Step<'a>], plan: &Plan, host: &'a Host, record: &'a Record) -> Schedule<'a> {
        let by_id = |firsts: bool| -> HashMap<&ResourceId, usize> {
            let of_kind = steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::First(..)) == firsts);
            of_kind.map(|(index, step)| (step.id(), index)).collect()
        };
        let (by_id, firsts) = (by_id(false), by_id(true));
        let mut dependents = vec![Vec::new(); steps.len()];
        let mut waits_for = vec![0; steps.len()];
        for (index, step) in steps.iter().enumerate() {
            let (depends_on, after_firsts): (_, Vec<&ResourceId>) = match step {
                Step::Change(change) => {
                    let own = change.first.iter().map(|_| &change.id);
                    (&change.depends_on, change.after_first_of.iter().chain(own).collect())
                }
                Step::First(_, first) => (&first.depends_on, Vec::new()),
                Step::Wait(_) => continue,
            };
            let before = depends_on.iter().filter_map(|id| by_id.get(id));
            let firsts = after_firsts.into_iter().filter_map(|id| firsts.get(id));
            let prerequisites: HashSet<usize> = before.chain(firsts).copied().collect();
            waits_for[index] = prerequisites.len();
            for before in prerequisites {
                dependents[before].push(index);
            }
        }
        let is_last = |index: &usize| matches!(steps[*index], Step::Change(change) if change.last);
        let (deletions, others): (Vec<usize>, Vec<usize>) = (0..steps.len()).partition(is_last);
        let ways = ways(steps, &dependents);
        let ready = others.into_iter().filter(|index| waits_for[*index] == 0);
        Schedule {
            ready: ready.map(|index| (Reverse(ways[index]), index)).collect(),
            ways,
            steps,
            host,
            dependents,
            waits_for,
            blocked: HashMap::new(),
            blocked_by: vec![None; steps.len()],
            ends: vec![None; steps.len()],
            deletions: Deletions::of(&deletions, steps, plan),
            locked: HashSet::new(),
            after_first: HashMap::new(),
            record,
        }
    }

    /// The step that is ready and whose lock is free before which the most waits; of several the first of the plan.
    pub(super) fn next_ready(&mut self) -> Option<usize> {
        let is_free = |index: usize| self.steps[index].lock().is_none_or(|lock| !self.locked.contains(lock));
        let next = *self.ready.iter().find(|(_, index)| is_free(*index))?;
        self.ready.remove(&next);
        Some(next.1)
    }

    /// Steps that wait for nothing more.
    pub(super) fn make_ready(&mut self, steps: impl IntoIterator<Item = usize>) {
        self.ready.extend(steps.into_iter().map(|index| (Reverse(self.ways[index]), index)));
    }

    /// Puts a step under way.
    pub(super) fn begin(
        &mut self,
        index: usize,
        client: &'a ArmClient,
        seen: &'a Sightings,
        in_flight: &'a InFlight,
    ) -> Running<'a> {
        let step = self.steps[index];
        self.locked.extend(step.lock().cloned());
        let seen = match step {
            Step::Change(change) => self.after_first.remove(&change.id).unwrap_or_else(|| seen.of(change)),
            Step::First(change, _) => seen.of(change),
            Step::Wait(_) => Sighting { body: None, at: None },
        };
        Box::pin(async move {
            let start = Instant::now();
            (index, start, step.make(client, seen, in_flight).await)
        })
    }

    /// Notes what became of a step that was under way.
    pub(super) fn finish(&mut self, index: usize, took: Duration, result: Result<Made, ArmError>) -> End {
        if let Some(lock) = self.steps[index].lock() {
            self.locked.remove(lock);
        }
        let end = match result {
            Ok(made) => {
                if made.by_us && !matches!(self.steps[index], Step::Wait(_)) {
                    self.record.changed();
                }
                self.done(index, took, &made);
                if let Step::First(change, _) = self.steps[index] {
                    let body = made.resource.map(Cow::Owned);
                    self.after_first
                        .insert(change.id.clone(), Sighting { body, at: Some(tokio::time::Instant::now()) });
                }
                End::Done
            }
            Err(error) => {
                self.failed(index, &error);
                End::Failed
            }
        };
        self.end(index, end);
        end
    }

    /// Notes the end of a step, and frees or blocks what waits for it.
    pub(super) fn end(&mut self, index: usize, end: End) {
        self.ends[index] = Some(end);
        // Where a first step comes to nothing, so does its change, which is what people know.
        let change = if end == End::Done { None } else { self.change_of_first(index) };
        if let Some(change) = change {
            self.end(change, end);
        } else if end == End::NotApproved {
            self.record.count(|counts| counts.skipped += 1);
        }
        let cause = self.blocked_by[index].or(change).unwrap_or(index);
        // The command continues without what is only nice to have.
        let blocks = end != End::Done && !self.is_best_effort(index);
        for dependent in std::mem::take(&mut self.dependents[index]) {
            self.waits_for[dependent] -= 1;
            if blocks {
                self.blocked_by[dependent].get_or_insert(cause);
            }
            if self.waits_for[dependent] == 0 && self.ends[dependent].is_none() {
                match self.blocked_by[dependent] {
                    None => self.make_ready([dependent]),
                    Some(cause) => {
                        self.blocked.entry(cause).or_default().push(dependent);
                        self.end(dependent, End::NotApproved);
                    }
                }
            }
        }
    }

    fn is_best_effort(&self, index: usize) -> bool {
        matches!(self.steps[index], Step::Change(change) if change.best_effort)
    }

    /// The change of a first step.
    fn change_of_first(&self, index: usize) -> Option<usize> {
        let Step::First(change, _) = self.steps[index] else { return None };
        self.steps.iter().position(|step| matches!(step, Step::Change(other) if other.id == change.id))
    }
}

/// The time that each step and the longest chain of those that wait for it usually take: a creation takes what Azure documents or is known to
/// take, everything else a moment. A chain that is begun late is what a run waits for at its end.
fn ways(steps: &[Step<'_>], dependents: &[Vec<usize>]) -> Vec<Duration> {
    let mut ways = vec![Duration::ZERO; steps.len()];
    for index in walk(dependents).ordered {
        let longest = dependents[index].iter().map(|dependent| ways[*dependent]).max().unwrap_or_default();
        ways[index] = longest + steps[index].usual().unwrap_or_default() + MOMENT;
    }
    ways
}
