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
/// The first listing that fails.
pub async fn in_group(
    reads: &mut Reads,
    group: &ResourceId,
    readings: &[Reading],
) -> Result<Vec<There>, Arc<ArmError>> {
    let listings: Vec<_> =
        readings.iter().map(|reading| (reading, list(reads, group, reading.resource_type))).collect();
    let mut started = Vec::new();
    for (reading, listing) in listings {
        for body in listing.await?.items.clone() {
            // An id that is none, or of something elsewhere, is not followed.
            let id = body.get("id").and_then(Value::as_str).and_then(ResourceId::checked);
            let Some(id) = id.filter(|id| id.is_within(group)) else { continue };
            let below = (reading.below)(&body);
            let below: Vec<_> = below.into_iter().map(|kind| (kind.name, list(reads, &id, kind))).collect();
            started.push((There { id, body, below: Vec::new() }, below));
        }
    }
    let mut there = Vec::new();
    for (mut found, below) in started {
        for (kind, listing) in below {
            found.below.push((kind, listing.await?.items.clone()));
        }
        there.push(found);
    }
    Ok(there)
}

/// What answers for resources, each given with its type: of what is listed everything that is listed with it, in the order in which it is asked for.
///
/// # Errors
/// The first request that fails.
pub async fn read_each(
    reads: &mut Reads,
    wanted: Vec<(ResourceId, &'static ResourceType)>,
) -> Result<Vec<There>, Arc<ArmError>> {
    let ask = |(id, kind)| (reads.start(Request::of(&id, kind)), id, kind);
    let asked: Vec<_> = wanted.into_iter().map(ask).collect();
    let mut there = Vec::new();
    for (answer, id, kind) in asked {
        for body in answer.await?.items.clone() {
            let name = body.get("name").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
            let known = body.get("id").and_then(Value::as_str).and_then(ResourceId::checked);
            // What is below a resource may have any spelling of its id, or that of another provider.
            let below = name.zip(id.parent()).map(|(name, parent)| kind.child_of(&parent, name));
            let own = if kind.listing == Listing::InParent {
                below
            } else {
                known.filter(|known| known.resource_type().eq_ignore_ascii_case(kind.name))
            };
            there.push(There { id: own.unwrap_or_else(|| id.clone()), body, below: Vec::new() });
        }
    }
    Ok(there)
}

/// Starts the listing of everything of a type below a resource or a group.
fn list(reads: &mut Reads, parent: &ResourceId, resource_type: &ResourceType) -> super::reads::Answer {
    reads.start(Request::of(&resource_type.child_of(parent, "any"), resource_type))
}
