//! Security policies of a front door: the document says which firewall policy holds for its domains; everything else that is associated
//! with a policy stays.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{Departures, Door};
use crate::azure::ResourceId;
use crate::azure::types::{CUSTOM_DOMAIN, SECURITY_POLICY, domains_of, narrowed_associations};
use crate::desired::Desired;

/// Completes what is wanted of the security policies. Returns those that have nothing left to protect.
pub(super) fn settle(
    door: &Door<'_>,
    desired: &mut Vec<Desired>,
    leaving: &[ResourceId],
    departures: &mut Departures,
) -> Vec<ResourceId> {
    let is_policy = |resource: &&mut Desired| resource.resource_type.name == SECURITY_POLICY.name;
    let own: HashSet<ResourceId> = desired
        .iter()
        .filter(|resource| resource.resource_type.name == CUSTOM_DOMAIN.name)
        .map(|resource| resource.id.clone())
        .collect();
    let leaving: HashSet<&ResourceId> = leaving.iter().collect();
    // Which policy the document wants for each domain.
    let mut wanted: HashMap<ResourceId, ResourceId> = HashMap::new();
    for policy in desired.iter_mut().filter(is_policy) {
        for domain in domains(&policy.body) {
            wanted.insert(domain, policy.id.clone());
        }
    }
    let stays = |domain: &str, policy: &ResourceId| {
        let domain = ResourceId::new(domain);
        !leaving.contains(&domain) && wanted.get(&domain).is_none_or(|wanted| wanted == policy)
    };
    for policy in desired.iter_mut().filter(is_policy) {
        let Some(existing) = door.existing.get(&policy.id) else { continue };
        let left = narrowed_associations(existing, |domain| stays(domain, &policy.id));
        for domain in left.iter().flat_map(domains_of).map(ResourceId::new) {
            if own.contains(&domain) && !wanted.contains_key(&domain) {
                departures.warnings.push(door.owned.place.warning(format_args!(
                    "the custom domain '{}' names no web application firewall policy, but is associated with the security policy '{}'; it stays associated",
                    domain.name(),
                    policy.id.name()
                )));
            }
        }
        policy.body["properties"]["parameters"]["associations"] = completed(left, &policy.body);
    }
    let mut empty = Vec::new();
    for (id, existing) in door.surplus(&SECURITY_POLICY, desired) {
        let before: HashSet<ResourceId> = domains(existing).collect();
        let left = narrowed_associations(existing, |domain| stays(domain, id));
        let after: HashSet<ResourceId> = left.iter().flat_map(domains_of).map(ResourceId::new).collect();
        if after.len() == before.len() {
            continue;
        }
        if after.is_empty() {
            empty.push(id.clone());
            continue;
        }
        let mut parameters = existing["properties"]["parameters"].clone();
        parameters["associations"] = Value::Array(left);
        let body = json!({ "properties": { "parameters": parameters } });
        desired.push(Desired::new(id.clone(), &SECURITY_POLICY, body, door.owned.place.clone()));
    }
    empty
}

/// The associations that stay, with the domains of the document that are not among them yet.
fn completed(mut left: Vec<Value>, wanted: &Value) -> Value {
    let present: HashSet<ResourceId> = left.iter().flat_map(domains_of).map(ResourceId::new).collect();
    let missing: Vec<Value> =
        domains(wanted).filter(|domain| !present.contains(domain)).map(|id| json!({ "id": id.as_str() })).collect();
    match left.first_mut().and_then(|first| first["domains"].as_array_mut()) {
        Some(domains) => domains.extend(missing),
        None => return wanted["properties"]["parameters"]["associations"].clone(),
    }
    Value::Array(left)
}

/// The domains of a security policy.
fn domains(policy: &Value) -> impl Iterator<Item = ResourceId> {
    let associations = policy["properties"]["parameters"]["associations"].as_array().into_iter().flatten();
    associations.flat_map(domains_of).map(ResourceId::new)
}
