//! The reply of the local cloud to a request: an answer, or a refusal in Azure's error envelope.

use serde_json::{Value, json};
use std::time::Duration;

/// The answer to one request, before the headers every answer has are added.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The HTTP status.
    pub(super) status: u16,
    /// Further headers.
    pub(super) headers: Vec<(&'static str, String)>,
    /// The JSON body, if the answer has one.
    pub(super) body: Option<Value>,
}

impl Answer {
    /// An answer without a body.
    pub(super) fn empty(status: u16) -> Answer {
        Answer { status, headers: Vec::new(), body: None }
    }

    pub(super) fn json(status: u16, body: Value) -> Answer {
        Answer { status, headers: Vec::new(), body: Some(body) }
    }
}

/// A request the local cloud refuses, as Azure Resource Manager words it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Refusal {
    /// The HTTP status.
    pub(super) status: u16,
    /// Azure's error code.
    pub(super) code: String,
    /// The sentence for people.
    pub(super) message: String,
    /// The time after which it is worth trying again, where that is known.
    pub(super) retry_after: Option<Duration>,
    /// The errors behind it, where there are such.
    pub(super) details: Vec<Value>,
    /// The policies that refuse it.
    pub(super) denied: Option<Box<Denied>>,
}

/// The words about policies that refuse a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Denied {
    /// The name of the resource.
    pub(super) target: String,
    /// Each policy, as the `additionalInfo` of the error has it.
    pub(super) policies: Vec<Value>,
}

impl Refusal {
    /// A refusal of any status.
    pub(super) fn new(status: u16, code: &str, message: impl Into<String>) -> Refusal {
        Refusal { status, code: code.to_owned(), message: message.into(), ..Refusal::default() }
    }

    /// 400: the request itself is wrong.
    pub(super) fn bad_request(code: &str, message: impl Into<String>) -> Refusal {
        Refusal::new(400, code, message)
    }

    /// 404: what the request names is not there.
    pub(super) fn not_found(code: &str, message: impl Into<String>) -> Refusal {
        Refusal::new(404, code, message)
    }

    /// 409: the request contradicts what exists.
    pub(super) fn conflict(code: &str, message: impl Into<String>) -> Refusal {
        Refusal::new(409, code, message)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut body = error_envelope(&refusal.code, &refusal.message);
        if !refusal.details.is_empty() {
            body["error"]["details"] = refusal.details.into();
        }
        if let Some(denied) = refusal.denied {
            body["error"]["target"] = denied.target.into();
            body["error"]["additionalInfo"] = denied.policies.into();
        }
        let mut answer = Answer::json(refusal.status, body);
        if let Some(wait) = refusal.retry_after {
            push_retry_after(&mut answer.headers, wait);
        }
        answer
    }
}

/// The body of every refusal: `{"error":{"code","message"}}`.
pub(super) fn error_envelope(code: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}

/// `Retry-After` in whole seconds, never 0 (azure-core takes 0 as absent and waits 30 s), and the true wait in
/// milliseconds beside it for clients that read it.
pub(super) fn push_retry_after(headers: &mut Vec<(&'static str, String)>, wait: Duration) {
    let milliseconds = wait.as_millis().max(1);
    headers.push(("retry-after", milliseconds.div_ceil(1000).to_string()));
    headers.push(("x-ms-retry-after-ms", milliseconds.to_string()));
}
