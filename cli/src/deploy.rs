//! Runs one of the eight commands and shows its messages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use clap::ArgMatches;
use serde_json::{Map, Value, json};
use svc_engine::protocol::{Code, ErrorReport, ExitStatus, Message, Next, Operation, alternatives};
use svc_engine::run;
use svc_engine::run::registry::{
    CONTEXT_MEMBERS, Command, ContextMemberKind, ParameterKind, is_passed_variable, path_variables,
};

use super::confirm::{Answers, CannotAsk};
use super::output::{self, complain};
use super::parameters::kebab;
use super::render::{Detail, Json, Renderer, Text};
use super::{arguments, signals};

/// Where the root of the project stands: the member of the context, and its variable.
const PROJECT_ROOT: (&str, &str) = ("projectRoot", "SVC_PROJECT_ROOT");

/// How long one look at the queue of messages waits; between two looks signals are noticed.
const POLL: Duration = Duration::from_millis(100);

pub(super) fn run(name: &str, matches: &ArgMatches) -> ExitStatus {
    let Some(command) = arguments::command_called(name) else { return ExitStatus::Usage };
    let is_on = |name: &str| matches.get_one::<bool>(name).copied().unwrap_or_default();
    let mut renderer: Box<dyn Renderer> = if matches.get_one::<String>("Output").is_some_and(|form| form == "json") {
        Box::new(Json)
    } else {
        Box::new(Text::new(Detail { verbose: is_on("Verbose"), debug: is_on("Debug"), full: is_on("Full") }))
    };
    let request = match request(command, matches) {
        Ok(request) => request.to_string(),
        Err(report) => {
            renderer.show(&Message::Error(*report));
            return ExitStatus::Usage;
        }
    };
    let confirm = matches.get_one::<bool>("Confirm").copied();
    let answers = Answers::of(is_on("WhatIf"), confirm, run::is_for_this_machine(request.as_bytes()));
    let interrupts = Arc::new(Interrupts::default());
    let noted = Arc::clone(&interrupts);
    // Where nobody can listen, a signal ends the program at once, which is what the second Ctrl+C does anyway.
    let _ = signals::listen(move |signal| {
        if noted.ends_at_once(signal) {
            end_at_once(signal);
        }
    });
    let operation = run::start(command, request.as_bytes());
    follow(&operation, renderer.as_mut(), answers, &interrupts)
}

/// The signals so far, and what the next one means.
#[derive(Default)]
struct Interrupts {
    /// The exit status of the first one; 0 as long as there is none.
    first: AtomicU8,
    /// A prompt waits for its answer: nothing was changed yet, and the wait for a line cannot be ended otherwise.
    at_prompt: AtomicBool,
}

impl Interrupts {
    /// Notes a signal. Pressing Ctrl+C once more is impatience; other signals come twice by themselves: from the terminal and
    /// from its shell, or from a supervisor to the process and to its group.
    fn ends_at_once(&self, signal: ExitStatus) -> bool {
        let is_first = self.first.compare_exchange(0, signal.number(), Ordering::SeqCst, Ordering::SeqCst).is_ok();
        self.at_prompt.load(Ordering::SeqCst) || (!is_first && signal == ExitStatus::Interrupted)
    }

    fn any(&self) -> bool {
        self.status().is_some()
    }

    /// How the program ends because of them.
    fn status(&self) -> Option<ExitStatus> {
        let first = self.first.load(Ordering::SeqCst);
        ExitStatus::SIGNALS.into_iter().find(|status| status.number() == first)
    }
}

#[expect(clippy::exit, reason = "the user wants no more waiting")]
fn end_at_once(signal: ExitStatus) {
    std::process::exit(i32::from(signal.number()));
}

/// Shows messages and answers questions until the operation ends. Returns the exit status.
fn follow(operation: &Operation, renderer: &mut dyn Renderer, answers: Answers, interrupts: &Interrupts) -> ExitStatus {
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
        if outcome.is_over {
            continue;
        }
        renderer.show(&message);
        outcome.note(&message);
        if let Message::Plan { id, actions, .. } = *message {
            interrupts.at_prompt.store(true, Ordering::SeqCst);
            if interrupts.any() {
                continue;
            }
            let decided = answers.decide(&actions, renderer);
            interrupts.at_prompt.store(false, Ordering::SeqCst);
            let approved = match decided {
                Ok(approved) => approved,
                Err(CannotAsk(reason)) => {
                    let refusal = Message::Error(confirmation_unavailable(&reason));
                    renderer.show(&refusal);
                    outcome.note(&refusal);
                    operation.cancel();
                    continue;
                }
            };
            outcome.declined = approved.is_empty() && answers != Answers::None;
            // The question is open until it is answered, so this answer is taken unless the operation was cancelled.
            let _ = operation.answer(&json!({ "id": id, "approved": approved }).to_string());
        }
    }
    renderer.finish();
    interrupts.status().unwrap_or_else(|| outcome.status())
}

fn confirmation_unavailable(reason: &str) -> ErrorReport {
    ErrorReport {
        recommendation: Some("Pass --confirm=false (-Confirm:$false) in unattended runs.".to_owned()),
        ..ErrorReport::terminating(Code::ConfirmationUnavailable, format!("Cannot ask for confirmation: {reason}."))
    }
}

/// What the messages so far say of the exit status.
#[derive(Default)]
struct Outcome {
    /// A terminating error was shown: nothing comes after it.
    is_over: bool,
    /// What that error alone would end with.
    status: Option<ExitStatus>,
    changed: bool,
    failed: bool,
    /// The user approved nothing.
    declined: bool,
}

impl Outcome {
    fn note(&mut self, message: &Message) {
        match message {
            Message::Resource(_) => self.changed = true,
            Message::Error(report) if report.terminating => {
                self.is_over = true;
                self.status = Some(report.code.exit_status());
            }
            Message::Error(_) => self.failed = true,
            _ => {}
        }
    }

    fn status(&self) -> ExitStatus {
        let status = match (self.status, self.failed, self.changed) {
            (_, true, true) | (Some(_), _, true) => ExitStatus::PartlyFailed,
            (Some(status), _, _) => status,
            (None, true, false) => ExitStatus::Failed,
            (None, false, false) if self.declined => ExitStatus::Failed,
            (None, false, _) => ExitStatus::Done,
        };
        output::end(status, self.changed)
    }
}

/// Why there is no request.
type Problem = Box<ErrorReport>;

fn invalid(message: impl Into<String>) -> Problem {
    Box::new(ErrorReport::terminating(Code::RequestInvalid, message))
}

/// The request of the arguments.
fn request(command: &Command, matches: &ArgMatches) -> Result<Value, Problem> {
    let context = context(matches)?;
    let variables = variables()?;
    let of_variable = || variables.get(PROJECT_ROOT.1).filter(|root| !root.is_empty());
    let root = context.get(PROJECT_ROOT.0).and_then(Value::as_str).or(of_variable().map(String::as_str));
    let mut request = Map::new();
    let mut has_settings = false;
    for parameter in command.parameters {
        let text = || matches.try_get_one::<String>(parameter.name).ok().flatten();
        has_settings |= parameter.set.is_some() && text().is_some();
        match parameter.kind {
            ParameterKind::Path => {
                // A wrapper hands over an unset variable as an empty text.
                if let Some(path) = text().filter(|path| parameter.set.is_some() || !path.is_empty()) {
                    request.insert(parameter.request_member.to_owned(), json!(document_path(path, root)?));
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
    if !has_settings {
        return Err(settings_missing(command));
    }
    request.insert("whatIf".to_owned(), json!(matches.get_one::<bool>("WhatIf").copied().unwrap_or_default()));
    request.insert("context".to_owned(), Value::Object(context));
    request.insert("environment".to_owned(), json!(variables));
    Ok(Value::Object(request))
}

/// Neither of the options that take a document is there.
fn settings_missing(command: &Command) -> Problem {
    let options = command.parameters.iter().filter(|parameter| parameter.set.is_some());
    let options: Vec<String> = options
        .map(|parameter| {
            let value = if parameter.kind == ParameterKind::Settings { "-" } else { "<PATH>" };
            format!("--{} {value}", kebab(parameter.name))
        })
        .collect();
    let message = format!("A settings document is required, but not given: {}.", alternatives(&options));
    Box::new(ErrorReport {
        recommendation: Some(format!("Run 'svc {} --help' for all options.", command.subcommand())),
        ..ErrorReport::terminating(Code::SettingsMissing, message)
    })
}

/// The members of the context that options set.
fn context(matches: &ArgMatches) -> Result<Map<String, Value>, Problem> {
    let mut context = Map::new();
    for member in CONTEXT_MEMBERS {
        let value = match member.kind {
            ContextMemberKind::Flag => matches.get_one::<bool>(member.parameter).map(|flag| json!(flag)),
            kind if kind.is_path() => match matches.get_one::<String>(member.parameter).filter(|path| !path.is_empty())
            {
                Some(path) => Some(json!(absolute(path)?)),
                None => None,
            },
            _ => matches.get_one::<String>(member.parameter).map(|text| json!(text)),
        };
        if let Some(value) = value {
            context.insert(member.name.to_owned(), value);
        }
    }
    Ok(context)
}

/// The environment variables that the engine gets, with absolute paths.
fn variables() -> Result<BTreeMap<String, String>, Problem> {
    let mut variables: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_passed_variable(name))
        .collect();
    for (name, value) in &mut variables {
        if !value.is_empty() && path_variables().any(|variable| variable.eq_ignore_ascii_case(name)) {
            let path = absolute(&at_home(value)).map_err(|problem| invalid(format!("{name}: {}", problem.message)))?;
            // A path made of text is text again.
            *value = path.to_string_lossy().into_owned();
        }
    }
    Ok(variables)
}

/// A document of the command line: a relative path starts at the working directory or, where nothing is there, at the root of
/// the project.
fn document_path(path: &str, root: Option<&str>) -> Result<PathBuf, Problem> {
    let here = absolute(path)?;
    if Path::new(path).is_absolute() || here.exists() {
        return Ok(here);
    }
    let below_root = root.map(|root| Path::new(root).join(path)).filter(|path| path.exists());
    Ok(below_root.unwrap_or(here))
}

/// A path with the home folder in the place of its `~`, which no shell replaces in a variable that a file sets.
fn at_home(path: &str) -> Cow<'_, str> {
    let Some(rest) = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator))
    else {
        return Cow::Borrowed(path);
    };
    match std::env::home_dir() {
        Some(home) => Cow::Owned(format!("{}{rest}", home.display())),
        None => Cow::Borrowed(path),
    }
}

fn absolute(path: &str) -> Result<PathBuf, Problem> {
    std::path::absolute(path).map_err(|error| invalid(format!("The path '{path}' cannot be used: {error}.")))
}

fn settings_from_standard_input() -> Result<Value, Problem> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        complain("Reading the settings from the terminal; press Ctrl+D to finish.");
    }
    let mut text = String::new();
    input
        .read_to_string(&mut text)
        .map_err(|error| invalid(format!("The settings on standard input cannot be read: {error}.")))?;
    run::settings_object(text)
        .map_err(|messages| invalid(format!("The settings on standard input are invalid: {}.", messages.join("; "))))
}
