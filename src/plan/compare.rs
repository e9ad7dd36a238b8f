//! Compares a desired body with what exists, property by property, and only where the desired one says something.

use serde_json::{Value, json};

use crate::azure::ResourceType;
use crate::desired::body::{drop_nulls, member_of, same_text};
use crate::desired::items::{items_of, pairs};
use crate::naming::same_location;

/// One property that differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// Path in the body: `properties.networkAcls.bypass`, `properties.logs[Audit].enabled`.
    pub(super) path: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// Where a value stands.
#[derive(Clone)]
pub(super) struct At {
    /// As it is shown: `properties.logs[Audit].enabled`.
    shown: String,
    /// As the tables of the types have it: `properties.logs[].enabled`.
    pattern: String,
}

impl At {
    /// The whole body.
    pub(super) fn root() -> At {
        At { shown: String::new(), pattern: String::new() }
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn pattern(&self) -> &str {
        &self.pattern
    }

    pub(super) fn member(&self, key: &str) -> At {
        let below = |path: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        At { shown: below(&self.shown), pattern: below(&self.pattern) }
    }

    pub(super) fn item(&self, label: &str) -> At {
        At { shown: format!("{}[{label}]", self.shown), pattern: items_of(&self.pattern) }
    }

    pub(super) fn is_in(&self, table: &[&str]) -> bool {
        table.contains(&self.pattern.as_str())
    }

    fn is_location(&self, resource_type: &ResourceType) -> bool {
        self.pattern.rsplit('.').next() == Some("location") || self.is_in(resource_type.locations)
    }

    fn differs(self, before: Option<&Value>, after: Option<&Value>) -> Difference {
        let after = after.map(|value| {
            let mut value = value.clone();
            drop_nulls(&mut value);
            value
        });
        Difference { path: self.shown, before: before.cloned(), after }
    }
}

/// The properties of `desired` that `existing` has otherwise. Spelling that Azure normalises makes no difference.
pub(super) fn differences(resource_type: &ResourceType, desired: &Value, existing: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(resource_type, At::root(), desired, Some(existing), &mut found);
    found
}

pub(super) fn compare(
    resource_type: &ResourceType,
    at: At,
    desired: &Value,
    existing: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    let existing = existing.filter(|value| !value.is_null());
    match (desired, existing) {
        // A null is a property that is not to be there. Some providers write what is empty instead.
        (Value::Null, existing) => {
            if let Some(existing) = existing.filter(|existing| !is_empty(existing)) {
                found.push(at.differs(Some(existing), None));
            }
        }
        (Value::Array(items), None) if items.is_empty() => {}
        (Value::Object(members), Some(Value::Object(others))) => {
            for (key, member) in members {
                compare(resource_type, at.member(key), member, member_of(others, key), found);
            }
            if at.is_in(resource_type.whole) {
                for (key, other) in others.iter().filter(|(key, _)| member_of(members, key).is_none()) {
                    found.push(at.member(key).differs(Some(other), None));
                }
            }
        }
        (Value::Object(members), None) if !members.is_empty() => {
            for (key, member) in members {
                compare(resource_type, at.member(key), member, None, found);
            }
        }
        (Value::Array(items), Some(Value::Array(others))) => compare_lists(resource_type, at, items, others, found),
        _ => {
            let same = existing.is_some_and(|existing| same_value(resource_type, &at, desired, existing));
            if !same {
                found.push(at.differs(existing, Some(desired)));
            }
        }
    }
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Lists of objects are compared item by item, others whole; a list has no more items than the settings say.
fn compare_lists(resource_type: &ResourceType, at: At, items: &[Value], others: &[Value], found: &mut Vec<Difference>) {
    let Some(pairs) = pairs(resource_type, &at.pattern, items, others) else {
        if !same_items(resource_type, &at, items, others) {
            found.push(at.differs(Some(&json!(others)), Some(&json!(items))));
        }
        return;
    };
    for pair in pairs {
        let at = at.item(&pair.label);
        match pair.wanted {
            Some(wanted) if pair.known.is_some() => compare(resource_type, at, wanted, pair.known, found),
            wanted => found.push(at.differs(pair.known, wanted)),
        }
    }
}

/// Whether two lists of plain values are the same; in a set, a value that stands twice stands there.
fn same_items(resource_type: &ResourceType, at: &At, items: &[Value], others: &[Value]) -> bool {
    let same = |one: &Value, other: &Value| same_value(resource_type, at, one, other);
    if at.is_in(resource_type.sets) {
        let all = |some: &[Value], more: &[Value]| some.iter().all(|one| more.iter().any(|other| same(one, other)));
        return all(items, others) && all(others, items);
    }
    items.len() == others.len() && items.iter().zip(others).all(|(item, other)| same(item, other))
}

fn same_value(resource_type: &ResourceType, at: &At, one: &Value, other: &Value) -> bool {
    match (one, other) {
        // Tags are texts of people.
        (Value::String(one), Value::String(other)) if at.pattern.starts_with("tags.") => one == other,
        (Value::String(one), Value::String(other)) if at.is_location(resource_type) => same_location(one, other),
        (Value::String(one), Value::String(other)) if at.is_in(resource_type.any_case) => {
            one.eq_ignore_ascii_case(other)
        }
        (Value::String(one), Value::String(other)) if at.is_in(resource_type.sets) => words(one) == words(other),
        (Value::String(one), Value::String(other)) => same_text(one, other),
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

/// The comma-separated words of the first text, and those of the second that it has not.
pub(super) fn joined(known: &str, wanted: &str) -> String {
    let has = words(known);
    let missing = wanted.split(',').map(str::trim).filter(|word| !has.contains(&word.to_ascii_lowercase()));
    std::iter::once(known).filter(|known| !known.is_empty()).chain(missing).collect::<Vec<_>>().join(", ")
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split(',').map(|word| word.trim().to_ascii_lowercase()).collect();
    words.sort();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::resource_type;
    use crate::desired::body::{drop_nulls, overlay, writable};

    fn account(desired: Value, existing: Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        found(storage_account(), &desired, &existing)
    }

    fn storage_account() -> &'static ResourceType {
        resource_type("Microsoft.Storage/storageAccounts").unwrap()
    }

    fn found(kind: &ResourceType, desired: &Value, existing: &Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        differences(kind, desired, existing).into_iter().map(|found| (found.path, found.before, found.after)).collect()
    }

    #[test]
    fn spelling_that_azure_normalises_is_no_difference() {
        let desired = json!({"location": "UK South", "properties": {"a": {"id": "/subscriptions/X"}, "window": "PT24H", "n": 1, "networkAcls": {"bypass": "Logging, Metrics"}, "z": null, "none": []}});
        let existing = json!({"location": "uksouth", "properties": {"A": {"id": "/Subscriptions/x"}, "window": "P1D", "n": 1.0, "networkAcls": {"bypass": "Metrics,Logging"}, "more": 5}});
        assert_eq!(account(desired, existing), []);
    }

    #[test]
    fn single_properties_are_told_apart() {
        let desired = json!({"sku": {"name": "Standard_LRS"}, "properties": {"on": false, "acls": {"action": "Deny"}, "list": [1, 2]}});
        let existing =
            json!({"sku": {"name": "Standard_GRS", "tier": "Standard"}, "properties": {"on": true, "list": [2, 1]}});
        assert_eq!(
            account(desired, existing),
            [
                ("sku.name".to_owned(), Some(json!("Standard_GRS")), Some(json!("Standard_LRS"))),
                ("properties.on".to_owned(), Some(json!(true)), Some(json!(false))),
                ("properties.acls.action".to_owned(), None, Some(json!("Deny"))),
                ("properties.list".to_owned(), Some(json!([2, 1])), Some(json!([1, 2]))),
            ]
        );
    }

    #[test]
    fn a_null_is_a_property_that_is_not_to_be_there() {
        let desired = json!({"properties": {"cache": null, "header": null, "list": []}});
        for existing in [json!({"properties": {}}), json!({"properties": {"cache": {}, "header": "", "list": []}})] {
            assert_eq!(account(desired.clone(), existing), []);
        }
        let existing = json!({"properties": {"cache": {"on": true}, "header": "h", "list": [1], "more": 1}});
        assert_eq!(
            account(desired.clone(), existing.clone()),
            [
                ("properties.cache".to_owned(), Some(json!({"on": true})), None),
                ("properties.header".to_owned(), Some(json!("h")), None),
                ("properties.list".to_owned(), Some(json!([1])), Some(json!([]))),
            ]
        );
        let mut sent = existing;
        overlay(storage_account(), &mut sent, &desired);
        drop_nulls(&mut sent);
        assert_eq!(sent, json!({"properties": {"list": [], "more": 1}}));
    }

    #[test]
    fn lists_of_objects_are_matched_by_name() {
        let desired = json!({"rules": [{"name": "a", "on": true}, {"name": "b", "on": true}]});
        let existing =
            json!({"rules": [{"name": "b", "on": true, "etag": 1}, {"name": "a", "on": false}, {"name": "c"}]});
        assert_eq!(
            account(desired.clone(), existing.clone()),
            [
                ("rules[a].on".to_owned(), Some(json!(false)), Some(json!(true))),
                ("rules[c]".to_owned(), Some(json!({"name": "c"})), None)
            ]
        );
        let mut sent = existing;
        overlay(storage_account(), &mut sent, &desired);
        assert_eq!(sent, json!({"rules": [{"name": "a", "on": true}, {"name": "b", "on": true, "etag": 1}]}));
    }

    #[test]
    fn one_changed_value_in_an_item_without_a_key_is_that_value_and_what_others_set_in_it_stays() {
        let rule = resource_type("Microsoft.Insights/scheduledQueryRules").unwrap();
        let desired = json!({"properties": {"criteria": {"allOf": [{"query": "Heartbeat", "threshold": 5, "dimensions": null}]}}});
        let existing = json!({"properties": {"criteria": {"allOf": [
            {"query": "Heartbeat", "threshold": 3.0, "resourceIdColumn": "_ResourceId", "dimensions": []}]}}});
        let path = "properties.criteria.allOf[0].threshold".to_owned();
        assert_eq!(found(rule, &desired, &existing), [(path, Some(json!(3.0)), Some(json!(5)))]);
        let mut sent = existing;
        overlay(rule, &mut sent, &desired);
        drop_nulls(&mut sent);
        let item = json!({"query": "Heartbeat", "threshold": 5, "resourceIdColumn": "_ResourceId"});
        assert_eq!(sent["properties"]["criteria"]["allOf"], json!([item]));
        // One more item is that item, without what is not to be there.
        let two = json!({"properties": {"criteria": {"allOf": [item, {"query": "Event", "dimensions": null}]}}});
        let path = "properties.criteria.allOf[1]".to_owned();
        assert_eq!(found(rule, &two, &sent), [(path.clone(), None, Some(json!({"query": "Event"})))]);
        let gone = found(rule, &sent, &json!({"properties": {"criteria": {"allOf": [item, {"query": "Event"}]}}}));
        assert_eq!(gone, [(path, Some(json!({"query": "Event"})), None)]);
    }

    #[test]
    fn conditions_of_activity_log_alerts_have_no_order() {
        let rule = resource_type("Microsoft.Insights/activityLogAlerts").unwrap();
        let any = |field: &str, values: &[&str]| -> Value {
            let leaves: Vec<Value> = values.iter().map(|value| json!({"field": field, "equals": value})).collect();
            json!({ "anyOf": leaves })
        };
        let body = |conditions: Value| json!({"properties": {"condition": {"allOf": conditions}}});
        let category = json!({"field": "category", "equals": "ResourceHealth", "containsAny": null});
        let desired = body(json!([
            {"field": "category", "equals": "ResourceHealth"},
            any("status", &["Active", "Resolved"]),
            any("resourceType", &["Microsoft.Compute/virtualMachines"]),
        ]));
        let existing = body(json!([
            any("RESOURCETYPE", &["microsoft.compute/VirtualMachines"]),
            any("status", &["Resolved", "Active"]),
            category,
        ]));
        assert_eq!(found(rule, &desired, &existing), []);
        let other =
            body(json!([category, any("status", &["Updated", "Active"]), {"field": "resourceType", "equals": "a/b"}]));
        let leaf = |value: &str| json!({"field": "status", "equals": value});
        let types = any("resourceType", &["Microsoft.Compute/virtualMachines"]);
        let path = |end: &str| format!("properties.condition.allOf[{end}");
        assert_eq!(
            found(rule, &desired, &other),
            [
                (path("any status].anyOf[Resolved]"), None, Some(leaf("Resolved"))),
                (path("any status].anyOf[Updated]"), Some(leaf("Updated")), None),
                (path("any resourceType]"), None, Some(types)),
                (path("resourceType]"), Some(json!({"field": "resourceType", "equals": "a/b"})), None),
            ]
        );
        // What is of another form is not laid over it: Azure takes one of the forms in a condition.
        let mut sent = other;
        overlay(rule, &mut sent, &desired);
        drop_nulls(&mut sent);
        assert_eq!(sent, desired);
    }

    #[test]
    fn locations_and_resource_types_are_compared_as_such_wherever_they_stand() {
        let rule = resource_type("Microsoft.Insights/metricAlerts").unwrap();
        let desired = json!({"properties": {"targetResourceRegion": "uksouth", "targetResourceType": "Microsoft.Compute/virtualMachines",
            "criteria": {"allOf": [{"name": "Alert Criteria 0", "metricNamespace": "Microsoft.Compute/virtualMachines",
                "dimensions": [{"name": "Disk", "values": ["1", "2"]}]}]}}});
        let existing = json!({"properties": {"targetResourceRegion": "UK South", "targetResourceType": "microsoft.compute/virtualmachines",
            "criteria": {"allOf": [{"name": "Alert Criteria 0", "metricNamespace": "MICROSOFT.COMPUTE/virtualMachines",
                "dimensions": [{"name": "Disk", "values": ["2", "1", "1"]}]}]}}});
        assert_eq!(found(rule, &desired, &existing), []);
        let service = resource_type("Microsoft.ApiManagement/service").unwrap();
        let places = |text: &str| json!({"properties": {"additionalLocations": [{"location": text}]}});
        assert_eq!(found(service, &places("uksouth"), &places("UK South")), []);
        assert_eq!(found(service, &places("uksouth"), &places("UK West")).len(), 1);
    }

    #[test]
    fn sets_inside_items_have_no_order() {
        let endpoint = resource_type("Microsoft.Network/privateEndpoints").unwrap();
        let groups = |ids: &[&str]| json!({"properties": {"privateLinkServiceConnections": [{"name": "c", "properties": {"groupIds": ids}}]}});
        assert_eq!(found(endpoint, &groups(&["blob", "file"]), &groups(&["file", "blob"])), []);
        assert_eq!(found(endpoint, &groups(&["blob"]), &groups(&["file", "blob"])).len(), 1);
    }

    #[test]
    fn what_is_sent_back_keeps_what_others_set() {
        let account = resource_type("Microsoft.Storage/storageAccounts").unwrap();
        let existing = json!({"id": "/x", "type": "T", "sku": {"name": "Standard_LRS", "tier": "Standard"}, "identity": null, "properties": {
            "creationTime": "2026", "provisioningState": "Succeeded", "largeFileSharesState": "Enabled",
            "networkAcls": {"bypass": "None", "virtualNetworkRules": [{"id": "/subnet", "state": "Succeeded"}]}}});
        let mut sent = writable(account, &existing);
        overlay(account, &mut sent, &json!({"properties": {"networkAcls": {"bypass": "AzureServices"}}}));
        assert_eq!(
            sent,
            json!({"sku": {"name": "Standard_LRS"}, "properties": {"largeFileSharesState": "Enabled",
                "networkAcls": {"bypass": "AzureServices", "virtualNetworkRules": [{"id": "/subnet"}]}}})
        );
    }

    #[test]
    fn words_that_others_added_stay() {
        assert_eq!(joined("UserAssigned", "SystemAssigned"), "UserAssigned, SystemAssigned");
        assert_eq!(joined("SystemAssigned,UserAssigned", "SystemAssigned"), "SystemAssigned,UserAssigned");
        assert_eq!(joined("", "SystemAssigned"), "SystemAssigned");
    }

    #[test]
    fn letter_case_of_a_stack_makes_no_difference() {
        let app = resource_type("Microsoft.Web/sites").unwrap();
        let stack = |text: &str| json!({"properties": {"siteConfig": {"linuxFxVersion": text}}});
        assert_eq!(differences(app, &stack("NODE|22-lts"), &stack("node|22-LTS")), []);
        assert_eq!(differences(app, &stack("NODE|24-lts"), &stack("NODE|22-lts")).len(), 1);
    }

    #[test]
    fn what_azure_sets_in_each_member_is_not_sent_back() {
        let app = resource_type("Microsoft.Web/sites").unwrap();
        let identity = json!({"identity": {"type": "UserAssigned", "userAssignedIdentities": {"/a.b": {"clientId": "1", "principalId": "2"}}}});
        let sent = json!({"identity": {"type": "UserAssigned", "userAssignedIdentities": {"/a.b": {}}}});
        assert_eq!(writable(app, &identity), sent);
    }
}
