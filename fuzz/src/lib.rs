//! The fuzzed functions: functions from bytes that anybody may have written to nothing. One that panics, takes long or takes much memory is a
//! finding, and so is a promise that does not hold, which each asserts. `tests/failures/corpus.rs` runs the same functions.

mod answers;
mod links;
mod names;
mod plans;
mod requests;
mod settings;

pub use answers::answers;
pub use links::links;
pub use names::names;
pub use plans::plans;
pub use requests::requests;
pub use settings::settings;

use std::sync::Arc;

use serde_json::Value;
use svc_engine::commands::{COMMANDS, Command, Project, RunFacts};
use svc_engine::settings::Document;

/// The project of the documents.
fn project() -> Project {
    Project { run: RunFacts::of(SUBSCRIPTION), ..Project::without_files() }
}

const SUBSCRIPTION: &str = "10ca1c10-0d00-4000-8000-000000000001";

/// The command that a document is for, by its member `component`; any one where it does not say.
fn command_of(document: &Document) -> &'static Command {
    let component = document.value().get("component").and_then(Value::as_str).unwrap_or_default();
    command_for(component)
}

/// The command of a component; any one where there is none of the name.
fn command_for(component: &str) -> &'static Command {
    COMMANDS.iter().find(|command| command.component.eq_ignore_ascii_case(component.trim())).unwrap_or(&COMMANDS[0])
}

/// The example of the component of a name, that of the first command where there is none, and its command.
fn example(component: &str) -> (Arc<Document>, &'static Command) {
    let command = command_for(component);
    (command.example().unwrap(), command)
}

/// The first line of an input, and the rest.
fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
