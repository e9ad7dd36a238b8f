//! The prerequisites of each desired resource, and the order that follows.

use std::collections::HashMap;

use super::graph::walk;
use crate::azure::ResourceId;
use crate::desired::Desired;

/// The indexes of the resources, prerequisites before what needs them; otherwise in the order of the settings.
#[must_use]
pub fn in_order(desired: &[Desired]) -> Vec<usize> {
    let by_id: HashMap<&ResourceId, usize> =
        desired.iter().enumerate().map(|(index, resource)| (&resource.id, index)).collect();
    let before = |resource: &Desired| prerequisites(resource).iter().filter_map(|id| by_id.get(id).copied()).collect();
    walk(&desired.iter().map(before).collect::<Vec<_>>()).ordered
}

/// The prerequisites of a resource: what it names, the resources it is below, and its resource group.
#[must_use]
pub fn prerequisites(resource: &Desired) -> Vec<ResourceId> {
    let parents = std::iter::successors(resource.id.parent(), ResourceId::parent);
    let referred = resource.references.iter().map(|reference| reference.of.clone());
    resource.depends_on.iter().cloned().chain(referred).chain(parents).collect()
}
