//! Resource providers: what they have, and whether they are registered.

use super::locations;
use super::path::ResourceId;
use super::pending_faults::Faults;
use super::published;
use super::reply::{Answer, Refusal};
use super::resource_types::{self, LocationRule};
use super::state::State;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// `.../providers`.
pub(super) fn list(state: &State, scope: &ResourceId, faults: &Faults) -> Answer {
    let registration = |namespace: &str| faults.registrations().word(namespace);
    let providers = published::namespaces().map(|namespace| provider(state, scope, namespace, registration(namespace)));
    let providers: Vec<Value> = providers.collect();
    Answer::json(200, json!({"value": providers}))
}

/// `.../providers/{namespace}`.
pub(super) fn show(state: &State, scope: &ResourceId, namespace: &str, faults: &Faults) -> Answer {
    let registration = faults.registrations().read(namespace);
    Answer::json(200, provider(state, scope, namespace, registration))
}

/// POST `.../providers/{namespace}/register`.
pub(super) fn register(state: &State, scope: &ResourceId, namespace: &str, faults: &Faults) -> Answer {
    faults.registrations().register(namespace);
    Answer::json(200, provider(state, scope, namespace, faults.registrations().word(namespace)))
}

/// `/subscriptions/{id}/locations`.
pub(super) fn regions(subscription: &ResourceId) -> Result<Answer, Refusal> {
    let regions: Vec<Value> = locations::all()
        .map(|region| {
            json!({
                "id": format!("{}/locations/{}", subscription.text(), region.name),
                "name": region.name,
                "displayName": region.display_name,
                "regionalDisplayName": region.display_name,
                "metadata": {"regionType": "Physical"},
            })
        })
        .collect();
    Ok(Answer::json(200, json!({"value": regions})))
}

fn namespace(type_name: &str) -> &str {
    type_name.split('/').next().unwrap_or_default()
}

fn provider(state: &State, scope: &ResourceId, wanted: &str, registration: &str) -> Value {
    let entry = resource_types::all().find(|entry| namespace(entry.name).eq_ignore_ascii_case(wanted));
    let name = entry.map_or(wanted, |entry| namespace(entry.name));
    json!({
        "id": format!("{}/providers/{name}", scope.text()),
        "namespace": name,
        "registrationState": registration,
        "registrationPolicy": "RegistrationRequired",
        "resourceTypes": resource_types(state, name),
    })
}

/// The types of a namespace: those with rules, those that Azure lists, and those that were stored as they came.
fn resource_types(state: &State, wanted: &str) -> Vec<Value> {
    let stored: BTreeSet<&str> = state.all().map(|(_, resource)| resource.text("type")).collect();
    let known = |name: &str| resource_types::find(name).is_some() || published::has_collection(name);
    let stored = stored.into_iter().filter(|name| namespace(name).eq_ignore_ascii_case(wanted) && !known(name));
    let entries = resource_types::all().filter(|entry| namespace(entry.name).eq_ignore_ascii_case(wanted));
    let others = published::collections(wanted).map(|name| (name, LocationRule::Region));
    let types = entries
        .map(|entry| (entry.name, entry.location))
        .chain(others)
        .chain(stored.map(|name| (name, LocationRule::Region)));
    types
        .map(|(name, location)| {
            let regions: Vec<&str> = match location {
                LocationRule::Absent | LocationRule::Optional => Vec::new(),
                LocationRule::RegionOrGlobal | LocationRule::Global => vec!["global"],
                LocationRule::GlobalOr(regions) => std::iter::once("global").chain(regions.iter().copied()).collect(),
                _ => locations::all().map(|region| region.display_name).collect(),
            };
            let versions = Some(published::api_versions(name)).filter(|versions| !versions.is_empty());
            let newest_first: Vec<&str> = versions.unwrap_or(&[published::ANY_VERSION]).iter().rev().copied().collect();
            json!({
                "resourceType": name.get(wanted.len() + 1..),
                "locations": regions,
                "apiVersions": newest_first,
                "capabilities": "None",
            })
        })
        .collect()
}

/// `.../providers/{namespace}/resourceTypes`.
pub(super) fn resource_types_of(state: &State, namespace: &str) -> Answer {
    Answer::json(200, json!({"value": resource_types(state, namespace)}))
}
