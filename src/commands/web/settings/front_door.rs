//! The front door: pools of backends, domains and the rules between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{Nothing, Service};

/// An Azure Front Door profile: endpoints, origins, routes and domains for the apps of the document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FrontDoor {
    /// Name from which the names of the profile and its endpoint are generated.
    pub(in crate::commands::web) name: String,
    /// Whether the requests of one user go to one backend.
    pub(in crate::commands::web) session_affinity: Switch,
    /// Location of its resource group; the front door itself is global.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// Custom domains under which the endpoints answer.
    pub(in crate::commands::web) custom_domains: Option<Vec<CustomDomain>>,
    /// Backend pools, which web apps and API management services join by name.
    #[serde(rename = "backEndPools")]
    pub(in crate::commands::web) back_end_pools: Vec<BackEndPool>,
    /// Rules: which requests go to which backend pool.
    pub(in crate::commands::web) rules: Vec<Rule>,
}

/// Enabled or Disabled, true or false.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::commands::web) enum Switch {
    /// As a boolean.
    Flag(bool),
    /// As a word.
    Word(SwitchWord),
}

/// The words for on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::commands::web) enum SwitchWord {
    /// On.
    Enabled,
    /// Off.
    Disabled,
    /// On, in quotation marks.
    #[serde(rename = "true")]
    True,
    /// Off, in quotation marks.
    #[serde(rename = "false")]
    False,
}

impl Switch {
    /// Whether it is enabled.
    pub(in crate::commands::web) fn is_on(self) -> bool {
        matches!(self, Switch::Flag(true) | Switch::Word(SwitchWord::Enabled | SwitchWord::True))
    }
}

/// A custom domain, whose owner Azure checks by a TXT record.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct CustomDomain {
    /// The host name, such as www.example.com.
    pub(in crate::commands::web) domain_name: String,
    /// Accepted, but ignored: every domain is served by HTTPS.
    #[schemars(extend("deprecated" = true))]
    pub(in crate::commands::web) enable_https: Option<bool>,
    /// Whether the requests of one user of this domain go to one backend.
    pub(in crate::commands::web) session_affinity: Switch,
    /// Name of the certificate in the key vault. Default: a certificate that Azure manages.
    pub(in crate::commands::web) custom_certificate_secret_name: Option<String>,
    /// Publish names of what the domain depends on.
    pub(in crate::commands::web) service: Option<Service<DomainDependencies, Nothing>>,
}

/// Publish names of what a domain depends on.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct DomainDependencies {
    /// Publish name of the key vault with the certificate of this domain.
    pub(in crate::commands::web) keyvault: Option<String>,
    /// Publish name of the web application firewall policy of this domain.
    pub(in crate::commands::web) web_application_firewall_policy: Option<String>,
}

/// A backend pool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct BackEndPool {
    /// Name of the pool, by which apps, API management services and rules choose it.
    pub(in crate::commands::web) name: String,
    /// Path that health probes request.
    pub(in crate::commands::web) health_check_path: Option<String>,
    /// Protocol of health probes.
    pub(in crate::commands::web) protocol: Option<Protocol>,
}

/// A protocol, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub(in crate::commands::web) enum Protocol {
    /// Not encrypted.
    Http,
    /// Encrypted.
    Https,
}

/// A rule: which requests go to which backend pool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct Rule {
    /// Name of the rule, and of the route that it becomes.
    pub(in crate::commands::web) name: String,
    /// Paths that the rule is for, such as /* or /api/*.
    #[schemars(length(min = 1))]
    pub(in crate::commands::web) pattern: Vec<String>,
    /// Name of the backend pool that gets the requests.
    #[serde(rename = "backEndPoolname")]
    pub(in crate::commands::web) back_end_pool_name: String,
    /// Protocols that are accepted. Default: both.
    pub(in crate::commands::web) accepted_protocols: Option<Vec<Protocol>>,
    /// Host names of the custom domains that the rule is for. Default: the front door's own host name.
    pub(in crate::commands::web) endpoints: Option<Vec<String>>,
    /// Whether responses are cached at the edge.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) enable_caching: Option<bool>,
}
