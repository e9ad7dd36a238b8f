//! Requests to deployments.

use super::errors::{invalid_deployment_of, not_supported};
use super::presentation::{not_found, operations, shown};
use super::record::{Deployment, Progress, TYPE};
use super::run::{cancel, next_event, rehearse};
use super::start::{self, Wanted};
use super::what_if;
use crate::lists::Lists;
use crate::lookup;
use crate::moment::Moment;
use crate::operations::Surroundings;
use crate::path::{ArmPath, ResourceId};
use crate::query::{Query, check_api_version};
use crate::relaxed_json;
use crate::reply::{Answer, Refusal, error_envelope, push_retry_after};
use crate::resource_types;
use crate::routes::{Request, Rules, invalid_content, no_route};
use crate::state::State;
use serde_json::{Value, json};
use std::time::Duration;

/// How long what-if and a deletion take in Azure, in seconds.
const SECONDS: u32 = 10;
/// The longest wait a poll is asked for.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// What of the deployments a path is about.
#[derive(Debug)]
pub(crate) enum Scoped {
    /// All of a resource group or subscription.
    All(ResourceId),
    /// One of them.
    One(ResourceId),
    /// A word after one: a listing or an action.
    Word(ResourceId, String),
    /// A part of one: the kind and the name.
    Part(ResourceId, String, String),
}

/// An answer that is ready later.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    ends: Moment,
    answer: Answer,
}

impl Pending {
    /// When it is ready.
    pub(crate) fn ends(&self) -> Moment {
        self.ends
    }
}

/// Reads a path that is about deployments.
pub(crate) fn scoped(path: &ArmPath) -> Option<Scoped> {
    let is_type = |id: &ResourceId, type_name: &str| id.type_name().eq_ignore_ascii_case(type_name);
    match path {
        ArmPath::Within { scope, namespace: Some(namespace), word }
            if scope.is_container() && format!("{namespace}/{word}").eq_ignore_ascii_case(TYPE) =>
        {
            Some(Scoped::All(scope.clone()))
        }
        ArmPath::Within { scope, namespace: None, word } if is_type(scope, TYPE) => {
            Some(Scoped::Word(scope.clone(), word.to_lowercase()))
        }
        ArmPath::Resource(id) if is_type(id, TYPE) => Some(Scoped::One(id.clone())),
        ArmPath::Resource(id) if id.is_child() && is_type(&id.parent(), TYPE) => {
            let type_name = id.type_name();
            let kind = type_name.rsplit('/').next().unwrap_or_default();
            Some(Scoped::Part(id.parent(), kind.to_lowercase(), id.name().to_owned()))
        }
        _ => None,
    }
}

/// Carries a request to deployments out.
pub(crate) fn handle(
    state: &mut State,
    scoped: Scoped,
    request: &Request<'_>,
    rules: &Rules<'_>,
    around: &Surroundings,
) -> Result<Answer, Refusal> {
    let (path, query) = request.url.split_once('?').unwrap_or((request.url, ""));
    let (Scoped::All(scope) | Scoped::One(scope) | Scoped::Word(scope, _) | Scoped::Part(scope, ..)) = &scoped;
    check_api_version(&around.api_version, TYPE, resource_types::find(TYPE))?;
    if scope.subscription.is_none() || scope.is_extension() {
        return Err(not_supported("other scopes than resource groups and subscriptions"));
    }
    let query = Query::parse(query);
    let lists = |state| Lists { state, path, query: &query, paging: rules.paging, around };
    match (request.method, scoped) {
        ("GET", Scoped::All(scope)) => list(state, &scope, &lists(state), &query),
        ("GET" | "HEAD", Scoped::One(id)) => Ok(Answer::json(200, shown(find(state, &id)?))),
        ("PUT", Scoped::One(id)) => put(state, &id, &json_body(request.body)?, around),
        ("DELETE", Scoped::One(id)) => delete(state, &id, rules, around),
        ("GET", Scoped::Word(id, word)) if word == "operations" => {
            let all = operations(find(state, &id)?);
            let keyed = all.into_iter().enumerate().map(|(index, operation)| (format!("{index:06}"), operation));
            lists(state).page(keyed, |operation| operation)
        }
        ("GET", Scoped::Part(id, kind, name)) if kind == "operations" => {
            let all = operations(find(state, &id)?);
            let wanted = all
                .into_iter()
                .find(|one| one["operationId"].as_str().is_some_and(|id| id.eq_ignore_ascii_case(&name)));
            wanted.map(|operation| Answer::json(200, operation)).ok_or_else(|| {
                Refusal::not_found(
                    "DeploymentOperationNotFound",
                    format!("Deployment operation '{name}' could not be found."),
                )
            })
        }
        ("GET", Scoped::Part(id, kind, name)) if kind == "operationstatuses" => status(state, &id, &name, around),
        ("POST", Scoped::Word(id, word)) => match word.as_str() {
            "validate" => validate(state, &id, &json_body(request.body)?, around),
            "whatif" => what_if(state, &id, &json_body(request.body)?, rules, around),
            "cancel" => cancel_one(state, &id, around.now),
            "exporttemplate" => Ok(Answer::json(200, json!({"template": find(state, &id)?.template}))),
            _ => Err(no_route(request.method, path)),
        },
        _ => Err(no_route(request.method, path)),
    }
}

/// A body, which clients send as they write templates.
fn json_body(body: &[u8]) -> Result<Value, Refusal> {
    relaxed_json::parse(&String::from_utf8_lossy(body)).map_err(|error| invalid_content(&error))
}

fn find<'s>(state: &'s State, id: &ResourceId) -> Result<&'s Deployment, Refusal> {
    lookup::require_group(state, id)?;
    state.deployment(&id.key()).ok_or_else(|| not_found(id))
}

fn wanted<'a>(
    state: &State,
    id: &'a ResourceId,
    body: &'a Value,
    around: &'a Surroundings,
) -> Result<Deployment, Refusal> {
    start::deployment(state, Wanted { id, body, base: &around.base, now: around.now, parent: None })
}

fn put(state: &mut State, id: &ResourceId, body: &Value, around: &Surroundings) -> Result<Answer, Refusal> {
    let location = body.get("location").and_then(Value::as_str).and_then(crate::locations::find);
    start::check_free(state, id, location.map(|region| region.name))?;
    let deployment = wanted(state, id, body, around)?;
    let code = if state.deployment(&id.key()).is_some() { 200 } else { 201 };
    let mut answer = Answer::json(code, shown(&deployment));
    let link = format!(
        "{}{}/operationStatuses/{}?api-version={}",
        around.base,
        id.text(),
        deployment.operation,
        around.api_version
    );
    answer.headers.push(("azure-asyncoperation", link));
    push_retry_after(&mut answer.headers, Duration::ZERO);
    state.put_deployment(deployment);
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
    let mut body = json!({"status": deployment.progress});
    if let (Some(error), Some(members)) = (&deployment.error, body.as_object_mut()) {
        members.insert("error".to_owned(), error.clone());
    }
    let mut answer = Answer::json(200, body);
    if !deployment.progress.is_final() {
        let wait = next_event(state).map_or(LONGEST_WAIT, |moment| around.now.until(moment).min(LONGEST_WAIT));
        push_retry_after(&mut answer.headers, wait);
    }
    Ok(answer)
}

fn list(state: &State, scope: &ResourceId, lists: &Lists<'_>, query: &Query) -> Result<Answer, Refusal> {
    lookup::look_up(state, scope)?;
    // `provisioningState eq 'Failed'` is the only filter that Azure has.
    let wanted = match query.get("$filter") {
        None => None,
        Some(filter) => {
            let word = filter
                .trim()
                .strip_prefix("provisioningState eq")
                .map(|word| word.trim().trim_matches('\'').to_owned());
            Some(word.ok_or_else(|| {
                Refusal::bad_request("InvalidFilterInQueryString", format!("The filter '{filter}' is not supported."))
            })?)
        }
    };
    let is_in_state = |deployment: &Deployment| {
        let word = json!(deployment.progress);
        wanted.as_ref().is_none_or(|wanted| word.as_str().is_some_and(|word| word.eq_ignore_ascii_case(wanted)))
    };
    let found =
        state.deployments().filter(|deployment| deployment.scope().key() == scope.key() && is_in_state(deployment));
    lists.page(found.map(|deployment| (deployment.key(), deployment)), shown)
}

fn delete(state: &mut State, id: &ResourceId, rules: &Rules<'_>, around: &Surroundings) -> Result<Answer, Refusal> {
    lookup::require_group(state, id)?;
    let Some(deployment) = state.deployment(&id.key()) else { return Ok(Answer::empty(204)) };
    if !deployment.progress.is_final() {
        return Err(Refusal::conflict(
            "DeploymentActive",
            format!("The deployment '{}' is still active. Cancel it, or wait until it has ended.", deployment.name()),
        ));
    }
    state.remove_deployment(&id.key());
    Ok(later(state, id, Answer::empty(204), rules, around))
}

/// 202 with a `Location` that has the answer after the time such a request takes; the answer itself where that is none.
fn later(state: &mut State, id: &ResourceId, answer: Answer, rules: &Rules<'_>, around: &Surroundings) -> Answer {
    let time = rules.operation_time.of(SECONDS);
    if time.is_zero() {
        return answer;
    }
    let name = uuid::Uuid::new_v4().to_string();
    let link = location_of(id, &name, around);
    state.put_pending(name, Pending { ends: around.now.after(time), answer });
    let mut answer = Answer::empty(202);
    answer.headers.push(("location", link));
    push_retry_after(&mut answer.headers, time.min(LONGEST_WAIT));
    answer
}

fn location_of(id: &ResourceId, name: &str, around: &Surroundings) -> String {
    format!(
        "{}/subscriptions/{}/providers/Microsoft.Resources/locations/global/operationResults/{name}?api-version={}",
        around.base,
        id.subscription.as_deref().unwrap_or_default(),
        around.api_version
    )
}

/// The answer that a `Location` has, where it is one of deployments.
pub(crate) fn pending(state: &State, id: &ResourceId, around: &Surroundings) -> Option<Answer> {
    let pending = state.pending(id.name())?;
    if pending.ends <= around.now {
        return Some(pending.answer.clone());
    }
    let mut answer = Answer::empty(202);
    answer.headers.push(("location", location_of(id, id.name(), around)));
    push_retry_after(&mut answer.headers, around.now.until(pending.ends).min(LONGEST_WAIT));
    Some(answer)
}

fn validate(state: &State, id: &ResourceId, body: &Value, around: &Surroundings) -> Result<Answer, Refusal> {
    let deployment = wanted(state, id, body, around)?;
    let mut body_shown = shown(&deployment);
    let level = body.pointer("/properties/validationLevel").and_then(Value::as_str).unwrap_or("Provider");
    let mut resources: Vec<Value> = Vec::new();
    if !level.eq_ignore_ascii_case("Template") {
        let (key, correlation) = (deployment.key(), deployment.correlation.clone());
        let after = rehearse(state, deployment);
        let done = after.deployment(&key).ok_or_else(|| not_found(id))?;
        if let Some(error) = &done.error {
            return Err(invalid_deployment_of(id.name(), &correlation, error));
        }
        resources = done.steps.iter().filter(|step| step.writes()).map(|step| json!({"id": step.id})).collect();
    }
    if let Some(properties) = body_shown.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("provisioningState".to_owned(), json!(Progress::Succeeded));
        properties.insert("validatedResources".to_owned(), Value::Array(resources));
    }
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
    let result = match wanted(state, id, body, around) {
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
        return Err(Refusal::conflict(
            "DeploymentCannotBeCancelled",
            format!(
                "The deployment '{}' cannot be cancelled because its provisioning state is terminal.",
                deployment.name()
            ),
        ));
    }
    cancel(state, &id.key(), now);
    Ok(Answer::empty(204))
}
