//! The settings document of New-SvcMonitorLogAlerts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::definitions::Definition;
use crate::commands::shared::alerts::{NamesGroup, Severity, TimeAggregation};
use crate::commands::shared::service::Service;

/// Log alert settings: the alert rules of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LogAlertSettings {
    /// The command that the document is for: logAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, if the command creates it.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: Option<Service<Dependencies, Publish>>,
    /// Groups of alert sets. The name of a group is part of the names of its rules.
    pub(super) groups: Vec<AlertSetGroup>,
    /// The definitions of the project's own file.
    #[serde(skip)]
    pub(super) definitions: Vec<Definition>,
    /// That file is wrong, so nobody knows what the definitions are.
    #[serde(skip)]
    pub(super) definitions_are_wrong: bool,
}

/// Publish names of what the alerts of a document depend on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// Publish name of the Log Analytics workspace that the queries run in.
    pub(super) workspace: String,
    /// Publish names of the action groups of every alert that sets none.
    pub(super) action_groups: Option<Vec<String>>,
    /// Publish name of an existing resource group for the rules. A rule in it that is not in the document is deleted.
    #[schemars(extend("examples" = ["alert-rules"]))]
    pub(super) resource_group: Option<String>,
}

impl NamesGroup for Dependencies {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every alert that sets none.
    pub(super) log_alert: Option<String>,
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
    /// Sets of alerts, one for each type of definitions.
    pub(super) alert_sets: Vec<AlertSet>,
}

/// Alerts of one type of definitions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertSet {
    /// Type of the definitions that the alerts use: VirtualMachines, SQL, or one of the project's own.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Next part of the names of the rules of this set.
    pub(super) name: Option<String>,
    /// The alert rules of the set.
    pub(super) alerts: Vec<Alert>,
}

/// An alert rule on the result of a query. What it leaves out comes from its definition.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// Name of a built-in definition of the type of the set, or of one of the project's own.
    #[schemars(extend("x-offered" = "log alert definitions"))]
    pub(super) definition: Option<String>,
    /// Last part of the name of the rule; its position in the set follows.
    pub(super) name: Option<String>,
    /// Description of the rule, which notifications quote.
    pub(super) description: Option<String>,
    /// The query, in KQL. Default: that of the definition.
    pub(super) query: Option<String>,
    /// Time for which the alert is muted after it fired. Default: that of the definition.
    pub(super) suppress: Option<Suppress>,
    /// The number of rows, or the aggregated measure, on which the alert fires. Default: that of the definition.
    pub(super) threshold: Option<Threshold>,
    /// Column of the result whose values are aggregated and compared, in place of the number of rows.
    pub(super) measure: Option<String>,
    /// The aggregation of the values of `measure`. `Count` counts the rows, and takes no measure.
    #[schemars(extend("default" = "Count"))]
    pub(super) time_aggregation: Option<TimeAggregation>,
    /// Whether the rule is enabled.
    pub(super) enabled: Option<bool>,
    /// The severity of the alert. Default: that of the definition.
    pub(super) severity: Option<Severity>,
    /// Interval at which the query runs, and its window. Default: that of the definition.
    pub(super) schedule: Option<Schedule>,
    /// Publish names of this alert, and of what it depends on.
    pub(super) service: Option<Service<AlertDependencies, AlertPublish>>,
    /// Subject and custom properties of the notifications.
    pub(super) customised_actions: Option<CustomisedActions>,
    /// Values for the placeholders in the query, by their names.
    pub(super) parameters: Option<BTreeMap<String, Value>>,
    /// Resources that the alert leaves out: values of their exception tag, or publish names.
    pub(super) exclusions: Option<Vec<String>>,
    /// Whether rows of machines outside Azure, also those of Azure Arc, count.
    #[schemars(extend("default" = false))]
    pub(super) monitor_on_prem: Option<bool>,
    /// Whether an alert is resolved when the query no longer finds a row. While one is open, Azure sends no other notification.
    pub(super) auto_mitigate: Option<bool>,
    /// Columns that split the result: each combination of their values is an alert of its own.
    pub(super) dimensions: Option<Vec<Dimension>>,
    /// Number of windows that must pass the threshold before the alert fires. Default: 1 of 1.
    pub(super) failing_periods: Option<FailingPeriods>,
}

/// A column that splits the result.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dimension {
    /// Name of the column.
    pub(super) name: String,
    /// Whether the values are included or excluded.
    #[serde(default)]
    pub(super) operator: DimensionOperator,
    /// Values of the column; `*` stands for all.
    pub(super) values: Vec<String>,
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

/// Number of windows that must pass the threshold.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FailingPeriods {
    /// The least number of windows that must pass the threshold.
    #[schemars(range(min = 1, max = 6))]
    pub(super) min_failing_periods_to_alert: i64,
    /// Number of windows that are compared, the last one included.
    #[schemars(range(min = 1, max = 6))]
    pub(super) number_of_evaluation_periods: i64,
}

/// Time for which an alert is muted after it fired.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Suppress {
    /// Whether the alert is muted.
    pub(super) enabled: bool,
    /// Minutes for which it is muted, at most 2880, which are two days.
    #[schemars(range(min = 0))]
    pub(super) mins: Option<i64>,
    /// Accepted, but ignored: alerts are muted by time alone; set mins.
    #[schemars(extend("deprecated" = true))]
    pub(super) windows: Option<i64>,
}

/// The number of rows, or the aggregated measure, on which an alert fires.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Threshold {
    /// Comparison of the number of rows, or the measure, with the value.
    pub(super) operator: Operator,
    /// The number that it is compared with.
    pub(super) value: f64,
}

/// Comparison of the number of rows, or the measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Operator {
    GreaterThan,
    Equal,
    LessThan,
}

impl Operator {
    /// As Azure spells it.
    pub(super) fn wire(self) -> &'static str {
        match self {
            Operator::GreaterThan => "GreaterThan",
            Operator::Equal => "Equals",
            Operator::LessThan => "LessThan",
        }
    }
}

/// Interval at which a query runs, and its window.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Schedule {
    /// Interval at which the query runs, in minutes.
    #[schemars(extend("enum" = [5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440]))]
    pub(super) frequency_in_minutes: i64,
    /// The window that the query looks back over, in minutes.
    #[schemars(extend("enum" = [5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880]))]
    pub(super) time_window_in_minutes: i64,
}

/// Publish names of what one alert depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertDependencies {
    /// Publish names of the action groups that this alert notifies, in place of those of the document.
    pub(super) action_groups: Option<Vec<String>>,
}

/// Publish name of one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// Publish name of this alert.
    pub(super) log_alert: Option<String>,
}

/// Subject and custom properties of the notifications.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CustomisedActions {
    /// Subject of the emails.
    pub(super) email_subject: Option<String>,
    /// JSON object, as text, whose members become custom properties of the alert.
    pub(super) webhook_json_payload: Option<String>,
}
