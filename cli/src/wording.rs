//! The words of this program for what the engine says in PowerShell's.

use std::sync::LazyLock;

use svc_engine::protocol::Message;

use super::parameters::{kebab, names};

/// The command that chooses a member of the context for a session of PowerShell.
const OF_SESSION: &str = "Set-SvcContext ";
/// The switch there that makes changes without a question, and the option of `svc`.
const UNASKED: (&str, &str) = ("Confirm:$false", "--yes");

/// A sentence of the engine with the parameters in the spelling of this program: `--plan-report` for `-PlanReport` and for
/// `Set-SvcContext -PlanReport`. What is quoted is somebody's value and stays.
pub(super) fn in_own_words(text: &str) -> String {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(names);
    let (mut own, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(hyphen) = rest.find('-') {
        let (before, after) = (&rest[..hyphen], &rest[hyphen + 1..]);
        own.push_str(before);
        let length = after.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(after.len());
        let (option, length) = match after.strip_prefix(UNASKED.0) {
            Some(_) => (Some(UNASKED.1.to_owned()), UNASKED.0.len()),
            None => {
                let name = NAMES.iter().find(|name| **name == &after[..length]);
                (name.map(|name| format!("--{}", kebab(name))), length)
            }
        };
        match option.filter(|_| own.is_empty() || own.ends_with([' ', '(', '\n'])) {
            Some(option) => {
                let kept = own.strip_suffix(OF_SESSION).map_or(own.len(), str::len);
                own.truncate(kept);
                own.push_str(&option);
                rest = &after[length..];
            }
            None => {
                own.push('-');
                rest = after;
            }
        }
    }
    own + rest
}

/// Takes the words of this program into a message.
pub(super) fn take_own_words(message: &mut Message) {
    match message {
        Message::Verbose { message } | Message::Debug { message } => *message = in_own_words(message),
        Message::Warning(warning) => warning.message = in_own_words(&warning.message),
        Message::Error(report) => {
            report.failure.message = in_own_words(&report.failure.message);
            report.failure.recommendation = report.failure.recommendation.as_deref().map(in_own_words);
        }
        // What no setting says may come from an option.
        Message::Plan { actions, .. } => {
            let changes = actions.iter_mut().flat_map(|action| &mut action.changes);
            let origins = changes.filter_map(|change| change.origin.as_mut());
            origins.filter(|origin| origin.starts_with('-')).for_each(|origin| *origin = in_own_words(origin));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_said_as_they_are_typed_here() {
        for (engine, own) in [
            (
                "Make the plan again with -WhatIf and -PlanReport.",
                "Make the plan again with --what-if and --plan-report.",
            ),
            ("Choose one with Set-SvcContext -SubscriptionId or SVC_X.", "Choose one with --subscription-id or SVC_X."),
            ("the tenant x (Set-SvcContext -TenantId)", "the tenant x (--tenant-id)"),
            ("-Path", "--path"),
            ("confirmed unless -Confirm:$false is given", "confirmed unless --yes is given"),
            // Cmdlets of others, values and everything else with a hyphen stay.
            (
                "run Update-AzX -ResourceGroupName rg -ProfileName fd",
                "run Update-AzX -ResourceGroupName rg -ProfileName fd",
            ),
            ("the file '-Path' has Built-In -cloud a-Cloud -- -", "the file '-Path' has Built-In -cloud a-Cloud -- -"),
            ("-Pathology of -Paths", "-Pathology of -Paths"),
            ("", ""),
        ] {
            assert_eq!(in_own_words(engine), own);
        }
    }
}
