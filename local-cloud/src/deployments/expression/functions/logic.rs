//! Functions that compare and convert to true or false. `if`, `and`, `or` and `coalesce` look at no more arguments than they need, so they
//! are not here. Source: learn.microsoft.com, "Logical functions" and "Comparison functions for ARM templates".

use super::super::values::{kind, text, truth};
use super::objects::same;
use super::{Function, function};
use serde_json::Value;
use std::cmp::Ordering;

pub(super) static FUNCTIONS: &[Function] = &[
    function("true", 0, 0, |_| Ok(true.into())),
    function("false", 0, 0, |_| Ok(false.into())),
    function("not", 1, 1, |arguments| Ok((!truth(&arguments[0])?).into())),
    function("bool", 1, 1, |arguments| match &arguments[0] {
        Value::Bool(known) => Ok((*known).into()),
        Value::Number(number) => Ok((number.as_f64() != Some(0.0)).into()),
        other => match text(other)?.to_lowercase().as_str() {
            "true" | "1" => Ok(true.into()),
            "false" | "0" => Ok(false.into()),
            text => Err(format!("'{text}' is neither true nor false")),
        },
    }),
    function("equals", 2, 2, |arguments| Ok(same(&arguments[0], &arguments[1]).into())),
    function("less", 2, 2, |arguments| compare(arguments, Ordering::is_lt)),
    function("lessOrEquals", 2, 2, |arguments| compare(arguments, Ordering::is_le)),
    function("greater", 2, 2, |arguments| compare(arguments, Ordering::is_gt)),
    function("greaterOrEquals", 2, 2, |arguments| compare(arguments, Ordering::is_ge)),
];

fn compare(arguments: &[Value], holds: fn(Ordering) -> bool) -> Result<Value, String> {
    let order = match (&arguments[0], &arguments[1]) {
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        (Value::Number(one), Value::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => Some(one.cmp(&other)),
            _ => one.as_f64().partial_cmp(&other.as_f64()),
        },
        _ => None,
    };
    order.map(|order| holds(order).into()).ok_or_else(|| {
        format!(
            "a value of the type '{}' is not compared with one of the type '{}'",
            kind(&arguments[0]),
            kind(&arguments[1])
        )
    })
}
