//! Statements, and what a row comes from: a table, a function, brackets, a union.

use super::expression::{Expression, Reader, compute};
use super::lexer::tokens;
use super::operators::{Operator, apply, operator};
use super::rows::Rows;
use super::value::Value;
use std::cell::Cell;

/// Functions that call functions twice need few words for more than any machine can do.
const MOST_PIPELINES: usize = 10_000;
/// The rows of an answer (Azure Monitor service limits, "Log queries and language").
const MOST_ROWS: usize = 500_000;

/// The tables that a query sees: none for one that does not exist.
pub(crate) type Tables<'a> = dyn Fn(&str) -> Option<Rows> + 'a;

/// A query: names, and then what gives the result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Query {
    names: Vec<(String, Definition)>,
    result: Pipeline,
}

/// The thing that a name stands for.
#[derive(Clone, Debug, PartialEq)]
enum Definition {
    Scalar(Expression),
    Rows(Pipeline),
    Function { parameters: Vec<String>, body: Box<Query> },
}

/// Rows, and what is done with them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pipeline {
    source: Source,
    operators: Vec<Operator>,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Named(String),
    Called(String, Vec<Expression>),
    Brackets(Box<Pipeline>),
    Union(Vec<Pipeline>),
}

/// The surroundings of a part of a query: the tables, the names before it, the present.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    tables: &'a Tables<'a>,
    names: Vec<(String, Bound<'a>)>,
    pub(super) now: f64,
    /// The pipelines that were evaluated so far.
    effort: &'a Cell<usize>,
}

#[derive(Clone)]
enum Bound<'a> {
    Scalar(Value),
    Rows(Rows),
    Function(&'a [String], &'a Query),
}

impl Scope<'_> {
    /// The value of a name that stands for one.
    pub(super) fn scalar(&self, name: &str) -> Option<Value> {
        match self.names.iter().rev().find(|(known, _)| known == name)? {
            (_, Bound::Scalar(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// The value of an expression that is about no row.
    fn value(&self, expression: &Expression) -> Result<Value, String> {
        let column = |name: &str| self.scalar(name).ok_or_else(|| format!("no value {name}"));
        compute(expression, &column, self.now)
    }
}

/// The result of a query at a moment, in minutes since 1970.
///
/// # Errors
/// What is wrong with the query, or not known here.
pub(crate) fn run(query: &str, tables: &Tables<'_>, now: f64) -> Result<Rows, String> {
    let tokens = tokens(query)?;
    let mut reader = Reader::new(&tokens);
    let query = statements(&mut reader, None)?;
    evaluate(&query, Scope { tables, names: Vec::new(), now, effort: &Cell::new(0) })
}

/// Reads statements up to a closing bracket, or the end.
fn statements(reader: &mut Reader<'_, '_>, close: Option<&str>) -> Result<Query, String> {
    let mut names = Vec::new();
    loop {
        let is_name = reader.takes("let");
        if is_name {
            let name = reader.name()?.to_owned();
            reader.expect("=")?;
            names.push((name, definition(reader)?));
            reader.expect(";")?;
            continue;
        }
        let result = pipeline(reader)?;
        reader.takes(";");
        let ends = match close {
            Some(close) => reader.takes(close),
            None => reader.is_at_the_end(),
        };
        return if ends {
            Ok(Query { names, result })
        } else {
            Err(format!("'{}' is not known here", reader.next_text()))
        };
    }
}

fn definition(reader: &mut Reader<'_, '_>) -> Result<Definition, String> {
    // `(a: datetime, b: long) { … }`
    let is_function = reader.sees(0, "(") && (reader.sees(1, ")") || reader.sees(2, ":"));
    if is_function {
        reader.expect("(")?;
        let parameter = |reader: &mut Reader<'_, '_>| {
            let name = reader.name()?.to_owned();
            reader.expect(":")?;
            reader.name()?;
            Ok(name)
        };
        let parameters = if reader.sees(0, ")") { Vec::new() } else { reader.list(parameter)? };
        reader.expect(")")?;
        reader.expect("{")?;
        let body = reader.deeper(|reader| statements(reader, Some("}")))?;
        return Ok(Definition::Function { parameters, body: Box::new(body) });
    }
    let mut rows: Reader<'_, '_> = reader.clone();
    if let Ok(pipeline) = pipeline(&mut rows)
        && rows.sees(0, ";")
    {
        *reader = rows;
        return Ok(Definition::Rows(pipeline));
    }
    reader.expression().map(Definition::Scalar)
}

pub(super) fn pipeline(reader: &mut Reader<'_, '_>) -> Result<Pipeline, String> {
    let source = source(reader)?;
    let mut operators = Vec::new();
    while reader.takes("|") {
        operators.push(operator(reader)?);
    }
    Ok(Pipeline { source, operators })
}

fn source(reader: &mut Reader<'_, '_>) -> Result<Source, String> {
    if reader.takes("(") {
        return Ok(Source::Brackets(Box::new(in_brackets(reader)?)));
    }
    if reader.takes("union") {
        return reader.list(legs).map(Source::Union);
    }
    let name = reader.name()?.to_owned();
    if !reader.takes("(") {
        return Ok(Source::Named(name));
    }
    let arguments = reader.arguments()?;
    Ok(Source::Called(name, arguments))
}

/// A pipeline up to its closing bracket; the one that opens is read.
pub(super) fn in_brackets(reader: &mut Reader<'_, '_>) -> Result<Pipeline, String> {
    let inner = reader.deeper(pipeline)?;
    reader.expect(")")?;
    Ok(inner)
}

/// One of the parts of a union: brackets, a table, a function.
pub(super) fn legs(reader: &mut Reader<'_, '_>) -> Result<Pipeline, String> {
    Ok(Pipeline { source: source(reader)?, operators: Vec::new() })
}

fn evaluate<'a>(query: &'a Query, mut scope: Scope<'a>) -> Result<Rows, String> {
    for (name, definition) in &query.names {
        let bound = match definition {
            Definition::Rows(Pipeline { source: Source::Named(other), operators })
                if operators.is_empty() && scope.scalar(other).is_some() =>
            {
                Bound::Scalar(scope.value(&Expression::Column(other.clone()))?)
            }
            // A call may give a value as well as rows.
            Definition::Rows(Pipeline { source: Source::Called(function, arguments), operators })
                if operators.is_empty() && !scope.has_function(function) =>
            {
                Bound::Scalar(scope.value(&Expression::Call(function.clone(), arguments.clone()))?)
            }
            Definition::Rows(pipeline) => Bound::Rows(rows_of(pipeline, &scope)?),
            Definition::Scalar(expression) => Bound::Scalar(scope.value(expression)?),
            Definition::Function { parameters, body } => Bound::Function(parameters, body),
        };
        scope.names.push((name.clone(), bound));
    }
    rows_of(&query.result, &scope)
}

impl<'a> Scope<'a> {
    fn has_function(&self, name: &str) -> bool {
        self.names.iter().any(|(known, bound)| known == name && matches!(bound, Bound::Function(..)))
    }
}

pub(super) fn rows_of(pipeline: &Pipeline, scope: &Scope<'_>) -> Result<Rows, String> {
    scope.effort.set(scope.effort.get() + 1);
    if scope.effort.get() > MOST_PIPELINES {
        return Err(format!("more than {MOST_PIPELINES} pipelines"));
    }
    let mut rows = match &pipeline.source {
        Source::Brackets(inner) => rows_of(inner, scope)?,
        Source::Union(legs) => union(Rows::default(), legs, scope)?,
        Source::Named(name) => match scope.names.iter().rev().find(|(known, _)| known == name) {
            Some((_, Bound::Rows(rows))) => rows.clone(),
            Some((_, Bound::Function([], body))) => evaluate(body, scope.clone())?,
            _ => (scope.tables)(name).ok_or_else(|| format!("no table {name}"))?,
        },
        Source::Called(name, arguments) => called(name, arguments, scope)?,
    };
    for operator in &pipeline.operators {
        rows = apply(operator, rows, scope)?;
    }
    Ok(rows)
}

/// The rows of a function of the query.
fn called(name: &str, arguments: &[Expression], scope: &Scope<'_>) -> Result<Rows, String> {
    let known = scope.names.iter().rposition(|(known, _)| known == name).map(|index| (index, &scope.names[index].1));
    let Some((index, Bound::Function(parameters, body))) = known else {
        return Err(format!("no function {name}"));
    };
    if parameters.len() != arguments.len() {
        return Err(format!("{name} takes {} values", parameters.len()));
    }
    // A function sees what was there before it, so none calls itself.
    let mut inner = Scope { names: scope.names[..index].to_vec(), ..scope.clone() };
    for (parameter, argument) in parameters.iter().zip(arguments) {
        inner.names.push((parameter.clone(), Bound::Scalar(scope.value(argument)?)));
    }
    evaluate(body, inner)
}

/// Rows with those of other pipelines after them.
pub(super) fn union(mut rows: Rows, legs: &[Pipeline], scope: &Scope<'_>) -> Result<Rows, String> {
    for leg in legs {
        rows.append(rows_of(leg, scope)?);
        if rows.rows.len() > MOST_ROWS {
            return Err(format!("more than {MOST_ROWS} rows"));
        }
    }
    Ok(rows)
}
