//! Runs a query over made-up rows. It knows the operators that the built-in queries use; anything else is an error.

use super::expression::{Expression, Reader, Value, compute};
use super::lexer::{Kind, Token, tokens};
use super::query::split;

/// Rows with the names of their columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Rows {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
}

impl Rows {
    fn column(&self, name: &str) -> Result<usize, String> {
        self.columns.iter().position(|known| known == name).ok_or_else(|| format!("no column {name}"))
    }

    fn value(&self, expression: &Expression, row: &[Value]) -> Result<Value, String> {
        compute(expression, &|name| Ok(row[self.column(name)?].clone()))
    }

    /// Finds a mistake although there may be no rows.
    fn check(&self, expression: &Expression) -> Result<(), String> {
        let parts: Vec<&Expression> = match expression {
            Expression::Literal(_) => Vec::new(),
            Expression::Column(name) if name == "*" => Vec::new(),
            Expression::Column(name) => return self.column(name).map(|_| ()),
            Expression::Call(_, arguments) => arguments.iter().collect(),
            Expression::Binary(_, left, right) | Expression::Index(left, right) => vec![left, right],
            Expression::In(_, left, list) => list.iter().chain([&**left]).collect(),
        };
        parts.into_iter().try_for_each(|part| self.check(part))
    }

    fn put(&mut self, name: String, values: Vec<Value>) {
        match self.columns.iter().position(|known| *known == name) {
            Some(index) => self.rows.iter_mut().zip(values).for_each(|(row, value)| row[index] = value),
            None => {
                self.columns.push(name);
                self.rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
            }
        }
    }
}

/// The tables of a workspace.
pub(super) type Workspace<'a> = dyn Fn(&str) -> Option<Rows> + 'a;

/// The result of a query.
///
/// # Errors
/// What is wrong with the query, or not known here.
pub(super) fn run(query: &str, workspace: &Workspace<'_>) -> Result<Rows, String> {
    pipeline(&tokens(query), workspace)
}

fn pipeline(tokens: &[Token<'_>], workspace: &Workspace<'_>) -> Result<Rows, String> {
    let stages = split(tokens, 0..tokens.len(), "|");
    let (source, operators) = stages.split_first().ok_or("no query")?;
    let mut source = Reader::new(&tokens[source.clone()]);
    let table = source.word()?;
    let mut rows = workspace(table).ok_or_else(|| format!("no table {table}"))?;
    if !source.is_at_the_end() {
        return Err(format!("something after the table {table}"));
    }
    for stage in operators {
        let mut reader = Reader::new(&tokens[stage.clone()]);
        rows = match reader.word()? {
            "where" => filter(rows, &mut reader)?,
            "extend" => extend(rows, &mut reader)?,
            "project" => project(&rows, &mut reader)?,
            "summarize" => summarize(&rows, &mut reader)?,
            "join" => join(&rows, &tokens[stage.clone()], workspace)?,
            other => return Err(format!("no operator {other}")),
        };
        if !reader.is_at_the_end() && !tokens[stage.start].is_word("join") {
            return Err("something after the end of an operator".to_owned());
        }
    }
    Ok(rows)
}

fn filter(mut rows: Rows, reader: &mut Reader<'_, '_>) -> Result<Rows, String> {
    let condition = reader.expression()?;
    rows.check(&condition)?;
    let mut kept = Vec::new();
    for row in std::mem::take(&mut rows.rows) {
        match rows.value(&condition, &row)? {
            Value::Flag(true) => kept.push(row),
            Value::Flag(false) => {}
            other => return Err(format!("where {other:?}")),
        }
    }
    Ok(Rows { rows: kept, ..rows })
}

/// `name = expression`, or an expression alone.
fn items(reader: &mut Reader<'_, '_>) -> Result<Vec<(Option<String>, Expression)>, String> {
    let mut found = Vec::new();
    loop {
        let first = reader.expression()?;
        found.push(match first {
            Expression::Column(name) if reader.takes(Kind::Sign, "=") => (Some(name), reader.expression()?),
            Expression::Column(name) => (Some(name.clone()), Expression::Column(name)),
            other => (None, other),
        });
        if !reader.takes(Kind::Sign, ",") {
            return Ok(found);
        }
    }
}

fn extend(mut rows: Rows, reader: &mut Reader<'_, '_>) -> Result<Rows, String> {
    let before = rows.clone();
    for (name, expression) in items(reader)? {
        before.check(&expression)?;
        let values: Result<_, _> = before.rows.iter().map(|row| before.value(&expression, row)).collect();
        rows.put(name.ok_or("extend without a name")?, values?);
    }
    Ok(rows)
}

fn project(rows: &Rows, reader: &mut Reader<'_, '_>) -> Result<Rows, String> {
    let mut made = Rows { columns: Vec::new(), rows: vec![Vec::new(); rows.rows.len()] };
    for (name, expression) in items(reader)? {
        rows.check(&expression)?;
        let name = name.ok_or("project without a name")?;
        if made.columns.contains(&name) {
            return Err(format!("{name} stands twice"));
        }
        let values: Result<_, _> = rows.rows.iter().map(|row| rows.value(&expression, row)).collect();
        made.put(name, values?);
    }
    Ok(made)
}

fn summarize(rows: &Rows, reader: &mut Reader<'_, '_>) -> Result<Rows, String> {
    let aggregates = items(reader)?;
    let by = if reader.takes(Kind::Word, "by") { items(reader)? } else { Vec::new() };
    let mut groups: Vec<(Vec<Value>, Vec<&Vec<Value>>)> = Vec::new();
    by.iter().try_for_each(|(_, expression)| rows.check(expression))?;
    for row in &rows.rows {
        let key: Result<Vec<Value>, String> = by.iter().map(|(_, expression)| rows.value(expression, row)).collect();
        let key = key?;
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    let mut made = Rows { columns: Vec::new(), rows: vec![Vec::new(); groups.len()] };
    for (index, (name, _)) in by.iter().enumerate() {
        let values = groups.iter().map(|(key, _)| key[index].clone()).collect();
        made.put(name.clone().ok_or("by something without a name")?, values);
    }
    for (name, expression) in &aggregates {
        rows.check(expression)?;
        let Expression::Call(function, arguments) = expression else { return Err("no aggregate".to_owned()) };
        if function == "arg_max" {
            arg_max(rows, arguments, &groups, &mut made)?;
            continue;
        }
        let values: Result<_, _> =
            groups.iter().map(|(_, members)| aggregate(rows, function, arguments, members)).collect();
        made.put(name.clone().ok_or("an aggregate without a name")?, values?);
    }
    Ok(made)
}

fn aggregate(rows: &Rows, function: &str, arguments: &[Expression], members: &[&Vec<Value>]) -> Result<Value, String> {
    let (condition, plain) = match function.strip_suffix("if") {
        Some(plain) => (arguments.last(), plain),
        None => (None, function),
    };
    let mut counted = Vec::new();
    for row in members {
        match condition.map(|condition| rows.value(condition, row)).transpose()? {
            None | Some(Value::Flag(true)) => counted.push(row),
            Some(Value::Flag(false)) => {}
            Some(other) => return Err(format!("{function} of {other:?}")),
        }
    }
    if plain == "count" {
        return Ok(Value::Number(counted.len() as f64));
    }
    if !["avg", "max", "min"].contains(&plain) {
        return Err(format!("no aggregate {function}"));
    }
    let of = arguments.first().ok_or_else(|| format!("{function} of nothing"))?;
    let values: Result<Vec<Value>, String> = counted.into_iter().map(|row| rows.value(of, row)).collect();
    let values: Vec<Value> = values?.into_iter().filter(|value| *value != Value::Null).collect();
    let Some(first) = values.first() else { return Ok(Value::Null) };
    let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
    let numbers = numbers.ok_or_else(|| format!("{function} of {first:?}"))?;
    let made = match plain {
        "avg" => numbers.iter().sum::<f64>() / numbers.len() as f64,
        "max" => numbers.iter().copied().fold(f64::MIN, f64::max),
        _ => numbers.iter().copied().fold(f64::MAX, f64::min),
    };
    Ok(match first {
        Value::Time(_) => Value::Time(made),
        _ => Value::Number(made),
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) | Value::Time(number) => Some(*number),
        _ => None,
    }
}

/// The row of each group in which the first argument is the greatest.
fn arg_max(
    rows: &Rows,
    arguments: &[Expression],
    groups: &[(Vec<Value>, Vec<&Vec<Value>>)],
    made: &mut Rows,
) -> Result<(), String> {
    let names: Result<Vec<&String>, String> = arguments
        .iter()
        .map(|argument| match argument {
            Expression::Column(name) => Ok(name),
            other => Err(format!("arg_max of {other:?}")),
        })
        .collect();
    let names = names?;
    let by = rows.column(names.first().ok_or("arg_max of nothing")?)?;
    let kept: Vec<&String> = if names.iter().any(|name| *name == "*") { rows.columns.iter().collect() } else { names };
    let greatest = |members: &[&Vec<Value>]| {
        let compare = |one: &&&Vec<Value>, other: &&&Vec<Value>| {
            let value = |row: &Vec<Value>| number(&row[by]).unwrap_or(f64::MIN);
            value(one).total_cmp(&value(other))
        };
        members.iter().max_by(compare).map(|row| (*row).clone()).unwrap_or_default()
    };
    let greatest: Vec<Vec<Value>> = groups.iter().map(|(_, members)| greatest(members)).collect();
    for name in kept {
        let column = rows.column(name)?;
        if !made.columns.contains(name) {
            made.put(name.clone(), greatest.iter().map(|row| row[column].clone()).collect());
        }
    }
    Ok(())
}

/// `join kind=leftouter (…) on Column`.
fn join(left: &Rows, tokens: &[Token<'_>], workspace: &Workspace<'_>) -> Result<Rows, String> {
    let [_, kind, equals, outer, open, inner @ .., close, on, column] = tokens else {
        return Err("a join of another form".to_owned());
    };
    let form = [(kind, "kind"), (equals, "="), (outer, "leftouter"), (open, "("), (close, ")"), (on, "on")];
    if form.iter().any(|(token, text)| token.text != *text) {
        return Err("a join of another form".to_owned());
    }
    let right = pipeline(inner, workspace)?;
    let (left_key, right_key) = (left.column(column.text)?, right.column(column.text)?);
    let mut made = Rows { columns: left.columns.clone(), rows: Vec::new() };
    let added: Vec<usize> = (0..right.columns.len()).filter(|index| *index != right_key).collect();
    for index in &added {
        let name = &right.columns[*index];
        let taken = left.columns.contains(name);
        made.columns.push(if taken { format!("{name}1") } else { name.clone() });
    }
    for row in &left.rows {
        let matching: Vec<&Vec<Value>> = right.rows.iter().filter(|other| other[right_key] == row[left_key]).collect();
        let nulls = vec![Value::Null; right.columns.len()];
        let matching = if matching.is_empty() { vec![&nulls] } else { matching };
        for other in matching {
            made.rows.push(row.iter().chain(added.iter().map(|index| &other[*index])).cloned().collect());
        }
    }
    Ok(made)
}
