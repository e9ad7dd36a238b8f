//! The checked-in files are what the generator writes.

use std::collections::BTreeSet;
use std::path::Path;

use svc_deploy_module::{VERSION, generated_files, reference_pages, repository_files};

use crate::{module, read, root};

const REMEDY: &str =
    "run `cargo run -p svc-deploy-module -- generate`, or `.ci/update` for everything that is generated";

#[test]
fn the_checked_in_files_are_current() {
    for file in generated_files() {
        let path = module().join(&file.path);
        assert!(path.exists() && read(&path) == file.text, "{} is not current: {REMEDY}", path.display());
    }
}

#[test]
fn what_the_repository_has_of_the_registry_is_current() {
    for file in repository_files(root()).unwrap() {
        let path = root().join(&file.path);
        assert!(path.exists() && read(&path) == file.text, "{} is not current: {REMEDY}", path.display());
    }
}

#[test]
fn nothing_writes_another_page_of_the_reference() {
    let known: BTreeSet<String> = reference_pages().into_iter().map(|page| page.path).collect();
    assert_eq!(files_below(&root().join("docs/settings"), "docs/settings/"), known, "pages that nothing writes");
}

#[test]
fn nothing_else_is_checked_in() {
    let known: BTreeSet<String> = generated_files().into_iter().map(|file| file.path).collect();
    assert_eq!(files_below(&module(), ""), known, "what the generator does not write has to be deleted by hand");
}

fn files_below(folder: &Path, prefix: &str) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_below(&entry.path(), &format!("{name}/")));
        } else {
            files.insert(name);
        }
    }
    files
}

#[test]
fn the_files_are_plain() {
    for file in generated_files() {
        let path = &file.path;
        assert!(file.text.is_ascii(), "{path} has characters that are not ASCII");
        assert!(file.text.ends_with('\n'), "{path} does not end with a line break");
        assert!(!file.text.contains('\r'), "{path} has line breaks of Windows");
        for (number, line) in file.text.lines().enumerate() {
            let number = number + 1;
            assert_eq!(line, line.trim_end(), "{path}:{number} ends with blanks");
            assert!(!line.contains('\t'), "{path}:{number} has a tab");
            // Every second part stands between two signs.
            let placeholder = line.split('@').skip(1).step_by(2).any(|part| {
                part.len() > 1 && part.chars().all(|character| character.is_ascii_uppercase() || character == '_')
            });
            assert!(!placeholder, "{path}:{number} has a placeholder that nothing filled: {line}");
        }
    }
}

/// Galleries take three numbers and, behind a hyphen, letters and digits, beginning with a letter.
#[test]
fn the_version_is_one_that_powershell_reads() {
    let (numbers, preview) = VERSION.split_once('-').map_or((VERSION, None), |(numbers, word)| (numbers, Some(word)));
    assert!(numbers.split('.').all(|part| part.parse::<u32>().is_ok()), "{VERSION}");
    assert_eq!(numbers.split('.').count(), 3, "{VERSION}");
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|sign| sign.is_ascii_alphanumeric())
    };
    assert!(preview.is_none_or(is_word), "{VERSION}");
}

/// What a page shows is there for readers: no column without a word in it, no signs that only tables need, and nothing that another
/// resource refers to by a name.
#[test]
fn the_reference_can_be_read() {
    for page in reference_pages() {
        let (mut rows, mut path) = (Vec::new(), page.path.as_str());
        for line in page.text.lines().chain([""]) {
            if let Some(row) = line.strip_prefix('|') {
                rows.push(row.replace("\\|", "").split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
                continue;
            }
            // The first two rows are the head and the rule below it; what is behind the last bar is no cell.
            for column in 0..rows.first().map_or(0, |row| row.len() - 1) {
                assert!(rows.iter().skip(2).any(|row| !row[column].is_empty()), "{path}: {}", rows[0][column]);
            }
            rows.clear();
            path = line.strip_prefix("## ").unwrap_or(path);
            assert!(!line.contains("\\|"), "{}: {line}", page.path);
            // A name becomes a name, and not what refers to what it names.
            let properties =
                line.split_once("In Azure:").map_or("", |(_, becomes)| becomes).split('`').skip(1).step_by(2);
            let is_name = |property: &str| property == "name" || property.ends_with(".name");
            assert!(!line.starts_with("- `name`:") || properties.clone().all(is_name), "{}: {line}", page.path);
        }
    }
}
