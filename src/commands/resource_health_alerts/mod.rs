//! New-SvcMonitorResourceHealthAlerts: activity log alerts for the health of resources.

mod condition;
mod export;
mod settings;

use serde_json::json;

use self::settings::{Alert, ResourceHealthAlertSettings};
use super::shared::alerts::{AlertGroup, AlertRule, Group, action_groups, alert_group, as_actions, check_description};
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::{Compilation, Published, WayOut};
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT};
use super::shared::property::Literal::Flag;
use super::shared::property::{PropertiesAt, Property, defaults, sent};
use super::shared::service::Named;
use crate::azure::types::{self, ACTIVITY_LOG_ALERT};
use crate::desired::Texts;
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcMonitorResourceHealthAlerts",
    component: "resourceHealthAlerts",
    synopsis: "Deploys resource health alert rules, linked to action groups.",
    description: "Reads a settings document and makes the resource group hold exactly the resource health alert rules that it describes: rules that the \
        document no longer has are planned deletions, which are confirmed unless -Confirm:$false is given. If the group contains anything else, the \
        command fails before it changes anything.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT],
    examples: &[
        Example {
            code: "New-SvcMonitorResourceHealthAlerts -SettingsFile resource-health-alerts.yml -WhatIf",
            text: "Shows which rules would be created, changed and deleted.",
        },
        Example {
            code: "New-SvcMonitorResourceHealthAlerts -SettingsFile resource-health-alerts.yml -Confirm:$false",
            text: "Deploys the document without confirmation, for unattended runs.",
        },
        Example {
            code: "Get-Content resource-health-alerts.json -Raw | ConvertFrom-Json | New-SvcMonitorResourceHealthAlerts",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content resource-health-alerts.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.service.dependencies.actionGroups = @('operators-at-night')\nNew-SvcMonitorResourceHealthAlerts -SettingsObject $settings",
            text: "Deploys a document whose rules go to another action group. The script changes the settings object first.",
        },
    ],
    documents: documents!("resource-health-alerts"),
    settings: settings_of::<ResourceHealthAlertSettings>(),
    properties: &[PropertiesAt::new("alerts", || defaults(PROPERTIES))],
    publishes: &[&types::ACTIVITY_LOG_ALERT],
    export: export::EXPORT,
};

/// Part of the generated name of the resource group, where it has to be created.
const GROUP_NAME: &str = "ResourceHealth-Alerts";
/// The description of a rule whose settings have none.
const DESCRIPTION: &str = "Resource health alert";

/// The properties of a rule that one setting says each.
const PROPERTIES: &[Property<Alert>] =
    &[Property::always("enabled", "properties.enabled", Flag(true), |alert| sent(alert.enabled))];

const ORIGINS: &[(&str, &str)] = &[
    ("properties.description", "description"),
    ("properties.actions", "/service.dependencies.actionGroups"),
    ("properties.actions", "service.dependencies.actionGroups"),
    ("properties.condition.allOf[any resourceGroup]", "service.dependencies.targetResourceGroups"),
    ("properties.condition.allOf[any resourceId]", "service.dependencies.targetResources"),
    ("properties.condition.allOf[any resourceType]", "resourceTypes"),
    ("properties.condition.allOf[any status]", "eventStatus"),
    ("properties.condition.allOf[any properties.cause]", "reasonType"),
    ("properties.condition.allOf[any properties.currentHealthStatus]", "healthStatus.current"),
    ("properties.condition.allOf[any properties.previousHealthStatus]", "healthStatus.previous"),
];

impl Settings for ResourceHealthAlertSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let group = AlertGroup::of(&self.service, self.location.as_ref(), GROUP_NAME, &ACTIVITY_LOG_ALERT);
        let Some(group) = alert_group(&group, root, compilation) else { return };
        for (index, alert) in self.alerts.iter().enumerate() {
            let place = root.dotted("alerts").index(index);
            self.compile_alert(alert, &group, root, &place, compilation);
        }
    }
}

impl ResourceHealthAlertSettings {
    fn compile_alert(
        &self,
        alert: &Alert,
        group: &Group,
        root: &Place,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        let own = alert.service.dependencies();
        let actions = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), place),
            (self.service.dependencies().and_then(|root| root.action_groups.as_ref()), root),
            compilation,
        );
        check_description(&ACTIVITY_LOG_ALERT, alert.description.as_ref(), place, compilation);
        let publish = Published::first(
            "service.publish.resourceHealthAlert",
            (alert.service.publish().and_then(|publish| publish.resource_health_alert.as_ref()), place),
            (self.service.publish().and_then(|publish| publish.resource_health_alert.as_ref()), root),
        );
        let properties = json!({
            "scopes": [compilation.subscription().as_str()],
            "condition": { "allOf": condition::conditions(alert, place, compilation) },
            "actions": { "actionGroups": as_actions(&actions) },
        });
        let rule = AlertRule {
            alert: (alert, PROPERTIES),
            group: &group.id,
            resource_type: &ACTIVITY_LOG_ALERT,
            name: (alert.name.clone().unwrap_or_default(), &group.location),
            location: "Global",
            properties,
            description: alert.description.as_ref(),
            default_description: DESCRIPTION.to_owned(),
            our_descriptions: Texts::Known(vec![DESCRIPTION.to_owned()]),
            way_out: way_out(alert.name.as_deref()),
            publish,
            any_case: Vec::new(),
            also_right: Vec::new(),
            origins: ORIGINS.to_vec(),
            place,
        };
        rule.add(compilation);
    }
}

/// The way out where two rules are called alike.
fn way_out(name: Option<&str>) -> WayOut {
    WayOut {
        shorten: name.map_or_else(String::new, |name| format!("the name '{name}'")),
        rename: if name.is_none() { "set name to tell them apart" } else { "use another name" }.to_owned(),
    }
}
