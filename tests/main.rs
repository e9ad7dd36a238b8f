//! Runs commands through the whole engine against a local cloud: requests in, messages and ARM requests out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests fail the test that calls them"
)]

mod support;

use svc_engine::protocol::{Operation, Pace};
use svc_engine::run::{self, Start, Work};

/// The function with which the helpers start an operation.
fn start_at(work: Work, request: &[u8], pace: Pace) -> Operation {
    run::start(Start { pace, ..Start::new(work, request) })
}

mod alerts;
mod bastion;
mod documents;
mod endpoints;
mod environment;
mod examples;
mod export;
mod failures;
mod generated;
mod incidents;
mod meanwhile;
mod migration;
mod monitor;
mod protocol;
mod rehearsals;
mod sign_in;
mod storage;
mod template;
mod web;
