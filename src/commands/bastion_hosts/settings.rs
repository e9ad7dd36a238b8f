//! The settings document of New-SvcIaasBastionHost.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::shared::service::Service;

/// Bastion host settings: bastion hosts of existing virtual networks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BastionHostSettings {
    /// Says which command the settings are for: bastionHosts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Location of all deployments.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// Names under which resources are published and found.
    pub(super) service: RootService,
    /// The hosts, each with a public IP address and the subnet CloudBastionSubnet of its virtual network.
    pub(super) bastion_hosts: Vec<BastionHost>,
}

/// Names under which resources are published and found, for the whole document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Names of existing resources.
    pub(super) dependencies: Dependencies,
    /// Names for deployed resources.
    pub(super) publish: Option<Publish>,
}

/// Names of existing resources.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// The resource group to deploy to.
    pub(super) resource_group: String,
    /// The workspace that gets the audit logs.
    pub(super) workspace: String,
    /// The virtual network of every host that names none.
    pub(super) vnet: Option<String>,
}

/// Names for deployed resources.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Bastion hosts.
    pub(super) bastion: Option<String>,
    /// Their public IP addresses.
    #[serde(rename = "bastionPublicIP")]
    pub(super) bastion_public_ip: Option<String>,
}

/// A bastion host: remote desktop and SSH to the machines of a virtual network, without public addresses of theirs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BastionHost {
    /// Part of the generated names of the host and its public IP address.
    pub(super) bastion_host_name: String,
    /// The address range of CloudBastionSubnet, /26 or larger; needed where the network has no such subnet. An existing one keeps its own.
    pub(super) bastion_host_subnet_prefix: Option<String>,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<HostDependencies, Publish>>,
}

/// Names of existing resources, for one host.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HostDependencies {
    /// The virtual network.
    pub(super) vnet: Option<String>,
}
