//! `docs/abi.md` is complete: it names everything that the header, the registry, the request and the schema have.

#![cfg(test)]

#[expect(dead_code, reason = "each test uses its part of the shared support")]
mod support;

use serde_json::{Value, json};
use support::{abi_folder, include_folder, repository};
use svc_engine::protocol::Request;
use svc_engine::run::registry::CONTEXT_MEMBERS;

fn manual() -> String {
    std::fs::read_to_string(repository().join("docs/abi.md")).unwrap()
}

#[test]
fn it_shows_the_example_that_is_tested() {
    let example = std::fs::read_to_string(abi_folder().join("example.c")).unwrap();
    let block = format!("```c\n{example}```\n");
    assert!(manual().contains(&block), "docs/abi.md does not show tests/abi/example.c as it is");
}

#[test]
fn it_names_every_function_and_number_of_the_header() {
    let manual = manual();
    let header = std::fs::read_to_string(include_folder().join("svc_deploy.h")).unwrap();
    for line in header.lines() {
        if let Some(definition) = line.strip_prefix("#define SVC_") {
            let name = definition.split(' ').next().unwrap();
            assert!(name == "DEPLOY_H" || manual.contains(&format!("`SVC_{name}`")), "SVC_{name}");
        } else if line.ends_with(");") && !line.contains(" svc_new_") {
            // The header has a blank after each asterisk that the manual does without.
            let declaration = line.trim_end_matches(';').replace("* *", "**").replace("* ", "*");
            assert!(manual.contains(&format!("`{declaration}`")), "{declaration}");
        }
    }
}

#[test]
fn it_names_every_member_of_the_context_and_its_variable() {
    let manual = manual();
    for member in CONTEXT_MEMBERS {
        let (name, variable) = (format!("| `{}` |", member.name), format!("| `{}` |", member.variable));
        let named = manual.lines().any(|line| line.starts_with(&name) && line.contains(&variable));
        assert!(named, "there is no row for {} with its variable {}", member.name, member.variable);
    }
}

/// serde lists the members it knows when it meets one that it does not.
#[test]
fn it_names_every_member_of_the_request() {
    let manual = manual();
    for path in ["", "azSession"] {
        let unknown = json!({ "?": 1 });
        let request = if path.is_empty() { unknown } else { json!({ path: unknown }) };
        let error = serde_json::from_value::<Request>(request).err().unwrap().to_string();
        let (_, expected) = error.split_once("expected one of ").unwrap_or_else(|| panic!("{error}"));
        for member in expected.split(", ") {
            assert!(manual.contains(member), "{path}: {member}");
        }
    }
}

#[test]
fn it_names_every_message_and_member_of_the_schema() {
    fn collect(schema: &Value, names: &mut Vec<String>) {
        for definition in schema["$defs"].as_object().unwrap().values() {
            let Some(members) = definition["properties"].as_object() else { continue };
            names.extend(members.keys().cloned());
            names.extend(members.get("event").and_then(|event| event["const"].as_str()).map(str::to_owned));
        }
    }
    let schema = std::fs::read_to_string(abi_folder().join("messages.schema.json")).unwrap();
    let mut names = Vec::new();
    collect(&serde_json::from_str(&schema).unwrap(), &mut names);
    assert!(names.len() > 50, "{names:?}");
    let manual = manual();
    let headings: String = manual.lines().filter(|line| line.starts_with("### ")).collect::<Vec<_>>().join(", ");
    for name in names {
        let named = manual.contains(&format!("`{name}`")) || headings.contains(&name);
        assert!(named, "{name}");
    }
}
