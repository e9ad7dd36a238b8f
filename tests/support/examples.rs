//! The list of examples, `tests/examples.txt`, which the scripts beside it read as well.

use std::path::{Path, PathBuf};

use svc_engine::run::registry as commands;

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

/// Where the documents with every field are, `<example>-all-fields.yml`.
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

/// All of them.
pub(crate) fn examples() -> Vec<Example> {
    let lines = include_str!("../examples.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (file, command) = line.split_once(' ').unwrap_or_else(|| panic!("'{line}' has no command"));
            let command = commands::find(command).unwrap_or_else(|| panic!("'{command}' is no command")).name;
            Example { command, file }
        })
        .collect()
}
