//! Functions of texts. Source: learn.microsoft.com, "String functions for ARM templates".

use super::super::effort::may_be;
use super::super::values::{count, items, kind, printed, text, whole};
use super::{ANY, Function, function};
use serde_json::{Value, json};

pub(super) static FUNCTIONS: &[Function] = &[
    function("toLower", 1, 1, |arguments| Ok(text(&arguments[0])?.to_lowercase().into())),
    function("toUpper", 1, 1, |arguments| Ok(text(&arguments[0])?.to_uppercase().into())),
    function("trim", 1, 1, |arguments| Ok(text(&arguments[0])?.trim().into())),
    function("startsWith", 2, 2, |arguments| {
        Ok(text(&arguments[0])?.to_lowercase().starts_with(&text(&arguments[1])?.to_lowercase()).into())
    }),
    function("endsWith", 2, 2, |arguments| {
        Ok(text(&arguments[0])?.to_lowercase().ends_with(&text(&arguments[1])?.to_lowercase()).into())
    }),
    function("replace", 3, 3, |arguments| {
        let (old, new) = (text(&arguments[1])?, text(&arguments[2])?);
        if old.is_empty() {
            return Err("the text to be replaced is empty".to_owned());
        }
        let text = text(&arguments[0])?;
        may_be(text.matches(old).count().saturating_mul(new.len()))?;
        Ok(text.replace(old, new).into())
    }),
    function("substring", 2, 3, substring),
    function("split", 2, 2, split),
    function("join", 2, 2, |arguments| {
        let parts: Vec<String> = items(&arguments[0])?.iter().map(printed).collect();
        let delimiter = text(&arguments[1])?;
        may_be(parts.len().saturating_mul(delimiter.len()))?;
        Ok(parts.join(delimiter).into())
    }),
    function("padLeft", 2, 3, pad_left),
    function("string", 1, 1, |arguments| {
        Ok(match &arguments[0] {
            Value::Null => return Err("an argument is of the type 'Null'".to_owned()),
            other => printed(other).into(),
        })
    }),
    function("concat", 0, ANY, concat),
];

fn substring(arguments: &[Value]) -> Result<Value, String> {
    let letters: Vec<char> = text(&arguments[0])?.chars().collect();
    let start = count(&arguments[1])?;
    let length = arguments.get(2).map_or_else(|| Ok(letters.len().saturating_sub(start)), count)?;
    match letters.get(start..start.saturating_add(length)) {
        Some(part) => Ok(part.iter().collect::<String>().into()),
        None => Err(format!(
            "the index and length must refer to a location within the string: the index is {start}, the length {length} and the \
             length of the string {}",
            letters.len()
        )),
    }
}

fn split(arguments: &[Value]) -> Result<Value, String> {
    let delimiters: Vec<&str> = match &arguments[1] {
        Value::String(one) => vec![one.as_str()],
        several => items(several)?.iter().map(text).collect::<Result<_, _>>()?,
    };
    let delimiters: Vec<&str> = delimiters.into_iter().filter(|delimiter| !delimiter.is_empty()).collect();
    let mut parts = Vec::new();
    let mut rest = text(&arguments[0])?;
    loop {
        // The first delimiter; of two at one place the one that is given first.
        let next = delimiters
            .iter()
            .filter_map(|delimiter| Some((rest.find(delimiter)?, delimiter.len())))
            .min_by_key(|(at, _)| *at);
        let Some((at, length)) = next else {
            parts.push(rest);
            return Ok(json!(parts));
        };
        parts.push(&rest[..at]);
        rest = &rest[at + length..];
    }
}

fn pad_left(arguments: &[Value]) -> Result<Value, String> {
    let value = match &arguments[0] {
        Value::String(text) => text.clone(),
        number => whole(number)?.to_string(),
    };
    let length = count(&arguments[1])?;
    if length > 16 * 1024 {
        return Err(format!("the length {length} is too large"));
    }
    let with = arguments.get(2).map_or(Ok(" "), text)?;
    let mut letters = with.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return Err(format!("'{with}' is not one character"));
    };
    let missing = length.saturating_sub(value.chars().count());
    Ok(std::iter::repeat_n(letter, missing).chain(value.chars()).collect::<String>().into())
}

/// Joins lists where the first argument is one, and texts otherwise.
fn concat(arguments: &[Value]) -> Result<Value, String> {
    if matches!(arguments.first(), Some(Value::Array(_))) {
        let mut joined = Vec::new();
        for argument in arguments {
            joined.extend_from_slice(items(argument)?);
        }
        return Ok(Value::Array(joined));
    }
    match arguments.iter().find(|argument| argument.is_array() || argument.is_object()) {
        Some(other) => Err(format!("an argument is of the type '{}', and the first is not a list", kind(other))),
        None => Ok(arguments.iter().map(printed).collect::<String>().into()),
    }
}
