//! `svc plan`, `apply`, `validate` and `drift`: the command is chosen by the `component` of the document.

use clap::Command;
use serde_json::Value;
use svc_engine::protocol::ExitStatus;
use svc_engine::run::Job;
use svc_engine::run::registry::{ContextMember, OMIT_TAGS, TAG_SETTINGS_FILE};

use super::arguments::{FORMS, context, is_about_plans, parameter};
use super::deploy::Session;
use super::help::below;
use super::options::{Form, Options, Switch, documents};
use super::output::say;
use super::request::{Problem, Source, invalid, is_folder, request};

/// The members of the context that decide what is valid. Nothing is contacted.
const READ_BY_VALIDATE: &[&str] =
    &["subscriptionId", "subscriptionName", "environment", "projectRoot", "serviceTagKey", "exceptionTagKey", "cloud"];

/// The members about plans that a comparison reads.
const READ_BY_DRIFT: &[&str] = &["planReport", "only", "except", "allowForeignDeletes"];

/// The things that are done with documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// Shows what would be done.
    Plan,
    /// Does it.
    Apply,
    /// Checks the documents, and contacts nothing.
    Validate,
    /// Compares what exists with the documents, and says who has changed it.
    Drift,
}

impl Verb {
    const ALL: [Verb; 4] = [Verb::Plan, Verb::Apply, Verb::Validate, Verb::Drift];

    /// The verb with this name.
    pub(super) fn called(name: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Verb::Plan => "plan",
            Verb::Apply => "apply",
            Verb::Validate => "validate",
            Verb::Drift => "drift",
        }
    }

    /// Whether a member of the context makes a difference.
    fn reads(self, member: &ContextMember) -> bool {
        match self {
            Verb::Plan | Verb::Apply => true,
            Verb::Validate => READ_BY_VALIDATE.contains(&member.name),
            Verb::Drift if member.name == "offline" => false,
            Verb::Drift => !is_about_plans(member) || READ_BY_DRIFT.contains(&member.name),
        }
    }

    fn about(self) -> &'static str {
        match self {
            Verb::Plan => "Shows what settings documents would change, and changes nothing.",
            Verb::Apply => "Deploys settings documents, several of them as one environment.",
            Verb::Validate => "Checks settings documents and contacts nothing.",
            Verb::Drift => {
                "Compares what exists with settings documents, says who has changed it, and changes nothing."
            }
        }
    }

    fn examples(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Verb::Plan => &[
                ("svc plan storage.yml", "Shows what 'storage.yml' would change."),
                ("svc plan storage.yml --cloud local", "Rehearses it on the local cloud, without Azure."),
                (
                    "svc plan storage.yml --detailed-exitcode -q",
                    "Ends with status 4 where something differs, for a nightly check.",
                ),
            ],
            Verb::Apply => &[
                ("svc apply storage.yml", "Shows the plan, asks, and deploys."),
                ("svc apply storage.yml -y -o github", "Deploys without a question, in a pipeline of GitHub."),
            ],
            Verb::Validate => &[
                ("svc validate storage.yml web.yml", "Checks both documents."),
                ("svc validate storage.yml -o json", "Prints what is wrong for another program."),
                ("svc validate *.yml -o sarif > svc.sarif", "Writes a log for the code scanning of a repository."),
            ],
            Verb::Drift => &[
                ("svc drift environment", "Shows what somebody has changed of what the documents of a folder deploy."),
                (
                    "svc drift environment --plan-report drift.md -q",
                    "Writes the differences to a file, for the issue that a nightly job keeps.",
                ),
                ("svc drift environment -o sarif > drift.sarif", "Writes a log for the code scanning of a repository."),
            ],
        }
    }

    fn details(self) -> &'static str {
        match self {
            Verb::Drift => {
                "Defaults count, and what left the documents is listed. Ends with status 4 where anything differs, and with 0 where nothing does. Who has changed it comes from Azure Resource Graph (14 days) and the activity log (90 days)."
            }
            Verb::Plan | Verb::Apply => {
                "The command is the one that the document names in 'component', such as storage or Iaas.Storage."
            }
            Verb::Validate => {
                "Every problem of every document is reported at once, each with its line. The command is the one that the document names in 'component', such as storage or Iaas.Storage."
            }
        }
    }
}

/// The verbs as subcommands.
pub(super) fn subcommands() -> impl Iterator<Item = Command> {
    Verb::ALL.into_iter().map(|verb| {
        let is_taken = |switch: &Switch| match switch {
            Switch::WhatIf => verb == Verb::Plan,
            Switch::Confirm | Switch::Yes => verb == Verb::Apply,
            Switch::Full | Switch::DetailedExitcode => matches!(verb, Verb::Plan | Verb::Apply),
            Switch::Verbose | Switch::Debug | Switch::Quiet => true,
        };
        let switches = Switch::OF_COMMANDS.into_iter().filter(is_taken).map(|switch| match switch {
            Switch::Yes => switch.arg().short('y'),
            Switch::WhatIf => switch.arg().help("Says what this does by itself: nothing is changed."),
            _ => switch.arg(),
        });
        let form = match verb {
            Verb::Validate | Verb::Drift => Form::arg(Form::OF_CHECKS, FORMS_OF_CHECKS),
            Verb::Plan | Verb::Apply => Form::arg(Form::OF_COMMANDS, FORMS),
        };
        Command::new(verb.name())
            .about(verb.about())
            .long_about(format!("{}\n\n{}", verb.about(), verb.details()))
            .after_help(below(verb.examples()))
            .args(documents())
            .args([&TAG_SETTINGS_FILE, &OMIT_TAGS].map(parameter))
            .arg(Switch::Quiet.arg().short('q'))
            .args(switches)
            .arg(form.short('o'))
            .args(context(move |member| verb.reads(member)))
    })
}

/// The help of the forms that `validate` and `drift` have.
const FORMS_OF_CHECKS: &str = "json prints the messages of the engine to standard output, one per line; github adds annotations and the summary of the job to the text; sarif prints one log for code scanning.";

/// Runs a verb.
pub(super) fn run(verb: Verb, options: Options<'_>) -> ExitStatus {
    let mut session = Session::begin(verb.name(), options);
    let chosen = chosen(verb, options);
    if verb == Verb::Drift {
        let status = match chosen {
            Ok((_, request)) => session.compare(&request),
            Err(problem) => session.refuse(problem),
        };
        if !ExitStatus::SIGNALS.contains(&status) {
            session.conclude();
        }
        return status;
    }
    if verb != Verb::Validate {
        return match chosen {
            Ok((job, request)) => session.deploy(job, &request, options),
            Err(problem) => session.refuse(problem),
        };
    }
    let (is_one, status) = match chosen {
        Ok((job, request)) => (matches!(job, Job::Component), session.validate(job, &request)),
        Err(problem) => (options.files().len() == 1, session.refuse(problem)),
    };
    if ExitStatus::SIGNALS.contains(&status) {
        return status;
    }
    session.conclude();
    if !options.form().is_for_programs() && !options.is_on(Switch::Quiet) {
        say(summary(status == ExitStatus::Done, is_one));
    }
    status
}

/// The place of the documents: one document, or several and folders.
pub(super) fn source(options: Options<'_>) -> Result<Source<'_>, Problem> {
    source_of(&options.files(), options)
}

/// The same of the documents with these names.
pub(super) fn source_of<'a>(files: &[&'a str], options: Options<'_>) -> Result<Source<'a>, Problem> {
    Ok(match files {
        ["-"] => Source::StandardInput,
        [file] if !is_folder(file, options)? => Source::File(file),
        files if files.contains(&"-") => {
            return Err(invalid(
                "Standard input cannot be one of several documents: write it to a file, or run it by itself.",
            ));
        }
        files => Source::Files(files.to_vec()),
    })
}

/// The job that is to be run for the documents, and the request for it: one document by its command, several or a folder as a deployment.
fn chosen(verb: Verb, options: Options<'_>) -> Result<(Job, Value), Problem> {
    if verb == Verb::Plan && options.said(Switch::WhatIf) == Some(false) {
        return Err(invalid("'svc plan' changes nothing: use 'svc apply' to deploy the documents."));
    }
    let source = source(options)?;
    let request = request(&source, &[&TAG_SETTINGS_FILE, &OMIT_TAGS], verb != Verb::Apply, options)?;
    let job = match source {
        Source::Files(_) => Job::Deployment,
        Source::File(_) | Source::StandardInput => Job::Component,
    };
    Ok((job, request))
}

fn summary(is_valid: bool, is_one: bool) -> &'static str {
    match (is_valid, is_one) {
        (true, true) => "The document is valid.",
        (false, true) => "The document is not valid.",
        (true, false) => "All documents are valid.",
        (false, false) => "The documents are not valid.",
    }
}
