//! The settings document of New-SvcMonitorMetricAlerts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::alerts::{AlertDependencies, NamesGroup, Severity, TargetDependencies, TimeAggregation};
use crate::commands::shared::service::Service;

/// Metric alert settings: the alert rules of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MetricAlertSettings {
    /// The command that the document is for: metricAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, if the command creates it.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: Option<Service<AlertDependencies, Publish>>,
    /// Groups of alert sets. The name of a group is part of the names of its rules.
    pub(super) groups: Vec<AlertSetGroup>,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every alert that sets none.
    pub(super) metric_alert: Option<String>,
    /// Publish name of the resource group for the rules, which is created if it does not exist. A rule in it that is not in the document is deleted.
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
    /// First part of the names of the rules of these sets.
    pub(super) name: String,
    /// Sets of alerts, one for each type of resource.
    pub(super) alert_sets: Vec<AlertSet>,
}

/// Alerts for one resource type.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertSet {
    /// Type of the resources that the alerts watch, such as Microsoft.Compute/virtualMachines.
    pub(super) resource_type: String,
    /// Next part of the names of the rules of this set.
    pub(super) name: Option<String>,
    /// The alert rules of the set.
    pub(super) alerts: Vec<Alert>,
}

/// An alert rule over resources, or over resource groups, of one location.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Last part of the name of the rule; its position in the set follows.
    pub(super) name: Option<String>,
    /// Description of the rule, which notifications quote.
    pub(super) description: Option<String>,
    /// Location of the resources that the alert watches. Default: that of the targets.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) target_resource_location: Option<String>,
    /// The conditions, all of which must hold: at most 5 for one resource, 1 for several resources or a resource group.
    pub(super) conditions: Option<Vec<Condition>>,
    /// Whether the rule is enabled.
    pub(super) enabled: Option<bool>,
    /// The severity of the alert.
    pub(super) severity: Option<Severity>,
    /// Interval at which the rule runs, and its window. Default: every minute, over five minutes.
    pub(super) schedule: Option<Schedule>,
    /// Publish names of this alert, and of what it depends on.
    pub(super) service: Option<Service<TargetDependencies, AlertPublish>>,
}

/// A condition on a metric.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Condition {
    /// Name of the metric in Azure Monitor, such as Percentage CPU.
    pub(super) metric_name: String,
    /// Namespace of a custom or guest metric, or of a metric of a part of the resources. Default: resourceType.
    pub(super) metric_namespace: Option<String>,
    /// Fixed value on which the condition holds. Required, unless dynamicThreshold is set.
    pub(super) threshold: Option<Threshold>,
    /// Range that Azure learns from the metric, outside of which the condition holds. In place of threshold, in a rule with one condition.
    pub(super) dynamic_threshold: Option<DynamicThreshold>,
    /// Dimensions that choose the time series of the metric. Default: all time series.
    pub(super) dimensions: Option<Vec<Dimension>>,
}

/// Fixed value on which a condition holds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Threshold {
    /// Comparison of the metric with the value.
    pub(super) operator: Operator,
    /// The value that the metric is compared with.
    pub(super) value: f64,
    /// Aggregation of the values in the window.
    pub(super) time_aggregation: TimeAggregation,
}

/// Range that Azure learns from the metric.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DynamicThreshold {
    /// Above or below the learned range, or both.
    pub(super) operator: DynamicOperator,
    /// Width of the learned range: High is the narrowest, and fires soonest.
    #[schemars(extend("default" = "Medium"))]
    pub(super) sensitivity: Option<Sensitivity>,
    /// Aggregation of the values in the window.
    #[schemars(extend("default" = "Average"))]
    pub(super) time_aggregation: Option<TimeAggregation>,
    /// Number of windows that must be outside the range before the alert fires. Default: 4 of 4.
    pub(super) failing_periods: Option<FailingPeriods>,
}

/// Number of windows that must be outside the range.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FailingPeriods {
    /// The least number of windows that must be outside the range.
    #[schemars(range(min = 1, max = 6))]
    pub(super) min_failing_periods_to_alert: i64,
    /// Number of windows that are compared, the last one included.
    #[schemars(range(min = 1, max = 6))]
    pub(super) number_of_evaluation_periods: i64,
}

/// A dimension of a metric.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dimension {
    /// Name of the dimension in Azure Monitor, such as ApiName.
    pub(super) name: String,
    /// Whether the values are included or excluded.
    #[serde(default)]
    pub(super) operator: DimensionOperator,
    /// Values of the dimension; `*` stands for all.
    #[schemars(length(min = 1))]
    pub(super) values: Vec<String>,
}

/// Interval at which a rule runs, and its window.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Schedule {
    /// Interval at which the rule runs, in minutes.
    // Azure Monitor, "metricAlerts": evaluationFrequency is PT1M, PT5M, PT15M, PT30M or PT1H. The replaced module took 2.
    #[schemars(extend("enum" = [1, 5, 15, 30, 60]))]
    #[schemars(extend("x-also" = [2]))]
    pub(super) frequency_in_minutes: i64,
    /// The window over which the values are aggregated, in minutes.
    #[schemars(extend("enum" = [1, 5, 15, 30, 60, 360, 720, 1440]))]
    pub(super) time_window_in_minutes: i64,
}

/// Publish name of one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// Publish name of this alert.
    pub(super) metric_alert: Option<String>,
}

/// Comparison of a metric, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Operator {
    Equals,
    NotEquals,
    GreaterThan,
    GreaterThanOrEqual,
    LessThan,
    LessThanOrEqual,
}

/// The side of the learned range on which a metric is, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::enum_variant_names, reason = "the names are Azure's")]
pub(super) enum DynamicOperator {
    GreaterThan,
    LessThan,
    GreaterOrLessThan,
}

/// Width of a learned range, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Sensitivity {
    Low,
    Medium,
    High,
}

/// Whether values of a dimension count, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub(super) enum DimensionOperator {
    /// These values count.
    #[default]
    Include,
    /// All other values count.
    Exclude,
}
