//! The defaults of keys in the schemas, which hold; each key stands in a document that is deployed.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use svc_engine::commands::{self, COMMANDS, Command, Project, Services};
use svc_engine::settings::Document;

use super::{alternatives, documents, schema_of};

/// The documents of a command.
fn documents_of(command: &Command) -> Vec<Value> {
    documents()
        .map(|file| Document::load(&file, "settings").unwrap().value().clone())
        .filter(|value| command.is_for(value["component"].as_str().unwrap_or_default()))
        .collect()
}

/// Each object of a document with the properties of its schema, by its path.
fn objects<'a>(schema: &'a Value, value: &Value, pointer: &str, found: &mut Vec<(String, &'a Map<String, Value>)>) {
    let mut nodes = Vec::new();
    alternatives(schema, &mut nodes);
    match value {
        Value::Array(items) => {
            let inner: Vec<&Value> = nodes.iter().filter_map(|node| node.get("items")).collect();
            for (index, item) in items.iter().enumerate() {
                inner.iter().take(1).for_each(|schema| objects(schema, item, &format!("{pointer}/{index}"), found));
            }
        }
        Value::Object(members) => {
            let Some(properties) = nodes.iter().find_map(|node| node["properties"].as_object()) else { return };
            found.push((pointer.to_owned(), properties));
            for (key, member) in members {
                if let Some(schema) = properties.get(key) {
                    objects(schema, member, &format!("{pointer}/{key}"), found);
                }
            }
        }
        _ => {}
    }
}

/// The new resources of a document: their ids, and their bodies with the defaults.
fn compiled(command: &Command, document: &Value) -> Vec<(String, Value)> {
    fn laid_over(value: &mut Value, over: &Value) {
        match (value, over) {
            (Value::Object(members), Value::Object(over)) => {
                for (key, over) in over {
                    laid_over(members.entry(key.clone()).or_insert(Value::Null), over);
                }
            }
            (value, over) => *value = over.clone(),
        }
    }
    let document = Document::from_object(document.clone()).unwrap();
    let compiled = command.read(&document).compile(&Project::without_files(), &Services::NotRead);
    let bodies = compiled.desired.into_iter().map(|desired| {
        let mut body = desired.creation_body;
        if !desired.body.is_null() {
            laid_over(&mut body, &desired.body);
        }
        (desired.id.to_string(), body)
    });
    bodies.collect()
}

#[test]
fn a_default_is_what_the_program_takes_where_the_key_is_not_there() {
    let mut tried = BTreeSet::new();
    let mut wrong = Vec::new();
    for command in COMMANDS {
        let schema = schema_of(command);
        for document in documents_of(command) {
            let mut found = Vec::new();
            objects(&schema, &document, "", &mut found);
            for (pointer, properties) in found {
                let with_default = properties.iter().filter(|(key, _)| *key != "component");
                for (key, default) in with_default.filter_map(|(key, schema)| Some((key, schema.get("default")?))) {
                    let mut variants = [document.clone(), document.clone()];
                    let [said, left_out] = &mut variants;
                    said.pointer_mut(&pointer).unwrap()[key.as_str()] = default.clone();
                    left_out.pointer_mut(&pointer).unwrap().as_object_mut().unwrap().shift_remove(key);
                    let [said, left_out] = variants.map(|document| compiled(command, &document));
                    if said != left_out {
                        wrong.push(format!("{} {pointer}/{key} {default}:\n  {said:?}\n  {left_out:?}", command.name));
                    }
                    tried.insert((command.name, key.clone()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n"));
    assert!(tried.len() > 20, "{tried:?}");
}

#[test]
fn every_key_stands_in_a_document_that_the_tests_deploy() {
    for command in COMMANDS {
        let schema = schema_of(command);
        let mut said = BTreeSet::new();
        for document in documents_of(command) {
            let mut found = Vec::new();
            objects(&schema, &document, "", &mut found);
            for (pointer, properties) in found {
                let object = document.pointer(&pointer).and_then(Value::as_object).unwrap();
                said.extend(object.keys().map(|key| (signature(properties), key.clone())));
            }
        }
        let mut missing = Vec::new();
        keys_of(&schema, "", &mut |path, properties, key, property| {
            // There is nothing to say in an object without keys.
            let is_nothing = property["additionalProperties"] == false
                && property["properties"].as_object().is_none_or(Map::is_empty);
            let is_other_name =
                property["description"].as_str().is_some_and(|text| text.starts_with("Deprecated; use "));
            if !is_nothing && !is_other_name && !said.contains(&(signature(properties), key.to_owned())) {
                missing.push(format!("{path}/{key}"));
            }
        });
        assert!(missing.is_empty(), "{} has keys that no document has: {missing:#?}", command.name);
    }
}

/// Objects of one type have the same keys wherever they are.
fn signature(properties: &Map<String, Value>) -> String {
    properties.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

pub(super) fn keys_of(schema: &Value, path: &str, note: &mut impl FnMut(&str, &Map<String, Value>, &str, &Value)) {
    let mut nodes = Vec::new();
    alternatives(schema, &mut nodes);
    for properties in nodes.iter().filter_map(|node| node["properties"].as_object()) {
        for (key, property) in properties {
            note(path, properties, key, property);
            keys_of(property, &format!("{path}/{key}"), note);
        }
    }
}

#[test]
fn every_key_of_every_schema_has_a_title_and_a_text() {
    let files = commands::PROJECT_FILES.iter().map(|file| (file.name, file.schema().to_value()));
    for (name, schema) in COMMANDS.iter().map(|command| (command.name, schema_of(command))).chain(files) {
        assert!(
            schema["$id"].is_string() && schema["title"].is_string() && schema["description"].is_string(),
            "{name}"
        );
        keys_of(&schema, "", &mut |path, _, key, property| {
            let has = |member: &str| property[member].as_str().is_some_and(|text| !text.is_empty());
            assert!(has("title") && has("description"), "{name} {path}/{key}");
            assert!(property["deprecated"] != true || has("deprecationMessage"), "{name} {path}/{key}");
        });
    }
}
