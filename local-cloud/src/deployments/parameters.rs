//! The parameters of a template and their values. Source: learn.microsoft.com, "Parameters in ARM templates", "Type definitions in ARM
//! templates".

use super::expression::{self, Evaluator, Facts, Halt, Where, find, same};
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::state::State;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The types of parameters and outputs, and how Azure prints them.
const TYPES: &[(&str, &str)] = &[
    ("string", "String"),
    ("securestring", "SecureString"),
    ("int", "Int"),
    ("bool", "Bool"),
    ("object", "Object"),
    ("secureobject", "SecureObject"),
    ("array", "Array"),
];
/// How deep type definitions may refer to each other.
const DEEPEST: usize = 32;

/// The type as Azure prints it.
pub(super) fn shown_type(declared: &str) -> &'static str {
    TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(declared)).map_or("", |(_, shown)| shown)
}

/// Whether a parameter or output is a secret.
pub(super) fn is_secure(declaration: &Value) -> bool {
    let declared = declaration.get("type").and_then(Value::as_str).unwrap_or_default();
    shown_type(declared).starts_with("Secure")
}

/// Whether a value has a type.
pub(super) fn has_type(value: &Value, declared: &str) -> bool {
    match shown_type(declared) {
        "String" | "SecureString" => value.is_string(),
        "Int" => value.is_i64() || value.is_u64(),
        "Bool" => value.is_boolean(),
        "Object" | "SecureObject" => value.is_object(),
        "Array" => value.is_array(),
        _ => true,
    }
}

/// What JSON calls the type of a value.
pub(super) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "Null",
        Value::Bool(_) => "Boolean",
        Value::Number(number) if number.is_f64() => "Float",
        Value::Number(_) => "Integer",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Object(_) => "Object",
    }
}

/// Every text in a value.
pub(super) fn collect_texts(value: Option<&Value>, texts: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) if !text.is_empty() => texts.push(text.clone()),
        Some(Value::Array(items)) => items.iter().for_each(|item| collect_texts(Some(item), texts)),
        Some(Value::Object(members)) => members.values().for_each(|member| collect_texts(Some(member), texts)),
        _ => {}
    }
}

/// Values of parameters, and how they are shown.
#[derive(Debug)]
pub(super) struct Bound {
    /// By name in lower case.
    pub(super) values: BTreeMap<String, Value>,
    /// With their types, and no secrets.
    pub(super) shown: Value,
}

/// The values of all parameters of a template: those that are given, and the default values of the others.
pub(super) fn bind(
    template: &Value,
    given: Option<&Value>,
    state: &State,
    scope: &ResourceId,
    now: Moment,
) -> Result<Bound, Halt> {
    let none = Map::new();
    let declared = template.get("parameters").and_then(Value::as_object).unwrap_or(&none);
    let given = given.and_then(Value::as_object).unwrap_or(&none);
    check_known(declared, given)?;
    let mut values = BTreeMap::new();
    for (name, declaration) in declared {
        if let Some(entry) = find(given, name) {
            values.insert(name.to_lowercase(), given_value(name, entry)?);
        } else if declaration.get("defaultValue").is_none() {
            if declaration.get("nullable") != Some(&Value::Bool(true)) {
                return Err(Halt::Wrong(format!(
                    "The value for the template parameter '{name}' is not provided. Please see https://aka.ms/arm-create-parameter-file for \
                     usage details. The place is 'parameters.{name}'."
                )));
            }
            values.insert(name.to_lowercase(), Value::Null);
        }
    }
    add_defaults(template, declared, &mut values, state, scope, now)?;
    let mut shown = Map::new();
    for (name, declaration) in declared {
        let value = values.get(&name.to_lowercase()).unwrap_or(&Value::Null);
        check(template, declaration, value, name, 0)?;
        let declared = resolved_type(template, declaration);
        let kind = shown_type(declared);
        let shows =
            if kind.starts_with("Secure") { json!({"type": kind}) } else { json!({"type": kind, "value": value}) };
        shown.insert(name.clone(), shows);
    }
    Ok(Bound { values, shown: Value::Object(shown) })
}

fn check_known(declared: &Map<String, Value>, given: &Map<String, Value>) -> Result<(), Halt> {
    let unknown: Vec<&str> = given.keys().filter(|name| find(declared, name).is_none()).map(String::as_str).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Halt::Wrong(format!(
        "The template parameters '{}' in the parameters file are not valid; they are not present in the original template and can \
         therefore not be provided at deployment time. The only supported parameters for this template are '{}'. Please see \
         https://aka.ms/arm-pass-parameter-values for usage details.",
        unknown.join(", "),
        declared.keys().cloned().collect::<Vec<_>>().join(", ")
    )))
}

fn given_value(name: &str, entry: &Value) -> Result<Value, Halt> {
    if entry.get("reference").is_some() {
        return Err(Halt::Wrong(format!(
            "The local cloud has no secrets of key vaults, so the parameter '{name}' cannot be a reference to one; give it a value."
        )));
    }
    entry.get("value").cloned().ok_or_else(|| {
        Halt::Wrong(format!(
            "The value for the template parameter '{name}' is not provided: it is an object with the member 'value'."
        ))
    })
}

/// Default values may use other parameters, in any order.
fn add_defaults(
    template: &Value,
    declared: &Map<String, Value>,
    values: &mut BTreeMap<String, Value>,
    state: &State,
    scope: &ResourceId,
    now: Moment,
) -> Result<(), Halt> {
    let missing = |values: &BTreeMap<String, Value>| {
        let open = declared.iter().filter(|(name, _)| !values.contains_key(&name.to_lowercase()));
        open.map(|(name, declaration)| (name.clone(), declaration["defaultValue"].clone())).collect::<Vec<_>>()
    };
    loop {
        let open = missing(values);
        if open.is_empty() {
            return Ok(());
        }
        let mut found = Vec::new();
        for (name, default) in &open {
            let facts = Facts::new(state, template, values, scope, now);
            match Evaluator::new(&facts, Where::Default).resolve(default, &format!("parameters.{name}.defaultValue")) {
                Ok(value) => found.push((name.to_lowercase(), value)),
                Err(Halt::Unknown) => {}
                Err(halt) => return Err(halt),
            }
        }
        if found.is_empty() {
            let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
            return Err(Halt::Wrong(format!(
                "The default values of the parameters '{}' need each other.",
                names.join(", ")
            )));
        }
        values.extend(found);
        expression::parameters(values.values())?;
    }
}

/// What a `$ref` leads to: `#/definitions/name`.
fn definition<'t>(template: &'t Value, declaration: &'t Value) -> Option<&'t Value> {
    let reference = declaration.get("$ref")?.as_str()?.strip_prefix('#')?;
    template.pointer(reference)
}

fn resolved_type<'t>(template: &'t Value, declaration: &'t Value) -> &'t str {
    let mut declaration = declaration;
    for _ in 0..DEEPEST {
        match definition(template, declaration) {
            Some(next) => declaration = next,
            None => break,
        }
    }
    declaration.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Refuses a value that a parameter cannot have.
fn check(template: &Value, declaration: &Value, value: &Value, name: &str, depth: usize) -> Result<(), Halt> {
    if depth > DEEPEST {
        return Err(Halt::Wrong(format!("The type of the template parameter '{name}' refers to itself without end.")));
    }
    if value.is_null() && declaration.get("nullable") == Some(&Value::Bool(true)) {
        return Ok(());
    }
    if declaration.get("$ref").is_some() {
        let next = definition(template, declaration).ok_or_else(|| {
            Halt::Wrong(format!(
                "The type of the template parameter '{name}' refers to a definition that the template has not."
            ))
        })?;
        check(template, next, value, name, depth + 1)?;
    }
    if declaration.get("discriminator").is_some() {
        return Err(Halt::Wrong(format!(
            "The local cloud does not know the element 'discriminator' of the parameter '{name}'."
        )));
    }
    let declared = declaration.get("type").and_then(Value::as_str).unwrap_or_default();
    if shown_type(declared).is_empty() && declaration.get("$ref").is_none() {
        return Err(Halt::Wrong(format!("The type '{declared}' of the template parameter '{name}' is not valid.")));
    }
    if !has_type(value, declared) {
        return Err(Halt::Wrong(format!(
            "Template parameter JToken type is not valid. Expected '{}'. Actual '{}'. Please see https://aka.ms/arm-deploy/#parameter-file \
             for usage details. The place is 'parameters.{name}'.",
            shown_type(declared),
            json_type(value)
        )));
    }
    check_limits(declaration, value, name)?;
    check_parts(template, declaration, value, name, depth)
}

fn check_limits(declaration: &Value, value: &Value, name: &str) -> Result<(), Halt> {
    let secret = is_secure(declaration);
    let refuse = |reason: String| {
        let shown =
            if secret { "***".to_owned() } else { value.as_str().map_or_else(|| value.to_string(), str::to_owned) };
        Halt::Wrong(format!(
            "The provided value '{shown}' for the template parameter '{name}' is not valid. {reason} The place is 'parameters.{name}'."
        ))
    };
    if let Some(allowed) = declaration.get("allowedValues").and_then(Value::as_array) {
        // Of a list every item has to be allowed.
        let is_allowed = |value: &Value| allowed.iter().any(|other| same(value, other));
        let is_good = is_allowed(value) || value.as_array().is_some_and(|items| items.iter().all(is_allowed));
        if !is_good {
            let allowed: Vec<String> =
                allowed.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect();
            return Err(refuse(format!(
                "The parameter value is not part of the allowed value(s): '{}'.",
                allowed.join(",")
            )));
        }
    }
    let limit = |limit: &str| declaration.get(limit).and_then(Value::as_i64);
    let length = match value {
        Value::String(text) => i64::try_from(text.chars().count()).ok(),
        Value::Array(items) => i64::try_from(items.len()).ok(),
        _ => None,
    };
    for (what, number, least, most) in [
        ("Length of the value", length, "minLength", "maxLength"),
        ("The value", value.as_i64(), "minValue", "maxValue"),
    ] {
        let Some(number) = number else { continue };
        if let Some(least) = limit(least).filter(|least| number < *least) {
            return Err(refuse(format!("{what} should be greater than or equal to '{least}'.")));
        }
        if let Some(most) = limit(most).filter(|most| number > *most) {
            return Err(refuse(format!("{what} should be less than or equal to '{most}'.")));
        }
    }
    Ok(())
}

/// The members and items, where their types are said.
fn check_parts(template: &Value, declaration: &Value, value: &Value, name: &str, depth: usize) -> Result<(), Halt> {
    if let (Some(items), Some(declared)) =
        (value.as_array(), declaration.get("items").filter(|items| items.is_object()))
    {
        for (index, item) in items.iter().enumerate() {
            check(template, declared, item, &format!("{name}[{index}]"), depth + 1)?;
        }
    }
    let Some(members) = value.as_object() else { return Ok(()) };
    let declared = declaration.get("properties").and_then(Value::as_object);
    for (member, declaration) in declared.into_iter().flatten() {
        let place = format!("{name}.{member}");
        match find(members, member) {
            Some(value) => check(template, declaration, value, &place, depth + 1)?,
            None if declaration.get("nullable") == Some(&Value::Bool(true)) => {}
            None => {
                return Err(Halt::Wrong(format!(
                    "The template parameter '{place}' is missing, and its type has no place for nothing."
                )));
            }
        }
    }
    let others = members.iter().filter(|(member, _)| declared.is_none_or(|declared| find(declared, member).is_none()));
    match declaration.get("additionalProperties") {
        Some(Value::Bool(false)) => match others.into_iter().next() {
            Some((member, _)) => {
                Err(Halt::Wrong(format!("The template parameter '{name}' has no member '{member}' by its type.")))
            }
            None => Ok(()),
        },
        Some(declared @ Value::Object(_)) => {
            let mut others = others;
            others.try_for_each(|(member, value)| {
                check(template, declared, value, &format!("{name}.{member}"), depth + 1)
            })
        }
        _ => Ok(()),
    }
}
