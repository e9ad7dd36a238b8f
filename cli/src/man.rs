//! `svc man`: the manual pages, made from the tree that reads the command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;
use svc_engine::protocol::ExitStatus;

use super::arguments;
use super::output::{self, complain, say, say_raw};

/// The folder for the manual pages.
#[derive(Args)]
#[command(
    about = "Prints the manual page of svc, or writes those of all commands into a folder.",
    after_help = "Examples:\n  svc man | man -l -\n  svc man --path ~/.local/share/man/man1"
)]
pub(super) struct ManArguments {
    /// The folder for the pages of all commands; it is created if it does not exist.
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    path: Option<PathBuf>,
}

/// Prints the page of the program, or writes those of all commands.
pub(super) fn run(arguments: &ManArguments) -> ExitStatus {
    if let Some(folder) = &arguments.path {
        return match pages(folder) {
            Ok(()) => {
                say(format!("The manual pages are in '{}'.", folder.display()));
                output::end(ExitStatus::Done, true)
            }
            Err(error) => {
                complain(format!("The manual pages cannot be written to '{}': {error}.", folder.display()));
                ExitStatus::Failed
            }
        };
    }
    let mut text = Vec::new();
    match Man::new(arguments::program()).render(&mut text) {
        Ok(()) => print(with_sections(&String::from_utf8_lossy(&text)).as_bytes()),
        Err(error) => {
            complain(error.to_string());
            ExitStatus::Failed
        }
    }
}

fn pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(arguments::program(), folder)?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_ours = path
            .file_name()
            .and_then(OsStr::to_str)
            .is_some_and(|name| name.starts_with("svc") && name.ends_with(".1"));
        if is_ours {
            std::fs::write(&path, with_sections(&std::fs::read_to_string(&path)?))?;
        }
    }
    Ok(())
}

/// A page whose texts below the options have the sections that `man` has for them: one line for each line, as they are written.
fn with_sections(page: &str) -> String {
    const EXTRA: &str = ".SH EXTRA\n";
    let Some((before, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let (extra, behind) = match extra.find("\n.SH ") {
        Some(at) => extra.split_at(at + 1),
        None => (extra, ""),
    };
    let mut text = before.to_owned();
    let mut is_open = false;
    for line in extra.lines() {
        let section = match line {
            "Examples:" => Some(".SH EXAMPLES"),
            "Exit status:" => Some(".SH \"EXIT STATUS\""),
            _ if !is_open && text.len() == before.len() => Some(".SH NOTES"),
            _ => None,
        };
        if let Some(section) = section {
            text += if is_open { ".fi\n" } else { "" };
            text += &format!("{section}\n.nf\n");
            is_open = true;
        }
        if !["Examples:", "Exit status:"].contains(&line) {
            text += &format!("{line}\n");
        }
    }
    text + ".fi\n" + behind
}

fn print(text: &[u8]) -> ExitStatus {
    say_raw(String::from_utf8_lossy(text).trim_end());
    ExitStatus::Done
}
