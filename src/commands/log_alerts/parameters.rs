//! Parameters of definitions: the types of their values, and what is wrong with a value.

use crate::kusto::{TokenKind, minutes, tokens};
use std::collections::BTreeMap;

use serde_json::Value;

/// The most minutes that a log alert looks back (azurerm provider, scheduled_query_rules_alert_v2).
pub(super) const LONGEST_LOOK_BACK: i64 = 2880;

/// The type of a parameter, which its default says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterType {
    Number,
    /// A length of time.
    Span,
    Flag,
    Text,
}

impl ParameterType {
    pub(super) fn of(default: &Value) -> ParameterType {
        match default {
            Value::Number(_) => ParameterType::Number,
            Value::Bool(_) => ParameterType::Flag,
            Value::String(text) if minutes(text).is_some() => ParameterType::Span,
            _ => ParameterType::Text,
        }
    }

    /// The text that stands for a value in a query.
    ///
    /// # Errors
    /// What is wrong with the value, as the fragment of a sentence.
    pub(super) fn text_of(self, value: &Value) -> Result<String, String> {
        let text = written(value)?;
        let text = text.trim();
        let wanted = match self {
            _ if text.is_empty() => {
                return Err("a value is required; leave the parameter out for its default".to_owned());
            }
            ParameterType::Number if !is_number(text) => "a number",
            ParameterType::Span if !minutes(text).is_some_and(|minutes| minutes > 0.0) => {
                "a length of time such as 30m or 2h"
            }
            ParameterType::Flag if !["true", "false"].contains(&text) => "true or false",
            _ => return Ok(text.to_owned()),
        };
        Err(format!("expected {wanted}, found '{text}'"))
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    matches!(tokens(unsigned).as_slice(), [only] if only.kind == TokenKind::Number && only.text == unsigned)
        && unsigned.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The value of a parameter as it stands in a query.
///
/// # Errors
/// It is a list or an object, which no parameter can be.
pub(super) fn written(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => Err("expected text, a number, true or false".to_owned()),
    }
}

/// A pair of parameters of which one is the most and the other the least, in the wrong order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reversed<'a> {
    pub(super) minimum: (&'a str, &'a str),
    pub(super) maximum: (&'a str, &'a str),
}

/// The pairs `_minX` and `_maxX` whose minimum is not under the maximum.
pub(super) fn reversed(values: &BTreeMap<String, String>) -> Vec<Reversed<'_>> {
    let number = |text: &str| text.parse::<f64>().ok();
    let mut found = Vec::new();
    for (name, least) in values {
        let Some(rest) = name.strip_prefix("_min") else { continue };
        let Some((maximum, most)) = values.iter().find(|(other, _)| other.strip_prefix("_max") == Some(rest)) else {
            continue;
        };
        if number(least).zip(number(most)).is_some_and(|(least, most)| least >= most) {
            found.push(Reversed { minimum: (name, least), maximum: (maximum, most) });
        }
    }
    found
}

/// The minutes that a query with these lengths of time in it looks back, rounded up.
pub(super) fn look_back(spans: impl Iterator<Item = f64>) -> i64 {
    let longest = spans.fold(0.0, f64::max).ceil();
    // Longer than two days is a finding where the value is.
    (1..=LONGEST_LOOK_BACK).find(|whole| *whole as f64 >= longest).unwrap_or(LONGEST_LOOK_BACK)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_has_the_type_of_the_default() {
        for (default, value, expected) in [
            (json!(95), json!(42.5), Ok("42.5")),
            (json!(95), json!("42.5"), Ok("42.5")),
            (json!(95), json!(" -1 "), Ok("-1")),
            (json!(95), json!("many"), Err("expected a number, found 'many'")),
            (json!(95), json!("1h"), Err("expected a number, found '1h'")),
            (json!(95), json!("1 or true"), Err("expected a number, found '1 or true'")),
            (json!(95), json!(true), Err("expected a number, found 'true'")),
            (json!(95), json!([1]), Err("expected text, a number, true or false")),
            (json!(95), json!(""), Err("a value is required; leave the parameter out for its default")),
            (json!("30m"), json!("2h"), Ok("2h")),
            (json!("30m"), json!("  "), Err("a value is required; leave the parameter out for its default")),
            (json!("30m"), json!(30), Err("expected a length of time such as 30m or 2h, found '30'")),
            (json!("30m"), json!("0m"), Err("expected a length of time such as 30m or 2h, found '0m'")),
            (
                json!("30m"),
                json!("1h) | count"),
                Err("expected a length of time such as 30m or 2h, found '1h) | count'"),
            ),
            (json!(true), json!("false"), Ok("false")),
            (json!(true), json!(1), Err("expected true or false, found '1'")),
            (json!("System"), json!("Application"), Ok("Application")),
            (json!("System"), json!(7), Ok("7")),
        ] {
            let found = ParameterType::of(&default).text_of(&value);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{default} {value}");
        }
    }

    #[test]
    fn a_minimum_is_under_its_maximum() {
        let values = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<BTreeMap<_, _>>()
        };
        let wrong = values(&[("_minA", "9"), ("_maxA", "10"), ("_minB", "99.5"), ("_maxB", "99"), ("_minC", "1")]);
        assert_eq!(reversed(&wrong), [Reversed { minimum: ("_minB", "99.5"), maximum: ("_maxB", "99") }]);
        assert_eq!(reversed(&values(&[("_minA", "5"), ("_maxA", "5")])).len(), 1);
    }

    #[test]
    fn look_backs_are_whole_minutes() {
        for (spans, expected) in [(vec![60.0, 30.0], 60), (vec![0.5], 1), (vec![90.25], 91), (vec![9000.0], 2880)] {
            assert_eq!(look_back(spans.into_iter()), expected);
        }
    }
}
