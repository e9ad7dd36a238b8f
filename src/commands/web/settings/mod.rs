//! The settings document of New-SvcPaasWeb.

mod front_door;
mod web_solution;

use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use front_door::*;
pub(super) use web_solution::*;

use crate::commands::shared::service::Service;

/// Web hosting settings: web apps, function apps and API management, and the front door in front of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct WebSettings {
    /// Says which command the settings are for: web.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: RootService,
    /// Resource groups with app service plans, web apps, function apps, CDNs and API management services.
    pub(super) web_solutions: Option<Vec<WebSolution>>,
    /// The front door to deploy. Default: the existing one that is published as service.publish.frontdoor.
    pub(super) frontdoor: Option<FrontDoor>,
}

/// Names for the whole document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Names of existing resources.
    pub(super) dependencies: Option<RootDependencies>,
    /// Names for deployed resources.
    pub(super) publish: RootPublish,
}

/// Existing resources that the document uses.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootDependencies {
    /// Application insights that apps report to.
    pub(super) app_insights: Option<String>,
    /// The key vault with the certificates of custom domains.
    pub(super) keyvault: Option<String>,
    /// The web application firewall policy of every custom domain that names none.
    pub(super) web_application_firewall_policy: Option<String>,
    /// The storage account of function apps.
    pub(super) storage: Option<String>,
    /// The resource group of private endpoints.
    pub(super) resource_group: Option<String>,
    /// The virtual network of private endpoints.
    pub(super) vnet: Option<String>,
    /// The private DNS zones of private endpoints: publish names of existing zones, or names of zones.
    pub(super) private_zones: Option<Vec<String>>,
}

/// Names for deployed resources; each holds where an item has none of its own.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootPublish {
    /// Resource groups of web solutions.
    pub(super) resource_group: Option<String>,
    /// The name of every plan that has none of its own.
    pub(super) app_service_plan: Option<String>,
    /// Web apps.
    pub(super) webapp: Option<String>,
    /// API management services.
    pub(super) api_management: Option<String>,
    /// The front door: the one of this document, or an existing one. Required where there is a frontdoor or a backendpool.
    pub(super) frontdoor: Option<String>,
    /// The resource group of the front door. Required where there is a frontdoor or a backendpool.
    pub(super) frontdoor_resource_group: Option<String>,
    /// CDN profiles.
    pub(super) cdn: Option<String>,
    /// Endpoints of CDN profiles.
    pub(super) endpoint: Option<String>,
    /// Staging slots.
    pub(super) slot: Option<String>,
    /// Function apps.
    pub(super) function: Option<String>,
    /// The name of every private endpoint that has none of its own.
    pub(super) private_endpoint: Option<String>,
}

/// A `service` object that only publishes.
pub(super) type PublishOnly<P> = Option<Service<crate::commands::shared::service::Nothing, P>>;
