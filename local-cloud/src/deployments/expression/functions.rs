//! The functions that `svc template` uses. Source: learn.microsoft.com, "ARM template functions".

use super::effort::{LARGEST, smaller};
use super::evaluate::kind;
use super::{Evaluator, Halt, Reads};
use crate::LOCAL_TENANT_ID;
use crate::lookup;
use crate::path::ResourceId;
use crate::query::check_api_version;
use crate::resource_types::{self, Call};
use serde_json::{Value, json};

/// The names of all of them.
const KNOWN: &str = "format, last, list*, parameters, reference, split, subscription";

/// The value of a function for these arguments; its name is read in any letter case.
pub(super) fn call(evaluator: &Evaluator<'_>, name: &str, arguments: &[Value]) -> Result<Value, Halt> {
    let lower = name.to_lowercase();
    match (lower.as_str(), arguments) {
        ("format", [pattern, values @ ..]) => Ok(format(text(pattern)?, values)?.into()),
        ("last", [Value::Array(items)]) => Ok(items.last().cloned().unwrap_or_default()),
        ("parameters", [wanted]) => {
            let wanted = text(wanted)?;
            let value = evaluator.facts.parameters.get(&wanted.to_lowercase()).cloned();
            value.ok_or_else(|| Halt::Wrong(format!("The template parameter '{wanted}' is not found.")))
        }
        ("reference", [of, version]) => Ok(reference(evaluator, text(of)?, text(version)?)?["properties"].take()),
        ("reference", [of, version, Value::String(full)]) if full.eq_ignore_ascii_case("full") => {
            reference(evaluator, text(of)?, text(version)?)
        }
        ("split", [whole, delimiter]) => match text(delimiter)? {
            "" => Ok(json!([whole])),
            delimiter => Ok(text(whole)?.split(delimiter).collect()),
        },
        ("subscription", []) => {
            let scope = &evaluator.facts.scope;
            Ok(json!({
                "id": scope.with_group(None).text(),
                "subscriptionId": scope.subscription,
                "tenantId": LOCAL_TENANT_ID,
                "displayName": "Local cloud",
            }))
        }
        (action, [of, version]) if action.starts_with("list") => {
            let id = target(evaluator, name, text(of)?, text(version)?)?;
            let action = resource_types::action(&id, name).ok_or_else(|| unknown(name))?;
            lookup::look_up(evaluator.facts.state, &id).map_err(Halt::Refused)?;
            let call = Call { id: &id, body: &Value::Null, state: evaluator.facts.state };
            Ok(action(&call).map_err(Halt::Refused)?.body.unwrap_or_default())
        }
        _ => {
            let number = arguments.len();
            Err(Halt::Wrong(format!("The template function '{name}' does not take these {number} arguments.")))
        }
    }
}

/// Refuses a function that is none of these.
pub(super) fn check_name(name: &str) -> Result<(), Halt> {
    let lower = name.to_lowercase();
    let is_known = lower.starts_with("list") || KNOWN.split(", ").any(|known| known == lower);
    if is_known { Ok(()) } else { Err(unknown(name)) }
}

fn unknown(name: &str) -> Halt {
    Halt::Wrong(format!(
        "The template function '{name}' is not valid: the local cloud knows those that 'svc template' uses ({KNOWN})."
    ))
}

fn text(value: &Value) -> Result<&str, Halt> {
    let wrong =
        || Halt::Wrong(format!("An argument of a template function is of the type '{}', not 'String'.", kind(value)));
    value.as_str().ok_or_else(wrong)
}

/// A pattern whose `{0}` are replaced by values, and whose doubled braces are single ones.
fn format(pattern: &str, values: &[Value]) -> Result<String, Halt> {
    let wrong =
        || Halt::Wrong(format!("The pattern '{pattern}' of the template function 'format' does not fit its values."));
    let mut result = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '}']) {
        result.push_str(&rest[..at]);
        let (brace, after) = rest[at..].split_at(1);
        rest = match after.strip_prefix(brace) {
            Some(after) => {
                result.push_str(brace);
                after
            }
            None => {
                let (index, after) = after.split_once('}').filter(|_| brace == "{").ok_or_else(wrong)?;
                result
                    .push_str(text(index.parse().ok().and_then(|index: usize| values.get(index)).ok_or_else(wrong)?)?);
                after
            }
        };
        smaller("A value of the template", result.len(), LARGEST)?;
    }
    Ok(result + rest)
}

/// The resource that an argument names, by its symbolic name or its id. It can be read only when it is deployed.
fn target(evaluator: &Evaluator<'_>, function: &str, wanted: &str, version: &str) -> Result<ResourceId, Halt> {
    if evaluator.reads == Reads::Never {
        return Err(Halt::Wrong(format!(
            "The template function '{function}' is not expected at this location: its value is known only when the resource is deployed."
        )));
    }
    let facts = evaluator.facts;
    let step = facts.steps.iter().position(|step| step.symbol.eq_ignore_ascii_case(wanted));
    facts.touched.borrow_mut().extend(step);
    let id = ResourceId::parse(step.map_or(wanted, |step| &facts.steps[step].id)).ok_or_else(|| {
        Halt::Wrong(format!(
            "The template reference '{wanted}' is not valid: could not find template resource with this name."
        ))
    })?;
    if evaluator.reads == Reads::Later {
        return Err(Halt::Unknown);
    }
    let type_name = id.type_name();
    check_api_version(version, &type_name, resource_types::find(&type_name)).map_err(Halt::Refused)?;
    Ok(id)
}

/// The whole of a resource.
fn reference(evaluator: &Evaluator<'_>, wanted: &str, version: &str) -> Result<Value, Halt> {
    let id = target(evaluator, "reference", wanted, version)?;
    if !(resource_types::of(&id).readable)(&id) {
        return Err(Halt::Wrong(format!("The resource '{}' cannot be read.", id.text())));
    }
    lookup::view(evaluator.facts.state, &id).map(Value::Object).map_err(Halt::Refused)
}
