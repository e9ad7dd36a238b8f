//! Rules over the activity log: each event that fulfils the condition is an alert.
//!
//! Source: azure-rest-api-specs, specification/monitor, Microsoft.Insights stable 2020-10-01, activityLogAlerts_API.json: a condition is a
//! list of leaves and of "any of" leaves, which compare ignoring case.

use serde_json::Value;

use super::course::{Course, Ending, Series};
use super::moments::{Minute, Span, minute_of, text_of};
use super::rule::{Answers, Question, complete_id, text};

/// The condition of a rule, and the scope of what it is about.
#[derive(Debug)]
pub(super) struct Conditions {
    scopes: Vec<String>,
    subscription: String,
    /// All of them have to hold: a leaf, or any of several.
    all_of: Vec<Vec<Leaf>>,
}

#[derive(Debug)]
struct Leaf {
    field: String,
    /// Any of them.
    values: Vec<String>,
}

impl Conditions {
    pub(super) fn of(properties: &Value) -> Result<Conditions, String> {
        let scopes = properties["scopes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let ids: Result<Vec<_>, String> = scopes.iter().map(complete_id).collect();
        let ids = ids?;
        let subscription = ids.first().and_then(|id| id.subscription_id()).ok_or("It has no scope.")?.to_owned();
        let leaf = |value: &Value| {
            let equals = value["equals"].as_str().map(|value| vec![value.to_owned()]);
            let any = value["containsAny"].as_array();
            let any = any.map(|values| values.iter().filter_map(Value::as_str).map(str::to_owned).collect());
            Some(Leaf { field: value["field"].as_str()?.to_owned(), values: equals.or(any)? })
        };
        let part = |value: &Value| match value["anyOf"].as_array() {
            Some(leaves) => leaves.iter().map(leaf).collect::<Option<Vec<_>>>(),
            None => leaf(value).map(|leaf| vec![leaf]),
        };
        let parts = properties["condition"]["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        let all_of = parts.iter().map(part).collect::<Option<Vec<_>>>();
        Ok(Conditions {
            scopes: ids.iter().map(|id| id.as_str().to_ascii_lowercase()).collect(),
            subscription,
            all_of: all_of.ok_or("Its condition is in a form that is not known.")?,
        })
    }

    pub(super) fn question(&self, span: Span) -> Question {
        let (from, to) = (text_of(span.from), text_of(span.to));
        Question::Events {
            path: format!(
                "/subscriptions/{}/providers/Microsoft.Insights/eventtypes/management/values",
                self.subscription
            ),
            query: format!("$filter=eventTimestamp ge '{from}' and eventTimestamp le '{to}'"),
        }
    }

    /// Whether an event fulfils the condition.
    fn hold_for(&self, event: &Value) -> bool {
        let id = text(event, "resourceId").to_ascii_lowercase();
        let is_in =
            |scope: &String| id == *scope || id.strip_prefix(scope.as_str()).is_some_and(|rest| rest.starts_with('/'));
        // Events of the service have no resource.
        (id.is_empty() || self.scopes.iter().any(is_in))
            && self.all_of.iter().all(|any| any.iter().any(|leaf| leaf.holds_for(event)))
    }
}

impl Leaf {
    fn holds_for(&self, event: &Value) -> bool {
        let mut found = Vec::new();
        match self.field.as_str() {
            // The event calls it by another name than the condition.
            "resourceGroup" => values_at(event, "resourceGroupName", &mut found),
            "resourceProvider" => values_at(event, "resourceProviderName", &mut found),
            field => values_at(event, field, &mut found),
        }
        found.iter().any(|found| self.values.iter().any(|value| value.eq_ignore_ascii_case(found)))
    }
}

/// The texts at a path such as `properties.impactedServices[*].ServiceName`; what is JSON in a text is gone into.
fn values_at(value: &Value, path: &str, found: &mut Vec<String>) {
    if path.is_empty() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Object(named) => found.extend(named.get("value").and_then(Value::as_str).map(str::to_owned)),
            Value::Number(_) | Value::Bool(_) => found.push(value.to_string()),
            _ => {}
        }
        return;
    }
    let unpacked = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let value = unpacked.as_ref().unwrap_or(value);
    if let Some(rest) = path.strip_prefix("[*]") {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        value.as_array().into_iter().flatten().for_each(|item| values_at(item, rest, found));
        return;
    }
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (key, rest) = path.split_at(end);
    let member = value.as_object().and_then(|members| members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)));
    if let Some((_, member)) = member {
        values_at(member, rest.strip_prefix('.').unwrap_or(rest), found);
    }
}

/// The course of a rule: the minutes of the events that fulfil its condition, for each resource by itself.
pub(super) fn course(conditions: &Conditions, span: Span, answers: &Answers) -> Course {
    let events = answers.iter().filter_map(|answer| answer.as_array()).flatten();
    let mut met: Vec<(Minute, String)> = events
        .filter(|event| conditions.hold_for(event))
        .filter_map(|event| {
            let id = text(event, "resourceId");
            Some((minute_of(text(event, "eventTimestamp"))?, id.rsplit('/').next().unwrap_or_default().to_owned()))
        })
        .filter(|(minute, _)| (span.from..=span.to).contains(minute))
        .collect();
    met.sort();
    // Each event has a moment of its own: two in one minute are two alerts.
    let moments: Vec<Minute> = met.iter().map(|(minute, _)| *minute).collect();
    let mut names: Vec<&String> = met.iter().map(|(_, name)| name).collect();
    names.sort();
    names.dedup();
    let series = names
        .into_iter()
        .map(|name| Series { name: name.clone(), met: met.iter().map(|(_, other)| Some(other == name)).collect() });
    Course { span, series: series.collect(), moments, spacing: 0, ending: Ending::Events, sampled: None }
}
