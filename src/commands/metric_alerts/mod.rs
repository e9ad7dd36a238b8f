//! New-SvcMonitorMetricAlerts: alert rules on the metrics of several resources, or of resource groups, of one location.

mod criterion;
mod export;
mod monitored;
mod rule;
mod settings;

use self::rule::Rule;
use self::settings::MetricAlertSettings;
use super::shared::alerts::{AlertGroup, alert_group, is_resource_type, not_a_resource_type};
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::Compilation;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT};
use super::shared::property::{PropertiesAt, defaults};
use crate::azure::types::{self, METRIC_ALERT};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcMonitorMetricAlerts",
    component: "metricAlerts",
    synopsis: "Deploys metric alert rules over several resources or resource groups, linked to action groups.",
    description: "Reads a settings document and makes the resource group hold exactly the metric alert rules that it describes: rules that the document no \
        longer has are planned deletions, which are confirmed unless -Confirm:$false is given. If the group contains anything else, the command fails \
        before it changes anything.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT],
    examples: &[
        Example {
            code: "New-SvcMonitorMetricAlerts -SettingsFile metric-alerts.yml -WhatIf",
            text: "Shows which rules would be created, changed and deleted.",
        },
        Example {
            code: "New-SvcMonitorMetricAlerts -SettingsFile metric-alerts.yml -Confirm:$false",
            text: "Deploys the document without confirmation, for unattended runs.",
        },
        Example {
            code: "Get-Content metric-alerts.json -Raw | ConvertFrom-Json | New-SvcMonitorMetricAlerts",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content metric-alerts.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.service.dependencies.actionGroups = @('operators-at-night')\nNew-SvcMonitorMetricAlerts -SettingsObject $settings",
            text: "Deploys a document whose rules go to another action group. The script changes the settings object first.",
        },
    ],
    documents: documents!("metric-alerts"),
    settings: settings_of::<MetricAlertSettings>(),
    properties: &[PropertiesAt::new("groups.alertSets.alerts", || defaults(rule::PROPERTIES))],
    publishes: &[&types::METRIC_ALERT],
    export: export::EXPORT,
};

/// Part of the generated name of the resource group, where it has to be created.
const GROUP_NAME: &str = "Metric-Alerts";

impl Settings for MetricAlertSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let group = AlertGroup::of(&self.service, self.location.as_ref(), GROUP_NAME, &METRIC_ALERT);
        let Some(group) = alert_group(&group, root, compilation) else { return };
        for (group_index, alert_group) in self.groups.iter().enumerate() {
            let place = root.dotted("groups").index(group_index);
            for (set_index, set) in alert_group.alert_sets.iter().enumerate() {
                let place = place.dotted("alertSets").index(set_index);
                if !is_resource_type(&set.resource_type) {
                    let message = not_a_resource_type(&set.resource_type);
                    compilation.finding(place.dotted("resourceType"), FindingCode::ValueRefused, message);
                }
                for (index, alert) in set.alerts.iter().enumerate() {
                    let place = place.dotted("alerts").index(index);
                    let rule =
                        Rule { settings: self, root, group_name: &alert_group.name, set, alert, index, place: &place };
                    rule.compile(&group.id, compilation);
                }
            }
        }
    }
}
