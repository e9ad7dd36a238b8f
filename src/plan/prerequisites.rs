//! What each desired resource needs, and the order that follows.

use std::collections::{HashMap, HashSet};

use crate::azure::ResourceId;
use crate::desired::Desired;

/// The indexes of the resources, prerequisites before what needs them; otherwise in the order of the settings.
#[must_use]
pub fn in_order(desired: &[Desired]) -> Vec<usize> {
    fn visit(
        index: usize,
        desired: &[Desired],
        by_id: &HashMap<&ResourceId, usize>,
        seen: &mut HashSet<usize>,
        ordered: &mut Vec<usize>,
    ) {
        if !seen.insert(index) {
            return;
        }
        for id in prerequisites(&desired[index]) {
            if let Some(before) = by_id.get(&id) {
                visit(*before, desired, by_id, seen, ordered);
            }
        }
        ordered.push(index);
    }
    let by_id: HashMap<&ResourceId, usize> =
        desired.iter().enumerate().map(|(index, resource)| (&resource.id, index)).collect();
    let (mut seen, mut ordered) = (HashSet::new(), Vec::with_capacity(desired.len()));
    for index in 0..desired.len() {
        visit(index, desired, &by_id, &mut seen, &mut ordered);
    }
    ordered
}

/// What a resource needs: what it names, the resources it is below, and its resource group.
#[must_use]
pub fn prerequisites(resource: &Desired) -> Vec<ResourceId> {
    let parents = std::iter::successors(resource.id.parent(), ResourceId::parent);
    let referred = resource.references.iter().map(|reference| reference.of.clone());
    resource.depends_on.iter().cloned().chain(referred).chain(parents).collect()
}
