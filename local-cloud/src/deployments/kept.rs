//! The deployments that a local cloud has.

use super::record::Deployment;
use crate::moment::Moment;
use crate::reply::Answer;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most deployments of a scope. Source: learn.microsoft.com, "Automatic deletions from deployment history".
const MOST: usize = 800;
/// The most answers that are ready later and kept.
const MOST_PENDING: usize = 100;

/// All deployments, by the keys of their ids. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    deployments: BTreeMap<String, Arc<Deployment>>,
    /// Answers that are ready later, by name; they are not saved.
    pending: BTreeMap<String, Arc<Pending>>,
}

/// An answer that is ready later.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) ends: Moment,
    pub(super) answer: Answer,
}

impl Kept {
    /// Deployments as they were saved.
    pub(crate) fn restore(deployments: Vec<Deployment>) -> Kept {
        let all = deployments.into_iter().map(|one| (one.key(), Arc::new(one)));
        Kept { deployments: all.collect(), pending: BTreeMap::new() }
    }

    /// Every deployment, in the order of the keys.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Deployment> {
        self.deployments.values().map(Arc::as_ref)
    }

    /// The deployments that have not ended.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Deployment> {
        self.all().filter(|deployment| !deployment.progress.is_final())
    }

    /// Forgets what is below a scope.
    pub(crate) fn remove_below(&mut self, below: &str) {
        self.deployments.retain(|key, _| !key.starts_with(below));
    }

    /// Has those that have not ended looked at.
    pub(crate) fn wake(&mut self, now: Moment) {
        for deployment in self.deployments.values_mut().filter(|deployment| !deployment.progress.is_final()) {
            Arc::make_mut(deployment).wake = Some(now);
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Deployment> {
        self.deployments.get(key).map(Arc::as_ref)
    }

    /// Adds or replaces a deployment. The oldest of its scope is forgotten when there are too many.
    pub(super) fn put(&mut self, deployment: Deployment) {
        let scope = deployment.scope().key();
        self.deployments.insert(deployment.key(), Arc::new(deployment));
        let of_scope = self.deployments.iter().filter(|(_, other)| other.scope().key() == scope);
        if of_scope.clone().count() > MOST {
            let ended = of_scope.filter(|(_, other)| other.progress.is_final());
            if let Some(oldest) = ended.min_by_key(|(_, other)| other.started).map(|(key, _)| key.clone()) {
                self.deployments.remove(&oldest);
            }
        }
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.deployments.remove(key);
    }

    /// Forgets the deployments that have not ended.
    pub(super) fn drop_active(&mut self) {
        self.deployments.retain(|_, deployment| deployment.progress.is_final());
    }

    pub(super) fn pending(&self, name: &str) -> Option<&Pending> {
        self.pending.get(name).map(Arc::as_ref)
    }

    /// Keeps an answer; the oldest ones are forgotten at some point.
    pub(super) fn put_pending(&mut self, name: String, pending: Pending) {
        self.pending.insert(name, Arc::new(pending));
        let oldest = self.pending.iter().min_by_key(|(_, pending)| pending.ends).map(|(name, _)| name.clone());
        if let Some(oldest) = oldest.filter(|_| self.pending.len() > MOST_PENDING) {
            self.pending.remove(&oldest);
        }
    }
}
