//! The what-if: what a deployment would change, found by carrying it out on a copy of the state. Source: azure-rest-api-specs,
//! Microsoft.Resources, `WhatIfOperationResult`; learn.microsoft.com, "ARM template deployment what-if operation".

use super::difference;
use super::presentation::without_nulls;
use super::record::{Deployment, Progress, Step};
use super::run::rehearse;
use crate::lookup;
use crate::path::ResourceId;
use crate::resource_types;
use crate::state::{Body, State};
use crate::tags;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The text that stands for a secret.
const HIDDEN: &str = "*******";
/// Members that change with every write.
const NOISE: &[&str] = &["etag", "systemData", "provisioningState"];
/// A secret that is shorter is only recognised when it stands alone.
const LONG_SECRET: usize = 8;

/// The answer of what-if.
pub(super) fn answer(state: &State, deployment: Deployment, ids_only: bool) -> Value {
    let (key, id) = (deployment.key(), deployment.id.clone());
    let after = rehearse(state, deployment);
    let Some(done) = after.deployments().get(&key) else { return json!({"status": "Failed"}) };
    if done.progress != Progress::Succeeded {
        let error = done.error.clone().unwrap_or_else(
            || json!({"code": "WhatIfFailed", "target": id, "message": "The deployment does not end."}),
        );
        return json!({"status": "Failed", "error": error});
    }
    let mut groups = BTreeSet::new();
    let mut changes: BTreeMap<String, Value> = BTreeMap::new();
    for (deployment, step) in written(&after, done, &mut groups) {
        changes.insert(step.id.to_lowercase(), change(state, &after, deployment, step, ids_only));
    }
    for (key, body) in ignored(state, &changes, &groups) {
        changes.insert(key, json!({"resourceId": body.get("id"), "changeType": "Ignore", "before": envelope(body)}));
    }
    let changes: Vec<Value> = changes.into_values().collect();
    let secrets = after.deployments().all().filter(|one| one.is_rehearsal).flat_map(Deployment::secrets);
    hidden(
        json!({"status": "Succeeded", "properties": {"correlationId": done.correlation, "changes": changes}}),
        secrets,
    )
}

/// The steps that write resources, also those of nested deployments; adds the resource groups that are deployed to.
fn written<'a>(
    after: &'a State,
    deployment: &'a Deployment,
    groups: &mut BTreeSet<String>,
) -> Vec<(&'a Deployment, &'a Step)> {
    let scope = deployment.scope();
    groups.extend(scope.group.is_some().then(|| scope.key()));
    let mut steps = Vec::new();
    for step in &deployment.steps {
        match after.deployments().get(&step.id.to_lowercase()) {
            Some(nested) if step.is_deployment() => steps.extend(written(after, nested, groups)),
            _ => steps.push((deployment, step)),
        }
    }
    steps
}

fn change(before: &State, after: &State, deployment: &Deployment, step: &Step, ids_only: bool) -> Value {
    let id = ResourceId::parse(&step.id).unwrap_or_default();
    let (was, is) = (body(before, &id), body(after, &id));
    let delta = match (&was, &is) {
        (Some(was), Some(is)) => difference::between(&compared(was, &id), &compared(is, &id)),
        _ => Vec::new(),
    };
    let kind = match was {
        None => "Create",
        _ if ids_only => "Deploy",
        _ if delta.is_empty() => "NoChange",
        _ => "Modify",
    };
    // What a GET does not show is not shown here either.
    let readable = (resource_types::of(&id).readable)(&id);
    let shown = |body: Option<Body>| {
        let body = body.filter(|_| readable && !ids_only)?;
        let version = ("apiVersion".to_owned(), Value::from(step.api_version.as_str()));
        Some(std::iter::once(version).chain(steady(&body)).collect::<Value>())
    };
    let delta = if readable { delta } else { vec![json!({"path": "properties", "propertyChangeType": "Modify"})] };
    without_nulls(json!({
        "resourceId": step.id,
        "deploymentId": deployment.id,
        "symbolicName": step.symbol,
        "changeType": kind,
        "before": shown(was),
        "after": shown(is),
        "delta": (kind == "Modify").then_some(delta),
    }))
}

/// A resource as it is shown, or as it is stored where it is not shown.
fn body(state: &State, id: &ResourceId) -> Option<Body> {
    if id.type_name().eq_ignore_ascii_case(tags::TYPE) {
        return tags::get(state, &id.parent()).ok()?.body?.as_object().cloned();
    }
    if (resource_types::of(id).readable)(id) {
        return lookup::view(state, id).ok();
    }
    state.get(&id.key()).map(|resource| resource.body.clone())
}

/// A body without what changes with every write.
fn steady(body: &Body) -> Body {
    let steady = body.iter().filter(|(name, _)| !NOISE.contains(&name.as_str()));
    steady.map(|(name, value)| (name.clone(), steady_value(value))).collect()
}

fn steady_value(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(steady(members)),
        Value::Array(items) => items.iter().map(steady_value).collect(),
        other => other.clone(),
    }
}

/// [`steady`] without what only the service sets.
fn compared(body: &Body, id: &ResourceId) -> Body {
    let mut body = steady(body);
    let entry = resource_types::of(id);
    if let Some(Value::Object(properties)) = body.get_mut("properties") {
        properties.retain(|name, _| !entry.read_only.contains(&name.as_str()));
    }
    body
}

/// The resources that are in the groups that are deployed to and in no template.
fn ignored<'s>(
    state: &'s State,
    changes: &BTreeMap<String, Value>,
    groups: &BTreeSet<String>,
) -> Vec<(String, &'s Body)> {
    let below = groups.iter().flat_map(|group| state.below(&format!("{group}/")).collect::<Vec<_>>());
    let is_ignored = |key: &str, body: &Body| body.contains_key("location") && !changes.contains_key(key);
    let all = below.map(|(key, resource)| (key.to_owned(), &resource.body));
    all.filter(|(key, body)| is_ignored(key, body)).collect()
}

fn envelope(body: &Body) -> Value {
    let shown = body.iter().filter(|(name, _)| ["id", "name", "type", "location", "tags"].contains(&name.as_str()));
    Value::Object(shown.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// An answer with a sign in the place of each secret.
fn hidden(answer: Value, secrets: impl Iterator<Item = String>) -> Value {
    let mut text = answer.to_string();
    for secret in secrets {
        let quoted = Value::from(secret).to_string();
        text = text.replace(&quoted, &Value::from(HIDDEN).to_string());
        let within = &quoted[1..quoted.len() - 1];
        if within.len() >= LONG_SECRET {
            text = text.replace(within, HIDDEN);
        }
    }
    serde_json::from_str(&text).unwrap_or_default()
}
