//! The kinds of resources that get generated names, and what goes into the names beside the settings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A kind of resource with a generated name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// A resource group.
    ResourceGroup,
    /// A storage account.
    StorageAccount,
    /// A public IP address.
    PublicIPAddress,
    /// A bastion host.
    BastionHost,
    /// A private endpoint.
    PrivateEndpoint,
    /// A Log Analytics workspace.
    LogAnalyticsWorkspace,
    /// Application insights.
    ApplicationInsights,
    /// An action group.
    ActionGroup,
    /// A receiver in an action group.
    ActionGroupReceiver,
    /// An alert rule of any type.
    Alert,
    /// An app service plan.
    AppServicePlan,
    /// A web app.
    WebApp,
    /// A function app.
    FunctionApp,
    /// A CDN profile.
    CdnProfile,
    /// An API management service.
    ApiManagementService,
    /// A front door.
    FrontDoor,
    /// A workbook.
    Workbook,
}

impl ResourceKind {
    /// The name by which naming files speak of the kind.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}")
    }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// Where people try things; the default.
    #[default]
    Development,
    /// Where parts are put together.
    Integration,
    /// Where it is tested.
    Test,
    /// Where it counts.
    Production,
    /// What all of them share.
    Default,
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

    /// The key in naming files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Environment::Development => "development",
            Environment::Integration => "integration",
            Environment::Test => "test",
            Environment::Production => "production",
            Environment::Default => "default",
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
#[error("'{0}' is not an environment; use development, integration, test, production or default")]
pub struct UnknownEnvironment(String);

impl FromStr for Environment {
    type Err = UnknownEnvironment;

    fn from_str(text: &str) -> Result<Environment, UnknownEnvironment> {
        let known =
            Environment::ALL.into_iter().find(|environment| environment.key().eq_ignore_ascii_case(text.trim()));
        known.ok_or_else(|| UnknownEnvironment(text.to_owned()))
    }
}
