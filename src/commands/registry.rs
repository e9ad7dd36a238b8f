//! The command registry: what the exported C functions, the PowerShell functions, the command line, the help and the
//! JSON Schemas are made from.

use serde::Serialize;
use serde_json::{Value, json};

use super::Command;

/// The commands that work.
pub static COMMANDS: &[Command] = &[
    super::core_monitor::COMMAND,
    super::log_alerts::COMMAND,
    super::metric_alerts::COMMAND,
    super::resource_health_alerts::COMMAND,
    super::private_endpoints::COMMAND,
    super::storage::COMMAND,
    super::bastion_hosts::COMMAND,
    super::web::COMMAND,
];

/// The command with this cmdlet name, ignoring case.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// How much a command asks before it acts, as PowerShell defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ConfirmImpact {
    /// Asks only with `-Confirm`.
    Medium,
    /// Asks unless `-Confirm:$false` is given.
    High,
}

/// The parameter sets of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ParameterSet {
    /// The settings come from a file.
    File,
    /// The settings are an object.
    Object,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ParameterKind {
    /// A path, resolved by the host and handed over absolute.
    Path,
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
    /// What it takes.
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

/// The settings as an object.
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
    help: "Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is one.",
};

/// Leaves tag settings alone.
pub const OMIT_TAGS: Parameter = Parameter {
    name: "OmitTags",
    kind: ParameterKind::Switch,
    set: None,
    aliases: &[],
    request_member: "omitTags",
    help: "The command leaves tag settings alone. The tag that carries publish names is written all the same.",
};

/// What a member of the context holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ContextMemberKind {
    /// Text.
    Text,
    /// A path, resolved by the host and handed over absolute.
    Path,
    /// True or false.
    Flag,
}

/// A member of the context of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextMember {
    /// The member of `context` in the request.
    pub name: &'static str,
    /// The same as a parameter of `Set-SvcContext` and an option of `svc`.
    pub parameter: &'static str,
    /// The environment variable that is its default.
    pub variable: &'static str,
    /// What it holds.
    pub kind: ContextMemberKind,
    /// Help in complete sentences.
    pub help: &'static str,
}

/// Every member of the context: `Set-SvcContext`, the options of `svc` and the `SVC_*` variables come from here.
pub static CONTEXT_MEMBERS: &[ContextMember] = &[
    ContextMember {
        name: "cloud",
        parameter: "Cloud",
        variable: "SVC_CLOUD",
        kind: ContextMemberKind::Text,
        help: "The cloud: public (the default), usgovernment, china, local for the local cloud, or the URL of a Resource Manager endpoint.",
    },
    ContextMember {
        name: "subscriptionId",
        parameter: "SubscriptionId",
        variable: "SVC_SUBSCRIPTION_ID",
        kind: ContextMemberKind::Text,
        help: "GUID of the subscription.",
    },
    ContextMember {
        name: "subscriptionName",
        parameter: "SubscriptionName",
        variable: "SVC_SUBSCRIPTION_NAME",
        kind: ContextMemberKind::Text,
        help: "Display name of the subscription. Only a naming file can ask for it.",
    },
    ContextMember {
        name: "tenantId",
        parameter: "TenantId",
        variable: "SVC_TENANT_ID",
        kind: ContextMemberKind::Text,
        help: "GUID of the tenant to sign in to.",
    },
    ContextMember {
        name: "environment",
        parameter: "Environment",
        variable: "SVC_ENVIRONMENT",
        kind: ContextMemberKind::Text,
        help: "The environment in generated names: development (the default), integration, test, production or default.",
    },
    ContextMember {
        name: "projectRoot",
        parameter: "ProjectRoot",
        variable: "SVC_PROJECT_ROOT",
        kind: ContextMemberKind::Path,
        help: "The folder that holds the _names and _tags folders and the logAlertDefinitions file of the project. Without it they are looked for beside the settings file and in its parent folders.",
    },
    ContextMember {
        name: "serviceTagKey",
        parameter: "ServiceTagKey",
        variable: "SVC_SERVICE_TAG_KEY",
        kind: ContextMemberKind::Text,
        help: "The tag that carries publish names: svc-service unless said. The replaced module wrote cm-service.",
    },
    ContextMember {
        name: "exceptionTagKey",
        parameter: "ExceptionTagKey",
        variable: "SVC_EXCEPTION_TAG_KEY",
        kind: ContextMemberKind::Text,
        help: "The tag that the exclusions of log alerts are looked up by: svc-monitor-exception unless said.",
    },
    ContextMember {
        name: "allowForeignDeletes",
        parameter: "AllowForeignDeletes",
        variable: "SVC_ALLOW_FOREIGN_DELETES",
        kind: ContextMemberKind::Flag,
        help: "Lets the alert commands plan the deletion of what others put into their resource group.",
    },
    ContextMember {
        name: "requestTimeout",
        parameter: "RequestTimeout",
        variable: "SVC_REQUEST_TIMEOUT",
        kind: ContextMemberKind::Text,
        help: "How long the answer to one request is waited for, as an ISO 8601 duration: PT90S unless said.",
    },
    ContextMember {
        name: "operationTimeout",
        parameter: "OperationTimeout",
        variable: "SVC_OPERATION_TIMEOUT",
        kind: ContextMemberKind::Text,
        help: "How long the end of one operation of Azure is waited for, as an ISO 8601 duration such as PT45M. Unless said it depends on the resource: PT30M for most, PT1H for bastion hosts, PT2H for API management.",
    },
    ContextMember {
        name: "localStateFile",
        parameter: "LocalStateFile",
        variable: "SVC_LOCAL_STATE_FILE",
        kind: ContextMemberKind::Path,
        help: "The file in which the local cloud keeps its resources: .svc/local-cloud.json beside the settings unless said.",
    },
    ContextMember {
        name: "resourceManagerEndpoint",
        parameter: "ResourceManagerEndpoint",
        variable: "SVC_RESOURCE_MANAGER_ENDPOINT",
        kind: ContextMemberKind::Text,
        help: "Another Resource Manager endpoint of the named cloud, such as a private link one.",
    },
];

/// Whether a host hands an environment variable over with a request: those of credentials, proxies and certificates, and
/// the defaults of the context. Letter case makes no difference.
#[must_use]
pub fn is_passed_variable(name: &str) -> bool {
    const PREFIXES: &[&str] = &["AZURE_", "SVC_", "IDENTITY_", "IMDS_", "MSI_", "SSL_CERT_"];
    const NAMES: &[&str] = &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
    let name = name.to_ascii_uppercase();
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name.as_str())
}

/// Whether an environment variable that is passed holds the path of a file or folder: a host makes it absolute, because it
/// alone knows where its user stands. Letter case makes no difference.
#[must_use]
pub fn is_path_variable(name: &str) -> bool {
    const NAMES: &[&str] = &["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE", "SSL_CERT_FILE"];
    let mut of_context = CONTEXT_MEMBERS.iter().filter(|member| member.kind == ContextMemberKind::Path);
    NAMES.iter().any(|path| path.eq_ignore_ascii_case(name))
        || of_context.any(|member| member.variable.eq_ignore_ascii_case(name))
}

/// The registry as JSON, for hosts that build their own front end.
#[must_use]
pub fn describe() -> Value {
    let commands: Vec<Value> = COMMANDS
        .iter()
        .map(|command| {
            json!({
                "name": command.name,
                "function": command.function(),
                "component": command.component,
                "confirmImpact": command.confirm_impact,
                "synopsis": command.synopsis,
                "description": command.description,
                "parameters": command.parameters,
                "examples": command.examples,
            })
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "commands": commands, "contextMembers": CONTEXT_MEMBERS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_three_ways() {
        let storage = find("new-sVCiaasstorage").unwrap();
        assert_eq!(storage.name, "New-SvcIaasStorage");
        assert_eq!(storage.function(), "svc_new_iaas_storage");
        assert_eq!(storage.subcommand(), "new-iaas-storage");
    }

    #[test]
    fn the_description_names_every_command() {
        let described = describe();
        let names: Vec<&str> =
            described["commands"].as_array().unwrap().iter().filter_map(|command| command["name"].as_str()).collect();
        let known: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
        assert_eq!(names, known);
    }

    #[test]
    fn every_context_member_is_in_the_request() {
        for member in CONTEXT_MEMBERS {
            let value = if member.kind == ContextMemberKind::Flag { json!(true) } else { json!("x") };
            let context: Result<crate::session::Context, _> = serde_json::from_value(json!({ member.name: value }));
            assert!(context.is_ok(), "{}", member.name);
        }
    }
}
