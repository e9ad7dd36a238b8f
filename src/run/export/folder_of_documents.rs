//! The documents of an environment: of everything in resource groups that a document can be about.

use std::collections::HashSet;

use super::Writer;
use super::reader::{Reader, Written, is_subject, nothing_to_export};
use crate::azure::{ArmError, ResourceId, ResourceType};
use crate::protocol::{Code, ErrorCategory, ErrorReport, listed};
use crate::run::failure::{Failure, reading_failed};
use crate::world::{groups_of, resources_of};

/// The documents of what exists in resource groups, of every group of the subscription where none is named. No resource is in two of them.
///
/// # Errors
/// A group does not exist, something cannot be read, or there is no document at all.
pub(super) async fn documents(
    reader: &mut Reader<'_>,
    writers: &[Writer],
    groups: &[String],
) -> Result<Vec<Written>, Failure> {
    let subscription = reader.project.run.subscription.clone();
    let cannot = |error: std::sync::Arc<ArmError>| {
        reading_failed("The resource groups of the subscription cannot be read", &error)
    };
    let there = groups_of(&mut reader.reads, &subscription).await.map_err(cannot)?;
    let mut wanted: Vec<ResourceId> = Vec::new();
    for group in groups.iter().map(|name| subscription.group(name)) {
        if !there.contains(&group) {
            let message = format!("The resource group '{}' does not exist.", group.name());
            return Err(nothing_to_export(group.name(), message, "Check the name and the subscription."));
        }
        if !wanted.contains(&group) {
            wanted.push(group);
        }
    }
    let wanted = if groups.is_empty() { there } else { wanted };
    let contents = resources_of(&mut reader.reads, &wanted).await.map_err(cannot)?;
    let mut written: Vec<Written> = Vec::new();
    for writer in in_order(writers) {
        for (group, content) in wanted.iter().zip(&contents) {
            let claimed: HashSet<&ResourceId> = written.iter().flat_map(|document| &document.claims).collect();
            if !content.iter().any(|id| is_subject(writer.1, id) && !claimed.contains(id)) {
                continue;
            }
            let claimed: Vec<ResourceId> = claimed.into_iter().cloned().collect();
            match reader.document(writer, group, &claimed).await {
                Ok(document) => add(document, &mut written),
                // What nobody lets the caller read keeps no other document from being written.
                Err(failure) if is_of_one(&failure) => reader.warnings.push(failure.failure.message.into()),
                Err(failure) => return Err(failure),
            }
        }
    }
    if written.is_empty() {
        let of = if groups.is_empty() { "the subscription".to_owned() } else { listed(groups) };
        let message = format!("There is no document of anything in {of}.");
        let advice = "The warnings say why. Names of others can be taken as they are with -Names.";
        return Err(nothing_to_export(&of, message, advice));
    }
    Ok(written)
}

/// The writers in their order, but after those whose documents may have what theirs are about: an endpoint is beside what it connects to.
fn in_order(writers: &[Writer]) -> Vec<Writer> {
    let is_besides = |(_, export): &Writer, subject: &ResourceType| {
        export.reads.iter().any(|reading| !reading.is_subject && reading.resource_type.name == subject.name)
    };
    let others = |(_, export): &Writer| {
        let has_any = |other: &&Writer| export.subjects().any(|subject| is_besides(other, subject));
        writers.iter().filter(has_any).count()
    };
    let mut sorted = writers.to_vec();
    sorted.sort_by_key(others);
    sorted
}

/// Whether a failure is about one document alone.
fn is_of_one(failure: &ErrorReport) -> bool {
    failure.failure.code == Code::NothingToExport || failure.failure.category == ErrorCategory::PermissionDenied
}

/// Adds a document, and takes away those of the same command that say nothing else: a front door brings the solutions behind it.
fn add(document: Written, written: &mut Vec<Written>) {
    let has = |id: &ResourceId| document.claims.contains(id);
    written.retain(|other| other.command.name != document.command.name || !other.claims.iter().all(has));
    written.push(document);
}
