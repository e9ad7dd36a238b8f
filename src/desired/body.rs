//! Bodies of resources as JSON values: members at paths, what is laid over what exists, and what may be sent back.

use serde_json::{Map, Value};

use super::items::{items_of, pairs};
use crate::azure::{ENVELOPE_READ_ONLY, ResourceType, parse_duration};

/// A path of a difference as the tables write it: without the names of items.
pub(crate) fn without_names(path: &str) -> String {
    // Names of items may have dots and brackets in them.
    let mut depth = 0_u32;
    path.chars()
        .filter(|character| {
            depth += u32::from(*character == '[');
            let keep = depth == 0 || (depth == 1 && matches!(character, '[' | ']'));
            depth -= u32::from(*character == ']' && depth > 0);
            keep
        })
        .collect()
}

/// Equal, or one resource id in two spellings, or one duration in two.
pub(crate) fn same_text(one: &str, other: &str) -> bool {
    let is_id = |text: &str| text.starts_with('/') || text.starts_with("subscriptions/");
    let ids = is_id(one) && is_id(other) && whole_id(one).eq_ignore_ascii_case(whole_id(other));
    one == other || ids || parse_duration(one).is_some_and(|length| parse_duration(other) == Some(length))
}

/// An id without what makes no difference: its first slash (REST specification of Microsoft.Insights, scopes of
/// `ActivityLogAlertRule_Get`), and of a role its subscription, for a role is one in every subscription, and Azure shows its id with one or
/// without (REST specification of Microsoft.Authorization, `PutRoleAssignment`).
fn whole_id(id: &str) -> &str {
    const ROLE: &str = "/providers/microsoft.authorization/roledefinitions/";
    let role = id.rfind('/').and_then(|end| (end + 1).checked_sub(ROLE.len())).and_then(|start| id.get(start..));
    let is_role = |role: &&str| role.get(..ROLE.len()).is_some_and(|start| start.eq_ignore_ascii_case(ROLE));
    role.filter(is_role).unwrap_or(id).trim_start_matches('/')
}

/// The existing body without what Azure sets by itself: the part that may be sent back.
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

/// The same value in no more memory than it needs: a map that has grown has room for several more members, and a large document
/// makes very many small maps.
pub(crate) fn compact(value: Value) -> Value {
    match value {
        Value::Object(members) => members.into_iter().map(|(key, member)| (key, compact(member))).collect(),
        Value::Array(items) => items.into_iter().map(compact).collect(),
        value => value,
    }
}

/// Puts the desired properties of a resource of a type over what exists; the rest of what exists stays, in the items of lists
/// as well.
pub(crate) fn overlay(resource_type: &ResourceType, existing: &mut Value, desired: &Value) {
    lay_over(resource_type, "", existing, desired);
}

fn lay_over(resource_type: &ResourceType, path: &str, existing: &mut Value, desired: &Value) {
    match (existing, desired) {
        (Value::Object(members), Value::Object(wanted)) => {
            if resource_type.whole.contains(&path) {
                members.retain(|key, _| member_of(wanted, key).is_some());
            }
            for (key, value) in wanted {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                lay_over(resource_type, &path, member_or_null(members, key), value);
            }
        }
        (Value::Array(items), Value::Array(wanted)) => {
            let known = std::mem::take(items);
            let Some(pairs) = pairs(resource_type, path, wanted, &known) else {
                items.clone_from(wanted);
                return;
            };
            for pair in pairs {
                let Some(wanted) = pair.wanted else { continue };
                let mut item = pair.known.cloned().unwrap_or(Value::Null);
                lay_over(resource_type, &items_of(path), &mut item, wanted);
                items.push(item);
            }
        }
        (existing, desired) => *existing = desired.clone(),
    }
}

/// A member by its name, ignoring case; it is made where it is missing.
fn member_or_null<'a>(members: &'a mut Map<String, Value>, key: &str) -> &'a mut Value {
    let known = members.keys().find(|known| known.eq_ignore_ascii_case(key)).cloned();
    members.entry(known.unwrap_or_else(|| key.to_owned())).or_insert(Value::Null)
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
    let mut inner = value;
    for key in path.split('.') {
        if !inner.is_object() {
            *inner = Value::Object(Map::new());
        }
        let Value::Object(members) = inner else { return };
        inner = member_or_null(members, key);
    }
    *inner = new;
}

/// Takes the value at a path without lists out.
pub(crate) fn take(value: &mut Value, path: &str) {
    remove(value, path);
}
