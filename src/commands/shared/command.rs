//! The commands: the entry of one in the registry, and its settings document, which is read and compiled.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::compilation::{Compilation, Compiled, Project};
use super::export::Export;
use super::lookup::Services;
use super::parameters::Parameter;
use super::property::PropertiesAt;
use crate::azure::ResourceType;
use crate::settings::{Checked, Document, Finding, LoadError, Place, SettingsPath};

/// One command of the set.
#[derive(Debug)]
pub struct Command {
    /// The cmdlet name, as in `New-SvcIaasStorage`.
    pub name: &'static str,
    /// The value of `component` in its settings documents.
    pub component: &'static str,
    /// One sentence of help.
    pub synopsis: &'static str,
    /// A paragraph of help.
    pub description: &'static str,
    /// Its parameters, in the order of the help.
    pub parameters: &'static [Parameter],
    /// Examples for the help.
    pub examples: &'static [Example],
    /// Its documents in `examples/`.
    pub documents: Documents,
    /// Its settings document.
    pub settings: SettingsType,
    /// The properties that its settings say as they are, by the place of the settings.
    pub(in crate::commands) properties: &'static [PropertiesAt],
    /// The types of its resources that can carry publish names and are its own: not private DNS zones, which all who use a network share.
    pub publishes: &'static [&'static ResourceType],
    /// The export of its settings document from what exists.
    pub export: Export,
}

/// The settings document of a command: a type that describes its shape and compiles its values.
pub(crate) trait Settings: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Reads what the project has for the document in a file of its own, in the first of the folders that has it. Returns the file.
    ///
    /// # Errors
    /// A file cannot be read, or everything that is wrong with it.
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<Option<PathBuf>, LoadError> {
        let _ = folders;
        Ok(None)
    }

    /// Adds what the document wants to the compilation. A pure function of the document, the names and the look-ups;
    /// `root` is the place of the whole document.
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>);
}

/// The functions of one settings type, so that the registry can be a table.
#[derive(Debug, Clone, Copy)]
pub struct SettingsType {
    schema: fn() -> Schema,
    read: fn(&Arc<Document>) -> Box<dyn Compile>,
}

/// A settings document that was read and can be compiled.
pub trait Compile: Send + Sync {
    /// Reads what the project has for the document in a file of its own. Returns the file.
    ///
    /// # Errors
    /// A file cannot be read, or everything that is wrong with it.
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<Option<PathBuf>, LoadError>;

    /// The findings about the shape of the document.
    fn findings(&self) -> &[Finding];

    /// Compiles the document. What is wrong with its shape is among the findings.
    fn compile(&self, project: &Project, services: &Services) -> Compiled;
}

struct Read<T> {
    checked: Checked<T>,
    root: Place,
}

impl<T: Settings> Read<T> {
    fn compile_one(&self, settings: &T, project: &Project, services: &Services) -> Compiled {
        let mut compilation = Compilation::new(project, services);
        settings.compile(&self.root, &mut compilation);
        compilation.finish()
    }

    /// Takes out the findings that another reading of the document does not have: they come from what stands in the place of
    /// something wrong.
    fn keep_common(&self, findings: &mut Vec<Finding>, project: &Project, services: &Services) {
        findings.retain(|finding| !self.checked.is_known(finding));
        for other in self.checked.readings.iter().skip(1) {
            if findings.is_empty() {
                return;
            }
            let compiled = self.compile_one(other, project, services);
            let common: HashSet<_> = compiled.findings.iter().map(Finding::identity).collect();
            findings.retain(|finding| common.contains(&finding.identity()));
        }
    }
}

impl<T: Settings> Compile for Read<T> {
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<Option<PathBuf>, LoadError> {
        // Each reading of the document has them, and what is wrong with them is the same in all.
        let mut result = Ok(None);
        for settings in &mut self.checked.readings {
            result = settings.read_project_files(folders);
        }
        result
    }

    fn findings(&self) -> &[Finding] {
        &self.checked.findings
    }

    fn compile(&self, project: &Project, services: &Services) -> Compiled {
        let Checked { readings, findings, warnings, .. } = &self.checked;
        let mut compiled =
            readings.first().map(|settings| self.compile_one(settings, project, services)).unwrap_or_default();
        if !self.checked.is_whole() {
            self.keep_common(&mut compiled.findings, project, services);
            compiled.findings.extend(findings.iter().cloned());
        }
        compiled.warnings.splice(0..0, warnings.iter().map(Finding::warning));
        compiled
    }
}

/// The functions of a settings type.
pub(in crate::commands) const fn settings_of<T: Settings>() -> SettingsType {
    SettingsType {
        schema: crate::settings::schema_of::<T>,
        read: |document| {
            let root = Place::value(document, SettingsPath::root());
            Box::new(Read { checked: crate::settings::read::<T>(document), root })
        },
    }
}

/// The documents of a command in `examples/`: the schemas show and try their values, and tests deploy them.
#[derive(Debug, Clone, Copy)]
pub struct Documents {
    /// The name of its example: that of the file without `.yml`.
    pub name: &'static str,
    /// The text of the example that people run.
    pub(in crate::commands) example: &'static str,
    /// The text of the document that sets every field.
    pub(in crate::commands) every_field: &'static str,
}

/// The documents of a command, by the name of its example.
macro_rules! documents {
    ($name:literal) => {
        crate::commands::shared::command::Documents {
            name: $name,
            example: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/", $name, ".yml")),
            every_field: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/examples/all-fields/",
                $name,
                "-all-fields.yml"
            )),
        }
    };
}
pub(in crate::commands) use documents;

/// An example in the help of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Example {
    /// A PowerShell command line.
    pub code: &'static str,
    /// The effect of the example.
    pub text: &'static str,
}

impl Command {
    /// The JSON Schema of its settings type.
    #[must_use]
    pub fn type_schema(&self) -> Schema {
        let mut schema = (self.settings.schema)();
        self.properties.iter().for_each(|properties| properties.write_into(&mut schema));
        schema
    }

    /// Reads a document as the command's settings type.
    #[must_use]
    pub fn read(&self, document: &Arc<Document>) -> Box<dyn Compile> {
        (self.settings.read)(document)
    }

    /// Whether a document with this `component` is for the command: its own word, alone or behind that of its building block.
    #[must_use]
    pub fn is_for(&self, component: &str) -> bool {
        let words = words_of(self.name);
        let block = words.get(1).map_or("", String::as_str);
        let own = match component.split_once('.') {
            Some((before, own)) if before.trim().eq_ignore_ascii_case(block) => own.trim(),
            _ => component,
        };
        own.eq_ignore_ascii_case(self.component)
    }

    /// The name of the exported C function: `svc_new_iaas_storage`.
    #[must_use]
    pub fn function(&self) -> String {
        function_of(self.name)
    }

    /// The name as a subcommand of `svc`: `new-iaas-storage`.
    #[must_use]
    pub fn subcommand(&self) -> String {
        subcommand_of(self.name)
    }
}

/// The name of the C function of a cmdlet: `svc_new_iaas_storage`.
#[must_use]
pub fn function_of(name: &str) -> String {
    format!("svc_{}", words_of(name).join("_"))
}

/// The name of a cmdlet as a subcommand of `svc`: `new-iaas-storage`.
#[must_use]
pub fn subcommand_of(name: &str) -> String {
    words_of(name).join("-")
}

/// The words of a cmdlet name in lower case, without the prefix of the noun.
pub(in crate::commands) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for character in name.replacen("-Svc", "-", 1).chars() {
        match words.last_mut() {
            Some(word) if character.is_ascii_lowercase() => word.push(character),
            _ if character.is_ascii_uppercase() => words.push(character.to_ascii_lowercase().to_string()),
            _ => {}
        }
    }
    words
}
