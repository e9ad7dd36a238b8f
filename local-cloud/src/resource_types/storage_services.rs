//! The services of a storage account and what is in them: containers, shares, queues, tables.

use super::storage::is_premium;
use super::{
    Etag, Implied, PROXY, Refusal, ResourceId, ResourceType, State, Write, done, fill, known_value, properties_mut,
    property, text,
};
use crate::state::Body;
use serde_json::{Value, json};

/// A service: it exists with the account, a PUT changes it.
const fn service(name: &'static str, implied: Implied) -> ResourceType {
    ResourceType { name, create: done(200), check_name: check_service_name, implied: Some(implied), ..PROXY }
}

const PUBLIC_ACCESS: &[&str] = &["None", "Blob", "Container"];
const PROTOCOLS: &[&str] = &["SMB", "NFS"];
const STANDARD_SHARE_TIERS: &[&str] = &["TransactionOptimized", "Hot", "Cool"];
/// Containers the blob service makes itself or gives a meaning.
const SYSTEM_CONTAINERS: &[&str] = &["$web", "$root", "$logs"];

/// The largest share in GiB, of an account without and with large file shares. Source: Microsoft.Storage schema, `shareQuota`.
const SHARE_QUOTA: u64 = 5120;
const LARGE_SHARE_QUOTA: u64 = 102_400;
/// The least that a provisioned share can burst to, in operations a second.
const LEAST_BURST: u64 = 10_000;

/// The members of containers and shares that only the service sets.
const LEASED_READ_ONLY: &[&str] = &[
    "version",
    "deleted",
    "deletedTime",
    "remainingRetentionDays",
    "lastModifiedTime",
    "leaseStatus",
    "leaseState",
    "leaseDuration",
    "immutabilityPolicy",
    "legalHold",
    "hasLegalHold",
    "hasImmutabilityPolicy",
    "shareUsageBytes",
    "accessTierChangeTime",
    "accessTierStatus",
    "snapshotTime",
    "includedBurstIops",
    "maxBurstCreditsForIops",
];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType { shown: Some(show_sku), ..service("Microsoft.Storage/storageAccounts/blobServices", blob_service) },
    ResourceType { shown: Some(show_sku), ..service("Microsoft.Storage/storageAccounts/fileServices", file_service) },
    service("Microsoft.Storage/storageAccounts/queueServices", queue_service),
    service("Microsoft.Storage/storageAccounts/tableServices", table_service),
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/blobServices/containers",
        etag: Etag::Storage,
        read_only: LEASED_READ_ONLY,
        check_name: |id| match SYSTEM_CONTAINERS.contains(&id.name()) {
            true => Ok(()),
            false => check_hyphenated_name(id.name()),
        },
        check: check_container,
        complete: complete_container,
        missing: Some(("ContainerNotFound", "The specified container does not exist.")),
        ..PROXY
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/fileServices/shares",
        etag: Etag::Storage,
        read_only: LEASED_READ_ONLY,
        check_name: |id| check_hyphenated_name(id.name()),
        check: check_share,
        complete: complete_share,
        missing: Some(("ShareNotFound", "The specified share does not exist.")),
        ..PROXY
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/queueServices/queues",
        create: done(200),
        delete: done(204),
        read_only: &["approximateMessageCount"],
        check_name: |id| check_hyphenated_name(id.name()),
        complete: |_, body| {
            if let Some(properties) = properties_mut(body) {
                properties.insert("approximateMessageCount".to_owned(), 0.into());
            }
        },
        missing: Some(("QueueNotFound", "The specified queue does not exist.")),
        ..PROXY
    },
    ResourceType {
        name: "Microsoft.Storage/storageAccounts/tableServices/tables",
        create: done(200),
        delete: done(204),
        read_only: &["tableName"],
        check_name: |id| check_table_name(id.name()),
        complete: |write, body| {
            if let Some(properties) = properties_mut(body) {
                properties.insert("tableName".to_owned(), write.id.name().into());
            }
        },
        missing: Some(("TableNotFound", "The table specified does not exist.")),
        ..PROXY
    },
];

fn kind(account: &Body) -> &str {
    text(account, "kind").unwrap_or_default()
}

fn premium(account: &Body) -> bool {
    text(account, "sku/name").is_some_and(is_premium)
}

fn unless_unsupported(supported: bool, service: &str, defaults: Value) -> Result<Body, Refusal> {
    match (supported, defaults) {
        (true, Value::Object(properties)) => {
            Ok(Body::from_iter([("properties".to_owned(), Value::Object(properties))]))
        }
        _ => Err(Refusal::bad_request(
            "FeatureNotSupportedForAccount",
            format!("{service} is not supported for the account."),
        )),
    }
}

fn blob_service(account: &Body) -> Result<Body, Refusal> {
    let defaults =
        json!({"cors": {"corsRules": []}, "deleteRetentionPolicy": {"allowPermanentDelete": false, "enabled": false}});
    unless_unsupported(kind(account) != "FileStorage", "Blob", defaults)
}

fn file_service(account: &Body) -> Result<Body, Refusal> {
    let supported = match kind(account) {
        "FileStorage" => true,
        "Storage" | "StorageV2" => !premium(account),
        _ => false,
    };
    let defaults = json!({
        "cors": {"corsRules": []},
        "shareDeleteRetentionPolicy": {"enabled": true, "days": 7},
        "protocolSettings": {"smb": {}},
    });
    unless_unsupported(supported, "File", defaults)
}

fn queue_service(account: &Body) -> Result<Body, Refusal> {
    let supported = matches!(kind(account), "Storage" | "StorageV2") && !premium(account);
    unless_unsupported(supported, "Queue", json!({"cors": {"corsRules": []}}))
}

fn table_service(account: &Body) -> Result<Body, Refusal> {
    let supported = matches!(kind(account), "Storage" | "StorageV2" | "BlobStorage") && !premium(account);
    unless_unsupported(supported, "Table", json!({"cors": {"corsRules": []}}))
}

/// The blob and the file service show the sku of their account. Source: azure-rest-api-specs 2023-05-01, `BlobServicesGet`.
fn show_sku(state: &State, body: &mut Body) {
    let account = text(body, "id").and_then(ResourceId::parse).and_then(|id| state.get(&id.top().key()));
    if let Some(sku) = account.and_then(|account| account.body.get("sku")) {
        body.insert("sku".to_owned(), sku.clone());
    }
}

/// A service has one name.
fn check_service_name(id: &ResourceId) -> Result<(), Refusal> {
    if id.name().eq_ignore_ascii_case("default") { Ok(()) } else { Err(invalid_name()) }
}

/// Containers, shares and queues: 3 to 63 lower-case letters, digits and single hyphens, ends alphanumeric.
fn check_hyphenated_name(name: &str) -> Result<(), Refusal> {
    check_length(name)?;
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.bytes().all(legal) && !name.contains("--") && !name.starts_with('-') && !name.ends_with('-') {
        return Ok(());
    }
    Err(invalid_name())
}

/// Tables: 3 to 63 letters and digits, a letter first; the service has a table `Tables` itself.
fn check_table_name(name: &str) -> Result<(), Refusal> {
    check_length(name)?;
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.eq_ignore_ascii_case("tables")
    {
        return Ok(());
    }
    Err(invalid_name())
}

fn check_length(name: &str) -> Result<(), Refusal> {
    if (3..=63).contains(&name.len()) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "OutOfRangeInput",
        "The specified resource name length is not within the permissible limits.",
    ))
}

fn invalid_name() -> Refusal {
    Refusal::bad_request("InvalidResourceName", "The specified resource name contains invalid characters.")
}

fn invalid_value(name: &str, rule: &str) -> Refusal {
    Refusal::bad_request(
        "InvalidHeaderValue",
        format!("The value for one of the HTTP headers is not in the correct format: {name} {rule}."),
    )
}

/// The account a child belongs to. The parent was checked before, so it is there.
fn account<'a>(write: &'a Write<'_>) -> Option<&'a Body> {
    write.state.get(&write.id.top().key()).map(|account| &account.body)
}

fn check_container(write: &Write<'_>) -> Result<(), Refusal> {
    let access = match property(write.body, "publicAccess") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::String(access)) => known_value(PUBLIC_ACCESS, access),
        Some(_) => None,
    };
    let access = access.ok_or_else(|| invalid_value("publicAccess", "is not one of None, Blob and Container"))?;
    let allowed = account(write).and_then(|account| property(account, "allowBlobPublicAccess")) == Some(&json!(true));
    if access != "None" && !allowed {
        return Err(Refusal::conflict(
            "PublicAccessNotPermitted",
            "Public access is not permitted on this storage account.",
        ));
    }
    Ok(())
}

fn complete_container(write: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    let access = properties.get("publicAccess").and_then(Value::as_str);
    let access = access.and_then(|access| known_value(PUBLIC_ACCESS, access)).unwrap_or("None");
    properties.insert("publicAccess".to_owned(), access.into());
    fill(properties, "defaultEncryptionScope", "$account-encryption-key");
    fill(properties, "denyEncryptionScopeOverride", false);
    properties.insert("hasImmutabilityPolicy".to_owned(), false.into());
    properties.insert("hasLegalHold".to_owned(), false.into());
    complete_leased(write, properties);
}

/// Fills in what containers and shares have in common.
fn complete_leased(write: &Write<'_>, properties: &mut Body) {
    properties.insert("deleted".to_owned(), false.into());
    properties.insert("remainingRetentionDays".to_owned(), 0.into());
    properties.insert("leaseStatus".to_owned(), "Unlocked".into());
    properties.insert("leaseState".to_owned(), "Available".into());
    properties.insert("lastModifiedTime".to_owned(), write.now.text().into());
}

fn check_share(write: &Write<'_>) -> Result<(), Refusal> {
    let account = account(write);
    let file_storage = account.is_some_and(|account| kind(account) == "FileStorage");
    if let Some(quota) = property(write.body, "shareQuota").filter(|quota| !quota.is_null()) {
        let large = file_storage
            || account.and_then(|account| property(account, "largeFileSharesState")) == Some(&json!("Enabled"));
        let largest = if large { LARGE_SHARE_QUOTA } else { SHARE_QUOTA };
        if !quota.as_u64().is_some_and(|quota| (1..=largest).contains(&quota)) {
            return Err(invalid_value("shareQuota", &format!("is not between 1 and {largest} (GiB)")));
        }
    }
    let premium_account = account.is_some_and(premium);
    let tiers = if premium_account { &["Premium"] } else { STANDARD_SHARE_TIERS };
    if let Some(tier) = property(write.body, "accessTier").filter(|tier| !tier.is_null())
        && tier.as_str().is_none_or(|tier| known_value(tiers, tier).is_none())
    {
        return Err(invalid_value("accessTier", &format!("is not one of {} on this account", tiers.join(", "))));
    }
    if let Some(protocol) = property(write.body, "enabledProtocols").filter(|protocol| !protocol.is_null()) {
        let protocol = protocol.as_str().and_then(|protocol| known_value(PROTOCOLS, protocol));
        let legal = if premium_account { PROTOCOLS } else { &["SMB"] };
        if protocol.is_none_or(|protocol| !legal.contains(&protocol)) {
            return Err(invalid_value(
                "enabledProtocols",
                &format!("is not one of {} on this account", legal.join(", ")),
            ));
        }
        let before = write.existing.and_then(|existing| property(existing, "enabledProtocols")?.as_str());
        if before.is_some() && before != protocol {
            return Err(invalid_value("enabledProtocols", "cannot be changed after creation"));
        }
    }
    Ok(())
}

fn complete_share(write: &Write<'_>, body: &mut Body) {
    let premium_account = account(write).is_some_and(premium);
    let Some(properties) = properties_mut(body) else { return };
    let spelled = |properties: &Body, name: &str, known: &[&'static str]| {
        properties.get(name).and_then(Value::as_str).and_then(|text| known_value(known, text))
    };
    let tier = spelled(properties, "accessTier", STANDARD_SHARE_TIERS);
    let tier = if premium_account { "Premium" } else { tier.unwrap_or("TransactionOptimized") };
    let protocol = spelled(properties, "enabledProtocols", PROTOCOLS).unwrap_or("SMB");
    properties.insert("accessTier".to_owned(), tier.into());
    properties.insert("enabledProtocols".to_owned(), protocol.into());
    fill(properties, "shareQuota", SHARE_QUOTA);
    let tier_before = write.existing.and_then(|existing| property(existing, "accessTier")?.as_str());
    let changed = match (tier_before == Some(tier), write.existing) {
        (true, Some(existing)) => property(existing, "accessTierChangeTime").cloned(),
        _ => None,
    };
    properties.insert("accessTierChangeTime".to_owned(), changed.unwrap_or_else(|| write.now.text().into()));
    if protocol == "NFS" {
        fill(properties, "rootSquash", "NoRootSquash");
    }
    // Source: learn.microsoft.com, "Understand Azure Files billing", bursting.
    if let Some(provisioned) = properties.get("provisionedIops").and_then(Value::as_u64) {
        let burst = (3 * provisioned).max(LEAST_BURST);
        properties.insert("includedBurstIops".to_owned(), burst.into());
        properties.insert("maxBurstCreditsForIops".to_owned(), (burst.saturating_sub(provisioned) * 3600).into());
    }
    complete_leased(write, properties);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rules_of_their_type() {
        for good in ["abc", "a-b-c", "0a0", &"a".repeat(63)] {
            assert_eq!(check_hyphenated_name(good), Ok(()), "{good}");
        }
        for bad in ["ab", "a--b", "-ab", "ab-", "Abc", "a_b", &"a".repeat(64)] {
            assert!(check_hyphenated_name(bad).is_err(), "{bad}");
        }
        assert_eq!(check_table_name("Table1"), Ok(()));
        for bad in ["1table", "a-b-c", "ab", "tables", "Tables"] {
            assert!(check_table_name(bad).is_err(), "{bad}");
        }
    }
}
