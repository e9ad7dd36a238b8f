//! The words that the sentences of messages need.

use std::borrow::Cow;

use serde_json::Value;

/// The nearest of the known words, when one is near enough to have been meant.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&word, &other.to_ascii_lowercase());
    let (best, best_distance) = known.map(|other| (other, distance(other))).min_by_key(|(_, distance)| *distance)?;
    (best_distance <= 1 + word.chars().count() / 4).then_some(best)
}

/// The choices as the end of a sentence: `Standard, Premium or Basic`.
#[must_use]
pub fn alternatives<T: AsRef<str>>(choices: &[T]) -> String {
    let choices: Vec<&str> = choices.iter().map(AsRef::as_ref).collect();
    match choices.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => choices.concat(),
    }
}

/// The sentence about a value that is not one of the choices. Where the list is long, it names the nearest one.
pub fn not_valid<T: AsRef<str>>(value: &str, choices: &[T]) -> String {
    format!("'{value}' is {}", not_valid_unquoted(value, choices))
}

/// The same without the value, for values that may be secrets in the wrong place.
pub fn not_valid_unquoted<T: AsRef<str>>(value: &str, choices: &[T]) -> String {
    let near = nearest(value, choices.iter().map(AsRef::as_ref)).filter(|_| choices.len() > 4);
    let hint = near.map_or("; use ".to_owned(), |near| format!(", did you mean '{near}'? Use "));
    format!("not valid{hint}{}", alternatives(choices))
}

/// The most findings, or warnings at one time, that are shown; nobody reads more of them at once.
pub const MOST_SHOWN: usize = 100;

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn listed(items: &[String]) -> String {
    match items {
        [first @ .., before, last] if !first.is_empty() => format!("{}, {before} and {last}", first.join(", ")),
        items => items.join(" and "),
    }
}

/// The number of names that are told of several; the rest is counted.
const NAMES_TOLD: usize = 3;

/// The first three of several names, and how many more there are: `a; b; c; … and 9 more`.
#[must_use]
pub fn first_of(names: &[String], separator: &str) -> String {
    match names.len().checked_sub(NAMES_TOLD) {
        Some(more) if more > 0 => {
            format!("{}{separator}… and {more} more", names[..NAMES_TOLD].join(separator))
        }
        _ => names.join(separator),
    }
}

/// A number as people read it: `199,900`.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `s` unless the count is one.
#[must_use]
pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Whether a character is carried out by a terminal, or is not seen and changes how the rest is read.
#[must_use]
pub fn is_misleading(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Marks of the reading direction.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
            // Line breaks that only some programs take for one, and what has no width.
            | '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// A text on one line, with what misleads written out: `a\u{202e}b`.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if is_misleading(character) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            _ => shown.push(character),
        }
    }
    shown
}

/// JSON text in which what misleads is written out as JSON does it: files and outputs for programs are read by people as well.
#[must_use]
pub fn escaped_json(json: String) -> String {
    // What is misleading in ASCII is escaped by JSON itself, but for the last.
    let is_escaped = |character: char| character >= '\u{7f}' && is_misleading(character);
    if !json.contains(is_escaped) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_escaped(character) {
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// The beginning of a text that is longer, with an ellipsis behind it.
#[must_use]
pub fn cut(text: &str, most_characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most_characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_shows_what_misleads_and_means_the_same() {
        let value = serde_json::json!({"a\u{202e}b": "\u{9b}2J \u{7f} \u{1b} é 𝒳 \u{2066}"});
        let json = escaped_json(serde_json::to_string_pretty(&value).unwrap_or_default());
        assert!(json.contains(r"a\u202eb") && json.contains(r"\u009b2J \u007f \u001b é 𝒳 \u2066"), "{json}");
        assert!(json.chars().all(|character| character == '\n' || !is_misleading(character)), "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json).ok(), Some(value));
    }

    #[test]
    fn long_numbers_have_groups() {
        let shown = [0, 999, 1000, 12_345, 1_000_000].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "12,345", "1,000,000"]);
    }

    #[test]
    fn lists_end_with_and() {
        let shown = |items: &[&str]| listed(&items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
        assert_eq!((shown(&["a"]).as_str(), shown(&["a", "b"]).as_str()), ("a", "a and b"));
        assert_eq!(shown(&["a", "b", "c", "d"]), "a, b, c and d");
    }

    #[test]
    fn alternatives_end_with_or() {
        assert_eq!(alternatives::<&str>(&[]), "");
        assert_eq!(alternatives(&["LRS"]), "LRS");
        assert_eq!(alternatives(&["LRS", "ZRS"]), "LRS or ZRS");
        assert_eq!(alternatives(&["LRS", "ZRS", "GRS"]), "LRS, ZRS or GRS");
    }

    #[test]
    fn three_names_are_told_and_the_rest_is_counted() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(first_of(&names[..3], "; "), "a; b; c");
        assert_eq!(first_of(&names[..4], "; "), "a; b; c; … and 1 more");
        assert_eq!(first_of(&names, ", "), "a, b, c, … and 2 more");
    }

    #[test]
    fn the_nearest_of_many_choices_is_named() {
        assert_eq!(not_valid("Standrd", &["Standard", "Premium"]), "'Standrd' is not valid; use Standard or Premium");
        let many = ["Storage", "StorageV2", "BlobStorage", "FileStorage", "BlockBlobStorage"];
        assert_eq!(
            not_valid("StorageV3", &many),
            "'StorageV3' is not valid, did you mean 'StorageV2'? Use Storage, StorageV2, BlobStorage, FileStorage or BlockBlobStorage"
        );
        assert_eq!(
            not_valid("Tape", &many),
            "'Tape' is not valid; use Storage, StorageV2, BlobStorage, FileStorage or BlockBlobStorage"
        );
    }
}
