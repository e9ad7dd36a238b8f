//! The things that every command does between a request and its result: look-ups, approvals, plans offline, the local cloud.

mod approvals;
mod approved_contents;
mod local_cloud;
mod local_state;
mod look_ups;
mod offline_plans;
mod output_files;
mod plans_on_file;
mod policies;
mod policy_tokens;
mod reads;
mod rules_on_plans;
