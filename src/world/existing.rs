//! Reads what exists of the desired resources: one listing for each resource group and type, or parent and type.

use std::collections::{BTreeMap, HashSet};

use futures::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value;

use crate::azure::{ArmClient, ArmError, Listing, READS_AT_ONCE, ResourceId, ResourceType};
use crate::desired::{Desired, Existing};
use crate::plan::full_name;
use crate::protocol::ErrorReport;

/// One request that has to be made.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Read {
    path: String,
    api_version: &'static str,
    listing: Listing,
}

/// Reads what exists. Children of a parent that is wanted and does not exist are not asked for.
///
/// # Errors
/// The first read that fails, with a resource that it is for.
pub async fn read(client: &ArmClient, desired: &[Desired]) -> Result<Existing, Box<ErrorReport>> {
    let wanted: HashSet<&ResourceId> = desired.iter().map(|resource| &resource.id).collect();
    let mut existing = Existing::new();
    // What is above comes first: nothing below something that does not exist has to be asked for.
    let mut stages: BTreeMap<usize, Vec<&Desired>> = BTreeMap::new();
    for resource in desired {
        stages.entry(resource.id.as_str().matches('/').count()).or_default().push(resource);
    }
    for stage in stages.into_values() {
        let mut reads: Vec<(Read, &Desired)> = Vec::new();
        let mut seen = HashSet::new();
        for resource in stage {
            if !is_below_missing(&resource.id, &wanted, &existing) {
                let read = Read::of(&resource.id, resource.resource_type);
                if seen.insert(read.clone()) {
                    reads.push((read, resource));
                }
            }
        }
        let found: Vec<Vec<Value>> = stream::iter(reads)
            .map(async |(read, resource)| read.send(client).await.map_err(|error| unread(resource, &error)))
            .buffer_unordered(READS_AT_ONCE)
            .try_collect()
            .await?;
        for resource in found.into_iter().flatten() {
            if let Some(id) = resource.get("id").and_then(Value::as_str) {
                existing.insert(ResourceId::new(id), resource);
            }
        }
    }
    for resource in desired {
        let other = resource.resource_type.also_listed_as.map(|other| other(&resource.id));
        if let Some(body) = other.and_then(|other| existing.remove(&other)) {
            existing.entry(resource.id.clone()).or_insert(body);
        }
    }
    Ok(existing)
}

fn unread(resource: &Desired, error: &ArmError) -> Box<ErrorReport> {
    let (place, name) = (resource.place.show(), full_name(&resource.id, resource.resource_type.label));
    let mut report = error.report(&format!("{place}: the {name} cannot be read"));
    report.terminating = true;
    report.resource_id = Some(resource.id.to_string());
    report.target = Some(place);
    Box::new(report)
}

fn is_below_missing(id: &ResourceId, wanted: &HashSet<&ResourceId>, existing: &Existing) -> bool {
    std::iter::successors(id.parent(), ResourceId::parent)
        .any(|parent| wanted.contains(&parent) && !existing.contains_key(&parent))
}

impl Read {
    fn of(id: &ResourceId, resource_type: &'static ResourceType) -> Read {
        let collection = || id.as_str().rsplit_once('/').map_or(String::new(), |(collection, _)| collection.to_owned());
        let listing = resource_type.listing;
        let path = match listing {
            Listing::Single | Listing::ListAction => id.as_str().to_owned(),
            Listing::InGroup | Listing::InParent => collection(),
        };
        Read { path, api_version: resource_type.api_version, listing }
    }

    async fn send(self, client: &ArmClient) -> Result<Vec<Value>, ArmError> {
        match self.listing {
            Listing::Single => Ok(client.get(&self.path, self.api_version).await?.into_iter().collect()),
            Listing::ListAction => {
                let found = client.action(&format!("{}/list", self.path), self.api_version).await?;
                // Providers give such an answer an id of their own: that of the action, or of another spelling.
                Ok(found.into_iter().map(|body| with_id(body, &self.path)).collect())
            }
            Listing::InGroup | Listing::InParent => {
                let found = client.list(&self.path, self.api_version, "").await?;
                Ok(found.into_iter().map(|body| with_whole_id(body, &self.path)).collect())
            }
        }
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
