//! One storage account with what is in it.

use serde_json::{Value, json};

use super::Document;
use super::network_rules::bypass;
use super::settings::{AccountKind, AccountType, BlobContainer, FileShare, PublicAccess, Replication, StorageAccount};
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

/// The bypass of the network rules of a new account where the settings do not say it.
const TRUSTED_SERVICES: &str = "AzureServices";

/// The properties that several settings decide: the name, and the sku from the redundancy where the settings say one, since that is the part of it that can
/// be changed later.
const ORIGINS: &[(&str, &str)] = &[
    ("name", "storageAccountName"),
    ("location", "/location"),
    ("location", "location"),
    ("sku.name", "accountType"),
    ("sku.name", "replication"),
    ("properties.largeFileSharesState", "fileShare[].size"),
];

/// An account of a document, and what its settings come to.
pub(super) struct Account<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) said: &'a StorageAccount,
    pub(super) place: Place,
    pub(super) id: ResourceId,
    pub(super) location: String,
    resolved: Resolved,
}

/// Adds an account and what is in it.
pub(super) fn compile(document: &Document<'_>, index: usize, said: &StorageAccount, compilation: &mut Compilation<'_>) {
    let place = document.root.dotted("storageAccounts").index(index);
    let location = match &said.location {
        Some(location) => compilation.location(location, place.dotted("location")),
        None => document.location.clone(),
    };
    let request =
        NameRequest::new(ResourceKind::StorageAccount, &said.storage_account_name, Architecture::Iaas, Some(&location));
    let name = compilation.name(&STORAGE_ACCOUNT, &request, &place.dotted("storageAccountName"));
    let id = STORAGE_ACCOUNT.child_of(&document.group, &name);
    let resolved = Resolved::new(said, &place, compilation);
    let account = Account { document, said, place, id, location, resolved };
    let own_publish = said.service.publish().and_then(|publish| publish.storage.as_ref());
    let root_publish = document.settings.service.publish().and_then(|publish| publish.storage.as_ref());
    let publish =
        Published::first("service.publish.storage", (own_publish, &account.place), (root_publish, document.root));
    let mut desired = Desired {
        tags: compilation.tags(publish.as_ref()),
        origins: ORIGINS.to_vec(),
        ..Desired::new(
            account.id.clone(),
            &STORAGE_ACCOUNT,
            json!({ "location": account.location, "sku": { "name": account.resolved.sku() } }),
            account.place.clone(),
        )
    };
    account.resolved.add_sku(said, &mut desired);
    property::put(PROPERTIES, said, &mut desired, compilation);
    account.resolved.add_large_shares(said, &mut desired);
    compilation.add(desired);
    account.containers(compilation);
    account.shares(compilation);
    account.names("queue", said.queue.as_deref(), &QUEUE, compilation);
    account.names("table", said.table.as_deref(), &TABLE, compilation);
    account.add_endpoints(compilation);
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

    /// Adds the sku. Where the settings say the tier and not the redundancy, every sku of the tier is as good.
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

impl Account<'_> {
    fn containers(&self, compilation: &mut Compilation<'_>) {
        for (index, container) in self.said.blob_container.iter().flatten().enumerate() {
            let place = self.place.dotted("blobContainer").index(index);
            let Some(name) = item_name(container.name.as_deref(), &place, compilation) else { continue };
            let mut refuse = |place: Place, message: String| {
                compilation.finding(place, FindingCode::CombinationNotInAzure, message);
            };
            if self.resolved.kind == AccountKind::FileStorage {
                refuse(place.clone(), "FileStorage accounts do not support blob containers".to_owned());
            }
            let access = container.public_access.unwrap_or(PublicAccess::None);
            if access != PublicAccess::None && !self.resolved.public_access {
                let message = format!("{} requires allowBlobPublicAccess to be true for the account", spelled(access));
                refuse(place.dotted("publicAccess"), message);
            }
            let mut desired = self.part(&BLOB_CONTAINER, &name, (&place, "name"), compilation);
            property::put(OF_CONTAINER, container, &mut desired, compilation);
            if access != PublicAccess::None && self.said.allow_blob_public_access.is_none() {
                desired.requires.push(open_account(&self.id, access));
            }
            compilation.add(desired);
        }
    }

    fn shares(&self, compilation: &mut Compilation<'_>) {
        for (index, share) in self.said.file_share.iter().flatten().enumerate() {
            let place = self.place.dotted("fileShare").index(index);
            let Some(name) = item_name(share.name.as_deref(), &place, compilation) else { continue };
            let premium = self.resolved.tier == AccountType::Premium;
            if premium && self.resolved.kind != AccountKind::FileStorage {
                let message = format!(
                    "Premium accounts of the kind {} do not support file shares; use the kind FileStorage",
                    spelled(self.resolved.kind)
                );
                compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
            }
            // The smallest premium share is 100 GiB (Azure Files documentation, "Scalability and performance targets").
            if premium && share.size.unwrap_or(DEFAULT_SHARE_SIZE) < DEFAULT_SHARE_SIZE {
                compilation.finding(
                    place.dotted("size"),
                    FindingCode::OutOfRange,
                    format!("premium file shares must have at least {DEFAULT_SHARE_SIZE} GiB"),
                );
            }
            let tier = if premium { "Premium" } else { "TransactionOptimized" };
            let mut desired = self.part(&FILE_SHARE, &name, (&place, "name"), compilation);
            property::put(OF_SHARE, share, &mut desired, compilation);
            desired.set("properties.accessTier", None, json!(tier));
            compilation.add(desired);
        }
    }

    /// Queues or tables, which have nothing but a name.
    fn names(
        &self,
        setting: &str,
        list: Option<&[String]>,
        resource_type: &'static ResourceType,
        compilation: &mut Compilation<'_>,
    ) {
        for (index, name) in list.unwrap_or_default().iter().enumerate() {
            let place = self.place.dotted(setting).index(index);
            let Some(name) = deployed_name(Some(name)) else { continue };
            if self.resolved.tier == AccountType::Premium {
                let message = format!("Premium accounts do not support {}s", resource_type.label);
                compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
            }
            let mut desired = self.part(resource_type, &name, (&place, ""), compilation);
            desired.body = json!({ "properties": {} });
            compilation.add(desired);
        }
    }

    /// A list of what an account holds, as far as it is a name.
    fn part(
        &self,
        resource_type: &'static ResourceType,
        name: &str,
        (place, name_setting): (&Place, &'static str),
        compilation: &mut Compilation<'_>,
    ) -> Desired {
        compilation.check_name(resource_type, name, &place.dotted(name_setting));
        let id = resource_type.child_of(&self.id, name);
        let origins = vec![("name", name_setting)];
        Desired { origins, ..Desired::new(id, resource_type, json!({}), place.clone()) }
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
