//! The facts that the engine knows of each ARM type: one table. Sources: the REST specifications (bicep-types-az of 2026-08) and
//! the azure-mgmt packages of 2026-10, unless a line says otherwise.

mod cdn;
mod diagnostics;
mod fixed;
mod front_door_parts;
mod keyvault;
mod monitor;
mod name_rule;
mod network;
mod plan_sku;
pub mod private_link;
mod resource_type;
mod secrets;
mod storage;
mod web;

pub use cdn::*;
pub use diagnostics::*;
pub use fixed::{Fixed, Otherwise, Refused};
pub use front_door_parts::{domains_of, narrowed_associations};
pub use keyvault::*;
pub use monitor::*;
pub use name_rule::NameRule;
pub use network::*;
pub use plan_sku::{PlanSku, Runs};
pub use private_link::PrivateLink;
pub use resource_type::{Exclusive, LeftAlone, Listing, ResourceType, RetiredValue, TagLimits, Told};
pub use storage::*;
pub use web::*;

use fixed::{LOCATION, never};
use name_rule::{NO_DOT_AT_THE_END, RESOURCE_GROUP_CHARACTERS};

use super::resource_id::RESOURCE_GROUP_TYPE;

/// The resource group, which everything but groups and resources of the subscription is in.
pub static RESOURCE_GROUP: ResourceType = ResourceType {
    name: RESOURCE_GROUP_TYPE,
    label: "resource group",
    api_version: "2025-04-01",
    name_rule: Some(NameRule::new(1, 90, RESOURCE_GROUP_CHARACTERS, NO_DOT_AT_THE_END)),
    listing: Listing::Single,
    tags: Some(TagLimits::USUAL),
    read_only: &["properties"],
    // Groups stay where they are by rule.
    fixed: &[Fixed { otherwise: Otherwise::Left, ..LOCATION }],
    ..ResourceType::PLAIN
};

/// The entries of all types.
pub static RESOURCE_TYPES: &[&ResourceType] = &[
    &RESOURCE_GROUP,
    &STORAGE_ACCOUNT,
    &BLOB_CONTAINER,
    &FILE_SHARE,
    &QUEUE,
    &TABLE,
    &VIRTUAL_NETWORK,
    &SUBNET,
    &PUBLIC_IP_ADDRESS,
    &BASTION_HOST,
    &PRIVATE_ENDPOINT,
    &PRIVATE_DNS_ZONE_GROUP,
    &PRIVATE_DNS_ZONE,
    &VIRTUAL_NETWORK_LINK,
    &WORKSPACE,
    &SOLUTION,
    &COMPONENT,
    &ACTION_GROUP,
    &ACTIVITY_LOG_ALERT,
    &METRIC_ALERT,
    &SCHEDULED_QUERY_RULE,
    &DIAGNOSTIC_SETTING,
    &ADVISOR_CONFIGURATION,
    &KEY_VAULT,
    &KEY_VAULT_SECRET,
    &APP_SERVICE_PLAN,
    &WEB_APP,
    &SLOT,
    &APP_SETTINGS,
    &SLOT_APP_SETTINGS,
    &API_MANAGEMENT,
    &ROLE_ASSIGNMENT,
    &CDN_PROFILE,
    &FRONT_DOOR_ENDPOINT,
    &ROUTE,
    &ORIGIN_GROUP,
    &ORIGIN,
    &CUSTOM_DOMAIN,
    &FRONT_DOOR_SECRET,
    &SECURITY_POLICY,
    &FIREWALL_POLICY,
    &CLASSIC_FRONT_DOOR,
];

/// Members every resource has and no request may set.
pub const ENVELOPE_READ_ONLY: &[&str] = &["id", "name", "type", "etag", "systemData", "properties.provisioningState"];

/// The plain name of a resource of which only the type is known; none for a type that is not in the table.
#[must_use]
pub fn label_of_type(name: &str) -> Option<&'static str> {
    resource_type(name).map(|known| known.label_of_any.unwrap_or(known.label))
}

/// The types of what holds data, which goes with it.
pub const HOLDS_DATA: &[&ResourceType] = &[&STORAGE_ACCOUNT, &BLOB_CONTAINER, &FILE_SHARE, &QUEUE, &TABLE, &WORKSPACE];

/// The facts of a type, ignoring case.
#[must_use]
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    RESOURCE_TYPES.iter().copied().find(|known| known.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::ResourceId;

    #[test]
    fn types_are_found_ignoring_case() {
        assert_eq!(
            resource_type("microsoft.storage/STORAGEACCOUNTS").map(|found| found.label),
            Some("storage account")
        );
        assert!(resource_type("Microsoft.Storage/other").is_none());
        assert_eq!(label_of_type("Microsoft.Web/sites"), Some("app"), "a web app or a function app");
        assert_eq!(label_of_type("Microsoft.Web/sites/slots"), Some("slot"));
        assert_eq!(label_of_type("Microsoft.Storage/other"), None);
    }

    #[test]
    fn the_location_is_fixed_whatever_the_type_says() {
        let paths = |kind: &'static ResourceType| -> Vec<(&str, Otherwise)> {
            kind.fixed_properties().map(|fixed| (fixed.path, fixed.otherwise)).collect()
        };
        assert_eq!(paths(&KEY_VAULT), [("location", Otherwise::Kept)]);
        assert_eq!(paths(&RESOURCE_GROUP), [("location", Otherwise::Left)]);
        let account: Vec<&str> = paths(&STORAGE_ACCOUNT).into_iter().map(|(path, _)| path).collect();
        assert_eq!(account, ["location", "kind", "sku.name"]);
    }

    #[test]
    fn secrets_are_told_from_the_rest_by_their_paths() {
        let kind =
            ResourceType { secret: &["properties.hooks[].serviceUri", "properties.values.*"], ..ResourceType::PLAIN };
        for (path, secret) in [
            ("properties.hooks[a.b].serviceUri", true),
            ("properties.hooks[a].name", false),
            ("properties.hooks", false),
            ("properties.values.KEY", true),
            ("properties.values", false),
            ("serviceUri", false),
        ] {
            assert_eq!(kind.is_secret(path), secret, "{path}");
        }
        let body = serde_json::json!({"properties": {
            "hooks": [{"name": "n", "serviceUri": "https://one"}, {"ServiceUri": "https://two"}],
            "values": {"KEY": "three", "nested": {"more": "four"}}}});
        assert_eq!(kind.secrets_of(&body), ["https://one", "https://two", "three", "four"]);
    }

    #[test]
    fn ids_have_the_segments_of_their_types() {
        let group = RESOURCE_GROUP.child_of(&ResourceId::subscription("1"), "g");
        assert_eq!(group.as_str(), "/subscriptions/1/resourceGroups/g");
        let account = STORAGE_ACCOUNT.child_of(&group, "st");
        assert_eq!(
            BLOB_CONTAINER.child_of(&account, "data").as_str(),
            "/subscriptions/1/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/st/blobServices/default/containers/data"
        );
        let setting = DIAGNOSTIC_SETTING.child_of(&account, "Service");
        assert_eq!(setting.as_str(), format!("{account}/providers/Microsoft.Insights/diagnosticSettings/Service"));
        for entry in RESOURCE_TYPES {
            let id = example(entry);
            assert_eq!((id.resource_type().as_str(), id.name()), (entry.name, "own"), "{id}");
        }
    }

    /// An id of a type, below the ids of the types above it.
    fn example(entry: &ResourceType) -> ResourceId {
        let group = ResourceId::subscription("1").group("g");
        let above = |name: &str, levels| name.rsplitn(levels, '/').last().and_then(resource_type);
        match above(entry.name, if entry.only_parent.is_some() { 3 } else { 2 }) {
            Some(parent) => entry.child_of(&example(parent), "own"),
            None => entry.child_of(&group, "own"),
        }
    }

    #[test]
    fn entries_are_whole() {
        for entry in RESOURCE_TYPES {
            assert!(!entry.name.is_empty() && !entry.label.is_empty() && entry.api_version.len() >= 10, "{entry:?}");
            assert_eq!(entry.worldwide_name, entry.name_check.is_some(), "{}", entry.name);
            for fixed in entry.fixed {
                // What is kept is taken out of what is sent, which cannot be done for one item of a list.
                let is_refused = matches!(fixed.otherwise, Otherwise::Refused(_));
                assert!(is_refused || !fixed.path.contains("[]"), "{} {}", entry.name, fixed.path);
                if let Otherwise::Refused(way_out) = fixed.otherwise {
                    assert!(way_out.starts_with(char::is_lowercase) && !way_out.ends_with('.'), "{way_out}");
                }
            }
        }
    }
}
