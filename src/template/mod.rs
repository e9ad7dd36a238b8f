//! The compiled document as an ARM template in JSON, for Azure's own engine: plain data in, a template and what is to be said of it
//! out.

mod assembly;
mod calls;
mod deviations;
mod expression;
mod limits;
mod names;
mod parameters;
mod scope;
mod sheet;
mod units;

use std::collections::BTreeMap;

use assembly::assemble;
pub use calls::calls;
use serde_json::Value;

use crate::azure::types::{APP_SETTINGS, ResourceType, SLOT_APP_SETTINGS};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::commands::CompleteMode;
use crate::desired::{Desired, OwnedProfile, Tag, World};
use crate::plan::{Siblings, left_to_do};
use crate::protocol::{TemplateParameter, Warning};

/// The types that the command adds to and a deployment replaces as a whole: the settings of apps.
pub const REPLACED_WHOLE: &[&ResourceType] = &[&APP_SETTINGS, &SLOT_APP_SETTINGS];

/// The input of a template.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The wanted resources.
    pub desired: &'a [Desired],
    /// The existing resources, which decide what would be overwritten.
    pub world: &'a World,
    /// The resources that were looked up, each with the name that it was looked for by.
    pub looked_up: &'a BTreeMap<ResourceId, String>,
    /// The groups of alert rules.
    pub complete: &'a [CompleteMode],
    /// The front doors that the documents own.
    pub owned: &'a [OwnedProfile],
    /// The subscription that is deployed to.
    pub subscription: &'a ResourceId,
    /// The tag for publish names.
    pub service_tag_key: &'a str,
    /// The variables of the caller that stand in the settings.
    pub secrets: &'a [String],
    /// The ids of look-ups are parameters.
    pub late_binding: bool,
    /// Only the rules of the alert commands.
    pub stack: bool,
}

/// A template.
#[derive(Debug)]
pub struct Template {
    /// The template itself.
    pub body: Value,
    /// The scope of its deployment.
    pub scope: TemplateScope,
    /// Its parameters.
    pub parameters: Vec<TemplateParameter>,
    /// The warnings of what it does not do like the engine, and of what is near a limit: complete sentences.
    pub warnings: Vec<Warning>,
}

/// The scopes of the deployment of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateScope {
    /// To a subscription, and in this location, where the deployment itself is kept.
    Subscription(String),
    /// To this resource group.
    Group(String),
}

/// Makes the template of what is wanted.
///
/// # Errors
/// What Azure would not take, or what must not be written out: complete sentences, each with a way out.
pub fn template(input: &Input<'_>) -> Result<Template, Vec<String>> {
    let mut resources = templated(input);
    if input.stack {
        if input.complete.is_empty() {
            let reason = "A deployment stack is for the alert commands, whose rules it completes; the document is for another command. \
                          Leave the option out.";
            return Err(vec![reason.to_owned()]);
        }
        resources.retain(|resource| is_of_stack(resource, input.complete));
    }
    if resources.is_empty() {
        return Err(vec![
            "Nothing is left for a template: everything is there already, and nobody writes it.".to_owned(),
        ]);
    }
    let root_group = root_group(input, &resources);
    let scope = match &root_group {
        Some(group) => TemplateScope::Group(group.name().to_owned()),
        None => TemplateScope::Subscription(location(&resources)),
    };
    let warnings = deviations::deviations(input, &resources);
    let (body, parameters) = assemble(input, &resources, root_group.as_ref());
    let problems = [limits::problems(&body), leaks(&resources, &body), leaked_variables(input.secrets, &body)].concat();
    if problems.is_empty() { Ok(Template { body, scope, parameters, warnings }) } else { Err(problems) }
}

/// The resources that are left to be written of the wanted ones, each with the publish name that it has already.
fn templated(input: &Input<'_>) -> Vec<Desired> {
    let published = |mut resource: Desired| {
        let has = |tags: &crate::desired::Tags| tags.keys().any(|key| key.eq_ignore_ascii_case(input.service_tag_key));
        if let World::Known(existing) = input.world
            && resource.resource_type.tags.is_some()
            && !has(&resource.tags)
            && !has(&resource.creation_tags)
            && let Some(tags) = existing.get(&resource.id).and_then(|body| body.get("tags")?.as_object())
            && let Some((key, name)) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(input.service_tag_key))
            && let Some(name) = name.as_str()
        {
            // A template replaces all tags, and who depends on the resource would not find it any more.
            resource
                .tags
                .insert(key.clone(), Tag { value: name.to_owned(), place: resource.place.clone(), publishes: true });
        }
        resource
    };
    let siblings = Siblings::in_world(input.world);
    input.desired.iter().filter_map(|resource| left_to_do(resource, &siblings)).map(published).collect()
}

/// Whether a resource is a rule of an alert command, or the group that its document makes for them.
fn is_of_stack(resource: &Desired, complete: &[CompleteMode]) -> bool {
    complete.iter().any(|complete| {
        let is_rule = resource.resource_type.name == complete.rules.name;
        resource.id == complete.group || (is_rule && resource.id.parent().as_ref() == Some(&complete.group))
    })
}

/// The group that a template for a stack is deployed to: that of others, in which the rules are.
fn root_group(input: &Input<'_>, resources: &[Desired]) -> Option<ResourceId> {
    let [only] = input.complete else { return None };
    let is_made = resources.iter().any(|resource| resource.resource_type.name == RESOURCE_GROUP_TYPE);
    (input.stack && !is_made).then(|| only.group.clone())
}

/// The location in which a deployment to the subscription is kept: with the first of its resources that is in a region.
fn location(resources: &[Desired]) -> String {
    let of = |body: &Value| body.get("location").and_then(Value::as_str).map(str::to_owned);
    let locations = resources.iter().filter_map(|resource| of(&resource.body).or_else(|| of(&resource.creation_body)));
    let mut regions = locations.filter(|location| !location.eq_ignore_ascii_case("global"));
    regions.next().unwrap_or_else(|| "<location>".to_owned())
}

/// Variables of the caller that stand in the template, which has parameters for texts only: a name cannot be one.
fn leaked_variables(secrets: &[String], body: &Value) -> Vec<String> {
    let text = body.to_string().to_lowercase();
    let is_written = |secret: &String| {
        let secret = Value::from(secret.to_lowercase()).to_string();
        text.contains(secret.trim_matches('"'))
    };
    let leaked = "A variable of '$(env:…)' is a part of a name or of a publish name, and the template would show it. Use a value of _values there.";
    secrets.iter().any(is_written).then(|| leaked.to_owned()).into_iter().collect()
}

/// Secrets that stand somewhere in the template: in a text that is none.
fn leaks(resources: &[Desired], body: &Value) -> Vec<String> {
    /// Shorter values are words.
    const SHORTEST: usize = 6;
    let text = body.to_string();
    let is_written =
        |secret: &str| secret.len() >= SHORTEST && text.contains(Value::from(secret).to_string().trim_matches('"'));
    let leaks = |resource: &Desired| {
        let bodies = [&resource.body, &resource.creation_body];
        let mut secrets = bodies.into_iter().flat_map(|body| resource.resource_type.secrets_of(body));
        secrets.any(is_written).then(|| {
            format!(
                "{}: a secret of the {} '{}' also stands where it is none, and the template would show it. Take it out there.",
                resource.place.show(),
                resource.resource_type.label,
                resource.id.name()
            )
        })
    };
    resources.iter().filter_map(leaks).collect()
}
