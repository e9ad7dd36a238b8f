//! `docs/quickstart.md` shows what `svc` really prints: its lines are run one after another in an empty folder.

use std::path::Path;

use super::support::*;

/// What a line of the page prints, on both of its streams.
fn run(folder: &Folder, line: &str) -> String {
    let arguments: Vec<&str> = line.strip_prefix("svc ").unwrap().split_whitespace().collect();
    let output = folder.svc(&arguments);
    assert_eq!(output.status, 0, "{line}: {output:?}");
    assert!(!output.stderr.contains("ERROR"), "{line}: {output:?}");
    format!("{}{}", output.stderr, output.stdout)
}

/// How long something took differs from run to run: it is 0.0 s here.
fn without_seconds(line: &str) -> String {
    let time = line.rfind(" (").filter(|_| line.ends_with(" s).") || line.ends_with(" s)"));
    time.map_or_else(|| line.to_owned(), |start| format!("{} (0.0 s).", &line[..start]))
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
                for printed in run(&folder, command).lines() {
                    shown.push_str(&without_seconds(printed));
                    shown.push('\n');
                }
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
