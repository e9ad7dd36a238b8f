//! From a request to a deployment that can be carried out.

use super::errors::{invalid_deployment, invalid_template, not_supported, of_halt};
use super::expand::expand;
use super::parameters::{self, Bound};
use super::record::{Deployment, Mode, Outer, Progress, TYPE};
use super::template;
use crate::locations;
use crate::lookup;
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::placement::location_not_available;
use crate::reply::Refusal;
use crate::state::State;
use crate::tags;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The longest name.
const LONGEST_NAME: usize = 64;
/// Properties that the local cloud does not carry out, and what they are.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("templateLink", "a link to a template or a template spec; send the template itself"),
    ("parametersLink", "a link to a file of parameters; send the parameters themselves"),
    ("onErrorDeployment", "a rollback to an earlier deployment (onErrorDeployment)"),
    ("extensionConfigs", "extensions (extensionConfigs)"),
    ("externalInputs", "external inputs (externalInputs)"),
];

/// The template that the expressions of a nested one belong to, and the values of its parameters.
pub(super) type OuterValues = (Outer, BTreeMap<String, Value>);

/// What a deployment is made of.
pub(super) struct Wanted<'a> {
    pub(super) id: &'a ResourceId,
    pub(super) body: &'a Value,
    pub(super) base: &'a str,
    pub(super) now: Moment,
    /// The deployment that has this one, and the template and the parameters that its expressions belong to where they are not its own.
    pub(super) parent: Option<(&'a Deployment, Option<OuterValues>)>,
}

/// The deployment, with all checked that can be before anything is deployed.
pub(super) fn deployment(state: &State, wanted: Wanted<'_>) -> Result<Deployment, Refusal> {
    let Wanted { id, body, base, now, parent } = wanted;
    check_name(id)?;
    lookup::require_parents(state, id)?;
    let location = check_location(id, body)?;
    let properties = body.get("properties").and_then(Value::as_object);
    let properties = properties.ok_or_else(|| {
        Refusal::bad_request("InvalidRequestContent", "The request content was invalid: 'properties' is missing.")
    })?;
    for (name, what) in UNSUPPORTED {
        if properties.get(*name).is_some_and(|value| !value.is_null()) {
            return Err(not_supported(what));
        }
    }
    if let Some(members) = body.as_object() {
        tags::check_body(members, TYPE)?;
    }
    let mode = check_mode(id, properties, parent.is_some())?;
    let template = object_or_text(properties.get("template"), "template")?;
    if template.is_null() {
        return Err(invalid_template("The template is missing: 'properties.template' has to have it"));
    }
    template::check(&template).map_err(of_halt)?;
    let given = object_or_text(properties.get("parameters"), "parameters")?;
    let (parent, outer) = match parent {
        Some((parent, outer)) => (Some(parent), outer),
        None => (None, None),
    };
    let (outer, bound) = match outer {
        Some((outer, values)) => (Some(outer), Bound { values, shown: json!({}) }),
        None => (None, parameters::bind(&template, Some(&given), state, &id.container(), now).map_err(of_halt)?),
    };
    let unique = || uuid::Uuid::new_v4().to_string();
    let mut deployment = Deployment {
        id: id.text(),
        location,
        tags: body.get("tags").filter(|tags| !tags.is_null()).cloned(),
        mode,
        template,
        outer,
        parameters: bound.values,
        shown_parameters: bound.shown,
        base: base.to_owned(),
        correlation: parent.map_or_else(unique, |parent| parent.correlation.clone()),
        operation: unique(),
        parent: parent.map(Deployment::key),
        started: now,
        ended: None,
        progress: Progress::Accepted,
        wake: Some(now),
        steps: Vec::new(),
        outputs: None,
        error: None,
        is_rehearsal: parent.is_some_and(|parent| parent.is_rehearsal),
    };
    deployment.steps = expand(&deployment, state, now).map_err(of_halt)?;
    Ok(deployment)
}

/// Refuses to write over a deployment that is being carried out, or one that is kept in another region.
pub(super) fn check_free(state: &State, id: &ResourceId, location: Option<&str>) -> Result<(), Refusal> {
    let Some(existing) = state.deployment(&id.key()) else { return Ok(()) };
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
    match (&existing.location, location) {
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
        (None, Some(location)) => match locations::find(location) {
            Some(region) => Ok(Some(region.name.to_owned())),
            None => {
                let regions = locations::all().map(|region| region.name).collect::<Vec<_>>().join(",");
                Err(location_not_available(location, id, &regions))
            }
        },
    }
}

fn check_mode(id: &ResourceId, properties: &Map<String, Value>, is_nested: bool) -> Result<Mode, Refusal> {
    let mode = properties.get("mode").and_then(Value::as_str);
    let complete = match mode {
        Some(mode) if mode.eq_ignore_ascii_case("incremental") => false,
        Some(mode) if mode.eq_ignore_ascii_case("complete") => true,
        other => {
            let other = other.unwrap_or("nothing");
            return Err(invalid_deployment(format!(
                "The deployment mode of '{}' must be Incremental or Complete and is {other}.",
                id.name()
            )));
        }
    };
    if complete && (id.group.is_none() || is_nested) {
        let what = if is_nested { "nested deployments" } else { "deployments of subscriptions" };
        return Err(invalid_deployment(format!(
            "The deployment mode Complete of '{}' is not supported: {what} are Incremental.",
            id.name()
        )));
    }
    Ok(if complete { Mode::Complete } else { Mode::Incremental })
}

/// A JSON object, or a text that is one.
fn object_or_text(value: Option<&Value>, what: &str) -> Result<Value, Refusal> {
    match value {
        None | Some(Value::Null) => Ok(Value::Null),
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|error| {
            Refusal::bad_request(
                "InvalidRequestContent",
                format!("The request content was invalid: '{what}' is no JSON: {error}."),
            )
        }),
        Some(object) => Ok(object.clone()),
    }
}
