//! The values of a choice: those that are documented are offered, and taken in the other spellings that the program reads.

use serde_json::{Map, Value, json};

use super::is;
use crate::settings::shape::ALSO;

/// The values of an enumeration, or of one of its variants.
pub(super) fn choices(schema: &Value) -> Vec<&Value> {
    match (schema.get("enum").and_then(Value::as_array), schema.get("const")) {
        (Some(values), _) => values.iter().filter(|value| !value.is_null()).collect(),
        (None, Some(only)) => vec![only],
        _ => Vec::new(),
    }
}

/// Adds one enumeration of all the choices with what each of them means, and beside it a pattern for their other spellings. `about`
/// is title and description, which editors look for in each of the two.
pub(super) fn add_choices(
    members: &mut Map<String, Value>,
    about: &Map<String, Value>,
    kinds: &[&Value],
    optional: bool,
) {
    let is_switch = kinds.iter().any(|kind| is(kind, "boolean"));
    let mut values: Vec<Value> = Vec::new();
    let mut meanings: Vec<Value> = Vec::new();
    for kind in kinds {
        let flags = [Value::Bool(true), Value::Bool(false)];
        let known = if is(kind, "boolean") { flags.iter().collect() } else { choices(kind) };
        // Quoted, it is the boolean that is offered.
        for value in known.into_iter().filter(|value| !is_switch || !["true", "false"].iter().any(|flag| value == flag))
        {
            values.push(value.clone());
            let is_variant = kind.get("const").is_some();
            meanings.push(kind.get("description").filter(|_| is_variant).cloned().unwrap_or_else(|| "".into()));
        }
    }
    let also: Vec<Value> = kinds.iter().filter_map(|kind| kind.get(ALSO)?.as_array()).flatten().cloned().collect();
    let all: Vec<&Value> = values.iter().chain(&also).collect();
    let pattern = pattern(&all, optional);
    if optional {
        values.push(Value::Null);
        meanings.push("As if the key were not there.".into());
    }
    let mut documented = about.clone();
    if meanings.iter().filter(|meaning| *meaning != "").count() > usize::from(optional) {
        // The first is what editors show for JSON, the second what they show for YAML.
        documented.insert("enumDescriptions".to_owned(), Value::Array(meanings.clone()));
        documented.insert("markdownEnumDescriptions".to_owned(), Value::Array(meanings));
    }
    // A value that is documented is one of these only, so that editors show it once.
    let others: Vec<&Value> = values.iter().filter(|value| value.is_string()).collect();
    let others = json!({"type": "string", "pattern": pattern, "not": {"enum": others}});
    documented.insert("enum".to_owned(), Value::Array(values));
    let mut alternatives = vec![Value::Object(documented), others];
    if !also.is_empty() {
        alternatives.push(json!({"enum": also, "doNotSuggest": true}));
    }
    members.insert("anyOf".to_owned(), Value::Array(alternatives));
}

/// A regular expression for values as the program reads them: in any letter case, without the space between words, numbers in
/// quotes, and nothing at all where there may be none.
fn pattern(values: &[&Value], optional: bool) -> String {
    let any_case = |text: &str| -> String {
        let any_case = |character: char| match character {
            ' ' => " *".to_owned(),
            letter if letter.is_ascii_alphabetic() => {
                format!("[{}{}]", letter.to_ascii_uppercase(), letter.to_ascii_lowercase())
            }
            other => other.to_string(),
        };
        text.chars().map(any_case).collect()
    };
    let spelling = |value: &&Value| match value {
        Value::String(text) => any_case(text),
        Value::Number(number) => format!(r"\s*[+]?0*{number}\s*"),
        other => format!(r"\s*{}\s*", any_case(&other.to_string())),
    };
    let spellings = values.iter().map(spelling).chain(optional.then(|| r"\s*".to_owned()));
    format!("^({})$", spellings.collect::<Vec<_>>().join("|"))
}
