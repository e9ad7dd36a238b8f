//! Parses JSON and YAML text into values.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::locate::{Locator, Position};
use super::path::SettingsPath;
use crate::protocol::FindingCode;

/// Documents nested deeper are refused; no settings document comes near.
const DEEPEST: usize = 64;
/// What both parsers say of a text that is deeper than they follow: that is over [`DEEPEST`] too.
const RECURSION_LIMIT: &str = "recursion limit";

/// Why a text has no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParseError {
    /// PascalCase and stable.
    pub(super) code: FindingCode,
    /// A sentence without the place.
    pub(super) message: String,
    /// Where the parser stood.
    pub(super) position: Option<Position>,
}

impl ParseError {
    fn new(message: impl Into<String>) -> ParseError {
        ParseError { code: FindingCode::SyntaxError, message: message.into(), position: None }
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

/// Parses a text. JSON may hold comments and trailing commas, as `ConvertFrom-Json` accepts them; they are blanked out
/// in place, so that positions stay.
///
/// # Errors
/// Every duplicate key, or the parser's first error.
pub(super) fn parse(text: &mut String, json: bool) -> Result<Value, Vec<ParseError>> {
    let parsed = if json { parse_json(text) } else { parse_yaml(text) };
    let value = parsed.map_err(|error| {
        let duplicates = duplicate_keys(text);
        if duplicates.is_empty() { vec![error] } else { duplicates }
    })?;
    if value.is_null() {
        return Err(vec![ParseError {
            code: FindingCode::Empty,
            message: "the document is empty".to_owned(),
            position: None,
        }]);
    }
    if is_deeper(&value, DEEPEST) { Err(vec![ParseError::too_deep()]) } else { Ok(value) }
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

fn is_deeper(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|item| is_deeper(item, left - 1)),
        Value::Object(members) => left == 0 || members.values().any(|member| is_deeper(member, left - 1)),
        _ => false,
    }
}

fn duplicate_keys(text: &str) -> Vec<ParseError> {
    Locator::new(text)
        .duplicates()
        .iter()
        .map(|(key, first, second)| ParseError {
            code: FindingCode::DuplicateKey,
            message: format!("duplicate key '{key}', first set in line {}", first.line),
            position: Some(*second),
        })
        .collect()
}

fn parse_json(text: &mut String) -> Result<Value, ParseError> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    // A comment that does not end is left for the parser, which says where it stands.
    let mut stripped = text.clone();
    if json_strip_comments::strip(&mut stripped).is_ok() {
        *text = stripped;
    }
    serde_json::from_str::<Unique>(text).map(|unique| unique.0).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let shown = error.to_string();
        let message = shown.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&shown).to_owned();
        let position = Some(Position { line, column: column.max(1) });
        if message.contains(RECURSION_LIMIT) {
            return ParseError { position, ..ParseError::too_deep() };
        }
        ParseError { position, ..ParseError::new(format!("invalid JSON: {message}")) }
    })
}

fn parse_yaml(text: &str) -> Result<Value, ParseError> {
    let mut value: serde_yaml::Value = serde_yaml::from_str(text).map_err(|error| yaml_error(&error, text))?;
    value.apply_merge().map_err(|error| ParseError::new(format!("invalid merge key ('<<'): {error}")))?;
    from_yaml(value)
}

fn yaml_error(error: &serde_yaml::Error, text: &str) -> ParseError {
    let shown = error.to_string();
    let position = error.location().map(|place| Position { line: place.line(), column: place.column() });
    let message = match &position {
        Some(place) => shown.replace(&format!(" at line {} column {}", place.line, place.column), ""),
        None => shown,
    };
    if message.contains(RECURSION_LIMIT) {
        return ParseError { position, ..ParseError::too_deep() };
    }
    let message = if message.contains("more than one document") {
        "expected one document, found several (separated by '---')".to_owned()
    } else if message.contains("repetition limit") {
        "the aliases ('*') of the document expand to too many values".to_owned()
    } else if position.is_some_and(|place| is_tab(text, place)) {
        "indented with a tab; YAML allows spaces only".to_owned()
    } else {
        format!("invalid YAML: {message}")
    };
    ParseError { position, ..ParseError::new(message) }
}

fn is_tab(text: &str, place: Position) -> bool {
    let line = text.lines().nth(place.line.saturating_sub(1));
    line.and_then(|line| line.chars().nth(place.column.saturating_sub(1))) == Some('\t')
}

fn from_yaml(value: serde_yaml::Value) -> Result<Value, ParseError> {
    Ok(match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(flag) => Value::Bool(flag),
        serde_yaml::Value::Number(number) => from_yaml_number(&number),
        serde_yaml::Value::String(text) => Value::String(text),
        serde_yaml::Value::Sequence(items) => Value::Array(items.into_iter().map(from_yaml).collect::<Result<_, _>>()?),
        serde_yaml::Value::Mapping(members) => {
            let mut object = Map::with_capacity(members.len());
            for (key, member) in members {
                object.insert(yaml_key(key)?, from_yaml(member)?);
            }
            Value::Object(object)
        }
        serde_yaml::Value::Tagged(tagged) => {
            return Err(ParseError::new(format!("the tag {} is not supported", tagged.tag)));
        }
    })
}

fn from_yaml_number(number: &serde_yaml::Number) -> Value {
    if let Some(integer) = number.as_i64() {
        Value::Number(integer.into())
    } else if let Some(integer) = number.as_u64() {
        Value::Number(integer.into())
    } else {
        // Infinities and NaN are no JSON numbers; as text they are refused where a number is wanted.
        number.as_f64().and_then(Number::from_f64).map_or_else(|| Value::String(number.to_string()), Value::Number)
    }
}

fn yaml_key(key: serde_yaml::Value) -> Result<String, ParseError> {
    match key {
        serde_yaml::Value::String(text) => Ok(text),
        serde_yaml::Value::Number(number) => Ok(number.to_string()),
        serde_yaml::Value::Bool(flag) => Ok(flag.to_string()),
        _ => Err(ParseError::new("expected text as a key, found a list, a mapping or null")),
    }
}

/// JSON in which a key that stands twice is an error; `serde_json::Value` keeps the last one silently.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Unique)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Unique(value))) = members.next_entry::<String, Unique>()? {
            if object.insert(key.clone(), value).is_some() {
                return Err(serde::de::Error::custom(format!("duplicate key '{key}'")));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn yaml(text: &str) -> Result<Value, Vec<ParseError>> {
        parse(&mut text.to_owned(), false)
    }

    fn json_text(text: &str) -> Result<Value, Vec<ParseError>> {
        parse(&mut text.to_owned(), true)
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
    fn what_yaml_must_not_hold() {
        assert_eq!(yaml("").unwrap_err()[0].code, FindingCode::Empty);
        assert_eq!(yaml("# only a comment\n").unwrap_err()[0].code, FindingCode::Empty);
        assert!(only_error(yaml("a: 1\n---\nb: 2\n")).0.contains("found several"));
        assert!(only_error(yaml("a: !secret x\n")).0.contains("tag !secret"));
        let (message, position) = only_error(yaml("a:\n\tb: 1\n"));
        assert!(message.contains("tab"), "{message}");
        assert_eq!(position, Some((2, 1)));
        let (message, position) = only_error(yaml("a: [1, 2\nb: 3\n"));
        assert!(message.starts_with("invalid YAML: "), "{message}");
        assert!(position.is_some());
    }

    #[test]
    fn depth_and_alias_bombs_are_refused() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(yaml(&nested(64)).is_ok());
        for depth in [65, 1000] {
            assert!(only_error(yaml(&nested(depth))).0.contains("nested more than 64 levels deep"));
            assert!(only_error(json_text(&nested(depth))).0.contains("nested more than 64 levels deep"));
        }
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let alias = format!("*a{}", level - 1);
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![alias; 9].join(", ")));
        }
        assert!(only_error(yaml(&bomb)).0.contains("aliases"));
    }
}
