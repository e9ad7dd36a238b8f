//! What the sentences of messages need.

use serde_json::Value;

/// The nearest of the known words, when one is near enough to have been meant.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&word, &other.to_ascii_lowercase());
    let (best, best_distance) = known.map(|other| (other, distance(other))).min_by_key(|(_, distance)| *distance)?;
    (best_distance <= 1 + word.chars().count() / 4).then_some(best)
}

/// `s` unless the count is one.
#[must_use]
pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Calls `visit` with each value that is no object, and its path.
pub fn leaves(path: &str, value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                leaves(&path, member, visit);
            }
        }
        _ => visit(path, value),
    }
}
