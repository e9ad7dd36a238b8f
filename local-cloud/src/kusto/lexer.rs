//! The words of a query.
//!
//! Source: "Entity names", "Scalar data types", "The string data type" and "Comments" of the language reference.

/// The kinds of words in a query, with the values that they stand for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A name or a keyword; `in~` and `!has` are one.
    Name,
    Number(f64),
    /// A length of time, in minutes.
    Span(f64),
    /// `datetime(…)`: minutes since 1970.
    Time(f64),
    Text(String),
    Sign,
}

/// A word, and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'q> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'q str,
}

impl Token<'_> {
    /// Whether it is this name or sign.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Name | TokenKind::Sign)
    }
}

/// Signs of two characters.
const PAIRS: &[&str] = &["==", "=~", "!=", "!~", "<=", ">=", "<>", "=>", ".."];

/// Every word of a query, or what is wrong with it.
pub(crate) fn tokens(query: &str) -> Result<Vec<Token<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else {
            let (kind, length) = token(rest)?;
            found.push(Token { kind, text: &rest[..length] });
            rest = &rest[length..];
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

fn token(text: &str) -> Result<(TokenKind, usize), String> {
    if let Some(string) = string(text)? {
        return Ok(string);
    }
    if let Some((literal, _)) = text.strip_prefix("datetime(").and_then(|rest| rest.split_once(')'))
        && let Some(time) = minutes_of(literal.trim())
    {
        return Ok((TokenKind::Time(time), "datetime(".len() + literal.len() + 1));
    }
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name_from = |start: usize| text[start..].find(|letter| !of_name(letter)).map_or(text.len(), |end| start + end);
    let first = text.chars().next().unwrap_or_default();
    if first.is_ascii_digit() {
        return Ok(number(text));
    }
    let negated = usize::from(first == '!' && text[1..].starts_with(char::is_alphabetic));
    if of_name(first) || first == '$' || negated == 1 {
        let end = name_from(first.len_utf8());
        let tilde = ["in", "!in"].contains(&&text[..end]) && text[end..].starts_with('~');
        return Ok((TokenKind::Name, end + usize::from(tilde)));
    }
    let pair = PAIRS.iter().any(|pair| text.starts_with(pair));
    Ok((TokenKind::Sign, if pair { 2 } else { first.len_utf8() }))
}

/// A number, with its unit where it is a length of time. What begins with a digit and is neither is a name.
fn number(text: &str) -> (TokenKind, usize) {
    let end = |start: usize| {
        text[start..].find(|letter: char| !letter.is_ascii_digit()).map_or(text.len(), |length| start + length)
    };
    let whole = end(0);
    // `1..2` is a range.
    let fraction =
        text[whole..].strip_prefix('.').filter(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let digits = if fraction.is_some() { end(whole + 1) } else { whole };
    let unit = text[digits..].find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len() - digits);
    let value: f64 = text[..digits].parse().unwrap_or_default();
    let kind = match unit_minutes(&text[digits..digits + unit]) {
        _ if unit == 0 => TokenKind::Number(value),
        Some(length) => TokenKind::Span(value * length),
        None => TokenKind::Name,
    };
    (kind, digits + unit)
}

/// The minutes in a unit of time.
pub(crate) fn unit_minutes(unit: &str) -> Option<f64> {
    Some(match unit {
        "d" | "day" | "days" => 1440.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 60.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0 / 60.0,
        "ms" | "milli" | "millis" | "millisecond" | "milliseconds" => 1.0 / 60_000.0,
        "micro" | "micros" | "microsecond" | "microseconds" => 1.0 / 60_000_000.0,
        "tick" | "ticks" => 1.0 / 600_000_000.0,
        _ => return None,
    })
}

/// The minutes since 1970 of a time in RFC 3339, or of a date.
pub(crate) fn minutes_of(text: &str) -> Option<f64> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let time = time::OffsetDateTime::parse(&whole, &time::format_description::well_known::Rfc3339).ok()?;
    Some(time.unix_timestamp_nanos() as f64 / 60e9)
}

/// A string in one of its forms: `"a"`, `'a'`, `@'a'` in which a quote is doubled, `h"a"`, or of several lines.
fn string(text: &str) -> Result<Option<(TokenKind, usize)>, String> {
    let hidden = usize::from(text.starts_with(['h', 'H']) && text[1..].starts_with(['"', '\'', '@', '`', '~']));
    let body = &text[hidden..];
    for fence in ["```", "~~~"] {
        if let Some(rest) = body.strip_prefix(fence) {
            let end = rest.find(fence).ok_or_else(|| unfinished(text))?;
            return Ok(Some((TokenKind::Text(rest[..end].to_owned()), hidden + end + 2 * fence.len())));
        }
    }
    let verbatim = body.starts_with('@');
    let quoted = &body[usize::from(verbatim)..];
    let Some(quote) = quoted.chars().next().filter(|first| ['"', '\''].contains(first)) else { return Ok(None) };
    let (mut value, mut letters) = (String::new(), quoted[1..].char_indices().peekable());
    while let Some((index, letter)) = letters.next() {
        match letter {
            '\n' => break,
            '\\' if !verbatim => value.push(escaped(letters.next().ok_or_else(|| unfinished(text))?.1)),
            _ if letter == quote => {
                if !(verbatim && letters.next_if(|(_, next)| *next == quote).is_some()) {
                    return Ok(Some((TokenKind::Text(value), hidden + usize::from(verbatim) + index + 2)));
                }
                value.push(quote);
            }
            _ => value.push(letter),
        }
    }
    Err(unfinished(text))
}

fn escaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}

fn unfinished(text: &str) -> String {
    format!("the string that begins with {} has no end", text.chars().take(20).collect::<String>())
}
