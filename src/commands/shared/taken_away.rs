//! The names that documents of the run take away from what is there, by giving it others: nobody finds it by them when the run is over.

use std::collections::HashMap;

use super::found::Listed;
use crate::azure::ResourceId;
use crate::desired::Tag;

/// The names that resources get, in place of those that they have.
#[derive(Debug, Default)]
pub(super) struct TakenAway {
    /// The publish names.
    services: HashMap<ResourceId, Tag>,
    /// The values of the exception tag.
    exceptions: HashMap<ResourceId, Tag>,
}

impl TakenAway {
    /// Adds the names that a resource gets.
    pub(super) fn add(&mut self, id: &ResourceId, service: Option<&Tag>, exception: Option<&Tag>) {
        self.services.extend(service.map(|tag| (id.clone(), tag.clone())));
        self.exceptions.extend(exception.map(|tag| (id.clone(), tag.clone())));
    }

    /// Only those of resources that have another name now.
    pub(super) fn instead_of(self, tagged: &[Listed], excepted: &[Listed]) -> TakenAway {
        let of = |mut given: HashMap<ResourceId, Tag>, there: &[Listed]| {
            let other = |item: &Listed| {
                let (id, tag) = given.remove_entry(&item.id)?;
                (tag.value != item.service).then_some((id, tag))
            };
            there.iter().filter_map(other).collect()
        };
        TakenAway { services: of(self.services, tagged), exceptions: of(self.exceptions, excepted) }
    }

    /// The publish name that something which is there gets in place of its own; none where it keeps that.
    pub(super) fn service(&self, item: &Listed) -> Option<&Tag> {
        self.services.get(&item.id)
    }

    /// Whether something which is there gets another value of the exception tag.
    pub(super) fn has_exception(&self, item: &Listed) -> bool {
        self.exceptions.contains_key(&item.id)
    }

    /// Whether the names of the same resources are taken away.
    pub(super) fn is_same(&self, other: &TakenAway) -> bool {
        let same = |one: &HashMap<ResourceId, Tag>, other: &HashMap<ResourceId, Tag>| {
            one.len() == other.len() && one.keys().all(|id| other.contains_key(id))
        };
        same(&self.services, &other.services) && same(&self.exceptions, &other.exceptions)
    }
}
