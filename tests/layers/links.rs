//! Links in the documentation lead somewhere: to a file of the repository, and to a heading that the file has.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::repository;

/// Every Markdown file for people.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![repository("README.md"), repository("CONTRIBUTING.md"), repository("SECURITY.md")];
    let mut folders = vec![repository("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// The lines of a document without those of code.
fn prose(text: &str) -> Vec<&str> {
    let mut in_code = false;
    text.lines()
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            in_code ^= fence;
            !fence && !in_code
        })
        .collect()
}

/// The names of the headings of a document in links, as GitHub and mdBook make it.
fn headings(text: &str) -> HashSet<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let kept = line.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter(|sign| sign.is_alphanumeric() || [' ', '-', '_'].contains(sign));
            kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
        })
        .collect()
}

/// The targets of the links of a line: `[text](target)`. What stands in backticks is no link.
fn targets(line: &str) -> Vec<&str> {
    let parts: Vec<&str> = line.split("](").collect();
    parts.iter().skip(1).filter_map(|part| part.split(')').next()).collect()
}

fn problem(document: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { document.to_owned() } else { document.parent()?.join(file) };
    if !path.exists() {
        return Some(format!("{target}: no such file"));
    }
    if heading.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    (!headings(&text).contains(heading)).then(|| format!("{target}: no such heading"))
}

#[test]
fn links_of_the_documentation_lead_somewhere() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for target in prose(&text).into_iter().flat_map(targets) {
            checked += 1;
            wrong.extend(problem(&document, target).map(|problem| format!("{}: {problem}", document.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 20, "only {checked} links were found");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let readme = repository("README.md");
    assert!(problem(&readme, "docs/nothing.md").is_some());
    assert!(problem(&readme, "docs/architecture.md#no-such-heading").is_some());
    assert_eq!(problem(&readme, "docs/architecture.md#rooms"), None);
}

/// The table of contents of the site has every page once, and nothing else is a page.
#[test]
fn the_summary_has_every_page_once() {
    let summary = repository("docs/SUMMARY.md");
    let text = std::fs::read_to_string(&summary).unwrap();
    let docs = repository("docs").canonicalize().unwrap();
    let page = |target: &str| docs.join(target).canonicalize().unwrap();
    let mut listed: Vec<PathBuf> = text.lines().flat_map(targets).map(page).collect();
    let more = ["CHANGELOG.md"].map(repository);
    let pages = documents().into_iter().filter(|path| *path != summary).chain(more);
    let mut pages: Vec<PathBuf> = pages.map(|path| path.canonicalize().unwrap()).collect();
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}
