//! What can go wrong with a request to Azure Resource Manager, and what to tell people about it.

use thiserror::Error;

use super::advice::advice;
use super::refusal::Refusal;
use crate::protocol::{ErrorCategory, ErrorReport};

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
        /// What to do about it, in sentences.
        advice: &'static str,
    },
    /// There was an answer, but not one of Azure Resource Manager.
    #[error("{host} did not answer as Azure Resource Manager does ({reason}).")]
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
        let refusal = if let ArmError::Refused(refusal) = self { Some(refusal.as_ref()) } else { None };
        ErrorReport {
            terminating: false,
            code: self.code().to_owned(),
            category: self.category(),
            message: format!("{what}: {self}"),
            recommendation: match self {
                ArmError::Connection { advice, .. } => {
                    Some(format!("{advice} Then run the command again; it continues where it stopped."))
                }
                _ => advice(self.code(), refusal),
            },
            request_id: refusal.and_then(|refusal| refusal.request_id.clone()),
            ..ErrorReport::default()
        }
    }

    fn category(&self) -> ErrorCategory {
        match self {
            ArmError::Refused(refusal) => match (refusal.status, refusal.code.as_str()) {
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
            },
            ArmError::Connection { .. } => ErrorCategory::ConnectionError,
            ArmError::NotAzure { .. } => ErrorCategory::InvalidResult,
            ArmError::TimedOut { .. } => ErrorCategory::OperationTimeout,
            ArmError::NoToken(report) => report.category,
        }
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
        assert_eq!(report.message, "The storage account 'x' was not created: No.");
        assert_eq!(report.category, ErrorCategory::PermissionDenied);
        assert_eq!(report.request_id.as_deref(), Some("r"));
        assert!(report.recommendation.unwrap().contains("role"));
    }
}
