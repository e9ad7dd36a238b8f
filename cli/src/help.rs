//! What stands below the options in the help of a command: examples, and how the program ends.

use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::Described;

/// Longer lines are hard to read, however wide the terminal.
pub(super) const WIDEST: usize = 120;

/// The examples of a command that are command lines of `svc` too, in PowerShell's spelling, and the exit statuses.
pub(super) fn of_command(command: &Described) -> String {
    let examples = command.examples.iter().filter(|example| example.code.starts_with(command.name));
    let examples: Vec<(String, &str)> =
        examples.map(|example| (format!("svc {}", example.code.replace("$false", "false")), example.text)).collect();
    below(&examples)
}

/// Examples, each with what it does, and the exit statuses.
pub(super) fn below(examples: &[(String, &str)]) -> String {
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
