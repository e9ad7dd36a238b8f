//! The effort that the evaluation of a template may take: a few lines of it can name more than any machine holds. How deep it goes is bounded by what
//! is read: JSON has 128 levels, and an expression few parts.

use super::Halt;
use serde_json::Value;
use std::cell::Cell;

/// The largest value, and the most that all parameters are together, in bytes. Source: learn.microsoft.com, "Template limits": 4 MB in the final
/// state, with the values of parameters.
pub(in crate::deployments) const LARGEST: usize = 4 << 20;
/// The largest resource, from the same source.
pub(in crate::deployments) const LARGEST_RESOURCE: usize = 1 << 20;
/// The most that is made for one step or one look at a template, in bytes, however little of it is left in the end.
const MOST_MADE: usize = 64 << 20;
/// The effort of one step of the evaluation, whatever it makes.
const STEP: usize = 1 << 10;

/// The effort of a value beside its text.
const EACH: usize = 4;

/// The effort so far.
#[derive(Debug, Default)]
pub(in crate::deployments) struct Effort(Cell<usize>);

impl Effort {
    /// Counts a value that was made.
    pub(super) fn made(&self, value: &Value) -> Result<(), Halt> {
        let size = size(value);
        smaller("A value of the template", size, LARGEST)?;
        self.0.set(self.0.get() + STEP + size);
        smaller("What the template language expressions make", self.0.get(), MOST_MADE)
    }
}

/// Refuses what is too large.
pub(in crate::deployments) fn smaller(what: &str, size: usize, most: usize) -> Result<(), Halt> {
    let is_fine = size <= most;
    is_fine.then_some(()).ok_or_else(|| Halt::Wrong(format!("{what} is larger than {} MB.", most >> 20)))
}

/// The size of a value, nearly that of its JSON.
pub(in crate::deployments) fn size(value: &Value) -> usize {
    EACH + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + size(member)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
