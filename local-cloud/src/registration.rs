//! Resource providers that are not registered in the subscriptions: every one is, unless a fault says otherwise.

use super::reply::Refusal;
use std::collections::BTreeMap;

/// The number of reads of a provider that say it is being registered.
const READS_WHILE_REGISTERING: u32 = 2;

/// The progress of the registration of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    NotRegistered,
    /// So many reads more will say so.
    Registering(u32),
}

/// The providers that are not registered yet, by namespace in lower case.
#[derive(Debug, Default)]
pub(super) struct Registrations(BTreeMap<String, Progress>);

impl Registrations {
    /// Takes the registration of a provider away.
    pub(super) fn remove(&mut self, namespace: &str) {
        self.0.insert(namespace.to_lowercase(), Progress::NotRegistered);
    }

    /// Begins to register a provider.
    pub(super) fn register(&mut self, namespace: &str) {
        if let Some(progress) = self.0.get_mut(&namespace.to_lowercase())
            && *progress == Progress::NotRegistered
        {
            *progress = Progress::Registering(READS_WHILE_REGISTERING);
        }
    }

    /// Registers a provider at once, as Resource Manager does for those of a template.
    #[cfg(feature = "deployments")]
    pub(super) fn complete(&mut self, namespace: &str) {
        self.0.remove(&namespace.to_lowercase());
    }

    /// Azure's word for how far a provider is.
    pub(super) fn word(&self, namespace: &str) -> &'static str {
        match self.0.get(&namespace.to_lowercase()) {
            None => "Registered",
            Some(Progress::NotRegistered) => "NotRegistered",
            Some(Progress::Registering(_)) => "Registering",
        }
    }

    /// [`Registrations::word`] for a client that waits: it is registered after so many reads.
    pub(super) fn read(&mut self, namespace: &str) -> &'static str {
        let key = namespace.to_lowercase();
        match self.0.get_mut(&key) {
            Some(Progress::Registering(0)) => drop(self.0.remove(&key)),
            Some(Progress::Registering(reads)) => *reads -= 1,
            Some(Progress::NotRegistered) | None => {}
        }
        self.word(namespace)
    }

    /// Refuses a request to a provider that is not registered.
    pub(super) fn check(&self, namespace: &str) -> Result<(), Refusal> {
        if !self.0.contains_key(&namespace.to_lowercase()) {
            return Ok(());
        }
        Err(Refusal::conflict(
            "MissingSubscriptionRegistration",
            format!(
                "The subscription is not registered to use namespace '{namespace}'. See https://aka.ms/rps-not-found for how to \
                 register subscriptions."
            ),
        ))
    }
}
