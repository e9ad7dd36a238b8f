//! The index that makes it quick to follow a path into the values of a document, however long a list or large an object is.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::document::counts_as_absent;

/// An object with more members than this gets an index.
const FEW: usize = 32;

/// Of the lists and objects of a document those that cannot be followed at once. They are known by where they are in memory: the
/// values of a document stay where they are.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The items that are not empty, of lists that have empty ones.
    items: HashMap<usize, Vec<usize>>,
    /// The first key of each that differ in letter case only, of large objects.
    keys: HashMap<usize, HashMap<String, String>>,
}

impl Index {
    #[must_use]
    pub(super) fn new(value: &Value) -> Index {
        let mut index = Index::default();
        index.add(value);
        index
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                if items.iter().any(counts_as_absent) {
                    let full = items.iter().enumerate().filter(|(_, item)| !counts_as_absent(item));
                    self.items.insert(address(items.as_slice()), full.map(|(place, _)| place).collect());
                }
                items.iter().for_each(|item| self.add(item));
            }
            Value::Object(members) => {
                if members.len() > FEW {
                    let mut keys = HashMap::with_capacity(members.len());
                    for key in members.keys() {
                        keys.entry(key.to_ascii_lowercase()).or_insert_with(|| key.clone());
                    }
                    self.keys.insert(address(members), keys);
                }
                members.values().for_each(|member| self.add(member));
            }
            _ => {}
        }
    }

    /// The index of an item when empty ones are counted, too.
    #[must_use]
    pub(super) fn item(&self, items: &[Value], item: usize) -> Option<usize> {
        match self.items.get(&address(items)) {
            Some(full) => full.get(item).copied(),
            None => (item < items.len()).then_some(item),
        }
    }

    /// A member of an object: by its exact key, then ignoring case.
    #[must_use]
    pub(super) fn member<'a>(&self, members: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
        members.get(key).or_else(|| match self.keys.get(&address(members)) {
            Some(keys) => members.get(keys.get(&key.to_ascii_lowercase())?),
            None => members.iter().find(|(other, _)| other.eq_ignore_ascii_case(key)).map(|(_, value)| value),
        })
    }
}

fn address<T: ?Sized>(value: &T) -> usize {
    std::ptr::from_ref(value).cast::<u8>() as usize
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn large_objects_and_lists_with_empty_items_are_followed_alike() {
        let large: Map<String, Value> = (0..100).map(|number| (format!("Key{number}"), number.into())).collect();
        let value = json!({"large": large, "small": {"A": 1, "a": 2}, "list": [1, "", 2, [null], 3], "full": [4, 5]});
        let index = Index::new(&value);
        let object = |key: &str| value[key].as_object().unwrap();
        assert_eq!(index.member(object("large"), "Key7"), Some(&json!(7)));
        assert_eq!(index.member(object("large"), "kEY99"), Some(&json!(99)));
        assert_eq!(index.member(object("large"), "key100"), None);
        assert_eq!(index.member(object("small"), "a"), Some(&json!(2)));
        let items = |key: &str| {
            let items = value[key].as_array().unwrap();
            (0..4).map(|item| index.item(items, item)).collect::<Vec<_>>()
        };
        assert_eq!(items("list"), [Some(0), Some(2), Some(4), None]);
        assert_eq!(items("full"), [Some(0), Some(1), None, None]);
    }
}
