//! Keeping the state file up to date: one writer, many waiters.
//!
//! A request that changes something is answered when a snapshot with its change is on disk. While one snapshot is being
//! written others may change the state; the next snapshot has all of their changes, so it is never one file per request.

use super::server::Shared;
use std::sync::PoisonError;

/// The last snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved {
    /// The revision of the state it has.
    revision: u64,
    /// The error of the system when it could not be written.
    error: Option<String>,
}

impl Shared {
    /// Waits until a revision is on disk. Returns at once without a state file.
    pub(super) async fn wait_until_saved(&self, revision: u64) -> Result<(), String> {
        if self.state_file.is_none() {
            return Ok(());
        }
        let mut saved = self.saved.subscribe();
        let snapshot = match saved.wait_for(|saved| saved.revision >= revision).await {
            Ok(snapshot) => snapshot,
            Err(_) => return Err("The local cloud is being stopped.".to_owned()),
        };
        match &snapshot.error {
            None => Ok(()),
            Some(error) => Err(error.clone()),
        }
    }

    /// Writes snapshots until the local cloud stops, and a last one then.
    pub(super) fn save_until_stopped(&self) {
        let Some(file) = &self.state_file else { return };
        let mut written = 0;
        loop {
            let (snapshot, stopping) = {
                let guarded = self.guarded.lock().unwrap_or_else(PoisonError::into_inner);
                let guarded = self
                    .changed
                    .wait_while(guarded, |guarded| guarded.state.revision() == written && !guarded.stopping)
                    .unwrap_or_else(PoisonError::into_inner);
                (guarded.state.clone(), guarded.stopping)
            };
            let revision = snapshot.revision();
            if revision != written {
                let error = file.save(&snapshot).err();
                let error =
                    error.map(|error| format!("The state file {} cannot be written: {error}.", file.path().display()));
                written = revision;
                self.saved.send_replace(Saved { revision, error });
            }
            if stopping {
                return;
            }
        }
    }

    /// Lets the writer finish.
    pub(super) fn stop_saving(&self) {
        self.guarded.lock().unwrap_or_else(PoisonError::into_inner).stopping = true;
        self.changed.notify_all();
    }
}
