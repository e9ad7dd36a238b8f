//! Microsoft.Insights/diagnosticSettings: which logs and metrics of a resource go where.

use super::alert_rules::bad_request;
use super::{Refusal, ResourceId, State, Write, fill, list_mut, properties_mut, property};
use crate::path::{GROUP_TYPE, SUBSCRIPTION_TYPE};
use crate::published::{self, Categories};
use crate::state::{Body, Resource};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The type as it stands in ids.
pub(super) const IN_IDS: &str = "microsoft.insights/diagnosticSettings";
pub(super) const SETTING: &str = "Microsoft.Insights/diagnosticSettings";

/// The most settings of a resource. Source: learn.microsoft.com, "Diagnostic settings in Azure Monitor".
const MOST_SETTINGS: usize = 5;

/// The members that say where data goes.
const SINKS: &[&str] = &["workspaceId", "storageAccountId", "eventHubAuthorizationRuleId", "marketplacePartnerId"];

fn categories_of(target: &ResourceId) -> Option<&'static Categories> {
    published::diagnostic_categories(&target.type_name())
}

/// The categories of a resource, as Azure lists them; none where those of its type are not known.
pub(super) fn categories(target: &ResourceId) -> Option<Vec<Body>> {
    let Categories { logs, audit, metrics } = categories_of(target)?;
    // Those of the services of an account are together `AllMetrics`.
    let metrics = if metrics.len() > 1 { &metrics[1..] } else { metrics.as_slice() };
    let metrics = if target.is_container() { &[] } else { metrics };
    let logs = logs.iter().map(|category| {
        let groups = if audit.contains(category) { json!(["audit", "allLogs"]) } else { json!(["allLogs"]) };
        (category, json!({"categoryType": "Logs", "categoryGroups": groups}))
    });
    let metrics = metrics.iter().map(|category| (category, json!({"categoryType": "Metrics"})));
    let categories = logs.chain(metrics).map(|(category, properties)| {
        let id = target.with(Some("microsoft.insights"), "diagnosticSettingsCategories", category);
        let kind = "microsoft.insights/diagnosticSettingsCategories";
        json!({"id": id.text(), "name": category, "type": kind, "properties": properties}).as_object().cloned()
    });
    categories.collect()
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let target = write.id.parent();
    if target.type_name() == GROUP_TYPE {
        return Err(Refusal::bad_request(
            "ResourceTypeNotSupported",
            "The resource type 'microsoft.resources/resourcegroups' does not support diagnostic settings.",
        ));
    }
    check_sinks(write)?;
    for kind in ["logs", "metrics"] {
        for entry in property(write.body, kind).and_then(Value::as_array).into_iter().flatten() {
            check_entry(&target, kind, entry)?;
        }
    }
    let prefix = format!("{}/providers/microsoft.insights/diagnosticsettings/", target.key());
    let others: Vec<&Resource> = write
        .state
        .below(&prefix)
        .filter(|(key, _)| *key != write.id.key() && !key[prefix.len()..].contains('/'))
        .map(|(_, other)| other)
        .collect();
    if others.len() >= MOST_SETTINGS {
        return Err(bad_request(format!(
            "The limit of {MOST_SETTINGS} diagnostic settings was reached. To create a new setting, delete an existing one."
        )));
    }
    others.into_iter().try_for_each(|other| check_other(write.body, other, &target))
}

/// There is a destination, and every one of them exists.
fn check_sinks(write: &Write<'_>) -> Result<(), Refusal> {
    let sinks = sinks(write.body);
    if sinks.is_empty() {
        return Err(bad_request("At least one data sink needs to be specified.".to_owned()));
    }
    for (member, text) in sinks {
        let id = ResourceId::parse(text);
        let fits = |id: &ResourceId| match member {
            "workspaceId" => id.type_name().eq_ignore_ascii_case("Microsoft.OperationalInsights/workspaces"),
            "storageAccountId" => id.type_name().eq_ignore_ascii_case("Microsoft.Storage/storageAccounts"),
            "eventHubAuthorizationRuleId" => id.type_name().to_lowercase().ends_with("/authorizationrules"),
            _ => true,
        };
        let id =
            id.filter(fits).ok_or_else(|| bad_request(format!("The {member} '{text}' is not a valid resource id.")))?;
        if member != "marketplacePartnerId" && !exists(write.state, &id) {
            return Err(Refusal::not_found(
                "ResourceNotFound",
                format!("The resource '{text}' of {member} was not found."),
            ));
        }
    }
    Ok(())
}

/// A rule of an event hub namespace is there with the namespace.
fn exists(state: &State, id: &ResourceId) -> bool {
    state.get(&id.top().key()).is_some()
}

fn sinks(body: &Body) -> Vec<(&'static str, &str)> {
    let sink = |member: &&'static str| Some((*member, property(body, member)?.as_str()?));
    SINKS.iter().filter_map(sink).filter(|(_, text)| !text.is_empty()).collect()
}

fn check_entry(target: &ResourceId, kind: &str, entry: &Value) -> Result<(), Refusal> {
    let given = |member: &str| entry.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    if !entry.get("enabled").is_some_and(Value::is_boolean) {
        return Err(bad_request(format!("An item of properties.{kind} has no 'enabled' that is true or false.")));
    }
    if entry.pointer("/retentionPolicy/enabled") == Some(&json!(true)) {
        return Err(bad_request(
            "Diagnostic settings does not support retention for new diagnostic settings.".to_owned(),
        ));
    }
    let known = categories_of(target).filter(|_| kind == "logs");
    match (given("category"), given("categoryGroup")) {
        (Some(_), Some(_)) => Err(bad_request("An item has both a category and a categoryGroup.".to_owned())),
        (None, None) => Err(bad_request(format!("An item of properties.{kind} has no category."))),
        (None, Some(_)) if kind == "metrics" => Err(bad_request("Metrics have no category groups.".to_owned())),
        (Some(category), None) => match known {
            Some(known) if !known.logs.iter().any(|known| known.eq_ignore_ascii_case(category)) => {
                Err(bad_request(format!("Category '{category}' is not supported.")))
            }
            _ if kind == "metrics" => check_metric(target, category),
            _ => Ok(()),
        },
        (None, Some(group)) => {
            let supported = match (group.to_lowercase().as_str(), known) {
                ("alllogs", Some(known)) => !known.logs.is_empty(),
                ("audit", Some(known)) => !known.audit.is_empty(),
                ("alllogs" | "audit", None) => true,
                _ => false,
            };
            if supported { Ok(()) } else { Err(bad_request(format!("Category group '{group}' is not supported."))) }
        }
    }
}

/// A type that is known has these metrics and no others.
fn check_metric(target: &ResourceId, category: &str) -> Result<(), Refusal> {
    match categories_of(target) {
        Some(known) if !known.metrics.iter().any(|known| known.eq_ignore_ascii_case(category)) => {
            Err(bad_request(format!("Metric category '{category}' is not supported.")))
        }
        _ => Ok(()),
    }
}

/// The categories that a setting sends, in lower case. A group of a type that is not known stands for itself.
fn sent(body: &Body, target: &ResourceId) -> BTreeSet<String> {
    let mut sent = BTreeSet::new();
    for kind in ["logs", "metrics"] {
        for entry in property(body, kind).and_then(Value::as_array).into_iter().flatten() {
            if entry.get("enabled") != Some(&json!(true)) {
                continue;
            }
            let text = |member: &str| entry.get(member).and_then(Value::as_str).map(str::to_lowercase);
            sent.extend(text("category"));
            let Some(group) = text("categoryGroup") else { continue };
            match categories_of(target) {
                Some(known) => {
                    let categories = if group == "audit" { &known.audit } else { &known.logs };
                    sent.extend(categories.iter().map(|category| category.to_lowercase()));
                }
                None => {
                    sent.insert(group);
                }
            }
        }
    }
    sent
}

/// One category of a resource goes to one destination by one setting only.
fn check_other(body: &Body, other: &Resource, target: &ResourceId) -> Result<(), Refusal> {
    let (own, theirs) = (sent(body, target), sent(&other.body, target));
    let Some(category) = own.intersection(&theirs).next() else { return Ok(()) };
    let taken = sinks(&other.body);
    let shared = sinks(body).into_iter().find(|(member, text)| {
        taken.iter().any(|(other, theirs)| other == member && theirs.eq_ignore_ascii_case(text))
    });
    match shared {
        Some((_, sink)) => Err(Refusal::conflict(
            "Conflict",
            format!(
                "Data sink '{sink}' is already used in diagnostic setting '{}' for category '{category}'. Data sinks can't be \
                 reused in different settings on the same category for the same resource.",
                other.text("name")
            ),
        )),
        None => Ok(()),
    }
}

pub(super) fn complete(_: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    for member in SINKS.iter().chain(&["serviceBusRuleId", "eventHubName", "logAnalyticsDestinationType"]) {
        properties.entry(*member).or_insert(Value::Null);
    }
    for kind in ["logs", "metrics"] {
        fill(properties, kind, json!([]));
        for entry in list_mut(properties, kind) {
            entry.entry("category").or_insert(Value::Null);
            if kind == "logs" {
                entry.entry("categoryGroup").or_insert(Value::Null);
            }
            fill(entry, "retentionPolicy", json!({"enabled": false, "days": 0}));
        }
    }
}

/// The settings of a subscription are shown with ids that have no slash before them, and with a location. Sources:
/// Azure/azure-cli issue 18242, turbot/steampipe-plugin-azure pull request 70.
pub(super) fn shown(_: &State, body: &mut Body) {
    let Some(id) = body.get("id").and_then(Value::as_str).and_then(ResourceId::parse) else { return };
    if id.parent().type_name() == SUBSCRIPTION_TYPE {
        body.insert("id".to_owned(), id.spelled("resourceGroups", IN_IDS).trim_start_matches('/').into());
        body.insert("location".to_owned(), "global".into());
    }
}

/// 1 to 260 characters without `*<>%&:\?+/`, no blank or full stop at the end.
pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |letter: char| !"*<>%&:\\?+/".contains(letter);
    if name.chars().count() <= 260 && name.chars().all(legal) && !name.ends_with([' ', '.']) {
        return Ok(());
    }
    Err(bad_request(format!("The diagnostic setting name '{name}' is invalid.")))
}
