//! Microsoft.Insights/components: Application Insights, with its data in a workspace.
//!
//! Source: azure-rest-api-specs 2020-02-02. Components without a workspace (classic ones) were retired in February 2024.

use super::alert_rules::bad_request;
use super::operationalinsights::WORKSPACE;
use super::shape;
use super::{Refusal, ResourceId, Write, fill, properties_mut, property, random_of, text};
use crate::locations::run_together;
use crate::lookup::look_up;
use crate::state::Body;
use serde_json::Value;

/// The shape of a component. It is not looked at where only tags are written, or where everything is as it was.
pub(super) const SHAPE: &str = "component with a workspace";

pub(super) const READ_ONLY: &[&str] = &[
    "ApplicationId",
    "AppId",
    "Name",
    "InstrumentationKey",
    "ConnectionString",
    "CreationDate",
    "TenantId",
    "HockeyAppToken",
    "LaMigrationDate",
    "PrivateLinkScopedResources",
];

pub(super) const ILLEGAL_IN_NAMES: &str = "%&\\?/";

/// A body without properties changes nothing but the tags, and perhaps the kind, of a component that exists. Source:
/// azure-rest-api-specs, `ComponentsUpdate`.
fn has_tags_only(body: &Body) -> bool {
    body.contains_key("tags") && body.get("properties").is_none_or(Value::is_null)
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    if write.existing.is_some() && has_tags_only(write.body) {
        return Ok(());
    }
    if text(write.body, "kind").is_none_or(|kind| kind.trim().is_empty()) {
        return Err(bad_request("The kind of the component is missing.".to_owned()));
    }
    // What is as it was may be older than a rule: a component of the time before workspaces takes tags.
    let is_as_it_was =
        |existing: &Body| shape::names(SHAPE).all(|name| property(write.body, name) == property(existing, name));
    if write.existing.is_some_and(is_as_it_was) {
        return Ok(());
    }
    shape::check_properties(write.body, SHAPE)?;
    let workspace = text(write.body, "properties/WorkspaceResourceId").unwrap_or_default();
    let id = ResourceId::parse(workspace)
        .filter(|id| id.type_name().eq_ignore_ascii_case(WORKSPACE))
        .ok_or_else(|| bad_request(format!("The WorkspaceResourceId '{workspace}' is not the id of a workspace.")))?;
    look_up(write.state, &id).map(drop)
}

/// The ids and keys of a component follow from its resource id.
pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    if let Some(existing) = write.existing.filter(|_| has_tags_only(write.body)) {
        body.extend(existing.get("properties").map(|properties| ("properties".to_owned(), properties.clone())));
        fill(body, "kind", existing.get("kind").cloned().unwrap_or_default());
    }
    fill(body, "kind", "web");
    let region = run_together(text(body, "location").unwrap_or_default());
    let before = |name: &str| write.existing.and_then(|existing| property(existing, name)).cloned();
    let mut random = random_of(&write.id.key());
    let mut guid = || uuid::Builder::from_random_bytes(std::array::from_fn(|_| random.u8(..))).into_uuid().to_string();
    let (application, key) = (guid(), guid());
    let connection = format!(
        "InstrumentationKey={key};IngestionEndpoint=https://{region}-0.in.applicationinsights.azure.com/;\
         LiveEndpoint=https://{region}.livediagnostics.monitor.azure.com/;ApplicationId={application}"
    );
    let name = text(body, "name").unwrap_or_default().to_owned();
    let Some(properties) = properties_mut(body) else { return };
    for (member, value) in [
        ("ApplicationId", name.clone()),
        ("AppId", application),
        ("Name", name),
        ("InstrumentationKey", key),
        ("ConnectionString", connection),
        ("CreationDate", write.now.text()),
        ("TenantId", write.id.subscription.clone().unwrap_or_default()),
    ] {
        properties.insert(member.to_owned(), before(member).unwrap_or_else(|| value.into()));
    }
}
