//! The help for writing documents: new ones, and schemas.

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_engine::run::registry::{COMMANDS, PROJECT_FILES};
use svc_engine::run::{self, NewDocument, Start, Work, new_document};

use crate::support::*;

fn ask(work: Work, request: &Value) -> Outcome {
    follow(&run::start(Start::new(work, request.to_string().as_bytes())), |_| panic!("nothing is asked"))
}

fn text(outcome: &Outcome) -> &str {
    match &outcome.messages[..] {
        [Message::Document { text, .. }] => text,
        other => panic!("{other:#?}"),
    }
}

#[test]
fn a_new_document_is_that_of_the_command() {
    for command in COMMANDS {
        for (every_key, form) in [(false, NewDocument::Usual), (true, NewDocument::All)] {
            let request = json!({ "component": command.component, "everyKey": every_key, "environment": {} });
            assert_eq!(text(&ask(Work::New, &request)), new_document(command, form));
        }
    }
}

#[test]
fn a_new_document_takes_the_place_of_nothing() {
    let project = Project::new();
    let path = project.path("new/storage.yml");
    let request = json!({ "component": "storage", "path": path });
    let written = ask(Work::New, &request);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&written));
    std::fs::write(&path, "mine").unwrap();
    assert_eq!(ask(Work::New, &request).failed_with().0, "FileExists");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    for (member, value, code) in [
        ("path", json!("here.yml"), "PathNotAbsolute"),
        ("component", json!("storge"), "RequestInvalid"),
        ("component", json!(null), "RequestInvalid"),
        ("colour", json!("red"), "RequestInvalid"),
    ] {
        let outcome = ask(Work::New, &with(json!({ "component": "storage" }), json!({ member: value })));
        assert_eq!(outcome.failed_with().0, code, "{member}: {outcome:#?}");
    }
}

#[test]
fn schemas_are_those_that_editors_get() {
    for command in COMMANDS {
        let asked = ask(Work::Schema, &json!({ "name": command.component }));
        let schema_text = text(&asked);
        let schema: Value = serde_json::from_str(schema_text).unwrap();
        assert_eq!(schema, command.editor_schema().to_value(), "{}", command.name);
        // By that it is told from settings, where it is saved beside them.
        let first = serde_json::to_string_pretty(&command.editor_schema()).unwrap();
        assert_eq!(schema_text.lines().nth(1), first.lines().nth(1));
    }
    for file in PROJECT_FILES {
        for name in [file.name.to_owned(), file.path.to_owned(), format!("{}.yml", file.path)] {
            let schema: Value = serde_json::from_str(text(&ask(Work::Schema, &json!({ "name": name })))).unwrap();
            assert_eq!(schema, file.schema().to_value(), "{name}");
        }
    }
    let folder = repository("examples/environment");
    let of_folder = ask(Work::Schema, &json!({ "name": "values", "folder": folder }));
    assert_eq!(text(&of_folder), run::schema_of("values", Some(&folder)).unwrap());
    assert_ne!(text(&of_folder), run::schema_of("values", None).unwrap());
    for request in [
        json!({ "name": "tags", "folder": folder }),
        json!({ "name": "values", "folder": "here" }),
        json!({ "name": "x" }),
    ] {
        let code = ask(Work::Schema, &request).failed_with().0.to_owned();
        assert!(code == "RequestInvalid" || code == "PathNotAbsolute", "{request}: {code}");
    }
}
