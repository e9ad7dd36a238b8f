//! The files that an export writes: the documents, and what belongs beside them.

use std::path::{Path, PathBuf};

use super::reader::Written;
use super::{Target, Wanted};
use crate::naming::{Convention, NAMING_FOLDER};
use crate::protocol::{FileBeside, Host, Message, Request};
use crate::run::context::{RunContext, check_absolute};
use crate::run::destination::{Inputs, OutputFile, Replaces, save, taken};
use crate::run::failure::Failure;
use crate::settings::OwnFile;

/// The place that the documents of an export go to.
pub(super) struct Output {
    place: Place,
    /// The naming files of names that are those of the settings.
    files: Vec<FileBeside>,
    replaces: Replaces,
    inputs: Inputs,
}

enum Place {
    /// To whoever asked.
    Caller,
    /// To a file.
    File(PathBuf),
    /// To a folder, under names of their own.
    Folder(PathBuf),
}

impl Output {
    /// The place that the documents go to: none of them is in the way of another file.
    ///
    /// # Errors
    /// One of them would take the place of something else, or naming files would count for the documents of others.
    pub(super) fn of(
        target: &Target,
        wanted: &Wanted,
        request: &Request,
        context: &RunContext,
    ) -> Result<Output, Failure> {
        let files = if wanted.names.unwrap_or_default() { naming_files() } else { Vec::new() };
        let place = match (target, &wanted.path) {
            (_, None) => Place::Caller,
            (Target::Document(..), Some(path)) => Place::File(path.clone()),
            (Target::Environment(..), Some(path)) => Place::Folder(path.clone()),
        };
        let replaces = Replaces::of_switch(wanted.overwrite);
        let output = Output { place, files, replaces, inputs: Inputs::of(request, context, []) };
        if let Some(path) = &wanted.path {
            check_absolute(path, "path")?;
        }
        match &output.place {
            Place::Caller => {}
            Place::File(path) => {
                output.file(path)?;
                let folder = path.parent().unwrap_or(Path::new(""));
                output.check_alone(
                    folder,
                    |found| found == path,
                    "Name a file in a new or empty folder with -Path.",
                )?;
                output.beside(folder)?;
            }
            Place::Folder(folder) => {
                let advice = "Name a new or empty folder with -Path.";
                if folder.exists() && !folder.is_dir() {
                    return Err(taken(folder, "it is a file, and documents go to a folder", advice));
                }
                output.check_alone(folder, |found| OwnFile::at(found) == Some(OwnFile::Export), advice)?;
                output.beside(folder)?;
            }
        }
        Ok(output)
    }

    fn file(&self, path: &Path) -> Result<OutputFile, Failure> {
        OutputFile::at(path, OwnFile::Export, self.replaces, &self.inputs)
    }

    /// The files beside documents that are not there yet.
    fn beside(&self, folder: &Path) -> Result<Vec<(OutputFile, String)>, Failure> {
        let missing = self.files.iter().filter(|file| !folder.join(&file.path).exists());
        let output = |file: &FileBeside| {
            let path = folder.join(&file.path);
            let output = OutputFile::at(&path, OwnFile::Export, Replaces::Nothing, &self.inputs)?;
            Ok((output, file.text.clone()))
        };
        missing.map(output).collect()
    }

    /// Whether a folder that gets naming files has nothing but an earlier export of the same, where that is to be replaced, and nothing at
    /// all otherwise: naming files count for every document beside them.
    fn check_alone(&self, folder: &Path, is_earlier: impl Fn(&Path) -> bool, advice: &str) -> Result<(), Failure> {
        let Ok(entries) = folder.read_dir() else { return Ok(()) };
        let same_text = |file: &FileBeside| {
            let path = folder.join(&file.path);
            !path.exists() || std::fs::read_to_string(path).is_ok_and(|text| text == file.text)
        };
        for entry in entries.flatten().map(|entry| entry.path()).filter(|_| !self.files.is_empty()) {
            let is_beside = self.files.iter().any(|file| folder.join(&file.path).parent() == Some(entry.as_path()));
            let is_earlier = is_earlier(&entry) || (is_beside && self.files.iter().all(same_text));
            if self.replaces == Replaces::Nothing || !is_earlier {
                let reason = format!(
                    "'{}' is there, and the names of '_names' would be those of every document beside it",
                    entry.display()
                );
                return Err(taken(folder, &reason, advice));
            }
        }
        Ok(())
    }

    /// Writes the documents, all or none, and sends them.
    ///
    /// # Errors
    /// A file cannot be written, or is there by now.
    pub(super) async fn save(self, documents: Vec<Written>, host: &Host) -> Result<(), Failure> {
        let paths: Vec<Option<PathBuf>> = match &self.place {
            Place::Caller => documents.iter().map(|_| None).collect(),
            Place::File(path) => documents.iter().map(|_| Some(path.clone())).collect(),
            Place::Folder(folder) => {
                documents.iter().map(|document| Some(folder.join(name_of(document, &documents)))).collect()
            }
        };
        let mut files = match &self.place {
            Place::Caller => Vec::new(),
            Place::File(path) => self.beside(path.parent().unwrap_or(Path::new("")))?,
            Place::Folder(folder) => self.beside(folder)?,
        };
        for (document, path) in documents.iter().zip(&paths) {
            if let Some(path) = path {
                files.push((self.file(path)?, document.text.clone()));
            }
        }
        save(files).await?;
        for (document, path) in documents.into_iter().zip(paths) {
            host.send(Message::Document {
                component: document.command.component.to_owned(),
                text: document.text,
                path: path.map(|path| path.display().to_string()),
                files: self.files.clone(),
                differences: document.differences,
            });
        }
        Ok(())
    }
}

/// The naming files of names that are those of the settings.
fn naming_files() -> Vec<FileBeside> {
    let file = |(name, text): (&str, String)| FileBeside { path: format!("{NAMING_FOLDER}/{name}"), text };
    Convention::files_as_they_are().into_iter().map(file).collect()
}

/// The name of the file of a document: its component, with the group where there are several of it.
fn name_of(document: &Written, all: &[Written]) -> String {
    let component = document.command.component;
    let is_only = all.iter().filter(|other| other.command.component == component).count() == 1;
    if is_only { format!("{component}.yml") } else { format!("{component}-{}.yml", document.group) }
}
