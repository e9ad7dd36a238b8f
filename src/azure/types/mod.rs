//! What the engine knows of each ARM type: one table. Sources: the REST specifications (bicep-types-az of 2026-08) and
//! the azure-mgmt packages of 2026-10, unless a line says otherwise.

mod cdn;
mod diagnostics;
mod keyvault;
mod monitor;
mod network;
mod storage;
mod web;

use std::collections::HashMap;

use std::time::Duration;

use serde_json::Value;

pub use cdn::*;
pub use diagnostics::*;
pub use keyvault::*;
pub use monitor::*;
pub use network::*;
pub use storage::*;
pub use web::*;

use super::resource_id::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::protocol::Code;

/// Facts of one ARM type.
#[derive(Debug)]
pub struct ResourceType {
    /// The full type, as in `Microsoft.Storage/storageAccounts`.
    pub name: &'static str,
    /// How it is called in sentences.
    pub label: &'static str,
    /// A hard-coded version, as Microsoft advises (template best practices).
    pub api_version: &'static str,
    /// How what exists is read.
    pub listing: Listing,
    /// How long one operation on it is followed before it is given up. Generous: what takes longer hangs.
    pub longest_operation: Duration,
    /// Whether it carries tags.
    pub taggable: bool,
    /// Properties Azure sets by itself: never compared, and left out when a resource is sent back.
    /// `[]` stands for every item of a list.
    pub read_only: &'static [&'static str],
    /// Properties that cannot be changed in every way after creation.
    pub fixed: &'static [Fixed],
    /// Properties whose lists, or comma-separated words, have no order.
    pub sets: &'static [&'static str],
    /// Texts in which letter case makes no difference.
    pub any_case: &'static [&'static str],
    /// Comma-separated words that others may add to: those that are there stay.
    pub joined: &'static [&'static str],
    /// Values that are shown nowhere. `[]` stands for every item of a list, `*` at the end for every member.
    pub secret: &'static [&'static str],
    /// What the user needs of a resource that was made, to go on with it.
    pub told: Option<Told>,
    /// What is left to be done where resources of the type do some of it already.
    pub remainder: Option<Remainder>,
    /// Another id by which Azure lists the resource of an id.
    pub also_listed_as: Option<fn(&ResourceId) -> ResourceId>,
    /// Whether an existing resource has to be left alone, because it cannot become what is wanted.
    pub left_alone: Option<LeavesAlone>,
    /// What an existing resource, which is as the settings want it, still waits for: the end of a sentence about it.
    pub unfinished: Option<Unfinished>,
}

/// Takes what the user needs out of a resource, such as the DNS record that proves a domain; none when there is nothing to do.
pub type Told = fn(&Value) -> Option<Value>;

/// Takes out of a desired body what the resource itself, where it exists, and others of its type and parent do already; none
/// when nothing is left.
pub type Remainder = fn(desired: &Value, own: Option<&Value>, others: &[&Value]) -> Option<Value>;

/// Compares an existing body with the desired one.
pub type LeavesAlone = fn(&Value, &Value) -> Option<LeftAlone>;

/// Takes an existing body, and everything else that was read.
pub type Unfinished = fn(&Value, &HashMap<ResourceId, Value>) -> Option<String>;

/// Why an existing resource is left alone, and with it what is below it or needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAlone {
    /// The code of the error.
    pub code: Code,
    /// The reason, as the end of a sentence.
    pub reason: String,
    /// What to do, in complete sentences.
    pub recommendation: String,
}

impl ResourceType {
    /// What holds for most types; the base of the entries.
    const PLAIN: ResourceType = ResourceType {
        name: "",
        label: "",
        api_version: "",
        listing: Listing::InGroup,
        longest_operation: Duration::from_secs(30 * 60),
        taggable: false,
        read_only: &[],
        fixed: &[],
        sets: &[],
        any_case: &[],
        joined: &[],
        secret: &[],
        told: None,
        remainder: None,
        also_listed_as: None,
        left_alone: None,
        unfinished: None,
    };

    /// Whether the value at a path, as a plan shows it (`properties.webhookReceivers[name].serviceUri`), is a secret.
    #[must_use]
    pub fn is_secret(&self, path: &str) -> bool {
        // Names of items may have dots in them.
        let mut depth = 0_u32;
        let without_names: String = path
            .chars()
            .filter(|character| {
                depth += u32::from(*character == '[');
                let outside = depth == 0;
                depth -= u32::from(*character == ']' && depth > 0);
                outside
            })
            .collect();
        self.secret.iter().any(|secret| {
            let mut secret = secret.split('.').map(|member| member.trim_end_matches("[]"));
            let mut members = without_names.split('.');
            loop {
                match (secret.next(), members.next()) {
                    (Some("*"), Some(_)) | (None, _) => return true,
                    (Some(member), Some(other)) if member.eq_ignore_ascii_case(other) => {}
                    _ => return false,
                }
            }
        })
    }

    /// Every secret of a body of the type.
    #[must_use]
    pub fn secrets_of<'a>(&self, body: &'a Value) -> Vec<&'a str> {
        let mut found = Vec::new();
        for path in self.secret {
            collect(body, path, &mut found);
        }
        found
    }
}

/// The texts at a path.
fn collect<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a str>) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::String(text) if path.is_empty() => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, path, found)),
        Value::Object(members) => {
            for (name, member) in members {
                if path.is_empty() || first == "*" || name.eq_ignore_ascii_case(first.trim_end_matches("[]")) {
                    collect(member, rest, found);
                }
            }
        }
        _ => {}
    }
}

/// How the resources of a type that exist are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Listing {
    /// One listing of the resource group has them all.
    InGroup,
    /// One listing of the parent resource has them all.
    InParent,
    /// Each is read by itself.
    Single,
    /// Each is read by a POST of its action `list`, because reading it shows no values.
    ListAction,
}

/// A property that keeps its value unless Azure allows the change.
#[derive(Debug)]
pub struct Fixed {
    /// Path in the body.
    pub path: &'static str,
    /// Whether Azure changes this value into that one.
    pub allows: fn(&str, &str) -> bool,
}

/// Resource groups.
pub static RESOURCE_GROUP: ResourceType = ResourceType {
    name: RESOURCE_GROUP_TYPE,
    label: "resource group",
    api_version: "2025-04-01",
    listing: Listing::Single,
    taggable: true,
    read_only: &["properties"],
    ..ResourceType::PLAIN
};

/// The table.
static RESOURCE_TYPES: &[&ResourceType] = &[
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

/// How many tags a type takes, and how long their keys may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagLimits {
    /// The most pairs.
    pub count: usize,
    /// The longest key, in characters.
    pub key_length: usize,
}

/// The limits of a type (Azure Resource Manager, "Use tags", limitations).
#[must_use]
pub fn tag_limits(resource_type: &str) -> TagLimits {
    let few = ["Microsoft.Network/privateDnsZones", "Microsoft.Cdn/profiles"];
    let begins =
        |prefix: &&str| resource_type.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    TagLimits {
        count: if few.iter().any(begins) { 15 } else { 50 },
        key_length: if resource_type.eq_ignore_ascii_case("Microsoft.Storage/storageAccounts") { 128 } else { 512 },
    }
}

/// Members every resource has and no request may set.
pub const ENVELOPE_READ_ONLY: &[&str] = &["id", "name", "type", "etag", "systemData", "properties.provisioningState"];

/// The facts of a type, ignoring case.
#[must_use]
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    RESOURCE_TYPES.iter().copied().find(|known| known.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_ignoring_case() {
        assert_eq!(
            resource_type("microsoft.storage/STORAGEACCOUNTS").map(|found| found.label),
            Some("storage account")
        );
        assert!(resource_type("Microsoft.Storage/other").is_none());
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
    fn entries_are_whole() {
        for entry in RESOURCE_TYPES {
            assert!(!entry.name.is_empty() && !entry.label.is_empty() && entry.api_version.len() >= 10, "{entry:?}");
        }
    }
}
