//! The request that starts an operation, as `docs/abi.md` describes it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::context_members::{Context, OneOrMore};

/// The request of a host. An unknown member is an error; null is the same as absent.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Absolute path of the settings document; excludes `settings`.
    pub settings_file: Option<PathBuf>,
    /// The settings as an object; excludes `settings_file`. For a deployment also a list of objects; excludes `settings_files`.
    pub settings: Option<Value>,
    /// Absolute paths of settings documents, and of folders with some. Only for a deployment; excludes `settings`.
    pub settings_files: Option<OneOrMore<PathBuf>>,
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
