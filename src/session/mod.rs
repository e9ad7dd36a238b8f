//! The one door to the engine: starts a command and strings its stages together.

mod connect;
mod context;
mod message;
mod operation;
mod redact;
mod request;
mod run;

pub use message::{
    Action, ActionKind, Counts, ErrorCategory, ErrorReport, FindingReport, Message, PropertyChange, ResourceReport,
};
pub use operation::{AnswerError, Host, HostToken, Next, Operation};
pub use redact::{REDACTED, Secrets};
pub use request::{AzSession, Context, Request};

use crate::commands::Command;
use crate::settings::{settings_invalid, too_deep};

/// Starts a command. Never fails: a bad request ends as a terminating error message.
#[must_use]
pub fn start(command: &'static Command, request: &[u8]) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| match read_request(&request) {
        Ok(request) => run::run(command, request, &host),
        Err(report) => host.send(Message::Error(*report)),
    })
}

fn read_request(request: &[u8]) -> Result<Request, Box<ErrorReport>> {
    let invalid = |message: String| {
        Box::new(ErrorReport {
            terminating: true,
            code: "RequestInvalid".to_owned(),
            category: ErrorCategory::InvalidArgument,
            message,
            ..ErrorReport::default()
        })
    };
    let text = std::str::from_utf8(request).map_err(|error| {
        invalid(format!("The request is not UTF-8 text: the byte at {} is wrong.", error.valid_up_to()))
    })?;
    serde_json::from_str(text).map_err(|error| {
        // Of all members only the settings object may be nested at all deeply.
        if error.to_string().contains("recursion limit") {
            return Box::new(settings_invalid(&[too_deep()]));
        }
        invalid(format!("The request cannot be read: {error}."))
    })
}
