//! The words of a query. Nothing is refused here: what is not known is a sign.
//!
//! Source: Kusto query language reference, "Entity names", "Scalar data types" and "The string data type".

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword; `in~` and `!has` are one word.
    Word,
    /// A number without a unit.
    Number,
    /// A length of time: `30m`.
    Span,
    /// A string in any of its forms.
    Text,
    /// A string without an end.
    Unfinished,
    /// An operator, a bracket, a comma.
    Sign,
}

/// A token and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    /// In bytes.
    pub(crate) start: usize,
}

impl Token<'_> {
    /// The byte after it.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is(&self, kind: TokenKind, text: &str) -> bool {
        self.kind == kind && self.text == text
    }

    pub(crate) fn is_sign(&self, text: &str) -> bool {
        self.is(TokenKind::Sign, text)
    }

    pub(crate) fn is_word(&self, text: &str) -> bool {
        self.is(TokenKind::Word, text)
    }
}

/// Signs of more than one character, the longer ones first.
const LONG_SIGNS: &[&str] = &["==", "=~", "!=", "!~", "<=", ">=", "<>", "=>", ".."];
/// The fences that strings of several lines stand between.
const FENCES: &[&str] = &["```", "~~~"];

/// The units of time, with their lengths in minutes.
const UNITS: &[(&[&str], f64)] = &[
    (&["d", "day", "days"], 1440.0),
    (&["h", "hr", "hrs", "hour", "hours"], 60.0),
    (&["m", "min", "mins", "minute", "minutes"], 1.0),
    (&["s", "sec", "secs", "second", "seconds"], 1.0 / 60.0),
    (&["ms", "milli", "millis", "millisecond", "milliseconds"], 1.0 / 60_000.0),
    (&["micro", "micros", "microsecond", "microseconds"], 1.0 / 60_000_000.0),
    (&["tick", "ticks"], 1.0 / 600_000_000.0),
];

/// The minutes of a literal such as `1.5h`; none for what is not one.
pub(crate) fn minutes(literal: &str) -> Option<f64> {
    let digits = literal.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = literal.split_at(digits);
    let (_, length) = UNITS.iter().find(|(names, _)| names.contains(&unit))?;
    let number: f64 = number.parse().ok()?;
    Some(number * length)
}

/// The tokens of a query, without spaces and comments.
pub(crate) fn tokens(query: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < query.len() {
        let rest = &query[start..];
        let length = match blank_length(rest) {
            0 => {
                let (kind, length) = token(rest);
                found.push(Token { kind, text: &rest[..length], start });
                length
            }
            length => length,
        };
        start += length;
    }
    found
}

/// The length of the space or the comment that the text begins with.
fn blank_length(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    text.find(|letter: char| !letter.is_whitespace()).unwrap_or(text.len())
}

fn token(text: &str) -> (TokenKind, usize) {
    let first = text.chars().next().unwrap_or_default();
    if let Some(found) = string(text) {
        return found;
    }
    if first.is_ascii_digit() {
        return number(text);
    }
    let negated = text.strip_prefix('!').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphabetic()));
    if is_of_word(first) || first == '$' || negated {
        return (TokenKind::Word, word_length(text, usize::from(!is_of_word(first))));
    }
    let long = LONG_SIGNS.iter().find(|sign| text.starts_with(**sign));
    (TokenKind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A word that begins after `skipped` bytes; `in~`, `!in~` and `has_any~` are one word.
fn word_length(text: &str, skipped: usize) -> usize {
    let end = text[skipped..].find(|letter: char| !is_of_word(letter)).map_or(text.len(), |end| skipped + end);
    let is_in = ["in", "!in"].contains(&&text[..end]);
    end + usize::from(is_in && text[end..].starts_with('~'))
}

/// A number, with its exponent or its unit of time. What begins with a digit and is neither is a word.
fn number(text: &str) -> (TokenKind, usize) {
    let whole = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let fraction = text[whole..].strip_prefix('.').map_or(0, |rest| {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        if digits == 0 { 0 } else { digits + 1 }
    });
    let digits = whole + fraction;
    let length = word_length(text, digits);
    let after = &text[digits..length];
    if after.is_empty() || (whole == 1 && text.starts_with("0x")) {
        return (TokenKind::Number, length);
    }
    if minutes(&text[..length]).is_some() {
        return (TokenKind::Span, length);
    }
    if let Some(exponent) = after.strip_prefix(['e', 'E']) {
        let signed = exponent.is_empty() && text[length..].starts_with(['+', '-']);
        let end = if signed { word_length(text, length + 1) } else { length };
        let digits = if signed { &text[length + 1..end] } else { exponent };
        if !digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit()) {
            return (TokenKind::Number, end);
        }
    }
    (TokenKind::Word, length)
}

/// A string: `"a"`, `'a'`, `@"a"`, either with an `h` before it, or one of several lines.
fn string(text: &str) -> Option<(TokenKind, usize)> {
    let hidden = usize::from(text.starts_with(['h', 'H']) && text[1..].starts_with(['"', '\'', '@', '`', '~']));
    let body = &text[hidden..];
    for fence in FENCES {
        if let Some(rest) = body.strip_prefix(fence) {
            let end = rest.find(fence).map(|end| hidden + fence.len() + end + fence.len());
            return Some(end.map_or((TokenKind::Unfinished, text.len()), |end| (TokenKind::Text, end)));
        }
    }
    let verbatim = body.starts_with('@');
    let quoted = &body[usize::from(verbatim)..];
    let quote = quoted.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let before = hidden + usize::from(verbatim) + 1;
    let mut letters = quoted[1..].char_indices().peekable();
    while let Some((index, letter)) = letters.next() {
        match letter {
            // A string of one line ends with it.
            '\n' | '\r' => return Some((TokenKind::Unfinished, before + index)),
            '\\' if !verbatim => {
                letters.next();
            }
            letter if letter == quote => {
                let doubled = verbatim && letters.peek().is_some_and(|(_, next)| *next == quote);
                if !doubled {
                    return Some((TokenKind::Text, before + index + 1));
                }
                letters.next();
            }
            _ => {}
        }
    }
    Some((TokenKind::Unfinished, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(query: &str) -> Vec<String> {
        let text = |token: &Token<'_>| format!("{:?} {}", token.kind, token.text);
        tokens(query).iter().map(text).collect()
    }

    #[test]
    fn tokens_are_told_apart() {
        let table: &[(&str, &[&str])] = &[
            ("T | where a_1 == 2", &["Word T", "Sign |", "Word where", "Word a_1", "Sign ==", "Number 2"]),
            ("a!in~(b)", &["Word a", "Word !in~", "Sign (", "Word b", "Sign )"]),
            ("a in~ (b)", &["Word a", "Word in~", "Sign (", "Word b", "Sign )"]),
            ("a !has b != c !~ d", &["Word a", "Word !has", "Word b", "Sign !=", "Word c", "Sign !~", "Word d"]),
            ("$left.A => 1..2", &["Word $left", "Sign .", "Word A", "Sign =>", "Number 1", "Sign ..", "Number 2"]),
            (
                "1h 1.5d 30min 2 0x1F 1e3 2.5e-3",
                &["Span 1h", "Span 1.5d", "Span 30min", "Number 2", "Number 0x1F", "Number 1e3", "Number 2.5e-3"],
            ),
            ("1year 1.a", &["Word 1year", "Number 1", "Sign .", "Word a"]),
            (
                "\"a\\\"b\" 'c' h'd' @\"e\\\" @'f''g' h@\"i\"",
                &["Text \"a\\\"b\"", "Text 'c'", "Text h'd'", "Text @\"e\\\"", "Text @'f''g'", "Text h@\"i\""],
            ),
            ("```a\n'b``` ~~~c | d~~~", &["Text ```a\n'b```", "Text ~~~c | d~~~"]),
            ("a // b | \"c\n| d //", &["Word a", "Sign |", "Word d"]),
            ("'http://x' h", &["Text 'http://x'", "Word h"]),
            ("'a\nb", &["Unfinished 'a", "Word b"]),
            ("\"a", &["Unfinished \"a"]),
            ("```a", &["Unfinished ```a"]),
            ("ü = 'é'", &["Word ü", "Sign =", "Text 'é'"]),
            ("§€", &["Sign §", "Sign €"]),
            (" \n// only a comment", &[]),
        ];
        for (query, expected) in table {
            assert_eq!(shown(query), *expected, "{query}");
        }
    }

    #[test]
    fn tokens_know_where_they_are() {
        let query = "T // ü\n | where 'é' == b;";
        for token in tokens(query) {
            assert_eq!(&query[token.start..token.end()], token.text);
        }
    }

    #[test]
    fn lengths_of_time_are_minutes() {
        for (literal, expected) in [("1d", 1440.0), ("1.5h", 90.0), ("30m", 30.0), ("90s", 1.5), ("2days", 2880.0)] {
            assert_eq!(minutes(literal), Some(expected), "{literal}");
        }
        for literal in ["", "30", "m", "1x", "1..5h", "1h30m", "-1h", "1h "] {
            assert_eq!(minutes(literal), None, "{literal}");
        }
    }
}
