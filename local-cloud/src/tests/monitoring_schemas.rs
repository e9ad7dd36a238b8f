//! The stored bodies of the monitoring types, held against Azure's own schemas where these are at hand.

use super::common::{
    ACTION_GROUPS, Bench, LOGS, absolute, action_group_body, insights_path, machine_path, workspace_path,
};
use super::schemas::{assert_fit, put_request, without_read_only};
use super::{action_groups, activity_log_alerts, components, metric_alerts, scheduled_query_rules, solutions};
use serde_json::json;

/// Members of a body that only the service sets, which a request cannot have.
const READ_ONLY: &[&str] = &[
    "etag",
    "systemData",
    "provisioningState",
    "customerId",
    "createdDate",
    "modifiedDate",
    "lastSkuUpdate",
    "dataIngestionStatus",
    "lastUpdatedTime",
    "isMigrated",
    "isLegacyLogAnalyticsRule",
    "isWorkspaceAlertsStorageConfigured",
    "status",
    "ApplicationId",
    "AppId",
    "Name",
    "InstrumentationKey",
    "ConnectionString",
    "CreationDate",
    "TenantId",
];

#[test]
fn stored_bodies_fit_the_published_schemas() {
    let bench = Bench::new();
    bench.group("g");
    for name in ["vm-1", "vm-2"] {
        bench.put(&machine_path(name), "2025-04-01", &json!({"location": "uksouth"}));
    }
    let workspace = json!({"location": "uksouth", "properties": {"sku": {"name": "PerGB2018"}, "retentionInDays": 90}});
    let setting = |scope: &str| {
        let at = if scope.is_empty() { String::new() } else { format!("{scope}/") };
        // The published schema has this name only; Azure takes any.
        format!("{at}providers/Microsoft.Insights/diagnosticSettings/service")
    };
    let sends = |category: &str| {
        json!({"properties": {
            "workspaceId": absolute(&workspace_path("logs")), "logs": [{"category": category, "enabled": true}],
        }})
    };
    let solution = "resourceGroups/g/providers/Microsoft.OperationsManagement/solutions/KeyVaultAnalytics(logs)";
    let mut requests = Vec::new();
    for (path, version, body) in [
        (workspace_path("logs"), LOGS, workspace),
        (insights_path("actionGroups", "ag-ops"), ACTION_GROUPS, action_group_body(action_groups::receivers())),
        (insights_path("activityLogAlerts", "rule"), "2020-10-01", activity_log_alerts::body(json!({}))),
        (insights_path("metricAlerts", "rule"), "2018-03-01", metric_alerts::body(json!({}))),
        (insights_path("scheduledQueryRules", "rule"), "2023-12-01", scheduled_query_rules::body(json!({}))),
        (insights_path("components", "app"), "2020-02-02", components::body(json!({}))),
        (solution.to_owned(), "2015-11-01-preview", solutions::body(json!({}))),
        (setting(""), "2021-05-01-preview", sends("Administrative")),
        (setting(&insights_path("components", "app")), "2021-05-01-preview", sends("AppRequests")),
        (setting(&workspace_path("logs")), "2021-05-01-preview", sends("Audit")),
        (
            "providers/Microsoft.Advisor/configurations/default".to_owned(),
            "2025-01-01",
            json!({"properties": {"lowCpuThreshold": "20"}}),
        ),
    ] {
        let mut stored = bench.made(&path, version, &body);
        without_read_only(&mut stored, READ_ONLY);
        if path.contains("/diagnosticSettings/")
            && let Some(members) = stored.as_object_mut()
        {
            // Azure shows one of a setting of a subscription, and the schema has none.
            members.shift_remove("location");
        }
        requests.push(put_request(&path, version, &stored));
    }
    assert_fit(requests);
}
