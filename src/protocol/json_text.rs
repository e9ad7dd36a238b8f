//! Values that messages hold as JSON text: PowerShell shows a text as it is, and would take a value apart.

use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::message_texts::{Texts, Visit};

/// A value that is JSON text where it is shown or handed over.
// Boxed, because a large plan holds hundreds of thousands, mostly one of a before and an after, and a value has 72 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(Box<Value>);

impl<T: Into<Value>> From<T> for JsonText {
    fn from(value: T) -> JsonText {
        JsonText(Box::new(value.into()))
    }
}

impl JsonText {
    /// The value of a JSON text. One in which a secret was replaced may be no JSON any more, and is a text then.
    #[must_use]
    pub fn read(text: &str) -> JsonText {
        serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.into()).into()
    }

    /// The value itself.
    #[must_use]
    pub fn into_value(self) -> Value {
        *self.0
    }
}

impl Deref for JsonText {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Display for JsonText {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonText, D::Error> {
        Ok(JsonText::read(&String::deserialize(deserializer)?))
    }
}

impl Texts for JsonText {
    /// Visits all of it, also names of members and numbers: a secret may be any of them.
    fn each_text(&mut self, visit: Visit<'_>) {
        visit_all(&mut self.0, visit);
    }
}

fn visit_all(value: &mut Value, visit: Visit<'_>) {
    let mut visited = |text: &str| {
        let mut text = text.to_owned();
        visit(&mut text);
        text
    };
    match value {
        Value::Number(number) => {
            let digits = number.to_string();
            let text = visited(&digits);
            if text != digits {
                *value = text.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit_all(item, visit)),
        Value::Object(members) => {
            let cleaned = std::mem::take(members).into_iter().map(|(key, member)| (visited(&key), member));
            *members = cleaned.collect();
            members.values_mut().for_each(|member| visit_all(member, visit));
        }
        text => text.each_text(visit),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_found_in_texts_names_and_numbers() {
        let mut value = JsonText::from(json!({"a": ["x12345678", 12_345_678, 1], "12345678": null, "b": {"c": true}}));
        value.each_text(&mut |text| *text = text.replace("12345678", "***"));
        assert_eq!(*value, json!({"a": ["x***", "***", 1], "***": null, "b": {"c": true}}));
    }

    #[test]
    fn it_is_json_text_for_hosts_and_a_text_where_it_is_none() {
        let value = JsonText::from(json!({"a": ["one"]}));
        let text = serde_json::to_value(&value).unwrap();
        assert_eq!(text, json!(r#"{"a":["one"]}"#));
        let read = |text: Value| serde_json::from_value::<JsonText>(text).unwrap();
        assert_eq!(read(text), value);
        assert_eq!(read(json!("[***]")), JsonText::from("[***]"));
    }
}
