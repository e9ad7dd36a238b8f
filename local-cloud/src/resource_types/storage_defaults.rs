//! What Azure fills in for a storage account.

use super::storage::{DEFAULT_ACTIONS, VALUES, bypass_text, is_premium, kind_and_sku};
use super::{Write, fill, known_value, properties_mut, property, text};
use crate::locations;
use crate::state::Body;
use serde_json::{Value, json};

/// The services an account of a kind has, as they stand in `primaryEndpoints`.
const ENDPOINTS: &[(&str, &[&str])] = &[
    ("StorageV2", &["dfs", "web", "blob", "queue", "table", "file"]),
    ("Storage", &["blob", "queue", "table", "file"]),
    ("BlobStorage", &["dfs", "blob", "table"]),
    ("FileStorage", &["file"]),
    ("BlockBlobStorage", &["dfs", "web", "blob"]),
];

/// Fills the body of an account in.
pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let (kind, sku) = kind_and_sku(body).unwrap_or(("StorageV2", "Standard_LRS"));
    let tier = if is_premium(sku) { "Premium" } else { "Standard" };
    body.insert("kind".to_owned(), kind.into());
    body.insert("sku".to_owned(), json!({"name": sku, "tier": tier}));
    fill(body, "tags", Body::new());
    let location = text(body, "location").unwrap_or_default().to_owned();
    let Some(properties) = properties_mut(body) else { return };
    for (name, values) in VALUES {
        if let Some(value) = properties.get(*name).and_then(Value::as_str).and_then(|text| known_value(values, text)) {
            properties.insert((*name).to_owned(), value.into());
        }
    }
    fill(properties, "dnsEndpointType", "Standard");
    fill(properties, "publicNetworkAccess", "Enabled");
    fill(properties, "allowCrossTenantReplication", false);
    // The documented interpretation of an absent value: TLS 1.0, and no public access to blobs.
    fill(properties, "minimumTlsVersion", "TLS1_0");
    fill(properties, "allowBlobPublicAccess", false);
    fill(properties, "supportsHttpsTrafficOnly", true);
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
    properties.insert("primaryEndpoints".to_owned(), endpoints(write.id.name(), kind, ""));
    if is_geo_redundant(sku)
        && let Some(pair) = locations::find(&location).and_then(|region| region.pair)
    {
        properties.insert("secondaryLocation".to_owned(), pair.into());
        properties.insert("statusOfSecondary".to_owned(), "available".into());
        if sku.contains("_RA") {
            properties.insert("secondaryEndpoints".to_owned(), endpoints(write.id.name(), kind, "-secondary"));
        }
    }
}

/// What the service set before, or sets now.
fn keep(write: &Write<'_>, name: &str, otherwise: impl FnOnce() -> Value) -> Value {
    write.existing.and_then(|existing| property(existing, name)).cloned().unwrap_or_else(otherwise)
}

fn complete_network_acls(properties: &mut Body) {
    fill(properties, "networkAcls", json!({"defaultAction": "Allow"}));
    let Some(Value::Object(acls)) = properties.get_mut("networkAcls") else { return };
    let bypass = acls.get("bypass").and_then(Value::as_str).and_then(bypass_text);
    acls.insert("bypass".to_owned(), bypass.unwrap_or_else(|| "AzureServices".to_owned()).into());
    let action = acls.get("defaultAction").and_then(Value::as_str);
    let action = action.and_then(|action| known_value(DEFAULT_ACTIONS, action)).unwrap_or("Allow");
    acls.insert("defaultAction".to_owned(), action.into());
    for list in ["virtualNetworkRules", "ipRules", "ipv6Rules"] {
        fill(acls, list, json!([]));
        for rule in acls.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Value::Object(rule) = rule {
                fill(rule, "action", "Allow");
                if list == "virtualNetworkRules" {
                    fill(rule, "state", "Succeeded");
                }
            }
        }
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

fn endpoints(account: &str, kind: &str, suffix: &str) -> Value {
    let services = ENDPOINTS.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, services)| services);
    let url = |service: &str| match service {
        "web" => format!("https://{account}{suffix}.z33.web.core.windows.net/"),
        _ => format!("https://{account}{suffix}.{service}.core.windows.net/"),
    };
    // Azure has no secondary file service.
    let services = services.iter().filter(|service| suffix.is_empty() || **service != "file");
    Value::Object(services.map(|service| ((*service).to_owned(), url(service).into())).collect())
}

fn is_geo_redundant(sku: &str) -> bool {
    let sku = sku.to_ascii_uppercase();
    ["_GRS", "_RAGRS", "_GZRS", "_RAGZRS"].iter().any(|end| sku.ends_with(end))
}
