//! New-SvcIaasBastionHost.

mod fields;
mod hosts;
mod subnets;
