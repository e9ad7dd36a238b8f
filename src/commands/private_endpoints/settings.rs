//! The settings document of New-SvcIaasPrivateEndpoints.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::shared::service::{EndpointPublish, NetworkDependencies, Service};

/// Private endpoint settings: private connections from virtual networks to existing resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PrivateEndpointSettings {
    /// Says which command the settings are for: privateEndpoints.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<NetworkDependencies, EndpointPublish>>,
    /// The sub-resource of every endpoint that names none.
    pub(super) global_sub_resource_name: Option<String>,
    /// The endpoints, each with the private DNS zones that its name needs.
    pub(super) private_endpoints: Vec<PrivateEndpoint>,
}

/// An address in a virtual network by which a service is reached without the internet.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PrivateEndpoint {
    /// Part of the generated name.
    pub(super) name: String,
    /// The location of the virtual network, which Azure asks for; another one is ignored with a warning.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// Namespace or type of the resource to connect to: Microsoft.Storage, or Microsoft.Storage/storageAccounts.
    pub(super) resource_name_space: Option<String>,
    /// The sub-resource to connect to, such as blob or vault.
    pub(super) sub_resource_name: Option<String>,
    /// The subnet the endpoint is in.
    pub(super) subnet_name: String,
    /// Names under which resources are published and found.
    pub(super) service: EndpointService,
}

/// Names under which resources are published and found, for one endpoint.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EndpointService {
    /// Names of existing resources.
    pub(super) dependencies: EndpointDependencies,
    /// Names for the endpoint.
    pub(super) publish: Option<EndpointPublish>,
}

/// Names of existing resources, for one endpoint.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EndpointDependencies {
    /// The published resource group that the endpoint is put into.
    pub(super) resource_group: Option<String>,
    /// The virtual network.
    pub(super) vnet: Option<String>,
    /// The resource to connect to.
    pub(super) resource: String,
    /// The private DNS zones: publish names of existing zones, or names of zones.
    pub(super) private_zones: Option<Vec<String>>,
}
