//! The command registry: what the exported C functions, the PowerShell functions, the command line, the help and the
//! JSON Schemas are made from.

use serde_json::{Value, json};

use super::shared::command::Command;
use crate::protocol::CONTEXT_MEMBERS;

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
