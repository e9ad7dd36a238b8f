//! The values of a document that is written, as the reference of the settings spells them.

use schemars::Schema;
use serde_json::Value;

use super::shape::Shape;
use super::yaml_document::{Written, WrittenKey};

/// Gives every value that is one of a few the spelling that is documented: Azure prints `AVERAGE` or `average` for `Average`.
pub fn spell_as_documented(keys: &mut [WrittenKey], schema: &Schema) {
    spell_keys(keys, &Shape::from_schema(schema.as_value()));
}

fn spell_keys(keys: &mut [WrittenKey], shape: &Shape) {
    for WrittenKey { key, value, .. } in keys {
        match shape {
            Shape::Object(fields) => {
                fields.iter().filter(|field| field.name == *key).for_each(|field| spell(value, &field.shape));
            }
            Shape::Map(values) => spell(value, values),
            _ => {}
        }
    }
}

fn spell(value: &mut Written, shape: &Shape) {
    match (value, shape) {
        (value, Shape::OneOf(shapes)) => shapes.iter().for_each(|shape| spell(value, shape)),
        (Written::Plain(Value::String(text)), Shape::Text(choices)) => {
            if let Some(choice) = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text)) {
                text.clone_from(choice);
            }
        }
        (Written::List(values), Shape::List { items, .. }) => {
            values.iter_mut().for_each(|value| spell(value, items));
        }
        (Written::Object(keys), shape) => spell_keys(keys, shape),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use schemars::json_schema;

    use super::*;
    use crate::settings::{Document, to_yaml};

    #[test]
    fn values_of_a_choice_are_spelled_as_it_is_and_texts_stay() {
        let schema = json_schema!({ "type": "object", "properties": {
            "operator": { "enum": ["GreaterThan", "LessThan"] },
            "name": { "type": "string" },
            "parts": { "type": "array", "items": { "type": "object", "properties": {
                "on": { "anyOf": [{ "enum": ["None"] }, { "type": "array", "items": { "enum": ["Weekday"] } }] } } } } } });
        let text = |value: &str| Written::Plain(value.into());
        let key = |key: &str, value: Written| WrittenKey::new(key, value);
        let part = |on: Written| Written::Object(vec![key("on", on)]);
        let mut keys = vec![
            key("operator", text("GREATERTHAN")),
            key("name", text("lessthan")),
            key(
                "parts",
                Written::List(vec![part(text("none")), part(Written::List(vec![text("WEEKDAY"), text("x")]))]),
            ),
            key("unknown", text("none")),
        ];
        spell_as_documented(&mut keys, &schema);
        let written = Document::parse(None, to_yaml("", &keys)).unwrap();
        let wanted = serde_json::json!({ "operator": "GreaterThan", "name": "lessthan",
            "parts": [{ "on": "None" }, { "on": ["Weekday", "x"] }], "unknown": "none" });
        assert_eq!(*written.value(), wanted);
    }
}
