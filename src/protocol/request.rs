//! The request that starts an operation, as `docs/abi.md` describes it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The request of a host. An unknown member is an error; null is the same as absent.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Absolute path of the settings document; excludes `settings`.
    pub settings_file: Option<PathBuf>,
    /// The settings as an object; excludes `settings_file`. For a deployment also a list of objects; excludes `settings_files`.
    pub settings: Option<Value>,
    /// Absolute paths of settings documents, and of folders with some. Only for a deployment; excludes `settings`.
    #[serde(default, deserialize_with = "one_or_more")]
    pub settings_files: Option<Vec<PathBuf>>,
    /// The folder in which `_names`, `_tags` and `logAlertDefinitions` are looked for when the settings are an object.
    pub base_directory: Option<PathBuf>,
    /// Absolute path of the tag settings document.
    pub tag_settings_file: Option<PathBuf>,
    /// Leaves tag settings alone.
    pub omit_tags: Option<bool>,
    /// Shows the plan and changes nothing.
    pub what_if: Option<bool>,
    /// The context: cloud, subscription, and what else a session keeps.
    pub context: Option<Context>,
    /// The options of the template; only where one is asked for.
    pub template: Option<TemplateOptions>,
    /// The caller's environment variables; no other variable is read.
    pub environment: Option<BTreeMap<String, String>>,
    /// The Azure session of the host, when it has one and can give tokens.
    pub az_session: Option<AzSession>,
    /// The durations of waits. Not on the wire: tests that have servers of their own say so.
    #[serde(skip)]
    pub pace: Pace,
    /// The plan is kept as Markdown for the host. Not on the wire: a host in this process asks for it.
    #[serde(skip)]
    pub keeps_markdown: bool,
}

/// The options of a template. An unknown member is an error; null is the same as absent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemplateOptions {
    /// Absolute path of the file that gets it.
    pub path: Option<PathBuf>,
    /// An earlier template at the path is replaced.
    pub overwrite: Option<bool>,
    /// The ids of what is looked up are parameters.
    pub late_binding: Option<bool>,
    /// It is for a deployment stack, and holds only the rules of the alert commands.
    pub stack: Option<bool>,
}

/// The durations of waits, where a test says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// Before the second try of a request.
    pub retry_pause: Option<Duration>,
    /// The greatest age of the reading of a resource when it is written.
    pub fresh: Option<Duration>,
}

/// The context of a session. `SVC_<NAME>` variables are the defaults of its members.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Context {
    /// `public`, `usgovernment`, `china`, `local`, or the URL of a Resource Manager endpoint.
    pub cloud: Option<String>,
    /// GUID of the subscription.
    pub subscription_id: Option<String>,
    /// Display name of the subscription, for naming files that use it.
    pub subscription_name: Option<String>,
    /// GUID of the tenant.
    pub tenant_id: Option<String>,
    /// development, integration, test, production, default, or one of the project's own; part of generated names.
    pub environment: Option<String>,
    /// The folder that holds `_names`, `_tags` and `logAlertDefinitions`.
    pub project_root: Option<PathBuf>,
    /// The tag for publish names. Default: `svc-service`.
    pub service_tag_key: Option<String>,
    /// The tag whose value excludes a resource from a log alert. Default: `svc-monitor-exception`.
    pub exception_tag_key: Option<String>,
    /// The tag that tells the environments of one subscription apart. Default: none.
    pub environment_tag_key: Option<String>,
    /// Defaults are part of the plan on what exists, too.
    pub enforce_defaults: Option<bool>,
    /// The alert commands may delete what others put into their resource group.
    pub allow_foreign_deletes: Option<bool>,
    /// The longest wait for the answer to one request, as an ISO 8601 duration.
    pub request_timeout: Option<String>,
    /// The longest wait for the end of one operation, as an ISO 8601 duration.
    pub operation_timeout: Option<String>,
    /// The file in which the local cloud keeps its resources.
    pub local_state_file: Option<PathBuf>,
    /// Another Resource Manager endpoint of the named cloud.
    pub resource_manager_endpoint: Option<String>,
    /// Plans without asking anybody what exists, and without a credential.
    pub offline: Option<bool>,
    /// The files and folders that get the plan: one path, or a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub plan_report: Option<Vec<PathBuf>>,
    /// The file of a plan that was approved; nothing else is done.
    pub approved_plan: Option<PathBuf>,
    /// Results for what is up to date, too.
    pub include_unchanged: Option<bool>,
    /// The time over which alert rules are rehearsed, as an ISO 8601 duration. Default: none.
    pub rehearse: Option<String>,
    /// Also the alert rules that stay as they are.
    pub rehearse_all: Option<bool>,
    /// The longest wait for the answers to it, as an ISO 8601 duration.
    pub rehearse_for: Option<String>,
    /// The most notifications that the alert rules may have sent in that time.
    #[serde(default, deserialize_with = "number_or_text")]
    pub max_alerts: Option<String>,
    /// The only resources that are changed: one selector, or a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub only: Option<Vec<String>>,
    /// The resources that are not changed: one selector, or a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub except: Option<Vec<String>>,
    /// The deletion of what has left the documents is planned.
    pub prune: Option<bool>,
    /// Nothing may be deleted.
    pub no_delete: Option<bool>,
    /// The most changes that a plan may have.
    #[serde(default, deserialize_with = "number_or_text")]
    pub max_changes: Option<String>,
    /// The most deletions that a plan may have.
    #[serde(default, deserialize_with = "number_or_text")]
    pub max_deletes: Option<String>,
    /// Azure Policy is asked about the plan.
    pub check_policies: Option<bool>,
    /// The change record that the writes of a run belong to.
    pub change_reference: Option<String>,
}

/// A number as a text, as variables and options have it.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number, or a text with one")]
    enum Number {
        Itself(u64),
        Text(String),
    }
    Ok(Option::<Number>::deserialize(deserializer)?.map(|number| match number {
        Number::Itself(number) => number.to_string(),
        Number::Text(text) => text,
    }))
}

/// A text, or a list of texts.
fn one_or_more<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Vec<T>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Texts<T> {
        One(T),
        More(Vec<T>),
    }
    Ok(Option::<Texts<T>>::deserialize(deserializer)?.map(|texts| match texts {
        Texts::One(text) => vec![text],
        Texts::More(texts) => texts,
    }))
}

/// The Azure session of a PowerShell host.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AzSession {
    /// GUID of the subscription that is selected there.
    pub subscription_id: Option<String>,
    /// GUID of its tenant.
    pub tenant_id: Option<String>,
    /// Name of the environment: `AzureCloud`, `AzureUSGovernment`, `AzureChinaCloud`, or a custom one.
    pub cloud: Option<String>,
    /// The URL of the Resource Manager of the session's cloud.
    pub resource_manager_endpoint: Option<String>,
}
