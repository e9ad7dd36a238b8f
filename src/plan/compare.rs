//! Compares a desired body with what exists, property by property, and only where the desired one says something.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::azure::ResourceType;
use crate::desired::body::{drop_nulls, member_of, same_text, without_names};
use crate::desired::items::{items_of, pairs};
use crate::naming::same_location;

/// The properties that say what is bought, which providers print in letter cases of their own: `standard_azurefrontdoor`, `developer`.
const SKU: &[&str] = &["sku.name", "sku.tier"];

/// One property that differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// Path in the body: `properties.networkAcls.bypass`, `properties.logs[Audit].enabled`.
    pub(super) path: String,
    /// The same as a JSON Pointer, in which the key of an item stands for the item.
    pub(super) pointer: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// The place of a value.
#[derive(Clone)]
pub(super) struct At {
    /// As it is shown: `properties.logs[Audit].enabled`.
    shown: String,
    /// As the tables of the types have it: `properties.logs[].enabled`.
    pattern: String,
    /// As a JSON Pointer: `/properties/logs/Audit/enabled`.
    pointer: String,
}

/// A JSON Pointer to what is below another one.
pub(super) fn pointer_below(pointer: &str, token: &str) -> String {
    match token.contains(['~', '/']) {
        true => [pointer, &token.replace('~', "~0").replace('/', "~1")].join("/"),
        false => [pointer, token].join("/"),
    }
}

impl At {
    /// The whole body.
    pub(super) fn root() -> At {
        At { shown: String::new(), pattern: String::new(), pointer: String::new() }
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn pointer(&self) -> &str {
        &self.pointer
    }

    pub(super) fn pattern(&self) -> &str {
        &self.pattern
    }

    pub(super) fn member(&self, key: &str) -> At {
        let below = |path: &str| if path.is_empty() { key.to_owned() } else { [path, key].join(".") };
        At { shown: below(&self.shown), pattern: below(&self.pattern), pointer: pointer_below(&self.pointer, key) }
    }

    pub(super) fn item(&self, label: &str) -> At {
        At {
            shown: format!("{}[{label}]", self.shown),
            pattern: items_of(&self.pattern),
            pointer: pointer_below(&self.pointer, label),
        }
    }

    pub(super) fn is_in(&self, table: &[&str]) -> bool {
        table.contains(&self.pattern.as_str())
    }

    fn is_location(&self, resource_type: &ResourceType) -> bool {
        self.pattern.rsplit('.').next() == Some("location") || self.is_in(resource_type.locations)
    }

    /// Compares two values. One that is null is not there, on either side: Azure prints many of them.
    fn differs(self, before: Option<&Value>, after: Option<&Value>) -> Difference {
        let without_nulls = |value: &Value| {
            let mut value = value.clone();
            drop_nulls(&mut value);
            value
        };
        Difference {
            path: self.shown,
            pointer: self.pointer,
            before: before.map(without_nulls),
            after: after.map(without_nulls),
        }
    }
}

/// The properties of `desired` that `existing` has otherwise. Spelling that Azure normalises makes no difference.
pub(super) fn differences(resource_type: &ResourceType, desired: &Value, existing: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(resource_type, At::root(), desired, Some(existing), &mut found);
    found
}

/// Whether the value at a path without lists is the same as another one there.
pub(super) fn is_same(resource_type: &ResourceType, path: &str, one: &Value, other: &Value) -> bool {
    let at = path.split('.').fold(At::root(), |at, member| at.member(member));
    let mut found = Vec::new();
    compare(resource_type, at, one, Some(other), &mut found);
    found.is_empty()
}

/// The JSON Pointer of a path without lists whose members have no dots in their names.
#[must_use]
pub fn pointer_of(path: &str) -> String {
    path.split('.').fold(String::new(), |pointer, member| pointer_below(&pointer, member))
}

/// Whether that is a pointer.
pub(super) fn is_pointer_of(path: &str, pointer: &str) -> bool {
    match path.contains(['~', '/']) {
        true => pointer == pointer_of(path),
        false => pointer.strip_prefix('/').is_some_and(|pointer| pointer.split('/').eq(path.split('.'))),
    }
}

/// Whether what exists at a path, as a plan shows it, is what is wanted there.
#[must_use]
pub fn is_there(resource_type: &ResourceType, path: &str, wanted: &Value, existing: Option<&Value>) -> bool {
    let at = At { shown: path.to_owned(), pattern: without_names(path), pointer: String::new() };
    let mut found = Vec::new();
    compare(resource_type, at, wanted, existing, &mut found);
    found.is_empty()
}

pub(super) fn compare(
    resource_type: &ResourceType,
    at: At,
    desired: &Value,
    existing: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    let existing = existing.filter(|value| !value.is_null());
    match (desired, existing) {
        // A null is a property that is not to be there. Some providers write what is empty instead.
        (Value::Null, existing) => {
            if let Some(existing) = existing.filter(|existing| !is_empty(existing)) {
                found.push(at.differs(Some(existing), None));
            }
        }
        (Value::Array(items), None) if items.is_empty() => {}
        (Value::String(text), None) if is_meant(resource_type, &at, text) => {}
        (Value::Bool(switch), None) if is_meant(resource_type, &at, &switch.to_string()) => {}
        (Value::Object(members), Some(Value::Object(others))) => {
            for (key, member) in members {
                compare(resource_type, at.member(key), member, member_of(others, key), found);
            }
            if at.is_in(resource_type.whole) {
                let surplus = |(key, other): &(&String, &Value)| !other.is_null() && member_of(members, key).is_none();
                for (key, other) in others.iter().filter(surplus) {
                    found.push(at.member(key).differs(Some(other), None));
                }
            }
        }
        (Value::Object(members), None) if !members.is_empty() => {
            for (key, member) in members {
                compare(resource_type, at.member(key), member, None, found);
            }
        }
        (Value::Array(items), Some(Value::Array(others))) => compare_lists(resource_type, at, items, others, found),
        _ => {
            let same = existing.is_some_and(|existing| same_value(resource_type, &at, desired, existing));
            if !same {
                found.push(at.differs(existing, Some(desired)));
            }
        }
    }
}

/// Whether a text, or a switch as one, is what Azure means where it shows none.
fn is_meant(resource_type: &ResourceType, at: &At, text: &str) -> bool {
    resource_type.unshown.iter().any(|(path, meant)| *path == at.pattern && meant.eq_ignore_ascii_case(text))
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Lists of objects are compared item by item, others whole; a list has no more items than the settings say.
fn compare_lists(resource_type: &ResourceType, at: At, items: &[Value], others: &[Value], found: &mut Vec<Difference>) {
    let Some(pairs) = pairs(resource_type, &at.pattern, items, others) else {
        if !same_items(resource_type, &at, items, others) {
            found.push(at.differs(Some(&json!(others)), Some(&json!(items))));
        }
        return;
    };
    for pair in pairs {
        let at = at.item(&pair.label);
        match pair.wanted {
            Some(wanted) => match pair.known {
                Some(known) => compare(resource_type, at, &named_like(wanted, known), Some(known), found),
                None => found.push(at.differs(None, Some(wanted))),
            },
            None => found.push(at.differs(pair.known, None)),
        }
    }
}

/// An item under the name of the one that exists, where that is a resource of its own, which has an id: names of resources ignore
/// case.
fn named_like<'a>(wanted: &'a Value, known: &Value) -> Cow<'a, Value> {
    let name = |item: &Value| item.get("name").and_then(Value::as_str).map(str::to_owned);
    match (name(wanted), name(known)) {
        (Some(one), Some(other)) if one != other && one.eq_ignore_ascii_case(&other) && known["id"].is_string() => {
            let mut wanted = wanted.clone();
            wanted["name"] = json!(other);
            Cow::Owned(wanted)
        }
        _ => Cow::Borrowed(wanted),
    }
}

/// Whether two lists of plain values are the same; in a set, a value that stands twice stands there.
fn same_items(resource_type: &ResourceType, at: &At, items: &[Value], others: &[Value]) -> bool {
    let same = |one: &Value, other: &Value| same_value(resource_type, at, one, other);
    if at.is_in(resource_type.sets) {
        let all = |some: &[Value], more: &[Value]| some.iter().all(|one| more.iter().any(|other| same(one, other)));
        return all(items, others) && all(others, items);
    }
    items.len() == others.len() && items.iter().zip(others).all(|(item, other)| same(item, other))
}

fn same_value(resource_type: &ResourceType, at: &At, one: &Value, other: &Value) -> bool {
    match (one, other) {
        // Tags are texts of people.
        (Value::String(one), Value::String(other)) if at.pattern.starts_with("tags.") => one == other,
        (Value::String(one), Value::String(other)) if at.is_location(resource_type) => same_location(one, other),
        (Value::String(one), Value::String(other)) if at.is_in(SKU) || at.is_in(resource_type.any_case) => {
            one.eq_ignore_ascii_case(other)
        }
        (Value::String(one), Value::String(other)) if at.is_in(resource_type.sets) => {
            words(one) == words(other) || same_text(one, other)
        }
        (Value::String(one), Value::String(other)) => same_text(one, other),
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

/// The comma-separated words of the first text, and those of the second that it has not.
pub(super) fn joined(known: &str, wanted: &str) -> String {
    let has = words(known);
    let missing = wanted.split(',').map(str::trim).filter(|word| !has.contains(&word.to_ascii_lowercase()));
    std::iter::once(known).filter(|known| !known.is_empty()).chain(missing).collect::<Vec<_>>().join(", ")
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split(',').map(|word| word.trim().to_ascii_lowercase()).collect();
    words.sort();
    words
}

#[cfg(test)]
mod tests;
