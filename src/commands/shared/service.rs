//! The `service` objects of settings documents: names under which resources are published and found.

use schemars::JsonSchema;
use serde::Deserialize;

/// Names under which resources are published and found.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct Service<D, P> {
    /// Names of existing resources.
    pub(in crate::commands) dependencies: Option<D>,
    /// Names for deployed resources.
    pub(in crate::commands) publish: Option<P>,
}

/// The entry that stands for nothing in a list of names: a list that holds only it takes nothing from the root, either.
const NOTHING: &str = "none";

/// Whether an entry of a list of names stands for nothing, in any letter case.
pub(in crate::commands) fn is_nothing(name: &str) -> bool {
    name.eq_ignore_ascii_case(NOTHING)
}

/// What a document says of a `service` that may be absent, like each of its two parts.
pub(in crate::commands) trait Named<D, P> {
    /// Names of existing resources.
    fn dependencies(&self) -> Option<&D>;

    /// Names for deployed resources.
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

/// Existing resources that private endpoints need.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NetworkDependencies {
    /// The resource group to deploy to.
    pub(in crate::commands) resource_group: Option<String>,
    /// The virtual network of private endpoints.
    pub(in crate::commands) vnet: Option<String>,
    /// The private DNS zones of private endpoints: publish names of existing zones, or names of zones.
    pub(in crate::commands) private_zones: Option<Vec<String>>,
}

/// The name for private endpoints.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct EndpointPublish {
    /// Private endpoints that have no name of their own.
    pub(in crate::commands) private_endpoint: Option<String>,
}

/// Nothing that exists is depended on; the key is there because every `service` has it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::commands) struct Nothing {}

/// A private endpoint that is declared beside what it connects to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NestedEndpoint {
    /// Part of the generated name. Default: its number among the endpoints without a name, from 0, and the name of the resource that it connects to.
    pub(in crate::commands) name: Option<String>,
    /// The subnet the endpoint is in.
    pub(in crate::commands) subnet_name: String,
    /// The sub-resource to connect to: blob, file, queue, table, web or dfs of a storage account, sites of an app.
    pub(in crate::commands) sub_resource_name: Option<String>,
    /// Names under which resources are published and found.
    pub(in crate::commands) service: Option<Service<NetworkDependencies, NestedEndpointPublish>>,
}

/// Names for one endpoint.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct NestedEndpointPublish {
    /// The name under which the private endpoint is published.
    pub(in crate::commands) private_endpoint: Option<String>,
    /// The resource group that the endpoint goes to, by its publish name.
    pub(in crate::commands) resource_group: Option<String>,
}
