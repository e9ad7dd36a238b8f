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
    /// Says which command the settings are for: logAlerts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    #[schemars(extend("x-required-key" = true))]
    pub(super) component: Option<String>,
    /// Location of the resource group, where it has to be created.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<Dependencies, Publish>>,
    /// What the alerts are about, grouped for reading; the name of a group is part of the names of its rules.
    pub(super) groups: Vec<AlertSetGroup>,
    /// The definitions of the project's own file.
    #[serde(skip)]
    pub(super) definitions: Vec<Definition>,
    /// That file is wrong, so nobody knows what the definitions are.
    #[serde(skip)]
    pub(super) definitions_are_wrong: bool,
}

/// Existing resources that the alerts of a document need.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// The Log Analytics workspace that the queries run in.
    pub(super) workspace: String,
    /// The action groups of every alert that names none.
    pub(super) action_groups: Option<Vec<String>>,
    /// The resource group; it ends up holding exactly the rules of the document.
    pub(super) resource_group: Option<String>,
}

impl NamesGroup for Dependencies {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// Names for deployed resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Every alert that has no name of its own.
    pub(super) log_alert: Option<String>,
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
    /// The alerts, one set for each type of resource.
    pub(super) alert_sets: Vec<AlertSet>,
}

/// Alerts for one type of resource.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertSet {
    /// The type that definitions are grouped by: VirtualMachines, SQL, or one of the project's own.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Part of the generated names.
    pub(super) name: Option<String>,
    /// The alert rules.
    pub(super) alerts: Vec<Alert>,
}

/// An alert rule on the result of a query. What it leaves out comes from its definition.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Alert {
    /// A built-in definition of the type of the set, or one of the project's own.
    pub(super) definition: Option<String>,
    /// Part of the generated name.
    pub(super) name: Option<String>,
    /// The text that people read when it fires.
    pub(super) description: Option<String>,
    /// The query. It wins over that of the definition.
    pub(super) query: Option<String>,
    /// How long it is muted after it fired.
    pub(super) suppress: Option<Suppress>,
    /// What it fires on: how many rows, or what is measured in them.
    pub(super) threshold: Option<Threshold>,
    /// The column of the result whose values are aggregated and compared, in place of the number of rows.
    pub(super) measure: Option<String>,
    /// How the values of the measure are aggregated. Count counts the rows, and takes no measure.
    #[schemars(extend("default" = "Count"))]
    pub(super) time_aggregation: Option<TimeAggregation>,
    /// Whether it is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// From 0, critical, to 4, verbose. Default: that of the definition.
    pub(super) severity: Option<Severity>,
    /// When the query runs.
    pub(super) schedule: Option<Schedule>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<AlertDependencies, AlertPublish>>,
    /// What is done beside notifying the action groups.
    pub(super) customised_actions: Option<CustomisedActions>,
    /// Values for the parameters of the query, by their names.
    pub(super) parameters: Option<BTreeMap<String, Value>>,
    /// Resources that the alert is not for: values of their exception tag, or publish names.
    pub(super) exclusions: Option<Vec<String>>,
    /// Whether machines that are not Azure resources, and those of Azure Arc, count as well.
    #[schemars(extend("default" = false))]
    pub(super) monitor_on_prem: Option<bool>,
    /// Whether its alerts resolve by themselves when the query finds nothing any more. While one is open, Azure notifies of
    /// no other.
    #[schemars(extend("default" = false))]
    pub(super) auto_mitigate: Option<bool>,
    /// Columns by whose values the rows are told apart: each combination is an alert of its own.
    pub(super) dimensions: Option<Vec<Dimension>>,
    /// How often the threshold has to be passed before it fires. Default: once.
    pub(super) failing_periods: Option<FailingPeriods>,
}

/// A column by whose values the rows of a query are told apart.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dimension {
    /// The column of the result.
    pub(super) name: String,
    /// Whether the values are included or excluded.
    #[serde(default)]
    pub(super) operator: DimensionOperator,
    /// The values; `*` stands for all.
    pub(super) values: Vec<String>,
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

/// How often the threshold has to be passed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FailingPeriods {
    /// In how many of the windows, at least.
    #[schemars(range(min = 1, max = 6))]
    pub(super) min_failing_periods_to_alert: i64,
    /// The number of windows that are looked at.
    #[schemars(range(min = 1, max = 6))]
    pub(super) number_of_evaluation_periods: i64,
}

/// For how long an alert is quiet after it fired.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Suppress {
    /// Whether it is muted at all.
    pub(super) enabled: bool,
    /// The number of minutes, at most two days.
    #[schemars(range(min = 0))]
    pub(super) mins: Option<i64>,
    /// Accepted, but ignored: alerts are muted by time alone; set mins.
    #[schemars(extend("deprecated" = true))]
    pub(super) windows: Option<i64>,
}

/// What an alert fires on: how many rows, or what is measured in them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Threshold {
    /// How the number of rows, or the measure, is compared.
    pub(super) operator: Operator,
    /// The value that it is compared with.
    pub(super) value: f64,
}

/// How the number of rows, or the measure, is compared.
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

/// When a query runs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Schedule {
    /// How often, in minutes.
    #[schemars(extend("enum" = [5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440]))]
    pub(super) frequency_in_minutes: i64,
    /// How far back its rows may be, in minutes.
    #[schemars(extend("enum" = [5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880]))]
    pub(super) time_window_in_minutes: i64,
}

/// Existing resources that one alert needs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertDependencies {
    /// The action groups that this alert notifies, instead of those of the document.
    pub(super) action_groups: Option<Vec<String>>,
}

/// Names for one alert.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlertPublish {
    /// The name under which the rule is published.
    pub(super) log_alert: Option<String>,
}

/// What is done beside notifying the action groups.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CustomisedActions {
    /// The subject of the mails that action groups send.
    pub(super) email_subject: Option<String>,
    /// A JSON object whose members become custom properties of the alert.
    pub(super) webhook_json_payload: Option<String>,
}
