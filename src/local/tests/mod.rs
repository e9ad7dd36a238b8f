//! The local cloud as a client sees it: over HTTP, on loopback.

mod common;
mod durability;
mod faults;
mod generic;
mod listings;
mod operations;
mod protocol;
mod published_operations;
mod storage;
