//! The settings document of New-SvcMonitorMetricAlerts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::alerts::{AlertDependencies, NamesGroup, Severity, TargetDependencies, TimeAggregation};
use crate::commands::shared::service::Service;

/// Metric alert settings: the alert rules of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MetricAlertSettings {
    /// Says which command the settings are for: metricAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, where it has to be created.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<AlertDependencies, Publish>>,
    /// What the alerts are about, grouped for reading; the name of a group is part of the names of its rules.
    pub(super) groups: Vec<AlertSetGroup>,
}

/// Names for deployed resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Every alert that has no name of its own.
    pub(super) metric_alert: Option<String>,
    /// The resource group; it ends up holding exactly the rules of the document.
    pub(super) resource_group: Option<String>,
}

impl NamesGroup for Publish {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// Sets of alerts that belong together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertSetGroup {
    /// Part of the generated names.
    pub(super) name: String,
    /// The alerts, one set for each type of resource and its targets.
    pub(super) alert_sets: Vec<AlertSet>,
}

/// Alerts for one resource type.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertSet {
    /// The type of the resources, as in Microsoft.Compute/virtualMachines.
    pub(super) resource_type: String,
    /// Part of the generated names.
    pub(super) name: Option<String>,
    /// The alert rules.
    pub(super) alerts: Vec<Alert>,
}

/// An alert rule over resources, or over resource groups, of one location.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Part of the generated name.
    pub(super) name: Option<String>,
    /// The text that people read when it fires.
    pub(super) description: Option<String>,
    /// The location of the resources. Default: the location of the targets.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) target_resource_location: Option<String>,
    /// The conditions; one only for several resources or a resource group.
    pub(super) conditions: Option<Vec<Condition>>,
    /// Whether it is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// The severity.
    #[schemars(extend("default" = "Informational"))]
    pub(super) severity: Option<Severity>,
    /// When the rule runs. Default: every minute, over five minutes.
    pub(super) schedule: Option<Schedule>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<TargetDependencies, AlertPublish>>,
}

/// A condition on a metric.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Condition {
    /// The metric as Azure Monitor calls it, such as Percentage CPU.
    pub(super) metric_name: String,
    /// The namespace of the metric, for custom and guest metrics and those of a part of the resources. Default: the type of the
    /// resources.
    pub(super) metric_namespace: Option<String>,
    /// When it fires. Required, unless dynamicThreshold is set.
    pub(super) threshold: Option<Threshold>,
    /// When it fires, by what Azure learns of the metric; in place of threshold, and in a rule with one condition.
    pub(super) dynamic_threshold: Option<DynamicThreshold>,
    /// Which time series of the metric count. Default: all.
    pub(super) dimensions: Option<Vec<Dimension>>,
}

/// When a condition fires.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Threshold {
    /// How the metric is compared.
    pub(super) operator: Operator,
    /// The value that it is compared with.
    pub(super) value: f64,
    /// How the values in the window are aggregated.
    pub(super) time_aggregation: TimeAggregation,
}

/// A threshold that Azure learns from the metric.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DynamicThreshold {
    /// On which side of what is usual it fires.
    pub(super) operator: DynamicOperator,
    /// How far from what is usual it fires: High fires soonest.
    #[schemars(extend("default" = "Medium"))]
    pub(super) sensitivity: Option<Sensitivity>,
    /// How the values in the window are aggregated.
    #[schemars(extend("default" = "Average"))]
    pub(super) time_aggregation: Option<TimeAggregation>,
    /// How many windows have to be unusual before it fires. Default: 4 of 4.
    pub(super) failing_periods: Option<FailingPeriods>,
}

/// How many windows have to be unusual.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FailingPeriods {
    /// How many of the windows have to be unusual.
    #[schemars(range(min = 1, max = 6))]
    pub(super) min_failing_periods_to_alert: i64,
    /// How many windows are looked at.
    #[schemars(range(min = 1, max = 6))]
    pub(super) number_of_evaluation_periods: i64,
}

/// A dimension of a metric.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dimension {
    /// The dimension as the metric calls it, such as ApiName.
    pub(super) name: String,
    /// Whether the values are included or excluded.
    #[serde(default)]
    pub(super) operator: DimensionOperator,
    /// The values that count.
    #[schemars(length(min = 1))]
    pub(super) values: Vec<String>,
}

/// When the rule runs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Schedule {
    /// How often the rule runs, in minutes.
    #[schemars(extend("enum" = [1, 2, 15, 30, 60]))]
    pub(super) frequency_in_minutes: i64,
    /// The window the values are aggregated over, in minutes.
    #[schemars(extend("enum" = [1, 5, 15, 30, 60, 360, 720, 1440]))]
    pub(super) time_window_in_minutes: i64,
}

/// Names for one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// The name under which the rule is published.
    pub(super) metric_alert: Option<String>,
}

/// How a metric is compared, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Operator {
    Equals,
    NotEquals,
    GreaterThan,
    GreaterThanOrEqual,
    LessThan,
    LessThanOrEqual,
}

/// On which side of what is usual a metric is, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::enum_variant_names, reason = "the names are Azure's")]
pub(super) enum DynamicOperator {
    GreaterThan,
    LessThan,
    GreaterOrLessThan,
}

/// How far from what is usual a metric may be, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Sensitivity {
    Low,
    Medium,
    High,
}

/// Whether values of a dimension count, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub(super) enum DimensionOperator {
    /// They count.
    #[default]
    Include,
    /// All others count.
    Exclude,
}
