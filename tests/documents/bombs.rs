//! Documents that are made to exhaust whoever reads them.
#![cfg(unix)]

use serde_json::json;

use crate::support::little_memory::in_little_memory;
use crate::support::*;

/// In KiB. Each of the documents would take more.
const MEMORY: u32 = 700_000;

#[test]
fn bombs_are_refused_in_little_memory() {
    in_little_memory("documents::bombs::bombs_are_refused_in_little_memory", MEMORY, read_bombs);
}

fn read_bombs() {
    let aliases = |level: usize, count: usize| vec![format!("*a{}", level - 1); count].join(", ");
    let lists = |first: String| {
        (1..9).fold(format!("a0: &a0 {first}\n"), |text, level| {
            format!("{text}a{level}: &a{level} [{}]\n", aliases(level, 9))
        })
    };
    let merges = (1..30).fold("a0: &a0 {x: 1, y: 1, z: 1, w: 1}\n".to_owned(), |text, level| {
        format!("{text}a{level}: &a{level} {{<<: [{}], b: *a{}}}\n", aliases(level, 2), level - 1)
    });
    let too_many = "the aliases ('*') of the document expand to too many values";
    for (text, message) in [
        (lists("[x]".to_owned()), too_many),
        (lists("x".repeat(16_000)), too_many),
        (merges, too_many),
        ("[".repeat(80_000), "nested more than 64 levels deep"),
        ("{a: ".repeat(80_000), "nested more than 64 levels deep"),
        (format!("a: \"x\ny\"\nb: {}", "[".repeat(80_000)), "invalid YAML: "),
    ] {
        let project = Project::with(&text);
        let request = json!({"settingsFile": project.path("storage.yml"), "context": {"cloud": "http://127.0.0.1:9"}, "environment": {}});
        let outcome = run(&request);
        let report = outcome.last_error();
        assert_eq!(
            (report.failure.code.as_str(), report.findings.len()),
            ("SettingsInvalid", 1),
            "{}",
            report.failure.message
        );
        assert!(report.findings[0].message.starts_with(message), "{}", report.findings[0].message);
    }
}
