//! What Azure Monitor refuses in the query of an alert rule. Queries are not run: there are no tables.
//!
//! Sources: azure-monitor-docs, alerts-create-log-alert-rule.md (plugins, `ago()` with a literal); Kusto query language reference,
//! "The string data type" and "Comments".

/// Plugins that the queries of alert rules may not call.
const REFUSED_PLUGINS: &[&str] = &["bag_unpack", "pivot", "narrow"];
const UNITS_OF_TIME: &[&str] = &[
    "d",
    "day",
    "days",
    "h",
    "hr",
    "hrs",
    "hour",
    "hours",
    "m",
    "min",
    "minute",
    "minutes",
    "s",
    "sec",
    "second",
    "seconds",
    "ms",
    "milli",
    "millis",
    "millisecond",
    "milliseconds",
    "micro",
    "microsecond",
    "microseconds",
    "tick",
    "ticks",
];

/// What is wrong with a query, as the end of a sentence that begins with it.
pub(super) fn refusal(query: &str) -> Option<String> {
    let code = code_of(query);
    if code.trim().is_empty() {
        return Some("is missing.".to_owned());
    }
    for (name, arguments) in calls(&code) {
        if REFUSED_PLUGINS.contains(&name) {
            return Some(format!("has '{name}', which alert rules do not support."));
        }
        if name == "ago" && !is_literal(arguments) {
            return Some(format!("has 'ago({arguments})'. Alert rules support ago() with a timespan literal only."));
        }
    }
    None
}

/// The query with a space for every letter of its comments and of its strings.
fn code_of(query: &str) -> String {
    let mut code = String::with_capacity(query.len());
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_length(rest, first, code.ends_with('@')),
            '`' | '~' if rest[1..].starts_with(&format!("{first}{first}")) => {
                rest[3..].find(&rest[..3]).map_or(rest.len(), |end| end + 6)
            }
            _ => {
                code.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        code.push_str(&" ".repeat(length));
        rest = &rest[length..];
    }
    code
}

/// The length of a string with its quotes. Verbatim ones double a quote, others escape it.
fn string_length(text: &str, quote: char, verbatim: bool) -> usize {
    let bytes = text.as_bytes();
    let mut index = 1;
    while index < bytes.len() {
        let is_quote = bytes[index] == quote as u8;
        if is_quote && verbatim && bytes.get(index + 1) == Some(&(quote as u8)) || bytes[index] == b'\\' && !verbatim {
            index += 2;
        } else if is_quote {
            return index + 1;
        } else {
            index += 1;
        }
    }
    text.len()
}

/// The names that are called, each with what is between its brackets.
fn calls(code: &str) -> Vec<(&str, &str)> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    for (open, _) in code.match_indices('(') {
        let before = code[..open].trim_end();
        let start = before
            .rfind(|letter: char| !is_of_name(letter))
            .map_or(0, |index| index + before[index..].chars().next().map_or(1, char::len_utf8));
        let mut depth = 0;
        let close = code[open..].find(|letter| {
            depth += match letter {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth == 0
        });
        let end = close.map_or(code.len(), |close| open + close);
        found.push((&before[start..], code[open + 1..end].trim()));
    }
    found
}

fn is_literal(argument: &str) -> bool {
    let unsigned = argument.strip_prefix('-').unwrap_or(argument).trim();
    let called = calls(unsigned);
    if called.first().is_some_and(|(name, _)| ["time", "timespan"].contains(name)) {
        return true;
    }
    let digits = unsigned.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(unsigned.len());
    digits > 0 && (digits == unsigned.len() || UNITS_OF_TIME.contains(&&unsigned[digits..]))
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn only_code_is_refused() {
        for query in [
            "T | where A has \"pivot(x)\" // ago(x)",
            "T | where A == @'it''s ago(x)' and B == \"\\\"narrow(\"",
            "T | where A == ```\npivot(x)\n``` and B > ago( 1.5h )",
            "T | where Ago > ago(-2d) and B > ago(timespan(1d)) | project pivot, pivoted",
        ] {
            assert_eq!(refusal(query), None, "{query}");
        }
        for (query, expected) in [
            (" // nothing", "is missing."),
            ("T | evaluate pivot (x)", "has 'pivot', which alert rules do not support."),
            (
                "let t = 1h; T | where A > ago(t)",
                "has 'ago(t)'. Alert rules support ago() with a timespan literal only.",
            ),
            ("T | where A > ago(2 * 1h)", "has 'ago(2 * 1h)'. Alert rules support ago() with a timespan literal only."),
        ] {
            assert_eq!(refusal(query).as_deref(), Some(expected), "{query}");
        }
    }
}
