//! The list of examples, `tests/examples.txt`, which the scripts beside it read as well.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use svc_engine::commands::{self, COMMANDS};

use super::support::repository;

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

    fn path(&self) -> PathBuf {
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
const EVERY_FIELD: &str = "tests/settings/";

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

#[test]
fn every_example_is_in_the_list_and_every_command_has_one() {
    let listed: BTreeSet<String> = examples().iter().map(|example| example.file.to_owned()).collect();
    let files = std::fs::read_dir(repository("examples")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = names.filter(|name| name.ends_with(".yml")).collect();
    assert_eq!(listed, files, "tests/examples.txt and the folder examples");
    for command in COMMANDS {
        let of_it = |is_example: bool| {
            documents().iter().any(|document| document.command == command.name && document.is_example() == is_example)
        };
        assert!(of_it(true), "{} has no example", command.name);
        assert!(of_it(false), "{} has no document with every field in {EVERY_FIELD}", command.name);
    }
}
