//! Carries deployments on to a moment.
//!
//! Nothing runs in the background: before anybody looks at the state, what would have happened until then is done in the order in which it
//! would have happened. It follows from what is saved, so a deployment goes on after a restart.

use super::complete_mode;
use super::errors::{deployment_failed, of_halt, of_refusal, resource_failed};
use super::expression::{Evaluator, Where};
use super::record::{Deployment, Kind, Mode, Outer, Progress, Step};
use super::resource_body::{body, has_inner_scope, is_deployment, place_of};
use super::start::{self, Wanted};
use crate::OperationTime;
use crate::moment::Moment;
use crate::operations::{Status, Surroundings};
use crate::path::ResourceId;
use crate::pending_faults::Faults;
use crate::reply::Refusal;
use crate::resources::Context;
use crate::routes;
use crate::state::State;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// What carrying out needs beside the state.
pub(crate) struct Machinery<'a> {
    pub(crate) faults: &'a Faults,
    pub(crate) operation_time: OperationTime,
}

/// How often a request is tried again that the service could not answer.
const MOST_ATTEMPTS: u32 = 5;
/// How often it is tried again while something else works on the resource.
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
pub(crate) fn advance(state: &mut State, now: Moment, machinery: &Machinery<'_>) {
    while state.has_active_deployments() {
        let Some(moment) = next_event(state).filter(|moment| *moment <= now) else { break };
        state.advance(moment);
        carry_all_on(state, moment, machinery);
    }
    state.advance(now);
}

/// The next moment at which something ends or is to be looked at.
pub(super) fn next_event(state: &State) -> Option<Moment> {
    let running = state.operations().filter(|operation| operation.status == Status::InProgress);
    let ends = running.filter_map(|operation| operation.ends);
    let wakes = state.active_deployments().filter_map(|deployment| deployment.wake);
    ends.chain(wakes).min()
}

fn carry_all_on(state: &mut State, now: Moment, machinery: &Machinery<'_>) {
    loop {
        let keys: Vec<String> = state.active_deployments().map(Deployment::key).collect();
        let mut changed = false;
        for key in keys {
            changed |= carry_on(state, &key, now, machinery);
        }
        if !changed {
            return;
        }
    }
}

/// Carries one deployment on; true when something changed.
fn carry_on(state: &mut State, key: &str, now: Moment, machinery: &Machinery<'_>) -> bool {
    let Some(mut deployment) = state.deployment(key).filter(|deployment| !deployment.progress.is_final()).cloned()
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
        conclude(state, &mut deployment, now);
        changed = true;
    }
    if changed {
        state.put_deployment(deployment);
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
    if !before().all(Step::is_done) {
        return false;
    }
    if let Some(not_before) = step.not_before.filter(|not_before| *not_before > now) {
        // The deployment is looked at for other reasons too.
        let wake = deployment.wake.map_or(not_before, |wake| wake.min(not_before));
        return deployment.wake.replace(wake) != Some(wake);
    }
    let outcome = match step.kind {
        Kind::LeftOut => {
            deployment.steps[index].progress = Progress::Succeeded;
            return true;
        }
        Kind::Existing => Ok(Begun { status: 200, waits_for: None, location: None }),
        Kind::Deployed => write(state, deployment, index, now, machinery),
        Kind::Deleted => delete(state, deployment, index, now, machinery),
    };
    settle_beginning(deployment, index, outcome, now);
    true
}

/// A request that was taken.
struct Begun {
    status: u16,
    waits_for: Option<String>,
    /// Where the resource is to be.
    location: Option<String>,
}

fn settle_beginning(deployment: &mut Deployment, index: usize, outcome: Result<Begun, Refusal>, now: Moment) {
    let step = &mut deployment.steps[index];
    step.started.get_or_insert(now);
    match outcome {
        Ok(begun) => {
            step.status = begun.status;
            step.progress = if begun.waits_for.is_some() { Progress::Running } else { Progress::Succeeded };
            step.ended = begun.waits_for.is_none().then_some(now);
            step.waits_for = begun.waits_for;
            step.location = begun.location;
        }
        Err(refusal) if step.attempts < attempts_for(&refusal, step.kind) => {
            step.attempts += 1;
            let again = now.after(refusal.retry_after.unwrap_or(LEAST_WAIT).max(LEAST_WAIT));
            step.not_before = Some(again);
            deployment.wake = Some(deployment.wake.map_or(again, |wake| wake.min(again)));
        }
        Err(refusal) => {
            step.status = refusal.status;
            fail(step, of_refusal(&refusal, &step.id.clone()), now);
        }
    }
}

/// How often a request may be tried again after this refusal.
fn attempts_for(refusal: &Refusal, kind: Kind) -> u32 {
    if CONFLICTS.contains(&refusal.code.as_str()) {
        MOST_CONFLICTS
    } else if matches!(refusal.status, 408 | 429 | 500 | 502 | 503 | 504)
        || (kind == Kind::Deleted && refusal.status == 409)
    {
        MOST_ATTEMPTS
    } else {
        0
    }
}

fn fail(step: &mut Step, error: Value, now: Moment) {
    step.progress = Progress::Failed;
    step.ended = Some(now);
    step.error = Some(error);
}

/// Whether what a step waits for has ended.
fn look_after(state: &State, step: &mut Step, now: Moment) -> bool {
    let waits_for = step.waits_for.as_deref().unwrap_or_default();
    let (progress, error) = if is_deployment(step) && step.kind == Kind::Deployed {
        match state.deployment(waits_for) {
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
            step.progress = Progress::Succeeded;
            step.ended = Some(now);
        }
        Progress::Failed | Progress::Canceled => {
            let word = if progress == Progress::Failed { "Failed" } else { "Canceled" };
            step.status = 409;
            let error = resource_failed(&step.id, word, error);
            fail(step, error, now);
        }
    }
    true
}

/// Writes the resource of a step, or begins the nested deployment that it is.
fn write(
    state: &mut State,
    deployment: &Deployment,
    index: usize,
    now: Moment,
    machinery: &Machinery<'_>,
) -> Result<Begun, Refusal> {
    let step = &deployment.steps[index];
    let none = Map::new();
    let resource = deployment.template.pointer(&step.pointer).and_then(Value::as_object).unwrap_or(&none);
    let sent = deployment.with_facts(state, now, true, &deployment.steps, |facts| {
        let evaluator = Evaluator::new(facts, Where::Body).in_copy(step.copy.as_ref());
        body(&evaluator, resource, &place_of(&step.pointer), is_deployment(step)).map_err(of_halt)
    })?;
    let id = ResourceId::parse(&step.id).unwrap_or_default();
    if is_deployment(step) {
        return begin_nested(state, deployment, step, resource, &sent, &id, now);
    }
    request(state, "PUT", &id, &sent, step, deployment, now, machinery)
}

fn begin_nested(
    state: &mut State,
    deployment: &Deployment,
    step: &Step,
    resource: &Map<String, Value>,
    sent: &Value,
    id: &ResourceId,
    now: Moment,
) -> Result<Begun, Refusal> {
    let outer = (!has_inner_scope(resource, &deployment.template)).then(|| {
        let scope = deployment.outer.as_ref().map_or_else(|| deployment.scope().text(), |outer| outer.scope.clone());
        (Outer { template: deployment.definitions().clone(), scope }, deployment.parameters.clone())
    });
    let location = sent.get("location").and_then(Value::as_str);
    start::check_free(state, id, location)?;
    let wanted = Wanted { id, body: sent, base: &deployment.base, now, parent: Some((deployment, outer)) };
    let nested = start::deployment(state, wanted)?;
    let key = nested.key();
    debug_assert_eq!(key, step.id.to_lowercase());
    state.put_deployment(nested);
    Ok(Begun { status: 201, waits_for: Some(key), location: location.map(str::to_owned) })
}

/// A request to a resource, as it would come from outside.
#[allow(clippy::too_many_arguments)]
fn request(
    state: &mut State,
    method: &str,
    id: &ResourceId,
    sent: &Value,
    step: &Step,
    deployment: &Deployment,
    now: Moment,
    machinery: &Machinery<'_>,
) -> Result<Begun, Refusal> {
    let url = format!("{}?api-version={}", step.id, step.api_version);
    if let Some((status, wait)) = machinery.faults.for_request_of_deployment(method, &url) {
        let mut refusal = Refusal::new(status, "LocalCloudFault", "The local cloud was told to answer like this.");
        refusal.retry_after = wait;
        return Err(refusal);
    }
    let around = Surroundings { base: deployment.base.clone(), api_version: step.api_version.clone(), now };
    let context = Context {
        around: &around,
        faults: machinery.faults,
        operation_time: machinery.operation_time,
        method,
        path: &url,
    };
    // Resource Manager registers the providers of a template by itself.
    machinery.faults.registrations().complete(id.namespace());
    let answer = routes::change(state, id, sent, &context)?;
    let waits_for = state.get_any(&id.key()).and_then(|resource| resource.operation.clone());
    let location = sent.get("location").and_then(Value::as_str).map(str::to_owned);
    Ok(Begun { status: answer.status, waits_for, location })
}

fn delete(
    state: &mut State,
    deployment: &Deployment,
    index: usize,
    now: Moment,
    machinery: &Machinery<'_>,
) -> Result<Begun, Refusal> {
    let step = &deployment.steps[index];
    let id = ResourceId::parse(&step.id).unwrap_or_default();
    request(state, "DELETE", &id, &Value::Null, step, deployment, now, machinery)
}

/// All steps have ended: what is left is to delete what is too much, and the outputs.
fn conclude(state: &State, deployment: &mut Deployment, now: Moment) {
    let failed = deployment.steps.iter().filter(|step| step.progress == Progress::Failed);
    let errors: Vec<Value> = failed.filter_map(|step| step.error.clone()).collect();
    if !errors.is_empty() {
        return end(deployment, Err(errors), now);
    }
    if deployment.mode == Mode::Complete {
        let more = complete_mode::deletions(state, deployment);
        if !more.is_empty() {
            deployment.steps.extend(more);
            deployment.wake = Some(now);
            return;
        }
    }
    let outputs =
        deployment.with_facts(state, now, true, &deployment.steps, |facts| deployment.evaluate_outputs(facts));
    match outputs {
        Ok(outputs) => {
            deployment.outputs = Some(outputs);
            end(deployment, Ok(()), now);
        }
        Err((name, halt)) => {
            let cause = of_refusal(&of_halt(halt), &deployment.id);
            let error = json!({
                "code": "DeploymentOutputEvaluationFailed",
                "target": name,
                "message": format!("Unable to evaluate template outputs: '{name}'. Please see error details and deployment operations."),
                "details": [cause],
            });
            end(deployment, Err(vec![error]), now);
        }
    }
}

fn end(deployment: &mut Deployment, outcome: Result<(), Vec<Value>>, now: Moment) {
    deployment.ended = Some(now);
    deployment.wake = None;
    if !deployment.is_rehearsal {
        // With the values of parameters go the secrets.
        deployment.parameters.clear();
        deployment.outer = None;
    }
    match outcome {
        Ok(()) => deployment.progress = Progress::Succeeded,
        Err(errors) => {
            deployment.progress = Progress::Failed;
            deployment.error = Some(deployment_failed(&deployment.id, errors));
        }
    }
}

/// Ends a deployment before its time, and those in it. What has begun goes on by itself.
pub(super) fn cancel(state: &mut State, key: &str, now: Moment) {
    let Some(mut deployment) = state.deployment(key).filter(|deployment| !deployment.progress.is_final()).cloned()
    else {
        return;
    };
    let mut nested = Vec::new();
    for step in deployment.steps.iter_mut().filter(|step| !step.progress.is_final()) {
        step.progress = Progress::Canceled;
        step.ended = step.started.map(|_| now);
        nested.extend(step.waits_for.clone().filter(|_| is_deployment(step)));
    }
    end(&mut deployment, Ok(()), now);
    deployment.progress = Progress::Canceled;
    deployment.error =
        Some(json!({"code": "DeploymentCanceled", "target": deployment.id, "message": "The deployment was canceled."}));
    state.put_deployment(deployment);
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
    copy.drop_active_deployments();
    copy.put_deployment(deployment);
    let machinery = Machinery { faults: &Faults::default(), operation_time: OperationTime::Fixed(Duration::ZERO) };
    // It may wait for what works on the same resource, so the copy has a day.
    advance(&mut copy, now.after(Duration::from_secs(24 * 60 * 60)), &machinery);
    copy
}
