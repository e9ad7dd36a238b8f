//! The drift: what exists against what the documents say, and who has changed it.

use schemars::JsonSchema;
use serde::Serialize;

use super::json_text::JsonText;
use super::kept::Kept;
use super::resource_name::ResourceName;
use super::target::{MadeWith, Target};
use super::warning::FilePlace;

/// The comparison of what exists with the documents of a run. Nothing was changed for it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// The subscription that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The environment, and the files of the project.
    #[serde(flatten)]
    pub made_with: MadeWith,
    /// Anything differs.
    pub has_differences: bool,
    /// Each property that differs, and each resource that is missing or too many, in the order of a plan.
    pub differences: Vec<Difference>,
    /// The values and resources that the documents want otherwise, or do not have, and that no run changes.
    pub kept: Vec<Kept>,
    /// The number of resources that are as the documents want them.
    pub unchanged: usize,
    /// All of it in one sentence.
    pub sentence: String,
}

/// The kinds of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DifferenceKind {
    /// A property has another value.
    Changed,
    /// The resource does not exist.
    Missing,
    /// The resource exists, and a run would delete it.
    Surplus,
}

/// One property, or one resource, that is not what the documents say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The same for the same resource and property in every run, whatever the values are: 16 hexadecimal digits.
    pub fingerprint: String,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// Path in the ARM body, as in `properties.minimumTlsVersion`; empty where it is the resource as a whole.
    pub path: String,
    /// The value that the documents or defaults want, as JSON text; none where there is to be none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<JsonText>,
    /// The value that exists, as JSON text; none where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub existing: Option<JsonText>,
    /// The setting, as in `storage.yml:12:5`; none for a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The place of the setting, or of the resource's; none where they are in no file.
    #[serde(flatten)]
    pub place: Option<FilePlace>,
    /// The document of a deployment that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The change that led to it; none where Azure does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Attribution>,
    /// All of it in one line, without the name of the resource.
    pub sentence: String,
}

/// A change, as Azure Resource Graph or the activity log tells it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attribution {
    /// A user principal name, or the id of an application; none where Azure does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The client, as in `Azure Portal`; none where Azure does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The operation, as in `microsoft.storage/storageaccounts/write`.
    pub operation: String,
    /// The time: RFC 3339, UTC.
    pub at: String,
}

impl Attribution {
    /// `jane@contoso.com, Azure Portal, 2026-11-21 22:14 UTC`
    #[must_use]
    pub fn in_words(&self) -> String {
        let by = self.by.as_deref().unwrap_or("somebody");
        let client = self.client.as_deref().map(|client| format!(", {client}")).unwrap_or_default();
        let time = match self.at.get(..16) {
            Some(minute) => format!("{} UTC", minute.replace('T', " ")),
            None => self.at.clone(),
        };
        format!("{by}{client}, {time}")
    }
}
