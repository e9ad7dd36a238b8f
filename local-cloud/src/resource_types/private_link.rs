//! Private link: what can be reached by private endpoints, under which names.

use super::{Refusal, app_service_plans, list, property, sites, slots, text};
use crate::path::ResourceId;
use crate::published;
use crate::reply::Answer;
use crate::state::{Body, Resource, State};
use serde_json::{Value, json};

/// The word that lists the groups of a resource.
pub(crate) const RESOURCES: &str = "privateLinkResources";
/// The word that lists the connections to a resource.
pub(crate) const CONNECTIONS: &str = "privateEndpointConnections";

pub(super) const STORAGE: &str = "Microsoft.Storage/storageAccounts";

/// A host name of a resource that a private endpoint answers for.
pub(super) struct HostName {
    /// The private DNS zone its record is in.
    pub(super) zone: String,
    /// The record in the zone.
    pub(super) record: String,
    /// The name clients use.
    pub(super) public: String,
}

/// Refuses a connection to a site whose plan has none.
pub(super) fn check_tier(state: &State, target: &ResourceId) -> Result<(), Refusal> {
    let site = state.get(&target.key()).filter(|site| site.text("type") == sites::SITE);
    let plan = site.and_then(|site| sites::plan_of(state, target, &site.body));
    let tier = plan.as_deref().and_then(app_service_plans::tier_of);
    match tier.filter(|tier| !app_service_plans::has_private_endpoints(tier)) {
        Some(tier) => Err(Refusal::bad_request(
            "BadRequest",
            format!(
                "Call to Microsoft.Web/sites failed. Error message: SkuCode '{}' is invalid for private endpoint connections.",
                tier.name
            ),
        )),
        None => Ok(()),
    }
}

/// Whether it is known that a type has groups.
pub(super) fn has_groups(type_name: &str) -> bool {
    published::private_link_groups(type_name).next().is_some()
}

/// The ids of the groups of a resource; `None` where the type is not known.
pub(super) fn groups(state: &State, target: &ResourceId) -> Option<Vec<String>> {
    let type_name = target.type_name();
    let groups = published::private_link_groups(&type_name).map(|(_, group, _)| (*group).to_owned());
    let mut groups: Vec<String> = groups.collect();
    if groups.is_empty() {
        return None;
    }
    if type_name.eq_ignore_ascii_case(STORAGE) {
        let account = state.get(&target.key())?;
        groups.retain(|group| account_has(&account.body, group));
    }
    if type_name.eq_ignore_ascii_case(sites::SITE) {
        let prefix = format!("{}/slots/", target.key());
        let slots = state.below(&prefix).filter(|(key, _)| !key[prefix.len()..].contains('/'));
        // A slot's name is printed after that of its site.
        let name = |slot: &Resource| slot.text("id").rsplit('/').next().unwrap_or_default().to_owned();
        groups.extend(slots.map(|(_, slot)| format!("sites-{}", name(slot))));
    }
    Some(groups)
}

/// An account has the groups of the endpoints it has; secondary ones where the secondary copy can be read.
fn account_has(account: &Body, group: &str) -> bool {
    let (list, service) = match group.strip_suffix("_secondary") {
        Some(service) => ("secondaryEndpoints", service),
        None => ("primaryEndpoints", group),
    };
    property(account, list).is_some_and(|endpoints| endpoints.get(service).is_some())
}

fn zones(state: &State, target: &ResourceId, group: &str) -> Vec<String> {
    let type_name = target.type_name();
    let base = group.split_once('-').map_or(group, |(base, _)| base);
    let entry = published::private_link_groups(&type_name).find(|(_, known, _)| known.eq_ignore_ascii_case(base));
    let region = state.get(&target.key()).map(|target| crate::locations::run_together(target.text("location")));
    let region = region.unwrap_or_default();
    entry.map_or_else(Vec::new, |(.., zones)| zones.iter().map(|zone| zone.replace("{region}", &region)).collect())
}

/// The records of a group of a resource in its zones.
fn records(state: &State, target: &ResourceId, group: &str) -> Vec<String> {
    let (name, suffix) = (target.name(), group.split_once(['_', '-']).map(|(_, suffix)| suffix));
    if target.type_name().eq_ignore_ascii_case(sites::SITE) {
        let host = match suffix {
            Some(slot) => slots::default_host(state, target, slot),
            None => slots::default_host_of_site(state, target),
        };
        let host = host.unwrap_or_default();
        // The second is the site its deployments and logs are reached at.
        return [host.clone(), sites::deployment_host_name(&host)]
            .iter()
            .map(|host| sites::private_record(host).to_owned())
            .collect();
    }
    vec![suffix.map_or_else(|| name.to_owned(), |suffix| format!("{name}-{suffix}"))]
}

/// The host names a private endpoint for a group of a resource answers for; empty where the type is not known.
pub(super) fn host_names(state: &State, target: &ResourceId, group: &str) -> Vec<HostName> {
    let records = records(state, target, group);
    let mut names = Vec::new();
    for zone in zones(state, target, group) {
        let public = match zone.as_str() {
            "privatelink.vaultcore.azure.net" => "vault.azure.net",
            zone => zone.strip_prefix("privatelink.").unwrap_or(zone),
        };
        for record in &records {
            names.push(HostName { zone: zone.clone(), record: record.clone(), public: format!("{record}.{public}") });
        }
    }
    names
}

/// The answer to `GET {resource}/privateLinkResources`; `None` where the type is not known.
pub(crate) fn resources(state: &State, target: &ResourceId) -> Option<Answer> {
    let resources: Vec<Value> = groups(state, target)?
        .into_iter()
        .map(|group| {
            json!({
                "id": format!("{}/{RESOURCES}/{group}", target.text()),
                "name": group,
                "type": format!("{}/{RESOURCES}", target.type_name()),
                "properties": {
                    "groupId": group,
                    "requiredMembers": [group],
                    "requiredZoneNames": zones(state, target, &group),
                },
            })
        })
        .collect();
    Some(Answer::json(200, json!({"value": resources})))
}

/// The connection of a private endpoint, from one list of them or the other.
pub(super) fn connection_of(endpoint: &Body) -> Option<&Body> {
    list(endpoint, "privateLinkServiceConnections").chain(list(endpoint, "manualPrivateLinkServiceConnections")).next()
}

/// The resource a connection leads to.
pub(super) fn target_of(connection: &Body) -> Option<ResourceId> {
    property(connection, "privateLinkServiceId")?.as_str().and_then(ResourceId::parse)
}

/// The connections to a resource, as children of it.
pub(crate) fn connections(state: &State, target: &ResourceId) -> Vec<Body> {
    let mut connections: Vec<Body> = state
        .referrers(&target.key())
        .filter(|(_, endpoint)| endpoint.text("type").eq_ignore_ascii_case(super::private_endpoints::ENDPOINT))
        .filter_map(|(_, endpoint)| {
            let connection = connection_of(&endpoint.body)?;
            target_of(connection).filter(|id| id.key() == target.key())?;
            // Unique and the same at every request: the GUID of the endpoint's network interface.
            let interface = super::private_endpoints::interface_of(state, &endpoint.body);
            let guid = interface.and_then(|interface| text(interface, "properties/resourceGuid")).unwrap_or_default();
            let name = format!("{}.{guid}", endpoint.text("name"));
            let body = json!({
                "id": format!("{}/{CONNECTIONS}/{name}", target.text()),
                "name": name,
                "type": format!("{}/{CONNECTIONS}", target.type_name()),
                "properties": {
                    "provisioningState": "Succeeded",
                    "groupIds": property(connection, "groupIds"),
                    "privateEndpoint": {"id": endpoint.text("id")},
                    "privateLinkServiceConnectionState": property(connection, "privateLinkServiceConnectionState"),
                },
            });
            body.as_object().cloned()
        })
        .collect();
    connections.sort_by_key(|connection| text(connection, "id").unwrap_or_default().to_lowercase());
    connections
}

/// A resource shows the connections to it.
pub(super) fn show_connections(state: &State, body: &mut Body) {
    let Some(id) = text(body, "id").and_then(ResourceId::parse) else { return };
    let connections: Value = connections(state, &id).into_iter().map(Value::Object).collect();
    if let Some(properties) = super::properties_mut(body) {
        properties.insert(CONNECTIONS.to_owned(), connections);
    }
}
