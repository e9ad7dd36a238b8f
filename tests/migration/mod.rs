//! A complete project of the replaced module (documents, naming, tags, definitions) over an estate as that module left it. What the
//! first what-if of each command shows is quoted in `docs/migrating.md`, word for word.
//!
//! `estate.json` is what that module deployed from the documents in `project`, in the shape in which Azure shows it today. It is
//! kept by hand and made by nothing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_engine::protocol::Code;
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

/// A document of the project.
struct Old {
    command: &'static str,
    file: &'static str,
    /// The tag settings file that its script passes.
    tags: Option<&'static str>,
}

const PROJECT: &[Old] = &[
    Old { command: CORE_MONITOR, file: "monitor.yml", tags: Some("") },
    Old { command: STORAGE, file: "storage.json", tags: Some("tags.json") },
    Old { command: PRIVATE_ENDPOINTS, file: "endpoints.yml", tags: None },
    Old { command: BASTION_HOSTS, file: "bastion.yml", tags: None },
    Old { command: WEB, file: "web.yml", tags: None },
    Old { command: LOG_ALERTS, file: "logAlerts.yml", tags: None },
    Old { command: METRIC_ALERTS, file: "metricAlerts.yml", tags: None },
    Old { command: RESOURCE_HEALTH_ALERTS, file: "healthAlerts.yml", tags: None },
];

/// The project as somebody checked it out: a folder that the run does not write to.
fn project() -> PathBuf {
    repository("tests/migration/project")
}

/// The subscription as the replaced module left it.
fn estate() -> LocalCloud {
    let cloud = cloud();
    let text = std::fs::read(repository("tests/migration/estate.json")).unwrap();
    let resources: Vec<Value> = serde_json::from_slice(&text).unwrap();
    cloud.import(&resources).unwrap();
    cloud
}

impl Old {
    fn run(&self, cloud: &LocalCloud, what_if: bool) -> Outcome {
        self.run_with(cloud, what_if, json!({"serviceTagKey": "cm-service"}))
    }

    /// A run with more members of the context.
    fn run_with(&self, cloud: &LocalCloud, what_if: bool, context: Value) -> Outcome {
        let mut request = json!({
            "settingsFile": project().join(self.file),
            "whatIf": what_if,
            "context": {
                "cloud": cloud.endpoint(),
                "environment": "production",
                "exceptionTagKey": "cm-monitor-exception",
            },
            "environment": {},
        });
        request["context"].as_object_mut().unwrap().extend(context.as_object().unwrap().clone());
        if let Some(tags) = self.tags {
            // An empty path is no path, as wrappers of the replaced module pass it.
            let path = if tags.is_empty() { PathBuf::new() } else { project().join(tags) };
            request["tagSettingsFile"] = json!(path);
        }
        let deployment = Deployment::new(self.command, "");
        follow(&deployment.start(&request), |actions| actions.iter().map(|action| action.index).collect())
    }

    /// What the first what-if shows, as PowerShell writes it.
    fn shown(&self) -> String {
        let outcome = self.run(&estate(), true);
        let mut text = String::new();
        for warning in outcome.warnings() {
            writeln!(text, "WARNING: {warning}").unwrap();
        }
        for action in outcome.plan() {
            writeln!(text, "What if: {}", action.description).unwrap();
        }
        for error in outcome.errors() {
            writeln!(text, "{}: {}", error.code.as_str(), error.message).unwrap();
        }
        if outcome.plan().is_empty() && outcome.errors().is_empty() {
            writeln!(text, "{}", outcome.verbose().last().unwrap()).unwrap();
        }
        text.replace(&format!("{}/", project().display()), "")
    }
}

/// The block of `docs/migrating.md` with what a command shows: between the line that names the document and the end of the block.
fn block(file: &str) -> String {
    format!("<!-- what-if of {file} -->\n\n```text\n")
}

/// Puts what is shown into the block of a document.
fn with_block(guide: &str, file: &str, shown: &str) -> String {
    let begin = block(file);
    let (before, rest) = guide.split_once(&begin).unwrap_or_else(|| panic!("docs/migrating.md has no '{begin}'"));
    let (_, after) = rest.split_once("```").unwrap();
    format!("{before}{begin}{shown}```{after}")
}

#[test]
fn the_guide_quotes_what_the_first_what_if_shows() {
    let path = repository("docs/migrating.md");
    let mut guide = std::fs::read_to_string(&path).unwrap();
    for document in PROJECT {
        guide = with_block(&guide, document.file, &document.shown());
    }
    expectorate::assert_contents(Path::new(&path), &guide);
}

#[test]
fn after_the_first_run_the_second_finds_everything_as_it_should_be() {
    let cloud = estate();
    for document in PROJECT {
        let first = document.run(&cloud, false);
        assert!(
            first.errors().iter().all(|error| error.code == Code::ClassicProfile),
            "{}: {:#?}",
            document.file,
            first.errors()
        );
        let second = document.run(&cloud, false);
        assert_eq!(second.descriptions(), [] as [&str; 0], "{}", document.file);
    }
}

/// Core monitoring and storage look nothing up that is there already, so that only the resources themselves tell.
#[test]
fn without_the_tag_key_of_the_estate_nothing_is_tagged_a_second_time() {
    for file in ["monitor.yml", "storage.json"] {
        let document = PROJECT.iter().find(|document| document.file == file).unwrap();
        let cloud = estate();
        let outcome = document.run_with(&cloud, false, json!({}));
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "ServiceTagKeyDiffers", "{message}");
        assert!(message.contains("is in its tag 'cm-service'"), "{message}");
        assert!(message.ends_with("because serviceTagKey is not set. Nothing was changed."), "{message}");
        let recommendation = outcome.failure().recommendation.clone().unwrap();
        assert!(recommendation.contains("Set-SvcContext -ServiceTagKey cm-service"), "{recommendation}");
        assert_eq!(shown(&writes(&cloud.requests())), [] as [&str; 0]);
        // A key that is said is obeyed, also the one that is the default.
        let outcome = document.run_with(&cloud, true, json!({"serviceTagKey": "svc-service"}));
        assert!(outcome.plan().iter().any(|action| action.description.contains("tags.svc-service")), "{outcome:#?}");
    }
}

#[test]
fn a_run_for_the_wrong_environment_says_whose_names_are_there() {
    let document = PROJECT.iter().find(|document| document.file == "metricAlerts.yml").unwrap();
    let in_environment = |environment: &str| {
        let context = json!({"serviceTagKey": "cm-service", "environment": environment});
        let outcome = document.run_with(&estate(), true, context);
        outcome
            .warnings()
            .into_iter()
            .filter(|warning| warning.starts_with("Everything would"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let [warning] = &in_environment("test")[..] else { panic!() };
    assert!(
        warning.starts_with("Everything would be created anew in the environment test ('tst' in names), beside resources of the environment production ('prd'), such as 'alt-mtr-"),
        "{warning}"
    );
    assert!(warning.ends_with("set the environment of the context to production."), "{warning}");
    assert_eq!(in_environment("production"), [] as [&str; 0]);
}
