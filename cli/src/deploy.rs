//! Runs a command and shows its messages.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::protocol::{Code, ErrorReport, ExitStatus, Message, Next, Operation};
use svc_engine::run::registry::{self, Parameter, SETTINGS_FILE, SETTINGS_FILES};
use svc_engine::run::{self, Explained, Job, Start, Work};

use super::arguments;
use super::confirm::{Answers, CannotAsk};
use super::github::Github;
use super::options::{Form, Options, Switch};
use super::output;
use super::render::{Detail, Json, Renderer, Text};
use super::request::{Problem, invalid, request, settings_missing, source};
use super::sarif::Sarif;
use super::signals;
use super::wording::take_own_words;

/// The time that one look at the queue of messages waits; between two looks signals are noticed.
const POLL: Duration = Duration::from_millis(100);

/// The documents and folders that a request names.
fn documents(request: &Value) -> Vec<PathBuf> {
    let one = std::iter::once(&request[SETTINGS_FILE.request_member]);
    let several = request[SETTINGS_FILES.request_member].as_array().into_iter().flatten();
    one.chain(several).filter_map(Value::as_str).map(PathBuf::from).collect()
}

/// Runs a command by its own name.
pub(super) fn run(name: &str, options: Options<'_>) -> ExitStatus {
    let Some(command) = arguments::command_called(name) else { return ExitStatus::Usage };
    let mut session = Session::begin(command.name, options);
    let parameters: Vec<&Parameter> = command.parameters.iter().filter(|parameter| parameter.set.is_none()).collect();
    let source = source(&command, options).ok_or_else(|| settings_missing(&command));
    match source.and_then(|source| request(&source, &parameters, options.is_on(Switch::WhatIf), options)) {
        Ok(request) => {
            session.deploy(registry::find(command.name).map_or(Job::Deployment, Job::Command), &request, options)
        }
        Err(problem) => session.refuse(problem),
    }
}

/// The things that the operations of one run of the program share: who shows their messages, and the signals.
pub(super) struct Session {
    renderer: Box<dyn Renderer>,
    interrupts: Arc<Interrupts>,
}

impl Session {
    pub(super) fn begin(name: &str, options: Options<'_>) -> Session {
        Session::in_form(options.form(), name, options)
    }

    /// The same with the messages in a form that no option says.
    pub(super) fn in_form(form: Form, name: &str, options: Options<'_>) -> Session {
        let text = Text::new(Detail {
            verbose: options.is_on(Switch::Verbose),
            debug: options.is_on(Switch::Debug),
            full: options.is_on(Switch::Full),
        });
        let text = if options.is_on(Switch::Quiet) { text.quiet() } else { text };
        let renderer: Box<dyn Renderer> = match form {
            Form::Json => Box::new(Json),
            Form::Sarif => Box::new(Sarif::default()),
            Form::Github => Box::new(Github::new(text, format!("svc {name}"))),
            Form::Text => Box::new(text),
        };
        let interrupts = Arc::new(Interrupts::default());
        let noted = Arc::clone(&interrupts);
        // Where nobody can listen, a signal ends the program at once, which is what the second Ctrl+C does anyway.
        let _ = signals::listen(move |signal| {
            if noted.ends_at_once(signal) {
                if noted.at_prompt.load(Ordering::SeqCst) {
                    output::complain("\nThe command was stopped. Nothing was changed.");
                }
                end_at_once(signal);
            }
        });
        Session { renderer, interrupts }
    }

    /// Shows what can only be shown when everything is done.
    pub(super) fn conclude(&mut self) {
        self.renderer.conclude();
    }

    /// Shows why nothing is started. Returns the exit status.
    pub(super) fn refuse(&mut self, problem: Problem) -> ExitStatus {
        let status = problem.failure.code.exit_status();
        self.renderer.begin(problem.failure.target.as_deref().map(PathBuf::from).into_iter().collect());
        self.renderer.show(&Message::Error(*problem));
        self.renderer.finish();
        output::end(status, false)
    }

    /// Plans a request and makes what is approved of it, to its end. Returns the exit status.
    pub(super) fn deploy(&mut self, job: Job, request: &Value, options: Options<'_>) -> ExitStatus {
        let answers = match answers(request["whatIf"] == true, options) {
            Ok(answers) => answers,
            Err(problem) => return self.refuse(problem),
        };
        let outcome = self.follow(Work::Deploy(job), request, answers);
        self.status(&outcome, options.is_on(Switch::DetailedExitcode))
    }

    /// Compares what exists with the documents of a request. Returns the exit status, which says whether anything differs.
    pub(super) fn compare(&mut self, request: &Value) -> ExitStatus {
        let outcome = self.follow(Work::Compare, request, Answers::None);
        self.status(&outcome, true)
    }

    /// Checks the documents of a request. Returns the exit status.
    pub(super) fn validate(&mut self, job: Job, request: &Value) -> ExitStatus {
        let outcome = self.follow(Work::Validate(job), request, Answers::None);
        self.status(&outcome, false)
    }

    /// Starts an operation and follows it to its end.
    fn follow(&mut self, work: Work, request: &Value, answers: Answers) -> Outcome {
        self.renderer.begin(documents(request));
        let (text, keeps_markdown) = (request.to_string(), self.renderer.wants_markdown());
        let operation = run::start(Start { keeps_markdown, ..Start::new(work, text.as_bytes()) });
        follow(&operation, self.renderer.as_mut(), answers, &self.interrupts)
    }

    /// Runs an export. Returns its documents, or the exit status where there is none.
    pub(super) fn export(&mut self, request: &Value, options: Options<'_>) -> Result<Export, ExitStatus> {
        let answers = answers(false, options).map_err(|problem| self.refuse(problem))?;
        let mut outcome = self.follow(Work::Export, request, answers);
        let documents = std::mem::take(&mut outcome.written);
        if !documents.is_empty() {
            // Whether a plan of them changes something is the question, and not whether tags were written for them.
            (outcome.declined, outcome.changed) = (false, false);
        }
        match (self.status(&outcome, options.is_on(Switch::DetailedExitcode)), documents.is_empty()) {
            (status @ (ExitStatus::Done | ExitStatus::Different), false) => {
                Ok(Export { documents, differs: outcome.differs, status })
            }
            // Cancelled before there was anything.
            (ExitStatus::Done, true) => Err(ExitStatus::Failed),
            (status, _) => Err(status),
        }
    }

    /// Explains what the documents of a request make of a name or a place. Returns that, or the exit status where they cannot be read.
    pub(super) fn explain(&mut self, request: &Value, whats: &[String]) -> Result<Explained, ExitStatus> {
        self.renderer.begin(documents(request));
        let (operation, explained) = run::explain(request.to_string().as_bytes(), whats);
        let outcome = follow(&operation, &mut *self.renderer, Answers::None, &self.interrupts);
        explained.try_recv().map_err(|_| match self.status(&outcome, false) {
            // Cancelled before there was anything.
            ExitStatus::Done => ExitStatus::Failed,
            status => status,
        })
    }

    /// Makes the template of the documents of a request. Returns the exit status.
    pub(super) fn template(&mut self, request: &Value) -> ExitStatus {
        let outcome = self.follow(Work::Template, request, Answers::None);
        self.status(&outcome, false)
    }

    fn status(&self, outcome: &Outcome, is_detailed: bool) -> ExitStatus {
        self.interrupts.status().unwrap_or_else(|| outcome.status(is_detailed))
    }
}

/// The files that an export has written.
pub(super) struct Export {
    /// The texts of the documents.
    pub(super) documents: Vec<String>,
    /// A plan of it would change something.
    pub(super) differs: bool,
    /// The exit status of the program where nothing of its output is lost.
    pub(super) status: ExitStatus,
}

/// The way in which a plan is answered, as the options say it.
fn answers(what_if: bool, options: Options<'_>) -> Result<Answers, Problem> {
    let (confirm, yes) = (options.said(Switch::Confirm), options.is_on(Switch::Yes));
    if yes && confirm == Some(true) {
        return Err(invalid("--yes and --confirm contradict each other: use one of them."));
    }
    Ok(Answers::of(what_if, confirm, yes))
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

    /// The exit status of the program because of them.
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
        let mut message = match operation.next(POLL) {
            Next::Timeout => continue,
            Next::Finished => break,
            Next::Message(message) => message,
        };
        take_own_words(&mut message);
        if outcome.is_over {
            continue;
        }
        renderer.show(&message);
        outcome.note(&message);
        if let Message::Plan { id, actions, target, refused, .. } = *message {
            if refused {
                let _ = operation.answer(&json!({ "id": id, "approved": [] }).to_string());
                continue;
            }
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
    if let Some(plan) = operation.take_markdown() {
        renderer.markdown(plan);
    }
    renderer.finish();
    outcome
}

fn confirmation_unavailable(reason: &str) -> ErrorReport {
    ErrorReport::terminating(Code::ConfirmationUnavailable, format!("Cannot ask for confirmation: {reason}."))
        .recommending("Pass --yes in unattended runs.")
}

/// The facts of the messages so far that decide the exit status.
#[derive(Default)]
struct Outcome {
    /// A terminating error was shown: nothing comes after it.
    is_over: bool,
    /// The exit status of that error alone.
    status: Option<ExitStatus>,
    changed: bool,
    failed: bool,
    /// The user approved nothing.
    declined: bool,
    /// Something is planned, or kept although the settings say otherwise.
    differs: bool,
    /// The documents that an export has written.
    written: Vec<String>,
}

impl Outcome {
    fn note(&mut self, message: &Message) {
        match message {
            Message::Resource(_) => self.changed = true,
            Message::Error(report) if report.terminating => {
                self.is_over = true;
                self.status = Some(report.failure.code.exit_status());
            }
            Message::Error(_) => self.failed = true,
            Message::Plan { actions, .. } => self.differs |= !actions.is_empty(),
            Message::Drift(drift) => self.differs |= drift.has_differences,
            Message::Result(counts) => self.differs |= counts.kept > 0,
            Message::Document { text, differences, .. } => {
                // What was planned before a document was written is no plan of it.
                self.differs = (self.differs && !self.written.is_empty()) || !differences.is_empty();
                self.written.push(text.clone());
            }
            _ => {}
        }
    }

    /// The exit status of the run. What an unattended run has to know first goes before the rest: what was changed only in part, what
    /// is wrong with the usage, what failed, and, where that is asked for, that something was to be done.
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
