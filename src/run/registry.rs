//! What hosts make their own commands, options, completions and help from.

pub use crate::azure::cloud::{az_names as az_cloud_names, names as cloud_names};
pub use crate::commands::{
    ArmProperty, COMMANDS, Command, Example, OMIT_TAGS, PROJECT_FILES, Parameter, ParameterKind, ParameterSet,
    ProjectFile, SETTINGS_FILE, SETTINGS_OBJECT, SettingsType, TAG_SETTINGS_FILE, describe, find,
};
pub use crate::protocol::{CONTEXT_MEMBERS, ContextMember, ContextMemberKind, is_passed_variable, path_variables};

use crate::azure::cloud;
use crate::naming::Environment;
use crate::protocol::{EXCEPTION_TAG_KEY, SERVICE_TAG_KEY};

/// What counts where nothing sets the member, as a user would write it. None where it depends on the run.
#[must_use]
pub fn default_of(member: &ContextMember) -> Option<&'static str> {
    match (member.kind, member.name) {
        (ContextMemberKind::Flag, _) => Some("false"),
        (_, "cloud") => Some(cloud::DEFAULT_NAME),
        (_, "environment") => Some(Environment::KEYS[0]),
        (_, "serviceTagKey") => Some(SERVICE_TAG_KEY),
        (_, "exceptionTagKey") => Some(EXCEPTION_TAG_KEY),
        (_, "requestTimeout") => Some("90s"),
        _ => None,
    }
}

/// The values that a shell completes. Others may be right, too.
#[must_use]
pub fn completions_of(member: &ContextMember) -> Vec<&'static str> {
    match member.name {
        "cloud" => cloud::names().collect(),
        "environment" => Environment::KEYS.to_vec(),
        _ => Vec::new(),
    }
}
