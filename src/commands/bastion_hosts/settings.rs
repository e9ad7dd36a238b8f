//! The settings document of New-SvcIaasBastionHost.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::commands::shared::service::Service;

/// Bastion host settings: bastion hosts of existing virtual networks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BastionHostSettings {
    /// The command that the document is for: bastionHosts.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Location of everything that is deployed.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: RootService,
    /// The hosts, each with a public IP address and the subnet AzureBastionSubnet of its virtual network, which the replaced module called CloudBastionSubnet.
    pub(super) bastion_hosts: Vec<BastionHost>,
}

/// Publish names: of what the document deploys, and of what it depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RootService {
    /// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
    pub(super) dependencies: Dependencies,
    /// Publish names of what the document deploys, by which other documents find it.
    pub(super) publish: Option<Publish>,
}

/// Publish names of what the document depends on: existing resources, or what another document of the same run publishes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dependencies {
    /// Publish name of the resource group to deploy to.
    pub(super) resource_group: String,
    /// Publish name of the Log Analytics workspace that gets the audit logs.
    pub(super) workspace: String,
    /// Publish name of the virtual network of every host that sets none.
    pub(super) vnet: Option<String>,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every bastion host that sets none.
    pub(super) bastion: Option<String>,
    /// Publish name of every public IP address that sets none.
    #[serde(rename = "bastionPublicIP")]
    pub(super) bastion_public_ip: Option<String>,
}

/// A bastion host: remote desktop and SSH to the machines of a virtual network, without public addresses of theirs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BastionHost {
    /// Name from which the names of the host and its public IP address are generated.
    pub(super) bastion_host_name: String,
    /// Address range of AzureBastionSubnet, /26 or larger. Required, if the network has no such subnet. An existing one keeps its own.
    pub(super) bastion_host_subnet_prefix: Option<String>,
    /// Publish names of this host and its public IP address, and of its virtual network.
    pub(super) service: Option<Service<HostDependencies, HostPublish>>,
}

/// Publish names of one host and its public IP address.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HostPublish {
    /// Publish name of this host.
    pub(super) bastion: Option<String>,
    /// Publish name of its public IP address.
    #[serde(rename = "bastionPublicIP")]
    pub(super) bastion_public_ip: Option<String>,
}

/// Publish names of what one host depends on.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HostDependencies {
    /// Publish name of the virtual network of this host.
    pub(super) vnet: Option<String>,
}
