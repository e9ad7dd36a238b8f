//! Microsoft.Insights/activityLogAlerts: rules on events of the activity log.
//!
//! Sources: azure-rest-api-specs 2026-01-01, and MicrosoftDocs azure-docs, "Create, view, and manage activity log alerts".

use super::alert_rules::{bad_request, check_action_groups, check_description, members, texts};
use super::{Refusal, ResourceId, Write, known_value, property, text};
use crate::state::Body;
use serde_json::{Value, json};

pub(super) const ACTIVITY_LOG_ALERT: &str = "Microsoft.Insights/activityLogAlerts";
/// The regions of a rule beside `Global`.
pub(super) const REGIONS: &[&str] = &["northeurope", "westeurope"];

/// The most enabled rules of a subscription, which nobody can raise. Source: azure-monitor-docs,
/// includes/azure-monitor-limits-alerts.md.
const MOST_ENABLED: usize = 100;

/// The categories that a rule can be about: every category of the activity log but `Alert`.
const CATEGORIES: &[&str] =
    &["Administrative", "ServiceHealth", "ResourceHealth", "Autoscale", "Security", "Recommendation", "Policy"];

/// The fields of an event a condition can look at, beside those that begin with `properties`.
const FIELDS: &[&str] = &[
    "resourceId",
    "category",
    "caller",
    "level",
    "operationName",
    "resourceGroup",
    "resourceProvider",
    "status",
    "subStatus",
    "resourceType",
];

/// Letters, digits, `-`, `_`, `.` and parentheses.
pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |letter: char| letter.is_alphanumeric() || "-_.()".contains(letter);
    if name.chars().count() <= 260 && name.chars().all(legal) {
        return Ok(());
    }
    Err(bad_request(format!(
        "The name '{name}' is invalid: the name of an activity log alert rule has at most 260 letters, digits, '-', '_', '.', '(' \
         and ')'."
    )))
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    check_description(write.body, 2048)?;
    check_scopes(write)?;
    check_conditions(write.body)?;
    let actions = property(write.body, "actions").and_then(|actions| actions.get("actionGroups"));
    check_action_groups(write, &members(actions, "actionGroupId"))?;
    check_count(write)
}

fn is_enabled(body: &Body) -> bool {
    property(body, "enabled") != Some(&json!(false))
}

fn check_scopes(write: &Write<'_>) -> Result<(), Refusal> {
    let scopes = texts(property(write.body, "scopes"));
    if scopes.is_empty() && text(write.body, "properties/tenantScope").is_none() {
        return Err(bad_request("The scopes of an activity log alert rule must have at least one item.".to_owned()));
    }
    for scope in scopes {
        // Published samples have scopes without the first slash, too.
        let id = ResourceId::parse(&format!("/{}", scope.trim_start_matches('/')));
        let subscription = id.and_then(|id| id.subscription);
        let own = write.id.subscription.as_deref().unwrap_or_default();
        if !subscription.is_some_and(|subscription| subscription.eq_ignore_ascii_case(own)) {
            return Err(bad_request(format!(
                "The scope '{scope}' is not in the subscription of the activity log alert rule."
            )));
        }
    }
    Ok(())
}

fn check_conditions(body: &Body) -> Result<(), Refusal> {
    let conditions = property(body, "condition").and_then(|condition| condition.get("allOf")).and_then(Value::as_array);
    let conditions: Vec<&Body> = conditions.into_iter().flatten().filter_map(Value::as_object).collect();
    let mut categories = Vec::new();
    for (index, condition) in conditions.iter().enumerate() {
        let place = format!("properties.condition.allOf[{index}]");
        let Some(leaves) = condition.get("anyOf").filter(|leaves| !leaves.is_null()) else {
            check_leaf(condition, &place)?;
            if field(condition).eq_ignore_ascii_case("category") {
                categories.push(*condition);
            }
            continue;
        };
        let has = |member: &str| condition.get(member).is_some_and(|value| !value.is_null());
        if ["field", "equals", "containsAny"].into_iter().any(has) {
            return Err(bad_request(format!("{place} has both anyOf and a field.")));
        }
        let leaves: Vec<&Body> = leaves.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
        if leaves.is_empty() {
            return Err(bad_request(format!("{place}.anyOf has no conditions.")));
        }
        for (index, leaf) in leaves.into_iter().enumerate() {
            check_leaf(leaf, &format!("{place}.anyOf[{index}]"))?;
        }
    }
    let [category] = categories.as_slice() else {
        return Err(bad_request(
            "The condition of an activity log alert rule must have exactly one condition on the field 'category'."
                .to_owned(),
        ));
    };
    let value = text(category, "equals").unwrap_or_default();
    match known_value(CATEGORIES, value) {
        None => Err(bad_request(format!(
            "Activity log alert rules cannot be about the category '{value}'. It is one of {}.",
            CATEGORIES.join(", ")
        ))),
        Some("Administrative") if conditions.len() < 2 => Err(bad_request(
            "A rule for the category 'Administrative' must have at least one more condition.".to_owned(),
        )),
        Some(_) => Ok(()),
    }
}

fn field(leaf: &Body) -> &str {
    text(leaf, "field").unwrap_or_default()
}

/// A field of events, and either one value or several.
fn check_leaf(leaf: &Body, place: &str) -> Result<(), Refusal> {
    let field = field(leaf);
    let starts_with_properties =
        field.get(.."properties".len()).is_some_and(|head| head.eq_ignore_ascii_case("properties"));
    if known_value(FIELDS, field).is_none() && !starts_with_properties {
        return Err(bad_request(format!("The field '{field}' of {place} is not a field of the activity log.")));
    }
    let equals = text(leaf, "equals").is_some_and(|value| !value.is_empty());
    let contains = !texts(leaf.get("containsAny")).is_empty();
    if equals == contains {
        return Err(bad_request(format!("{place} must have exactly one of equals and containsAny.")));
    }
    Ok(())
}

fn check_count(write: &Write<'_>) -> Result<(), Refusal> {
    if !is_enabled(write.body) {
        return Ok(());
    }
    let subscription = ResourceId::of_subscription(write.id.subscription.as_deref().unwrap_or_default());
    let prefix = format!("{}/", subscription.key());
    let others = write.state.below(&prefix).filter(|(key, other)| {
        other.text("type") == ACTIVITY_LOG_ALERT && is_enabled(&other.body) && *key != write.id.key()
    });
    if others.count() < MOST_ENABLED {
        return Ok(());
    }
    Err(bad_request(format!(
        "The subscription has {MOST_ENABLED} active activity log alert rules, which is the most it can have."
    )))
}
