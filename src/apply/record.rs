//! The record of a run: its counts, what it changed and what failed. Failures are told when everything that could be
//! done is done, so the record outlives a run that is cancelled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::protocol::{Code, Counts, ErrorCategory, ErrorReport, Host, Message, ResourceReport, first_of, plural};

/// The record of one run. Clones are one record.
#[derive(Debug, Clone, Default)]
pub struct Record {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of resources that the run has to do with, beside those that are as they should be.
    total: usize,
    counts: Counts,
    /// Something was changed, if only by the first of two steps.
    has_changes: bool,
    done: Vec<ResourceReport>,
    failures: Vec<Failure>,
}

#[derive(Debug)]
struct Failure {
    /// As in "storage account 'stx'".
    name: String,
    report: ErrorReport,
}

impl Record {
    /// Notes how many resources the run has to do with, beside those that are as they should be.
    pub fn expect(&self, total: usize) {
        self.lock().total = total;
    }

    /// Changes the counts that the result of the run states.
    pub fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.lock().counts);
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().counts
    }

    /// Notes that something was changed.
    pub fn changed(&self) {
        self.lock().has_changes = true;
    }

    /// Whether anything was changed.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.lock().has_changes
    }

    /// Notes what the run has changed.
    pub(super) fn done(&self, report: ResourceReport) {
        self.lock().done.push(ResourceReport { properties: None, ..report });
    }

    /// Counts a failure and keeps it until [`Record::conclude`]; now it is one line of progress. `name` says what failed in a
    /// few words, as in "storage account 'stx'".
    pub fn fail(&self, name: String, report: ErrorReport, host: &Host) {
        host.verbose(format!("The {name} failed ({}).", report.failure.code));
        let mut state = self.lock();
        state.counts.failed += 1;
        state.failures.push(Failure { name, report: ErrorReport { terminating: false, ..report } });
    }

    /// Whether anything failed.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        !self.lock().failures.is_empty()
    }

    /// Tells how the run ended: the failures, the counts, and the error that ends a run in which something failed.
    pub fn conclude(&self, host: &Host) {
        let state = self.lock();
        for failure in &state.failures {
            host.send(Message::Error(failure.report.clone()));
        }
        host.send(Message::Result(state.counts));
        if !state.failures.is_empty() {
            host.send(Message::Error(state.deployment_failed()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The error that ends the run. It has everything that the messages before it had, for callers that see only this one.
    fn deployment_failed(&self) -> ErrorReport {
        let names: Vec<String> =
            self.failures.iter().map(|failure| format!("{} ({})", failure.name, failure.report.failure.code)).collect();
        let count = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 is {what}")),
            _ => Some(format!("{count} are {what}")),
        };
        let others: Vec<String> =
            [count(self.done.len(), "done"), count(self.counts.skipped, "skipped")].into_iter().flatten().collect();
        let others = if others.is_empty() { String::new() } else { format!(" {}.", others.join(", ")) };
        let message = format!(
            "{} of {} resource{} failed: {}.{others} Run the command again when the causes are gone.",
            names.len(),
            self.total,
            plural(self.total),
            first_of(&names, ", ")
        );
        let mut categories = self.failures.iter().map(|failure| failure.report.failure.category);
        let category = categories.next().filter(|first| categories.all(|category| category == *first));
        ErrorReport {
            failures: self.failures.iter().map(|failure| failure.report.failure.clone()).collect(),
            done: self.done.clone(),
            ..ErrorReport::terminating(Code::DeploymentFailed, message)
                .of_category(category.unwrap_or(ErrorCategory::NotSpecified))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(name: &str, code: &str, category: ErrorCategory) -> Failure {
        let report = ErrorReport::new(Code::Azure(code.to_owned()), "No.").of_category(category);
        Failure { name: name.to_owned(), report }
    }

    #[test]
    fn the_last_error_is_one_line_with_names_and_counts() {
        let denied = failure("storage account 'a'", "AuthorizationFailed", ErrorCategory::PermissionDenied);
        let mut state = State { total: 1, failures: vec![denied], ..State::default() };
        let report = state.deployment_failed();
        assert_eq!(
            report.failure.message,
            "1 of 1 resource failed: storage account 'a' (AuthorizationFailed). Run the command again when the causes are gone."
        );
        assert_eq!(report.failure.category, ErrorCategory::PermissionDenied, "that of all failures");

        state.failures.push(failure("queue 'q' of storage account 'b'", "Conflict", ErrorCategory::ResourceBusy));
        state.total = 5;
        state.counts.skipped = 3;
        let report = state.deployment_failed();
        assert_eq!(
            report.failure.message,
            "2 of 5 resources failed: storage account 'a' (AuthorizationFailed), queue 'q' of storage account 'b' (Conflict). \
             3 are skipped. Run the command again when the causes are gone."
        );
        assert_eq!(report.failure.category, ErrorCategory::NotSpecified, "they differ");
        assert!(report.terminating && report.failures.len() == 2 && report.done.is_empty());
    }
}
