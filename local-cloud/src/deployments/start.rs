//! From a request to a deployment that can be carried out.

use super::errors::{invalid_deployment, not_supported, of_halt};
use super::record::{Deployment, Progress};
use super::steps::steps;
use super::{parameters, template};
use crate::deployment_paths::TYPE;
use crate::locations;
use crate::lookup;
use crate::operations::Surroundings;
use crate::path::ResourceId;
use crate::placement::location_not_available;
use crate::reply::Refusal;
use crate::state::State;
use crate::tags;
use serde_json::Value;

/// The longest name.
const LONGEST_NAME: usize = 64;
/// Properties that the local cloud does not carry out.
const UNSUPPORTED: &[&str] =
    &["templateLink", "parametersLink", "onErrorDeployment", "extensionConfigs", "externalInputs"];

/// The deployment of a request, or of a step of another one, with all checked that can be before anything is deployed.
pub(super) fn deployment(
    state: &State,
    id: &ResourceId,
    body: &Value,
    around: &Surroundings,
    parent: Option<&Deployment>,
) -> Result<Deployment, Refusal> {
    check_name(id)?;
    lookup::require_parents(state, id)?;
    let location = check_location(id, body)?;
    let properties = body.get("properties").and_then(Value::as_object);
    let properties = properties.ok_or_else(|| {
        Refusal::bad_request("InvalidRequestContent", "The request content was invalid: 'properties' is missing.")
    })?;
    if let Some(name) = UNSUPPORTED.iter().find(|name| properties.get(**name).is_some_and(|value| !value.is_null())) {
        return Err(not_supported(&format!("'{name}' of deployments")));
    }
    if let Some(members) = body.as_object() {
        tags::check_body(members, TYPE)?;
    }
    match properties.get("mode").and_then(Value::as_str).map(str::to_lowercase).as_deref() {
        Some("incremental") => {}
        Some("complete") => return Err(not_supported("the mode Complete of deployments")),
        other => {
            let (name, other) = (id.name(), other.unwrap_or("nothing"));
            return Err(invalid_deployment(format!(
                "The deployment mode of '{name}' must be Incremental or Complete and is {other}."
            )));
        }
    }
    let template = properties.get("template").cloned().unwrap_or_default();
    template::check(&template).map_err(of_halt)?;
    let bound = parameters::bind(&template, properties.get("parameters")).map_err(of_halt)?;
    let unique = || uuid::Uuid::new_v4().to_string();
    let mut deployment = Deployment {
        id: id.text(),
        location,
        tags: body.get("tags").filter(|tags| !tags.is_null()).cloned(),
        template,
        parameters: bound.values,
        shown_parameters: bound.shown,
        base: around.base.clone(),
        correlation: parent.map_or_else(unique, |parent| parent.correlation.clone()),
        operation: unique(),
        started: around.now,
        ended: None,
        progress: Progress::Accepted,
        wake: Some(around.now),
        steps: Vec::new(),
        error: None,
        is_rehearsal: parent.is_some_and(|parent| parent.is_rehearsal),
    };
    deployment.steps = steps(&deployment, state).map_err(of_halt)?;
    Ok(deployment)
}

/// Refuses to write over a deployment that is being carried out, or one that is kept in another region.
pub(super) fn check_free(state: &State, deployment: &Deployment) -> Result<(), Refusal> {
    let Some(existing) = state.deployments().get(&deployment.key()) else { return Ok(()) };
    if !existing.progress.is_final() {
        return Err(Refusal::conflict(
            "DeploymentActive",
            format!(
                "The deployment with resource id '{}' cannot be saved, because this would overwrite an existing deployment which is still \
                 active.",
                existing.id
            ),
        ));
    }
    match (&existing.location, &deployment.location) {
        (Some(before), Some(location)) if before != location => Err(Refusal::conflict(
            "InvalidDeploymentLocation",
            format!(
                "Invalid deployment location '{location}'. The deployment '{}' already exists in location '{before}'.",
                existing.name()
            ),
        )),
        _ => Ok(()),
    }
}

fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |letter: char| letter.is_alphanumeric() || "-_.()".contains(letter);
    if (1..=LONGEST_NAME).contains(&name.chars().count()) && name.chars().all(legal) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "InvalidDeploymentName",
        format!(
            "The deployment name '{name}' is not valid: it has 1 to {LONGEST_NAME} letters, digits, '-', '_', '.', '(' and ')'."
        ),
    ))
}

fn check_location(id: &ResourceId, body: &Value) -> Result<Option<String>, Refusal> {
    let location = body.get("location").and_then(Value::as_str);
    match (&id.group, location) {
        (None, None) => Err(invalid_deployment(format!(
            "The 'location' property must be specified for '{}'. Please see https://aka.ms/deploy-to-subscription for usage details.",
            id.name()
        ))),
        (Some(_), Some(_)) => Err(invalid_deployment(format!(
            "The 'location' property is not allowed for '{}' at resource group scope. Please see https://aka.ms/deploy-to-subscription for \
             usage details.",
            id.name()
        ))),
        (Some(_), None) => Ok(None),
        (None, Some(location)) => {
            locations::find(location).map(|region| Some(region.name.to_owned())).ok_or_else(|| {
                let regions = locations::all().map(|region| region.name).collect::<Vec<_>>().join(",");
                location_not_available(location, id, &regions)
            })
        }
    }
}
