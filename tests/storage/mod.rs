//! New-SvcIaasStorage.

mod defaults;
mod endpoints;
mod existing;
mod fields;
mod names;
mod runs;
