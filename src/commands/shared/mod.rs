//! The parts that several commands use.

pub(in crate::commands) mod alerts;
pub(in crate::commands) mod command;
pub(in crate::commands) mod compilation;
pub(in crate::commands) mod export;
pub(in crate::commands) mod found;
pub(in crate::commands) mod lookup;
pub(super) mod made_in_run;
pub(super) mod needs;
pub(in crate::commands) mod parameters;
mod permissions;
pub(in crate::commands) mod private_link;
pub(in crate::commands) mod property;
pub(in crate::commands) mod retirements;
mod search;
pub(in crate::commands) mod service;
pub(super) mod sought;
pub(in crate::commands) mod tag_settings;
mod taken_away;
pub(in crate::commands) mod virtual_network;
pub(in crate::commands) mod wanted;
