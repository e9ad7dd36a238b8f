//! The plan as programs read it and as it is approved: `plan.json`. Its values are JSON, its paths JSON Pointers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PlanHead, Report};
use crate::azure::ResourceId;
use crate::desired::{Existing, Reference, Source};
use crate::plan::{Change, Plan, content, masked, pointer_of};
use crate::protocol::{Action, ActionKind, Confirm, JsonText, Kept, PropertyChange, Rehearsal, ResourceName};

/// The part of the digest of a secret that is written down: enough to notice that it is another one, and so little that nobody can tell from it
/// whether they have guessed it, since one of 65,536 texts has the same.
const DIGITS: usize = 4;

/// A plan on file. What is a secret is `***`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "A plan of Svc Deploy")]
pub struct PlanFile {
    /// The head.
    #[serde(flatten)]
    pub head: PlanHead,
    /// The key of the digests: random, another one in each file.
    pub digest_key: String,
    /// The changes, in the order in which they would be made.
    pub actions: Vec<FileAction>,
    /// The properties and resources that the settings want otherwise and that stay as they are.
    pub kept: Vec<FileKept>,
}

/// One resource that is created, changed or deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileAction {
    /// The number that `dependsOn` names.
    pub index: usize,
    /// The kind of change.
    pub action: ActionKind,
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// The sentence after `What if:`.
    pub description: String,
    /// Whether a user has to be asked, whatever else they want to be asked about.
    pub confirm: Confirm,
    /// The indexes of the actions that have to succeed first, in ascending order.
    pub depends_on: Vec<usize>,
    /// Each property that differs.
    pub changes: Vec<FileChange>,
    /// The whole resource as it will be sent, with its `id`, `name`, `type` and `apiVersion`, for the rules of other tools: what is known only later is not in
    /// it, and secrets are `***`. None for a deletion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// Of a deletion, the digest of what is deleted, without what Azure sets by itself; none where it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_digest: Option<String>,
    /// The setting the resource comes from: `storage.yml:10:3`. None for the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The one of `documents` that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The rehearsal of the alert rule, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rehearsal: Option<Box<Rehearsal>>,
}

/// One property of a change. A member that is absent says that there is no value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// JSON Pointer of the property in the ARM body: `/properties/minimumTlsVersion`. An item of a list stands under what tells it apart, such as
    /// its name: its index is not the same before and after.
    pub path: String,
    /// The value that exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The value that is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// The value that is wanted is known only when the resource that has it is there; then there is no `after`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_unknown: bool,
    /// The other resource that has the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_from: Option<ValueSource>,
    /// A part of the digest of the value that exists, where it is or has a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_digest: Option<String>,
    /// The same of the value that is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_digest: Option<String>,
    /// The place in the settings: `storage.yml:12:5`. None for what they do not say: a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Azure changes the property by itself, by the policy that is the `origin`. It is not compared with an approved plan.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_policy: bool,
}

/// The source of a value that another resource has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValueSource {
    /// The full id of that resource.
    pub resource_id: String,
    /// The path of the property that is read, or an action such as `listKeys`.
    pub value: String,
}

/// A value or a resource that stays as it is although the settings want it otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileKept {
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// JSON Pointer of the property in the ARM body; empty where it is the resource as a whole.
    pub path: String,
    /// The value that is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Value>,
    /// The value that exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<Value>,
    /// It has left the documents: no document of the run has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub orphan: bool,
    /// Complete sentences: what stays as it is, and why.
    pub reason: String,
    /// The one of `documents` that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

impl PlanFile {
    /// The file of a plan, of which `report` shows what people are shown of it. `seen` has what exists of what is changed.
    #[must_use]
    pub fn of(report: &Report, plan: &Plan, seen: &Existing, key: &str) -> PlanFile {
        let actions = report.actions.iter().zip(&plan.changes);
        PlanFile {
            head: report.head.clone(),
            digest_key: key.to_owned(),
            actions: actions.map(|(action, change)| file_action(action, change, seen, key)).collect(),
            kept: report.kept.iter().map(file_kept).collect(),
        }
    }
}

/// A part of the digest of a value that is or has a secret.
pub(super) fn secret_digest(key: &str, secret: &Value) -> String {
    let mut digest = digest(key, secret);
    digest.truncate(DIGITS);
    digest
}

fn digest(key: &str, value: &Value) -> String {
    let text = canonical(value).to_string();
    Uuid::new_v5(&Uuid::try_parse(key).unwrap_or_default(), text.as_bytes()).simple().to_string()
}

/// A value in one of the spellings that make no difference: Azure keeps neither the order of members nor the letter case of ids.
fn canonical(value: &Value) -> Value {
    match value {
        Value::String(text) if ResourceId::checked(text).is_some() => text.to_lowercase().into(),
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, member)| !member.is_null());
            let sorted: BTreeMap<&String, Value> = members.map(|(name, member)| (name, canonical(member))).collect();
            sorted.into_iter().map(|(name, member)| (name.clone(), member)).collect()
        }
        other => other.clone(),
    }
}

fn file_action(action: &Action, change: &Change, seen: &Existing, key: &str) -> FileAction {
    let is_deletion = action.action == ActionKind::Delete;
    let existing = seen.get(&change.id).filter(|_| is_deletion);
    let changes = action.changes.iter().enumerate();
    FileAction {
        index: action.index,
        action: action.action,
        resource: action.resource.clone(),
        description: action.description.clone(),
        confirm: action.confirm,
        depends_on: action.depends_on.clone(),
        changes: changes.map(|(index, shown)| file_change(index, shown, change, key)).collect(),
        after: change.body.as_ref().map(|body| whole(action, change, body)),
        content_digest: existing.map(|existing| digest(key, &content(change.resource_type.known, existing))),
        origin: action.origin.clone(),
        document: action.document.clone(),
        rehearsal: action.rehearsal.clone(),
    }
}

/// The resource of a change as a template has it.
fn whole(action: &Action, change: &Change, body: &Value) -> Value {
    let mut whole = json!({
        "id": action.resource.resource_id,
        "name": action.resource.full_name,
        "type": action.resource.resource_type,
        "apiVersion": change.resource_type.api_version,
    });
    if let (Value::Object(whole), Value::Object(body)) = (&mut whole, masked(change, body)) {
        whole.extend(body);
    }
    whole
}

fn file_change(index: usize, shown: &PropertyChange, change: &Change, key: &str) -> FileChange {
    let detail = change.details.iter().find(|detail| detail.index == index);
    let is_at = |reference: &&Reference| reference.path == shown.path;
    let after_unknown = change.references.iter().any(|reference| is_at(&reference));
    let digest = |secret: Option<&Value>| secret.map(|secret| secret_digest(key, secret));
    // Also what is hidden as a secret of the caller's, wherever it is.
    let own = change.changes.get(index);
    let hidden = |of: fn(&PropertyChange) -> Option<&Value>| of(own?).filter(|own| of(shown) != Some(*own));
    let before = hidden(|change| change.before.as_deref());
    let after = hidden(|change| change.after.as_deref());
    FileChange {
        path: detail.and_then(|detail| detail.pointer.clone()).unwrap_or_else(|| pointer_of(&shown.path)),
        before: value(&shown.before),
        after: value(&shown.after).filter(|_| !after_unknown),
        after_unknown,
        after_from: change.sources.iter().find(is_at).map(source),
        before_digest: digest(detail.and_then(|detail| detail.before.as_ref()).or(before)),
        after_digest: digest(detail.and_then(|detail| detail.after.as_ref()).or(after).filter(|_| !after_unknown)),
        origin: shown.origin.clone(),
        by_policy: shown.by_policy,
    }
}

fn source(reference: &Reference) -> ValueSource {
    let value = match &reference.source {
        Source::Property(path) | Source::Host(path) => *path,
        Source::Action { name, .. } => *name,
    };
    ValueSource { resource_id: reference.of.to_string(), value: value.to_owned() }
}

fn file_kept(kept: &Kept) -> FileKept {
    FileKept {
        resource: kept.resource.clone(),
        path: if kept.path.is_empty() { String::new() } else { pointer_of(&kept.path) },
        wanted: value(&kept.wanted),
        existing: value(&kept.existing),
        orphan: kept.orphan,
        reason: kept.reason.clone(),
        document: kept.document.clone(),
    }
}

fn value(shown: &Option<JsonText>) -> Option<Value> {
    shown.as_deref().cloned()
}
