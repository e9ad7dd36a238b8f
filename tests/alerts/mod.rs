//! The three alert commands.

pub(crate) mod groups_and_rules;
mod health_rules;
mod log_changes;
mod log_definitions;
mod log_exclusions;
mod log_groups;
mod log_queries;
pub(crate) mod log_rules;
mod many_rules;
mod metric_conditions;
mod metric_targets;
mod owners;
mod planted_secrets;
