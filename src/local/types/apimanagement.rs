//! Microsoft.ApiManagement.

use super::{Etag, ResourceType, TRACKED, by_location, by_state};

pub(super) static TYPES: &[ResourceType] = &[ResourceType {
    name: "Microsoft.ApiManagement/service",
    // Older ones were switched off in June 2024.
    api_versions: &["2021-08-01", "2022-08-01", "2023-05-01-preview", "2024-05-01", "2025-09-01-preview"],
    create: by_state(201),
    update: by_state(200),
    patch: by_location(202),
    delete: by_location(202),
    seconds: 1800,
    etag: Etag::Strong,
    system_data: true,
    ..TRACKED
}];
