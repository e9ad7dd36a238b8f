//! Reads JSON with comments and trailing commas, and notices keys that are there twice.

use std::cell::Cell;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::locate::Position;
use super::parse::{ParseError, RECURSION_LIMIT};
use super::{syntax_error, yaml};
use crate::protocol::FindingCode;

/// Values, and the keys that are there twice.
pub(super) fn read(text: &mut String) -> Result<(Value, Vec<ParseError>), ParseError> {
    if text.trim().is_empty() {
        return Ok((Value::Null, Vec::new()));
    }
    // A comment that does not end is left for the parser, which says where it stands.
    let mut stripped = text.clone();
    if json_strip_comments::strip(&mut stripped).is_ok() {
        *text = stripped;
    }
    let has_duplicates = Cell::new(false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value =
        Unique(&has_duplicates).deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    let value = value.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = syntax_error::json_mistake(&error);
        let position = Position { line, column: column.max(1) };
        if message.contains(RECURSION_LIMIT) {
            return ParseError { position: Some(position), ..ParseError::too_deep() };
        }
        ParseError::new(position, format!("invalid JSON: {message}"))
    })?;
    // Only the reader of YAML, which JSON is, knows where keys stand.
    let duplicates = || yaml::look_over(text).problems.into_iter().filter(is_duplicate).collect();
    Ok((value, if has_duplicates.get() { duplicates() } else { Vec::new() }))
}

fn is_duplicate(problem: &ParseError) -> bool {
    problem.code == FindingCode::DuplicateKey
}

/// Reads JSON and notes whether a key is there twice; the first one counts. `serde_json::Value` keeps the last one silently.
#[derive(Clone, Copy)]
struct Unique<'a>(&'a Cell<bool>);

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
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
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(self)?;
            match object.entry(key) {
                serde_json::map::Entry::Vacant(entry) => drop(entry.insert(value)),
                serde_json::map::Entry::Occupied(_) => self.0.set(true),
            }
        }
        Ok(Value::Object(object))
    }
}
