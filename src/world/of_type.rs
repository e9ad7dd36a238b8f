//! Reads what a resource group holds of certain types, with what is below each: what is there, and not what a document wants.

use std::sync::Arc;

use serde_json::Value;

use super::reads::{Reads, Request};
use crate::azure::{ArmError, Listing, ResourceId, ResourceType};
use crate::commands::{Reading, There};

/// A resource as it is; none where it does not exist.
///
/// # Errors
/// The request fails.
pub async fn one(
    reads: &mut Reads,
    id: &ResourceId,
    resource_type: &ResourceType,
) -> Result<Option<Value>, Arc<ArmError>> {
    let found = reads.start(Request::get(id.clone(), resource_type.api_version)).await?;
    Ok(found.items.first().cloned())
}

/// Everything in a group that an export reads, type after type, each in the order in which Azure lists it.
///
/// # Errors
/// The first request that fails.
pub async fn in_group(
    reads: &mut Reads,
    group: &ResourceId,
    readings: &[Reading],
) -> Result<Vec<There>, Arc<ArmError>> {
    let types: Vec<_> = readings.iter().map(|reading| all(group, reading.resource_type)).collect();
    let mut there: Vec<There> = Vec::new();
    let (mut below, mut parents) = (Vec::new(), Vec::new());
    for (reading, bodies) in readings.iter().zip(fetch(reads, &types).await?) {
        for body in bodies {
            // An id that is none, or of something elsewhere, is not followed.
            let Some(id) = id_of(&body).filter(|id| id.is_within(group)) else { continue };
            for kind in reading.below.map_or_else(Vec::new, |below| below(&body)) {
                below.push(all(&id, kind));
                parents.push(there.len());
            }
            there.push(There { id, body, below: Vec::new() });
        }
    }
    let found = fetch(reads, &below).await?;
    for ((parent, (_, kind)), bodies) in parents.into_iter().zip(below).zip(found) {
        there[parent].below.push((kind.name, bodies));
    }
    Ok(there)
}

/// Everything that Azure lists with resources, each given with its type, in the order in which they are given.
///
/// # Errors
/// The first request that fails.
pub async fn read_each(
    reads: &mut Reads,
    wanted: Vec<(ResourceId, &'static ResourceType)>,
) -> Result<Vec<There>, Arc<ArmError>> {
    let found = fetch(reads, &wanted).await?;
    let there = wanted.into_iter().zip(found).flat_map(|((id, kind), bodies)| {
        bodies.into_iter().map(move |body| {
            let name = body.get("name").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
            // What is below a resource may show another spelling of its id, or that of another provider.
            let below = name.zip(id.parent()).map(|(name, parent)| kind.child_of(&parent, name));
            let own = id_of(&body).filter(|own| own.is_of_type(kind.name));
            let own = if kind.listing == Listing::InParent { below } else { own };
            There { id: own.unwrap_or_else(|| id.clone()), body, below: Vec::new() }
        })
    });
    Ok(there.collect())
}

fn id_of(body: &Value) -> Option<ResourceId> {
    body.get("id").and_then(Value::as_str).and_then(ResourceId::checked)
}

/// The request that stands for everything of a type in a group or below a resource.
fn all(parent: &ResourceId, kind: &'static ResourceType) -> (ResourceId, &'static ResourceType) {
    (kind.child_of(parent, "any"), kind)
}

/// The bodies of everything that Azure lists with each of these. Where a listing shows less than the resource has, each resource is read by itself.
async fn fetch(
    reads: &mut Reads,
    wanted: &[(ResourceId, &'static ResourceType)],
) -> Result<Vec<Vec<Value>>, Arc<ArmError>> {
    let request = |(any, kind): &(ResourceId, &'static ResourceType)| match kind.listing {
        Listing::Single => {
            let collection = any.as_str().rsplit_once('/').map_or("", |(collection, _)| collection);
            Request::list(ResourceId::new(collection), kind.api_version)
        }
        Listing::InGroup | Listing::InParent | Listing::ListAction => Request::of(any, kind),
    };
    let started: Vec<_> = wanted.iter().map(|wanted| reads.start(request(wanted))).collect();
    let mut answers = Vec::new();
    for (answer, (_, kind)) in started.into_iter().zip(wanted) {
        let listed = answer.clone().await?;
        answers.push(match kind.listing {
            Listing::Single => {
                let ids = listed.items.iter().filter_map(id_of);
                ids.map(|id| reads.start(Request::get(id, kind.api_version))).collect()
            }
            Listing::InGroup | Listing::InParent | Listing::ListAction => vec![answer],
        });
    }
    let mut found = Vec::new();
    for answers in answers {
        let mut bodies = Vec::new();
        for answer in answers {
            bodies.extend(answer.await?.items.iter().cloned());
        }
        found.push(bodies);
    }
    Ok(found)
}
