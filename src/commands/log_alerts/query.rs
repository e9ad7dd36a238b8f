//! The query of a rule: parameters filled in, rows filtered out.

use std::collections::BTreeMap;

use serde_json::Value;

/// Operators that the queries of alert rules may not have (Azure Monitor, "Create a log search alert rule").
const REFUSED: &[&str] = &["bag_unpack", "pivot", "narrow"];

/// The columns of the result by which rows are filtered out.
pub(super) const RESOURCE_ID: &str = "_ResourceId";
/// The column with the name of a machine.
pub(super) const COMPUTER: &str = "Computer";

/// The operator in a query that Azure would refuse.
pub(super) fn refused_operator(query: &str) -> Option<&'static str> {
    words(query).find_map(|(_, word)| REFUSED.iter().copied().find(|refused| *refused == word))
}

/// Whether a word is in a query.
pub(super) fn mentions(query: &str, name: &str) -> bool {
    words(query).any(|(_, word)| word.eq_ignore_ascii_case(name))
}

/// Puts values in place of the words that are their names. What was put in is not looked at again.
pub(super) fn fill(query: &str, parameters: &BTreeMap<String, String>) -> String {
    let mut filled = String::with_capacity(query.len());
    let mut end = 0;
    for (start, word) in words(query) {
        if let Some((_, value)) = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            filled.push_str(&query[end..start]);
            filled.push_str(value);
            end = start + word.len();
        }
    }
    filled.push_str(&query[end..]);
    filled
}

/// The value of a parameter as it stands in a query; none for a list and an object.
pub(super) fn parameter_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// What is known of the columns of a result.
#[derive(Debug, Clone, Copy)]
pub(super) enum Columns<'a> {
    /// A definition names those that matter.
    Named(&'a [String]),
    /// It is somebody's own query.
    Unknown,
}

impl Columns<'_> {
    /// The expression that reads a column; none where there is none. `absent` is its value where it may not be there.
    fn expression(&self, column: &str, absent: &str) -> Option<String> {
        match self {
            Columns::Named(columns) => {
                columns.iter().find(|known| known.eq_ignore_ascii_case(column)).map(|_| column.to_owned())
            }
            Columns::Unknown => Some(format!("column_ifexists({}, {})", quoted(column), quoted(absent))),
        }
    }
}

/// The query with its filters: rows of an Azure resource only, unless all are wanted, and none of the excluded computers.
pub(super) fn filtered(query: &str, columns: Columns<'_>, only_azure: bool, excluded: &[String]) -> String {
    let mut query = query.trim_end_matches(|character: char| character.is_whitespace() || character == ';').to_owned();
    if only_azure && let Some(id) = columns.expression(RESOURCE_ID, "unknown") {
        query.push_str(&format!("\n| where isnotempty({id})"));
    }
    if !excluded.is_empty()
        && let Some(computer) = columns.expression(COMPUTER, "")
    {
        let names: Vec<String> = excluded.iter().map(|name| quoted(name)).collect();
        let names = names.join(", ");
        // Agents report full names where there is a domain; resources have short ones.
        query.push_str(&format!(
            "\n| where {computer} !in~ ({names}) and tostring(split({computer}, \".\")[0]) !in~ ({names})"
        ));
    }
    query
}

/// Text as a literal of a query.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The words of a query, names and numbers, with their positions.
fn words(query: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    query.split(move |character: char| !is_word(character)).filter(|word| !word.is_empty()).map(|word| {
        let start = word.as_ptr() as usize - query.as_ptr() as usize;
        (start, word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn parameters_are_whole_words_and_filled_once() {
        let values = parameters(&[("_min", "_max"), ("_max", "9"), ("_window", "1h")]);
        assert_eq!(
            fill("T | where a >= _min and _minimum < _MAX and t > ago(_window) // é _min", &values),
            "T | where a >= _max and _minimum < 9 and t > ago(1h) // é _max"
        );
        assert_eq!(fill("no words of them", &values), "no words of them");
    }

    #[test]
    fn operators_that_azure_refuses_are_whole_words() {
        assert_eq!(refused_operator("T | evaluate pivot(x)"), Some("pivot"));
        assert_eq!(refused_operator("T | evaluate bag_unpack(x)"), Some("bag_unpack"));
        assert_eq!(refused_operator("T | project pivotal, narrow_1"), None);
    }

    #[test]
    fn rows_are_filtered_by_the_columns_that_are_there() {
        let (both, none) = ([COMPUTER.to_owned(), RESOURCE_ID.to_owned()], []);
        let excluded = ["a\"b".to_owned(), "c".to_owned()];
        assert_eq!(
            filtered("T;\n", Columns::Named(&both), true, &excluded),
            "T\n| where isnotempty(_ResourceId)\n| where Computer !in~ (\"a\\\"b\", \"c\") and tostring(split(Computer, \".\")[0]) !in~ (\"a\\\"b\", \"c\")"
        );
        assert_eq!(filtered("T", Columns::Named(&both), false, &[]), "T");
        assert_eq!(filtered("T", Columns::Named(&none), true, &excluded), "T");
        assert_eq!(
            filtered("T", Columns::Unknown, true, &excluded[1..]),
            "T\n| where isnotempty(column_ifexists(\"_ResourceId\", \"unknown\"))\n\
             | where column_ifexists(\"Computer\", \"\") !in~ (\"c\") and tostring(split(column_ifexists(\"Computer\", \"\"), \".\")[0]) !in~ (\"c\")"
        );
    }
}
