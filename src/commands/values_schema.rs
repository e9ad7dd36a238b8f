//! The JSON Schema of the values of a project: the names that its documents use, each with the schema of the setting that takes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::schemas::id;
use super::shared::command::Command;
use crate::settings::{Document, Segment, SettingsPath, references};

/// Names with values of any type.
pub(in crate::commands) fn any_schema() -> Schema {
    Map::<String, Value>::json_schema(&mut SchemaGenerator::default())
}

/// The schema for the values of these documents, each with its command; tag settings have none.
#[must_use]
pub fn values_schema(documents: &[(Arc<Document>, Option<&Command>)]) -> Schema {
    let mut commands: BTreeMap<&'static str, Value> = BTreeMap::new();
    let mut names: BTreeMap<String, Vec<(Value, String)>> = BTreeMap::new();
    for (document, command) in documents {
        for reference in references(document) {
            let setting = command.filter(|_| reference.is_whole).and_then(|command| {
                let known = commands.entry(command.component).or_insert_with(|| command.settings_schema().to_value());
                let pointer = pointer(known, &reference.place.path())?;
                Some(json!({ "$ref": format!("#/$defs/{}{pointer}", command.component) }))
            });
            // A part of a text is a text; a tag is one as well.
            let setting = setting.unwrap_or_else(|| json!({ "type": ["string", "number", "boolean"] }));
            let use_of = format!("{} ({})", reference.place.path(), reference.place.show());
            names.entry(reference.name).or_default().push((setting, use_of));
        }
    }
    let properties: Map<String, Value> = names.into_iter().map(|(name, uses)| (name, property(uses))).collect();
    let definitions: Map<String, Value> = commands
        .into_iter()
        .map(|(component, mut schema)| {
            move_references(&mut schema, &format!("#/$defs/{component}"));
            (component.to_owned(), schema)
        })
        .collect();
    Schema::from(Map::from_iter([
        ("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into()),
        ("$id".to_owned(), id("values").into()),
        ("title".to_owned(), "The values of a project".into()),
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), Value::Object(properties)),
        ("additionalProperties".to_owned(), false.into()),
        ("$defs".to_owned(), Value::Object(definitions)),
    ]))
}

/// A value that has to be right wherever it is used; it may be empty where a setting may be left out.
fn property(uses: Vec<(Value, String)>) -> Value {
    let mut settings: Vec<Value> = Vec::new();
    for (setting, _) in &uses {
        if !settings.contains(setting) {
            settings.push(setting.clone());
        }
    }
    let places: Vec<String> = uses.into_iter().map(|(_, place)| place).collect();
    json!({ "description": format!("Used by {}.", crate::protocol::listed(&places)), "allOf": settings })
}

/// The pointer to the schema of a setting in that of its document; none where it has none of its own.
fn pointer(schema: &Value, path: &SettingsPath) -> Option<String> {
    path.0.iter().try_fold(String::new(), |at, segment| {
        let found = |from: &str| schema.pointer(from);
        let alternatives = [at.clone(), format!("{at}/else"), format!("{at}/anyOf/0"), format!("{at}/anyOf/1")];
        alternatives.iter().find_map(|at| match segment {
            Segment::Index(_) => {
                // A single item stands for a list of it.
                [format!("{at}/items"), format!("{at}/else/items")].into_iter().find(|at| found(at).is_some())
            }
            Segment::Key(key) => member(schema, at, key).or_else(|| {
                ["/items", "/else/items"].iter().find_map(|items| member(schema, &format!("{at}{items}"), key))
            }),
        })
    })
}

/// The pointer to the schema of a key, in any letter case.
fn member(schema: &Value, at: &str, key: &str) -> Option<String> {
    let properties = schema.pointer(at)?.get("properties")?.as_object()?;
    let name = properties.keys().find(|name| name.eq_ignore_ascii_case(key))?;
    Some(format!("{at}/properties/{name}"))
}

/// A schema in another one refers to itself by where it is there.
fn move_references(schema: &mut Value, to: &str) {
    match schema {
        Value::Object(members) => {
            members.retain(|key, member| !(key == "$id" || key == "$schema") || !member.is_string());
            for (key, member) in members {
                match member {
                    Value::String(reference) if key == "$ref" => {
                        *reference = format!("{to}{}", reference.trim_start_matches('#'));
                    }
                    other => move_references(other, to),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| move_references(item, to)),
        _ => {}
    }
}
