//! The members of the context, as hosts offer them: parameters of `Set-SvcContext`, options of `svc`, `SVC_*` variables.

use std::path::PathBuf;

use super::context_value::MemberValue;
use const_format::{Case, concatcp, map_ascii_case};
use serde::{Deserialize, Serialize};

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
    /// It guards a run: what may be changed, and where, depends on it. Set to nothing, or to what cannot be read, it is an error; its default
    /// would be another run than the one that was meant.
    #[serde(skip)]
    pub guards: bool,
    /// It says what is told of a plan, or becomes of it. What is judged by a plan that nobody sees, as an exported document is, has no use for it.
    #[serde(skip)]
    pub is_of_plans: bool,
    /// Help in complete sentences.
    pub help: &'static str,
}

/// Declares the members of the context, each with its kind, with whether it guards a run, and whether it says what becomes of plans. Its names
/// are made of that of the field.
macro_rules! context {
    ($($field:ident: $kind:ident $(, $flag:ident)* => $help:literal;)+) => {
        /// Every member of the context: `Set-SvcContext`, the options of `svc` and the `SVC_*` variables come from here.
        pub static CONTEXT_MEMBERS: &[ContextMember] = &[$(ContextMember {
            name: map_ascii_case!(Case::Camel, stringify!($field)),
            parameter: map_ascii_case!(Case::Pascal, stringify!($field)),
            variable: concatcp!("SVC_", map_ascii_case!(Case::UpperSnake, stringify!($field))),
            kind: ContextMemberKind::$kind,
            guards: false $(|| context!(@guards $flag))*,
            is_of_plans: false $(|| context!(@plans $flag))*,
            help: $help,
        },)+];

        /// The context of a session. `SVC_<NAME>` variables are the defaults of its members.
        #[derive(Debug, Clone, Default, Deserialize, Serialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct Context {
            $(#[doc = $help] pub $field: Option<context!(@type $kind)>,)+
        }

        impl Context {
            /// Every member with its value.
            pub fn members(&mut self) -> impl Iterator<Item = (&'static ContextMember, &mut dyn MemberValue)> {
                CONTEXT_MEMBERS.iter().zip([$(&mut self.$field as &mut dyn MemberValue),+])
            }
        }
    };
    (@guards guards) => { true };
    (@guards plans) => { false };
    (@plans plans) => { true };
    (@plans guards) => { false };
    (@type Flag) => { bool };
    (@type Path) => { PathBuf };
    (@type Folder) => { PathBuf };
    (@type Paths) => { OneOrMore<PathBuf> };
    (@type Texts) => { OneOrMore<String> };
    (@type Number) => { Number };
    (@type $text:ident) => { String };
}

/// A text, or a list of texts.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(from = "Texts<T>")]
pub struct OneOrMore<T>(pub Vec<T>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum Texts<T> {
    One(T),
    More(Vec<T>),
}

impl<T> From<Texts<T>> for OneOrMore<T> {
    fn from(texts: Texts<T>) -> OneOrMore<T> {
        OneOrMore(match texts {
            Texts::One(text) => vec![text],
            Texts::More(texts) => texts,
        })
    }
}

/// A number as a text, as variables and options have it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(from = "NumberOrText")]
pub struct Number(pub String);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text with one")]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl From<NumberOrText> for Number {
    fn from(number: NumberOrText) -> Number {
        Number(match number {
            NumberOrText::Number(number) => number.to_string(),
            NumberOrText::Text(text) => text,
        })
    }
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

    /// Whether the Azure session of a host has it where nothing else sets it.
    #[must_use]
    pub fn is_of_session(&self) -> bool {
        matches!(self.name, "cloud" | "subscriptionId" | "tenantId")
    }
}

context! {
    cloud: Cloud, guards =>
        "The cloud: public (the default), usgovernment, china, local for the local cloud, or the URL of a Resource Manager endpoint.";
    subscription_id: Guid, guards =>
        "GUID of the subscription.";
    subscription_name: Text, guards =>
        "Display name of the subscription: chooses it where no id is given, and is checked where one is; also for naming files that use it.";
    tenant_id: Guid =>
        "GUID of the tenant to sign in to.";
    environment: Text =>
        "The environment in generated names: development (the default), integration, test, production, default, or one of the _names folder of the project.";
    project_root: Folder =>
        "The folder with the _names and _tags folders and the logAlertDefinitions file of the project. Default: the folder of the settings file and its parent folders are searched, up to the root of the repository (.git).";
    service_tag_key: TagKey =>
        "The tag for publish names. Default: svc-service. The replaced module used cm-service.";
    exception_tag_key: TagKey =>
        "The tag that exclusions of log alerts are looked up by. Default: svc-monitor-exception.";
    environment_tag_key: TagKey, guards =>
        "The tag that tells the environments of one subscription apart: what is deployed carries it with the environment's word in names, and dependencies are looked for in the own environment and in what has no such tag. Default: none.";
    enforce_defaults: Flag, guards =>
        "Makes the defaults of settings that a document leaves out part of the plan, also on what exists: where somebody has changed one, it is changed back.";
    allow_foreign_deletes: Flag, guards =>
        "Allows the alert commands to plan the deletion of resources that others put into their resource group.";
    request_timeout: Duration =>
        "How long to wait for the answer to one request, such as 90s or PT90S. Default: 90s.";
    operation_timeout: Duration =>
        "How long to wait for one Azure operation to finish, such as 45m, 1h30m or PT45M. Default: depends on the resource, 30m for most, 1h for bastion hosts, 2h for API management.";
    local_state_file: Path =>
        "The file in which the local cloud keeps its resources. Default: .svc/local-cloud.json beside the settings.";
    resource_manager_endpoint: Endpoint =>
        "Another Resource Manager endpoint of the named cloud, such as a private link one.";
    offline: Flag, guards =>
        "Plans what the settings say without asking Azure what exists, and without a credential; only with -WhatIf.";
    plan_report: Paths, guards, plans =>
        "The files that get the plan before anything is changed, also with -WhatIf: .md for a pull request, .html as a page, .json for programs and -ApprovedPlan. A folder gets one of each, called after the document.";
    approved_plan: Path, guards, plans =>
        "A plan (.json) of -PlanReport that was approved: whatever is planned and is not in it ends the command before anything is changed.";
    include_unchanged: Flag, plans =>
        "Also reports the resources that are up to date, with their names and ids, for the next step of a script.";
    rehearse: Duration, plans =>
        "Says of every alert rule that is created or changed how often it would have fired in the time before, such as 7d; at most 30d. Azure Monitor is asked, nothing is changed.";
    rehearse_all: Flag, plans =>
        "Rehearses the alert rules that stay as they are, too.";
    rehearse_for: Duration, plans =>
        "How long to wait for the answers to a rehearsal, such as 2m. Default: 1m.";
    max_alerts: Number, guards, plans =>
        "With a rehearsal: the most notifications that the alert rules of the plan may have sent in its time. More of them end the command before anything is changed.";
    only: Texts, guards, plans =>
        "Changes only these resources, and what they need: each the place of a setting (storage.yml, storage.yml:12), a name in the document or in Azure, a publish name, a resource id, or a type (storage account). Nothing is deleted then because a document does not have it.";
    except: Texts, guards, plans =>
        "Changes everything but these resources: each a place, a name, a resource id or a type, as for only.";
    prune: Flag, guards, plans =>
        "Plans the deletion of what has left the documents: what is in their own resource groups, carries a publish name or is below what does, and is in no document. It needs all documents of a group, and is always confirmed.";
    no_delete: Flag, guards, plans =>
        "Ends a command whose plan would delete anything, before anything is changed.";
    max_changes: Number, guards, plans =>
        "The most resources that may be created, changed and deleted. A larger plan ends the command before anything is changed.";
    max_deletes: Number, guards, plans =>
        "The most resources that may be deleted. A plan with more deletions ends the command before anything is changed.";
    check_policies: Flag, guards, plans =>
        "Asks Azure Policy about everything that the plan creates or changes, before anybody is asked or anything is changed. What policies deny is an error with every finding at once.";
    change_reference: Text, plans =>
        "The change record that the writes of a command belong to: it goes along where an Azure Policy wants a policy token.";
}

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
            CONTEXT_MEMBERS.iter().filter(|member| member.guards).map(|member| member.name).collect();
        assert_eq!(guards.len(), 17, "{guards:?}");
    }
}
