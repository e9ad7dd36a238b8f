//! Values: what `$(name)` in a document stands for. They are in the folder `_values` of a project, in a file for each environment and
//! one for what all of them share.

mod environments;
mod insert;
mod pieces;
mod unused;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

pub use self::environments::Environments;
pub use self::insert::LeftOut;
pub(super) use self::insert::Source;
use self::pieces::{Piece, is_name, pieces};
use super::document::{Document, LoadError, counts_as_absent};
use super::finding::{Finding, Place};
use super::path::SettingsPath;
use super::project_file::{misnamed, project_file};
use crate::protocol::{FindingCode, Warning, alternatives, nearest};

/// The folder of the values of a project.
pub(super) const VALUES_FOLDER: &str = "_values";
/// The file of what all environments share, without its ending.
const SHARED: &str = "all";

/// The values of one environment.
#[derive(Debug, Default)]
pub struct Values {
    /// The files that are read; of several that have a name the first one counts.
    files: Vec<Arc<Document>>,
    /// The environments that the project knows.
    environments: Environments,
    /// The project has such a folder: else a reference is plain text.
    has_folder: bool,
    /// The findings about the files.
    findings: Vec<Finding>,
    /// The warnings about the folder.
    warnings: Vec<Warning>,
    /// The names that documents have taken.
    used: BTreeSet<String>,
    /// The variables that documents have taken: they are secrets.
    secrets: BTreeSet<String>,
}

impl Values {
    /// Reads the values of an environment: those in the first of the folders that has any.
    ///
    /// # Errors
    /// A file is there and cannot be read.
    pub fn read(folders: &[PathBuf], environments: Environments) -> Result<Values, LoadError> {
        let mut values = Values { environments, ..Values::default() };
        let own = folders.iter().find(|folder| folder.join(VALUES_FOLDER).is_dir());
        let Some(folder) = own else { return Ok(values) };
        values.has_folder = true;
        let known: Vec<&str> = values.environments.keys().chain([SHARED]).collect();
        values.warnings = misnamed(&folder.join(VALUES_FOLDER), &known).into_iter().map(Warning::from).collect();
        for name in [values.environments.current().to_owned(), SHARED.to_owned()] {
            let path = project_file(std::slice::from_ref(folder), &format!("{VALUES_FOLDER}/{name}"));
            match path.map(|path| Document::load(&path, "values")) {
                None => {}
                Some(Ok(file)) => values.add(file),
                // A file that is still empty has no values.
                Some(Err(LoadError::Findings(findings))) => {
                    values.findings.extend(findings.into_iter().filter(|finding| finding.code != FindingCode::Empty));
                }
                Some(Err(error)) => return Err(error),
            }
        }
        Ok(values)
    }

    /// Adds a file, and notes everything that is wrong with it.
    fn add(&mut self, file: Arc<Document>) {
        self.findings.extend(file.problems());
        let root = SettingsPath::root();
        let Some(members) = file.value().as_object() else {
            let message = "expected names with their values, as in 'domain: shop.example.com'".to_owned();
            self.findings.push(Finding { place: Place::value(&file, root), code: FindingCode::WrongType, message });
            return;
        };
        let mut refuse = |place, message| {
            self.findings.push(Finding { place, code: FindingCode::ReferenceInvalid, message });
        };
        for (key, value) in members {
            let path = root.key(key);
            if !is_name(key) {
                let message = format!("'{key}' is not the name of a value: {NAMES}");
                refuse(Place::key(&file, path.clone()), message);
            }
            each_text(value, &path, &mut |path, text| {
                if pieces(text).iter().any(|piece| !matches!(piece, Piece::Plain(_))) {
                    refuse(Place::as_written(&file, path.clone()), NO_REFERENCES.to_owned());
                }
            });
        }
        self.files.push(file);
    }

    /// The files that were read.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().filter_map(|file| file.path().map(ToOwned::to_owned))
    }

    /// The findings about the files; once.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// The warnings about the folder; once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// The variables that documents have taken so far.
    pub fn secrets(&self) -> impl Iterator<Item = &String> {
        self.secrets.iter()
    }

    /// The file that has a name, with the path of its value.
    fn find(&self, name: &str) -> Option<(&Arc<Document>, SettingsPath)> {
        let path = SettingsPath::root().key(name);
        let file = self.files.iter().find(|file| file.value_at(&path).is_some())?;
        Some((file, path))
    }

    /// The end of the sentence that a name has no value.
    fn hint(&self, name: &str) -> String {
        let known = self.files.iter().filter_map(|file| file.value().as_object()).flat_map(serde_json::Map::keys);
        if let Some(near) = nearest(name, known.map(String::as_str)) {
            return format!(", did you mean '{near}'?");
        }
        let environment = self.environments.current();
        let files = [environment, SHARED].map(|file| format!("{VALUES_FOLDER}/{file}.yml"));
        format!("; put it into {}", alternatives(&files))
    }
}

/// Why there is no reference in a value.
const NO_REFERENCES: &str =
    "a value cannot refer to another value or to a variable, only documents can; write '$$(' for a plain '$('";
/// The rule for names.
const NAMES: &str = "a name has letters, digits, '_' and '-', and begins with a letter";

/// Calls with every text in a value, and where it stands.
fn each_text(value: &Value, path: &SettingsPath, with: &mut dyn FnMut(&SettingsPath, &str)) {
    match value {
        Value::String(text) => with(path, text),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| each_text(item, &path.index(index), with));
        }
        Value::Object(members) => members.iter().for_each(|(key, member)| each_text(member, &path.key(key), with)),
        _ => {}
    }
}

/// A reference to a value in a document.
#[derive(Debug)]
pub struct Reference {
    /// The name of the value.
    pub name: String,
    /// The place of the text that has it.
    pub place: Place,
    /// The text is the reference and nothing else, so that the value may be of any type.
    pub is_whole: bool,
}

/// The references of a document to values, in its order.
#[must_use]
pub fn references(document: &Arc<Document>) -> Vec<Reference> {
    let mut references = Vec::new();
    each_text(document.value(), &SettingsPath::root(), &mut |path, text| {
        let pieces = pieces(text);
        let is_whole = pieces.len() == 1;
        references.extend(pieces::names(text).map(|name| Reference {
            name: name.to_owned(),
            place: Place::as_written(document, path.clone()),
            is_whole,
        }));
    });
    references
}

/// The variables of the caller.
pub type Variables = BTreeMap<String, String>;

/// Whether a document leaves a value out.
fn is_absent(value: &Value) -> bool {
    value.is_null() || counts_as_absent(value)
}
