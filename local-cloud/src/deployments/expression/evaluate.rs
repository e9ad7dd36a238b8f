//! The values of expressions, and of all that has expressions in it.

use super::effort::Effort;
use super::{Halt, functions, read};
use crate::deployments::record::Step;
use crate::deployments::template::{beyond, find};
use crate::expression::{Node, Text};
use crate::path::ResourceId;
use crate::state::State;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The facts that the expressions of a deployment are about.
pub(in crate::deployments) struct Facts<'a> {
    pub(in crate::deployments) state: &'a State,
    /// The values of the parameters; the names are in lower case.
    pub(in crate::deployments) parameters: &'a BTreeMap<String, Value>,
    /// The subscription or resource group that is deployed to.
    pub(in crate::deployments) scope: ResourceId,
    /// The resources of the template, as far as they are known.
    pub(in crate::deployments) steps: &'a [Step],
    /// The resources of the template that were referred to so far.
    pub(in crate::deployments) touched: RefCell<BTreeSet<usize>>,
    pub(in crate::deployments) effort: Effort,
}

/// Whether an expression may read other resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::deployments) enum Reads {
    /// Its value has to be known before anything is deployed.
    Never,
    /// It may, but nothing is deployed yet: it stays as it is.
    Later,
    Now,
}

/// Evaluates expressions.
pub(in crate::deployments) struct Evaluator<'a> {
    pub(in crate::deployments) facts: &'a Facts<'a>,
    pub(in crate::deployments) reads: Reads,
}

impl Evaluator<'_> {
    /// A value with the values of all expressions in it. `place` says where in the template it is.
    pub(in crate::deployments) fn resolve(&self, value: &Value, place: &str) -> Result<Value, Halt> {
        let resolved = match value {
            Value::String(text) => self.text(text).map_err(|halt| halt.at(place))?,
            Value::Array(items) => {
                let item = |(index, item): (usize, &Value)| self.resolve(item, &format!("{place}[{index}]"));
                return items.iter().enumerate().map(item).collect();
            }
            Value::Object(members) => {
                let mut resolved = Map::new();
                for (name, value) in members {
                    let here = format!("{place}.{name}");
                    if name == "copy" && value.is_array() {
                        return Err(beyond("loops in properties").at(&here));
                    }
                    let Value::String(name) = self.text(name).map_err(|halt| halt.at(&here))? else {
                        return Err(Halt::Wrong("The name of a property must be a text.".to_owned()).at(&here));
                    };
                    resolved.insert(name, self.resolve(value, &here)?);
                }
                return Ok(Value::Object(resolved));
            }
            other => other.clone(),
        };
        self.facts.effort.made(&resolved).map_err(|halt| halt.at(place))?;
        Ok(resolved)
    }

    fn text(&self, text: &str) -> Result<Value, Halt> {
        match read(text)? {
            Text::Literal(text) => Ok(Value::String(text)),
            Text::Expression(node) => match self.node(&node) {
                Err(Halt::Unknown) => Ok(Value::String(text.to_owned())),
                other => other,
            },
        }
    }

    /// The value of an expression.
    pub(super) fn node(&self, node: &Node) -> Result<Value, Halt> {
        let value = match node {
            Node::Literal(value) => value.clone(),
            Node::Member { of, name } => member(self.node(of)?, &self.node(name)?)?,
            Node::Call { name, arguments } => {
                functions::check_name(name)?;
                let values = arguments.iter().map(|argument| self.node(argument)).collect::<Result<Vec<_>, _>>()?;
                functions::call(self, name, &values)?
            }
        };
        self.facts.effort.made(&value)?;
        Ok(value)
    }
}

/// A member of an object, whose name is read in any letter case, or an item of a list.
fn member(of: Value, name: &Value) -> Result<Value, Halt> {
    let found = match (&of, name) {
        (Value::Object(members), Value::String(name)) => find(members, name),
        (Value::Array(items), Value::Number(index)) => {
            index.as_u64().and_then(|index| items.get(usize::try_from(index).ok()?))
        }
        _ => None,
    };
    found.cloned().ok_or_else(|| {
        let parts = match &of {
            Value::Object(members) => members.keys().cloned().collect::<Vec<_>>().join(", "),
            Value::Array(items) => format!("0 to {}", items.len().saturating_sub(1)),
            other => format!("none of a value of the type {}", kind(other)),
        };
        Halt::Wrong(format!(
            "The language expression property {name} doesn't exist, available properties are '{parts}'."
        ))
    })
}

/// The type of a value as Azure calls it.
pub(in crate::deployments) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "Null",
        Value::Bool(_) => "Boolean",
        Value::Number(number) if number.is_f64() => "Float",
        Value::Number(_) => "Integer",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Object(_) => "Object",
    }
}
