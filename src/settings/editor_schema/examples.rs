//! The examples of keys: what documents have there.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::kinds;
use crate::settings::document::counts_as_absent;

/// Objects of one type have the same keys wherever they are.
pub(super) fn signature(properties: &Map<String, Value>) -> String {
    properties.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The values that documents have at the keys of each type of object.
#[derive(Debug, Default)]
pub(super) struct Examples(HashMap<(String, String), Value>);

impl Examples {
    pub(super) fn of(&self, object: &str, key: &str) -> Option<&Value> {
        self.0.get(&(object.to_owned(), key.to_owned()))
    }

    /// Notes the first value of each key that is no object.
    pub(super) fn collect(&mut self, schema: &Value, values: &[&Value]) {
        for kind in kinds(schema) {
            if let Some(items) = kind.get("items") {
                let each: Vec<&Value> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
                self.collect(items, &each);
            }
            let Some(properties) = kind.get("properties").and_then(Value::as_object) else { continue };
            let object = signature(properties);
            for (key, property) in properties {
                let said = values.iter().filter_map(|value| value.as_object()?.get(key));
                let said: Vec<&Value> = said.filter(|value| !counts_as_absent(value)).collect();
                let is_plain = |value: &&&Value| match value {
                    Value::Object(_) => false,
                    Value::Array(items) => !items.iter().any(|item| item.is_object() || item.is_array()),
                    _ => true,
                };
                if let Some(first) = said.iter().find(is_plain) {
                    self.0.entry((object.clone(), key.clone())).or_insert_with(|| (*first).clone());
                }
                self.collect(property, &said);
            }
        }
    }
}
