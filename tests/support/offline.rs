//! Plans that are made offline. The variables name a kind of credential that is not there, so that nobody can be asked by mistake.

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_engine::run::{self, Job, Start, Work, registry as commands};

use crate::support::*;

/// Rehearses `storage.yml` as [`command`] does.
pub(crate) fn rehearse(project: &Project, context: &Value) -> (Vec<Value>, i32) {
    command_with("New-SvcIaasStorage", project, "storage.yml", context)
}

/// Rehearses a document for the public cloud offline, and returns the messages and 0, or 1 where an error ended it.
pub(crate) fn command(name: &str, project: &Project, file: &str) -> (Vec<Value>, i32) {
    command_with(name, project, file, &json!({}))
}

/// The same with members of the context.
pub(crate) fn command_with(name: &str, project: &Project, file: &str, context: &Value) -> (Vec<Value>, i32) {
    let request = json!({
        "settingsFile": project.path(file),
        "whatIf": true,
        "context": {"cloud": "public", "offline": true},
        "environment": {"AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential"},
    });
    let request = with(request, json!({"context": context}));
    let operation = run::start(Start::new(
        Work::Deploy(Job::Command(commands::find(name).unwrap())),
        request.to_string().as_bytes(),
    ));
    let outcome = follow(&operation, |_| Vec::new());
    let failed = outcome.messages.iter().any(|message| matches!(message, Message::Error(error) if error.terminating));
    (outcome.messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect(), i32::from(failed))
}

/// The messages of one kind.
pub(crate) fn with_event<'a>(messages: &'a [Value], event: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["event"] == event).collect()
}
