//! `docs/adding-a-command.md` lists the files of a small command. The list is what such a command really has.

use std::collections::BTreeSet;
use std::path::Path;

use svc_engine::commands;

use crate::support::repository;

const GUIDE: &str = "docs/adding-a-command.md";
const COMMAND: &str = "New-SvcMonitorResourceHealthAlerts";
/// The name of its folder, and of its files.
const FOLDER: &str = "resource_health_alerts";
const STEM: &str = "resource-health-alerts";

/// The files in which a command is mentioned although nobody who adds one has to write there: tests of a subject, pages, records, and the environment of
/// the examples.
const BESIDE: &[&str] = &[
    "CHANGELOG.md",
    "docs/migrating.md",
    "docs/performance.md",
    "docs/quickstart.md",
    GUIDE,
    "cli/tests",
    "examples/environment",
    "src/commands/arm_properties.rs",
    "tests/add-a-command",
    "tests/golden/reports/environment",
    "tests/golden/terminal/environment",
    "tests/layers",
    "tests/pester",
];

/// The number of files of a command that people write.
const BY_HAND: usize = 8;

/// The paths in the first columns of the two tables of the last section: what is written by hand, and what is generated.
fn listed() -> [BTreeSet<String>; 2] {
    let text = std::fs::read_to_string(repository(GUIDE)).unwrap();
    let (_, section) = text.split_once("## A small command, complete").unwrap();
    let (by_hand, generated) = section.split_once("Written by `.ci/update`").unwrap();
    [by_hand, generated].map(|part| {
        let rows = part.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        rows.map(str::to_owned).collect()
    })
}

fn is_beside(path: &str) -> bool {
    let is_test_of_a_subject = path.starts_with("tests/") && path.ends_with(".rs");
    is_test_of_a_subject || BESIDE.iter().any(|beside| path.starts_with(beside))
}

/// Every file below a folder that is of the command, or mentions it.
fn mentioning(folder: &Path, words: &[&str], found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            mentioning(&path, words, found);
            continue;
        }
        let relative = path.strip_prefix(repository("")).unwrap().to_str().unwrap().replace('\\', "/");
        // A picture has no text.
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !is_beside(&relative) && words.iter().any(|word| relative.contains(word) || text.contains(word)) {
            found.insert(relative);
        }
    }
}

#[test]
fn the_guide_lists_the_files_that_a_command_has() {
    let command = commands::find(COMMAND).unwrap();
    let function = command.function();
    let schema = format!("{}.schema.json", command.component);
    let page = format!("{}.md", command.component);
    let words = [COMMAND, FOLDER, STEM, function.as_str(), schema.as_str(), page.as_str()];
    let mut found = BTreeSet::new();
    mentioning(&repository(""), &words, &mut found);
    let [by_hand, generated] = listed();
    let all = by_hand.union(&generated).cloned().collect::<BTreeSet<String>>();
    assert_eq!(all, found, "the tables in {GUIDE}, and the files that have the command");
    assert!(by_hand.len() <= BY_HAND, "{by_hand:?}");
}
