use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::commands::COMMANDS;
use svc_engine::protocol::{Code, MadeWith, Message, Next, Operation};
use svc_engine::run::{self, Job, Start, Work};

/// The time that an operation may take that reaches nobody.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request as a host sends it, and the answers to questions. The operation has settings that are wrong, so that it ends before it reads
/// files that the input names or contacts somebody.
pub fn requests(data: &[u8]) {
    let _ = run::settings_object(data);
    let request = match serde_json::from_slice::<Value>(data) {
        Ok(Value::Object(mut members)) => {
            members.retain(|name, _| !["settingsFile", "tagSettingsFile"].contains(&name.as_str()));
            members.insert("settings".to_owned(), json!({}));
            Value::Object(members).to_string().into_bytes()
        }
        // One that cannot be read.
        _ => data.to_vec(),
    };
    let operation = run::start(Start::new(Work::Deploy(Job::Command(&COMMANDS[0])), &request));
    let _ = operation.answer(&String::from_utf8_lossy(data));
    let mut has_failed = false;
    loop {
        match operation.next(PATIENCE) {
            Next::Message(message) => has_failed |= is_failure(&message),
            Next::Finished => break,
            Next::Timeout => panic!("an operation without end"),
        }
    }
    assert!(has_failed, "an operation with an empty document went on");
    ask(data);
}

/// An operation that asks for approvals and for a token, with the input as the answer to both.
fn ask(data: &[u8]) {
    let Ok(answer) = std::str::from_utf8(data) else { return };
    let operation = Operation::start(|host| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let questions = async {
            tokio::join!(host.confirm(None, MadeWith::default(), Vec::new()), host.token("https://arm.example", None))
        };
        let _ = runtime.block_on(questions);
    });
    while let Next::Message(message) = operation.next(Duration::from_millis(1)) {
        is_failure(&message);
        let _ = operation.answer(answer);
    }
    operation.cancel();
    while let Next::Message(message) = operation.next(PATIENCE) {
        is_failure(&message);
    }
}

fn is_failure(message: &Message) -> bool {
    let Message::Error(report) = message else { return false };
    assert_ne!(report.failure.code, Code::InternalError, "{}", report.failure.message);
    report.terminating
}
