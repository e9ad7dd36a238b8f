//! Documents of what exists: written, and planned again.

mod alerts;
mod bastion;
mod destinations_of_exports;
mod documented;
mod endpoints;
mod examples;
pub(crate) mod folder_of_documents;
mod monitor;
mod names;
mod publish_names;
mod requests;
mod storage;

use std::path::Path;

use serde_json::{Value, json};
use svc_engine::protocol::{FileBeside, Message};
use svc_engine::run::{self, Start, Work};
use svc_local_cloud::LocalCloud;

use crate::support::*;

/// A request for the document of what is in a group. Members can be added or replaced.
pub(crate) fn request(component: &str, group: &str, cloud: &LocalCloud) -> Value {
    let group = group.trim_start_matches("resourceGroups/");
    json!({
        "component": component,
        "resourceGroup": group,
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    })
}

/// Runs an export to its end.
pub(crate) fn export_with(request: &Value) -> Outcome {
    let operation = run::start(Start::new(Work::Export, request.to_string().as_bytes()));
    follow(&operation, |_| panic!("an export asks nothing"))
}

/// The same of what is in a group.
pub(crate) fn export(component: &str, group: &str, cloud: &LocalCloud) -> Outcome {
    export_with(&request(component, group, cloud))
}

impl Outcome {
    /// The document that was written.
    pub(crate) fn document(&self) -> &str {
        self.exported().0
    }

    /// The files that belong beside it.
    pub(crate) fn files(&self) -> &[FileBeside] {
        self.exported().1
    }

    /// The differences that keep a plan of it from being empty.
    pub(crate) fn differences(&self) -> &[String] {
        match self.messages.last() {
            Some(Message::Document { differences, .. }) => differences,
            _ => panic!("no document at the end of {self:#?}"),
        }
    }

    fn exported(&self) -> (&str, &[FileBeside]) {
        match self.messages.last() {
            Some(Message::Document { text, files, .. }) => (text, files),
            _ => panic!("no document at the end of {self:#?}"),
        }
    }
}

/// The plan of a document, in a folder with the files beside it.
pub(crate) fn plan_of(command: &str, outcome: &Outcome, cloud: &LocalCloud) -> Outcome {
    let project = Project::with(outcome.document());
    for file in outcome.files() {
        project.write(&file.path, &file.text);
    }
    planned(command, &project.path("storage.yml"), cloud)
}

fn planned(command: &str, file: &Path, cloud: &LocalCloud) -> Outcome {
    let request = json!({
        "settingsFile": file,
        "whatIf": true,
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    });
    follow(&start_command(command, &request, UNHURRIED), |_| Vec::new())
}

/// Deploys a document in a folder of its own.
pub(crate) fn deploy(command: &str, text: &str, cloud: &LocalCloud) {
    let project = Project::with(text);
    let operation = start_command(command, &project.request(cloud), UNHURRIED);
    let outcome = follow(&operation, |actions| actions.iter().map(|action| action.index).collect());
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
}

/// An export whose document a plan of which changes nothing, and that says nothing of what it leaves out.
pub(crate) fn whole(command: &str, component: &str, group: &str, cloud: &LocalCloud) -> String {
    let outcome = export(component, group, cloud);
    assert_eq!(outcome.warnings(), Vec::<&str>::new(), "{}", outcome.document());
    let plan = plan_of(command, &outcome, cloud);
    assert_eq!(plan.descriptions(), Vec::<&str>::new(), "{}", outcome.document());
    assert!(plan.counts().unchanged > 0, "{}", outcome.document());
    outcome.document().to_owned()
}
