//! What is in a resource group that complete mode completes.

use std::collections::HashSet;

use serde_json::Value;

use crate::azure::ResourceId;

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
    items: Vec<GroupItem>,
}

/// One resource of a group.
#[derive(Debug, Clone)]
pub(crate) struct GroupItem {
    pub(crate) id: ResourceId,
    pub(crate) resource_type: String,
}

impl GroupContent {
    /// What a listing of a group says. What another resource manages, and what complete mode leaves alone, is not part of it.
    #[must_use]
    pub fn of(listed: &[Value]) -> GroupContent {
        let items = listed.iter().filter_map(|item| {
            let id = ResourceId::new(item.get("id")?.as_str()?);
            let resource_type =
                item.get("type").and_then(Value::as_str).map_or_else(|| id.resource_type(), str::to_owned);
            let is_managed = item.get("managedBy").and_then(Value::as_str).is_some_and(|owner| !owner.is_empty());
            let is_left_alone = LEFT_ALONE.iter().any(|left| left.eq_ignore_ascii_case(&resource_type));
            (!is_managed && !is_left_alone).then_some(GroupItem { id, resource_type })
        });
        GroupContent { items: items.collect() }
    }

    /// The resources in the group, each with its type.
    pub(crate) fn items(&self) -> impl Iterator<Item = &GroupItem> {
        self.items.iter()
    }

    /// The ids of everything in the group.
    #[must_use]
    pub fn ids(&self) -> HashSet<ResourceId> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }
}
