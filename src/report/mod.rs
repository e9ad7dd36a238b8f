//! What people read of a plan: pure functions from the actions of the protocol to trees, values and lines. Nothing here reads, sends or
//! prints; `svc` and the reports on file show what they return, each in its own way.

mod difference;
mod graph;
mod html;
mod markdown;
mod summary;
#[cfg(test)]
mod samples;
mod text;
mod tree;
mod value;
mod wrap;

pub use difference::{Difference, Part, Sign, difference};
pub use html::write as html;
pub use markdown::write as markdown;
pub use text::{Layout, Line, Span, Style, WIDEST, deletions, name, plan, sign};
pub use tree::{Node, tree};
pub use self::value::value;

use serde_json::Value;

use crate::protocol::{Action, ActionKind, PropertyChange};

/// Whether a property that an action sets is a default: the document does not say it, and it does not follow from other resources.
#[must_use]
pub fn is_default(change: &PropertyChange) -> bool {
    let Some(after) = change.after.as_ref().filter(|_| change.origin.is_none()) else { return false };
    let follows = |value: &Value| value.is_object() || value.as_str().is_some_and(value::is_not_literal);
    // What Azure says of the last operation is no value of anybody.
    change.path != "properties.provisioningState"
        && serde_json::from_str(after).is_ok_and(|after: Value| match &after {
            Value::Array(items) => !items.iter().any(follows),
            other => !follows(other),
        })
}

/// The path of a property as people read it: what nearly every path begins with says nothing.
#[must_use]
pub fn short_path(path: &str) -> &str {
    path.strip_prefix("properties.").unwrap_or(path)
}

/// How many actions of a kind there are of each type, by what people call it; the most frequent first.
#[must_use]
pub fn by_type(actions: &[Action], kind: ActionKind) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for action in actions.iter().filter(|action| action.action == kind) {
        match counts.iter_mut().find(|(label, _)| *label == action.label) {
            Some((_, count)) => *count += 1,
            None => counts.push((&action.label, 1)),
        }
    }
    counts.sort_by(|one, other| other.1.cmp(&one.1));
    counts
}
