//! The settings document of New-SvcIaasStorage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::shared::service::{NestedEndpoint, NetworkDependencies, Nothing, Service};

/// Storage settings: the storage accounts of one resource group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StorageSettings {
    /// Says which command the settings are for: storage.
    #[expect(dead_code, reason = "it is compared before the settings are read")]
    pub(super) component: Option<String>,
    /// Part of the generated name of the resource group. Required unless an existing group is named.
    pub(super) resource_group_name: Option<String>,
    /// Location of the resource group, and of every account that has none of its own.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: String,
    /// Names under which resources are published and found.
    pub(super) service: Option<Service<NetworkDependencies, Publish>>,
    /// The accounts, each with its containers, shares, tables and queues.
    pub(super) storage_accounts: Vec<StorageAccount>,
}

/// Names for deployed resources.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Publish {
    /// Every account that has no name of its own.
    pub(super) storage: Option<String>,
    /// The resource group that the accounts are in; it is created when it is missing.
    pub(super) resource_group: Option<String>,
    /// Every private endpoint that has no name of its own.
    pub(super) private_endpoint: Option<String>,
}

/// A storage account, and what is in it. What is taken out of the document stays in the account.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StorageAccount {
    /// Part of the generated account name.
    pub(super) storage_account_name: String,
    /// Location of the account. Default: the location of the document.
    #[schemars(extend("x-offered" = "locations"))]
    pub(super) location: Option<String>,
    /// The tier.
    pub(super) account_type: AccountType,
    /// The kind of account.
    #[schemars(extend("default" = "StorageV2"))]
    pub(super) kind: Option<AccountKind>,
    /// The redundancy.
    #[schemars(extend("default" = "LRS"))]
    pub(super) replication: Option<Replication>,
    /// Containers for blobs.
    pub(super) blob_container: Option<Vec<BlobContainer>>,
    /// Shares that machines mount by SMB.
    pub(super) file_share: Option<Vec<FileShare>>,
    /// Names of tables.
    pub(super) table: Option<Vec<String>>,
    /// Names of queues.
    pub(super) queue: Option<Vec<String>>,
    /// The oldest TLS version that clients may use.
    #[schemars(extend("default" = "TLS1_2"))]
    pub(super) minimum_tls_version: Option<TlsVersion>,
    /// Whether only HTTPS is allowed.
    #[schemars(extend("default" = true))]
    pub(super) supports_https_traffic_only: Option<bool>,
    /// Whether containers may be public.
    #[schemars(extend("default" = true))]
    pub(super) allow_blob_public_access: Option<bool>,
    /// What bypasses the network rules: None, or any of Logging, Metrics and CloudServices, separated by commas.
    #[schemars(extend("default" = "CloudServices"))]
    #[schemars(extend("pattern" = BYPASS_PATTERN))]
    pub(super) network_acls_bypass: Option<String>,
    /// What happens to traffic that no network rule matches.
    #[schemars(extend("default" = "Allow"))]
    pub(super) network_acls_default_action: Option<DefaultAction>,
    /// Names under which the account is published.
    pub(super) service: Option<Service<Nothing, AccountPublish>>,
    /// Addresses in virtual networks by which the account is reached without the internet.
    pub(super) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Names for one account.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AccountPublish {
    /// The name under which the account is published.
    pub(super) storage: Option<String>,
}

/// A container for blobs, and who may read them without a key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BlobContainer {
    /// The name, put in lower case. The name none stands for no container.
    pub(super) name: Option<String>,
    /// Who may read without signing in.
    #[schemars(extend("default" = "None"))]
    pub(super) public_access: Option<PublicAccess>,
}

/// A share that machines mount by SMB, and its quota.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FileShare {
    /// The name, put in lower case. The name none stands for no share.
    pub(super) name: Option<String>,
    /// The quota in GiB.
    #[schemars(extend("default" = 100))]
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

/// Who may read a container without signing in, as Azure spells it.
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

/// What may bypass the network rules: nothing, reading the logs, reading the metrics, trusted services of the cloud.
pub(super) const BYPASS: &[&str] = &["None", "Logging", "Metrics", "CloudServices"];

/// The same as editors check it. `compile` checks it once more, with better words.
const BYPASS_PATTERN: &str = r"^(\s*([Nn][Oo][Nn][Ee]|[Ll][Oo][Gg][Gg][Ii][Nn][Gg]|[Mm][Ee][Tt][Rr][Ii][Cc][Ss]|([Cc][Ll][Oo][Uu][Dd]|[Aa][Zz][Uu][Rr][Ee])[Ss][Ee][Rr][Vv][Ii][Cc][Ee][Ss])\s*(,|$))*$";

/// What happens to traffic that no network rule matches, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum DefaultAction {
    /// It passes.
    Allow,
    /// It is refused.
    Deny,
}
