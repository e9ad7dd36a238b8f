//! Values of columns and expressions.

use serde_json::{Value as Json, json};
use std::fmt;

/// A value. Times are minutes since 1970, spans are minutes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Text(String),
    Number(f64),
    Time(f64),
    Span(f64),
    Flag(bool),
    Dynamic(Json),
}

impl Value {
    /// The number or the time that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) | Value::Time(number) | Value::Span(number) => Some(*number),
            _ => None,
        }
    }

    /// The name of its type in an answer; none for null, which may be of any.
    pub(crate) fn type_name(&self) -> Option<&'static str> {
        Some(match self {
            Value::Null => return None,
            Value::Text(_) => "string",
            Value::Number(_) => "real",
            Value::Time(_) => "datetime",
            Value::Span(_) => "timespan",
            Value::Flag(_) => "bool",
            Value::Dynamic(_) => "dynamic",
        })
    }

    /// As answers print it.
    pub(crate) fn json(&self) -> Json {
        match self {
            Value::Null => Json::Null,
            Value::Text(text) => json!(text),
            Value::Number(number) => json!(number),
            Value::Time(minutes) => json!(time_text(*minutes)),
            Value::Span(minutes) => json!(format!("{minutes}m")),
            Value::Flag(flag) => json!(flag),
            // Azure prints what is dynamic as a text of JSON.
            Value::Dynamic(value) => json!(value.to_string()),
        }
    }
}

/// As queries write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Text(text) => write!(f, "{}", json!(text)),
            Value::Number(number) => write!(f, "{number}"),
            Value::Time(minutes) => write!(f, "datetime({})", time_text(*minutes)),
            Value::Span(minutes) => write!(f, "{minutes}m"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Dynamic(value) => write!(f, "dynamic({value})"),
        }
    }
}

/// A time in RFC 3339, to the millisecond.
pub(crate) fn time_text(minutes: f64) -> String {
    let milliseconds = (minutes * 60_000.0).round() as i64;
    time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(milliseconds) * 1_000_000)
        .ok()
        .and_then(|time| time.format(&time::format_description::well_known::Rfc3339).ok())
        .unwrap_or_default()
}

/// The value of an operator between two values.
pub(super) fn binary(operator: &str, left: &Value, right: &Value) -> Result<Value, String> {
    use Value::{Flag, Null, Number, Span, Text, Time};
    let wrong = || format!("{left} {operator} {right} is not known here");
    if let Some(opposite) = operator.strip_prefix('!').filter(|rest| !["=", "~"].contains(rest)) {
        return match binary(opposite, left, right)? {
            Flag(flag) => Ok(Flag(!flag)),
            _ => Err(wrong()),
        };
    }
    let lower = |text: &str| text.to_lowercase();
    Ok(match (operator, left, right) {
        ("and", Flag(one), Flag(other)) => Flag(*one && *other),
        ("or", Flag(one), Flag(other)) => Flag(*one || *other),
        ("==" | "!=" | "<" | ">" | "<=" | ">=", Null, _) | ("==" | "!=" | "<" | ">" | "<=" | ">=", _, Null) => {
            Flag(false)
        }
        ("==", Text(one), Text(other)) => Flag(one == other),
        ("!=", Text(one), Text(other)) => Flag(one != other),
        ("==", Flag(one), Flag(other)) => Flag(one == other),
        ("!=", Flag(one), Flag(other)) => Flag(one != other),
        ("=~", Text(one), Text(other)) => Flag(one.eq_ignore_ascii_case(other)),
        ("!~", Text(one), Text(other)) => Flag(!one.eq_ignore_ascii_case(other)),
        ("has", Text(text), Text(word)) => Flag(has(&lower(text), &lower(word))),
        ("contains", Text(text), Text(part)) => Flag(lower(text).contains(&lower(part))),
        ("startswith", Text(text), Text(part)) => Flag(lower(text).starts_with(&lower(part))),
        ("endswith", Text(text), Text(part)) => Flag(lower(text).ends_with(&lower(part))),
        ("==" | "!=" | "<" | ">" | "<=" | ">=", Number(one), Number(other))
        | ("==" | "!=" | "<" | ">" | "<=" | ">=", Time(one), Time(other))
        | ("==" | "!=" | "<" | ">" | "<=" | ">=", Span(one), Span(other)) => Flag(match operator {
            "==" => one == other,
            "!=" => one != other,
            "<" => one < other,
            ">" => one > other,
            "<=" => one <= other,
            _ => one >= other,
        }),
        ("+", Number(one), Number(other)) => Number(one + other),
        ("-", Number(one), Number(other)) => Number(one - other),
        ("*", Number(one), Number(other)) => Number(one * other),
        ("/", Number(one), Number(other)) => Number(one / other),
        ("*", Number(one), Span(other)) | ("*", Span(other), Number(one)) => Span(one * other),
        ("/", Span(one), Span(other)) => Number(one / other),
        ("-", Time(one), Time(other)) => Span(one - other),
        ("-", Time(one), Span(other)) => Time(one - other),
        ("+", Time(one), Span(other)) => Time(one + other),
        _ => return Err(wrong()),
    })
}

/// Whether a word is in a text: nothing of a word stands before or after it.
fn has(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !of_word(text[..start].chars().next_back()) && !of_word(text[start + word.len()..].chars().next())
    })
}
