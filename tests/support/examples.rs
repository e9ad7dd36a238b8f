//! The examples: every document of the folder, for the command that its `component` names.

use std::path::{Path, PathBuf};

use svc_engine::commands::command_of;
use svc_engine::settings::Document;

use crate::support::repository;

/// An example and the command that deploys it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    pub(crate) command: &'static str,
    /// Its path in the folder `examples`, or that of a document with every field in the repository.
    pub(crate) file: &'static str,
}

impl Example {
    /// The document.
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    pub(crate) fn path(&self) -> PathBuf {
        if self.is_example() { repository("examples").join(self.file) } else { repository(self.file) }
    }

    /// Whether people are shown it; else it is one of the documents with every field.
    pub(crate) fn is_example(&self) -> bool {
        !self.file.starts_with(EVERY_FIELD)
    }

    /// The name of the file without its ending.
    pub(crate) fn stem(&self) -> &'static str {
        Path::new(self.file).file_stem().unwrap().to_str().unwrap()
    }
}

/// The folder of the documents with every field, `<example>-all-fields.yml`.
pub(crate) const EVERY_FIELD: &str = "examples/all-fields/";

/// All examples, and for each command a document with every field.
pub(crate) fn documents() -> Vec<Example> {
    let examples = examples();
    let mut documents = examples.clone();
    for example in examples {
        let file = format!("{EVERY_FIELD}{}-all-fields.yml", example.stem());
        if repository(&file).is_file() {
            documents.push(Example { command: example.command, file: file.leak() });
        }
    }
    documents
}

/// All of them, in the order of their names.
pub(crate) fn examples() -> Vec<Example> {
    let entries = std::fs::read_dir(repository("examples")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yml"));
    files.sort();
    let example = |path: &PathBuf| {
        let document = Document::load(path, "settings").unwrap();
        let command = command_of(&document).unwrap().name;
        Example { command, file: path.file_name().unwrap().to_str().unwrap().to_owned().leak() }
    };
    files.iter().map(example).collect()
}
