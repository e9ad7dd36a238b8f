//! The resources of Azure's documentation that can be exported: a plan of the document changes nothing, or it is said at the
//! resource what it would change.
//!
//! The resources are those of the local cloud's table of published examples, and answers of other examples, each with the path of its
//! example below `specification` of Azure/azure-rest-api-specs. Bodies are written for these tests, with values of their own.

use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::support::estate::*;

/// The resources that the examples need, each as Azure shows it.
const ESTATE: &str = include_str!("../../local-cloud/src/tests/official_examples/estate.json");
const TABLES: &[&str] = &[
    include_str!("documented_answers.json"),
    include_str!("../../local-cloud/src/tests/official_examples/storage.json"),
    include_str!("../../local-cloud/src/tests/official_examples/network.json"),
    include_str!("../../local-cloud/src/tests/official_examples/monitor.json"),
];

/// The groups of the estate and of alert rules: a document owns the group of its rules.
const GROUP_OF_ALL: &str = "documented";
const GROUP_OF_RULES: &str = "documented-rules";

/// The component that is written of each type, with the name by which the settings can say it.
const EXPORTED: &[(&str, &str, &str, Option<&str>)] = &[
    ("Microsoft.Storage/storageAccounts/", STORAGE, "storage", None),
    ("Microsoft.Network/privateEndpoints/", PRIVATE_ENDPOINTS, "privateEndpoints", None),
    // The name of its address.
    ("Microsoft.Network/bastionHosts/", BASTION_HOSTS, "bastionHosts", Some("pip")),
    ("Microsoft.Insights/scheduledQueryRules/", LOG_ALERTS, "logAlerts", Some("log-documented-0")),
    ("Microsoft.Insights/metricAlerts/", METRIC_ALERTS, "metricAlerts", Some("mtr-documented-0")),
    ("Microsoft.Insights/activityLogAlerts/", RESOURCE_HEALTH_ALERTS, "resourceHealthAlerts", None),
];

#[derive(Deserialize)]
struct Row {
    example: String,
    what: String,
    method: Option<String>,
    at: String,
    body: Option<Value>,
    refused: Option<String>,
    #[serde(default)]
    told: Vec<String>,
}

fn filled(text: &str) -> String {
    let subscription = in_subscription("");
    let subscription = subscription.trim_end_matches('/');
    text.replace("{g}", &in_subscription(&format!("resourceGroups/{GROUP_OF_ALL}")))
        .replace("{S}", subscription.trim_start_matches('/'))
        .replace("{s}", subscription)
}

/// The resource of a row, its name, and the group that is exported.
fn resource_of(row: &Row, name: Option<&str>) -> (Value, String, &'static str) {
    let group = if row.at.contains("/Microsoft.Insights/") { GROUP_OF_RULES } else { GROUP_OF_ALL };
    let mut at = row.at.replace(&format!("/resourceGroups/{GROUP_OF_ALL}/"), &format!("/resourceGroups/{group}/"));
    if let Some(name) = name {
        at = format!("{}/{name}", at.rsplit_once('/').unwrap().0);
    }
    let mut body = row.body.clone().unwrap();
    body["id"] = json!(at);
    (body, at.rsplit('/').next().unwrap().to_owned(), group)
}

/// A cloud with the estate, of which everything is published, and with the resource of a row.
fn cloud_with_row(body: &Value) -> LocalCloud {
    let cloud = cloud();
    let mut estate: Vec<Value> = serde_json::from_str(&filled(ESTATE)).unwrap();
    estate.push(json!({"id": in_subscription(&format!("resourceGroups/{GROUP_OF_RULES}")), "location": "uksouth"}));
    for resource in &mut estate {
        let id = resource["id"].as_str().unwrap().to_owned();
        if resource.get("location").is_some() {
            resource["tags"] = json!({"svc-service": format!("the-{}", id.rsplit('/').next().unwrap())});
        }
    }
    cloud.import(&estate).unwrap();
    cloud.import(std::slice::from_ref(body)).unwrap();
    let id = body["id"].as_str().unwrap();
    if id.contains("/bastionHosts/") {
        let workspace = "{g}/providers/Microsoft.OperationalInsights/workspaces/logs";
        let log = json!({
            "id": format!("{id}/providers/Microsoft.Insights/diagnosticSettings/Service"),
            "properties": {"workspaceId": filled(workspace), "logs": [{"category": "BastionAuditLogs", "enabled": true}]},
        });
        cloud.import(&[log]).unwrap();
    }
    cloud
}

/// Checks the export of a row.
fn check(row: &Row, command: &'static str, component: &str, name: Option<&str>) -> Result<(), String> {
    let (body, name, group) = resource_of(row, name);
    let cloud = cloud_with_row(&body);
    let members = json!({"names": true});
    let outcome = export_with(&with(request(component, group, &cloud), members));
    let warnings = outcome.warnings().join("\n");
    let is_document = matches!(outcome.messages.last(), Some(Message::Document { .. }));
    let text = if is_document { outcome.document() } else { "" };
    // As a comment, it is wrapped.
    let unwrapped = text.lines().map(|line| line.trim_start_matches([' ', '#'])).collect::<Vec<_>>().join(" ");
    for told in &row.told {
        if !warnings.contains(told) || (is_document && !unwrapped.contains(told)) {
            return Err(format!("'{told}' is not told: {warnings}\n{text}"));
        }
    }
    if !is_document {
        let (code, message) = outcome.failed_with();
        let has_reason = warnings.contains(&format!("'{name}' is left out: "));
        return if code == "NothingToExport" && has_reason { Ok(()) } else { Err(format!("{code}: {message}")) };
    }
    let plan = plan_of(command, &outcome, &cloud);
    if let Some(error) = plan.errors().first() {
        return Err(format!("{}\n{text}", error.failure.message));
    }
    let is_told =
        text.contains("# A plan would change this: ") && warnings.contains("A plan of the document is not empty: ");
    match plan.descriptions().as_slice() {
        [] if !warnings.contains("is not empty") => Ok(()),
        [one] if is_told && one.contains(&format!("'{name}'")) => Ok(()),
        descriptions => Err(format!("{descriptions:#?}\n{warnings}\n{text}")),
    }
}

#[test]
fn documented_resources_are_exported_with_an_empty_plan_or_the_reason() {
    let rows = TABLES.iter().flat_map(|table| serde_json::from_str::<Vec<Row>>(&filled(table)).unwrap());
    let (mut checked, mut wrong) = (vec![0; EXPORTED.len()], Vec::new());
    for row in rows {
        let named = |kind: &str| row.at.split_once(&format!("/providers/{kind}"));
        let is_of = |kind: &str| named(kind).is_some_and(|(_, name)| !name.contains('/'));
        let Some(at) = EXPORTED.iter().position(|(kind, ..)| is_of(kind)) else { continue };
        let is_put = row.method.as_ref().is_none_or(|method| method == "PUT");
        if !is_put || row.refused.is_some() || row.body.is_none() {
            continue;
        }
        checked[at] += 1;
        let (_, command, component, name) = EXPORTED[at];
        if let Err(problem) = check(&row, command, component, name) {
            wrong.push(format!("{} ({}): {problem}", row.example, row.what));
        }
    }
    assert!(wrong.is_empty(), "{} of {checked:?}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(checked.iter().all(|count| *count >= 2), "{checked:?}");
}
