//! A project folder, a local cloud, and one way to run an operation to its end.

pub(crate) mod estate;
pub(crate) mod everything;
pub(crate) mod examples;
pub(crate) mod internet;
#[cfg(unix)]
pub(crate) mod little_memory;
pub(crate) mod offline;
pub(crate) mod spellings;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::protocol::{
    Action, Code, Counts, ErrorReport, FailureReport, Kept, Message, Next, Operation, Pace, ResourceReport,
    UnchangedReport,
};
use svc_engine::run::registry as commands;
use svc_engine::run::{Job, Work};
use svc_local_cloud::{Fault, LOCAL_SUBSCRIPTION_ID, LocalCloud, LocalCloudOptions, OperationTime, RecordedRequest};

/// No operation of these tests takes longer, unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A local cloud that remembers its requests.
pub(crate) fn cloud() -> LocalCloud {
    cloud_with(LocalCloudOptions::default())
}

/// A local cloud with other options.
pub(crate) fn cloud_with(options: LocalCloudOptions) -> LocalCloud {
    let default = LocalCloudOptions::default();
    let operation_time = if options.operation_time == default.operation_time {
        OperationTime::Fixed(Duration::from_millis(5))
    } else {
        options.operation_time
    };
    // The tests of signing in reach it under the names of Azure.
    let host_names = internet::HOSTS.iter().map(|host| (*host).to_owned()).collect();
    LocalCloud::start(LocalCloudOptions { record_requests: 100_000, operation_time, host_names, ..options }).unwrap()
}

/// A fault by its text, as `svc local --fault` takes it.
pub(crate) fn fault(text: &str) -> Fault {
    text.parse().unwrap()
}

/// The path of a resource in the subscription of the local cloud.
pub(crate) fn in_subscription(path: &str) -> String {
    format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}/{path}")
}

/// The resource group of [`document`].
pub(crate) const GROUP: &str = "resourceGroups/rg-shop-iaas-99b8167f";
/// The account of [`document`].
pub(crate) const ACCOUNT: &str =
    "resourceGroups/rg-shop-iaas-99b8167f/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec";

/// A document with one Standard account, Orders in Shop, that has these further lines.
pub(crate) fn document(account: &str) -> String {
    document_of(&[("Orders", &format!("accountType: Standard\n{account}"))])
}

/// A document with accounts in the group Shop, each with its name and its further lines.
pub(crate) fn document_of(accounts: &[(&str, &str)]) -> String {
    let mut text = "location: UK South\nresourceGroupName: Shop\nstorageAccounts:\n".to_owned();
    for (name, lines) in accounts {
        text.push_str(&format!("  - storageAccountName: {name}\n"));
        for line in lines.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

/// A folder with settings files, gone at the end of the test.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> Project {
        Project { folder: tempfile::tempdir().unwrap() }
    }

    /// A project with one settings document, `storage.yml`.
    pub(crate) fn with(text: &str) -> Project {
        let project = Project::new();
        project.write("storage.yml", text);
        project
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// A request for `storage.yml` against a local cloud. Members can be added or replaced.
    pub(crate) fn request(&self, cloud: &LocalCloud) -> Value {
        self.request_for("storage.yml", cloud)
    }

    pub(crate) fn request_for(&self, file: &str, cloud: &LocalCloud) -> Value {
        json!({
            "settingsFile": self.path(file),
            "context": { "cloud": cloud.endpoint() },
            "environment": {},
        })
    }

    /// Runs `storage.yml` and approves everything.
    pub(crate) fn deploy(&self, cloud: &LocalCloud) -> Outcome {
        run(&self.request(cloud))
    }

    /// Runs `storage.yml` with `whatIf`.
    pub(crate) fn rehearse(&self, cloud: &LocalCloud) -> Outcome {
        run(&with(self.request(cloud), json!({"whatIf": true})))
    }
}

/// A request with other members over it; `context` is merged.
pub(crate) fn with(mut request: Value, members: Value) -> Value {
    for (key, value) in members.as_object().unwrap() {
        match (key.as_str(), value) {
            ("context", Value::Object(context)) => {
                request["context"].as_object_mut().unwrap().extend(context.clone());
            }
            _ => request[key] = value.clone(),
        }
    }
    request
}

/// Starts an operation of the storage command.
pub(crate) fn start(request: &Value) -> Operation {
    start_command("New-SvcIaasStorage", request, UNHURRIED)
}

/// Nothing is read again because a machine is slow, so that requests can be counted.
pub(crate) const UNHURRIED: Pace = Pace { retry_pause: None, fresh: Some(Duration::from_secs(3600)) };
/// Everything is read again before it is written, as if each question had been answered after minutes.
pub(crate) const AFTER_A_WHILE: Pace = Pace { retry_pause: None, fresh: Some(Duration::ZERO) };

/// Starts an operation of a command, at a pace where the package that is tested lets its tests set one.
pub(crate) fn start_command(command: &str, request: &Value, pace: Pace) -> Operation {
    let work = Work::Deploy(Job::Command(commands::find(command).unwrap()));
    crate::start_at(work, request.to_string().as_bytes(), pace)
}

/// Runs a request to its end and approves everything.
pub(crate) fn run(request: &Value) -> Outcome {
    follow(&start(request), |actions| actions.iter().map(|action| action.index).collect())
}

/// Runs a request to its end and approves the actions that `approves` says yes to.
pub(crate) fn run_approving(request: &Value, approves: impl Fn(&Action) -> bool) -> Outcome {
    follow(&start(request), |actions| {
        actions.iter().filter(|action| approves(action)).map(|action| action.index).collect()
    })
}

/// Collects the messages of an operation to its end and answers its plan.
pub(crate) fn follow(operation: &Operation, mut answer: impl FnMut(&[Action]) -> Vec<usize>) -> Outcome {
    let mut messages = Vec::new();
    while let Some(message) = next(operation) {
        if let Message::Plan { id, actions, .. } = &message {
            let answer = json!({"id": id, "approved": answer(actions)}).to_string();
            operation.answer(&answer).unwrap();
        }
        messages.push(message);
    }
    Outcome { messages }
}

/// The next message; none at the end. Fails the test when nothing comes for long.
pub(crate) fn next(operation: &Operation) -> Option<Message> {
    match operation.next(PATIENCE) {
        Next::Message(message) => Some(*message),
        Next::Finished => None,
        Next::Timeout => panic!("no message within {} seconds", PATIENCE.as_secs()),
    }
}

/// Waits until something is true, at most [`PATIENCE`].
pub(crate) fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_true() {
        assert!(Instant::now() < deadline, "in vain waited for: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Everything an operation said.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) messages: Vec<Message>,
}

impl Outcome {
    /// The planned actions; none when no plan was sent.
    pub(crate) fn plan(&self) -> &[Action] {
        let plans: Vec<&Vec<Action>> = self
            .messages
            .iter()
            .filter_map(|message| if let Message::Plan { actions, .. } = message { Some(actions) } else { None })
            .collect();
        assert!(plans.len() <= 1, "the plan comes once: {plans:#?}");
        plans.first().map_or(&[], |actions| actions)
    }

    /// The descriptions of what would be done, as people read them.
    pub(crate) fn descriptions(&self) -> Vec<&str> {
        self.plan().iter().map(|action| action.description.as_str()).collect()
    }

    /// The action for the resource of a name.
    pub(crate) fn action(&self, name: &str) -> &Action {
        self.plan()
            .iter()
            .find(|action| action.resource.name == name)
            .unwrap_or_else(|| panic!("no action for '{name}' in {self:#?}"))
    }

    /// The counts at the end. Fails the test when the run ended early, or when what failed is not told as it has to be: one
    /// error after the other, the result, and then the error that sums them up.
    pub(crate) fn counts(&self) -> Counts {
        let (rest, summary) = match self.messages.as_slice() {
            [rest @ .., Message::Error(summary)] if summary.failure.code == Code::DeploymentFailed => {
                (rest, Some(summary))
            }
            rest => (rest, None),
        };
        let [rest @ .., Message::Result(counts)] = rest else { panic!("no result at the end of {self:#?}") };
        let errors = self.errors();
        assert_eq!(counts.failed, errors.len(), "{self:#?}");
        assert_eq!(summary.is_some(), !errors.is_empty(), "{self:#?}");
        let last: Vec<&Message> = rest[rest.len() - errors.len()..].iter().collect();
        assert!(last.iter().all(|message| matches!(message, Message::Error(_))), "errors come last: {self:#?}");
        if let Some(summary) = summary {
            assert!(summary.terminating && errors.iter().all(|error| !error.terminating), "{self:#?}");
            let failures: Vec<FailureReport> = errors.into_iter().map(|error| error.failure.clone()).collect();
            assert_eq!(summary.failures, failures);
            let done = |report: &ResourceReport| ResourceReport { properties: None, ..report.clone() };
            assert_eq!(summary.done, self.resources().into_iter().map(done).collect::<Vec<_>>());
        }
        *counts
    }

    /// The error that ends a run in which something failed.
    pub(crate) fn deployment_failed(&self) -> &ErrorReport {
        match self.messages.last() {
            Some(Message::Error(report)) if report.failure.code == Code::DeploymentFailed => report,
            _ => panic!("not ended by DeploymentFailed: {self:#?}"),
        }
    }

    /// The counts that are not zero, as in `created 3, unchanged 1`.
    pub(crate) fn summary(&self) -> String {
        let counts = self.counts();
        let parts = [
            ("created", counts.created),
            ("modified", counts.modified),
            ("unchanged", counts.unchanged),
            ("deleted", counts.deleted),
            ("skipped", counts.skipped),
            ("failed", counts.failed),
            ("kept", counts.kept),
            ("left out", counts.left_out),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
        parts.join(", ")
    }

    /// The texts that hosts show as warnings: what is kept, too.
    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.messages
            .iter()
            .filter_map(|message| match message {
                Message::Warning(warning) => Some(warning.message.as_str()),
                Message::Kept(kept) => Some(kept.reason.as_str()),
                _ => None,
            })
            .collect()
    }

    /// The values that stay as they are.
    pub(crate) fn kept(&self) -> Vec<&Kept> {
        self.messages
            .iter()
            .filter_map(|message| if let Message::Kept(kept) = message { Some(kept) } else { None })
            .collect()
    }

    pub(crate) fn verbose(&self) -> Vec<&str> {
        self.messages
            .iter()
            .filter_map(
                |message| if let Message::Verbose { message } = message { Some(message.as_str()) } else { None },
            )
            .collect()
    }

    /// The errors, without the one that sums the others up.
    pub(crate) fn errors(&self) -> Vec<&ErrorReport> {
        self.messages
            .iter()
            .filter_map(|message| if let Message::Error(report) = message { Some(report) } else { None })
            .filter(|report| report.failure.code != Code::DeploymentFailed)
            .collect()
    }

    /// The resources that are up to date, where that was asked for.
    pub(crate) fn unchanged(&self) -> Vec<&UnchangedReport> {
        self.messages
            .iter()
            .filter_map(|message| if let Message::Unchanged(report) = message { Some(report) } else { None })
            .collect()
    }

    pub(crate) fn resources(&self) -> Vec<&ResourceReport> {
        self.messages
            .iter()
            .filter_map(|message| if let Message::Resource(report) = message { Some(report) } else { None })
            .collect()
    }

    /// The error that ended the run: the last message, and the only error.
    pub(crate) fn last_error(&self) -> &ErrorReport {
        match (self.errors().as_slice(), self.messages.last()) {
            ([only], Some(Message::Error(last))) if *only == last && last.terminating => last,
            _ => panic!("not ended by one error: {self:#?}"),
        }
    }

    /// The code and message of the error that ended the run.
    pub(crate) fn failed_with(&self) -> (&str, &str) {
        let report = self.last_error();
        (report.failure.code.as_str(), &report.failure.message)
    }
}

/// The requests that came after the first `before`.
pub(crate) fn requests_after(cloud: &LocalCloud, before: usize) -> Vec<RecordedRequest> {
    cloud.requests().split_off(before)
}

/// The methods and paths of requests, as in `PUT resourceGroups/x`, below the subscription.
pub(crate) fn shown(requests: &[RecordedRequest]) -> Vec<String> {
    requests
        .iter()
        .map(|request| {
            let path = request.url.split('?').next().unwrap();
            let path = path.trim_start_matches(&in_subscription(""));
            format!("{} {path}", request.method)
        })
        .collect()
}

/// The requests that change something. Secrets are read by actions, which are sent by POST.
pub(crate) fn writes(requests: &[RecordedRequest]) -> Vec<RecordedRequest> {
    let is_read = |request: &RecordedRequest| {
        let path = request.url.split('?').next().unwrap();
        let questions = ["/list", "/listKeys", "/checkNameAvailability"];
        request.method == "GET" || request.method == "POST" && questions.iter().any(|question| path.ends_with(question))
    };
    requests.iter().filter(|request| !is_read(request)).cloned().collect()
}

/// A resource of the local cloud, by its path in the subscription.
pub(crate) fn resource(cloud: &LocalCloud, path: &str) -> Value {
    cloud.resource(&in_subscription(path)).unwrap_or_else(|| panic!("{path} does not exist"))
}

/// Changes a resource of the local cloud behind the engine's back.
pub(crate) fn tamper(cloud: &LocalCloud, path: &str, change: impl FnOnce(&mut Value)) {
    let mut body = resource(cloud, path);
    // Not every resource shows its id as it is addressed.
    body["id"] = json!(in_subscription(path));
    // An import keeps the etag that it is given, and somebody else's change has another.
    body.as_object_mut().unwrap().remove("etag");
    change(&mut body);
    cloud.import(&[body]).unwrap();
}

/// The part of an enumeration that a test tries: one in so many, or each where the variable is `all`, as in `.ci/extended`.
pub(crate) fn one_in(many: usize, variable: &str) -> usize {
    if std::env::var(variable).is_ok_and(|choice| choice == "all") { 1 } else { many }
}

/// A file of the repository.
pub(crate) fn repository(file: &str) -> PathBuf {
    // The tests of the program use this as well, and their package is a folder further down.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().find(|folder| folder.join("examples").is_dir()).unwrap().join(file)
}
