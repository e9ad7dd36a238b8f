//! The list of examples, `tests/examples.txt`, which the scripts beside it read as well.

use std::collections::BTreeSet;

use svc_engine::commands::{self, COMMANDS};

use super::support::repository;

/// An example and the command that deploys it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    pub(crate) command: &'static str,
    /// Its path in the repository.
    pub(crate) file: &'static str,
}

impl Example {
    /// The document.
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    fn path(&self) -> std::path::PathBuf {
        repository("examples").join(self.file)
    }
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
    let documents: BTreeSet<String> = names.filter(|name| name.ends_with(".yml")).collect();
    assert_eq!(listed, documents, "tests/examples.txt and the folder examples");
    for command in COMMANDS {
        assert!(examples().iter().any(|example| example.command == command.name), "{} has no example", command.name);
    }
}
