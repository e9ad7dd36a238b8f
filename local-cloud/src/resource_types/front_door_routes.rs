//! Microsoft.Cdn/profiles/afdEndpoints/routes.

use super::cdn::{self, DOMAIN, ORIGIN_GROUP, RULE_SET, bad, complete_child, conflict, in_profile, require_front_door};
use super::front_door_origins::has_origin;
use super::{Refusal, Write, list, list_mut, properties_mut, property, text};
use crate::state::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PROTOCOLS: &[&str] = &["Http", "Https"];

/// The texts of a list in `properties` in lower case, or these where there is no such list.
fn texts(body: &Body, name: &str, default: &[&str]) -> BTreeSet<String> {
    match property(body, name).and_then(Value::as_array).filter(|list| !list.is_empty()) {
        Some(list) => list.iter().filter_map(Value::as_str).map(str::to_lowercase).collect(),
        None => default.iter().map(|text| text.to_lowercase()).collect(),
    }
}

fn is_on(body: &Body, name: &str) -> bool {
    text(body, &format!("properties/{name}")).is_some_and(|state| state.eq_ignore_ascii_case("Enabled"))
}

fn domains(body: &Body) -> BTreeSet<String> {
    list(body, "customDomains").filter_map(|domain| Some(text(domain, "id")?.to_lowercase())).collect()
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    require_front_door(write)?;
    check_patterns(write.body)?;
    check_cache(write.body)?;
    let protocols = texts(write.body, "supportedProtocols", PROTOCOLS);
    if is_on(write.body, "httpsRedirect") && protocols.len() < PROTOCOLS.len() {
        return Err(bad(
            "If HTTPS redirect is enabled, supported protocols must contain both HTTP and HTTPS.".to_owned()
        ));
    }
    let group = property(write.body, "originGroup").filter(|group| !group.is_null());
    let group =
        group.ok_or_else(|| bad("Property 'Properties.OriginGroup' is required but it was not set.".to_owned()))?;
    let empty = || {
        bad("Please make sure that the originGroup is created successfully and at least one enabled origin is created under the \
             origin group."
            .to_owned())
    };
    let (group, _) =
        in_profile(write, group, &[ORIGIN_GROUP]).map_err(|refusal| match refusal.message.contains("exist") {
            true => empty(),
            false => refusal,
        })?;
    if !has_origin(write.state, &group) {
        return Err(empty());
    }
    for (name, type_name) in [("customDomains", DOMAIN), ("ruleSets", RULE_SET)] {
        for holder in property(write.body, name).and_then(Value::as_array).into_iter().flatten() {
            in_profile(write, holder, &[type_name])?;
        }
    }
    check_others(write)
}

/// Patterns begin with `/`, and have `*` at their end only.
fn check_patterns(body: &Body) -> Result<(), Refusal> {
    let patterns = property(body, "patternsToMatch").and_then(Value::as_array).into_iter().flatten();
    for pattern in patterns.filter_map(Value::as_str) {
        let inner = pattern.strip_suffix('*').unwrap_or(pattern);
        if !pattern.starts_with('/') || inner.contains('*') || inner.len() < pattern.len() && !inner.ends_with('/') {
            return Err(bad(format!(
                "The pattern '{pattern}' is invalid: it is to begin with '/', and a wildcard is to be its last part, after a '/'."
            )));
        }
    }
    let given = property(body, "patternsToMatch").and_then(Value::as_array).map_or(0, Vec::len);
    if given != 0 && given != texts(body, "patternsToMatch", &[]).len() {
        return Err(bad("A pattern is in patternsToMatch twice.".to_owned()));
    }
    Ok(())
}

fn check_cache(body: &Body) -> Result<(), Refusal> {
    let behaviour = text(body, "properties/cacheConfiguration/queryStringCachingBehavior").unwrap_or_default();
    let parameters = text(body, "properties/cacheConfiguration/queryParameters").unwrap_or_default();
    if behaviour.to_lowercase().contains("specified") == parameters.is_empty() {
        return Err(bad(format!("The queryParameters '{parameters}' do not go with the behaviour '{behaviour}'.")));
    }
    let compression = property(body, "cacheConfiguration").and_then(|cache| cache.get("compressionSettings"));
    let compresses = compression.and_then(|compression| compression.get("isCompressionEnabled")) == Some(&json!(true));
    let types = compression.and_then(|compression| compression.get("contentTypesToCompress")).and_then(Value::as_array);
    match compresses && types.is_none_or(Vec::is_empty) {
        true => Err(bad("contentTypesToCompress is required where compression is enabled.".to_owned())),
        false => Ok(()),
    }
}

/// A request leads to one route: no two of them have the same domain, pattern and protocol, and a custom domain is on one
/// endpoint.
fn check_others(write: &Write<'_>) -> Result<(), Refusal> {
    let (own_domains, own_default) = (domains(write.body), is_on(write.body, "linkToDefaultDomain"));
    if own_domains.is_empty() && !own_default {
        return Err(bad("A route has a custom domain, or is linked to the default domain.".to_owned()));
    }
    let endpoint = write.id.parent().key();
    let profile = format!("{}/afdendpoints/", cdn::profile_id(write.id).key());
    let others = write
        .state
        .all()
        .filter(|(key, other)| key.starts_with(&profile) && other.text("type") == cdn::ROUTE && *key != write.id.key());
    for (key, other) in others {
        let same_endpoint = key.starts_with(&format!("{endpoint}/"));
        let shared = domains(&other.body).intersection(&own_domains).next().cloned();
        if let Some(domain) = shared.as_ref().filter(|_| !same_endpoint) {
            return Err(conflict(format!("The custom domain '{domain}' is already associated with another endpoint.")));
        }
        let both_default = same_endpoint && own_default && is_on(&other.body, "linkToDefaultDomain");
        let common = |name: &str, default: &[&str]| {
            texts(&other.body, name, default).intersection(&texts(write.body, name, default)).next().cloned()
        };
        if (shared.is_some() || both_default)
            && common("supportedProtocols", PROTOCOLS).is_some()
            && let Some(pattern) = common("patternsToMatch", &["/*"])
        {
            return Err(conflict(format!(
                "Routes must differ in domain, pattern or protocol: '{}' has the pattern '{pattern}' of the same domain.",
                other.text("id")
            )));
        }
    }
    Ok(())
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    complete_child(write, body);
    let Some(properties) = properties_mut(body) else { return };
    for domain in list_mut(properties, "customDomains") {
        domain.insert("isActive".to_owned(), true.into());
    }
}
