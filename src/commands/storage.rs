//! New-SvcIaasStorage: storage accounts with their containers, file shares, tables and queues.

use super::registry::{OMIT_TAGS, SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::{Command, ConfirmImpact, Example};

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcIaasStorage",
    component: "storage",
    confirm_impact: ConfirmImpact::Medium,
    synopsis: "Deploys storage accounts with their containers, file shares, tables and queues.",
    description: "Reads a settings document and creates or updates the storage accounts that it describes, in an existing resource group or in one of its own. \
        What is already as the document says is not touched; a second run of the same document changes nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE, OMIT_TAGS],
    examples: &[
        Example {
            code: "New-SvcIaasStorage -SettingsFile storage.yml -WhatIf",
            text: "Shows what would be created or changed, property by property.",
        },
        Example {
            code: "New-SvcIaasStorage -SettingsFile storage.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on the accounts.",
        },
        Example {
            code: "Get-Content storage.json -Raw | ConvertFrom-Json | New-SvcIaasStorage -OmitTags",
            text: "Deploys settings that are already an object and leaves tag settings alone.",
        },
    ],
};
