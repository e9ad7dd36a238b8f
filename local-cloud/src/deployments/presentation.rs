//! A deployment as it is shown.

use super::record::{Deployment, Kind, Progress, Step, TYPE};
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::reply::Refusal;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The refusal for a deployment that is not there.
pub(super) fn not_found(id: &ResourceId) -> Refusal {
    Refusal::not_found("DeploymentNotFound", format!("Deployment '{}' could not be found.", id.name()))
}

/// A number that stands for a template, in digits as Azure's is.
pub(super) fn hash(template: &Value) -> String {
    uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, template.to_string().as_bytes()).as_u64_pair().0.to_string()
}

/// A length of time in the form of ISO 8601.
fn duration(from: Moment, to: Moment) -> String {
    format!("PT{}S", from.until(to).as_secs_f64())
}

fn part(id: &str, type_name: &str, name: &str) -> Value {
    json!({"id": id, "resourceType": type_name, "resourceName": name})
}

/// The body of a GET.
pub(crate) fn shown(deployment: &Deployment) -> Value {
    let latest = deployment.steps.iter().filter_map(|step| step.ended).max().unwrap_or(deployment.started);
    let until = deployment.ended.unwrap_or(latest);
    let mut properties = json!({
        "templateHash": hash(&deployment.template),
        "parameters": deployment.shown_parameters,
        "mode": deployment.mode,
        "provisioningState": deployment.progress,
        "timestamp": until.text(),
        "duration": duration(deployment.started, until),
        "correlationId": deployment.correlation,
        "providers": providers(&deployment.steps),
        "dependencies": dependencies(&deployment.steps),
    });
    if let Some(members) = properties.as_object_mut() {
        if let Some(outputs) = &deployment.outputs {
            members.insert("outputs".to_owned(), outputs.clone());
        }
        if deployment.progress == Progress::Succeeded {
            let written = deployment.steps.iter().filter(|step| step.writes() && step.type_name != TYPE);
            members.insert("outputResources".to_owned(), written.map(|step| json!({"id": step.id})).collect());
        }
        if let Some(error) = &deployment.error {
            members.insert("error".to_owned(), error.clone());
        }
    }
    let mut body = json!({"id": deployment.id, "name": deployment.name(), "type": TYPE, "properties": properties});
    if let Some(members) = body.as_object_mut() {
        if let Some(location) = &deployment.location {
            members.insert("location".to_owned(), location.as_str().into());
        }
        if let Some(tags) = &deployment.tags {
            members.insert("tags".to_owned(), tags.clone());
        }
    }
    body
}

fn providers(steps: &[Step]) -> Value {
    let mut by_namespace: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.writes()) {
        let Some((namespace, kind)) = step.type_name.split_once('/') else { continue };
        by_namespace.entry(namespace).or_default().entry(kind).or_default().extend(step.location.as_deref());
    }
    let mut providers = Vec::new();
    for (namespace, kinds) in by_namespace {
        let mut types = Vec::new();
        for (kind, locations) in kinds {
            types.push(json!({"resourceType": kind, "locations": locations}));
        }
        providers.push(json!({"namespace": namespace, "resourceTypes": types}));
    }
    Value::Array(providers)
}

fn dependencies(steps: &[Step]) -> Value {
    let depends = |step: &Step| {
        let on: Vec<Value> = step
            .after
            .iter()
            .filter_map(|index| steps.get(*index))
            .filter(|before| before.writes())
            .map(|before| part(&before.id, &before.type_name, &before.name))
            .collect();
        let mut shown = part(&step.id, &step.type_name, &step.name);
        if let Some(members) = shown.as_object_mut() {
            members.insert("dependsOn".to_owned(), Value::Array(on));
        }
        shown
    };
    steps.iter().filter(|step| step.writes() && !step.after.is_empty()).map(depends).collect()
}

/// The id of the operation that a step is: sixteen digits of base 16, always the same for the step.
fn operation_id(deployment: &Deployment, what: &str) -> String {
    let source = format!("{}/{what}", deployment.operation);
    let number = uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, source.as_bytes()).as_u64_pair().0;
    format!("{number:016X}")
}

/// The operations of a deployment, the latest first, as Azure lists them.
pub(super) fn operations(deployment: &Deployment) -> Vec<Value> {
    let mut shown = Vec::new();
    if let Some(ended) = deployment.ended.filter(|_| deployment.outputs.is_some()) {
        let id = operation_id(deployment, "outputs");
        shown.push(json!({
            "id": format!("{}/operations/{id}", deployment.id),
            "operationId": id,
            "properties": {
                "provisioningOperation": "EvaluateDeploymentOutput",
                "provisioningState": deployment.progress,
                "timestamp": ended.text(),
                "duration": duration(ended, ended),
                "trackingId": deployment.correlation,
                "statusCode": "OK",
            },
        }));
    }
    shown.extend(deployment.steps.iter().rev().filter_map(|step| operation(deployment, step)));
    shown
}

fn operation(deployment: &Deployment, step: &Step) -> Option<Value> {
    if matches!(step.kind, Kind::LeftOut) {
        return None;
    }
    let started = step.started?;
    let until = step.ended.unwrap_or(started);
    let id = operation_id(deployment, &step.id);
    let mut properties = json!({
        "provisioningOperation": match step.kind {
            Kind::Existing => "Read",
            Kind::Deleted => "Delete",
            Kind::Deployed | Kind::LeftOut => "Create",
        },
        "provisioningState": step.progress,
        "timestamp": until.text(),
        "duration": duration(started, until),
        "trackingId": deployment.correlation,
        "serviceRequestId": deployment.operation,
        "statusCode": status_word(step.status),
        "targetResource": part(&step.id, &step.type_name, &step.name),
    });
    if let (Some(members), Some(symbol)) =
        (properties.get_mut("targetResource").and_then(Value::as_object_mut), &step.symbol)
    {
        members.insert("symbolicName".to_owned(), symbol.as_str().into());
    }
    if let (Some(error), Some(members)) = (&step.error, properties.as_object_mut()) {
        members.insert("statusMessage".to_owned(), json!({"status": "Failed", "error": error}));
    }
    Some(json!({"id": format!("{}/operations/{id}", deployment.id), "operationId": id, "properties": properties}))
}

/// The name of a status, as .NET has it.
fn status_word(status: u16) -> String {
    let reason =
        hyper::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    reason.replace(' ', "")
}
