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
    /// The command that the document is for: web.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: RootService,
    /// Web solutions, a resource group each: app service plans with their apps, and API management services.
    pub(super) web_solutions: Option<Vec<WebSolution>>,
    /// The front door to deploy. Default: the existing one with the publish name service.publish.frontdoor.
    pub(super) frontdoor: Option<FrontDoor>,
}

/// Publish names: of what the document deploys, and of what it depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    pub(super) dependencies: Option<RootDependencies>,
    /// Publish names of what the document deploys, by which other documents find it.
    pub(super) publish: RootPublish,
}

/// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootDependencies {
    /// Publish name of the application insights that apps report to.
    pub(super) app_insights: Option<String>,
    /// Publish name of the key vault with the certificates of custom domains.
    pub(super) keyvault: Option<String>,
    /// Publish name of the web application firewall policy of every custom domain that sets none.
    pub(super) web_application_firewall_policy: Option<String>,
    /// Publish name of the storage account of every function app that sets none.
    pub(super) storage: Option<String>,
    /// Publish name of the resource group of every private endpoint that sets none.
    pub(super) resource_group: Option<String>,
    /// Publish name of the virtual network of every private endpoint that sets none.
    pub(super) vnet: Option<String>,
    /// Private DNS zones of every private endpoint that sets none: publish names of existing zones, or names of zones.
    pub(super) private_zones: Option<Vec<String>>,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootPublish {
    /// Publish name of every resource group of a solution that sets none.
    pub(super) resource_group: Option<String>,
    /// Publish name of every app service plan that sets none.
    pub(super) app_service_plan: Option<String>,
    /// Publish name of every web app that sets none.
    pub(super) webapp: Option<String>,
    /// Publish name of every API management service that sets none.
    pub(super) api_management: Option<String>,
    /// Publish name of the front door: of the one in the document, or of an existing one. Required, if frontdoor or a backendpool is set.
    pub(super) frontdoor: Option<String>,
    /// Publish name of the resource group of the front door. Required, if frontdoor or a backendpool is set.
    pub(super) frontdoor_resource_group: Option<String>,
    /// Publish name of every CDN profile that sets none.
    pub(super) cdn: Option<String>,
    /// Publish name of every CDN endpoint that sets none.
    pub(super) endpoint: Option<String>,
    /// Publish name of every slot that sets none.
    pub(super) slot: Option<String>,
    /// Publish name of every function app that sets none.
    pub(super) function: Option<String>,
    /// Publish name of every private endpoint that sets none.
    pub(super) private_endpoint: Option<String>,
}

/// A `service` object that only publishes.
pub(super) type PublishOnly<P> = Option<Service<crate::commands::shared::service::Nothing, P>>;
