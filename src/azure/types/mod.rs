//! What the engine knows of each ARM type: one table. Sources: the REST specifications (bicep-types-az of 2026-08) and
//! the azure-mgmt packages of 2026-10, unless a line says otherwise.

mod monitor;
mod network;
mod storage;

use serde_json::Value;

pub use monitor::*;
pub use network::*;
pub use storage::*;

use super::resource_id::RESOURCE_GROUP_TYPE;

/// Facts of one ARM type.
#[derive(Debug)]
pub struct ResourceType {
    /// The full type, as in `Microsoft.Storage/storageAccounts`.
    pub name: &'static str,
    /// How it is called in sentences.
    pub label: &'static str,
    /// A hard-coded version, as Microsoft advises (template best practices).
    pub api_version: &'static str,
    /// How what exists is read.
    pub listing: Listing,
    /// Whether it carries tags.
    pub taggable: bool,
    /// Properties Azure sets by itself: never compared, and left out when a resource is sent back.
    /// `[]` stands for every item of a list.
    pub read_only: &'static [&'static str],
    /// Properties that cannot be changed in every way after creation.
    pub fixed: &'static [Fixed],
    /// Properties whose lists, or comma-separated words, have no order.
    pub sets: &'static [&'static str],
    /// Whether another resource of the type, beside the desired one, already does what the desired one is for.
    pub satisfied_by: Option<Satisfies>,
}

/// Compares a desired body with an existing one of the same type and parent.
pub type Satisfies = fn(&Value, &Value) -> bool;

impl ResourceType {
    /// What holds for most types; the base of the entries.
    const PLAIN: ResourceType = ResourceType {
        name: "",
        label: "",
        api_version: "",
        listing: Listing::InGroup,
        taggable: false,
        read_only: &[],
        fixed: &[],
        sets: &[],
        satisfied_by: None,
    };
}

/// How the resources of a type that exist are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// One listing of the resource group has them all.
    InGroup,
    /// One listing of the parent resource has them all.
    InParent,
    /// Each is read by itself.
    Single,
}

/// A property that keeps its value unless Azure allows the change.
#[derive(Debug)]
pub struct Fixed {
    /// Path in the body.
    pub path: &'static str,
    /// Whether Azure changes this value into that one.
    pub allows: fn(&str, &str) -> bool,
}

/// Resource groups.
pub static RESOURCE_GROUP: ResourceType = ResourceType {
    name: RESOURCE_GROUP_TYPE,
    label: "resource group",
    api_version: "2025-04-01",
    listing: Listing::Single,
    taggable: true,
    read_only: &["properties"],
    ..ResourceType::PLAIN
};

/// The table.
static RESOURCE_TYPES: &[&ResourceType] = &[
    &RESOURCE_GROUP,
    &STORAGE_ACCOUNT,
    &BLOB_CONTAINER,
    &FILE_SHARE,
    &QUEUE,
    &TABLE,
    &VIRTUAL_NETWORK,
    &SUBNET,
    &PUBLIC_IP_ADDRESS,
    &BASTION_HOST,
    &PRIVATE_ENDPOINT,
    &PRIVATE_DNS_ZONE_GROUP,
    &PRIVATE_DNS_ZONE,
    &VIRTUAL_NETWORK_LINK,
    &WORKSPACE,
    &ACTION_GROUP,
    &ACTIVITY_LOG_ALERT,
    &METRIC_ALERT,
    &DIAGNOSTIC_SETTING,
];

/// How many tags a type takes, and how long their keys may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagLimits {
    /// The most pairs.
    pub count: usize,
    /// The longest key, in characters.
    pub key_length: usize,
}

/// The limits of a type (Azure Resource Manager, "Use tags", limitations).
#[must_use]
pub fn tag_limits(resource_type: &str) -> TagLimits {
    let few = ["Microsoft.Network/privateDnsZones", "Microsoft.Cdn/profiles"];
    let begins =
        |prefix: &&str| resource_type.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    TagLimits {
        count: if few.iter().any(begins) { 15 } else { 50 },
        key_length: if resource_type.eq_ignore_ascii_case("Microsoft.Storage/storageAccounts") { 128 } else { 512 },
    }
}

/// Members every resource has and no request may set.
pub const ENVELOPE_READ_ONLY: &[&str] = &["id", "name", "type", "etag", "systemData", "properties.provisioningState"];

/// The facts of a type, ignoring case.
#[must_use]
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    RESOURCE_TYPES.iter().copied().find(|known| known.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_ignoring_case() {
        assert_eq!(
            resource_type("microsoft.storage/STORAGEACCOUNTS").map(|found| found.label),
            Some("storage account")
        );
        assert!(resource_type("Microsoft.Storage/other").is_none());
    }

    #[test]
    fn entries_are_whole() {
        for entry in RESOURCE_TYPES {
            assert!(!entry.name.is_empty() && !entry.label.is_empty() && entry.api_version.len() >= 10, "{entry:?}");
        }
    }
}
