//! The expressions of templates, and their values.

mod effort;
mod evaluate;
mod functions;

pub(super) use self::effort::{LARGEST, LARGEST_RESOURCE, size, smaller};
pub(super) use self::evaluate::{Evaluator, Facts, Reads, kind};

use crate::expression;
use crate::reply::Refusal;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Halt {
    /// It is wrong, for this reason.
    Wrong(String),
    /// It needs what is known only when the resource is deployed.
    Unknown,
    /// Reading something was refused.
    Refused(Refusal),
}

impl Halt {
    /// The same reason and where in the template it was found.
    pub(super) fn at(self, place: &str) -> Halt {
        match self {
            Halt::Wrong(reason) if !reason.contains(" The place is '") => {
                Halt::Wrong(format!("{reason} The place is '{place}'."))
            }
            other => other,
        }
    }
}

impl From<String> for Halt {
    fn from(reason: String) -> Halt {
        Halt::Wrong(reason)
    }
}

/// Reads a text of a template.
pub(super) fn read(text: &str) -> Result<expression::Text, Halt> {
    Ok(expression::read(text)?)
}
