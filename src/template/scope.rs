//! The scopes of the resources of a template, and what in it is an id.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::azure::types::ROLE_ASSIGNMENT;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::desired::Desired;

/// The scopes in which a deployment makes resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// In the template itself: one resource.
    Root(ResourceId),
    /// In a resource group, by a nested deployment.
    Group {
        /// The resource group.
        id: ResourceId,
        /// With late binding, the look-up that says which group it is.
        by: Option<ResourceId>,
        /// Role assignments, which have a deployment of their own: what they are given has to be known when it begins.
        has_roles: bool,
    },
}

/// The facts that tell ids apart.
pub(super) struct Ids<'a> {
    /// The subscription that is deployed to.
    pub(super) subscription: &'a ResourceId,
    /// The resources that the template makes, by id.
    pub(super) made: HashMap<ResourceId, usize>,
    /// The resources that were looked up and are parameters, each with its publish name.
    pub(super) bound: BTreeMap<ResourceId, String>,
    /// The group that the template itself is deployed to; none where that is the subscription.
    pub(super) root_group: Option<&'a ResourceId>,
}

impl Ids<'_> {
    /// The parameter that an id begins with: the look-up, and what comes behind it.
    pub(super) fn bound_part<'i>(&self, id: &'i ResourceId) -> Option<(&ResourceId, &'i str)> {
        let ancestors = std::iter::successors(Some(id.clone()), ResourceId::parent);
        let (look_up, _) =
            ancestors.filter(|id| !self.made.contains_key(id)).find_map(|id| self.bound.get_key_value(&id))?;
        Some((look_up, &id.as_str()[look_up.as_str().len()..]))
    }

    /// The part behind the subscription in an id of it that moves with it: one of what the template makes, or of what is in no group.
    pub(super) fn own_part<'i>(&self, id: &'i ResourceId) -> Option<&'i str> {
        if !id.is_within(self.subscription) {
            return None;
        }
        let mut ancestors = std::iter::successors(Some(id.clone()), ResourceId::parent);
        let is_own = id.resource_group().is_none()
            || self.root_group.is_some_and(|group| id.is_within(group))
            || ancestors.any(|id| self.made.contains_key(&id));
        is_own.then(|| &id.as_str()[self.subscription.as_str().len()..])
    }

    /// The scope of a resource.
    pub(super) fn scope_of(&self, resource: &Desired) -> Scope {
        let root = || Scope::Root(resource.id.clone());
        let Some(group) = resource.id.group_id() else { return root() };
        if resource.resource_type.name == RESOURCE_GROUP_TYPE || self.root_group == Some(&group) {
            return root();
        }
        let has_roles = resource.resource_type.name == ROLE_ASSIGNMENT.name;
        let by = self.bound_part(&resource.id).map(|(look_up, _)| look_up.clone());
        let by = by.or_else(|| self.neighbour(resource, &group).cloned());
        Scope::Group { id: group, by, has_roles }
    }

    /// The look-up in a group of others that a resource in it has to do with: who looks for a network finds the group of its endpoints.
    fn neighbour(&self, resource: &Desired, group: &ResourceId) -> Option<&ResourceId> {
        if self.made.contains_key(group) {
            return None;
        }
        let mut named = resource.depends_on.clone();
        ids_in(&resource.body, &mut named);
        named.iter().find_map(|id| self.bound_part(id)).map(|(look_up, _)| look_up).filter(|id| id.is_within(group))
    }
}

/// The ids in a value.
fn ids_in(value: &Value, found: &mut Vec<ResourceId>) {
    match value {
        Value::String(text) => found.extend(id_of(text)),
        Value::Array(items) => items.iter().for_each(|item| ids_in(item, found)),
        Value::Object(members) => members.values().for_each(|member| ids_in(member, found)),
        _ => {}
    }
}

/// A text that is an id.
pub(super) fn id_of(text: &str) -> Option<ResourceId> {
    const BEGINNING: &str = "/subscriptions/";
    text.get(..BEGINNING.len()).filter(|start| start.eq_ignore_ascii_case(BEGINNING))?;
    ResourceId::checked(text)
}
