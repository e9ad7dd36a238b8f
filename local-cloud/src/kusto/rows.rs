//! Rows with the names of their columns.

use super::expression::{Expression, compute};
use super::pipeline::Scope;
use super::value::Value;
use std::rc::Rc;

/// Some rows. Those that are only filtered are not copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Rc<Vec<Value>>>,
}

impl Rows {
    /// The position of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, String> {
        self.columns.iter().position(|known| known == name).ok_or_else(|| format!("no column {name}"))
    }

    /// The value of an expression in a row; a name that is no column is one that was defined before.
    pub(super) fn value(&self, expression: &Expression, row: &[Value], scope: &Scope<'_>) -> Result<Value, String> {
        let column = |name: &str| match self.column(name) {
            Ok(index) => Ok(row[index].clone()),
            Err(error) => scope.scalar(name).ok_or(error),
        };
        compute(expression, &column, scope.now)
    }

    /// Finds a mistake although there may be no rows.
    pub(super) fn check(&self, expression: &Expression, scope: &Scope<'_>) -> Result<(), String> {
        match expression {
            Expression::Column(name) if name == "*" || scope.scalar(name).is_some() => Ok(()),
            Expression::Column(name) => self.column(name).map(|_| ()),
            other => other.parts().into_iter().try_for_each(|part| self.check(part, scope)),
        }
    }

    /// Sets a column, or adds it.
    pub(super) fn put(&mut self, name: &str, values: Vec<Value>) {
        let index = self.columns.iter().position(|known| known == name);
        for (row, value) in self.rows.iter_mut().zip(values) {
            let row = Rc::make_mut(row);
            match index {
                Some(index) => row[index] = value,
                None => row.push(value),
            }
        }
        if index.is_none() {
            self.columns.push(name.to_owned());
        }
    }

    /// So many rows without columns.
    pub(super) fn without_columns(count: usize) -> Rows {
        Rows { columns: Vec::new(), rows: vec![Rc::default(); count] }
    }

    /// Adds rows by the names of their columns; what one of the two does not have is null.
    pub(super) fn append(&mut self, other: Rows) {
        if self.columns == other.columns {
            return self.rows.extend(other.rows);
        }
        let new: Vec<&String> = other.columns.iter().filter(|name| !self.columns.contains(name)).collect();
        if !new.is_empty() {
            let width = self.columns.len() + new.len();
            self.rows.iter_mut().for_each(|row| Rc::make_mut(row).resize(width, Value::Null));
            self.columns.extend(new.into_iter().cloned());
        }
        let places: Vec<Option<usize>> =
            self.columns.iter().map(|name| other.columns.iter().position(|known| known == name)).collect();
        self.rows.extend(other.rows.iter().map(|row| {
            Rc::new(places.iter().map(|place| place.map_or(Value::Null, |place| row[place].clone())).collect())
        }));
    }
}
