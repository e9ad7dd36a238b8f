//! Every command has its examples.

use svc_engine::commands::COMMANDS;

use crate::support::examples::{EVERY_FIELD, documents, examples};

#[test]
fn every_command_has_an_example_and_a_document_with_every_field() {
    for command in COMMANDS {
        let of_it = |is_example: bool| {
            documents().iter().any(|document| document.command == command.name && document.is_example() == is_example)
        };
        assert!(of_it(true), "{} has no example", command.name);
        assert!(of_it(false), "{} has no document with every field in {EVERY_FIELD}", command.name);
        assert!(
            examples().iter().any(|example| example.stem() == command.documents.name),
            "{}",
            command.documents.name
        );
    }
}
