//! The parameters of the commands, which hosts offer in their own spelling.

use serde::Serialize;

/// The parameter sets of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ParameterSet {
    /// The settings come from a file.
    File,
    /// The settings are an object.
    Object,
}

/// The kinds of values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ParameterKind {
    /// A path, resolved by the host and handed over absolute.
    Path,
    /// One or several paths of files and folders, resolved by the host and handed over absolute, in a list.
    Paths,
    /// Settings as an object.
    Settings,
    /// A switch. Scripts written for a boolean parameter pass `$true` or `$false` after it.
    Switch,
}

/// A parameter of a command, beside the `-WhatIf` and `-Confirm` that all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// In PowerShell's spelling.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: ParameterKind,
    /// The set it belongs to and is mandatory in; none: it is optional in both.
    pub set: Option<ParameterSet>,
    /// Other names it is known by.
    pub aliases: &'static [&'static str],
    /// The member of the request that carries it.
    pub request_member: &'static str,
    /// Help in complete sentences.
    pub help: &'static str,
}

/// Path of the settings document.
pub const SETTINGS_FILE: Parameter = Parameter {
    name: "SettingsFile",
    kind: ParameterKind::Path,
    set: Some(ParameterSet::File),
    aliases: &[],
    request_member: "settingsFile",
    help: "Path of the settings document, JSON or YAML.",
};

/// Paths of settings documents, and of folders that hold some.
pub const SETTINGS_FILES: Parameter = Parameter {
    kind: ParameterKind::Paths,
    request_member: "settingsFiles",
    aliases: &["Path", "PSPath"],
    help: "Paths of the settings documents, JSON or YAML, and of folders. A folder stands for the documents in it: its own *.yml, *.yaml and *.json, without those whose names begin with '_', log alert definitions and tag settings.",
    ..SETTINGS_FILE
};

/// Settings as objects of the host, one or several.
pub const SETTINGS_OBJECTS: Parameter = Parameter {
    help: "The settings as an object, or a list of several: hashtables, or what ConvertFrom-Json or ConvertFrom-Yaml returned. Each says in component which command it is for.",
    ..SETTINGS_OBJECT
};

/// The settings as an object of the host, in place of a file.
pub const SETTINGS_OBJECT: Parameter = Parameter {
    name: "SettingsObject",
    kind: ParameterKind::Settings,
    set: Some(ParameterSet::Object),
    aliases: &[],
    request_member: "settings",
    help: "The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.",
};

/// Path of the tag settings document.
pub const TAG_SETTINGS_FILE: Parameter = Parameter {
    name: "TagSettingsFile",
    kind: ParameterKind::Path,
    set: None,
    aliases: &["TagSettingFile"],
    request_member: "tagSettingsFile",
    help: "Path of the tag settings document, JSON or YAML. Default: _tags/globalTags.yml of the project, if it exists.",
};

/// Leaves tag settings alone.
pub const OMIT_TAGS: Parameter = Parameter {
    name: "OmitTags",
    kind: ParameterKind::Switch,
    set: None,
    aliases: &[],
    request_member: "omitTags",
    help: "Skips the tag settings. The tag with the publish name is written anyway.",
};
