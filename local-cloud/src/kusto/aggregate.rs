//! `summarize`: values of groups of rows.

use super::expression::Expression;
use super::operators::Item;
use super::pipeline::Scope;
use super::rows::Rows;
use super::value::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// Rows with the same values of what they are grouped by.
struct Group<'a> {
    key: Vec<Value>,
    members: Vec<&'a Rc<Vec<Value>>>,
}

pub(super) fn summarize(rows: &Rows, aggregates: &[Item], by: &[Item], scope: &Scope<'_>) -> Result<Rows, String> {
    by.iter().try_for_each(|(_, expression)| rows.check(expression, scope))?;
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    if by.is_empty() {
        // Without groups there is one result, also of no rows.
        groups.push(Group { key: Vec::new(), members: rows.rows.iter().collect() });
    } else {
        for row in &rows.rows {
            let key: Result<Vec<Value>, String> =
                by.iter().map(|(_, expression)| rows.value(expression, row, scope)).collect();
            let key = key?;
            let place = *places.entry(format!("{key:?}")).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Group { key, members: Vec::new() });
            }
            groups[place].members.push(row);
        }
    }
    let mut made = Rows::without_columns(groups.len());
    for (index, (name, _)) in by.iter().enumerate() {
        let values = groups.iter().map(|group| group.key[index].clone()).collect();
        made.put(name.as_ref().ok_or("by something without a name")?, values);
    }
    for (name, expression) in aggregates {
        rows.check(expression, scope)?;
        let (function, arguments, convert) = aggregate_of(expression).ok_or("no aggregate")?;
        if ["arg_max", "arg_min"].contains(&function) {
            arg_max(rows, arguments, &groups, function == "arg_min", &mut made)?;
            continue;
        }
        let name = name.clone().unwrap_or_else(|| named_after(function, arguments));
        let values: Result<Vec<Value>, String> = groups
            .iter()
            .map(|group| aggregate(rows, function, arguments, &group.members, scope))
            .map(|value| match (value?, convert) {
                (value, None) => Ok(value),
                (value, Some(convert)) => super::scalar::call(convert, &[value], scope.now),
            })
            .collect();
        made.put(&name, values?);
    }
    Ok(made)
}

/// The function and the arguments of an aggregate, and the function around it, if there is one.
fn aggregate_of(expression: &Expression) -> Option<(&str, &[Expression], Option<&str>)> {
    match expression {
        Expression::Call(convert, arguments)
            if ["toreal", "todouble", "tolong", "toint"].contains(&convert.as_str()) =>
        {
            let [inner] = arguments.as_slice() else { return None };
            let (function, arguments, _) = aggregate_of(inner)?;
            Some((function, arguments, Some(convert)))
        }
        Expression::Call(function, arguments) => Some((function, arguments, None)),
        _ => None,
    }
}

/// The name of an aggregate that has none: `count_`, `avg_Val`.
fn named_after(function: &str, arguments: &[Expression]) -> String {
    match arguments.first() {
        Some(Expression::Column(column)) => format!("{function}_{column}"),
        _ => format!("{function}_"),
    }
}

fn aggregate(
    rows: &Rows,
    function: &str,
    arguments: &[Expression],
    members: &[&Rc<Vec<Value>>],
    scope: &Scope<'_>,
) -> Result<Value, String> {
    let (condition, plain) = match function.strip_suffix("if") {
        Some(plain) => (arguments.last(), plain),
        None => (None, function),
    };
    let mut counted = Vec::new();
    for row in members {
        match condition.map(|condition| rows.value(condition, row, scope)).transpose()? {
            None | Some(Value::Flag(true)) => counted.push(row),
            Some(Value::Flag(false)) => {}
            Some(other) => return Err(format!("{function} wants true or false, found {other}")),
        }
    }
    if plain == "count" {
        return Ok(Value::Number(counted.len() as f64));
    }
    if !["avg", "max", "min", "sum", "dcount", "take_any"].contains(&plain) {
        return Err(format!("no aggregate {function}"));
    }
    let of = arguments.first().ok_or_else(|| format!("{function} of nothing"))?;
    let values: Result<Vec<Value>, String> = counted.into_iter().map(|row| rows.value(of, row, scope)).collect();
    let mut values: Vec<Value> = values?.into_iter().filter(|value| *value != Value::Null).collect();
    match plain {
        "take_any" => return Ok(values.into_iter().next().unwrap_or(Value::Null)),
        "dcount" => {
            values.sort_by_key(|value| format!("{value:?}"));
            values.dedup();
            return Ok(Value::Number(values.len() as f64));
        }
        _ => {}
    }
    let Some(first) = values.first() else {
        return Ok(if plain == "sum" { Value::Number(0.0) } else { Value::Null });
    };
    let numbers: Option<Vec<f64>> = values.iter().map(Value::number).collect();
    let numbers = numbers.ok_or_else(|| format!("{function} of {first} is not known here"))?;
    let made = match plain {
        "avg" => numbers.iter().sum::<f64>() / numbers.len() as f64,
        "sum" => numbers.iter().sum(),
        "max" => numbers.iter().copied().fold(f64::MIN, f64::max),
        _ => numbers.iter().copied().fold(f64::MAX, f64::min),
    };
    Ok(match first {
        Value::Time(_) => Value::Time(made),
        Value::Span(_) => Value::Span(made),
        _ => Value::Number(made),
    })
}

/// The row of each group in which the first argument is the greatest, or the least.
fn arg_max(
    rows: &Rows,
    arguments: &[Expression],
    groups: &[Group<'_>],
    is_least: bool,
    made: &mut Rows,
) -> Result<(), String> {
    let names: Result<Vec<&String>, String> = arguments
        .iter()
        .map(|argument| match argument {
            Expression::Column(name) => Ok(name),
            _ => Err("arg_max and arg_min know columns only".to_owned()),
        })
        .collect();
    let names = names?;
    let by = rows.column(names.first().ok_or("arg_max of nothing")?)?;
    let kept: Vec<&String> = if names.iter().any(|name| *name == "*") { rows.columns.iter().collect() } else { names };
    let chosen: Vec<Option<&Rc<Vec<Value>>>> = groups
        .iter()
        .map(|group| {
            let value = |row: &Rc<Vec<Value>>| row[by].number().unwrap_or(f64::MIN);
            let value = |row: &Rc<Vec<Value>>| if is_least { -value(row) } else { value(row) };
            group.members.iter().copied().max_by(|one, other| value(one).total_cmp(&value(other)))
        })
        .collect();
    for name in kept {
        let column = rows.column(name)?;
        if !made.columns.contains(name) {
            let values = chosen.iter().map(|row| row.map_or(Value::Null, |row| row[column].clone())).collect();
            made.put(name, values);
        }
    }
    Ok(())
}
