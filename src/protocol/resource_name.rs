//! The names of a resource, as hosts show it and find it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The names of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceName {
    /// ARM type, as in `Microsoft.Storage/storageAccounts`.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// The plain name of the type, as in `storage account`.
    pub label: String,
    /// The last segment of the resource id.
    // Plans on file that are a version older have none of what is kept.
    #[serde(default)]
    #[schemars(!default)]
    pub name: String,
    /// The name with those of its parents, as ARM writes it: `shop/staging`.
    pub full_name: String,
    /// The name of its resource group; none for what is in no group: a group itself, a resource of the subscription.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_group: Option<String>,
    /// The full resource id.
    pub resource_id: String,
}
