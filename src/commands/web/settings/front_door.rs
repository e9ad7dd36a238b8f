//! The front door: pools of backends, domains and the rules between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{Nothing, Service};

/// An Azure Front Door profile: endpoints, origins, routes and domains for the apps of the document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FrontDoor {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// Whether the requests of one user go to one backend.
    pub(in crate::commands::web) session_affinity: Switch,
    /// Where its resource group is; the front door itself is everywhere.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// Domains of your own under which the endpoints answer.
    pub(in crate::commands::web) custom_domains: Option<Vec<CustomDomain>>,
    /// Pools of backends.
    #[serde(rename = "backEndPools")]
    pub(in crate::commands::web) back_end_pools: Vec<BackEndPool>,
    /// Which requests go to which pool.
    pub(in crate::commands::web) rules: Vec<Rule>,
}

/// On or off, as a word or as a boolean.
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

/// A domain of your own, which Azure checks by a TXT record.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct CustomDomain {
    /// The host name.
    pub(in crate::commands::web) domain_name: String,
    /// Accepted; every domain is served by HTTPS.
    #[schemars(extend("deprecated" = true))]
    pub(in crate::commands::web) enable_https: Option<bool>,
    /// Whether the requests of one user of this domain go to one backend.
    pub(in crate::commands::web) session_affinity: Switch,
    /// The certificate in the key vault. Default: a certificate that Azure manages.
    pub(in crate::commands::web) custom_certificate_secret_name: Option<String>,
    /// Names of existing resources.
    pub(in crate::commands::web) service: Option<Service<DomainDependencies, Nothing>>,
}

/// Existing resources that a domain uses.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct DomainDependencies {
    /// The key vault with the certificate.
    pub(in crate::commands::web) keyvault: Option<String>,
    /// The published firewall policy that guards the domains.
    pub(in crate::commands::web) web_application_firewall_policy: Option<String>,
}

/// A pool of backends.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct BackEndPool {
    /// The name that web apps, API management services and rules use.
    pub(in crate::commands::web) name: String,
    /// The path that health probes request.
    #[schemars(extend("default" = "/index.html"))]
    pub(in crate::commands::web) health_check_path: Option<String>,
    /// The protocol of health probes.
    #[schemars(extend("default" = "Https"))]
    pub(in crate::commands::web) protocol: Option<Protocol>,
}

/// A protocol, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::commands::web) enum Protocol {
    /// Not encrypted.
    Http,
    /// Encrypted.
    Https,
}

/// Which requests go to which pool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct Rule {
    /// The name of the route.
    pub(in crate::commands::web) name: String,
    /// Paths, such as /* or /api/*.
    #[schemars(length(min = 1))]
    pub(in crate::commands::web) pattern: Vec<String>,
    /// The pool that gets the requests.
    #[serde(rename = "backEndPoolname")]
    pub(in crate::commands::web) back_end_pool_name: String,
    /// The protocols that are answered. Default: both.
    pub(in crate::commands::web) accepted_protocols: Option<Vec<Protocol>>,
    /// Custom domains, by their names. Default: the front door's own host name.
    pub(in crate::commands::web) endpoints: Option<Vec<String>>,
    /// Whether answers are cached at the edge.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) enable_caching: Option<bool>,
}
