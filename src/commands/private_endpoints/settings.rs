//! The settings document of New-SvcIaasPrivateEndpoints.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::shared::service::{EndpointPublish, NetworkDependencies, Service};

/// Private endpoint settings: private connections from virtual networks to existing resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PrivateEndpointSettings {
    /// The command that the document is for: privateEndpoints.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: Option<Service<NetworkDependencies, EndpointPublish>>,
    /// The sub-resource of every endpoint that sets none, such as blob.
    pub(super) global_sub_resource_name: Option<String>,
    /// The endpoints, each with the private DNS zones that its name needs.
    pub(super) private_endpoints: Vec<PrivateEndpoint>,
}

/// An address in a virtual network by which a service is reached without the internet.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PrivateEndpoint {
    /// Name from which the name of the endpoint is generated.
    pub(super) name: String,
    /// Location of the endpoint, which is always that of its virtual network; another one is ignored with a warning.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Namespace or type that the published resource must have: Microsoft.Storage, or Microsoft.Storage/storageAccounts.
    pub(super) resource_name_space: Option<String>,
    /// The sub-resource to connect to, such as blob or vault. Default: globalSubResourceName.
    pub(super) sub_resource_name: Option<String>,
    /// Name of the subnet of the endpoint.
    pub(super) subnet_name: String,
    /// Publish names of this endpoint, and of what it depends on.
    pub(super) service: EndpointService,
}

/// Publish names: of the endpoint, and of what it connects to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EndpointService {
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    pub(super) dependencies: EndpointDependencies,
    /// Publish name of the endpoint.
    pub(super) publish: Option<OwnPublish>,
}

/// Publish name of one endpoint.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OwnPublish {
    /// Publish name of this endpoint.
    pub(super) private_endpoint: Option<String>,
}

/// Publish names of what one endpoint depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EndpointDependencies {
    /// Publish name of the resource group of this endpoint.
    pub(super) resource_group: Option<String>,
    /// Publish name of the virtual network of this endpoint.
    pub(super) vnet: Option<String>,
    /// Publish name of the resource to connect to.
    pub(super) resource: String,
    /// Private DNS zones of this endpoint: publish names of existing zones, or names of zones.
    pub(super) private_zones: Option<Vec<String>>,
}
