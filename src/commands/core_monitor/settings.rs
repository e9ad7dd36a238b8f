//! The settings document of New-SvcCoreMonitor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{Nothing, Service};

/// Core monitor settings: the monitoring that everything else in a subscription uses.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CoreMonitorSettings {
    /// The command that the document is for: monitor.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Name from which the names of everything that is deployed are generated.
    pub(super) name: String,
    /// Location of everything that is deployed.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// The CPU usage in percent below which Azure Advisor considers a virtual machine too large; 0 means 5.
    #[serde(rename = "advisorLowCPUThresholdPercentage")]
    #[schemars(extend("enum" = [0, 5, 10, 15, 20]))]
    pub(super) advisor_low_cpu_threshold_percentage: i64,
    /// Time for which the workspace keeps logs, in days.
    #[schemars(range(min = 30, max = 730))]
    pub(super) workspace_data_retention_in_days: Option<i64>,
    /// Accepted, but ignored: Azure no longer limits how long diagnostic settings keep data in storage accounts.
    #[schemars(extend("deprecated" = true))]
    pub(super) storage_data_retention_in_days: Option<i64>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: RootService,
    /// Alert rules on key vaults, on the health of resources and on Azure itself.
    pub(super) alerts: Alerts,
    /// Action groups: who is notified of alerts, and how. Every group that an alert rule names must be one of them.
    pub(super) action_groups: Option<Vec<ActionGroup>>,
}

/// Publish names: of what the document deploys, and of what it depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Publish names of what the document deploys, by which other documents find it.
    pub(super) publish: Publish,
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    pub(super) dependencies: Dependencies,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every action group that sets none.
    pub(super) action_group: Option<String>,
    /// Publish name of the alert rule on administrative operations of key vaults.
    pub(super) keyvault_admin_alert: String,
    /// Publish name of the alert rule on the health of key vaults, workspaces and storage accounts.
    pub(super) resource_health_alert: String,
    /// Publish name of the alert rule on incidents of Azure services.
    pub(super) service_health_alert: String,
    /// Publish name of the application insights to create. Required, unless service.dependencies.appInsights is set.
    pub(super) app_insights: Option<String>,
    /// Publish name of the resource group for everything that is deployed. It is created if it does not exist.
    pub(super) resource_group: String,
    /// Publish name of the management solution KeyVaultAnalytics. Default: none is made.
    pub(super) solution: Option<String>,
    /// Publish name of the storage account to create. Required, unless service.dependencies.storage is set.
    pub(super) storage: Option<String>,
    /// Accepted, but ignored: no workbook is deployed.
    #[schemars(extend("deprecated" = true))]
    pub(super) workbook: Option<String>,
    /// Publish name of the workspace to create. Required, unless service.dependencies.workspace is set.
    pub(super) workspace: Option<String>,
}

/// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// Publish name of the key vault whose audit log goes to the workspace.
    pub(super) keyvault: String,
    /// Publish name of a storage account to use in place of a new one.
    pub(super) storage: Option<String>,
    /// Publish name of a workspace to use in place of a new one.
    pub(super) workspace: Option<String>,
    /// Publish name of application insights to use in place of new ones.
    pub(super) app_insights: Option<String>,
}

/// Alert rules on key vaults, on the health of resources and on Azure itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alerts {
    /// The alert rule on administrative operations of key vaults.
    pub(super) keyvault_admin: Alert,
    /// The alert rule on the health of key vaults, workspaces and storage accounts.
    pub(super) resource_health: Alert,
    /// The alert rule on incidents of Azure services.
    pub(super) service_health: ServiceHealthAlert,
}

/// An alert rule.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Name of the action group to notify, one of actionGroups.
    pub(super) action_group_name: String,
    /// Whether the rule is enabled.
    pub(super) enabled: Option<bool>,
}

/// An alert rule on incidents of Azure services.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ServiceHealthAlert {
    /// Name of the action group to notify, one of actionGroups.
    pub(super) action_group_name: String,
    /// Whether the rule is enabled.
    pub(super) enabled: Option<bool>,
    /// Locations to report; Global is one of them. Default: the location of the document.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) impacted_locations: Option<Vec<String>>,
}

/// An action group: who is notified, and how.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ActionGroup {
    /// Name from which the name of the group is generated.
    pub(super) name: String,
    /// The name of the group in emails and text messages, at most 12 characters.
    pub(super) shortname: String,
    /// Publish name of the action group.
    pub(super) service: Option<Service<Nothing, ActionGroupPublish>>,
    /// Roles of the subscription. Everybody who has one of them gets an email.
    pub(super) arm_roles: Option<Vec<ArmRole>>,
    /// Email addresses to write to.
    pub(super) emails: Option<Vec<Email>>,
    /// Functions to call.
    pub(super) functions: Option<Vec<Function>>,
    /// Connections to IT service management in which work items are opened.
    pub(super) itsm: Option<Vec<Itsm>>,
    /// Logic apps to start.
    pub(super) logic_apps: Option<Vec<LogicApp>>,
    /// Accounts of the Azure mobile app that get push notifications.
    pub(super) notifications: Option<Vec<Email>>,
    /// Automation runbooks to start.
    pub(super) runbooks: Option<Vec<Runbook>>,
    /// Phone numbers that get a text message.
    pub(super) sms: Option<Vec<Phone>>,
    /// Phone numbers to call.
    pub(super) voice: Option<Vec<Phone>>,
    /// Webhooks to call.
    pub(super) webhooks: Option<Vec<Webhook>>,
}

/// Publish name of one action group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ActionGroupPublish {
    /// Publish name of this action group.
    pub(super) action_group: Option<String>,
}

/// A role of the subscription.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ArmRole {
    /// Id of a built-in role, a GUID.
    role_id: String,
}

/// An email address, or the address of an account of the mobile app.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Email {
    /// The email address, such as ops@example.com.
    email_address: String,
}

/// A function of a function app.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Function {
    /// The full resource id of the function app that has the function.
    function_app_resource_id: String,
    /// The name of the function within its app.
    function_name: String,
    /// URL that triggers the function. It is a secret and shown nowhere.
    http_trigger_url: String,
}

/// A connection to IT service management.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Itsm {
    /// The id of the workspace that has the connection.
    workspace_id: String,
    /// The id of the connection in the workspace.
    connection_id: String,
    /// Definition of the work item, a JSON object as text.
    ticket_configuration: String,
    /// The location of the workspace.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    region: String,
}

/// A workflow of Azure Logic Apps that an alert triggers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LogicApp {
    /// The full resource id of the workflow.
    resource_id: String,
    /// URL that triggers the workflow. It is a secret and shown nowhere.
    callback_url: String,
}

/// A runbook of an automation account.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Runbook {
    /// The resource id of the automation account.
    automation_account_id: String,
    /// The name of the runbook within its automation account.
    runbook_name: String,
    /// The full resource id of the webhook that starts the runbook.
    webhook_resource_id: String,
    /// Whether the runbook is one that Azure provides.
    is_global_runbook: bool,
    /// URL of the webhook. It is a secret and shown nowhere.
    service_uri: Option<String>,
}

/// A phone number.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Phone {
    /// Country code without the plus sign, such as 44.
    country_code: String,
    /// Number within the country.
    phone_number: String,
}

/// A webhook.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Webhook {
    /// URL of the webhook. It is a secret and shown nowhere.
    service_uri: String,
    /// Whether calls are authenticated with Microsoft Entra.
    #[serde(serialize_with = "or_false")]
    use_aad_auth: Option<bool>,
    /// Object id of the webhook's application in Microsoft Entra.
    object_id: Option<String>,
    /// Identifier URI of that application.
    identifier_uri: Option<String>,
    /// Id of the tenant of that application.
    tenant_id: Option<String>,
}

/// A switch that is off where the settings do not say: that is what Azure has then.
fn or_false<S: serde::Serializer>(value: &Option<bool>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(value.unwrap_or_default())
}
