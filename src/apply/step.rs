//! One step of an apply, and the requests that it makes.

use std::time::Duration;

use serde_json::Value;

use super::in_flight::InFlight;
use super::sightings::Sighting;
use super::write::{Delete, Put};
use crate::azure::{ArmClient, ArmError, ResourceId, Write, Writing};
use crate::plan::{Change, FirstStep, Unchanged, full_name};
use crate::protocol::ActionKind;
use crate::settings::Place;

/// The number of times that a change waits for the operation of somebody else on its resource.
const MOST_WAITS: u32 = 10;

/// One thing to do: a change, the step before it, or waiting for what somebody else is still changing.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Change(&'a Change),
    First(&'a Change, &'a FirstStep),
    Wait(&'a Unchanged),
}

impl Step<'_> {
    pub(super) fn id(&self) -> &ResourceId {
        match self {
            Step::Change(change) | Step::First(change, _) => &change.id,
            Step::Wait(resource) => &resource.id,
        }
    }

    /// The setting that it comes from.
    pub(super) fn place(&self) -> &Place {
        match self {
            Step::Change(change) | Step::First(change, _) => &change.place,
            Step::Wait(resource) => &resource.place,
        }
    }

    pub(super) fn lock(&self) -> Option<&ResourceId> {
        match self {
            Step::Change(change) | Step::First(change, _) => change.lock.as_ref(),
            Step::Wait(_) => None,
        }
    }

    pub(super) fn label(&self) -> &str {
        match self {
            Step::Change(change) | Step::First(change, _) => &change.resource_type.label,
            Step::Wait(resource) => resource.resource_type.label,
        }
    }

    /// The time that Azure usually takes; none where that is a moment. A change of what exists is quicker than its creation.
    pub(super) fn usual(&self) -> Option<Duration> {
        let usual = match self {
            Step::Change(change) if change.kind == ActionKind::Create => change.resource_type.usual_creation,
            Step::Wait(resource) => resource.resource_type.usual_creation,
            Step::Change(_) | Step::First(..) => Duration::ZERO,
        };
        (!usual.is_zero()).then_some(usual)
    }

    pub(super) fn name(&self) -> String {
        full_name(self.id(), self.label())
    }

    /// Makes the step, of whose resource the plan saw what `seen` says.
    pub(super) async fn make(
        self,
        client: &ArmClient,
        seen: Sighting<'_>,
        in_flight: &InFlight,
    ) -> Result<Made, ArmError> {
        let _entry = in_flight.enter(&self.name());
        match self {
            Step::Change(change) => match (&change.body, change.resource_type.known) {
                (Some(body), Some(kind)) => make(client, change, Put::of(client, change, kind, body, seen)).await,
                _ => delete(client, change, seen).await,
            },
            Step::First(change, step) => match (&step.body, change.resource_type.known) {
                (Some(body), Some(kind)) => make(client, change, Put::first(client, change, kind, body, seen)).await,
                _ => delete(client, change, seen).await,
            },
            Step::Wait(resource) => {
                let facts = resource.resource_type;
                let (id, longest) = (resource.id.as_str(), facts.longest_operation);
                client.wait_until_provisioned(id, facts.api_version, longest).await.map(Made::by_us)
            }
        }
    }
}

/// The result of a step.
#[derive(Debug)]
pub(super) struct Made {
    /// The resource as Azure says it is.
    pub(super) resource: Option<Value>,
    /// Whether this run has written it; else somebody else made it what is wanted.
    pub(super) by_us: bool,
}

impl Made {
    fn by_us(resource: Option<Value>) -> Made {
        Made { resource, by_us: true }
    }
}

async fn delete(client: &ArmClient, change: &Change, seen: Sighting<'_>) -> Result<Made, ArmError> {
    let facts = &change.resource_type;
    let deletion = Delete { client, change, seen };
    client.delete(change.id.as_str(), &facts.api_version, &deletion, facts.longest_operation).await?;
    Ok(Made::by_us(None))
}

/// Makes a change of a body.
async fn make(client: &ArmClient, change: &Change, put: Put<'_>) -> Result<Made, ArmError> {
    let (id, facts) = (change.id.as_str(), &change.resource_type);
    let (api_version, longest) = (facts.api_version.as_ref(), facts.longest_operation);
    if change.after_deletion {
        client.wait_until_deleted(id, api_version, longest).await?;
    }
    if change.replaces {
        return match put.next(false).await? {
            Writing::Done(resource) => Ok(Made { resource, by_us: false }),
            Writing::Send { body, .. } => {
                client.delete(id, api_version, &Value::Null, longest).await?;
                client.put(id, api_version, &body.unwrap_or_default(), longest).await.map(Made::by_us)
            }
        };
    }
    let is_refused = |error: &ArmError, code: Option<&str>| matches!((error, code), (ArmError::Refused(refusal), Some(code)) if refusal.code.eq_ignore_ascii_case(code));
    let mut waits = 0;
    loop {
        match client.put(id, api_version, &put, longest).await {
            Ok(resource) => return Ok(Made { resource, by_us: put.was_sent().await }),
            Err(error) if is_refused(&error, facts.is_there) => return Ok(Made::by_us(None)),
            // Somebody else changes it; when that has ended it may be somebody else's turn again.
            Err(error) if is_refused(&error, facts.is_busy) && waits < MOST_WAITS => {
                waits += 1;
                client.wait_until_provisioned(id, api_version, longest).await?;
            }
            Err(error) => return Err(error),
        }
    }
}
