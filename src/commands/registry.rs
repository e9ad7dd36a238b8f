//! The command registry: what the exported C functions, the PowerShell functions, the command line, the help and the
//! JSON Schemas are made from.

use std::sync::Arc;

use serde_json::{Value, json};

use super::shared::command::Command;
use crate::protocol::{CONTEXT_MEMBERS, FindingCode};
use crate::settings::{Document, Finding, Place, SettingsPath};

/// The commands that work.
pub static COMMANDS: &[Command] = &[
    super::core_monitor::COMMAND,
    super::log_alerts::COMMAND,
    super::metric_alerts::COMMAND,
    super::resource_health_alerts::COMMAND,
    super::private_endpoints::COMMAND,
    super::storage::COMMAND,
    super::bastion_hosts::COMMAND,
    super::web::COMMAND,
];

/// The command with this cmdlet name, ignoring case.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// Why a document is not one for a command.
#[derive(Debug)]
pub enum Component {
    /// It says that it is for another one.
    OfAnother(Finding),
    /// It says something that no command has.
    Unknown(Finding),
}

/// Compares what a document says of its command, alone or with the building block before it (`Iaas.Storage`).
///
/// # Errors
/// The document says something else.
pub fn check_component(document: &Arc<Document>, command: &Command) -> Result<(), Component> {
    const KEY: &str = "component";
    let members = document.value().as_object().into_iter().flatten();
    let mut said = members.filter(|(key, _)| key.eq_ignore_ascii_case(KEY)).filter_map(|(_, value)| value.as_str());
    let Some(said) = said.next().map(str::trim).filter(|said| !said.is_empty()) else { return Ok(()) };
    if command.is_for(said) {
        return Ok(());
    }
    let finding = |message: String| Finding {
        place: Place::value(document, SettingsPath::root().key(KEY)),
        code: FindingCode::OtherCommand,
        message,
    };
    Err(match COMMANDS.iter().find(|other| other.is_for(said)) {
        Some(other) => Component::OfAnother(finding(format!(
            "'{said}' is the component of {}; use that command, or '{}' for {}",
            other.name, command.component, command.name
        ))),
        None => Component::Unknown(finding(format!("'{said}' is not a component; '{}' is used", command.component))),
    })
}

/// The registry as JSON, for hosts that build their own front end.
#[must_use]
pub fn describe() -> Value {
    let commands: Vec<Value> = COMMANDS
        .iter()
        .map(|command| {
            json!({
                "name": command.name,
                "function": command.function(),
                "component": command.component,
                "synopsis": command.synopsis,
                "description": command.description,
                "parameters": command.parameters,
                "examples": command.examples,
            })
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "commands": commands, "contextMembers": CONTEXT_MEMBERS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_three_ways() {
        let storage = find("new-sVCiaasstorage").unwrap();
        assert_eq!(storage.name, "New-SvcIaasStorage");
        assert_eq!(storage.function(), "svc_new_iaas_storage");
        assert_eq!(storage.subcommand(), "new-iaas-storage");
    }

    #[test]
    fn the_description_names_every_command() {
        let described = describe();
        let names: Vec<&str> =
            described["commands"].as_array().unwrap().iter().filter_map(|command| command["name"].as_str()).collect();
        let known: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
        assert_eq!(names, known);
    }
}
