//! A query as its statements and operators.

use std::ops::Range;

use super::lexer::{Token, TokenKind, tokens};

/// Plugins that the queries of alert rules may not call (Azure Monitor, "Create a log search alert rule").
const REFUSED: &[&str] = &["bag_unpack", "pivot", "narrow"];

/// A query that was read.
#[derive(Debug)]
pub(crate) struct Query<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// The operators of the last statement, the one that gives the result, and before them what it reads.
    stages: Vec<Range<usize>>,
}

impl<'a> Query<'a> {
    pub(crate) fn read(text: &'a str) -> Query<'a> {
        let tokens = tokens(text);
        let stages = match split(&tokens, 0..tokens.len(), ";").into_iter().rfind(|statement| !statement.is_empty()) {
            Some(last) => split(&tokens, last, "|"),
            None => Vec::new(),
        };
        Query { text, tokens, stages }
    }

    /// The problem for which Azure would refuse it, as the fragment of a sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.tokens.is_empty() {
            return Some("the query is empty".to_owned());
        }
        if let Some(text) = self.tokens.iter().find(|token| token.kind == TokenKind::Unfinished) {
            let start: String = text.text.chars().take(20).collect();
            return Some(format!("the string that begins with {start} has no end"));
        }
        if let Some(plugin) = self.refused_plugin() {
            return Some(format!("the query uses '{plugin}', which Azure's log alerts do not support"));
        }
        let other = self.ago_of_something_else()?;
        Some(format!("Azure's log alerts take ago() with a literal only, such as ago(1h), not '{other}'"))
    }

    fn refused_plugin(&self) -> Option<&'static str> {
        let calls = self.tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::Word && pair[1].is_sign("("));
        calls.filter_map(|pair| REFUSED.iter().copied().find(|refused| *refused == pair[0].text)).next()
    }

    /// The argument of `ago` where that is not a literal.
    fn ago_of_something_else(&self) -> Option<&'a str> {
        let calls =
            self.tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].is_word("ago") && pair[1].is_sign("("));
        for (index, _) in calls {
            let first = index + 2;
            let end = closing(&self.tokens, first);
            let argument = &self.tokens[first..end];
            let signed = argument.first().is_some_and(|token| token.is_sign("-"));
            let is_literal = match &argument[usize::from(signed)..] {
                [literal] => matches!(literal.kind, TokenKind::Span | TokenKind::Number),
                [function, bracket, ..] => ["time", "timespan"].contains(&function.text) && bracket.is_sign("("),
                [] => false,
            };
            if !is_literal {
                return Some(self.written(first..end));
            }
        }
        None
    }

    /// Whether a table is read: at the beginning of a statement or of something in brackets, in a union, as a variable.
    pub(crate) fn reads(&self, table: &str) -> bool {
        let at = |index: Option<usize>| index.and_then(|index| self.tokens.get(index));
        let is = |index: Option<usize>, signs: &[&str]| {
            at(index).is_some_and(|token| token.kind == TokenKind::Sign && signs.contains(&token.text))
        };
        (0..self.tokens.len()).filter(|index| self.tokens[*index].is_word(table)).any(|index| {
            let (before, after) = (index.checked_sub(1), Some(index + 1));
            let begins =
                before.is_none() || is(before, &[";"]) || at(before).is_some_and(|token| token.is_word("union"));
            let ends = at(after).is_none() || is(after, &["|", ";", ")", ",", "}"]);
            let is_variable = is(before, &["="])
                && at(index.checked_sub(3)).is_some_and(|token| token.is_word("let"))
                && is(after, &["|", ";"]);
            (begins && ends) || is_variable || (is(before, &["(", "{"]) && is(after, &["|"]))
        })
    }

    /// The place for an operator that filters by a column: at the end where the column is in the result, else before the first
    /// operator that drops it. A byte of the text; none in a query that gives no result.
    pub(crate) fn place_for(&self, column: &str) -> Option<usize> {
        let operators = self.stages.iter().skip(1);
        let dropping = operators.clone().position(|stage| !self.keeps(stage, column));
        self.end_of(dropping.unwrap_or(operators.len()))
    }

    /// Whether a column is in the result, so far as the operators are known.
    pub(crate) fn gives_column(&self, column: &str) -> bool {
        self.stages.iter().skip(1).all(|stage| self.operator(stage) == "render" || self.keeps(stage, column))
    }

    /// The place for an operator that filters the rows of the result: before what draws them.
    pub(crate) fn place_at_the_end(&self) -> Option<usize> {
        let drawing = self.stages.iter().skip(1).position(|stage| self.operator(stage) == "render");
        self.end_of(drawing.unwrap_or(self.stages.len().saturating_sub(1)))
    }

    fn end_of(&self, stage: usize) -> Option<usize> {
        let last = self.stages.get(stage)?.end.checked_sub(1)?;
        Some(self.tokens[last].end())
    }

    /// The text of some tokens, as it is written.
    fn written(&self, range: Range<usize>) -> &'a str {
        match &self.tokens[range] {
            [] => "",
            [first, .., last] => &self.text[first.start..last.end()],
            [only] => only.text,
        }
    }

    /// The name of an operator: `mv-expand` is one.
    fn operator(&self, stage: &Range<usize>) -> &'a str {
        self.written(stage.start..self.after_operator(stage))
    }

    fn after_operator(&self, stage: &Range<usize>) -> usize {
        let adjacent = |index: usize| index < stage.end && self.tokens[index - 1].end() == self.tokens[index].start;
        let mut end = (stage.start + 1).min(stage.end);
        while adjacent(end) && self.tokens[end].is_sign("-") && adjacent(end + 1) {
            end += 2;
        }
        end
    }

    /// Whether a column is still there after an operator.
    fn keeps(&self, stage: &Range<usize>, column: &str) -> bool {
        let list = self.after_operator(stage)..stage.end;
        let written = |item: Range<usize>| self.written(item);
        let matches = |item: Range<usize>| fits(&written(item).replace(' ', ""), column);
        match self.operator(stage) {
            "where" | "filter" | "extend" | "order" | "sort" | "top" | "take" | "limit" | "sample" | "parse"
            | "parse-where" | "parse-kv" | "mv-expand" | "mvexpand" | "mv-apply" | "serialize" | "lookup" | "join"
            | "union" | "as" | "scan" | "project-reorder" | "consume" => true,
            "project-away" => !split(&self.tokens, list, ",").into_iter().any(matches),
            "project-keep" => split(&self.tokens, list, ",").into_iter().any(matches),
            "project-rename" => !split(&self.tokens, list, ",")
                .into_iter()
                .any(|item| item.len() == 3 && self.tokens[item.end - 1].text == column),
            "summarize" => self.summarize_keeps(list, column),
            "project" | "distinct" => split(&self.tokens, list, ",").into_iter().any(|item| self.gives(item, column)),
            _ => false,
        }
    }

    /// By a column, or with every column of the row that has the most of something.
    fn summarize_keeps(&self, list: Range<usize>, column: &str) -> bool {
        let by = list.clone().find(|index| self.tokens[*index].is_word("by"));
        let (aggregates, by) = match by {
            Some(by) => (list.start..by, by + 1..list.end),
            None => (list.clone(), list.end..list.end),
        };
        let whole_row = |item: Range<usize>| {
            let item = &self.tokens[item];
            let name =
                item.first().is_some_and(|first| ["arg_max", "arg_min", "take_any", "any"].contains(&first.text));
            let star = item.iter().rev().nth(1).is_some_and(|token| token.is_sign("*"));
            name && star
        };
        split(&self.tokens, by, ",").into_iter().any(|item| self.gives(item, column))
            || split(&self.tokens, aggregates, ",")
                .into_iter()
                .any(|item| whole_row(item.clone()) || self.gives(item, column))
    }

    /// Whether an item of a list gives a column: its name, its name with a value, everything, or a function whose result is
    /// called like its first argument.
    fn gives(&self, item: Range<usize>, column: &str) -> bool {
        const NAMED_LIKE_THEIR_ARGUMENT: &[&str] = &["bin", "bin_at", "floor", "arg_max", "arg_min"];
        match &self.tokens[item] {
            [only] => only.text == column || only.is_sign("*"),
            [name, sign, ..] if sign.is_sign("=") => name.text == column,
            [function, bracket, first, ..] => {
                NAMED_LIKE_THEIR_ARGUMENT.contains(&function.text) && bracket.is_sign("(") && first.text == column
            }
            [_, _] => false,
            [] => false,
        }
    }
}

/// Whether a column fits a pattern with `*` in it.
fn fits(pattern: &str, column: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == column,
        Some((start, rest)) => column.strip_prefix(start).is_some_and(|column| {
            let mut ends = (0..=column.len()).filter(|end| column.is_char_boundary(*end));
            ends.any(|end| fits(rest, &column[end..]))
        }),
    }
}

/// The place where the bracket closes that is open before `first`; the end where none does.
pub(crate) fn closing(tokens: &[Token<'_>], first: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(first) {
        match depth_of(token) {
            -1 if depth == 0 => return index,
            change => depth += change,
        }
    }
    tokens.len()
}

fn depth_of(token: &Token<'_>) -> i32 {
    match (token.kind, token.text) {
        (TokenKind::Sign, "(" | "[" | "{") => 1,
        (TokenKind::Sign, ")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// The parts of a range of tokens between signs that are in no brackets.
pub(crate) fn split(tokens: &[Token<'_>], range: Range<usize>, sign: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (range.start, 0);
    for index in range.clone() {
        if depth == 0 && tokens[index].is_sign(sign) {
            parts.push(start..index);
            start = index + 1;
        }
        depth += depth_of(&tokens[index]);
    }
    parts.push(start..range.end);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The query with a mark where the filter of a column goes.
    fn marked(query: &str, column: &str) -> String {
        let place = Query::read(query).place_for(column).unwrap();
        format!("{}#{}", &query[..place], &query[place..])
    }

    #[test]
    fn a_filter_goes_where_the_column_still_is() {
        for (query, expected) in [
            ("T", "T#"),
            ("T;", "T#;"),
            ("T // all of it", "T# // all of it"),
            ("T\n| where A > 1\n// last line\n", "T\n| where A > 1#\n// last line\n"),
            ("T | render timechart", "T# | render timechart"),
            ("T | where A | render timechart; // draw", "T | where A# | render timechart; // draw"),
            ("T | summarize N = count() by Computer", "T# | summarize N = count() by Computer"),
            (
                "T | summarize N = count() by Computer, _R | where N > 1",
                "T | summarize N = count() by Computer, _R | where N > 1#",
            ),
            ("T | summarize N = count() by X = tostring(_R)", "T# | summarize N = count() by X = tostring(_R)"),
            (
                "T | summarize arg_max(Time, *) by Computer | take 1",
                "T | summarize arg_max(Time, *) by Computer | take 1#",
            ),
            ("T | summarize arg_max(Time, A) by Computer", "T# | summarize arg_max(Time, A) by Computer"),
            ("T | summarize _R = max(_R) by Computer", "T | summarize _R = max(_R) by Computer#"),
            ("T | summarize count() by bin(_R, 5m)", "T | summarize count() by bin(_R, 5m)#"),
            ("T | project A, _R", "T | project A, _R#"),
            ("T | project A, _R = B", "T | project A, _R = B#"),
            ("T | project A, B = _R", "T# | project A, B = _R"),
            ("T | extend A = 1 | project A", "T | extend A = 1# | project A"),
            ("T | project-away A, _* | take 1", "T# | project-away A, _* | take 1"),
            ("T | project-away A", "T | project-away A#"),
            ("T | project-keep A, _* ", "T | project-keep A, _*# "),
            ("T | project-rename Id = _R", "T# | project-rename Id = _R"),
            ("T | project-rename Id = A", "T | project-rename Id = A#"),
            ("T | distinct *", "T | distinct *#"),
            ("T | count", "T# | count"),
            ("T | make-series count() on Time step 1h", "T# | make-series count() on Time step 1h"),
            ("T | evaluate autocluster()", "T# | evaluate autocluster()"),
            (
                "let t = 1h;\nlet f = () { T | project A };\nunion (f() | where B), T\n| where A\n;\n",
                "let t = 1h;\nlet f = () { T | project A };\nunion (f() | where B), T\n| where A#\n;\n",
            ),
            (
                "T | join kind=inner (U | summarize count() by A) on A | top 5 by A",
                "T | join kind=inner (U | summarize count() by A) on A | top 5 by A#",
            ),
            ("T | where A == \"| project A\" | mv-expand B", "T | where A == \"| project A\" | mv-expand B#"),
        ] {
            assert_eq!(marked(query, "_R"), expected);
        }
        assert_eq!(Query::read("").place_for("_R"), None);
        assert_eq!(Query::read("// no query").place_for("_R"), None);
    }

    #[test]
    fn a_result_is_filtered_before_it_is_drawn() {
        for (query, expected) in [
            ("T | project A;", "T | project A#;"),
            ("T | project A | render timechart", "T | project A# | render timechart"),
        ] {
            let place = Query::read(query).place_at_the_end().unwrap();
            assert_eq!(format!("{}#{}", &query[..place], &query[place..]), expected);
        }
    }

    #[test]
    fn what_azure_refuses_counts_only_as_code() {
        for query in [
            "T | where A has 'pivot(x)' or A == @\"ago(x)\"",
            "T // evaluate pivot(x) since ago(x)",
            "T | extend pivot = 1 | project narrow_1, pivot, pivotal",
            "T | where Time > ago(1h) and Time > ago(-1.5d) and Time > ago(timespan(2d)) and ago > 1",
        ] {
            assert_eq!(Query::read(query).problem(), None, "{query}");
        }
        for (query, expected) in [
            ("", "the query is empty"),
            (" \n // nothing\n", "the query is empty"),
            ("T | where A == 'b", "the string that begins with 'b has no end"),
            ("T | evaluate pivot (x)", "the query uses 'pivot', which Azure's log alerts do not support"),
            ("T | evaluate bag_unpack(x)", "the query uses 'bag_unpack', which Azure's log alerts do not support"),
            ("T | evaluate narrow()", "the query uses 'narrow', which Azure's log alerts do not support"),
            (
                "let t = 1h; T | where Time > ago(t)",
                "Azure's log alerts take ago() with a literal only, such as ago(1h), not 't'",
            ),
            (
                "T | where Time > ago ( 2 * 1h )",
                "Azure's log alerts take ago() with a literal only, such as ago(1h), not '2 * 1h'",
            ),
        ] {
            assert_eq!(Query::read(query).problem().as_deref(), Some(expected), "{query}");
        }
    }

    #[test]
    fn tables_are_told_from_columns() {
        for query in [
            "P",
            "P | take 1",
            "let a = 1; P | take a",
            "union P, Q",
            "union Q, (P | take 1)",
            "let x = P; x",
            "let x = P | take 1; x",
        ] {
            assert!(Query::read(query).reads("P"), "{query}");
        }
        for query in [
            "T | where P == 1",
            "T | project A, P | take 1",
            "T | where isnotempty(P)",
            "T // P",
            "T | extend P = 1",
            "T | extend A = P | take 1",
        ] {
            assert!(!Query::read(query).reads("P"), "{query}");
        }
    }
}
