//! The document of the metric alert rules of a resource group.

use serde_json::{Value, json};

use super::{GROUP_NAME, rule::PREFIX};
use crate::azure::types::METRIC_ALERT;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::commands::shared::alerts::export::{
    NO_PLACE, RulePlace, SetOfRules, action_group_names, group_names, grouped, ids, published_names, rule_place,
    schedule, severity,
};
use crate::commands::shared::export::{Estate, Export, Exported, Names, Reading, There, list, plain, required};
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export =
    Export { reads: &[Reading { resource_type: &METRIC_ALERT, below: |_| Vec::new() }], write };

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "metricAlerts")], notes: Vec::new() };
    let service = group_names(estate, GROUP_NAME, &mut exported).key();
    exported.keys.extend(service);
    let (mut places, mut rules): (Vec<RulePlace>, Vec<(&There, Vec<WrittenKey>)>) = (Vec::new(), Vec::new());
    for there in estate.of_type(&METRIC_ALERT) {
        let resource_type = resource_type(there);
        let written =
            place(there, &resource_type, estate).and_then(|place| Ok((place, alert(there, &resource_type, estate)?)));
        match written {
            Ok((place, keys)) => {
                places.push(place);
                rules.push((there, keys));
            }
            Err(why) => exported.leave_out(&METRIC_ALERT, there, &why),
        }
    }
    let (groups, left) = grouped(&places);
    left.into_iter().for_each(|rule| exported.leave_out(&METRIC_ALERT, rules[rule].0, NO_PLACE));
    let set = |set: SetOfRules| {
        let alerts = set.alerts.into_iter().map(|(rule, name)| {
            let name = name.map(|name| plain("name", name));
            Written::Object(name.into_iter().chain(rules[rule].1.iter().cloned()).collect())
        });
        let alerts = WrittenKey { is_required: true, ..WrittenKey::new("alerts", Written::List(alerts.collect())) };
        Written::Object(vec![required("resourceType", set.kind.unwrap_or_default()), alerts])
    };
    let groups = groups.into_iter().map(|(name, sets)| {
        let sets = Written::List(sets.into_iter().map(set).collect());
        let sets = WrittenKey { is_required: true, ..WrittenKey::new("alertSets", sets) };
        Written::Object(vec![required("name", name), sets])
    });
    let groups = Written::List(groups.collect());
    exported.keys.push(WrittenKey { is_required: true, ..WrittenKey::new("groups", groups) });
    exported
}

/// The type of what a rule watches.
fn resource_type(there: &There) -> String {
    let own = there.said("properties.targetResourceType").and_then(|value| value.as_str().map(str::to_owned));
    let of_scope = || ids(&there.body, "/properties/scopes", "").first().map(ResourceId::resource_type);
    own.filter(|own| !own.is_empty()).or_else(of_scope).unwrap_or_default()
}

fn place(there: &There, resource_type: &str, estate: &Estate<'_>) -> Result<RulePlace, String> {
    let location = there.said("properties.targetResourceRegion");
    let location = location.as_ref().and_then(Value::as_str).unwrap_or_default();
    let place = rule_place(there, &METRIC_ALERT, PREFIX, location, estate)?;
    Ok(place.of_kind(Some(resource_type.to_owned())))
}

/// The keys of an alert, without its name.
///
/// # Errors
/// Why the settings cannot say it.
fn alert(there: &There, resource_type: &str, estate: &Estate<'_>) -> Result<Vec<WrittenKey>, String> {
    let text = |path: &str| there.said(path).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    let mut keys: Vec<WrittenKey> = Vec::new();
    keys.extend(text("properties.description").map(|text| plain("description", text)));
    keys.extend(text("properties.targetResourceRegion").map(|region| required("targetResourceLocation", region)));
    keys.extend(there.said("properties.enabled").map(|enabled| plain("enabled", enabled)));
    keys.extend(severity(there));
    keys.extend(schedule(there));
    let criteria = there.said("properties.criteria.allOf");
    let criteria = criteria.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let conditions = criteria.iter().map(|criterion| Written::Object(condition(criterion, resource_type))).collect();
    keys.extend(list("conditions", conditions).map(|key| WrittenKey { is_required: true, ..key }));
    let scopes = ids(&there.body, "/properties/scopes", "");
    let is_group = |id: &ResourceId| id.resource_type().eq_ignore_ascii_case(RESOURCE_GROUP_TYPE);
    let watched =
        if !scopes.is_empty() && scopes.iter().all(is_group) { "targetResourceGroups" } else { "targetResources" };
    let mut names = Names::default();
    names.dependencies.extend(action_group_names(&ids(&there.body, "/properties/actions", "actionGroupId"), estate)?);
    names.dependencies.extend(published_names(watched, &scopes, "resource that it watches,", estate)?);
    names.publish.extend(estate.published(there).map(|name| plain("metricAlert", name)));
    keys.extend(names.key());
    Ok(keys)
}

/// The keys of a condition.
fn condition(criterion: &Value, resource_type: &str) -> Vec<WrittenKey> {
    let member = |key: &str| criterion.get(key).filter(|value| !value.is_null()).cloned();
    let same = |key: &'static str, from: &str| member(from).map(|value| required(key, value));
    let namespace = member("metricNamespace").filter(|namespace| {
        namespace.as_str().is_some_and(|text| !text.is_empty() && !text.eq_ignore_ascii_case(resource_type))
    });
    let mut keys: Vec<WrittenKey> = same("metricName", "metricName").into_iter().collect();
    keys.extend(namespace.map(|namespace| required("metricNamespace", namespace)));
    let is_dynamic = criterion.get("criterionType") == Some(&json!("DynamicThresholdCriterion"));
    let threshold: Vec<WrittenKey> = if is_dynamic {
        let periods = member("failingPeriods").map(|periods| {
            let period = |key: &str| Some(required(key, periods.get(key)?.clone()));
            let keys = ["minFailingPeriodsToAlert", "numberOfEvaluationPeriods"].into_iter().filter_map(period);
            WrittenKey::new("failingPeriods", Written::Object(keys.collect()))
        });
        let own = [
            same("operator", "operator"),
            same("sensitivity", "alertSensitivity"),
            same("timeAggregation", "timeAggregation"),
        ];
        own.into_iter().flatten().chain(periods).collect()
    } else {
        let own =
            [same("operator", "operator"), same("value", "threshold"), same("timeAggregation", "timeAggregation")];
        own.into_iter().flatten().collect()
    };
    let key = if is_dynamic { "dynamicThreshold" } else { "threshold" };
    keys.push(WrittenKey { is_required: true, ..WrittenKey::new(key, Written::Object(threshold)) });
    let dimensions = criterion.get("dimensions").and_then(Value::as_array).into_iter().flatten();
    keys.extend(
        list("dimensions", dimensions.map(Written::from).collect()).map(|key| WrittenKey { is_required: true, ..key }),
    );
    keys
}
