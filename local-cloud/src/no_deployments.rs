//! The stand-in for deployments in a build without them, as the library of the PowerShell module is: requests to them are refused, and those of a
//! state file are kept as they are.

use super::OperationTime;
use super::deployment_paths::Scoped;
use super::moment::Moment;
use super::operations::Surroundings;
use super::path::ResourceId;
use super::pending_faults::Faults;
use super::reply::{Answer, Refusal};
use super::routes::{Request, Rules};
use super::state::State;
use serde_json::Value;
use std::iter::{Empty, empty};
use std::sync::Arc;

/// A deployment as the state file has it.
pub(super) type Deployment = Value;

/// The deployments of the state file. Nothing is done with them, but that they go with their resource group.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Vec<Arc<Deployment>>);

impl Kept {
    pub(super) fn restore(deployments: Vec<Deployment>) -> Kept {
        Kept(deployments.into_iter().map(Arc::new).collect())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Deployment> {
        self.0.iter().map(Arc::as_ref)
    }

    #[allow(clippy::unused_self, reason = "None is carried on here, so none is active.")]
    pub(super) fn active(&self) -> Empty<&Deployment> {
        empty()
    }

    pub(super) fn remove_below(&mut self, below: &str) {
        self.0.retain(|one| !one["id"].as_str().unwrap_or_default().to_lowercase().starts_with(below));
    }

    #[allow(clippy::unused_self, reason = "None is carried on here.")]
    pub(super) fn wake(&mut self, _: Moment) {}
}

pub(super) fn advance(state: &mut State, now: Moment, _: &Faults, _: OperationTime) {
    state.advance(now);
}

pub(super) fn handle(
    _: &mut State,
    scoped: &Scoped,
    request: &Request<'_>,
    _: &Rules<'_>,
    _: &Surroundings,
) -> Result<Answer, Refusal> {
    let Scoped { id, word, name } = scoped;
    let what = [id.name(), word, name].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
    Err(Refusal::new(
        501,
        "DeploymentFeatureNotSupported",
        format!(
            "This local cloud does not carry out deployments ({} of {what}); the one that 'svc local' starts does.",
            request.method
        ),
    ))
}

pub(super) fn pending(_: &State, _: &ResourceId, _: &Surroundings) -> Option<Answer> {
    None
}
