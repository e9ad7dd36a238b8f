//! `docs/quickstart.md` shows what `svc` really prints: its lines are run one after another in an empty folder.

use std::path::Path;

use super::support::*;

/// The port of the local cloud, which is another one in every run.
fn without_port(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut result = parts.next().unwrap().to_owned();
    for part in parts {
        result.push_str("127.0.0.1:8090");
        result.push_str(part.trim_start_matches(|character: char| character.is_ascii_digit()));
    }
    result
}

/// What a line of the page prints, on both of its streams.
fn run(folder: &Folder, line: &str) -> String {
    let arguments: Vec<&str> = line.strip_prefix("svc ").unwrap().split_whitespace().collect();
    let output = folder.svc(&arguments);
    assert_eq!(output.status, 0, "{line}: {output:?}");
    assert!(!output.stderr.contains("ERROR"), "{line}: {output:?}");
    without_port(&format!("{}{}", output.stderr, output.stdout))
}

/// Only how long something took differs from run to run.
fn without_seconds(text: &str) -> String {
    let words = |line: &str| match line.rsplit_once(" in ") {
        Some((before, time)) if line.starts_with("Result: ") && time.contains('s') => {
            let after = time.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
            format!("{before} in 0{after}")
        }
        _ => line.to_owned(),
    };
    text.lines().map(words).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_shows_what_is_printed() {
    let folder = Folder::new();
    std::fs::remove_file(folder.path("storage.yml")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::copy(root.join("examples/landing-zone.json"), folder.path("landing-zone.json")).unwrap();
    let page = root.join("docs/quickstart.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let mut shown = String::new();
    let mut is_block = false;
    let mut runs = 0;
    for line in text.lines() {
        match line {
            "```console" => is_block = true,
            "```" => is_block = false,
            _ if is_block => {
                let Some(command) = line.strip_prefix("$ ") else { continue };
                runs += 1;
                shown.push_str(&format!("{line}\n"));
                let printed = without_seconds(&run(&folder, command));
                shown.push_str(printed.trim_end());
                shown.push('\n');
                continue;
            }
            _ => {}
        }
        shown.push_str(line);
        shown.push('\n');
    }
    assert!(runs > 20, "the page has {runs} lines that are run");
    expectorate::assert_contents(page, &shown);
}
