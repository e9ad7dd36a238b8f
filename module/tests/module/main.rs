//! Checks of the checked-in module: that it is what the generator writes, and, without asking the generator, that it is
//! what the registry, the protocol and the C ABI say. There is no PowerShell here, so scripts are read as syntax trees.

#![expect(clippy::unwrap_used, clippy::panic, reason = "A test says what is wrong by panicking.")]

mod behaviour;
mod files;
mod generated;
mod handed_out;
mod help;
mod interop;
mod markup;
mod pester_facts;
mod pester_state;
mod protocol;
mod registry;
mod script;
mod strict_mode;
mod syntax;
mod views;

use std::io::Write;
use std::path::{Path, PathBuf};

/// The root of the source tree.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The checked-in module.
fn module() -> PathBuf {
    root().join("module/SvcDeploy")
}

/// Says what was not tested, past the test runner, which keeps to itself what a passing test prints.
fn skipped(what: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {what}.\n").as_bytes()).unwrap();
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
