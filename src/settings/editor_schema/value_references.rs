//! References to values in schemas: `$(name)` may stand where a text, a number, a list or an object may, and an item of a list may say
//! which environments have it.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// A text with a reference anywhere in it.
const IN_TEXT: &str = r"\$\(";
/// A text that is a reference and nothing else.
const WHOLE: &str = r"^\$\([A-Za-z_][A-Za-z0-9_-]*\)$";
/// The keywords that hold conditions, not values.
const CONDITIONS: &[&str] = &["if", "not", "contains", "enum", "const", "examples", "default", "defaultSnippets"];

/// The schema of a document that may have references.
#[must_use]
pub fn with_references(mut schema: Schema) -> Schema {
    if let Some(root) = schema.as_object_mut() {
        add_presence(root, "this document");
        for (key, value) in root.iter_mut() {
            below(key, value);
        }
    }
    schema
}

fn below(key: &str, value: &mut Value) {
    match value {
        // The names of settings are none of a schema's own keys.
        Value::Object(settings) if key == "properties" => {
            settings.values_mut().for_each(|setting| schema(setting, false))
        }
        Value::Object(_) => schema(value, key == "items"),
        Value::Array(alternatives) => alternatives.iter_mut().for_each(|alternative| below(key, alternative)),
        _ => {}
    }
}

fn schema(value: &mut Value, is_item: bool) {
    let Some(members) = value.as_object_mut() else { return };
    take_references(members);
    if is_item && members.contains_key("properties") {
        add_presence(members, "this item");
    }
    for (key, value) in members.iter_mut().filter(|(key, _)| !CONDITIONS.contains(&key.as_str())) {
        match value {
            // What an item may be is one of these.
            Value::Array(alternatives) if is_item => alternatives.iter_mut().for_each(|one| schema(one, true)),
            value => below(key, value),
        }
    }
}

/// Lets a value be a reference, where it is not any text already.
fn take_references(members: &mut Map<String, Value>) {
    let types: Vec<&str> = match members.get("type") {
        Some(Value::String(only)) => vec![only],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let takes_text = types.contains(&"string");
    let is_object = types.contains(&"object") && !types.contains(&"array");
    if is_object && !takes_text {
        let types: Vec<&str> = types.into_iter().chain(["string"]).collect();
        members.insert("type".to_owned(), json!(types));
        members.insert("pattern".to_owned(), WHOLE.into());
    } else if takes_text && let Some(pattern) = members.get_mut("pattern") {
        let own = pattern.as_str().unwrap_or_default();
        *pattern = format!("({own})|{IN_TEXT}").into();
    }
}

/// Lets an object say which environments have it.
fn add_presence(members: &mut Map<String, Value>, what: &str) {
    let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (key, which) in [("onlyIn", "Only these environments have"), ("notIn", "All environments but these have")] {
        let presence = json!({
            "title": key,
            "description": format!("{which} {what}."),
            "type": ["array", "string", "null"],
            "items": { "type": "string" },
            "examples": [["production"]],
        });
        properties.insert(key.to_owned(), presence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_where_values_do() {
        let plain = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "name": {"type": ["string", "number"], "minLength": 1},
                "count": {"type": ["integer", "string"], "pattern": "^[0-9]+$"},
                "kind": {"anyOf": [{"enum": ["A"]}, {"type": "string", "pattern": "^(a)$", "not": {"enum": ["A"]}}]},
                "inner": {"type": ["object", "null"], "properties": {"x": {"type": ["boolean", "string"], "pattern": "^true$"}}},
                "list": {"type": ["array", "object"], "items": {"type": "object", "additionalProperties": false, "properties": {}}},
            },
        });
        let (before, after) = (plain.clone(), with_references(Schema::try_from(plain).unwrap()).to_value());
        let is_valid = |schema: &Value, document: Value| jsonschema::validator_for(schema).unwrap().is_valid(&document);
        for document in [
            json!({"count": "$(count)"}),
            json!({"count": "1$(count)"}),
            json!({"kind": "$(kind)"}),
            json!({"inner": "$(inner)"}),
            json!({"inner": {"x": "$(x)"}}),
            json!({"list": [{"onlyIn": ["production"]}, "$(item)"]}),
            json!({"notIn": "test"}),
        ] {
            assert!(is_valid(&after, document.clone()), "{document}");
            assert!(!is_valid(&before, document.clone()), "{document}");
        }
        for document in [
            json!({"inner": "x$(inner)"}),
            json!({"kind": "b"}),
            json!({"count": "x"}),
            json!({"inner": {"onlyIn": 1}, "x": 1}),
        ] {
            assert!(!is_valid(&after, document.clone()), "{document}");
        }
    }
}
