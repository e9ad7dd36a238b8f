//! Private endpoints: those of a document of their own, and those that other documents declare inside their items.

mod endpoint;
mod nested;
mod written;
mod zones;

pub(in crate::commands) use self::endpoint::{Endpoint, add_endpoint};
pub(in crate::commands) use self::nested::{Defaults, Owner, add_nested, published_group};
pub(in crate::commands) use written::{WrittenEndpoint, nested};
