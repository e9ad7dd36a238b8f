//! The settings document of New-SvcMonitorResourceHealthAlerts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::alerts::{AlertDependencies, NamesGroup, TargetDependencies};
use crate::commands::shared::service::Service;

/// Resource health alert settings: the alert rules of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResourceHealthAlertSettings {
    /// The command that the document is for: resourceHealthAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, if the command creates it.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: Option<Service<AlertDependencies, Publish>>,
    /// The alert rules.
    pub(super) alerts: Vec<Alert>,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every alert that sets none.
    pub(super) resource_health_alert: Option<String>,
    /// Publish name of the resource group for the rules, which is created if it does not exist. A rule in it that is not in the document is deleted.
    pub(super) resource_group: Option<String>,
}

impl NamesGroup for Publish {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// An alert rule. Without targets it watches the whole subscription.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Name from which the name of the rule is generated.
    pub(super) name: Option<String>,
    /// Description of the rule, which notifications quote.
    pub(super) description: Option<String>,
    /// Whether the rule is enabled.
    pub(super) enabled: Option<bool>,
    /// Statuses of health events to report. Default: all.
    pub(super) event_status: Option<Vec<EventStatus>>,
    /// Causes of health events to report. Default: all.
    pub(super) reason_type: Option<Vec<ReasonType>>,
    /// Types of resources to report, such as Microsoft.Compute/virtualMachines. Default: all.
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(super) resource_types: Option<Vec<String>>,
    /// Health of the resources to report, now and before. Default: any.
    pub(super) health_status: Option<HealthStatuses>,
    /// Publish names of this alert, and of what it depends on.
    pub(super) service: Option<Service<TargetDependencies, AlertPublish>>,
}

/// Health of the resources to report, now and before.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HealthStatuses {
    /// Health of the resource now. Default: any.
    pub(super) current: Option<Vec<HealthStatus>>,
    /// Health of the resource before. Default: any.
    pub(super) previous: Option<Vec<HealthStatus>>,
}

/// Publish name of one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// Publish name of this alert.
    pub(super) resource_health_alert: Option<String>,
}

/// The status of a health event, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum EventStatus {
    /// The event has begun.
    Active,
    /// The event is being worked on.
    #[serde(rename = "In Progress")]
    InProgress,
    /// The event is over.
    Resolved,
    /// There is news of the event.
    Updated,
}

/// Causes of health events. Azure spells them without the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum ReasonType {
    /// Azure caused it.
    #[serde(rename = "Platform Initiated")]
    PlatformInitiated,
    /// A user caused it.
    #[serde(rename = "User Initiated")]
    UserInitiated,
    /// The cause is not known.
    Unknown,
}

/// The health of a resource, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum HealthStatus {
    /// The resource works.
    Available,
    /// The resource works with restrictions.
    Degraded,
    /// The resource does not work.
    Unavailable,
    /// Azure has heard nothing of it for ten minutes.
    Unknown,
}
