//! One change: the body that is sent, and what is shown of it.

use serde_json::{Value, json};

use super::compare::{self, Difference};
use super::defaults;
use super::fixed::{keep_what_cannot_change, take_what_is_right};
use super::prerequisites::prerequisites;
use super::{Change, Plan, TypeFacts};
use crate::azure::{ResourceType, is_success, is_terminal, provisioning_state};
use crate::desired::{Desired, KNOWN_AFTER_APPLY, Reference, Tag, Tags, body};
use crate::protocol::leaves;
use crate::protocol::{ActionKind, Confirm, PropertyChange, REDACTED};
use crate::settings::vocabulary;

/// What a resource is made with.
#[derive(Debug)]
pub struct NewBody {
    /// The body without tags, and without the values of its references.
    pub body: Value,
    /// All of its tags.
    pub tags: Tags,
}

/// What a resource is made with: what the settings say, and defaults.
#[must_use]
pub fn new_body(resource: &Desired) -> NewBody {
    let mut body = resource.body.clone();
    if !resource.creation_body.is_null() {
        body::overlay(resource.resource_type, &mut body, &resource.creation_body);
    }
    body::drop_nulls(&mut body);
    let mut tags = resource.creation_tags.clone();
    tags.extend(resource.tags.clone());
    NewBody { body, tags }
}

/// The change that makes a resource.
pub(super) fn creation(resource: &Desired, references: Vec<Reference>, unknown: bool) -> Change {
    let NewBody { mut body, tags } = new_body(resource);
    let mut changes = Vec::new();
    leaves("", &body, &mut |path, value| {
        // What is new has empty lists anyway.
        if value.as_array().is_some_and(Vec::is_empty) {
            return;
        }
        changes.push(PropertyChange {
            path: path.to_owned(),
            before: None,
            after: Some(shown(resource.resource_type, path, value)),
            origin: said(resource, path),
        });
    });
    changes.extend(references.iter().map(|reference| not_known_yet(resource, reference, None)));
    if resource.resource_type.tags.is_some() && !tags.is_empty() {
        changes.extend(tags.iter().map(|(key, tag)| tag_change(key, tag, None)));
        set(&mut body, "tags", tags_of(&tags));
    }
    Change { references, unknown, ..change(resource, ActionKind::Create, body, changes) }
}

/// The change that makes an existing resource what is wanted; none when it is that already. What stays otherwise is noted in
/// the plan.
pub(super) fn modification(
    resource: &Desired,
    existing: &Value,
    references: Vec<Reference>,
    plan: &mut Plan,
) -> Option<Change> {
    // A resource whose last operation failed is sent again although its properties are right.
    let state = provisioning_state(existing).filter(|state| is_terminal(state) && !is_success(state));
    if resource.keep_existing {
        return state.map(|state| sent_again(resource, existing, state));
    }
    let mut wanted = resource.body.clone();
    take_what_is_right(resource, existing, &mut wanted);
    plan.notes.extend(defaults::kept(resource, existing, &wanted));
    keep_what_cannot_change(resource, existing, &mut wanted, plan);
    let mut found = compare::differences(resource.resource_type, &wanted, existing);
    let known_tags = existing.get("tags").and_then(Value::as_object).cloned().unwrap_or_default();
    found.extend(state.map(failed));
    let mut changes: Vec<PropertyChange> = found
        .into_iter()
        .map(|difference| PropertyChange {
            origin: said(resource, &difference.path),
            before: difference.before.as_ref().map(|value| shown(resource.resource_type, &difference.path, value)),
            after: difference.after.as_ref().map(|value| shown(resource.resource_type, &difference.path, value)),
            path: difference.path,
        })
        .collect();
    let before = |reference: &Reference| body::at(existing, reference.path).filter(|value| !value.is_null());
    changes.extend(references.iter().map(|reference| not_known_yet(resource, reference, before(reference))));
    for (key, tag) in &resource.tags {
        let before = known_tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value);
        if before.and_then(Value::as_str) != Some(&tag.value) {
            changes.push(tag_change(key, tag, before));
        }
    }
    if changes.is_empty() {
        return None;
    }
    if resource.resource_type.tags.is_some() && !resource.tags.is_empty() {
        set(&mut wanted, "tags", tags_of(&resource.tags));
    }
    let body = put_over(resource.resource_type, existing, &wanted);
    let replaced = resource.resource_type.replaced;
    let replaces = changes.iter().any(|change| change.before.is_some() && replaced.contains(&change.path.as_str()));
    Some(Change { references, replaces, wanted: Some(wanted), ..change(resource, ActionKind::Modify, body, changes) })
}

/// The difference between a resource whose last operation failed and one whose last operation did not.
fn failed(state: &str) -> Difference {
    let path = "properties.provisioningState".to_owned();
    Difference { path, before: Some(json!(state)), after: Some(json!("Succeeded")) }
}

/// The change that sends what exists once more as it is: its last operation failed, and nothing else is wanted of it.
fn sent_again(resource: &Desired, existing: &Value, state: &str) -> Change {
    let Difference { path, before, after } = failed(state);
    let shown = |value: Option<Value>| value.map(|value| shown(resource.resource_type, &path, &value));
    let changes = vec![PropertyChange { before: shown(before), after: shown(after), path: path.clone(), origin: None }];
    let nothing = json!({});
    let body = put_over(resource.resource_type, existing, &nothing);
    Change { wanted: Some(nothing), ..change(resource, ActionKind::Modify, body, changes) }
}

/// The body with which what exists becomes what is wanted: the rest of it stays.
pub(super) fn put_over(resource_type: &ResourceType, existing: &Value, wanted: &Value) -> Value {
    let mut whole = body::writable(resource_type, existing);
    body::overlay(resource_type, &mut whole, wanted);
    body::drop_nulls(&mut whole);
    whole
}

/// A value that is read from another resource just before the change is made.
fn not_known_yet(resource: &Desired, reference: &Reference, before: Option<&Value>) -> PropertyChange {
    PropertyChange {
        path: reference.path.to_owned(),
        before: before.map(|value| shown(resource.resource_type, reference.path, value)),
        after: Some(shown(resource.resource_type, reference.path, &json!(KNOWN_AFTER_APPLY))),
        origin: said(resource, reference.path),
    }
}

/// Where the document says the value at a path; none for a default.
fn said(resource: &Desired, path: &str) -> Option<String> {
    resource.said(path).map(|place| place.show())
}

/// The JSON text of a value, in the words of the settings; no secrets.
pub(super) fn shown(resource_type: &ResourceType, path: &str, value: &Value) -> String {
    match value {
        _ if resource_type.is_secret(path) => json!(REDACTED).to_string(),
        Value::String(text) => Value::String(vocabulary::to_settings(text)).to_string(),
        Value::Array(_) | Value::Object(_) if !resource_type.secret.is_empty() => {
            without_secrets(resource_type, path, value).to_string()
        }
        other => other.to_string(),
    }
}

/// A value without the secrets that are in it: a whole item of a list, or everything that an answer left out.
fn without_secrets(resource_type: &ResourceType, path: &str, value: &Value) -> Value {
    match value {
        _ if resource_type.is_secret(path) => json!(REDACTED),
        Value::Array(items) => items.iter().map(|item| without_secrets(resource_type, path, item)).collect(),
        Value::Object(members) => {
            let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let masked = |(name, member): (&String, &Value)| {
                (name.clone(), without_secrets(resource_type, &below(name), member))
            };
            Value::Object(members.iter().map(masked).collect())
        }
        other => other.clone(),
    }
}

fn tag_change(key: &str, tag: &Tag, before: Option<&Value>) -> PropertyChange {
    PropertyChange {
        path: format!("tags.{key}"),
        before: before.map(Value::to_string),
        after: Some(json!(tag.value).to_string()),
        origin: Some(tag.place.show()),
    }
}

fn tags_of(tags: &Tags) -> Value {
    tags.iter().map(|(key, tag)| (key.clone(), json!(tag.value))).collect()
}

fn change(resource: &Desired, kind: ActionKind, body: Value, mut changes: Vec<PropertyChange>) -> Change {
    changes.shrink_to_fit();
    Change {
        kind,
        id: resource.id.clone(),
        resource_type: TypeFacts::from(resource.resource_type),
        body: Some(body::compact(body)),
        wanted: None,
        keep_existing: resource.keep_existing,
        replaces: false,
        after_deletion: false,
        references: Vec::new(),
        changes,
        depends_on: prerequisites(resource),
        first: None,
        after_first_of: Vec::new(),
        together: Vec::new(),
        confirm: Confirm::Normal,
        last: false,
        lock: resource.lock.clone(),
        best_effort: resource.best_effort,
        told: resource.resource_type.told,
        place: resource.place.clone(),
        unknown: false,
    }
}

fn set(body: &mut Value, key: &str, value: Value) {
    if let Some(members) = body.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::types::{ACTION_GROUP, APP_SETTINGS};

    #[test]
    fn a_value_that_has_secrets_in_it_is_shown_without_them() {
        let hook = json!([{"name": "n", "serviceUri": "https://x.net/w"}]);
        let text = shown(&ACTION_GROUP, "properties.webhookReceivers", &hook);
        assert_eq!(text, r#"[{"name":"n","serviceUri":"***"}]"#);
        assert_eq!(
            shown(&ACTION_GROUP, "properties.webhookReceivers[n]", &hook[0]),
            r#"{"name":"n","serviceUri":"***"}"#
        );
        let settings = json!({"AzureWebJobsStorage": "AccountKey=x", "FUNCTIONS_WORKER_RUNTIME": "node"});
        let text = shown(&APP_SETTINGS, "properties", &settings);
        assert_eq!(text, r#"{"AzureWebJobsStorage":"***","FUNCTIONS_WORKER_RUNTIME":"node"}"#);
        assert_eq!(shown(&APP_SETTINGS, "", &json!({"properties": settings})), format!(r#"{{"properties":{text}}}"#));
    }
}
