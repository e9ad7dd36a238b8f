//! The document of the metric alert rules of a resource group.

use serde_json::Value;

use super::GROUP_NAME;
use super::rule::{PREFIX, PROPERTIES};
use crate::azure::types::METRIC_ALERT;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::commands::shared::alerts::export::{
    RulePlace, WrittenRule, action_group_names, group_names, ids, published_names, rule_place, schedule, write_groups,
};
use crate::commands::shared::export::{Estate, Export, Exported, Names, Reading, There, list, plain, required};
use crate::commands::shared::property;
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export { reads: &[Reading::of(&METRIC_ALERT)], further: |_| Vec::new(), write };

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "metricAlerts")], ..Exported::default() };
    let names = group_names(estate, GROUP_NAME, &mut exported);
    let mut rules = Vec::new();
    for there in estate.of_type(&METRIC_ALERT) {
        match rule(there, estate) {
            Ok(rule) => rules.push(rule),
            Err(why) => exported.leave_out(&METRIC_ALERT, there, &why),
        }
    }
    let set = |kind: Option<String>| required("resourceType", kind.unwrap_or_default());
    write_groups(rules, (&METRIC_ALERT, "metricAlert"), names, set, &mut exported);
    exported
}

/// A rule as the document says it.
///
/// # Errors
/// Why the settings cannot say it.
fn rule<'a>(there: &'a There, estate: &Estate<'_>) -> Result<WrittenRule<'a>, String> {
    estate.check(there)?;
    let criteria = there.body.pointer("/properties/criteria/allOf").and_then(Value::as_array);
    if criteria.is_none_or(Vec::is_empty) {
        return Err("it has no condition on a metric: it is of a web test".to_owned());
    }
    let resource_type = resource_type(there);
    let place = place(there, &resource_type, estate)?;
    let (keys, names) = alert(there, &resource_type, estate)?;
    Ok(WrittenRule { there, place, keys, names })
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

/// The keys of an alert, without its name, and the names of its `service`.
///
/// # Errors
/// Why the settings cannot say it.
fn alert(there: &There, resource_type: &str, estate: &Estate<'_>) -> Result<(Vec<WrittenKey>, Names), String> {
    let text = |path: &str| there.said(path).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    let mut keys: Vec<WrittenKey> = Vec::new();
    keys.extend(text("properties.description").map(|text| plain("description", text)));
    keys.extend(text("properties.targetResourceRegion").map(|region| required("targetResourceLocation", region)));
    keys.extend(property::keys(PROPERTIES, &METRIC_ALERT, &there.body));
    keys.extend(schedule(there));
    let criteria = there.said("properties.criteria.allOf");
    let criteria = criteria.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let conditions = criteria.iter().map(|criterion| Written::Object(condition(criterion, resource_type))).collect();
    keys.extend(list("conditions", conditions).map(|key| WrittenKey { is_required: true, ..key }));
    let scopes = ids(&there.body, "/properties/scopes", "");
    let is_group = |id: &ResourceId| id.is_of_type(RESOURCE_GROUP_TYPE);
    let watched =
        if !scopes.is_empty() && scopes.iter().all(is_group) { "targetResourceGroups" } else { "targetResources" };
    let mut names = Names::default();
    let dependencies = [
        action_group_names(&ids(&there.body, "/properties/actions", "actionGroupId"), estate),
        published_names(watched, &scopes, "resource that it watches,", estate),
    ];
    for names_of in dependencies {
        names.dependencies.extend(names_of?);
    }
    names.publish.extend(estate.published(there).map(|name| plain("metricAlert", name)));
    Ok((keys, names))
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
    let kind = criterion.get("criterionType").and_then(Value::as_str);
    let is_dynamic = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("DynamicThresholdCriterion"));
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
