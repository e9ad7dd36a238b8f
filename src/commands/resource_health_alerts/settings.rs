//! The settings document of New-SvcMonitorResourceHealthAlerts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::alerts::{AlertDependencies, NamesGroup, TargetDependencies};
use crate::commands::shared::service::Service;

/// Resource health alert settings: the alert rules of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResourceHealthAlertSettings {
    /// Says which command the settings are for: resourceHealthAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, where it has to be created.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<AlertDependencies, Publish>>,
    /// The alert rules.
    pub(super) alerts: Vec<Alert>,
}

/// Names for deployed resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Every alert that has no name of its own.
    pub(super) resource_health_alert: Option<String>,
    /// The resource group; it ends up holding exactly the rules of the document.
    pub(super) resource_group: Option<String>,
}

impl NamesGroup for Publish {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// An alert rule. Without targets it holds for the whole subscription.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Part of the generated name.
    pub(super) name: Option<String>,
    /// The text that people read when it fires.
    pub(super) description: Option<String>,
    /// Whether it is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// Event statuses to report. Default: all.
    pub(super) event_status: Option<Vec<EventStatus>>,
    /// Reasons to report. Default: all.
    pub(super) reason_type: Option<Vec<ReasonType>>,
    /// Resource types to report, as in Microsoft.Compute/virtualMachines. Default: all.
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(super) resource_types: Option<Vec<String>>,
    /// Health statuses to report. Default: all.
    pub(super) health_status: Option<HealthStatuses>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<TargetDependencies, AlertPublish>>,
}

/// Health status to report.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HealthStatuses {
    /// The status it is in now.
    pub(super) current: Option<Vec<HealthStatus>>,
    /// The status it was in before.
    pub(super) previous: Option<Vec<HealthStatus>>,
}

/// Names for one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// The name under which the rule is published.
    pub(super) resource_health_alert: Option<String>,
}

/// The status of a health event, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum EventStatus {
    /// It has begun.
    Active,
    /// It is being worked on.
    #[serde(rename = "In Progress")]
    InProgress,
    /// It is over.
    Resolved,
    /// There is news of it.
    Updated,
}

/// Who caused a health event. Azure spells them without the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum ReasonType {
    /// The platform.
    #[serde(rename = "Platform Initiated")]
    PlatformInitiated,
    /// A user.
    #[serde(rename = "User Initiated")]
    UserInitiated,
    /// Nobody knows.
    Unknown,
}

/// The health of a resource, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum HealthStatus {
    /// All is well.
    Available,
    /// It works, but not well.
    Degraded,
    /// It does not work.
    Unavailable,
    /// Nobody knows.
    Unknown,
}
