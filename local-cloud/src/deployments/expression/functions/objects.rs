//! Functions of objects. Source: learn.microsoft.com, "Object functions for ARM templates".

use super::super::values::{find, items, kind, members, printed, text};
use super::{ANY, Function, function};
use crate::relaxed_json;
use serde_json::{Map, Value, json};

pub(super) static FUNCTIONS: &[Function] = &[
    function("createObject", 0, ANY, create_object),
    function("items", 1, 1, |arguments| {
        let mut pairs: Vec<(&String, &Value)> = members(&arguments[0])?.iter().collect();
        pairs.sort_by_key(|(name, _)| name.to_lowercase());
        Ok(pairs.into_iter().map(|(name, value)| json!({"key": name, "value": value})).collect())
    }),
    function("objectKeys", 1, 1, |arguments| {
        let mut names: Vec<&String> = members(&arguments[0])?.keys().collect();
        names.sort_by_key(|name| name.to_lowercase());
        Ok(json!(names))
    }),
    function("json", 1, 1, |arguments| parse_json(text(&arguments[0])?)),
    function("null", 0, 0, |_| Ok(Value::Null)),
    function("union", 2, ANY, union),
    function("intersection", 2, ANY, intersection),
    function("shallowMerge", 1, 1, |arguments| {
        let mut merged = Map::new();
        for object in items(&arguments[0])? {
            members(object)?.iter().for_each(|(name, value)| set(&mut merged, name, value.clone()));
        }
        Ok(Value::Object(merged))
    }),
    function("tryGet", 2, ANY, |arguments| {
        let mut value = &arguments[0];
        for step in &arguments[1..] {
            let next = match (value, step) {
                (Value::Object(members), Value::String(name)) => find(members, name),
                (Value::Array(items), Value::Number(at)) => {
                    at.as_u64().and_then(|at| usize::try_from(at).ok()).and_then(|at| items.get(at))
                }
                (Value::Null, _) => None,
                (other, _) => return Err(format!("an argument is of the type '{}', which has no parts", kind(other))),
            };
            let Some(next) = next else { return Ok(Value::Null) };
            value = next;
        }
        Ok(value.clone())
    }),
];

/// Whether two values are the same: numbers by value, members by name in any letter case.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| find(other, name).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// A text as JSON, as Azure's reader takes it.
pub(super) fn parse_json(text: &str) -> Result<Value, String> {
    relaxed_json::parse(text).map_err(|error| format!("the text is not JSON: {error}"))
}

fn create_object(arguments: &[Value]) -> Result<Value, String> {
    if !arguments.len().is_multiple_of(2) {
        return Err("it takes names and values in pairs, and one is missing".to_owned());
    }
    let mut object = Map::new();
    for pair in arguments.chunks(2) {
        if pair[0].is_array() || pair[0].is_object() {
            return Err(format!("a name is of the type '{}'", kind(&pair[0])));
        }
        set(&mut object, &printed(&pair[0]), pair[1].clone());
    }
    Ok(Value::Object(object))
}

/// Sets a member under the name that is there already in another letter case.
fn set(object: &mut Map<String, Value>, name: &str, value: Value) {
    let known = object.keys().find(|other| other.eq_ignore_ascii_case(name)).cloned();
    object.insert(known.unwrap_or_else(|| name.to_owned()), value);
}

/// Objects are merged, and so are the objects in them; a list has every item once.
fn union(arguments: &[Value]) -> Result<Value, String> {
    if arguments.iter().all(Value::is_array) {
        let mut all: Vec<Value> = Vec::new();
        for item in arguments.iter().filter_map(Value::as_array).flatten() {
            if !all.iter().any(|known| same(known, item)) {
                all.push(item.clone());
            }
        }
        return Ok(Value::Array(all));
    }
    let mut merged = Map::new();
    for argument in arguments {
        merge(&mut merged, members(argument)?);
    }
    Ok(Value::Object(merged))
}

fn merge(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (name, value) in from {
        let known = into.keys().find(|other| other.eq_ignore_ascii_case(name)).cloned();
        match (known.as_ref().and_then(|known| into.get_mut(known)), value) {
            (Some(Value::Object(into)), Value::Object(from)) => merge(into, from),
            _ => set(into, name, value.clone()),
        }
    }
}

/// What all have in common.
fn intersection(arguments: &[Value]) -> Result<Value, String> {
    let (first, others) = arguments.split_first().ok_or("it needs arguments")?;
    if let Value::Array(items) = first {
        let others = others.iter().map(super::super::values::items).collect::<Result<Vec<_>, _>>()?;
        let in_all = |item: &&Value| others.iter().all(|list| list.iter().any(|other| same(item, other)));
        return Ok(items.iter().filter(in_all).cloned().collect());
    }
    let others = others.iter().map(members).collect::<Result<Vec<_>, _>>()?;
    let in_all = |name: &str, value: &Value| {
        others.iter().all(|object| find(object, name).is_some_and(|other| same(value, other)))
    };
    let common = members(first)?.iter().filter(|(name, value)| in_all(name, value));
    Ok(common.map(|(name, value)| (name.clone(), value.clone())).collect())
}
