//! Parses JSON and YAML text into values.

use serde_json::Value;

use super::json;
use super::locate::{Places, Position};
use super::path::SettingsPath;
use super::yaml;
use crate::protocol::FindingCode;

/// Documents nested deeper are refused; no settings document comes near.
pub(super) const DEEPEST: usize = 64;
/// The words of both parsers for a text that is deeper than they follow: that is over [`DEEPEST`] too.
pub(super) const RECURSION_LIMIT: &str = "recursion limit";

/// Why a text has no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParseError {
    /// PascalCase and stable.
    pub(super) code: FindingCode,
    /// A sentence without the place.
    pub(super) message: String,
    /// The position at which the parser stood.
    pub(super) position: Option<Position>,
}

impl ParseError {
    /// A problem of syntax.
    pub(super) fn new(position: Position, message: impl Into<String>) -> ParseError {
        ParseError { code: FindingCode::SyntaxError, message: message.into(), position: Some(position) }
    }

    /// The error of a document, or of an object, that is nested too deeply.
    pub(super) fn too_deep() -> ParseError {
        ParseError {
            code: FindingCode::TooDeep,
            message: format!("nested more than {DEEPEST} levels deep"),
            position: None,
        }
    }
}

/// The values and places that were read of a text.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// The problems of the text although it has values.
    pub(super) problems: Vec<ParseError>,
    /// The places of everything; none for JSON, whose reader knows no places.
    pub(super) places: Option<Places>,
}

/// Parses a text. JSON may hold comments and trailing commas, as `ConvertFrom-Json` accepts them; they are blanked out
/// in place, so that positions stay.
///
/// # Errors
/// What is wrong with a text without values.
pub(super) fn parse(text: &mut String, json: bool) -> Result<Parsed, Vec<ParseError>> {
    let (value, mut problems, places) = if json {
        let (value, problems) = json::read(text).map_err(|error| vec![error])?;
        (value, problems, None)
    } else {
        let yaml = yaml::read(text);
        match yaml.value {
            Some(value) => (value, yaml.problems, Some(yaml.places)),
            None => return Err(yaml.problems),
        }
    };
    if value.is_null() {
        let empty = || ParseError {
            code: FindingCode::Empty,
            message: "the document is empty".to_owned(),
            position: Some(Position { line: 1, column: 1 }),
        };
        if problems.is_empty() {
            problems.push(empty());
        }
        return Err(problems);
    }
    if is_deeper(&value, DEEPEST) { Err(vec![ParseError::too_deep()]) } else { Ok(Parsed { value, problems, places }) }
}

/// The member in which a value is nested too deeply, or the value itself where it is no object.
#[must_use]
pub(super) fn deep_member(value: &Value) -> Option<SettingsPath> {
    let root = SettingsPath::root();
    match value {
        Value::Object(members) => {
            members.iter().find(|(_, member)| is_deeper(member, DEEPEST - 1)).map(|(key, _)| root.key(key))
        }
        _ => is_deeper(value, DEEPEST).then_some(root),
    }
}

pub(super) fn is_deeper(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|item| is_deeper(item, left - 1)),
        Value::Object(members) => left == 0 || members.values().any(|member| is_deeper(member, left - 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn yaml(text: &str) -> Result<Value, Vec<ParseError>> {
        values(parse(&mut text.to_owned(), false))
    }

    fn json_text(text: &str) -> Result<Value, Vec<ParseError>> {
        values(parse(&mut text.to_owned(), true))
    }

    /// The values of a text in which nothing is wrong.
    fn values(parsed: Result<Parsed, Vec<ParseError>>) -> Result<Value, Vec<ParseError>> {
        parsed.and_then(|Parsed { value, problems, .. }| if problems.is_empty() { Ok(value) } else { Err(problems) })
    }

    fn only_error(result: Result<Value, Vec<ParseError>>) -> (String, Option<(usize, usize)>) {
        let errors = result.unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        (errors[0].message.clone(), errors[0].position.map(|place| (place.line, place.column)))
    }

    #[test]
    fn yaml_as_powershell_users_know_it() {
        let text = "\u{20}\nname: 007\nflag: true\nyes: yes\nempty:\nlist: [1, 2.5, ~]\ntab: x\t# comment\r\nfold: >\r\n  a\r\n  b\r\n";
        let expected = json!({"name": "007", "flag": true, "yes": "yes", "empty": null, "list": [1, 2.5, null], "tab": "x", "fold": "a b\n"});
        assert_eq!(yaml(text).unwrap(), expected);
    }

    /// Documents of the replaced module were read by libyaml's family, which is more lenient than the specification.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of texts")]
    fn what_another_reader_takes_is_read_alike() {
        let texts = [
            "a: {\n  b: 1\n}\nc: [\n  1,\n  2\n]\n",
            "a:\n  b: [\n    1\n  ]\n  c: {\n    d: 1\n  }\n",
            "a:\n- 1\n- b: 2\n  c:\n  - 3\nd: x\n",
            "a: 'it''s'\nb: \"tab\\t\\u00fc \\/\"\nc: x # comment\nd: x#y\n",
            "a: one\n  two\n\n  three\nb: \"one\n  two\"\n",
            "a: |\n  x\n   y\n\nb: >-\n  x\n  y\nc: |2\n    x\n",
            "---\na: 1\n...\n",
            "%YAML 1.2\n---\na: 1\n",
            "a: http://x:80/y?z=1&w=2\nb: C:\\temp\nc: a:b\nd: -x\ne: '- x'\n",
            "a: 1\t# tab\nb:\t2\nc: [1,\t2]\n",
            "{\"a\": 1, \"b\": [true, null, {\"c\": \"d\"}]}",
            "{\n\t\"a\": 1\n}",
            "a: 12:30\nb: 2024-01-01\nc: 0777\nd: 1e3\ne: .5\nf: 1_000\ng: 0xff\nh: +1\ni: ~\nj: NO\n",
            "? a\n: 1\n",
            "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n",
            "a:   \nb: ''\nc: \"\"\n",
            "\"a b\": 1\n'c': 2\n3: x\n4.5: y\ntrue: z\n",
            "a: [x y, z]\nb: {x: y z, w: }\nc: [a: 1, b: 2]\n",
            "- a\n-\n  - b\n- {}\n- []\n",
            "a: x\r\nb:\r\n  - y\r\n",
            "a: @x\n",
            "a: `x\n",
            "a: x: y\n",
            "a: 'x\n",
            "a: b\n c: d\n",
            "a: [1\n",
            "a\nb: 1\n",
            "  a: 1\nb: 2\n",
            "a: *b\n",
            "a: %x\n",
            "a: !\n",
            "a: - b\n",
            "key: [a, b]]\n",
            "a: \"\\q\"\n",
            "a:\n  - x\n - y\n",
            "a: {b: 1\nc: 2\n",
            "a: [\n1,\n2\n]\n",
            "a:\n  b: [\n1,\n2\n]\n",
            "a:\n  b: {\nc: 1}\n",
            "a: \"x\ny\"\n",
            "a:\n  b: \"x\ny\"\n",
            "a: |\nx\n",
            "a: 1 #b\n#c\n  #d\n",
            "a: # c\n  b: 1\n",
            "a:\n # c\n  b: 1\n",
            "a: ? b\n",
            "a: 1\n\t\nb: 2\n",
            "a:\n  b: 1\n\t# c\n",
            "a: [1, 2,]\nb: {c: 1,}\n",
            "[a, b]: 1\n",
            "a: 'x' y\n",
            "a: \u{7f}\n",
            "a: x\u{a0}y\n",
            "# c\n---\n# d\na: 1\n",
        ];
        for text in texts {
            let theirs = serde_yaml::from_str::<Value>(text).ok();
            let ours = yaml(text).ok();
            assert!(theirs.is_none() || ours == theirs, "{text:?}: {ours:?} instead of {theirs:?}");
        }
    }

    #[test]
    fn merge_keys_are_applied() {
        let text = "base: &base {kind: StorageV2, tier: Hot}\nitem:\n  <<: *base\n  tier: Cool\n";
        assert_eq!(yaml(text).unwrap()["item"], json!({"kind": "StorageV2", "tier": "Cool"}));
    }

    #[test]
    fn duplicate_keys_are_all_reported_with_their_places() {
        for result in
            [yaml("a: 1\na: 2\nb: {c: 1, c: 2}\n"), json_text("{\"a\": 1,\n\"a\": 2,\n\"b\": {\"c\": 1, \"c\": 2}}")]
        {
            let errors = result.unwrap_err();
            assert_eq!(errors.len(), 2, "{errors:?}");
            assert_eq!(errors[0].code, FindingCode::DuplicateKey);
            assert_eq!(errors[0].message, "duplicate key 'a', first set in line 1");
            assert_eq!(errors[0].position.map(|place| place.line), Some(2));
            assert_eq!(errors[1].position.map(|place| place.line), Some(3));
        }
    }

    #[test]
    fn json_gets_a_json_parsers_message() {
        let (message, position) = only_error(json_text("{\n  \"a\": 1\n  \"b\": 2\n}"));
        assert_eq!(message, "invalid JSON: expected `,` or `}`");
        assert_eq!(position, Some((3, 3)));
    }

    #[test]
    fn json_comments_and_trailing_commas_are_read() {
        assert_eq!(json_text("{\n  // why\n  \"a\": 1, /* x */\n}").unwrap(), json!({"a": 1}));
    }

    #[test]
    fn what_yaml_must_not_hold_has_its_place() {
        for text in ["", "# only a comment\n"] {
            let errors = yaml(text).unwrap_err();
            assert_eq!(
                (errors[0].code, errors[0].position),
                (FindingCode::Empty, Some(Position { line: 1, column: 1 }))
            );
        }
        let table: &[(&str, &str, (usize, usize))] = &[
            ("a: 1\n---\nb: 2\n", "expected one document, found several (separated by '---')", (2, 1)),
            ("a: 1\nb: !secret x\n", "the tag !secret is not supported", (2, 4)),
            ("a: 1\nb: !!int x\n", "'x' is not a value of the tag !!int", (2, 4)),
            ("a: 1\n? [b, c]\n: 2\n", "expected text as a key, found a list", (2, 3)),
            ("a: 1\n? {b: c}\n: 2\n", "expected text as a key, found an object", (2, 3)),
            ("a: 1\n~: 2\n", "expected text as a key, found nothing", (2, 1)),
            ("a: &a [*a]\n", "the alias ('*') stands in the value that it repeats", (1, 8)),
            ("a: 1\nb:\n  <<: 7\n", "a merge key ('<<') takes an object, or a list of objects", (3, 7)),
            ("a:\n\tb: 1\n", "indented with a tab; YAML allows spaces only", (2, 1)),
            ("a: 1\nb: *c\n", "invalid YAML: the alias ('*') has no anchor ('&') above it", (2, 4)),
        ];
        for (text, message, place) in table {
            assert_eq!(only_error(yaml(text)), ((*message).to_owned(), Some(*place)), "{text}");
        }
        let (message, position) = only_error(yaml("a: [1, 2\nb: 3\n"));
        assert!(message.starts_with("invalid YAML: "), "{message}");
        assert!(position.is_some());
    }

    #[test]
    fn what_is_wrong_with_a_text_hides_no_values() {
        let parsed = parse(&mut "a: 1\nb: !secret x\na: 2\n? [c]\n: 3\nd: 4\n".to_owned(), false).unwrap();
        assert_eq!((parsed.value, parsed.problems.len()), (json!({"a": 1, "b": "x", "d": 4}), 3));
        let parsed = parse(&mut "{\"a\": 1, \"a\": 2, \"b\": 3}".to_owned(), true).unwrap();
        assert_eq!((parsed.value, parsed.problems.len()), (json!({"a": 1, "b": 3}), 1));
    }

    #[test]
    fn tags_of_yaml_itself() {
        assert_eq!(
            yaml("a: !!str 1\nb: !!int 2\nc: !!map {d: !!seq [!!null ~]}\n").unwrap(),
            json!({"a": "1", "b": 2, "c": {"d": [null]}})
        );
    }

    #[test]
    fn depth_and_alias_bombs_are_refused() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(yaml(&nested(64)).is_ok());
        // The parser looks ahead, and gives up where it stands then.
        for (depth, column) in [(65, 65), (1000, 256)] {
            let message = "nested more than 64 levels deep";
            assert_eq!(only_error(yaml(&nested(depth))), (message.to_owned(), Some((1, column))));
            assert!(only_error(json_text(&nested(depth))).0.contains(message));
        }
        let by_alias = format!("a: &a {}\nb: {}*a{}\n", nested(40), "[".repeat(30), "]".repeat(30));
        assert_eq!(only_error(yaml(&by_alias)), ("nested more than 64 levels deep".to_owned(), Some((2, 34))));
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let alias = format!("*a{}", level - 1);
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![alias; 9].join(", ")));
        }
        assert_too_many(&bomb);
    }

    fn assert_too_many(text: &str) {
        let (message, place) = only_error(yaml(text));
        assert_eq!(message, "the aliases ('*') of the document expand to too many values");
        assert!(place.is_some());
    }

    #[test]
    fn what_aliases_add_is_counted_before_it_is_made() {
        // Each mapping merges the one before it twice.
        let mut merges = "a0: &a0 {x0: 1, y0: 1, z0: 1, w0: 1}\n".to_owned();
        for level in 1..40 {
            let before = level - 1;
            merges.push_str(&format!("a{level}: &a{level} {{<<: [*a{before}, *a{before}], b: *a{before}}}\n"));
        }
        assert_too_many(&merges);
        // Few values, but each is a long text, or has a long key.
        let long = "x".repeat(10_000);
        for first in [format!("&a0 {long}"), format!("&a0 {{? {long} : 1}}")] {
            let mut texts = format!("a0: {first}\n");
            for level in 1..5 {
                let alias = format!("*a{}", level - 1);
                texts.push_str(&format!("a{level}: &a{level} [{}]\n", vec![alias; 9].join(", ")));
            }
            assert_too_many(&texts);
        }
        // What is large already may not be multiplied by ten.
        let list = "  - x\n".repeat(600_000);
        assert_too_many(&format!("a: &a\n{list}b: [{}]\n", ["*a"; 8].join(", ")));
    }

    #[test]
    fn very_many_brackets_are_refused_where_they_are() {
        let brackets = "[".repeat(80_000);
        let braces = "{\"a\":".repeat(80_000);
        let message = "nested more than 64 levels deep";
        for text in [&brackets, &braces, &"- ".repeat(80_000), &format!("a: \"x\ny\"\nb: {brackets}")] {
            let errors = yaml(text).unwrap_err();
            assert_eq!(errors.len(), 1);
            assert!(errors[0].message.contains(message) || text.starts_with('a'), "{}", errors[0].message);
        }
        assert!(only_error(json_text(&brackets)).0.contains(message));
    }

    #[test]
    fn aliases_of_a_long_document_are_as_many_as_they_like() {
        let text = format!("base: &base {{a: 1, b: [2, 3]}}\nlist:\n{}", "  - {<<: *base, name: x}\n".repeat(30_000));
        assert_eq!(yaml(&text).unwrap()["list"].as_array().unwrap().len(), 30_000);
    }
}
