//! Reads what exists of the desired resources: one listing for each resource group and type, or parent and type.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::group_content::start_group_content;
use super::names::start_name_check;
use super::reads::{Answer, Reads, Request, RequestKind};
use crate::azure::types::{CUSTOM_DOMAIN, FRONT_DOOR_ENDPOINT, ORIGIN, ORIGIN_GROUP, ROUTE, SECURITY_POLICY};
use crate::azure::{ArmClient, ArmError, Entries, Listing, RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::commands::Compiled;
use crate::desired::{Desired, Existing, OwnedProfile, has_placeholder};
use crate::plan::full_name;
use crate::protocol::ErrorReport;

/// Reads what exists of what a document wants. Children of a parent that is wanted and does not exist are not asked for, and
/// neither is what has a placeholder in its id: it cannot exist. What is only looked at and the caller may not read is taken out
/// of the document.
///
/// # Errors
/// The first read that fails, with a resource that it is for.
pub async fn read(reads: &mut Reads, compiled: &mut Compiled) -> Result<(Existing, ReadTimes), Box<ErrorReport>> {
    // In their order, so that of several reads that fail for one reason it is always the same that is told.
    let (mut answered, mut forbidden) = (Vec::new(), Vec::new());
    let mut started = start(reads, compiled);
    started.extend(start_below_parts(reads, compiled, &started).await);
    for (request, answer, resource) in started {
        match answer.await {
            Ok(found) => answered.push((request, found)),
            Err(error) if resource.watch.is_some() && is_forbidden(&error) => forbidden.push(request),
            Err(error) => return Err(unread(resource, &error)),
        }
    }
    if !forbidden.is_empty() {
        let is_known = |one: &Desired| !forbidden.contains(&Request::of(&one.id, one.resource_type));
        compiled.desired.retain(|resource| resource.watch.is_none() || is_known(resource));
    }
    let (mut existing, mut times) = (Existing::new(), ReadTimes::default());
    for (request, found) in answered {
        reads.forget(&request);
        times.0.extend(found.read_at.map(|read_at| (request.clone(), read_at)));
        for resource in Arc::unwrap_or_clone(found).items {
            let resource = with_right_id(resource, &request);
            if let Some(id) = resource.get("id").and_then(Value::as_str).and_then(ResourceId::checked) {
                existing.insert(id, resource);
            }
        }
    }
    for resource in &compiled.desired {
        let other = resource.resource_type.also_listed_as.map(|other| other(&resource.id));
        if let Some(body) = other.and_then(|other| existing.remove(&other)) {
            existing.entry(resource.id.clone()).or_insert(body);
        }
    }
    Ok((existing, times))
}

/// The times at which what exists was read.
#[derive(Debug, Default)]
pub struct ReadTimes(HashMap<Request, Instant>);

impl ReadTimes {
    /// The time at which a resource was asked for, whether it exists or not; none where nobody asked.
    #[must_use]
    pub fn of(&self, id: &ResourceId, resource_type: &ResourceType) -> Option<Instant> {
        self.0.get(&Request::of(id, resource_type)).copied()
    }
}

/// Reads one resource once more, in the form in which it was read for the plan; none when it does not exist.
///
/// # Errors
/// The request fails.
pub async fn look_again(
    client: &ArmClient,
    id: &ResourceId,
    resource_type: &ResourceType,
) -> Result<Option<Value>, ArmError> {
    let api_version = resource_type.api_version;
    match resource_type.listing {
        Listing::ListAction => client.action(&format!("{id}/list"), api_version).await,
        // What is listed under other ids cannot be read by its own.
        Listing::InGroup | Listing::InParent if resource_type.also_listed_as.is_some() => {
            let other = resource_type.also_listed_as.map(|other| other(id));
            let listed = client
                .list(Request::of(id, resource_type).target.as_str(), api_version, "", Entries::Resources)
                .await?;
            let is_it = |item: &Value| {
                let found = item.get("id").and_then(Value::as_str).and_then(ResourceId::checked);
                found.as_ref() == Some(id) || found.is_some() && found == other
            };
            Ok(listed.into_iter().find(is_it))
        }
        Listing::Single | Listing::InGroup | Listing::InParent => client.get(id.as_str(), api_version).await,
    }
}

/// Starts every read that a compiled document needs and that is known already: what exists of its resources, each with a
/// resource that it is for, and what is in the group that it completes.
pub(super) fn start<'a>(reads: &mut Reads, compiled: &'a Compiled) -> Vec<(Request, Answer, &'a Desired)> {
    for complete in compiled.complete.iter().filter(|complete| !has_placeholder(&complete.group)) {
        let _started = start_group_content(reads, &complete.group);
    }
    let mut known: Vec<&Desired> = compiled.desired.iter().filter(|resource| !has_placeholder(&resource.id)).collect();
    // What is above comes first: nothing below something that does not exist has to be asked for.
    known.sort_by_key(|resource| resource.id.as_str().matches('/').count());
    let mut answers: HashMap<&ResourceId, Answer> = HashMap::new();
    let mut started: Vec<(Request, Answer, &Desired)> = Vec::new();
    let mut seen: HashMap<Request, usize> = HashMap::new();
    for resource in known {
        let request = Request::of(&resource.id, resource.resource_type);
        let above = std::iter::successors(resource.id.parent(), ResourceId::parent)
            .find_map(|parent| Some((answers.get(&parent)?.clone(), parent)));
        let answer = reads.start_below(request.clone(), above);
        // A listing of a group that does not exist says so by itself, so it need not wait for the group.
        if resource.resource_type.name != RESOURCE_GROUP_TYPE {
            answers.insert(&resource.id, answer.clone());
        }
        start_name_check(reads, resource, &answer);
        match seen.get(&request) {
            // What is deployed is more important than what is only looked at.
            Some(index) if started[*index].2.watch.is_some() => started[*index].2 = resource,
            Some(_) => {}
            None => {
                seen.insert(request.clone(), started.len());
                started.push((request, answer, resource));
            }
        }
    }
    let parts = start_parts(reads, compiled, |id| answers.get(id).cloned());
    started.extend(parts.into_iter().filter(|(request, ..)| !seen.contains_key(request)));
    started
}

/// The front doors that documents own, each as one of their resources.
fn owned(compiled: &Compiled) -> impl Iterator<Item = (&OwnedProfile, &Desired)> {
    compiled.owned.iter().filter_map(|owned| {
        let profile = compiled.desired.iter().find(|resource| resource.id == owned.profile)?;
        Some((owned, profile))
    })
}

/// Starts the listings of what is in the front door that the document owns, beside what the document has of it.
fn start_parts<'a>(
    reads: &mut Reads,
    compiled: &'a Compiled,
    profile_answer: impl Fn(&ResourceId) -> Option<Answer>,
) -> Vec<(Request, Answer, &'a Desired)> {
    let types = [&FRONT_DOOR_ENDPOINT, &ORIGIN_GROUP, &CUSTOM_DOMAIN, &SECURITY_POLICY];
    let mut listings = Vec::new();
    for (owned, profile) in owned(compiled) {
        let Some(above) = profile_answer(&owned.profile) else { continue };
        listings.extend(types.map(|kind| {
            let request = Request::of(&kind.child_of(&owned.profile, "any"), kind);
            let answer = reads.start_below(request.clone(), Some((above.clone(), owned.profile.clone())));
            (request, answer, profile)
        }));
    }
    listings
}

/// Starts the listings of what is in the endpoints and pools of the front door that the document does not have. It is known when those
/// are listed.
async fn start_below_parts<'a>(
    reads: &mut Reads,
    compiled: &'a Compiled,
    started: &[(Request, Answer, &'a Desired)],
) -> Vec<(Request, Answer, &'a Desired)> {
    let mut more: Vec<(Request, Answer, &Desired)> = Vec::new();
    let pairs = [(&FRONT_DOOR_ENDPOINT, &ROUTE), (&ORIGIN_GROUP, &ORIGIN)];
    for ((owned, profile), (kind, below)) in owned(compiled).flat_map(|owned| pairs.map(|pair| (owned, pair))) {
        let listing = Request::of(&kind.child_of(&owned.profile, "any"), kind);
        let Some((_, answer, _)) = started.iter().find(|(request, ..)| *request == listing) else { continue };
        // Whoever reads the listing itself tells why it failed.
        let Ok(found) = answer.clone().await else { continue };
        let ids = found.items.iter().filter_map(|item| ResourceId::checked(item.get("id")?.as_str()?));
        for id in ids.filter(|id| id.is_within(&owned.profile)) {
            let request = Request::of(&below.child_of(&id, "any"), below);
            if started.iter().chain(&more).all(|(other, ..)| *other != request) {
                let answer = reads.start(request.clone());
                more.push((request, answer, profile));
            }
        }
    }
    more
}

/// Whether Azure says that the caller may not do it.
fn is_forbidden(error: &ArmError) -> bool {
    matches!(error, ArmError::Refused(refusal) if refusal.status == 403)
}

fn unread(resource: &Desired, error: &ArmError) -> Box<ErrorReport> {
    let (place, name) = (resource.place.show(), full_name(&resource.id, resource.resource_type.label));
    let report = error.report(&format!("{place}: the {name} cannot be read"));
    let report = report.about_resource(&resource.id, resource.place.document()).about(place);
    Box::new(ErrorReport { terminating: true, ..report })
}

impl Request {
    /// The request that shows the resource of an id, if it exists.
    pub(super) fn of(id: &ResourceId, resource_type: &ResourceType) -> Request {
        let collection = || ResourceId::new(id.as_str().rsplit_once('/').map_or("", |(collection, _)| collection));
        let api_version = resource_type.api_version;
        match resource_type.listing {
            Listing::Single => Request::get(id.clone(), api_version),
            Listing::ListAction => Request { target: id.clone(), api_version, kind: RequestKind::ListAction },
            Listing::InGroup | Listing::InParent => Request::list(collection(), api_version),
        }
    }
}

/// The body that a request found, with the id by which it is known.
fn with_right_id(body: Value, request: &Request) -> Value {
    match request.kind {
        RequestKind::Get | RequestKind::NameCheck { .. } => body,
        // Providers give such an answer an id of their own: that of the action, or of another spelling.
        RequestKind::ListAction => with_id(body, request.target.as_str()),
        RequestKind::List { .. } => with_whole_id(body, request.target.as_str()),
    }
}

/// Diagnostic settings of a subscription come with ids that have no slash before them, or another namespace in them
/// (Azure/azure-cli issue 18242, and the samples of the REST specification); their names are right.
fn with_whole_id(body: Value, collection: &str) -> Value {
    let text = |member: &str| body.get(member).and_then(Value::as_str);
    match (text("id"), text("name")) {
        (Some(id), Some(name)) if !id.starts_with('/') => {
            let id = format!("{collection}/{name}");
            with_id(body, &id)
        }
        _ => body,
    }
}

fn with_id(mut body: Value, id: &str) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.insert("id".to_owned(), Value::String(id.to_owned()));
    }
    body
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_that_are_not_whole_are_made_of_the_name() {
        let collection = "/subscriptions/1/providers/Microsoft.Insights/diagnosticSettings";
        for id in [
            "subscriptions/1/providers/microsoft.insights/diagnosticSettings/x",
            "subscriptions/1/providers/AzureResourceManager/diagnosticSettings/x",
        ] {
            let body = with_whole_id(json!({"id": id, "name": "x"}), collection);
            assert_eq!(body["id"], format!("{collection}/x"));
        }
        let whole = json!({"id": "/subscriptions/1/elsewhere/y", "name": "x"});
        assert_eq!(with_whole_id(whole.clone(), collection), whole);
    }
}
