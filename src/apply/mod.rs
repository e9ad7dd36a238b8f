//! Makes the approved changes: prerequisites first, the rest in parallel, each followed to its end.

mod body;
mod in_flight;
mod progress;
mod record;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;

use body::body_to_send;
pub use in_flight::InFlight;
use progress::Progress;
pub use record::{Record, first_of};

use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::plan::{Change, FirstStep, Plan, Unchanged, failure, full_name, short_name};
use crate::protocol::{Host, Message, ResourceReport, plural};
use crate::world::{Reads, group_content};

/// How many changes are under way at once. Azure's buckets allow bursts of 200 writes; more than this at once gains
/// nothing, because most of the time of a change is waiting for its operation.
const CHANGES_AT_ONCE: usize = 16;

/// How often a change waits for the operation of somebody else on its resource.
const MOST_WAITS: u32 = 10;

/// One thing to do: a change, the step before it, or waiting for what somebody else is still changing.
#[derive(Clone, Copy)]
enum Step<'a> {
    Change(&'a Change),
    First(&'a Change, &'a FirstStep),
    Wait(&'a Unchanged),
}

/// How a step ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    Failed,
    NotApproved,
}

/// A step under way: its index, when it began and how it ended, with what Azure says of the resource.
type Running<'a> = BoxFuture<'a, (usize, Instant, Result<Option<Value>, ArmError>)>;

/// Makes the changes whose indexes were approved, reports each that is made, and notes what becomes of them all.
pub async fn apply(
    client: &ArmClient,
    plan: &Plan,
    approved: &HashSet<usize>,
    activity: &str,
    host: &Host,
    in_flight: &InFlight,
    record: &Record,
) {
    let changes = plan.changes.iter().map(Step::Change);
    let waits = plan.unchanged.iter().filter(|resource| resource.in_progress).map(Step::Wait);
    let firsts = plan.changes.iter().filter_map(|change| Some(Step::First(change, change.first.as_ref()?)));
    let steps: Vec<Step<'_>> = changes.chain(waits).chain(firsts).collect();
    let approved = approved_together(plan, approved);
    let is_approved = |index: usize| match steps[index] {
        Step::Change(change) | Step::First(change, _) => approved.contains(&change.id),
        Step::Wait(_) => true,
    };
    let mut run = Run::new(&steps, host, record);
    let mut progress = Progress::new(activity, (0..steps.len()).filter(|index| is_approved(*index)).count());
    let mut running: FuturesUnordered<Running<'_>> = FuturesUnordered::new();
    loop {
        while running.len() < CHANGES_AT_ONCE
            && let Some(index) = run.next_ready()
        {
            if !is_approved(index) {
                run.end(index, End::NotApproved);
                continue;
            }
            progress.begin(host, steps[index].name());
            running.push(run.begin(index, client, in_flight));
        }
        let ended = loop {
            tokio::select! {
                biased;
                ended = running.next() => break ended,
                () = progress.due() => progress.send(host),
            }
        };
        let Some((index, start, result)) = ended else {
            if run.deletions.is_empty() {
                break;
            }
            run.begin_deletions(client, plan).await;
            continue;
        };
        let end = run.finish(index, start.elapsed(), &result);
        progress.end(host, &steps[index].name(), end == End::Done);
    }
    progress.finish(host);
    run.warn_of_skipped();
}

/// What is approved, without changes of which one that has to be made with them is not.
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

impl Step<'_> {
    fn id(&self) -> &ResourceId {
        match self {
            Step::Change(change) | Step::First(change, _) => &change.id,
            Step::Wait(resource) => &resource.id,
        }
    }

    fn lock(&self) -> Option<&ResourceId> {
        match self {
            Step::Change(change) | Step::First(change, _) => change.lock.as_ref(),
            Step::Wait(_) => None,
        }
    }

    fn label(&self) -> &str {
        match self {
            Step::Change(change) | Step::First(change, _) => &change.resource_type.label,
            Step::Wait(resource) => resource.resource_type.label,
        }
    }

    fn name(&self) -> String {
        full_name(self.id(), self.label())
    }

    async fn make(self, client: &ArmClient, in_flight: &InFlight) -> Result<Option<Value>, ArmError> {
        let _entry = in_flight.enter(&self.name());
        match self {
            Step::Change(change) => make(client, change).await,
            Step::First(change, step) => {
                let api_version = change.resource_type.api_version.as_ref();
                let longest = change.resource_type.longest_operation;
                match &step.body {
                    Some(body) => client.put(change.id.as_str(), api_version, body, longest).await,
                    None => client.delete(change.id.as_str(), api_version, longest).await.map(|()| None),
                }
            }
            Step::Wait(resource) => {
                let facts = resource.resource_type;
                client.wait_until_provisioned(resource.id.as_str(), facts.api_version, facts.longest_operation).await
            }
        }
    }
}

/// Makes a change. Returns what Azure says of the resource.
async fn make(client: &ArmClient, change: &Change) -> Result<Option<Value>, ArmError> {
    let (id, facts) = (change.id.as_str(), &change.resource_type);
    let (api_version, longest) = (facts.api_version.as_ref(), facts.longest_operation);
    let Some(body) = &change.body else { return client.delete(id, api_version, longest).await.map(|()| None) };
    let body = body_to_send(client, change, body).await?;
    if change.replaces {
        client.delete(id, api_version, longest).await?;
    }
    let is_refused = |error: &ArmError, code: Option<&str>| matches!((error, code), (ArmError::Refused(refusal), Some(code)) if refusal.code.eq_ignore_ascii_case(code));
    let mut waits = 0;
    loop {
        match client.put(id, api_version, &body, longest).await {
            Err(error) if is_refused(&error, facts.is_there) => return Ok(None),
            // Somebody else changes it; when that has ended it may be somebody else's turn again.
            Err(error) if is_refused(&error, facts.is_busy) && waits < MOST_WAITS => {
                waits += 1;
                client.wait_until_provisioned(id, api_version, longest).await?;
            }
            result => return result,
        }
    }
}

/// The state of a run: which steps are ready, what became of the others.
struct Run<'a> {
    steps: &'a [Step<'a>],
    host: &'a Host,
    /// The steps that wait for each step.
    dependents: Vec<Vec<usize>>,
    /// How many steps each step still waits for.
    waits_for: Vec<usize>,
    /// The steps that came to nothing because of each step, for one warning each.
    blocked: HashMap<usize, Vec<usize>>,
    blocked_by: Vec<Option<usize>>,
    ends: Vec<Option<End>>,
    ready: VecDeque<usize>,
    /// The deletions, which wait until everything else has succeeded.
    deletions: Vec<usize>,
    /// The locks of the steps that are under way.
    locked: HashSet<ResourceId>,
    record: &'a Record,
}

impl<'a> Run<'a> {
    fn new(steps: &'a [Step<'a>], host: &'a Host, record: &'a Record) -> Run<'a> {
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
        let ready = others.into_iter().filter(|index| waits_for[*index] == 0).collect();
        Run {
            steps,
            host,
            dependents,
            waits_for,
            blocked: HashMap::new(),
            blocked_by: vec![None; steps.len()],
            ends: vec![None; steps.len()],
            ready,
            deletions,
            locked: HashSet::new(),
            record,
        }
    }

    /// Frees the deletions when everything else has succeeded, after another look at the group: what came into it since the
    /// plan was made was shown to nobody, so it is left alone and told.
    async fn begin_deletions(&mut self, client: &ArmClient, plan: &Plan) {
        let deletions = std::mem::take(&mut self.deletions);
        let counts = self.record.counts();
        if counts.failed + counts.skipped > 0 {
            return self.withhold(&deletions, "not all other changes were made");
        }
        if let Some(completed) = &plan.completed {
            match group_content(&mut Reads::new(client.clone()), &completed.id).await {
                Ok(content) => {
                    let made: HashSet<&ResourceId> = plan.changes.iter().map(|change| &change.id).collect();
                    let content = content.ids();
                    let mut appeared: Vec<&ResourceId> =
                        content.iter().filter(|id| !completed.content.contains(id) && !made.contains(id)).collect();
                    appeared.sort();
                    for id in appeared {
                        self.host.warning(format!(
                            "{id} appeared in the resource group after the plan was made. It is not deleted."
                        ));
                    }
                }
                Err(error) => {
                    let (place, group) = (completed.place.show(), completed.id.name());
                    let what =
                        format!("{place}: the resource group '{group}' cannot be listed again before the deletions");
                    let mut report = error.report(&what);
                    report.resource_id = Some(completed.id.to_string());
                    report.target = Some(place);
                    self.record.fail(full_name(&completed.id, "resource group"), report, self.host);
                    return self.withhold(&deletions, "the resource group could not be listed again");
                }
            }
        }
        self.ready.extend(deletions);
    }

    fn withhold(&mut self, deletions: &[usize], why: &str) {
        self.record.count(|counts| counts.skipped += deletions.len());
        let names: Vec<String> = deletions.iter().map(|index| self.steps[*index].name()).collect();
        self.host.warning(format!("Nothing was deleted because {why}: {}.", names.join("; ")));
    }

    /// The first step that is ready and whose lock is free.
    fn next_ready(&mut self) -> Option<usize> {
        let is_free = |index: &usize| self.steps[*index].lock().is_none_or(|lock| !self.locked.contains(lock));
        let position = self.ready.iter().position(is_free)?;
        self.ready.remove(position)
    }

    /// Puts a step under way.
    fn begin(&mut self, index: usize, client: &'a ArmClient, in_flight: &'a InFlight) -> Running<'a> {
        let step = self.steps[index];
        self.locked.extend(step.lock().cloned());
        Box::pin(async move {
            let start = Instant::now();
            (index, start, step.make(client, in_flight).await)
        })
    }

    /// Notes what became of a step that was under way.
    fn finish(&mut self, index: usize, took: Duration, result: &Result<Option<Value>, ArmError>) -> End {
        if let Some(lock) = self.steps[index].lock() {
            self.locked.remove(lock);
        }
        let end = match result {
            Ok(resource) => {
                self.done(index, took, resource.as_ref());
                End::Done
            }
            Err(error) => {
                self.failed(index, error);
                End::Failed
            }
        };
        self.end(index, end);
        end
    }

    /// Notes the end of a step, and frees or blocks what waits for it.
    fn end(&mut self, index: usize, end: End) {
        self.ends[index] = Some(end);
        // Where a first step comes to nothing, so does its change, which is what people know.
        let change = if end == End::Done { None } else { self.change_of_first(index) };
        if let Some(change) = change {
            self.end(change, end);
        } else if end == End::NotApproved {
            self.record.count(|counts| counts.skipped += 1);
        }
        let cause = self.blocked_by[index].or(change).unwrap_or(index);
        for dependent in std::mem::take(&mut self.dependents[index]) {
            self.waits_for[dependent] -= 1;
            if end != End::Done {
                self.blocked_by[dependent].get_or_insert(cause);
            }
            if self.waits_for[dependent] == 0 && self.ends[dependent].is_none() {
                match self.blocked_by[dependent] {
                    None => self.ready.push_back(dependent),
                    Some(cause) => {
                        self.blocked.entry(cause).or_default().push(dependent);
                        self.end(dependent, End::NotApproved);
                    }
                }
            }
        }
    }

    /// The change of a first step.
    fn change_of_first(&self, index: usize) -> Option<usize> {
        let Step::First(change, _) = self.steps[index] else { return None };
        self.steps.iter().position(|step| matches!(step, Step::Change(other) if other.id == change.id))
    }

    fn done(&mut self, index: usize, took: Duration, resource: Option<&Value>) {
        let Step::Change(change) = self.steps[index] else { return };
        self.record.count(|counts| counts.add(change.kind));
        let report = ResourceReport {
            action: change.kind,
            resource_type: change.resource_type.name.to_string(),
            label: change.resource_type.label.to_string(),
            name: change.id.name().to_owned(),
            full_name: change.id.full_name(),
            resource_group: change.id.resource_group().map(str::to_owned),
            resource_id: change.id.to_string(),
            seconds: milliseconds(took),
            properties: change.told.zip(resource).and_then(|(told, resource)| told(resource)),
        };
        self.record.done(report.clone());
        self.host.send(Message::Resource(report));
    }

    fn failed(&mut self, index: usize, error: &ArmError) {
        if let Step::Change(change) | Step::First(change, _) = self.steps[index]
            && change.best_effort
        {
            self.record.count(|counts| counts.skipped += 1);
            let report = failure(change, error);
            return self.host.warning(format!("{} The command continues without it.", report.message));
        }
        let step = self.steps[index];
        let report = match step {
            Step::Change(change) | Step::First(change, _) => failure(change, error),
            Step::Wait(resource) => {
                self.record.count(|counts| counts.unchanged -= 1);
                let mut report = error.report(&format!("The {} is not ready", step.name()));
                report.resource_id = Some(resource.id.to_string());
                report
            }
        };
        self.record.fail(short_name(step.id(), step.label()), report, self.host);
    }

    /// Warns of what was skipped, once for each cause.
    fn warn_of_skipped(&self) {
        let mut causes: Vec<(&usize, &Vec<usize>)> = self.blocked.iter().collect();
        causes.sort();
        for (cause, blocked) in causes {
            // In the order of the plan, not in the one in which they were ready.
            let mut blocked = blocked.clone();
            blocked.sort_unstable();
            let why = if self.ends[*cause] == Some(End::Failed) { "failed" } else { "was not approved" };
            let names: Vec<String> = blocked.iter().map(|index| self.steps[*index].name()).collect();
            self.host.warning(skipped(&names, &format!("the {} {why}", self.steps[*cause].name())));
        }
    }
}

/// The warning about resources that were skipped for one reason.
pub fn skipped(names: &[String], why: &str) -> String {
    let count = names.len();
    let were = if count == 1 { " was".to_owned() } else { format!("{} were", plural(count)) };
    format!("{count} resource{were} skipped because {why}: {}.", names.join("; "))
}

/// Seconds with three decimals: more would only be noise.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}
