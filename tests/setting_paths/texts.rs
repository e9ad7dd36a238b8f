//! The texts and examples of the schemas are for people who fill in a document.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_engine::commands::{COMMANDS, PROJECT_FILES};
use svc_engine::settings::Document;

use super::defaults::keys_of;
use super::{repository, schema_of};

fn schemas() -> impl Iterator<Item = (&'static str, Value)> {
    let files = PROJECT_FILES.iter().map(|file| (file.name, file.schema().to_value()));
    COMMANDS.iter().map(|command| (command.component, schema_of(command))).chain(files)
}

/// The phrases of the guide that no text of a setting has.
fn forbidden() -> Vec<String> {
    let guide = std::fs::read_to_string(repository("docs/style.md")).unwrap();
    let section = guide.split("\n## ").find(|section| section.starts_with("Texts of settings")).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    rows.skip(1).flat_map(|(_, not)| not.split(" · ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn no_text_has_a_phrase_that_the_guide_forbids() {
    let forbidden = forbidden();
    assert!(forbidden.len() > 20, "{forbidden:?}");
    let (mut wrong, mut texts) = (Vec::new(), 0);
    for (name, schema) in schemas() {
        keys_of(&schema, "", &mut |path, _, key, property| {
            let text = property["description"].as_str().unwrap_or_default();
            texts += 1;
            let phrase = forbidden.iter().find(|phrase| text.contains(phrase.as_str()));
            let is_sentence = text.starts_with(|first: char| first.is_uppercase()) && text.ends_with('.');
            if phrase.is_some() || !is_sentence {
                wrong.push(format!("{name} {path}/{key}: {phrase:?} {text}"));
            }
        });
    }
    assert!(wrong.is_empty() && texts > 300, "{} of {texts}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A name that one item publishes is not one for many.
#[test]
fn names_of_one_item_are_not_said_to_be_for_every_item() {
    let (mut wrong, mut of_items) = (Vec::new(), 0);
    for (name, schema) in schemas() {
        keys_of(&schema, "", &mut |path, _, key, property| {
            if !path.ends_with("/service/publish") || path == "/service/publish" {
                return;
            }
            of_items += 1;
            let text = property["description"].as_str().unwrap_or_default();
            if text.contains("every") {
                wrong.push(format!("{name} {path}/{key}: {text}"));
            }
        });
    }
    assert!(wrong.is_empty() && of_items > 15, "{of_items}: {wrong:#?}");
}

/// What takes no key says so, and not what such an object has elsewhere.
#[test]
fn an_object_without_keys_is_said_to_be_ignored() {
    let mut seen = 0;
    for (name, schema) in schemas() {
        keys_of(&schema, "", &mut |path, _, key, property| {
            let has_no_keys = property["additionalProperties"] == false && property.get("properties").is_none();
            if has_no_keys {
                seen += 1;
                assert_eq!(property["description"], "Accepted, but ignored: it has no keys.", "{name} {path}/{key}");
            }
        });
    }
    assert!(seen > 5, "{seen}");
}

/// Every text in a value.
fn texts_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(found.insert(text.to_lowercase())),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, found)),
        Value::Object(members) => members.values().for_each(|member| texts_in(member, found)),
        _ => {}
    }
}

/// The texts of the documents of a folder.
fn texts_of(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(repository(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yml") {
            texts_in(Document::load(&path, "settings").unwrap().value(), &mut found);
        }
    }
    found
}

#[test]
fn every_text_has_an_example_that_is_not_of_a_test() {
    let of_users = texts_of("examples");
    let of_tests: BTreeSet<String> = texts_of("examples/all-fields").difference(&of_users).cloned().collect();
    // What is the same wherever it stands.
    let anywhere = [
        "linux",
        "notify",
        "restart",
        "landing-zone",
        "privatelink.azurewebsites.net",
        r#"{"payloadrevision":0,"workitemtype":"incident"}"#,
    ];
    let (mut wrong, mut examples) = (Vec::new(), 0);
    for (name, schema) in schemas() {
        keys_of(&schema, "", &mut |path, _, key, property| {
            let is_text = |schema: &Value| schema["type"][0] == "string" || schema["anyOf"][0]["type"][0] == "string";
            let is_offered =
                property["anyOf"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["enum"].is_array()));
            if is_offered || property["deprecated"] == true || !(is_text(property) || is_text(&property["items"])) {
                return;
            }
            let example =
                [&property["examples"][0], &property["items"]["examples"][0]].into_iter().find(|one| !one.is_null());
            let mut texts = BTreeSet::new();
            example.into_iter().for_each(|example| texts_in(example, &mut texts));
            let of_test = texts.iter().any(|text| of_tests.contains(text) && !anywhere.contains(&text.as_str()));
            examples += 1;
            if example.is_none() || of_test {
                wrong.push(format!("{name} {path}/{key}: {example:?}"));
            }
        });
    }
    assert!(wrong.is_empty() && examples > 150, "{} of {examples}:\n{}", wrong.len(), wrong.join("\n"));
}
