//! `svc`, the program for machines without PowerShell: reads arguments in both spellings, runs a command and shows what it says.

mod arguments;
mod confirm;
mod deploy;
mod findings;
mod generate;
mod github;
mod help;
mod local;
mod local_arguments;
mod output;
mod parameters;
mod progress;
mod render;
mod request;
mod signals;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::find;

use output::{complain, lost, say_raw};

fn main() -> ExitCode {
    let arguments = match parameters::normalise(std::env::args_os().skip(1).collect()) {
        Ok(arguments) => arguments,
        Err(problem) => {
            complain(problem);
            return ExitCode::from(ExitStatus::Usage.number());
        }
    };
    let matches =
        match arguments::program().try_get_matches_from(std::iter::once(OsString::from("svc")).chain(arguments)) {
            Ok(matches) => matches,
            Err(error) => {
                let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
                let _ = lost(error.print());
                return ended(if asked { ExitStatus::Done } else { ExitStatus::Usage });
            }
        };
    let status = match matches.subcommand() {
        Some(("local", matches)) => local::run(matches),
        Some(("schema", matches)) => schema(matches),
        Some(("completions", matches)) => generate::completions(matches),
        Some(("man", matches)) => generate::man(matches),
        Some((name, matches)) => match verbs::Verb::called(name) {
            Some(verb) => verbs::run(verb, matches),
            None => deploy::run(name, matches),
        },
        None => ExitStatus::Usage,
    };
    ended(status)
}

fn ended(status: ExitStatus) -> ExitCode {
    ExitCode::from(output::end(status, false).number())
}

fn schema(matches: &clap::ArgMatches) -> ExitStatus {
    let name = matches.get_one::<String>("command").map(String::as_str).unwrap_or_default();
    let Some(command) = arguments::command_called(name).and_then(|command| find(command.name)) else {
        complain(format!("'{name}' is not a command."));
        return ExitStatus::Usage;
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
