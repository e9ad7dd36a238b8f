//! The document of the resource health alert rules of a resource group.

use serde_json::Value;

use super::condition::{FIELDS, in_one_word};
use super::settings::ReasonType;
use super::{GROUP_NAME, PROPERTIES};
use crate::azure::ResourceId;
use crate::azure::types::ACTIVITY_LOG_ALERT;
use crate::commands::shared::alerts::export::{action_group_names, group_names, ids, published_names};
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, list, object, plain, said_once,
};
use crate::commands::shared::property;
use crate::commands::shared::property::spelled;
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

/// The field that says what kind of events a rule reports.
const CATEGORY: &str = "category";

pub(super) const EXPORT: Export = Export { reads: &[Reading::of(&ACTIVITY_LOG_ALERT)], further: |_| Vec::new(), write };

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "resourceHealthAlerts")], ..Exported::default() };
    let names = group_names(estate, GROUP_NAME, &mut exported);
    let mut alerts = Vec::new();
    for there in estate.of_type(&ACTIVITY_LOG_ALERT) {
        match alert(there, estate) {
            Ok(alert) => {
                // Without a part of what it reports, it would report more.
                exported.wholes.push((format!("alerts[{}]", alerts.len()), there.id.clone()));
                alerts.push(alert);
            }
            Err(why) => exported.leave_out(&ACTIVITY_LOG_ALERT, there, &why),
        }
    }
    let once = said_once(alerts.iter_mut().map(|(_, names)| names), &["actionGroups", "resourceHealthAlert"]);
    exported.keys.extend(names.and(once).key());
    let alerts = alerts.into_iter().map(|(keys, names)| names.item(keys)).collect();
    let alerts = WrittenKey { is_required: true, ..WrittenKey::new("alerts", Written::List(alerts)) };
    exported.keys.push(alerts);
    exported
}

/// The keys of an alert, and its names.
///
/// # Errors
/// Why the settings cannot say it.
fn alert(there: &There, estate: &Estate<'_>) -> Result<(Vec<WrittenKey>, Names), String> {
    estate.check(there)?;
    check_conditions(there)?;
    check_scope(there, estate)?;
    let made = (ResourceKind::Alert, Architecture::Monitor, Some(estate.group.location()));
    let name = estate.name_behind(there.id.name(), &ACTIVITY_LOG_ALERT, made).ok_or(NOT_GENERATED)?;
    let [groups, resources, types, statuses, reasons, current, previous] = FIELDS.map(|field| values(there, field));
    let mut keys = vec![plain("name", name)];
    let description = there.said("properties.description");
    let description = description.filter(|text| text.as_str().is_some_and(|text| !text.is_empty()));
    keys.extend(description.map(|text| plain("description", text)));
    keys.extend(property::keys(PROPERTIES, &ACTIVITY_LOG_ALERT, &there.body));
    keys.extend(texts("eventStatus", statuses));
    keys.extend(texts("reasonType", reasons.iter().map(|reason| with_blank(reason)).collect()));
    keys.extend(texts("resourceTypes", types));
    let health = [texts("current", current), texts("previous", previous)];
    let health = object("healthStatus", health.into_iter().flatten().collect());
    keys.extend(health.map(|key| WrittenKey { is_required: true, ..key }));
    let groups: Vec<ResourceId> = groups.iter().map(|name| estate.project.run.subscription.group(name)).collect();
    let resources: Vec<ResourceId> = resources.iter().filter_map(|id| ResourceId::checked(id)).collect();
    let mut names = Names::default();
    let actions = ids(&there.body, "/properties/actions/actionGroups", "actionGroupId");
    let dependencies = [
        action_group_names(&actions, estate),
        published_names("targetResources", &resources, "resource that it watches,", estate),
        published_names("targetResourceGroups", &groups, "resource group that it watches,", estate),
    ];
    for names_of in dependencies {
        names.dependencies.extend(names_of?);
    }
    names.publish.extend(estate.published(there).map(|name| plain("resourceHealthAlert", name)));
    Ok((keys, names))
}

/// Whether a rule reports the health of resources, by conditions that the settings have.
///
/// # Errors
/// Why it does not.
fn check_conditions(there: &There) -> Result<(), String> {
    let mut seen: Vec<String> = Vec::new();
    let mut category = None;
    for leaves in conditions(there) {
        let field = leaves.first().map(|leaf| field(leaf).to_owned()).unwrap_or_default();
        let equals: Option<Vec<&str>> = leaves.iter().map(|leaf| leaf.get("equals")?.as_str()).collect();
        let Some(equals) = equals.filter(|_| leaves.iter().all(|leaf| self::field(leaf).eq_ignore_ascii_case(&field)))
        else {
            return Err(format!("it has a condition on '{field}' that the settings cannot say"));
        };
        if seen.iter().any(|seen| seen.eq_ignore_ascii_case(&field)) {
            return Err(format!("it has two conditions on '{field}', and the settings have one"));
        }
        if field.eq_ignore_ascii_case(CATEGORY) && equals.len() == 1 {
            category = equals.first().copied();
        } else if !FIELDS.iter().any(|known| known.eq_ignore_ascii_case(&field)) {
            return Err(format!("it has a condition on '{field}', which the settings do not have"));
        }
        seen.push(field);
    }
    match category {
        Some(category) if category.eq_ignore_ascii_case("ResourceHealth") => Ok(()),
        Some(category) => Err(format!("it reports events of the category {category}, and not the health of resources")),
        None => Err("it reports events of every category, and not only the health of resources".to_owned()),
    }
}

/// Whether a rule watches what those of the settings do.
///
/// # Errors
/// Why it does not.
fn check_scope(there: &There, estate: &Estate<'_>) -> Result<(), String> {
    let scopes = there.body.pointer("/properties/scopes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let bare = |id: &str| id.trim_matches('/').to_ascii_lowercase();
    let subscription = bare(estate.project.run.subscription.as_str());
    match scopes {
        [Value::String(scope)] if bare(scope) == subscription => Ok(()),
        scopes => {
            let names = scopes.iter().filter_map(Value::as_str).map(|scope| format!("'{scope}'"));
            Err(format!(
                "its scope is {}, and a rule of the settings watches the whole subscription",
                names.collect::<Vec<_>>().join(", ")
            ))
        }
    }
}

/// The conditions of a rule, each as what any of is enough. One value is one of one.
fn conditions(there: &There) -> impl Iterator<Item = &[Value]> {
    let conditions = there.body.pointer("/properties/condition/allOf").and_then(Value::as_array);
    conditions.into_iter().flatten().map(|condition| {
        let any = condition.get("anyOf").and_then(Value::as_array).filter(|any| !any.is_empty());
        any.map_or(std::slice::from_ref(condition), Vec::as_slice)
    })
}

fn field(leaf: &Value) -> &str {
    leaf.get("field").and_then(Value::as_str).unwrap_or_default()
}

/// The values of a field in the conditions of a rule.
fn values(there: &There, name: &str) -> Vec<String> {
    let of_field = conditions(there).flatten().filter(|leaf| field(leaf).eq_ignore_ascii_case(name));
    of_field.filter_map(|leaf| leaf.get("equals")?.as_str().map(str::to_owned)).collect()
}

/// A reason as the settings spell it: Azure has it without the blank.
fn with_blank(reason: &str) -> String {
    let all = [ReasonType::PlatformInitiated, ReasonType::UserInitiated, ReasonType::Unknown];
    let known = all.iter().find(|known| in_one_word(known).eq_ignore_ascii_case(reason));
    known.map_or_else(|| reason.to_owned(), spelled)
}

/// The texts that a rule reports: it would be another one without.
fn texts(key: &str, texts: Vec<String>) -> Option<WrittenKey> {
    let list = list(key, texts.into_iter().map(|text| Written::Plain(text.into())).collect());
    list.map(|key| WrittenKey { is_required: true, ..key })
}
