//! New-SvcCoreMonitor: the workspace, application insights and storage account that a subscription is monitored with, action
//! groups, and the alerts for the subscription itself.

mod action_groups;
mod advisor;
mod alerts;
mod diagnostics;
mod export;
mod foundation;
mod receivers;
mod settings;
mod solutions;

use serde_json::json;

use self::settings::CoreMonitorSettings;
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::{Compilation, Published};
use super::shared::found::Found;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::shared::property::{PropertiesAt, defaults};
use super::shared::retirements::{Retired, notice};
use super::shared::wanted::Wanted;
use crate::azure::types::{self, RESOURCE_GROUP};
use crate::azure::{ResourceId, ResourceType};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind, same_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcCoreMonitor",
    component: "monitor",
    synopsis: "Deploys the monitoring of a subscription: workspace, application insights, storage account, action groups and alerts.",
    description: "Reads a settings document and creates or updates a resource group with a Log Analytics workspace, application insights, a storage account, management \
        solutions, action groups, and alerts for administrative operations on key vaults, for resource health and for service health. The activity log of the \
        subscription and the audit log of a key vault go to the workspace, and Azure Advisor gets its CPU threshold. \
        Resources that already match the document are not changed, so a second run of the same document does nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE],
    examples: &[
        Example {
            code: "New-SvcCoreMonitor -SettingsFile core-monitor.yml -WhatIf",
            text: "Shows what would be created or changed, property by property.",
        },
        Example {
            code: "New-SvcCoreMonitor -SettingsFile core-monitor.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on everything that takes tags.",
        },
        Example {
            code: "Get-Content core-monitor.json -Raw | ConvertFrom-Json | New-SvcCoreMonitor",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content core-monitor.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.workspaceDataRetentionInDays = 180\nNew-SvcCoreMonitor -SettingsObject $settings",
            text: "Deploys a document with another retention. The script changes the settings object first.",
        },
    ],
    documents: documents!("core-monitor"),
    settings: settings_of::<CoreMonitorSettings>(),
    properties: &[
        PropertiesAt::new("", || defaults(foundation::OF_WORKSPACE)),
        PropertiesAt::new("alerts.keyvaultAdmin", || defaults(alerts::OF_RULE)),
        PropertiesAt::new("alerts.resourceHealth", || defaults(alerts::OF_RULE)),
        PropertiesAt::new("alerts.serviceHealth", || defaults(alerts::OF_RULE)),
    ],
    publishes: &[
        &types::ACTION_GROUP,
        &types::ACTIVITY_LOG_ALERT,
        &types::COMPONENT,
        &types::WORKSPACE,
        &types::SOLUTION,
        &types::STORAGE_ACCOUNT,
    ],
    export: export::EXPORT,
};

/// The location of action groups and alerts.
const GLOBAL: &str = "Global";

/// All of it is where the document says.
const LOCATION_ORIGIN: (&str, &str) = ("location", "/location");

/// The facts that all parts of a document have in common.
struct Run<'a> {
    settings: &'a CoreMonitorSettings,
    root: &'a Place,
    /// As Azure writes it.
    location: &'a str,
    group: &'a ResourceId,
}

/// The settings of a resource that is made, or found.
struct Choice<'a> {
    resource_type: &'static ResourceType,
    /// The key in `service.publish` and in `service.dependencies`.
    key: &'static str,
    publish: Option<&'a String>,
    dependency: Option<&'a String>,
}

/// A resource that the others use.
enum Used {
    /// It is made, and published where the settings say how.
    Made(Option<Published>),
    /// It was there. It is left as it is: nothing of it is changed, and it gets no diagnostic setting and no containers.
    Found(Found),
}

impl Settings for CoreMonitorSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let location = compilation.location(&self.location, root.dotted("location"));
        let name_place = root.dotted("name");
        let request = NameRequest::new(ResourceKind::ResourceGroup, &self.name, Architecture::Core, Some(&location));
        let name = compilation.name(&RESOURCE_GROUP, &request, &name_place);
        let group = compilation.subscription().group(&name);
        let run = Run { settings: self, root, location: &location, group: &group };
        let publish = run.published("resourceGroup", &self.service.publish.resource_group);
        compilation.add(Desired {
            tags: compilation.tags(Some(&publish)),
            origins: vec![LOCATION_ORIGIN],
            ..Desired::new(group.clone(), &RESOURCE_GROUP, json!({ "location": location }), name_place)
        });
        run.warn_of_what_is_not_used(compilation);
        let foundation = run.foundation(compilation);
        let solutions = run.solutions(&foundation.workspace, compilation);
        run.diagnostics(&foundation, &solutions, compilation);
        let action_groups = run.action_groups(compilation);
        run.alerts(&action_groups, compilation);
        run.advisor(compilation);
    }
}

impl Run<'_> {
    /// The publish name with a key of `service.publish`.
    fn published(&self, key: &str, name: &str) -> Published {
        Published { name: name.to_owned(), place: self.root.dotted(&format!("service.publish.{key}")) }
    }

    /// The generated name of a resource that is named as the document is.
    fn name(
        &self,
        kind: ResourceKind,
        resource_type: &'static ResourceType,
        architecture: Architecture,
        compilation: &mut Compilation<'_>,
    ) -> String {
        let request = NameRequest::new(kind, &self.settings.name, architecture, Some(self.location));
        compilation.name(resource_type, &request, &self.root.dotted("name"))
    }

    /// Whether a resource is made or found. Publishing wins: documents of the replaced module may have both.
    fn used(&self, choice: &Choice<'_>, compilation: &mut Compilation<'_>) -> Used {
        let Choice { resource_type, key, publish, dependency } = choice;
        let label = resource_type.label;
        let dependency_place = self.root.dotted(&format!("service.dependencies.{key}"));
        match (publish, dependency) {
            (Some(publish), dependency) => {
                if dependency.is_some() {
                    let message = format!(
                        "service.publish.{key} is also set, so a new one is deployed and the existing one is not used; leave service.publish.{key} empty to use it"
                    );
                    compilation.warning(&dependency_place, message);
                }
                Used::Made(Some(self.published(key, publish)))
            }
            (None, Some(service)) => {
                let wanted = Wanted::Type(resource_type.name);
                let wanted = compilation.find(wanted).published_as(service, &dependency_place);
                Used::Found(wanted.near(Some(self.location)).one())
            }
            (None, None) => {
                let message = format!("required, unless service.dependencies.{key} names an existing {label}");
                compilation.finding(self.root.dotted(&format!("service.publish.{key}")), FindingCode::Missing, message);
                Used::Made(None)
            }
        }
    }

    /// Azure takes a storage account as the sink of a diagnostic setting only where the resource is ("Diagnostic settings in
    /// Azure Monitor", destination limitations).
    fn check_storage_location(&self, storage: &Found, compilation: &mut Compilation<'_>) {
        if !storage.placeholder && !same_location(&storage.location, self.location) {
            let message = format!(
                "the storage account '{}' is in '{}', but diagnostic settings need one in the location of the document, '{}'",
                storage.id.name(),
                storage.location,
                self.location
            );
            compilation.finding(
                self.root.dotted("service.dependencies.storage"),
                FindingCode::LocationsDiffer,
                message,
            );
        }
    }

    fn warn_of_what_is_not_used(&self, compilation: &mut Compilation<'_>) {
        if self.settings.storage_data_retention_in_days.is_some() {
            let place = self.root.dotted("storageDataRetentionInDays");
            compilation.warning(&place, notice(Retired::DiagnosticRetention));
        }
        if self.settings.service.publish.workbook.is_some() {
            let message = "no workbook is deployed; this command does not include the one of the replaced module. Azure's own Log Analytics workspace \
                insights show the usage";
            compilation.warning(&self.root.dotted("service.publish.workbook"), message);
        }
    }
}
