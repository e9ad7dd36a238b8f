//! Runs one of the eight commands and shows its messages.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use clap::ArgMatches;
use serde_json::{Map, Value, json};
use svc_engine::commands::registry::{CONTEXT_MEMBERS, ContextMemberKind, is_passed_variable, is_path_variable};
use svc_engine::commands::{Command, ConfirmImpact, ParameterKind};
use svc_engine::session::{self, ErrorReport, Message, Next, Operation};
use svc_engine::settings::Document;

use super::confirm::{Answers, CannotAsk};
use super::render::{Json, Renderer, Text};
use super::{DONE, FAILED, INTERRUPTED, PARTLY_FAILED, USAGE, arguments, complain};

/// How long one look at the queue of messages waits; between two looks Ctrl+C is noticed.
const POLL: Duration = Duration::from_millis(100);

/// Errors that are about what the user wrote.
const USAGE_CODES: &[&str] = &[
    "CertificateFileInvalid",
    "CloudUnknown",
    "ContextInvalid",
    "EndpointInvalid",
    "EnvironmentUnknown",
    "ProxyInvalid",
    "RequestInvalid",
    "SubscriptionInvalid",
];

pub(super) fn run(name: &str, matches: &ArgMatches) -> u8 {
    let Some(command) = arguments::command_called(name) else { return USAGE };
    let request = match request(command, matches) {
        Ok(request) => request,
        Err(problem) => {
            complain(&problem);
            return USAGE;
        }
    };
    let is_on = |name: &str| matches.get_one::<bool>(name).copied().unwrap_or_default();
    let mut renderer: Box<dyn Renderer> = if matches.get_one::<String>("Output").is_some_and(|form| form == "json") {
        Box::new(Json)
    } else {
        Box::new(Text::new(is_on("Verbose"), is_on("Debug"), is_on("WhatIf")))
    };
    let confirm = matches.get_one::<bool>("Confirm").copied().unwrap_or(command.confirm_impact == ConfirmImpact::High);
    let answers = if is_on("WhatIf") {
        Answers::None
    } else if confirm {
        Answers::Ask
    } else {
        Answers::All
    };
    let interrupts = Arc::new(Interrupts::default());
    let noted = Arc::clone(&interrupts);
    // Where no handler can be set, Ctrl+C ends the program at once, which is what the second one does anyway.
    let _ = ctrlc::set_handler(move || {
        if noted.count.fetch_add(1, Ordering::SeqCst) > 0 || noted.at_prompt.load(Ordering::SeqCst) {
            end_at_once();
        }
    });
    let operation = session::start(command, request.to_string().as_bytes());
    follow(&operation, renderer.as_mut(), &answers, &interrupts)
}

/// What Ctrl+C means right now.
#[derive(Default)]
struct Interrupts {
    /// How often it was pressed.
    count: AtomicU32,
    /// A prompt waits for its answer: nothing was changed yet, and the wait for a line cannot be ended otherwise.
    at_prompt: AtomicBool,
}

impl Interrupts {
    fn any(&self) -> bool {
        self.count.load(Ordering::SeqCst) > 0
    }
}

#[expect(clippy::exit, reason = "the user wants no more waiting")]
fn end_at_once() {
    std::process::exit(i32::from(INTERRUPTED));
}

/// Shows messages and answers questions until the operation ends. Returns the exit status.
fn follow(operation: &Operation, renderer: &mut dyn Renderer, answers: &Answers, interrupts: &Interrupts) -> u8 {
    let mut outcome = Outcome::default();
    loop {
        if interrupts.any() {
            operation.cancel();
        }
        let message = match operation.next(POLL) {
            Next::Timeout => continue,
            Next::Finished => break,
            Next::Message(message) => message,
        };
        renderer.show(&message);
        outcome.note(&message);
        if let Message::Plan { id, actions } = *message {
            interrupts.at_prompt.store(true, Ordering::SeqCst);
            if interrupts.any() {
                continue;
            }
            let decided = answers.decide(&actions, renderer);
            interrupts.at_prompt.store(false, Ordering::SeqCst);
            let approved = match decided {
                Ok(approved) => approved,
                Err(CannotAsk(reason)) => {
                    let report = confirmation_unavailable(&reason);
                    outcome.status = Some(FAILED);
                    renderer.show(&Message::Error(report));
                    operation.cancel();
                    continue;
                }
            };
            // The question is open until it is answered, so this answer is taken unless the operation was cancelled.
            let _ = operation.answer(&json!({ "id": id, "approved": approved }).to_string());
        }
    }
    renderer.finish();
    if interrupts.any() { INTERRUPTED } else { outcome.status() }
}

fn confirmation_unavailable(reason: &str) -> ErrorReport {
    ErrorReport {
        terminating: true,
        code: "ConfirmationUnavailable".to_owned(),
        category: session::ErrorCategory::InvalidOperation,
        message: format!("Nobody can be asked to confirm: {reason}."),
        recommendation: Some("Pass --confirm=false (-Confirm:$false) in unattended runs.".to_owned()),
        ..ErrorReport::default()
    }
}

/// What the messages so far say of the exit status.
#[derive(Default)]
struct Outcome {
    status: Option<u8>,
    changed: bool,
    failed: bool,
}

impl Outcome {
    fn note(&mut self, message: &Message) {
        match message {
            Message::Resource(_) => self.changed = true,
            Message::Error(report) if report.terminating => {
                let usage = report.code.starts_with("Settings") || USAGE_CODES.contains(&report.code.as_str());
                self.status = Some(if usage { USAGE } else { FAILED });
            }
            Message::Error(_) => self.failed = true,
            _ => {}
        }
    }

    fn status(&self) -> u8 {
        match (self.status, self.failed, self.changed) {
            (_, true, true) | (Some(_), _, true) => PARTLY_FAILED,
            (Some(status), _, _) => status,
            (None, true, false) => FAILED,
            (None, false, _) => DONE,
        }
    }
}

/// The request of the arguments.
fn request(command: &Command, matches: &ArgMatches) -> Result<Value, String> {
    let mut request = Map::new();
    for parameter in command.parameters {
        let text = || matches.try_get_one::<String>(parameter.name).ok().flatten();
        match parameter.kind {
            ParameterKind::Path => {
                if let Some(path) = text() {
                    request.insert(parameter.request_member.to_owned(), json!(absolute(path)?));
                }
            }
            ParameterKind::Settings => {
                if text().is_some() {
                    request.insert(parameter.request_member.to_owned(), settings_from_standard_input()?);
                    request.insert("baseDirectory".to_owned(), json!(absolute(".")?));
                }
            }
            ParameterKind::Switch => {
                if let Some(flag) = matches.get_one::<bool>(parameter.name) {
                    request.insert(parameter.request_member.to_owned(), json!(flag));
                }
            }
        }
    }
    request.insert("whatIf".to_owned(), json!(matches.get_one::<bool>("WhatIf").copied().unwrap_or_default()));
    let mut context = Map::new();
    for member in CONTEXT_MEMBERS {
        let value = match member.kind {
            ContextMemberKind::Flag => matches.get_one::<bool>(member.parameter).map(|flag| json!(flag)),
            ContextMemberKind::Text => matches.get_one::<String>(member.parameter).map(|text| json!(text)),
            ContextMemberKind::Path => match matches.get_one::<String>(member.parameter) {
                Some(path) => Some(json!(absolute(path)?)),
                None => None,
            },
        };
        if let Some(value) = value {
            context.insert(member.name.to_owned(), value);
        }
    }
    request.insert("context".to_owned(), Value::Object(context));
    let mut variables: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_passed_variable(name))
        .collect();
    for (_, path) in variables.iter_mut().filter(|(name, path)| is_path_variable(name) && !path.is_empty()) {
        *path = absolute(path)?.display().to_string();
    }
    request.insert("environment".to_owned(), json!(variables));
    Ok(Value::Object(request))
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("The path '{path}' cannot be used: {error}."))
}

fn settings_from_standard_input() -> Result<Value, String> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        complain("Reading the settings from the terminal; end them with Ctrl+D.");
    }
    let mut text = String::new();
    input
        .read_to_string(&mut text)
        .map_err(|error| format!("The settings on standard input cannot be read: {error}."))?;
    let document = Document::parse(None, text).map_err(|findings| {
        let messages: Vec<String> = findings.into_iter().map(|finding| finding.message).collect();
        format!("The settings on standard input are wrong: {}.", messages.join("; "))
    })?;
    Ok(document.value().clone())
}
