//! Findings in settings documents, as compilers show theirs: the place, what is wrong, and the line of the document below it with a
//! mark.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use svc_engine::protocol::FindingReport;
use svc_engine::run;

use super::output::in_place;

/// Of longer lines only the part around the mark is looked at.
const LONGEST_LINE: usize = 1000;

/// The documents of the findings that are shown together, each read once.
#[derive(Default)]
pub(super) struct Documents {
    texts: HashMap<String, Option<String>>,
}

impl Documents {
    /// The line of a finding with a mark below it; none where there is no such line, as in a settings object. Values of secret
    /// settings are not in it.
    pub(super) fn snippet(&mut self, finding: &FindingReport, width: usize, is_coloured: bool) -> Option<String> {
        let (file, number, column) = (finding.file.as_ref()?, finding.line?, finding.column?);
        let text = self.texts.entry(file.clone()).or_insert_with(|| run::document_text(Path::new(file))).as_deref()?;
        let line = text.lines().nth(number.checked_sub(1)?)?;
        let line = in_place(&run::shown_line(line, &finding.path));
        let (line, column) = around(&line, column);
        let mark = AnnotationKind::Primary.span(of_finding(&line, marked(&line, column), &finding.path));
        let snippet = Snippet::source(line.as_str()).line_start(number).fold(false).annotation(mark);
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        let report = [Group::with_level(Level::ERROR).element(snippet)];
        Some(renderer.term_width(width).render(&report))
    }
}

/// The part of a very long line around a column, and the column in it.
fn around(line: &str, column: usize) -> (String, usize) {
    if line.len() <= LONGEST_LINE {
        return (line.to_owned(), column);
    }
    let first = column.saturating_sub(LONGEST_LINE / 2);
    (line.chars().skip(first).take(LONGEST_LINE).collect(), column - first)
}

/// The text that begins at a column, counted from 1: a quoted text, a key, or a value up to the end of the line or of its list.
fn marked(line: &str, column: usize) -> Range<usize> {
    let start = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(start, _)| start);
    let rest = &line[start..];
    let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let length = match quote {
        Some(quote) => rest[1..].find(quote).map_or(rest.len(), |end| end + 2),
        None => {
            let ends = |(at, character): (usize, char)| {
                let before = rest[..at].chars().next_back();
                let next = rest[at + character.len_utf8()..].chars().next();
                match character {
                    ',' | ']' | '}' => at > 0,
                    ':' => at > 0 && next.is_none_or(char::is_whitespace),
                    '#' => before.is_some_and(char::is_whitespace),
                    _ => false,
                }
            };
            rest.char_indices().find(|at| ends(*at)).map_or(rest.len(), |(at, _)| at)
        }
    };
    start..start + rest[..length].trim_end().len()
}

/// The part of a line that a finding is about. What is not there is told at the next thing above it that is, whose first key is not
/// wrong: a point is marked then. What has no path is wrong in the text itself, such as a key that is there twice.
fn of_finding(line: &str, marked: Range<usize>, path: &str) -> Range<usize> {
    let is_key = line[marked.end..].trim_start().starts_with(':');
    let key = line[marked.clone()].trim_start_matches('{').trim_matches(['"', '\'']);
    let is_its_own = path.strip_suffix(key).is_some_and(|above| above.is_empty() || above.ends_with('.'));
    if is_key && !is_its_own && !path.is_empty() { marked.start..marked.start } else { marked }
}

#[cfg(test)]
mod tests {
    use svc_engine::protocol::FindingCode;

    use super::*;

    fn finding(file: Option<&Path>, line: usize, column: usize, path: &str) -> FindingReport {
        FindingReport {
            file: file.map(|file| file.display().to_string()),
            line: Some(line),
            column: Some(column),
            path: path.to_owned(),
            code: FindingCode::UnknownKey,
            message: "wrong".to_owned(),
        }
    }

    #[test]
    fn what_is_wrong_is_marked() {
        for (line, column, marked_text) in [
            ("storageAcounts:", 1, "storageAcounts"),
            ("  - kind: StorageV3 # old", 11, "StorageV3"),
            ("  sku: 'P 1' ", 8, "'P 1'"),
            ("  sku: \"P", 8, "\"P"),
            ("a: [one, two]", 10, "two"),
            ("a: {b: 1, cé: x}", 11, "cé"),
            ("é: ü", 4, "ü"),
            ("url: http://x", 6, "http://x"),
            ("a:", 3, ""),
            ("", 7, ""),
            ("  ]", 3, "]"),
        ] {
            assert_eq!(&line[marked(line, column)], marked_text, "{line}");
        }
    }

    #[test]
    fn a_key_that_is_right_is_not_marked() {
        for (line, column, path, marked_text) in [
            ("  - kind: StorageV3", 5, "accounts[0].accountType", ""),
            ("kind: x", 1, "accounts", ""),
            ("kind: x", 1, "", "kind"),
            ("{\"a\": 1}", 1, "accounts", ""),
            ("{\"a\": 1}", 2, "accounts", ""),
            ("  - kid: StorageV3", 5, "accounts[0].kid", "kid"),
            ("kid: x", 1, "kid", "kid"),
            ("'my.kid': x", 1, "tags.my.kid", "'my.kid'"),
            ("{\"a\": 1}", 2, "a", "\"a\""),
            ("accounts: ''", 11, "accounts", "''"),
            ("url: http://x", 6, "url", "http://x"),
        ] {
            assert_eq!(&line[of_finding(line, marked(line, column), path)], marked_text, "{line} {path}");
        }
    }

    #[test]
    fn what_is_read_again_is_text_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let (utf16, large) = (folder.path().join("utf16.yml"), folder.path().join("large.yml"));
        let text: Vec<u8> = [0xfeff_u16].into_iter().chain("a: ü".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        std::fs::write(&utf16, text).unwrap();
        let shown = Documents::default().snippet(&finding(Some(&utf16), 1, 4, "a"), 80, false);
        assert_eq!(shown.unwrap(), "  |\n1 | a: ü\n  |    ^");
        std::fs::File::create(&large).unwrap().set_len(run::LARGEST_SETTINGS + 1).unwrap();
        assert_eq!(Documents::default().snippet(&finding(Some(&large), 1, 1, "a"), 80, false), None);
    }

    #[test]
    fn the_line_of_the_document_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.yml");
        std::fs::write(&file, "\u{feff}a: 1\r\n\tb: x\u{1b}[2J\nserviceUri: k\n").unwrap();
        let mut documents = Documents::default();
        let mut shown =
            |line, column, path: &str| documents.snippet(&finding(Some(&file), line, column, path), 80, false);
        assert_eq!(shown(1, 4, "a").unwrap(), "  |\n1 | a: 1\n  |    ^");
        assert_eq!(shown(2, 5, "b").unwrap(), "  |\n2 |     b: x\u{fffd}[2J\n  |        ^^^^^");
        assert_eq!(shown(3, 13, "serviceUri").unwrap(), "  |\n3 | serviceUri: *\n  |             ^");
        assert_eq!(shown(9, 1, "x"), None, "the file has changed since");
        let coloured = documents.snippet(&finding(Some(&file), 1, 4, "a"), 80, true).unwrap();
        assert!(coloured.contains("\u{1b}["), "{coloured:?}");
        let nowhere = finding(None, 1, 1, "a");
        assert_eq!(documents.snippet(&nowhere, 80, false), None);
        assert_eq!(documents.snippet(&finding(Some(folder.path()), 1, 1, "a"), 80, false), None);
    }

    #[test]
    fn of_a_long_line_the_part_with_the_mark_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.json");
        std::fs::write(&file, format!("{{{}\"colour\": 1}}", "\"k\": 1, ".repeat(10_000))).unwrap();
        let column = 2 + 8 * 10_000;
        for width in [80, 120] {
            let shown = Documents::default().snippet(&finding(Some(&file), 1, column, "colour"), width, false).unwrap();
            assert!(shown.contains("\"colour\": 1}") && shown.contains("^^^^^^^^"), "{shown}");
            let longest = shown.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width, "{longest} of {width}: {shown}");
        }
    }
}
