//! The operators of a query, one after another on its rows.

use super::aggregate::summarize;
use super::expression::{Expression, Reader};
use super::pipeline::{Pipeline, Scope, in_brackets, legs, rows_of, union};
use super::rows::Rows;
use super::value::Value;
use std::rc::Rc;

/// An expression, and the name of its column where it says one.
pub(super) type Item = (Option<String>, Expression);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operator {
    Where(Expression),
    Extend(Vec<Item>),
    Project(Vec<Item>),
    ProjectAway(Vec<String>),
    Summarize { aggregates: Vec<Item>, by: Vec<Item> },
    Distinct(Vec<String>),
    Join { is_inner: bool, right: Box<Pipeline>, on: String },
    Union(Vec<Pipeline>),
    Count,
    Take(Expression),
    Sort(Vec<(String, bool)>),
}

/// Reads an operator.
pub(super) fn operator(reader: &mut Reader<'_, '_>) -> Result<Operator, String> {
    let mut name = reader.name()?.to_owned();
    while reader.takes("-") {
        name = format!("{name}-{}", reader.name()?);
    }
    let column = |reader: &mut Reader<'_, '_>| reader.name().map(str::to_owned);
    Ok(match name.as_str() {
        "where" | "filter" => Operator::Where(reader.expression()?),
        "extend" => Operator::Extend(reader.list(item)?),
        "project" => Operator::Project(reader.list(item)?),
        "project-away" => Operator::ProjectAway(reader.list(column)?),
        "distinct" => Operator::Distinct(reader.list(column)?),
        "summarize" => {
            let aggregates = if reader.sees(0, "by") { Vec::new() } else { reader.list(item)? };
            let by = if reader.takes("by") { reader.list(item)? } else { Vec::new() };
            Operator::Summarize { aggregates, by }
        }
        "join" => join(reader)?,
        "union" => Operator::Union(reader.list(legs)?),
        "count" => Operator::Count,
        "take" | "limit" => Operator::Take(reader.expression()?),
        "sort" | "order" => {
            reader.expect("by")?;
            Operator::Sort(reader.list(|reader| {
                let column = reader.name()?.to_owned();
                let ascending = reader.one_of(&["asc", "desc"]) == Some("asc");
                Ok((column, ascending))
            })?)
        }
        other => return Err(format!("no operator {other}")),
    })
}

/// `name = expression`, or an expression alone.
fn item(reader: &mut Reader<'_, '_>) -> Result<Item, String> {
    Ok(match reader.expression()? {
        Expression::Column(name) if reader.takes("=") => (Some(name), reader.expression()?),
        Expression::Column(name) => (Some(name.clone()), Expression::Column(name)),
        // What cuts a column into bins is called like it.
        Expression::Call(function, arguments) if ["bin", "bin_at", "floor"].contains(&function.as_str()) => {
            let name = match arguments.first() {
                Some(Expression::Column(name)) => Some(name.clone()),
                _ => None,
            };
            (name, Expression::Call(function, arguments))
        }
        other => (None, other),
    })
}

/// `join kind=leftouter (…) on Column`.
fn join(reader: &mut Reader<'_, '_>) -> Result<Operator, String> {
    let other = "a join of another form";
    reader.expect("kind").and_then(|()| reader.expect("=")).map_err(|_| other)?;
    let kind = reader.one_of(&["leftouter", "inner"]).ok_or(other)?;
    reader.expect("(")?;
    let right = in_brackets(reader)?;
    reader.expect("on")?;
    Ok(Operator::Join { is_inner: kind == "inner", right: Box::new(right), on: reader.name()?.to_owned() })
}

/// The rows after an operator.
pub(super) fn apply(operator: &Operator, mut rows: Rows, scope: &Scope<'_>) -> Result<Rows, String> {
    match operator {
        Operator::Where(condition) => filter(rows, condition, scope),
        Operator::Extend(items) => {
            let before = rows.clone();
            for (name, expression) in items {
                let values = column(&before, expression, scope)?;
                rows.put(name.as_ref().ok_or("extend without a name")?, values);
            }
            Ok(rows)
        }
        Operator::Project(items) => {
            let mut made = Rows::without_columns(rows.rows.len());
            for (name, expression) in items {
                let name = name.as_ref().ok_or("project without a name")?;
                if made.columns.contains(name) {
                    return Err(format!("{name} stands twice"));
                }
                made.put(name, column(&rows, expression, scope)?);
            }
            Ok(made)
        }
        Operator::ProjectAway(names) => {
            names.iter().try_for_each(|name| rows.column(name).map(|_| ()))?;
            let kept: Vec<String> = rows.columns.iter().filter(|name| !names.contains(name)).cloned().collect();
            only(&rows, &kept)
        }
        Operator::Distinct(names) => {
            let mut made = only(&rows, names)?;
            let mut once: Vec<Rc<Vec<Value>>> = Vec::new();
            made.rows.retain(|row| {
                !once.contains(row) && {
                    once.push(Rc::clone(row));
                    true
                }
            });
            Ok(made)
        }
        Operator::Summarize { aggregates, by } => summarize(&rows, aggregates, by, scope),
        Operator::Join { is_inner, right, on } => joined(&rows, &rows_of(right, scope)?, on, *is_inner),
        Operator::Union(legs) => union(rows, legs, scope),
        Operator::Count => {
            let mut made = Rows::without_columns(1);
            made.put("Count", vec![Value::Number(rows.rows.len() as f64)]);
            Ok(made)
        }
        Operator::Take(count) => match Rows::without_columns(1).value(count, &[], scope)? {
            Value::Number(count) => {
                rows.rows.truncate(count as usize);
                Ok(rows)
            }
            other => Err(format!("take wants a number, found {other}")),
        },
        Operator::Sort(by) => sorted(rows, by),
    }
}

/// The rows in the order of some columns, the first one first, each ascending or not.
fn sorted(mut rows: Rows, by: &[(String, bool)]) -> Result<Rows, String> {
    for (name, ascending) in by.iter().rev() {
        let index = rows.column(name)?;
        rows.rows.sort_by(|one, other| {
            let order = compare(&one[index], &other[index]);
            if *ascending { order } else { order.reverse() }
        });
    }
    Ok(rows)
}

fn compare(one: &Value, other: &Value) -> std::cmp::Ordering {
    match (one, other) {
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        _ => one.number().unwrap_or(f64::MIN).total_cmp(&other.number().unwrap_or(f64::MIN)),
    }
}

fn column(rows: &Rows, expression: &Expression, scope: &Scope<'_>) -> Result<Vec<Value>, String> {
    rows.check(expression, scope)?;
    rows.rows.iter().map(|row| rows.value(expression, row, scope)).collect()
}

fn only(rows: &Rows, names: &[String]) -> Result<Rows, String> {
    let mut made = Rows::without_columns(rows.rows.len());
    for name in names {
        let index = rows.column(name)?;
        made.put(name, rows.rows.iter().map(|row| row[index].clone()).collect());
    }
    Ok(made)
}

fn filter(mut rows: Rows, condition: &Expression, scope: &Scope<'_>) -> Result<Rows, String> {
    rows.check(condition, scope)?;
    let mut kept = Vec::new();
    for row in std::mem::take(&mut rows.rows) {
        match rows.value(condition, &row, scope)? {
            Value::Flag(true) => kept.push(row),
            Value::Flag(false) => {}
            other => return Err(format!("where wants true or false, found {other}")),
        }
    }
    Ok(Rows { rows: kept, ..rows })
}

/// The rows of two sides that have the same value in a column; with the left ones that nothing fits, unless it is inner.
fn joined(left: &Rows, right: &Rows, on: &str, is_inner: bool) -> Result<Rows, String> {
    let (left_key, right_key) = (left.column(on)?, right.column(on)?);
    let mut made = Rows { columns: left.columns.clone(), rows: Vec::new() };
    let added: Vec<usize> = (0..right.columns.len()).filter(|index| *index != right_key).collect();
    for index in &added {
        let name = &right.columns[*index];
        let taken = left.columns.contains(name);
        made.columns.push(if taken { format!("{name}1") } else { name.clone() });
    }
    let nulls = Rc::new(vec![Value::Null; right.columns.len()]);
    for row in &left.rows {
        let mut matching: Vec<_> = right.rows.iter().filter(|other| other[right_key] == row[left_key]).collect();
        if matching.is_empty() && !is_inner {
            matching.push(&nulls);
        }
        for other in matching {
            made.rows.push(Rc::new(row.iter().chain(added.iter().map(|index| &other[*index])).cloned().collect()));
        }
    }
    Ok(made)
}
