//! The changes between two states of a resource, in the form of what-if. Source: azure-rest-api-specs, Microsoft.Resources,
//! `WhatIfPropertyChange`.

use serde_json::{Map, Value, json};

/// The members of lists of objects that say which object is which.
const NAMES: &[&str] = &["name", "id", "category", "categoryGroup"];

/// Every change of a property, with its path.
pub(super) fn between(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Value> {
    let mut changes = Vec::new();
    of_objects(before, after, "", &mut changes);
    changes
}

fn of_objects(before: &Map<String, Value>, after: &Map<String, Value>, path: &str, changes: &mut Vec<Value>) {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, value) in before {
        of_values(value, after.get(name).unwrap_or(&Value::Null), &join(name), changes);
    }
    for (name, value) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        of_values(&Value::Null, value, &join(name), changes);
    }
}

fn of_values(before: &Value, after: &Value, path: &str, changes: &mut Vec<Value>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) => of_objects(before, after, path, changes),
        (Value::Array(before), Value::Array(after)) => {
            let children = of_lists(before, after);
            if !children.is_empty() {
                changes.push(json!({"path": path, "propertyChangeType": "Array", "before": before, "after": after, "children": children}));
            }
        }
        (Value::Null, _) => changes.push(json!({"path": path, "propertyChangeType": "Create", "after": after})),
        (_, Value::Null) => changes.push(json!({"path": path, "propertyChangeType": "Delete", "before": before})),
        _ => changes.push(json!({"path": path, "propertyChangeType": "Modify", "before": before, "after": after})),
    }
}

/// Items are the same ones where they are equal or have the same name; their order does not matter.
fn of_lists(before: &[Value], after: &[Value]) -> Vec<Value> {
    let mut left: Vec<(usize, &Value)> = after.iter().enumerate().filter(|(_, item)| !before.contains(item)).collect();
    let mut children = Vec::new();
    for (index, item) in before.iter().enumerate().filter(|(_, item)| !after.contains(item)) {
        match left.iter().position(|(_, other)| is_same_one(item, other)).map(|at| left.remove(at)) {
            Some((_, other)) => {
                let mut inner = Vec::new();
                of_values(item, other, "", &mut inner);
                children.push(json!({"path": index.to_string(), "propertyChangeType": "Modify", "before": item, "after": other, "children": inner}));
            }
            None => children.push(json!({"path": index.to_string(), "propertyChangeType": "Delete", "before": item})),
        }
    }
    for (index, item) in left {
        children.push(json!({"path": index.to_string(), "propertyChangeType": "Create", "after": item}));
    }
    children
}

fn is_same_one(one: &Value, other: &Value) -> bool {
    NAMES.iter().any(|name| one.get(*name).is_some() && one.get(*name) == other.get(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_every_change_with_its_path() {
        let before = json!({"a": {"same": 1, "gone": true, "other": "x"}, "list": [1, 2], "parts": [{"name": "p", "v": 1}, {"name": "q"}]});
        let after = json!({"a": {"same": 1, "other": "y"}, "list": [2, 1], "parts": [{"name": "r"}, {"name": "p", "v": 2}], "new": []});
        assert_eq!(
            Value::Array(between(before.as_object().unwrap(), after.as_object().unwrap())),
            json!([
                {"path": "a.gone", "propertyChangeType": "Delete", "before": true},
                {"path": "a.other", "propertyChangeType": "Modify", "before": "x", "after": "y"},
                {"path": "parts", "propertyChangeType": "Array", "before": before["parts"], "after": after["parts"], "children": [
                    {"path": "0", "propertyChangeType": "Modify", "before": {"name": "p", "v": 1}, "after": {"name": "p", "v": 2}, "children": [
                        {"path": "v", "propertyChangeType": "Modify", "before": 1, "after": 2},
                    ]},
                    {"path": "1", "propertyChangeType": "Delete", "before": {"name": "q"}},
                    {"path": "0", "propertyChangeType": "Create", "after": {"name": "r"}},
                ]},
                {"path": "new", "propertyChangeType": "Create", "after": []},
            ])
        );
    }
}
