//! The settings document of New-SvcCoreMonitor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{Nothing, Service};

/// Core monitor settings: the monitoring that everything else in a subscription uses.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CoreMonitorSettings {
    /// Says which command the settings are for: monitor.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Part of the generated names.
    pub(super) name: String,
    /// Location of all deployments.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// The CPU usage in percent below which Azure Advisor considers a virtual machine too large; 0 means 5.
    #[serde(rename = "advisorLowCPUThresholdPercentage")]
    #[schemars(extend("enum" = [0, 5, 10, 15, 20]))]
    pub(super) advisor_low_cpu_threshold_percentage: i64,
    /// How long the workspace keeps logs, in days.
    #[schemars(extend("default" = 90))]
    #[schemars(range(min = 30, max = 730))]
    pub(super) workspace_data_retention_in_days: Option<i64>,
    /// Accepted, but ignored: Azure no longer limits how long diagnostic settings keep data in storage accounts.
    #[schemars(extend("deprecated" = true))]
    pub(super) storage_data_retention_in_days: Option<i64>,
    /// Names under which resources are published and found.
    pub(super) service: RootService,
    /// The alert rules.
    pub(super) alerts: Alerts,
    /// Who is told of alerts, and how: every group that the alert rules name.
    pub(super) action_groups: Option<Vec<ActionGroup>>,
}

/// Names under which resources are published and found.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Names for deployed resources.
    pub(super) publish: Publish,
    /// Names of existing resources.
    pub(super) dependencies: Dependencies,
}

/// Names for deployed resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Every action group that has no name of its own.
    pub(super) action_group: Option<String>,
    /// The alert for administrative operations on key vaults.
    pub(super) keyvault_admin_alert: String,
    /// The rule that tells when a key vault, a workspace or a storage account is unhealthy.
    pub(super) resource_health_alert: String,
    /// The rule that tells when a service of Azure has an incident in the locations.
    pub(super) service_health_alert: String,
    /// Application insights. Required unless an existing one is named.
    pub(super) app_insights: Option<String>,
    /// The resource group that all of it is in; it is created when it is missing.
    pub(super) resource_group: String,
    /// The management solutions.
    pub(super) solution: String,
    /// The storage account. Required unless an existing one is named.
    pub(super) storage: Option<String>,
    /// Accepted, but ignored: no workbook is deployed.
    #[schemars(extend("deprecated" = true))]
    pub(super) workbook: Option<String>,
    /// The workspace. Required unless an existing one is named.
    pub(super) workspace: Option<String>,
}

/// Names of existing resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// The key vault whose audit log goes to the workspace.
    pub(super) keyvault: String,
    /// A storage account to use instead of a new one.
    pub(super) storage: Option<String>,
    /// A workspace to use instead of a new one.
    pub(super) workspace: Option<String>,
    /// Application insights to use instead of a new one.
    pub(super) app_insights: Option<String>,
}

/// The alert rules.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alerts {
    /// For administrative operations on key vaults.
    pub(super) keyvault_admin: Alert,
    /// For the health of key vaults, workspaces and storage accounts.
    pub(super) resource_health: Alert,
    /// For the health of Azure's services.
    pub(super) service_health: ServiceHealthAlert,
}

/// An alert rule.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// The name of the action group to notify, as it is in actionGroups.
    pub(super) action_group_name: String,
    /// Whether the rule is enabled.
    #[schemars(extend("default" = false))]
    pub(super) enabled: Option<bool>,
}

/// The alert rule for the health of Azure's services.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ServiceHealthAlert {
    /// The name of the action group to notify, as it is in actionGroups.
    pub(super) action_group_name: String,
    /// Whether the rule is enabled.
    #[schemars(extend("default" = false))]
    pub(super) enabled: Option<bool>,
    /// Locations to report; Global is one of them. Default: the location of the document.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) impacted_locations: Option<Vec<String>>,
}

/// An action group: who is told, and how.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ActionGroup {
    /// Part of the generated name.
    pub(super) name: String,
    /// The name of the group in emails and text messages, at most 12 characters.
    pub(super) shortname: String,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<Nothing, ActionGroupPublish>>,
    /// Everybody who has a role on the subscription.
    pub(super) arm_roles: Option<Vec<ArmRole>>,
    /// Email addresses.
    pub(super) emails: Option<Vec<Email>>,
    /// Functions of function apps.
    pub(super) functions: Option<Vec<Function>>,
    /// Connections to IT service management.
    pub(super) itsm: Option<Vec<Itsm>>,
    /// Logic apps to trigger.
    pub(super) logic_apps: Option<Vec<LogicApp>>,
    /// Accounts of the mobile app.
    pub(super) notifications: Option<Vec<Email>>,
    /// Runbooks of automation accounts.
    pub(super) runbooks: Option<Vec<Runbook>>,
    /// Text messages.
    pub(super) sms: Option<Vec<Phone>>,
    /// Telephone calls.
    pub(super) voice: Option<Vec<Phone>>,
    /// Web addresses.
    pub(super) webhooks: Option<Vec<Webhook>>,
}

/// Names for one action group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ActionGroupPublish {
    /// The name under which other documents find this action group.
    pub(super) action_group: Option<String>,
}

/// Everybody who has a role on the subscription.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ArmRole {
    /// The id of a built-in role, a GUID.
    role_id: String,
}

/// An email address, or the address of an account of the mobile app.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Email {
    /// Where the message is sent, as in ops@example.com.
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
    /// The address that triggers it; shown nowhere.
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
    /// What the action does, as a JSON object.
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
    /// The address that triggers it; shown nowhere.
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
    /// Whether it is one of Azure's own runbooks.
    is_global_runbook: bool,
    /// The address of its webhook; shown nowhere.
    service_uri: Option<String>,
}

/// A telephone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Phone {
    /// The code of the country, such as 44.
    country_code: String,
    /// The number in the country.
    phone_number: String,
}

/// A web address.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Webhook {
    /// The address; shown nowhere.
    service_uri: String,
    /// Whether Azure authenticates with a token of the directory.
    #[serde(serialize_with = "or_false")]
    use_aad_auth: Option<bool>,
    /// The id of the webhook's application in the directory.
    object_id: Option<String>,
    /// The address by which that application is known.
    identifier_uri: Option<String>,
    /// The id of the directory that the application is in.
    tenant_id: Option<String>,
}

/// A switch that is off where the settings do not say: that is what Azure has then.
fn or_false<S: serde::Serializer>(value: &Option<bool>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(value.unwrap_or_default())
}
