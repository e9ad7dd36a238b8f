//! Microsoft.Cdn: Azure Front Door Standard and Premium.

use super::{LocationRule, ResourceType, TRACKED, by_async_operation, by_location};

const API_VERSIONS: &[&str] =
    &["2021-06-01", "2023-05-01", "2024-02-01", "2024-09-01", "2025-04-15", "2025-06-01", "2025-12-01", "2026-10-01"];

const CHILD: ResourceType = ResourceType {
    api_versions: API_VERSIONS,
    location: LocationRule::Absent,
    create: by_async_operation(201),
    update: by_async_operation(200),
    patch: by_async_operation(202),
    delete: by_async_operation(202),
    system_data: true,
    ..TRACKED
};

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: "Microsoft.Cdn/profiles",
        location: LocationRule::RegionOrGlobal,
        create: by_location(201),
        update: by_location(202),
        patch: by_location(202),
        delete: by_location(202),
        seconds: 60,
        ..CHILD
    },
    ResourceType { name: "Microsoft.Cdn/profiles/afdEndpoints", location: LocationRule::RegionOrGlobal, ..CHILD },
    ResourceType { name: "Microsoft.Cdn/profiles/afdEndpoints/routes", ..CHILD },
    ResourceType { name: "Microsoft.Cdn/profiles/originGroups", ..CHILD },
    ResourceType {
        name: "Microsoft.Cdn/profiles/originGroups/origins",
        create: by_location(201),
        update: by_location(202),
        ..CHILD
    },
    ResourceType { name: "Microsoft.Cdn/profiles/customDomains", seconds: 60, ..CHILD },
    ResourceType { name: "Microsoft.Cdn/profiles/secrets", ..CHILD },
    ResourceType { name: "Microsoft.Cdn/profiles/securityPolicies", ..CHILD },
    ResourceType { name: "Microsoft.Cdn/profiles/ruleSets", ..CHILD },
];
