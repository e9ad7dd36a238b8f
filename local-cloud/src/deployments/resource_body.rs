//! What is sent for a resource of a template.

use super::expression::{Evaluator, Halt};
use super::record::{Step, TYPE};
use super::template;
use serde_json::{Map, Value};

/// Members of a resource that are no part of what is sent.
const OWN_MEMBERS: &[&str] = &[
    "apiVersion",
    "type",
    "name",
    "dependsOn",
    "condition",
    "copy",
    "comments",
    "metadata",
    "scope",
    "resources",
    "subscriptionId",
    "resourceGroup",
    "existing",
    "@options",
];

/// True for a nested deployment.
pub(super) fn is_deployment(step: &Step) -> bool {
    step.type_name.eq_ignore_ascii_case(TYPE)
}

/// Whether the expressions of a nested template belong to itself. Source: learn.microsoft.com, "Expression evaluation scope in nested
/// templates"; with symbolic names it is always so.
pub(super) fn has_inner_scope(resource: &Map<String, Value>, template: &Value) -> bool {
    let scope =
        resource.get("properties").and_then(|properties| properties.get("expressionEvaluationOptions")?.get("scope"));
    match scope.and_then(Value::as_str) {
        Some(scope) => scope.eq_ignore_ascii_case("inner"),
        None => template::has_symbols(template),
    }
}

/// What is sent for a resource. The template of a nested deployment stays as it is.
pub(super) fn body(
    evaluator: &Evaluator<'_>,
    resource: &Map<String, Value>,
    place: &str,
    is_deployment: bool,
) -> Result<Value, Halt> {
    let mut sent = Map::new();
    for (name, value) in resource.iter().filter(|(name, _)| !OWN_MEMBERS.contains(&name.as_str())) {
        let here = format!("{place}.{name}");
        let value = match value {
            Value::Object(properties) if is_deployment && name == "properties" => {
                let mut rest = properties.clone();
                let nested = rest.shift_remove("template");
                let mut value = evaluator.resolve(&Value::Object(rest), &here)?;
                if let (Some(nested), Some(members)) = (nested, value.as_object_mut()) {
                    members.insert("template".to_owned(), nested);
                }
                value
            }
            value => evaluator.resolve(value, &here)?,
        };
        sent.insert(name.clone(), value);
    }
    Ok(Value::Object(sent))
}

/// A JSON pointer as people write it: `resources[0].properties`.
pub(super) fn place_of(pointer: &str) -> String {
    let mut place = String::new();
    for part in pointer.split('/').filter(|part| !part.is_empty()) {
        if part.chars().all(|letter| letter.is_ascii_digit()) {
            place.push_str(&format!("[{part}]"));
        } else {
            if !place.is_empty() {
                place.push('.');
            }
            place.push_str(&part.replace("~1", "/").replace("~0", "~"));
        }
    }
    place
}
