//! The settings that plans, warnings and findings name exist: every path that the commands write with dots, and every place
//! that a document compiles to, is held against the JSON Schema of its command.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod defaults;
mod source;
mod texts;

use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_engine::commands::{self, COMMANDS, Command, Project, Services};
use svc_engine::settings::Document;

use source::{SettingText, setting_texts};

fn repository(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

fn schema_of(command: &Command) -> Value {
    serde_json::to_value(command.settings_schema()).unwrap()
}

/// The nodes that a schema allows at one place: itself, or what its alternatives are. An item of a list may stand alone, so
/// the items of a list are there as well, in `else` where a list may hold only `none`.
fn alternatives<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
    found.push(schema);
    for list in ["anyOf", "oneOf", "allOf"] {
        schema[list].as_array().into_iter().flatten().for_each(|choice| alternatives(choice, found));
    }
    for below in ["items", "else"].iter().filter_map(|key| schema.get(*key)) {
        alternatives(below, found);
    }
}

/// The schemas of a member.
fn member<'a>(schema: &'a Value, key: &str) -> Vec<&'a Value> {
    let mut nodes = Vec::new();
    alternatives(schema, &mut nodes);
    nodes
        .into_iter()
        .filter_map(|node| {
            let named = node["properties"].as_object().and_then(|members| {
                members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, schema)| schema)
            });
            named.or_else(|| node.get("additionalProperties").filter(|others| **others != Value::Bool(false)))
        })
        .collect()
}

/// Whether a path leads somewhere from a node of a schema.
fn leads_from(schema: &Value, keys: &[&str]) -> bool {
    match keys.split_first() {
        None => true,
        Some((key, rest)) => member(schema, key).into_iter().any(|below| leads_from(below, rest)),
    }
}

/// Whether a path leads somewhere from anywhere in a schema.
fn leads_from_below(schema: &Value, keys: &[&str]) -> bool {
    leads_from(schema, keys)
        || match schema {
            Value::Object(members) => members.values().any(|below| leads_from_below(below, keys)),
            Value::Array(items) => items.iter().any(|below| leads_from_below(below, keys)),
            _ => false,
        }
}

/// Whether a text in the source names a setting of the command.
fn exists(schema: &Value, text: &str) -> bool {
    let (from_root, text) = text.strip_prefix('/').map_or((false, text), |text| (true, text));
    // A number is an item of a list, and brackets are any of them.
    let is_key = |part: &&str| !part.is_empty() && part.parse::<usize>().is_err();
    let text = text.replace("[]", "");
    let keys: Vec<&str> = text.trim_start_matches("../").split('.').filter(is_key).collect();
    if from_root { leads_from(schema, &keys) } else { leads_from_below(schema, &keys) }
}

#[test]
fn every_path_in_the_source_of_a_command_is_one_of_its_settings() {
    let schemas: Vec<(&Command, Value)> = COMMANDS.iter().map(|command| (command, schema_of(command))).collect();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(repository("src/commands")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let source = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
        let own = |command: &Command| source.contains(&format!("name: \"{}\"", command.name));
        let is_shared = ["shared", "new_document"].iter().any(|name| folder.ends_with(name));
        assert!(is_shared || schemas.iter().any(|(command, _)| own(command)), "{}: no command", folder.display());
        for SettingText { file, line, text } in setting_texts(&folder) {
            // What is shared is for some of the commands.
            let known = schemas.iter().any(|(command, schema)| (is_shared || own(command)) && exists(schema, &text));
            // These are of files of their own: definitions of log alerts and tag settings.
            let is_elsewhere = ["definitions.rs", "tag_settings.rs"].iter().any(|name| file.ends_with(name));
            if !known && !is_elsewhere {
                wrong.push(format!("{}:{line}: '{text}' is not a setting", file.display()));
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 150, "only {checked} paths were found in the source");
}

#[test]
fn a_path_that_does_not_exist_is_found() {
    let schema = schema_of(commands::find("New-SvcIaasStorage").unwrap());
    for text in
        ["storageAccounts", "/location", "../accountType", "service.publish.resourceGroup", "blobContainer[].name"]
    {
        assert!(exists(&schema, text), "{text}");
    }
    for text in ["storageAcounts", "/accountType", "service.publish.nothing", "blobContainer[].nothing"] {
        assert!(!exists(&schema, text), "{text}");
    }
}

fn documents() -> impl Iterator<Item = PathBuf> {
    let files = ["examples", "examples/all-fields"].map(|folder| std::fs::read_dir(repository(folder)).unwrap());
    let files = files.into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "yml"))
}

/// The keys of a path as it is written, without the numbers of items.
fn keys(path: &str) -> Vec<&str> {
    path.split('.').map(|part| part.split('[').next().unwrap_or_default()).filter(|key| !key.is_empty()).collect()
}

#[test]
fn every_place_that_a_document_compiles_to_is_one_of_its_settings() {
    let mut compiled_commands = Vec::new();
    for file in documents() {
        let document = Document::load(&file, "settings").unwrap();
        let component = document.value()["component"].as_str().unwrap_or_default();
        let of_component = |command: &&Command| command.component.eq_ignore_ascii_case(component);
        let Some(command) = COMMANDS.iter().find(of_component) else {
            panic!("{}: no command has the component '{component}'", file.display());
        };
        let schema = schema_of(command);
        let compiled = command.read(&document).compile(&Project::without_files(), &Services::NotRead);
        let origins = compiled.desired.iter().flat_map(|desired| {
            desired.origins.iter().map(|(path, _)| desired.origin(path)).chain([desired.place.clone()])
        });
        let others = compiled.findings.iter().map(|finding| finding.place.clone());
        for place in origins.chain(others).chain(compiled.complete.iter().map(|complete| complete.place.clone())) {
            let path = place.path().to_string();
            assert!(leads_from(&schema, &keys(&path)), "{}: {path} is not a setting", file.display());
        }
        compiled_commands.push(command.name);
    }
    for command in COMMANDS {
        assert!(compiled_commands.contains(&command.name), "no document for {}", command.name);
    }
}

#[test]
fn a_key_of_the_user_s_own_is_one_key_whatever_it_holds() {
    let text = "component: logAlerts
location: UK South
service: {publish: {resourceGroup: logs}, dependencies: {workspace: logs, resourceGroup: logs}}
groups:
  - name: A
    alertSets:
      - name: B
        type: VirtualMachines
        alerts:
          - name: C
            definition: VM_NonResponsive
            parameters:
              _timeWindow: 1h
              a.b: [1h]
              '0': [2h]
";
    let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
    let settings = commands::find("New-SvcMonitorLogAlerts").unwrap().read(&document);
    let compiled = settings.compile(&Project::without_files(), &Services::NotRead);
    let places: Vec<String> = compiled.findings.iter().map(|finding| finding.place.show()).collect();
    assert_eq!(places, ["s.yml:15:20", "s.yml:14:20"]);
}
