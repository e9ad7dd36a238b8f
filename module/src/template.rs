//! Filling templates, and the few things of PowerShell's and XML's syntax that the generator needs.

/// Replaces each `@NAME@` of the template by its value. A value that is a block of lines stands without its last line
/// break, because the line of the placeholder has one.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

/// Joins lines, without a line break at the end.
pub(crate) fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// Text as a single-quoted string of PowerShell, in which nothing is expanded.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Text as the content of an XML element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Breaks text at blanks into lines of at most `width` characters, each behind `indent` blanks. A longer word has a line
/// of its own.
pub(crate) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let mut wrapped: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match wrapped.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => wrapped.push(format!("{:indent$}{word}", "")),
        }
    }
    wrapped.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_wherever_they_stand() {
        assert_eq!(fill("@A@ and @B@, @A@", &[("A", "1"), ("B", "2")]), "1 and 2, 1");
    }

    #[test]
    fn quotes_in_text_are_doubled() {
        assert_eq!(quote("it's"), "'it''s'");
    }

    #[test]
    fn signs_of_xml_are_escaped() {
        assert_eq!(escape("a && b -> <c>"), "a &amp;&amp; b -&gt; &lt;c&gt;");
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 2, 9), "  one two\n  three");
        assert_eq!(wrap("incomprehensibilities are", 2, 9), "  incomprehensibilities\n  are");
        assert_eq!(wrap("", 2, 9), "");
    }
}
