//! The environments of a project, and which of its resources each of them has.

use serde_json::{Map, Value};

use crate::protocol::{FindingCode, not_valid};

/// The key of an item, or of a document, that only these environments have.
const ONLY_IN: &str = "onlyIn";
/// The key of one that all environments but these have.
const NOT_IN: &str = "notIn";

/// The environments of a project.
#[derive(Debug, Clone, Default)]
pub struct Environments {
    current: String,
    /// Nothing where the naming files are wrong, so that nobody knows.
    known: Vec<String>,
}

/// The statements of an object about the environments that have it.
pub(super) enum Presence {
    /// It is here. Whether it has said so.
    Here(bool),
    /// Others have it: why, as the end of a sentence.
    Elsewhere(String),
    /// A statement that means nothing: the key, and why.
    Wrong(String, FindingCode, String),
}

impl Environments {
    /// The environment of a run, and all that the project knows.
    #[must_use]
    pub fn new(current: impl Into<String>, known: Vec<String>) -> Environments {
        Environments { current: current.into(), known }
    }

    /// The environment of the run.
    #[must_use]
    pub fn current(&self) -> &str {
        &self.current
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(String::as_str)
    }

    /// Whether the environment of the run has an object.
    pub(super) fn presence(&self, members: &Map<String, Value>) -> Presence {
        let mut said = members.iter().filter(|(key, _)| is_presence(key));
        let Some((key, value)) = said.next() else { return Presence::Here(false) };
        let wrong = |code, message: String| Presence::Wrong(key.clone(), code, message);
        if said.next().is_some() {
            return wrong(FindingCode::DuplicateKey, format!("use {ONLY_IN} or {NOT_IN}, not both"));
        }
        let named = match value {
            Value::Null => return Presence::Here(true),
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let names: Option<Vec<&str>> = named.iter().map(|name| name.as_str().map(str::trim)).collect();
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            return wrong(FindingCode::WrongType, "expected the names of environments, as in [production]".to_owned());
        };
        for name in &names {
            if !self.known.is_empty() && !self.keys().any(|known| known.eq_ignore_ascii_case(name)) {
                return wrong(FindingCode::UnknownValue, format!("{} as an environment", not_valid(name, &self.known)));
            }
        }
        let is_named = names.iter().any(|name| name.eq_ignore_ascii_case(&self.current));
        let is_only = key.eq_ignore_ascii_case(ONLY_IN);
        if is_named == is_only {
            return Presence::Here(true);
        }
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let what = if is_only { "only" } else { "not" };
        Presence::Elsewhere(format!("{what} in {}", crate::protocol::listed(&names)))
    }
}

/// Whether a key says which environments have something.
pub(super) fn is_presence(key: &str) -> bool {
    [ONLY_IN, NOT_IN].iter().any(|known| key.eq_ignore_ascii_case(known))
}
