//! The form of a template.

use super::expression::Halt;
use serde_json::{Map, Value};

/// The elements of a template. Source: learn.microsoft.com, "Understand the structure and syntax of ARM templates".
const ELEMENTS: &[&str] = &[
    "$schema",
    "languageVersion",
    "contentVersion",
    "apiProfile",
    "definitions",
    "metadata",
    "functions",
    "parameters",
    "variables",
    "resources",
    "outputs",
];
/// Elements that the local cloud does not carry out.
const UNSUPPORTED: &[&str] = &["imports", "extensions", "extension", "asserts"];
/// Most parameters, variables and outputs. Source: learn.microsoft.com, "Template limits".
const LIMITS: &[(&str, usize)] = &[("parameters", 256), ("variables", 256), ("outputs", 64)];

fn wrong(reason: String) -> Halt {
    Halt::Wrong(reason)
}

/// Refuses what is no template.
pub(super) fn check(template: &Value) -> Result<(), Halt> {
    let members = template.as_object().ok_or_else(|| wrong("The template must be a JSON object.".to_owned()))?;
    for name in ["$schema", "contentVersion"] {
        if !members.get(name).is_some_and(Value::is_string) {
            return Err(wrong(format!("Required property '{name}' not found in JSON. The place is '{name}'.")));
        }
    }
    if !members.contains_key("resources") {
        return Err(wrong("Required property 'resources' not found in JSON. The place is 'resources'.".to_owned()));
    }
    for name in members.keys() {
        if UNSUPPORTED.contains(&name.as_str()) {
            return Err(wrong(format!("The local cloud does not carry out the element '{name}' of templates.")));
        }
        if !ELEMENTS.contains(&name.as_str()) {
            return Err(wrong(format!(
                "Could not find member '{name}' on object of type 'Template'. The place is '{name}'."
            )));
        }
    }
    if let Some(version) = members.get("languageVersion").filter(|version| *version != "1.0" && *version != "2.0") {
        return Err(wrong(format!("The language version {version} is not one of \"1.0\" and \"2.0\".")));
    }
    for (name, most) in LIMITS {
        let number = members.get(*name).and_then(Value::as_object).map_or(0, Map::len);
        if number > *most {
            return Err(wrong(format!("The template has {number} {name}, and at most {most} are allowed.")));
        }
    }
    let of_object = template["resources"].is_object();
    if of_object != has_symbols(template) {
        return Err(wrong(
            "The resources of a template are an object of symbolic names with languageVersion \"2.0\", and a list otherwise. The place is \
             'resources'."
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether the resources of a template have symbolic names.
pub(super) fn has_symbols(template: &Value) -> bool {
    template.get("languageVersion").and_then(Value::as_str) == Some("2.0")
}

/// The resources in an element `resources`: symbolic name, JSON pointer, place for people, and the resource.
pub(super) fn resources<'t>(
    element: Option<&'t Value>,
    pointer: &str,
    place: &str,
) -> Vec<(Option<&'t str>, String, String, &'t Value)> {
    match element {
        Some(Value::Object(members)) => members
            .iter()
            .map(|(name, resource)| {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                (Some(name.as_str()), format!("{pointer}/{escaped}"), format!("{place}.{name}"), resource)
            })
            .collect(),
        Some(Value::Array(items)) => items
            .iter()
            .enumerate()
            .map(|(index, resource)| (None, format!("{pointer}/{index}"), format!("{place}[{index}]"), resource))
            .collect(),
        _ => Vec::new(),
    }
}
