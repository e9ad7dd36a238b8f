//! The local cloud inside the process: where it keeps its state, and what happens when it cannot.

use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, Message};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::*;

fn request(project: &Project, context: Value) -> Value {
    json!({"settingsFile": project.path("storage.yml"), "context": context, "environment": {}})
}

#[test]
fn the_state_is_beside_the_settings_and_survives_the_run() {
    let project = Project::with(&document("queue: [orders]"));
    let beside = request(&project, json!({"cloud": "Local"}));
    let outcome = run(&beside);
    let file = project.path(".svc/local-cloud.json");
    let told = format!("The local cloud keeps its resources in '{}'.", file.display());
    assert!(outcome.verbose().contains(&told.as_str()), "{outcome:#?}");
    let target = outcome.messages.iter().find_map(|message| match message {
        Message::Target(target) => Some(target.cloud.as_str()),
        _ => None,
    });
    assert_eq!(target, Some("local"));
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(run(&beside).summary(), "unchanged 3");
    // Another file is another cloud, named by the context or by its variable.
    let elsewhere = project.path("elsewhere/state.json");
    let named = request(&project, json!({"cloud": "local", "localStateFile": elsewhere}));
    assert_eq!(run(&named).summary(), "created 3");
    let variable = with(
        request(&project, json!({})),
        json!({"environment": {"SVC_CLOUD": "local", "SVC_LOCAL_STATE_FILE": elsewhere}}),
    );
    assert_eq!(run(&variable).summary(), "unchanged 3");
    // What-if leaves it as it is.
    project.write("storage.yml", document("queue: [orders, returns]"));
    let before = std::fs::read(&elsewhere).unwrap();
    assert_eq!(run(&with(named, json!({"whatIf": true}))).plan().len(), 1);
    assert_eq!(std::fs::read(&elsewhere).unwrap(), before);
}

#[test]
fn a_state_file_that_is_in_use() {
    let project = Project::with(&document(""));
    let file = project.path("state.json");
    let other = LocalCloud::start(LocalCloudOptions { state_file: Some(file.clone()), ..LocalCloudOptions::default() });
    let other = other.unwrap();
    let request = request(&project, json!({"cloud": "local", "localStateFile": file}));
    let outcome = run(&request);
    assert_eq!(
        outcome.failed_with(),
        (
            "LocalStateInUse",
            format!(
                "The state file {} is in use by another local cloud. Stop that one, or name another file.",
                file.display()
            )
            .as_str()
        )
    );
    assert_eq!(outcome.last_error().failure.category, ErrorCategory::ResourceBusy);
    drop(other);
    assert_eq!(run(&request).summary(), "created 2");
}

#[test]
fn a_run_waits_for_the_state_file_of_another() {
    let project = Project::with(&document(""));
    let file = project.path("state.json");
    let options = LocalCloudOptions { state_file: Some(file.clone()), ..LocalCloudOptions::default() };
    let mut other = Some(LocalCloud::start(options).unwrap());
    let operation = start(&request(&project, json!({"cloud": "local", "localStateFile": file})));
    let mut messages = Vec::new();
    // The other one ends when this one says that it waits.
    while let Some(message) = next(&operation) {
        match &message {
            Message::Verbose { message } if message.contains("waiting a moment") => drop(other.take()),
            Message::Plan { id, actions, .. } => {
                let approved: Vec<usize> = actions.iter().map(|action| action.index).collect();
                operation.answer(&json!({"id": id, "approved": approved}).to_string()).unwrap();
            }
            _ => {}
        }
        messages.push(message);
    }
    assert!(other.is_none());
    assert_eq!(Outcome { messages }.summary(), "created 2");
}

#[test]
fn a_damaged_state_file_is_left_as_it_is() {
    let project = Project::with(&document(""));
    let file = project.path("state.json");
    let request = request(&project, json!({"cloud": "local", "localStateFile": file}));
    run(&request);
    let good = std::fs::read_to_string(&file).unwrap();
    let table = [
        (String::new(), (1, 0), "the file ends where more is expected"),
        (
            "[]".to_owned(),
            (1, 2),
            "expected an object, found a list; 'svc local import' makes a state of a list of resources",
        ),
        ("\u{FEFF}7".to_owned(), (1, 1), "expected an object, found 7"),
        ("not json".to_owned(), (1, 2), "this is not JSON"),
        ("{}".to_owned(), (1, 2), "'format' is missing"),
        (good.replace("svc-local-cloud", "something"), (1, 21), "the format is 'something', not 'svc-local-cloud'"),
        (good.replace("\"version\":1", "\"version\":2"), (1, 39), "the version is 2, this program reads 1"),
        (good.replace("\"version\":1", "\"version\":\"1\""), (1, 41), "expected a number, found \"1\""),
        (good.replace("\"version\":1", "\"version\":1.5"), (1, 41), "expected a number, found 1.5"),
        (good.replace("\"resources\":[", "\"stranger\":1,\"resources\":["), (2, 10), "'stranger' is not known"),
        (good.replace("\"resources\":[", "\"resources\":true,\"stranger\":["), (2, 16), "expected a list, found true"),
        (good.replace("\"resources\":[", "\"resources\":[null,"), (2, 17), "expected an object, found null"),
        (good.replace("\"resources\":[", "\"resources\":[{\"body\":[]},"), (2, 21), "expected an object, found a list"),
    ];
    for (text, (line, column), cause) in table {
        std::fs::write(&file, &text).unwrap();
        let outcome = run(&request);
        let message = format!(
            "The state file {} is damaged at line {line}, column {column}. It was not changed: repair it, restore a copy, or move it away to start with an empty local cloud. The cause is: {cause}.",
            file.display()
        );
        assert_eq!(outcome.failed_with(), ("LocalStateDamaged", message.as_str()));
        assert_eq!(outcome.last_error().failure.category, ErrorCategory::InvalidData);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
    // Half a file, as a full disk would leave it: the place is where it ends.
    std::fs::write(&file, &good[..good.len() / 2]).unwrap();
    let outcome = run(&request);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "LocalStateDamaged");
    assert!(
        message.contains(" is damaged at line ") && message.contains("the file ends where more is expected"),
        "{message}"
    );
    std::fs::write(&file, good).unwrap();
    assert_eq!(run(&request).summary(), "unchanged 2");
}

#[test]
fn a_state_file_that_cannot_be_there() {
    let project = Project::with(&document(""));
    project.write("file", "x");
    let file = project.path("file/state.json");
    let outcome = run(&request(&project, json!({"cloud": "local", "localStateFile": file})));
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "LocalCloudFailed");
    assert!(message.starts_with(&format!("The state file {} cannot be opened. ", file.display())), "{message}");
}
