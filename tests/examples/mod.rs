//! Every example and every document that uses all fields: plans, requests, permissions.

mod adding_a_command;
mod golden;
mod golden_reports;
mod list;
mod permissions;
mod requests;
mod resource_types;
