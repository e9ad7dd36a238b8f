//! Stand-ins: legal values for the places of a document that are wrong, so that everything else of it can be looked at. Each
//! place is tried with several, and what is found with all of them does not depend on what is wrong.

use serde_json::{Map, Value};

use super::path::{Segment, SettingsPath};
use super::shape::Shape;

/// The most readings of a document that are tried. Longer lists of choices are not exhausted.
const MOST_READINGS: usize = 12;
/// A whole number, and a length of time, that is over whatever it is compared with.
const LARGE: i64 = 1_000_000;

/// A place whose value is wrong or missing.
#[derive(Debug, Clone)]
pub(super) struct StandIn {
    pub(super) path: SettingsPath,
    pub(super) shape: Shape,
    /// Something has to be there.
    pub(super) required: bool,
}

/// The document as it is, or with each of several values in every wrong place.
#[must_use]
pub(super) fn repaired(value: Value, stand_ins: &[StandIn]) -> Vec<Value> {
    if stand_ins.is_empty() {
        return vec![value];
    }
    let most = stand_ins.iter().map(StandIn::choices).max().unwrap_or(1).min(MOST_READINGS);
    let mut words = Words::default();
    let reading = |round: usize| {
        let mut tree = value.clone();
        for (position, stand_in) in stand_ins.iter().enumerate() {
            // Places beside each other get different choices, so that no two always go together.
            put(&mut tree, &stand_in.path.0, stand_in.value(round + position, &mut words));
        }
        tree
    };
    (0..most).map(reading).collect()
}

impl StandIn {
    fn choices(&self) -> usize {
        choices(&self.shape) + usize::from(!self.required)
    }

    /// A value; none where the place is left empty.
    fn value(&self, round: usize, words: &mut Words) -> Option<Value> {
        let choice = round % self.choices();
        (choice < choices(&self.shape)).then(|| value(&self.shape, choice, words))
    }
}

/// The number of values that are worth trying.
fn choices(shape: &Shape) -> usize {
    match shape {
        Shape::Text(known) if !known.is_empty() => known.len(),
        Shape::Integer { choices, .. } if !choices.is_empty() => choices.len(),
        Shape::Text(_)
        | Shape::Integer { .. }
        | Shape::Number
        | Shape::Boolean
        | Shape::Object(_)
        | Shape::List { .. } => 2,
        Shape::OneOf(shapes) => shapes.first().map_or(1, choices),
        Shape::Map(_) | Shape::Any => 1,
    }
}

/// The value of a choice. The first one of objects and lists has no more than it must, the second one everything.
fn value(shape: &Shape, choice: usize, words: &mut Words) -> Value {
    match shape {
        Shape::Text(known) => match known.get(choice % known.len().max(1)) {
            Some(known) => Value::String(known.clone()),
            None => Value::String(words.next()),
        },
        Shape::Integer { minimum, maximum, choices, .. } => match choices.get(choice % choices.len().max(1)) {
            Some(number) => (*number).into(),
            None if choice.is_multiple_of(2) => minimum.unwrap_or(1).into(),
            None => maximum.unwrap_or_else(|| minimum.unwrap_or_default().max(LARGE)).into(),
        },
        Shape::Number => if choice.is_multiple_of(2) { 1 } else { LARGE }.into(),
        Shape::Boolean => Value::Bool(choice.is_multiple_of(2)),
        Shape::Object(fields) => {
            let is_there = |required: bool| required || !choice.is_multiple_of(2);
            let members: Map<String, Value> = fields
                .iter()
                .filter(|field| is_there(field.required))
                .map(|field| (field.name.clone(), value(&field.shape, choice, words)))
                .collect();
            Value::Object(members)
        }
        Shape::List { items, least, .. } => {
            let count = (*least).max(choice % 2);
            (0..count).map(|_| value(items, choice, words)).collect()
        }
        Shape::OneOf(shapes) => shapes.first().map_or(Value::Null, |shape| value(shape, choice, words)),
        Shape::Map(_) => Value::Object(Map::new()),
        Shape::Any => Value::Null,
    }
}

/// Texts that stand nowhere else: whatever is made of one is made of no other.
#[derive(Debug, Default)]
struct Words(usize);

impl Words {
    fn next(&mut self) -> String {
        self.0 += 1;
        let mut rest = self.0;
        let mut word = "standin".to_owned();
        while rest > 0 {
            word.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or_default()));
            rest /= 26;
        }
        word
    }
}

/// Puts a value where a path leads. A list that is written as its only item has no number in the path.
fn put(tree: &mut Value, path: &[Segment], value: Option<Value>) {
    let Some((segment, rest)) = path.split_first() else {
        *tree = value.unwrap_or_default();
        return;
    };
    match (segment, tree) {
        (Segment::Key(_), Value::Array(items)) => {
            if let Some(only) = items.first_mut() {
                put(only, path, value);
            }
        }
        (Segment::Key(key), Value::Object(members)) if rest.is_empty() => match value {
            Some(value) => drop(members.insert(key.to_string(), value)),
            None => drop(members.shift_remove(key.as_ref())),
        },
        (Segment::Key(key), Value::Object(members)) => {
            if let Some(member) = members.get_mut(key.as_ref()) {
                put(member, rest, value);
            }
        }
        (Segment::Index(index), Value::Array(items)) => {
            if let Some(item) = items.get_mut(*index) {
                put(item, rest, value);
            }
        }
        _ => {}
    }
}
