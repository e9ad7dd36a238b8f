//! The one door to the engine: starts a command and strings its stages together.

mod compile;
mod connect;
mod context;
mod context_variables;
mod deployment;
mod destination;
mod drift;
mod explain;
mod export;
mod failure;
mod join;
mod left_behind;
mod local_cloud;
mod not_ours;
mod order;
mod other_environment;
mod plan_report;
mod planning;
mod policies;
mod prepare;
pub mod registry;
mod rehearse;
mod scaffold;
mod stages;
mod subscription;
mod template;

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use deployment::Job;
pub use explain::{Explained, ExplainedProperty, Explanation};
pub use scaffold::schema_of;

pub use crate::commands::{NewDocument, new_document};

use crate::apply::Record;
#[cfg(feature = "internals")]
use crate::protocol::Pace;
use crate::protocol::{Code, ErrorReport, Host, Message, Operation, Request};
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

/// The kinds of work with the documents of a request, or with what exists.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// Plans them, and makes what is approved.
    Deploy(Job),
    /// Checks them and contacts nothing: warnings, and `SettingsInvalid` with everything that is wrong.
    Validate(Job),
    /// Compares what exists with the documents, and says who has changed it. Nothing is changed.
    Compare,
    /// Makes a template for Azure's own engine: of one document, or of several as one environment. Nothing is changed.
    Template,
    /// Writes the documents of what exists in resource groups. Nothing is changed.
    Export,
    /// Writes a new document. Nothing is contacted.
    New,
    /// Sends the JSON Schema of documents, or of a file beside them. Nothing is contacted.
    Schema,
    /// Serves a local cloud until the operation is cancelled.
    LocalCloud,
}

/// An operation before it is started.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The kind of work.
    pub work: Work,
    /// The request in JSON.
    pub request: &'a [u8],
    /// The plan is kept as Markdown for [`Operation::take_markdown`].
    pub keeps_markdown: bool,
    /// Another pace than the usual one, for servers that need no time to recover and questions that no test waits for.
    #[cfg(feature = "internals")]
    pub pace: Pace,
}

impl<'a> Start<'a> {
    /// Some work with what its request says, and nothing else.
    #[must_use]
    pub fn new(work: Work, request: &'a [u8]) -> Start<'a> {
        Start {
            work,
            request,
            keeps_markdown: false,
            #[cfg(feature = "internals")]
            pace: Pace::default(),
        }
    }

    /// The request, with what only the starter says.
    fn request_of(self, text: &[u8]) -> Result<Request, Box<ErrorReport>> {
        let mut request: Request = read_request(text)?;
        request.keeps_markdown = self.keeps_markdown;
        #[cfg(feature = "internals")]
        {
            request.pace = self.pace;
        }
        Ok(request)
    }
}

/// Starts an operation. Never fails: a bad request ends as a terminating error message.
#[must_use]
pub fn start(start: Start<'_>) -> Operation {
    let text = start.request.to_vec();
    let start = Start { request: &[], ..start };
    Operation::start(move |host| {
        if let Err(report) = begin(start, &text, &host) {
            host.send(Message::Error(*report));
        }
    })
}

/// Reads the request and does the work, to its end.
fn begin(start: Start<'static>, text: &[u8], host: &Host) -> Result<(), Box<ErrorReport>> {
    match start.work {
        Work::Deploy(job) => stages::run(job, start.request_of(text)?, host),
        Work::Validate(job) => stages::look(host, stages::validate(job, start.request_of(text)?, host)),
        Work::Compare => {
            let request = start.request_of(text)?;
            stages::look(host, drift::compare(Job::of(&request), request, host));
        }
        Work::Template => stages::look(host, stages::template(start.request_of(text)?, host)),
        Work::Export => {
            let (wanted, request) = export::read_request(text)?;
            let record = Record::default();
            stages::look_and_note(host, &record, export::export(wanted, request, host, &record));
        }
        Work::New => {
            let (wanted, _) = read_parts(text, scaffold::OF_DOCUMENTS)?;
            stages::look(host, scaffold::document(wanted, host));
        }
        Work::Schema => {
            let (wanted, _) = read_parts(text, scaffold::OF_SCHEMAS)?;
            stages::look(host, scaffold::schema(wanted, host));
        }
        Work::LocalCloud => {
            let (wanted, _) = read_parts(text, local_cloud::OWN)?;
            local_cloud::serve(wanted, host)?;
        }
    }
    Ok(())
}

/// Starts an explanation of what the documents of a request make of names, resource ids, or places in them: `storage.yml:12`. What is wrong
/// comes as messages of the operation, what there is to say by the channel before the operation ends.
#[must_use]
pub fn explain(request: &[u8], whats: &[String]) -> (Operation, Receiver<Explained>) {
    let (request, whats, (sender, receiver)) = (request.to_vec(), whats.to_vec(), channel());
    let operation = Operation::start(move |host| match read_request(&request) {
        Ok(request) => stages::look(&host, async {
            // Nobody listens any more where it is of no use.
            let _ = sender.send(explain::explain(&whats, request, &host).await?);
            Ok(())
        }),
        Err(report) => host.send(Message::Error(*report)),
    });
    (operation, receiver)
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

/// The members of a request that only one kind of work has, and the rest of it.
fn read_parts<T: DeserializeOwned>(request: &[u8], own: &[&str]) -> Result<(T, Request), Box<ErrorReport>> {
    let invalid = |error: serde_json::Error| {
        Box::new(ErrorReport::terminating(Code::RequestInvalid, format!("The request cannot be read: {error}.")))
    };
    let members: Map<String, Value> = read_request(request)?;
    let (own, rest): (Map<_, _>, Map<_, _>) = members.into_iter().partition(|(key, _)| own.contains(&key.as_str()));
    let wanted = serde_json::from_value(Value::Object(own)).map_err(invalid)?;
    Ok((wanted, serde_json::from_value(Value::Object(rest)).map_err(invalid)?))
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
