//! New-SvcIaasStorage.

mod defaults;
mod endpoints;
mod enforced;
mod existing;
mod fields;
mod leaving;
mod names;
mod runs;
