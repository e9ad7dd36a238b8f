//! Every example and every document that uses all fields: plans, requests, permissions.

mod adding_a_command;
mod catalogue;
mod golden;
mod golden_reports;
mod permissions;
pub(crate) mod requests;
mod resource_types;
mod spellings;
