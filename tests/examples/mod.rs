//! Every example and every document that uses all fields: plans, requests, permissions.

mod golden;
mod list;
mod permissions;
mod requests;
mod resource_types;
