//! Runs commands through the whole engine against a local cloud: requests in, messages and ARM requests out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests fail the test that calls them"
)]

mod examples;
mod internet;
mod landing_zone;
mod support;

mod alerts;
mod bastion_fields;
mod bastion_hosts;
mod bastion_subnets;
mod choices;
mod clouds;
mod content_delivery;
mod core_monitor;
mod core_monitor_existing;
mod core_monitor_receivers;
mod core_monitor_settings;
mod dependencies;
mod endpoint_fields;
mod endpoint_targets;
mod every_fault;
mod existing;
mod failures;
mod faults;
mod fields;
mod files;
mod front_door;
mod front_door_existing;
mod front_door_settings;
mod golden;
mod identity;
mod identity_session;
mod local_state;
mod log_alert_definitions;
mod log_alert_exclusions;
mod log_alert_group;
mod log_alerts;
mod many_alerts;
mod names;
mod naming;
mod offline;
mod operations;
mod permissions;
mod private_dns_zones;
mod private_endpoints;
mod proxies;
mod reads;
mod refusals;
mod refused_settings;
mod runs;
mod single_items;
mod storage_endpoints;
mod tags;
mod trust;
mod types;
mod validate;
mod web;
mod web_api_management;
mod web_functions;
mod web_refusals;
