//! The settings document of New-SvcIaasStorage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{NestedEndpoint, NetworkDependencies, Nothing, Service};

/// Storage settings: the storage accounts of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StorageSettings {
    /// The command that the document is for: storage.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Name from which the name of the resource group is generated. Required, unless service.dependencies.resourceGroup is set.
    pub(super) resource_group_name: Option<String>,
    /// Location of the resource group, and of every account that sets none.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// Publish names: of what the document deploys, and of what it depends on.
    pub(super) service: Option<Service<NetworkDependencies, Publish>>,
    /// The accounts, each with its containers, shares, tables and queues.
    pub(super) storage_accounts: Vec<StorageAccount>,
}

/// Publish names of what the document deploys, by which other documents find it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Publish name of every account that sets none.
    pub(super) storage: Option<String>,
    /// Publish name of the resource group of the accounts. It is created if it does not exist.
    pub(super) resource_group: Option<String>,
    /// Publish name of every private endpoint that sets none.
    pub(super) private_endpoint: Option<String>,
}

/// A storage account, and what is in it. What is taken out of the document stays in the account.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StorageAccount {
    /// Name from which the name of the account is generated.
    pub(super) storage_account_name: String,
    /// Location of the account. Default: the location of the document.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// The performance tier: hard disks or solid state disks.
    pub(super) account_type: AccountType,
    /// The kind of account.
    pub(super) kind: Option<AccountKind>,
    /// Number and places of the copies of the data.
    #[schemars(extend("default" = "LRS"))]
    pub(super) replication: Option<Replication>,
    /// Containers for blobs.
    pub(super) blob_container: Option<Vec<BlobContainer>>,
    /// File shares that machines mount by SMB.
    pub(super) file_share: Option<Vec<FileShare>>,
    /// Names of tables.
    pub(super) table: Option<Vec<String>>,
    /// Names of queues.
    pub(super) queue: Option<Vec<String>>,
    /// The oldest TLS version that clients may use.
    pub(super) minimum_tls_version: Option<TlsVersion>,
    /// Whether only HTTPS is allowed.
    pub(super) supports_https_traffic_only: Option<bool>,
    /// Whether containers may be public.
    pub(super) allow_blob_public_access: Option<bool>,
    /// Traffic that bypasses the network rules: None, or any of Logging, Metrics and AzureServices, separated by commas. CloudServices, the word of the replaced module, means AzureServices.
    #[schemars(extend("pattern" = BYPASS_PATTERN))]
    pub(super) network_acls_bypass: Option<String>,
    /// Action for traffic that no network rule matches.
    pub(super) network_acls_default_action: Option<DefaultAction>,
    /// Publish name of the account.
    pub(super) service: Option<Service<Nothing, AccountPublish>>,
    /// Private endpoints: addresses in virtual networks by which the account is reached without the internet.
    pub(super) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Publish name of one account.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AccountPublish {
    /// Publish name of this account.
    pub(super) storage: Option<String>,
}

/// A container for blobs, and who may read them without a key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BlobContainer {
    /// Name of the container, put in lower case. The name none stands for no container.
    #[schemars(extend("default" = "none"))]
    pub(super) name: Option<String>,
    /// Read access for anybody who has not signed in.
    pub(super) public_access: Option<PublicAccess>,
}

/// A share that machines mount by SMB, and its quota.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FileShare {
    /// Name of the share, put in lower case. The name none stands for no share.
    #[schemars(extend("default" = "none"))]
    pub(super) name: Option<String>,
    /// The quota in GiB.
    #[schemars(range(min = 1, max = 102_400))]
    pub(super) size: Option<i64>,
}

/// The tier of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum AccountType {
    /// Hard disks.
    Standard,
    /// Solid state disks.
    Premium,
}

/// The kind of an account, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum AccountKind {
    /// General-purpose v1, retired.
    Storage,
    /// General-purpose v2.
    StorageV2,
    /// Legacy blob account, retired.
    BlobStorage,
    /// Premium file shares.
    FileStorage,
    /// Premium block blobs.
    BlockBlobStorage,
}

/// The redundancy of an account, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::upper_case_acronyms, reason = "the names are the values of the settings")]
pub(super) enum Replication {
    /// In one datacentre.
    LRS,
    /// In several zones of a region.
    ZRS,
    /// In two regions.
    GRS,
    /// In two regions, the second readable.
    RAGRS,
}

/// Read access to a container for anybody who has not signed in, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum PublicAccess {
    /// Everything in it, and the list of it.
    Container,
    /// Blobs whose names are known.
    Blob,
    /// Nobody.
    None,
}

/// A TLS version, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum TlsVersion {
    /// Retired.
    TLS1_0,
    /// Retired.
    TLS1_1,
    /// The only one that Azure accepts as a minimum.
    TLS1_2,
}

/// The traffic that may bypass the network rules: nothing, reading the logs, reading the metrics, trusted services of the cloud.
pub(super) const BYPASS: &[&str] = &["None", "Logging", "Metrics", "AzureServices"];

/// The same as editors check it. `compile` checks it once more, with better words.
const BYPASS_PATTERN: &str = r"^(\s*([Nn][Oo][Nn][Ee]|[Ll][Oo][Gg][Gg][Ii][Nn][Gg]|[Mm][Ee][Tt][Rr][Ii][Cc][Ss]|([Cc][Ll][Oo][Uu][Dd]|[Aa][Zz][Uu][Rr][Ee])[Ss][Ee][Rr][Vv][Ii][Cc][Ee][Ss])\s*(,|$))*$";

/// Action for traffic that no network rule matches, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum DefaultAction {
    /// It passes.
    Allow,
    /// It is refused.
    Deny,
}
