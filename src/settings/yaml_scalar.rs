//! The meaning of a plain scalar of YAML: the core schema of YAML 1.2, so `yes` is text and `007` is text.

use serde_json::{Number, Value};

/// The value of a plain scalar.
#[must_use]
pub(super) fn value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// Infinities, NaN and what has more digits than 64 bits hold are text, which is refused where a number is expected.
fn number(text: &str) -> Option<Number> {
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) if text.starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", text),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let radix = |prefix: &str, radix: u32| {
        let digits =
            digits.strip_prefix(prefix).filter(|digits| digits.starts_with(|first: char| first.is_digit(radix)))?;
        i64::from_str_radix(&format!("{sign}{digits}"), radix).ok().map(Number::from)
    };
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2)) {
        return Some(number);
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // Leading zeros are for people: post codes and the like.
        if digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        let negative = || format!("{sign}{digits}").parse::<i64>().ok().map(Number::from);
        return if sign.is_empty() { digits.parse::<u64>().ok().map(Number::from) } else { negative() };
    }
    let float = format!("{sign}{digits}").parse::<f64>().ok().filter(|float| float.is_finite())?;
    Number::from_f64(float)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_core_schema() {
        let table = [
            ("~", json!(null)),
            ("Null", json!(null)),
            ("nULL", json!("nULL")),
            ("True", json!(true)),
            ("yes", json!("yes")),
            ("42", json!(42)),
            ("+42", json!(42)),
            ("-7", json!(-7)),
            ("0", json!(0)),
            ("007", json!("007")),
            ("-01", json!("-01")),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("0b11", json!(3)),
            ("0x", json!("0x")),
            ("0x-1", json!("0x-1")),
            ("1.5", json!(1.5)),
            (".5", json!(0.5)),
            ("1e3", json!(1000.0)),
            ("-1.5e-2", json!(-0.015)),
            (".", json!(".")),
            ("1_000", json!("1_000")),
            ("10.0.0.0/24", json!("10.0.0.0/24")),
            ("2024-01-01", json!("2024-01-01")),
            ("--1", json!("--1")),
            (".inf", json!(".inf")),
            (".nan", json!(".nan")),
            ("1e999", json!("1e999")),
            ("18446744073709551615", json!(u64::MAX)),
            ("18446744073709551616", json!("18446744073709551616")),
            ("-", json!("-")),
        ];
        for (text, expected) in table {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}
