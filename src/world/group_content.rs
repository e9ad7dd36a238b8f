//! Reads what complete mode has to know: what is in a group, and the facts of types that the engine's table does not have.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::reads::{Answer, Reads, Request};
use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ArmError, ResourceId, resource_type};
use crate::desired::GroupContent;
use crate::plan::TypeFacts;

/// The api-version of the listing of a resource group (REST specification of Microsoft.Resources).
const RESOURCES_API_VERSION: &str = "2025-04-01";
/// The api-version of the description of a provider (same source).
const PROVIDERS_API_VERSION: &str = "2021-04-01";

/// The time for which the deletion of something of a type is followed that the engine does not know: as long as the slowest that it
/// does know, API management.
const LONGEST_FOREIGN_OPERATION: Duration = Duration::from_secs(120 * 60);

/// Lists a group that complete mode completes.
///
/// # Errors
/// The listing fails.
pub async fn group_content(reads: &mut Reads, group: &ResourceId) -> Result<GroupContent, Arc<ArmError>> {
    Ok(GroupContent::of(group, &start_group_content(reads, group).await?.items))
}

pub(super) fn start_group_content(reads: &mut Reads, group: &ResourceId) -> Answer {
    reads.start(Request::list(ResourceId::new(format!("{group}/resources")), RESOURCES_API_VERSION))
}

/// The resource groups of a subscription, in the order in which Azure lists them.
///
/// # Errors
/// The listing fails.
pub async fn groups_of(reads: &mut Reads, subscription: &ResourceId) -> Result<Vec<ResourceId>, Arc<ArmError>> {
    let groups = ResourceId::new(format!("{subscription}/resourcegroups"));
    let listed = reads.start(Request::list(groups, RESOURCE_GROUP.api_version)).await?;
    let id = |item: &Value| item.get("id").and_then(Value::as_str).and_then(ResourceId::checked);
    Ok(listed.items.iter().filter_map(id).collect())
}

/// The resources of groups that Azure lists in them, group by group.
///
/// # Errors
/// The first listing that fails.
pub async fn resources_of(reads: &mut Reads, groups: &[ResourceId]) -> Result<Vec<Vec<ResourceId>>, Arc<ArmError>> {
    let started: Vec<_> = groups.iter().map(|group| (group, start_group_content(reads, group))).collect();
    let mut found = Vec::new();
    for (group, answer) in started {
        let listed = answer.await?;
        let ids = listed.items.iter().filter_map(|item| ResourceId::checked(item.get("id")?.as_str()?));
        found.push(ids.filter(|id| id.is_within(group)).collect());
    }
    Ok(found)
}

/// The facts of any type, so that a resource of it can be deleted: of the engine's table, else of its provider.
///
/// # Errors
/// The provider cannot be read.
pub async fn type_facts(
    reads: &mut Reads,
    subscription: &ResourceId,
    type_name: &str,
) -> Result<TypeFacts, Arc<ArmError>> {
    if let Some(known) = resource_type(type_name) {
        return Ok(TypeFacts::from(known));
    }
    let (namespace, kind) = type_name.split_once('/').unwrap_or((type_name, ""));
    let provider = ResourceId::new(format!("{subscription}/providers/{namespace}"));
    let provider = reads.start(Request::get(provider, PROVIDERS_API_VERSION)).await?;
    let types = provider.items.first().and_then(|provider| provider.get("resourceTypes")?.as_array());
    let described = types.into_iter().flatten().find(|known| {
        known.get("resourceType").and_then(Value::as_str).is_some_and(|name| name.eq_ignore_ascii_case(kind))
    });
    let versions: Vec<&str> = described
        .and_then(|known| known.get("apiVersions")?.as_array())
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let stable =
        versions.iter().find(|version| !version.contains('-') || version.len() == 10).or_else(|| versions.first());
    let api_version = stable.copied().unwrap_or(RESOURCES_API_VERSION).to_owned();
    Ok(TypeFacts {
        name: type_name.to_owned().into(),
        label: type_name.to_owned().into(),
        api_version: api_version.into(),
        longest_operation: LONGEST_FOREIGN_OPERATION,
        usual_creation: Duration::ZERO,
        known: None,
        is_there: None,
        is_busy: None,
    })
}
