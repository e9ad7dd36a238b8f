//! One change: the body that is sent, and what is shown of it.

use serde_json::{Value, json};

use super::compare::{self, At, Difference, is_pointer_of, pointer_below, pointer_of};
use super::defaults;
use super::fixed::{keep_what_cannot_change, take_what_is_right};
use super::prerequisites::prerequisites;
use super::{Change, Plan, TypeFacts};
use crate::azure::{ENVELOPE_READ_ONLY, ResourceId, ResourceType, is_success, is_terminal, provisioning_state};
use crate::desired::{Desired, KNOWN_AFTER_APPLY, Reference, Tag, Tags, body};
use crate::protocol::{ActionKind, Confirm, JsonText, PropertyChange, REDACTED, shown_of_secret, without_secret_urls};
use crate::settings::Place;

/// The body of a creation.
#[derive(Debug)]
pub struct NewBody {
    /// The body without tags, and without the values of its references.
    pub body: Value,
    /// All of its tags.
    pub tags: Tags,
}

/// The body of a creation: the values of the settings, and defaults.
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

/// The facts of a changing property beside what is shown of it.
#[derive(Debug, Clone)]
pub struct Detail {
    /// The index of the change that it is about.
    pub index: usize,
    /// The place of the property as a JSON Pointer; none where the path says the same.
    pub pointer: Option<String>,
    /// The value that exists, where it is or has a secret. It is for digests only.
    pub before: Option<Value>,
    /// The same of the value that is wanted.
    pub after: Option<Value>,
}

/// The values of a body that other resources have.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Those that are not known yet.
    pub(super) left: Vec<Reference>,
    /// All of them.
    pub(super) all: Vec<Reference>,
}

/// The properties of a change.
struct Properties<'a> {
    resource: &'a Desired,
    sources: &'a [Reference],
    changes: Vec<PropertyChange>,
    details: Vec<Detail>,
}

impl Change {
    /// A change of a resource that is about nothing yet.
    pub(super) fn new(kind: ActionKind, id: ResourceId, resource_type: TypeFacts, place: &Place) -> Change {
        Change {
            kind,
            id,
            resource_type,
            body: None,
            wanted: None,
            keep_existing: false,
            replaces: false,
            after_deletion: false,
            references: Vec::new(),
            sources: Vec::new(),
            changes: Vec::new(),
            details: Vec::new(),
            depends_on: Vec::new(),
            first: None,
            after_first_of: Vec::new(),
            together: Vec::new(),
            confirm: Confirm::Normal,
            last: false,
            lock: None,
            best_effort: false,
            told: None,
            place: place.clone(),
            unknown: false,
            rehearsal: None,
        }
    }
}

impl<'a> Properties<'a> {
    fn of(resource: &'a Desired, references: &'a References) -> Properties<'a> {
        Properties { resource, sources: &references.all, changes: Vec::new(), details: Vec::new() }
    }

    fn add(&mut self, path: &str, pointer: &str, before: Option<&Value>, after: Option<&Value>) {
        let kind = self.resource.resource_type;
        let source = self.sources.iter().find(|source| source.path == path && kind.is_secret(path));
        let shown = |value: Option<&Value>| value.map(|value| shown(kind, path, value));
        let (shown_before, mut shown_after) = (shown(before), shown(after));
        if let Some(source) = source {
            let text = format!("{REDACTED} of {} '{}'", source.resource_type.label, source.of.name());
            shown_after = Some(text.into());
        }
        let (hidden_before, hidden_after) =
            (hidden(before, shown_before.as_ref()), hidden(after, shown_after.as_ref()));
        let is_plain = !path.contains('[') && is_pointer_of(path, pointer);
        if !is_plain || hidden_before.is_some() || hidden_after.is_some() {
            let pointer = (!is_plain).then(|| pointer.to_owned());
            let index = self.changes.len();
            self.details.push(Detail { index, pointer, before: hidden_before, after: hidden_after });
        }
        let origin = said(self.resource, path);
        self.changes.push(PropertyChange {
            path: path.to_owned(),
            before: shown_before,
            after: shown_after,
            origin,
            by_policy: false,
        });
    }

    /// A value that is read from another resource just before the change is made.
    fn add_unknown(&mut self, reference: &Reference, before: Option<&Value>) {
        self.add(reference.path, &pointer_of(reference.path), before, Some(&json!(KNOWN_AFTER_APPLY)));
    }

    fn add_tag(&mut self, key: &str, tag: &Tag, before: Option<&Value>) {
        let (path, pointer) = (format!("tags.{key}"), pointer_below("/tags", key));
        let kind = self.resource.resource_type;
        // A publish name is one whatever the tag is called.
        let shown = |value: &Value| if tag.publishes { value.clone().into() } else { shown(kind, &path, value) };
        let after = json!(tag.value);
        let (shown_before, shown_after) = (before.map(shown), Some(shown(&after)));
        let (hidden_before, hidden_after) =
            (hidden(before, shown_before.as_ref()), hidden(Some(&after), shown_after.as_ref()));
        let pointer = Some(pointer).filter(|pointer| !is_pointer_of(&path, pointer));
        if pointer.is_some() || hidden_before.is_some() || hidden_after.is_some() {
            let index = self.changes.len();
            self.details.push(Detail { index, pointer, before: hidden_before, after: hidden_after });
        }
        self.changes.push(PropertyChange {
            path,
            before: shown_before,
            after: shown_after,
            origin: Some(tag.place.show()),
            by_policy: false,
        });
    }
}

/// The values of a body, each with its place; lists are values.
fn leaves(at: &At, value: &Value, visit: &mut impl FnMut(&At, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| leaves(&at.member(key), member, visit)),
        _ => visit(at, value),
    }
}

/// The change that gives an existing resource a publish name by a tag. It comes from no document.
#[must_use]
pub fn publishing(id: ResourceId, resource_type: TypeFacts, (key, name): (&str, &str), place: &Place) -> Change {
    let tag = PropertyChange {
        path: format!("tags.{key}"),
        after: Some(name.into()),
        origin: Some("-Tag".to_owned()),
        ..PropertyChange::default()
    };
    Change { changes: vec![tag], ..Change::new(ActionKind::Modify, id, resource_type, place) }
}

/// The change that makes a resource.
pub(super) fn creation(resource: &Desired, references: References, unknown: bool) -> Change {
    let NewBody { mut body, tags } = new_body(resource);
    let mut properties = Properties::of(resource, &references);
    leaves(&At::root(), &body, &mut |at, value| {
        // What is new has empty lists anyway.
        if !value.as_array().is_some_and(Vec::is_empty) {
            properties.add(at.shown(), at.pointer(), None, Some(value));
        }
    });
    references.left.iter().for_each(|reference| properties.add_unknown(reference, None));
    if resource.resource_type.tags.is_some() && !tags.is_empty() {
        tags.iter().for_each(|(key, tag)| properties.add_tag(key, tag, None));
        set(&mut body, "tags", tags_of(&tags));
    }
    let Properties { changes, details, .. } = properties;
    let References { left: references, all: sources } = references;
    Change { references, sources, details, unknown, ..change(resource, ActionKind::Create, body, changes) }
}

/// The change that makes an existing resource what is wanted; none when it is that already. What stays otherwise is noted in
/// the plan.
pub(super) fn modification(
    resource: &Desired,
    existing: &Value,
    references: References,
    plan: &mut Plan,
) -> Option<Change> {
    // A resource whose last operation failed is sent again although its properties are right.
    let state = provisioning_state(existing).filter(|state| is_terminal(state) && !is_success(state));
    if resource.keep_existing {
        return state.map(|state| sent_again(resource, existing, state));
    }
    let mut wanted = resource.body.clone();
    take_what_is_right(resource, existing, &mut wanted);
    defaults::note(resource, existing, &wanted, plan);
    keep_what_cannot_change(resource, existing, &mut wanted, plan);
    let mut found = compare::differences(resource.resource_type, &wanted, existing);
    let known_tags = existing.get("tags").and_then(Value::as_object).cloned().unwrap_or_default();
    found.extend(state.map(failed));
    let mut properties = Properties::of(resource, &references);
    for Difference { path, pointer, before, after } in &found {
        properties.add(path, pointer, before.as_ref(), after.as_ref());
    }
    for reference in &references.left {
        properties.add_unknown(reference, body::at(existing, reference.path).filter(|value| !value.is_null()));
    }
    for (key, tag) in &resource.tags {
        let before = known_tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value);
        if before.and_then(Value::as_str) != Some(&tag.value) {
            properties.add_tag(key, tag, before);
        }
    }
    let Properties { changes, details, .. } = properties;
    if changes.is_empty() {
        return None;
    }
    if resource.resource_type.tags.is_some() && !resource.tags.is_empty() {
        set(&mut wanted, "tags", tags_of(&resource.tags));
    }
    let body = put_over(resource.resource_type, existing, &wanted);
    let replaced = resource.resource_type.replaced;
    let replaces = changes.iter().any(|change| change.before.is_some() && replaced.contains(&change.path.as_str()));
    let References { left: references, all: sources } = references;
    let change = change(resource, ActionKind::Modify, body, changes);
    Some(Change { references, sources, details, replaces, wanted: Some(wanted), ..change })
}

/// The difference between a resource whose last operation failed and one whose last operation did not.
fn failed(state: &str) -> Difference {
    let path = "properties.provisioningState".to_owned();
    let pointer = pointer_of(&path);
    Difference { path, pointer, before: Some(json!(state)), after: Some(json!("Succeeded")) }
}

/// The change that sends what exists once more as it is: its last operation failed, and nothing else is wanted of it.
fn sent_again(resource: &Desired, existing: &Value, state: &str) -> Change {
    let Difference { path, before, after, .. } = failed(state);
    let shown = |value: Option<Value>| value.map(|value| shown(resource.resource_type, &path, &value));
    let changes = vec![PropertyChange {
        before: shown(before),
        after: shown(after),
        path: path.clone(),
        origin: None,
        by_policy: false,
    }];
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

/// The place at which the document says the value of a path; none for a default.
fn said(resource: &Desired, path: &str) -> Option<String> {
    resource.said(path).map(|place| place.show())
}

/// The content of an existing resource without what Azure sets by itself and without secrets: what a deletion was approved for.
#[must_use]
pub fn content(resource_type: Option<&ResourceType>, existing: &Value) -> Value {
    match resource_type {
        Some(known) => without_secrets(known, "", &body::writable(known, existing)),
        None => {
            let mut body = existing.clone();
            if let Some(members) = body.as_object_mut() {
                members.retain(|key, _| !ENVELOPE_READ_ONLY.contains(&key.as_str()));
            }
            body
        }
    }
}

/// The body of a request without its secrets, for others than the resource provider.
#[must_use]
pub fn masked(change: &Change, body: &Value) -> Value {
    change.resource_type.known.map_or_else(|| body.clone(), |known| without_secrets(known, "", body))
}

/// The JSON text of a value; no secrets.
#[must_use]
pub fn shown(resource_type: &ResourceType, path: &str, value: &Value) -> JsonText {
    without_secrets(resource_type, path, value).into()
}

/// The value where what is shown of it hides a secret.
fn hidden(value: Option<&Value>, shown: Option<&JsonText>) -> Option<Value> {
    let hides = |value: &&Value| shown.is_some_and(|shown| **shown != **value && shown.to_string().contains(REDACTED));
    value.filter(hides).cloned()
}

/// A value without the secrets that are in it: a whole item of a list, everything that an answer left out, an address in a query.
fn without_secrets(resource_type: &ResourceType, path: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if resource_type.hides(path, text) => json!(shown_of_secret(text)),
        Value::String(text) => json!(without_secret_urls(text)),
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

fn tags_of(tags: &Tags) -> Value {
    tags.iter().map(|(key, tag)| (key.clone(), json!(tag.value))).collect()
}

fn change(resource: &Desired, kind: ActionKind, body: Value, mut changes: Vec<PropertyChange>) -> Change {
    changes.shrink_to_fit();
    Change {
        body: Some(body::compact(body)),
        keep_existing: resource.keep_existing,
        changes,
        depends_on: prerequisites(resource),
        lock: resource.lock.clone(),
        best_effort: resource.best_effort,
        told: resource.resource_type.told,
        ..Change::new(kind, resource.id.clone(), TypeFacts::from(resource.resource_type), &resource.place)
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
        let text = shown(&ACTION_GROUP, "properties.webhookReceivers", &hook).to_string();
        assert_eq!(text, r#"[{"name":"n","serviceUri":"https://x.net/***"}]"#);
        assert_eq!(
            shown(&ACTION_GROUP, "properties.webhookReceivers[n]", &hook[0]).to_string(),
            r#"{"name":"n","serviceUri":"https://x.net/***"}"#
        );
        let settings = json!({"AzureWebJobsStorage": "AccountKey=x", "FUNCTIONS_WORKER_RUNTIME": "node"});
        let text = shown(&APP_SETTINGS, "properties", &settings).to_string();
        assert_eq!(text, r#"{"AzureWebJobsStorage":"***","FUNCTIONS_WORKER_RUNTIME":"node"}"#);
        assert_eq!(
            shown(&APP_SETTINGS, "", &json!({"properties": settings})).to_string(),
            format!(r#"{{"properties":{text}}}"#)
        );
    }
}
