//! What functions take from their arguments.

use serde_json::{Map, Value};

/// What Azure calls the type of a value.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "Null",
        Value::Bool(_) => "Boolean",
        Value::Number(number) if number.is_f64() => "Float",
        Value::Number(_) => "Integer",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Object(_) => "Object",
    }
}

fn expected(what: &str, value: &Value) -> String {
    format!("an argument is of the type '{}', and '{what}' is expected", kind(value))
}

pub(super) fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| expected("String", value))
}

pub(super) fn whole(value: &Value) -> Result<i64, String> {
    value.as_i64().ok_or_else(|| expected("Integer", value))
}

pub(super) fn truth(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| expected("Boolean", value))
}

pub(super) fn items(value: &Value) -> Result<&[Value], String> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| expected("Array", value))
}

pub(super) fn members(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| expected("Object", value))
}

/// A number of things; never negative.
pub(super) fn count(value: &Value) -> Result<usize, String> {
    let number = whole(value)?;
    usize::try_from(number).map_err(|_| format!("the number {number} is negative"))
}

/// A value as `string`, `concat` and `format` print it: as .NET does.
pub(super) fn printed(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A member of an object; names compare ignoring case.
pub(in crate::deployments) fn find<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object
        .get(name)
        .or_else(|| object.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}
