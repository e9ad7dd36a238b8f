//! Microsoft.Storage.

use serde_json::{Value, json};

use super::name_rule::{
    ANY_FORM, CONTAINER, CONTAINER_FORM, LETTERS_DIGITS, LOWER_DIGITS, LOWER_DIGITS_HYPHENS, NameRule, SINGLE_HYPHENS,
    TABLE_FORM,
};
use super::{Fixed, Listing, Otherwise, PrivateLink, ResourceType, RetiredValue, TagLimits};

/// The parent of blob, file, queue and table services. Its name is part of a host name.
pub static STORAGE_ACCOUNT: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts",
    label: "storage account",
    api_version: "2026-04-01",
    name_rule: Some(NameRule::new(3, 24, LOWER_DIGITS, ANY_FORM)),
    worldwide_name: true,
    name_check: Some(|name| json!({ "name": name, "type": "Microsoft.Storage/storageAccounts" })),
    listing: Listing::InGroup,
    tags: Some(TagLimits { key_length: 128, ..TagLimits::USUAL }),
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "sku.tier",
        "properties.networkAcls.virtualNetworkRules[].state",
        "properties.accountMigrationInProgress",
        "properties.blobRestoreStatus",
        "properties.creationTime",
        "properties.failoverInProgress",
        "properties.geoReplicationStats",
        "properties.isSkuConversionBlocked",
        "properties.keyCreationTime",
        "properties.lastGeoFailoverTime",
        "properties.primaryEndpoints",
        "properties.primaryLocation",
        "properties.privateEndpointConnections",
        "properties.secondaryEndpoints",
        "properties.secondaryLocation",
        "properties.statusOfPrimary",
        "properties.statusOfSecondary",
        "properties.storageAccountSkuConversionStatus",
        "properties.encryption.services.blob.lastEnabledTime",
        "properties.encryption.services.file.lastEnabledTime",
        "properties.encryption.services.queue.lastEnabledTime",
        "properties.encryption.services.table.lastEnabledTime",
        "properties.encryption.keyvaultproperties.currentVersionedKeyExpirationTimestamp",
        "properties.encryption.keyvaultproperties.currentVersionedKeyIdentifier",
        "properties.encryption.keyvaultproperties.lastKeyRotationTimestamp",
    ],
    fixed: &[
        Fixed { path: "kind", allows: upgrades_to_general_purpose_v2, otherwise: Otherwise::Kept },
        Fixed { path: "sku.name", allows: storage_redundancy_can_change, otherwise: Otherwise::Kept },
    ],
    sets: &["properties.networkAcls.bypass"],
    any_case: &[
        "kind",
        "properties.largeFileSharesState",
        "properties.minimumTlsVersion",
        "properties.networkAcls.defaultAction",
    ],
    // Source: the defaults of the REST specification, and accounts as the portal and the Azure CLI make them.
    usual: &[
        ("properties.accessTier", &["Hot", "Premium"]),
        ("properties.allowSharedKeyAccess", &["true"]),
        ("properties.dnsEndpointType", &["Standard"]),
        ("properties.encryption.keySource", &["Microsoft.Storage"]),
        ("properties.encryption.services.blob.enabled", &["true"]),
        ("properties.encryption.services.blob.keyType", &["Account"]),
        ("properties.encryption.services.file.enabled", &["true"]),
        ("properties.encryption.services.file.keyType", &["Account"]),
        ("properties.encryption.services.queue.enabled", &["true"]),
        ("properties.encryption.services.queue.keyType", &["Service"]),
        ("properties.encryption.services.table.enabled", &["true"]),
        ("properties.encryption.services.table.keyType", &["Service"]),
        ("properties.networkAcls.bypass", &["AzureServices"]),
        ("properties.networkAcls.defaultAction", &["Allow"]),
        ("properties.publicNetworkAccess", &["Enabled"]),
        ("properties.routingPreference.routingChoice", &["MicrosoftRouting"]),
    ],
    // Source: the documentation of Storage.
    retired_values: &[
        RetiredValue {
            path: "kind",
            is: |kind| kind == "Storage",
            notice: "general-purpose v1 accounts (kind Storage) were retired in September 2026",
        },
        RetiredValue {
            path: "kind",
            is: |kind| kind == "BlobStorage",
            notice: "legacy blob accounts (kind BlobStorage) were retired in September 2026",
        },
        RetiredValue {
            path: "properties.minimumTlsVersion",
            is: |version| matches!(version, "TLS1_0" | "TLS1_1"),
            notice: "Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026",
        },
    ],
    private_links: &[
        PrivateLink::to(&["blob", "blob_secondary"], &["privatelink.blob.core.windows.net"]),
        PrivateLink::to(&["file"], &["privatelink.file.core.windows.net"]),
        PrivateLink::to(&["queue", "queue_secondary"], &["privatelink.queue.core.windows.net"]),
        PrivateLink::to(&["table", "table_secondary"], &["privatelink.table.core.windows.net"]),
        PrivateLink::to(&["web", "web_secondary"], &["privatelink.web.core.windows.net"]),
        PrivateLink::to(&["dfs", "dfs_secondary"], &["privatelink.dfs.core.windows.net"]),
    ],
    ..ResourceType::PLAIN
};

/// Containers of the blob service of a storage account.
pub static BLOB_CONTAINER: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts/blobServices/containers",
    label: "blob container",
    only_parent: Some("default"),
    left_behind: Some(is_of_documents),
    api_version: "2026-04-01",
    name_rule: Some(NameRule::new(3, 63, CONTAINER, CONTAINER_FORM)),
    listing: Listing::InParent,
    read_only: &[
        "properties.deleted",
        "properties.deletedTime",
        "properties.hasImmutabilityPolicy",
        "properties.hasLegalHold",
        "properties.immutabilityPolicy",
        "properties.lastModifiedTime",
        "properties.leaseDuration",
        "properties.leaseState",
        "properties.leaseStatus",
        "properties.legalHold",
        "properties.remainingRetentionDays",
        "properties.version",
        "properties.immutableStorageWithVersioning.migrationState",
        "properties.immutableStorageWithVersioning.timeStamp",
    ],
    any_case: &["properties.publicAccess"],
    usual: &[("properties.defaultEncryptionScope", &["$account-encryption-key"])],
    ..ResourceType::PLAIN
};

/// Shares of the file service of a storage account.
pub static FILE_SHARE: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts/fileServices/shares",
    label: "file share",
    only_parent: Some("default"),
    left_behind: Some(is_of_documents),
    api_version: "2026-04-01",
    name_rule: Some(NameRule::new(3, 63, LOWER_DIGITS_HYPHENS, SINGLE_HYPHENS)),
    listing: Listing::InParent,
    read_only: &[
        "properties.accessTierChangeTime",
        "properties.accessTierStatus",
        "properties.deleted",
        "properties.deletedTime",
        "properties.includedBurstIops",
        "properties.lastModifiedTime",
        "properties.leaseDuration",
        "properties.leaseState",
        "properties.leaseStatus",
        "properties.maxBurstCreditsForIops",
        "properties.nextAllowedProvisionedBandwidthDowngradeTime",
        "properties.nextAllowedProvisionedIopsDowngradeTime",
        "properties.nextAllowedQuotaDowngradeTime",
        "properties.remainingRetentionDays",
        "properties.shareUsageBytes",
        "properties.snapshotTime",
        "properties.version",
    ],
    any_case: &["properties.accessTier"],
    usual: &[("properties.enabledProtocols", &["SMB"]), ("properties.rootSquash", &["NoRootSquash"])],
    ..ResourceType::PLAIN
};

/// The blob service of an account, which is there with it; only looked at, as the other services are.
pub static BLOB_SERVICE: ResourceType =
    ResourceType { name: "Microsoft.Storage/storageAccounts/blobServices", label: "blob service", ..SERVICE };

/// The file service of an account.
pub static FILE_SERVICE: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts/fileServices",
    label: "file service",
    // Shares of a new account are kept for a week ("Prevent accidental deletion of Azure file shares").
    usual: &[
        ("properties.shareDeleteRetentionPolicy.enabled", &["true"]),
        ("properties.shareDeleteRetentionPolicy.days", &["7"]),
    ],
    ..SERVICE
};

/// The queue service of an account.
pub static QUEUE_SERVICE: ResourceType =
    ResourceType { name: "Microsoft.Storage/storageAccounts/queueServices", label: "queue service", ..SERVICE };

/// The table service of an account.
pub static TABLE_SERVICE: ResourceType =
    ResourceType { name: "Microsoft.Storage/storageAccounts/tableServices", label: "table service", ..SERVICE };

/// The facts that the services of an account have in common. They are in no table: people know what is in them as that of the account.
const SERVICE: ResourceType = ResourceType {
    api_version: "2026-04-01",
    listing: Listing::InParent,
    read_only: &["sku", "properties.restorePolicy.lastEnabledTime", "properties.restorePolicy.minRestoreTime"],
    ..ResourceType::PLAIN
};

/// Queues of the queue service of a storage account.
pub static QUEUE: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts/queueServices/queues",
    label: "queue",
    only_parent: Some("default"),
    left_behind: Some(is_of_documents),
    api_version: "2026-04-01",
    name_rule: Some(NameRule::new(3, 63, LOWER_DIGITS_HYPHENS, SINGLE_HYPHENS)),
    listing: Listing::InParent,
    read_only: &["properties.approximateMessageCount"],
    ..ResourceType::PLAIN
};

/// Tables of the table service of a storage account.
pub static TABLE: ResourceType = ResourceType {
    name: "Microsoft.Storage/storageAccounts/tableServices/tables",
    label: "table",
    only_parent: Some("default"),
    left_behind: Some(is_of_documents),
    api_version: "2026-04-01",
    name_rule: Some(NameRule::new(3, 63, LETTERS_DIGITS, TABLE_FORM)),
    listing: Listing::InParent,
    read_only: &["properties.tableName"],
    ..ResourceType::PLAIN
};

/// Whether something in an account has a name that neither Azure nor a service gives: `$logs` and others of the account itself, what web jobs and functions
/// keep there (App Service documentation, "Storage considerations for Azure Functions"), what diagnostic settings write, diagnostics of machines.
fn is_of_documents(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "$",
        "azure-webjobs-",
        "webjobs-",
        "azurewebjobs",
        "azurefunctions",
        "app-package-",
        "function-releases",
        "scm-releases",
        "insights-",
        "insightslogs",
        "insightsmetrics",
        "wad",
        "am-",
        "bootdiagnostics-",
    ];
    let name = name.to_ascii_lowercase();
    !PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !name.ends_with("-poison")
}

/// General-purpose v1 and blob accounts can be upgraded, nothing else changes its kind
/// (Storage documentation, "Upgrade to a general-purpose v2 storage account").
fn upgrades_to_general_purpose_v2(before: &Value, after: &Value) -> bool {
    after == "StorageV2" && (before == "Storage" || before == "BlobStorage")
}

/// Geo-redundancy can be added and removed by a request; between zone-redundant and not it takes a conversion that a
/// request cannot ask for (Storage documentation, "Change how a storage account is replicated").
fn storage_redundancy_can_change(before: &Value, after: &Value) -> bool {
    const CHANGEABLE: &[&[&str]] =
        &[&["Standard_LRS", "Standard_GRS", "Standard_RAGRS"], &["Standard_ZRS", "Standard_GZRS", "Standard_RAGZRS"]];
    let is_in = |group: &[&str], sku: &Value| {
        sku.as_str().is_some_and(|sku| group.iter().any(|known| known.eq_ignore_ascii_case(sku)))
    };
    CHANGEABLE.iter().any(|group| is_in(group, before) && is_in(group, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_azure_has_retired() {
        let notice = |path: &str, value: &str| STORAGE_ACCOUNT.retirement(path, &value.into()).unwrap_or_default();
        assert!(notice("kind", "Storage").starts_with("general-purpose v1 accounts"));
        assert!(notice("kind", "BlobStorage").starts_with("legacy blob accounts"));
        for (path, value) in [
            ("kind", "StorageV2"),
            ("kind", "BlockBlobStorage"),
            ("properties.minimumTlsVersion", "TLS1_2"),
            ("sku", "Storage"),
        ] {
            assert_eq!(notice(path, value), "", "{path} {value}");
        }
        assert!(notice("properties.minimumTlsVersion", "TLS1_1").contains("TLS 1.0 and 1.1"));
    }

    #[test]
    fn what_azure_can_change() {
        let upgrades = |one: &str, other: &str| upgrades_to_general_purpose_v2(&one.into(), &other.into());
        let can_change = |one: &str, other: &str| storage_redundancy_can_change(&one.into(), &other.into());
        assert!(upgrades("Storage", "StorageV2"));
        assert!(!upgrades("StorageV2", "BlobStorage"));
        assert!(can_change("standard_lrs", "Standard_RAGRS"));
        assert!(!can_change("Standard_LRS", "Standard_ZRS"));
        assert!(!can_change("Standard_LRS", "Premium_LRS"));
    }
}
