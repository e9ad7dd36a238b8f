//! New-SvcIaasBastionHost.

mod existing;
mod fields;
mod hosts;
mod subnets;
