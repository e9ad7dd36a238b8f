//! The one door to the engine: starts a command and strings its stages together.

mod compile;
mod connect;
mod context;
mod deployment;
mod destination;
mod export;
mod failure;
mod join;
mod order;
mod other_environment;
mod plan_report;
mod planning;
mod prepare;
pub mod registry;
mod stages;
mod subscription;
mod template;

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use deployment::Job;

use crate::commands::Command;
pub use crate::commands::{NewDocument, new_document};

#[cfg(feature = "internals")]
use crate::protocol::Pace;
use crate::protocol::{Code, ErrorReport, Message, Operation, Request};
pub use crate::settings::LARGEST_SETTINGS;
use crate::settings::{Document, settings_invalid, too_deep};

/// Reads settings that are not in a file, JSON or YAML in the encodings of files, as the object that a request carries.
///
/// # Errors
/// What is wrong with the text, a sentence each.
pub fn settings_object(text: impl Into<Vec<u8>>) -> Result<Value, Vec<String>> {
    let text = crate::settings::decode(text.into()).map_err(|detail| vec![format!("no text: {detail}")])?;
    let (value, problems) = match Document::parse(None, text) {
        Ok(document) => (document.value().clone(), document.problems()),
        Err(findings) => (Value::Null, findings),
    };
    if problems.is_empty() { Ok(value) } else { Err(problems.into_iter().map(|finding| finding.message).collect()) }
}

/// Starts a command. Never fails: a bad request ends as a terminating error message.
#[must_use]
pub fn start(command: &'static Command, request: &[u8]) -> Operation {
    start_job(Job::Command(command), request, |request| request)
}

/// The same, keeping the plan as Markdown for [`Operation::take_markdown`].
#[must_use]
pub fn start_with_markdown(command: &'static Command, request: &[u8]) -> Operation {
    start_job(Job::Command(command), request, |request| Request { keeps_markdown: true, ..request })
}

/// Starts a deployment of one or several documents, each by the command that its `component` names. Never fails: a bad request ends as a
/// terminating error message.
#[must_use]
pub fn start_deployment(request: &[u8]) -> Operation {
    start_job(Job::Deployment, request, |request| request)
}

/// The same, keeping the plan as Markdown for [`Operation::take_markdown`].
#[must_use]
pub fn start_deployment_with_markdown(request: &[u8]) -> Operation {
    start_job(Job::Deployment, request, |request| Request { keeps_markdown: true, ..request })
}

/// Starts a job with its request as `adjust` makes it.
fn start_job(job: Job, request: &[u8], adjust: impl FnOnce(Request) -> Request + Send + 'static) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| match read_request::<Request>(&request) {
        Ok(request) => stages::run(job, adjust(request), &host),
        Err(report) => host.send(Message::Error(*report)),
    })
}

/// Starts the checks of the documents of a deployment, which contact nothing: warnings, and `SettingsInvalid` with everything that is wrong
/// with any of them.
#[must_use]
pub fn validate_deployment(request: &[u8]) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| match read_request(&request) {
        Ok(request) => stages::validate(Job::Deployment, request, &host),
        Err(report) => host.send(Message::Error(*report)),
    })
}

/// The command that the document of a request is for, by its `component`: the own word of a command, alone or behind its building block
/// (`Iaas.Storage`), in any letter case.
///
/// # Errors
/// The request or its document cannot be read, or the document does not say it: `ComponentMissing` names the likely command.
pub fn component_of(request: &[u8]) -> Result<&'static Command, Box<ErrorReport>> {
    command_of(read_request(request)?)
}

/// Starts the checks of a command's document, which contact nothing: warnings, and `SettingsInvalid` with everything that is wrong.
#[must_use]
pub fn validate(command: &'static Command, request: &[u8]) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| match read_request(&request) {
        Ok(request) => stages::validate(Job::Command(command), request, &host),
        Err(report) => host.send(Message::Error(*report)),
    })
}

/// Starts writing the settings document of what exists. Never fails: a bad request ends as a terminating error message.
#[must_use]
pub fn start_export(request: &[u8]) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| match export::read_request(&request) {
        Ok((wanted, request)) => stages::look(&host, export::export(wanted, request, &host)),
        Err(report) => host.send(Message::Error(*report)),
    })
}

/// Starts the making of a template for Azure's own engine: of one document, or of several as one environment, each for the command that
/// its `component` names. Nothing is changed. Never fails: a bad request ends as a terminating error message.
#[must_use]
pub fn start_template(request: &[u8]) -> Operation {
    let request = request.to_vec();
    Operation::start(move |host| {
        let job = |request: &Request| match (&request.settings_files, &request.settings) {
            (Some(_), _) | (None, Some(Value::Array(_))) => Ok(Job::Deployment),
            (None, _) => command_of(request.clone()).map(Job::Command),
        };
        match read_request(&request).and_then(|request| Ok((job(&request)?, request))) {
            Ok((job, request)) => stages::template(job, request, &host),
            Err(report) => host.send(Message::Error(*report)),
        }
    })
}

fn command_of(mut request: Request) -> Result<&'static Command, Box<ErrorReport>> {
    crate::commands::command_of(&prepare::document_of(&mut request)?)
}

/// A file of log alert definitions of the replaced module as `logAlertDefinitions.yml`, and what is left to mend in it, a sentence each.
///
/// # Errors
/// The file cannot be read, or is none of the replaced module.
pub fn rewrite_definitions(file: &Path) -> Result<(String, Vec<String>), Box<ErrorReport>> {
    crate::commands::rewrite_definitions(file).map_err(|error| Box::new(error.report()))
}

/// The text of a settings document, as the engine reads it; none where it cannot be read.
#[must_use]
pub fn document_text(file: &Path) -> Option<String> {
    crate::settings::read_text(file, "settings").ok()
}

/// A line of a settings document as it may be shown: without the values of secret settings, and with every other character where it
/// was. `path` is that of the finding in the line.
#[must_use]
pub fn shown_line(line: &str, path: &str) -> String {
    crate::settings::hide_secrets(line, path)
}

/// Starts a command at another pace, for servers that need no time to recover, and for questions that no test waits for.
#[cfg(feature = "internals")]
#[must_use]
pub fn start_at(command: &'static Command, request: &[u8], pace: Pace) -> Operation {
    start_job(Job::Command(command), request, move |request| Request { pace, ..request })
}

/// The same for a deployment.
#[cfg(feature = "internals")]
#[must_use]
pub fn start_deployment_at(request: &[u8], pace: Pace) -> Operation {
    start_job(Job::Deployment, request, move |request| Request { pace, ..request })
}

/// Whether a request is for the local cloud, or for another one that this machine serves: what is deleted there is a
/// rehearsal. A request that cannot be read is for neither.
#[must_use]
pub fn is_for_this_machine(request: &[u8]) -> bool {
    read_request::<Request>(request).is_ok_and(|request| connect::is_for_this_machine(&request))
}

fn read_request<T: DeserializeOwned>(request: &[u8]) -> Result<T, Box<ErrorReport>> {
    let invalid = |message: String| Box::new(ErrorReport::terminating(Code::RequestInvalid, message));
    let text = std::str::from_utf8(request).map_err(|error| {
        invalid(format!("The request is not UTF-8 text: invalid byte at offset {}.", error.valid_up_to()))
    })?;
    serde_json::from_str(text).map_err(|error| {
        // Of all members only the settings object may be nested at all deeply.
        if error.to_string().contains("recursion limit") {
            return Box::new(settings_invalid(&[too_deep()]));
        }
        // A host's own mistake: its members are told as serde tells them, but not by the names of types in here.
        let reason = error.to_string().replace("struct Request", "an object").replace("sequence", "list");
        invalid(format!("The request cannot be read: {reason}."))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_for_this_machine() {
        let is = |context: serde_json::Value, environment: serde_json::Value| {
            let request = json!({"settings": {}, "context": context, "environment": environment});
            is_for_this_machine(request.to_string().as_bytes())
        };
        assert!(is(json!({"cloud": "local"}), json!({})));
        assert!(is(json!({"cloud": "http://127.0.0.1:8090"}), json!({})));
        assert!(is(json!({}), json!({"SVC_CLOUD": "local"})));
        assert!(is(json!({"resourceManagerEndpoint": "https://localhost:8443"}), json!({})));
        assert!(!is(json!({}), json!({})), "the public cloud");
        assert!(!is(json!({"cloud": "https://arm.example"}), json!({})));
        assert!(!is(json!({"cloud": "public"}), json!({"SVC_CLOUD": "local"})));
        assert!(!is(json!({"cloud": "mars"}), json!({})), "no cloud at all");
        assert!(!is_for_this_machine(b"{"));
    }
}
