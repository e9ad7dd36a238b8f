//! The messages an operation sends to its host, as `docs/abi.md` describes them.

use serde::Serialize;

use super::code::{Code, FindingCode};
use super::words::plural;

/// One message. Its JSON form has an `event` member that names the variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// A milestone, for people who asked for detail.
    Verbose {
        /// A complete sentence.
        message: String,
    },
    /// Detail for a report of a problem: request ids, timings.
    Debug {
        /// A complete sentence.
        message: String,
    },
    /// Something the user should know although the command goes on.
    Warning {
        /// A complete sentence.
        message: String,
    },
    /// How far an activity is. At most five a second are sent.
    Progress {
        /// Tells activities apart that are shown at the same time.
        activity_id: u32,
        /// What is being done as a whole.
        activity: String,
        /// How far it is, in words.
        status: String,
        /// What is being done right now.
        #[serde(skip_serializing_if = "Option::is_none")]
        current_operation: Option<String>,
        /// 0 to 100.
        #[serde(skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
        /// The activity is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        completed: Option<bool>,
    },
    /// What would be changed; answered with the indexes of the approved actions.
    Plan {
        /// The version of the shape of a plan: [`PLAN_FORMAT`].
        format: u32,
        /// Repeated by the answer.
        id: u64,
        /// The changes, in the order in which they would be made.
        actions: Vec<Action>,
    },
    /// Asks the host for an access token of its Azure session.
    Token {
        /// Repeated by the answer.
        id: u64,
        /// The audience: the Resource Manager endpoint, without `/.default`.
        resource: String,
        /// The tenant the token is for, when it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        tenant_id: Option<String>,
    },
    /// One resource was created, changed or deleted.
    Resource(ResourceReport),
    /// One resource is as the settings want it; sent only when `includeUnchanged` asks for it.
    Unchanged(UnchangedReport),
    /// Something failed.
    Error(ErrorReport),
    /// The counts when everything that could be done is done. After it comes at most a terminating `DeploymentFailed`.
    #[serde(serialize_with = "with_sentence")]
    Result(Counts),
}

/// The version of the shape of a plan. It changes when a reader of the old shape would misread the new one.
pub const PLAN_FORMAT: u32 = 1;

/// A change that is asked for in a [`Message::Plan`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// The number the answer names.
    pub index: usize,
    /// What is to be done.
    pub action: ActionKind,
    /// ARM type, as in `Microsoft.Storage/storageAccounts`.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// What people call the type, as in `storage account`.
    pub label: String,
    /// The last segment of the resource id.
    pub name: String,
    /// The name with those of its parents, as ARM writes it: `shop/staging`.
    pub full_name: String,
    /// The resource group, for resources in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_group: Option<String>,
    /// The full resource id.
    pub resource_id: String,
    /// The sentence after `What if:`.
    pub description: String,
    /// The text of the confirmation prompt.
    pub question: String,
    /// Whether a user has to be asked.
    pub confirm: Confirm,
    /// The indexes of the actions that have to succeed first, in ascending order.
    pub depends_on: Vec<usize>,
    /// Property by property.
    pub changes: Vec<PropertyChange>,
    /// The setting the resource comes from: `storage.yml:10:3`, or a path in a settings object. None for the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// Whether an action needs the consent of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Confirm {
    /// Only where the user wants to be asked about every change.
    Normal,
    /// Unless the user said not to ask: what it deletes, nobody can bring back.
    Always,
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionKind {
    /// The resource does not exist yet, or it is not known whether it does (a plan without credentials).
    Create,
    /// The resource exists and differs.
    Modify,
    /// The resource exists and is to go.
    Delete,
}

/// One property of a planned change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertyChange {
    /// Path in the ARM body, as in `properties.minimumTlsVersion`.
    pub path: String,
    /// JSON text of the value that exists, null where there is none.
    pub before: Option<String>,
    /// JSON text of the value that is wanted, null where there is none.
    pub after: Option<String>,
    /// Where the settings say so: `storage.yml:12:5`, or a path in a settings object. None for what they do not say: a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// What was done to one resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceReport {
    /// What was done.
    pub action: ActionKind,
    /// ARM type.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// What people call the type, as in `storage account`.
    pub label: String,
    /// The last segment of the resource id.
    pub name: String,
    /// The name with those of its parents, as ARM writes it: `shop/staging`.
    pub full_name: String,
    /// The resource group, for resources in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_group: Option<String>,
    /// The full resource id.
    pub resource_id: String,
    /// From the first request to the last answer.
    pub seconds: f64,
    /// Facts that only Azure knows, such as host names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<serde_json::Value>,
}

/// A resource that is as the settings want it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnchangedReport {
    /// ARM type.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// What people call the type, as in `storage account`.
    pub label: String,
    /// The last segment of the resource id.
    pub name: String,
    /// The name with those of its parents, as ARM writes it: `shop/staging`.
    pub full_name: String,
    /// The resource group, for resources in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_group: Option<String>,
    /// The full resource id.
    pub resource_id: String,
    /// Facts that only Azure knows, such as host names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<serde_json::Value>,
}

/// A failure, as the host shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorReport {
    /// Nothing comes after it.
    pub terminating: bool,
    /// PascalCase and stable; Azure's own code where Azure refused.
    pub code: Code,
    /// A member of PowerShell's `ErrorCategory`.
    pub category: ErrorCategory,
    /// Complete sentences.
    pub message: String,
    /// What it is about: a file, a setting, a resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// The resource that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Azure's `x-ms-request-id`, for a support case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The single findings of `SettingsInvalid`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingReport>,
    /// What failed, for `DeploymentFailed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureReport>,
    /// What this run has changed, for `DeploymentFailed`; without `properties`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<ResourceReport>,
}

impl ErrorReport {
    /// The error of one resource, after which the run goes on. Its category is that of the code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> ErrorReport {
        ErrorReport {
            terminating: false,
            category: code.category(),
            code,
            message: message.into(),
            target: None,
            recommendation: None,
            resource_id: None,
            request_id: None,
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
}

/// One of the failures that `DeploymentFailed` sums up: an [`ErrorReport`] of one resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureReport {
    /// PascalCase and stable; Azure's own code where Azure refused.
    pub code: Code,
    /// A member of PowerShell's `ErrorCategory`.
    pub category: ErrorCategory,
    /// Complete sentences.
    pub message: String,
    /// The setting it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// The resource that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Azure's `x-ms-request-id`, for a support case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl From<&ErrorReport> for FailureReport {
    fn from(report: &ErrorReport) -> FailureReport {
        FailureReport {
            code: report.code.clone(),
            category: report.category,
            message: report.message.clone(),
            target: report.target.clone(),
            recommendation: report.recommendation.clone(),
            resource_id: report.resource_id.clone(),
            request_id: report.request_id.clone(),
        }
    }
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
}

/// How many resources ended in which state; under what-if, how many would.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Made in this run.
    pub created: usize,
    /// Changed in this run.
    pub modified: usize,
    /// Found as the document wants them; not sent.
    pub unchanged: usize,
    /// Removed in this run.
    pub deleted: usize,
    /// Not approved, or a prerequisite failed or was not approved.
    pub skipped: usize,
    /// Refused or lost.
    pub failed: usize,
    /// What the settings want otherwise, and Azure cannot change: it stays as it is.
    pub kept: usize,
    /// The whole run.
    pub seconds: f64,
    /// Nothing was changed: the counts are those of the plan.
    pub what_if: bool,
}

/// The counts of a run, with the sentence that hosts show where there is nothing else to say.
fn with_sentence<S: serde::Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithSentence<'a> {
        #[serde(flatten)]
        counts: &'a Counts,
        #[serde(skip_serializing_if = "Option::is_none")]
        up_to_date: Option<String>,
    }
    WithSentence { counts, up_to_date: counts.up_to_date() }.serialize(serializer)
}

impl Counts {
    /// The sentence about a run that found everything as it should be; none where anything was changed, would be, failed, was
    /// skipped or is kept as it is.
    #[must_use]
    pub fn up_to_date(&self) -> Option<String> {
        let Counts { created, modified, unchanged, deleted, skipped, failed, kept, seconds: _, what_if: _ } = *self;
        let is_quiet = [created, modified, deleted, skipped, failed, kept].iter().all(|count| *count == 0);
        is_quiet.then(|| format!("Everything is up to date: {unchanged} resource{}.", plural(unchanged)))
    }

    /// Counts a change.
    pub fn add(&mut self, kind: ActionKind) {
        match kind {
            ActionKind::Create => self.created += 1,
            ActionKind::Modify => self.modified += 1,
            ActionKind::Delete => self.deleted += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_is_up_to_date_only_where_nothing_else_is_to_be_told() {
        let quiet = Counts { unchanged: 12, seconds: 0.25, ..Counts::default() };
        for what_if in [true, false] {
            let counts = Counts { what_if, ..quiet };
            assert_eq!(counts.up_to_date().as_deref(), Some("Everything is up to date: 12 resources."));
        }
        assert_eq!(Counts { unchanged: 1, ..quiet }.up_to_date().unwrap(), "Everything is up to date: 1 resource.");
        let others = [
            Counts { created: 1, ..quiet },
            Counts { modified: 1, ..quiet },
            Counts { deleted: 1, ..quiet },
            Counts { skipped: 1, ..quiet },
            Counts { failed: 1, ..quiet },
            Counts { kept: 1, ..quiet },
        ];
        for counts in others {
            assert_eq!(counts.up_to_date(), None, "{counts:?}");
            assert!(serde_json::to_value(Message::Result(counts)).unwrap().get("upToDate").is_none());
        }
        assert_eq!(
            serde_json::to_value(Message::Result(quiet)).unwrap(),
            json!({"event": "result", "created": 0, "modified": 0, "unchanged": 12, "deleted": 0, "skipped": 0, "failed": 0, "kept": 0,
                "seconds": 0.25, "whatIf": false, "upToDate": "Everything is up to date: 12 resources."})
        );
    }
}
