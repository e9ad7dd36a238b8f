//! `svc plan`, `apply`, `validate` and `drift`: the command is chosen by the `component` of the document.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;
use svc_engine::protocol::ExitStatus;
use svc_engine::run::Job;
use svc_engine::run::registry::{CONTEXT_MEMBERS, OMIT_TAGS, TAG_SETTINGS_FILE};

use super::arguments::{context_member, of_every_command, parameter, switch};
use super::deploy::{Session, given, is_for_programs, is_on};
use super::help::below;
use super::output::say;
use super::request::{Problem, Source, invalid, is_folder, request};

/// The files that a document may be in, as operands and behind `-f`.
const FILES: &str = "Files";
pub(super) const MORE_FILES: &str = "MoreFiles";

/// Members of the context that decide what is valid. `svc validate` takes the others and offers none of them: it contacts nothing.
const READ_BY_VALIDATE: &[&str] =
    &["subscriptionId", "subscriptionName", "environment", "projectRoot", "serviceTagKey", "exceptionTagKey", "cloud"];

/// What is done with documents.
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

    fn examples(self) -> Vec<(String, &'static str)> {
        let examples: &[(&str, &str)] = match self {
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
        };
        examples.iter().map(|(code, what)| ((*code).to_owned(), *what)).collect()
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
        let takes_option = |argument: &Arg| match argument.get_id().as_str() {
            "WhatIf" => verb == Verb::Plan,
            "Full" => matches!(verb, Verb::Plan | Verb::Apply),
            "Confirm" => verb == Verb::Apply,
            "DetailedExitcode" => matches!(verb, Verb::Plan | Verb::Apply),
            _ => true,
        };
        let common =
            of_every_command().into_iter().filter(takes_option).map(|argument| match argument.get_id().as_str() {
                "Output" if matches!(verb, Verb::Validate | Verb::Drift) => of_validate(argument.short('o')),
                "Output" => argument.short('o'),
                "WhatIf" => argument.help("Says what this does by itself: nothing is changed."),
                _ => argument,
            });
        let mut subcommand = Command::new(verb.name())
            .about(verb.about())
            .long_about(format!("{}\n\n{}", verb.about(), verb.details()))
            .after_help(below(&verb.examples()))
            .args(documents())
            .args([&TAG_SETTINGS_FILE, &OMIT_TAGS].map(parameter));
        if verb == Verb::Apply {
            subcommand =
                subcommand.arg(switch("Yes", "Makes every change without a question, deletions too.").short('y'));
        }
        subcommand
            .arg(quiet("Shows warnings and errors only, and the plan where there is a question."))
            .args(common)
            .args(CONTEXT_MEMBERS.iter().map(|member| {
                // A script may set them for every verb.
                let is_ignored = verb == Verb::Validate && !READ_BY_VALIDATE.contains(&member.name);
                context_member(member).hide(is_ignored)
            }))
    })
}

/// The option that shows less.
pub(super) fn quiet(help: &'static str) -> Arg {
    switch("Quiet", help).short('q')
}

/// The options that name documents.
pub(super) fn documents() -> [Arg; 2] {
    [
        Arg::new(FILES)
            .value_name("FILE")
            .num_args(1..)
            .required_unless_present(MORE_FILES)
            .help("A settings document, JSON or YAML, or a folder of them; - reads a document from standard input."),
        more_files(),
    ]
}

/// The option that names further documents.
pub(super) fn more_files() -> Arg {
    Arg::new(MORE_FILES)
        .short('f')
        .long("file")
        .value_name("FILE")
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .help("Another document or folder, named by an option; can be used several times.")
}

/// The forms of output that `validate` and `drift` have beside those of every command.
fn of_validate(argument: Arg) -> Arg {
    argument.value_parser(PossibleValuesParser::new(["text", "json", "github", "sarif"])).help(
        "json prints the messages of the engine to standard output, one per line; github adds annotations and the summary of the job to the text; sarif prints one log for code scanning.",
    )
}

/// Runs a verb.
pub(super) fn run(verb: Verb, matches: &ArgMatches) -> ExitStatus {
    let mut session = Session::begin(verb.name(), matches);
    let chosen = chosen(verb, matches);
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
            Ok((job, request)) => session.deploy(job, &request, matches),
            Err(problem) => session.refuse(problem),
        };
    }
    let (is_one, status) = match chosen {
        Ok((job, request)) => (matches!(job, Job::Component), session.validate(job, &request)),
        Err(problem) => (files(matches).len() == 1, session.refuse(problem)),
    };
    if ExitStatus::SIGNALS.contains(&status) {
        return status;
    }
    session.conclude();
    if !is_for_programs(matches) && !is_on(matches, "Quiet") {
        say(summary(status == ExitStatus::Done, is_one));
    }
    status
}

/// The documents that are named.
fn files(matches: &ArgMatches) -> Vec<&str> {
    let files = [FILES, MORE_FILES].into_iter().flat_map(|name| matches.get_many::<String>(name).into_iter().flatten());
    files.map(String::as_str).collect()
}

/// Where the documents are: one document, or several and folders.
pub(super) fn source(matches: &ArgMatches) -> Result<Source<'_>, Problem> {
    source_of(&files(matches), matches)
}

/// The same of the documents with these names.
pub(super) fn source_of<'a>(files: &[&'a str], matches: &ArgMatches) -> Result<Source<'a>, Problem> {
    Ok(match files {
        ["-"] => Source::StandardInput,
        [file] if !is_folder(file, matches)? => Source::File(file),
        files if files.contains(&"-") => {
            return Err(invalid(
                "Standard input cannot be one of several documents: write it to a file, or run it by itself.",
            ));
        }
        files => Source::Files(files.to_vec()),
    })
}

/// What is to be run for the documents, and the request for it: one document by its command, several or a folder as a deployment.
fn chosen(verb: Verb, matches: &ArgMatches) -> Result<(Job, Value), Problem> {
    if verb == Verb::Plan && given(matches, "WhatIf") == Some(false) {
        return Err(invalid("'svc plan' changes nothing: use 'svc apply' to deploy the documents."));
    }
    let source = source(matches)?;
    let request = request(&source, &[&TAG_SETTINGS_FILE, &OMIT_TAGS], verb != Verb::Apply, matches)?;
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
