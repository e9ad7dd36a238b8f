//! Values for keys that the example of a command does not have, in the words of the examples and of their landing zone. They go with
//! what the example says beside them.

use serde_json::{Value, json};

/// A value that goes with the example better than what other items of its lists have, by the component of the command, the key above
/// and the key.
pub(super) fn preferred(component: &str, above: &str, key: &str) -> Option<Value> {
    Some(match (component, above, key) {
        // One alert about machines that do not respond.
        ("logAlerts", "alerts", "name") => json!("Not-Responding"),
        ("logAlerts", "alerts", "description") => {
            json!("A machine of the shop has sent no heartbeat for half an hour.")
        }
        ("logAlerts", "alerts", "query") => json!(
            "Heartbeat\n| summarize LastHeartbeat = max(TimeGenerated) by Computer, _ResourceId\n| where LastHeartbeat < ago(_timeWindow)\n| extend MinutesSilent = datetime_diff('minute', now(), LastHeartbeat)\n"
        ),
        ("logAlerts", "alerts", "measure") => json!("MinutesSilent"),
        ("logAlerts", "alerts", "timeAggregation") => json!("Maximum"),
        ("logAlerts", "threshold", "value") => json!(0),
        ("logAlerts", "customisedActions", "emailSubject") => json!("A machine does not respond"),
        // Of each of the machines that the rule is about.
        ("metricAlerts", "dimensions", "name") => json!("microsoft.resourceid"),
        ("metricAlerts", "dimensions", "values") => json!("*"),
        ("metricAlerts", "failingPeriods", _) => json!(4),
        ("monitor", "publish", "actionGroup") => json!("operations-team"),
        ("monitor", "", "storageDataRetentionInDays") => json!(90),
        ("storage", "storageAccounts", "networkAclsBypass") => json!("Logging, Metrics"),
        ("storage", "publish", "storage") => json!("shop-orders"),
        ("storage", "storageAccounts", "allowBlobPublicAccess") => json!(false),
        ("web", "publish", "function") => json!("shop-orders"),
        ("web", "privateEndpoints", "subResourceName") => json!("sites"),
        _ => return None,
    })
}

/// A text for a key that nothing has a value for, by the key above and the key.
pub(in crate::commands) fn text(above: &str, key: &str) -> Option<&'static str> {
    Some(match (above, key) {
        ("dependencies", "appInsights") => "web-insights",
        ("dependencies", "keyvault") => "central-vault",
        ("dependencies", "resourceGroup" | "targetResourceGroups") => "landing-zone",
        ("dependencies", "storage") => "central-files",
        ("dependencies", "targetResources") => "shop-servers",
        ("dependencies", "vnet") => "hub-network",
        ("dependencies", "webApplicationFirewallPolicy") => "web-firewall",
        ("dependencies", "workspace") => "central-logs",
        ("dependencies", "privateZones") => "privatelink.blob.core.windows.net",
        ("publish", _) => return published(key),
        ("alerts", "description") => "A server of the shop is busy.",
        ("alerts", "query") => "Heartbeat | summarize LastHeartbeat = max(TimeGenerated) by Computer, _ResourceId",
        ("alerts", "measure") => "MinutesSilent",
        ("privateEndpoints", "name") => "shop",
        ("privateEndpoints", "subnetName") => "endpoints",
        ("privateEndpoints", "subResourceName") => "blob",
        ("appServicePlans", "kind") => "linux",
        ("conditions", "metricNamespace") => "Microsoft.Compute/virtualMachines",
        ("customisedActions", "webhookJsonPayload") => r#"{"team": "shop"}"#,
        (_, "location" | "region") => "UK South",
        _ => return of_receiver(key),
    })
}

/// The same for publish names of what is deployed.
fn published(key: &str) -> Option<&'static str> {
    Some(match key {
        "apiManagement" => "shop-gateway",
        "appServicePlan" => "shop-plan",
        "cdn" => "shop-cdn",
        "endpoint" => "shop-cdn-endpoint",
        "function" => "shop-function",
        "logAlert" | "metricAlert" => "cpu-alert",
        "privateEndpoint" => "shop-endpoint",
        "resourceGroup" => "landing-zone",
        "resourceHealthAlert" => "server-health",
        "slot" => "shop-slot",
        "webapp" => "shop-app",
        "workbook" => "platform-workbook",
        _ => return None,
    })
}

/// The same for the receivers of an action group.
fn of_receiver(key: &str) -> Option<&'static str> {
    Some(match key {
        "automationAccountId" => {
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-operations/providers/Microsoft.Automation/automationAccounts/auto-operations"
        }
        "webhookResourceId" => {
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-operations/providers/Microsoft.Automation/automationAccounts/auto-operations/webhooks/restart"
        }
        "functionAppResourceId" => {
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-operations/providers/Microsoft.Web/sites/func-operations"
        }
        "resourceId" => {
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg-operations/providers/Microsoft.Logic/workflows/logic-operations"
        }
        "runbookName" => "Restart",
        "functionName" => "notify",
        "httpTriggerUrl" => "https://func-operations.example.com/api/notify",
        "callbackUrl" => "https://logic-operations.example.com/workflows/notify",
        "serviceUri" => "https://hooks.example.com/alerts",
        "identifierUri" => "api://hooks.example.com",
        "emailAddress" => "operations@example.com",
        "countryCode" => "44",
        "phoneNumber" => "2079460000",
        "ticketConfiguration" => r#"{"PayloadRevision":0,"WorkItemType":"Incident"}"#,
        "workspaceId" | "connectionId" | "objectId" | "tenantId" => "00000000-0000-0000-0000-000000000000",
        _ => return None,
    })
}
