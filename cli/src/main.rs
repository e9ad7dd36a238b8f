//! `svc`, the program for machines without PowerShell: reads arguments in both spellings, runs a command and shows what it says.

mod arguments;
mod completions;
mod confirm;
mod deploy;
mod explain;
mod export;
mod findings;
mod github;
mod help;
mod local;
mod local_arguments;
mod man;
mod new_document;
mod options;
mod output;
mod parameters;
mod progress;
mod render;
mod request;
mod sarif;
mod signals;
mod template;
mod verbs;
mod wording;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use svc_engine::protocol::ExitStatus;

use options::Options;
use output::{complain, lost};

/// The allocator of the program. The library leaves that of its host alone.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
        Some(("local", matches)) => local::run(arguments::of(matches)),
        Some(("schema", matches)) => new_document::schema(&arguments::of(matches)),
        Some((explain::NAME, matches)) => explain::run(Options::of(matches)),
        Some((export::NAME, matches)) => export::run(Options::of(matches)),
        Some(("new", matches)) => new_document::write_new(&arguments::of(matches)),
        Some((template::NAME, matches)) => template::run(Options::of(matches)),
        Some(("completions", matches)) => completions::script(&arguments::of(matches)),
        Some((completions::COMPLETE, matches)) => completions::complete(&arguments::of(matches)),
        Some(("man", matches)) => man::run(&arguments::of(matches)),
        Some((name, matches)) => match verbs::Verb::called(name) {
            Some(verb) => verbs::run(verb, Options::of(matches)),
            None => deploy::run(name, Options::of(matches)),
        },
        None => ExitStatus::Usage,
    };
    ended(status)
}

fn ended(status: ExitStatus) -> ExitCode {
    ExitCode::from(output::end(status, false).number())
}
