//! What the engine knows of each ARM type: one table. Sources: the REST specifications (bicep-types-az of 2026-08) and
//! the azure-mgmt packages of 2026-10, unless a line says otherwise.

use super::resource_id::RESOURCE_GROUP_TYPE;

/// Facts of one ARM type.
#[derive(Debug)]
pub struct ResourceType {
    /// The full type, as in `Microsoft.Storage/storageAccounts`.
    pub name: &'static str,
    /// How it is called in sentences.
    pub label: &'static str,
    /// A hard-coded version, as Microsoft advises (template best practices).
    pub api_version: &'static str,
    /// How what exists is read.
    pub listing: Listing,
    /// Whether it carries tags.
    pub taggable: bool,
    /// Properties Azure sets by itself: never compared, and left out when a resource is sent back.
    /// `[]` stands for every item of a list.
    pub read_only: &'static [&'static str],
    /// Properties that cannot be changed in every way after creation.
    pub fixed: &'static [Fixed],
    /// Properties whose lists, or comma-separated words, have no order.
    pub sets: &'static [&'static str],
}

/// How the resources of a type that exist are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// One listing of the resource group has them all.
    InGroup,
    /// One listing of the parent resource has them all.
    InParent,
    /// Each is read by itself.
    Single,
}

/// A property that keeps its value unless Azure allows the change.
#[derive(Debug)]
pub struct Fixed {
    /// Path in the body.
    pub path: &'static str,
    /// Whether Azure changes this value into that one.
    pub allows: fn(&str, &str) -> bool,
}

/// The table.
pub static RESOURCE_TYPES: &[ResourceType] = &[
    ResourceType {
        name: RESOURCE_GROUP_TYPE,
        label: "resource group",
        api_version: "2025-04-01",
        listing: Listing::Single,
        taggable: true,
        read_only: &["properties"],
        fixed: &[],
        sets: &[],
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts",
        label: "storage account",
        api_version: "2026-04-01",
        listing: Listing::InGroup,
        taggable: true,
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
            Fixed { path: "kind", allows: upgrades_to_general_purpose_v2 },
            Fixed { path: "sku.name", allows: storage_redundancy_can_change },
        ],
        sets: &["properties.networkAcls.bypass"],
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/blobServices/containers",
        label: "blob container",
        api_version: "2026-04-01",
        listing: Listing::InParent,
        taggable: false,
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
        fixed: &[],
        sets: &[],
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/fileServices/shares",
        label: "file share",
        api_version: "2026-04-01",
        listing: Listing::InParent,
        taggable: false,
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
        fixed: &[],
        sets: &[],
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/queueServices/queues",
        label: "queue",
        api_version: "2026-04-01",
        listing: Listing::InParent,
        taggable: false,
        read_only: &["properties.approximateMessageCount"],
        fixed: &[],
        sets: &[],
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/tableServices/tables",
        label: "table",
        api_version: "2026-04-01",
        listing: Listing::InParent,
        taggable: false,
        read_only: &["properties.tableName"],
        fixed: &[],
        sets: &[],
    },
];

/// How many tags a type takes, and how long their keys may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagLimits {
    /// The most pairs.
    pub count: usize,
    /// The longest key, in characters.
    pub key_length: usize,
}

/// The limits of a type (Azure Resource Manager, "Use tags", limitations).
#[must_use]
pub fn tag_limits(resource_type: &str) -> TagLimits {
    let few = ["Microsoft.Network/privateDnsZones", "Microsoft.Cdn/profiles"];
    let begins =
        |prefix: &&str| resource_type.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    TagLimits {
        count: if few.iter().any(begins) { 15 } else { 50 },
        key_length: if resource_type.eq_ignore_ascii_case("Microsoft.Storage/storageAccounts") { 128 } else { 512 },
    }
}

/// Members every resource has and no request may set.
pub const ENVELOPE_READ_ONLY: &[&str] = &["id", "name", "type", "etag", "systemData", "properties.provisioningState"];

/// The facts of a type, ignoring case.
#[must_use]
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    RESOURCE_TYPES.iter().find(|known| known.name.eq_ignore_ascii_case(name))
}

/// General-purpose v1 and blob accounts can be upgraded, nothing else changes its kind
/// (Storage documentation, "Upgrade to a general-purpose v2 storage account").
fn upgrades_to_general_purpose_v2(before: &str, after: &str) -> bool {
    after == "StorageV2" && matches!(before, "Storage" | "BlobStorage")
}

/// Geo-redundancy can be added and removed by a request; between zone-redundant and not it takes a conversion that a
/// request cannot ask for (Storage documentation, "Change how a storage account is replicated").
fn storage_redundancy_can_change(before: &str, after: &str) -> bool {
    const CHANGEABLE: &[&[&str]] =
        &[&["Standard_LRS", "Standard_GRS", "Standard_RAGRS"], &["Standard_ZRS", "Standard_GZRS", "Standard_RAGZRS"]];
    CHANGEABLE.iter().any(|group| group.contains(&before) && group.contains(&after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_azure_can_change() {
        assert!(upgrades_to_general_purpose_v2("Storage", "StorageV2"));
        assert!(!upgrades_to_general_purpose_v2("StorageV2", "BlobStorage"));
        assert!(storage_redundancy_can_change("Standard_LRS", "Standard_RAGRS"));
        assert!(!storage_redundancy_can_change("Standard_LRS", "Standard_ZRS"));
        assert!(!storage_redundancy_can_change("Standard_LRS", "Premium_LRS"));
    }

    #[test]
    fn types_are_found_ignoring_case() {
        assert_eq!(
            resource_type("microsoft.storage/STORAGEACCOUNTS").map(|found| found.label),
            Some("storage account")
        );
        assert!(resource_type("Microsoft.Storage/other").is_none());
    }
}
