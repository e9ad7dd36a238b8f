//! `--output sarif`: what is wrong with documents, in the form that code scanning reads (OASIS: "Static Analysis Results Interchange
//! Format (SARIF) Version 2.1.0").

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_engine::protocol::{Action, Difference, ErrorReport, FindingReport, Message, Warning, escaped_json};
use url::Url;

use super::output::{complain, prompt, say_raw};
use super::render::Renderer;

/// One log of everything that is checked; it is printed at the end.
#[derive(Default)]
pub(super) struct Sarif {
    /// The documents that are under way, and folders of them.
    documents: Vec<PathBuf>,
    /// The problems that are found, in the order of the documents.
    results: Vec<Value>,
    /// Each kind of finding, once.
    rules: Vec<Value>,
    /// The problems of no document: the reasons why one was not checked.
    notifications: Vec<Value>,
}

/// The rule of a warning without a code.
const WARNING: (&str, &str) = ("Warning", "Something the user should know although the document is valid.");

/// The rule of a difference.
const DRIFT: (&str, &str) = ("Drift", "What exists is not what the document says.");

impl Sarif {
    fn rule(&mut self, id: &str, help: &str) -> usize {
        let known = self.rules.iter().position(|rule| rule["id"] == id);
        known.unwrap_or_else(|| {
            self.rules.push(json!({ "id": id, "shortDescription": { "text": help } }));
            self.rules.len() - 1
        })
    }

    fn finding(&mut self, finding: &FindingReport) {
        let file = finding.file.as_ref().map(PathBuf::from);
        let region = finding.line.zip(finding.column);
        let mut location = location(file.as_deref(), region);
        if !finding.path.is_empty() {
            location["logicalLocations"] = logical(&finding.path);
        }
        let message = if finding.path.is_empty() {
            finding.message.clone()
        } else {
            format!("{}: {}", finding.path, finding.message)
        };
        let rule = self.rule(finding.code.as_str(), finding.code.help());
        self.result(finding.code.as_str(), rule, "error", &message, location);
    }

    fn warning(&mut self, warning: &Warning) {
        let only = match self.documents.as_slice() {
            [only] if only.is_file() => Some(only.as_path()),
            _ => None,
        };
        let (mut location, message) = match &warning.place {
            Some(place) => {
                let region = Some((place.line, place.column));
                (location(Some(Path::new(&place.file)), region), place.rest_of(&warning.message))
            }
            None => (location(only, None), warning.message.as_str()),
        };
        if let Some(path) = &warning.path {
            location["logicalLocations"] = logical(path);
        }
        let (id, help) = warning.code.map_or(WARNING, |code| (code.as_str(), code.help()));
        let rule = self.rule(id, help);
        self.result(id, rule, "warning", message, location);
    }

    fn difference(&mut self, difference: &Difference) {
        let file = difference.place.as_ref().map(|place| PathBuf::from(&place.file));
        let region = difference.place.as_ref().map(|place| (place.line, place.column));
        let rule = self.rule(DRIFT.0, DRIFT.1);
        let message =
            format!("{} {}: {}", difference.resource.label, difference.resource.full_name, difference.sentence);
        self.result(DRIFT.0, rule, "warning", &message, location(file.as_deref(), region));
        if let Some(result) = self.results.last_mut() {
            result["partialFingerprints"] = json!({ "svcDifference/v1": difference.fingerprint });
        }
    }

    fn result(&mut self, id: &str, rule: usize, level: &str, message: &str, location: Value) {
        let mut result = json!({ "ruleId": id, "ruleIndex": rule, "level": level, "message": { "text": message } });
        if location.as_object().is_some_and(|members| !members.is_empty()) {
            result["locations"] = json!([location]);
        }
        self.results.push(result);
    }

    fn error(&mut self, report: &ErrorReport) {
        for finding in &report.findings {
            self.finding(finding);
        }
        if report.findings.is_empty() {
            let advice = report.failure.recommendation.as_deref().unwrap_or_default();
            let text = format!("{} {advice}", report.failure.message);
            self.notifications.push(json!({
                "level": "error",
                "message": { "text": text.trim_end() },
                "descriptor": { "id": report.failure.code.to_string() },
            }));
        }
    }

    fn log(&self) -> Value {
        let mut invocation = json!({ "executionSuccessful": self.notifications.is_empty() });
        if !self.notifications.is_empty() {
            invocation["toolExecutionNotifications"] = json!(self.notifications);
        }
        json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "svc", "version": env!("CARGO_PKG_VERSION"), "rules": self.rules } },
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": self.results,
            }],
        })
    }
}

/// A setting.
fn logical(path: &str) -> Value {
    json!([{ "fullyQualifiedName": path, "kind": "member" }])
}

/// A place in a file; empty where there is no file.
fn location(file: Option<&Path>, region: Option<(usize, usize)>) -> Value {
    let Some(uri) = file.and_then(uri) else { return json!({}) };
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    if let Some((line, column)) = region {
        physical["region"] = json!({ "startLine": line, "startColumn": column });
    }
    json!({ "physicalLocation": physical })
}

/// A file as a URI: from the checked-out repository or the working folder where it is below them, since code scanning knows its files
/// by such paths.
fn uri(file: &Path) -> Option<String> {
    let file = std::path::absolute(file).ok()?;
    let workspace = std::env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from);
    let roots = [workspace, std::env::current_dir().ok()];
    let whole = Url::from_file_path(&file).ok()?;
    let root = roots.into_iter().flatten().find(|root| file.starts_with(root));
    let relative = root.and_then(|root| Url::from_directory_path(root).ok()?.make_relative(&whole));
    Some(relative.unwrap_or_else(|| whole.to_string()))
}

impl Renderer for Sarif {
    fn show(&mut self, message: &Message) {
        match message {
            Message::Error(report) => self.error(report),
            Message::Warning(warning) => self.warning(warning),
            Message::Drift(drift) => drift.differences.iter().for_each(|difference| self.difference(difference)),
            _ => {}
        }
    }

    fn deletions(&mut self, _: &[Action]) {}

    fn ask(&mut self, question: &str) {
        prompt(question);
    }

    fn begin(&mut self, documents: Vec<PathBuf>) {
        self.documents = documents;
    }

    fn finish(&mut self) {}

    fn conclude(&mut self) {
        match serde_json::to_string_pretty(&self.log()) {
            Ok(text) => say_raw(&escaped_json(text)),
            Err(error) => complain(error.to_string()),
        }
    }
}
