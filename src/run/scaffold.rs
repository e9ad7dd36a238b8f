//! The jobs that help to write settings documents: a new one with comments, and the JSON Schemas for editors. Nothing is contacted.

use std::path::{Path, PathBuf};

use schemars::Schema;
use serde::Deserialize;

use super::context::{RunContext, check_absolute};
use super::deployment::{Job, Source, files_of};
use super::destination::{Inputs, OutputFile, Replaces, save};
use super::failure::{Failure, failure};
use crate::commands::{self, COMMANDS, Command, NewDocument, PROJECT_FILES, new_document, tag_file};
use crate::protocol::{Code, ErrorReport, Host, Message, Request, not_valid};
use crate::settings::{Document, LoadError, OwnFile};

/// The file beside documents whose keys are those that the documents use.
const VALUES_FILE: &str = "values";

/// The members of a request that only a new document has, and those of a schema.
pub(super) const OF_DOCUMENTS: &[&str] = &["component", "everyKey", "path"];
pub(super) const OF_SCHEMAS: &[&str] = &["name", "folder"];

/// A new document that is wanted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WantedDocument {
    component: String,
    /// Every key is written, and not only the usual ones.
    #[serde(default)]
    every_key: bool,
    /// Absolute path of the new file that gets it.
    path: Option<PathBuf>,
}

/// A JSON Schema that is wanted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WantedSchema {
    /// The component of documents, or the name of a file that a project has beside its documents.
    name: String,
    /// Absolute path of the folder whose documents use the values that the schema is of.
    folder: Option<PathBuf>,
}

/// Sends a new document, and writes it where that is wanted.
pub(super) async fn document(wanted: WantedDocument, host: &Host) -> Result<(), Failure> {
    let command = command_of(&wanted.component, "component", Vec::new())?;
    let form = if wanted.every_key { NewDocument::All } else { NewDocument::Usual };
    let text = new_document(command, form);
    if let Some(path) = &wanted.path {
        check_absolute(path, "path")?;
        let file = OutputFile::at(path, OwnFile::Export, Replaces::Nothing, &Inputs::default())?;
        save(vec![(file, text.clone())]).await?;
    }
    send(command.component, text, wanted.path, host);
    Ok(())
}

/// Sends a JSON Schema.
pub(super) async fn schema(wanted: WantedSchema, host: &Host) -> Result<(), Failure> {
    let text = schema_of(&wanted.name, wanted.folder.as_deref())?;
    send(&wanted.name, text, None, host);
    Ok(())
}

/// The JSON Schema of the documents of a component, or of a file that a project has beside its documents. Of the values of a project it has
/// the names that the documents of a folder use, where one is given: an absolute path.
///
/// # Errors
/// Nothing has the name, a folder says nothing of it, or the documents of the folder cannot be read.
pub fn schema_of(name: &str, folder: Option<&Path>) -> Result<String, Box<ErrorReport>> {
    let file = PROJECT_FILES.iter().find(|file| file.is_called(name));
    // Written as they are ordered for people: what they are goes first, by which they are told from settings, too.
    let schema: Schema = match (file, folder) {
        (Some(file), Some(folder)) if file.name == VALUES_FILE => {
            check_absolute(folder, "folder")?;
            values_schema(folder)?
        }
        (_, Some(_)) => {
            let message = format!("A folder says the names of '{VALUES_FILE}' and of no other schema.");
            return Err(Box::new(ErrorReport::terminating(Code::RequestInvalid, message).about("folder")));
        }
        (Some(file), None) => file.schema(),
        (None, None) => {
            let files = PROJECT_FILES.iter().map(|file| file.name).collect();
            command_of(name, "name", files)?.editor_schema()
        }
    };
    let text = serde_json::to_string_pretty(&schema)
        .map_err(|error| failure(Code::InternalError, format!("The schema cannot be written: {error}.")))?;
    Ok(text + "\n")
}

/// The JSON Schema of the values of a project: the names that the documents of a folder, and the tag settings beside them, use, each with
/// the schema of the setting that takes it.
///
/// # Errors
/// The folder has no documents, or one of its files cannot be read.
fn values_schema(folder: &Path) -> Result<Schema, Box<ErrorReport>> {
    let sources = files_of(&[folder.to_owned()])?;
    let with_command = |source: Source| {
        let document = source.document?;
        let command = Job::Deployment.command_of(&document).ok();
        Ok((document, command))
    };
    let read = sources.into_iter().map(with_command).collect::<Result<Vec<_>, LoadError>>();
    let mut documents = read.map_err(|error| Box::new(error.report()))?;
    let context = RunContext::of(&Request::default())?;
    if let Some(tags) = tag_file(&context.project_folders(folder)) {
        let tags = Document::load(&tags, "tag settings").map_err(|error| Box::new(error.report()))?;
        documents.push((tags, None));
    }
    Ok(commands::values_schema(&documents))
}

fn command_of(name: &str, member: &str, others: Vec<&'static str>) -> Result<&'static Command, Failure> {
    COMMANDS.iter().find(|command| command.is_for(name)).ok_or_else(|| {
        let all: Vec<&str> = COMMANDS.iter().map(|command| command.component).chain(others).collect();
        Box::new(
            ErrorReport::terminating(Code::RequestInvalid, format!("The {member} {}.", not_valid(name, &all)))
                .about(member),
        )
    })
}

fn send(component: &str, text: String, path: Option<PathBuf>, host: &Host) {
    host.send(Message::Document {
        component: component.to_owned(),
        text,
        path: path.map(|path| path.display().to_string()),
        files: Vec::new(),
        differences: Vec::new(),
    });
}
