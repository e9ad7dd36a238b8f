//! Texts of documents and servers in Markdown: as code, because nothing else keeps forges from reading names of people,
//! numbers of issues, links and markup in them.

use std::fmt::Write;

use crate::protocol::visible;

/// The number of characters of a text that are shown.
const SHOWN: usize = 500;

/// The beginning of a long text.
pub(in crate::report) fn clip(text: &str) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(SHOWN).collect();
    format!("{beginning}… ({count} characters)")
}

/// The longest row of backticks in a text.
pub(super) fn longest_ticks(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

/// A text as code in a line. Its marks are longer than any in it.
#[must_use]
pub fn code(text: &str) -> String {
    let text = visible(text);
    if text.trim().is_empty() {
        return format!("`\"{text}\"`");
    }
    let marks = "`".repeat(longest_ticks(&text) + 1);
    // One space on each side is taken away again.
    let has_edge = |edge: char| edge == '`' || edge == ' ';
    let space = if text.starts_with(has_edge) || text.ends_with(has_edge) { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}

/// A text as code in a cell of a table, which a bar would end.
#[must_use]
pub fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// The name of a type. Those that we give are words; those of types that nobody knows are parts of ids.
pub(super) fn label(text: &str, as_code: fn(&str) -> String) -> String {
    let is_word = |character: char| character.is_alphanumeric() || " -".contains(character);
    if text.chars().all(is_word) && !text.is_empty() { text.to_owned() } else { as_code(text) }
}

/// A text as a `code` element of HTML, escaped so that Markdown leaves it as it is.
pub(super) fn html_code(text: &str) -> String {
    let mut shown = String::from("<code>");
    for character in visible(text).chars() {
        // A name or an address is not known again by what reads it as Markdown.
        if character.is_alphanumeric() || " -".contains(character) {
            shown.push(character);
        } else {
            let _ = write!(shown, "&#{};", u32::from(character));
        }
    }
    shown.push_str("</code>");
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_of_code_are_longer_than_those_in_it() {
        assert_eq!(code("shop"), "`shop`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("``"), "``` `` ```");
        assert_eq!(code(" "), "`\" \"`");
        assert_eq!(code("a\nb\u{202e}"), "`a\\nb\\u{202e}`");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a <img> [x](y) `c` *d*"), "``a <img> [x](y) `c` *d*``");
    }

    #[test]
    fn the_name_of_a_type_is_plain_where_it_is_words() {
        assert_eq!(label("web app", code), "web app");
        assert_eq!(label("Contoso.Shop/carts", cell), "`Contoso.Shop/carts`");
    }

    #[test]
    fn text_in_html_has_no_markup() {
        assert_eq!(html_code("<b>@me"), "<code>&#60;b&#62;&#64;me</code>");
    }

    #[test]
    fn a_long_text_is_shortened() {
        let clipped = clip(&"ä".repeat(501));
        assert_eq!(clipped.chars().filter(|character| *character == 'ä').count(), SHOWN);
        assert!(clipped.ends_with("… (501 characters)"));
        assert_eq!(clip("short"), "short");
    }
}
