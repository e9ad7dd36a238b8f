//! One step of an apply, and the requests that it makes.

use serde_json::Value;

use super::body::body_to_send;
use super::in_flight::InFlight;
use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::plan::{Change, FirstStep, Unchanged, full_name};

/// How often a change waits for the operation of somebody else on its resource.
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

    pub(super) fn name(&self) -> String {
        full_name(self.id(), self.label())
    }

    pub(super) async fn make(self, client: &ArmClient, in_flight: &InFlight) -> Result<Option<Value>, ArmError> {
        let _entry = in_flight.enter(&self.name());
        match self {
            Step::Change(change) => make(client, change).await,
            Step::First(change, step) => {
                let api_version = change.resource_type.api_version.as_ref();
                let longest = change.resource_type.longest_operation;
                match &step.body {
                    Some(body) => client.put(change.id.as_str(), api_version, body, longest).await,
                    None => client.delete(change.id.as_str(), api_version, longest).await.map(|()| None),
                }
            }
            Step::Wait(resource) => {
                let facts = resource.resource_type;
                client.wait_until_provisioned(resource.id.as_str(), facts.api_version, facts.longest_operation).await
            }
        }
    }
}

/// Makes a change. Returns what Azure says of the resource.
async fn make(client: &ArmClient, change: &Change) -> Result<Option<Value>, ArmError> {
    let (id, facts) = (change.id.as_str(), &change.resource_type);
    let (api_version, longest) = (facts.api_version.as_ref(), facts.longest_operation);
    let Some(body) = &change.body else { return client.delete(id, api_version, longest).await.map(|()| None) };
    let body = body_to_send(client, change, body).await?;
    if change.replaces {
        client.delete(id, api_version, longest).await?;
    }
    let is_refused = |error: &ArmError, code: Option<&str>| matches!((error, code), (ArmError::Refused(refusal), Some(code)) if refusal.code.eq_ignore_ascii_case(code));
    let mut waits = 0;
    loop {
        match client.put(id, api_version, &body, longest).await {
            Err(error) if is_refused(&error, facts.is_there) => return Ok(None),
            // Somebody else changes it; when that has ended it may be somebody else's turn again.
            Err(error) if is_refused(&error, facts.is_busy) && waits < MOST_WAITS => {
                waits += 1;
                client.wait_until_provisioned(id, api_version, longest).await?;
            }
            result => return result,
        }
    }
}
