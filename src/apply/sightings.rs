//! The sightings of a plan: what it saw of what it changes.

use std::borrow::Cow;

use serde_json::Value;
use tokio::time::Instant;

use crate::azure::ArmClient;
use crate::desired::Existing;
use crate::plan::Change;
use crate::world::ReadTimes;

/// The resources that the plan changes, as it saw them, and when.
#[derive(Debug, Default)]
pub struct Sightings {
    /// Those that exist.
    pub existing: Existing,
    /// The time at which each was read, whether it exists or not.
    pub times: ReadTimes,
}

/// The sighting of one resource before it is written.
#[derive(Debug, Clone)]
pub(super) struct Sighting<'a> {
    /// None where it does not exist.
    pub(super) body: Option<Cow<'a, Value>>,
    /// None where nobody can look again: the engine knows nothing of the type.
    pub(super) at: Option<Instant>,
}

impl Sightings {
    /// The sighting of the resource of a change.
    pub(super) fn of(&self, change: &Change) -> Sighting<'_> {
        let at = change.resource_type.known.and_then(|known| self.times.of(&change.id, known));
        Sighting { body: self.existing.get(&change.id).map(Cow::Borrowed), at }
    }
}

impl Sighting<'_> {
    /// Whether somebody may have changed it since.
    pub(super) fn is_old(&self, client: &ArmClient) -> bool {
        self.at.is_some_and(|at| !client.is_fresh(at))
    }
}
