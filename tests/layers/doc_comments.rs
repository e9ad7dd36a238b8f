//! The first words of doc comments, which name the thing.

use super::{repository, rust_files};

const FIRST_WORDS_RULE: &str =
    "A doc comment names the thing first: \"The retired values of a property\", not \"What Azure has retired\".";

/// Words that a description begins with, and no name.
const NO_NAMES: &[&str] = &["What", "How", "Where", "Who", "Which", "When"];

/// The packages whose code others read.
const SOURCES: &[&str] = &["src", "cli/src", "ffi/src", "module/src", "local-cloud/src"];

#[test]
fn things_are_named_first() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in SOURCES.iter().flat_map(|source| rust_files(&repository(source))) {
        let text = std::fs::read_to_string(&file).unwrap();
        let comments = doc_comments(&text);
        seen += comments.len();
        let descriptions = comments.iter().filter(|comment| is_description(comment));
        wrong.extend(descriptions.map(|comment| format!("{}: {comment}", file.display())));
    }
    assert!(seen > 5000, "only {seen} doc comments");
    assert!(wrong.is_empty(), "{FIRST_WORDS_RULE}\n{}", wrong.join("\n"));
}

#[test]
fn a_description_in_the_place_of_a_name_is_noticed() {
    let of = |text: &str| doc_comments(text).into_iter().filter(|comment| is_description(comment)).count();
    assert_eq!(of("/// What a plan has.\npub struct Plan {\n    /// How it is called.\n    pub name: u8 }"), 2);
    assert_eq!(of("//! What a file has.\n\n//!\n/// *Where* it is.\nfn place() {}\n/// Which.\n/// How.\n"), 3);
    assert_eq!(
        of("/// The plan:\n/// What a run has.\nstruct Plan;\n// What nobody reads.\n/// Whether it is there.\n"),
        0
    );
}

/// The first lines of the doc comments in a text.
fn doc_comments(text: &str) -> Vec<&str> {
    let mark = |line: &str| ["///", "//!"].into_iter().find(|mark| line.trim_start().starts_with(mark));
    let before = std::iter::once("").chain(text.lines());
    let firsts = before.zip(text.lines()).filter(|(before, line)| mark(line).is_some() && mark(before) != mark(line));
    firsts.map(|(_, line)| line.trim()).collect()
}

fn is_description(comment: &str) -> bool {
    let first = comment.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty());
    first.is_some_and(|first| NO_NAMES.contains(&first))
}
