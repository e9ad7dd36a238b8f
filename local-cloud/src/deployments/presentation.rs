//! A deployment as it is shown.

use super::record::{Deployment, Progress, Step};
use crate::deployment_paths::TYPE;
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::reply::Refusal;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The refusal for a deployment that is not there.
pub(super) fn not_found(id: &ResourceId) -> Refusal {
    Refusal::not_found("DeploymentNotFound", format!("Deployment '{}' could not be found.", id.name()))
}

/// A number that is always the same for a text.
fn number(text: &str) -> u64 {
    uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, text.as_bytes()).as_u64_pair().0
}

/// A length of time in the form of ISO 8601.
fn duration(from: Moment, to: Moment) -> String {
    format!("PT{}S", from.until(to).as_secs_f64())
}

fn part(step: &Step) -> Value {
    json!({"id": step.id, "resourceType": step.type_name, "resourceName": step.name})
}

/// The body of a GET.
pub(crate) fn shown(deployment: &Deployment) -> Value {
    let latest = deployment.steps.iter().filter_map(|step| step.ended).max().unwrap_or(deployment.started);
    let until = deployment.ended.unwrap_or(latest);
    let written = deployment.steps.iter().filter(|step| !step.is_deployment()).map(|step| json!({"id": step.id}));
    let properties = without_nulls(json!({
        "templateHash": number(&deployment.template.to_string()).to_string(),
        "parameters": deployment.shown_parameters,
        "mode": "Incremental",
        "provisioningState": deployment.progress,
        "timestamp": until.text(),
        "duration": duration(deployment.started, until),
        "correlationId": deployment.correlation,
        "providers": providers(&deployment.steps),
        "dependencies": dependencies(&deployment.steps),
        "outputResources": (deployment.progress == Progress::Succeeded).then(|| written.collect::<Value>()),
        "error": deployment.error,
    }));
    without_nulls(json!({
        "id": deployment.id,
        "name": deployment.name(),
        "type": TYPE,
        "location": deployment.location,
        "tags": deployment.tags,
        "properties": properties,
    }))
}

/// An object without the members that have no value.
pub(super) fn without_nulls(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}

fn providers(steps: &[Step]) -> Value {
    let mut by_namespace: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for step in steps {
        let Some((namespace, kind)) = step.type_name.split_once('/') else { continue };
        by_namespace.entry(namespace).or_default().entry(kind).or_default().extend(step.location.as_deref());
    }
    let types = |kinds: BTreeMap<&str, BTreeSet<&str>>| {
        kinds
            .into_iter()
            .map(|(kind, locations)| json!({"resourceType": kind, "locations": locations}))
            .collect::<Value>()
    };
    by_namespace
        .into_iter()
        .map(|(namespace, kinds)| json!({"namespace": namespace, "resourceTypes": types(kinds)}))
        .collect()
}

fn dependencies(steps: &[Step]) -> Value {
    let depends = |step: &Step| {
        let mut shown = part(step);
        shown["dependsOn"] = step.after.iter().map(|index| part(&steps[*index])).collect();
        shown
    };
    steps.iter().filter(|step| !step.after.is_empty()).map(depends).collect()
}

/// The operations of a deployment, the latest first, as Azure lists them.
pub(super) fn operations(deployment: &Deployment) -> Vec<Value> {
    let evaluation = deployment.ended.filter(|_| deployment.progress == Progress::Succeeded).map(|ended| {
        operation(
            deployment,
            "outputs",
            json!({
                "provisioningOperation": "EvaluateDeploymentOutput",
                "provisioningState": deployment.progress,
                "timestamp": ended.text(),
                "duration": duration(ended, ended),
                "statusCode": "OK",
            }),
        )
    });
    let begun = deployment.steps.iter().rev().filter_map(|step| Some((step, step.started?)));
    let of_steps = begun.map(|(step, started)| {
        let until = step.ended.unwrap_or(started);
        let mut target = part(step);
        target["symbolicName"] = step.symbol.as_str().into();
        operation(
            deployment,
            &step.id,
            json!({
                "provisioningOperation": "Create",
                "provisioningState": step.progress,
                "timestamp": until.text(),
                "duration": duration(started, until),
                "serviceRequestId": deployment.operation,
                "statusCode": status_word(step.status),
                "targetResource": target,
                "statusMessage": step.error.as_ref().map(|error| json!({"status": "Failed", "error": error})),
            }),
        )
    });
    evaluation.into_iter().chain(of_steps).collect()
}

/// An operation, whose id is sixteen digits of base 16 and always the same for what it is about.
fn operation(deployment: &Deployment, about: &str, mut properties: Value) -> Value {
    properties["trackingId"] = deployment.correlation.as_str().into();
    let id = format!("{:016X}", number(&format!("{}/{about}", deployment.operation)));
    json!({"id": format!("{}/operations/{id}", deployment.id), "operationId": id, "properties": without_nulls(properties)})
}

/// The name of a status, as .NET has it.
fn status_word(status: u16) -> String {
    let reason =
        hyper::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    reason.replace(' ', "")
}
