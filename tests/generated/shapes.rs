//! The schema that editors get takes what the program takes. Documents whose shape is changed at random (keys renamed, taken out,
//! added, values of another kind or in another form, null, an empty list) are held against both; what one takes and the other
//! refuses is a failure, of which the one with the fewest changes is shown.
//!
//! Not looked at is the letter case of keys, in which the program is more lenient on purpose, what is as empty as an item of a list,
//! and rules over two values.

use std::cell::Cell;
use std::io::Write as _;

use fastrand::Rng;
use jsonschema::Validator;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Map, Value, json};
use svc_engine::commands::{self, Command, Component};
use svc_engine::settings::Document;

use crate::support::examples::documents;
use crate::support::one_in;

/// The seed of all documents.
const SEED: u64 = 20;
/// The most changes of one document.
const MOST_CHANGES: usize = 3;

fn program_takes(command: &'static Command, document: &Value) -> Result<(), String> {
    let document = Document::from_object(document.clone()).map_err(|_| "too deep".to_owned())?;
    if let Err(Component::OfAnother(finding)) = commands::check_component(&document, command) {
        return Err(finding.message);
    }
    let read = command.read(&document);
    match read.findings().first() {
        None => Ok(()),
        Some(finding) => Err(finding.warning().message),
    }
}

fn schema_takes(validator: &Validator, document: &Value) -> Result<(), String> {
    validator.validate(document).map_err(|error| format!("{}: {error}", error.instance_path()))
}

/// The schemas that a value may be of: what it is itself, and its alternatives.
fn kinds<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
    found.push(schema);
    schema["anyOf"].as_array().into_iter().flatten().for_each(|kind| kinds(kind, found));
    if let Some(other) = schema.get("else").filter(|_| schema.get("type").is_some()) {
        kinds(other, found);
    }
}

/// Another form of a value that the program takes, or a value of another kind.
fn in_another_form(value: &Value, random: &mut Rng) -> Value {
    let case = |text: &str, random: &mut Rng| {
        text.chars()
            .map(|c| if random.bool() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect::<String>()
    };
    match value {
        Value::String(text) => {
            let other_case = case(text, random);
            random.choice([other_case, text.replace(' ', ""), String::new()]).into()
        }
        Value::Number(_) | Value::Bool(_) => {
            let other_case = case(&value.to_string(), random);
            random.choice([value.to_string(), format!(" {value} "), other_case]).into()
        }
        Value::Array(items) if items.len() == 1 => items[0].clone(),
        Value::Array(_) => random.choice([json!(""), json!("none"), json!(" NONE ")]).into(),
        other => other.clone(),
    }
}

fn below<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    let mut found = Vec::new();
    kinds(schema, &mut found);
    found.into_iter().find_map(|kind| kind.get(key))
}

fn is_of(schema: &Value, name: &str) -> bool {
    let mut found = Vec::new();
    kinds(schema, &mut found);
    let is = |types: &Value| types == name || types.as_array().is_some_and(|types| types.iter().any(|one| one == name));
    found.into_iter().any(|kind| is(&kind["type"]))
}

/// A document with its keys as the schema spells them.
fn spelled(value: &Value, schema: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let properties = below(schema, "properties").and_then(Value::as_object);
            let known = |key: &String| properties?.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
            let member = |(key, value): (&String, &Value)| match known(key) {
                Some((name, schema)) => (name.clone(), spelled(value, schema)),
                None => (key.clone(), value.clone()),
            };
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(items) => {
            let schema = below(schema, "items").unwrap_or(&Value::Null);
            items.iter().map(|item| spelled(item, schema)).collect()
        }
        other => other.clone(),
    }
}

/// A value of any kind, for a key or an item of a list. A list gets no single item.
fn any_value(schema: &Value, is_item: bool, random: &mut Rng) -> Value {
    let mut values = vec![Value::Null];
    if !is_item {
        values.push(json!([]));
    }
    if is_of(schema, "array") {
        values.push(json!([null]));
        values.push(json!(["none"]));
        values.push(json!([{}]));
    } else {
        values.extend([
            json!("None"),
            json!(7),
            json!(7.5),
            json!(true),
            json!({}),
            json!({"unknown": 1}),
            json!(["a"]),
        ]);
    }
    random.choice(values).unwrap_or_default()
}

/// A document with changes of its shape, by the seed of each.
fn changed(document: &Value, schema: &Value, seeds: &[u64]) -> Value {
    let mut changed = document.clone();
    for seed in seeds {
        change(&mut changed, schema, false, &mut Rng::with_seed(*seed));
    }
    changed
}

/// Changes the shape of something at or below a value.
fn change(value: &mut Value, schema: &Value, is_item: bool, random: &mut Rng) {
    let descends = random.u8(..4) > 0;
    let is_free_text = value.is_string() && (is_item || below(schema, "enum").is_none());
    if random.u8(..4) == 0 && !is_free_text {
        *value = in_another_form(value, random);
        return;
    }
    match value {
        Value::Object(members) if descends && !members.is_empty() => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = random.choice(keys).unwrap_or_default();
            let Some(properties) = below(schema, "properties").and_then(Value::as_object) else {
                // The keys are the user's own.
                match random.u8(..6) {
                    0 => drop(members.shift_remove(&key)),
                    _ => {
                        members[&key] =
                            any_value(below(schema, "additionalProperties").unwrap_or(schema), false, random)
                    }
                }
                return;
            };
            change_key(members, &key, properties, random);
        }
        Value::Array(items) if descends && !items.is_empty() => {
            let Some(schema) = below(schema, "items") else { return };
            let index = random.usize(..items.len());
            match random.u8(..12) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                2 => items.insert(index, Value::Null),
                3 => items.insert(index, json!("none")),
                4 => *items = vec![json!("none")],
                5 => items.clear(),
                _ => change(&mut items[index], schema, true, random),
            }
        }
        other => *other = any_value(schema, is_item, random),
    }
}

/// Changes the shape of a key of an object whose keys are known, or of what is at or below it.
fn change_key(members: &mut Map<String, Value>, key: &str, properties: &Map<String, Value>, random: &mut Rng) {
    match random.u8(..12) {
        0 => drop(members.shift_remove(key)),
        1 | 2 => {
            let others: Vec<&String> = properties.keys().filter(|other| !members.contains_key(*other)).collect();
            let other = random.choice(others).filter(|_| random.bool()).cloned();
            if let Some(old) = members.shift_remove(key)
                && let Some((name, schema)) = other.as_ref().and_then(|other| properties.get_key_value(other))
                && is_of(schema, "array") == old.is_array()
            {
                members.insert(name.clone(), old);
            } else {
                members.insert("unknownKey".to_owned(), json!("x"));
            }
        }
        3 | 4 => {
            let others: Vec<&String> = properties.keys().filter(|other| !members.contains_key(*other)).collect();
            if let Some(other) = random.choice(others) {
                members.insert(other.clone(), any_value(&properties[other], false, random));
            }
        }
        _ => {
            if let Some(schema) = properties.get(key) {
                change(&mut members[key], schema, false, random);
            }
        }
    }
}

/// The documents that were looked at.
#[derive(Debug, Default)]
pub(super) struct Looked {
    taken: Cell<usize>,
    all: Cell<usize>,
}

impl Looked {
    /// Changes a document at random, three times as often where `SVC_TEST_SHAPES` is `all`, and holds against each other what the program
    /// and the schema take of it. What the program neither takes nor refuses for its shape is not looked at.
    pub(super) fn hold(
        &self,
        document: &Value,
        schema: &Value,
        program: impl Fn(&Value) -> Option<Result<(), String>>,
    ) {
        let validator = jsonschema::validator_for(schema).unwrap();
        assert_eq!(program(document), Some(Ok(())), "{document}");
        let document = spelled(document, schema);
        assert_eq!(schema_takes(&validator, &document), Ok(()), "{document}");
        let cases = u32::try_from(180 / one_in(3, "SVC_TEST_SHAPES")).unwrap();
        let seed = RngSeed::Fixed(SEED);
        let mut runner =
            TestRunner::new(Config { cases, failure_persistence: None, rng_seed: seed, ..Config::default() });
        let tried = runner.run(&vec(any::<u64>().no_shrink(), 1..=MOST_CHANGES), |seeds| {
            let changed = changed(&document, schema, &seeds);
            // No document at all is told before it is read as one of a command.
            let Some(program) = changed.is_object().then(|| program(&changed)).flatten() else { return Ok(()) };
            let schema = schema_takes(&validator, &changed);
            self.all.update(|all| all + 1);
            self.taken.update(|taken| taken + usize::from(program.is_ok()));
            prop_assert_eq!(program.is_ok(), schema.is_ok(), "{:?}\n{:?}\n{}", program, schema, changed);
            Ok(())
        });
        tried.unwrap_or_else(|failure| panic!("{failure}"));
    }

    /// That enough of the documents were right, and enough wrong.
    pub(super) fn assert_enough(&self) {
        let (taken, all) = (self.taken.get(), self.all.get());
        let _ = writeln!(std::io::stderr(), "shapes: {taken} of {all} documents are right, seed {SEED}");
        assert!(taken * 10 >= all && (all - taken) * 10 >= all, "{taken} of {all}: the test says little");
    }
}

#[test]
fn the_schemas_take_what_the_program_takes() {
    let looked = Looked::default();
    for example in documents() {
        let command = commands::find(example.command).unwrap();
        let document = Document::load(&example.path(), "settings").unwrap();
        let schema = command.settings_schema().to_value();
        looked.hold(document.value(), &schema, |changed| Some(program_takes(command, changed)));
    }
    looked.assert_enough();
}

#[test]
fn other_keys_for_a_setting_are_in_the_schema_with_the_one_that_replaces_them() {
    let schema = commands::find("New-SvcPaasWeb").unwrap().settings_schema().to_value();
    let front_door = &schema["properties"]["frontdoor"];
    let location = &front_door["properties"]["location"];
    assert_eq!((&location["deprecated"], &location["deprecationMessage"]), (&json!(true), &json!("Use region.")));
    // Parts of the schema refer to others by their place in the whole.
    let validator = jsonschema::validator_for(&schema).unwrap();
    let takes = |keys: Value| {
        let mut document = json!({"name": "a", "sessionAffinity": true, "backEndPools": [], "rules": []});
        document.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        validator.is_valid(&json!({"service": {"publish": {}}, "frontdoor": document}))
    };
    assert!(takes(json!({"region": "UK South"})) && takes(json!({"location": "UK South"})));
    assert!(!takes(json!({})) && !takes(json!({"region": "UK South", "location": "UK South"})));
}

/// The component of another command is the one thing that is wrong, in the editor, too.
#[test]
fn the_component_of_another_command_is_refused() {
    for command in commands::COMMANDS {
        let schema = command.settings_schema().to_value();
        let validator = jsonschema::validator_for(&schema["properties"]["component"]).unwrap();
        for other in commands::COMMANDS {
            for text in [other.component.to_owned(), format!(" {} ", other.component.to_uppercase())] {
                assert_eq!(validator.is_valid(&json!(text)), other.name == command.name, "{text} for {}", command.name);
            }
        }
        assert!(validator.is_valid(&json!("of-the-customer")) && validator.is_valid(&Value::Null));
    }
}
