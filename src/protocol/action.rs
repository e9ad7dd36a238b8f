//! A plan as its host is asked about it: the actions, each with what changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{JsonText, Rehearsal, ResourceName};

/// The version of the shape of a plan. It changes when a reader of the old shape would misread the new one.
pub const PLAN_FORMAT: u32 = 1;

/// A change that is asked for in a [`Message::Plan`](super::Message::Plan).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// The number the answer names.
    pub index: usize,
    /// The kind of change.
    pub action: ActionKind,
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// The sentence after `What if:`.
    pub description: String,
    /// The text of the confirmation prompt.
    pub question: String,
    /// Whether a user has to be asked.
    pub confirm: Confirm,
    /// The indexes of the actions that have to succeed first, in ascending order.
    pub depends_on: Vec<usize>,
    /// The indexes of the actions with which it is made, or not at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<usize>,
    /// It is made only when everything else of its document has succeeded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
    /// Each property that differs, with both values; `***` for those of secrets.
    pub changes: Vec<PropertyChange>,
    /// Nobody looked at what exists: it may be there already, and be updated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub state_unknown: bool,
    /// The setting the resource comes from: `storage.yml:10:3`, or a path in a settings object. None for the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The document of a deployment that it is about: its absolute path, or its number from 0 where it was an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The rehearsal of the alert rule, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rehearsal: Option<Box<Rehearsal>>,
}

/// Whether an action needs the consent of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Confirm {
    /// Only where the user wants to be asked about every change.
    Normal,
    /// Unless the user said not to ask: what it deletes, nobody can bring back.
    Always,
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ActionKind {
    /// The resource does not exist yet, or it is not known whether it does (a plan that is made offline).
    Create,
    /// The resource exists and differs.
    Modify,
    /// The resource exists and is to go.
    Delete,
}

/// One property of a planned change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertyChange {
    /// Path in the ARM body, as in `properties.minimumTlsVersion`.
    pub path: String,
    /// The value that exists, as JSON text; null where there is none.
    pub before: Option<JsonText>,
    /// The value that is wanted, as JSON text; null where there is none.
    pub after: Option<JsonText>,
    /// The place in the settings: `storage.yml:12:5`, or a path in a settings object. None for what they do not say: a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Azure changes the property by itself, by the policy that is the `origin`. No setting is about it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_policy: bool,
}
