//! What-if: what a deployment would change, found by carrying it out on a copy of the state. Source: azure-rest-api-specs,
//! Microsoft.Resources, `WhatIfOperationResult`; learn.microsoft.com, "ARM template deployment what-if operation".

use super::difference;
use super::record::{Deployment, Kind, Progress};
use super::resource_body::is_deployment;
use super::run::rehearse;
use crate::lookup;
use crate::path::ResourceId;
use crate::resource_types;
use crate::state::{Body, State};
use crate::tags;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What stands for a secret.
const HIDDEN: &str = "*******";
/// Members that change with every write.
const NOISE: &[&str] = &["etag", "systemData", "provisioningState"];
/// A secret that is shorter is only recognised when it stands alone.
const LONG_SECRET: usize = 8;

/// The answer of what-if.
pub(super) fn answer(state: &State, deployment: Deployment, ids_only: bool) -> Value {
    let (key, id) = (deployment.key(), deployment.id.clone());
    let after = rehearse(state, deployment);
    let Some(done) = after.deployment(&key) else { return json!({"status": "Failed"}) };
    if done.progress != Progress::Succeeded {
        let error = done.error.clone().unwrap_or_else(
            || json!({"code": "WhatIfFailed", "target": id, "message": "The deployment does not end."}),
        );
        return json!({"status": "Failed", "error": error});
    }
    let secrets: Vec<String> =
        after.deployments().filter(|one| one.is_rehearsal).flat_map(Deployment::secrets).collect();
    let mut written = Written::default();
    written.collect(&after, done);
    let mut changes: BTreeMap<String, Value> = BTreeMap::new();
    for target in written.targets {
        changes.insert(target.id.to_lowercase(), change(state, &after, &target, ids_only));
    }
    for key in ignored(state, &changes, &written.groups) {
        let resource = state.get(&key).map(|resource| resource.body.clone()).unwrap_or_default();
        changes.insert(
            key,
            json!({"resourceId": resource.get("id"), "changeType": "Ignore", "before": envelope(&resource)}),
        );
    }
    let mut answer = json!({"status": "Succeeded", "properties": {"correlationId": done.correlation, "changes": changes.into_values().collect::<Vec<_>>()}});
    hide(&mut answer, &secrets);
    answer
}

/// A resource of the template or of one in it.
struct Target {
    id: String,
    api_version: String,
    symbol: Option<String>,
    deployment: String,
    is_deleted: bool,
}

#[derive(Default)]
struct Written {
    targets: Vec<Target>,
    /// The resource groups that were deployed to.
    groups: BTreeSet<String>,
}

impl Written {
    fn collect(&mut self, after: &State, deployment: &Deployment) {
        let scope = deployment.scope();
        if scope.group.is_some() {
            self.groups.insert(scope.key());
        }
        for step in deployment.steps.iter().filter(|step| matches!(step.kind, Kind::Deployed | Kind::Deleted)) {
            if is_deployment(step) {
                if let Some(nested) = after.deployment(&step.id.to_lowercase()) {
                    self.collect(after, nested);
                }
                continue;
            }
            self.targets.push(Target {
                id: step.id.clone(),
                api_version: step.api_version.clone(),
                symbol: step.symbol.clone(),
                deployment: deployment.id.clone(),
                is_deleted: step.kind == Kind::Deleted,
            });
        }
    }
}

fn change(before: &State, after: &State, target: &Target, ids_only: bool) -> Value {
    let id = ResourceId::parse(&target.id).unwrap_or_default();
    let (was, is) = (body(before, &id), body(after, &id));
    let delta = match (&was, &is) {
        (Some(was), Some(is)) => difference::between(&compared(was, &id), &compared(is, &id)),
        _ => Vec::new(),
    };
    let kind = match (&was, &is) {
        (Some(_), None) => "Delete",
        _ if target.is_deleted => "Delete",
        (None, _) => "Create",
        (Some(_), Some(_)) if ids_only => "Deploy",
        (Some(_), Some(_)) if delta.is_empty() => "NoChange",
        (Some(_), Some(_)) => "Modify",
    };
    let mut change = Map::new();
    change.insert("resourceId".to_owned(), target.id.as_str().into());
    change.insert("deploymentId".to_owned(), target.deployment.as_str().into());
    if let Some(symbol) = &target.symbol {
        change.insert("symbolicName".to_owned(), symbol.as_str().into());
    }
    change.insert("changeType".to_owned(), kind.into());
    // What a GET does not show is not shown here either.
    let readable = (resource_types::of(&id).readable)(&id);
    if !ids_only && readable {
        let shown = |body: Option<Body>| body.map(|body| with_version(compared_for_people(&body), &target.api_version));
        for (name, body) in [("before", shown(was)), ("after", shown(is.filter(|_| kind != "Delete")))] {
            if let Some(body) = body {
                change.insert(name.to_owned(), Value::Object(body));
            }
        }
    }
    if !ids_only && kind == "Modify" {
        let delta = if readable { delta } else { vec![json!({"path": "properties", "propertyChangeType": "Modify"})] };
        change.insert("delta".to_owned(), Value::Array(delta));
    }
    Value::Object(change)
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

fn with_version(body: Body, api_version: &str) -> Body {
    std::iter::once(("apiVersion".to_owned(), Value::from(api_version))).chain(body).collect()
}

/// A body without what changes with every write.
fn compared_for_people(body: &Body) -> Body {
    let mut value = Value::Object(body.clone());
    remove_noise(&mut value);
    value.as_object().cloned().unwrap_or_default()
}

/// [`compared_for_people`] without what only the service sets.
fn compared(body: &Body, id: &ResourceId) -> Body {
    let mut body = compared_for_people(body);
    let entry = resource_types::of(id);
    if let Some(Value::Object(properties)) = body.get_mut("properties") {
        properties.retain(|name, _| !entry.read_only.contains(&name.as_str()));
    }
    body
}

fn remove_noise(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !NOISE.contains(&name.as_str()));
            members.values_mut().for_each(remove_noise);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_noise),
        _ => {}
    }
}

/// What is in the groups that are deployed to and in no template.
fn ignored(state: &State, changes: &BTreeMap<String, Value>, groups: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for group in groups {
        let below = format!("{group}/");
        let tracked = state.below(&below).filter(|(_, resource)| resource.body.contains_key("location"));
        found.extend(tracked.map(|(key, _)| key.to_owned()).filter(|key| !changes.contains_key(key)));
    }
    found
}

fn envelope(body: &Body) -> Value {
    let shown = body.iter().filter(|(name, _)| ["id", "name", "type", "location", "tags"].contains(&name.as_str()));
    Value::Object(shown.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn hide(value: &mut Value, secrets: &[String]) {
    match value {
        Value::String(text) => {
            for secret in secrets {
                if text == secret {
                    HIDDEN.clone_into(text);
                } else if secret.chars().count() >= LONG_SECRET && text.contains(secret) {
                    *text = text.replace(secret, HIDDEN);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets)),
        Value::Object(members) => members.values_mut().for_each(|member| hide(member, secrets)),
        _ => {}
    }
}
