//! Makes the approved changes: prerequisites first, the rest in parallel, each followed to its end.

mod body;
mod deletions;
mod in_flight;
mod outcome;
mod progress;
mod record;
mod schedule;
mod sightings;
mod step;
mod write;

use std::collections::HashSet;

use futures::stream::{FuturesUnordered, StreamExt};

use deletions::Look;
pub use in_flight::InFlight;
pub use outcome::{report_of, skipped};
use progress::Progress;
pub use record::Record;
use schedule::{End, Running, Schedule};
pub use sightings::Sightings;
use step::Step;

use crate::azure::{ArmClient, ResourceId};
use crate::plan::Plan;
use crate::protocol::Host;

/// The number of changes that are under way at once. Azure's buckets allow bursts of 200 writes; more than this at once gains
/// nothing, because most of the time of a change is waiting for its operation.
const CHANGES_AT_ONCE: usize = 16;

/// A plan and what of it was approved.
#[derive(Debug, Clone, Copy)]
pub struct ApprovedPlan<'a> {
    /// All changes, those that nobody approved as well.
    pub plan: &'a Plan,
    /// The existing resources among those that it changes, as it saw them.
    pub seen: &'a Sightings,
    /// The indexes of the changes that were approved.
    pub indexes: &'a HashSet<usize>,
}

/// Makes the changes that were approved, reports each that is made, and notes what becomes of them all.
pub async fn apply(
    client: &ArmClient,
    approved: ApprovedPlan<'_>,
    activity: &str,
    host: &Host,
    in_flight: &InFlight,
    record: &Record,
) {
    let ApprovedPlan { plan, seen, indexes } = approved;
    let changes = plan.changes.iter().map(Step::Change);
    let waits = plan.unchanged.iter().filter(|resource| resource.in_progress).map(Step::Wait);
    let firsts = plan.changes.iter().filter_map(|change| Some(Step::First(change, change.first.as_ref()?)));
    let steps: Vec<Step<'_>> = changes.chain(waits).chain(firsts).collect();
    let approved = approved_together(plan, indexes);
    let is_approved = |index: usize| match steps[index] {
        Step::Change(change) | Step::First(change, _) => approved.contains(&change.id),
        Step::Wait(_) => true,
    };
    let mut schedule = Schedule::new(&steps, plan, host, record);
    let mut progress = Progress::new(activity, (0..steps.len()).filter(|index| is_approved(*index)).count());
    let mut running: FuturesUnordered<Running<'_>> = FuturesUnordered::new();
    let mut looks: FuturesUnordered<Look<'_>> = FuturesUnordered::new();
    loop {
        looks.extend(schedule.begin_deletions(client));
        while running.len() < CHANGES_AT_ONCE
            && let Some(index) = schedule.next_ready()
        {
            if !is_approved(index) {
                schedule.end(index, End::NotApproved);
                continue;
            }
            progress.begin(host, &steps[index]);
            running.push(schedule.begin(index, client, seen, in_flight));
        }
        if running.is_empty() && looks.is_empty() {
            if schedule.deletions.is_empty() {
                break;
            }
            continue;
        }
        tokio::select! {
            biased;
            Some((index, start, result)) = running.next() => {
                let end = schedule.finish(index, start.elapsed(), result);
                progress.end(host, &steps[index], end == End::Done);
            }
            Some((document, content)) = looks.next() => schedule.looked(document, content),
            () = progress.due() => progress.send(host),
        }
    }
    progress.finish(host);
    schedule.warn_of_skipped();
}

/// The approved changes, without those of which one that has to be made with them is not approved.
fn approved_together<'a>(plan: &'a Plan, approved: &HashSet<usize>) -> HashSet<&'a ResourceId> {
    let indexes = plan.changes.iter().enumerate().filter(|(index, _)| approved.contains(index));
    let mut approved: HashSet<&ResourceId> = indexes.map(|(_, change)| &change.id).collect();
    loop {
        let before = approved.len();
        for change in &plan.changes {
            if !change.together.iter().all(|id| approved.contains(id)) {
                approved.remove(&change.id);
            }
        }
        if approved.len() == before {
            return approved;
        }
    }
}
