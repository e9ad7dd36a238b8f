//! The errors of requests to Azure Resource Manager, and what to tell people about them.

use thiserror::Error;

use super::advice::advice;
use super::refusal::Refusal;
use crate::protocol::{Code, ErrorCategory, ErrorReport};

/// The advice when an answer or an end has not come yet.
const AGAIN: &str = "Run the command again; it continues where it stopped.";
/// The advice when somebody else was faster.
const LOOK_AGAIN: &str = "Run the command again; its plan shows what is there now.";
/// The advice when somebody else answered.
const NOT_AZURE: &str = "Check the endpoint: a proxy or a sign-in page may have answered in its place.";

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
        /// The advice, in sentences.
        advice: &'static str,
    },
    /// There was an answer, but not one of Azure Resource Manager.
    #[error("{host} did not answer as Azure Resource Manager does ({reason}).")]
    NotAzure {
        /// The host that answered.
        host: String,
        /// The thing that came instead.
        reason: String,
    },
    /// No answer, or no end of an operation, in time.
    #[error("{host} did not answer in time ({reason}).")]
    TimedOut {
        /// The host that did not answer.
        host: String,
        /// The thing that was waited for.
        reason: String,
    },
    /// A resource lacks the value that a request needs.
    #[error("The {resource} has no {value}.")]
    NoValue {
        /// Its label and id.
        resource: String,
        /// The path of the value.
        value: &'static str,
    },
    /// The change would undo, or build on, what somebody else changed after the plan was made; nothing was sent.
    #[error("{reason}.")]
    ChangedMeanwhile {
        /// The change, as the end of a sentence.
        reason: String,
        /// The paths of the properties that were changed, as the plan shows them.
        paths: Vec<String>,
    },
    /// There is no token to ask with.
    #[error("{}", .0.failure.message)]
    NoToken(Box<ErrorReport>),
}

impl ArmError {
    /// Azure's code, or the engine's own.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            ArmError::Refused(refusal) => Code::Azure(refusal.code.clone()),
            ArmError::Connection { .. } => Code::ConnectionFailed,
            ArmError::NotAzure { .. } => Code::AnswerNotUnderstood,
            ArmError::TimedOut { .. } => Code::TimedOut,
            ArmError::NoValue { .. } => Code::ReferenceNotAvailable,
            ArmError::ChangedMeanwhile { .. } => Code::ChangedMeanwhile,
            ArmError::NoToken(report) => report.failure.code.clone(),
        }
    }

    /// The error as the host shows it; `what` says what was being done: "The storage account 'x' was not created".
    #[must_use]
    pub fn report(&self, what: &str) -> ErrorReport {
        self.report_of(what, false)
    }

    /// The same, of a resource that does not exist yet (`is_new`), or does.
    #[must_use]
    pub fn report_of(&self, what: &str, is_new: bool) -> ErrorReport {
        if let ArmError::NoToken(report) = self {
            return (**report).clone();
        }
        let refusal = if let ArmError::Refused(refusal) = self { Some(refusal.as_ref()) } else { None };
        let mut report = ErrorReport::new(self.code(), format!("{what}: {self}"));
        let failure = &mut report.failure;
        failure.category = refusal.map_or(failure.category, category);
        failure.recommendation = match self {
            ArmError::Refused(refusal) => advice(refusal, is_new),
            ArmError::Connection { advice, .. } => {
                Some(format!("{advice} Then run the command again; it continues where it stopped."))
            }
            ArmError::NotAzure { .. } => Some(NOT_AZURE.to_owned()),
            ArmError::ChangedMeanwhile { .. } => Some(LOOK_AGAIN.to_owned()),
            ArmError::TimedOut { .. } | ArmError::NoValue { .. } => Some(AGAIN.to_owned()),
            ArmError::NoToken(report) => report.failure.recommendation.clone(),
        };
        failure.request_id = refusal.and_then(|refusal| refusal.request_id.clone());
        report
    }
}

/// The category of Azure's codes, of which there are more than any list has: by the status first.
fn category(refusal: &Refusal) -> ErrorCategory {
    match (refusal.status, refusal.code.as_str()) {
        (401, _) => ErrorCategory::AuthenticationError,
        (_, code) if is_quota(code) => ErrorCategory::LimitsExceeded,
        (403, _) => ErrorCategory::PermissionDenied,
        (404, _) => ErrorCategory::ObjectNotFound,
        (409, code) if code.contains("Taken") || code.contains("Exists") => ErrorCategory::ResourceExists,
        (409, _) => ErrorCategory::ResourceBusy,
        (429, _) => ErrorCategory::LimitsExceeded,
        (400, _) => ErrorCategory::InvalidArgument,
        (500.., _) => ErrorCategory::ResourceUnavailable,
        _ => ErrorCategory::InvalidResult,
    }
}

/// Codes that say that a limit of the subscription is reached, whatever the status.
fn is_quota(code: &str) -> bool {
    code.contains("Quota") || code.contains("LimitReached") || code.starts_with("MaxStorageAccounts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_have_category_and_advice() {
        let refusal = Refusal {
            status: 403,
            code: "AuthorizationFailed".to_owned(),
            message: "No.".to_owned(),
            request_id: Some("r".to_owned()),
            ..Refusal::default()
        };
        let report = ArmError::Refused(Box::new(refusal)).report("The storage account 'x' was not created");
        assert_eq!(report.failure.message, "The storage account 'x' was not created: No.");
        assert_eq!(report.failure.category, ErrorCategory::PermissionDenied);
        assert_eq!(report.failure.request_id.as_deref(), Some("r"));
        assert!(report.failure.recommendation.unwrap().contains("role"));
    }
}
