//! `svc new` and `svc schema`: what helps to write a settings document. Neither contacts anything.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{self as commands, COMMANDS, find};
use svc_engine::run::{NewDocument, new_document};

use super::output::{self, complain, say, say_all, say_raw};

const COMPONENT: &str = "component";

/// The subcommands.
pub(super) fn subcommands() -> [Command; 2] {
    [
        Command::new("new")
            .about("Writes a new settings document, with comments.")
            .long_about(
                "Writes a new settings document: the keys that have to be there and those that most documents have, each with what it means, \
                 and values that go together. It is valid as it is. Without --path it goes to standard output.",
            )
            .after_help("Examples:\n  svc new storage --path storage.yml\n  svc new logAlerts --all | less")
            .arg(component().required(true))
            .arg(
                Arg::new("path")
                    .long("path")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("The file to write; one that exists is never overwritten."),
            )
            .arg(Arg::new("all").long("all").action(ArgAction::SetTrue).help("Writes every key, not only the usual ones.")),
        Command::new("schema")
            .about("Prints the JSON Schema of a command's settings document, for editors; without a name, which there are.")
            .after_help("Examples:\n  svc schema\n  svc schema storage > storage.schema.json")
            .arg(component()),
    ]
}

/// A command by its component, or by any other of its names.
pub(super) fn component() -> Arg {
    component_of(|_| true)
}

/// The same for those commands that a predicate takes.
pub(super) fn component_of(takes: fn(&commands::Command) -> bool) -> Arg {
    let values = COMMANDS.iter().filter(|command| takes(command)).map(|command| {
        let with_block = command.subcommand().split('-').nth(1).map(|block| format!("{block}.{}", command.component));
        PossibleValue::new(command.component)
            .aliases(with_block)
            .aliases([command.name.to_owned(), command.subcommand()])
            .help(command.synopsis)
    });
    Arg::new(COMPONENT)
        .value_name("COMPONENT")
        .value_parser(PossibleValuesParser::new(values))
        .ignore_case(true)
        .help("What the document is about, as in its 'component'.")
}

/// The command that the component of a command line stands for.
pub(super) fn chosen(matches: &ArgMatches) -> Option<&'static commands::Command> {
    let name = matches.get_one::<String>(COMPONENT)?;
    let called = || super::arguments::command_called(name).and_then(|command| find(command.name));
    COMMANDS.iter().find(|command| command.is_for(name)).or_else(called)
}

/// `svc new`.
pub(super) fn write_new(matches: &ArgMatches) -> ExitStatus {
    let Some(command) = chosen(matches) else { return ExitStatus::Usage };
    let form = if matches.get_flag("all") { NewDocument::All } else { NewDocument::Usual };
    let text = new_document(command, form);
    match matches.get_one::<PathBuf>("path") {
        None => {
            say_raw(text.trim_end());
            ExitStatus::Done
        }
        Some(path) => {
            let status = create(path, &text);
            if status == ExitStatus::Done {
                say(format!("The document is in '{0}'. Change its values, then: svc plan {0}", path.display()));
            }
            output::end(status, true)
        }
    }
}

/// Writes a document to a file that must not be there yet.
pub(super) fn create(path: &Path, text: &str) -> ExitStatus {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => ExitStatus::Done,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => refuse_existing(path),
        Err(error) => {
            complain(format!("ERROR: '{}' cannot be written: {error}.", path.display()));
            ExitStatus::Failed
        }
    }
}

/// Says that a file is not overwritten.
pub(super) fn refuse_existing(path: &Path) -> ExitStatus {
    complain(format!(
        "ERROR: '{}' exists already, and is not overwritten. Name another file with --path, or delete it first.",
        path.display()
    ));
    ExitStatus::Usage
}

/// `svc schema`.
pub(super) fn schema(matches: &ArgMatches) -> ExitStatus {
    let Some(command) = chosen(matches) else {
        let longest = COMMANDS.iter().map(|command| command.component.len()).max().unwrap_or_default();
        say_all(
            COMMANDS.iter().map(|command| format!("{:longest$}  {}", command.component, command.name).as_str().into()),
        );
        return ExitStatus::Done;
    };
    match serde_json::to_string_pretty(&command.settings_schema()) {
        Ok(text) => {
            say_raw(&text);
            ExitStatus::Done
        }
        Err(error) => {
            complain(error.to_string());
            ExitStatus::Failed
        }
    }
}
