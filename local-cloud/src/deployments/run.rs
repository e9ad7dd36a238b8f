//! Carries deployments on to a moment.
//!
//! Nothing runs in the background: before anybody looks at the state, what would have happened until then is done in the order in which it
//! would have happened. It follows from what is saved, so a deployment goes on after a restart.

use super::errors::{deployment_failed, of_halt, of_refusal, resource_failed};
use super::expression::{Evaluator, Reads};
use super::record::{Deployment, Progress, Step};
use super::start;
use super::steps::body;
use crate::OperationTime;
use crate::moment::Moment;
use crate::operations::{Status, Surroundings};
use crate::path::ResourceId;
use crate::pending_faults::Faults;
use crate::reply::Refusal;
use crate::resources::Context;
use crate::routes;
use crate::state::State;
use serde_json::{Value, json};
use std::time::Duration;

/// The things that carrying out needs beside the state.
struct Machinery<'a> {
    faults: &'a Faults,
    operation_time: OperationTime,
}

/// The most tries of a request that the service could not answer.
const MOST_ATTEMPTS: u32 = 5;
/// The most tries of one while something else works on the resource.
const MOST_CONFLICTS: u32 = 1000;
/// The least wait before it is tried again.
const LEAST_WAIT: Duration = Duration::from_millis(50);
/// Another operation works on the resource, or on one that it needs.
const CONFLICTS: &[&str] = &[
    "AnotherOperationInProgress",
    "RetryableErrorDueToAnotherOperation",
    "StorageAccountOperationInProgress",
    "ServiceLocked",
];

/// Does everything that is due until `now`, in its order.
pub(crate) fn advance(state: &mut State, now: Moment, faults: &Faults, operation_time: OperationTime) {
    while state.deployments().active().next().is_some() {
        let Some(moment) = next_event(state).filter(|moment| *moment <= now) else { break };
        state.advance(moment);
        carry_all_on(state, moment, &Machinery { faults, operation_time });
    }
    state.advance(now);
}

/// The next moment at which something ends or is to be looked at.
pub(super) fn next_event(state: &State) -> Option<Moment> {
    let running = state.operations().filter(|operation| operation.status == Status::InProgress);
    let ends = running.filter_map(|operation| operation.ends);
    let wakes = state.deployments().active().filter_map(|deployment| deployment.wake);
    ends.chain(wakes).min()
}

fn carry_all_on(state: &mut State, now: Moment, machinery: &Machinery<'_>) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        let keys: Vec<String> = state.deployments().active().map(Deployment::key).collect();
        keys.iter().for_each(|key| changed |= carry_on(state, key, now, machinery));
    }
}

/// Carries one deployment on; true when something changed.
fn carry_on(state: &mut State, key: &str, now: Moment, machinery: &Machinery<'_>) -> bool {
    let Some(mut deployment) =
        state.deployments().get(key).filter(|deployment| !deployment.progress.is_final()).cloned()
    else {
        return false;
    };
    let mut changed = deployment.progress == Progress::Accepted;
    deployment.progress = Progress::Running;
    if deployment.wake.is_some_and(|wake| wake <= now) {
        deployment.wake = None;
        changed = true;
    }
    for index in 0..deployment.steps.len() {
        changed |= match deployment.steps[index].progress {
            Progress::Accepted => begin_when_due(state, &mut deployment, index, now, machinery),
            Progress::Running => look_after(state, &mut deployment.steps[index], now),
            _ => false,
        };
    }
    if deployment.steps.iter().all(|step| step.progress.is_final()) {
        conclude(&mut deployment, now);
        changed = true;
    }
    if changed {
        state.deployments_mut().put(deployment);
    }
    changed
}

fn begin_when_due(
    state: &mut State,
    deployment: &mut Deployment,
    index: usize,
    now: Moment,
    machinery: &Machinery<'_>,
) -> bool {
    let step = &deployment.steps[index];
    let before = || step.after.iter().filter_map(|index| deployment.steps.get(*index));
    if before().any(|step| matches!(step.progress, Progress::Failed | Progress::Canceled)) {
        deployment.steps[index].progress = Progress::Canceled;
        return true;
    }
    if !before().all(|step| step.progress == Progress::Succeeded) {
        return false;
    }
    if let Some(not_before) = step.not_before.filter(|not_before| *not_before > now) {
        // The deployment is looked at for other reasons too.
        let wake = deployment.wake.map_or(not_before, |wake| wake.min(not_before));
        return deployment.wake.replace(wake) != Some(wake);
    }
    let outcome = write(state, deployment, step, now, machinery);
    let step = &mut deployment.steps[index];
    step.started.get_or_insert(now);
    match outcome {
        Ok((status, waits_for)) => {
            step.status = status;
            step.progress = if waits_for.is_some() { Progress::Running } else { Progress::Succeeded };
            step.ended = waits_for.is_none().then_some(now);
            step.waits_for = waits_for;
        }
        Err(refusal) if step.attempts < attempts_for(&refusal) => {
            step.attempts += 1;
            let again = now.after(refusal.retry_after.unwrap_or(LEAST_WAIT).max(LEAST_WAIT));
            step.not_before = Some(again);
            deployment.wake = Some(deployment.wake.map_or(again, |wake| wake.min(again)));
        }
        Err(refusal) => fail(step, refusal.status, of_refusal(&refusal, &step.id), now),
    }
    true
}

/// The most tries of a request after this refusal.
fn attempts_for(refusal: &Refusal) -> u32 {
    match refusal.status {
        _ if CONFLICTS.contains(&refusal.code.as_str()) => MOST_CONFLICTS,
        408 | 429 | 500 | 502 | 503 | 504 => MOST_ATTEMPTS,
        _ => 0,
    }
}

fn fail(step: &mut Step, status: u16, error: Value, now: Moment) {
    step.progress = Progress::Failed;
    step.status = status;
    step.ended = Some(now);
    step.error = Some(error);
}

/// Whether what a step waits for has ended.
fn look_after(state: &State, step: &mut Step, now: Moment) -> bool {
    let waits_for = step.waits_for.as_deref().unwrap_or_default();
    let (progress, error) = if step.is_deployment() {
        match state.deployments().get(waits_for) {
            Some(nested) => (nested.progress, nested.error.clone()),
            None => (Progress::Canceled, None),
        }
    } else {
        match state.operation(waits_for) {
            Some(operation) if operation.status == Status::InProgress => (Progress::Running, None),
            Some(operation) if operation.status == Status::Failed => {
                let failure = operation.failure.as_ref();
                (Progress::Failed, failure.map(|failure| json!({"code": failure.code, "message": failure.message})))
            }
            // Those that ended long ago are forgotten.
            _ => (Progress::Succeeded, None),
        }
    };
    match progress {
        Progress::Accepted | Progress::Running => return false,
        Progress::Succeeded => {
            step.progress = progress;
            step.ended = Some(now);
        }
        Progress::Failed | Progress::Canceled => fail(step, 409, resource_failed(&step.id, progress, error), now),
    }
    true
}

/// Writes the resource of a step as a client would, or begins the nested deployment that it is: the status, and what is waited for.
fn write(
    state: &mut State,
    deployment: &Deployment,
    step: &Step,
    now: Moment,
    machinery: &Machinery<'_>,
) -> Result<(u16, Option<String>), Refusal> {
    let facts = deployment.facts(state, &deployment.steps);
    let sent =
        body(&Evaluator { facts: &facts, reads: Reads::Now }, deployment.resource(step), step).map_err(of_halt)?;
    let id = ResourceId::parse(&step.id).unwrap_or_default();
    let around = Surroundings { base: deployment.base.clone(), api_version: step.api_version.clone(), now };
    if step.is_deployment() {
        let nested = start::deployment(state, &id, &sent, &around, Some(deployment))?;
        start::check_free(state, &nested)?;
        let waits_for = Some(nested.key());
        state.deployments_mut().put(nested);
        return Ok((201, waits_for));
    }
    let url = format!("{}?api-version={}", step.id, step.api_version);
    if let Some((status, wait)) = machinery.faults.for_request_of_deployment("PUT", &url) {
        let mut refusal = Refusal::new(status, "LocalCloudFault", "The local cloud was told to answer like this.");
        refusal.retry_after = wait;
        return Err(refusal);
    }
    let Machinery { faults, operation_time } = *machinery;
    let context = Context { around: &around, faults, operation_time, method: "PUT", path: &url };
    // Resource Manager registers the providers of a template by itself.
    faults.registrations().complete(id.namespace());
    let answer = routes::put(state, &id, &sent, &context)?;
    Ok((answer.status, state.get_any(&id.key()).and_then(|resource| resource.operation.clone())))
}

/// All steps have ended.
fn conclude(deployment: &mut Deployment, now: Moment) {
    let failed = deployment.steps.iter().filter(|step| step.progress == Progress::Failed);
    let errors: Vec<Value> = failed.filter_map(|step| step.error.clone()).collect();
    if errors.is_empty() {
        return end(deployment, Progress::Succeeded, None, now);
    }
    let error = deployment_failed(&deployment.id, errors);
    end(deployment, Progress::Failed, Some(error), now);
}

fn end(deployment: &mut Deployment, progress: Progress, error: Option<Value>, now: Moment) {
    deployment.ended = Some(now);
    deployment.wake = None;
    if !deployment.is_rehearsal {
        // With the values of parameters go the secrets.
        deployment.parameters.clear();
    }
    deployment.progress = progress;
    deployment.error = error;
}

/// Ends a deployment before its time, and those in it. What has begun goes on by itself.
pub(super) fn cancel(state: &mut State, key: &str, now: Moment) {
    let Some(mut deployment) =
        state.deployments().get(key).filter(|deployment| !deployment.progress.is_final()).cloned()
    else {
        return;
    };
    let mut nested = Vec::new();
    for step in deployment.steps.iter_mut().filter(|step| !step.progress.is_final()) {
        step.progress = Progress::Canceled;
        step.ended = step.started.map(|_| now);
        nested.extend(step.waits_for.clone().filter(|_| step.is_deployment()));
    }
    let error =
        json!({"code": "DeploymentCanceled", "target": deployment.id, "message": "The deployment was canceled."});
    end(&mut deployment, Progress::Canceled, Some(error), now);
    state.deployments_mut().put(deployment);
    for key in nested {
        cancel(state, &key, now);
    }
}

/// Carries a deployment out on a copy of the state in which nothing takes time or is made to fail.
pub(super) fn rehearse(state: &State, mut deployment: Deployment) -> State {
    deployment.is_rehearsal = true;
    let mut copy = state.clone();
    let now = deployment.started;
    copy.end_operations(now);
    copy.deployments_mut().drop_active();
    copy.deployments_mut().put(deployment);
    // It may wait for what works on the same resource, so the copy has a day.
    let end = now.after(Duration::from_secs(24 * 60 * 60));
    advance(&mut copy, end, &Faults::default(), OperationTime::Fixed(Duration::ZERO));
    copy
}
