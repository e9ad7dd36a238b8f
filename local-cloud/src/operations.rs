//! Long-running operations: how a write is answered, and how the client follows it.
//!
//! Azure has three ways (`Azure-AsyncOperation`, `Location`, `provisioningState`); which one a type uses stands in the
//! table of types. Source: azure-resource-manager-rpc, async-api-reference.

use super::lookup::view;
use super::moment::Moment;
use super::path::ResourceId;
use super::reply::{Answer, Refusal, error_envelope, push_retry_after};
use super::resource_types::Follow;
use super::state::{Body, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// The longest wait a poll is asked for.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// The wait a poll of an operation that never ends is asked for.
const ENDLESS_WAIT: Duration = Duration::from_secs(1);

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Change {
    Create,
    Update,
    Delete,
}

impl Change {
    /// The provisioning state of the resource while the operation runs.
    pub(super) fn state(self) -> &'static str {
        match self {
            Change::Create => "Creating",
            Change::Update => "Updating",
            Change::Delete => "Deleting",
        }
    }
}

/// Where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Status {
    InProgress,
    Succeeded,
    Failed,
}

impl Status {
    /// Azure's word for it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Status::InProgress => "InProgress",
            Status::Succeeded => "Succeeded",
            Status::Failed => "Failed",
        }
    }
}

/// Why an operation ends as failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) code: String,
    pub(super) message: String,
}

/// A long-running operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Operation {
    /// A GUID.
    pub(super) id: String,
    /// The id of the resource it works on.
    pub(super) resource: String,
    pub(super) change: Change,
    pub(super) started: Moment,
    /// When it ends; never, when absent.
    pub(super) ends: Option<Moment>,
    /// It ends as failed, for this reason.
    pub(super) failure: Option<Failure>,
    pub(super) status: Status,
}

/// Where links in answers point, and what time it is.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// `http://127.0.0.1:8090`, as the client called it.
    pub(super) base: String,
    /// The api-version of the request, which links carry on.
    pub(super) api_version: String,
    pub(super) now: Moment,
}

/// The answer to a write that started `operation`. `body` is what the resource looks like now; an answer of 202 has none.
pub(super) fn started(
    status: u16,
    follow: Follow,
    operation: &Operation,
    body: Option<Body>,
    around: &Surroundings,
) -> Answer {
    let mut answer = Answer::empty(status);
    answer.body = body.filter(|_| status != 202).map(Value::Object);
    let link = match follow {
        Follow::AsyncOperation => Some(("azure-asyncoperation", "operationStatuses")),
        Follow::Location => Some(("location", "operationResults")),
        Follow::Done | Follow::ProvisioningState => None,
    };
    if let Some((header, word)) = link {
        answer.headers.push((header, poll_link(operation, word, around)));
        push_waiting(&mut answer, operation, around.now);
    }
    answer
}

/// The answer to a GET of `operationStatuses/{id}`: always 200.
pub(super) fn poll_status(state: &State, id: &str, around: &Surroundings) -> Result<Answer, Refusal> {
    let operation = find(state, id)?;
    let mut body = json!({
        "name": operation.id,
        "status": operation.status.text(),
        "startTime": operation.started.text(),
    });
    if let (Value::Object(body), true) = (&mut body, operation.status != Status::InProgress) {
        body.insert("endTime".to_owned(), operation.ends.map(Moment::text).into());
        if let Some(Failure { code, message }) = &operation.failure {
            body.insert("error".to_owned(), json!({"code": code, "message": message}));
        }
    }
    let mut answer = Answer::json(200, body);
    if operation.status == Status::InProgress {
        push_waiting(&mut answer, operation, around.now);
    }
    Ok(answer)
}

/// The answer to a GET of `operationResults/{id}`: 202 while it runs, then the result.
pub(super) fn poll_result(state: &State, id: &str, around: &Surroundings) -> Result<Answer, Refusal> {
    let operation = find(state, id)?;
    match (operation.status, &operation.failure) {
        (Status::InProgress, _) => {
            let mut answer = Answer::empty(202);
            answer.headers.push(("location", poll_link(operation, "operationResults", around)));
            push_waiting(&mut answer, operation, around.now);
            Ok(answer)
        }
        (Status::Failed, Some(Failure { code, message })) => Ok(Answer::json(409, error_envelope(code, message))),
        _ => match ResourceId::parse(&operation.resource).map(|id| view(state, &id)) {
            Some(Ok(body)) if operation.change != Change::Delete => Ok(Answer::json(200, Value::Object(body))),
            _ => Ok(Answer::empty(if operation.change == Change::Delete { 200 } else { 204 })),
        },
    }
}

fn find<'a>(state: &'a State, id: &str) -> Result<&'a Operation, Refusal> {
    state
        .operation(id)
        .ok_or_else(|| Refusal::not_found("OperationNotFound", format!("The operation '{id}' could not be found.")))
}

/// The URL a client asks for the operation.
fn poll_link(operation: &Operation, word: &str, around: &Surroundings) -> String {
    let id = ResourceId::parse(&operation.resource).unwrap_or_default();
    format!(
        "{}/subscriptions/{}/providers/{}/locations/global/{word}/{}?api-version={}",
        around.base,
        id.subscription.as_deref().unwrap_or_default(),
        id.namespace(),
        operation.id,
        around.api_version
    )
}

/// How long the client is to wait before it asks.
fn push_waiting(answer: &mut Answer, operation: &Operation, now: Moment) {
    let wait = operation.ends.map_or(ENDLESS_WAIT, |end| now.until(end).min(LONGEST_WAIT));
    push_retry_after(&mut answer.headers, wait);
}
