//! New-SvcIaasStorage.

mod endpoints;
mod existing;
mod fields;
mod runs;
