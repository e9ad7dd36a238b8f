//! Runs a command and shows its messages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use serde_json::{Map, Value, json};
use svc_engine::protocol::{Code, ErrorReport, ExitStatus, Message, Next, Operation, alternatives};
use svc_engine::run;
use svc_engine::run::registry::{
    CONTEXT_MEMBERS, Command, ContextMemberKind, Parameter, ParameterKind, SETTINGS_FILE, SETTINGS_OBJECT,
    is_passed_variable, path_variables,
};

use super::confirm::{Answers, CannotAsk};
use super::github::Github;
use super::output::{self, complain};
use super::parameters::kebab;
use super::render::{Detail, Json, Renderer, Text};
use super::{arguments, signals};

/// Where the root of the project stands: the member of the context, and its variable.
const PROJECT_ROOT: (&str, &str) = ("projectRoot", "SVC_PROJECT_ROOT");

/// Whether what is up to date is reported: the member of the context, and its variable.
const INCLUDE_UNCHANGED: (&str, &str) = ("includeUnchanged", "SVC_INCLUDE_UNCHANGED");

/// The files that get the plan: the member of the context, and its variable.
const PLAN_REPORT: (&str, &str) = ("planReport", "SVC_PLAN_REPORT");

/// How long one look at the queue of messages waits; between two looks signals are noticed.
const POLL: Duration = Duration::from_millis(100);

/// Runs a command by its own name.
pub(super) fn run(name: &str, matches: &ArgMatches) -> ExitStatus {
    let Some(command) = arguments::command_called(name) else { return ExitStatus::Usage };
    let mut session = Session::begin(command.name, matches);
    let parameters: Vec<&Parameter> = command.parameters.iter().filter(|parameter| parameter.set.is_none()).collect();
    let source = source(command, matches).ok_or_else(|| settings_missing(command));
    match source.and_then(|source| request(&source, &parameters, is_on(matches, "WhatIf"), matches)) {
        Ok(request) => session.deploy(command, &request, matches),
        Err(problem) => session.refuse(problem),
    }
}

/// Whether a switch is there that may be missing from a command.
pub(super) fn is_on(matches: &ArgMatches, name: &str) -> bool {
    matches.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or_default()
}

/// What the operations of one run of the program share: who shows their messages, and the signals.
pub(super) struct Session {
    renderer: Box<dyn Renderer>,
    interrupts: Arc<Interrupts>,
    is_for_programs: bool,
}

impl Session {
    pub(super) fn begin(name: &str, matches: &ArgMatches) -> Session {
        let form = matches.get_one::<String>("Output").map_or("text", String::as_str);
        let text = Text::new(Detail {
            verbose: is_on(matches, "Verbose"),
            debug: is_on(matches, "Debug"),
            full: is_on(matches, "Full"),
        });
        let text = if is_on(matches, "Quiet") { text.quiet() } else { text };
        let renderer: Box<dyn Renderer> = match form {
            "json" => Box::new(Json),
            "github" => Box::new(Github::new(text, format!("svc {name}"))),
            _ => Box::new(text),
        };
        let interrupts = Arc::new(Interrupts::default());
        let noted = Arc::clone(&interrupts);
        // Where nobody can listen, a signal ends the program at once, which is what the second Ctrl+C does anyway.
        let _ = signals::listen(move |signal| {
            if noted.ends_at_once(signal) {
                end_at_once(signal);
            }
        });
        Session { renderer, interrupts, is_for_programs: form == "json" }
    }

    /// Whether standard output is read by a program.
    pub(super) fn is_for_programs(&self) -> bool {
        self.is_for_programs
    }

    /// Shows why nothing is started. Returns the exit status.
    pub(super) fn refuse(&mut self, problem: Problem) -> ExitStatus {
        let status = problem.code.exit_status();
        self.renderer.begin(problem.target.as_deref().map(Path::new));
        self.renderer.show(&Message::Error(*problem));
        self.renderer.finish();
        output::end(status, false)
    }

    /// Plans a request and makes what is approved of it, to its end. Returns the exit status.
    pub(super) fn deploy(&mut self, command: &'static Command, request: &Value, matches: &ArgMatches) -> ExitStatus {
        let what_if = request["whatIf"] == true;
        let document = request[SETTINGS_FILE.request_member].as_str();
        let text = match self.renderer.plan_file() {
            Some(file) => with_plan_file(request, file).to_string(),
            None => request.to_string(),
        };
        let confirm = matches.try_get_one::<bool>("Confirm").ok().flatten().copied();
        let yes = is_on(matches, "Yes");
        if yes && confirm == Some(true) {
            return self.refuse(invalid("--yes and --confirm contradict each other: use one of them."));
        }
        let answers = Answers::of(what_if, confirm, yes, run::is_for_this_machine(text.as_bytes()));
        self.renderer.begin(document.map(Path::new));
        let operation = run::start(command, text.as_bytes());
        let outcome = follow(&operation, self.renderer.as_mut(), answers, &self.interrupts);
        self.status(&outcome, is_on(matches, "DetailedExitcode"))
    }

    /// Checks the document of a request. Returns the exit status.
    pub(super) fn validate(&mut self, command: &'static Command, request: &Value) -> ExitStatus {
        self.renderer.begin(request[SETTINGS_FILE.request_member].as_str().map(Path::new));
        let operation = run::validate(command, request.to_string().as_bytes());
        let outcome = follow(&operation, self.renderer.as_mut(), Answers::None, &self.interrupts);
        self.status(&outcome, false)
    }

    fn status(&self, outcome: &Outcome, is_detailed: bool) -> ExitStatus {
        self.interrupts.status().unwrap_or_else(|| outcome.status(is_detailed))
    }
}

/// The request, with one more file that gets the plan, beside those of the options or of the variable.
fn with_plan_file(request: &Value, file: &Path) -> Value {
    let (member, variable) = PLAN_REPORT;
    let mut request = request.clone();
    let mut files = request["context"][member].as_array().cloned().unwrap_or_default();
    let of_variable = &request["environment"][variable];
    if files.is_empty() && of_variable.as_str().is_some_and(|path| !path.is_empty()) {
        files.push(of_variable.clone());
    }
    files.push(json!(file));
    request["context"][member] = json!(files);
    request
}

/// Whether the messages are for a program.
fn is_json(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("Output").is_some_and(|form| form == "json")
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

/// Shows messages and answers questions until the operation ends.
fn follow(operation: &Operation, renderer: &mut dyn Renderer, answers: Answers, interrupts: &Interrupts) -> Outcome {
    let mut outcome = Outcome::default();
    loop {
        if interrupts.any() {
            operation.cancel();
        }
        renderer.tick(Instant::now());
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
        if let Message::Plan { id, actions, target, .. } = *message {
            interrupts.at_prompt.store(true, Ordering::SeqCst);
            if interrupts.any() {
                continue;
            }
            let decided = answers.decide(&actions, target.as_ref(), renderer);
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
    outcome
}

fn confirmation_unavailable(reason: &str) -> ErrorReport {
    ErrorReport {
        recommendation: Some("Pass --yes (-Confirm:$false) in unattended runs.".to_owned()),
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
    /// Something is planned, or kept although the settings say otherwise.
    differs: bool,
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
            Message::Plan { actions, .. } => self.differs |= !actions.is_empty(),
            Message::Result(counts) => self.differs |= counts.kept > 0,
            _ => {}
        }
    }

    /// What an unattended run has to know first goes before the rest: what was changed only in part, what is wrong with the usage, what
    /// failed, and, where that is asked for, that something was to be done.
    fn status(&self, is_detailed: bool) -> ExitStatus {
        let status = match (self.status, self.failed, self.changed) {
            (_, true, true) | (Some(_), _, true) => ExitStatus::PartlyFailed,
            (Some(status), _, _) => status,
            (None, true, false) => ExitStatus::Failed,
            (None, false, false) if self.declined => ExitStatus::Failed,
            (None, false, _) if is_detailed && (self.differs || self.changed) => ExitStatus::Different,
            (None, false, _) => ExitStatus::Done,
        };
        output::end(status, self.changed)
    }
}

/// Why there is no request.
pub(super) type Problem = Box<ErrorReport>;

fn invalid(message: impl Into<String>) -> Problem {
    Box::new(ErrorReport::terminating(Code::RequestInvalid, message))
}

/// Where the settings of a request are.
pub(super) enum Source<'a> {
    /// In a file, whose path is as the user has written it.
    File(&'a str),
    /// On standard input.
    StandardInput,
}

/// What a command's own options say of its settings.
fn source<'a>(command: &Command, matches: &'a ArgMatches) -> Option<Source<'a>> {
    let mut documents = command.parameters.iter().filter(|parameter| parameter.set.is_some());
    documents.find_map(|parameter| {
        let text = matches.try_get_one::<String>(parameter.name).ok().flatten()?;
        Some(if parameter.kind == ParameterKind::Settings { Source::StandardInput } else { Source::File(text) })
    })
}

/// The request of the arguments. `parameters` are those beside the settings.
pub(super) fn request(
    source: &Source<'_>,
    parameters: &[&Parameter],
    what_if: bool,
    matches: &ArgMatches,
) -> Result<Value, Problem> {
    let mut context = context(matches)?;
    let variables = variables()?;
    // A program that reads the messages goes on with the names and ids of what is up to date, too.
    if is_json(matches) && !variables.contains_key(INCLUDE_UNCHANGED.1) {
        context.entry(INCLUDE_UNCHANGED.0).or_insert(json!(true));
    }
    let of_variable = || variables.get(PROJECT_ROOT.1).filter(|root| !root.is_empty());
    let root = context.get(PROJECT_ROOT.0).and_then(Value::as_str).or(of_variable().map(String::as_str));
    let mut request = Map::new();
    match source {
        Source::File(path) => {
            request.insert(SETTINGS_FILE.request_member.to_owned(), json!(document_path(path, root)?));
        }
        Source::StandardInput => {
            request.insert(SETTINGS_OBJECT.request_member.to_owned(), settings_from_standard_input()?);
            request.insert("baseDirectory".to_owned(), json!(absolute(".")?));
        }
    }
    for parameter in parameters {
        let value = match parameter.kind {
            // A wrapper hands over an unset variable as an empty text.
            ParameterKind::Path => match matches.get_one::<String>(parameter.name).filter(|path| !path.is_empty()) {
                Some(path) => json!(document_path(path, root)?),
                None => continue,
            },
            ParameterKind::Switch => match matches.get_one::<bool>(parameter.name) {
                Some(flag) => json!(flag),
                None => continue,
            },
            ParameterKind::Settings => continue,
        };
        request.insert(parameter.request_member.to_owned(), value);
    }
    request.insert("whatIf".to_owned(), json!(what_if));
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
            ContextMemberKind::Paths => {
                let given = matches.get_many::<String>(member.parameter).into_iter().flatten();
                let paths = given.filter(|path| !path.is_empty()).map(|path| absolute(path));
                let paths = paths.collect::<Result<Vec<PathBuf>, Problem>>()?;
                (!paths.is_empty()).then(|| json!(paths))
            }
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
    let input = std::io::stdin();
    if input.is_terminal() {
        complain("Reading the settings from the terminal; press Ctrl+D to finish.");
    }
    let mut text = String::new();
    // One byte more than allowed tells what is too large from what fits.
    input
        .take(run::LARGEST_SETTINGS + 1)
        .read_to_string(&mut text)
        .map_err(|error| invalid(format!("The settings on standard input cannot be read: {error}.")))?;
    if text.len() as u64 > run::LARGEST_SETTINGS {
        return Err(invalid("The settings on standard input are larger than 64 MiB."));
    }
    run::settings_object(text)
        .map_err(|messages| invalid(format!("The settings on standard input are invalid: {}.", messages.join("; "))))
}
