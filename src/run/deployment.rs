//! The documents of a run: the one of a command, or those of a deployment, each with the command that its `component` names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::context::check_absolute;
use super::destination::is_same_file;
use super::failure::{Failure, failure};
use super::registry::DEPLOYMENT;
use crate::commands::{Command, is_tag_settings};
use crate::protocol::{Code, ErrorReport, Request};
use crate::report::document_names;
use crate::settings::{Document, Finding, Label, LoadError, OwnFile};

/// Whose documents a run has.
#[derive(Debug, Clone, Copy)]
pub enum Job {
    /// One document, for this command.
    Command(&'static Command),
    /// One document, for the command that its `component` names: the own word of a command, alone or behind its building block
    /// (`Iaas.Storage`), in any letter case.
    Component,
    /// Several documents, each for the command that it names.
    Deployment,
}

/// A document of a run as it was read.
pub(super) struct Source {
    pub(super) document: Result<Arc<Document>, LoadError>,
    /// The id that tells it from others.
    pub(super) id: Option<String>,
    /// The folder in which the files of its project are looked for.
    pub(super) folder: PathBuf,
}

impl Job {
    /// The job of the documents of a request that says itself how many there are.
    pub(super) fn of(request: &Request) -> Job {
        match (&request.settings_files, &request.settings) {
            (Some(_), _) | (None, Some(Value::Array(_))) => Job::Deployment,
            (None, _) => Job::Component,
        }
    }

    /// The same job with the command that the only document names.
    ///
    /// # Errors
    /// The document cannot be read, or names none: `ComponentMissing` has the likely command.
    pub(super) fn with_command(self, sources: &[Source]) -> Result<Job, Failure> {
        let (Job::Component, [source]) = (self, sources) else { return Ok(self) };
        match &source.document {
            Ok(document) => Ok(Job::Command(crate::commands::command_of(document)?)),
            Err(error) => Err(Box::new(error.report())),
        }
    }

    /// The cmdlet name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Job::Command(command) => command.name,
            Job::Component | Job::Deployment => DEPLOYMENT.name,
        }
    }

    /// Whether there is one document, for a command that was named.
    pub(super) fn is_single(self) -> bool {
        !matches!(self, Job::Deployment)
    }

    /// The command of a document that cannot be read.
    pub(super) fn only_command(self) -> Option<&'static Command> {
        match self {
            Job::Command(command) => Some(command),
            Job::Component | Job::Deployment => None,
        }
    }

    /// The path that the plan is called after: the only document or folder; none where there are several, or an object.
    pub(super) fn plan_name(self, request: &Request) -> Option<PathBuf> {
        match request.settings_files.as_ref().map(|files| files.0.as_slice()) {
            Some([only]) => Some(only.clone()),
            Some(_) => None,
            None => request.settings_file.clone(),
        }
    }

    /// The command of a document.
    pub(super) fn command_of(self, document: &Arc<Document>) -> Result<&'static Command, Finding> {
        match self {
            Job::Command(command) => Ok(command),
            Job::Component | Job::Deployment => crate::commands::command_for(document),
        }
    }

    /// Reads the documents of a request.
    pub(super) fn sources(self, request: &mut Request) -> Result<Vec<Source>, Failure> {
        match self {
            Job::Command(_) | Job::Component => {
                let folder = folder_of(request.settings_file.as_deref(), request.base_directory.as_deref());
                Ok(vec![Source { document: read_settings(request)?, id: None, folder }])
            }
            Job::Deployment => documents(request),
        }
    }
}

/// The folder of a document: that of its file, else the one that the request names.
fn folder_of(file: Option<&Path>, base: Option<&Path>) -> PathBuf {
    match file {
        Some(file) => file.parent().unwrap_or(Path::new("")).to_owned(),
        None => base.map(Path::to_owned).unwrap_or_default(),
    }
}

/// The folder of a run, where the local cloud keeps its state: the one that is named, or that of the first document.
pub(super) fn folder_of_run(request: &Request) -> PathBuf {
    let first = request.settings_files.as_ref().and_then(|files| files.0.first());
    match first {
        Some(folder) if folder.is_dir() => folder.clone(),
        file => {
            folder_of(file.or(request.settings_file.as_ref()).map(PathBuf::as_path), request.base_directory.as_deref())
        }
    }
}

/// The document of the request of a command.
fn read_settings(request: &mut Request) -> Result<Result<Arc<Document>, LoadError>, Failure> {
    if request.settings_files.is_some() {
        return Err(Box::new(
            ErrorReport::terminating(
                Code::RequestInvalid,
                format!("settingsFiles is for {}; other commands take one document.", DEPLOYMENT.name),
            )
            .recommending(format!("Use settingsFile, or {} for several documents.", DEPLOYMENT.name)),
        ));
    }
    match (&request.settings_file, request.settings.take()) {
        (Some(file), None) => Ok(Document::load(&absolute(file, "settingsFile")?, "settings")),
        (None, Some(settings)) => Ok(Document::from_object(settings).map_err(LoadError::Findings)),
        (Some(_), Some(_)) => Err(ambiguous()),
        (None, None) => Err(missing()),
    }
}

fn ambiguous() -> Failure {
    failure(Code::SettingsAmbiguous, "Both a settings file and a settings object are given; use one of them.")
}

fn missing() -> Failure {
    failure(Code::SettingsMissing, "Neither a settings file nor a settings object is given; use one of them.")
}

/// The documents of a deployment, in an order that does not depend on how they were given.
fn documents(request: &mut Request) -> Result<Vec<Source>, Failure> {
    if request.settings_file.is_some() {
        let message =
            format!("{} takes settingsFiles, a list of files and folders, not settingsFile.", DEPLOYMENT.name);
        return Err(failure(Code::RequestInvalid, message));
    }
    let base = request.base_directory.clone().unwrap_or_default();
    match (request.settings_files.take(), request.settings.take()) {
        (Some(files), None) => {
            // Kept for where the local cloud has its state, and for the name of the plan.
            request.settings_files = Some(files.clone());
            files_of(&files.0)
        }
        (None, Some(Value::Array(objects))) if objects.is_empty() => Err(missing()),
        (None, Some(Value::Array(objects))) => Ok(objects_of(objects, &base)),
        (None, Some(object)) => Ok(objects_of(vec![object], &base)),
        (Some(_), Some(_)) => Err(ambiguous()),
        (None, None) => Err(missing()),
    }
}

/// The documents of settings objects, each with its number.
fn objects_of(objects: Vec<Value>, base: &Path) -> Vec<Source> {
    let mut numbered: Vec<(String, usize, Value)> =
        objects.into_iter().enumerate().map(|(number, object)| (object.to_string(), number, object)).collect();
    numbered.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    numbered
        .into_iter()
        .map(|(_, number, object)| {
            let document = Document::from_object(object).map_err(LoadError::Findings);
            let label = Label { id: number.to_string(), name: format!("[{number}]") };
            called(document, label, base.to_owned())
        })
        .collect()
}

/// The documents of files and folders, each file once.
pub(super) fn files_of(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut read: Vec<(PathBuf, Result<Arc<Document>, LoadError>)> = Vec::new();
    // A shell that is told `*.yml` names the definitions of the folder beside its documents. Alone they are no document.
    let has_others = paths.iter().any(|path| !is_definitions(path));
    for path in paths.iter().filter(|path| !(has_others && is_definitions(path))) {
        // Without `.` and slashes that mean nothing: it is shown, and files are told apart by it.
        let path: PathBuf = absolute(path, "settingsFiles")?.components().collect();
        let is_folder = path.is_dir();
        let files = if is_folder { in_folder(&path)? } else { vec![path.clone()] };
        let before = read.len();
        let mut known_before = false;
        for file in files {
            if read.iter().any(|(known, _)| is_same_file(known, &file)) {
                known_before = true;
                continue;
            }
            let document = Document::load(&file, "settings");
            let is_tags = document.as_ref().is_ok_and(|document| is_tag_settings(document.value()));
            if !(is_folder && is_tags) {
                read.push((file, document));
            }
        }
        if is_folder && read.len() == before && !known_before {
            return Err(empty_folder(&path));
        }
    }
    read.sort_by(|(one, _), (other, _)| one.cmp(other));
    let ids: Vec<String> = read.iter().map(|(file, _)| file.display().to_string()).collect();
    let names = document_names(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let labels = ids.into_iter().zip(names).map(|(id, name)| Label { id, name });
    let sources = read.into_iter().zip(labels).map(|((file, document), label)| {
        let folder = folder_of(Some(&file), None);
        called(document, label, folder)
    });
    Ok(sources.collect())
}

/// A document that says which one it is wherever it is named.
fn called(document: Result<Arc<Document>, LoadError>, label: Label, folder: PathBuf) -> Source {
    let id = Some(label.id.clone());
    match &document {
        Ok(document) => document.call(label),
        Err(LoadError::Findings(findings)) => findings.iter().for_each(|finding| finding.place.call(label.clone())),
        Err(LoadError::Read(_)) => {}
    }
    Source { document, id, folder }
}

/// The files in a folder that may be settings documents, by their names.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| -> Failure {
        Box::new(
            failure(
                Code::SettingsFileUnreadable,
                format!("The folder '{}' cannot be read: {error}.", folder.display()),
            )
            .about(folder.display().to_string())
            .recommending("Check the permissions of the folder."),
        )
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_own = || OwnFile::at(&path).is_some_and(|own| !own.is_document());
        if is_document(&path) && !path.is_dir() && !is_own() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file in a folder is called as settings documents are.
fn is_document(path: &Path) -> bool {
    stem_of_kind(path).is_some_and(|stem| !stem.starts_with(['_', '.'])) && !is_definitions(path)
}

/// Whether a file is called as the log alert definitions of a project are.
fn is_definitions(path: &Path) -> bool {
    stem_of_kind(path).is_some_and(|stem| stem == "logalertdefinitions")
}

/// The name of a YAML or JSON file without its extension, in lower case.
fn stem_of_kind(path: &Path) -> Option<String> {
    let text = |part: &std::ffi::OsStr| part.to_string_lossy().to_ascii_lowercase();
    let extension = path.extension().map(text)?;
    ["yml", "yaml", "json"].contains(&extension.as_str()).then(|| path.file_stem().map(text)).flatten()
}

fn empty_folder(folder: &Path) -> Failure {
    const WAY_OUT: &str = "Put settings documents into it, or name them one by one. Files whose names begin with '_', log alert definitions, tag settings, \
        what a run has written (plans, templates, the state of a local cloud) and folders in it are not documents.";
    let message = format!("The folder '{}' has no settings documents: *.yml, *.yaml or *.json.", folder.display());
    Box::new(failure(Code::SettingsFileNotFound, message).about(folder.display().to_string()).recommending(WAY_OUT))
}

pub(super) fn absolute(path: &Path, member: &str) -> Result<PathBuf, Failure> {
    check_absolute(path, member).map(|()| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::COMMANDS;

    #[test]
    fn what_a_folder_has_beside_documents() {
        for name in ["storage.yml", "WEB.YAML", "alerts.json"] {
            assert!(is_document(Path::new(name)), "{name}");
        }
        for name in ["_shared.yml", ".hidden.yml", "logAlertDefinitions.yaml", "README.md", "yml", "plan.html"] {
            assert!(!is_document(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn every_command_can_be_named() {
        for command in COMMANDS {
            let document = Document::from_object(serde_json::json!({"component": command.component})).unwrap();
            assert_eq!(Job::Deployment.command_of(&document).unwrap().name, command.name);
        }
    }
}
