//! The `service` objects of settings documents: names under which resources are published and found.

use schemars::JsonSchema;
use serde::Deserialize;

/// Publish names: of what the document deploys, and of what it depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct Service<D, P> {
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    pub(in crate::commands) dependencies: Option<D>,
    /// Publish names of what the document deploys, by which other documents find it.
    pub(in crate::commands) publish: Option<P>,
}

/// The entry that stands for nothing in a list of names: a list that holds only it takes nothing from the root, either.
const NOTHING: &str = "none";

/// Whether an entry of a list of names stands for nothing, in any letter case.
pub(in crate::commands) fn is_nothing(name: &str) -> bool {
    name.eq_ignore_ascii_case(NOTHING)
}

/// The settings of a `service` that may be absent, like each of its two parts.
pub(in crate::commands) trait Named<D, P> {
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    fn dependencies(&self) -> Option<&D>;

    /// Publish names of what the document deploys, by which other documents find it.
    fn publish(&self) -> Option<&P>;
}

impl<D, P> Named<D, P> for Option<Service<D, P>> {
    fn dependencies(&self) -> Option<&D> {
        self.as_ref()?.dependencies.as_ref()
    }

    fn publish(&self) -> Option<&P> {
        self.as_ref()?.publish.as_ref()
    }
}

/// Publish names of what private endpoints depend on.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NetworkDependencies {
    /// Publish name of the resource group to deploy to.
    pub(in crate::commands) resource_group: Option<String>,
    /// Publish name of the virtual network of private endpoints.
    pub(in crate::commands) vnet: Option<String>,
    /// Private DNS zones of private endpoints: publish names of existing zones, or names of zones.
    pub(in crate::commands) private_zones: Option<Vec<String>>,
}

/// Publish name of private endpoints.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct EndpointPublish {
    /// Publish name of every private endpoint that sets none.
    pub(in crate::commands) private_endpoint: Option<String>,
}

/// No key; every `service` has both parts, and this one is empty.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::commands) struct Nothing {}

/// A private endpoint that is declared beside what it connects to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NestedEndpoint {
    /// Name from which the name of the endpoint is generated. Default: its number among the endpoints without a name, from 0, and the name of the resource that it connects to.
    pub(in crate::commands) name: Option<String>,
    /// Name of the subnet of the endpoint.
    pub(in crate::commands) subnet_name: String,
    /// The sub-resource to connect to: blob, file, queue, table, web or dfs of a storage account, sites of an app.
    pub(in crate::commands) sub_resource_name: Option<String>,
    /// Publish names of this endpoint, and of what it depends on.
    pub(in crate::commands) service: Option<Service<NetworkDependencies, NestedEndpointPublish>>,
}

/// Publish names of one endpoint and its resource group.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NestedEndpointPublish {
    /// Publish name of this private endpoint.
    pub(in crate::commands) private_endpoint: Option<String>,
    /// Publish name of the resource group of this endpoint.
    pub(in crate::commands) resource_group: Option<String>,
}
