//! Microsoft.KeyVault.

use serde_json::json;

use super::{Listing, PrivateLink, ResourceType, TagLimits};

/// Key vaults; only looked up.
pub static KEY_VAULT: ResourceType = ResourceType {
    name: "Microsoft.KeyVault/vaults",
    label: "key vault",
    worldwide_name: true,
    name_check: Some(|name| json!({ "name": name, "type": "Microsoft.KeyVault/vaults" })),
    api_version: "2026-02-01",
    tags: Some(TagLimits::USUAL),
    private_links: &[PrivateLink::to(&["vault"], &["privatelink.vaultcore.azure.net"])],
    ..ResourceType::PLAIN
};

/// Secrets of a key vault, certificates among them; only looked up, and never their values.
pub static KEY_VAULT_SECRET: ResourceType = ResourceType {
    name: "Microsoft.KeyVault/vaults/secrets",
    label: "secret",
    api_version: "2026-02-01",
    listing: Listing::InParent,
    ..ResourceType::PLAIN
};
