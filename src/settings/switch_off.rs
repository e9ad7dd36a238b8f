//! Takes keys and items out of a document that is written: what stands at the path of a finding.

use super::yaml_document::{Written, WrittenKey};

/// The steps of a path as findings show it: `storageAccounts[2].accountType` has three.
#[must_use]
pub fn steps(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[']).map(|part| part.trim_end_matches(']').to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// The item of a list at a place of a document, in which only those are that count.
pub(super) fn item<'a>(items: &'a mut [Written], index: &str) -> Option<&'a mut Written> {
    items.iter_mut().filter(|item| item.is_on()).nth(index.parse().ok()?)
}

/// Switches off the innermost key on a path that may be missing, with what is told of it; an empty text leaves what is told. Returns
/// whether there is one.
pub fn switch_off(keys: &mut [WrittenKey], path: &[String], why: &str) -> bool {
    switch_off_innermost(keys, path, why, false)
}

/// Switches off the innermost key or item on a path that may be missing: an item of a list that may be missing, where it has others.
pub fn switch_off_item(keys: &mut [WrittenKey], path: &[String], why: &str) -> bool {
    switch_off_innermost(keys, path, why, true)
}

fn switch_off_innermost(keys: &mut [WrittenKey], path: &[String], why: &str, is_item_enough: bool) -> bool {
    let Some((name, rest)) = path.split_first() else { return false };
    let Some(key) = keys.iter_mut().find(|key| key.key == *name && !key.is_off) else { return false };
    let is_done = match (&mut key.value, rest) {
        (Written::Object(inner), _) => switch_off_innermost(inner, rest, why, is_item_enough),
        (Written::List(items), [index, rest @ ..]) => {
            let goes_alone = is_item_enough && !key.is_required && items.iter().filter(|item| item.is_on()).count() > 1;
            item(items, index).is_some_and(|item| {
                if let Written::Object(inner) = item
                    && switch_off_innermost(inner, rest, why, is_item_enough)
                {
                    return true;
                }
                if goes_alone {
                    *item = Written::Off(why.to_owned(), Box::new(std::mem::replace(item, Written::List(Vec::new()))));
                }
                goes_alone
            })
        }
        _ => false,
    };
    if !is_done && !key.is_required {
        key.is_off = true;
        if !why.is_empty() {
            key.comment = why.to_owned();
        }
        return true;
    }
    is_done
}

/// Switches on again what was switched off for something on a path, because it is there all the same without it.
pub fn switch_on(keys: &mut [WrittenKey], path: &[String]) -> bool {
    let Some((name, rest)) = path.split_first() else { return false };
    let Some(key) = keys.iter_mut().find(|key| key.key == *name) else { return false };
    let is_done = match (&mut key.value, rest) {
        (Written::Object(inner), _) => switch_on(inner, rest),
        (Written::List(items), [index, rest @ ..]) => match item(items, index) {
            Some(Written::Object(inner)) => switch_on(inner, rest),
            _ => false,
        },
        _ => false,
    };
    if !is_done && key.is_off {
        key.is_off = false;
        key.comment.clear();
        return true;
    }
    is_done
}

/// Whether every list without which a document is nothing is empty, or has only items of which the same is true.
#[must_use]
pub fn has_no_items(keys: &[WrittenKey]) -> bool {
    let lists: Vec<&Vec<Written>> = keys
        .iter()
        .filter(|key| key.is_required && !key.is_off)
        .filter_map(|key| if let Written::List(items) = &key.value { Some(items) } else { None })
        .collect();
    let is_empty = |item: &Written| matches!(item, Written::Object(keys) if has_no_items(keys));
    !lists.is_empty() && lists.iter().all(|items| items.iter().all(is_empty))
}

/// Takes the innermost item of a list on a path out of its list. Nothing where there is none.
pub fn take_item(keys: &mut [WrittenKey], path: &[String]) -> Option<Written> {
    let (name, rest) = path.split_first()?;
    let key = keys.iter_mut().find(|key| key.key == *name && !key.is_off)?;
    match (&mut key.value, rest) {
        (Written::Object(inner), _) => take_item(inner, rest),
        (Written::List(items), [index, rest @ ..]) => {
            if let Written::Object(inner) = item(items, index)?
                && let Some(taken) = take_item(inner, rest)
            {
                return Some(taken);
            }
            let index = (0..items.len()).filter(|index| items[*index].is_on()).nth(index.parse().ok()?)?;
            Some(items.remove(index))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::to_yaml;
    use super::*;

    fn keys() -> Vec<WrittenKey> {
        let mut keys =
            vec![WrittenKey::new("accounts", (&json!([{ "name": "a", "size": 1, "parts": ["x", "z"] }])).into())];
        keys[0].is_required = true;
        if let Written::List(items) = &mut keys[0].value
            && let Some(Written::Object(keys)) = items.first_mut()
        {
            keys.iter_mut().filter(|key| key.key == "name").for_each(|key| key.is_required = true);
        }
        keys
    }

    #[test]
    fn a_key_that_may_be_missing_is_switched_off() {
        let mut keys = keys();
        assert!(switch_off(&mut keys, &steps("accounts[0].size"), "Too large."));
        assert_eq!(
            to_yaml("", &keys),
            "accounts:\n  - name: a\n    # Too large.\n    #size: 1\n    parts:\n      - x\n      - z\n"
        );
        for path in ["accounts[0].size", "accounts[0].name", "accounts[0].other", "accounts[1].size", "accounts", ""] {
            assert!(!switch_off(&mut keys, &steps(path), ""), "{path}");
        }
    }

    #[test]
    fn an_item_is_switched_off_where_its_list_has_others() {
        let hooks = json!([{ "uri": "a", "name": "x" }, { "uri": "b" }, { "uri": "c", "name": "z" }]);
        let mut keys = vec![WrittenKey::new("hooks", (&hooks).into())];
        if let Written::List(items) = &mut keys[0].value {
            for item in items {
                let Written::Object(keys) = item else { continue };
                keys[0].is_required = true;
            }
        }
        let mut off = |path: &str| switch_off_item(&mut keys, &steps(path), "A secret.");
        // What may be missing goes alone, and what is off is not counted.
        assert!(off("hooks[2].name") && off("hooks[1].uri") && off("hooks[1].uri"));
        assert_eq!(
            to_yaml("", &keys),
            "hooks:\n  - uri: a\n    name: x\n  # A secret.\n  #- uri: b\n  # A secret.\n  #- uri: c\n  #  # A secret.\n  #  #name: z\n"
        );
        // The last one that counts goes with the list.
        assert!(switch_off_item(&mut keys, &steps("hooks[0].uri"), "A secret.") && keys[0].is_off);
        assert_eq!(
            to_yaml("", &keys),
            "# A secret.\n#hooks:\n#  - uri: a\n#    name: x\n#  - uri: b\n#  - uri: c\n#    # A secret.\n#    #name: z\n"
        );
        // A list that has to be there keeps its items.
        let mut keys = [WrittenKey { is_required: true, is_off: false, ..keys.remove(0) }];
        assert!(!switch_off_item(&mut keys, &steps("hooks[0].uri"), "A secret."));
        assert!(take_item(&mut keys, &steps("hooks[0].uri")).is_some());
        assert_eq!(take_item(&mut keys, &steps("hooks[0].uri")), None);
    }

    #[test]
    fn what_was_switched_off_can_be_switched_on_again() {
        let mut keys = keys();
        let before = keys.clone();
        assert!(!switch_on(&mut keys, &steps("accounts[0].size")));
        assert!(switch_off(&mut keys, &steps("accounts[0].size.unit"), "Too large."));
        assert!(switch_on(&mut keys, &steps("accounts[0].size.unit")));
        assert_eq!(keys, before);
    }

    #[test]
    fn a_document_without_items_is_nothing() {
        let mut keys = keys();
        assert!(!has_no_items(&keys));
        let groups: Value = json!([{ "alerts": [{ "name": "a" }] }]);
        let mut inner = WrittenKey { is_required: true, ..WrittenKey::new("groups", (&groups).into()) };
        if let Written::List(items) = &mut inner.value
            && let Some(Written::Object(keys)) = items.first_mut()
        {
            keys[0].is_required = true;
        }
        assert!(!has_no_items(std::slice::from_ref(&inner)));
        assert!(take_item(std::slice::from_mut(&mut inner), &steps("groups[0].alerts[0].name")).is_some());
        assert!(has_no_items(&[inner]));
        assert!(take_item(&mut keys, &steps("accounts[0]")).is_some());
        assert!(has_no_items(&keys));
        assert!(!has_no_items(&[]));
    }

    #[test]
    fn an_item_is_taken_out_of_its_list() {
        let mut keys = keys();
        assert_eq!(take_item(&mut keys, &steps("accounts[0].parts[1]")), Some(Written::Plain("z".into())));
        assert_eq!(take_item(&mut keys, &steps("accounts[1].name")), None);
        assert!(take_item(&mut keys, &steps("accounts[0].name")).is_some());
        assert_eq!(to_yaml("", &keys), "accounts: []\n");
    }
}
