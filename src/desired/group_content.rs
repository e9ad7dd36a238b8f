//! The contents of a resource group that complete mode completes.

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

/// The content of a group.
#[derive(Debug, Clone, Default)]
pub struct GroupContent {
    items: Vec<GroupItem>,
    strangers: Vec<String>,
}

/// One resource of a group.
#[derive(Debug, Clone)]
pub(crate) struct GroupItem {
    pub(crate) id: ResourceId,
    pub(crate) resource_type: String,
}

impl GroupContent {
    /// The content of a group by its listing. What another resource manages, and what complete mode leaves alone, is not part of it.
    /// What is not certainly in the group, and of the type that the listing says, is never deleted.
    #[must_use]
    pub fn of(group: &ResourceId, listed: &[Value]) -> GroupContent {
        let mut content = GroupContent::default();
        for item in listed {
            let text = |member: &str| item.get(member).and_then(Value::as_str);
            let Some(written) = text("id") else { continue };
            let id = ResourceId::checked(written).filter(|id| id.group_id().as_ref() == Some(group) && id != group);
            let is_so =
                |id: &ResourceId| text("type").is_none_or(|kind| kind.eq_ignore_ascii_case(&id.resource_type()));
            let Some(id) = id.filter(is_so) else {
                content.strangers.push(written.to_owned());
                continue;
            };
            let resource_type = text("type").map_or_else(|| id.resource_type(), str::to_owned);
            let is_managed = text("managedBy").is_some_and(|owner| !owner.is_empty());
            let is_left_alone = LEFT_ALONE.iter().any(|left| left.eq_ignore_ascii_case(&resource_type));
            if !is_managed && !is_left_alone {
                content.items.push(GroupItem { id, resource_type });
            }
        }
        content
    }

    /// The ids that the listing has and that are not those of resources in the group.
    pub fn strangers(&self) -> impl Iterator<Item = &str> {
        self.strangers.iter().map(String::as_str)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_certainly_in_the_group_may_be_deleted() {
        let group = ResourceId::subscription("1").group("g");
        let rule = "Microsoft.Insights/metricAlerts";
        let own = group.resource(rule, "a");
        let others = [
            (group.resource("Microsoft.KeyVault/vaults", "kv").to_string(), rule),
            (ResourceId::subscription("2").group("g").resource(rule, "a").to_string(), rule),
            (ResourceId::subscription("1").group("h").resource(rule, "a").to_string(), rule),
            (format!("{group}/providers/{rule}/../../Microsoft.KeyVault/vaults/kv"), rule),
            (group.to_string(), "Microsoft.Resources/resourceGroups"),
        ];
        let listed: Vec<Value> = std::iter::once((own.to_string().to_uppercase(), rule))
            .chain(others.clone())
            .map(|(id, kind)| json!({"id": id, "type": kind}))
            .collect();
        let content = GroupContent::of(&group, &listed);
        assert_eq!(content.ids(), HashSet::from([own]));
        let strangers: Vec<&str> = content.strangers().collect();
        assert_eq!(strangers, others.each_ref().map(|(id, _)| id.as_str()));
    }
}
