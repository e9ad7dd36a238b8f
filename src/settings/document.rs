//! A settings document: its text, its values and where they stand.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::finding::{Finding, Place, settings_invalid};
use super::locate::{At, Locator, Position};
use super::parse::{self, ParseError};
use super::path::SettingsPath;
use super::text::{self, ReadError};
use crate::protocol::ErrorReport;

/// A document that was read. Its place index is made when a place is first shown.
#[derive(Debug)]
pub struct Document {
    file: Option<PathBuf>,
    text: String,
    value: Value,
    locator: OnceLock<Locator>,
    /// Positions found by the parser, for problems that have no path.
    syntax_position: Option<Position>,
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
    /// Findings with positions in the text.
    pub fn parse(file: Option<PathBuf>, mut text: String) -> Result<Arc<Document>, Vec<Finding>> {
        let json = file
            .as_ref()
            .and_then(|path| path.extension())
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        match parse::parse(&mut text, json) {
            Ok(value) => Ok(Arc::new(Document { file, text, value, locator: OnceLock::new(), syntax_position: None })),
            Err(errors) => Err(errors
                .into_iter()
                .map(|ParseError { code, message, position }| {
                    let document = Document {
                        file: file.clone(),
                        text: String::new(),
                        value: Value::Null,
                        locator: OnceLock::new(),
                        syntax_position: position,
                    };
                    Finding { place: Place::value(&Arc::new(document), SettingsPath::root()), code, message }
                })
                .collect()),
        }
    }

    /// A document that came as an object.
    ///
    /// # Errors
    /// It is nested too deeply.
    pub fn from_object(value: Value) -> Result<Arc<Document>, Vec<Finding>> {
        let deep = parse::too_deep(&value);
        let document = Arc::new(Document {
            file: None,
            text: String::new(),
            value,
            locator: OnceLock::new(),
            syntax_position: None,
        });
        match deep {
            Some(ParseError { code, message, .. }) => {
                Err(vec![Finding { place: Place::value(&document, SettingsPath::root()), code, message }])
            }
            None => Ok(document),
        }
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

    /// The last part of the file's path.
    #[must_use]
    pub fn file_name(&self) -> Option<String> {
        Some(self.file.as_ref()?.file_name()?.to_string_lossy().into_owned())
    }

    /// How the document is called in messages.
    #[must_use]
    pub fn display_name(&self) -> String {
        self.file_name().unwrap_or_else(|| "The settings object".to_owned())
    }

    /// Where a path stands in the text; none for an object.
    #[must_use]
    pub(super) fn locate(&self, path: &SettingsPath, at: At) -> Option<Position> {
        self.file.as_ref()?;
        if self.syntax_position.is_some() {
            return self.syntax_position;
        }
        self.locator.get_or_init(|| Locator::new(&self.text)).locate(path, at)
    }
}
