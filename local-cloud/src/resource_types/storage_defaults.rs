//! The defaults that Azure fills in for a storage account.

use super::identities::complete_identity;
use super::private_link;
use super::shape;
use super::storage::{DEFAULT_ACTIONS, bypass_text, is_premium, kind_and_sku};
use super::{Write, fill, known_value, properties_mut, property, random_of, text};
use crate::locations;
use crate::published;
use crate::state::Body;
use serde_json::{Value, json};

/// Fills the body of an account in.
pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    complete_identity(write, body);
    let (kind, sku) = kind_and_sku(body).unwrap_or(("StorageV2", "Standard_LRS"));
    let tier = if is_premium(sku) { "Premium" } else { "Standard" };
    body.insert("kind".to_owned(), kind.into());
    body.insert("sku".to_owned(), json!({"name": sku, "tier": tier}));
    fill(body, "tags", Body::new());
    let location = text(body, "location").unwrap_or_default().to_owned();
    let Some(properties) = properties_mut(body) else { return };
    shape::spell_choices(properties, private_link::STORAGE);
    match kind {
        "StorageV2" if tier == "Standard" => fill(properties, "accessTier", "Hot"),
        "BlockBlobStorage" => fill(properties, "accessTier", "Premium"),
        _ => {}
    }
    complete_network_acls(properties);
    let created = keep(write, "creationTime", || write.now.text().into());
    complete_encryption(properties, &created);
    let key_created = keep(write, "keyCreationTime", || json!({"key1": created, "key2": created}));
    properties.insert("keyCreationTime".to_owned(), key_created);
    properties.insert("creationTime".to_owned(), created);
    properties.insert("primaryLocation".to_owned(), location.clone().into());
    properties.insert("statusOfPrimary".to_owned(), "available".into());
    let hosts = Hosts::of(write, properties);
    properties.insert("primaryEndpoints".to_owned(), primary_endpoints(&hosts, kind, properties));
    if is_geo_redundant(sku)
        && let Some(pair) = locations::find(&location).and_then(|region| region.pair)
    {
        properties.insert("secondaryLocation".to_owned(), pair.into());
        properties.insert("statusOfSecondary".to_owned(), "available".into());
        if sku.contains("_RA") {
            properties.insert("secondaryEndpoints".to_owned(), endpoints(&hosts, kind, "-secondary"));
        }
    }
}

/// The value that the service set before, or sets now.
fn keep(write: &Write<'_>, name: &str, otherwise: impl FnOnce() -> Value) -> Value {
    write.existing.and_then(|existing| property(existing, name)).cloned().unwrap_or_else(otherwise)
}

/// Gives the values of network rules their spelling.
fn complete_network_acls(properties: &mut Body) {
    let Some(Value::Object(acls)) = properties.get_mut("networkAcls") else { return };
    let said = |name: &str| acls.get(name).and_then(Value::as_str);
    let bypass = said("bypass").and_then(bypass_text).map(Value::from);
    let action = said("defaultAction").and_then(|action| known_value(DEFAULT_ACTIONS, action)).map(Value::from);
    for (name, value) in [("bypass", bypass), ("defaultAction", action)] {
        acls.insert(name.to_owned(), value.unwrap_or_default());
    }
}

fn complete_encryption(properties: &mut Body, since: &Value) {
    fill(properties, "encryption", json!({}));
    let Some(Value::Object(encryption)) = properties.get_mut("encryption") else { return };
    fill(encryption, "keySource", "Microsoft.Storage");
    fill(encryption, "services", json!({}));
    let Some(Value::Object(services)) = encryption.get_mut("services") else { return };
    for service in ["file", "blob"] {
        fill(services, service, json!({}));
        if let Some(Value::Object(service)) = services.get_mut(service) {
            fill(service, "keyType", "Account");
            fill(service, "enabled", true);
            fill(service, "lastEnabledTime", since.clone());
        }
    }
}

/// The hosts under which the services of an account are reached.
struct Hosts<'a> {
    account: &'a str,
    /// The zone of Azure DNS in which the account is, where it is in one: `z07`.
    zone: Option<String>,
}

impl Hosts<'_> {
    fn of<'a>(write: &Write<'a>, properties: &Body) -> Hosts<'a> {
        let in_zone = properties.get("dnsEndpointType").and_then(Value::as_str) == Some("AzureDnsZone");
        let zone = || format!("z{:02}", random_of(&write.id.key()).u8(..100));
        Hosts { account: write.id.name(), zone: in_zone.then(zone) }
    }

    fn url(&self, service: &str, suffix: &str) -> String {
        let account = self.account;
        match (&self.zone, service) {
            (Some(zone), _) => format!("https://{account}{suffix}.{zone}.{service}.storage.azure.net/"),
            (None, "web") => format!("https://{account}{suffix}.z33.web.core.windows.net/"),
            (None, _) => format!("https://{account}{suffix}.{service}.core.windows.net/"),
        }
    }
}

/// The endpoints of an account, with those of each network by which it asks to be reached (REST specification of Microsoft.Storage,
/// `RoutingPreference`).
fn primary_endpoints(hosts: &Hosts<'_>, kind: &str, properties: &Body) -> Value {
    let mut primary = endpoints(hosts, kind, "");
    let publishes = |name: &str| {
        properties.get("routingPreference").and_then(|routing| routing.get(name)) == Some(&Value::Bool(true))
    };
    if publishes("publishMicrosoftEndpoints") {
        primary["microsoftEndpoints"] = endpoints(hosts, kind, "-microsoftrouting");
    }
    if publishes("publishInternetEndpoints") {
        let mut internet = endpoints(hosts, kind, "-internetrouting");
        if let Value::Object(services) = &mut internet {
            services.retain(|service, _| !["queue", "table"].contains(&service.as_str()));
        }
        primary["internetEndpoints"] = internet;
    }
    primary
}

fn endpoints(hosts: &Hosts<'_>, kind: &str, suffix: &str) -> Value {
    let kind = published::storage_kinds().find(|(name, _)| *name == kind);
    let services = kind.map_or(&[][..], |(_, kind)| kind.endpoints.as_slice());
    // Azure has no secondary file service.
    let services = services.iter().filter(|service| suffix != "-secondary" || **service != "file");
    Value::Object(services.map(|service| ((*service).to_owned(), hosts.url(service, suffix).into())).collect())
}

fn is_geo_redundant(sku: &str) -> bool {
    let sku = sku.to_ascii_uppercase();
    ["_GRS", "_RAGRS", "_GZRS", "_RAGZRS"].iter().any(|end| sku.ends_with(end))
}
