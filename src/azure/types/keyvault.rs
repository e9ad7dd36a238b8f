//! Microsoft.KeyVault.

use super::{ResourceType, TagLimits};

/// Key vaults; only looked up.
pub static KEY_VAULT: ResourceType = ResourceType {
    name: "Microsoft.KeyVault/vaults",
    label: "key vault",
    api_version: "2026-02-01",
    tags: Some(TagLimits::USUAL),
    ..ResourceType::PLAIN
};
