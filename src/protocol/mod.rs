//! The protocol between the engine and its hosts: the request, the messages, the answers, and what must not be shown.

mod action;
mod code;
mod context_members;
mod context_value;
mod counts;
mod drift;
mod error_report;
mod json_text;
mod kept;
mod message;
mod message_texts;
mod operation;
mod redact;
mod rehearsal;
mod request;
mod resource_name;
mod resource_report;
mod secret_form;
mod target;
mod template;
mod under_way;
mod warning;
mod words;

pub use action::{Action, ActionKind, Confirm, PLAN_FORMAT, PropertyChange};
pub use code::{Code, ExitStatus, FindingCode};
pub use context_members::{
    CONTEXT_MEMBERS, Context, ContextMember, ContextMemberKind, EXCEPTION_TAG_KEY, Number, OneOrMore, SERVICE_TAG_KEY,
    decides_about_runs, path_variables,
};
pub use counts::Counts;
pub use drift::{Attribution, Difference, DifferenceKind, Drift};
pub use error_report::{ErrorCategory, ErrorReport, FailureReport, FindingReport};
pub use json_text::JsonText;
pub use kept::Kept;
pub use message::{FileBeside, Message};
pub use operation::{AnswerError, Host, HostToken, Next, Operation};
pub use redact::{LENGTH_OF_SECRETS, REDACTED, Secrets, UNKNOWN_SUBSCRIPTION};
pub use rehearsal::{Rehearsal, Sampled};
pub use request::{AzSession, Pace, Request, TemplateOptions};
pub use resource_name::ResourceName;
pub use resource_report::{ResourceReport, UnchangedReport};
pub use secret_form::{
    is_secret_member, is_secret_name, secret_kind, secret_urls, shown_of_secret, without_secret_urls, without_secrets,
};
pub(crate) use target::is_zero;
pub use target::{MadeWith, Target, is_loopback};
pub use template::{TemplateCall, TemplateParameter, TemplateReport};
pub use under_way::UnderWay;
pub use warning::{FilePlace, Warning};
pub use words::{
    MOST_SHOWN, alternatives, cut, escaped_json, first_of, grouped, is_misleading, leaves, listed, nearest, not_valid,
    not_valid_unquoted, plural, visible,
};
