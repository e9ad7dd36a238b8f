//! The pairs of items of two lists that are one and the same: by their key where they have one, else by their position. Comparing and
//! writing both ask here, so that what is shown is what is sent.

use serde_json::Value;

use super::body::same_text;
use crate::azure::ResourceType;

/// Members that tell the items of a list apart, whatever its type.
const KEYS: [&str; 2] = ["name", "id"];

/// An item of a wanted list, of an existing one, or of both.
#[derive(Debug)]
pub(crate) struct Pair<'a> {
    /// The key of the item, or its position: what stands in brackets in a path.
    pub(crate) label: String,
    pub(crate) wanted: Option<&'a Value>,
    pub(crate) known: Option<&'a Value>,
}

/// The path of the items of a list, as the tables of the types write it: `properties.rules[]`.
pub(crate) fn items_of(list: &str) -> String {
    format!("{list}[]")
}

/// The items of two lists, those that are wanted first and in their order; none for lists of plain values, which are compared
/// whole. `list` is the path of the list, as the tables of the types write it.
pub(crate) fn pairs<'a>(
    resource_type: &ResourceType,
    list: &str,
    wanted: &'a [Value],
    known: &'a [Value],
) -> Option<Vec<Pair<'a>>> {
    if !wanted.iter().chain(known).any(Value::is_object) {
        return None;
    }
    let key = key_of(resource_type, list, if wanted.is_empty() { known } else { wanted });
    let Some(key) = key else { return Some(by_position(wanted, known)) };
    let mut left: Vec<(usize, &Value)> = known.iter().enumerate().collect();
    let mut pairs = Vec::with_capacity(wanted.len());
    for item in wanted {
        let label = key(item).unwrap_or_default();
        let position = left.iter().position(|(_, other)| key(other).is_some_and(|other| same_key(&other, &label)));
        pairs.push(Pair { wanted: Some(item), known: position.map(|position| left.remove(position).1), label });
    }
    pairs.extend(left.into_iter().map(|(index, other)| Pair {
        label: key(other).unwrap_or_else(|| index.to_string()),
        wanted: None,
        known: Some(other),
    }));
    Some(pairs)
}

fn by_position<'a>(wanted: &'a [Value], known: &'a [Value]) -> Vec<Pair<'a>> {
    (0..wanted.len().max(known.len()))
        .map(|index| Pair { label: index.to_string(), wanted: wanted.get(index), known: known.get(index) })
        .collect()
}

/// Reads the key of an item.
type Key = Box<dyn Fn(&Value) -> Option<String>>;

/// Whether every item of a list has a key, each another one.
pub(crate) fn have_keys(resource_type: &ResourceType, list: &str, items: &[Value]) -> bool {
    items.is_empty() || key_of(resource_type, list, items).is_some()
}

/// The key that every item has, each another one: that of the type, else a name or an id.
fn key_of(resource_type: &ResourceType, list: &str, items: &[Value]) -> Option<Key> {
    let of_type = resource_type.item_keys.iter().find(|(known, _)| *known == list).map(|(_, key)| *key);
    if let Some(key) = of_type {
        return tells_apart(items, &key).then(|| Box::new(key) as _);
    }
    KEYS.into_iter().find_map(|member| {
        let key = move |item: &Value| Some(item.get(member)?.as_str()?.to_owned());
        tells_apart(items, &key).then(|| Box::new(key) as _)
    })
}

fn tells_apart(items: &[Value], key: &dyn Fn(&Value) -> Option<String>) -> bool {
    let keys: Option<Vec<String>> = items.iter().map(key).collect();
    keys.is_some_and(|keys| {
        let is_first = |(index, key): (usize, &String)| !keys[..index].iter().any(|other| same_key(other, key));
        keys.iter().enumerate().all(is_first)
    })
}

/// Names in Azure ignore case.
fn same_key(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || same_text(one, other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::resource_type;

    fn labels(wanted: Value, known: Value) -> Vec<(String, bool, bool)> {
        let kind = resource_type("Microsoft.Storage/storageAccounts").unwrap();
        let (wanted, known) = (wanted.as_array().unwrap().clone(), known.as_array().unwrap().clone());
        let pairs = pairs(kind, "properties.list", &wanted, &known).unwrap();
        pairs.into_iter().map(|pair| (pair.label, pair.wanted.is_some(), pair.known.is_some())).collect()
    }

    fn label(text: &str, wanted: bool, known: bool) -> (String, bool, bool) {
        (text.to_owned(), wanted, known)
    }

    #[test]
    fn names_tell_items_apart() {
        assert_eq!(
            labels(json!([{"name": "a"}, {"name": "b"}]), json!([{"name": "c"}, {"x": 1}, {"name": "B"}])),
            [label("a", true, false), label("b", true, true), label("c", false, true), label("1", false, true)]
        );
    }

    #[test]
    fn a_name_that_stands_twice_tells_nothing_apart() {
        assert_eq!(
            labels(json!([{"name": "a"}, {"name": "a"}]), json!([{"name": "a"}])),
            [label("0", true, true), label("1", true, false)]
        );
        // Of two existing ones of a name, the second goes.
        assert_eq!(
            labels(json!([{"name": "a"}]), json!([{"name": "a"}, {"name": "a"}])),
            [label("a", true, true), label("a", false, true)]
        );
    }

    #[test]
    fn items_without_a_key_are_told_apart_by_their_position() {
        assert_eq!(
            labels(json!([{"x": 1}]), json!([{"x": 2, "name": "n"}, {"x": 1}])),
            [label("0", true, true), label("1", false, true)]
        );
    }

    #[test]
    fn an_empty_list_takes_every_item_out() {
        assert_eq!(labels(json!([]), json!([{"name": "a"}])), [label("a", false, true)]);
        let kind = resource_type("Microsoft.Storage/storageAccounts").unwrap();
        assert!(pairs(kind, "properties.list", &[], &[json!(1)]).is_none());
    }
}
