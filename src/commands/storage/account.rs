//! One storage account with what is in it.

use serde_json::{Value, json};

use super::endpoints;
use super::settings::{
    AccountKind, AccountType, Bypass, DefaultAction, PublicAccess, Replication, StorageAccount, StorageSettings,
    TlsVersion,
};
use crate::azure::types::{BLOB_CONTAINER, FILE_SHARE, QUEUE, STORAGE_ACCOUNT, TABLE};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::service::{Named, is_nothing};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::{Place, vocabulary};

/// The quota of a file share in GiB where the settings give none.
const DEFAULT_SHARE_SIZE: i64 = 100;

/// Shares over this size in GiB need an account with large file shares (REST specification of file shares).
const LARGEST_ORDINARY_SHARE: i64 = 5120;

/// Which setting a property of the account comes from.
const ORIGINS: &[(&str, &str)] = &[
    ("location", "location"),
    ("kind", "kind"),
    ("sku.name", "accountType"),
    ("properties.minimumTlsVersion", "minimumTlsVersion"),
    ("properties.supportsHttpsTrafficOnly", "supportsHttpsTrafficOnly"),
    ("properties.allowBlobPublicAccess", "allowBlobPublicAccess"),
    ("properties.networkAcls.bypass", "networkAclsBypass"),
    ("properties.networkAcls.defaultAction", "networkAclsDefaultAction"),
    ("properties.largeFileSharesState", "fileShare"),
];

/// Where the properties of the account come from: its sku from the redundancy where the settings say one, since that is
/// the part of it that can be changed later.
fn origins(account: &StorageAccount) -> Vec<(&'static str, &'static str)> {
    let mut origins = ORIGINS.to_vec();
    if account.location.is_none() {
        origins.push(("location", "/location"));
    }
    if account.replication.is_some() {
        origins.push(("sku.name", "replication"));
    }
    origins
}

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
    let request = NameRequest {
        kind: ResourceKind::StorageAccount,
        name: &account.storage_account_name,
        architecture: Architecture::Iaas,
        location: Some(&location),
    };
    let name = compilation.name(&STORAGE_ACCOUNT, &request, &name_place);
    let id = STORAGE_ACCOUNT.child_of(group, &name);
    let resolved = Resolved::new(account, place, compilation);
    let own_publish = account.service.publish().and_then(|publish| publish.storage.as_ref());
    let root_publish = settings.service.publish().and_then(|publish| publish.storage.as_ref());
    let publish = Published::first("service.publish.storage", (own_publish, place), (root_publish, root));
    compilation.add(Desired {
        also_right: resolved.also_right.clone(),
        tags: compilation.tags(publish.as_ref()),
        origins: origins(account),
        ..Desired::new(id.clone(), &STORAGE_ACCOUNT, resolved.body(account, &location), place.clone())
    });
    containers(account, &resolved, &id, place, compilation);
    shares(account, &resolved, &id, place, compilation);
    names(account.queue.as_deref(), Kind::Queue, &resolved, &id, &place.dotted("queue"), compilation);
    names(account.table.as_deref(), Kind::Table, &resolved, &id, &place.dotted("table"), compilation);
    endpoints::compile(account, settings, &id, &location, place, root, compilation);
}

/// The tier, kind and redundancy that are deployed, after defaults, retirements and what Azure has not.
struct Resolved {
    tier: AccountType,
    kind: AccountKind,
    replication: Replication,
    tls: TlsVersion,
    public_access: bool,
    also_right: Vec<(&'static str, Value)>,
}

impl Resolved {
    fn new(account: &StorageAccount, place: &Place, compilation: &mut Compilation<'_>) -> Resolved {
        let tier = account.account_type;
        let replication = account.replication.unwrap_or(Replication::LRS);
        if tier == AccountType::Premium && matches!(replication, Replication::GRS | Replication::RAGRS) {
            compilation.finding(
                place.dotted("replication"),
                FindingCode::CombinationNotInAzure,
                format!("Premium accounts do not support {replication:?}; use LRS or ZRS"),
            );
        }
        let mut also_right = Vec::new();
        let kind = match (account.kind.unwrap_or(AccountKind::StorageV2), tier) {
            (kind @ (AccountKind::FileStorage | AccountKind::BlockBlobStorage), AccountType::Standard) => {
                let message = format!("Standard accounts do not support the kind {kind:?}; StorageV2 is used");
                compilation.warning(&place.dotted("kind"), message);
                AccountKind::StorageV2
            }
            (kind, _) => match STORAGE_ACCOUNT.retirement("kind", &json!(kind)) {
                Some(notice) => {
                    compilation.warning(&place.dotted("kind"), notice);
                    also_right.push(("kind", json!(kind)));
                    AccountKind::StorageV2
                }
                None => kind,
            },
        };
        let tls = account.minimum_tls_version.unwrap_or(TlsVersion::TLS1_2);
        let tls = match STORAGE_ACCOUNT.retirement("properties.minimumTlsVersion", &json!(tls)) {
            Some(notice) => {
                compilation.warning(&place.dotted("minimumTlsVersion"), notice);
                TlsVersion::TLS1_2
            }
            None => tls,
        };
        Resolved {
            tier,
            kind,
            replication,
            tls,
            public_access: account.allow_blob_public_access.unwrap_or(true),
            also_right,
        }
    }

    fn body(&self, account: &StorageAccount, location: &str) -> Value {
        let bypass = format!("{:?}", account.network_acls_bypass.unwrap_or(Bypass::CloudServices));
        let mut body = json!({
            "location": location,
            "kind": self.kind,
            "sku": { "name": format!("{:?}_{:?}", self.tier, self.replication) },
            "properties": {
                "minimumTlsVersion": self.tls,
                "supportsHttpsTrafficOnly": account.supports_https_traffic_only.unwrap_or(true),
                "allowBlobPublicAccess": self.public_access,
                "networkAcls": {
                    "bypass": vocabulary::to_wire(&bypass),
                    "defaultAction": account.network_acls_default_action.unwrap_or(DefaultAction::Allow),
                },
            },
        });
        let largest = account.file_share.iter().flatten().filter_map(|share| share.size).max();
        if self.tier == AccountType::Standard && largest > Some(LARGEST_ORDINARY_SHARE) {
            body["properties"]["largeFileSharesState"] = json!("Enabled");
        }
        body
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
        let Some(name) = deployed_name(container.name.as_deref()) else { continue };
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
                format!("{access:?} requires allowBlobPublicAccess to be true for the account"),
            );
        }
        let body = json!({ "properties": { "publicAccess": access } });
        add_child(
            Kind::Container,
            &name,
            body,
            &[("properties.publicAccess", "publicAccess")],
            id,
            place.clone(),
            &place.dotted("name"),
            compilation,
        );
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
        let Some(name) = deployed_name(share.name.as_deref()) else { continue };
        let premium = resolved.tier == AccountType::Premium;
        if premium && resolved.kind != AccountKind::FileStorage {
            let message = format!(
                "Premium accounts of the kind {:?} do not support file shares; use the kind FileStorage",
                resolved.kind
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
        let body = json!({ "properties": { "shareQuota": size, "accessTier": tier } });
        add_child(
            Kind::Share,
            &name,
            body,
            &[("properties.shareQuota", "size")],
            id,
            place.clone(),
            &place.dotted("name"),
            compilation,
        );
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
        add_child(kind, &name, json!({ "properties": {} }), &[], id, place.clone(), &place, compilation);
    }
}

/// The name in lower case; none for what stands for nothing.
fn deployed_name(name: Option<&str>) -> Option<String> {
    name.filter(|name| !is_nothing(name)).map(str::to_lowercase)
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

#[expect(
    clippy::too_many_arguments,
    reason = "a child is its kind, name, body and origins, below an account, at a place"
)]
fn add_child(
    kind: Kind,
    name: &str,
    body: Value,
    origins: &'static [(&'static str, &'static str)],
    account: &ResourceId,
    place: Place,
    name_place: &Place,
    compilation: &mut Compilation<'_>,
) {
    compilation.check_name(kind.resource_type(), name, name_place);
    let id = kind.resource_type().child_of(account, name);
    compilation.add(Desired { origins: origins.to_vec(), ..Desired::new(id, kind.resource_type(), body, place) });
}
