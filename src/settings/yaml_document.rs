//! Settings documents as they are written for people: YAML with comments, some of whose keys may be switched off.

use serde_json::Value;

/// The longest line of a comment, in characters.
const WIDTH: usize = 100;

/// A value of a document that is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// A text, a number or a switch.
    Plain(Value),
    /// An object.
    Object(Vec<WrittenKey>),
    /// A list.
    List(Vec<Written>),
    /// An item of a list that is written as a comment, with what is told of it: it counts no more than a key that is off.
    Off(String, Box<Written>),
}

/// A key of an object, with what is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenKey {
    /// Stands above the key, a line of the document or more each; empty: nothing does.
    pub comment: String,
    /// As the settings have it.
    pub key: String,
    /// Its value.
    pub value: Written,
    /// Written as a comment, so that it counts only once somebody takes the `#` away.
    pub is_off: bool,
    /// The document is wrong without it.
    pub is_required: bool,
}

impl WrittenKey {
    /// A key without a comment.
    #[must_use]
    pub fn new(key: &str, value: Written) -> WrittenKey {
        WrittenKey { comment: String::new(), key: key.to_owned(), value, is_off: false, is_required: false }
    }
}

impl From<&Value> for Written {
    fn from(value: &Value) -> Written {
        match value {
            Value::Object(members) => {
                Written::Object(members.iter().map(|(key, value)| WrittenKey::new(key, value.into())).collect())
            }
            Value::Array(items) => Written::List(items.iter().map(Written::from).collect()),
            plain => Written::Plain(plain.clone()),
        }
    }
}

impl Written {
    /// Whether nothing of it counts.
    fn is_nothing(&self) -> bool {
        match self {
            Written::Plain(_) => false,
            Written::Object(keys) => keys.iter().all(|key| key.is_off),
            Written::List(items) => items.is_empty(),
            Written::Off(..) => true,
        }
    }

    /// The same with the items that are off as if they were not.
    fn with_every_item(&self) -> Written {
        match self {
            Written::List(items) => Written::List(items.iter().map(Written::with_every_item).collect()),
            Written::Off(_, item) => (**item).clone(),
            other => other.clone(),
        }
    }

    /// Whether it is an item that counts.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self, Written::Off(..))
    }
}

/// The document as YAML. `head` stands above it, as a comment.
#[must_use]
pub fn to_yaml(head: &str, keys: &[WrittenKey]) -> String {
    let mut lines = comment(head);
    object(keys, &mut lines);
    lines.join("\n") + "\n"
}

/// Lines of a comment, none longer than [`WIDTH`] unless it is one word.
fn comment(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let indent: String = line.chars().take_while(|character| *character == ' ').collect();
        let mut current = indent.clone();
        for word in line.split_whitespace() {
            let is_first = current.len() == indent.len();
            if !is_first && current.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::replace(&mut current, indent.clone()));
                current.push_str(word);
                continue;
            }
            if !is_first {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    lines.into_iter().map(|line| format!("# {line}").trim_end().to_owned()).collect()
}

fn object(keys: &[WrittenKey], lines: &mut Vec<String>) {
    for key in keys {
        let mut own = comment(&key.comment);
        let above = own.len();
        if key.is_off {
            // Whoever takes the `#` of a list away has all of its items.
            entry(&WrittenKey { value: key.value.with_every_item(), ..key.clone() }, &mut own);
            for line in own.iter_mut().skip(above) {
                line.insert(0, '#');
            }
        } else {
            entry(key, &mut own);
        }
        lines.append(&mut own);
    }
}

fn entry(key: &WrittenKey, lines: &mut Vec<String>) {
    let name = scalar(&Value::String(key.key.clone()));
    let below = |lines: &mut Vec<String>, inner: Vec<String>| {
        lines.push(format!("{name}:"));
        lines.extend(inner.into_iter().map(|line| if line.is_empty() { line } else { format!("  {line}") }));
    };
    let mut inner = Vec::new();
    match &key.value {
        Written::Plain(Value::String(text)) if is_block(text) => {
            lines.push(format!("{name}: {}", if text.ends_with('\n') { "|" } else { "|-" }));
            let indented = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
            lines.extend(text.lines().map(indented));
        }
        Written::Plain(value) => lines.push(format!("{name}: {}", scalar(value)).trim_end().to_owned()),
        Written::List(items) if items.is_empty() => lines.push(format!("{name}: []")),
        Written::Object(keys) if keys.is_empty() => lines.push(format!("{name}: {{}}")),
        Written::List(items) => {
            list(items, &mut inner);
            below(lines, inner);
        }
        Written::Object(keys) => {
            if key.value.is_nothing() {
                // Without a value it counts as absent, and is as it should be once one of its keys is switched on.
                lines.push(if key.is_required { format!("{name}: {{}}") } else { format!("{name}:") });
                object(keys, &mut inner);
                lines.extend(inner.into_iter().map(|line| format!("  {line}")));
            } else {
                object(keys, &mut inner);
                below(lines, inner);
            }
        }
        // Only items are.
        Written::Off(..) => {}
    }
}

fn list(items: &[Written], lines: &mut Vec<String>) {
    for item in items {
        match item {
            Written::Object(keys) if !item.is_nothing() => {
                // A dash needs a key that counts behind it.
                let first = keys.iter().position(|key| !key.is_off).unwrap_or_default();
                let mut keys = keys.clone();
                let mut lead = keys.remove(first);
                lines.extend(comment(&std::mem::take(&mut lead.comment)));
                keys.insert(0, lead);
                let mut inner = Vec::new();
                object(&keys, &mut inner);
                let mark = |(index, line): (usize, String)| match (index, line.is_empty()) {
                    (0, _) => format!("- {line}"),
                    (_, true) => line,
                    _ => format!("  {line}"),
                };
                lines.extend(inner.into_iter().enumerate().map(mark));
            }
            Written::Object(_) => lines.push("- {}".to_owned()),
            Written::List(items) => lines.push(format!("- {}", flow(items))),
            Written::Plain(value) => lines.push(format!("- {}", scalar(value))),
            Written::Off(why, item) => {
                let mut off = Vec::new();
                list(std::slice::from_ref(item), &mut off);
                lines.extend(comment(why));
                lines.extend(off.into_iter().map(|line| format!("#{line}")));
            }
        }
    }
}

/// A list in a list, which settings do not have; written on one line.
fn flow(items: &[Written]) -> String {
    let texts =
        items.iter().filter_map(|item| if let Written::Plain(value) = item { Some(value.to_string()) } else { None });
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}

/// Whether a text reads better as a block of lines, and stays what it is in one.
fn is_block(text: &str) -> bool {
    let is_plain = |line: &str| !line.starts_with([' ', '\t']) || !line.trim().is_empty();
    text.trim_end_matches('\n').contains('\n')
        && !text.ends_with("\n\n")
        && text.lines().next().is_some_and(|first| !first.is_empty() && !first.starts_with([' ', '\t']))
        && text.lines().all(is_plain)
        && text.chars().all(|character| character == '\n' || character == '\t' || !character.is_control())
}

/// A value on one line, in quotation marks where it would be read as something else without them.
fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if is_plain(text) => text.clone(),
        // JSON is YAML; single quotation marks are what people write.
        Value::String(text) if text.chars().all(|character| !character.is_control()) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        other => other.to_string(),
    }
}

/// Whether a text is the same text without quotation marks, in the schema that this program reads and in the older ones of editors.
fn is_plain(text: &str) -> bool {
    /// Words that YAML 1.1 reads as switches.
    const SWITCHES: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"];
    let is_word = |character: char| character.is_alphanumeric() || " -_./|$()@+*,:\\".contains(character);
    let first = text.chars().next();
    first.is_some_and(|first| first.is_alphabetic() || first == '/' || first == '$' || first.is_ascii_digit())
        && !text.ends_with([' ', ':'])
        && text.chars().all(is_word)
        && !text.contains(": ")
        && !SWITCHES.iter().any(|switch| text.eq_ignore_ascii_case(switch))
        && !looks_like_a_number(text)
}

/// Numbers, versions, times and dates: what one reader or the other takes for more than a text.
fn looks_like_a_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && (text.parse::<f64>().is_ok()
            || text.chars().all(|character| character.is_ascii_digit() || "_:-.".contains(character))
            || text.starts_with("0x")
            || text.starts_with("0o")
            || text.starts_with("0b"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settings::Document;

    fn read(text: &str) -> Value {
        Document::parse(None, text.to_owned()).unwrap().value().clone()
    }

    /// Written and read, every value is what it was: by this program and by a reader of older YAML.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of texts")]
    fn what_is_written_is_read_again() {
        for text in [
            "",
            " ",
            "a",
            "UK South",
            "yes",
            "No",
            "on",
            "~",
            "null",
            "1",
            "1.5",
            "007",
            "0x1f",
            "1e3",
            "2026-01-01",
            "12:30",
            "10.0.0.0/24",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "- a",
            "-",
            "it's",
            "\"quoted\"",
            "{a}",
            "[a]",
            "*",
            "&a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a`",
            "a, b",
            "$web",
            "NODE|22-lts",
            "tab\there",
            "line\nline",
            "line\nline\n",
            "line\n\nline\n\n",
            " first\nline",
            "a\n  b\nc",
            "a\r\nb",
            "\u{7}",
            "é",
            "Event\n| where A == \"b\" // c # d\n",
            "a\n \nb",
            "\u{feff}x",
            "a\u{2028}b",
            "true",
            "Null",
            ".5",
            "+1",
            "-1",
            "1_000",
            "a\nb ",
            "?",
            "? a",
        ] {
            let keys = [
                WrittenKey::new("key", Written::Plain(text.into())),
                WrittenKey::new("list", Written::List(vec![Written::Plain(text.into())])),
                WrittenKey::new("items", (&json!([{ "a": text, "b": [text] }])).into()),
            ];
            let yaml = to_yaml("head", &keys);
            let expected = json!({ "key": text, "list": [text], "items": [{ "a": text, "b": [text] }] });
            assert_eq!(read(&yaml), expected, "{yaml}");
            let other: Value = serde_yaml::from_str(&yaml).unwrap_or_else(|error| panic!("{error}: {yaml}"));
            assert_eq!(other, expected, "{yaml}");
        }
        for value in [json!(1), json!(-2.5), json!(true), json!({ "a": {}, "b": [], "c": { "d": { "e": [1, 2] } } })] {
            let yaml = to_yaml("", &[WrittenKey::new("key", (&value).into())]);
            assert_eq!(read(&yaml), json!({ "key": value }), "{yaml}");
        }
    }

    #[test]
    fn keys_may_be_off() {
        let off = |key: &str, value: Value| WrittenKey { is_off: true, ..WrittenKey::new(key, (&value).into()) };
        let told = |comment: &str, key: WrittenKey| WrittenKey { comment: comment.to_owned(), ..key };
        let item =
            Written::Object(vec![off("a", json!(1)), told("Of b.", WrittenKey::new("b", Written::Plain(json!(2))))]);
        let required =
            WrittenKey { is_required: true, ..WrittenKey::new("required", Written::Object(vec![off("p", json!(1))])) };
        let keys = [
            required,
            told("Of x.", off("x", json!({ "w": { "z": 1 } }))),
            told("Of list.", WrittenKey::new("list", Written::List(vec![item]))),
            WrittenKey::new("object", Written::Object(vec![off("p", json!(1))])),
        ];
        let yaml = to_yaml("Head.\n\n  svc plan", &keys);
        let expected = "\
# Head.
#
#   svc plan
required: {}
  #p: 1
# Of x.
#x:
#  w:
#    z: 1
# Of list.
list:
  # Of b.
  - b: 2
    #a: 1
object:
  #p: 1
";
        assert_eq!(yaml, expected);
        assert_eq!(read(&yaml), json!({ "required": {}, "list": [{ "b": 2 }], "object": null }));
    }

    #[test]
    fn comments_are_wrapped() {
        let lines = comment(&"word ".repeat(50));
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH + 2), "{lines:?}");
    }
}
