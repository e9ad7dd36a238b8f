//! The local cloud as a client sees it: over HTTP, on loopback.

mod action_groups;
mod activity_log_alerts;
mod advisor;
mod bastion_hosts;
mod common;
mod components;
mod diagnostic_settings;
mod durability;
mod faults;
mod generic;
mod landing_zone;
mod listings;
mod metric_alerts;
mod monitoring_schemas;
mod networks;
mod operations;
mod private_dns;
mod private_endpoints;
mod protocol;
mod published_operations;
mod scheduled_query_rules;
mod site_config;
mod solutions;
mod storage;
mod web;
mod workspaces;
