//! Requests to deployments.

use super::errors::{invalid_deployment_of, not_supported};
use super::kept::Pending;
use super::presentation::{not_found, operations, shown, without_nulls};
use super::record::{Deployment, Progress};
use super::run::{cancel, next_event, rehearse};
use super::start;
use super::what_if;
use crate::deployment_paths::{Scoped, TYPE};
use crate::lists::Lists;
use crate::lookup;
use crate::moment::Moment;
use crate::operations::Surroundings;
use crate::path::ResourceId;
use crate::query::{Query, check_api_version};
use crate::reply::{Answer, Refusal, error_envelope, push_retry_after};
use crate::resource_types;
use crate::routes::{Request, Rules, invalid_content, no_route};
use crate::state::State;
use serde_json::{Value, json};
use std::time::Duration;

/// The time that what-if and a deletion take in Azure, in seconds.
const SECONDS: u32 = 10;
/// The longest wait a poll is asked for.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// Carries a request to deployments out.
pub(crate) fn handle(
    state: &mut State,
    scoped: &Scoped,
    request: &Request<'_>,
    rules: &Rules<'_>,
    around: &Surroundings,
) -> Result<Answer, Refusal> {
    let (path, query) = request.url.split_once('?').unwrap_or((request.url, ""));
    let Scoped { id, word, name } = scoped;
    check_api_version(&around.api_version, TYPE, resource_types::find(TYPE))?;
    if id.subscription.is_none() || id.is_extension() {
        return Err(not_supported("deployments of other scopes than resource groups and subscriptions"));
    }
    let query = Query::parse(query);
    let lists = |state| Lists { state, path, query: &query, paging: rules.paging, around };
    match (request.method, word.as_str(), name.as_str()) {
        ("GET", "", "") if id.is_container() => list(state, id, &lists(state), &query),
        _ if id.is_container() => Err(no_route(request.method, path)),
        ("GET" | "HEAD", "", "") => Ok(Answer::json(200, shown(find(state, id)?))),
        ("PUT", "", "") => put(state, id, &json_body(request.body)?, around),
        ("DELETE", "", "") => delete(state, id, rules, around),
        ("GET", "operations", "") => {
            let all = operations(find(state, id)?);
            let keyed = all.into_iter().enumerate().map(|(index, operation)| (format!("{index:06}"), operation));
            lists(state).page(keyed, |operation| operation)
        }
        ("GET", "operations", name) => {
            let mut all = operations(find(state, id)?).into_iter();
            let wanted = all.find(|one| one["operationId"].as_str().is_some_and(|id| id.eq_ignore_ascii_case(name)));
            wanted.map(|operation| Answer::json(200, operation)).ok_or_else(|| {
                let message = format!("Deployment operation '{name}' could not be found.");
                Refusal::not_found("DeploymentOperationNotFound", message)
            })
        }
        ("GET", "operationstatuses", name) => status(state, id, name, around),
        ("POST", "validate", "") => validate(state, id, &json_body(request.body)?, around),
        ("POST", "whatif", "") => what_if(state, id, &json_body(request.body)?, rules, around),
        ("POST", "cancel", "") => cancel_one(state, id, around.now),
        _ => Err(no_route(request.method, path)),
    }
}

/// A body. The Azure CLI puts the file of the template into it, after its own members and under a name without quotation marks.
fn json_body(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body).or_else(|error| {
        let text = String::from_utf8_lossy(body).replacen(", template:", ", \"template\":", 1);
        serde_json::from_str(&text).map_err(|_| invalid_content(&error))
    })
}

fn find<'s>(state: &'s State, id: &ResourceId) -> Result<&'s Deployment, Refusal> {
    lookup::require_group(state, id)?;
    state.deployments().get(&id.key()).ok_or_else(|| not_found(id))
}

fn put(state: &mut State, id: &ResourceId, body: &Value, around: &Surroundings) -> Result<Answer, Refusal> {
    let deployment = start::deployment(state, id, body, around, None)?;
    start::check_free(state, &deployment)?;
    let code = if state.deployments().get(&id.key()).is_some() { 200 } else { 201 };
    let mut answer = Answer::json(code, shown(&deployment));
    let (operation, version) = (&deployment.operation, &around.api_version);
    let link = format!("{}{}/operationStatuses/{operation}?api-version={version}", around.base, id.text());
    answer.headers.push(("azure-asyncoperation", link));
    push_retry_after(&mut answer.headers, Duration::ZERO);
    state.deployments_mut().put(deployment);
    Ok(answer)
}

/// The answer to a GET of the URL in `Azure-AsyncOperation`.
fn status(state: &State, id: &ResourceId, operation: &str, around: &Surroundings) -> Result<Answer, Refusal> {
    let deployment = find(state, id)?;
    if !deployment.operation.eq_ignore_ascii_case(operation) {
        return Err(Refusal::not_found(
            "OperationNotFound",
            format!("The operation '{operation}' could not be found."),
        ));
    }
    let body = without_nulls(json!({"status": deployment.progress, "error": deployment.error}));
    let mut answer = Answer::json(200, body);
    if !deployment.progress.is_final() {
        let wait = next_event(state).map_or(LONGEST_WAIT, |moment| around.now.until(moment).min(LONGEST_WAIT));
        push_retry_after(&mut answer.headers, wait);
    }
    Ok(answer)
}

fn list(state: &State, scope: &ResourceId, lists: &Lists<'_>, query: &Query) -> Result<Answer, Refusal> {
    lookup::look_up(state, scope)?;
    if query.get("$filter").is_some() {
        return Err(not_supported("filters of deployments"));
    }
    let found = state.deployments().all().filter(|deployment| deployment.scope().key() == scope.key());
    lists.page(found.map(|deployment| (deployment.key(), deployment)), shown)
}

fn delete(state: &mut State, id: &ResourceId, rules: &Rules<'_>, around: &Surroundings) -> Result<Answer, Refusal> {
    lookup::require_group(state, id)?;
    let Some(deployment) = state.deployments().get(&id.key()) else { return Ok(Answer::empty(204)) };
    if !deployment.progress.is_final() {
        return Err(Refusal::conflict(
            "DeploymentActive",
            format!("The deployment '{}' is still active. Cancel it, or wait until it has ended.", deployment.name()),
        ));
    }
    state.deployments_mut().remove(&id.key());
    Ok(later(state, id, Answer::empty(204), rules, around))
}

/// 202 with a `Location` that has the answer after the time such a request takes; the answer itself where that is none.
fn later(state: &mut State, id: &ResourceId, answer: Answer, rules: &Rules<'_>, around: &Surroundings) -> Answer {
    let time = rules.operation_time.of(SECONDS);
    if time.is_zero() {
        return answer;
    }
    let (name, pending) = (uuid::Uuid::new_v4().to_string(), Pending { ends: around.now.after(time), answer });
    let answer = not_yet(&pending, id, &name, around);
    state.deployments_mut().put_pending(name, pending);
    answer
}

fn not_yet(pending: &Pending, id: &ResourceId, name: &str, around: &Surroundings) -> Answer {
    let (base, version, subscription) =
        (&around.base, &around.api_version, id.subscription.as_deref().unwrap_or_default());
    let place = format!("{base}/subscriptions/{subscription}/providers/Microsoft.Resources/locations/global");
    let mut answer = Answer::empty(202);
    answer.headers.push(("location", format!("{place}/operationResults/{name}?api-version={version}")));
    push_retry_after(&mut answer.headers, around.now.until(pending.ends).min(LONGEST_WAIT));
    answer
}

/// The answer that a `Location` has, where it is one of deployments.
pub(crate) fn pending(state: &State, id: &ResourceId, around: &Surroundings) -> Option<Answer> {
    let pending = state.deployments().pending(id.name())?;
    let is_ready = pending.ends <= around.now;
    Some(if is_ready { pending.answer.clone() } else { not_yet(pending, id, id.name(), around) })
}

fn validate(state: &State, id: &ResourceId, body: &Value, around: &Surroundings) -> Result<Answer, Refusal> {
    let deployment = start::deployment(state, id, body, around, None)?;
    let mut body_shown = shown(&deployment);
    let level = body.pointer("/properties/validationLevel").and_then(Value::as_str).unwrap_or("Provider");
    let mut resources: Vec<Value> = Vec::new();
    if !level.eq_ignore_ascii_case("Template") {
        let (key, correlation) = (deployment.key(), deployment.correlation.clone());
        let after = rehearse(state, deployment);
        let done = after.deployments().get(&key).ok_or_else(|| not_found(id))?;
        if let Some(error) = &done.error {
            return Err(invalid_deployment_of(id.name(), &correlation, error));
        }
        resources = done.steps.iter().map(|step| json!({"id": step.id})).collect();
    }
    body_shown["properties"]["provisioningState"] = json!(Progress::Succeeded);
    body_shown["properties"]["validatedResources"] = Value::Array(resources);
    Ok(Answer::json(200, body_shown))
}

fn what_if(
    state: &mut State,
    id: &ResourceId,
    body: &Value,
    rules: &Rules<'_>,
    around: &Surroundings,
) -> Result<Answer, Refusal> {
    let format = body.pointer("/properties/whatIfSettings/resultFormat").and_then(Value::as_str).unwrap_or_default();
    // What is wrong with a template is an answer of what-if too.
    let result = match start::deployment(state, id, body, around, None) {
        Ok(deployment) => what_if::answer(state, deployment, format.eq_ignore_ascii_case("ResourceIdOnly")),
        Err(refusal) if refusal.code == "InvalidTemplate" => {
            let error = error_envelope(&refusal.code, &refusal.message);
            json!({"status": "Failed", "error": error["error"]})
        }
        Err(refusal) => return Err(refusal),
    };
    Ok(later(state, id, Answer::json(200, result), rules, around))
}

fn cancel_one(state: &mut State, id: &ResourceId, now: Moment) -> Result<Answer, Refusal> {
    let deployment = find(state, id)?;
    if deployment.progress.is_final() {
        let name = deployment.name();
        let message =
            format!("The deployment '{name}' cannot be cancelled because its provisioning state is terminal.");
        return Err(Refusal::conflict("DeploymentCannotBeCancelled", message));
    }
    cancel(state, &id.key(), now);
    Ok(Answer::empty(204))
}
