//! Names of files, which are how people find things: no two of a package differ by a letter, nor by the s of a plural.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::{repository, rust_files};

const NAMES_RULE: &str = "No two names of files or folders of a package differ by a letter.";

/// The folder of each package, and that of the engine's tests.
const PACKAGES: &[&str] = &["src", "tests", "cli", "ffi", "module", "local-cloud", "benches"];

/// The names that Rust has for a file in any folder, and that of the unit tests of a module.
const ANYWHERE: &[&str] = &["main", "mod", "lib", "tests"];

#[test]
fn no_two_names_differ_by_a_letter() {
    let mut alike = Vec::new();
    for package in PACKAGES {
        let (files, folders) = names(&repository(package));
        assert!(!files.is_empty(), "{package} has no source files");
        alike.extend(alike_in(&files));
        alike.extend(alike_in(&folders));
    }
    assert!(alike.is_empty(), "{NAMES_RULE}\n{}", alike.join("\n"));
}

#[test]
fn a_letter_is_noticed_wherever_it_is() {
    for (one, other) in
        [("fault", "faults"), ("waiting", "writing"), ("etags", "tags"), ("apimanagement", "api_management")]
    {
        assert!(differ_by_a_letter(one, other) && differ_by_a_letter(other, one), "{one}, {other}");
    }
    for (one, other) in [("fault", "fault"), ("plan", "plan_sku"), ("lookup", "read_services"), ("ab", "ba")] {
        assert!(!differ_by_a_letter(one, other), "{one}, {other}");
    }
}

/// The names of the source files below a folder, without their endings, and those of the folders that they are in, each with one
/// place that has it.
fn names(root: &Path) -> (BTreeMap<String, PathBuf>, BTreeMap<String, PathBuf>) {
    let (mut files, mut folders) = (BTreeMap::new(), BTreeMap::new());
    for file in rust_files(root) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if !ANYWHERE.contains(&name.as_str()) {
            files.insert(name, file.clone());
        }
        let within = file.strip_prefix(root).unwrap().parent().unwrap();
        for folder in within.components() {
            let Component::Normal(name) = folder else { continue };
            folders.insert(name.to_str().unwrap().to_owned(), file.clone());
        }
    }
    (files, folders)
}

fn alike_in(names: &BTreeMap<String, PathBuf>) -> Vec<String> {
    let pairs = names.iter().flat_map(|one| names.range::<String, _>(one.0..).map(move |other| (one, other)));
    pairs
        .filter(|((one, _), (other, _))| differ_by_a_letter(one, other))
        .map(|((one, first), (other, second))| {
            format!("'{one}' ({}) and '{other}' ({})", first.display(), second.display())
        })
        .collect()
}

/// Whether one letter more, less or another makes one name the other.
fn differ_by_a_letter(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let (short, long): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    match long.len() - short.len() {
        0 => short.iter().zip(&long).filter(|(one, other)| one != other).count() == 1,
        1 => (0..long.len())
            .any(|left_out| long[..left_out] == short[..left_out] && long[left_out + 1..] == short[left_out..]),
        _ => false,
    }
}
