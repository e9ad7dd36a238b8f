//! What can go wrong with a request to Azure Resource Manager, and what to tell people about it.

use serde_json::Value;
use thiserror::Error;

use crate::session::{ErrorCategory, ErrorReport};

/// A request that did not succeed, after all retries.
#[derive(Debug, Clone, Error)]
pub enum ArmError {
    /// Azure answered and said no.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// The connection was not made, or was lost before the answer.
    #[error("{host} cannot be reached: {reason}.")]
    Connection {
        /// Whom the request was for.
        host: String,
        /// Why, in words.
        reason: String,
    },
    /// There was an answer, but not one of Azure Resource Manager.
    #[error("{host} answered with something that is not of Azure Resource Manager ({reason}).")]
    NotAzure {
        /// Who answered.
        host: String,
        /// What came instead.
        reason: String,
    },
    /// No answer, or no end of an operation, in time.
    #[error("{host} did not answer in time ({reason}).")]
    TimedOut {
        /// Who did not answer.
        host: String,
        /// What was waited for.
        reason: String,
    },
    /// There is no token to ask with.
    #[error("{}", .0.message)]
    NoToken(Box<ErrorReport>),
}

/// Azure's refusal.
#[derive(Debug, Clone, Default)]
pub struct Refusal {
    /// The HTTP status; 0 for an operation that was accepted and failed later.
    pub status: u16,
    /// Azure's code, such as `AuthorizationFailed`.
    pub code: String,
    /// Azure's words, the deepest detail first where there are details.
    pub message: String,
    /// `x-ms-request-id`.
    pub request_id: Option<String>,
}

impl Refusal {
    /// Reads Azure's error envelope, or what providers send without one.
    #[must_use]
    pub fn from_body(status: u16, body: Option<&Value>, request_id: Option<String>) -> Refusal {
        let error = body.map(|body| body.get("error").or_else(|| body.get("odata.error")).unwrap_or(body));
        let (code, message) = error.map(deepest).unwrap_or_default();
        let code = if code.is_empty() { format!("HttpStatus{status}") } else { code };
        let message = if message.is_empty() {
            format!("Azure Resource Manager answered with the status {status} and no explanation.")
        } else {
            message
        };
        Refusal { status, code, message, request_id }
    }
}

/// The code and message of the innermost cause: Azure wraps it in `details`, and sometimes as JSON text in `message`.
fn deepest(error: &Value) -> (String, String) {
    let text = |key: &str| match error.get(key) {
        Some(Value::String(text)) => text.trim().to_owned(),
        // Some providers send `message: {"lang": "en", "value": "…"}`.
        Some(Value::Object(object)) => object.get("value").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    let (code, message) = (text("code"), text("message"));
    if let Some(details) = error.get("details").and_then(Value::as_array).filter(|details| !details.is_empty()) {
        let inner: Vec<(String, String)> =
            details.iter().map(deepest).filter(|(_, message)| !message.is_empty()).collect();
        if let Some((inner_code, _)) = inner.first() {
            let messages: Vec<&str> = inner.iter().map(|(_, message)| message.as_str()).collect();
            let code = if inner_code.is_empty() { code } else { inner_code.clone() };
            return (code, messages.join(" "));
        }
    }
    if message.starts_with('{')
        && let Ok(inner) = serde_json::from_str::<Value>(&message)
    {
        let (inner_code, inner_message) = deepest(inner.get("error").unwrap_or(&inner));
        if !inner_message.is_empty() {
            return (if inner_code.is_empty() { code } else { inner_code }, inner_message);
        }
    }
    (code, one_line(&message))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl ArmError {
    /// Azure's code, or the engine's own.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            ArmError::Refused(refusal) => &refusal.code,
            ArmError::Connection { .. } => "ConnectionFailed",
            ArmError::NotAzure { .. } => "AnswerNotUnderstood",
            ArmError::TimedOut { .. } => "TimedOut",
            ArmError::NoToken(report) => &report.code,
        }
    }

    /// The error as the host shows it; `what` says what was being done: "The storage account 'x' was not created".
    #[must_use]
    pub fn report(&self, what: &str) -> ErrorReport {
        if let ArmError::NoToken(report) = self {
            return (**report).clone();
        }
        let request_id = if let ArmError::Refused(refusal) = self { refusal.request_id.clone() } else { None };
        let status = if let ArmError::Refused(refusal) = self { refusal.status } else { 0 };
        ErrorReport {
            terminating: false,
            code: self.code().to_owned(),
            category: self.category(),
            message: format!("{what}: {self}"),
            recommendation: advice(self.code(), status).map(str::to_owned),
            request_id,
            ..ErrorReport::default()
        }
    }

    fn category(&self) -> ErrorCategory {
        match self {
            ArmError::Refused(refusal) => match (refusal.status, refusal.code.as_str()) {
                (401, _) => ErrorCategory::AuthenticationError,
                (403, _) => ErrorCategory::PermissionDenied,
                (404, _) => ErrorCategory::ObjectNotFound,
                (409, code) if code.contains("Taken") || code.contains("Exists") => ErrorCategory::ResourceExists,
                (409, _) => ErrorCategory::ResourceBusy,
                (429, _) => ErrorCategory::LimitsExceeded,
                (400, _) => ErrorCategory::InvalidArgument,
                (500.., _) => ErrorCategory::ResourceUnavailable,
                _ => ErrorCategory::InvalidResult,
            },
            ArmError::Connection { .. } => ErrorCategory::ConnectionError,
            ArmError::NotAzure { .. } => ErrorCategory::InvalidResult,
            ArmError::TimedOut { .. } => ErrorCategory::OperationTimeout,
            ArmError::NoToken(report) => report.category,
        }
    }
}

/// What to do about Azure's codes, by code or, where the code is not known, by status. One table.
const ADVICE: &[(&str, u16, &str)] = &[
    (
        "StorageAccountAlreadyTaken",
        409,
        "Storage account names are worldwide. Choose another name in the settings, or put the organisation into names with a naming file (_names).",
    ),
    (
        "StorageAccountAlreadyExists",
        409,
        "Storage account names are worldwide. Choose another name in the settings, or put the organisation into names with a naming file (_names).",
    ),
    (
        "AuthorizationFailed",
        403,
        "Give the identity a role with the action that the message names, then run the command again.",
    ),
    (
        "RequestDisallowedByPolicy",
        403,
        "An Azure Policy denies this. Change the settings to what it allows, or ask its owner for an exemption.",
    ),
    ("ScopeLocked", 409, "A lock protects this scope. Remove the lock, then run the command again."),
    (
        "MissingSubscriptionRegistration",
        409,
        "The subscription is not registered for this resource provider. Register it (az provider register --namespace NAME), then run the command again.",
    ),
    ("SubscriptionNotFound", 404, "Check the subscription id, and that the identity may see the subscription."),
    (
        "ConnectionFailed",
        0,
        "Check the network, the proxy variables and the endpoint, then run the command again; what is done is found done.",
    ),
    ("AnswerNotUnderstood", 0, "Check the endpoint: a proxy or a sign-in page may have answered in its place."),
    ("TimedOut", 0, "Run the command again; what is done is found done."),
    (
        "",
        0,
        "The operation was begun and failed. Correct what the message names, then run the command again; what is done is found done.",
    ),
    ("", 400, "Correct what the message names, then run the command again; what is done is found done."),
    (
        "",
        401,
        "The token was refused. Check which tenant the identity signed in to and which cloud is chosen, then sign in again.",
    ),
    ("", 403, "Give the identity the permission that the message names, then run the command again."),
    ("", 409, "Something else is changing the resource. Run the command again when it is done."),
    ("", 429, "Azure throttles this subscription. Run the command again later; what is done is found done."),
    ("", 500, "Azure had a problem of its own. Run the command again; what is done is found done."),
];

fn advice(code: &str, status: u16) -> Option<&'static str> {
    let by_code = ADVICE.iter().find(|(known, _, _)| !known.is_empty() && known.eq_ignore_ascii_case(code));
    let status = if status > 500 { 500 } else { status };
    by_code.or_else(|| ADVICE.iter().find(|(known, of, _)| known.is_empty() && *of == status)).map(|(_, _, text)| *text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_leaf_cause_is_what_people_read() {
        let body = json!({"error": {"code": "DeploymentFailed", "message": "At least one failed.", "details": [
            {"code": "Conflict", "message": "{\"error\":{\"code\":\"StorageAccountAlreadyTaken\",\"message\":\"The name is\\n taken.\"}}"}]}});
        let refusal = Refusal::from_body(409, Some(&body), None);
        assert_eq!(
            (refusal.code.as_str(), refusal.message.as_str()),
            ("StorageAccountAlreadyTaken", "The name is taken.")
        );
    }

    #[test]
    fn providers_without_the_envelope() {
        let refusal = Refusal::from_body(400, Some(&json!({"code": "Bad", "message": "No."})), None);
        assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("Bad", "No."));
        let odata = json!({"odata.error": {"code": "X", "message": {"lang": "en", "value": "Why"}}});
        assert_eq!(Refusal::from_body(400, Some(&odata), None).message, "Why");
        assert_eq!(Refusal::from_body(503, None, None).code, "HttpStatus503");
    }

    #[test]
    fn reports_have_category_and_advice() {
        let refusal = Refusal {
            status: 403,
            code: "AuthorizationFailed".to_owned(),
            message: "No.".to_owned(),
            request_id: Some("r".to_owned()),
        };
        let report = ArmError::Refused(Box::new(refusal)).report("The storage account 'x' was not created");
        assert_eq!(report.message, "The storage account 'x' was not created: No.");
        assert_eq!(report.category, ErrorCategory::PermissionDenied);
        assert_eq!(report.request_id.as_deref(), Some("r"));
        assert!(report.recommendation.unwrap().contains("role"));
        assert!(advice("Unknown", 503).unwrap().contains("problem of its own"));
        assert!(advice("Unknown", 418).is_none());
    }
}
