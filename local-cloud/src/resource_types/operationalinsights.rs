//! Microsoft.OperationalInsights and Microsoft.OperationsManagement. The commitment tiers of the sku CapacityReservation, in GB a day, are those of
//! learn.microsoft.com, "Azure Monitor Logs cost calculations and options".

use super::{
    Answer, Call, Etag, PROXY, Refusal, ResourceId, ResourceType, TRACKED, Write, by_location, by_state, done, fill,
    guid_of, known_value, made_up_key, properties_mut, property, solutions, text,
};
use crate::state::Body;
use serde_json::{Value, json};

pub(super) const WORKSPACE: &str = "Microsoft.OperationalInsights/workspaces";

/// In Azure's casing. New workspaces are of the first; the others are older, or for clusters.
const SKUS: &[&str] =
    &["PerGB2018", "CapacityReservation", "LACluster", "Free", "Standard", "Premium", "PerNode", "Standalone"];
/// The time for which a workspace keeps data, in days. Source: Microsoft.OperationalInsights schema, and the azurerm provider.
const RETENTION: std::ops::RangeInclusive<i64> = 30..=730;
/// The retention of the sku Free, which has no other.
const FREE_RETENTION: i64 = 7;
/// The daily quota of a workspace without one.
const NO_QUOTA: f64 = -1.0;
pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: WORKSPACE,
        create: by_state(201),
        update: done(200),
        delete: by_location(202),
        etag: Etag::Strong,
        read_only: &["customerId", "createdDate", "modifiedDate", "privateLinkScopedResources"],
        check_name,
        check,
        complete,
        actions: &[("sharedKeys", shared_keys)],
        ..TRACKED
    },
    ResourceType { name: "Microsoft.OperationalInsights/workspaces/dataSources", etag: Etag::Strong, ..PROXY },
    ResourceType {
        name: "Microsoft.OperationsManagement/solutions",
        create: by_state(201),
        update: by_state(201),
        check_name: solutions::check_name,
        check: solutions::check,
        ..TRACKED
    },
];

/// `POST {workspace}/sharedKeys`. Source: azure-rest-api-specs 2020-08-01, `WorkspacesGetSharedKeys`.
fn shared_keys(call: &Call<'_>) -> Result<Answer, Refusal> {
    let key = |which: &str| made_up_key(&format!("{} {which}", call.id.key()));
    Ok(Answer::json(200, json!({"primarySharedKey": key("primary"), "secondarySharedKey": key("secondary")})))
}

fn invalid(message: String) -> Refusal {
    Refusal::bad_request("InvalidParameter", message)
}

/// 4 to 63 letters, digits and hyphens, ends alphanumeric.
fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if (4..=63).contains(&name.len()) && name.bytes().all(legal) && !name.starts_with('-') && !name.ends_with('-') {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "InvalidResourceName",
        format!(
            "The workspace name '{name}' is invalid. It has 4 to 63 letters, digits and '-', and does not begin or end with '-'."
        ),
    ))
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let sku = text(write.body, "properties/sku/name").unwrap_or("PerGB2018");
    let sku =
        known_value(SKUS, sku).ok_or_else(|| invalid(format!("The sku '{sku}' is not one of {}.", SKUS.join(", "))))?;
    if let Some(days) = property(write.body, "retentionInDays").filter(|days| !days.is_null()) {
        let legal = |days: i64| if sku == "Free" { days == FREE_RETENTION } else { RETENTION.contains(&days) };
        if !days.as_i64().is_some_and(legal) {
            return Err(invalid(format!(
                "'RetentionInDays' property doesn't match the SKU limits: {days} is not between {} and {}.",
                RETENTION.start(),
                RETENTION.end()
            )));
        }
    }
    let capacity = property(write.body, "sku").and_then(|sku| sku.get("capacityReservationLevel"));
    if sku == "CapacityReservation" && capacity.is_none_or(Value::is_null) {
        return Err(invalid(format!("The sku '{sku}' needs a capacityReservationLevel.")));
    }
    let quota = property(write.body, "workspaceCapping").and_then(|capping| capping.get("dailyQuotaGb"));
    if let Some(quota) = quota.filter(|quota| !quota.is_null())
        && !quota.as_f64().is_some_and(|quota| quota == NO_QUOTA || quota > 0.0)
    {
        return Err(invalid(format!("The dailyQuotaGb {quota} is neither positive nor -1 (no quota).")));
    }
    Ok(())
}

fn complete(write: &Write<'_>, body: &mut Body) {
    let customer = guid_of(write, "customerId");
    let before = |name: &str| write.existing.and_then(|existing| property(existing, name)).cloned();
    let now = Value::from(write.now.text());
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "sku", json!({}));
    let mut sku_name = "PerGB2018";
    if let Some(Value::Object(sku)) = properties.get_mut("sku") {
        sku_name = sku.get("name").and_then(Value::as_str).and_then(|sku| known_value(SKUS, sku)).unwrap_or(sku_name);
        sku.insert("name".to_owned(), sku_name.into());
        // Only another sku is an update.
        let same = before("sku").filter(|sku| sku.get("name").and_then(Value::as_str) == Some(sku_name));
        let since = same.and_then(|sku| sku.get("lastSkuUpdate").cloned());
        sku.insert("lastSkuUpdate".to_owned(), since.unwrap_or_else(|| now.clone()));
    }
    fill(properties, "retentionInDays", if sku_name == "Free" { FREE_RETENTION } else { *RETENTION.start() });
    properties.insert("customerId".to_owned(), customer);
    properties.insert("createdDate".to_owned(), before("createdDate").unwrap_or_else(|| now.clone()));
    properties.insert("modifiedDate".to_owned(), now);
}
