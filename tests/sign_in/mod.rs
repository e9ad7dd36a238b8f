//! Clouds, credentials, proxies and certificates.

mod clouds;
#[cfg(unix)]
mod command_lines;
mod credentials;
mod host_session;
mod proxies;
mod subscriptions;
mod trust;

use std::time::Duration;

use serde_json::Value;
use svc_engine::protocol::Pace;
use svc_engine::run::registry as commands;
use svc_engine::run::{Job, Work};

use crate::support::{Outcome, follow};

/// Runs a request of the storage command against servers of the test, which need no time to recover, and approves everything.
pub(crate) fn run_impatient(request: &Value) -> Outcome {
    let command = commands::find("New-SvcIaasStorage").unwrap();
    let pace = Pace { retry_pause: Some(Duration::from_millis(5)), ..Pace::default() };
    let operation = crate::start_at(Work::Deploy(Job::Command(command)), request.to_string().as_bytes(), pace);
    follow(&operation, |actions| actions.iter().map(|action| action.index).collect())
}
