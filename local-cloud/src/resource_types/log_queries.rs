//! The refusals of Azure Monitor for the query of an alert rule. Queries are not run: there are no tables.
//!
//! Sources: azure-monitor-docs, alerts-create-log-alert-rule.md (plugins, `ago()` with a literal); Kusto query language reference,
//! "The string data type" and "Comments".

use super::super::kusto::{Token, TokenKind, tokens};

/// Plugins that the queries of alert rules may not call.
const REFUSED_PLUGINS: &[&str] = &["bag_unpack", "pivot", "narrow"];
/// The error in a query, as the end of a sentence that begins with it.
pub(super) fn refusal(query: &str) -> Option<String> {
    let tokens = match tokens(query) {
        Ok(tokens) if tokens.is_empty() => return Some("is missing.".to_owned()),
        Ok(tokens) => tokens,
        Err(problem) => return Some(format!("cannot be read: {problem}.")),
    };
    for (index, call) in tokens.windows(2).enumerate().filter(|(_, call)| call[1].is("(")) {
        let name = call[0].text;
        if REFUSED_PLUGINS.contains(&name) && call[0].kind == TokenKind::Name {
            return Some(format!("has '{name}', which alert rules do not support."));
        }
        if call[0].is("ago") && !is_literal(&tokens[index + 2..]) {
            let argument: Vec<&str> =
                tokens[index + 2..].iter().take_while(|token| !token.is(")")).map(|token| token.text).collect();
            return Some(format!(
                "has 'ago({})'. Alert rules support ago() with a timespan literal only.",
                argument.join(" ")
            ));
        }
    }
    None
}

/// Whether the brackets that are open hold a length of time, or a function that makes one.
fn is_literal(tokens: &[Token<'_>]) -> bool {
    let unsigned = if tokens.first().is_some_and(|token| token.is("-")) { &tokens[1..] } else { tokens };
    match unsigned {
        [literal, close, ..] if close.is(")") => matches!(literal.kind, TokenKind::Span(_) | TokenKind::Number(_)),
        [function, open, ..] => ["time", "timespan"].contains(&function.text) && open.is("("),
        _ => false,
    }
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
