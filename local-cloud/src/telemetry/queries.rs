//! Queries over the tables of a workspace.
//!
//! Source: "Azure Monitor Log Analytics API request format" and "Cross-resource queries" (logs/api), specification/operationalinsights,
//! data-plane, for the shape of answers and errors.

use super::super::kusto::{Rows, Value as Cell, minutes_of, run};
use super::super::lookup::look_up;
use super::super::moment::Moment;
use super::super::path::ResourceId;
use super::super::reply::{Answer, Refusal};
use super::super::state::State;
use super::tables::{TABLES, Type};
use super::timespan;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

const TIME: &str = "TimeGenerated";

/// The result of the query of a request.
pub(in super::super) fn query(state: &State, scope: &ResourceId, body: &Value) -> Result<Answer, Refusal> {
    look_up(state, scope)?;
    let query = body.get("query").and_then(Value::as_str).filter(|query| !query.trim().is_empty());
    let query = query.ok_or_else(|| refusal("the request has no query"))?;
    let seen = body.get("timespan").and_then(Value::as_str).map(timespan).transpose()?;
    let workspace = scope.key();
    // A query that looks at many moments reads its tables at each of them.
    let read: RefCell<HashMap<String, Option<Rows>>> = RefCell::default();
    let tables = |name: &str| {
        let rows = || rows_of(state, &workspace, name, seen);
        read.borrow_mut().entry(name.to_owned()).or_insert_with(rows).clone()
    };
    let now = minutes_of(&Moment::now().text()).unwrap_or_default();
    let rows = run(query, &tables, now).map_err(|error| refusal(&error))?;
    Ok(Answer::json(200, json!({"tables": [table(&rows)]})))
}

/// A query that is wrong, or in words that are not known here.
fn refusal(problem: &str) -> Refusal {
    let mut refusal = Refusal::bad_request("BadArgumentError", "The request had some invalid properties");
    let message = format!("{problem}. The local cloud knows a part of the query language only.");
    refusal.details = vec![json!({"code": "SemanticError", "message": message})];
    refusal
}

fn table(rows: &Rows) -> Value {
    let kind = |index: usize| rows.rows.iter().find_map(|row| row[index].type_name()).unwrap_or("string");
    let columns = rows.columns.iter().enumerate().map(|(index, name)| json!({"name": name, "type": kind(index)}));
    let cells = rows.rows.iter().map(|row| row.iter().map(Cell::json).collect::<Vec<_>>());
    json!({"name": "PrimaryResult", "columns": columns.collect::<Vec<_>>(), "rows": cells.collect::<Vec<_>>()})
}

/// The rows of a table in some time; none where the workspace does not have the table.
fn rows_of(state: &State, workspace: &str, name: &str, seen: Option<(f64, f64)>) -> Option<Rows> {
    let known = TABLES.iter().find(|(known, _)| *known == name).map(|(_, columns)| *columns);
    let is_it = |table: &&super::Table| table.workspace == workspace && table.name == name;
    let imported: Vec<&Map<String, Value>> =
        state.telemetry().tables.iter().filter(is_it).flat_map(|table| &table.rows).collect();
    if known.is_none() && imported.is_empty() {
        return None;
    }
    let mut columns: Vec<(String, Option<Type>)> =
        known.into_iter().flatten().map(|(name, kind)| ((*name).to_owned(), Some(*kind))).collect();
    for name in imported.iter().flat_map(|row| row.keys()) {
        if !columns.iter().any(|(known, _)| known == name) {
            columns.push((name.clone(), None));
        }
    }
    let is_seen = |row: &&&Map<String, Value>| {
        let time = row.get(TIME).and_then(Value::as_str).and_then(minutes_of);
        seen.is_none_or(|(from, to)| time.is_some_and(|time| (from..=to).contains(&time)))
    };
    let cells =
        |row: &&Map<String, Value>| Rc::new(columns.iter().map(|(name, kind)| cell(row.get(name), *kind)).collect());
    Some(Rows {
        rows: imported.iter().filter(is_seen).map(cells).collect(),
        columns: columns.iter().map(|(name, _)| name.clone()).collect(),
    })
}

/// A value of a row as a query sees it. A text is never null in a table.
fn cell(value: Option<&Value>, kind: Option<Type>) -> Cell {
    match (value, kind) {
        (None | Some(Value::Null), Some(Type::Text)) => Cell::Text(String::new()),
        (None | Some(Value::Null), _) => Cell::Null,
        (Some(Value::String(text)), None | Some(Type::Time)) => match minutes_of(text) {
            Some(minutes) if text.len() > 10 => Cell::Time(minutes),
            _ => Cell::Text(text.clone()),
        },
        (Some(Value::String(text)), Some(_)) => Cell::Text(text.clone()),
        (Some(Value::Number(number)), _) => Cell::Number(number.as_f64().unwrap_or_default()),
        (Some(Value::Bool(flag)), _) => Cell::Flag(*flag),
        (Some(other), _) => Cell::Dynamic(other.clone()),
    }
}
