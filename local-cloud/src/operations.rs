//! Long-running operations: how a write is answered, and how the client follows it.
//!
//! Azure has three ways (`Azure-AsyncOperation`, `Location`, `provisioningState`); which one a type uses stands in the
//! table of types. Source: azure-resource-manager-rpc, async-api-reference.

use super::lookup::view;
use super::moment::Moment;
use super::path::ResourceId;
use super::reply::{Answer, Refusal, error_envelope, push_retry_after};
use super::resource_types::{self, Follow, Reply};
use super::state::{Body, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// The longest wait a poll is asked for.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// The wait a poll of an operation that never ends is asked for.
const ENDLESS_WAIT: Duration = Duration::from_secs(1);

/// The change that an operation makes.
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

/// The status of an operation.
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
    /// The moment at which it ends; never, when absent.
    pub(super) ends: Option<Moment>,
    /// It ends as failed, for this reason.
    pub(super) failure: Option<Failure>,
    pub(super) status: Status,
}

/// The URL that links in answers point to, and the time.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// `http://127.0.0.1:8090`, as the client called it.
    pub(super) base: String,
    /// The api-version of the request, which links carry on.
    pub(super) api_version: String,
    pub(super) now: Moment,
}

/// The questions of a client about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Its status: `Azure-AsyncOperation`.
    Status,
    /// Its result: `Location`.
    Result,
}

/// The answer to a write that started `operation`. `body` is what the resource looks like now.
pub(super) fn started(reply: Reply, operation: &Operation, body: Option<Body>, around: &Surroundings) -> Answer {
    let mut answer = Answer::empty(reply.status);
    answer.body = body.filter(|_| reply.shows).map(Value::Object);
    let (status, result) = (("azure-asyncoperation", Question::Status), ("location", Question::Result));
    let links: &[(&'static str, Question)] = match reply.follow {
        Follow::AsyncOperation => &[status],
        Follow::Location => &[result],
        Follow::EitherHeader => &[status, result],
        Follow::Done | Follow::ProvisioningState => &[],
    };
    for (header, question) in links {
        answer.headers.push((header, poll_link(operation, *question, around)));
    }
    if !links.is_empty() {
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
            answer.headers.push(("location", poll_link(operation, Question::Result, around)));
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
fn poll_link(operation: &Operation, question: Question, around: &Surroundings) -> String {
    let id = ResourceId::parse(&operation.resource).unwrap_or_default();
    let subscription = ResourceId::of_subscription(id.subscription.as_deref().unwrap_or_default()).text();
    let (scope, word) = match (resource_types::of(&id).operation_words, question) {
        (Some((statuses, _)), Question::Status) => (id.container().text(), statuses),
        (Some((_, results)), Question::Result) => (id.container().text(), results),
        (None, Question::Status) => (subscription, "locations/global/operationStatuses"),
        (None, Question::Result) => (subscription, "locations/global/operationResults"),
    };
    format!(
        "{}{scope}/providers/{}/{word}/{}?api-version={}",
        around.base,
        id.namespace(),
        operation.id,
        around.api_version
    )
}

/// The question and the operation that the id of a link of [`started`] stands for; none for other ids.
pub(super) fn asked_for(id: &ResourceId) -> Option<(Question, &str)> {
    let type_name = id.type_name().to_lowercase();
    let at_location = |word: &str| type_name.strip_suffix(word).is_some_and(|before| before.ends_with("/locations/"));
    let of_group = |word: &str| type_name == format!("{}/{word}", id.namespace()).to_lowercase();
    let words = || resource_types::all().filter_map(|entry| entry.operation_words);
    let question = if at_location("operationstatuses") || words().any(|(statuses, _)| of_group(statuses)) {
        Question::Status
    } else if at_location("operationresults") || words().any(|(_, results)| of_group(results)) {
        Question::Result
    } else {
        return None;
    };
    Some((question, id.name()))
}

/// Adds the time that the client is to wait before it asks.
fn push_waiting(answer: &mut Answer, operation: &Operation, now: Moment) {
    let wait = operation.ends.map_or(ENDLESS_WAIT, |end| now.until(end).min(LONGEST_WAIT));
    push_retry_after(&mut answer.headers, wait);
}
