//! The query of a rule: parameters filled in, rows filtered out.

use crate::kusto::Query;
use std::collections::BTreeMap;
use std::ops::Range;

/// The columns of the result by which rows are filtered out.
pub(super) const RESOURCE_ID: &str = "_ResourceId";
/// The column with the name of a machine.
pub(super) const COMPUTER: &str = "Computer";
/// The column by which Azure assigns the rows of a result to windows.
pub(super) const TIME: &str = "TimeGenerated";
/// Part of the id of every machine that Azure Arc brings in (Azure Resource Manager, "Resource providers").
const ARC: &str = "/microsoft.hybridcompute/";

/// Whether a word is in a query.
pub(super) fn mentions(query: &str, name: &str) -> bool {
    words(query).any(|(_, word)| word.eq_ignore_ascii_case(name))
}

/// Puts values in place of the words that are their names, in strings as well. What was put in is not looked at again.
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

/// The known columns of a result.
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

/// A query with its filters.
#[derive(Debug, PartialEq)]
pub(super) struct Filtered {
    pub(super) query: String,
    /// The ranges of the excluded names in it. Kusto compares them, by `!in~`, without regard to case.
    pub(super) names: Vec<Range<usize>>,
}

/// The query with its filters: rows of an Azure resource only, unless all are wanted, and none of the excluded computers.
pub(super) fn filtered(query: &str, columns: Columns<'_>, only_azure: bool, excluded: &[String]) -> Filtered {
    let query = query.trim_end();
    let mut filters = Vec::new();
    if only_azure && let Some(id) = columns.expression(RESOURCE_ID, "unknown") {
        let filter = format!("\n| where isnotempty({id}) and {id} !contains {}", quoted(ARC));
        filters.push((RESOURCE_ID, filter, Vec::new()));
    }
    if !excluded.is_empty()
        && let Some(computer) = columns.expression(COMPUTER, "")
    {
        let names: Vec<String> = excluded.iter().map(|name| quoted(name)).collect();
        let names = names.join(", ");
        // Agents report full names where there is a domain; resources have short ones.
        let mut filter = format!("\n| where {computer} !in~ (");
        let full = filter.len()..filter.len() + names.len();
        filter = format!("{filter}{names}) and tostring(split({computer}, \".\")[0]) !in~ (");
        let short = filter.len()..filter.len() + names.len();
        filters.push((COMPUTER, format!("{filter}{names})"), vec![full, short]));
    }
    placed(query, columns, filters)
}

/// The query with filters at their places. A filter is of a column, and has the names at some places in it.
fn placed(query: &str, columns: Columns<'_>, filters: Vec<(&str, String, Vec<Range<usize>>)>) -> Filtered {
    let read = Query::read(query);
    let mut placed: Vec<(usize, String, Vec<Range<usize>>)> = filters
        .into_iter()
        .filter_map(|(column, filter, names)| {
            let place = match columns {
                Columns::Named(_) => read.place_at_the_end(),
                Columns::Unknown => read.place_for(column),
            };
            Some((place?, filter, names))
        })
        .collect();
    // A stable order: the second of two at one place comes after the first.
    placed.sort_by_key(|(place, ..)| *place);
    let (mut whole, mut end) = (Filtered { query: String::with_capacity(query.len()), names: Vec::new() }, 0);
    for (place, filter, names) in placed {
        whole.query.push_str(&query[end..place]);
        let start = whole.query.len();
        whole.names.extend(names.into_iter().map(|name| start + name.start..start + name.end));
        whole.query.push_str(&filter);
        end = place;
    }
    whole.query.push_str(&query[end..]);
    whole
}

/// Text as a literal of a query.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The words of a query, names and numbers, with their positions.
pub(super) fn words(query: &str) -> impl Iterator<Item = (usize, &str)> {
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
    fn rows_are_filtered_by_the_columns_that_are_there() {
        let (both, none) = ([COMPUTER.to_owned(), RESOURCE_ID.to_owned()], []);
        let excluded = ["a\"b".to_owned(), "c".to_owned()];
        assert_eq!(
            filtered("T;\n", Columns::Named(&both), true, &excluded).query,
            "T\n| where isnotempty(_ResourceId) and _ResourceId !contains \"/microsoft.hybridcompute/\"\n\
             | where Computer !in~ (\"a\\\"b\", \"c\") and tostring(split(Computer, \".\")[0]) !in~ (\"a\\\"b\", \"c\");"
        );
        assert_eq!(filtered("T", Columns::Named(&both), false, &[]).query, "T");
        assert_eq!(filtered("T", Columns::Named(&none), true, &excluded).query, "T");
        assert_eq!(
            filtered("T | project A | render timechart", Columns::Named(&both), true, &[]).query,
            "T | project A\n| where isnotempty(_ResourceId) and _ResourceId !contains \"/microsoft.hybridcompute/\" | render timechart"
        );
    }

    #[test]
    fn a_query_of_somebody_else_is_filtered_where_its_columns_are() {
        let id = "column_ifexists(\"_ResourceId\", \"unknown\")";
        let by_id = format!("\n| where isnotempty({id}) and {id} !contains \"/microsoft.hybridcompute/\"");
        let by_computer = "\n| where column_ifexists(\"Computer\", \"\") !in~ (\"c\") and tostring(split(column_ifexists(\"Computer\", \"\"), \".\")[0]) !in~ (\"c\")";
        let excluded = ["c".to_owned()];
        let both = |query: &str| filtered(query, Columns::Unknown, true, &excluded).query;
        assert_eq!(both("T"), format!("T{by_id}{by_computer}"));
        assert_eq!(
            both("T | summarize N = count() by Computer | where N > 1 // many"),
            format!("T{by_id} | summarize N = count() by Computer | where N > 1{by_computer} // many")
        );
        assert_eq!(both("T | count;"), format!("T{by_id}{by_computer} | count;"));
        assert_eq!(both("// nothing"), "// nothing");
    }

    #[test]
    fn the_places_of_excluded_names_are_known() {
        let both = [COMPUTER.to_owned(), RESOURCE_ID.to_owned()];
        let excluded = ["Vm-A".to_owned(), "é\"".to_owned()];
        for (query, columns) in [("T;", Columns::Named(&both)), ("T | count // é", Columns::Unknown)] {
            let filtered = filtered(query, columns, true, &excluded);
            let names: Vec<&str> = filtered.names.iter().map(|name| &filtered.query[name.clone()]).collect();
            assert_eq!(names, ["\"Vm-A\", \"é\\\"\""; 2], "{}", filtered.query);
        }
        assert!(filtered("T", Columns::Unknown, true, &[]).names.is_empty());
    }
}
