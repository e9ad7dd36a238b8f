//! The language of expressions in templates and policies, as text: `"[format('{0}/x', parameters('id'))]"`.
//!
//! A text in brackets is an expression, one that begins with two brackets is a literal that begins with one. Source: learn.microsoft.com,
//! "Syntax and expressions in ARM templates".

mod parser;

use serde_json::Value;

/// The longest expression. Source: learn.microsoft.com, "Template limits".
const LONGEST: usize = 24_576;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// A text or a number.
    Literal(Value),
    /// A function of Resource Manager: its name as written, and its arguments in order.
    Call { name: String, arguments: Vec<Node> },
    /// `of.name` or `of[index]`
    Member { of: Box<Node>, name: Box<Node> },
}

/// The kinds of texts in a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Text {
    /// It stands for itself; here without the bracket that escapes another.
    Literal(String),
    /// It stands for its value.
    Expression(Node),
}

/// Reads a text. Refuses what is no expression, with the reason.
pub(super) fn read(text: &str) -> Result<Text, String> {
    if let Some(escaped) = text.strip_prefix("[[") {
        return Ok(Text::Literal(format!("[{escaped}")));
    }
    let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Ok(Text::Literal(text.to_owned()));
    };
    let length = inner.chars().count();
    if length > LONGEST {
        return Err(format!(
            "The language expression length limit exceeded. Limit: '{LONGEST}' and actual: '{length}'."
        ));
    }
    parser::parse(inner).map(Text::Expression).map_err(|(reason, at)| {
        let place = inner[..at].chars().count() + 1;
        format!("Unable to parse language expression '{inner}': {reason} at character {place}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tells_expressions_from_literals() {
        let literal = |text: &str| Ok(Text::Literal(text.to_owned()));
        assert_eq!(read("demoRG"), literal("demoRG"));
        assert_eq!(read("[[test value]"), literal("[test value]"));
        assert_eq!(read("[start only"), literal("[start only"));
        assert_eq!(read("end only]"), literal("end only]"));
        assert_eq!(read("['it''s']"), Ok(Text::Expression(Node::Literal(json!("it's")))));
        assert_eq!(read("[ 5 ]"), Ok(Text::Expression(Node::Literal(json!(5)))));
    }

    #[test]
    fn says_where_an_expression_is_wrong() {
        let reason = |text: &str| match read(text) {
            Err(reason) => reason,
            other => panic!("{text} was read as {other:?}"),
        };
        assert!(reason("[split('a' 'b')]").ends_with("expected ',' or ')' and found ''' at character 11."));
        assert!(reason("['open]").contains("never ends at character 1"));
        assert!(reason("[split(]").contains("the expression ends too early"));
        assert!(reason("[a#b]").contains("expected '(' and found '#' at character 2"));
        assert!(reason("[x]").contains("the expression ends too early"));
        assert!(reason("[é, y]").contains("expected '(' and found ','"));
        assert!(reason("[f() g()]").contains("'g' is left over"));
        assert!(reason("[contoso.own()]").contains("expected '(' and found '.'"));
        assert!(reason("[-5]").contains("'-' means nothing here"));
        assert!(reason("[99999999999999999999]").contains("is too large"));
        assert!(reason("[f().'x']").contains("expected a name"));
        assert!(reason(&format!("[{}]", "a".repeat(LONGEST + 1))).contains("length limit exceeded"));
        assert!(reason(&format!("[{}1{}]", "f(".repeat(300), ")".repeat(300))).contains("more than 200 parts"));
    }
}
