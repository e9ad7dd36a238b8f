//! The text below the options in the help of a command: examples, and the exit status.

use std::ffi::OsString;
use std::fmt::Display;

use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::Described;

use super::parameters::normalise;
use super::wording::in_own_words;

/// Longer lines are hard to read, however wide the terminal.
pub(super) const WIDEST: usize = 120;

/// The examples of a command that are command lines of `svc` too, in its own spelling, and the exit statuses.
pub(super) fn of_command(command: &Described) -> String {
    let examples = command.examples.iter().filter(|example| example.code.starts_with(command.name));
    let own = |code: &str| {
        // A list is one word in a shell.
        let words = normalise(code.replace(", ", ",").split_whitespace().map(OsString::from).collect()).ok()?;
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Some(format!("svc {}", words.join(" ")))
    };
    let examples = examples.filter_map(|example| Some((own(example.code)?, in_own_words(example.text))));
    below(&examples.collect::<Vec<_>>())
}

/// Examples, each with what it does, and the exit statuses.
pub(super) fn below(examples: &[(impl Display, impl Display)]) -> String {
    let mut text = "Examples:\n".to_owned();
    for (code, what) in examples {
        text.push_str(&format!("  {code}\n      {what}\n"));
    }
    text.push_str("\nExit status:\n");
    for status in ExitStatus::ALL {
        text.push_str(&format!("  {:<5}{}\n", status.number(), status.help()));
    }
    text.trim_end().to_owned()
}
