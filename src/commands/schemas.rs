//! The JSON Schemas that editors get: those of the settings documents, and those of the files that a project has beside them.

use std::sync::Arc;

use schemars::Schema;
use serde_json::{Value, json};

use super::COMMANDS;
use super::new_document::example_text;
use crate::commands::shared::command::{Command, words_of};
use crate::commands::shared::tag_settings;
use crate::commands::{log_alerts, web};
use crate::naming;
use crate::settings::{Document, Editor, editor_schema, with_references};

/// A file that a project has beside its settings documents.
#[derive(Debug)]
pub struct ProjectFile {
    /// The name of its schema and of its page in the manual.
    pub name: &'static str,
    /// The path in a project, without the ending: `_names/generators`.
    pub path: &'static str,
    /// The title of its page in the contents of the manual.
    pub title: &'static str,
    /// One sentence about it.
    pub synopsis: &'static str,
    schema: fn() -> Schema,
}

/// All of them.
pub static PROJECT_FILES: &[ProjectFile] = &[
    ProjectFile {
        name: "tags",
        path: "_tags/globalTags",
        title: "Tag settings",
        synopsis: "Tags that a command puts on what it deploys.",
        schema: tag_settings::schema,
    },
    ProjectFile {
        name: "values",
        path: "_values/all",
        title: "Values",
        synopsis: "What $(name) in documents and tag settings stands for in every environment; _values/production.yml has what it stands for in production.",
        schema: super::values_schema::any_schema,
    },
    ProjectFile {
        name: "generators",
        path: "_names/generators",
        title: "Names: generators",
        synopsis: "How names are put together.",
        schema: naming::GENERATORS_SCHEMA,
    },
    ProjectFile {
        name: "resources",
        path: "_names/resources",
        title: "Names: resources",
        synopsis: "The word that stands for each kind of resource in names, how long the names may be, and which generator makes them.",
        schema: naming::RESOURCES_SCHEMA,
    },
    ProjectFile {
        name: "locations",
        path: "_names/locations",
        title: "Names: locations",
        synopsis: "The codes that stand for locations in names.",
        schema: naming::LOCATIONS_SCHEMA,
    },
    ProjectFile {
        name: "tokens",
        path: "_names/tokens",
        title: "Names: tokens",
        synopsis: "The words that stand for the organisation, the project, its parts and its environments in names.",
        schema: naming::TOKENS_SCHEMA,
    },
    ProjectFile {
        name: "logAlertDefinitions",
        path: "logAlertDefinitions",
        title: "Log alert definitions",
        synopsis: "The project's own definitions of log alerts.",
        schema: log_alerts::definitions_schema,
    },
];

impl ProjectFile {
    /// Whether a name stands for it: its own, or its path in a project with or without the ending, in any letter case.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.strip_suffix(".yml").unwrap_or(name);
        [self.name, self.path].iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The JSON Schema of the file, for editors.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let editor = Editor {
            id: &id(self.name),
            title: &format!("The file {}.yml", self.path),
            documents: &[],
            example: |_, _| None,
            offered,
            // The naming files of the replaced module have many.
            ignores_unknown_keys: self.path.starts_with(naming::NAMING_FOLDER),
        };
        let mut schema = editor_schema(&(self.schema)(), &editor);
        schema.insert("description".to_owned(), self.synopsis.into());
        schema
    }
}

impl Command {
    /// The example that people run.
    #[must_use]
    pub fn example(&self) -> Option<Arc<Document>> {
        self.documents().next()
    }

    /// Its documents: the example that people run, and the one that sets every field.
    pub(super) fn documents(&self) -> impl Iterator<Item = Arc<Document>> {
        let texts = [self.documents.example, self.documents.every_field];
        texts.into_iter().filter_map(|text| Document::parse(None, text.to_owned()).ok())
    }

    /// The JSON Schema of its settings document, for editors: with references to values.
    #[must_use]
    pub fn editor_schema(&self) -> Schema {
        with_references(self.settings_schema())
    }

    /// The JSON Schema of what the command reads of its settings document.
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

/// An identifier that leads nowhere: it tells one schema from another, wherever it is published.
pub(super) fn id(name: &str) -> String {
    format!("urn:svc-deploy:schema:{name}")
}

/// The values that are offered where others may be right, too.
fn offered(name: &str) -> Vec<String> {
    naming::offered(name).or_else(|| web::offered(name)).or_else(|| log_alerts::offered(name)).unwrap_or_default()
}
