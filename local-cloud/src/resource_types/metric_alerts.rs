//! Microsoft.Insights/metricAlerts: rules on metrics of resources.
//!
//! Sources: azure-rest-api-specs 2026-01-01; frequencies, windows and the one dynamic condition, the azurerm provider; numbers of conditions,
//! azure-monitor-docs alerts-metric-multiple-time-series-single-rule.md; the wording about scopes, issues
//! Azure/ResourceModules 4550 and Azure/azure-powershell 17105. Which metrics a type has is not checked.

use super::alert_rules::{
    bad_request, check_action_groups, check_description, members, minutes, print_durations, region_of_scope, texts,
};
use super::shape;
use super::{Refusal, ResourceId, Write, fill, list_mut, properties_mut, property, text};
use crate::locations::run_together;
use crate::placement::location_not_available;
use crate::state::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const ILLEGAL_IN_NAMES: &str = "*#&+:<>?@%{}/";

/// In minutes.
const FREQUENCIES: &[u32] = &[1, 5, 15, 30, 60];
const WINDOWS: &[u32] = &[1, 5, 15, 30, 60, 360, 720, 1440];
const MOST_CONDITIONS: usize = 5;

const SINGLE: &str = "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria";
const MULTIPLE: &str = "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria";
const WEB_TEST: &str = "Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria";
const PROMETHEUS: &str = "Microsoft.Azure.Monitor.PromQLCriteria";

/// Shapes of criteria, and of the conditions of metrics by their type.
const OF_METRICS: &str = "criteria of metrics";
const OF_WEB_TEST: &str = "criteria of a web test";
const OF_PROMETHEUS: &str = "criteria of Prometheus";
const STATIC: &str = "StaticThresholdCriterion";
const DYNAMIC: &str = "DynamicThresholdCriterion";

/// Gives the members of criteria their own spelling, whatever kind they are of.
pub(super) fn spell(body: &mut Body) {
    let criteria = body.get_mut("properties").and_then(|properties| properties.get_mut("criteria"));
    if let Some(criteria) = criteria.and_then(Value::as_object_mut) {
        [OF_METRICS, OF_WEB_TEST, OF_PROMETHEUS].into_iter().for_each(|kind| shape::spell(criteria, kind));
        for condition in list_mut(criteria, "allOf") {
            [STATIC, DYNAMIC].into_iter().for_each(|kind| shape::spell(condition, kind));
        }
    }
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_description(write.body, 2048)?;
    let criteria = property(write.body, "criteria").and_then(Value::as_object);
    let kind = criteria.and_then(|criteria| text(criteria, "odata.type")).unwrap_or_default();
    let members_of_kind = match kind {
        SINGLE | MULTIPLE => OF_METRICS,
        WEB_TEST => OF_WEB_TEST,
        PROMETHEUS => OF_PROMETHEUS,
        _ => {
            return Err(bad_request(format!("The value '{kind}' of criteria 'odata.type' is not a kind of criteria.")));
        }
    };
    let criteria = criteria.ok_or_else(|| bad_request("The rule has no criteria.".to_owned()))?;
    shape::check(criteria, "properties.criteria", members_of_kind)?;
    check_times(write.body, kind)?;
    let location = text(write.body, "location").unwrap_or_default();
    if kind != PROMETHEUS && !location.eq_ignore_ascii_case("global") {
        return Err(location_not_available(location, write.id, "global"));
    }
    let scopes = scopes(write)?;
    match kind {
        WEB_TEST => check_web_test(criteria, &scopes)?,
        PROMETHEUS => {}
        _ => check_conditions(criteria, kind, &check_target(write, kind, &scopes)?)?,
    }
    check_action_groups(write, &members(property(write.body, "actions"), "actionGroupId"))
}

fn check_times(body: &Body, kind: &str) -> Result<(), Refusal> {
    let legal = |name: &str, values: &[u32]| {
        let given = text(body, &format!("properties/{name}")).unwrap_or_default();
        minutes(given).filter(|minutes| values.contains(minutes)).ok_or_else(|| {
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            bad_request(format!("The {name} '{given}' is not one of {} minutes.", values.join(", ")))
        })
    };
    let frequency = legal("evaluationFrequency", FREQUENCIES)?;
    if kind == PROMETHEUS {
        return Ok(());
    }
    if legal("windowSize", WINDOWS)? < frequency {
        return Err(bad_request("The windowSize of the rule is shorter than its evaluationFrequency.".to_owned()));
    }
    Ok(())
}

/// The resources that the rule watches. All of them exist, once, in one subscription.
fn scopes(write: &Write<'_>) -> Result<Vec<ResourceId>, Refusal> {
    let mut scopes: Vec<ResourceId> = Vec::new();
    for text in texts(property(write.body, "scopes")) {
        let id = ResourceId::parse(text).ok_or_else(|| bad_request("Alert scope is invalid.".to_owned()))?;
        region_of_scope(write.state, &id)?;
        let subscription = |id: &ResourceId| id.subscription.as_deref().map(str::to_lowercase);
        if let Some(first) = scopes.first()
            && (first.is_container() != id.is_container() || subscription(first) != subscription(&id))
        {
            return Err(bad_request("Alert scope is invalid.".to_owned()));
        }
        if scopes.iter().any(|other| other.key() == id.key()) {
            return Err(bad_request(format!("Alert scope is invalid. '{text}' is in it twice.")));
        }
        scopes.push(id);
    }
    if scopes.is_empty() {
        return Err(bad_request("Alert scope is invalid.".to_owned()));
    }
    Ok(scopes)
}

fn check_web_test(criteria: &Body, scopes: &[ResourceId]) -> Result<(), Refusal> {
    let watched = |name: &str| {
        let id = text(criteria, name).and_then(ResourceId::parse);
        id.is_some_and(|id| scopes.iter().any(|scope| scope.key() == id.key()))
    };
    if scopes.len() == 2 && watched("webTestId") && watched("componentId") {
        return Ok(());
    }
    Err(bad_request("Alert scope is invalid. It is the web test and its component.".to_owned()))
}

/// The type and number of what the rule watches.
struct Target {
    type_name: String,
    several: bool,
}

/// Several resources, and those of a group or subscription, are of one type and region, which the rule names.
fn check_target(write: &Write<'_>, kind: &str, scopes: &[ResourceId]) -> Result<Target, Refusal> {
    let several = scopes.len() > 1 || scopes.iter().any(ResourceId::is_container);
    let wanted_type = text(write.body, "properties/targetResourceType").filter(|text| !text.is_empty());
    let wanted_region = text(write.body, "properties/targetResourceRegion").filter(|text| !text.is_empty());
    if several && (wanted_type.is_none() || wanted_region.is_none()) {
        return Err(bad_request(
            "targetResourceType and targetResourceRegion are mandatory if the scope contains a subscription, resource group, or \
             more than one resource."
                .to_owned(),
        ));
    }
    if several && kind == SINGLE {
        return Err(bad_request(format!("Criteria of the kind {SINGLE} are for one resource only.")));
    }
    for scope in scopes.iter().filter(|scope| !scope.is_container()) {
        if wanted_type.is_some_and(|wanted| !scope.type_name().eq_ignore_ascii_case(wanted)) {
            return Err(bad_request(
                "You can't define a scope that is different from the selected target resource type.".to_owned(),
            ));
        }
        let region = region_of_scope(write.state, scope)?;
        if let (Some(region), Some(wanted)) = (region, wanted_region)
            && region != run_together(wanted)
        {
            return Err(bad_request(format!(
                "You can't define a scope that is different from the selected target resource region: '{}' is in {region}.",
                scope.text()
            )));
        }
    }
    let own_type = || scopes.first().map(ResourceId::type_name).unwrap_or_default();
    Ok(Target { type_name: wanted_type.map_or_else(own_type, str::to_owned), several })
}

fn check_conditions(criteria: &Body, kind: &str, target: &Target) -> Result<(), Refusal> {
    let conditions: Vec<&Body> =
        criteria.get("allOf").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).collect();
    let most = if target.several { 1 } else { MOST_CONDITIONS };
    if conditions.len() > most {
        return Err(bad_request(format!(
            "The rule has {} conditions. It has at most {most}{}.",
            conditions.len(),
            if target.several { ", since it watches several resources" } else { "" }
        )));
    }
    let is_dynamic = |condition: &&Body| text(condition, "criterionType") == Some(DYNAMIC);
    if conditions.len() > 1 && conditions.iter().any(is_dynamic) {
        return Err(bad_request("A rule with a dynamic threshold has one condition.".to_owned()));
    }
    let mut names = BTreeSet::new();
    for condition in conditions {
        let name = text(condition, "name").unwrap_or_default();
        if !names.insert(name.to_lowercase()) {
            return Err(bad_request(format!("Two conditions of the rule have the name '{name}'.")));
        }
        check_condition(condition, kind, target)
            .map_err(|refusal| Refusal { message: format!("Condition '{name}': {}", refusal.message), ..refusal })?;
    }
    Ok(())
}

fn check_condition(condition: &Body, kind: &str, target: &Target) -> Result<(), Refusal> {
    let shape = match text(condition, "criterionType").unwrap_or_default() {
        STATIC => STATIC,
        DYNAMIC if kind == MULTIPLE => DYNAMIC,
        other => {
            let message = format!("The criterionType '{other}' is not supported for criteria of the kind {kind}.");
            return Err(bad_request(message));
        }
    };
    shape::check(condition, "properties.criteria.allOf[]", shape)?;
    let periods = |name: &str| condition.get("failingPeriods")?.get(name)?.as_f64();
    if periods("minFailingPeriodsToAlert") > periods("numberOfEvaluationPeriods") {
        return Err(bad_request("More failingPeriods fail than there are evaluation periods.".to_owned()));
    }
    check_namespace(condition, target)
}

/// A namespace of platform metrics is the type of what is watched, or one below it: the blobs of an account. Others are those of
/// custom and guest metrics.
fn check_namespace(condition: &Body, target: &Target) -> Result<(), Refusal> {
    let namespace = text(condition, "metricNamespace").unwrap_or_default();
    let (wanted, given) = (target.type_name.to_lowercase(), namespace.to_lowercase());
    let of_platform = given.starts_with("microsoft.") && given.contains('/');
    let of_target = given.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if !of_platform || of_target {
        return Ok(());
    }
    Err(bad_request(format!(
        "The metric namespace '{namespace}' does not match the target resource type '{}'.",
        target.type_name
    )))
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    if text(body, "location").is_some_and(|location| location.eq_ignore_ascii_case("global")) {
        body.insert("location".to_owned(), "global".into());
    }
    print_durations(body, &["evaluationFrequency", "windowSize"]);
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "lastUpdatedTime", write.now.text());
    let Some(Value::Object(criteria)) = properties.get_mut("criteria") else { return };
    if ![SINGLE, MULTIPLE].contains(&text(criteria, "odata.type").unwrap_or_default()) {
        return;
    }
    for condition in list_mut(criteria, "allOf") {
        fill(condition, "dimensions", json!([]));
    }
}
