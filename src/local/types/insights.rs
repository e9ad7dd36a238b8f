//! Microsoft.Insights.

use super::{LocationRule, PROXY, ResourceType, TRACKED, diagnostic_settings, done};

const RULE: ResourceType =
    ResourceType { location: LocationRule::RegionOrGlobal, provisioning_state: false, ..TRACKED };

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: "Microsoft.Insights/actionGroups",
        api_versions: &["2019-06-01", "2021-09-01", "2022-04-01", "2022-06-01", "2023-01-01", "2024-10-01-preview"],
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/activityLogAlerts",
        api_versions: &["2017-04-01", "2020-10-01", "2026-01-01"],
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/metricAlerts",
        api_versions: &["2018-03-01", "2026-01-01"],
        create: done(200),
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/scheduledQueryRules",
        api_versions: &["2018-04-16", "2021-08-01", "2022-06-15", "2023-12-01", "2025-01-01-preview", "2026-03-01"],
        location: LocationRule::Region,
        system_data: true,
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/components",
        api_versions: &["2015-05-01", "2018-05-01-preview", "2020-02-02-preview", "2020-02-02"],
        create: done(200),
        ..TRACKED
    },
    ResourceType {
        name: "Microsoft.Insights/workbooks",
        api_versions: &["2021-03-08", "2021-08-01", "2022-04-01", "2023-06-01"],
        provisioning_state: false,
        system_data: true,
        ..TRACKED
    },
    ResourceType {
        name: diagnostic_settings::SETTING,
        api_versions: &["2015-07-01", "2016-09-01", "2017-05-01-preview", "2021-05-01-preview"],
        create: done(200),
        check_name: diagnostic_settings::check_name,
        check: diagnostic_settings::check,
        complete: diagnostic_settings::complete,
        ..PROXY
    },
];
