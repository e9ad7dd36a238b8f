//! The words about a document that is written: comments above its keys and items, and the same as sentences of their own.

use super::switch_off::item;
use super::yaml_document::{Written, WrittenKey};

/// The beginning of the comment of a key that does not count.
const LEFT_OUT: &str = "Left out";

/// The comment above a key that is left out, with the reason.
#[must_use]
pub fn left_out(why: &str) -> String {
    format!("{LEFT_OUT}: {}.", why.trim_end_matches('.'))
}

/// The same of one that a plan would change in any case.
#[must_use]
pub fn left_out_as_changed(why: &str) -> String {
    format!("{LEFT_OUT}, for it would be changed: {}.", why.trim_end_matches('.'))
}

/// Puts a sentence above the item or the key at a path, or above the innermost one on it. Returns whether there is one.
pub fn tell_at(keys: &mut [WrittenKey], path: &[String], sentence: &str) -> bool {
    let Some((name, rest)) = path.split_first() else { return false };
    let Some(key) = keys.iter_mut().find(|key| key.key == *name && !key.is_off) else { return false };
    let is_done = match (&mut key.value, rest) {
        (Written::Object(inner), _) => tell_at(inner, rest, sentence),
        (Written::List(items), [index, rest @ ..]) => match item(items, index) {
            Some(Written::Object(inner)) => tell_at(inner, rest, sentence) || tell_above(inner, sentence),
            _ => false,
        },
        _ => false,
    };
    if !is_done {
        add(key, sentence);
    }
    true
}

/// Above an item stands what stands above the first of its keys that counts.
fn tell_above(item: &mut [WrittenKey], sentence: &str) -> bool {
    let first = item.iter_mut().find(|key| !key.is_off);
    first.map(|key| add(key, sentence)).is_some()
}

fn add(key: &mut WrittenKey, sentence: &str) {
    if !key.comment.is_empty() {
        key.comment.push('\n');
    }
    key.comment.push_str(sentence);
}

/// The comments of a document as sentences that can stand alone.
#[must_use]
pub fn told(keys: &[WrittenKey]) -> Vec<String> {
    let mut sentences = Vec::new();
    collect(keys, "", &mut sentences);
    sentences
}

fn collect(keys: &[WrittenKey], of: &str, sentences: &mut Vec<String>) {
    for key in keys {
        let tell = |what: &str, line: &str| match line.strip_prefix(LEFT_OUT) {
            Some(rest) => format!("{what}'{}'{of} is left out{rest}", key.key),
            None => line.to_owned(),
        };
        sentences.extend(key.comment.lines().map(|line| tell("", line)));
        match &key.value {
            Written::Object(inner) if !key.is_off => collect(inner, of, sentences),
            Written::List(items) if !key.is_off => {
                for item in items {
                    match item {
                        Written::Object(inner) => {
                            let name = name(inner).map_or_else(|| of.to_owned(), |name| format!(" of '{name}'"));
                            collect(inner, &name, sentences);
                        }
                        Written::Off(why, _) => sentences.extend(why.lines().map(|line| tell("An item of ", line))),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// The name of an item: by its first key, which is its name.
fn name(item: &[WrittenKey]) -> Option<&str> {
    let Written::Plain(value) = &item.first()?.value else { return None };
    value.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{steps, switch_off, switch_off_item, to_yaml};
    use super::*;

    fn keys() -> Vec<WrittenKey> {
        let accounts = json!([{ "name": "a", "size": 1, "parts": ["x"] }, { "name": "b", "size": 2, "parts": ["y"] }]);
        vec![WrittenKey::new("accounts", (&accounts).into()), WrittenKey::new("location", Written::Plain("x".into()))]
    }

    #[test]
    fn what_is_told_stands_above_what_it_is_about_and_by_itself() {
        let mut keys = keys();
        switch_off(&mut keys, &steps("accounts[0].size"), &left_out("too large."));
        switch_off(&mut keys, &steps("location"), &left_out_as_changed("x -> y"));
        for path in ["accounts[1]", "accounts[1].missing", "accounts[1].parts[0]"] {
            assert!(tell_at(&mut keys, &steps(path), &format!("Of {path}.")), "{path}");
        }
        assert!(!tell_at(&mut keys, &steps("nothing[0]"), "Lost."));
        assert_eq!(
            to_yaml("", &keys),
            "accounts:\n  - name: a\n    # Left out: too large.\n    #size: 1\n    parts:\n      - x\n  # Of accounts[1].\n  # Of \
             accounts[1].missing.\n  - name: b\n    size: 2\n    # Of accounts[1].parts[0].\n    parts:\n      - 'y'\n\
             # Left out, for it would be changed: x -> y.\n#location: x\n"
        );
        assert_eq!(
            told(&keys),
            [
                "'size' of 'a' is left out: too large.",
                "Of accounts[1].",
                "Of accounts[1].missing.",
                "Of accounts[1].parts[0].",
                "'location' is left out, for it would be changed: x -> y.",
            ]
        );
    }

    #[test]
    fn an_item_that_is_off_is_told() {
        let hooks = json!([{ "name": "a", "hooks": [{ "uri": "b" }, { "uri": "c" }] }]);
        let mut keys = vec![WrittenKey::new("groups", (&hooks).into())];
        assert!(switch_off_item(&mut keys, &steps("groups[0].hooks[1]"), &left_out("a secret")));
        assert_eq!(told(&keys), ["An item of 'hooks' of 'a' is left out: a secret."]);
        assert!(tell_at(&mut keys, &steps("groups[0].hooks[0].uri"), "Of b.") && !told(&keys)[0].is_empty());
    }
}
