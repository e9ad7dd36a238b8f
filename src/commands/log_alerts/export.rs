//! The document of the log alert rules of a resource group.

use serde_json::{Value, json};

use super::definitions::Definition;
use super::known_query::{KnownQuery, known};
use super::rule::{EMAIL_SUBJECT, PREFIX, PROPERTIES};
use super::{GROUP_NAME, definitions};
use crate::azure::ResourceId;
use crate::azure::types::{SCHEDULED_QUERY_RULE, WORKSPACE};
use crate::commands::shared::alerts::Severity;
use crate::commands::shared::alerts::export::{
    WrittenRule, action_group_names, group_names, ids, minutes, rule_place, schedule, write_groups,
};
use crate::commands::shared::export::{Estate, Export, Exported, Names, Reading, There, list, object, plain, required};
use crate::commands::shared::property;
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export =
    Export { reads: &[Reading::of(&SCHEDULED_QUERY_RULE)], further: |_| Vec::new(), write };

/// The type of sets whose alerts all have queries of their own.
const OWN: &str = "Own";

/// The kind of rules that are alerts on rows; they show it or none.
const LOG_ALERT: &str = "LogAlert";

/// The settings that a document has once for all of its rules.
struct Workspace<'a> {
    name: &'a str,
    location: &'a str,
}

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "logAlerts")], ..Exported::default() };
    let mut names = group_names(estate, GROUP_NAME, &mut exported);
    // What is wrong with the file was told before anything was read.
    let own = definitions::of_project(estate.folders).ok().flatten().map(|(_, own)| own).unwrap_or_default();
    let definitions: Vec<&Definition> = definitions::all(&own).collect();
    let mut workspace: Option<Workspace<'_>> = None;
    let mut rules = Vec::new();
    for there in estate.of_type(&SCHEDULED_QUERY_RULE) {
        match rule(there, &mut workspace, &definitions, estate) {
            Ok(rule) => rules.push(rule),
            Err(why) => exported.leave_out(&SCHEDULED_QUERY_RULE, there, &why),
        }
    }
    names.dependencies.extend(workspace.map(|workspace| required("workspace", workspace.name)));
    let set = |kind: Option<String>| required("type", kind.unwrap_or_else(|| OWN.to_owned()));
    write_groups(rules, (&SCHEDULED_QUERY_RULE, "logAlert"), names, set, &mut exported);
    exported
}

/// A rule as the document says it.
///
/// # Errors
/// Why the settings cannot say it, or not together with the rules before it.
fn rule<'a, 'b>(
    there: &'b There,
    workspace: &mut Option<Workspace<'a>>,
    definitions: &[&Definition],
    estate: &Estate<'a>,
) -> Result<WrittenRule<'b>, String> {
    estate.check(there)?;
    let kind = there.body.get("kind").and_then(Value::as_str).unwrap_or(LOG_ALERT);
    if !kind.eq_ignore_ascii_case(LOG_ALERT) {
        return Err(format!("its kind is {kind}, and the settings are for {LOG_ALERT}"));
    }
    let scopes = ids(&there.body, "/properties/scopes", "");
    let [scope] = scopes.as_slice() else { return Err("it does not watch one workspace".to_owned()) };
    if !scope.is_of_type(WORKSPACE.name) {
        return Err("it does not watch a workspace".to_owned());
    }
    // Whether the name of a rule fits is known with the place of its workspace, so nothing else is asked for before.
    let (name, location) = estate.published_at(scope).ok_or_else(|| estate.not_published("its workspace", scope))?;
    let first = workspace.get_or_insert(Workspace { name, location });
    if first.name != name {
        return Err(format!("the rules of one document have one workspace, here '{}'", first.name));
    }
    let place = rule_place(there, &SCHEDULED_QUERY_RULE, PREFIX, first.location, estate)?;
    let criteria = there.body.pointer("/properties/criteria/allOf").and_then(Value::as_array);
    let Some([condition]) = criteria.map(Vec::as_slice) else { return Err("it has not one condition".to_owned()) };
    let learned = condition.get("criterionType").and_then(Value::as_str);
    if learned.is_some_and(|kind| kind.eq_ignore_ascii_case("DynamicThresholdCriterion")) {
        return Err("Azure learns its threshold, and the settings of log alerts say one".to_owned());
    }
    let query = condition.get("query").and_then(Value::as_str).unwrap_or_default();
    let known = definitions.iter().find_map(|definition| known(definition, query, &estate.exclusions()));
    let kind = known.as_ref().map(|known| known.definition.kind.clone());
    let (keys, names) = alert(there, (condition, query), known.as_ref(), estate)?;
    Ok(WrittenRule { there, place: place.of_kind(kind), keys, names })
}

/// The keys of an alert, and its names.
///
/// # Errors
/// Why the settings cannot say it.
fn alert(
    there: &There,
    (condition, query): (&Value, &str),
    known: Option<&KnownQuery<'_>>,
    estate: &Estate<'_>,
) -> Result<(Vec<WrittenKey>, Names), String> {
    let text = |path: &str| there.said(path).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    let mut keys: Vec<WrittenKey> = Vec::new();
    keys.extend(known.map(|known| required("definition", known.definition.name.as_str())));
    keys.extend(text("properties.description").map(|text| required("description", text)));
    keys.extend(property::keys(PROPERTIES, &SCHEDULED_QUERY_RULE, &there.body));
    let severity = there.said("properties.severity").and_then(|number| (Severity::SPELLING.ours)(&number));
    keys.extend(severity.map(|severity| required("severity", severity)));
    keys.extend(schedule(there).map(|key| WrittenKey { is_required: true, ..key }));
    keys.extend(threshold(condition));
    keys.extend(measure(condition));
    match known {
        Some(known) => keys.extend(known.keys()),
        None => {
            keys.push(required("query", query));
            // Otherwise the rows of other machines would be filtered out.
            keys.push(required("monitorOnPrem", true));
        }
    }
    let muting = there.said("properties.muteActionsDuration").and_then(|length| minutes(length.as_str()?));
    let suppress = match muting {
        Some(length) => vec![required("enabled", true), required("mins", length)],
        None => vec![required("enabled", false)],
    };
    keys.push(WrittenKey::new("suppress", Written::Object(suppress)));
    let dimensions = condition.get("dimensions").and_then(Value::as_array).into_iter().flatten();
    keys.extend(list("dimensions", dimensions.map(Written::from).collect()));
    let once = json!({ "numberOfEvaluationPeriods": 1, "minFailingPeriodsToAlert": 1 });
    let periods = condition.get("failingPeriods").filter(|periods| periods.is_object() && **periods != once);
    keys.extend(periods.map(|periods| WrittenKey::new("failingPeriods", periods.into())));
    keys.extend(customised(there));
    let mut names = Names::default();
    let actions: Vec<ResourceId> = ids(&there.body, "/properties/actions/actionGroups", "");
    names.dependencies.extend(action_group_names(&actions, estate)?);
    names.publish.extend(estate.published(there).map(|name| plain("logAlert", name)));
    Ok((keys, names))
}

/// The number of rows that a rule fires on.
fn threshold(condition: &Value) -> Option<WrittenKey> {
    use super::settings::Operator;
    let operator = condition.get("operator")?.as_str()?;
    let all = [Operator::GreaterThan, Operator::Equal, Operator::LessThan];
    let known = all.into_iter().find(|known| known.wire().eq_ignore_ascii_case(operator));
    let operator = known.map_or_else(|| operator.into(), |known| json!(known));
    let keys = vec![required("operator", operator), required("value", condition.get("threshold")?.clone())];
    Some(WrittenKey { is_required: true, ..WrittenKey::new("threshold", Written::Object(keys)) })
}

/// The measure that a rule aggregates in place of counting rows.
fn measure(condition: &Value) -> Vec<WrittenKey> {
    let said = |name: &str| condition.get(name).filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    let counts = |value: &&Value| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("Count"));
    let aggregation = said("timeAggregation").filter(|value| !counts(value));
    let keys = [("measure", said("metricMeasureColumn")), ("timeAggregation", aggregation)];
    keys.into_iter().filter_map(|(key, value)| Some(required(key, value?.clone()))).collect()
}

/// The customised action beside notifying the action groups.
fn customised(there: &There) -> Option<WrittenKey> {
    let subject = there.body.pointer("/properties/actions/actionProperties").and_then(|own| own.get(EMAIL_SUBJECT));
    let subject = subject.filter(|subject| !subject.is_null()).map(|subject| plain("emailSubject", subject.clone()));
    let properties = there.body.pointer("/properties/actions/customProperties").and_then(Value::as_object);
    let payload = properties.filter(|members| !members.is_empty());
    let payload = payload.map(|members| plain("webhookJsonPayload", json!(members).to_string()));
    object("customisedActions", subject.into_iter().chain(payload).collect())
}
