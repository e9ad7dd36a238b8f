//! A local cloud that is an operation of its own: it serves the runs of a session until the host ends it.

use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::protocol::{Message, Next, Operation, Target};
use svc_engine::run::{self, Start, Work};

use crate::support::*;

const PATIENCE: Duration = Duration::from_secs(60);

fn start(request: &Value) -> Operation {
    run::start(Start::new(Work::LocalCloud, request.to_string().as_bytes()))
}

/// The target that it says it has.
fn target(operation: &Operation) -> Target {
    match operation.next(PATIENCE) {
        Next::Message(message) => match *message {
            Message::Target(target) => target,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn end(operation: &Operation) {
    operation.cancel();
    assert_eq!(operation.next(PATIENCE), Next::Finished, "it has nothing to warn of");
}

#[test]
fn it_serves_every_run_until_it_is_ended() {
    let project = Project::with(&document("queue: [orders]"));
    let local = start(&json!({}));
    let found = target(&local);
    assert_eq!(found.cloud, "local");
    assert_eq!(found.subscription_id, svc_local_cloud::LOCAL_SUBSCRIPTION_ID);
    let request = json!({
        "settingsFile": project.path("storage.yml"), "context": {"cloud": found.endpoint}, "environment": {},
    });
    assert_eq!(run(&request).summary(), "created 3");
    assert_eq!(run(&request).summary(), "unchanged 3");
    assert_eq!(local.next(Duration::ZERO), Next::Timeout);
    assert!(!project.path(".svc").exists(), "it keeps nothing where nobody has said so");
    end(&local);
    let context = json!({"context": {"cloud": found.endpoint, "requestTimeout": "1s"}});
    assert!(!run(&with(request.clone(), context)).errors().is_empty());
    // The next one has nothing of it.
    let other = start(&json!({}));
    let request = with(request, json!({"context": {"cloud": target(&other).endpoint}}));
    assert_eq!(run(&request).summary(), "created 3");
}

#[test]
fn a_state_file_outlives_it() {
    let project = Project::with(&document(""));
    let wanted = json!({"stateFile": project.path("kept/state.json")});
    let request = |endpoint: &str| json!({"settingsFile": project.path("storage.yml"), "context": {"cloud": endpoint}, "environment": {}});
    let first = start(&wanted);
    assert_eq!(run(&request(&target(&first).endpoint)).summary(), "created 2");
    // Two at once would each overwrite what the other one keeps.
    let outcome = follow(&start(&wanted), |_| panic!("nothing is asked"));
    assert_eq!(outcome.failed_with().0, "LocalStateInUse");
    end(&first);
    let second = start(&wanted);
    assert_eq!(run(&request(&target(&second).endpoint)).summary(), "unchanged 2");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let project = Project::new();
    let damaged = project.path("damaged.json");
    project.write("damaged.json", "{\"format\": \"svc-local-cloud\", ");
    for (request, code) in [
        (json!({"stateFile": "state.json"}), "PathNotAbsolute"),
        (json!({"stateFile": 7}), "RequestInvalid"),
        (json!({"stateFile": damaged, "port": 80}), "RequestInvalid"),
        (json!([]), "RequestInvalid"),
        (json!({"stateFile": damaged}), "LocalStateDamaged"),
        (json!({"stateFile": project.path("")}), "LocalCloudFailed"),
    ] {
        let outcome = follow(&start(&request), |_| panic!("nothing is asked"));
        assert_eq!(outcome.failed_with().0, code, "{request}");
    }
}

#[test]
fn it_can_be_ended_while_it_waits_for_its_file() {
    let project = Project::new();
    let wanted = json!({"stateFile": project.path("state.json")});
    let first = start(&wanted);
    target(&first);
    let second = start(&wanted);
    let waits = second.next(PATIENCE);
    assert!(matches!(&waits, Next::Message(message) if matches!(**message, Message::Verbose { .. })), "{waits:?}");
    end(&second);
}
