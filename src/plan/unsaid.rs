//! The properties of an existing resource that no setting says: they stay as they are, and who reads a document of the resource has to know.

use serde_json::{Value, json};

use super::change::shown;
use super::compare::{At, compare};
use super::found::{Siblings, found};
use super::sentences;
use crate::azure::{Listing, ResourceId, ResourceType};
use crate::desired::Desired;
use crate::desired::body::{self, member_of};
use crate::desired::items::pairs;

/// The number of properties of one resource that are told; the rest is counted.
const MOST: usize = 12;
/// The members that items of lists are called by.
const NAMES: &[&str] = &["name", "id", "value", "resourceId"];
/// The longest value that is shown, in characters.
const LONGEST: usize = 60;

/// The sentence about what an existing resource has and no setting of a desired one says; none where there is nothing to be told.
#[must_use]
pub fn unsaid(desired: &Desired, siblings: &Siblings<'_>) -> Option<String> {
    let (resource, existing) = found(desired, siblings);
    let kind = resource.resource_type;
    // Settings of apps may be anything, secrets included, and those of others always stay.
    let is_told = resource.watch.is_none() && !resource.keep_existing && kind.listing != Listing::ListAction;
    let existing = existing.filter(|_| is_told)?;
    let named = kind.remainder.and_then(|remainder| remainder(&resource.body, Some(existing), &mut std::iter::empty()));
    let wanted = named.as_ref().unwrap_or(&resource.body);
    let references = resource.references.iter().chain(&resource.creation_references).map(|reference| reference.path);
    let said = resource.origins.iter().map(|(path, _)| *path).chain(references).collect();
    let mut search = Search { kind, said, told: Vec::new() };
    search.look(&At::root(), Some(wanted), Some(&resource.creation_body), &others_own(kind, existing));
    search.sentence(&resource.id)
}

/// The same of a resource of which no setting says anything.
#[must_use]
pub fn unsaid_of(id: &ResourceId, kind: &ResourceType, existing: &Value) -> Option<String> {
    let mut search = Search { kind, said: Vec::new(), told: Vec::new() };
    search.look(&At::root(), None, None, &others_own(kind, existing));
    search.sentence(id)
}

/// The existing body without what Azure sets by itself, and without tags: a document has none of those.
fn others_own(kind: &ResourceType, existing: &Value) -> Value {
    let mut own = body::writable(kind, existing);
    body::take(&mut own, "tags");
    own
}

struct Search<'a> {
    kind: &'a ResourceType,
    /// The paths that a setting says, or another resource.
    said: Vec<&'static str>,
    /// Each property with its value.
    told: Vec<String>,
}

impl Search<'_> {
    /// Notes what is in a value and not in the wanted one, nor as a new resource has it.
    fn look(&mut self, at: &At, wanted: Option<&Value>, created: Option<&Value>, known: &Value) {
        match (wanted, known) {
            (Some(Value::Array(wanted)), Value::Array(known)) => {
                let items = pairs(self.kind, at.pattern(), wanted, known).into_iter().flatten();
                for (pair, known) in items.filter_map(|pair| pair.known.map(|known| (pair, known))) {
                    // A plan shows what goes with the item.
                    if pair.wanted.is_none() && self.is_a_setting(at) {
                        continue;
                    }
                    let own = item_of(known, pair.wanted.is_some());
                    self.look(&at.item(&pair.label), pair.wanted, None, &own);
                }
            }
            (Some(Value::Object(_)) | None, Value::Object(members)) if !is_map(members) => {
                // What is off has nothing else to tell.
                if wanted.is_none() && members.get("enabled") == Some(&Value::Bool(false)) {
                    return;
                }
                let below = |value: Option<&'_ Value>, key: &str| {
                    value.and_then(Value::as_object).and_then(|members| member_of(members, key)).cloned()
                };
                for (key, member) in members {
                    let (wanted, created) = (below(wanted, key), below(created, key));
                    self.look(&at.member(key), wanted.as_ref(), created.as_ref(), member);
                }
            }
            (Some(_), _) => {}
            (None, known) => {
                if !self.is_usual(at, known) && !self.is_a_setting(at) && !self.is_as_created(at, created, known) {
                    self.told.push(format!("{} {}", at.shown(), self.text(at, known)));
                }
            }
        }
    }

    fn is_usual(&self, at: &At, known: &Value) -> bool {
        match self.kind.usual.iter().find(|(path, _)| path.eq_ignore_ascii_case(at.pattern())) {
            Some((_, values)) => {
                let text = plain(known);
                values.iter().any(|usual| *usual == "*" || usual.eq_ignore_ascii_case(&text))
            }
            None => match known {
                Value::Null | Value::Bool(false) => true,
                Value::String(text) => ["", "None", "False"].iter().any(|off| text.eq_ignore_ascii_case(off)),
                Value::Array(items) => items.is_empty(),
                Value::Object(members) => members.is_empty(),
                _ => false,
            },
        }
    }

    /// Whether there is a setting for just this: a document that does not have it says why.
    fn is_a_setting(&self, at: &At) -> bool {
        self.said.contains(&at.pattern())
    }

    fn is_as_created(&self, at: &At, created: Option<&Value>, known: &Value) -> bool {
        let mut found = Vec::new();
        created.is_some_and(|created| {
            compare(self.kind, at.clone(), created, Some(known), &mut found);
            found.is_empty()
        })
    }

    /// A value in short: the names of what a list or a map has, and of an id the last part.
    fn text(&self, at: &At, value: &Value) -> String {
        let names = |names: Vec<String>| format!("[{}]", names.join(", "));
        match value {
            _ if self.kind.is_secret(at.shown()) => shown(self.kind, at.shown(), value).to_string(),
            Value::Array(items) => names(items.iter().map(name).collect()),
            Value::Object(members) => names(members.keys().map(|key| name(&json!(key))).collect()),
            other => name(other),
        }
    }

    fn sentence(self, id: &ResourceId) -> Option<String> {
        let Search { kind, mut told, .. } = self;
        let more = told.len().saturating_sub(MOST);
        told.truncate(MOST);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let name = sentences::short_name(id, kind.label);
        (!told.is_empty()).then(|| format!("The {name} keeps what no setting says: {}{more}.", told.join(", ")))
    }
}

/// An item of a list, and of one that is known again what it has beside its own id.
fn item_of(item: &Value, is_known_again: bool) -> Value {
    let mut item = item.clone();
    if let Some(members) = item.as_object_mut().filter(|_| is_known_again) {
        members.retain(|key, _| !["id", "etag", "type"].contains(&key.as_str()));
    }
    item
}

/// Whether the members of an object are called by ids: they are a list.
fn is_map(members: &serde_json::Map<String, Value>) -> bool {
    members.keys().any(|key| key.contains('/'))
}

/// A value as the tables of the types have it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The name of a value: an item of a list by its name or its id.
fn name(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let named = NAMES.iter().filter_map(|key| members.get(*key)).find(|name| name.is_string());
            named.map_or_else(|| "{…}".to_owned(), name)
        }
        Value::String(text) => {
            let is_id = text.starts_with("/subscriptions/");
            let text = if is_id { text.rsplit('/').next().unwrap_or_default() } else { text };
            let cut: String = text.chars().take(LONGEST).collect();
            Value::from(if cut.len() < text.len() { format!("{cut}…") } else { cut }).to_string()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::types::{PUBLIC_IP_ADDRESS, SCHEDULED_QUERY_RULE, STORAGE_ACCOUNT};
    use crate::desired::World;
    use crate::settings::{Document, Place, SettingsPath};

    const ID: &str = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/this";

    fn told(kind: &'static ResourceType, body: Value, creation_body: Value, existing: Value) -> Option<String> {
        let document = Document::from_object(json!({})).unwrap();
        let id = ResourceId::new(ID);
        let resource = Desired {
            creation_body,
            origins: vec![("properties.minimumTlsVersion", "minimumTlsVersion"), ("properties.criteria", "conditions")],
            ..Desired::new(id.clone(), kind, body, Place::value(&document, SettingsPath::root()))
        };
        unsaid(&resource, &Siblings::in_world(&World::Known([(id, existing)].into())))
    }

    #[test]
    fn what_no_setting_says_is_told_once() {
        let existing = json!({
            "id": ID, "name": "this", "tags": {"a": "b"}, "location": "uksouth",
            "identity": {"type": "UserAssigned", "userAssignedIdentities": {"/subscriptions/s/x/keys": {"clientId": "c"}}},
            "properties": {
                "provisioningState": "Succeeded",
                "minimumTlsVersion": "TLS1_0",
                "accessTier": "Cool",
                "allowSharedKeyAccess": false,
                "isHnsEnabled": true,
                "isSftpEnabled": false,
                "publicNetworkAccess": "Enabled",
                "creationTime": "2026-01-01",
                "networkAcls": {
                    "bypass": "AzureServices", "defaultAction": "Deny", "virtualNetworkRules": [],
                    "ipRules": [{"action": "Allow", "value": "192.0.2.1"}],
                },
                "sasPolicy": {"expirationAction": "Log", "enabled": false},
            },
        });
        let wanted = json!({"location": "uksouth", "properties": {"networkAcls": {"defaultAction": "Deny"}}});
        let created =
            json!({"properties": {"networkAcls": {"bypass": "AzureServices"}, "minimumTlsVersion": "TLS1_2"}});
        assert_eq!(
            told(&STORAGE_ACCOUNT, wanted, created, existing).unwrap(),
            "The storage account 'this' keeps what no setting says: properties.accessTier \"Cool\", \
             properties.allowSharedKeyAccess false, properties.isHnsEnabled true, properties.networkAcls.ipRules [\"192.0.2.1\"], \
             identity.type \"UserAssigned\", identity.userAssignedIdentities [\"keys\"]."
        );
    }

    #[test]
    fn what_is_usual_is_not_told() {
        for (kind, existing) in [
            (
                &PUBLIC_IP_ADDRESS,
                json!({"zones": ["1", "2", "3"], "properties": {"idleTimeoutInMinutes": 4, "ipTags": []}}),
            ),
            (&SCHEDULED_QUERY_RULE, json!({"kind": "LogAlert", "properties": {"displayName": "Any"}})),
        ] {
            assert_eq!(told(kind, json!({}), Value::Null, existing), None);
        }
        let zonal = told(&PUBLIC_IP_ADDRESS, json!({}), Value::Null, json!({"zones": ["1"]})).unwrap();
        assert!(zonal.ends_with("zones [\"1\"]."), "{zonal}");
    }

    /// A setting above a property says nothing of what it does not have.
    #[test]
    fn items_are_told_where_they_have_more() {
        let criterion = |more: Value| {
            let mut criterion =
                json!({"query": "T", "operator": "Equals", "dimensions": [{"name": "a", "values": ["b"]}]});
            criterion.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"properties": {"criteria": {"allOf": [criterion]}}})
        };
        let existing = criterion(json!({"resourceIdColumn": "_ResourceId"}));
        let told = told(&SCHEDULED_QUERY_RULE, criterion(json!({})), Value::Null, existing).unwrap();
        assert!(told.ends_with(": properties.criteria.allOf[0].resourceIdColumn \"_ResourceId\"."), "{told}");
    }

    #[test]
    fn many_properties_are_counted() {
        let properties: serde_json::Map<String, Value> = (0..20).map(|at| (format!("p{at:02}"), json!(at))).collect();
        let told = told(&STORAGE_ACCOUNT, json!({}), Value::Null, json!({ "properties": properties })).unwrap();
        assert!(told.ends_with("properties.p11 11, and 8 more."), "{told}");
    }
}
