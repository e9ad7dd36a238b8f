//! Whole runs of the storage command in this process, and children of this program.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::protocol::{Counts, Message, Next, Operation};
use svc_engine::run::{self, Job, Start, Work};

use crate::settings::storage_command;

/// Longer than any message takes to come.
const PATIENCE: Duration = Duration::from_secs(600);

/// Set for a child: what it has to measure.
const CHILD: &str = "SVC_BENCH_CHILD";

/// The request of a run.
pub(crate) fn request(settings_file: &Path, what_if: bool, context: &Value) -> Vec<u8> {
    json!({ "settingsFile": settings_file, "whatIf": what_if, "context": context }).to_string().into_bytes()
}

pub(crate) fn start(request: &[u8]) -> Operation {
    run::start(Start::new(Work::Deploy(Job::Command(storage_command())), request))
}

/// Takes the next message; none at the end. An error of the operation ends the benchmark.
pub(crate) fn next(operation: &Operation) -> Option<Message> {
    match operation.next(PATIENCE) {
        Next::Message(message) => match *message {
            Message::Error(report) => panic!("{}: {}", report.failure.code, report.failure.message),
            message => Some(message),
        },
        Next::Timeout => panic!("nothing came within {PATIENCE:?}"),
        Next::Finished => None,
    }
}

/// Approves everything that is asked and waits for the end.
pub(crate) fn finish(operation: &Operation) -> Counts {
    let mut counts = None;
    while let Some(message) = next(operation) {
        match message {
            Message::Plan { id, actions, .. } => {
                let approved: Vec<usize> = actions.iter().map(|action| action.index).collect();
                let answer = json!({ "id": id, "approved": approved }).to_string();
                operation.answer(&answer).expect("the plan waits for its answer");
            }
            Message::Result(result) => counts = Some(result),
            _ => {}
        }
    }
    counts.expect("a run that goes well ends with a result")
}

/// Runs the command once and makes sure that it did what it is measured for.
pub(crate) fn deploy(settings_file: &Path, context: &Value, created: usize, unchanged: usize) -> Counts {
    let counts = finish(&start(&request(settings_file, false, context)));
    assert_eq!((counts.created, counts.unchanged), (created, unchanged), "{counts:?}");
    counts
}

pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The task of this child.
pub(crate) fn child_task() -> Vec<String> {
    std::env::var(CHILD).unwrap_or_default().split('\t').map(str::to_owned).collect()
}

/// Runs this program again for a task, and gives the lines that it prints.
pub(crate) fn in_child(task: &[&str]) -> Vec<String> {
    let program = std::env::current_exe().expect("this program has a path");
    let output = std::process::Command::new(program).env(CHILD, task.join("\t")).output().expect("a child starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// The settings document of the README's first command.
pub(crate) fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/storage.yml")
}
