//! The query of a rule as a function of the time that it sees: each table is cut to the time, and the present is its end.

use std::ops::Range;

use crate::kusto::{Token, TokenKind, closing, split, tokens};

/// The time that a query sees, as it calls it.
const FROM: &str = "_svcFrom";
const TO: &str = "_svcTo";

/// Functions of rows.
const OF_ROWS: &[&str] = &["toscalar", "materialize", "view"];
/// Operators whose result for some rows is made of each of them by itself.
const ROW_BY_ROW: &[&str] = &[
    "where",
    "filter",
    "extend",
    "project",
    "project-away",
    "project-keep",
    "project-rename",
    "project-reorder",
    "parse",
    "parse-where",
    "mv-expand",
    "order",
    "sort",
];

/// A query that can be looked at over any time.
#[derive(Debug, PartialEq)]
pub(super) struct TimedQuery {
    /// The query, over the time from `_svcFrom` to `_svcTo`.
    pub(super) text: String,
    /// The tables that it reads, each once.
    pub(super) tables: Vec<String>,
    /// Each row of its result is made of one row, whatever the time is: rows of a part of the time are rows of all of it.
    pub(super) is_row_by_row: bool,
}

/// Reads a query.
struct Reading<'q> {
    query: &'q str,
    tokens: Vec<Token<'q>>,
    /// Names that the query gives: they are no tables.
    own: Vec<&'q str>,
    /// The texts that stand in the place of some bytes.
    edits: Vec<(Range<usize>, String)>,
    tables: Vec<String>,
    is_row_by_row: bool,
}

impl TimedQuery {
    /// Reads a query of a rule.
    ///
    /// # Errors
    /// What is in it that is not known, as a complete sentence.
    pub(super) fn of(query: &str) -> Result<TimedQuery, String> {
        let mut reading = Reading {
            query,
            tokens: tokens(query),
            own: Vec::new(),
            edits: Vec::new(),
            tables: Vec::new(),
            is_row_by_row: true,
        };
        reading.statements(0..reading.tokens.len())?;
        reading.times();
        if reading.tables.is_empty() {
            return Err("Its query reads no table that is known here.".to_owned());
        }
        let mut edits = reading.edits;
        edits.sort_by_key(|(range, _)| range.start);
        let mut text = String::new();
        let mut position = 0;
        for (range, instead) in edits {
            // What is in something that is replaced is gone with it.
            if range.start < position {
                continue;
            }
            text.push_str(&query[position..range.start]);
            text.push_str(&instead);
            position = range.end;
        }
        text.push_str(query[position..].trim_end().trim_end_matches(';'));
        Ok(TimedQuery { text, tables: reading.tables, is_row_by_row: reading.is_row_by_row })
    }
}

impl<'q> Reading<'q> {
    fn is(&self, index: usize, text: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_word(text) || token.is_sign(text))
    }

    fn statements(&mut self, range: Range<usize>) -> Result<(), String> {
        for statement in split(&self.tokens, range, ";") {
            if statement.is_empty() {
                continue;
            }
            if !self.is(statement.start, "let") {
                self.pipeline(statement)?;
                continue;
            }
            let (name, value) = (self.tokens.get(statement.start + 1), statement.start + 3..statement.end);
            let Some(name) = name.map(|token| token.text).filter(|_| value.start < value.end) else { continue };
            self.definition(value)?;
            self.own.push(name);
        }
        Ok(())
    }

    /// Reads what a name stands for: a function, rows, or a value.
    fn definition(&mut self, range: Range<usize>) -> Result<(), String> {
        if self.is(range.start, "(") {
            let end = closing(&self.tokens, range.start + 1);
            if self.is(end + 1, "{") {
                let close = closing(&self.tokens, end + 2);
                return self.statements(end + 2..close.min(range.end));
            }
        }
        let is_name = range.len() == 1 && self.tokens[range.start].kind == TokenKind::Word;
        let is_rows = split(&self.tokens, range.clone(), "|").len() > 1 || self.is(range.start, "union");
        let is_flag = ["true", "false"].iter().any(|flag| self.is(range.start, flag));
        if is_rows || is_name && !is_flag { self.pipeline(range) } else { self.inside(range) }
    }

    fn pipeline(&mut self, range: Range<usize>) -> Result<(), String> {
        let stages = split(&self.tokens, range, "|");
        for (index, stage) in stages.into_iter().enumerate() {
            if stage.is_empty() {
                continue;
            }
            if index == 0 {
                self.source(stage)?;
                continue;
            }
            let operator = self.operator(&stage);
            if operator == "render" {
                // It says how the result is drawn.
                let start = self.tokens[stage.start].start;
                self.edits.push((start..self.tokens[stage.end - 1].end(), "where true".to_owned()));
                continue;
            }
            if !ROW_BY_ROW.contains(&operator.as_str()) {
                self.is_row_by_row = false;
            }
            if ["union", "join", "lookup"].contains(&operator.as_str()) {
                self.sources(stage.start + 1..stage.end)?;
            } else {
                self.inside(stage)?;
            }
        }
        Ok(())
    }

    /// The name of an operator, such as `project-away`.
    fn operator(&self, stage: &Range<usize>) -> String {
        let mut name = self.tokens[stage.start].text.to_owned();
        let mut index = stage.start + 1;
        while index + 1 < stage.end && self.is(index, "-") {
            name = format!("{name}-{}", self.tokens[index + 1].text);
            index += 2;
        }
        name
    }

    /// Reads what a pipeline begins with.
    fn source(&mut self, range: Range<usize>) -> Result<(), String> {
        if self.is(range.start, "union") {
            return self.sources(range.start + 1..range.end);
        }
        self.leg(range)
    }

    /// The parts of a union, or what is joined: options are left out.
    fn sources(&mut self, range: Range<usize>) -> Result<(), String> {
        let mut start = range.start;
        while self.is(start + 1, "=") {
            start += 3;
        }
        for leg in split(&self.tokens, start..range.end, ",") {
            // After what is joined comes the column on which it is.
            let end = leg.clone().find(|index| self.is(*index, "on")).unwrap_or(leg.end);
            self.leg(leg.start..end)?;
        }
        Ok(())
    }

    /// A table, a function of the query, or a pipeline in brackets.
    fn leg(&mut self, range: Range<usize>) -> Result<(), String> {
        let Some(first) = self.tokens.get(range.start).copied().filter(|_| !range.is_empty()) else { return Ok(()) };
        let not_known = || Err(format!("Its query reads '{}', which is not known here.", first.text));
        if first.is_sign("(") {
            let close = closing(&self.tokens, range.start + 1);
            return self.pipeline(range.start + 1..close.min(range.end));
        }
        if first.kind != TokenKind::Word {
            return not_known();
        }
        if range.len() == 1 {
            if !self.own.contains(&first.text) {
                let cut = format!("({} | where TimeGenerated >= {FROM} and TimeGenerated < {TO})", first.text);
                self.edits.push((first.start..first.end(), cut));
                if !self.tables.iter().any(|known| known == first.text) {
                    self.tables.push(first.text.to_owned());
                }
            }
            return Ok(());
        }
        if self.is(range.start + 1, "(") && (self.own.contains(&first.text) || OF_ROWS.contains(&first.text)) {
            return self.inside(range);
        }
        not_known()
    }

    /// The pipelines that stand in brackets somewhere in an expression: those with an operator, or of a function of rows.
    fn inside(&mut self, range: Range<usize>) -> Result<(), String> {
        let mut index = range.start;
        while index < range.end {
            let close = closing(&self.tokens, index + 1).min(range.end);
            let is_bracket = self.is(index, "(") && index < close;
            let is_of_rows = index > range.start && OF_ROWS.iter().any(|word| self.is(index - 1, word));
            if is_bracket && (is_of_rows || split(&self.tokens, index + 1..close, "|").len() > 1) {
                self.is_row_by_row = false;
                self.pipeline(index + 1..close)?;
                index = close;
            }
            index += 1;
        }
        Ok(())
    }

    /// Puts the end of the time in the place of the present.
    fn times(&mut self) {
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            let is_call = (token.is_word("now") || token.is_word("ago")) && self.is(index + 1, "(");
            let close = closing(&self.tokens, index + 2);
            let Some(last) = self.tokens.get(close).filter(|_| is_call) else { continue };
            self.is_row_by_row = false;
            let first = self.tokens[index + 1].end();
            let argument = self.query[first..last.start].trim();
            let sign = if token.is_word("ago") { "-" } else { "+" };
            let instead = if argument.is_empty() { TO.to_owned() } else { format!("({TO} {sign} ({argument}))") };
            self.edits.push((token.start..last.end(), instead));
        }
    }
}
