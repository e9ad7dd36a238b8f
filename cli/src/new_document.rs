//! `svc new` and `svc schema`: what helps to write a settings document. Neither contacts anything.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{self as commands, COMMANDS, PROJECT_FILES, find};
use svc_engine::run::{NewDocument, new_document, rewrite_definitions, schema_of};

use super::output::{self, complain, say, say_all, say_raw};
use super::request::absolute;

/// The word that `svc new` takes beside the components: the file of log alert definitions.
const DEFINITIONS: &str = "definitions";

/// The arguments of `svc new`.
#[derive(Args)]
#[command(
    about = "Writes a new settings document, with comments.",
    long_about = "Writes a new settings document: the mandatory keys and those that most documents have, each with a comment, \
                  and values that go together. It is valid as it is. Without --path it goes to standard output.",
    after_help = "Examples:\n  svc new storage --path storage.yml\n  svc new logAlerts --all | less\n  svc new definitions --from standardDefinitions.yml --path logAlertDefinitions.yml"
)]
pub(super) struct NewArguments {
    /// The subject of the document, as in its 'component'.
    #[arg(value_parser = components_and_definitions(), requires_if(DEFINITIONS, "from"), ignore_case = true, verbatim_doc_comment)]
    component: String,
    /// The log alert definitions of the replaced module, which 'svc new definitions' rewrites as logAlertDefinitions.yml.
    #[arg(long, value_name = "FILE", conflicts_with = "all", verbatim_doc_comment)]
    from: Option<PathBuf>,
    /// The file to write; one that exists is never overwritten.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    path: Option<PathBuf>,
    /// Writes every key, not only the usual ones.
    #[arg(long, verbatim_doc_comment)]
    all: bool,
}

/// The arguments of `svc schema`.
#[derive(Args)]
#[command(
    about = "Prints the JSON Schema of a settings document or of a file beside it, for editors. Without a name it lists them.",
    after_help = "Examples:\n  svc schema\n  svc schema storage > storage.schema.json\n  svc schema tags > tags.schema.json\n  \
                  svc schema values --for environment > environment/_values/values.schema.json"
)]
pub(super) struct SchemaArguments {
    /// The component of a settings document, or the name of a file that a project has beside its documents.
    #[arg(value_parser = components_and_files(), ignore_case = true, verbatim_doc_comment)]
    name: Option<String>,
    /// With values: the schema of the names that the documents of this folder use.
    #[arg(long = "for", value_name = "FOLDER", requires = "name", verbatim_doc_comment)]
    folder: Option<String>,
}

/// The components, and the definitions of log alerts, which have to be there to be rewritten.
fn components_and_definitions() -> PossibleValuesParser {
    let definitions = PossibleValue::new(DEFINITIONS)
        .alias("logAlertDefinitions")
        .help("The log alert definitions of a project, rewritten from those of the replaced module (--from).");
    PossibleValuesParser::new(components().chain([definitions]))
}

/// The components, and the files that have a schema.
fn components_and_files() -> PossibleValuesParser {
    PossibleValuesParser::new(components().chain(project_files()))
}

/// The commands by their components, or by any other of their names.
pub(super) fn components() -> impl Iterator<Item = PossibleValue> {
    COMMANDS.iter().map(|command| {
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

/// The component that any of its names stands for.
pub(super) fn canonical(name: &str) -> String {
    chosen(name).map_or(name, |command| command.component).to_owned()
}

/// The command that the component of a command line stands for.
fn chosen(name: &str) -> Option<&'static commands::Command> {
    let called = || super::arguments::command_called(name).and_then(|command| find(command.name));
    COMMANDS.iter().find(|command| command.is_for(name)).or_else(called)
}

/// `svc new`.
pub(super) fn write_new(arguments: &NewArguments) -> ExitStatus {
    let path = arguments.path.as_deref();
    let command = chosen(&arguments.component);
    if let Some(from) = &arguments.from {
        return write_definitions(from, command, path);
    }
    let Some(command) = command else { return ExitStatus::Usage };
    let form = if arguments.all { NewDocument::All } else { NewDocument::Usual };
    let status = put(&new_document(command, form), path);
    if let (Some(path), ExitStatus::Done) = (path, status) {
        say(format!("The document is in '{0}'. Change its values, then: svc plan {0}", path.display()));
    }
    output::end(status, path.is_some())
}

/// `svc new definitions`.
fn write_definitions(from: &Path, command: Option<&commands::Command>, path: Option<&Path>) -> ExitStatus {
    if let Some(command) = command {
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
    let status = put(&text, path);
    for problem in &left {
        complain(format!("WARNING: to be mended in it: {problem}"));
    }
    output::end(status, path.is_some())
}

/// Writes a document to a file that must not be there yet, or prints it.
fn put(text: &str, path: Option<&Path>) -> ExitStatus {
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
pub(super) fn schema(arguments: &SchemaArguments) -> ExitStatus {
    let Some(name) = &arguments.name else {
        list_schemas();
        return ExitStatus::Done;
    };
    let is_meant = |(_, value): &(_, PossibleValue)| value.matches(name, true);
    let file = PROJECT_FILES.iter().zip(project_files()).find(is_meant).map(|(file, _)| file.name);
    let Some(name) = file.or_else(|| chosen(name).map(|command| command.component)) else {
        return ExitStatus::Usage;
    };
    let folder = arguments.folder.as_deref().map(absolute).transpose();
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
