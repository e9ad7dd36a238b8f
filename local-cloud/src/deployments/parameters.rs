//! The parameters of a template and their values. Source: learn.microsoft.com, "Parameters in ARM templates".

use super::expression::{Halt, LARGEST, kind, read, size, smaller};
use super::template::{beyond, find, members_of};
use crate::expression::Text;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The values of parameters, and how they are shown.
#[derive(Debug)]
pub(super) struct Bound {
    /// By name in lower case.
    pub(super) values: BTreeMap<String, Value>,
    /// With their types, and no secrets.
    pub(super) shown: Value,
}

/// The type as Azure prints it; none where it is not carried out.
fn shown_type(declaration: &Value) -> Option<&'static str> {
    match declaration.get("type").and_then(Value::as_str)?.to_lowercase().as_str() {
        "string" => Some("String"),
        "securestring" => Some("SecureString"),
        _ => None,
    }
}

/// Whether a parameter is a secret.
pub(super) fn is_secure(declaration: &Value) -> bool {
    shown_type(declaration) == Some("SecureString")
}

/// The values of all parameters of a template: those that are given, and the default values of the others.
pub(super) fn bind(template: &Value, given: Option<&Value>) -> Result<Bound, Halt> {
    let none = Map::new();
    let given = given.and_then(Value::as_object).unwrap_or(&none);
    check_known(template, given)?;
    let (mut values, mut shown) = (BTreeMap::new(), Map::new());
    for (name, declaration) in members_of(template, "parameters") {
        let at = |halt: Halt| halt.at(&format!("parameters.{name}"));
        let kind = shown_type(declaration)
            .ok_or_else(|| at(beyond(&format!("the type {} of parameters", declaration["type"]))))?;
        let value = value(name, declaration, find(given, name)).map_err(at)?;
        shown.insert(
            name.clone(),
            if is_secure(declaration) { json!({"type": kind}) } else { json!({"type": kind, "value": value}) },
        );
        values.insert(name.to_lowercase(), Value::String(value));
    }
    smaller("The value of all parameters", values.values().map(size).sum(), LARGEST)?;
    Ok(Bound { values, shown: Value::Object(shown) })
}

fn check_known(template: &Value, given: &Map<String, Value>) -> Result<(), Halt> {
    let is_known = |name: &str| members_of(template, "parameters").any(|(known, _)| known.eq_ignore_ascii_case(name));
    let unknown: Vec<&str> = given.keys().map(String::as_str).filter(|name| !is_known(name)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let known: Vec<&str> = members_of(template, "parameters").map(|(name, _)| name.as_str()).collect();
    Err(Halt::Wrong(format!(
        "The template parameters '{}' in the parameters file are not valid; they are not present in the original template and can \
         therefore not be provided at deployment time. The only supported parameters for this template are '{}'. Please see \
         https://aka.ms/arm-pass-parameter-values for usage details.",
        unknown.join(", "),
        known.join(", ")
    )))
}

fn value(name: &str, declaration: &Value, given: Option<&Value>) -> Result<String, Halt> {
    let missing = || {
        Halt::Wrong(format!(
            "The value for the template parameter '{name}' is not provided. Please see https://aka.ms/arm-create-parameter-file for usage \
             details."
        ))
    };
    let value = match given {
        Some(entry) if entry.get("reference").is_some() => return Err(beyond("secrets of key vaults as parameters")),
        Some(entry) => entry.get("value").ok_or_else(missing)?.clone(),
        None => match declaration.get("defaultValue").ok_or_else(missing)? {
            Value::String(text) => match read(text)? {
                Text::Literal(text) => Value::String(text),
                Text::Expression(_) => return Err(beyond("default values with expressions")),
            },
            other => other.clone(),
        },
    };
    match value {
        Value::String(text) => Ok(text),
        other => Err(Halt::Wrong(format!(
            "Template parameter JToken type is not valid. Expected '{}'. Actual '{}'. Please see https://aka.ms/arm-deploy/#parameter-file \
             for usage details.",
            shown_type(declaration).unwrap_or_default(),
            kind(&other)
        ))),
    }
}
