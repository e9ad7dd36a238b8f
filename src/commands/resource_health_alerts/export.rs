//! The document of the resource health alert rules of a resource group.

use serde_json::Value;

use super::GROUP_NAME;
use super::condition::{FIELDS, spelled};
use super::settings::ReasonType;
use crate::azure::ResourceId;
use crate::azure::types::ACTIVITY_LOG_ALERT;
use crate::commands::shared::alerts::export::{action_group_names, group_names, ids, published_names};
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, list, object, plain,
};
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export =
    Export { reads: &[Reading { resource_type: &ACTIVITY_LOG_ALERT, below: |_| Vec::new() }], write };

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "resourceHealthAlerts")], notes: Vec::new() };
    let service = group_names(estate, GROUP_NAME, &mut exported).key();
    exported.keys.extend(service);
    let mut alerts = Vec::new();
    for there in estate.of_type(&ACTIVITY_LOG_ALERT) {
        match alert(there, estate) {
            Ok(keys) => alerts.push(Written::Object(keys)),
            Err(why) => exported.leave_out(&ACTIVITY_LOG_ALERT, there, &why),
        }
    }
    let alerts = WrittenKey { is_required: true, ..WrittenKey::new("alerts", Written::List(alerts)) };
    exported.keys.push(alerts);
    exported
}

/// The keys of an alert.
///
/// # Errors
/// Why the settings cannot say it.
fn alert(there: &There, estate: &Estate<'_>) -> Result<Vec<WrittenKey>, String> {
    let made = (ResourceKind::Alert, Architecture::Monitor, Some(estate.group.location()));
    let name = estate.name_behind(there.id.name(), &ACTIVITY_LOG_ALERT, made).ok_or(NOT_GENERATED)?;
    let [groups, resources, types, statuses, reasons, current, previous] = FIELDS.map(|field| values(there, field));
    let mut keys = vec![plain("name", name)];
    let description = there.said("properties.description");
    let description = description.filter(|text| text.as_str().is_some_and(|text| !text.is_empty()));
    keys.extend(description.map(|text| plain("description", text)));
    keys.extend(there.said("properties.enabled").map(|enabled| plain("enabled", enabled)));
    keys.extend(texts("eventStatus", statuses));
    keys.extend(texts("reasonType", reasons.iter().map(|reason| with_blank(reason)).collect()));
    keys.extend(texts("resourceTypes", types));
    let health = [texts("current", current), texts("previous", previous)];
    keys.extend(object("healthStatus", health.into_iter().flatten().collect()));
    let groups: Vec<ResourceId> = groups.iter().map(|name| estate.project.subscription.group(name)).collect();
    let resources: Vec<ResourceId> = resources.iter().filter_map(|id| ResourceId::checked(id)).collect();
    let mut names = Names::default();
    let actions = ids(&there.body, "/properties/actions/actionGroups", "actionGroupId");
    names.dependencies.extend(action_group_names(&actions, estate)?);
    names.dependencies.extend(published_names("targetResources", &resources, "resource that it watches,", estate)?);
    let what = "resource group that it watches,";
    names.dependencies.extend(published_names("targetResourceGroups", &groups, what, estate)?);
    names.publish.extend(estate.published(there).map(|name| plain("resourceHealthAlert", name)));
    keys.extend(names.key());
    Ok(keys)
}

/// The values of a field in the conditions of a rule.
fn values(there: &There, field: &str) -> Vec<String> {
    let conditions = there.body.pointer("/properties/condition/allOf").and_then(Value::as_array);
    let any = conditions.into_iter().flatten().filter_map(|condition| condition.get("anyOf")?.as_array()).flatten();
    let of_field = any.filter(|leaf| leaf.get("field").and_then(Value::as_str) == Some(field));
    of_field.filter_map(|leaf| leaf.get("equals")?.as_str().map(str::to_owned)).collect()
}

/// A reason as the settings spell it: Azure has it without the blank.
fn with_blank(reason: &str) -> String {
    let all = [ReasonType::PlatformInitiated, ReasonType::UserInitiated, ReasonType::Unknown];
    let known = all.iter().find(|known| format!("{known:?}").eq_ignore_ascii_case(reason));
    known.map_or_else(|| reason.to_owned(), spelled)
}

fn texts(key: &str, texts: Vec<String>) -> Option<WrittenKey> {
    list(key, texts.into_iter().map(|text| Written::Plain(text.into())).collect())
}
