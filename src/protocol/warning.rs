//! Warnings, with where they come from.

use serde::{Deserialize, Serialize};

use super::code::FindingCode;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilePlace {
    /// The absolute path of the file: a settings document, or a file of its project.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl FilePlace {
    /// The rest of a sentence that begins with this place: what is said of it.
    #[must_use]
    pub fn rest_of<'a>(&self, sentence: &'a str) -> &'a str {
        let mark = format!(":{}:{}: ", self.line, self.column);
        sentence.split_once(&mark).map_or(sentence, |(_, rest)| rest)
    }
}

/// Something the user should know although the command goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// Complete sentences, after the place where there is one: all that a host has to show.
    pub message: String,
    /// The place that it comes from; none for what comes from no file.
    #[serde(flatten)]
    pub place: Option<FilePlace>,
    /// The setting that it is about, as in `storageAccounts[0].kind`; none where it is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The code of the finding, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<FindingCode>,
}

impl From<String> for Warning {
    /// A warning that belongs to no place.
    fn from(message: String) -> Warning {
        Warning { message, place: None, path: None, code: None }
    }
}

impl From<&str> for Warning {
    fn from(message: &str) -> Warning {
        Warning::from(message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_place_comes_after_it() {
        let place = FilePlace { file: "/w/uk/storage.yml".to_owned(), line: 12, column: 5 };
        assert_eq!(place.rest_of("uk/storage.yml:12:5: a: x: y"), "a: x: y");
        for other in ["storage.yml:12:50: x", "storage.yml has 12:5", ""] {
            assert_eq!(place.rest_of(other), other);
        }
    }
}
