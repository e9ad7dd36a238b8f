//! The local cloud as a client sees it: over HTTP, on loopback.

mod bastion_hosts;
mod common;
mod diagnostic_settings;
mod durability;
mod faults;
mod generic;
mod landing_zone;
mod listings;
mod networks;
mod operations;
mod private_dns;
mod private_endpoints;
mod protocol;
mod published_operations;
mod storage;
