//! Microsoft.OperationalInsights and Microsoft.OperationsManagement.

use super::{Etag, PROXY, ResourceType, TRACKED, by_location, by_state, done};

const API_VERSIONS: &[&str] = &[
    "2020-08-01",
    "2021-06-01",
    "2021-12-01-preview",
    "2022-10-01",
    "2023-09-01",
    "2025-02-01",
    "2025-07-01",
    "2026-03-01",
];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: "Microsoft.OperationalInsights/workspaces",
        api_versions: API_VERSIONS,
        create: by_state(201),
        update: done(200),
        delete: by_location(202),
        etag: Etag::Strong,
        ..TRACKED
    },
    ResourceType {
        name: "Microsoft.OperationalInsights/workspaces/dataSources",
        api_versions: API_VERSIONS,
        etag: Etag::Strong,
        ..PROXY
    },
    ResourceType {
        name: "Microsoft.OperationsManagement/solutions",
        api_versions: &["2015-11-01-preview"],
        create: by_state(201),
        update: by_state(201),
        ..TRACKED
    },
];
