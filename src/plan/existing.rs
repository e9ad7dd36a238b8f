//! Reads what exists of the desired resources: one listing for each resource group and type, or parent and type.

use std::collections::{BTreeMap, HashMap, HashSet};

use futures::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value;

use super::desired::Desired;
use crate::azure::{ArmClient, ArmError, Listing, ResourceId, ResourceType};

/// How many reads are under way at once.
const READS_AT_ONCE: usize = 16;

/// The resources that exist, by id.
pub type Existing = HashMap<ResourceId, Value>;

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
/// The first read that fails.
pub async fn read(client: &ArmClient, desired: &[Desired]) -> Result<Existing, ArmError> {
    let wanted: HashSet<&ResourceId> = desired.iter().map(|resource| &resource.id).collect();
    let mut existing = Existing::new();
    // What is above comes first: nothing below what does not exist has to be asked for.
    let mut stages: BTreeMap<usize, Vec<&Desired>> = BTreeMap::new();
    for resource in desired {
        let depth = above(&resource.id).filter(|id| wanted.contains(id)).count();
        stages.entry(depth).or_default().push(resource);
    }
    for stage in stages.into_values() {
        let mut reads: Vec<Read> = Vec::new();
        let mut seen = HashSet::new();
        for resource in stage {
            if !is_below_missing(&resource.id, &wanted, &existing) {
                let read = Read::of(&resource.id, resource.resource_type);
                if seen.insert(read.clone()) {
                    reads.push(read);
                }
            }
        }
        let found: Vec<Vec<Value>> =
            stream::iter(reads).map(|read| read.send(client)).buffer_unordered(READS_AT_ONCE).try_collect().await?;
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

fn is_below_missing(id: &ResourceId, wanted: &HashSet<&ResourceId>, existing: &Existing) -> bool {
    above(id).any(|parent| wanted.contains(&parent) && !existing.contains_key(&parent))
}

/// What a resource is in: its parents and its resource group.
fn above(id: &ResourceId) -> impl Iterator<Item = ResourceId> {
    std::iter::successors(id.parent(), ResourceId::parent)
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
            Listing::InGroup | Listing::InParent => client.list(&self.path, self.api_version, "").await,
        }
    }
}

fn with_id(mut body: Value, id: &str) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.insert("id".to_owned(), Value::String(id.to_owned()));
    }
    body
}
