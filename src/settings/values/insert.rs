//! Puts values into a document, and leaves out what its environment does not have.

use std::mem::take;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::environments::{Presence, is_presence};
use super::pieces::{Piece, pieces};
use super::{NAMES, VALUES_FOLDER, Values, Variables, is_absent};
use crate::protocol::{FindingCode, LENGTH_OF_SECRETS, Warning};
use crate::settings::document::{Document, Filling};
use crate::settings::finding::{Finding, Place};
use crate::settings::parse::{DEEPEST, ParseError, is_deeper};
use crate::settings::path::SettingsPath;

/// The most that values may add to a document: a value each, and one more for each so many bytes of text.
const MOST: usize = 1_000_000;
const BYTES_OF_A_VALUE: usize = 64;

/// The origin of a value that a document has taken.
#[derive(Debug, Clone)]
pub(in crate::settings) struct Source {
    /// The file that has it.
    pub(in crate::settings) file: Arc<Document>,
    /// The place at which it is there.
    pub(in crate::settings) path: SettingsPath,
}

/// A document whose references stand for their values.
#[derive(Debug)]
pub struct Filled {
    /// None where the environment does not have the whole document.
    pub document: Option<Arc<Document>>,
    /// The findings about its references.
    pub findings: Vec<Finding>,
    /// References of a project that has no values: they are plain text.
    pub warnings: Vec<Warning>,
    /// The items that the environment does not have.
    pub left_out: Vec<LeftOut>,
}

/// Something that the environment of a run does not have.
#[derive(Debug, Clone)]
pub struct LeftOut {
    place: Place,
    why: String,
}

impl LeftOut {
    /// A sentence that begins with the place.
    #[must_use]
    pub fn sentence(&self) -> String {
        let path = self.place.path().to_string();
        let what = if path.is_empty() { "the document".to_owned() } else { path };
        format!("{}: {what} is left out: it is {}.", self.place.show(), self.why)
    }
}

impl Values {
    /// Puts the values into a document.
    pub fn fill(&mut self, document: &Arc<Document>, variables: &Variables) -> Filled {
        let mut inserter = Inserter {
            values: self,
            variables,
            document,
            added: 0,
            filling: Filling::default(),
            findings: Vec::new(),
            warnings: Vec::new(),
            left_out: Vec::new(),
        };
        let root = SettingsPath::root();
        let value = match document.value() {
            Value::Object(members) => inserter.item(members, &root),
            other => inserter.value(other, &root),
        };
        let Inserter { mut filling, mut findings, warnings, left_out, .. } = inserter;
        if is_deeper(&value, DEEPEST) {
            let ParseError { code, message, .. } = ParseError::too_deep();
            findings.push(Finding { place: Place::value(document, root), code, message });
            return Filled { document: Some(Arc::clone(document)), findings, warnings, left_out };
        }
        filling.left_out = left_out.iter().map(|left| left.place.path()).collect();
        let is_left_out = left_out.iter().any(|left| left.place.path().0.is_empty());
        let is_same = value == *document.value() && filling.lacking.is_empty();
        let filled = if is_same { Arc::clone(document) } else { document.filled(value, filling) };
        Filled { document: (!is_left_out).then_some(filled), findings, warnings, left_out }
    }
}

/// Makes the values of a document.
struct Inserter<'a> {
    values: &'a mut Values,
    variables: &'a Variables,
    document: &'a Arc<Document>,
    added: usize,
    filling: Filling,
    findings: Vec<Finding>,
    warnings: Vec<Warning>,
    left_out: Vec<LeftOut>,
}

impl Inserter<'_> {
    fn value(&mut self, value: &Value, path: &SettingsPath) -> Value {
        match value {
            Value::String(text) if text.contains("$(") => self.text(text, path),
            Value::Array(items) => {
                let item = |(index, item): (usize, &Value)| match item {
                    Value::Object(members) => self.item(members, &path.index(index)),
                    other => self.value(other, &path.index(index)),
                };
                items.iter().enumerate().map(item).collect()
            }
            Value::Object(members) => self.object(members, path),
            other => other.clone(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>, path: &SettingsPath) -> Value {
        let member = |(key, value): (&String, &Value)| (key.clone(), self.value(value, &path.key(key)));
        Value::Object(members.iter().map(member).collect())
    }

    /// An item of a list, or the document: nothing where the environment does not have it.
    fn item(&mut self, members: &Map<String, Value>, path: &SettingsPath) -> Value {
        let is_said = match self.values.environments.presence(members) {
            Presence::Here(is_said) => is_said,
            Presence::Elsewhere(why) => {
                self.left_out.push(LeftOut { place: Place::as_written(self.document, path.clone()), why });
                return Value::Null;
            }
            Presence::Wrong(key, code, message) => {
                self.refuse(&path.key(&key), code, message);
                true
            }
        };
        if !is_said {
            return self.object(members, path);
        }
        let mut members = members.clone();
        members.retain(|key, _| !is_presence(key));
        self.object(&members, path)
    }

    fn text(&mut self, text: &str, path: &SettingsPath) -> Value {
        let pieces = pieces(text);
        if !self.values.has_folder {
            if let [Piece::Value(_) | Piece::Variable(_)] = pieces.as_slice() {
                let message = format!("'{text}' is plain text, because there is no folder '{VALUES_FOLDER}'");
                self.warnings.push(Place::as_written(self.document, path.clone()).warning(message));
            }
            return text.into();
        }
        if let [Piece::Value(name)] = pieces.as_slice() {
            return self.whole(name, path).unwrap_or_else(|| text.into());
        }
        let parts: Vec<Option<String>> = pieces.into_iter().map(|piece| self.piece(piece, path)).collect();
        // What refers to nothing stays as it is, and is looked at no further.
        parts.into_iter().collect::<Option<String>>().map_or_else(|| text.into(), Value::String)
    }

    /// A part of a text.
    fn piece(&mut self, piece: Piece<'_>, path: &SettingsPath) -> Option<String> {
        match piece {
            Piece::Plain(plain) => Some(plain.to_owned()),
            Piece::Value(name) => self.part(name, path),
            Piece::Variable(name) => self.variable(name, path),
            Piece::Wrong(wrong) => {
                let message = format!("'{wrong}' is no reference to a value: {NAMES}; write '$$(' for a plain '$('");
                self.refuse(path, FindingCode::ReferenceInvalid, message);
                None
            }
        }
    }

    /// A value with its type.
    fn whole(&mut self, name: &str, path: &SettingsPath) -> Option<Value> {
        let source = self.find(name, path)?;
        let value = source.file.value_at(&source.path).cloned().unwrap_or_default();
        self.add(size(&value), path)?;
        self.filling.sources.insert(path.folded(), source);
        Some(unescaped(value))
    }

    /// A value in the middle of a text.
    fn part(&mut self, name: &str, path: &SettingsPath) -> Option<String> {
        let source = self.find(name, path)?;
        let text = match source.file.value_at(&source.path) {
            Some(Value::String(text)) if !text.trim().is_empty() => unescaped_text(text),
            Some(Value::Number(number)) => {
                source.file.spelling(&source.path).map_or_else(|| number.to_string(), str::to_owned)
            }
            Some(Value::Bool(flag)) => flag.to_string(),
            other => {
                let what = match other {
                    Some(value) if is_absent(value) => "nothing",
                    Some(Value::Array(_)) => "a list",
                    _ => "an object",
                };
                let place = Place::value(&source.file, source.path).show();
                let message = format!("'$({name})' stands for {what} ({place}), which cannot be a part of a text");
                self.refuse(path, FindingCode::ReferenceInvalid, message);
                return None;
            }
        };
        self.add(text.len() / BYTES_OF_A_VALUE, path)?;
        Some(text)
    }

    fn find(&mut self, name: &str, path: &SettingsPath) -> Option<Source> {
        let Some((file, at)) = self.values.find(name) else {
            let environment = self.values.environments.current();
            let message = format!("'{name}' has no value in the environment {environment}{}", self.values.hint(name));
            self.refuse(path, FindingCode::ValueNotFound, message);
            return None;
        };
        let source = Source { file: Arc::clone(file), path: at };
        self.values.used.insert(name.to_ascii_lowercase());
        Some(source)
    }

    /// A variable of the caller. It is a secret, so it must be one that can be hidden.
    fn variable(&mut self, name: &str, path: &SettingsPath) -> Option<String> {
        let exact = self.variables.get(name);
        // Where letter case means nothing, as on Windows, hosts spell variables in one way.
        let alike =
            || self.variables.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        let problem = match exact.or_else(alike) {
            Some(value) if value.len() >= LENGTH_OF_SECRETS => {
                self.values.secrets.insert(value.clone());
                self.add(value.len() / BYTES_OF_A_VALUE, path)?;
                return Some(value.clone());
            }
            Some(value) if !value.is_empty() => format!(
                "the variable {name} has fewer than {LENGTH_OF_SECRETS} characters, too few to be hidden as a secret; what is none belongs into {VALUES_FOLDER}"
            ),
            _ => format!("the variable {name} is not set"),
        };
        self.refuse(path, FindingCode::ValueNotFound, problem);
        None
    }

    /// Counts what is added. None from where on it is too much, which is told once.
    fn add(&mut self, size: usize, path: &SettingsPath) -> Option<()> {
        let was_enough = self.added > MOST;
        self.added = self.added.saturating_add(size);
        if self.added <= MOST {
            return Some(());
        }
        if !was_enough {
            self.refuse(path, FindingCode::OutOfRange, "the values add too much to the document".to_owned());
        }
        None
    }

    fn refuse(&mut self, path: &SettingsPath, code: FindingCode, message: String) {
        self.filling.lacking.insert(path.folded());
        self.findings.push(Finding { place: Place::as_written(self.document, path.clone()), code, message });
    }
}

/// The amount that a value adds to a document.
fn size(value: &Value) -> usize {
    let of_text = |text: &str| text.len() / BYTES_OF_A_VALUE;
    1 + match value {
        Value::String(text) => of_text(text),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(key, member)| of_text(key) + size(member)).sum(),
        _ => 0,
    }
}

/// A value of a file, in which `$$(` is written for `$(`.
fn unescaped(mut value: Value) -> Value {
    match &mut value {
        Value::String(text) => *text = unescaped_text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| *item = unescaped(take(item))),
        Value::Object(members) => members.values_mut().for_each(|member| *member = unescaped(take(member))),
        _ => {}
    }
    value
}

fn unescaped_text(text: &str) -> String {
    text.replace("$$(", "$(")
}
