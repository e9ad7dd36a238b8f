//! The inputs of the fuzz targets in `fuzz/corpus`, through the same functions that are fuzzed: they cannot rot where nobody fuzzes.
#![cfg(unix)]

use crate::support::examples::{Example, documents};
use crate::support::repository;

#[expect(unreachable_pub, reason = "there it is a package of its own")]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// A function from bytes that anybody may have written to nothing.
type Target = fn(&[u8]);

/// Each target with its name.
const TARGETS: &[(&str, Target)] = &[
    ("settings", targets::settings),
    ("requests", targets::requests),
    ("answers", targets::answers),
    ("names", targets::names),
    ("links", targets::links),
    ("plans", targets::plans),
];

fn run_all(name: &str) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let files = std::fs::read_dir(repository("fuzz/corpus").join(name)).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    let examples = documents().into_iter().map(|example: Example| example.path()).filter(|_| name == "settings");
    for file in files.into_iter().chain(examples) {
        // The last line of a failure's output names the input.
        eprintln!("{}", file.display());
        target(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn every_target_has_a_corpus_and_a_program() {
    let known: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let stems = |folder: &str| {
        let mut names: Vec<String> = std::fs::read_dir(repository(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort_by_key(|name| known.iter().position(|known| known == name));
        names
    };
    assert_eq!(stems("fuzz/corpus"), known);
    assert_eq!(stems("fuzz/fuzz_targets"), known);
}

#[test]
fn the_corpus_of_settings_holds() {
    run_all("settings");
}

#[test]
fn the_corpus_of_requests_holds() {
    run_all("requests");
}

#[test]
fn the_corpus_of_answers_holds() {
    run_all("answers");
}

#[test]
fn the_corpus_of_names_holds() {
    run_all("names");
}

#[test]
fn the_corpus_of_links_holds() {
    run_all("links");
}

#[test]
fn the_corpus_of_plans_holds() {
    run_all("plans");
}
