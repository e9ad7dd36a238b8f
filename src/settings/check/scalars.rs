//! Checks texts, numbers and booleans, and spells them canonically.

use serde_json::{Number, Value};

use super::{Checker, LONGEST_NUMBER};
use crate::protocol::{FindingCode, alternatives, cut, not_valid};
use crate::settings::finding::{Finding, Place};
use crate::settings::path::SettingsPath;
use crate::settings::vocabulary;

impl Checker<'_> {
    pub(super) fn text(&mut self, choices: &[String], value: &Value, path: &SettingsPath) -> Option<Value> {
        let text = match value {
            Value::String(text) if text.is_empty() => return None,
            Value::String(text) => text.clone(),
            Value::Number(number) => self.number_as_text(number, path),
            Value::Bool(flag) => {
                let message = format!("expected text, found {flag}; write \"{flag}\" to use it as text");
                self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
                return None;
            }
            _ => return self.wrong_type(value, path, "text"),
        };
        if choices.is_empty() {
            return Some(Value::String(text));
        }
        // `In Progress` and `InProgress` are one: Azure itself has words in both spellings.
        let folded = |text: &str| text.replace(' ', "").to_ascii_lowercase();
        let choice = |text: &str| choices.iter().find(|choice| folded(choice) == folded(text));
        if let Some(choice) = choice(&text).or_else(|| choice(vocabulary::to_azure(&text))) {
            return Some(Value::String(choice.clone()));
        }
        self.add(Place::value(self.document, path.clone()), FindingCode::UnknownValue, not_valid(&text, choices));
        None
    }

    /// A number where text is expected: as it is written. Spellings that are no decimal are warned of, because other readers of the
    /// document have the text of the value.
    fn number_as_text(&mut self, number: &Number, path: &SettingsPath) -> String {
        let Some(written) = self.document.spelling(path).map(str::to_owned) else { return number.to_string() };
        if !is_decimal(&written) {
            let shown = cut(&written, LONGEST_NUMBER);
            let message = format!(
                "the number {shown} is taken as text, as it is written, and others may read {number}; write \"{shown}\""
            );
            let place = Place::value(self.document, path.clone());
            self.warnings.push(Finding { place, code: FindingCode::WrongType, message });
        }
        written
    }

    pub(super) fn integer(
        &mut self,
        (minimum, maximum): (Option<i64>, Option<i64>),
        (choices, also): (&[i64], &[i64]),
        value: &Value,
        path: &SettingsPath,
    ) -> Option<Value> {
        let number = match value {
            #[expect(clippy::cast_possible_truncation, reason = "the comparison shows that nothing is lost")]
            Value::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().filter(|float| (*float as i64) as f64 == *float).map(|float| float as i64)),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number else {
            return self.wrong_type(value, path, "a whole number");
        };
        let place = || Place::value(self.document, path.clone());
        if !choices.is_empty() && !choices.contains(&number) && !also.contains(&number) {
            let known: Vec<String> = choices.iter().map(i64::to_string).collect();
            let message = format!("{number} is not valid; use {}", alternatives(&known));
            self.add(place(), FindingCode::UnknownValue, message);
            return None;
        }
        let below = minimum.is_some_and(|minimum| number < minimum);
        let above = maximum.is_some_and(|maximum| number > maximum);
        if below || above {
            let rule = match (minimum, maximum) {
                (Some(minimum), Some(maximum)) => format!("{number} is out of range; use {minimum} to {maximum}"),
                (Some(minimum), None) => format!("{number} is too small; use {minimum} or more"),
                (_, maximum) => format!("{number} is too large; use {} or less", maximum.unwrap_or_default()),
            };
            self.add(place(), FindingCode::OutOfRange, rule);
            return None;
        }
        Some(Value::Number(number.into()))
    }

    pub(super) fn number(&mut self, value: &Value, path: &SettingsPath) -> Option<Value> {
        match value {
            Value::Number(_) => Some(value.clone()),
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) => match text.trim().parse().ok().and_then(serde_json::Number::from_f64) {
                Some(number) => Some(Value::Number(number)),
                None => self.wrong_type(value, path, "a number"),
            },
            _ => self.wrong_type(value, path, "a number"),
        }
    }

    pub(super) fn boolean(&mut self, value: &Value, path: &SettingsPath) -> Option<Value> {
        match value {
            Value::Bool(_) => Some(value.clone()),
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
            Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
            _ => self.wrong_type(value, path, "true or false"),
        }
    }
}

/// Whether a number is digits, with a point in them or without.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settings::Document;

    #[test]
    fn vocabulary_words_are_accepted() {
        let choices = vec!["None".to_owned(), "AzureServices".to_owned()];
        let document = Document::from_object(json!({})).unwrap();
        let mut checker = Checker::new(&document, false);
        assert_eq!(
            checker.text(&choices, &json!("CLOUDservices"), &SettingsPath::root()),
            Some(json!("AzureServices"))
        );
    }
}
