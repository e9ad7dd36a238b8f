//! The functions that are called with values.

use super::value::{Value, time_text};
use serde_json::Value as Json;

/// The value of a function; an error names it.
pub(super) fn call(name: &str, arguments: &[Value], now: f64) -> Result<Value, String> {
    use Value::{Dynamic, Flag, Null, Number, Span, Text, Time};
    Ok(match (name, arguments) {
        ("now", []) => Time(now),
        ("now", [Span(span)]) => Time(now + span),
        ("ago", [Span(span)]) => Time(now - span),
        ("time" | "timespan", [Span(span)]) => Span(*span),
        ("bin" | "floor" | "bin_at", [_, Span(size) | Number(size), ..]) if *size == 0.0 => Null,
        ("bin" | "floor", [Time(time), Span(size)]) => Time(binned(*time, *size, 0.0)),
        ("bin" | "floor", [Number(value), Number(size)]) => Number(binned(*value, *size, 0.0)),
        ("bin_at", [Time(time), Span(size), Time(fixed)]) => Time(binned(*time, *size, *fixed)),
        ("iff" | "iif", [Flag(flag), yes, no]) => if *flag { yes } else { no }.clone(),
        ("isnull", [value]) => Flag(*value == Null),
        ("isnotnull", [value]) => Flag(*value != Null),
        ("isempty", [Text(text)]) => Flag(text.is_empty()),
        ("isnotempty", [Text(text)]) => Flag(!text.is_empty()),
        ("not", [Flag(flag)]) => Flag(!flag),
        ("tolower", [Text(text)]) => Text(text.to_lowercase()),
        ("toupper", [Text(text)]) => Text(text.to_uppercase()),
        ("strcat", texts) => {
            let texts: Result<Vec<Value>, String> =
                texts.iter().map(|text| call("tostring", std::slice::from_ref(text), now)).collect();
            let text = |value: Value| if let Text(text) = value { text } else { String::new() };
            Text(texts?.into_iter().map(text).collect())
        }
        ("parse_json" | "todynamic", [Text(text)]) => Dynamic(serde_json::from_str(text).unwrap_or_default()),
        ("split", [Text(text), Text(by)]) => Dynamic(text.split(by.as_str()).collect()),
        ("tostring", [Text(text) | Dynamic(Json::String(text))]) => Text(text.clone()),
        ("tostring", [Dynamic(Json::Null) | Null]) => Text(String::new()),
        ("tostring", [Number(number)]) => Text(number.to_string()),
        ("tostring", [Flag(flag)]) => Text(flag.to_string()),
        ("tostring", [Time(time)]) => Text(time_text(*time)),
        ("tostring", [Dynamic(other)]) => Text(other.to_string()),
        ("todouble" | "toreal", [Number(number)]) => Number(*number),
        ("todouble" | "toreal" | "toint" | "tolong", [Null | Dynamic(Json::Null)]) => Null,
        ("todouble" | "toreal", [Dynamic(Json::Number(number))]) => Number(number.as_f64().unwrap_or_default()),
        ("todouble" | "toreal", [Text(text)]) => text.parse().map_or(Null, Number),
        ("toint" | "tolong", [Number(number)]) => Number(number.trunc()),
        ("extract", [Text(pattern), Number(1.0), Text(text)]) => {
            // Of the regular expressions only the one for what comes last.
            let by = pattern.strip_prefix("([^").and_then(|rest| rest.strip_suffix("]+)$"));
            let by = by.ok_or_else(|| format!("the pattern {pattern}"))?;
            Text(text.rsplit(by).next().unwrap_or_default().to_owned())
        }
        _ => {
            let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
            return Err(format!("{name}({}) is not known here", arguments.join(", ")));
        }
    })
}

/// The greatest multiple of a size, counted from a fixed value, that is not over a value.
fn binned(value: f64, size: f64, fixed: f64) -> f64 {
    // Sizes that no number of the machine has exactly, such as a second, must not lose a whole bin to rounding.
    fixed + ((value - fixed) / size + 1e-9).floor() * size
}
