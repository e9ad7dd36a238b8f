//! The engine of Svc Deploy.

pub mod local;
pub mod naming;
