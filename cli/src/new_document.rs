//! `svc new` and `svc schema`: what helps to write a settings document. Neither contacts anything.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{self as commands, COMMANDS, PROJECT_FILES, find};
use svc_engine::run::{NewDocument, new_document, rewrite_definitions, schema_of};

use super::output::{self, complain, say, say_all, say_raw};
use super::request::absolute;

const COMPONENT: &str = "component";
const FOR: &str = "for";
/// What `svc new` takes beside the components: the file of log alert definitions.
const DEFINITIONS: &str = "definitions";

/// The subcommands.
pub(super) fn subcommands() -> [Command; 2] {
    [
        Command::new("new")
            .about("Writes a new settings document, with comments.")
            .long_about(
                "Writes a new settings document: the mandatory keys and those that most documents have, each with a comment, \
                 and values that go together. It is valid as it is. Without --path it goes to standard output.",
            )
            .after_help(
                "Examples:\n  svc new storage --path storage.yml\n  svc new logAlerts --all | less\n  svc new definitions --from standardDefinitions.yml --path logAlertDefinitions.yml",
            )
            .arg(component_or_definitions().required(true))
            .arg(
                Arg::new("from")
                    .long("from")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .conflicts_with("all")
                    .help("The log alert definitions of the replaced module, which 'svc new definitions' rewrites as logAlertDefinitions.yml."),
            )
            .arg(
                Arg::new("path")
                    .long("path")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("The file to write; one that exists is never overwritten."),
            )
            .arg(Arg::new("all").long("all").action(ArgAction::SetTrue).help("Writes every key, not only the usual ones.")),
        Command::new("schema")
            .about("Prints the JSON Schema of a settings document or of a file beside it, for editors. Without a name it lists them.")
            .after_help(
                "Examples:\n  svc schema\n  svc schema storage > storage.schema.json\n  svc schema tags > tags.schema.json\n  \
                 svc schema values --for environment > environment/_values/values.schema.json",
            )
            .arg(
                Arg::new(COMPONENT)
                    .value_name("NAME")
                    .value_parser(PossibleValuesParser::new(components(|_| true).chain(project_files())))
                    .ignore_case(true)
                    .help("The component of a settings document, or the name of a file that a project has beside its documents."),
            )
            .arg(
                Arg::new(FOR)
                    .long("for")
                    .value_name("FOLDER")
                    .requires(COMPONENT)
                    .help("With values: the schema of the names that the documents of this folder use."),
            ),
    ]
}

/// A command by its component, or by any other of its names.
pub(super) fn component() -> Arg {
    component_of(|_| true)
}

/// The same with the definitions of log alerts, which have to be there to be rewritten.
fn component_or_definitions() -> Arg {
    let definitions = PossibleValue::new(DEFINITIONS)
        .alias("logAlertDefinitions")
        .help("The log alert definitions of a project, rewritten from those of the replaced module (--from).");
    component()
        .value_parser(PossibleValuesParser::new(components(|_| true).chain([definitions])))
        .requires_if(DEFINITIONS, "from")
}

/// The same for those commands that a predicate takes.
pub(super) fn component_of(takes: fn(&commands::Command) -> bool) -> Arg {
    Arg::new(COMPONENT)
        .value_name("COMPONENT")
        .value_parser(PossibleValuesParser::new(components(takes)))
        .ignore_case(true)
        .help("What the document is about, as in its 'component'.")
}

fn components(takes: fn(&commands::Command) -> bool) -> impl Iterator<Item = PossibleValue> {
    COMMANDS.iter().filter(move |command| takes(command)).map(|command| {
        let with_block = command.subcommand().split('-').nth(1).map(|block| format!("{block}.{}", command.component));
        PossibleValue::new(command.component)
            .aliases(with_block)
            .aliases([command.name.to_owned(), command.subcommand()])
            .help(command.synopsis)
    })
}

/// The files that have a schema, each also by the place where a project has it: `_names/generators`.
fn project_files() -> impl Iterator<Item = PossibleValue> {
    PROJECT_FILES.iter().map(|file| {
        let other_names = [file.path.to_owned(), format!("{}.yml", file.path)].into_iter();
        PossibleValue::new(file.name).aliases(other_names.filter(|other| other != file.name)).help(file.synopsis)
    })
}

/// The command that the component of a command line stands for.
pub(super) fn chosen(matches: &ArgMatches) -> Option<&'static commands::Command> {
    let name = matches.get_one::<String>(COMPONENT)?;
    let called = || super::arguments::command_called(name).and_then(|command| find(command.name));
    COMMANDS.iter().find(|command| command.is_for(name)).or_else(called)
}

/// `svc new`.
pub(super) fn write_new(matches: &ArgMatches) -> ExitStatus {
    if let Some(from) = matches.get_one::<PathBuf>("from") {
        return write_definitions(from, matches);
    }
    let Some(command) = chosen(matches) else { return ExitStatus::Usage };
    let form = if matches.get_flag("all") { NewDocument::All } else { NewDocument::Usual };
    let path = matches.get_one::<PathBuf>("path");
    let status = put(&new_document(command, form), path);
    if let (Some(path), ExitStatus::Done) = (path, status) {
        say(format!("The document is in '{0}'. Change its values, then: svc plan {0}", path.display()));
    }
    output::end(status, path.is_some())
}

/// `svc new definitions`.
fn write_definitions(from: &Path, matches: &ArgMatches) -> ExitStatus {
    if let Some(command) = chosen(matches) {
        complain(format!("ERROR: --from is for 'svc new {DEFINITIONS}', not for '{}'.", command.component));
        return ExitStatus::Usage;
    }
    let (text, left) = match rewrite_definitions(from) {
        Ok(rewritten) => rewritten,
        Err(error) => {
            complain(format!("ERROR: {}", error.failure.message));
            return error.failure.code.exit_status();
        }
    };
    let status = put(&text, matches.get_one::<PathBuf>("path"));
    for problem in &left {
        complain(format!("WARNING: to be mended in it: {problem}"));
    }
    output::end(status, matches.contains_id("path"))
}

/// Writes a document to a file that must not be there yet, or prints it.
fn put(text: &str, path: Option<&PathBuf>) -> ExitStatus {
    let Some(path) = path else {
        say_raw(text.trim_end());
        return ExitStatus::Done;
    };
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => ExitStatus::Done,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            complain(format!(
                "ERROR: '{}' exists already, and is not overwritten. Name another file with --path, or delete it first.",
                path.display()
            ));
            ExitStatus::Usage
        }
        Err(error) => {
            complain(format!("ERROR: '{}' cannot be written: {error}.", path.display()));
            ExitStatus::Failed
        }
    }
}

/// `svc schema`.
pub(super) fn schema(matches: &ArgMatches) -> ExitStatus {
    let Some(name) = matches.get_one::<String>(COMPONENT) else {
        list_schemas();
        return ExitStatus::Done;
    };
    let is_meant = |(_, value): &(_, PossibleValue)| value.matches(name, true);
    let file = PROJECT_FILES.iter().zip(project_files()).find(is_meant).map(|(file, _)| file.name);
    let Some(name) = file.or_else(|| chosen(matches).map(|command| command.component)) else {
        return ExitStatus::Usage;
    };
    let folder = matches.get_one::<String>(FOR).map(|folder| absolute(folder)).transpose();
    match folder.and_then(|folder| schema_of(name, folder.as_deref())) {
        Ok(schema) => {
            say_raw(schema.trim_end());
            ExitStatus::Done
        }
        Err(report) => {
            complain(format!("ERROR {}: {}", report.failure.code, report.failure.message));
            report.failure.code.exit_status()
        }
    }
}

/// The name of each schema, and what it is for.
fn list_schemas() {
    let files = PROJECT_FILES.iter().map(|file| (file.name, format!("{}.yml", file.path)));
    let all: Vec<(&str, String)> =
        COMMANDS.iter().map(|command| (command.component, command.name.to_owned())).chain(files).collect();
    let longest = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    say_all(all.iter().map(|(name, what)| format!("{name:longest$}  {what}").as_str().into()));
}
