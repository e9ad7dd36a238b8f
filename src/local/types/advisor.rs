//! Microsoft.Advisor.

use super::{PROXY, ResourceType, done};

pub(super) static TYPES: &[ResourceType] = &[ResourceType {
    name: "Microsoft.Advisor/configurations",
    api_versions: &["2020-01-01", "2022-09-01", "2022-10-01", "2023-01-01", "2025-01-01", "2026-03-01-preview"],
    create: done(200),
    ..PROXY
}];
