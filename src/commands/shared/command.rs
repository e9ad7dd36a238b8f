//! What a command is: its entry in the registry, and its settings document, which is read and compiled.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::compilation::{Compilation, Compiled, Project};
use super::lookup::Services;
use super::parameters::Parameter;
use crate::protocol::ErrorReport;
use crate::settings::{Document, Finding, Place, SettingsPath};

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
    /// Its settings document.
    pub settings: SettingsType,
}

/// The settings document of a command: a type that describes its shape and compiles its values.
pub(crate) trait Settings: DeserializeOwned + JsonSchema + std::fmt::Debug + Send + Sync + 'static {
    /// The value of `component`, when the document says.
    fn component(&self) -> Option<&str>;

    /// Reads what the project has for the document in files of its own. They are in the first of the folders that has them.
    ///
    /// # Errors
    /// A file cannot be read, or everything that is wrong with it.
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<(), Box<ErrorReport>> {
        let _ = folders;
        Ok(())
    }

    /// Adds what the document wants to the compilation. A pure function of the document, the names and the look-ups;
    /// `root` is the place of the whole document.
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>);
}

/// The functions of one settings type, so that the registry can be a table.
#[derive(Debug, Clone, Copy)]
pub struct SettingsType {
    schema: fn() -> Schema,
    read: fn(&Arc<Document>) -> ReadResult,
}

/// A document that fits its type, or everything that is wrong with it.
pub(crate) type ReadResult = Result<Box<dyn Compile>, Vec<Finding>>;

/// A settings document that was read and can be compiled.
pub trait Compile: std::fmt::Debug + Send + Sync {
    /// The value of `component`, when the document says.
    fn component(&self) -> Option<&str>;

    /// Reads what the project has for the document in files of its own.
    ///
    /// # Errors
    /// A file cannot be read, or everything that is wrong with it.
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<(), Box<ErrorReport>>;

    /// Compiles the document.
    fn compile(&self, project: &Project, services: &Services) -> Compiled;
}

#[derive(Debug)]
struct Read<T> {
    settings: T,
    root: Place,
}

impl<T: Settings> Compile for Read<T> {
    fn component(&self) -> Option<&str> {
        self.settings.component()
    }

    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<(), Box<ErrorReport>> {
        self.settings.read_project_files(folders)
    }

    fn compile(&self, project: &Project, services: &Services) -> Compiled {
        let mut compilation = Compilation::new(project, services);
        self.settings.compile(&self.root, &mut compilation);
        compilation.finish()
    }
}

/// The functions of a settings type.
pub(in crate::commands) const fn settings_of<T: Settings>() -> SettingsType {
    SettingsType {
        schema: crate::settings::schema_of::<T>,
        read: |document| {
            let settings = crate::settings::check::<T>(document)?;
            Ok(Box::new(Read { settings, root: Place::value(document, SettingsPath::root()) }))
        },
    }
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
    /// The JSON Schema of its settings document, for editors.
    #[must_use]
    pub fn settings_schema(&self) -> Schema {
        crate::settings::editor_schema((self.settings.schema)())
    }

    /// Checks a document against the command's settings type.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(&self, document: &Arc<Document>) -> ReadResult {
        (self.settings.read)(document)
    }

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
