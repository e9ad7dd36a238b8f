//! The list of examples is complete.

use std::collections::BTreeSet;

use svc_engine::commands::COMMANDS;

use crate::support::examples::{EVERY_FIELD, documents, examples};
use crate::support::repository;

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
