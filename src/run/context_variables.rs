//! The members of the context that the request leaves out, from the variables of the caller.

use std::collections::BTreeMap;

use serde_json::Value;

use super::context::invalid;
use crate::protocol::{CONTEXT_MEMBERS, Code, Context, ContextMember, ContextMemberKind, ErrorReport};

/// The members that the request leaves out, from the `SVC_*` variables. Empty texts are the same as absent, but for members that guard a run.
pub(super) fn with_defaults(given: Context, variables: &BTreeMap<String, String>) -> Result<Context, Box<ErrorReport>> {
    let mut members = serde_json::to_value(&given).unwrap_or_default();
    let Some(members) = members.as_object_mut() else { return Ok(given) };
    for member in CONTEXT_MEMBERS {
        let value = match members.remove(member.name).filter(|value| !value.is_null()) {
            Some(value) if !is_nothing(&value) => Some(value),
            Some(_) if member.guards => return Err(nothing(member.name)),
            Some(_) | None => of_variable(member, variables)?,
        };
        if let Some(value) = value {
            members.insert(member.name.to_owned(), value);
        }
    }
    serde_json::from_value(Value::Object(members.clone()))
        .map_err(|error| invalid(Code::ContextInvalid, format!("The context cannot be read: {error}."), "context"))
}

/// Whether a value says nothing, or one of a list does.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty() || items.iter().any(is_nothing),
        _ => false,
    }
}

/// The refusal of a guard that is set to nothing.
pub(super) fn nothing(name: &str) -> Box<ErrorReport> {
    Box::new(
        invalid(Code::ContextInvalid, format!("{name} is set to nothing, so it is not known what was meant."), name)
            .recommending(format!("Give {name} a value, or do not set it at all.")),
    )
}

/// A member of the context from its variable, where that is set.
fn of_variable(
    member: &ContextMember,
    variables: &BTreeMap<String, String>,
) -> Result<Option<Value>, Box<ErrorReport>> {
    let Some(text) = variables.get(member.variable) else { return Ok(None) };
    if text.is_empty() {
        return if member.guards { Err(nothing(member.variable)) } else { Ok(None) };
    }
    match member.kind {
        ContextMemberKind::Flag => {}
        ContextMemberKind::Texts => return Ok(Some(text.split(',').map(str::trim).collect())),
        _ => return Ok(Some(text.clone().into())),
    }
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(Some(true.into())),
        "false" | "0" => Ok(Some(false.into())),
        _ => Err(invalid(
            Code::ContextInvalid,
            format!("The variable {} must be true or false, found '{text}'.", member.variable),
            member.variable,
        )),
    }
}
