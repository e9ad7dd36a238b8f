//! Findings: what is wrong with a settings document, and where.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::sync::Arc;

use serde_json::Value;

use super::document::{Document, Label, Sourced};
use super::locate::{At, Position};
use super::path::SettingsPath;
use crate::protocol::{
    Code, ErrorReport, FilePlace, FindingCode, FindingReport, MOST_SHOWN, Warning, cut, grouped, listed, plural,
    secret_kind,
};

/// The most of a value that a finding repeats, in characters: it may be anything, and of any length.
const LONGEST_VALUE: usize = 40;
/// The longest path of a finding: keys may be anything as well.
const LONGEST_PATH: usize = 1000;
/// The longest sentence of a finding.
const LONGEST_MESSAGE: usize = 4000;

/// A place in a settings document.
#[derive(Debug, Clone)]
pub struct Place {
    document: Arc<Document>,
    path: Arc<SettingsPath>,
    at: At,
    /// The path counts the empty items of lists, which are otherwise left out.
    as_written: bool,
}

impl Place {
    /// The place of a finding about a value, which need not be there: the nearest parent is shown then.
    #[must_use]
    pub fn value(document: &Arc<Document>, path: SettingsPath) -> Place {
        Place { document: Arc::clone(document), path: Arc::new(path), at: At::Value, as_written: false }
    }

    /// The value at a path that counts the empty items of lists.
    pub(super) fn as_written(document: &Arc<Document>, path: SettingsPath) -> Place {
        Place { as_written: true, ..Place::value(document, path) }
    }

    /// The place at which the parser has found something.
    pub(super) fn exactly(document: &Arc<Document>, position: Position) -> Place {
        Place { at: At::Exactly(position), ..Place::value(document, SettingsPath::root()) }
    }

    /// The place of a finding about a key, such as an unknown one.
    #[must_use]
    pub fn key(document: &Arc<Document>, path: SettingsPath) -> Place {
        Place { document: Arc::clone(document), path: Arc::new(path), at: At::Key, as_written: false }
    }

    /// A place below this one, written with dots: `service.publish.storage`. The nearest thing above it that is there
    /// is shown when it is not in the document.
    #[must_use]
    pub fn dotted(&self, relative: &str) -> Place {
        Place::value(&self.document, self.path.dotted(relative))
    }

    /// A place in the same document, from its root.
    #[must_use]
    pub fn in_same_document(&self, path: &str) -> Place {
        Place::value(&self.document, SettingsPath::root().dotted(path))
    }

    /// The value of a key that is the user's own, as of a map of parameters: whatever it holds, it is one key.
    #[must_use]
    pub fn member(&self, key: &str) -> Place {
        Place::value(&self.document, self.path.key(key))
    }

    /// An item of the list at this place.
    #[must_use]
    pub fn index(&self, index: usize) -> Place {
        Place::value(&self.document, self.path.index(index))
    }

    /// The path as it is written, as in `storageAccounts[2].accountType`; an item that stands for its list has no number.
    #[must_use]
    pub fn path(&self) -> SettingsPath {
        if self.as_written { self.path.as_ref().clone() } else { self.document.written(&self.path) }
    }

    /// The name that the document has for the item here: its `name`, or what ends so, such as `storageAccountName`; a text is its own name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let members = match self.document.value_at(&self.path)? {
            Value::String(text) => return Some(text),
            other => other.as_object()?,
        };
        let other = || members.iter().find(|(key, _)| key.ends_with("Name")).map(|(_, name)| name);
        members.get("name").or_else(other)?.as_str()
    }

    /// Whether the document says something here. What it leaves out, or leaves empty, is a default.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.document.says(&self.path)
    }

    /// Whether the document has the key here and leaves it empty: `[]`, or a text without characters. Null says that it is absent, and empty
    /// items are told by themselves.
    #[must_use]
    pub fn is_left_empty(&self) -> bool {
        self.document.leaves_empty(&self.path)
    }

    /// `storage.yml:12:5`, or the path where there is no file. A value of the project is shown where that is: `_values/test.yml:2:9`.
    #[must_use]
    pub fn show(&self) -> String {
        let path = self.path();
        self.shown(&path, &self.standing(&path))
    }

    fn shown(&self, path: &SettingsPath, standing: &Standing<'_>) -> String {
        let Some(name) = standing.name() else { return self.document.shown(path) };
        match standing.position {
            Some(position) => format!("{name}:{}:{}", position.line, position.column),
            None => path.to_string(),
        }
    }

    /// The standing of a path: in the document, or in the file of the value that is there.
    fn standing(&self, path: &SettingsPath) -> Standing<'_> {
        let source = self.document.source(path).filter(|source| match self.at {
            At::Value => true,
            // The key of a value is in the document, those in it are not.
            At::Key => source.taker != *path,
            At::Exactly(_) => false,
        });
        match source {
            Some(Sourced { file, path, taker }) => {
                Standing { document: file, position: file.locate(&path, self.at), value: Some((path, taker)) }
            }
            None => Standing { document: &self.document, position: self.document.locate(path, self.at), value: None },
        }
    }

    /// A warning about the setting here, as the end of a sentence that begins with the place and the setting.
    #[must_use]
    pub fn warning(&self, message: impl Display) -> Warning {
        self.told(|path, is_in_file| {
            // Without a file the place is the setting.
            if is_in_file {
                format!("{}: {message}", cut(&path.to_string(), LONGEST_PATH))
            } else {
                message.to_string()
            }
        })
    }

    /// A warning about what this place asks for, as the end of a sentence that begins with the place alone.
    #[must_use]
    pub fn remark(&self, message: impl Display) -> Warning {
        self.told(|_, _| message.to_string())
    }

    fn told(&self, sentence: impl FnOnce(&SettingsPath, bool) -> String) -> Warning {
        let path = self.path();
        let standing = self.standing(&path);
        let (position, file) = (standing.position, standing.document.report_file());
        Warning {
            message: format!("{}: {}", self.shown(&path, &standing), sentence(&path, standing.name().is_some())),
            place: position.zip(file).map(|(Position { line, column }, file)| FilePlace { file, line, column }),
            path: Some(cut(&self.document.shown(&path), LONGEST_PATH).into_owned()).filter(|path| !path.is_empty()),
            code: None,
        }
    }

    /// The document of a deployment that it is in; none where there is only one.
    #[must_use]
    pub fn document(&self) -> Option<String> {
        self.document.label().map(|label| label.id.clone())
    }

    /// The name of its document in sentences.
    #[must_use]
    pub fn document_name(&self) -> String {
        self.document.full_name()
    }

    /// Says which document of several it is in.
    pub fn call(&self, label: Label) {
        self.document.call(label);
    }

    /// Whether another place is in the same document.
    #[must_use]
    pub fn is_beside(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.document, &other.document)
    }
}

/// The place at which a setting stands in a text.
struct Standing<'a> {
    document: &'a Document,
    position: Option<Position>,
    /// The path in a file of values, and that of the reference to it; none where the document itself says it.
    value: Option<(SettingsPath, SettingsPath)>,
}

impl Standing<'_> {
    /// The name of its file; none of an object.
    fn name(&self) -> Option<String> {
        let file = self.document.file_name()?;
        Some(match self.document.label() {
            _ if self.document.is_values() => self.document.full_name(),
            Some(label) => label.name.clone(),
            None => file,
        })
    }
}

/// Something wrong in a settings document.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The place.
    pub place: Place,
    /// PascalCase and stable.
    pub code: FindingCode,
    /// A sentence without the place: `'Standrd' is not valid; use Standard or Premium`.
    pub message: String,
}

impl Finding {
    /// As a warning, with its place.
    #[must_use]
    pub fn warning(&self) -> Warning {
        Warning { code: Some(self.code), ..self.place.warning(self.told()) }
    }

    /// The parts that make it another one than others.
    #[must_use]
    pub(crate) fn identity(&self) -> (String, FindingCode, String) {
        (self.place.path().to_string(), self.code, self.message.clone())
    }

    fn report(&self) -> FindingReport {
        let path = self.place.path();
        let Standing { document, position, value } = self.place.standing(&path);
        let mut message = self.told();
        if let Some((value, taker)) = value {
            // The setting is named by its path, which may be in any of several documents.
            let value = SettingsPath(value.0[..1].to_vec());
            message.push_str(&format!(" (for '$({value})' in {})", self.place.document.own_place(&taker)));
        }
        FindingReport {
            file: document.report_file(),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            path: cut(&self.place.document.shown(&path), LONGEST_PATH).into_owned(),
            code: self.code,
            message,
        }
    }

    /// The document whose text is wrong.
    fn document(&self) -> &Document {
        self.place.standing(&self.place.path()).document
    }

    /// The sentence as people read it: a value of the document is told by its beginning, and one that looks like a secret by its kind.
    fn told(&self) -> String {
        let value = self.place.document.value_at(&self.place.path);
        let Some(text) = value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()) else {
            return cut(&self.message, LONGEST_MESSAGE).into_owned();
        };
        let quoted = format!("'{text}'");
        let message = match secret_kind(text) {
            Some(kind) => self.message.replace(&quoted, kind).replace(text, kind),
            None => match cut(text, LONGEST_VALUE) {
                Cow::Owned(beginning) => self.message.replace(text, &beginning),
                Cow::Borrowed(_) => self.message.clone(),
            },
        };
        cut(&message, LONGEST_MESSAGE).into_owned()
    }
}

/// All findings as the one error the host shows: file after file, in the order of their places, and the first hundred of very
/// many.
#[must_use]
pub fn settings_invalid(findings: &[Finding]) -> ErrorReport {
    let documents = documents(findings);
    let position = |finding: &Finding| documents.iter().position(|document| is_same(document, finding.document()));
    let mut reports: Vec<(Option<usize>, FindingReport)> =
        findings.iter().map(|finding| (position(finding), finding.report())).collect();
    reports.sort_by_cached_key(|(file, report)| (*file, report.line, report.column));
    let mut known = HashSet::new();
    reports.retain(|(_, report)| {
        let FindingReport { file, line, column, path, message, code: _ } = report;
        known.insert(format!("{file:?}:{line:?}:{column:?}:{path}: {message}"))
    });
    let count = reports.len();
    reports.truncate(MOST_SHOWN);
    let is_one = documents.len() < 2;
    let name = |document: &&Document| if is_one { document.display_name() } else { document.full_name() };
    let names: Vec<String> = documents.iter().map(name).collect();
    let problems = format!("{} problem{}", grouped(count), plural(count));
    let mut message = if is_one {
        format!("{} has {problems}:", names.concat())
    } else {
        format!("{problems} in {}:", listed(&names))
    };
    for (number, (file, report)) in reports.iter().enumerate() {
        message.push_str(&format!("\n[{}] ", number + 1));
        // Of several objects the path has the number.
        let is_said = |file: &usize| is_one || documents[*file].label().is_some() && report.file.is_none();
        if let Some(name) = file.filter(|file| !is_said(file)).and_then(|file| names.get(file)) {
            message.push_str(&format!("{name} "));
        }
        if let (Some(line), Some(column)) = (report.line, report.column) {
            message.push_str(&format!("{line}:{column} "));
        }
        if !report.path.is_empty() {
            message.push_str(&format!("{}: ", report.path));
        }
        message.push_str(&report.message);
    }
    if count > reports.len() {
        message.push_str(&format!("\nand {} more", grouped(count - reports.len())));
    }
    let document = documents.first().filter(|_| is_one).and_then(|document| Some(document.label()?.id.clone()));
    ErrorReport {
        findings: reports.into_iter().map(|(_, report)| report).collect(),
        ..ErrorReport::terminating(Code::SettingsInvalid, message)
            .about(names.join(", "))
            .of_document(document)
            .recommending("Correct the settings and run the command again. Nothing was contacted or changed.")
    }
}

/// The documents of findings, in the order of their first ones.
fn documents(findings: &[Finding]) -> Vec<&Document> {
    let mut documents: Vec<&Document> = Vec::new();
    for finding in findings {
        let document = finding.document();
        if !documents.iter().any(|known| is_same(known, document)) {
            documents.push(document);
        }
    }
    documents
}

fn is_same(one: &Document, other: &Document) -> bool {
    one.path() == other.path() && one.label() == other.label()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report_of(count: usize) -> ErrorReport {
        let text: String = (0..count).map(|number| format!("key{number}: x\n")).collect();
        let document = Document::parse(Some("s.yml".into()), text).unwrap();
        let finding = |number: usize| Finding {
            place: Place::key(&document, SettingsPath::root().key(&format!("key{number}"))),
            code: FindingCode::UnknownKey,
            message: "unknown key".to_owned(),
        };
        settings_invalid(&(0..count).rev().map(finding).collect::<Vec<_>>())
    }

    #[test]
    fn of_very_many_findings_the_first_are_shown() {
        let report = report_of(100);
        assert_eq!(report.findings.len(), 100);
        assert!(report.failure.message.ends_with("\n[100] 100:1 key99: unknown key"), "{}", report.failure.message);
        let report = report_of(20_000);
        assert_eq!(report.findings.len(), 100);
        assert!(report.failure.message.starts_with("s.yml has 20,000 problems:\n[1] 1:1 key0: unknown key\n"));
        assert!(
            report.failure.message.ends_with("\n[100] 100:1 key99: unknown key\nand 19,900 more"),
            "{}",
            report.failure.message
        );
    }
}
