//! Providers of which a few types matter: key vaults, advisor.

use super::{PROXY, ResourceType, TRACKED, by_location, done};

const VAULT_API_VERSIONS: &[&str] = &[
    "2019-09-01",
    "2021-10-01",
    "2022-07-01",
    "2023-02-01",
    "2023-07-01",
    "2024-11-01",
    "2025-05-01",
    "2026-02-01",
    "2026-05-15",
];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: "Microsoft.KeyVault/vaults",
        api_versions: VAULT_API_VERSIONS,
        create: by_location(201),
        system_data: true,
        ..TRACKED
    },
    ResourceType { name: "Microsoft.KeyVault/vaults/secrets", api_versions: VAULT_API_VERSIONS, ..PROXY },
    ResourceType {
        name: "Microsoft.Advisor/configurations",
        api_versions: &["2020-01-01", "2022-09-01", "2022-10-01", "2023-01-01", "2025-01-01", "2026-03-01-preview"],
        create: done(200),
        ..PROXY
    },
];
