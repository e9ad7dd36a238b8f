//! The storage account, the workspace and application insights: what everything else sends to.

use serde_json::{Value, json};

use super::settings::CoreMonitorSettings;
use super::{Choice, LOCATION_ORIGIN, Run, Used};
use crate::azure::types::{BLOB_CONTAINER, COMPONENT, STORAGE_ACCOUNT, WORKSPACE};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::property::Literal::Whole;
use crate::commands::shared::property::{self, Property, sent};
use crate::desired::Desired;
use crate::naming::{Architecture, ResourceKind};

/// The properties of the workspace that one setting says each.
pub(super) const OF_WORKSPACE: &[Property<CoreMonitorSettings>] =
    &[Property::new("/workspaceDataRetentionInDays", "properties.retentionInDays", Whole(90), |settings| {
        sent(settings.workspace_data_retention_in_days)
    })];

/// Containers that backup policies, backup reports and flow logs write to.
const CONTAINERS: &[&str] = &[
    "insights-logs-addonazurebackuppolicy",
    "insights-logs-azurebackupreport",
    "insights-logs-coreazurebackup",
    "insights-logs-networksecuritygroupflowevent",
];

/// The resources that everything else sends to.
pub(super) struct Foundation {
    pub(super) storage: ResourceId,
    pub(super) workspace: Workspace,
    /// Application insights, where this run makes them.
    pub(super) made_component: Option<ResourceId>,
}

/// The Log Analytics workspace that everything else reports to: made by this run, or found.
pub(super) struct Workspace {
    pub(super) id: ResourceId,
    /// As Azure writes it.
    pub(super) location: String,
    /// Whether this run makes it.
    pub(super) is_made: bool,
    /// The setting that names it, in `service`.
    pub(super) setting: &'static str,
}

impl Run<'_> {
    pub(super) fn foundation(&self, compilation: &mut Compilation<'_>) -> Foundation {
        let (publish, dependencies) = (&self.settings.service.publish, &self.settings.service.dependencies);
        let choice = |resource_type, key, publish, dependency| Choice { resource_type, key, publish, dependency };
        let storage = choice(&STORAGE_ACCOUNT, "storage", publish.storage.as_ref(), dependencies.storage.as_ref());
        let workspace = choice(&WORKSPACE, "workspace", publish.workspace.as_ref(), dependencies.workspace.as_ref());
        let component =
            choice(&COMPONENT, "appInsights", publish.app_insights.as_ref(), dependencies.app_insights.as_ref());
        let storage = self.used(&storage, compilation);
        let workspace = self.used(&workspace, compilation);
        let component = self.used(&component, compilation);
        let has_storage_sink = matches!(workspace, Used::Made(_)) || matches!(component, Used::Made(_));
        let storage = match storage {
            Used::Made(publish) => self.storage(publish.as_ref(), compilation),
            Used::Found(found) => {
                if has_storage_sink {
                    self.check_storage_location(&found, compilation);
                }
                found.id
            }
        };
        let workspace = match workspace {
            Used::Made(publish) => Workspace {
                id: self.workspace(publish.as_ref(), compilation),
                location: self.location.to_owned(),
                is_made: true,
                setting: "service.publish.workspace",
            },
            Used::Found(found) => Workspace {
                location: if found.placeholder { self.location.to_owned() } else { found.location },
                id: found.id,
                is_made: false,
                setting: "service.dependencies.workspace",
            },
        };
        let made_component = match component {
            Used::Made(publish) => Some(self.component(publish.as_ref(), &workspace.id, compilation)),
            Used::Found(_) => None,
        };
        Foundation { storage, workspace, made_component }
    }

    fn storage(&self, publish: Option<&Published>, compilation: &mut Compilation<'_>) -> ResourceId {
        // Of all parts only the account has another architecture: so its name was made, and so it has to stay.
        let name = self.name(ResourceKind::StorageAccount, &STORAGE_ACCOUNT, Architecture::Iaas, compilation);
        let creation_body = json!({
            "kind": "StorageV2",
            "sku": { "name": "Standard_LRS" },
            "properties": { "minimumTlsVersion": "TLS1_2", "supportsHttpsTrafficOnly": true },
        });
        let account = self.part(&STORAGE_ACCOUNT, &name, json!({}), publish, compilation);
        let account = Desired { creation_body, ..account };
        let (id, place) = (account.id.clone(), account.place.clone());
        compilation.add(account);
        for container in CONTAINERS {
            let container = BLOB_CONTAINER.child_of(&id, container);
            compilation.add(Desired::new(container, &BLOB_CONTAINER, json!({ "properties": {} }), place.clone()));
        }
        id
    }

    fn workspace(&self, publish: Option<&Published>, compilation: &mut Compilation<'_>) -> ResourceId {
        let name = self.name(ResourceKind::LogAnalyticsWorkspace, &WORKSPACE, Architecture::Core, compilation);
        let mut workspace = Desired {
            creation_body: json!({
                "properties": {
                    "sku": { "name": "PerGB2018" },
                    "features": { "enableLogAccessUsingOnlyResourcePermissions": true },
                },
            }),
            ..self.part(&WORKSPACE, &name, json!({}), publish, compilation)
        };
        property::put(OF_WORKSPACE, self.settings, &mut workspace, compilation);
        let id = workspace.id.clone();
        compilation.add(workspace);
        id
    }

    fn component(
        &self,
        publish: Option<&Published>,
        workspace: &ResourceId,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        let name = self.name(ResourceKind::ApplicationInsights, &COMPONENT, Architecture::Core, compilation);
        let body = json!({
            "properties": {
                // What was made without a workspace is moved to one only with this mode.
                "IngestionMode": "LogAnalytics",
                "WorkspaceResourceId": workspace.as_str(),
            },
        });
        let component = self.part(&COMPONENT, &name, body, publish, compilation);
        let id = component.id.clone();
        compilation.add(Desired {
            creation_body: json!({ "kind": "web", "properties": { "Application_Type": "web" } }),
            depends_on: vec![workspace.clone()],
            ..component
        });
        id
    }

    /// A resource in the group of the run, where the document says.
    fn part(
        &self,
        resource_type: &'static ResourceType,
        name: &str,
        body: Value,
        publish: Option<&Published>,
        compilation: &Compilation<'_>,
    ) -> Desired {
        let mut whole = json!({ "location": self.location });
        if let (Some(members), Value::Object(body)) = (whole.as_object_mut(), body) {
            members.extend(body);
        }
        let place = publish.map_or_else(|| self.root.clone(), |publish| publish.place.clone());
        Desired {
            tags: compilation.tags(publish),
            origins: vec![LOCATION_ORIGIN],
            ..Desired::new(resource_type.child_of(self.group, name), resource_type, whole, place)
        }
    }
}
