//! Compares a desired body with what exists, property by property, and only where the desired one says something.

use serde_json::Value;

use crate::azure::ResourceType;
use crate::desired::body::{list_key, member_of, same_text};
use crate::naming::same_location;

/// One property that differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// Path in the body: `properties.networkAcls.bypass`, `properties.logs[Audit].enabled`.
    pub(super) path: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// The properties of `desired` that `existing` has otherwise. Spelling that Azure normalises makes no difference.
pub(super) fn differences(resource_type: &ResourceType, desired: &Value, existing: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(resource_type, "", desired, Some(existing), &mut found);
    found
}

fn compare(
    resource_type: &ResourceType,
    path: &str,
    desired: &Value,
    existing: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    let existing = existing.filter(|value| !value.is_null());
    match (desired, existing) {
        // A null is a property that is not to be there. Some providers write an empty text or list instead.
        (Value::Null, None) => {}
        (Value::Null, Some(Value::String(text))) if text.is_empty() => {}
        (Value::Null, Some(existing)) => {
            found.push(Difference { path: path.to_owned(), before: Some(existing.clone()), after: None });
        }
        (Value::Array(items), None) if items.is_empty() => {}
        (Value::Object(members), Some(Value::Object(others))) => {
            for (key, member) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(resource_type, &path, member, member_of(others, key), found);
            }
        }
        (Value::Object(members), None) if !members.is_empty() => {
            for (key, member) in members {
                compare(resource_type, &format!("{path}.{key}"), member, None, found);
            }
        }
        (Value::Array(items), Some(Value::Array(others))) => compare_lists(resource_type, path, items, others, found),
        _ => {
            let same = existing.is_some_and(|existing| same_value(resource_type, path, desired, existing));
            if !same {
                found.push(Difference {
                    path: path.to_owned(),
                    before: existing.cloned(),
                    after: Some(desired.clone()),
                });
            }
        }
    }
}

/// Lists of objects are matched by their key; a list has no more items than the settings say.
fn compare_lists(
    resource_type: &ResourceType,
    path: &str,
    items: &[Value],
    others: &[Value],
    found: &mut Vec<Difference>,
) {
    let Some(key) = list_key(items) else {
        if !same_items(resource_type, path, items, others) {
            found.push(Difference {
                path: path.to_owned(),
                before: Some(Value::Array(others.to_vec())),
                after: Some(Value::Array(items.to_vec())),
            });
        }
        return;
    };
    let is_called =
        |item: &Value, name: &str| item.get(key).and_then(Value::as_str).is_some_and(|other| same_text(other, name));
    for item in items {
        let name = item.get(key).and_then(Value::as_str).unwrap_or_default();
        let path = format!("{path}[{name}]");
        match others.iter().find(|other| is_called(other, name)) {
            Some(other) => compare(resource_type, &path, item, Some(other), found),
            None => found.push(Difference { path, before: None, after: Some(item.clone()) }),
        }
    }
    for other in others {
        let name = other.get(key).and_then(Value::as_str).unwrap_or_default();
        if !items.iter().any(|item| is_called(item, name)) {
            found.push(Difference { path: format!("{path}[{name}]"), before: Some(other.clone()), after: None });
        }
    }
}

fn same_items(resource_type: &ResourceType, path: &str, items: &[Value], others: &[Value]) -> bool {
    let same = |one: &Value, other: &Value| same_value(resource_type, path, one, other);
    if items.len() != others.len() {
        return false;
    }
    if resource_type.sets.contains(&path) {
        return items.iter().all(|item| others.iter().any(|other| same(item, other)));
    }
    items.iter().zip(others).all(|(item, other)| same(item, other))
}

fn same_value(resource_type: &ResourceType, path: &str, one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) if path == "location" => same_location(one, other),
        (Value::String(one), Value::String(other)) if resource_type.any_case.contains(&path) => {
            one.eq_ignore_ascii_case(other)
        }
        (Value::String(one), Value::String(other)) if resource_type.sets.contains(&path) => words(one) == words(other),
        (Value::String(one), Value::String(other)) => same_text(one, other),
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Object(_), Value::Object(_)) | (Value::Array(_), Value::Array(_)) => {
            let mut found = Vec::new();
            compare(resource_type, path, one, Some(other), &mut found);
            found.is_empty()
        }
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
    use serde_json::json;

    use super::*;
    use crate::azure::resource_type;
    use crate::desired::body::{drop_nulls, overlay, writable};

    fn account(desired: Value, existing: Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        let account = resource_type("Microsoft.Storage/storageAccounts").unwrap();
        differences(account, &desired, &existing)
            .into_iter()
            .map(|found| (found.path, found.before, found.after))
            .collect()
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
        for existing in [json!({"properties": {}}), json!({"properties": {"cache": null, "header": "", "list": []}})] {
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
        overlay(&mut sent, &desired);
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
        overlay(&mut sent, &desired);
        assert_eq!(sent, json!({"rules": [{"name": "a", "on": true}, {"name": "b", "on": true, "etag": 1}]}));
    }

    #[test]
    fn what_is_sent_back_keeps_what_others_set() {
        let account = resource_type("Microsoft.Storage/storageAccounts").unwrap();
        let existing = json!({"id": "/x", "type": "T", "sku": {"name": "Standard_LRS", "tier": "Standard"}, "identity": null, "properties": {
            "creationTime": "2026", "provisioningState": "Succeeded", "largeFileSharesState": "Enabled",
            "networkAcls": {"bypass": "None", "virtualNetworkRules": [{"id": "/subnet", "state": "Succeeded"}]}}});
        let mut sent = writable(account, &existing);
        overlay(&mut sent, &json!({"properties": {"networkAcls": {"bypass": "AzureServices"}}}));
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
