//! Microsoft.Storage/storageAccounts. `TLS1_3` is in the schema, but not supported as a minimum.

use super::private_link::{self, show_connections};
use super::storage_defaults::complete;
use super::{
    ActionEntry, Answer, Call, CommandEntry, Companion, Fixed, Refusal, ResourceId, ResourceType, State, TRACKED,
    Write, by_location, changed, done, known_value, made_up_key, property, text,
};
use crate::moment::Moment;
use crate::published::{self, StorageKind};
use crate::state::Body;
use serde_json::{Value, json};

/// The upgrades Azure makes in place; any other change of kind is refused.
const KIND_UPGRADES: &[(&str, &str)] = &[("Storage", "StorageV2"), ("BlobStorage", "StorageV2")];

const FIXED: &[Fixed] = &[
    Fixed { path: "kind", check: check_kind_change },
    Fixed { path: "sku.name", check: check_sku_change },
    Fixed { path: "properties.isHnsEnabled", check: |write, before| check_created_with("isHnsEnabled", write, before) },
    Fixed {
        path: "properties.isNfsV3Enabled",
        check: |write, before| check_created_with("isNfsV3Enabled", write, before),
    },
    Fixed {
        path: "properties.dnsEndpointType",
        check: |write, before| check_created_with("dnsEndpointType", write, before),
    },
];

const BYPASS: &[&str] = &["None", "Logging", "Metrics", "AzureServices"];
pub(super) const DEFAULT_ACTIONS: &[&str] = &["Allow", "Deny"];

pub(super) static TYPES: &[ResourceType] = &[ResourceType {
    name: private_link::STORAGE,
    create: by_location(202),
    update: done(200),
    delete: done(200),
    seconds: 20,
    read_only: &[
        "primaryEndpoints",
        "primaryLocation",
        "statusOfPrimary",
        "secondaryEndpoints",
        "secondaryLocation",
        "statusOfSecondary",
        "creationTime",
        "keyCreationTime",
        "privateEndpointConnections",
        "lastGeoFailoverTime",
        "geoReplicationStats",
        "failoverInProgress",
    ],
    worldwide_name: true,
    check_name,
    check,
    fixed: FIXED,
    complete,
    actions: ACTIONS,
    commands: COMMANDS,
    shown: Some(show_connections),
    ..TRACKED
}];

const ACTIONS: &[ActionEntry] = &[("listKeys", list_keys), ("regenerateKey", list_keys)];
const COMMANDS: &[CommandEntry] = &[("regenerateKey", regenerate_key)];

/// `POST .../storageAccounts/{name}/regenerateKey`.
fn regenerate_key(call: &Call<'_>) -> Result<Vec<Companion>, Refusal> {
    let name = call.body.get("keyName").and_then(Value::as_str).unwrap_or_default();
    let name = known_value(&["key1", "key2"], name).ok_or_else(|| invalid("keyName"))?;
    Ok(changed(call, |properties| properties["keyCreationTime"][name] = Moment::now().text().into()))
}

fn invalid(parameters: &str) -> Refusal {
    Refusal::bad_request(
        "InvalidValuesForRequestParameters",
        format!("Values for request parameters are invalid: {parameters}."),
    )
}

fn cannot_be_updated(property: &str) -> Refusal {
    Refusal::bad_request(
        "AccountPropertyCannotBeUpdated",
        format!(
            "The property '{property}' was specified in the input, but it cannot be updated as it is read-only. For more \
             information, see - https://aka.ms/storageaccountupdate"
        ),
    )
}

fn is_account_name(name: &str) -> bool {
    (3..=24).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn name_invalid_message(name: &str) -> String {
    format!(
        "{name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and \
         use numbers and lower-case letters only."
    )
}

fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    if is_account_name(id.name()) {
        return Ok(());
    }
    Err(Refusal::bad_request("AccountNameInvalid", name_invalid_message(id.name())))
}

/// The key of the account that has a name, in any subscription and group, also one still being created.
fn owner_of_name<'a>(state: &'a State, name: &str) -> Option<&'a str> {
    state.owner_of_worldwide_name(TYPES[0].name, name)
}

/// True for skus of premium performance.
pub(super) fn is_premium(sku: &str) -> bool {
    sku.to_ascii_lowercase().starts_with("premium")
}

fn is_zone_redundant(sku: &str) -> bool {
    sku.to_ascii_uppercase().ends_with("ZRS")
}

/// Kind and sku in Azure's spelling, if the two go together.
pub(super) fn kind_and_sku(body: &Body) -> Result<(&'static str, &'static str), Refusal> {
    let sku_wanted = text(body, "sku/name")
        .ok_or_else(|| Refusal::bad_request("AccountTypeMissing", "The account type (sku.name) is missing."))?;
    let kind_wanted = text(body, "kind").ok_or_else(|| invalid("kind"))?;
    let kinds = published::storage_kinds;
    let known_kind = kinds().find(|(name, _)| name.eq_ignore_ascii_case(kind_wanted));
    let (kind, StorageKind { skus, .. }) = known_kind.ok_or_else(|| invalid("kind"))?;
    let known = |sku: &&str| sku.eq_ignore_ascii_case(sku_wanted);
    match skus.iter().copied().find(known) {
        Some(sku) => Ok((kind, sku)),
        None if kinds().any(|(_, kind)| kind.skus.iter().any(known)) => Err(invalid("kind, sku")),
        None => Err(invalid("sku")),
    }
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    if let Some(owner) = owner_of_name(write.state, write.id.name()) {
        if owner != write.id.key() {
            return Err(Refusal::conflict(
                "StorageAccountAlreadyTaken",
                format!("The storage account named {} is already taken.", write.id.name()),
            ));
        }
        if write.state.get(owner).is_none() {
            return Err(Refusal::conflict(
                "StorageAccountOperationInProgress",
                "An operation is currently performing on this storage account that requires exclusive access.",
            ));
        }
    }
    let (kind, _) = kind_and_sku(write.body)?;
    if property(write.body, "accessTier").is_none_or(Value::is_null) && kind == "BlobStorage" {
        return Err(invalid("accessTier"));
    }
    check_network_acls(write.body)
}

fn check_network_acls(body: &Body) -> Result<(), Refusal> {
    let Some(Value::Object(acls)) = property(body, "networkAcls") else { return Ok(()) };
    let action = acls.get("defaultAction").and_then(Value::as_str);
    if action.is_none_or(|action| known_value(DEFAULT_ACTIONS, action).is_none()) {
        return Err(invalid("networkAcls.defaultAction"));
    }
    match acls.get("bypass") {
        None => Ok(()),
        Some(Value::String(bypass)) if bypass_text(bypass).is_some() => Ok(()),
        Some(_) => Err(invalid("networkAcls.bypass")),
    }
}

/// `Logging, Metrics` in Azure's spelling; `None` stands alone.
pub(super) fn bypass_text(bypass: &str) -> Option<String> {
    let parts: Vec<&str> = bypass.split(',').map(|part| known_value(BYPASS, part.trim())).collect::<Option<_>>()?;
    (parts.len() == 1 || !parts.contains(&"None")).then(|| parts.join(", "))
}

fn check_kind_change(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let (before, (kind, _)) = (text(existing, "kind").unwrap_or_default(), kind_and_sku(write.body)?);
    let stays = kind == before || KIND_UPGRADES.contains(&(before, kind));
    if stays { Ok(()) } else { Err(cannot_be_updated("kind")) }
}

fn check_sku_change(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let (before, (_, sku)) = (text(existing, "sku/name").unwrap_or_default(), kind_and_sku(write.body)?);
    let stays = is_premium(sku) == is_premium(before) && is_zone_redundant(sku) == is_zone_redundant(before);
    if stays { Ok(()) } else { Err(cannot_be_updated("sku.name")) }
}

/// For a property that is what it was at the creation.
fn check_created_with(name: &str, write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let Some(wanted) = property(write.body, name).filter(|wanted| !wanted.is_null()) else { return Ok(()) };
    let stays = match property(existing, name) {
        Some(before) => before == wanted,
        // A property that was never set is off.
        None => wanted == &json!(false),
    };
    if stays { Ok(()) } else { Err(cannot_be_updated(name)) }
}

/// `POST .../storageAccounts/{name}/listKeys`. The keys are worth nothing and stay the same until they are made anew.
fn list_keys(call: &Call<'_>) -> Result<Answer, Refusal> {
    let account = call.state.get(&call.id.key());
    let times = account.and_then(|account| property(&account.body, "keyCreationTime"));
    let key = |name: &str| {
        let created = times.and_then(|times| times.get(name)).cloned().unwrap_or_default();
        let value = made_up_key(&format!("{} {created} {name}", call.id.key()));
        json!({"creationTime": created, "keyName": name, "value": value, "permissions": "FULL"})
    };
    Ok(Answer::json(200, json!({"keys": [key("key1"), key("key2")]})))
}

/// `POST /subscriptions/{id}/providers/Microsoft.Storage/checkNameAvailability`.
pub(super) fn check_name_availability(call: &Call<'_>) -> Result<Answer, Refusal> {
    let Some(name) = call.body.get("name").and_then(Value::as_str) else { return Err(invalid("name")) };
    let unavailable =
        |reason: &str, message: String| json!({"nameAvailable": false, "reason": reason, "message": message});
    let answer = if !is_account_name(name) {
        unavailable("AccountNameInvalid", name_invalid_message(name))
    } else if owner_of_name(call.state, name).is_some() {
        unavailable("AlreadyExists", format!("The storage account named {name} is already taken."))
    } else {
        json!({"nameAvailable": true})
    };
    Ok(Answer::json(200, answer))
}
