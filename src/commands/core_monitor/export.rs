//! The document of the monitoring in a resource group.

use serde_json::Value;

use super::advisor::LOWEST;
use super::alerts::OF_RULE;
use super::alerts::{ALERTS, IMPACTED_REGIONS, KnownAlert};
use super::diagnostics::{OF_KEY_VAULT, OF_WHAT_IS_MADE};
use super::foundation::OF_WORKSPACE;
use super::receivers::lists;
use super::solutions::name_of_solution;
use super::{COMMAND, GLOBAL};
use crate::azure::types::{
    ACTION_GROUP, ACTIVITY_LOG_ALERT, ADVISOR_CONFIGURATION, COMPONENT, DIAGNOSTIC_SETTING, KEY_VAULT, RESOURCE_GROUP,
    SOLUTION, STORAGE_ACCOUNT, WORKSPACE,
};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::alerts::export::ids;
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, id_at, list, name_of, object, plain, required, said,
};
use crate::commands::shared::property;
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[
        Reading::of(&ACTIVITY_LOG_ALERT).besides(),
        Reading::of(&ACTION_GROUP),
        Reading::of(&WORKSPACE).with(|_| vec![&DIAGNOSTIC_SETTING]).besides(),
        Reading::of(&COMPONENT).with(|_| vec![&DIAGNOSTIC_SETTING]).besides(),
        Reading::of(&STORAGE_ACCOUNT).besides(),
        Reading::of(&SOLUTION).besides(),
    ],
    further,
    write,
};

/// A resource that is named as the document is.
struct Part {
    /// The key in `service.publish` and `service.dependencies`.
    key: &'static str,
    resource_type: &'static ResourceType,
    kind: ResourceKind,
    architecture: Architecture,
}

const STORAGE_PART: Part = Part {
    key: "storage",
    resource_type: &STORAGE_ACCOUNT,
    kind: ResourceKind::StorageAccount,
    architecture: Architecture::Iaas,
};
const WORKSPACE_PART: Part = Part {
    key: "workspace",
    resource_type: &WORKSPACE,
    kind: ResourceKind::LogAnalyticsWorkspace,
    architecture: Architecture::Core,
};
const COMPONENT_PART: Part = Part {
    key: "appInsights",
    resource_type: &COMPONENT,
    kind: ResourceKind::ApplicationInsights,
    architecture: Architecture::Core,
};

/// The configuration of the subscription, and the diagnostic settings of every key vault that the document could name.
fn further(estate: &Estate<'_>) -> Vec<(ResourceId, &'static ResourceType)> {
    let advisor = (ADVISOR_CONFIGURATION.child_of(&estate.project.run.subscription, "default"), &ADVISOR_CONFIGURATION);
    let vaults = estate.services.published_of(&KEY_VAULT);
    let vaults = vaults.map(|(id, _)| (DIAGNOSTIC_SETTING.child_of(id, OF_KEY_VAULT), &DIAGNOSTIC_SETTING));
    std::iter::once(advisor).chain(vaults).collect()
}

/// The resources that a document is written of, and the name from which its resources are generated.
struct Document<'a> {
    estate: &'a Estate<'a>,
    name: String,
    /// The action groups that it says, with their names in it.
    groups: Vec<(ResourceId, String)>,
}

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", COMMAND.component)], ..Exported::default() };
    let location = estate.group.location();
    let made = (ResourceKind::ResourceGroup, Architecture::Core, Some(location));
    let groups = WrittenKey { is_required: true, ..WrittenKey::new("actionGroups", Written::List(Vec::new())) };
    let Some(name) = estate.name_behind(estate.group.id.name(), &RESOURCE_GROUP, made) else {
        exported.leave_out(&RESOURCE_GROUP, estate.group, NOT_GENERATED);
        exported.keys.push(groups);
        return exported;
    };
    let mut document = Document { estate, name, groups: Vec::new() };
    exported.keys.extend([required("name", document.name.clone()), required("location", location)]);
    exported.keys.push(required("advisorLowCPUThresholdPercentage", document.advisor_threshold()));
    let workspace = document.made(&WORKSPACE_PART);
    let of_workspace = workspace.map(|workspace| property::keys(OF_WORKSPACE, &WORKSPACE, &workspace.body));
    exported.keys.extend(of_workspace.into_iter().flatten());
    let groups = WrittenKey { value: Written::List(document.action_groups(&mut exported)), ..groups };
    exported
        .keys
        .extend(document.service(&mut exported.notes).key().map(|key| WrittenKey { is_required: true, ..key }));
    let alerts = document.alerts(&mut exported).into_iter().map(|key| WrittenKey { is_required: true, ..key });
    exported.keys.extend(object("alerts", alerts.collect()).map(|key| WrittenKey { is_required: true, ..key }));
    exported.keys.push(groups);
    exported
}

impl<'a> Document<'a> {
    /// The threshold of Azure Advisor in percent; what Azure takes without a configuration is the lowest.
    fn advisor_threshold(&self) -> i64 {
        let mut configured = self.estate.of_type(&ADVISOR_CONFIGURATION);
        let said = configured.find_map(|there| there.said("properties.lowCpuThreshold"));
        said.and_then(|said| said.as_i64().or_else(|| said.as_str()?.parse().ok())).unwrap_or(LOWEST)
    }

    /// The resource in the group that is named as the document is.
    fn made(&self, part: &Part) -> Option<&'a There> {
        let made = (part.kind, part.architecture, Some(self.estate.group.location()));
        self.estate.generated(part.resource_type, &self.name, made)
    }

    /// The publish names of what is made, and of what is used.
    fn service(&self, notes: &mut Vec<String>) -> Names {
        let estate = self.estate;
        let mut names = Names::default();
        let mut publish = |key: &str, there: Option<&There>| {
            // Each of them has to have one, so the name of the key stands for one that is missing: a plan shows the tag.
            let name = there.and_then(|there| estate.published(there)).unwrap_or(key);
            names.publish.push(required(key, name));
        };
        publish("resourceGroup", Some(estate.group));
        for alert in ALERTS {
            publish(alert.publish, self.alert(alert.suffix));
        }
        let used = [self.used_storage(), self.used_workspace(), self.used_component()];
        for (part, used) in [STORAGE_PART, WORKSPACE_PART, COMPONENT_PART].iter().zip(used) {
            if let Some(there) = self.made(part) {
                publish(part.key, Some(there));
            } else if let Some(name) = used.and_then(|id| estate.publish_name(&id)) {
                names.dependencies.push(required(part.key, name));
            } else {
                let label = part.resource_type.label;
                notes.push(format!("It names no {label}: none has the name that the convention generates, and none with a publish name is in use."));
            }
        }
        let workspace = self.workspace();
        let solution = workspace.as_ref().map(|workspace| name_of_solution("KeyVaultAnalytics", workspace.name()));
        let solution = estate.of_type(&SOLUTION).find(|there| solution.as_deref() == Some(there.id.name()));
        names.publish.extend(solution.and_then(|there| estate.published(there)).map(|name| plain("solution", name)));
        let name = self.vault().and_then(|vault| estate.publish_name(&vault)).unwrap_or_else(|| {
            notes.push("No published key vault sends its audit log to the workspace: name one in service.dependencies.keyvault.".to_owned());
            "key-vault"
        });
        names.dependencies.insert(0, required("keyvault", name));
        names
    }

    /// The workspace, made or used.
    fn workspace(&self) -> Option<ResourceId> {
        self.made(&WORKSPACE_PART).map(|there| there.id.clone()).or_else(|| self.used_workspace())
    }

    /// The workspace that application insights or else a key vault sends to.
    fn used_workspace(&self) -> Option<ResourceId> {
        let component =
            self.made(&COMPONENT_PART).and_then(|there| id_at(&there.body, "properties.WorkspaceResourceId"));
        component.or_else(|| self.of_vaults().find_map(|there| id_at(&there.body, WORKSPACE_OF_SETTING)))
    }

    /// The first application insights that are published: nobody sends to them.
    fn used_component(&self) -> Option<ResourceId> {
        self.estate.services.published_of(&COMPONENT).next().map(|(id, _)| id.clone())
    }

    /// The storage account that the workspace or application insights send to.
    fn used_storage(&self) -> Option<ResourceId> {
        let made = [self.made(&WORKSPACE_PART), self.made(&COMPONENT_PART)];
        let settings = made.into_iter().flatten().flat_map(|there| there.items(&DIAGNOSTIC_SETTING));
        let mut settings = settings.filter(|setting| name_of(setting) == OF_WHAT_IS_MADE);
        settings.find_map(|setting| id_at(setting, "properties.storageAccountId"))
    }

    /// The diagnostic settings of key vaults that are named as those of the command.
    fn of_vaults(&self) -> impl Iterator<Item = &'a There> {
        self.estate.of_type(&DIAGNOSTIC_SETTING).filter(|there| there.id.name() == OF_KEY_VAULT)
    }

    /// The key vault whose audit log goes to the workspace.
    fn vault(&self) -> Option<ResourceId> {
        let workspace = Some(self.workspace()?);
        self.of_vaults().find(|there| id_at(&there.body, WORKSPACE_OF_SETTING) == workspace)?.id.parent()
    }

    /// The alert rule with an end of its name.
    fn alert(&self, suffix: &str) -> Option<&'a There> {
        let name = format!("{}-{suffix}", self.name);
        let made = (ResourceKind::Alert, Architecture::Core, Some(GLOBAL));
        self.estate.generated(&ACTIVITY_LOG_ALERT, &name, made)
    }

    /// The keys of the alert rules. One that does not exist notifies the first group, and a plan makes it.
    fn alerts(&self, exported: &mut Exported) -> Vec<WrittenKey> {
        let known: Vec<&There> = ALERTS.iter().filter_map(|alert| self.alert(alert.suffix)).collect();
        for other in self.estate.of_type(&ACTIVITY_LOG_ALERT) {
            if !known.iter().any(|known| known.id == other.id) {
                exported.leave_out(&ACTIVITY_LOG_ALERT, other, "it is none of the three that the settings have");
            }
        }
        let keys = |alert: &KnownAlert| {
            let there = self.alert(alert.suffix);
            let notified = there
                .map_or_else(Vec::new, |there| ids(&there.body, "/properties/actions/actionGroups", "actionGroupId"));
            let group = self.groups.iter().find(|(id, _)| notified.contains(id)).or_else(|| self.groups.first());
            let mut keys: Vec<WrittenKey> =
                group.map(|(_, name)| required("actionGroupName", name.clone())).into_iter().collect();
            let own = there.map(|there| property::keys(OF_RULE, &ACTIVITY_LOG_ALERT, &there.body));
            keys.extend(own.into_iter().flatten());
            if alert.has_locations {
                keys.extend(there.and_then(impacted_locations));
            }
            object(alert.key, keys)
        };
        ALERTS.iter().filter_map(keys).collect()
    }

    /// The action groups.
    fn action_groups(&mut self, exported: &mut Exported) -> Vec<Written> {
        let mut items = Vec::new();
        for there in self.estate.of_type(&ACTION_GROUP) {
            let made = (ResourceKind::ActionGroup, Architecture::Core, Some(GLOBAL));
            let Some(name) = self.estate.name_behind(there.id.name(), &ACTION_GROUP, made) else {
                exported.leave_out(&ACTION_GROUP, there, NOT_GENERATED);
                continue;
            };
            self.groups.push((there.id.clone(), name.clone()));
            let mut keys = vec![required("name", name)];
            let short = there.said("properties.groupShortName").unwrap_or_else(|| "".into());
            keys.push(required("shortname", short));
            let publish = self.estate.published(there).map(|name| plain("actionGroup", name));
            keys.extend(Names { publish: publish.into_iter().collect(), ..Names::default() }.key());
            keys.extend(lists().filter_map(|(path, key)| list(key, receivers(there, path, key))));
            items.push(Written::Object(keys));
        }
        items
    }
}

/// The path at which a diagnostic setting has the workspace that it sends to.
const WORKSPACE_OF_SETTING: &str = "properties.workspaceId";

/// The locations that a service health alert reports.
fn impacted_locations(there: &There) -> Option<WrittenKey> {
    let conditions = there.body.pointer("/properties/condition/allOf")?.as_array()?;
    let of_locations = conditions.iter().find(|condition| {
        condition.get("field").and_then(Value::as_str).is_some_and(|field| field.eq_ignore_ascii_case(IMPACTED_REGIONS))
    });
    let locations = of_locations?.get("containsAny")?.as_array()?;
    list("impactedLocations", locations.iter().map(|location| Written::Plain(location.clone())).collect())
}

/// The receivers in a list of an action group, with the members that the settings have in a list of their own.
fn receivers(there: &There, path: &str, setting: &str) -> Vec<Written> {
    let Some(Value::Array(receivers)) = there.said(path) else { return Vec::new() };
    let schema = COMMAND.type_schema();
    let members = format!("/properties/actionGroups/items/properties/{setting}/items/properties");
    let members = schema.pointer(&members).and_then(Value::as_object);
    let keys = |receiver: &Value| {
        let said = |member: &String| said(receiver, member).map(|value| required(member, value));
        members.into_iter().flat_map(serde_json::Map::keys).filter_map(said).collect()
    };
    receivers.iter().map(|receiver| Written::Object(keys(receiver))).collect()
}
