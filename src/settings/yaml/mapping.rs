//! A mapping of YAML while it is read: its members, and what is merged into it.

use serde_json::{Map, Value};

use super::Finished;
use crate::protocol::FindingCode;
use crate::settings::locate::{KeyId, Members, NodeId, Places, Position};
use crate::settings::parse::ParseError;

/// The key whose value is merged into its mapping.
const MERGE: &str = "<<";

#[derive(Default)]
pub(super) struct Mapping {
    values: Map<String, Value>,
    members: Members,
    /// The position of the merge key, and what is merged: that counts where the mapping has nothing of its own.
    merge_key: Option<Position>,
    merged: Merged,
    waiting: Option<Key>,
}

#[derive(Default)]
struct Merged {
    values: Vec<Map<String, Value>>,
    nodes: Vec<NodeId>,
}

/// A key that waits for its value.
enum Key {
    Text(String, KeyId, Position),
    Merge,
    /// One that cannot be used: its value is read and dropped.
    Unusable,
}

impl Mapping {
    /// Whether the next value is a key.
    pub(super) fn expects_key(&self) -> bool {
        self.waiting.is_none()
    }

    /// Takes a key. `text` is that of a scalar, as it is written; no merge key is known where nothing can be merged.
    pub(super) fn key(
        &mut self,
        value: &Value,
        text: Option<&str>,
        position: Position,
        merges: bool,
        places: &mut Places,
    ) -> Result<(), ParseError> {
        self.waiting = Some(Key::Unusable);
        let found = match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => "",
            Value::Null => "nothing",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        if !found.is_empty() {
            return Err(ParseError::new(position, format!("expected text as a key, found {found}")));
        }
        let key = match (value, text) {
            (Value::String(key), _) => key.clone(),
            (_, Some(text)) => text.to_owned(),
            (_, None) => value.to_string(),
        };
        let is_merge_key = merges && key == MERGE;
        let id = places.key(&key);
        let first = if is_merge_key { self.merge_key } else { self.members.position(id) };
        if let Some(Position { line, .. }) = first {
            return Err(ParseError {
                code: FindingCode::DuplicateKey,
                ..ParseError::new(position, format!("duplicate key '{key}', first set in line {line}"))
            });
        }
        self.waiting = Some(if is_merge_key {
            self.merge_key = Some(position);
            Key::Merge
        } else {
            Key::Text(key, id, position)
        });
        Ok(())
    }

    /// Takes the value of the key that waits.
    pub(super) fn member(
        &mut self,
        finished: Finished,
        position: Position,
        keeps_values: bool,
        places: &Places,
    ) -> Result<(), ParseError> {
        let Finished { value, node, .. } = finished;
        match self.waiting.take() {
            None | Some(Key::Unusable) => Ok(()),
            Some(Key::Text(key, id, key_position)) => {
                self.members.add(id, key_position, node);
                if keeps_values {
                    self.values.insert(key, value);
                }
                Ok(())
            }
            Some(Key::Merge) => self.merge(value, &places.items(node), position),
        }
    }

    fn merge(&mut self, value: Value, nodes: &[NodeId], position: Position) -> Result<(), ParseError> {
        let sources = if let Value::Array(sources) = value { sources } else { vec![value] };
        for (source, node) in sources.into_iter().zip(nodes) {
            let Value::Object(members) = source else {
                return Err(ParseError::new(position, "a merge key ('<<') takes an object, or a list of objects"));
            };
            self.merged.values.push(members);
            self.merged.nodes.push(*node);
        }
        Ok(())
    }

    /// The members, with what is merged: of several the first has a member, and its own are before all.
    pub(super) fn finish(self, position: Position, places: &mut Places) -> (Value, NodeId) {
        let Mapping { mut values, members, merged, .. } = self;
        for (key, value) in merged.values.into_iter().flatten() {
            if !values.contains_key(&key) {
                values.insert(key, value);
            }
        }
        (Value::Object(values), places.mapping(position, members, &merged.nodes))
    }
}
