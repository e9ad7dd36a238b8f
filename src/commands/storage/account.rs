//! One storage account with what is in it.

use serde_json::{Value, json};

use super::account_endpoints;
use super::network_rules::bypass;
use super::settings::{
    AccountKind, AccountType, BlobContainer, FileShare, PublicAccess, Replication, StorageAccount, StorageSettings,
};
use crate::azure::types::{BLOB_CONTAINER, FILE_SHARE, QUEUE, STORAGE_ACCOUNT, TABLE};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::property::Literal::{Flag, Text, Whole};
use crate::commands::shared::property::{self, Property, sent, spelled};
use crate::commands::shared::service::{Named, is_nothing};
use crate::desired::{Desired, Required};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The quota of a file share in GiB where the settings give none.
const DEFAULT_SHARE_SIZE: i64 = 100;

/// Shares over this size in GiB need an account with large file shares (REST specification of file shares).
const LARGEST_ORDINARY_SHARE: i64 = 5120;

/// Every redundancy that Azure has for a tier, those included that the settings have not (REST specification of accounts).
const REDUNDANCIES: &[&str] = &["LRS", "ZRS", "GRS", "RAGRS", "GZRS", "RAGZRS"];

/// The properties of an account.
pub(super) const PROPERTIES: &[Property<StorageAccount>] = &[
    Property::new("kind", "kind", Text("StorageV2"), |account: &StorageAccount| {
        sent(account.kind.and(Some(kind_for_tier(account))))
    })
    .keeping_retired(),
    Property::new("minimumTlsVersion", "properties.minimumTlsVersion", Text("TLS1_2"), |account| {
        sent(account.minimum_tls_version)
    }),
    Property::new("supportsHttpsTrafficOnly", "properties.supportsHttpsTrafficOnly", Flag(true), |account| {
        sent(account.supports_https_traffic_only)
    }),
    Property::new("allowBlobPublicAccess", "properties.allowBlobPublicAccess", Flag(PUBLIC_ACCESS), |account| {
        sent(account.allow_blob_public_access)
    }),
    Property::new("networkAclsBypass", "properties.networkAcls.bypass", Text(TRUSTED_SERVICES), |account| {
        let asked = account.network_acls_bypass.as_deref()?;
        sent(bypass(asked).ok().flatten().or_else(|| Some(TRUSTED_SERVICES.to_owned())))
    }),
    Property::new("networkAclsDefaultAction", "properties.networkAcls.defaultAction", Text("Allow"), |account| {
        sent(account.network_acls_default_action)
    }),
];

/// The properties of a container.
pub(super) const OF_CONTAINER: &[Property<BlobContainer>] =
    &[Property::new("publicAccess", "properties.publicAccess", Text("None"), |container| {
        sent(container.public_access)
    })];

/// The properties of a file share.
pub(super) const OF_SHARE: &[Property<FileShare>] =
    &[Property::new("size", "properties.shareQuota", Whole(DEFAULT_SHARE_SIZE), |share| sent(share.size))];

/// Whether containers of a new account may be public where the settings do not say it.
const PUBLIC_ACCESS: bool = true;

/// What bypasses the network rules of a new account where the settings do not say it.
const TRUSTED_SERVICES: &str = "AzureServices";

/// What several settings decide: the name, and the sku from the redundancy where the settings say one, since that is the part of it that can
/// be changed later.
const ORIGINS: &[(&str, &str)] = &[
    ("name", "storageAccountName"),
    ("location", "/location"),
    ("location", "location"),
    ("sku.name", "accountType"),
    ("sku.name", "replication"),
    ("properties.largeFileSharesState", "fileShare[].size"),
];

/// Adds an account and what is in it.
pub(super) fn compile(
    account: &StorageAccount,
    settings: &StorageSettings,
    group: &ResourceId,
    default_location: &str,
    root: &Place,
    index: usize,
    compilation: &mut Compilation<'_>,
) {
    let place = &root.dotted("storageAccounts").index(index);
    let name_place = place.dotted("storageAccountName");
    let location = match &account.location {
        Some(location) => compilation.location(location, place.dotted("location")),
        None => default_location.to_owned(),
    };
    let request = NameRequest::new(
        ResourceKind::StorageAccount,
        &account.storage_account_name,
        Architecture::Iaas,
        Some(&location),
    );
    let name = compilation.name(&STORAGE_ACCOUNT, &request, &name_place);
    let id = STORAGE_ACCOUNT.child_of(group, &name);
    let resolved = Resolved::new(account, place, compilation);
    let own_publish = account.service.publish().and_then(|publish| publish.storage.as_ref());
    let root_publish = settings.service.publish().and_then(|publish| publish.storage.as_ref());
    let publish = Published::first("service.publish.storage", (own_publish, place), (root_publish, root));
    let mut desired = Desired {
        tags: compilation.tags(publish.as_ref()),
        origins: ORIGINS.to_vec(),
        ..Desired::new(
            id.clone(),
            &STORAGE_ACCOUNT,
            json!({ "location": location, "sku": { "name": resolved.sku() } }),
            place.clone(),
        )
    };
    resolved.add_sku(account, &mut desired);
    property::put(PROPERTIES, account, &mut desired, compilation);
    resolved.add_large_shares(account, &mut desired);
    compilation.add(desired);
    containers(account, &resolved, &id, place, compilation);
    shares(account, &resolved, &id, place, compilation);
    names(account.queue.as_deref(), Kind::Queue, &resolved, &id, &place.dotted("queue"), compilation);
    names(account.table.as_deref(), Kind::Table, &resolved, &id, &place.dotted("table"), compilation);
    account_endpoints::compile(account, settings, &id, &location, place, root, compilation);
}

/// The tier, kind and redundancy that are deployed, after defaults, retirements and what Azure has not.
struct Resolved {
    tier: AccountType,
    kind: AccountKind,
    replication: Replication,
    public_access: bool,
}

impl Resolved {
    fn new(account: &StorageAccount, place: &Place, compilation: &mut Compilation<'_>) -> Resolved {
        let tier = account.account_type;
        let replication = account.replication.unwrap_or(Replication::LRS);
        if tier == AccountType::Premium && matches!(replication, Replication::GRS | Replication::RAGRS) {
            compilation.finding(
                place.dotted("replication"),
                FindingCode::CombinationNotInAzure,
                format!("Premium accounts do not support {}; use LRS or ZRS", spelled(replication)),
            );
        }
        let kind = kind_for_tier(account);
        if let Some(asked) = account.kind.filter(|asked| *asked != kind) {
            let message =
                format!("Standard accounts do not support the kind {}; {} is used", spelled(asked), spelled(kind));
            compilation.warning(&place.dotted("kind"), message);
        }
        if let Some(Err((code, problem))) = account.network_acls_bypass.as_deref().map(bypass) {
            compilation.finding(place.dotted("networkAclsBypass"), code, problem);
        }
        let kind =
            if STORAGE_ACCOUNT.retirement("kind", &json!(kind)).is_some() { AccountKind::StorageV2 } else { kind };
        let public_access = account.allow_blob_public_access.unwrap_or(PUBLIC_ACCESS);
        Resolved { tier, kind, replication, public_access }
    }

    fn sku(&self) -> String {
        format!("{}_{}", spelled(self.tier), spelled(self.replication))
    }

    /// Where the settings say the tier and not the redundancy, every sku of the tier is as good.
    fn add_sku(&self, account: &StorageAccount, desired: &mut Desired) {
        if account.replication.is_none() {
            desired.creation_body = json!({ "sku": { "name": self.sku() } });
            let tier = spelled(self.tier);
            let skus = REDUNDANCIES.iter().map(|redundancy| ("sku.name", json!(format!("{tier}_{redundancy}"))));
            desired.also_right.extend(skus);
        }
    }

    /// Large shares need an account with large file shares.
    fn add_large_shares(&self, account: &StorageAccount, desired: &mut Desired) {
        let largest = account.file_share.iter().flatten().filter_map(|share| share.size).max();
        if self.tier == AccountType::Standard && largest > Some(LARGEST_ORDINARY_SHARE) {
            desired.set("properties.largeFileSharesState", Some(json!("Enabled")), Value::Null);
        }
    }
}

/// The kind that the settings ask for, as far as Azure has it in their tier.
fn kind_for_tier(account: &StorageAccount) -> AccountKind {
    match (account.kind.unwrap_or(AccountKind::StorageV2), account.account_type) {
        (AccountKind::FileStorage | AccountKind::BlockBlobStorage, AccountType::Standard) => AccountKind::StorageV2,
        (kind, _) => kind,
    }
}

fn containers(
    account: &StorageAccount,
    resolved: &Resolved,
    id: &ResourceId,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    for (index, container) in account.blob_container.iter().flatten().enumerate() {
        let place = place.dotted("blobContainer").index(index);
        let Some(name) = item_name(container.name.as_deref(), &place, compilation) else { continue };
        if resolved.kind == AccountKind::FileStorage {
            compilation.finding(
                place.clone(),
                FindingCode::CombinationNotInAzure,
                "FileStorage accounts do not support blob containers",
            );
        }
        let access = container.public_access.unwrap_or(PublicAccess::None);
        if access != PublicAccess::None && !resolved.public_access {
            compilation.finding(
                place.dotted("publicAccess"),
                FindingCode::CombinationNotInAzure,
                format!("{} requires allowBlobPublicAccess to be true for the account", spelled(access)),
            );
        }
        let mut desired = child(Kind::Container, &name, id, (&place, "name"), compilation);
        property::put(OF_CONTAINER, container, &mut desired, compilation);
        if access != PublicAccess::None && account.allow_blob_public_access.is_none() {
            desired.requires.push(open_account(id, access));
        }
        compilation.add(desired);
    }
}

fn shares(
    account: &StorageAccount,
    resolved: &Resolved,
    id: &ResourceId,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    for (index, share) in account.file_share.iter().flatten().enumerate() {
        let place = place.dotted("fileShare").index(index);
        let Some(name) = item_name(share.name.as_deref(), &place, compilation) else { continue };
        let premium = resolved.tier == AccountType::Premium;
        if premium && resolved.kind != AccountKind::FileStorage {
            let message = format!(
                "Premium accounts of the kind {} do not support file shares; use the kind FileStorage",
                spelled(resolved.kind)
            );
            compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
        }
        let size = share.size.unwrap_or(DEFAULT_SHARE_SIZE);
        // The smallest premium share is 100 GiB (Azure Files documentation, "Scalability and performance targets").
        if premium && size < DEFAULT_SHARE_SIZE {
            compilation.finding(
                place.dotted("size"),
                FindingCode::OutOfRange,
                format!("premium file shares must have at least {DEFAULT_SHARE_SIZE} GiB"),
            );
        }
        let tier = if premium { "Premium" } else { "TransactionOptimized" };
        let mut desired = child(Kind::Share, &name, id, (&place, "name"), compilation);
        property::put(OF_SHARE, share, &mut desired, compilation);
        desired.set("properties.accessTier", None, json!(tier));
        compilation.add(desired);
    }
}

/// Queues or tables, which have nothing but a name.
fn names(
    list: Option<&[String]>,
    kind: Kind,
    resolved: &Resolved,
    id: &ResourceId,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    for (index, name) in list.unwrap_or_default().iter().enumerate() {
        let place = place.index(index);
        let Some(name) = deployed_name(Some(name)) else { continue };
        if resolved.tier == AccountType::Premium {
            let message = format!("Premium accounts do not support {}s", kind.resource_type().label);
            compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
        }
        let mut desired = child(kind, &name, id, (&place, ""), compilation);
        desired.body = json!({ "properties": {} });
        compilation.add(desired);
    }
}

/// The name in lower case; none for what stands for nothing.
fn deployed_name(name: Option<&str>) -> Option<String> {
    name.filter(|name| !is_nothing(name)).map(str::to_lowercase)
}

/// The name of a container or share; none, with a warning where it is forgotten, for what stands for nothing.
fn item_name(name: Option<&str>, place: &Place, compilation: &mut Compilation<'_>) -> Option<String> {
    if name.is_none_or(|name| name.trim().is_empty()) {
        compilation.warning(place, "the item has no name; it is ignored");
        return None;
    }
    deployed_name(name)
}

/// A container can be public only in an account that allows it. One that somebody closed stays closed.
fn open_account(account: &ResourceId, access: PublicAccess) -> Required {
    Required {
        of: account.clone(),
        path: "properties.allowBlobPublicAccess",
        not: json!(false),
        needed_by: "properties.publicAccess",
        reason: format!(
            "cannot have the public access {}, because the account exists and does not allow public access",
            spelled(access)
        ),
        way_out: "set allowBlobPublicAccess of the account to true, or the public access to None",
    }
}

/// What an account holds.
#[derive(Clone, Copy)]
enum Kind {
    Container,
    Share,
    Queue,
    Table,
}

impl Kind {
    fn resource_type(self) -> &'static ResourceType {
        match self {
            Kind::Container => &BLOB_CONTAINER,
            Kind::Share => &FILE_SHARE,
            Kind::Queue => &QUEUE,
            Kind::Table => &TABLE,
        }
    }
}

/// What an account holds, as far as it is a name.
fn child(
    kind: Kind,
    name: &str,
    account: &ResourceId,
    (place, name_setting): (&Place, &'static str),
    compilation: &mut Compilation<'_>,
) -> Desired {
    compilation.check_name(kind.resource_type(), name, &place.dotted(name_setting));
    let id = kind.resource_type().child_of(account, name);
    let origins = vec![("name", name_setting)];
    Desired { origins, ..Desired::new(id, kind.resource_type(), json!({}), place.clone()) }
}
