//! The names that documents of the run take away from what is there, by giving it others: nobody finds it by them when the run is over.

use std::collections::HashMap;

use super::compilation::RunFacts;
use super::found::Listed;
use super::made_in_run::{is_made, lasting_tag};
use crate::azure::ResourceId;
use crate::desired::{Desired, Tag};

/// The names that resources get, in place of those that they have.
#[derive(Debug, Default)]
pub(super) struct TakenAway {
    /// The publish names.
    services: HashMap<ResourceId, Tag>,
    /// The values of the exception tag.
    exceptions: HashMap<ResourceId, Tag>,
}

impl TakenAway {
    /// The names that documents take away from what is there with them.
    pub(super) fn by<'a>(
        made: impl Iterator<Item = &'a Desired>,
        run: &RunFacts,
        tagged: &[Listed],
        excepted: &[Listed],
    ) -> TakenAway {
        let named = |there: &'_ [Listed]| -> HashMap<ResourceId, String> {
            there.iter().map(|item| (item.id.clone(), item.service.clone())).collect()
        };
        let (tagged, excepted) = (named(tagged), named(excepted));
        let mut taken_away = TakenAway::default();
        for resource in made.filter(|resource| is_made(resource)) {
            let other = |names: &HashMap<ResourceId, String>, key: &str| {
                let known = names.get(&resource.id)?;
                let tag = lasting_tag(resource, key).filter(|tag| tag.value != *known)?;
                Some((resource.id.clone(), tag.clone()))
            };
            taken_away.services.extend(other(&tagged, &run.service_tag_key));
            taken_away.exceptions.extend(other(&excepted, &run.exception_tag_key));
        }
        taken_away
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
