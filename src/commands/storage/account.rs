//! One storage account with what is in it.

use serde_json::{Value, json};

use super::account_endpoints;
use super::network_rules::bypass;
use super::settings::{
    AccountKind, AccountType, DefaultAction, PublicAccess, Replication, StorageAccount, StorageSettings, TlsVersion,
};
use crate::azure::types::{BLOB_CONTAINER, FILE_SHARE, QUEUE, STORAGE_ACCOUNT, TABLE};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
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

/// Which setting a property of the account comes from.
pub(super) const ORIGINS: &[(&str, &str)] = &[
    ("name", "storageAccountName"),
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
    let mut desired = Desired {
        also_right: resolved.also_right.clone(),
        tags: compilation.tags(publish.as_ref()),
        origins: origins(account),
        ..Desired::new(id.clone(), &STORAGE_ACCOUNT, resolved.sku_and_location(&location), place.clone())
    };
    resolved.add_properties(account, place, &mut desired, compilation);
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
        if account.replication.is_none() {
            // The tier is said, and the redundancy is not: every sku of the tier is as good.
            let skus = REDUNDANCIES.iter().map(|redundancy| ("sku.name", json!(format!("{tier:?}_{redundancy}"))));
            also_right.extend(skus);
        }
        let kind = match (account.kind.unwrap_or(AccountKind::StorageV2), tier) {
            (kind @ (AccountKind::FileStorage | AccountKind::BlockBlobStorage), AccountType::Standard) => {
                let message = format!("Standard accounts do not support the kind {kind:?}; StorageV2 is used");
                compilation.warning(&place.dotted("kind"), message);
                AccountKind::StorageV2
            }
            (kind, _) => match STORAGE_ACCOUNT.retirement("kind", &json!(kind)) {
                Some(notice) => {
                    let message =
                        format!("{notice}; a new account gets the kind StorageV2, an existing one stays as it is");
                    compilation.warning(&place.dotted("kind"), message);
                    also_right.push(("kind", json!(kind)));
                    AccountKind::StorageV2
                }
                None => kind,
            },
        };
        let tls = account.minimum_tls_version.unwrap_or(TlsVersion::TLS1_2);
        let tls = match STORAGE_ACCOUNT.retirement("properties.minimumTlsVersion", &json!(tls)) {
            Some(notice) => {
                compilation.warning(&place.dotted("minimumTlsVersion"), format!("{notice}; TLS1_2 is used"));
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

    fn sku_and_location(&self, location: &str) -> Value {
        json!({ "location": location, "sku": { "name": self.sku() } })
    }

    fn sku(&self) -> String {
        format!("{:?}_{:?}", self.tier, self.replication)
    }

    /// Adds what the settings say, and for a new account the defaults of the rest.
    fn add_properties(
        &self,
        account: &StorageAccount,
        place: &Place,
        desired: &mut Desired,
        compilation: &mut Compilation<'_>,
    ) {
        if account.replication.is_none() {
            desired.creation_body = json!({ "sku": { "name": self.sku() } });
        }
        let said = |is_said: bool, value: Value| is_said.then_some(value);
        desired.set("kind", said(account.kind.is_some(), json!(self.kind)), json!(self.kind));
        let mut property = |name: &str, is_said: bool, value: Value| {
            desired.set(&format!("properties.{name}"), said(is_said, value.clone()), value);
        };
        property("minimumTlsVersion", account.minimum_tls_version.is_some(), json!(self.tls));
        let https_only = account.supports_https_traffic_only;
        property("supportsHttpsTrafficOnly", https_only.is_some(), json!(https_only.unwrap_or(true)));
        property("allowBlobPublicAccess", account.allow_blob_public_access.is_some(), json!(self.public_access));
        let asked = account.network_acls_bypass.as_deref();
        let bypass = asked.and_then(|text| bypass(text, &place.dotted("networkAclsBypass"), compilation));
        let bypass = bypass.unwrap_or_else(|| "AzureServices".to_owned());
        property("networkAcls.bypass", asked.is_some(), json!(bypass));
        let action = account.network_acls_default_action;
        property("networkAcls.defaultAction", action.is_some(), json!(action.unwrap_or(DefaultAction::Allow)));
        let largest = account.file_share.iter().flatten().filter_map(|share| share.size).max();
        if self.tier == AccountType::Standard && largest > Some(LARGEST_ORDINARY_SHARE) {
            property("largeFileSharesState", true, json!("Enabled"));
        }
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
                format!("{access:?} requires allowBlobPublicAccess to be true for the account"),
            );
        }
        let mut desired = child(Kind::Container, &name, id, &place, &place.dotted("name"), compilation);
        desired.set("properties.publicAccess", container.public_access.map(|access| json!(access)), json!(access));
        desired.origins = vec![("properties.publicAccess", "publicAccess")];
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
        let mut desired = child(Kind::Share, &name, id, &place, &place.dotted("name"), compilation);
        desired.set("properties.shareQuota", share.size.map(|size| json!(size)), json!(size));
        desired.set("properties.accessTier", None, json!(tier));
        desired.origins = vec![("properties.shareQuota", "size")];
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
        let mut desired = child(kind, &name, id, &place, &place, compilation);
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
            "cannot have the public access {access:?}, because the account exists and does not allow public access"
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
    place: &Place,
    name_place: &Place,
    compilation: &mut Compilation<'_>,
) -> Desired {
    compilation.check_name(kind.resource_type(), name, name_place);
    let id = kind.resource_type().child_of(account, name);
    Desired::new(id, kind.resource_type(), json!({}), place.clone())
}
