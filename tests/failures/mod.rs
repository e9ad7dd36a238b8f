//! What fails, and what people read of it.

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
