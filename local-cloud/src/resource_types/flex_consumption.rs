//! Flex Consumption: function apps with a configuration of their own in place of stacks and some app settings.
//!
//! Sources: learn.microsoft.com, "Azure Functions Flex Consumption plan hosting" and "App settings reference" (what is deprecated
//! there); the wording of refusals, error reports of users.

use super::app_service_plans;
use super::web::invalid_value;
use super::{Refusal, State, Write, known_value, property, text};
use crate::state::Body;
use serde_json::Value;

/// App settings that have become members of the configuration, or have no meaning there.
const REFUSED_SETTINGS: &[&str] = &[
    "FUNCTIONS_EXTENSION_VERSION",
    "FUNCTIONS_WORKER_RUNTIME",
    "FUNCTIONS_WORKER_RUNTIME_VERSION",
    "FUNCTIONS_MAX_HTTP_CONCURRENCY",
    "FUNCTIONS_WORKER_PROCESS_COUNT",
    "WEBSITE_CONTENTAZUREFILECONNECTIONSTRING",
    "WEBSITE_CONTENTSHARE",
    "WEBSITE_CONTENTOVERVNET",
    "WEBSITE_NODE_DEFAULT_VERSION",
    "WEBSITE_RUN_FROM_PACKAGE",
    "WEBSITE_MAX_DYNAMIC_APPLICATION_SCALE_OUT",
    "ENABLE_ORYX_BUILD",
    "SCM_DO_BUILD_DURING_DEPLOYMENT",
];
/// Members of the site configuration that are refused the same way.
const REFUSED_CONFIGURATION: &[&str] = &["linuxFxVersion", "windowsFxVersion", "netFrameworkVersion", "javaVersion"];

const RUNTIMES: &[&str] = &["dotnet-isolated", "node", "java", "powershell", "python", "custom"];
const AUTHENTICATIONS: &[&str] = &["SystemAssignedIdentity", "UserAssignedIdentity", "StorageAccountConnectionString"];
const MEMORY: &[u64] = &[512, 2048, 4096];
const INSTANCES: std::ops::RangeInclusive<u64> = 1..=1000;

fn bad(message: String) -> Refusal {
    Refusal::bad_request("BadRequest", message)
}

/// Refuses an app setting that apps there do not have.
pub(super) fn check_setting(name: &str) -> Result<(), Refusal> {
    match known_value(REFUSED_SETTINGS, name) {
        Some(_) => Err(bad(format!(
            "The following app setting (site.siteconfig.appsettings.{name}) for Flex Consumption sites is invalid. Please remove or \
             rename it before retrying."
        ))),
        None => Ok(()),
    }
}

/// The plan has no other site.
pub(super) fn check_alone(state: &State, key: &str, plan: &Body) -> Result<(), Refusal> {
    let plan_key = text(plan, "id").unwrap_or_default().to_lowercase();
    let others = app_service_plans::apps(state, &plan_key).any(|app| app.text("id").to_lowercase() != key);
    match others {
        true => Err(bad(format!(
            "There is already a site linked to the specified Flex Consumption Plan serverfarm {}. There can only be one site per \
             Flex Consumption serverfarm.",
            text(plan, "name").unwrap_or_default()
        ))),
        false => Ok(()),
    }
}

/// The configuration is whole, and nothing stands beside it that it replaces.
pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let site_config = property(write.body, "siteConfig");
    for name in REFUSED_CONFIGURATION {
        let given = site_config.and_then(|config| config.get(*name)).and_then(Value::as_str);
        if given.is_some_and(|given| !given.is_empty()) {
            return Err(bad(format!(
                "Site.SiteConfig.{name} for Flex Consumption sites is invalid. Please remove or rename it before retrying."
            )));
        }
    }
    let before = write.existing.and_then(|existing| property(existing, "functionAppConfig"));
    let given = property(write.body, "functionAppConfig").filter(|config| !config.is_null()).or(before);
    let Some(config) = given else {
        return Err(bad(
            "Site.FunctionAppConfig is invalid. The FunctionAppConfig section was not specified in the request, which is required \
             for Flex Consumption sites. To proceed, please add the FunctionAppConfig section in your request."
                .to_owned(),
        ));
    };
    let text = |pointer: &str| config.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let number = |pointer: &str| config.pointer(pointer).map(Value::as_u64);
    let wrong = |member: &str| Err(invalid_value(&format!("FunctionAppConfig.{member}")));
    if known_value(RUNTIMES, text("/runtime/name")).is_none() || text("/runtime/version").is_empty() {
        return wrong("Runtime");
    }
    let storage = text("/deployment/storage/value");
    if text("/deployment/storage/type") != "blobContainer" || !storage.starts_with("https://") {
        return wrong("Deployment.Storage");
    }
    let authentication = known_value(AUTHENTICATIONS, text("/deployment/storage/authentication/type"));
    let needed = match authentication {
        None => return wrong("Deployment.Storage.Authentication"),
        Some("UserAssignedIdentity") => Some("userAssignedIdentityResourceId"),
        Some("StorageAccountConnectionString") => Some("storageAccountConnectionStringName"),
        Some(_) => None,
    };
    if needed.is_some_and(|needed| text(&format!("/deployment/storage/authentication/{needed}")).is_empty()) {
        return wrong("Deployment.Storage.Authentication");
    }
    let in_range = number("/scaleAndConcurrency/maximumInstanceCount")
        .is_none_or(|count| count.is_some_and(|count| INSTANCES.contains(&count)));
    let known_memory = number("/scaleAndConcurrency/instanceMemoryMB")
        .is_none_or(|memory| memory.is_some_and(|memory| MEMORY.contains(&memory)));
    if in_range && known_memory { Ok(()) } else { wrong("ScaleAndConcurrency") }
}
