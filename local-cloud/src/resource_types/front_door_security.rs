//! Microsoft.Cdn/profiles/securityPolicies, and Microsoft.Network/frontDoorWebApplicationFirewallPolicies and frontDoors.

use super::cdn::{self, DOMAIN, ENDPOINT, SECURITY_POLICY, bad, conflict, in_profile, require_front_door};
use super::{Departure, Refusal, ResourceId, State, Write, known_value, properties_mut, property, text};
use crate::lookup::look_up;
use crate::state::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const FIREWALL_POLICY: &str = "Microsoft.Network/frontDoorWebApplicationFirewallPolicies";
pub(super) const CLASSIC: &str = "Microsoft.Network/frontDoors";

pub(super) const FIREWALL_READ_ONLY: &[&str] =
    &["frontendEndpointLinks", "routingRuleLinks", "securityPolicyLinks", "resourceState"];
const FIREWALL_SKUS: &[&str] = &["Classic_AzureFrontDoor", "Standard_AzureFrontDoor", cdn::PREMIUM];

fn associations(body: &Body) -> impl Iterator<Item = &Value> {
    let list = property(body, "parameters").and_then(|parameters| parameters.get("associations"));
    list.and_then(Value::as_array).into_iter().flatten()
}

fn domains(association: &Value) -> impl Iterator<Item = &Value> {
    association.get("domains").and_then(Value::as_array).into_iter().flatten()
}

/// The keys of the domains a security policy is for.
fn protected(body: &Body) -> Vec<String> {
    associations(body).flat_map(domains).filter_map(|domain| Some(domain.get("id")?.as_str()?.to_lowercase())).collect()
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let profile = require_front_door(write)?;
    let policy = text(write.body, "properties/parameters/wafPolicy/id").unwrap_or_default();
    let id = ResourceId::parse(policy).filter(|id| id.type_name().eq_ignore_ascii_case(FIREWALL_POLICY));
    let id = id.ok_or_else(|| bad(format!("'{policy}' is not the id of a web application firewall policy.")))?;
    if id.subscription.as_deref().map(str::to_lowercase) != write.id.subscription.as_deref().map(str::to_lowercase) {
        return Err(bad(
            "The web application firewall policy and the profile are to be in the same subscription.".to_owned()
        ));
    }
    let found = look_up(write.state, &id)
        .map_err(|_| bad(format!("The web application firewall policy '{policy}' does not exist.")))?;
    let (sku, wanted) = (text(&found, "sku/name").unwrap_or_default(), text(&profile, "sku/name").unwrap_or_default());
    if !sku.eq_ignore_ascii_case(wanted) {
        return Err(bad(format!(
            "The web application firewall policy '{}' is of the sku {sku}, and the profile of {wanted}: they are to be the same.",
            id.name()
        )));
    }
    let mut seen = BTreeSet::new();
    for association in associations(write.body) {
        for domain in domains(association) {
            let (id, _) = in_profile(write, domain, &[DOMAIN, ENDPOINT])?;
            if !seen.insert(id.key()) {
                return Err(bad(format!("The domain '{}' is in the security policy twice.", id.name())));
            }
        }
        if association.get("patternsToMatch") != Some(&json!(["/*"])) {
            return Err(bad("An association has the pattern '/*' only.".to_owned()));
        }
    }
    let prefix = format!("{}/securitypolicies/", cdn::profile_id(write.id).key());
    let others = write.state.all().filter(|(key, other)| {
        key.starts_with(&prefix) && other.text("type") == SECURITY_POLICY && *key != write.id.key()
    });
    for (_, other) in others {
        if let Some(domain) = protected(&other.body).into_iter().find(|domain| seen.contains(domain)) {
            return Err(bad(format!(
                "The domain '{domain}' is already associated with the security policy '{}'.",
                other.text("name")
            )));
        }
    }
    Ok(())
}

pub(super) fn check_firewall_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let letter_first = name.starts_with(|first: char| first.is_ascii_alphabetic());
    if letter_first && name.len() <= 128 && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(bad(format!("The name '{name}' is invalid: a letter and up to 127 letters and digits are required.")))
}

pub(super) fn check_firewall(write: &Write<'_>) -> Result<(), Refusal> {
    let sku = text(write.body, "sku/name").unwrap_or(FIREWALL_SKUS[0]);
    if known_value(FIREWALL_SKUS, sku).is_none() {
        return Err(bad(format!("The sku '{sku}' is not one of {}.", FIREWALL_SKUS.join(", "))));
    }
    let before = write.existing.and_then(|existing| text(existing, "sku/name"));
    if before.is_some_and(|before| !before.eq_ignore_ascii_case(sku)) {
        return Err(bad("The sku of a web application firewall policy cannot be changed.".to_owned()));
    }
    let managed = property(write.body, "managedRules").and_then(|rules| rules.get("managedRuleSets"));
    let managed = managed.and_then(Value::as_array).is_some_and(|sets| !sets.is_empty());
    match managed && sku.eq_ignore_ascii_case("Standard_AzureFrontDoor") {
        true => Err(bad(
            "Managed rules are available for web application firewall policies of the Premium sku only.".to_owned()
        )),
        false => Ok(()),
    }
}

pub(super) fn complete_firewall(_: &Write<'_>, body: &mut Body) {
    let sku = text(body, "sku/name").and_then(|sku| known_value(FIREWALL_SKUS, sku)).unwrap_or(FIREWALL_SKUS[0]);
    body.insert("sku".to_owned(), json!({"name": sku}));
    let Some(properties) = properties_mut(body) else { return };
    properties.insert("frontendEndpointLinks".to_owned(), json!([]));
    properties.insert("routingRuleLinks".to_owned(), json!([]));
    properties.insert("resourceState".to_owned(), "Enabled".into());
}

/// The ids of the security policies that use a policy.
fn users<'a>(state: &'a State, policy: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let users = state.referrers(policy).filter(|(_, user)| user.text("type") == SECURITY_POLICY);
    users.map(|(key, user)| (key, user.text("id")))
}

/// A policy shows the security policies that use it.
pub(super) fn show_firewall(state: &State, body: &mut Body) {
    let key = text(body, "id").unwrap_or_default().to_lowercase();
    let links: Vec<Value> = users(state, &key).map(|(_, id)| json!({"id": id})).collect();
    if let Some(properties) = properties_mut(body) {
        properties.insert("securityPolicyLinks".to_owned(), links.into());
    }
}

pub(super) fn check_firewall_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let key = departure.id.key();
    match users(departure.state, &key).find(|(user, _)| !departure.takes_along(user)) {
        None => Ok(()),
        Some((_, user)) => Err(conflict(format!(
            "The web application firewall policy '{}' is still associated with the security policy '{user}'.",
            departure.id.name()
        ))),
    }
}

/// Azure Front Door (classic) is closed: what exists can be changed until it ends, nothing new is made.
pub(super) fn check_classic(write: &Write<'_>) -> Result<(), Refusal> {
    match write.existing {
        Some(_) => Ok(()),
        None => Err(bad("Creation of new Frontdoors are not allowed as the resource has been deprecated.".to_owned())),
    }
}
