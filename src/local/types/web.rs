//! Microsoft.Web.

use super::private_link::show_connections;
use super::{LocationRule, PROXY, ResourceType, TRACKED, by_location, done};

const API_VERSIONS: &[&str] = &[
    "2020-06-01",
    "2021-02-01",
    "2021-03-01",
    "2022-03-01",
    "2022-09-01",
    "2023-01-01",
    "2023-12-01",
    "2024-04-01",
    "2024-11-01",
    "2025-03-01",
    "2025-05-01",
];

const WEB: ResourceType = ResourceType {
    api_versions: API_VERSIONS,
    location: LocationRule::DisplayedRegion,
    create: done(200),
    provisioning_state: false,
    ..TRACKED
};

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType { name: "Microsoft.Web/serverfarms", provisioning_state: true, ..WEB },
    ResourceType { name: "Microsoft.Web/sites", create: by_location(202), shown: Some(show_connections), ..WEB },
    ResourceType { name: "Microsoft.Web/sites/slots", create: by_location(202), ..WEB },
    ResourceType { name: "Microsoft.Web/sites/config", api_versions: API_VERSIONS, create: done(200), ..PROXY },
    ResourceType { name: "Microsoft.Web/sites/slots/config", api_versions: API_VERSIONS, create: done(200), ..PROXY },
];
