//! The words for what is wrong with the YAML or JSON of a document.

/// The words of `saphyr-parser` for a mistake, and those for whoever has written the document.
const YAML: &[(&str, &str)] = &[
    ("while parsing a flow sequence, expected ',' or ']'", "the list in brackets needs ',' or ']' here"),
    ("while parsing a flow mapping, did not find expected ',' or '}'", "the object in braces needs ',' or '}' here"),
    ("while parsing a block mapping, did not find expected key", "expected a key that is indented like those above it"),
    (
        "while parsing a block collection, did not find expected '-' indicator",
        "expected a '-' that is indented like those above it",
    ),
    ("while parsing a node, did not find expected node content", "expected a value"),
    ("while parsing node, found unknown anchor", "the alias ('*') has no anchor ('&') above it"),
    ("while parsing anchor, found duplicated anchor", "the anchor ('&') is there twice"),
    ("while scanning a quoted scalar, found unexpected end of stream", "the quoted text has no end"),
    ("while scanning a quoted scalar, found unexpected document indicator", "the quoted text has no end"),
    (
        "while parsing a quoted scalar, found unknown escape character",
        "a backslash in double quotes begins an escape, and this is none; single quotes take it as it is",
    ),
    ("mapping values are not allowed in this context", "':' is not expected here; a text with ': ' in it needs quotes"),
    ("mapping keys are not allowed in this context", "a key is not expected here"),
    ("block sequence entries are not allowed in this context", "an item of a list ('- ') is not expected here"),
    ("simple key expect ':'", "expected ':' behind the key"),
    ("simple key expected", "expected a key with ':' behind it"),
    ("misplaced bracket", "a bracket that closes is not expected here"),
    ("unexpected eof", "the document ends where more is expected"),
    ("unexpected end of plain scalar", "the document ends where more is expected"),
    ("invalid indentation", "the line is indented otherwise than those above it"),
    ("invalid indentation in flow construct", "the line is indented less than the list or object that it belongs to"),
    ("invalid indentation in quoted scalar", "the quoted text has no end"),
    ("invalid trailing content after double-quoted scalar", "something stands behind the quoted text"),
    ("wrongly indented line in block scalar", "the line is indented less than the text that it belongs to"),
];

/// The same for `serde_json`.
const JSON: &[(&str, &str)] = &[
    ("EOF while parsing an object", "the object has no end"),
    ("EOF while parsing a list", "the list has no end"),
    ("EOF while parsing a string", "the text has no end"),
    ("EOF while parsing a value", "the document ends where a value is expected"),
    ("key must be a string", "expected a key in double quotes"),
    ("expected ident", "expected a value; a text needs double quotes"),
    ("expected value", "expected a value"),
    ("invalid escape", "a backslash begins an escape, and this is none; write \\\\ for a backslash"),
    ("trailing characters", "something stands behind the document"),
    ("trailing comma", "a comma stands behind the last item"),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "a text must not have line breaks or tabs; write \\n or \\t",
    ),
];

/// The mistake in a YAML text, from what the parser says. What is not in the table is told without what the parser was doing.
pub(super) fn yaml_mistake(said: &str) -> &str {
    let what = || said.strip_prefix("while ").and_then(|rest| rest.split_once(", "));
    plain(YAML, said).or_else(|| what().map(|(_, what)| what)).unwrap_or(said)
}

/// The mistake in a JSON text, in words for whoever has written it, without its place.
pub fn json_mistake(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = said.strip_suffix(&place).unwrap_or(&said);
    plain(JSON, said).unwrap_or(said).to_owned()
}

fn plain(words: &[(&str, &'static str)], said: &str) -> Option<&'static str> {
    words.iter().find(|(parser, _)| *parser == said).map(|(_, plain)| *plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use saphyr_parser::{Parser, ScanError};

    fn said(text: &str) -> String {
        let mut errors = Parser::new_from_str(text).filter_map(Result::err);
        errors.next().as_ref().map(ScanError::info).unwrap_or_default().to_owned()
    }

    #[test]
    fn mistakes_in_json_are_told_without_words_of_a_parser() {
        for text in [
            "",
            "{",
            "[1",
            "{\"a\":",
            "{\"a\":1,}",
            "[1,]",
            "{a:1}",
            "{\"a\":tru}",
            "\"\\x\"",
            "{\"a\":1 \"b\":2}",
            "\"a",
            "{} x",
            "+1",
            "{'a':1}",
            "nope",
            "\"a\nb\"",
            "01",
            "1e999",
        ] {
            let plain = json_mistake(&serde_json::from_str::<serde_json::Value>(text).unwrap_err());
            for word in ["EOF", "ident", "trailing", "parsing", "string", "\\u00", " at line ", "character"] {
                assert!(!plain.contains(word), "{text:?}: {plain}");
            }
        }
    }

    /// The mistakes that people make: none is told in words of the grammar.
    #[test]
    fn mistakes_in_yaml_are_told_without_words_of_a_grammar() {
        for text in [
            "a: [1, 2\nb: 3\n",
            "a: {b: 1\nc: 2\n",
            "a: [",
            "a:\n  b: 1\n c: 2\n",
            "a:\n- 1\nb\n",
            "- 1\nb: 2\n",
            "a: b: c\n",
            "a: - b\n",
            "a: *b\n",
            "a: 'b\n",
            "a: \"b\n",
            "a: \"C:\\dir\"\n",
            "a: ]\n",
            "a: }\n",
            "a: \"b\" c\n",
            "a\nb: 1\n",
            "a: |\n  b\n c\n",
            "a: @b\n",
            "a: `b`\n",
            "a: %b\n",
            "? a\n? b: [\n",
            "a: &x 1\nb: &x 2\nc: *y\n",
        ] {
            let said = said(text);
            let plain = yaml_mistake(&said);
            for word in ["scalar", "flow", "block", "node", "mapping", "sequence", "stream", "token", "while ", "eof"] {
                assert!(!plain.contains(word), "{text:?}: {said}: {plain}");
            }
        }
    }

    #[test]
    fn what_is_not_known_is_told_as_it_is() {
        assert_eq!(yaml_mistake("found unprintable character"), "found unprintable character");
        assert_eq!(yaml_mistake("while scanning a plain scalar, found a tab"), "found a tab");
    }
}
