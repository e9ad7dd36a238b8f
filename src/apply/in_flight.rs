//! The changes that Azure is working on right now, so that a cancelled command can say so.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The changes that were sent and have not ended. Clones are one list.
#[derive(Debug, Clone, Default)]
pub struct InFlight {
    entries: Arc<Mutex<Entries>>,
}

#[derive(Debug, Default)]
struct Entries {
    last: u64,
    names: BTreeMap<u64, String>,
    /// No entry leaves any more: what was under way when the command was cancelled stays to be told.
    frozen: bool,
}

/// Keeps a change in the list until it is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    list: InFlight,
    number: u64,
}

impl InFlight {
    pub(super) fn enter(&self, name: &str) -> Entry {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.last += 1;
        let number = entries.last;
        entries.names.insert(number, name.to_owned());
        Entry { list: self.clone(), number }
    }

    /// From now on what is in the list stays in it.
    pub fn freeze(&self) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).frozen = true;
    }

    /// The names of the resources, oldest first.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).names.values().cloned().collect()
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut entries = self.list.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if !entries.frozen {
            entries.names.remove(&self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_list_keeps_what_was_under_way() {
        let list = InFlight::default();
        let (first, second) = (list.enter("first"), list.enter("second"));
        drop(first);
        assert_eq!(list.names(), ["second"]);
        list.freeze();
        drop(second);
        assert_eq!(list.names(), ["second"]);
    }
}
