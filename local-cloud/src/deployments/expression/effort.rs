//! How much the evaluation of a template may take: a few lines of it can name more than any machine holds.

use super::Halt;
use serde_json::Value;
use std::cell::Cell;

/// The largest value, and the most that all parameters or all variables are together, in bytes. Source: learn.microsoft.com, "Template limits":
/// 4 MB in the final state, with the values of variables and parameters.
pub(super) const LARGEST: usize = 4 << 20;
/// The most that is made of one place of a template, in bytes, however little of it is left in the end.
const MOST_MADE: usize = 256 << 20;
/// What one step of the evaluation counts for, whatever it makes.
const STEP: usize = 1 << 10;
/// How deep expressions, variables and functions may be in each other: as many variables as there may be (256) can be made of each other.
const DEEPEST: usize = 1000;
/// How deep lists and objects may be in each other: as deep as JSON is read.
const DEEPEST_VALUE: usize = 128;
/// What a value takes beside its text.
const EACH: usize = 8;

/// What was taken so far.
#[derive(Debug, Default)]
pub(in crate::deployments) struct Effort {
    depth: Cell<usize>,
    made: Cell<usize>,
    variables: Cell<usize>,
}

/// One level down, as long as it is there.
pub(super) struct Level<'a>(&'a Cell<usize>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Effort {
    /// Goes a level down.
    pub(super) fn enter(&self) -> Result<Level<'_>, Halt> {
        self.depth.set(self.depth.get() + 1);
        let level = Level(&self.depth);
        if self.depth.get() > DEEPEST {
            return Err(Halt::Wrong(
                "The evaluation of the template language expressions is nested too deeply.".to_owned(),
            ));
        }
        Ok(level)
    }

    /// Counts a value that was made.
    pub(super) fn made(&self, value: &Value) -> Result<(), Halt> {
        self.made.set(self.made.get().saturating_add(STEP + size(value)?));
        if self.made.get() > MOST_MADE {
            return Err(Halt::Wrong(format!(
                "The evaluation of the template language expressions takes more than {} MB.",
                MOST_MADE >> 20
            )));
        }
        Ok(())
    }

    /// Counts the value of a variable, which is kept.
    pub(super) fn keep_variable(&self, value: &Value) -> Result<(), Halt> {
        self.variables.set(self.variables.get().saturating_add(size(value)?));
        together(self.variables.get(), "variables")
    }
}

/// Whether the values of all parameters are as much as they may be.
pub(in crate::deployments) fn parameters<'a>(values: impl Iterator<Item = &'a Value>) -> Result<(), Halt> {
    let sizes = values.map(size).collect::<Result<Vec<_>, _>>()?;
    together(sizes.iter().sum(), "parameters")
}

fn together(size: usize, what: &str) -> Result<(), Halt> {
    if size <= LARGEST {
        return Ok(());
    }
    Err(Halt::Wrong(format!("The values of the {what} are together larger than {} MB.", LARGEST >> 20)))
}

/// Whether something of this size may be made.
pub(super) fn may_be(size: usize) -> Result<(), String> {
    if size <= LARGEST { Ok(()) } else { Err(format!("the value is larger than {} MB", LARGEST >> 20)) }
}

/// The size of a value, which is no larger and no deeper than one may be.
fn size(value: &Value) -> Result<usize, Halt> {
    let size = measured(value, 0)?;
    may_be(size).map_err(|reason| Halt::Wrong(format!("In the template, {reason}.")))?;
    Ok(size)
}

fn measured(value: &Value, depth: usize) -> Result<usize, Halt> {
    if depth > DEEPEST_VALUE {
        return Err(Halt::Wrong(format!("A value of the template has more than {DEEPEST_VALUE} levels.")));
    }
    let mut size = EACH;
    match value {
        Value::String(text) => size += text.len(),
        Value::Array(items) => {
            for item in items {
                size += measured(item, depth + 1)?;
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                size += name.len() + measured(member, depth + 1)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(size)
}
