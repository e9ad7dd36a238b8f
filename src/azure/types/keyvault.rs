//! Microsoft.KeyVault.

use super::{PrivateLink, ResourceType, TagLimits};

/// Key vaults; only looked up.
pub static KEY_VAULT: ResourceType = ResourceType {
    name: "Microsoft.KeyVault/vaults",
    label: "key vault",
    api_version: "2026-02-01",
    tags: Some(TagLimits::USUAL),
    private_links: &[PrivateLink::to(&["vault"], &["privatelink.vaultcore.azure.net"])],
    ..ResourceType::PLAIN
};
