//! Complete mode: a resource group ends up holding exactly what the document says. Azure's own complete mode deletes
//! unasked; here the deletions are part of the plan.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::Value;

use super::{Change, Desired, TypeFacts};
use crate::azure::{ArmClient, ArmError, ResourceId, ResourceType, resource_type};
use crate::session::ActionKind;
use crate::settings::Place;

/// The api-version of the listing of a resource group (REST specification of Microsoft.Resources).
const RESOURCES_API_VERSION: &str = "2025-04-01";
/// The api-version of the description of a provider (same source).
const PROVIDERS_API_VERSION: &str = "2021-04-01";

/// How long the deletion of something of a type is followed that the engine does not know: as long as the slowest that it
/// does know, API management.
const LONGEST_FOREIGN_OPERATION: Duration = Duration::from_secs(120 * 60);

/// Types that complete mode leaves alone ("Deletion of Azure resources for complete mode deployments", the types marked
/// "No"). Everything else that a listing of the group shows it would delete.
const LEFT_ALONE: &[&str] = &[
    "Microsoft.Authorization/locks",
    "Microsoft.Authorization/policyAssignments",
    "Microsoft.Authorization/roleAssignments",
    "Microsoft.Insights/diagnosticSettings",
    "Microsoft.Network/virtualNetworks/subnets",
    "Microsoft.OperationalInsights/workspaces/dataSources",
    "Microsoft.OperationalInsights/workspaces/linkedServices",
    "Microsoft.OperationalInsights/workspaces/savedSearches",
    "Microsoft.OperationalInsights/workspaces/tables",
    "Microsoft.Resources/deployments",
    "Microsoft.Resources/links",
];

/// What is in a group.
#[derive(Debug, Clone, Default)]
pub struct GroupContent {
    items: Vec<Item>,
}

#[derive(Debug, Clone)]
struct Item {
    id: ResourceId,
    resource_type: String,
}

impl GroupContent {
    /// The ids of everything in the group.
    #[must_use]
    pub fn ids(&self) -> HashSet<ResourceId> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }
}

/// Lists a group. What another resource manages, and what complete mode leaves alone, is not part of it.
///
/// # Errors
/// The listing fails.
pub async fn group_content(client: &ArmClient, group: &ResourceId) -> Result<GroupContent, ArmError> {
    let listed = client.list(&format!("{group}/resources"), RESOURCES_API_VERSION, "").await?;
    let items = listed.iter().filter_map(|item| {
        let id = ResourceId::new(item.get("id")?.as_str()?);
        let resource_type = item.get("type").and_then(Value::as_str).map_or_else(|| id.resource_type(), str::to_owned);
        let is_managed = item.get("managedBy").and_then(Value::as_str).is_some_and(|owner| !owner.is_empty());
        let is_left_alone = LEFT_ALONE.iter().any(|left| left.eq_ignore_ascii_case(&resource_type));
        (!is_managed && !is_left_alone).then_some(Item { id, resource_type })
    });
    Ok(GroupContent { items: items.collect() })
}

/// What has to go so that the group holds only what is desired.
#[derive(Debug, Default)]
pub struct Surplus {
    /// Rules of the command's own type that the document does not have.
    pub rules: Vec<ResourceId>,
    /// Everything else that complete mode would delete.
    pub foreign: Vec<(ResourceId, String)>,
}

/// Sorts what is in the group and not desired.
#[must_use]
pub fn surplus(content: &GroupContent, desired: &[Desired], rules: &ResourceType) -> Surplus {
    let wanted: HashSet<&ResourceId> = desired.iter().map(|resource| &resource.id).collect();
    let mut surplus = Surplus::default();
    for item in content.items.iter().filter(|item| !wanted.contains(&item.id)) {
        if item.resource_type.eq_ignore_ascii_case(rules.name) {
            surplus.rules.push(item.id.clone());
        } else {
            surplus.foreign.push((item.id.clone(), item.resource_type.clone()));
        }
    }
    surplus
}

/// A planned deletion.
#[must_use]
pub fn deletion(id: ResourceId, resource_type: TypeFacts, place: &Place) -> Change {
    Change {
        kind: ActionKind::Delete,
        id,
        resource_type,
        body: None,
        put_over: None,
        references: Vec::new(),
        changes: Vec::new(),
        depends_on: Vec::new(),
        lock: None,
        best_effort: false,
        told: None,
        place: place.clone(),
        unknown: false,
    }
}

/// The facts of any type, so that a resource of it can be deleted: of the engine's table, else of its provider.
///
/// # Errors
/// The provider cannot be read.
pub async fn type_facts(client: &ArmClient, subscription: &ResourceId, type_name: &str) -> Result<TypeFacts, ArmError> {
    if let Some(known) = resource_type(type_name) {
        return Ok(TypeFacts::from(known));
    }
    let (namespace, kind) = type_name.split_once('/').unwrap_or((type_name, ""));
    let provider = client.get(&format!("{subscription}/providers/{namespace}"), PROVIDERS_API_VERSION).await?;
    let types = provider.as_ref().and_then(|provider| provider.get("resourceTypes")?.as_array());
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
    })
}
