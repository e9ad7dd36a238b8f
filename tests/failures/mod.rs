//! What fails, and what people read of it.

mod every_request;
mod misbehaviour;
mod operations;
mod refusals;
mod reports;
