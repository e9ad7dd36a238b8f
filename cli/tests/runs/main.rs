//! The program where the engine's tests cannot replace it: killed at any moment, searched for secrets, without a credential.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail the test that calls them")]

// What the engine's tests use as well; not everything of it is used here.
#[expect(dead_code, reason = "the engine's tests use the rest")]
#[path = "../../../tests/support/mod.rs"]
mod support;

use svc_engine::protocol::{Operation, Pace};
use svc_engine::run::{self, Start, Work};

/// The function with which the helpers start an operation: as every host does, which has no say in the pace.
fn start_at(work: Work, request: &[u8], _: Pace) -> Operation {
    run::start(Start::new(work, request))
}

mod confirmation;
mod credentials;
mod kills;
mod secrecy;
