//! The document of the storage accounts of a resource group.

use serde_json::Value;

use super::account::{OF_CONTAINER, OF_SHARE, PROPERTIES};
use crate::azure::ResourceType;
use crate::azure::types::{
    BLOB_CONTAINER, BLOB_SERVICE, FILE_SERVICE, FILE_SHARE, PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT, QUEUE,
    QUEUE_SERVICE, RESOURCE_GROUP, STORAGE_ACCOUNT, TABLE, TABLE_SERVICE,
};
use crate::commands::shared::export::{
    Estate, Export, Exported, NOT_GENERATED, Names, Reading, There, list, name_of, plain, required, said, said_once,
    told,
};
use crate::commands::shared::private_link::nested;
use crate::commands::shared::property;
use crate::naming::{Architecture, ResourceKind, same_location};
use crate::plan::unsaid_of;
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[
        Reading::of(&STORAGE_ACCOUNT).with(holds),
        Reading::of(&PRIVATE_ENDPOINT).with(|_| vec![&PRIVATE_DNS_ZONE_GROUP]).besides(),
    ],
    further: |_| Vec::new(),
    write,
};

/// The services of an account, which no setting is about.
const SERVICES: &[&ResourceType] = &[&BLOB_SERVICE, &FILE_SERVICE, &QUEUE_SERVICE, &TABLE_SERVICE];

/// The types that an account can hold, and that can be listed of it, with the services for them: Azure refuses to list what the kind
/// or the tier has not (Storage documentation, "Storage account overview").
fn holds(account: &Value) -> Vec<&'static ResourceType> {
    let text = |path: &str| said(account, path).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
    match (text("kind").to_ascii_lowercase().as_str(), text("sku.name").to_ascii_lowercase().starts_with("premium")) {
        ("filestorage", _) => vec![&FILE_SHARE, &FILE_SERVICE],
        ("blockblobstorage" | "blobstorage", _) | (_, true) => vec![&BLOB_CONTAINER, &BLOB_SERVICE],
        _ => [&BLOB_CONTAINER, &FILE_SHARE, &TABLE, &QUEUE].into_iter().chain(SERVICES.iter().copied()).collect(),
    }
}

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "storage")], ..Exported::default() };
    let names = group(estate, &mut exported);
    let mut accounts = Vec::new();
    for there in estate.of_type(&STORAGE_ACCOUNT) {
        match account(there, estate, &mut exported.notes) {
            Some(account) => accounts.push(account),
            None => exported.leave_out(&STORAGE_ACCOUNT, there, NOT_GENERATED),
        }
    }
    let once = said_once(accounts.iter_mut().map(|(_, names)| names), &["storage"]);
    exported.keys.extend(names.and(once).key());
    let accounts = accounts.into_iter().map(|(keys, names)| names.item(keys)).collect();
    let accounts = WrittenKey { is_required: true, ..WrittenKey::new("storageAccounts", Written::List(accounts)) };
    exported.keys.push(accounts);
    exported
}

/// The resource group, as one that the document makes, or else as one that others publish.
fn group(estate: &Estate<'_>, exported: &mut Exported) -> Names {
    let (group, location) = (estate.group, estate.group.location());
    exported.keys.push(required("location", location));
    let made = (ResourceKind::ResourceGroup, Architecture::Iaas, Some(location));
    let (name, service) = (estate.name_behind(group.id.name(), &RESOURCE_GROUP, made), estate.published(group));
    let mut names = Names::default();
    match (name, service) {
        (Some(name), service) => {
            exported.keys.push(plain("resourceGroupName", name));
            names.publish.extend(service.map(|service| plain("resourceGroup", service)));
        }
        (None, Some(service)) => names.dependencies.push(plain("resourceGroup", service)),
        (None, None) => exported.notes.push(format!(
            "The document names no resource group: {NOT_GENERATED}, and {}.",
            estate.not_published("the resource group", &group.id)
        )),
    }
    names
}

/// The keys of an account, and its names; none where the convention does not generate its name.
fn account(there: &There, estate: &Estate<'_>, notes: &mut Vec<String>) -> Option<(Vec<WrittenKey>, Names)> {
    let made = (ResourceKind::StorageAccount, Architecture::Iaas, Some(there.location()));
    let mut keys = vec![required("storageAccountName", estate.name_behind(there.id.name(), &STORAGE_ACCOUNT, made)?)];
    if !same_location(there.location(), estate.group.location()) {
        keys.push(plain("location", there.location()));
    }
    let sku = there.said("sku.name").and_then(|sku| sku.as_str().map(str::to_owned)).unwrap_or_default();
    let (tier, redundancy) = sku.split_once('_').unwrap_or((&sku, ""));
    keys.push(required("accountType", tier));
    keys.push(plain("replication", redundancy));
    keys.extend(property::keys(PROPERTIES, &STORAGE_ACCOUNT, &there.body));
    keys.extend(contents(there));
    keys.extend(nested(there, None, estate, notes));
    let names = estate.published(there).map(|name| plain("storage", name));
    let names = Names { publish: names.into_iter().collect(), ..Names::default() };
    let services = SERVICES.iter().flat_map(|kind| there.items(kind).iter().map(move |body| (*kind, body)));
    let unsaid = services.filter_map(|(kind, body)| unsaid_of(&kind.child_of(&there.id, "default"), kind, body));
    Some((told(keys, unsaid.collect()), names))
}

/// The contents of an account.
fn contents(there: &There) -> Vec<WrittenKey> {
    let container = |body: &Value| {
        let is_closed = said(body, "properties.publicAccess")
            .is_none_or(|access| access.as_str().is_some_and(|access| access.eq_ignore_ascii_case("None")));
        let access = if is_closed { Vec::new() } else { property::keys(OF_CONTAINER, &BLOB_CONTAINER, body) };
        let keys = [required("name", name_of(body))].into_iter().chain(access).collect();
        Written::Object(told(keys, protection(body).into_iter().collect()))
    };
    let share = |body: &Value| {
        let keys = property::keys(OF_SHARE, &FILE_SHARE, body);
        Written::Object([required("name", name_of(body))].into_iter().chain(keys).collect())
    };
    let name = |body: &Value| Written::Plain(name_of(body).into());
    let lists = [
        list("blobContainer", there.items(&BLOB_CONTAINER).iter().map(container).collect()),
        list("fileShare", there.items(&FILE_SHARE).iter().map(share).collect()),
        list("table", there.items(&TABLE).iter().map(name).collect()),
        list("queue", there.items(&QUEUE).iter().map(name).collect()),
    ];
    lists.into_iter().flatten().collect()
}

/// The sentence about what keeps the blobs of a container from being changed, which listings say and no setting.
fn protection(container: &Value) -> Option<String> {
    let has = |path: &str| said(container, path) == Some(Value::Bool(true));
    let what = match (has("properties.hasImmutabilityPolicy"), has("properties.hasLegalHold")) {
        (true, true) => "immutability policy and its legal hold",
        (true, false) => "immutability policy",
        (false, true) => "legal hold",
        (false, false) => return None,
    };
    Some(format!("The blob container '{}' keeps its {what}, which no setting says.", name_of(container)))
}
