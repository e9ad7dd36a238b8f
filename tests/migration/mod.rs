//! Two projects of the replaced module (documents, naming, tags, definitions) over an estate as that module left it: one with its last naming
//! files, one with those of 2020. What the first what-if of each command shows is quoted in `docs/migrating.md`, word for word.
//!
//! `estate.json` is what the templates of that module wrote for the documents in `project`, in the shape in which Azure shows it today. It is
//! kept by hand and made by nothing. `files_of_2020` has the naming files of 2020, and in `names.json` what the rule of that module, on
//! its own, makes of each name that is another one with them: the hash of the segments before it, empty ones included.

mod carried_over;
mod guide;
mod refusals;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;
use tempfile::TempDir;

use crate::support::estate::*;
use crate::support::*;

/// A document of the project.
struct Old {
    command: &'static str,
    file: &'static str,
    /// The tag settings file that its script passes.
    tags: Option<&'static str>,
}

const DOCUMENTS: &[Old] = &[
    Old { command: CORE_MONITOR, file: "monitor.yml", tags: Some("") },
    Old { command: STORAGE, file: "storage.json", tags: Some("tags.json") },
    Old { command: PRIVATE_ENDPOINTS, file: "endpoints.yml", tags: None },
    Old { command: BASTION_HOSTS, file: "bastion.yml", tags: None },
    Old { command: WEB, file: "web.yml", tags: None },
    Old { command: LOG_ALERTS, file: "logAlerts.yml", tags: None },
    Old { command: METRIC_ALERTS, file: "metricAlerts.yml", tags: None },
    Old { command: RESOURCE_HEALTH_ALERTS, file: "healthAlerts.yml", tags: None },
];

/// The document of a file.
fn document(file: &str) -> &'static Old {
    DOCUMENTS.iter().find(|document| document.file == file).unwrap()
}

/// A project with its estate.
struct Project {
    folder: PathBuf,
    /// The names of the estate that are others with its naming files.
    names: BTreeMap<String, String>,
    /// The copy that it is, where it is one.
    copy: Option<TempDir>,
}

impl Project {
    /// The one with the last naming files, as somebody checked it out: a folder that the run does not write to.
    fn current() -> Project {
        Project { folder: repository("tests/migration/project"), names: BTreeMap::new(), copy: None }
    }

    /// The same documents with the naming files of 2020.
    fn of_2020() -> Project {
        let copy = tempfile::tempdir().unwrap();
        let (from, files) = (repository("tests/migration/project"), repository("tests/migration/files_of_2020"));
        copy_files(&from, copy.path());
        copy_files(&from.join("_tags"), &copy.path().join("_tags"));
        copy_files(&files, &copy.path().join("_names"));
        std::fs::remove_file(copy.path().join("_names/names.json")).unwrap();
        let names = serde_json::from_slice(&std::fs::read(files.join("names.json")).unwrap()).unwrap();
        Project { folder: copy.path().to_owned(), names, copy: Some(copy) }
    }

    fn all() -> [Project; 2] {
        [Project::current(), Project::of_2020()]
    }

    /// Has other tag settings. Only for the one that is a copy.
    fn write_tags(&self, text: &str) {
        assert!(self.copy.is_some());
        std::fs::write(self.folder.join("_tags/globalTags.yml"), text).unwrap();
    }

    /// The subscription as the replaced module left it.
    fn estate(&self) -> LocalCloud {
        let mut text = std::fs::read_to_string(repository("tests/migration/estate.json")).unwrap();
        for (name, of_2020) in &self.names {
            assert!(text.contains(name.as_str()), "{name}");
            text = text.replace(name.as_str(), of_2020);
        }
        let cloud = cloud();
        cloud.import(&serde_json::from_str::<Vec<Value>>(&text).unwrap()).unwrap();
        cloud
    }

    /// A text of this project with the names of the current one.
    fn with_current_names(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (name, of_2020)| text.replace(of_2020.as_str(), name))
    }

    fn run(&self, document: &Old, cloud: &LocalCloud, what_if: bool) -> Outcome {
        self.run_with(document, cloud, what_if, json!({"serviceTagKey": "cm-service"}))
    }

    /// A run with more members of the context.
    fn run_with(&self, document: &Old, cloud: &LocalCloud, what_if: bool, context: Value) -> Outcome {
        let mut request = json!({
            "settingsFile": self.folder.join(document.file),
            "whatIf": what_if,
            "context": {
                "cloud": cloud.endpoint(),
                "environment": "production",
                "exceptionTagKey": "cm-monitor-exception",
            },
            "environment": {},
        });
        request["context"].as_object_mut().unwrap().extend(context.as_object().unwrap().clone());
        if let Some(tags) = document.tags {
            // An empty path is no path, as wrappers of the replaced module pass it.
            let path = if tags.is_empty() { PathBuf::new() } else { self.folder.join(tags) };
            request["tagSettingsFile"] = json!(path);
        }
        let deployment = Deployment::new(document.command, "");
        follow(&deployment.start(&request), |actions| actions.iter().map(|action| action.index).collect())
    }

    /// The text that the first what-if shows, as PowerShell writes it.
    fn shown(&self, document: &Old) -> String {
        let outcome = self.run(document, &self.estate(), true);
        let mut text = String::new();
        for warning in outcome.warnings() {
            writeln!(text, "WARNING: {warning}").unwrap();
        }
        for action in outcome.plan() {
            writeln!(text, "What if: {}", action.description).unwrap();
        }
        for error in outcome.errors() {
            writeln!(text, "{}: {}", error.failure.code.as_str(), error.failure.message).unwrap();
        }
        if outcome.plan().is_empty() && outcome.errors().is_empty() {
            writeln!(text, "{}", outcome.verbose().last().unwrap()).unwrap();
        }
        text.replace(&format!("{}/", self.folder.display()), "")
    }
}

/// Copies the files of a folder, and no folder in it.
fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}
