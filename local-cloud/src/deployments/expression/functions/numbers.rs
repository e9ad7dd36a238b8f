//! Functions of numbers. Source: learn.microsoft.com, "Numeric functions for ARM templates".

use super::super::values::{kind, whole};
use super::{Function, function};
use serde_json::Value;

pub(super) static FUNCTIONS: &[Function] = &[
    function("add", 2, 2, |arguments| calculate(arguments, i64::checked_add)),
    function("sub", 2, 2, |arguments| calculate(arguments, i64::checked_sub)),
    function("mul", 2, 2, |arguments| calculate(arguments, i64::checked_mul)),
    function("div", 2, 2, |arguments| calculate(arguments, i64::checked_div)),
    function("mod", 2, 2, |arguments| calculate(arguments, i64::checked_rem)),
    function("int", 1, 1, |arguments| match &arguments[0] {
        Value::String(text) => match text.trim().parse::<i64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => Err(format!("'{text}' is not a whole number")),
        },
        Value::Number(number) => {
            // Numbers of JSON with a fraction lose it.
            #[allow(clippy::cast_possible_truncation)]
            let cut = || number.as_f64().map(|number| number.trunc() as i64);
            number.as_i64().or_else(cut).map(Value::from).ok_or_else(|| format!("{number} is too large"))
        }
        other => Err(format!("an argument is of the type '{}', which is no number", kind(other))),
    }),
    function("float", 1, 1, |arguments| match &arguments[0] {
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => Err(format!("'{text}' is not a number")),
        },
        Value::Number(number) => Ok(number.as_f64().into()),
        other => Err(format!("an argument is of the type '{}', which is no number", kind(other))),
    }),
];

fn calculate(arguments: &[Value], how: fn(i64, i64) -> Option<i64>) -> Result<Value, String> {
    let (one, other) = (whole(&arguments[0])?, whole(&arguments[1])?);
    how(one, other).map(Value::from).ok_or_else(|| format!("{one} and {other} have no result that is a 64-bit number"))
}
