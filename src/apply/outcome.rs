//! The messages about steps that have ended, and of those that came to nothing.

use std::time::Duration;

use super::schedule::{End, Schedule};
use super::step::{Made, Step};
use crate::azure::ArmError;
use crate::plan::{Change, failure, resource_name, short_name};
use crate::protocol::{Message, ResourceReport, plural};

impl Schedule<'_> {
    pub(super) fn done(&mut self, index: usize, took: Duration, made: &Made) {
        let Step::Change(change) = self.steps[index] else { return };
        if !made.by_us {
            self.record.count(|counts| counts.unchanged += 1);
            let name = self.steps[index].name();
            return self
                .host
                .verbose(format!("The {name} is up to date: somebody else made it so after the plan was made."));
        }
        self.record.count(|counts| counts.add(change.kind));
        let properties = change.told.zip(made.resource.as_ref()).and_then(|(told, resource)| told(resource));
        let report = ResourceReport { properties, ..report_of(change, took) };
        self.record.done(report.clone());
        self.host.send(Message::Resource(report));
    }

    pub(super) fn failed(&mut self, index: usize, error: &ArmError) {
        if let Step::Change(change) | Step::First(change, _) = self.steps[index]
            && change.best_effort
        {
            self.record.count(|counts| counts.skipped += 1);
            let report = failure(change, error);
            return self.host.warning(format!("{} The command continues without it.", report.failure.message));
        }
        let step = self.steps[index];
        let report = match step {
            Step::Change(change) | Step::First(change, _) => failure(change, error),
            Step::Wait(resource) => {
                self.record.count(|counts| counts.unchanged -= 1);
                let mut report = error.report(&format!("The {} is not ready", step.name()));
                report.failure.resource_id = Some(resource.id.to_string());
                report.failure.document = resource.place.document();
                report
            }
        };
        self.record.fail(short_name(step.id(), step.label()), report, self.host);
    }

    /// Warns of what was skipped, once for each cause.
    pub(super) fn warn_of_skipped(&self) {
        let mut causes: Vec<(&usize, &Vec<usize>)> = self.blocked.iter().collect();
        causes.sort();
        for (cause, blocked) in causes {
            // In the order of the plan, not in the one in which they were ready.
            let mut blocked = blocked.clone();
            blocked.sort_unstable();
            let why = if self.ends[*cause] == Some(End::Failed) { "failed" } else { "was not approved" };
            let names: Vec<String> = blocked.iter().map(|index| self.steps[*index].name()).collect();
            self.host.warning(skipped(&names, &format!("the {} {why}", self.steps[*cause].name())));
        }
    }
}

/// The report of a change that was made.
#[must_use]
pub fn report_of(change: &Change, took: Duration) -> ResourceReport {
    ResourceReport {
        action: change.kind,
        resource: resource_name(&change.id, &change.resource_type.name, &change.resource_type.label),
        seconds: milliseconds(took),
        document: change.place.document(),
        properties: None,
    }
}

/// The warning about resources that were skipped for one reason.
pub fn skipped(names: &[String], why: &str) -> String {
    let count = names.len();
    let were = if count == 1 { " was".to_owned() } else { format!("{} were", plural(count)) };
    format!("{count} resource{were} skipped because {why}: {}.", names.join("; "))
}

/// Seconds with three decimals: more would only be noise.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}
