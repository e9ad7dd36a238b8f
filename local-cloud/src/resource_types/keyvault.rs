//! Microsoft.KeyVault.

use super::private_link::show_connections;
use super::{
    Answer, Call, Companion, PROXY, Refusal, ResourceId, ResourceType, State, TRACKED, Write, by_location, fill,
    known_value, properties_mut, property, text,
};
use crate::LOCAL_TENANT_ID;
use crate::state::Body;
use serde_json::{Value, json};

const VAULT: &str = "Microsoft.KeyVault/vaults";
const SKUS: &[&str] = &["standard", "premium"];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: VAULT,
        create: by_location(201),
        seconds: 30,
        system_data: true,
        read_only: &["privateEndpointConnections", "hsmPoolResourceId"],
        // REST specification of 2025-05-01.
        write_only: &["createMode"],
        worldwide_name: true,
        check_name,
        check,
        complete,
        shown: Some(show),
        ..TRACKED
    },
    ResourceType { name: "Microsoft.KeyVault/vaults/secrets", ..PROXY },
    ResourceType {
        name: "Microsoft.KeyVault/vaults/accessPolicies",
        check_name: check_policy_change,
        companions: Some(change_policies),
        readable: |_| false,
        ..PROXY
    },
];

/// 3 to 24 letters, digits and single hyphens; a letter first, no hyphen last.
fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if (3..=24).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(legal)
        && !name.ends_with('-')
        && !name.contains("--")
    {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "VaultNameNotValid",
        format!(
            "The vault name '{name}' is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin \
             with a letter, end with a letter or digit, and not contain consecutive hyphens."
        ),
    ))
}

fn in_use(name: &str) -> String {
    format!("The vault name '{name}' is already in use. Vault names are globally unique.")
}

/// `POST /subscriptions/{id}/providers/Microsoft.KeyVault/checkNameAvailability`.
pub(super) fn check_name_availability(call: &Call<'_>) -> Result<Answer, Refusal> {
    let name = call.body.get("name").and_then(Value::as_str).unwrap_or_default();
    let answer = |reason: &str, message: String| json!({"nameAvailable": false, "reason": reason, "message": message});
    let body = match check_name(&call.id.with(Some("Microsoft.KeyVault"), "vaults", name)) {
        Err(refusal) => answer("AccountNameInvalid", refusal.message),
        Ok(()) if call.state.owner_of_worldwide_name(VAULT, name).is_some() => answer("AlreadyExists", in_use(name)),
        Ok(()) => json!({"nameAvailable": true}),
    };
    Ok(Answer::json(200, body))
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let owner = write.state.owner_of_worldwide_name(VAULT, write.id.name());
    if owner.is_some_and(|owner| owner != write.id.key()) {
        return Err(Refusal::conflict("VaultAlreadyExists", in_use(write.id.name())));
    }
    let missing =
        |name: &str| Refusal::bad_request("BadRequest", format!("The parameter {name} has an invalid value."));
    if text(write.body, "properties/tenantId").is_none_or(|tenant| uuid::Uuid::try_parse(tenant).is_err()) {
        return Err(missing("properties.tenantId"));
    }
    text(write.body, "properties/sku/name")
        .and_then(|sku| known_value(SKUS, sku))
        .map(drop)
        .ok_or_else(|| missing("properties.sku"))
}

fn complete(write: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "tenantId", LOCAL_TENANT_ID);
    properties.insert("vaultUri".to_owned(), format!("https://{}.vault.azure.net/", write.id.name()).into());
}

const POLICY_CHANGES: &[&str] = &["add", "replace", "remove"];

/// Checks what looks like the name of a child, and is what is done with the access policies of the vault.
fn check_policy_change(id: &ResourceId) -> Result<(), Refusal> {
    match known_value(POLICY_CHANGES, id.name()) {
        Some(_) => Ok(()),
        None => Err(Refusal::bad_request(
            "BadRequest",
            format!(
                "'{}' is none of {}: that is what can be done with access policies.",
                id.name(),
                POLICY_CHANGES.join(", ")
            ),
        )),
    }
}

/// The access policies of the vault, and of them those that are sent, are what remains; there is no resource of the change itself.
fn change_policies(write: &Write<'_>, body: &mut Body) -> Vec<Companion> {
    let policies =
        |body: &Body| property(body, "accessPolicies").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(mut vault) = write.state.get(&write.id.parent().key()).map(|vault| vault.body.clone()) else {
        return Vec::new();
    };
    let whose = |policy: &Value| {
        ["tenantId", "objectId", "applicationId"].map(|name| policy.get(name).map(|id| id.to_string().to_lowercase()))
    };
    let sent = policies(write.body);
    let mut kept = policies(&vault);
    match known_value(POLICY_CHANGES, write.id.name()) {
        Some("replace") => kept = sent,
        change => {
            kept.retain(|policy| !sent.iter().any(|other| whose(other) == whose(policy)));
            if change == Some("add") {
                kept.extend(sent);
            }
        }
    }
    for body in [body, &mut vault] {
        if let Some(properties) = properties_mut(body) {
            properties.insert("accessPolicies".to_owned(), Value::Array(kept.clone()));
        }
    }
    vec![Companion::Put(vault), Companion::Remove(write.id.key())]
}

/// A vault shows the connections to it where there are any.
fn show(state: &State, body: &mut Body) {
    show_connections(state, body);
    let none = property(body, "privateEndpointConnections").is_some_and(|list| list == &json!([]));
    if let Some(properties) = properties_mut(body).filter(|_| none) {
        properties.shift_remove("privateEndpointConnections");
    }
}
