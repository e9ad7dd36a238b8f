//! Microsoft.Insights. Where a spelling has a source that is only a name, it is the one of an example of azure-rest-api-specs.

use super::{
    Etag, LocationRule, PROXY, ResourceType, TRACKED, action_groups, activity_log_alerts, alert_rules, components,
    diagnostic_settings, done, in_groups, in_lower_groups, metric_alerts, scheduled_query_rules, shape,
};

const RULE: ResourceType = ResourceType { provisioning_state: false, ..TRACKED };

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: action_groups::ACTION_GROUP,
        // 2023-01-01 `getActionGroup`.
        printed: in_groups("Microsoft.Insights/ActionGroups", "microsoft.insights/actionGroups").and_empty_tags(),
        location: LocationRule::GlobalOr(action_groups::REGIONS),
        check_name: |id| alert_rules::check_name(id, action_groups::ILLEGAL_IN_NAMES),
        check: action_groups::check,
        complete: action_groups::complete,
        commands: &[("subscribe", action_groups::subscribe)],
        ..RULE
    },
    ResourceType {
        name: activity_log_alerts::ACTIVITY_LOG_ALERT,
        // 2020-10-01 `ActivityLogAlertRule_CreateOrUpdate`.
        printed: in_groups("Microsoft.Insights/ActivityLogAlerts", "microsoft.insights/activityLogAlerts")
            .and_empty_tags(),
        location: LocationRule::GlobalOr(activity_log_alerts::REGIONS),
        check_name: activity_log_alerts::check_name,
        check: activity_log_alerts::check,
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/metricAlerts",
        // 2018-03-01 `createOrUpdateMetricAlertSingleResource`.
        printed: Some(in_groups("Microsoft.Insights/metricAlerts", "microsoft.insights/metricalerts")),
        // Rules with queries are where their workspace is, others everywhere.
        location: LocationRule::RegionOrGlobal,
        create: done(200),
        read_only: &["isMigrated", "lastUpdatedTime"],
        check_name: |id| alert_rules::check_name(id, metric_alerts::ILLEGAL_IN_NAMES),
        spell: metric_alerts::spell,
        check: metric_alerts::check,
        complete: metric_alerts::complete,
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/scheduledQueryRules",
        // 2023-12-01 `createOrUpdateScheduledQueryRule`.
        printed: in_lower_groups("microsoft.insights/scheduledqueryrules", "microsoft.insights/scheduledqueryrules")
            .and_empty_tags(),
        // 2018-04-16 has rules of another shape.
        etag: Etag::Strong,
        system_data: true,
        read_only: &["createdWithApiVersion", "isLegacyLogAnalyticsRule", "isWorkspaceAlertsStorageConfigured"],
        check_name: |id| alert_rules::check_name(id, scheduled_query_rules::ILLEGAL_IN_NAMES),
        check: scheduled_query_rules::check,
        complete: scheduled_query_rules::complete,
        ..RULE
    },
    ResourceType {
        name: "Microsoft.Insights/components",
        // Answers that Azure CLI has shown (`az monitor app-insights component show`); the examples have the other spelling.
        printed: Some(in_groups("microsoft.insights/components", "microsoft.insights/components")),
        create: done(200),
        etag: Etag::Strong,
        read_only: components::READ_ONLY,
        check_name: |id| alert_rules::check_name(id, components::ILLEGAL_IN_NAMES),
        spell: |body| shape::spell_properties(body, components::SHAPE),
        check: components::check,
        complete: components::complete,
        patches_tags_only: true,
        ..TRACKED
    },
    ResourceType {
        name: "Microsoft.Insights/workbooks",
        // 2022-04-01 `WorkbookAdd`.
        printed: Some(in_lower_groups("Microsoft.Insights/workbooks", "microsoft.insights/workbooks")),
        provisioning_state: false,
        system_data: true,
        ..TRACKED
    },
    ResourceType {
        name: diagnostic_settings::SETTING,
        // 2021-05-01-preview `createOrUpdateDiagnosticSetting`.
        printed: Some(in_groups("Microsoft.Insights/diagnosticSettings", diagnostic_settings::IN_IDS)),
        create: done(200),
        check_name: diagnostic_settings::check_name,
        check: diagnostic_settings::check,
        complete: diagnostic_settings::complete,
        shown: Some(diagnostic_settings::shown),
        ..PROXY
    },
];
