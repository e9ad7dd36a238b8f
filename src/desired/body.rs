//! Bodies of resources as JSON values: members at paths, what is laid over what exists, and what may be sent back.

use serde_json::{Map, Value};

use crate::azure::{ENVELOPE_READ_ONLY, ResourceType, parse_duration};

/// The member that tells the items of a list apart.
pub(crate) fn list_key(items: &[Value]) -> Option<&'static str> {
    ["name", "id"]
        .into_iter()
        .find(|key| !items.is_empty() && items.iter().all(|item| item.get(key).is_some_and(Value::is_string)))
}

/// Equal, or one resource id in two letter cases, or one duration in two spellings.
pub(crate) fn same_text(one: &str, other: &str) -> bool {
    let ids = one.starts_with('/') && other.starts_with('/') && one.eq_ignore_ascii_case(other);
    one == other || ids || parse_duration(one).is_some_and(|length| parse_duration(other) == Some(length))
}

/// What exists without what Azure sets by itself: the part that may be sent back.
pub(crate) fn writable(resource_type: &ResourceType, existing: &Value) -> Value {
    let mut body = existing.clone();
    for path in ENVELOPE_READ_ONLY.iter().chain(resource_type.read_only) {
        remove(&mut body, path);
    }
    drop_nulls(&mut body);
    body
}

fn remove(value: &mut Value, path: &str) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let (name, each) = first.strip_suffix("[]").map_or((first, false), |name| (name, true));
    let Some(members) = value.as_object_mut() else { return };
    match rest {
        None => {
            members.remove(name);
        }
        Some(rest) if name == "*" => members.values_mut().for_each(|member| remove(member, rest)),
        Some(rest) => {
            if let Some(member) = members.get_mut(name) {
                match member {
                    Value::Array(items) if each => items.iter_mut().for_each(|item| remove(item, rest)),
                    member => remove(member, rest),
                }
            }
        }
    }
}

/// Takes out what is null: a property that is not to be there.
pub(crate) fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// Puts the desired properties over what exists; the rest of what exists stays.
pub(crate) fn overlay(existing: &mut Value, desired: &Value) {
    match (existing, desired) {
        (Value::Object(members), Value::Object(wanted)) => {
            for (key, value) in wanted {
                let known = members.keys().find(|known| known.eq_ignore_ascii_case(key)).cloned();
                overlay(members.entry(known.unwrap_or_else(|| key.clone())).or_insert(Value::Null), value);
            }
        }
        (Value::Array(items), Value::Array(wanted)) => {
            let key = list_key(wanted);
            let name = |item: &Value| key.and_then(|key| item.get(key)).and_then(Value::as_str).map(str::to_owned);
            *items = wanted
                .iter()
                .map(|want| {
                    let known = name(want).and_then(|want| {
                        items.iter().find(|item| name(item).is_some_and(|name| same_text(&name, &want)))
                    });
                    let mut item = known.cloned().unwrap_or(Value::Null);
                    overlay(&mut item, want);
                    item
                })
                .collect();
        }
        (existing, desired) => *existing = desired.clone(),
    }
}

/// A member by its name, ignoring case: providers differ in how they spell theirs back.
pub(crate) fn member_of<'a>(members: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    members
        .get(key)
        .or_else(|| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value))
}

/// The value at a path without lists.
pub(crate) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| member_of(value.as_object()?, key))
}

/// Puts a value at a path without lists; what is missing on the way is made.
pub(crate) fn put(value: &mut Value, path: &str, new: Value) {
    let whole = path.rsplit('.').fold(new, |inner, name| serde_json::json!({ name: inner }));
    overlay(value, &whole);
}

/// Takes the value at a path without lists out.
pub(crate) fn take(value: &mut Value, path: &str) {
    remove(value, path);
}
