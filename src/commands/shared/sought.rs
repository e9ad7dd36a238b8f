//! The publish names that a document looks up, and whether another one makes what it looks for: the order of the documents of a run follows from it.

use std::collections::BTreeMap;

use super::compilation::{Compiled, RunFacts};
use super::found::Found;
use super::lookup::LookUp;
use super::made_in_run::published;
use super::wanted::Wanted;
use crate::azure::ResourceId;
use crate::azure::types::{RESOURCE_GROUP, SCHEDULED_QUERY_RULE};
use crate::settings::Place;

/// A publish name that a document has looked up.
#[derive(Debug, Clone)]
pub struct Sought {
    kind: SoughtKind,
    /// The publish name.
    pub service: String,
    /// The setting that names it.
    pub place: Place,
}

/// The names that a document has looked up, each type and name once, and what it found.
#[derive(Debug, Default)]
pub(super) struct SoughtNames {
    names: BTreeMap<(SoughtKind, String), Place>,
    found: BTreeMap<ResourceId, String>,
}

/// [`Wanted`], to be kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum SoughtKind {
    Type(String),
    Namespace(String),
    Any,
}

impl SoughtNames {
    /// Notes a look-up.
    pub(super) fn add(&mut self, look_up: &LookUp<'_>) {
        let kind = match look_up.wanted {
            Wanted::Type(wanted) => SoughtKind::Type(wanted.to_owned()),
            Wanted::Namespace(wanted) => SoughtKind::Namespace(wanted.to_owned()),
            Wanted::Any => SoughtKind::Any,
        };
        self.names.entry((kind, look_up.service.to_owned())).or_insert_with(|| look_up.place.clone());
    }

    /// Notes what was found under a name; what only stands for something that is not known is nothing.
    pub(super) fn found(&mut self, name: &str, found: &[Found]) {
        for found in found.iter().filter(|found| !found.placeholder) {
            self.found.entry(found.id.clone()).or_insert_with(|| name.to_owned());
        }
    }

    /// The names, and what was found, each with its name.
    pub(super) fn into_parts(self) -> (Vec<Sought>, BTreeMap<ResourceId, String>) {
        let names = self.names.into_iter().map(|((kind, service), place)| Sought { kind, service, place });
        (names.collect(), self.found)
    }
}

/// Whether a document makes what another one has looked up.
#[must_use]
pub fn provides(compiled: &Compiled, run: &RunFacts, sought: &Sought) -> bool {
    let wanted = match &sought.kind {
        SoughtKind::Type(wanted) => Wanted::Type(wanted),
        SoughtKind::Namespace(wanted) => Wanted::Namespace(wanted),
        SoughtKind::Any => Wanted::Any,
    };
    let has = |tag_key: &str| {
        published(&compiled.desired, tag_key)
            .any(|(resource, tag)| tag.value == sought.service && wanted.fits(resource.resource_type.name))
    };
    // Rules and their group may have the tag from the tag settings of the run; no rule watches them, so nobody waits for them.
    let is_watched = |name: &str| ![SCHEDULED_QUERY_RULE.name, RESOURCE_GROUP.name].contains(&name);
    let excepted = || {
        published(&compiled.desired, &run.exception_tag_key)
            .any(|(resource, tag)| tag.value == sought.service && is_watched(resource.resource_type.name))
    };
    // Only exclusions look for just anything, and by the exception tag first.
    has(&run.service_tag_key) || matches!(wanted, Wanted::Any) && excepted()
}
