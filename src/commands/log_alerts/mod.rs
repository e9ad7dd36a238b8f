//! New-SvcMonitorLogAlerts: alert rules on the results of log queries, by definitions or by queries of their own.

mod condition;
mod definitions;
mod export;
mod known_query;
mod old_definitions;
mod parameters;
mod query;
mod rule;
mod settings;

use std::path::PathBuf;

pub(super) use self::definitions::schema as definitions_schema;
pub use self::old_definitions::{rewrite_definitions, unread_definitions};
use self::rule::Rule;
use self::settings::LogAlertSettings;
use super::shared::alerts::{AlertGroup, alert_group};
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::Compilation;
use super::shared::found::Found;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT};
use super::shared::property::{PropertiesAt, defaults};
use super::shared::service::Named;
use super::shared::wanted::Wanted;
use crate::azure::types::{self, SCHEDULED_QUERY_RULE, WORKSPACE};
use crate::naming::normalise_location;
use crate::protocol::FindingCode;
use crate::settings::{LoadError, Place};

/// The values that are offered for a setting which takes others, too.
pub(super) fn offered(name: &str) -> Option<Vec<String>> {
    (name == "log alert definitions").then(definitions::names)
}

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcMonitorLogAlerts",
    component: "logAlerts",
    synopsis: "Deploys log alert rules that run log queries, linked to action groups.",
    description: "Reads a settings document and makes the resource group hold exactly the log alert rules that it describes: rules that the document no \
        longer has are planned deletions, which are confirmed unless -Confirm:$false is given. If the group contains anything else, the command fails \
        before it changes anything. An alert names a built-in definition, one of the project's own in logAlertDefinitions.yml, or has a query of its \
        own.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT],
    examples: &[
        Example {
            code: "New-SvcMonitorLogAlerts -SettingsFile log-alerts.yml -WhatIf",
            text: "Shows which rules would be created, changed and deleted.",
        },
        Example {
            code: "New-SvcMonitorLogAlerts -SettingsFile log-alerts.yml -Confirm:$false",
            text: "Deploys the document without confirmation, for unattended runs.",
        },
        Example {
            code: "Get-Content log-alerts.json -Raw | ConvertFrom-Json | New-SvcMonitorLogAlerts",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content log-alerts.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.service.dependencies.actionGroups = @('operators-at-night')\nNew-SvcMonitorLogAlerts -SettingsObject $settings",
            text: "Deploys a document whose rules go to another action group. The script changes the settings object first.",
        },
    ],
    documents: documents!("log-alerts"),
    settings: settings_of::<LogAlertSettings>(),
    properties: &[PropertiesAt::new("groups.alertSets.alerts", || defaults(rule::PROPERTIES))],
    publishes: &[&types::SCHEDULED_QUERY_RULE],
    export: export::EXPORT,
};

/// Part of the generated name of the resource group, where it has to be created.
const GROUP_NAME: &str = "Log-Alerts";

impl Settings for LogAlertSettings {
    fn read_project_files(&mut self, folders: &[PathBuf]) -> Result<Option<PathBuf>, LoadError> {
        let own = definitions::of_project(folders);
        self.definitions_are_wrong = own.is_err();
        let (file, definitions) = own?.unzip();
        self.definitions = definitions.unwrap_or_default();
        Ok(file)
    }

    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let group = AlertGroup::of(&self.service, self.location.as_ref(), GROUP_NAME, &SCHEDULED_QUERY_RULE);
        let group = alert_group(&group, root, compilation);
        let workspace = self.workspace(root, compilation);
        let (Some(group), Some(workspace)) = (group, workspace) else { return };
        for (group_index, alert_group) in self.groups.iter().enumerate() {
            let place = root.dotted("groups").index(group_index);
            for (set_index, set) in alert_group.alert_sets.iter().enumerate() {
                let place = place.dotted("alertSets").index(set_index);
                for (index, alert) in set.alerts.iter().enumerate() {
                    let place = place.dotted("alerts").index(index);
                    let rule =
                        Rule { settings: self, root, group_name: &alert_group.name, set, alert, index, place: &place };
                    rule.compile(&group.id, &workspace, compilation);
                }
            }
        }
    }
}

impl LogAlertSettings {
    /// The workspace; a plan that does not know it takes it to be where the document is.
    fn workspace(&self, root: &Place, compilation: &mut Compilation<'_>) -> Option<Found> {
        let place = root.dotted("service.dependencies.workspace");
        let Some(dependencies) = self.service.dependencies() else {
            compilation.finding(place, FindingCode::Missing, "required, but not set");
            return None;
        };
        let near = self.location.as_deref();
        let wanted = Wanted::Type(WORKSPACE.name);
        let mut workspace = compilation.find(wanted).published_as(&dependencies.workspace, &place).near(near).one();
        if workspace.location.is_empty() {
            workspace.location = near.map(normalise_location).unwrap_or_default();
        }
        Some(workspace)
    }
}
