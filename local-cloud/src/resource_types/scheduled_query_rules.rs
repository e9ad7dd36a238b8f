//! Microsoft.Insights/scheduledQueryRules: rules on the results of log queries, as they are since 2021-08-01.
//!
//! Sources: azure-rest-api-specs 2026-03-01; durations and periods, the azurerm provider and issue Azure/azure-powershell
//! 17796; the wording about muting, issues Azure/azure-powershell 22583 and Azure/azure-cli 26581; limits, azure-monitor-docs
//! alerts-create-log-alert-rule.md and includes/azure-monitor-limits-alerts.md. Queries are not run: there are no tables.

use super::alert_rules::{
    bad_request, check_action_groups, check_description, check_severity, minutes, print_durations, region_of_scope,
    texts,
};
use super::log_queries::refusal;
use super::shape::{self, invalid_content};
use super::{Refusal, ResourceId, Write, fill, known_value, properties_mut, property, text};
use crate::locations::run_together;
use crate::state::Body;
use serde_json::{Value, json};

pub(super) const ILLEGAL_IN_NAMES: &str = "*<>%{}&:\\?/#";

/// In minutes.
const FREQUENCIES: &[u32] = &[1, 5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440];
const WINDOWS: &[u32] = &[1, 5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880];
/// The times that a rule can be told to look back.
const LOOK_BACKS: &[u32] = &[5, 10, 15, 20, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880];
const MUTINGS: &[u32] = &[5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880];
/// The longest time that a query looks back.
const LONGEST_LOOK_BACK: u32 = 2880;
/// The frequency up to which a rule can resolve its alerts.
const LONGEST_STATEFUL_FREQUENCY: u32 = 720;
const MOST_DIMENSIONS: usize = 6;
const LARGEST_RULE: usize = 64 * 1024;

const KINDS: &[&str] = &["LogAlert", "SimpleLogAlert", "LogToMetric"];

/// The member that says how the alerts of a rule resolve, as it is called since 2024, and in 2023-12-01 only. Before that there is no such member.
const RESOLUTION: &str = "resolveConfiguration";
const RULE_RESOLUTION: &str = "ruleResolveConfiguration";

/// The name that an api-version has for the way in which alerts resolve; none where it has no such member.
fn resolution(api_version: &str) -> Option<&'static str> {
    match api_version.get(.."YYYY-MM-DD".len()).unwrap_or_default() {
        "2023-12-01" => Some(RULE_RESOLUTION),
        version => (version > "2023-12-01").then_some(RESOLUTION),
    }
}

/// Refuses the name of another api-version for the way in which alerts resolve.
fn check_resolution(write: &Write<'_>) -> Result<(), Refusal> {
    let known = resolution(write.api_version);
    let other = [RESOLUTION, RULE_RESOLUTION]
        .into_iter()
        .find(|name| known != Some(*name) && property(write.body, name).is_some_and(|value| !value.is_null()));
    match other {
        Some(name) => Err(invalid_content(&format!(
            "Could not find member '{name}' on object of type 'ScheduledQueryRuleProperties'."
        ))),
        None => Ok(()),
    }
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_resolution(write)?;
    let kind = text(write.body, "kind").unwrap_or("LogAlert");
    let kind = known_value(KINDS, kind)
        .ok_or_else(|| invalid_content(&format!("The kind '{kind}' is not one of {}.", KINDS.join(", "))))?;
    check_description(write.body, 4096)?;
    let size = write.body.get("properties").map_or(0, |properties| properties.to_string().len());
    if size > LARGEST_RULE {
        return Err(bad_request(format!("The rule has {size} bytes. At most {LARGEST_RULE} are allowed.")));
    }
    check_scope(write)?;
    let conditions = conditions(write.body);
    for (index, condition) in conditions.iter().enumerate() {
        let place = format!("criteria.allOf[{index}]");
        match kind {
            "LogAlert" => check_condition(condition, &place)?,
            "LogToMetric" if text(condition, "metricName").is_none() => {
                return Err(invalid_content(&format!("The metricName of {place} is missing.")));
            }
            _ => {}
        }
    }
    if kind == "LogAlert" {
        check_severity(write.body)?;
        check_times(write.body, &conditions)?;
    }
    let groups = property(write.body, "actions").and_then(|actions| actions.get("actionGroups"));
    check_action_groups(write, &texts(groups))
}

fn conditions(body: &Body) -> Vec<&Body> {
    let all = property(body, "criteria").and_then(|criteria| criteria.get("allOf")).and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_object).collect()
}

/// One resource that exists, in the region of the rule.
fn check_scope(write: &Write<'_>) -> Result<(), Refusal> {
    let scopes = texts(property(write.body, "scopes"));
    let [scope] = scopes.as_slice() else {
        return Err(invalid_content(&format!("The rule has {} scopes. It must have exactly one.", scopes.len())));
    };
    let id = ResourceId::parse(scope)
        .ok_or_else(|| invalid_content(&format!("The scope '{scope}' is not a resource id.")))?;
    let region = region_of_scope(write.state, &id)?;
    let own = run_together(text(write.body, "location").unwrap_or_default());
    match region {
        Some(region) if region != own => Err(bad_request(format!(
            "The rule is in '{own}', and its scope '{scope}' in '{region}'. They must be in the same region."
        ))),
        _ => Ok(()),
    }
}

/// The minutes of a duration, which is one of some values.
fn duration_of(body: &Body, name: &str, values: &[u32]) -> Result<Option<u32>, Refusal> {
    let Some(given) = text(body, &format!("properties/{name}")) else { return Ok(None) };
    let minutes = minutes(given).ok_or_else(|| invalid_content(&format!("The {name} '{given}' is not a duration.")))?;
    if values.contains(&minutes) {
        return Ok(Some(minutes));
    }
    let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    Err(invalid_content(&format!(
        "{title} of {minutes} minutes is not supported. Supported values are: {}",
        values.join(", ")
    )))
}

/// Whether a rule says how its alerts resolve, by whichever name.
fn is_configured(body: &Body) -> bool {
    [RESOLUTION, RULE_RESOLUTION].iter().any(|name| property(body, name).is_some_and(|value| !value.is_null()))
}

fn check_times(body: &Body, conditions: &[&Body]) -> Result<(), Refusal> {
    let missing = |name: &str| invalid_content(&format!("The {name} of the rule is missing."));
    let frequency =
        duration_of(body, "evaluationFrequency", FREQUENCIES)?.ok_or_else(|| missing("evaluationFrequency"))?;
    let window = duration_of(body, "windowSize", WINDOWS)?.ok_or_else(|| missing("windowSize"))?;
    let muting = duration_of(body, "muteActionsDuration", MUTINGS)?;
    duration_of(body, "overrideQueryTimeRange", LOOK_BACKS)?;
    let resolves = property(body, "autoMitigate").filter(|value| !value.is_null());
    let configured = is_configured(body);
    if window == 1 && frequency != 1 {
        return Err(invalid_content("A WindowSize of 1 minute needs an EvaluationFrequency of 1 minute."));
    }
    for condition in conditions {
        let look_back = f64::from(window) * periods(condition).0;
        if f64::from(frequency) > look_back {
            return Err(invalid_content("EvaluationFrequency cannot be greater than the query time range"));
        }
        if look_back > f64::from(LONGEST_LOOK_BACK) {
            return Err(invalid_content(&format!(
                "The query time range of {look_back} minutes is longer than {LONGEST_LOOK_BACK}."
            )));
        }
    }
    if configured && resolves.is_some() {
        return Err(invalid_content("ResolveConfiguration and AutoMitigate cannot be used together"));
    }
    let resolves = !configured && resolves != Some(&json!(false));
    if let Some(muting) = muting {
        if frequency > muting {
            return Err(invalid_content("EvaluationFrequency cannot be greater than MuteActionsDuration"));
        }
        if resolves {
            return Err(bad_request("Auto mitigation must be disabled when action suppression is set".to_owned()));
        }
    }
    if resolves && frequency > LONGEST_STATEFUL_FREQUENCY {
        return Err(bad_request(format!(
            "Auto mitigation must be disabled when the frequency is over {LONGEST_STATEFUL_FREQUENCY} minutes"
        )));
    }
    Ok(())
}

/// The evaluation periods of a condition, and how many of them fail; one of one when not given. Azure takes whole numbers with
/// and without a fraction.
fn periods(condition: &Body) -> (f64, f64) {
    let number = |name: &str| condition.get("failingPeriods")?.get(name)?.as_f64();
    (number("numberOfEvaluationPeriods").unwrap_or(1.0), number("minFailingPeriodsToAlert").unwrap_or(1.0))
}

fn check_condition(condition: &Body, place: &str) -> Result<(), Refusal> {
    let kind = text(condition, "criterionType").unwrap_or_default();
    let is_dynamic = kind.eq_ignore_ascii_case("DynamicThresholdCriterion");
    shape::check(condition, place, if is_dynamic { "dynamic log condition" } else { "static log condition" })?;
    check_query(text(condition, "query").unwrap_or_default(), place)?;
    let aggregation = text(condition, "timeAggregation").unwrap_or_default();
    let column = text(condition, "metricMeasureColumn").is_some_and(|column| !column.is_empty());
    if aggregation.eq_ignore_ascii_case("Count") == column {
        let rule = if column { "not allowed with" } else { "required for" };
        return Err(invalid_content(&format!(
            "The metricMeasureColumn of {place} is {rule} the timeAggregation {aggregation}."
        )));
    }
    if condition.get("dimensions").and_then(Value::as_array).is_some_and(|all| all.len() > MOST_DIMENSIONS) {
        return Err(invalid_content(&format!("{place} has more than {MOST_DIMENSIONS} dimensions.")));
    }
    let (number, failing) = periods(condition);
    if failing > number {
        return Err(invalid_content(&format!("More of the failingPeriods of {place} fail than there are.")));
    }
    Ok(())
}

fn check_query(query: &str, place: &str) -> Result<(), Refusal> {
    match refusal(query) {
        Some(reason) if reason.starts_with("is missing") => {
            Err(invalid_content(&format!("The query of {place} {reason}")))
        }
        Some(reason) => Err(bad_request(format!("The query of {place} {reason}"))),
        None => Ok(()),
    }
}

pub(super) fn complete(_: &Write<'_>, body: &mut Body) {
    fill(body, "kind", "LogAlert");
    print_durations(body, &["evaluationFrequency", "windowSize", "muteActionsDuration", "overrideQueryTimeRange"]);
    let configured = is_configured(body);
    if let Some(properties) = properties_mut(body).filter(|_| !configured) {
        fill(properties, "autoMitigate", true);
    }
}
