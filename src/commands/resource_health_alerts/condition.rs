//! The condition of the rule of a resource health alert.

use serde_json::{Value, json};

use super::settings::{Alert, ReasonType};
use crate::azure::ResourceId;
use crate::commands::shared::alerts::{Target, all_published, is_resource_type, not_a_resource_type};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::property::spelled;
use crate::commands::shared::service::{Named, is_nothing};
use crate::commands::shared::wanted::Wanted;
use crate::protocol::FindingCode;
use crate::settings::Place;

const TARGET_RESOURCES: &str = "service.dependencies.targetResources";
const TARGET_GROUPS: &str = "service.dependencies.targetResourceGroups";

/// The fields of the conditions: groups, resources, types, statuses of events, reasons, the health now and before.
pub(super) const FIELDS: [&str; 7] = [
    "resourceGroup",
    "resourceId",
    "resourceType",
    "status",
    "properties.cause",
    "properties.currentHealthStatus",
    "properties.previousHealthStatus",
];

/// The category, and one "any of" for each kind of thing that the settings name.
pub(super) fn conditions(alert: &Alert, place: &Place, compilation: &mut Compilation<'_>) -> Vec<Value> {
    let (groups, resources) = targets(alert, place, compilation);
    let types = resource_types(alert, place, compilation);
    warn_of_what_cannot_fire(&groups, &resources, &types, place, compilation);
    let health = alert.health_status.as_ref();
    let (current, previous) =
        (health.and_then(|health| health.current.as_ref()), health.and_then(|health| health.previous.as_ref()));
    let parts: [Vec<String>; FIELDS.len()] = [
        groups.iter().map(|target| target.found.id.name().to_owned()).collect(),
        resources.iter().map(|target| target.found.id.to_string()).collect(),
        types,
        alert.event_status.iter().flatten().map(spelled).collect(),
        // Azure has the reasons without the blank that the settings have.
        alert.reason_type.iter().flatten().map(in_one_word).collect(),
        current.into_iter().flatten().map(spelled).collect(),
        previous.into_iter().flatten().map(spelled).collect(),
    ];
    let parts = FIELDS.into_iter().zip(parts);
    let category = json!({ "field": "category", "equals": "ResourceHealth" });
    std::iter::once(category).chain(parts.filter_map(|(field, values)| any_of(field, values))).collect()
}

/// Any of the values, each of them once in whatever letter case; none where there are no values.
fn any_of(field: &str, values: Vec<String>) -> Option<Value> {
    let mut once: Vec<String> = Vec::with_capacity(values.len());
    for value in values {
        if !once.iter().any(|known| known.eq_ignore_ascii_case(&value)) {
            once.push(value);
        }
    }
    let leaves: Vec<Value> = once.iter().map(|value| json!({ "field": field, "equals": value })).collect();
    (!leaves.is_empty()).then(|| json!({ "anyOf": leaves }))
}

/// The resource groups and the resources that the rule is about; without either it is about the whole subscription.
fn targets(alert: &Alert, place: &Place, compilation: &mut Compilation<'_>) -> (Vec<Target>, Vec<Target>) {
    let own = alert.service.dependencies();
    let groups = own.and_then(|own| own.target_resource_groups.as_ref());
    let resources = own.and_then(|own| own.target_resources.as_ref());
    let some = |names: Option<&Vec<String>>| names.is_some_and(|names| names.iter().any(|name| !is_nothing(name)));
    if !some(groups) && !some(resources) {
        for setting in [TARGET_RESOURCES, TARGET_GROUPS].map(|setting| place.dotted(setting)) {
            if setting.is_left_empty() {
                let message = "the list is empty, so the rule would hold for the whole subscription; name a target, or use none if that is meant";
                compilation.finding(setting, FindingCode::EmptyItem, message);
            }
        }
        let none = [(resources, TARGET_RESOURCES), (groups, TARGET_GROUPS)];
        if let Some((_, setting)) = none.iter().find(|(names, _)| names.is_some()) {
            let message = "none stands for no targets, so the rule holds for the whole subscription";
            compilation.warning(&place.dotted(setting), message);
        }
    }
    let mut all = |names: Option<&Vec<String>>, setting: &str, wanted: Wanted<'_>| {
        all_published(names.map_or(&[], Vec::as_slice), wanted, &place.dotted(setting), compilation)
    };
    (all(groups, TARGET_GROUPS, Wanted::GROUP), all(resources, TARGET_RESOURCES, Wanted::Any))
}

/// The types to report. What is no type would make a condition that nothing fulfils.
fn resource_types(alert: &Alert, place: &Place, compilation: &mut Compilation<'_>) -> Vec<String> {
    let place = place.dotted("resourceTypes");
    if place.is_left_empty() {
        compilation.warning(&place, "the list is empty, so the rule holds for all types");
    }
    let given: Vec<(usize, &String)> =
        alert.resource_types.iter().flatten().enumerate().filter(|(_, text)| !is_nothing(text)).collect();
    let types: Vec<String> =
        given.iter().filter(|(_, text)| is_resource_type(text)).map(|(_, text)| (*text).clone()).collect();
    for (index, text) in given.iter().filter(|(_, text)| !is_resource_type(text)) {
        let all = if types.is_empty() { ", and the rule holds for all types" } else { "" };
        compilation.warning(&place.index(*index), format!("{}; it is ignored{all}", not_a_resource_type(text)));
    }
    types
}

/// The kinds of things are joined with "and": a resource that is not in one of the groups, or of one of the types, is never
/// reported.
fn warn_of_what_cannot_fire(
    groups: &[Target],
    resources: &[Target],
    types: &[String],
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    let is_known = |targets: &[Target]| targets.iter().all(|target| !target.found.placeholder);
    if resources.is_empty() || !is_known(groups) || !is_known(resources) {
        return;
    }
    let is_in_group = |id: &ResourceId| groups.iter().any(|group| id.group_id().as_ref() == Some(&group.found.id));
    let is_of_type = |id: &ResourceId| types.iter().any(|kind| kind.eq_ignore_ascii_case(&id.resource_type()));
    let mut warn = |is_reported: &dyn Fn(&ResourceId) -> bool, of: &str| {
        let outside: Vec<&Target> = resources.iter().filter(|target| !is_reported(&target.found.id)).collect();
        if outside.len() == resources.len() {
            let message = format!("none of the target resources is {of}, so the rule never fires");
            compilation.warning(&place.dotted(TARGET_RESOURCES), message);
        } else {
            for target in outside {
                let message = format!("'{}' is not {of}, so the rule never fires for it", target.found.id);
                compilation.warning(&target.place, message);
            }
        }
    };
    if !groups.is_empty() {
        warn(&is_in_group, "in the target resource groups");
    }
    if !types.is_empty() {
        warn(&is_of_type, "of the resource types");
    }
}

/// A reason as Azure spells it.
pub(super) fn in_one_word(reason: &ReasonType) -> String {
    spelled(reason).replace(' ', "")
}
