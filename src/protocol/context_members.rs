//! The members of the context, as hosts offer them: parameters of `Set-SvcContext`, options of `svc`, `SVC_*` variables.

use serde::Serialize;

/// The kinds of members of the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ContextMemberKind {
    /// Any text, taken as it is.
    Text,
    /// The path of a file, resolved by the host and handed over absolute.
    Path,
    /// Paths of files or folders, one or a list, each resolved by the host and handed over absolute. A variable has one.
    Paths,
    /// The path of a folder that exists, resolved by the host and handed over absolute.
    Folder,
    /// True or false.
    Flag,
    /// The name of a cloud, or the URL of a Resource Manager endpoint.
    Cloud,
    /// The URL of a Resource Manager endpoint.
    Endpoint,
    /// A GUID with hyphens.
    Guid,
    /// A duration such as `90s`, `45m` or `1h30m`, or one of ISO 8601 such as `PT90S`.
    Duration,
    /// Checked by Azure's rules for the keys of tags.
    TagKey,
    /// A whole number from 0.
    Number,
    /// Texts, one or a list. A variable has them with commas between.
    Texts,
}

impl ContextMemberKind {
    /// Whether it is a path of the file system, which a host resolves.
    #[must_use]
    pub fn is_path(self) -> bool {
        matches!(self, ContextMemberKind::Path | ContextMemberKind::Paths | ContextMemberKind::Folder)
    }
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
    /// Its value.
    pub kind: ContextMemberKind,
    /// Help in complete sentences.
    pub help: &'static str,
}

/// The tag that carries publish names unless the context says otherwise.
pub const SERVICE_TAG_KEY: &str = "svc-service";
/// The tag whose value excludes a resource from log alerts unless the context says otherwise.
pub const EXCEPTION_TAG_KEY: &str = "svc-monitor-exception";

impl ContextMember {
    /// The variables that set the member where the context does not, the first one first.
    #[must_use]
    pub fn variables(&self) -> Vec<&'static str> {
        let of_azure = match self.name {
            "subscriptionId" => Some("AZURE_SUBSCRIPTION_ID"),
            "tenantId" => Some("AZURE_TENANT_ID"),
            _ => None,
        };
        std::iter::once(self.variable).chain(of_azure).collect()
    }

    /// Whether it guards a run: what may be changed, and where, depends on it. Set to nothing, or to what cannot be read, it is an error; its
    /// default would be another run than the one that was meant.
    #[must_use]
    pub fn guards(&self) -> bool {
        const GUARDS: &[&str] = &[
            "cloud",
            "subscriptionId",
            "subscriptionName",
            "environmentTagKey",
            "enforceDefaults",
            "allowForeignDeletes",
            "offline",
            "planReport",
            "approvedPlan",
            "maxAlerts",
            "only",
            "except",
            "prune",
            "noDelete",
            "maxChanges",
            "maxDeletes",
            "checkPolicies",
        ];
        GUARDS.contains(&self.name)
    }

    /// Whether the Azure session of a host has it where nothing else sets it.
    #[must_use]
    pub fn is_of_session(&self) -> bool {
        matches!(self.name, "cloud" | "subscriptionId" | "tenantId")
    }
}

/// The member for the folder of the project.
pub const PROJECT_ROOT: ContextMember = ContextMember {
    name: "projectRoot",
    parameter: "ProjectRoot",
    variable: "SVC_PROJECT_ROOT",
    kind: ContextMemberKind::Folder,
    help: "The folder with the _names and _tags folders and the logAlertDefinitions file of the project. Default: the folder of the settings file and its parent folders are searched, up to the root of the repository (.git).",
};

/// Every member of the context: `Set-SvcContext`, the options of `svc` and the `SVC_*` variables come from here.
pub static CONTEXT_MEMBERS: &[ContextMember] = &[
    ContextMember {
        name: "cloud",
        parameter: "Cloud",
        variable: "SVC_CLOUD",
        kind: ContextMemberKind::Cloud,
        help: "The cloud: public (the default), usgovernment, china, local for the local cloud, or the URL of a Resource Manager endpoint.",
    },
    ContextMember {
        name: "subscriptionId",
        parameter: "SubscriptionId",
        variable: "SVC_SUBSCRIPTION_ID",
        kind: ContextMemberKind::Guid,
        help: "GUID of the subscription.",
    },
    ContextMember {
        name: "subscriptionName",
        parameter: "SubscriptionName",
        variable: "SVC_SUBSCRIPTION_NAME",
        kind: ContextMemberKind::Text,
        help: "Display name of the subscription: chooses it where no id is given, and is checked where one is; also for naming files that use it.",
    },
    ContextMember {
        name: "tenantId",
        parameter: "TenantId",
        variable: "SVC_TENANT_ID",
        kind: ContextMemberKind::Guid,
        help: "GUID of the tenant to sign in to.",
    },
    ContextMember {
        name: "environment",
        parameter: "Environment",
        variable: "SVC_ENVIRONMENT",
        kind: ContextMemberKind::Text,
        help: "The environment in generated names: development (the default), integration, test, production, default, or one of the _names folder of the project.",
    },
    PROJECT_ROOT,
    ContextMember {
        name: "serviceTagKey",
        parameter: "ServiceTagKey",
        variable: "SVC_SERVICE_TAG_KEY",
        kind: ContextMemberKind::TagKey,
        help: "The tag for publish names. Default: svc-service. The replaced module used cm-service.",
    },
    ContextMember {
        name: "exceptionTagKey",
        parameter: "ExceptionTagKey",
        variable: "SVC_EXCEPTION_TAG_KEY",
        kind: ContextMemberKind::TagKey,
        help: "The tag that exclusions of log alerts are looked up by. Default: svc-monitor-exception.",
    },
    ContextMember {
        name: "environmentTagKey",
        parameter: "EnvironmentTagKey",
        variable: "SVC_ENVIRONMENT_TAG_KEY",
        kind: ContextMemberKind::TagKey,
        help: "The tag that tells the environments of one subscription apart: what is deployed carries it with the environment's word in names, and dependencies are looked for in the own environment and in what has no such tag. Default: none.",
    },
    ContextMember {
        name: "enforceDefaults",
        parameter: "EnforceDefaults",
        variable: "SVC_ENFORCE_DEFAULTS",
        kind: ContextMemberKind::Flag,
        help: "Makes the defaults of settings that a document leaves out part of the plan, also on what exists: where somebody has changed one, it is changed back.",
    },
    ContextMember {
        name: "allowForeignDeletes",
        parameter: "AllowForeignDeletes",
        variable: "SVC_ALLOW_FOREIGN_DELETES",
        kind: ContextMemberKind::Flag,
        help: "Allows the alert commands to plan the deletion of resources that others put into their resource group.",
    },
    ContextMember {
        name: "requestTimeout",
        parameter: "RequestTimeout",
        variable: "SVC_REQUEST_TIMEOUT",
        kind: ContextMemberKind::Duration,
        help: "How long to wait for the answer to one request, such as 90s or PT90S. Default: 90s.",
    },
    ContextMember {
        name: "operationTimeout",
        parameter: "OperationTimeout",
        variable: "SVC_OPERATION_TIMEOUT",
        kind: ContextMemberKind::Duration,
        help: "How long to wait for one Azure operation to finish, such as 45m, 1h30m or PT45M. Default: depends on the resource, 30m for most, 1h for bastion hosts, 2h for API management.",
    },
    ContextMember {
        name: "localStateFile",
        parameter: "LocalStateFile",
        variable: "SVC_LOCAL_STATE_FILE",
        kind: ContextMemberKind::Path,
        help: "The file in which the local cloud keeps its resources. Default: .svc/local-cloud.json beside the settings.",
    },
    ContextMember {
        name: "resourceManagerEndpoint",
        parameter: "ResourceManagerEndpoint",
        variable: "SVC_RESOURCE_MANAGER_ENDPOINT",
        kind: ContextMemberKind::Endpoint,
        help: "Another Resource Manager endpoint of the named cloud, such as a private link one.",
    },
    ContextMember {
        name: "offline",
        parameter: "Offline",
        variable: "SVC_OFFLINE",
        kind: ContextMemberKind::Flag,
        help: "Plans what the settings say without asking Azure what exists, and without a credential; only with -WhatIf.",
    },
    ContextMember {
        name: "planReport",
        parameter: "PlanReport",
        variable: "SVC_PLAN_REPORT",
        kind: ContextMemberKind::Paths,
        help: "The files that get the plan before anything is changed, also with -WhatIf: .md for a pull request, .html as a page, .json for programs and -ApprovedPlan. A folder gets one of each, called after the document.",
    },
    ContextMember {
        name: "approvedPlan",
        parameter: "ApprovedPlan",
        variable: "SVC_APPROVED_PLAN",
        kind: ContextMemberKind::Path,
        help: "A plan (.json) of -PlanReport that was approved: whatever is planned and is not in it ends the command before anything is changed.",
    },
    ContextMember {
        name: "includeUnchanged",
        parameter: "IncludeUnchanged",
        variable: "SVC_INCLUDE_UNCHANGED",
        kind: ContextMemberKind::Flag,
        help: "Also reports the resources that are up to date, with their names and ids, for the next step of a script.",
    },
    ContextMember {
        name: "rehearse",
        parameter: "Rehearse",
        variable: "SVC_REHEARSE",
        kind: ContextMemberKind::Duration,
        help: "Says of every alert rule that is created or changed how often it would have fired in the time before, such as 7d; at most 30d. Azure Monitor is asked, nothing is changed.",
    },
    ContextMember {
        name: "rehearseAll",
        parameter: "RehearseAll",
        variable: "SVC_REHEARSE_ALL",
        kind: ContextMemberKind::Flag,
        help: "Rehearses the alert rules that stay as they are, too.",
    },
    ContextMember {
        name: "rehearseFor",
        parameter: "RehearseFor",
        variable: "SVC_REHEARSE_FOR",
        kind: ContextMemberKind::Duration,
        help: "How long to wait for the answers to a rehearsal, such as 2m. Default: 1m.",
    },
    ContextMember {
        name: "maxAlerts",
        parameter: "MaxAlerts",
        variable: "SVC_MAX_ALERTS",
        kind: ContextMemberKind::Number,
        help: "With a rehearsal: the most notifications that the alert rules of the plan may have sent in its time. More of them end the command before anything is changed.",
    },
    ContextMember {
        name: "only",
        parameter: "Only",
        variable: "SVC_ONLY",
        kind: ContextMemberKind::Texts,
        help: "Changes only these resources, and what they need: each the place of a setting (storage.yml, storage.yml:12), a name in the document or in Azure, a publish name, a resource id, or a type (storage account). Nothing is deleted then because a document does not have it.",
    },
    ContextMember {
        name: "except",
        parameter: "Except",
        variable: "SVC_EXCEPT",
        kind: ContextMemberKind::Texts,
        help: "Changes everything but these resources: each a place, a name, a resource id or a type, as for only.",
    },
    ContextMember {
        name: "prune",
        parameter: "Prune",
        variable: "SVC_PRUNE",
        kind: ContextMemberKind::Flag,
        help: "Plans the deletion of what has left the documents: what is in their own resource groups, carries a publish name or is below what does, and is in no document. It needs all documents of a group, and is always confirmed.",
    },
    ContextMember {
        name: "noDelete",
        parameter: "NoDelete",
        variable: "SVC_NO_DELETE",
        kind: ContextMemberKind::Flag,
        help: "Ends a command whose plan would delete anything, before anything is changed.",
    },
    ContextMember {
        name: "maxChanges",
        parameter: "MaxChanges",
        variable: "SVC_MAX_CHANGES",
        kind: ContextMemberKind::Number,
        help: "The most resources that may be created, changed and deleted. A larger plan ends the command before anything is changed.",
    },
    ContextMember {
        name: "maxDeletes",
        parameter: "MaxDeletes",
        variable: "SVC_MAX_DELETES",
        kind: ContextMemberKind::Number,
        help: "The most resources that may be deleted. A plan with more deletions ends the command before anything is changed.",
    },
    ContextMember {
        name: "checkPolicies",
        parameter: "CheckPolicies",
        variable: "SVC_CHECK_POLICIES",
        kind: ContextMemberKind::Flag,
        help: "Asks Azure Policy about everything that the plan creates or changes, before anybody is asked or anything is changed. What policies deny is an error with every finding at once.",
    },
    ContextMember {
        name: "changeReference",
        parameter: "ChangeReference",
        variable: "SVC_CHANGE_REFERENCE",
        kind: ContextMemberKind::Text,
        help: "The change record that the writes of a command belong to: it goes along where an Azure Policy wants a policy token.",
    },
];

/// Whether an environment variable decides about runs: those of credentials, proxies and certificates, and the defaults of the context.
/// The others are there for documents that name them. Letter case makes no difference.
#[must_use]
pub fn decides_about_runs(name: &str) -> bool {
    const PREFIXES: &[&str] = &["AZURE_", "SVC_", "IDENTITY_", "IMDS_", "MSI_", "SSL_CERT_"];
    const NAMES: &[&str] = &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
    let name = name.to_ascii_uppercase();
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name.as_str())
}

/// The environment variables that hold a path. A host resolves `~` and relative ones where its user stands: the engine knows
/// the folder of its process only.
pub fn path_variables() -> impl Iterator<Item = &'static str> {
    const OF_CREDENTIALS: [&str; 4] =
        ["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_CONFIG_DIR", "SSL_CERT_FILE"];
    CONTEXT_MEMBERS.iter().filter(|member| member.kind.is_path()).map(|member| member.variable).chain(OF_CREDENTIALS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_variable_of_a_path_is_passed() {
        let variables: Vec<&str> = path_variables().collect();
        assert!(
            variables.contains(&"SVC_PROJECT_ROOT") && variables.contains(&"SVC_LOCAL_STATE_FILE"),
            "{variables:?}"
        );
        assert!(variables.into_iter().all(decides_about_runs));
    }

    #[test]
    fn a_guard_is_a_member() {
        let guards: Vec<&str> =
            CONTEXT_MEMBERS.iter().filter(|member| member.guards()).map(|member| member.name).collect();
        assert_eq!(guards.len(), 17, "{guards:?}");
    }

    #[test]
    fn every_context_member_is_in_the_request() {
        for member in CONTEXT_MEMBERS {
            let value = if member.kind == ContextMemberKind::Flag { json!(true) } else { json!("x") };
            let context: Result<crate::protocol::Context, _> = serde_json::from_value(json!({ member.name: value }));
            assert!(context.is_ok(), "{}", member.name);
        }
    }
}
