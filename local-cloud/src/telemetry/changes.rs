//! The changes of resources and who made them: the changes of resources that Azure Resource Graph answers, and their events in the activity log.
//!
//! Source: "Get resource changes" (governance/resource-graph/changes) for the rows, azure-rest-api-specs, specification/resourcegraph, stable
//! 2024-04-01, for requests and answers.

use super::super::kusto::{Rows, Value as Cell, minutes_of, run};
use super::super::moment::Moment;
use super::super::path::ResourceId;
use super::super::reply::{Answer, Refusal};
use super::super::secrets::without_secrets;
use super::super::state::{Body, State};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The table of changes.
const TABLE: &str = "resourcechanges";
/// The most changes that are kept: a rehearsal of months has no more of interest.
const MOST: usize = 5000;
/// The members that Azure sets by itself, and no change is about.
const NOT_COMPARED: &[&str] = &["etag", "systemData"];

/// The client of a request, as its headers say.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Author<'a> {
    /// The header `Authorization`.
    pub(in super::super) authorization: Option<&'a str>,
    /// The header `User-Agent`.
    pub(in super::super) user_agent: Option<&'a str>,
}

impl Author<'_> {
    /// The claims of its token; nothing without one.
    fn claims(self) -> Value {
        let payload = self.authorization.and_then(|header| header.split('.').nth(1));
        let bytes = payload.and_then(|payload| URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// The kind of client, in Azure's words where they are known.
    fn client_type(self) -> &'static str {
        let agent = self.user_agent.unwrap_or_default().to_ascii_lowercase();
        let known = [
            ("azurecli", "Azure CLI"),
            ("azurepowershell", "Azure PowerShell"),
            ("mozilla", "Azure Portal"),
            ("terraform", "Terraform"),
        ];
        known.iter().find(|(mark, _)| agent.contains(mark)).map_or("Unspecified", |(_, name)| name)
    }
}

/// Notes that a resource which was there is not what it was.
pub(in super::super) fn record(
    state: &mut State,
    id: &ResourceId,
    method: &str,
    (before, after): (&Body, Option<&Body>),
    author: Author<'_>,
) {
    let is_deletion = method == "DELETE";
    let texts = |body: &Body| {
        let mut found = BTreeMap::new();
        leaves("", &without_secrets(&id.text(), &Value::Object(body.clone())), &mut found);
        found
    };
    let (before, after) = (texts(before), after.map(texts).unwrap_or_default());
    let mut changes = Map::new();
    for path in before.keys().chain(after.keys()).filter(|_| !is_deletion) {
        let (old, new) = (before.get(path), after.get(path));
        if old != new {
            let kind = if old.is_none() {
                "Insert"
            } else if new.is_none() {
                "Remove"
            } else {
                "Update"
            };
            changes.insert(
                path.clone(),
                json!({"propertyChangeType": kind, "changeCategory": "User", "previousValue": old, "newValue": new}),
            );
        }
    }
    if changes.is_empty() && !is_deletion {
        return;
    }
    let claims = author.claims();
    let text = |names: &[&str]| names.iter().find_map(|name| claims.get(name)?.as_str()).unwrap_or_default().to_owned();
    let person = text(&["upn", "unique_name", "preferred_username"]);
    let by = if person.is_empty() { text(&["appid", "oid"]) } else { person.clone() };
    let kind = id.type_name();
    let verb = if is_deletion { "delete" } else { "write" };
    let change = json!({
        "targetResourceId": id.text(),
        "targetResourceType": kind.to_lowercase(),
        "changeType": if is_deletion { "Delete" } else { "Update" },
        "changeAttributes": {
            "timestamp": Moment::now().text(),
            "changedBy": by,
            "changedByType": if person.is_empty() { "Application" } else { "User" },
            "clientType": author.client_type(),
            "operation": format!("{}/{verb}", kind.to_lowercase()),
            "correlationId": uuid::Uuid::new_v4().to_string(),
            "changesCount": changes.len(),
        },
        "changes": changes,
    });
    let Value::Object(mut change) = change else { return };
    change.insert("appId".to_owned(), json!(text(&["appid"])));
    let kept = &mut state.telemetry_mut().changes;
    kept.push(change);
    let surplus = kept.len().saturating_sub(MOST);
    kept.drain(..surplus);
}

/// The values of a body as texts, by their paths.
fn leaves(path: &str, value: &Value, found: &mut BTreeMap<String, String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !NOT_COMPARED.contains(&name.as_str()) && *name != "provisioningState")
            .for_each(|(name, member)| leaves(&below(name), member, found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| leaves(&format!("{path}[{index}]"), item, found))
        }
        Value::String(text) => drop(found.insert(path.to_owned(), text.clone())),
        other => drop(found.insert(path.to_owned(), other.to_string())),
    }
}

/// The changes as events of the activity log.
pub(super) fn as_events(state: &State) -> Vec<Map<String, Value>> {
    let event = |change: &Map<String, Value>| {
        let attributes = &change["changeAttributes"];
        let operation = attributes["operation"].as_str().unwrap_or_default();
        let event = json!({
            "eventTimestamp": attributes["timestamp"],
            "category": {"value": "Administrative", "localizedValue": "Administrative"},
            "operationName": {"value": operation, "localizedValue": operation},
            "caller": attributes["changedBy"],
            "claims": {"appid": change["appId"]},
            "level": "Informational",
            "status": {"value": "Succeeded", "localizedValue": "Succeeded"},
            "correlationId": attributes["correlationId"],
            "resourceId": change["targetResourceId"],
        });
        match event {
            Value::Object(event) => event,
            _ => Map::new(),
        }
    };
    // The newest first, also of those of one moment.
    state.telemetry().changes.iter().rev().map(event).collect()
}

/// The answer to `POST /providers/Microsoft.ResourceGraph/resources`: rows of a query over the changes of the subscriptions. Children such as
/// containers and settings of apps are not among them, and neither are resource groups.
pub(in super::super) fn graph(state: &State, body: &Value) -> Result<Answer, Refusal> {
    let wrong = |message: &str| Refusal::bad_request("BadRequest", message);
    let query = body.get("query").and_then(Value::as_str).ok_or_else(|| wrong("The request has no query."))?;
    let subscriptions: Vec<&str> =
        body.get("subscriptions").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let is_seen = |change: &&Map<String, Value>| {
        let id = change["targetResourceId"].as_str().and_then(ResourceId::parse);
        id.is_some_and(|id| {
            let of = id.subscription.as_deref().unwrap_or_default();
            subscriptions.iter().any(|seen| seen.eq_ignore_ascii_case(of)) && !id.is_child() && !id.is_container()
        })
    };
    let columns = ["id", "name", "type", "properties"];
    let row = |change: &Map<String, Value>| {
        let mut properties = change.clone();
        properties.remove("appId");
        let id = format!(
            "{}/providers/Microsoft.Resources/changes/{}",
            change["targetResourceId"].as_str().unwrap_or_default(),
            "change"
        );
        let text = |text: &str| Cell::Text(text.to_owned());
        Rc::new(vec![
            text(&id),
            text("change"),
            text("microsoft.resources/changes"),
            Cell::Dynamic(Value::Object(properties)),
        ])
    };
    let tables = |name: &str| {
        name.eq_ignore_ascii_case(TABLE).then(|| Rows {
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: state.telemetry().changes.iter().filter(is_seen).map(row).collect(),
        })
    };
    let now = minutes_of(&Moment::now().text()).unwrap_or_default();
    let rows = run(query, &tables, now)
        .map_err(|error| wrong(&format!("{error}. The local cloud knows a part of the query language only.")))?;
    // Unlike a workspace, the graph shows what is dynamic as it is.
    let value = |cell: &Cell| match cell {
        Cell::Dynamic(value) => value.clone(),
        other => other.json(),
    };
    let data: Vec<Value> = rows
        .rows
        .iter()
        .map(|row| rows.columns.iter().cloned().zip(row.iter().map(value)).collect::<Map<String, Value>>().into())
        .collect();
    Ok(Answer::json(
        200,
        json!({"totalRecords": data.len(), "count": data.len(), "resultTruncated": "false", "data": data, "facets": []}),
    ))
}
