//! Microsoft.Cdn/profiles/customDomains, and the secrets with their certificates.

use super::cdn::{self, SECRET, bad, complete_child, conflict, in_profile, require_front_door};
use super::{Call, Companion, Refusal, ResourceId, Write, changed, properties_mut, property, random_of, text};
use crate::lookup::look_up;
use crate::moment::Moment;
use crate::state::Body;
use serde_json::{Value, json};
use std::time::Duration;

const MANAGED: &str = "ManagedCertificate";
const CUSTOMER: &str = "CustomerCertificate";
/// The time for which the service looks for the record that proves ownership. Source: learn.microsoft.com, frontdoor/domain.md.
const VALIDATION_TIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The time for which a certificate of a vault is valid: an arbitrary choice.
const CERTIFICATE_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Labels of letters, digits and hyphens; the first may be a `*`.
fn is_host_name(host: &str) -> bool {
    let name = host.strip_prefix("*.").unwrap_or(host);
    let legal = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.len() <= 253 && name.contains('.') && name.split('.').all(legal)
}

pub(super) fn check_domain(write: &Write<'_>) -> Result<(), Refusal> {
    require_front_door(write)?;
    let host = text(write.body, "properties/hostName").unwrap_or_default();
    if !is_host_name(host) {
        return Err(bad(format!("The custom domain '{host}' is not a valid host name.")));
    }
    let before = write.existing.and_then(|existing| text(existing, "properties/hostName"));
    if before.is_some_and(|before| !before.eq_ignore_ascii_case(host)) {
        return Err(bad("The hostName of a custom domain cannot be changed.".to_owned()));
    }
    let taken = write.state.all().find(|(key, other)| {
        *key != write.id.key()
            && other.text("type") == cdn::DOMAIN
            && text(&other.body, "properties/hostName").is_some_and(|other| other.eq_ignore_ascii_case(host))
    });
    if taken.is_some() {
        return Err(conflict(format!("The custom domain '{host}' is already in use by an Azure Front Door profile.")));
    }
    let kind = text(write.body, "properties/tlsSettings/certificateType").unwrap_or(MANAGED);
    if kind.eq_ignore_ascii_case(MANAGED) && host.starts_with("*.") {
        return Err(bad(format!("A managed certificate is not supported for the wildcard domain '{host}'.")));
    }
    if !kind.eq_ignore_ascii_case(CUSTOMER) {
        return Ok(());
    }
    let secret = property(write.body, "tlsSettings").and_then(|settings| settings.get("secret"));
    let secret = secret.filter(|secret| !secret.is_null());
    let secret = secret.ok_or_else(|| {
        bad(format!("Property 'TlsSettings.Secret' is required for the certificate type {CUSTOMER}."))
    })?;
    in_profile(write, secret, &[SECRET]).map(drop)
}

/// The record that proves that a domain belongs to who wants it.
fn validation(random: &mut fastrand::Rng, now: Moment) -> Value {
    let token: String = (0..31).map(|_| random.alphanumeric().to_ascii_lowercase()).collect();
    json!({"validationToken": format!("_{token}"), "expirationDate": now.after(VALIDATION_TIME).text()})
}

/// `POST {domain}/refreshValidationToken`.
pub(super) fn refresh_token(call: &Call<'_>) -> Result<Vec<Companion>, Refusal> {
    let token = validation(&mut fastrand::Rng::new(), Moment::now());
    Ok(changed(call, |properties| drop(properties.insert("validationProperties".to_owned(), token))))
}

pub(super) fn complete_domain(write: &Write<'_>, body: &mut Body) {
    complete_child(write, body);
    let before = |name: &str| write.existing.and_then(|existing| property(existing, name)).cloned();
    let validation = validation(&mut random_of(&write.id.key()), write.now);
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("validationProperties".to_owned(), before("validationProperties").unwrap_or(validation));
    properties.insert("domainValidationState".to_owned(), before("domainValidationState").unwrap_or_default());
}

/// The vault and the name of the secret in it that a source leads to.
fn vault_secret(source: &str) -> Option<(ResourceId, ResourceId)> {
    let id = ResourceId::parse(source)?;
    let secret = match id.type_name().to_lowercase().as_str() {
        "microsoft.keyvault/vaults/secrets" | "microsoft.keyvault/vaults/certificates" => {
            id.parent().with(None, "secrets", id.name())
        }
        "microsoft.keyvault/vaults/secrets/versions" => id.parent(),
        _ => return None,
    };
    Some((id.top(), secret))
}

/// The certificate is a secret of a vault in the same subscription. It has to be there: an import brings it.
pub(super) fn check_secret(write: &Write<'_>) -> Result<(), Refusal> {
    require_front_door(write)?;
    let source = text(write.body, "properties/parameters/secretSource/id").unwrap_or_default();
    let (vault, secret) = vault_secret(source).ok_or_else(|| {
        bad(format!(
            "The secretSource '{source}' is not the id of a secret of a key vault: '{{vaultId}}/secrets/{{name}}'."
        ))
    })?;
    let subscription = |id: &ResourceId| id.subscription.as_deref().map(str::to_lowercase);
    if subscription(&vault) != subscription(write.id) {
        return Err(bad("The key vault and the profile are to be in the same subscription.".to_owned()));
    }
    look_up(write.state, &vault).map_err(|_| bad(format!("The key vault '{}' does not exist.", vault.text())))?;
    look_up(write.state, &secret).map_err(|_| {
        bad(format!(
            "The server (leaf) certificate isn't found: the key vault '{}' has no secret '{}'.",
            vault.name(),
            secret.name()
        ))
    })?;
    let latest = property(write.body, "parameters").and_then(|parameters| parameters.get("useLatestVersion"));
    let version = text(write.body, "properties/parameters/secretVersion").unwrap_or_default();
    if latest != Some(&json!(true)) && version.is_empty() {
        return Err(bad("A secret has a secretVersion, or useLatestVersion is true.".to_owned()));
    }
    Ok(())
}

pub(super) fn complete_secret(write: &Write<'_>, body: &mut Body) {
    complete_child(write, body);
    let source = text(body, "properties/parameters/secretSource/id").and_then(vault_secret);
    let name = source.map(|(_, secret)| secret.name().to_owned()).unwrap_or_default();
    let before = write.existing.and_then(|existing| property(existing, "parameters"));
    let expires = before.and_then(|before| before.get("expirationDate")).cloned();
    let expires = expires.unwrap_or_else(|| write.now.after(CERTIFICATE_TIME).text().into());
    let mut random = random_of(&name);
    let thumbprint: String = (0..40).map(|_| format!("{:X}", random.u8(..16))).collect();
    let Some(Value::Object(parameters)) = properties_mut(body).and_then(|properties| properties.get_mut("parameters"))
    else {
        return;
    };
    for (member, value) in [
        ("subject", json!(format!("CN={name}"))),
        ("certificateAuthority", json!("Local")),
        ("thumbprint", json!(thumbprint)),
        ("expirationDate", expires),
    ] {
        parameters.insert(member.to_owned(), value);
    }
}
