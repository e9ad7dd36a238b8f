//! Makes documents of a command at random: one of its own documents, with a few values taken out, replaced, added or repeated
//! as its schema allows. Most are right; the others have to be refused before anything is changed.

use std::collections::BTreeMap;

use fastrand::Rng;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value};
use svc_engine::run::registry as commands;

use crate::support::examples::documents;

/// The most changes of one document.
const MOST_CHANGES: usize = 6;
/// Numbers that are tried where a schema has no bounds.
const NUMBERS: [i64; 6] = [0, 1, 5, 60, 100, 1000];

/// Stacks of apps, of which some do not exist.
const STACKS: [&str; 8] = [
    "PYTHN|3.12",
    "nonsense|1",
    "NODE|98",
    "NODE",
    "PHP|8.4",
    "DOTNET-ISOLATED|8.0",
    "sitecontainers",
    "DOCKER|nginx:1",
];

/// A document that is drawn: one of its source, and the changes to it.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    which: Index,
    changes: Changes,
}

/// Changes to a document, by the seed of each. A draw with fewer of them is a simpler one.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    anywhere: Vec<u64>,
    /// What stands deep in a document is seldom met on the way from its root.
    deep: Option<u64>,
}

pub(super) fn draws() -> impl Strategy<Value = Draw> {
    (any::<Index>().no_shrink(), changes()).prop_map(|(which, changes)| Draw { which, changes })
}

pub(super) fn changes() -> impl Strategy<Value = Changes> {
    let seed = || any::<u64>().no_shrink();
    (vec(seed(), 1..=MOST_CHANGES), option::of(seed())).prop_map(|(anywhere, deep)| Changes { anywhere, deep })
}

/// The source that the documents of one command are made from.
pub(super) struct Source {
    pub(super) command: &'static str,
    schema: Value,
    documents: Vec<Value>,
    /// The texts of each key, in any of the documents.
    texts: BTreeMap<String, Vec<String>>,
}

/// The sources of all commands.
pub(super) fn sources() -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for example in documents() {
        let document: Value = serde_yaml::from_str(&example.text()).unwrap();
        let known = sources.iter().position(|source| source.command == example.command);
        let index = known.unwrap_or_else(|| {
            let schema = commands::find(example.command).unwrap().settings_schema().to_value();
            let (documents, texts) = (Vec::new(), BTreeMap::new());
            sources.push(Source { command: example.command, schema, documents, texts });
            sources.len() - 1
        });
        collect_texts("", &document, &mut sources[index].texts);
        sources[index].documents.push(document);
    }
    sources
}

fn collect_texts(key: &str, value: &Value, texts: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::String(text) => texts.entry(key.to_owned()).or_default().push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(key, item, texts)),
        Value::Object(members) => members.iter().for_each(|(key, member)| collect_texts(key, member, texts)),
        _ => {}
    }
}

impl Source {
    pub(super) fn document(&self, draw: &Draw) -> Value {
        self.changed(draw.which.get(&self.documents).clone(), &draw.changes)
    }

    /// The document as it may be some time later.
    pub(super) fn changed(&self, mut document: Value, changes: &Changes) -> Value {
        for seed in &changes.anywhere {
            self.change("", &mut document, &self.schema, &mut Rng::with_seed(*seed));
        }
        if let Some(mut random) = changes.deep.map(Rng::with_seed) {
            let mut places = Vec::new();
            odd_places("", "", &document, &mut places);
            if let Some((key, place)) = random.choice(places) {
                make_odd(&key, document.pointer_mut(&place), &mut random);
            }
        }
        document
    }

    /// Changes one thing somewhere at or below a value.
    fn change(&self, key: &str, value: &mut Value, schema: &Value, random: &mut Rng) {
        let schema = shape(schema, value);
        match value {
            Value::Object(members) => self.change_object(members, schema, random),
            Value::Array(items) => self.change_list(key, items, items_of(schema), random),
            scalar => {
                if let Some(other) = self.scalar(key, schema, random) {
                    *scalar = other;
                }
            }
        }
    }

    fn change_object(&self, members: &mut Map<String, Value>, schema: &Value, random: &mut Rng) {
        let keys: Vec<String> = members.keys().cloned().collect();
        let properties = schema["properties"].as_object();
        match random.u8(..10) {
            0 => {
                let required: Vec<&str> =
                    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let optional: Vec<&String> = keys.iter().filter(|key| !required.contains(&key.as_str())).collect();
                if let Some(key) = random.choice(optional) {
                    members.shift_remove(key);
                }
            }
            1 => {
                let missing = properties.into_iter().flatten().filter(|(key, _)| !members.contains_key(*key));
                if let Some((key, schema)) = random.choice(missing.collect::<Vec<_>>())
                    && let Some(value) = self.scalar(key, scalar_branch(schema), random)
                {
                    members.insert(key.clone(), value);
                }
            }
            _ => {
                if let Some(key) = random.choice(keys)
                    && let Some(schema) = properties.and_then(|properties| properties.get(&key))
                {
                    self.change(&key, &mut members[&key], schema, random);
                }
            }
        }
    }

    fn change_list(&self, key: &str, items: &mut Vec<Value>, schema: &Value, random: &mut Rng) {
        if items.is_empty() {
            return;
        }
        let index = random.usize(..items.len());
        match random.u8(..12) {
            0 => {
                items.remove(index);
            }
            1 => {
                let mut copy = items[index].clone();
                let members = copy.as_object_mut().into_iter().flatten();
                for (_, value) in members.filter(|(key, _)| key.to_lowercase().ends_with("name")) {
                    if let Value::String(name) = value {
                        name.push_str(if random.bool() { "two" } else { "2" });
                    }
                }
                items.push(copy);
            }
            2 => {
                let other = random.usize(..items.len());
                items.swap(index, other);
            }
            3 => *items = if random.bool() { Vec::new() } else { vec!["none".into()] },
            _ => self.change(key, &mut items[index], schema, random),
        }
    }

    /// Another value of a key; none where the schema asks for an object or a list.
    fn scalar(&self, key: &str, schema: &Value, random: &mut Rng) -> Option<Value> {
        if let Some(value) = random.choice(schema["enum"].as_array().into_iter().flatten().collect::<Vec<_>>()) {
            return Some(value.clone());
        }
        let alternatives = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
        if let Some(alternative) = random.choice(alternatives.collect::<Vec<_>>()) {
            return self.scalar(key, alternative, random);
        }
        let is = |name: &str| {
            schema["type"] == name || schema["type"].as_array().is_some_and(|types| types.iter().any(|one| one == name))
        };
        // Where a number is taken as text, texts come before numbers.
        let is_number = is("integer") || is("number");
        if is("string")
            && !(is_number && random.u8(..8) == 0)
            && let Some(text) = self.texts.get(key).and_then(|texts| random.choice(texts))
        {
            return Some(if random.u8(..5) == 0 { odd(key, text, random) } else { text.clone() }.into());
        }
        if is("boolean") {
            return Some(random.bool().into());
        }
        if is_number {
            let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
            return match (least, most) {
                (Some(least), Some(most)) => Some(random.i64(least..=most).into()),
                _ => random.choice(NUMBERS).map(Value::from),
            };
        }
        None
    }
}

/// The places of texts that can be odd, and of lists, each with its key.
fn odd_places(key: &str, place: &str, value: &Value, places: &mut Vec<(String, String)>) {
    match value {
        Value::String(_) if can_be_odd(&key.to_lowercase()) => places.push((key.to_owned(), place.to_owned())),
        Value::Array(items) => {
            places.push((key.to_owned(), place.to_owned()));
            let items = items.iter().enumerate();
            items.for_each(|(index, item)| odd_places(key, &format!("{place}/{index}"), item, places));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| odd_places(key, &format!("{place}/{key}"), member, places));
        }
        _ => {}
    }
}

fn make_odd(key: &str, value: Option<&mut Value>, random: &mut Rng) {
    match value {
        Some(Value::String(text)) => *text = odd(key, text, random),
        Some(Value::Array(items)) => match random.u8(..3) {
            0 => items.clear(),
            1 => *items = vec!["none".into()],
            _ => {
                items.pop();
            }
        },
        _ => {}
    }
}

fn can_be_odd(key: &str) -> bool {
    key == "runtime" || key == "slots" || key.ends_with("name")
}

/// A text that is taken in one place and refused in another: names with characters that not every part of Azure takes, or longer than
/// what is made of them, and stacks that do not exist.
fn odd(key: &str, text: &str, random: &mut Rng) -> String {
    let key = key.to_lowercase();
    if key == "runtime" {
        let stack = random.choice(STACKS).unwrap_or_default();
        return stack.to_owned();
    }
    if !can_be_odd(&key) {
        return text.to_owned();
    }
    match random.u8(..4) {
        0 => format!("{text}_x"),
        1 => format!("{text}.x"),
        2 => format!("{text}{}", "x".repeat(random.usize(20..60))),
        _ => format!("_{text}-"),
    }
}

/// The part of a schema that is about a value of this shape.
fn shape<'a>(schema: &'a Value, value: &Value) -> &'a Value {
    let wanted = match value {
        Value::Object(_) => "properties",
        Value::Array(_) => "items",
        _ => return schema,
    };
    if schema.get(wanted).is_some() || schema["else"].get(wanted).is_some() {
        return schema;
    }
    let mut alternatives = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    alternatives.find(|alternative| alternative.get(wanted).is_some()).unwrap_or(schema)
}

/// The schema of the items of a list, which may be in `else`, beside that of a list of nothing.
fn items_of(schema: &Value) -> &Value {
    schema.get("items").or_else(|| schema["else"].get("items")).unwrap_or(&Value::Null)
}

/// A schema that asks for an object or a list is not one of a scalar.
fn scalar_branch(schema: &Value) -> &Value {
    if schema.get("properties").is_some() || !items_of(schema).is_null() { &Value::Null } else { schema }
}
