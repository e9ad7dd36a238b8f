//! The commands: one file each, and the registry that describes them.

pub mod registry;
mod storage;

pub use registry::{COMMANDS, ConfirmImpact, Parameter, ParameterKind, ParameterSet, describe, find};
use serde::Serialize;

/// One command of the set.
#[derive(Debug)]
pub struct Command {
    /// The cmdlet name, as in `New-SvcIaasStorage`.
    pub name: &'static str,
    /// The value of `component` in its settings documents.
    pub component: &'static str,
    /// How much it asks before it acts.
    pub confirm_impact: ConfirmImpact,
    /// One sentence of help.
    pub synopsis: &'static str,
    /// A paragraph of help.
    pub description: &'static str,
    /// Its parameters, in the order of the help.
    pub parameters: &'static [Parameter],
    /// Examples for the help.
    pub examples: &'static [Example],
}

/// An example in the help of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Example {
    /// A PowerShell command line.
    pub code: &'static str,
    /// What it does.
    pub text: &'static str,
}

impl Command {
    /// The name of the exported C function: `svc_new_iaas_storage`.
    #[must_use]
    pub fn function(&self) -> String {
        format!("svc_{}", self.words().join("_"))
    }

    /// The name as a subcommand of `svc`: `new-iaas-storage`.
    #[must_use]
    pub fn subcommand(&self) -> String {
        self.words().join("-")
    }

    /// The words of the cmdlet name in lower case, without the prefix of the noun.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for character in self.name.replacen("-Svc", "-", 1).chars() {
            match words.last_mut() {
                Some(word) if character.is_ascii_lowercase() => word.push(character),
                _ if character.is_ascii_uppercase() => words.push(character.to_ascii_lowercase().to_string()),
                _ => {}
            }
        }
        words
    }
}
