//! New-SvcMonitorResourceHealthAlerts: activity log alerts for the health of resources.

mod settings;

use serde_json::{Value, json};

use self::settings::{Alert, ResourceHealthAlertSettings};
use super::shared::alerts::{AlertGroup, AlertRule, action_groups, alert_group, all_published, as_actions};
use super::shared::command::{Command, Example, Settings, settings_of};
use super::shared::compilation::{Compilation, Published};
use super::shared::lookup::Wanted;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT};
use super::shared::service::Named;
use crate::azure::ResourceId;
use crate::azure::types::ACTIVITY_LOG_ALERT;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcMonitorResourceHealthAlerts",
    component: "resourceHealthAlerts",
    synopsis: "Deploys resource health alert rules and links them to action groups.",
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
    settings: settings_of::<ResourceHealthAlertSettings>(),
};

/// Part of the generated name of the resource group, where it has to be created.
const GROUP_NAME: &str = "ResourceHealth-Alerts";
/// The description of a rule whose settings have none.
const DESCRIPTION: &str = "Resource health alert";

const ORIGINS: &[(&str, &str)] = &[
    ("properties.enabled", "enabled"),
    ("properties.description", "description"),
    ("properties.actions", "service.dependencies.actionGroups"),
];

impl Settings for ResourceHealthAlertSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let group = AlertGroup::of(&self.service, self.location.as_ref(), GROUP_NAME, &ACTIVITY_LOG_ALERT);
        let Some(group) = alert_group(&group, root, compilation) else { return };
        for (index, alert) in self.alerts.iter().enumerate() {
            let place = root.dotted("alerts").index(index);
            self.compile_alert(alert, &group.id, &group.location, root, &place, compilation);
        }
    }
}

impl ResourceHealthAlertSettings {
    fn compile_alert(
        &self,
        alert: &Alert,
        group: &ResourceId,
        location: &str,
        root: &Place,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        let request = NameRequest {
            kind: ResourceKind::Alert,
            name: alert.name.as_deref().unwrap_or_default(),
            architecture: Architecture::Monitor,
            location: Some(location).filter(|location| !location.is_empty()),
        };
        let name = compilation.name(&ACTIVITY_LOG_ALERT, &request, &place.dotted("name"));
        let own = alert.service.dependencies();
        let actions = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), place),
            (self.service.dependencies().and_then(|root| root.action_groups.as_ref()), root),
            compilation,
        );
        let publish = Published::first(
            "service.publish.resourceHealthAlert",
            (alert.service.publish().and_then(|publish| publish.resource_health_alert.as_ref()), place),
            (self.service.publish().and_then(|publish| publish.resource_health_alert.as_ref()), root),
        );
        let properties = json!({
            "enabled": alert.enabled.unwrap_or(true),
            "scopes": [compilation.subscription().as_str()],
            "condition": { "allOf": conditions(alert, place, compilation) },
            "actions": { "actionGroups": as_actions(&actions) },
        });
        let rule = AlertRule {
            group,
            resource_type: &ACTIVITY_LOG_ALERT,
            name,
            location: "Global",
            properties,
            description: alert.description.as_ref(),
            default_description: DESCRIPTION.to_owned(),
            default_descriptions: Vec::new(),
            publish,
            origins: ORIGINS.to_vec(),
            place,
        };
        rule.add(compilation);
    }
}

/// The category, and one "any of" for each kind of thing that the settings name.
fn conditions(alert: &Alert, place: &Place, compilation: &mut Compilation<'_>) -> Vec<Value> {
    let mut conditions = vec![json!({ "field": "category", "equals": "ResourceHealth" })];
    let mut any_of = |field: &str, values: Vec<String>| {
        let values = each_once(values);
        if !values.is_empty() {
            let leaves: Vec<Value> = values.iter().map(|value| json!({ "field": field, "equals": value })).collect();
            conditions.push(json!({ "anyOf": leaves }));
        }
    };
    let own = alert.service.dependencies();
    let mut targets = |names: Option<&Vec<String>>, setting: &str, wanted: Wanted<'_>| {
        all_published(names.map_or(&[], Vec::as_slice), wanted, &place.dotted(setting), compilation)
    };
    let groups = targets(
        own.and_then(|own| own.target_resource_groups.as_ref()),
        "service.dependencies.targetResourceGroups",
        Wanted::Type(crate::azure::RESOURCE_GROUP_TYPE),
    );
    any_of("resourceGroup", groups.iter().map(|found| found.id.name().to_owned()).collect());
    let resources =
        targets(own.and_then(|own| own.target_resources.as_ref()), "service.dependencies.targetResources", Wanted::Any);
    any_of("resourceId", resources.iter().map(|found| found.id.to_string()).collect());
    any_of("resourceType", alert.resource_types.clone().unwrap_or_default());
    any_of("status", alert.event_status.iter().flatten().map(spelled).collect());
    // Azure has the reasons without the blank that the settings have.
    any_of("properties.cause", alert.reason_type.iter().flatten().map(|reason| format!("{reason:?}")).collect());
    let health = alert.health_status.as_ref();
    any_of(
        "properties.currentHealthStatus",
        health.and_then(|health| health.current.as_ref()).into_iter().flatten().map(spelled).collect(),
    );
    any_of(
        "properties.previousHealthStatus",
        health.and_then(|health| health.previous.as_ref()).into_iter().flatten().map(spelled).collect(),
    );
    conditions
}

/// The values without those that stand there already, in whatever letter case.
fn each_once(values: Vec<String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::with_capacity(values.len());
    for value in values {
        if !once.iter().any(|known| known.eq_ignore_ascii_case(&value)) {
            once.push(value);
        }
    }
    once
}

/// A value as the settings, and Azure, spell it.
fn spelled(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        _ => String::new(),
    }
}
