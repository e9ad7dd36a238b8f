//! The failures, and what people read of them.

mod approved_plan;
mod corpus;
pub(crate) mod every_request;
mod hostile_servers;
mod misbehaviour;
mod misunderstood;
mod namesakes;
mod operations;
mod refusals;
mod reports;
