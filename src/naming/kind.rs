//! The kinds of resources that get generated names, and what goes into the names beside the settings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::protocol::alternatives;

/// A kind of resource with a generated name. Naming files call the kinds like this, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names say what Azure calls them"))]
pub enum ResourceKind {
    ResourceGroup,
    StorageAccount,
    PublicIPAddress,
    BastionHost,
    PrivateEndpoint,
    LogAnalyticsWorkspace,
    ApplicationInsights,
    ActionGroup,
    /// A receiver in an action group.
    ActionGroupReceiver,
    /// An alert rule of any type.
    Alert,
    AppServicePlan,
    WebApp,
    FunctionApp,
    CdnProfile,
    ApiManagementService,
    FrontDoor,
    Workbook,
}

/// The entry of a kind in the built-in convention.
#[derive(Debug, Clone, Copy)]
pub(super) struct BuiltinKind {
    /// The name by which naming files speak of the kind.
    pub(super) name: &'static str,
    /// The word for it in names.
    pub(super) short_name: &'static str,
    /// The generator of its names.
    pub(super) generator: &'static str,
    /// The longest name, in characters.
    pub(super) max_length: usize,
}

impl ResourceKind {
    /// The name by which naming files speak of the kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.builtin().name
    }

    /// The entry in the built-in convention. The names are part of the format of naming files: they stay as they are.
    pub(super) fn builtin(self) -> BuiltinKind {
        let kind = |name, short_name, generator, max_length| BuiltinKind { name, short_name, generator, max_length };
        match self {
            ResourceKind::ResourceGroup => kind("ResourceGroup", "rg", "resourcegroup", 64),
            ResourceKind::StorageAccount => kind("StorageAccount", "st", "storage", 24),
            ResourceKind::PublicIPAddress => kind("PublicIPAddress", "pip", "standard", 64),
            ResourceKind::BastionHost => kind("BastionHost", "bastion", "standard", 64),
            ResourceKind::PrivateEndpoint => kind("PrivateEndpoint", "ped", "standard", 64),
            ResourceKind::LogAnalyticsWorkspace => kind("LogAnalyticsWorkspace", "log", "standard", 63),
            ResourceKind::ApplicationInsights => kind("ApplicationInsights", "appi", "standard", 64),
            ResourceKind::ActionGroup => kind("ActionGroup", "agrp", "standard", 64),
            ResourceKind::ActionGroupReceiver => kind("ActionGroupReceiver", "agrprec", "standard", 64),
            ResourceKind::Alert => kind("Alert", "alt", "standard", 64),
            ResourceKind::AppServicePlan => kind("AppServicePlan", "plan", "standard", 60),
            ResourceKind::WebApp => kind("WebApp", "app", "app", 60),
            ResourceKind::FunctionApp => kind("FunctionApp", "func", "app", 60),
            ResourceKind::CdnProfile => kind("CdnProfile", "cdn", "standard", 64),
            ResourceKind::ApiManagementService => kind("ApiManagementService", "apim", "standard", 50),
            ResourceKind::FrontDoor => kind("FrontDoor", "fd", "standard", 64),
            ResourceKind::Workbook => kind("Workbook", "wbk", "standard", 64),
        }
    }
}

/// The built-in generator of the names of a type whose names are worldwide; none where its names are not generated.
#[must_use]
pub fn generator_of_worldwide(resource_type: &str) -> Option<&'static str> {
    let kind = match resource_type {
        "Microsoft.Storage/storageAccounts" => ResourceKind::StorageAccount,
        "Microsoft.Web/sites" => ResourceKind::WebApp,
        _ => return None,
    };
    Some(kind.builtin().generator)
}

/// The architecture a resource belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// Core services.
    Core,
    /// Infrastructure.
    Iaas,
    /// Platform services.
    Paas,
    /// Monitoring.
    Monitor,
}

impl Architecture {
    /// The key in naming files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Architecture::Core => "core",
            Architecture::Iaas => "iaas",
            Architecture::Paas => "paas",
            Architecture::Monitor => "monitor",
        }
    }
}

/// The environment of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Environment {
    /// The environment where people try things; the default.
    #[default]
    Development,
    /// The environment where parts are put together.
    Integration,
    /// The environment where it is tested.
    Test,
    /// The environment where it counts.
    Production,
    /// The resources that all of them share.
    Default,
    /// One that only the naming files of a project have.
    Own(String),
}

impl Environment {
    /// Every environment that needs no naming file, in the order in which they are told.
    pub const ALL: [Environment; 5] = [
        Environment::Development,
        Environment::Integration,
        Environment::Test,
        Environment::Production,
        Environment::Default,
    ];

    /// The keys of these.
    pub const KEYS: [&'static str; 5] = ["development", "integration", "test", "production", "default"];

    /// The key in naming files.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Environment::Development => Self::KEYS[0],
            Environment::Integration => Self::KEYS[1],
            Environment::Test => Self::KEYS[2],
            Environment::Production => Self::KEYS[3],
            Environment::Default => Self::KEYS[4],
            Environment::Own(key) => key,
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.key())
    }
}

/// A word that is no environment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not an environment; use {}", alternatives(known))]
pub struct UnknownEnvironment {
    pub(super) text: String,
    /// The names that may be used instead.
    pub(super) known: Vec<String>,
}

impl FromStr for Environment {
    type Err = UnknownEnvironment;

    fn from_str(text: &str) -> Result<Environment, UnknownEnvironment> {
        let known =
            Environment::ALL.into_iter().find(|environment| environment.key().eq_ignore_ascii_case(text.trim()));
        let unknown =
            || UnknownEnvironment { text: text.to_owned(), known: Environment::KEYS.map(str::to_owned).to_vec() };
        known.ok_or_else(unknown)
    }
}
