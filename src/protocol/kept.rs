//! The values that the settings want otherwise, and that stay as they are.

use serde::{Deserialize, Serialize};

use super::json_text::JsonText;
use super::resource_name::ResourceName;
use super::warning::FilePlace;

/// A property, or a whole resource, that the settings want otherwise and that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// The resource.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// Path in the ARM body, as in `sku.name`; empty where it is the resource as a whole.
    pub path: String,
    /// The value that is wanted, as JSON text; null where there is to be none.
    pub wanted: Option<JsonText>,
    /// The value that exists, as JSON text; null where it is the resource as a whole.
    pub existing: Option<JsonText>,
    /// It has left the documents: no document of the run has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub orphan: bool,
    /// Complete sentences with the place in the settings: what stays as it is, and why.
    pub reason: String,
    /// The place in the settings; none where they are in no file.
    #[serde(flatten)]
    pub place: Option<FilePlace>,
    /// The document of a deployment that it is about: its absolute path, or its number from 0 where it was an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}
