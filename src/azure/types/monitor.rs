//! Microsoft.Insights and Microsoft.OperationalInsights.

use serde_json::Value;

use super::{Listing, ResourceType};

/// Log Analytics workspaces.
pub static WORKSPACE: ResourceType = ResourceType {
    name: "Microsoft.OperationalInsights/workspaces",
    label: "Log Analytics workspace",
    api_version: "2026-03-01",
    taggable: true,
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "properties.createdDate",
        "properties.customerId",
        "properties.failover",
        "properties.features.associations",
        "properties.features.unifiedSentinelBillingOnly",
        "properties.modifiedDate",
        "properties.privateLinkScopedResources",
        "properties.replication.createdDate",
        "properties.replication.lastModifiedDate",
        "properties.replication.provisioningState",
        "properties.sku.lastSkuUpdate",
        "properties.workspaceCapping.dataIngestionStatus",
        "properties.workspaceCapping.quotaNextResetTime",
    ],
    ..ResourceType::PLAIN
};

/// Action groups.
pub static ACTION_GROUP: ResourceType = ResourceType {
    name: "Microsoft.Insights/actionGroups",
    label: "action group",
    api_version: "2023-01-01",
    taggable: true,
    read_only: &["properties.emailReceivers[].status", "properties.smsReceivers[].status"],
    ..ResourceType::PLAIN
};

/// Activity log alerts, which resource health and service health alerts are.
pub static ACTIVITY_LOG_ALERT: ResourceType = ResourceType {
    name: "Microsoft.Insights/activityLogAlerts",
    label: "activity log alert",
    api_version: "2020-10-01",
    taggable: true,
    sets: &["properties.scopes", "properties.actions.actionGroups", "properties.condition.allOf"],
    ..ResourceType::PLAIN
};

/// Metric alerts.
pub static METRIC_ALERT: ResourceType = ResourceType {
    name: "Microsoft.Insights/metricAlerts",
    label: "metric alert",
    api_version: "2018-03-01",
    taggable: true,
    read_only: &["properties.isMigrated", "properties.lastUpdatedTime"],
    sets: &["properties.scopes", "properties.actions"],
    ..ResourceType::PLAIN
};

/// Scheduled query rules, which log alerts are.
pub static SCHEDULED_QUERY_RULE: ResourceType = ResourceType {
    name: "Microsoft.Insights/scheduledQueryRules",
    label: "log alert",
    api_version: "2026-03-01",
    taggable: true,
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "properties.createdWithApiVersion",
        "properties.isLegacyLogAnalyticsRule",
        "properties.isWorkspaceAlertsStorageConfigured",
    ],
    sets: &["properties.scopes", "properties.actions.actionGroups"],
    ..ResourceType::PLAIN
};

/// Diagnostic settings, which extend another resource.
pub static DIAGNOSTIC_SETTING: ResourceType = ResourceType {
    name: "Microsoft.Insights/diagnosticSettings",
    label: "diagnostic setting",
    // No stable version has the categories of metrics.
    api_version: "2021-05-01-preview",
    listing: Listing::InParent,
    satisfied_by: Some(sends_the_same),
    ..ResourceType::PLAIN
};

/// Logs that are in the category group `audit`, in lower case (Azure Monitor, "Supported Resource log categories").
const AUDIT_LOGS: &[&str] = &["bastionauditlogs"];

/// Whether an existing setting sends every wanted log and metric to every wanted sink. Azure refuses a second setting that
/// sends the same to the same sink.
fn sends_the_same(desired: &Value, existing: &Value) -> bool {
    let text = |body: &Value, key: &str| {
        body.pointer(&format!("/properties/{key}")).and_then(Value::as_str).map(str::to_ascii_lowercase)
    };
    let same_sinks = ["workspaceId", "storageAccountId", "eventHubAuthorizationRuleId"]
        .iter()
        .all(|sink| text(desired, sink).is_none_or(|wanted| text(existing, sink) == Some(wanted)));
    let entries = |body: &Value, list: &str| -> Vec<(String, bool)> {
        let items = body.pointer(&format!("/properties/{list}")).and_then(Value::as_array).cloned().unwrap_or_default();
        // Azure writes both members, and null for the one that is not there.
        let category = |item: &Value| {
            let text = |member: &str| item.get(member).and_then(Value::as_str);
            text("category").or_else(|| text("categoryGroup")).map(str::to_ascii_lowercase)
        };
        items
            .iter()
            .filter_map(|item| {
                Some((category(item)?, item.get("enabled").and_then(Value::as_bool).unwrap_or_default()))
            })
            .collect()
    };
    let same_entries = ["logs", "metrics"].iter().all(|list| {
        let known = entries(existing, list);
        // A group sends each log that is in it.
        let has_group = |group: &str| *list == "logs" && known.contains(&(group.to_owned(), true));
        let (all, audit) = (has_group("alllogs"), has_group("audit"));
        entries(desired, list)
            .iter()
            .all(|wanted| all || audit && AUDIT_LOGS.contains(&wanted.0.as_str()) || known.contains(wanted))
    });
    same_sinks && same_entries
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_sent_already_is_not_sent_again() {
        let desired =
            json!({"properties": {"workspaceId": "/W", "logs": [{"category": "BastionAuditLogs", "enabled": true}]}});
        let existing =
            |logs: Value| json!({"properties": {"workspaceId": "/w", "storageAccountId": "/s", "logs": logs}});
        assert!(sends_the_same(
            &desired,
            &existing(json!([{"category": "bastionauditlogs", "enabled": true}, {"category": "x", "enabled": false}]))
        ));
        for group in ["allLogs", "audit"] {
            let sends =
                |enabled: bool| existing(json!([{"category": null, "categoryGroup": group, "enabled": enabled}]));
            assert!(sends_the_same(&desired, &sends(true)), "{group}");
            assert!(!sends_the_same(&desired, &sends(false)), "{group}");
        }
        let other = json!({"properties": {"workspaceId": "/W", "logs": [{"category": "Other", "enabled": true}]}});
        assert!(!sends_the_same(&other, &existing(json!([{"categoryGroup": "audit", "enabled": true}]))));
        assert!(!sends_the_same(&desired, &existing(json!([{"category": "BastionAuditLogs", "enabled": false}]))));
        assert!(!sends_the_same(
            &desired,
            &json!({"properties": {"logs": [{"category": "BastionAuditLogs", "enabled": true}]}})
        ));
    }
}
