//! Microsoft.Network.

use super::{Etag, LocationRule, ResourceType, TRACKED, by_async_operation, by_location, done};

const API_VERSIONS: &[&str] = &[
    "2019-12-01",
    "2020-06-01",
    "2021-05-01",
    "2022-07-01",
    "2023-04-01",
    "2023-11-01",
    "2024-01-01",
    "2024-05-01",
    "2025-01-01",
    "2025-03-01",
    "2025-05-01",
    "2025-07-01",
    "2025-09-01",
    "2026-03-01",
];
const DNS_API_VERSIONS: &[&str] = &["2018-09-01", "2020-01-01", "2020-06-01", "2024-06-01"];
const FRONT_DOOR_API_VERSIONS: &[&str] =
    &["2020-05-01", "2020-11-01", "2021-06-01", "2022-05-01", "2024-02-01", "2025-03-01", "2025-10-01", "2025-11-01"];

const NETWORK: ResourceType = ResourceType {
    api_versions: API_VERSIONS,
    create: by_async_operation(201),
    update: by_async_operation(200),
    delete: by_location(202),
    etag: Etag::Weak,
    ..TRACKED
};
const NETWORK_CHILD: ResourceType =
    ResourceType { location: LocationRule::Absent, provisioning_state: true, ..NETWORK };
const DNS: ResourceType = ResourceType {
    api_versions: DNS_API_VERSIONS,
    location: LocationRule::RegionOrGlobal,
    create: by_location(202),
    update: by_location(202),
    patch: by_location(202),
    delete: by_location(202),
    etag: Etag::Strong,
    ..TRACKED
};

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType { name: "Microsoft.Network/virtualNetworks", ..NETWORK },
    ResourceType { name: "Microsoft.Network/virtualNetworks/subnets", ..NETWORK_CHILD },
    ResourceType { name: "Microsoft.Network/networkSecurityGroups", ..NETWORK },
    ResourceType { name: "Microsoft.Network/publicIPAddresses", ..NETWORK },
    ResourceType { name: "Microsoft.Network/bastionHosts", patch: by_async_operation(202), seconds: 600, ..NETWORK },
    ResourceType { name: "Microsoft.Network/privateEndpoints", seconds: 60, ..NETWORK },
    ResourceType { name: "Microsoft.Network/privateEndpoints/privateDnsZoneGroups", ..NETWORK_CHILD },
    ResourceType { name: "Microsoft.Network/privateDnsZones", seconds: 30, ..DNS },
    ResourceType { name: "Microsoft.Network/privateDnsZones/virtualNetworkLinks", seconds: 30, ..DNS },
    ResourceType {
        name: "Microsoft.Network/frontDoorWebApplicationFirewallPolicies",
        api_versions: FRONT_DOOR_API_VERSIONS,
        location: LocationRule::RegionOrGlobal,
        create: by_location(201),
        update: by_location(202),
        patch: done(200),
        ..NETWORK
    },
    ResourceType {
        name: "Microsoft.Network/frontDoors",
        api_versions: FRONT_DOOR_API_VERSIONS,
        location: LocationRule::RegionOrGlobal,
        create: by_async_operation(201),
        update: by_async_operation(202),
        delete: by_async_operation(202),
        seconds: 240,
        etag: Etag::None,
        ..NETWORK
    },
];
