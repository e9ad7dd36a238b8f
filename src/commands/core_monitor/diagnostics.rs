//! Diagnostic settings: of what is made, of the key vault, and of the subscription, whose activity log goes to the workspace.

use serde_json::{Value, json};

use super::Run;
use super::foundation::Foundation;
use crate::azure::ResourceId;
use crate::azure::types::{DIAGNOSTIC_SETTING, KEY_VAULT};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::wanted::Wanted;
use crate::desired::Desired;
use crate::settings::Place;

/// The settings of the workspace and of application insights, as the replaced module called them: another name would be a
/// second setting.
pub(super) const OF_WHAT_IS_MADE: &str = "Diagnostics";
/// The setting of the key vault, for the same reason.
pub(super) const OF_KEY_VAULT: &str = "Service";

/// The categories of the activity log ("Azure activity log event schema", categories).
const ACTIVITY_LOGS: &[&str] = &[
    "Administrative",
    "Security",
    "ServiceHealth",
    "Alert",
    "Recommendation",
    "Policy",
    "Autoscale",
    "ResourceHealth",
];

impl Run<'_> {
    /// Adds the settings. That of the workspace comes after its solutions: it says to later runs that they have been tried.
    pub(super) fn diagnostics(
        &self,
        foundation: &Foundation,
        solutions: &[ResourceId],
        compilation: &mut Compilation<'_>,
    ) {
        let (storage, workspace) = (&foundation.storage, &foundation.workspace);
        let place = |key: &str| self.root.dotted(&format!("service.{key}"));
        let metrics = json!([{ "category": "AllMetrics", "enabled": true }]);
        if workspace.is_made {
            let properties = json!({
                "workspaceId": workspace.id.as_str(),
                "storageAccountId": storage.as_str(),
                "logs": [{ "category": "Audit", "enabled": true }],
                "metrics": metrics,
            });
            let place = self.root.dotted(workspace.setting);
            let before: Vec<&ResourceId> = std::iter::once(storage).chain(solutions).collect();
            add(&workspace.id, OF_WHAT_IS_MADE, properties, &before, &place, compilation);
        }
        if let Some(component) = &foundation.made_component {
            // Its logs are in the workspace already.
            let properties = json!({
                "storageAccountId": storage.as_str(),
                "logs": [{ "categoryGroup": "allLogs", "enabled": true }],
                "metrics": metrics,
            });
            add(component, OF_WHAT_IS_MADE, properties, &[storage], &place("publish.appInsights"), compilation);
        }
        let vault_place = place("dependencies.keyvault");
        let service = &self.settings.service.dependencies.keyvault;
        let wanted = compilation.find(Wanted::Type(KEY_VAULT.name)).published_as(service, &vault_place);
        // In a new environment the vault may be made after its monitoring.
        let later = "its audit log goes nowhere yet; run the command again when the key vault is there";
        if let Some(vault) = wanted.near(Some(self.location)).one_or_later(later) {
            let properties = json!({
                "workspaceId": workspace.id.as_str(),
                "logs": [{ "categoryGroup": "audit", "enabled": true }],
            });
            add(&vault.id, OF_KEY_VAULT, properties, &[&workspace.id], &vault_place, compilation);
        }
        let logs: Vec<Value> =
            ACTIVITY_LOGS.iter().map(|category| json!({ "category": category, "enabled": true })).collect();
        let properties = json!({ "workspaceId": workspace.id.as_str(), "logs": logs });
        // Named after the workspace: a subscription may have several core documents, each with its own workspace, and under
        // one name they would take the log from each other.
        let (subscription, name) = (compilation.subscription().clone(), workspace.id.name());
        add(&subscription, name, properties, &[&workspace.id], &self.root.dotted(workspace.setting), compilation);
    }
}

/// The setting of the workspace that a run makes.
pub(super) fn of_workspace(workspace: &ResourceId) -> ResourceId {
    DIAGNOSTIC_SETTING.child_of(workspace, OF_WHAT_IS_MADE)
}

fn add(
    of: &ResourceId,
    name: &str,
    properties: Value,
    after: &[&ResourceId],
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    let id = DIAGNOSTIC_SETTING.child_of(of, name);
    compilation.add(Desired {
        depends_on: after.iter().map(|id| (*id).clone()).collect(),
        ..Desired::new(id, &DIAGNOSTIC_SETTING, json!({ "properties": properties }), place.clone())
    });
}
