//! Reads what is needed to find what has left the documents.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::Value;
use time::OffsetDateTime;

use super::read_services::Collection;
use super::reads::{Answer, Reads, Request};
use crate::azure::types::{QUEUE, RESOURCE_TYPES, STORAGE_ACCOUNT};
use crate::azure::{ArmError, ResourceId, ResourceType};
use crate::commands::COMMANDS;
use crate::desired::{Desired, Existing};
use crate::rehearsal::Span;

/// The listing of what carries publish names, under way.
pub struct Tagged(Answer);

impl Tagged {
    /// Starts the listing, unless a look-up needs it anyway.
    #[must_use]
    pub fn start(reads: &mut Reads, subscription: &ResourceId, tag_key: &str) -> Tagged {
        Tagged(Collection::resources(subscription).start(reads, tag_key))
    }

    /// The resources of a subscription that carry a publish name.
    ///
    /// # Errors
    /// The request fails.
    pub async fn read(self, reads: &mut Reads, subscription: &ResourceId) -> Result<Vec<Value>, Arc<ArmError>> {
        Collection::resources(subscription).read(reads, Some(self.0)).await
    }
}

/// Reads all that is below resources with publish names that exist, of types that documents leave behind.
///
/// # Errors
/// The first request that fails.
pub async fn read_below(reads: &mut Reads, desired: &[Desired], existing: &mut Existing) -> Result<(), Arc<ArmError>> {
    let is_published = |wanted: &&Desired| {
        wanted.watch.is_none() && wanted.tags.values().any(|tag| tag.publishes) && existing.contains_key(&wanted.id)
    };
    let mut answers = Vec::new();
    for parent in desired.iter().filter(is_published) {
        let below = RESOURCE_TYPES.iter().filter(|kind| {
            let is_child = |rest: &str| rest.starts_with('/');
            kind.left_behind.is_some() && kind.name.strip_prefix(parent.resource_type.name).is_some_and(is_child)
        });
        let can_be_listed = listed_of(parent, &existing[&parent.id]);
        let below =
            below.filter(|kind| can_be_listed.as_ref().is_none_or(|can| can.iter().any(|own| own.name == kind.name)));
        for kind in below {
            let any = kind.child_of(&parent.id, "any");
            let collection = any.as_str().rsplit_once('/').map_or("", |(collection, _)| collection);
            answers.push(reads.start(Request::list(ResourceId::new(collection), kind.api_version)));
        }
    }
    for answer in join_all(answers).await {
        for item in &answer?.items {
            if let Some(id) = item.get("id").and_then(Value::as_str).and_then(ResourceId::checked) {
                existing.entry(id).or_insert_with(|| item.clone());
            }
        }
    }
    Ok(())
}

/// The types that Azure lists of a resource, which depend on its kind; none where an export says nothing of them, and all can be listed.
fn listed_of(parent: &Desired, body: &Value) -> Option<Vec<&'static ResourceType>> {
    let mut readings = COMMANDS.iter().flat_map(|command| command.export.reads);
    let below =
        readings.find_map(|reading| reading.below.filter(|_| reading.resource_type.name == parent.resource_type.name));
    below.map(|below| below(body))
}

/// The amount that something holds, as the end of a sentence; none where Azure does not say it.
pub async fn holdings(reads: &Reads, id: &ResourceId, kind: &ResourceType) -> Option<String> {
    if kind.name == QUEUE.name {
        let count = reads.look(id, kind.api_version).await?.pointer("/properties/approximateMessageCount")?.as_u64()?;
        return Some(format!("about {count} message{}", crate::protocol::plural(usize::try_from(count).ok()?)));
    }
    if kind.name != STORAGE_ACCOUNT.name {
        return None;
    }
    // The capacity of an account is measured once a day, for each hour (Azure Storage metrics, `UsedCapacity`).
    let span = Span::before(OffsetDateTime::now_utc().unix_timestamp() / 60, 2 * 24 * 60);
    let query = format!("metricnames=UsedCapacity&interval=PT1H&aggregation=Average&timespan={}", span.text());
    let answer = reads.metrics(&format!("{id}/providers/Microsoft.Insights/metrics"), &query).await.ok()?;
    let points = answer.pointer("/value/0/timeseries/0/data")?.as_array()?;
    let bytes = points.iter().rev().find_map(|point| point.get("average")?.as_f64())?;
    Some(size(bytes))
}

/// `1.5 GiB`
fn size(bytes: f64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let power = units
        .iter()
        .enumerate()
        .rev()
        .find(|(power, _)| bytes >= 1024_f64.powi(*power as i32))
        .map_or(0, |(power, _)| power);
    let digits = usize::from(power > 0);
    format!("{:.digits$} {}", bytes / 1024_f64.powi(power as i32), units[power])
}
