//! New-SvcIaasStorage: storage accounts with their containers, file shares, tables and queues.

mod account;
mod account_endpoints;
mod export;
mod network_rules;
mod settings;

use serde_json::json;

use self::settings::StorageSettings;
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::{Compilation, Published};
use super::shared::parameters::{OMIT_TAGS, SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::shared::property::{self, PropertiesAt};
use super::shared::service::Named;
use super::shared::wanted::{Wanted, unknown_group};
use crate::azure::ResourceId;
use crate::azure::types::{self, RESOURCE_GROUP};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcIaasStorage",
    component: "storage",
    synopsis: "Deploys storage accounts with their containers, file shares, tables and queues.",
    description: "Reads a settings document and creates or updates the storage accounts that it describes, in an existing resource group or in a new one. \
        Resources that already match the document are not changed, so a second run of the same document does nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE, OMIT_TAGS],
    examples: &[
        Example {
            code: "New-SvcIaasStorage -SettingsFile storage.yml -WhatIf",
            text: "Shows what would be created or changed, property by property.",
        },
        Example {
            code: "New-SvcIaasStorage -SettingsFile storage.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on the accounts.",
        },
        Example {
            code: "Get-Content storage.json -Raw | ConvertFrom-Json | New-SvcIaasStorage -OmitTags",
            text: "Deploys settings that are already an object, from the pipeline, and skips the tag settings.",
        },
        Example {
            code: "$settings = Get-Content storage.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.location = 'UK West'\nNew-SvcIaasStorage -SettingsObject $settings",
            text: "Deploys a document to another location. The script changes the settings object first.",
        },
    ],
    documents: documents!("storage"),
    settings: settings_of::<StorageSettings>(),
    properties: &[
        PropertiesAt::new("storageAccounts", || property::defaults(account::PROPERTIES)),
        PropertiesAt::new("storageAccounts.blobContainer", || property::defaults(account::OF_CONTAINER)),
        PropertiesAt::new("storageAccounts.fileShare", || property::defaults(account::OF_SHARE)),
    ],
    publishes: &[&types::PRIVATE_ENDPOINT, &types::STORAGE_ACCOUNT],
    export: export::EXPORT,
};

/// The facts that the accounts of a document have in common.
struct Document<'a> {
    settings: &'a StorageSettings,
    root: &'a Place,
    group: ResourceId,
    location: String,
}

impl Settings for StorageSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let location = compilation.location(&self.location, root.dotted("location"));
        let group = self.resource_group(root, &location, compilation);
        let document = Document { settings: self, root, group, location };
        for (index, account) in self.storage_accounts.iter().enumerate() {
            account::compile(&document, index, account, compilation);
        }
    }
}

impl StorageSettings {
    /// The existing group that the settings name, or the one they describe.
    fn resource_group(&self, root: &Place, location: &str, compilation: &mut Compilation<'_>) -> ResourceId {
        let publish = self.service.publish().and_then(|publish| publish.resource_group.as_ref());
        let dependency = self.service.dependencies().and_then(|dependencies| dependencies.resource_group.as_ref());
        if let Some(service) = dependency {
            let place = root.dotted("service.dependencies.resourceGroup");
            if publish.is_some_and(|publish| publish != service) {
                // Under another publish name the next run of the same document would not find the group again.
                compilation.warning(
                    &root.dotted("service.publish.resourceGroup"),
                    format!("the resource group is found by its publish name '{service}', which it keeps"),
                );
            }
            if let Some(name) = &self.resource_group_name {
                let message = format!(
                    "the resource group is the one published as '{service}' (service.dependencies.resourceGroup); '{name}' is ignored"
                );
                compilation.warning(&root.dotted("resourceGroupName"), message);
            }
            let wanted = compilation.find(Wanted::GROUP).published_as(service, &place);
            return wanted.near(Some(location)).one().id;
        }
        let Some(name) = &self.resource_group_name else {
            compilation.finding(
                root.dotted("resourceGroupName"),
                FindingCode::Missing,
                "required, unless service.dependencies.resourceGroup is set",
            );
            // What is wrong with the accounts does not depend on their group.
            return compilation.subscription().group(&unknown_group());
        };
        let place = root.dotted("resourceGroupName");
        let request = NameRequest::new(ResourceKind::ResourceGroup, name, Architecture::Iaas, Some(location));
        let name = compilation.name(&RESOURCE_GROUP, &request, &place);
        let id = compilation.subscription().group(&name);
        let publish =
            publish.map(|name| Published { name: name.clone(), place: root.dotted("service.publish.resourceGroup") });
        let tags = compilation.service_tag(publish.as_ref());
        let creation_tags = compilation.tags(publish.as_ref());
        let body = json!({ "location": location });
        let origins = vec![("location", "/location")];
        let group = Desired::new(id.clone(), &RESOURCE_GROUP, body, place);
        compilation.add(Desired { tags, creation_tags, origins, ..group });
        id
    }
}
