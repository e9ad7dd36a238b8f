//! The JSON Schemas that editors get: those of the settings documents, and those of the files that a project has beside them.

use std::sync::Arc;

use schemars::Schema;
use serde_json::{Value, json};

use super::new_document::example_text;
use super::registry::COMMANDS;
use crate::commands::shared::command::{Command, words_of};
use crate::commands::shared::tag_settings;
use crate::commands::{log_alerts, web};
use crate::naming;
use crate::settings::{Document, Editor, editor_schema};

/// The documents whose values are tried, the shorter ones of which are the examples of the schemas. Tests deploy all of them.
const DOCUMENTS: &[&str] = &[
    include_str!("../../examples/bastion-hosts.yml"),
    include_str!("../../examples/core-monitor.yml"),
    include_str!("../../examples/log-alerts.yml"),
    include_str!("../../examples/metric-alerts.yml"),
    include_str!("../../examples/private-endpoints.yml"),
    include_str!("../../examples/resource-health-alerts.yml"),
    include_str!("../../examples/storage.yml"),
    include_str!("../../examples/web.yml"),
    include_str!("../../examples/all-fields/bastion-hosts-all-fields.yml"),
    include_str!("../../examples/all-fields/core-monitor-all-fields.yml"),
    include_str!("../../examples/all-fields/log-alerts-all-fields.yml"),
    include_str!("../../examples/all-fields/metric-alerts-all-fields.yml"),
    include_str!("../../examples/all-fields/private-endpoints-all-fields.yml"),
    include_str!("../../examples/all-fields/resource-health-alerts-all-fields.yml"),
    include_str!("../../examples/all-fields/storage-all-fields.yml"),
    include_str!("../../examples/all-fields/web-all-fields.yml"),
];

/// A file that a project has beside its settings documents.
#[derive(Debug)]
pub struct ProjectFile {
    /// The name of its schema and of its page in the manual.
    pub name: &'static str,
    /// Where a project has it, without the ending: `_names/generators`.
    pub path: &'static str,
    /// One sentence about it.
    pub synopsis: &'static str,
    /// Whether a key that means nothing is a warning.
    ignores_unknown_keys: bool,
    schema: fn() -> Schema,
}

/// All of them.
pub static PROJECT_FILES: &[ProjectFile] = &[
    ProjectFile {
        name: "tags",
        path: "_tags/globalTags",
        synopsis: "Tags that a command puts on what it deploys.",
        ignores_unknown_keys: false,
        schema: tag_settings::schema,
    },
    ProjectFile {
        name: "generators",
        path: "_names/generators",
        synopsis: "How names are put together.",
        ignores_unknown_keys: true,
        schema: naming::generators_schema,
    },
    ProjectFile {
        name: "resources",
        path: "_names/resources",
        synopsis: "The word that stands for each kind of resource in names, how long the names may be, and which generator makes them.",
        ignores_unknown_keys: true,
        schema: naming::resources_schema,
    },
    ProjectFile {
        name: "locations",
        path: "_names/locations",
        synopsis: "The codes that stand for locations in names.",
        ignores_unknown_keys: true,
        schema: naming::locations_schema,
    },
    ProjectFile {
        name: "tokens",
        path: "_names/tokens",
        synopsis: "The words that stand for the organisation, the project, its parts and its environments in names.",
        ignores_unknown_keys: true,
        schema: naming::tokens_schema,
    },
    ProjectFile {
        name: "logAlertDefinitions",
        path: "logAlertDefinitions",
        synopsis: "Definitions of log alerts of the project's own.",
        ignores_unknown_keys: false,
        schema: log_alerts::definitions_schema,
    },
];

impl ProjectFile {
    /// The JSON Schema of the file, for editors.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let editor = Editor {
            id: &id(self.name),
            title: &format!("The file {}.yml", self.path),
            documents: &[],
            example: |_, _| None,
            offered,
            ignores_unknown_keys: self.ignores_unknown_keys,
        };
        let mut schema = editor_schema(&(self.schema)(), &editor);
        schema.insert("description".to_owned(), self.synopsis.into());
        schema
    }
}

impl Command {
    /// The shorter one of its examples.
    pub(super) fn example(&self) -> Option<Arc<Document>> {
        self.documents().next()
    }

    /// Its examples, the shorter one first.
    pub(super) fn documents(&self) -> impl Iterator<Item = Arc<Document>> {
        let is_own = |document: &Arc<Document>| {
            document.value()["component"].as_str().is_some_and(|component| self.is_for(component))
        };
        documents().filter(is_own)
    }

    /// The JSON Schema of its settings document, for editors.
    #[must_use]
    pub fn settings_schema(&self) -> Schema {
        // The longer example has every form of every value, and names that say so.
        let documents: Vec<Value> = self.example().iter().map(|document| document.value().clone()).collect();
        let editor = Editor {
            id: &id(self.component),
            title: &format!("Settings of {}", self.name),
            documents: &documents,
            example: example_text,
            offered,
            ignores_unknown_keys: false,
        };
        let mut schema = editor_schema(&self.type_schema(), &editor);
        let is_mandatory = schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|keys| keys.iter().any(|key| key == "component"));
        if let Some(component) =
            schema.get_mut("properties").and_then(|properties| properties["component"].as_object_mut())
        {
            let others = COMMANDS.iter().filter(|other| other.component != self.component);
            let others: Vec<String> = others.map(Command::component_pattern).collect();
            // What has to be there has no default.
            if !is_mandatory {
                component.insert("default".to_owned(), self.component.into());
            }
            component
                .insert("not".to_owned(), json!({"type": "string", "pattern": format!("^({})$", others.join("|"))}));
        }
        schema
    }

    /// A regular expression for what a document may call the command, in any letter case.
    fn component_pattern(&self) -> String {
        let any_case = |word: &str| -> String {
            word.chars()
                .map(|letter| format!("[{}{}]", letter.to_ascii_uppercase(), letter.to_ascii_lowercase()))
                .collect()
        };
        let block = words_of(self.name).get(1).map(|block| any_case(block)).unwrap_or_default();
        format!(r"\s*({block}\s*\.\s*)?{}\s*", any_case(self.component))
    }
}

fn documents() -> impl Iterator<Item = Arc<Document>> {
    DOCUMENTS.iter().filter_map(|text| Document::parse(None, (*text).to_owned()).ok())
}

/// An identifier that leads nowhere: it tells one schema from another, wherever it is published.
fn id(name: &str) -> String {
    format!("urn:svc-deploy:schema:{name}")
}

/// The values that are offered where others may be right, too.
fn offered(name: &str) -> Vec<String> {
    naming::offered(name).or_else(|| web::offered(name)).or_else(|| log_alerts::offered(name)).unwrap_or_default()
}
