//! The engine of Svc Deploy: reads settings documents and deploys the Azure infrastructure they describe.
//!
//! Data goes one way: request, settings, commands, world, plan, host, apply, report. Each stage is a room with the rooms below
//! it; `run` strings them together. `docs/architecture.md` has the map and the rules.
//!
//! Hosts see `protocol`, `report` and `run`. The feature `internals` opens the other rooms to the tests and the benchmarks of this
//! package; no host turns it on.
#![cfg_attr(not(feature = "internals"), allow(unreachable_pub))]

mod kusto;
pub mod protocol;
pub mod report;
pub mod run;

#[cfg(not(feature = "internals"))]
mod apply;
#[cfg(not(feature = "internals"))]
mod azure;
#[cfg(not(feature = "internals"))]
mod commands;
#[cfg(not(feature = "internals"))]
mod desired;
#[cfg(not(feature = "internals"))]
mod naming;
#[cfg(not(feature = "internals"))]
mod plan;
#[cfg(not(feature = "internals"))]
mod rehearsal;
#[cfg(not(feature = "internals"))]
mod settings;
#[cfg(not(feature = "internals"))]
mod template;
#[cfg(not(feature = "internals"))]
mod world;

#[cfg(feature = "internals")]
pub mod apply;
#[cfg(feature = "internals")]
pub mod azure;
#[cfg(feature = "internals")]
pub mod commands;
#[cfg(feature = "internals")]
pub mod desired;
#[cfg(feature = "internals")]
pub mod naming;
#[cfg(feature = "internals")]
pub mod plan;
#[cfg(feature = "internals")]
pub mod rehearsal;
#[cfg(feature = "internals")]
pub mod settings;
#[cfg(feature = "internals")]
pub mod template;
#[cfg(feature = "internals")]
pub mod world;
