//! The values as they are shown to people: ids of resources as names, roles as theirs, everything else as a YAML document would have it on one
//! line.

use serde_json::Value;

use super::tree::holders;
use crate::azure::{ResourceId, SUBSCRIPTION_TYPE, label_of_type, resource_type, role_name};
use crate::desired::KNOWN_AFTER_APPLY;
use crate::protocol::{PropertyChange, REDACTED};

/// A value as people read it. `of` is the resource that has it: what is in the same group is named without it.
#[must_use]
pub fn value(value: &Value, of: &ResourceId) -> String {
    match value {
        Value::String(text) => string(text, of),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| self::value(item, of)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, member)| format!("{key}: {}", self::value(member, of))).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

fn string(text: &str, of: &ResourceId) -> String {
    if text == KNOWN_AFTER_APPLY || text == REDACTED {
        return text.to_owned();
    }
    if let Some(name) = resource_name(text, of) {
        return name;
    }
    if is_plain(text) { text.to_owned() } else { Value::from(text).to_string() }
}

/// Whether a property that an action sets is a default: the document does not say it, and it does not follow from other resources.
#[must_use]
pub fn is_default(change: &PropertyChange) -> bool {
    let Some(after) = change.after.as_deref().filter(|_| change.origin.is_none()) else { return false };
    let follows = |value: &Value| value.is_object() || value.as_str().is_some_and(is_not_literal);
    // What Azure says of the last operation is no value of anybody.
    change.path != "properties.provisioningState"
        && match after {
            Value::Array(items) => !items.iter().any(follows),
            other => !follows(other),
        }
}

/// The path of a property as people read it: what nearly every path begins with says nothing.
#[must_use]
pub fn short_path(path: &str) -> &str {
    path.strip_prefix("properties.").unwrap_or(path)
}

/// Whether a text stands for something else: a resource, a secret, what is not known yet.
pub(super) fn is_not_literal(text: &str) -> bool {
    text == KNOWN_AFTER_APPLY || text == REDACTED || is_id(text) || text.contains('<')
}

/// Whether nobody would take the text for anything else without quotes.
fn is_plain(text: &str) -> bool {
    let is_other = || serde_json::from_str::<Value>(text).is_ok();
    let misleads = |character: char| character.is_control() || "\"{}[],".contains(character);
    !text.is_empty()
        && text.trim() == text
        && !text.contains(misleads)
        && !["->", ": ", " #"].iter().any(|part| text.contains(part))
        && !text.starts_with(['#', '\'', '('])
        && !is_other()
}

/// The name of the resource that a text is the id of: `virtual network 'vnet-x'`, `subnet 'vnet-x/endpoints' in 'rg-hub'`.
fn resource_name(text: &str, of: &ResourceId) -> Option<String> {
    if let Some(role) = role_of(text) {
        return Some(format!("role '{role}'"));
    }
    let id = is_id(text).then(|| ResourceId::new(text))?;
    if is_placeholder(id.name()) {
        return Some(id.name().to_owned());
    }
    let own_type = id.resource_type();
    let known = resource_type(&own_type);
    let label = match label_of_type(&own_type) {
        Some(label) => label,
        None if own_type == SUBSCRIPTION_TYPE => "subscription",
        None => &own_type,
    };
    let name = match known {
        Some(_) => {
            let group = id.group_id();
            let mut names: Vec<String> = holders(&id)
                .filter(|holder| group.as_ref() != Some(holder) && holder.parent().is_some())
                .filter(|holder| resource_type(&holder.resource_type()).is_some())
                .map(|holder| holder.name().to_owned())
                .collect();
            names.reverse();
            names.push(id.name().to_owned());
            names.join("/")
        }
        None => id.full_name(),
    };
    let mut shown = format!("{label} '{name}'");
    let is_elsewhere = |one: Option<&str>, other: Option<&str>| {
        let fold = |text: Option<&str>| text.map(str::to_ascii_lowercase);
        one.is_some_and(|one| !is_placeholder(one)) && fold(one) != fold(other)
    };
    let is_foreign = is_elsewhere(id.subscription_id(), of.subscription_id()) && label != "subscription";
    if let Some(group) = id.resource_group()
        && id.group_id().as_ref() != Some(&id)
        && (is_foreign || is_elsewhere(Some(group), of.resource_group()))
    {
        shown.push_str(&format!(" in '{group}'"));
    }
    if let (true, Some(subscription)) = (is_foreign, id.subscription_id()) {
        shown.push_str(&format!(" of subscription '{subscription}'"));
    }
    Some(shown)
}

/// The name of the role that a text is the id of, where the engine knows it.
fn role_of(text: &str) -> Option<&'static str> {
    let (scope, role) = text.rsplit_once('/')?;
    let folded = scope.to_ascii_lowercase();
    folded.ends_with("/providers/microsoft.authorization/roledefinitions").then(|| role_name(role))?
}

fn is_id(text: &str) -> bool {
    let mut segments = text.split('/');
    segments.next() == Some("")
        && segments.next().is_some_and(|first| first.eq_ignore_ascii_case("subscriptions"))
        && text.trim_start_matches('/').split('/').count().is_multiple_of(2)
        && !text.contains(|character: char| character.is_control() || "?\\\"".contains(character))
}

fn is_placeholder(name: &str) -> bool {
    name.starts_with('<') && name.ends_with('>')
}
