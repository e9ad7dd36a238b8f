//! Runs commands through the whole engine against a local cloud: requests in, messages and ARM requests out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests fail the test that calls them"
)]

mod support;

// How the helpers start a command.
use svc_engine::run::start_at;

mod alerts;
mod bastion;
mod documents;
mod endpoints;
mod environment;
mod examples;
mod export;
mod failures;
mod generated;
mod meanwhile;
mod migration;
mod monitor;
mod protocol;
mod sign_in;
mod storage;
mod template;
mod web;
