//! The form of a template: what `svc template` writes. Source: learn.microsoft.com, "Understand the structure and syntax of ARM templates".

use super::expression::Halt;
use serde_json::{Map, Value};

/// The elements of a template.
const ELEMENTS: &[&str] = &["$schema", "languageVersion", "contentVersion", "metadata", "parameters", "resources"];
/// The elements of a parameter.
const OF_PARAMETER: &[&str] = &["type", "defaultValue", "metadata"];
/// The members of a resource that say more than what is sent, and that are not carried out.
const BEYOND: &[&str] = &["condition", "copy", "existing", "extension", "import", "resources"];
/// The most parameters and resources. Source: learn.microsoft.com, "Template limits".
const LIMITS: &[(&str, usize)] = &[("parameters", 256), ("resources", 800)];

/// The reason why something of a template is not carried out.
pub(super) fn beyond(what: &str) -> Halt {
    Halt::Wrong(format!(
        "The local cloud deploys templates as 'svc template' writes them, and does not carry out {what}."
    ))
}

/// Refuses what is no template, and what the local cloud does not carry out.
pub(super) fn check(template: &Value) -> Result<(), Halt> {
    let wrong = |reason: String| Err(Halt::Wrong(reason));
    let Some(members) = template.as_object() else { return wrong("The template must be a JSON object.".to_owned()) };
    for name in ["$schema", "contentVersion"] {
        if !members.get(name).is_some_and(Value::is_string) {
            return wrong(format!("Required property '{name}' not found in JSON. The place is '{name}'."));
        }
    }
    if let Some(name) = members.keys().find(|name| !ELEMENTS.contains(&name.as_str())) {
        return Err(beyond(&format!("the element '{name}' of templates")));
    }
    if template["languageVersion"] != "2.0" || !template["resources"].is_object() {
        return Err(beyond("a list of resources: they need symbolic names, with languageVersion \"2.0\""));
    }
    for (name, most) in LIMITS {
        let number = members_of(template, name).count();
        if number > *most {
            return wrong(format!("The template has {number} {name}, and at most {most} are allowed."));
        }
    }
    for (name, declaration) in members_of(template, "parameters") {
        let members = declaration.as_object().into_iter().flat_map(Map::keys);
        if let Some(member) = members.into_iter().find(|member| !OF_PARAMETER.contains(&member.as_str())) {
            return Err(beyond(&format!("'{member}' of parameters")).at(&format!("parameters.{name}")));
        }
    }
    for (symbol, resource) in members_of(template, "resources") {
        if let Some(member) = BEYOND.iter().find(|member| resource.get(**member).is_some()) {
            return Err(beyond(&format!("'{member}' of resources")).at(&place(symbol)));
        }
    }
    Ok(())
}

/// The members of an element of a template; none where there is no such one.
pub(super) fn members_of<'t>(template: &'t Value, element: &str) -> impl Iterator<Item = (&'t String, &'t Value)> {
    template.get(element).and_then(Value::as_object).into_iter().flatten()
}

/// The place of a resource in its template.
pub(super) fn place(symbol: &str) -> String {
    format!("resources.{symbol}")
}

/// A member of an object; names compare ignoring case.
pub(super) fn find<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object
        .get(name)
        .or_else(|| object.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}
