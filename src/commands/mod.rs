//! The commands: a folder for each, the pieces that they share, and the registry that describes them.

mod arm_properties;
mod bastion_hosts;
mod core_monitor;
mod log_alerts;
mod metric_alerts;
mod new_document;
mod private_endpoints;
pub mod registry;
mod replaced;
mod resource_health_alerts;
mod schemas;
mod shared;
mod storage;
mod values_schema;
mod web;

pub use arm_properties::ArmProperty;
pub use log_alerts::{rewrite_definitions, unread_definitions};
pub use new_document::{NewDocument, new_document};
pub use registry::{Component, check_component, command_for, command_of, find};
pub use schemas::{PROJECT_FILES, ProjectFile};
pub use shared::command::{Command, Compile, Example, SettingsType, function_of, subcommand_of};
pub use shared::compilation::{Compiled, CompleteMode, EnvironmentTag, GivenName, Namesake, Project, RunFacts};
pub use shared::export::{Estate, Export, Exported, NOT_GENERATED, Reading, There};
pub(crate) use shared::found::{Content, Listed, Part};
pub use shared::lookup::{Index, Services};
pub(crate) use shared::made_in_run::{Planned, published};
pub use shared::needs::Needs;
pub use shared::parameters::{
    OMIT_TAGS, Parameter, ParameterKind, ParameterSet, SETTINGS_FILE, SETTINGS_FILES, SETTINGS_OBJECT,
    SETTINGS_OBJECTS, TAG_SETTINGS_FILE,
};
pub use shared::sought::{Sought, provides};
pub use shared::tag_settings::{is_tag_settings, misnamed_tags, tag_file, tags_of};
pub use values_schema::values_schema;

/// The commands that work, in the order of the help.
pub static COMMANDS: &[Command] = &[
    core_monitor::COMMAND,
    log_alerts::COMMAND,
    metric_alerts::COMMAND,
    resource_health_alerts::COMMAND,
    private_endpoints::COMMAND,
    storage::COMMAND,
    bastion_hosts::COMMAND,
    web::COMMAND,
];
