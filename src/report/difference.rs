//! The differences in a value: lists item by item, texts line by line, everything else as before and after.

use serde_json::Value;
use similar::ChangeTag;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::value::value;
use crate::azure::ResourceId;
use crate::protocol::{JsonText, PropertyChange};

/// The number of unchanged lines around a changed one.
const CONTEXT: usize = 1;

/// The difference between two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// One value instead of another; none where there is none.
    Value {
        /// The existing value.
        before: Option<String>,
        /// The wanted value.
        after: Option<String>,
    },
    /// The items of a list or the lines of a text.
    Parts(Vec<Part>),
}

/// An item of a list, or a line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The kind of change.
    pub sign: Sign,
    /// The item or the line as people read it.
    pub text: String,
}

/// The kinds of change of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It stays, and is shown so that others are found.
    Kept,
    /// Stands for parts that stay and are not shown: the text says how many.
    Left,
}

/// The difference in a property of a resource.
#[must_use]
pub fn difference(change: &PropertyChange, of: &ResourceId) -> Difference {
    match (change.before.as_deref(), change.after.as_deref()) {
        (Some(Value::Array(before)), Some(Value::Array(after))) => items(before, after, of),
        (Some(Value::Array(before)), None) if before.len() > 1 => items(before, &[], of),
        (None, Some(Value::Array(after))) if after.len() > 1 => items(&[], after, of),
        (Some(Value::String(before)), Some(Value::String(after))) if has_lines(before) || has_lines(after) => {
            lines(before, after)
        }
        (None, Some(Value::String(after))) if has_lines(after) => lines("", after),
        (Some(Value::String(before)), None) if has_lines(before) => lines(before, ""),
        _ => values(change, of),
    }
}

fn has_lines(text: &str) -> bool {
    text.trim_end().contains('\n')
}

/// Before and after. Where people would read the same for both, they are shown as they are.
fn values(change: &PropertyChange, of: &ResourceId) -> Difference {
    let [before, after] = [&change.before, &change.after].map(|json| json.as_deref().map(|json| value(json, of)));
    let is_alike = before == after && change.before != change.after;
    if is_alike {
        let [before, after] = [&change.before, &change.after].map(|value| value.as_ref().map(JsonText::to_string));
        return Difference::Value { before, after };
    }
    Difference::Value { before, after }
}

/// The items that come and go. An item that only moved is told only where nothing else changed.
fn items(before: &[Value], after: &[Value], of: &ResourceId) -> Difference {
    let texts = |items: &[Value]| -> Vec<String> { items.iter().map(|item| value(item, of)).collect() };
    let (mut old, mut new) = (texts(before), texts(after));
    let plain = |items: &[Value]| -> Vec<String> { items.iter().map(Value::to_string).collect() };
    if old == new && before != after {
        (old, new) = (plain(before), plain(after));
    }
    let is_in = |items: &[String], part: &Part| items.contains(&part.text);
    let found = parts(&old, &new);
    let moved = |part: &Part| is_in(&old, part) && is_in(&new, part);
    let is_order = found.iter().all(|part| part.sign == Sign::Kept || moved(part));
    if is_order {
        return Difference::Parts(found);
    }
    let changed: Vec<Part> = found.into_iter().filter(|part| part.sign != Sign::Kept && !moved(part)).collect();
    let kept = new.iter().filter(|item| old.contains(item)).count();
    Difference::Parts(changed.into_iter().chain(left(kept, "item")).collect())
}

/// The texts that come, go and stay. The one algorithm is called by its name: with a choice of them the library would have all, and 0.3 MB more.
fn parts(old: &[String], new: &[String]) -> Vec<Part> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut operations, old, 0..old.len(), new, 0..new.len());
    let operations = operations.into_inner().into_inner().into_ops();
    let changes = operations.iter().flat_map(|operation| operation.iter_changes(old, new));
    changes.map(|change| Part { sign: sign(change.tag()), text: change.value().clone() }).collect()
}

/// The lines that come and go, with what stands around them.
fn lines(before: &str, after: &str) -> Difference {
    let of = |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let mut all = parts(&of(before), &of(after));
    all.iter_mut().for_each(|part| part.text.truncate(part.text.trim_end_matches(['\r', '\n']).len()));
    let is_near = |index: usize| {
        let (from, to) = (index.saturating_sub(CONTEXT), (index + CONTEXT).min(all.len().saturating_sub(1)));
        all[from..=to].iter().any(|part| part.sign != Sign::Kept)
    };
    let mut parts = Vec::with_capacity(all.len());
    let mut passed = 0;
    for (index, part) in all.iter().enumerate() {
        if is_near(index) {
            parts.extend(left(std::mem::take(&mut passed), "line"));
            parts.push(part.clone());
        } else {
            passed += 1;
        }
    }
    parts.extend(left(passed, "line"));
    Difference::Parts(parts)
}

fn left(count: usize, what: &str) -> Option<Part> {
    let text = format!("{count} {what}{} unchanged", crate::protocol::plural(count));
    (count > 0).then_some(Part { sign: Sign::Left, text })
}

fn sign(tag: ChangeTag) -> Sign {
    match tag {
        ChangeTag::Equal => Sign::Kept,
        ChangeTag::Delete => Sign::Removed,
        ChangeTag::Insert => Sign::Added,
    }
}
