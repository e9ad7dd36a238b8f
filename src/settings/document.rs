//! A settings document: its text, its values and where they stand.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::finding::{Finding, Place, settings_invalid};
use super::index::Index;
use super::locate::{At, Places, Position};
use super::parse::{self, ParseError, Parsed};
use super::path::{Segment, SettingsPath};
use super::text::{self, ReadError};
use super::values::{Source, VALUES_FOLDER};
use super::yaml;
use crate::protocol::ErrorReport;

/// A document that was read.
#[derive(Debug)]
pub struct Document {
    file: Option<PathBuf>,
    /// The text of JSON, whose places are looked for when one is first shown.
    text: String,
    value: Value,
    /// The problems of the text although it has values.
    problems: Vec<ParseError>,
    places: OnceLock<Places>,
    index: OnceLock<Index>,
    label: OnceLock<Label>,
    /// The document as it is written, where references in it stand for values.
    written: Option<Arc<Document>>,
    filling: Filling,
}

/// The knowledge about the values that references of a document stand for.
#[derive(Debug, Default)]
pub(super) struct Filling {
    /// Their origins, by the paths of the references in lower case.
    pub(super) sources: HashMap<SettingsPath, Source>,
    /// The items that the environment does not have, as they are written. They are empty.
    pub(super) left_out: HashSet<SettingsPath>,
    /// The references that stand for nothing, in lower case, of which that is told already.
    pub(super) lacking: HashSet<SettingsPath>,
}

/// The label of one of several documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its absolute path, or its number where it was an object.
    pub id: String,
    /// The name in places and messages, which no other one has.
    pub name: String,
}

/// A value that a document has taken from a file of values.
pub(super) struct Sourced<'a> {
    pub(super) file: &'a Document,
    /// The place in the file.
    pub(super) path: SettingsPath,
    /// The place at which the document refers to it, or to what it is in.
    pub(super) taker: SettingsPath,
}

/// Why there is no document.
#[derive(Debug)]
pub enum LoadError {
    /// The file has no text.
    Read(ReadError),
    /// The text has no values.
    Findings(Vec<Finding>),
}

impl LoadError {
    /// As the one error the host shows.
    #[must_use]
    pub fn report(&self) -> ErrorReport {
        match self {
            LoadError::Read(error) => error.report(),
            LoadError::Findings(findings) => settings_invalid(findings),
        }
    }
}

impl Document {
    /// Reads a JSON or YAML file. `what` names its kind in messages.
    ///
    /// # Errors
    /// The file cannot be read, or its text cannot be parsed.
    pub fn load(path: &Path, what: &'static str) -> Result<Arc<Document>, LoadError> {
        let text = text::read(path, what).map_err(LoadError::Read)?;
        Document::parse(Some(path.to_owned()), text).map_err(LoadError::Findings)
    }

    /// Parses text that stands in `file`, or nowhere.
    ///
    /// # Errors
    /// What is wrong with a text that has no values; else that is in [`Document::problems`].
    pub fn parse(file: Option<PathBuf>, mut text: String) -> Result<Arc<Document>, Vec<Finding>> {
        let json = file
            .as_ref()
            .and_then(|path| path.extension())
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        match parse::parse(&mut text, json) {
            Ok(Parsed { value, problems, places }) => {
                if places.is_some() {
                    text.clear();
                    text.shrink_to_fit();
                }
                let places = places.map(OnceLock::from).unwrap_or_default();
                Ok(Arc::new(Document { text, value, problems, places, file, ..Document::of_nothing() }))
            }
            Err(problems) => Err(Arc::new(Document { file, problems, ..Document::of_nothing() }).problems()),
        }
    }

    /// A document that came as an object.
    ///
    /// # Errors
    /// It is nested too deeply.
    pub fn from_object(value: Value) -> Result<Arc<Document>, Vec<Finding>> {
        let deep = parse::deep_member(&value);
        let document = Arc::new(Document { value, ..Document::of_nothing() });
        match deep {
            Some(path) => {
                let ParseError { code, message, .. } = ParseError::too_deep();
                Err(vec![Finding { place: Place::value(&document, path), code, message }])
            }
            None => Ok(document),
        }
    }

    /// The document that stands where there is none.
    #[must_use]
    pub fn nothing() -> Arc<Document> {
        Arc::new(Document::of_nothing())
    }

    fn of_nothing() -> Document {
        Document {
            file: None,
            text: String::new(),
            value: Value::Null,
            problems: Vec::new(),
            places: OnceLock::new(),
            index: OnceLock::new(),
            label: OnceLock::new(),
            written: None,
            filling: Filling::default(),
        }
    }

    /// The same document with the values that its references stand for.
    pub(super) fn filled(self: &Arc<Self>, value: Value, filling: Filling) -> Arc<Document> {
        Arc::new(Document {
            file: self.file.clone(),
            value,
            problems: self.problems.clone(),
            label: self.label.clone(),
            written: Some(Arc::clone(self)),
            filling,
            ..Document::of_nothing()
        })
    }

    /// The origin of a value at a path as it is written, or of what it is in.
    pub(super) fn source(&self, path: &SettingsPath) -> Option<Sourced<'_>> {
        if self.filling.sources.is_empty() {
            return None;
        }
        let folded = path.folded();
        (0..=path.0.len()).rev().find_map(|length| {
            let source = self.filling.sources.get(&SettingsPath(folded.0[..length].to_vec()))?;
            let rest = source.path.0.iter().chain(&path.0[length..]);
            let taker = SettingsPath(path.0[..length].to_vec());
            Some(Sourced { file: &source.file, path: SettingsPath(rest.cloned().collect()), taker })
        })
    }

    /// Whether the environment does not have the item at a path as it is written.
    pub(super) fn leaves_out(&self, path: &SettingsPath) -> bool {
        self.filling.left_out.contains(path)
    }

    /// Whether a reference at a path stands for nothing.
    pub(super) fn lacks(&self, path: &SettingsPath) -> bool {
        !self.filling.lacking.is_empty() && self.filling.lacking.contains(&self.written(path).folded())
    }

    /// Says which document of several it is. What was said first stays.
    pub fn call(&self, label: Label) {
        let _ = self.label.set(label);
    }

    /// The label of one of several documents; none where it is the only one.
    #[must_use]
    pub fn label(&self) -> Option<&Label> {
        self.label.get()
    }

    /// The findings about a text that has values all the same: a key that is there twice, a tag that means nothing.
    #[must_use]
    pub fn problems(self: &Arc<Self>) -> Vec<Finding> {
        let finding = |problem: &ParseError| Finding {
            place: match problem.position {
                Some(position) => Place::exactly(self, position),
                None => Place::value(self, SettingsPath::root()),
            },
            code: problem.code,
            message: problem.message.clone(),
        };
        self.problems.iter().map(finding).collect()
    }

    /// The values as they are written.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The file, when there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The file as findings have it.
    #[must_use]
    pub(super) fn report_file(&self) -> Option<String> {
        self.file.as_ref().map(|path| path.display().to_string())
    }

    /// The last part of the file's path.
    #[must_use]
    pub fn file_name(&self) -> Option<String> {
        Some(self.file.as_ref()?.file_name()?.to_string_lossy().into_owned())
    }

    /// A path as it is shown: of several objects with the number, as if they were one list.
    #[must_use]
    pub(super) fn shown(&self, path: &SettingsPath) -> String {
        let path = path.to_string();
        match self.label().filter(|_| self.file.is_none()) {
            Some(label) if path.is_empty() => label.name.clone(),
            Some(label) => format!("{}.{path}", label.name),
            None => path,
        }
    }

    /// The name of the document in messages.
    #[must_use]
    pub fn display_name(&self) -> String {
        match (self.label(), self.file_name()) {
            (None, Some(_)) if self.is_values() => self.full_name(),
            (Some(label), Some(_)) => label.name.clone(),
            (Some(label), None) => format!("The settings object {}", label.name),
            (None, Some(name)) => name,
            (None, None) => "The settings object".to_owned(),
        }
    }

    /// Whether it is a file of values, of which there may be several with other names alike.
    pub(super) fn is_values(&self) -> bool {
        self.folder_name().as_deref() == Some(VALUES_FOLDER)
    }

    /// The last part of the path of the folder that the file is in.
    fn folder_name(&self) -> Option<String> {
        Some(self.file.as_ref()?.parent()?.file_name()?.to_string_lossy().into_owned())
    }

    /// The name of the document where another one may be meant: with the folder in which the files of a project are.
    #[must_use]
    pub(super) fn full_name(&self) -> String {
        let Some(name) = self.file_name() else {
            let label = self.label().map_or(String::new(), |label| format!(" {}", label.name));
            return format!("the settings object{label}");
        };
        if let Some(label) = self.label() {
            return label.name.clone();
        }
        match self.folder_name().filter(|folder| folder.starts_with('_')) {
            Some(folder) => format!("{folder}/{name}"),
            None => name,
        }
    }

    /// The place of a path in its own text, whatever stands there: `storage.yml:12:5`.
    pub(super) fn own_place(&self, path: &SettingsPath) -> String {
        let name = self.label().map(|label| label.name.clone()).or_else(|| self.file_name());
        match (self.locate(path, At::Value), name) {
            (Some(Position { line, column }), Some(name)) => format!("{name}:{line}:{column}"),
            _ => self.shown(path),
        }
    }

    /// A path as the document has it: where a list is written as its only item, there is no `[0]`, and empty items are counted,
    /// too.
    #[must_use]
    pub(super) fn written(&self, path: &SettingsPath) -> SettingsPath {
        let index = self.index.get_or_init(|| Index::new(&self.value));
        let mut value = Some(&self.value);
        let mut written = Vec::with_capacity(path.0.len());
        for segment in &path.0 {
            value = match segment {
                Segment::Index(0) if value.is_some_and(|value| !value.is_array()) => continue,
                // Items that are empty are left out.
                Segment::Index(item) => {
                    let items = value.and_then(Value::as_array);
                    let found = items.and_then(|items| index.item(items, *item));
                    written.push(Segment::Index(found.unwrap_or(*item)));
                    value = items.zip(found).and_then(|(items, found)| items.get(found));
                    continue;
                }
                Segment::Key(key) => value.and_then(Value::as_object).and_then(|members| index.member(members, key)),
            };
            written.push(segment.clone());
        }
        SettingsPath(written)
    }

    /// Whether the document says something at a path: a key with nothing after it counts as absent.
    pub(super) fn says(&self, path: &SettingsPath) -> bool {
        self.value_at(path).is_some_and(|value| !counts_as_absent(value))
    }

    /// Whether the document has a key and leaves it empty, in another way than by null or by empty items.
    pub(super) fn leaves_empty(&self, path: &SettingsPath) -> bool {
        self.value_at(path).is_some_and(|value| match value {
            Value::Array(items) => items.is_empty(),
            other => !other.is_null() && counts_as_absent(other),
        })
    }

    /// The value that is written at a path; none where there is nothing.
    pub(super) fn value_at(&self, path: &SettingsPath) -> Option<&Value> {
        let index = self.index.get_or_init(|| Index::new(&self.value));
        path.0.iter().try_fold(&self.value, |value, segment| match segment {
            Segment::Index(0) if !value.is_array() => Some(value),
            Segment::Index(item) => {
                let items = value.as_array()?;
                items.get(index.item(items, *item)?)
            }
            Segment::Key(key) => index.member(value.as_object()?, key),
        })
    }

    /// The position of a path, as it is written, in the text; none for an object.
    #[must_use]
    pub(super) fn locate(&self, path: &SettingsPath, at: At) -> Option<Position> {
        self.file.as_ref()?;
        if let At::Exactly(position) = at {
            return Some(position);
        }
        self.places().locate(path, at)
    }

    /// The spelling of the number at a path, where its value would be spelled otherwise; none for an object, which has no text.
    #[must_use]
    pub fn spelling(&self, path: &SettingsPath) -> Option<&str> {
        let path = self.written(path);
        match self.source(&path) {
            Some(source) => source.file.places().spelling(&source.path),
            None => self.places().spelling(&path),
        }
    }

    fn places(&self) -> &Places {
        if let Some(written) = &self.written {
            return written.places();
        }
        self.places.get_or_init(|| yaml::look_over(&self.text).places)
    }
}

/// The finding of a settings object that is too deep to be read at all.
#[must_use]
pub fn too_deep() -> Finding {
    let document = Document::of_nothing();
    let ParseError { code, message, .. } = ParseError::too_deep();
    Finding { place: Place::value(&Arc::new(document), SettingsPath::root()), code, message }
}

/// Whether a value is as good as none.
#[must_use]
pub(super) fn counts_as_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(counts_as_absent),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FindingCode;

    #[test]
    fn paths_are_told_as_the_document_has_them() {
        let text = "Plans:\n  apps:\n    - slots: blue\n    - slots: [green]\n";
        let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
        let apps = SettingsPath::root().key("plans").index(0).key("apps");
        let written = |path: SettingsPath| document.written(&path).to_string();
        assert_eq!(written(apps.index(0).key("slots").index(0)), "plans.apps[0].slots");
        assert_eq!(written(apps.index(1).key("slots").index(0)), "plans.apps[1].slots[0]");
        // What is not there keeps its items.
        assert_eq!(written(apps.index(0).key("endpoints").index(0).key("name")), "plans.apps[0].endpoints[0].name");
        let place = Place::value(&document, apps.index(0).key("slots").index(0));
        assert_eq!(place.show(), "s.yml:3:14");
    }

    #[test]
    fn an_object_that_is_too_deep_says_in_which_member() {
        let nested =
            |depth: usize| (1..depth).fold(serde_json::json!(1), |value, _| serde_json::json!({"inner": value}));
        assert!(Document::from_object(nested(64)).is_ok());
        let value = serde_json::json!({"location": "uksouth", "accounts": [nested(64)]});
        let findings = Document::from_object(value).unwrap_err();
        assert_eq!(
            (findings[0].code, findings[0].place.path().to_string().as_str()),
            (FindingCode::TooDeep, "accounts")
        );
        assert_eq!(findings[0].message, "nested more than 64 levels deep");
    }
}
