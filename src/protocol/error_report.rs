//! The reports of failures: errors, findings in settings, and what failed and was done before a run ended.

use serde::Serialize;

use super::code::{Code, FindingCode};
use super::resource_report::ResourceReport;

/// A failure, as the host shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorReport {
    /// Nothing comes after it.
    pub terminating: bool,
    /// The failure.
    #[serde(flatten)]
    pub failure: FailureReport,
    /// The single findings of `SettingsInvalid`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingReport>,
    /// The failures, for `DeploymentFailed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureReport>,
    /// The changes of this run, for `DeploymentFailed`; without `properties`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<ResourceReport>,
}

impl ErrorReport {
    /// The error of one resource, after which the run goes on. Its category is that of the code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> ErrorReport {
        ErrorReport {
            terminating: false,
            failure: FailureReport {
                category: code.category(),
                code,
                message: message.into(),
                target: None,
                recommendation: None,
                resource_id: None,
                request_id: None,
                document: None,
            },
            findings: Vec::new(),
            failures: Vec::new(),
            done: Vec::new(),
        }
    }

    /// The error that ends a run.
    #[must_use]
    pub fn terminating(code: Code, message: impl Into<String>) -> ErrorReport {
        ErrorReport { terminating: true, ..ErrorReport::new(code, message) }
    }

    /// The same about a file, a setting or a resource.
    #[must_use]
    pub fn about(self, target: impl Into<String>) -> ErrorReport {
        self.with(|failure| failure.target = Some(target.into()))
    }

    /// The same about a resource, and of the document that it is in.
    #[must_use]
    pub fn about_resource(self, resource_id: impl ToString, document: Option<String>) -> ErrorReport {
        let id = resource_id.to_string();
        self.of_document(document).with(|failure| failure.resource_id = Some(id.clone())).about(id)
    }

    /// The same of one of several documents.
    #[must_use]
    pub fn of_document(self, document: Option<String>) -> ErrorReport {
        self.with(|failure| failure.document = document)
    }

    /// The same with another code, and the category of that.
    #[must_use]
    pub fn with_code(self, code: Code) -> ErrorReport {
        self.of_category(code.category()).with(|failure| failure.code = code)
    }

    /// The same with a way out, in complete sentences.
    #[must_use]
    pub fn recommending(self, way_out: impl Into<String>) -> ErrorReport {
        self.with(|failure| failure.recommendation = Some(way_out.into()))
    }

    /// The same in another category than that of its code.
    #[must_use]
    pub fn of_category(self, category: ErrorCategory) -> ErrorReport {
        self.with(|failure| failure.category = category)
    }

    fn with(mut self, change: impl FnOnce(&mut FailureReport)) -> ErrorReport {
        change(&mut self.failure);
        self
    }
}

/// The failure of an [`ErrorReport`]; `DeploymentFailed` sums up those of single resources.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureReport {
    /// PascalCase and stable; Azure's own code where Azure refused.
    pub code: Code,
    /// A member of PowerShell's `ErrorCategory`.
    pub category: ErrorCategory,
    /// Complete sentences.
    pub message: String,
    /// The file, setting or resource that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The way out, in complete sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// The resource that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Azure's `x-ms-request-id`, for a support case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The document of a deployment that it is about: its absolute path, or its number from 0 where it was an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

/// One finding in a settings document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FindingReport {
    /// The file, null for a settings object.
    pub file: Option<String>,
    /// Counted from 1, null for a settings object.
    pub line: Option<usize>,
    /// In characters, counted from 1, null for a settings object.
    pub column: Option<usize>,
    /// As in `storageAccounts[2].accountType`.
    pub path: String,
    /// PascalCase and stable.
    pub code: FindingCode,
    /// A sentence without the place.
    pub message: String,
}

/// The members of PowerShell's `System.Management.Automation.ErrorCategory` that the engine uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ErrorCategory {
    /// None of the others.
    NotSpecified,
    /// 401: the token was refused.
    AuthenticationError,
    /// A connection could not be made, or was lost.
    ConnectionError,
    /// Bad parameters.
    InvalidArgument,
    /// A document that says something impossible.
    InvalidData,
    /// Asked for at the wrong moment.
    InvalidOperation,
    /// The answer makes no sense.
    InvalidResult,
    /// 429 and quotas.
    LimitsExceeded,
    /// 404, missing files and services.
    ObjectNotFound,
    /// Stopped by the user.
    OperationStopped,
    /// No answer in time.
    OperationTimeout,
    /// 403.
    PermissionDenied,
    /// A file that cannot be read.
    ReadError,
    /// 409 while something else is going on.
    ResourceBusy,
    /// 409 because the name is taken.
    ResourceExists,
    /// 5xx.
    ResourceUnavailable,
    /// Credentials are missing or wrong.
    SecurityError,
    /// A document that cannot be parsed.
    SyntaxError,
    /// A file that cannot be written.
    WriteError,
}
