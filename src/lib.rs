//! The engine of Svc Deploy: reads settings documents and deploys the Azure infrastructure they describe.
//!
//! Data goes one way: request, settings, commands, plan, host, apply, report. Each stage is a module; `session` strings
//! them together. `docs/architecture.md` has the map.

pub mod apply;
pub mod azure;
pub mod commands;
pub mod local;
pub mod naming;
pub mod plan;
pub mod session;
pub mod settings;
