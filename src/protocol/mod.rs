//! What passes between the engine and its hosts: the request, the messages, the answers, and what must not be shown.

mod code;
mod context_members;
mod message;
mod operation;
mod redact;
mod request;
mod texts;
mod words;

pub use code::{Code, ExitStatus, FindingCode};
pub use context_members::{
    CONTEXT_MEMBERS, ContextMember, ContextMemberKind, EXCEPTION_TAG_KEY, SERVICE_TAG_KEY, is_passed_variable,
    path_variables,
};
pub use message::{
    Action, ActionKind, Confirm, Counts, ErrorCategory, ErrorReport, FailureReport, FindingReport, Message,
    PLAN_FORMAT, PropertyChange, ResourceReport, UnchangedReport,
};
pub use operation::{AnswerError, Host, HostToken, Next, Operation};
pub use redact::{REDACTED, Secrets};
pub use request::{AzSession, Context, Request};
pub use words::{alternatives, is_misleading, leaves, nearest, not_valid, not_valid_unquoted, plural, visible};
