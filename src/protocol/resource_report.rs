//! The reports of a single resource: that it was made, or that it is as the settings want it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::ActionKind;
use super::{Rehearsal, ResourceName};

/// The report of a change of one resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceReport {
    /// The kind of change.
    pub action: ActionKind,
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// From the first request to the last answer.
    pub seconds: f64,
    /// Facts that only Azure knows, such as host names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<serde_json::Value>,
    /// The document of a deployment that it is about: its absolute path, or its number from 0 where it was an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

/// A resource that is as the settings want it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnchangedReport {
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// Facts that only Azure knows, such as host names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<serde_json::Value>,
    /// The document of a deployment that it is about: its absolute path, or its number from 0 where it was an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The rehearsal of the alert rule, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rehearsal: Option<Box<Rehearsal>>,
}
