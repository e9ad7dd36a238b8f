//! Microsoft.Insights/diagnosticSettings: which logs and metrics of a resource go where.

use super::alert_rules::bad_request;
use super::{Refusal, ResourceId, State, Write, fill, properties_mut, property};
use crate::path::{GROUP_TYPE, SUBSCRIPTION_TYPE};
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

/// The log categories of a type, and which of them are in the group `audit`. Source: learn.microsoft.com, "Supported Resource
/// log categories for Azure Monitor". A type that is not here takes any category.
const CATEGORIES: &[(&str, &[&str], &[&str])] = &[
    ("Microsoft.Network/bastionHosts", &["BastionAuditLogs"], &["BastionAuditLogs"]),
    ("Microsoft.OperationalInsights/workspaces", &["Audit", "SummaryLogs", "Jobs"], &["Audit"]),
    ("Microsoft.KeyVault/vaults", &["AuditEvent", "AzurePolicyEvaluationDetails"], &["AuditEvent"]),
    ("Microsoft.Storage/storageAccounts", &[], &[]),
    ("Microsoft.Storage/storageAccounts/blobServices", STORAGE_LOGS, STORAGE_LOGS),
    ("Microsoft.Storage/storageAccounts/fileServices", STORAGE_LOGS, STORAGE_LOGS),
    ("Microsoft.Storage/storageAccounts/queueServices", STORAGE_LOGS, STORAGE_LOGS),
    ("Microsoft.Storage/storageAccounts/tableServices", STORAGE_LOGS, STORAGE_LOGS),
    ("Microsoft.Network/virtualNetworks", &["VMProtectionAlerts"], &[]),
    (
        "Microsoft.Network/publicIPAddresses",
        &["DDoSProtectionNotifications", "DDoSMitigationFlowLogs", "DDoSMitigationReports"],
        &[],
    ),
    (
        "Microsoft.Insights/components",
        &[
            "AppAvailabilityResults",
            "AppBrowserTimings",
            "AppDependencies",
            "AppEvents",
            "AppExceptions",
            "AppMetrics",
            "AppPageViews",
            "AppPerformanceCounters",
            "AppRequests",
            "AppSystemEvents",
            "AppTraces",
            "OTelEvents",
            "OTelLogs",
            "OTelResources",
            "OTelSpans",
            "OTelTraces",
        ],
        &[],
    ),
    (
        SUBSCRIPTION_TYPE,
        &[
            "Administrative",
            "Security",
            "ServiceHealth",
            "Alert",
            "Recommendation",
            "Policy",
            "Autoscale",
            "ResourceHealth",
        ],
        &[],
    ),
];
const STORAGE_LOGS: &[&str] = &["StorageRead", "StorageWrite", "StorageDelete"];

/// The metric categories of the types above that have more than `AllMetrics`. Source: learn.microsoft.com,
/// "Monitoring data reference for Azure Blob Storage", and those of the other services.
const METRICS: &[(&str, &[&str])] = &[
    ("Microsoft.Storage/storageAccounts", STORAGE_METRICS),
    ("Microsoft.Storage/storageAccounts/blobServices", STORAGE_METRICS),
    ("Microsoft.Storage/storageAccounts/fileServices", STORAGE_METRICS),
    ("Microsoft.Storage/storageAccounts/queueServices", STORAGE_METRICS),
    ("Microsoft.Storage/storageAccounts/tableServices", STORAGE_METRICS),
];
const STORAGE_METRICS: &[&str] = &["AllMetrics", "Transaction", "Capacity"];

fn categories_of(
    target: &ResourceId,
) -> Option<&'static (&'static str, &'static [&'static str], &'static [&'static str])> {
    let type_name = target.type_name();
    CATEGORIES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(&type_name))
}

/// The categories of a resource, as Azure lists them; none where those of its type are not known.
pub(super) fn categories(target: &ResourceId) -> Option<Vec<Body>> {
    let (name, logs, audit) = categories_of(target)?;
    let metrics = METRICS.iter().find(|(known, _)| known == name).map_or(&["AllMetrics"][..], |(_, metrics)| metrics);
    // Those of the services of an account are together `AllMetrics`.
    let metrics = if metrics.len() > 1 { &metrics[1..] } else { metrics };
    let metrics = if *name == SUBSCRIPTION_TYPE { &[] } else { metrics };
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
            Some((_, categories, _)) if !categories.iter().any(|known| known.eq_ignore_ascii_case(category)) => {
                Err(bad_request(format!("Category '{category}' is not supported.")))
            }
            _ if kind == "metrics" => check_metric(target, category),
            _ => Ok(()),
        },
        (None, Some(group)) => {
            let supported = match (group.to_lowercase().as_str(), known) {
                ("alllogs", Some((_, categories, _))) => !categories.is_empty(),
                ("audit", Some((.., audit))) => !audit.is_empty(),
                ("alllogs" | "audit", None) => true,
                _ => false,
            };
            if supported { Ok(()) } else { Err(bad_request(format!("Category group '{group}' is not supported."))) }
        }
    }
}

/// The metrics of a type that is known are `AllMetrics`, and those in [`METRICS`].
fn check_metric(target: &ResourceId, category: &str) -> Result<(), Refusal> {
    let type_name = target.type_name();
    let more =
        METRICS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&type_name)).map(|(_, categories)| *categories);
    let supported = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(category));
    if categories_of(target).is_none() || supported(more.unwrap_or(&["AllMetrics"])) {
        return Ok(());
    }
    Err(bad_request(format!("Metric category '{category}' is not supported.")))
}

/// What a setting sends, in lower case. A group of a type that is not known stands for itself.
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
                Some((_, all, audit)) => {
                    let categories = if group == "audit" { audit } else { all };
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
        let entries = properties.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten();
        for entry in entries.filter_map(Value::as_object_mut) {
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
