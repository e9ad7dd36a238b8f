//! The values of expressions, and of all that has expressions in it.

use super::effort::Effort;
use super::values::{find, items, kind, printed, text, truth, whole};
use super::{Halt, Node, Text, functions, lambdas, read, resource_functions};
use crate::deployments::record::Step;
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::state::State;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often a loop may go round. Source: learn.microsoft.com, "Resource iteration in ARM templates".
const MOST_COPIES: usize = 800;

/// What the expressions of a deployment are about.
pub(in crate::deployments) struct Facts<'a> {
    pub(in crate::deployments) state: &'a State,
    /// The template with the variables and functions.
    pub(in crate::deployments) definitions: &'a Value,
    /// The values of the parameters; the names are in lower case.
    pub(in crate::deployments) parameters: &'a BTreeMap<String, Value>,
    /// The subscription or resource group that is meant where none is said.
    pub(in crate::deployments) scope: &'a ResourceId,
    /// What `deployment()` gives.
    pub(in crate::deployments) deployment: Value,
    /// The resources of the template.
    pub(in crate::deployments) steps: &'a [Step],
    /// Whether resources can be read: false while nothing is deployed.
    pub(in crate::deployments) running: bool,
    pub(in crate::deployments) now: Moment,
    /// Where the client found the local cloud.
    pub(in crate::deployments) base: &'a str,
    /// The ids of the resources of the template that were referred to so far.
    pub(in crate::deployments) touched: RefCell<Vec<String>>,
    /// Variables that have been evaluated; none for those that are being.
    pub(super) variables: RefCell<BTreeMap<String, Option<Value>>>,
    /// What evaluating has taken so far.
    pub(super) effort: Effort,
}

impl<'a> Facts<'a> {
    /// Facts for a template whose resources are not known yet.
    pub(in crate::deployments) fn new(
        state: &'a State,
        definitions: &'a Value,
        parameters: &'a BTreeMap<String, Value>,
        scope: &'a ResourceId,
        now: Moment,
    ) -> Facts<'a> {
        Facts {
            state,
            definitions,
            parameters,
            scope,
            deployment: Value::Null,
            steps: &[],
            running: false,
            now,
            base: "",
            touched: RefCell::default(),
            variables: RefCell::default(),
            effort: Effort::default(),
        }
    }
}

/// Where an expression stands, which decides what it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::deployments) enum Where {
    /// The default value of a parameter.
    Default,
    /// A variable.
    Variable,
    /// What has to be known before anything is deployed: names, conditions, loops.
    Start,
    /// The rest of a resource.
    Body,
    /// An output.
    Output,
}

/// Evaluates expressions of one place.
#[derive(Clone)]
pub(in crate::deployments) struct Evaluator<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) place: Where,
    /// The loops around the expression, the innermost last: names and rounds.
    copies: Vec<(String, i64)>,
    /// How many of them are loops of resources.
    resource_copies: usize,
    /// The arguments, in a function of the template.
    pub(super) arguments: Option<BTreeMap<String, Value>>,
    /// The variables of lambdas around the expression.
    pub(super) lambda_variables: Vec<(String, Value)>,
    /// Expressions whose value is not known yet stay as they are.
    pub(super) lenient: bool,
    pub(super) depth: usize,
}

impl<'a> Evaluator<'a> {
    pub(in crate::deployments) fn new(facts: &'a Facts<'a>, place: Where) -> Evaluator<'a> {
        Evaluator {
            facts,
            place,
            copies: Vec::new(),
            resource_copies: 0,
            arguments: None,
            lambda_variables: Vec::new(),
            lenient: false,
            depth: 0,
        }
    }

    /// In one round of a loop of resources.
    pub(in crate::deployments) fn in_copy(mut self, copy: Option<&(String, i64)>) -> Evaluator<'a> {
        self.copies.extend(copy.cloned());
        self.resource_copies = self.copies.len();
        self
    }

    /// Leaves expressions as they are whose value is not known yet.
    pub(in crate::deployments) fn lenient(mut self) -> Evaluator<'a> {
        self.lenient = true;
        self
    }

    /// With the value of a variable of a lambda.
    pub(super) fn with_lambda_variables(&self, variables: Vec<(String, Value)>) -> Evaluator<'a> {
        let mut inner = self.clone();
        inner.lambda_variables.extend(variables);
        inner
    }

    /// A value with the values of all expressions in it. `place` says where in the template it is.
    pub(in crate::deployments) fn resolve(&self, value: &Value, place: &str) -> Result<Value, Halt> {
        let _level = self.facts.effort.enter().map_err(|halt| halt.at(place))?;
        match value {
            Value::String(text) => {
                let resolved = self.resolve_text(text, place)?;
                self.facts.effort.made(&resolved).map_err(|halt| halt.at(place))?;
                Ok(resolved)
            }
            Value::Array(items) => {
                let item = |(index, item): (usize, &Value)| self.resolve(item, &format!("{place}[{index}]"));
                items.iter().enumerate().map(item).collect()
            }
            Value::Object(members) => {
                let mut resolved = Map::new();
                for (name, value) in members {
                    let here = format!("{place}.{name}");
                    if name == "copy" && is_property_copy(value) {
                        for copy in value.as_array().into_iter().flatten() {
                            let (name, values) = self.property_copy(copy, &here)?;
                            resolved.insert(name, values);
                        }
                        continue;
                    }
                    let name = match self.resolve_text(name, &here)? {
                        Value::String(name) => name,
                        other => printed(&other),
                    };
                    resolved.insert(name, self.resolve(value, &here)?);
                }
                Ok(Value::Object(resolved))
            }
            other => {
                self.facts.effort.made(other)?;
                Ok(other.clone())
            }
        }
    }

    fn resolve_text(&self, text: &str, place: &str) -> Result<Value, Halt> {
        match read(text).map_err(|halt| halt.at(place))? {
            Text::Literal(text) => Ok(Value::String(text)),
            Text::Expression(node) => match self.node(&node) {
                Err(Halt::Unknown) if self.lenient => Ok(Value::String(text.to_owned())),
                other => other.map_err(|halt| halt.at(place)),
            },
        }
    }

    /// A loop within a resource, a variable or an output: `{"name", "count", "input"}`.
    pub(in crate::deployments) fn property_copy(&self, copy: &Value, place: &str) -> Result<(String, Value), Halt> {
        let name = copy.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let count = match self.resolve(copy.get("count").unwrap_or(&Value::Null), place) {
            // How often is not known yet: once shows what is wrong.
            Err(Halt::Unknown) if self.lenient => Ok(1),
            Ok(Value::String(_)) if self.lenient => Ok(1),
            other => other.and_then(|count| copy_count(&count).map_err(|reason| Halt::Wrong(reason).at(place))),
        }?;
        let input = copy.get("input").unwrap_or(&Value::Null);
        let round = |index: usize| {
            let mut inner = self.clone();
            inner.copies.push((name.clone(), i64::try_from(index).unwrap_or_default()));
            inner.resolve(input, &format!("{place}.{name}[{index}]"))
        };
        let values = (0..count).map(round).collect::<Result<_, _>>()?;
        Ok((name, values))
    }

    /// The value of an expression.
    pub(super) fn node(&self, node: &Node) -> Result<Value, Halt> {
        let _level = self.facts.effort.enter()?;
        let value = self.evaluated(node)?;
        self.facts.effort.made(&value)?;
        Ok(value)
    }

    fn evaluated(&self, node: &Node) -> Result<Value, Halt> {
        match node {
            Node::Literal(value) => Ok(value.clone()),
            Node::Member { of, name } => member(&self.node(of)?, &Value::String(name.clone())),
            Node::Index { of, index } => member(&self.node(of)?, &self.node(index)?),
            Node::Call { namespace: Some(namespace), name, arguments } => self.own_function(namespace, name, arguments),
            Node::Call { namespace: None, name, arguments } => self.call(name, arguments),
        }
    }

    pub(super) fn values(&self, arguments: &[Node]) -> Result<Vec<Value>, Halt> {
        let all: Vec<Result<Value, Halt>> = arguments.iter().map(|argument| self.node(argument)).collect();
        // What is wrong comes before what is unknown.
        let wrong = all.iter().find(|value| matches!(value, Err(Halt::Wrong(_) | Halt::Refused(_))));
        if let Some(Err(halt)) = wrong {
            return Err(halt.clone());
        }
        all.into_iter().collect()
    }

    /// `if` looks at one branch only, so that the other may be about a resource that is not there.
    fn choose(&self, condition: &Node, then: &Node, otherwise: &Node) -> Result<Value, Halt> {
        match self.node(condition) {
            Err(Halt::Unknown) => {
                // Both may be taken, so both say what has to be there.
                let _ = (self.node(then), self.node(otherwise));
                Err(Halt::Unknown)
            }
            other => {
                let holds = truth(&other?).map_err(|reason| in_function("if", &reason))?;
                self.node(if holds { then } else { otherwise })
            }
        }
    }

    fn call(&self, name: &str, arguments: &[Node]) -> Result<Value, Halt> {
        if let Some(function) = functions::find(name) {
            return Ok(function.call(&self.values(arguments)?)?);
        }
        let lower = name.to_lowercase();
        let wrong_number =
            || Halt::Wrong(format!("The template function '{name}' does not take {} arguments.", arguments.len()));
        match (lower.as_str(), arguments) {
            ("if", [condition, then, otherwise]) => self.choose(condition, then, otherwise),
            ("and" | "or", [_, _, ..]) => {
                for argument in arguments {
                    let holds = truth(&self.node(argument)?).map_err(|reason| in_function(name, &reason))?;
                    if holds == (lower == "or") {
                        return Ok(holds.into());
                    }
                }
                Ok((lower == "and").into())
            }
            ("coalesce", [_, ..]) => {
                for argument in arguments {
                    let value = self.node(argument)?;
                    if !value.is_null() {
                        return Ok(value);
                    }
                }
                Ok(Value::Null)
            }
            ("parameters", [wanted]) => self.parameter(&self.node(wanted)?),
            ("variables", [wanted]) => self.variable(&self.node(wanted)?),
            ("copyindex", [] | [_] | [_, _]) => self.copy_index(&self.values(arguments)?),
            ("fail", [message]) => Err(Halt::Wrong(printed(&self.node(message)?))),
            ("newguid", []) if self.place == Where::Default => Ok(uuid::Uuid::new_v4().to_string().into()),
            ("utcnow", [] | [_]) if self.place == Where::Default => {
                let format = self.values(arguments)?;
                let now = functions::parse_moment(&self.facts.now.text()).map_err(Halt::Wrong)?;
                Ok(functions::now_text(now, format.first())?.into())
            }
            ("newguid" | "utcnow", _) => Err(Halt::Wrong(format!(
                "The template function '{name}' is not expected at this location: it is for the default values of parameters."
            ))),
            ("if" | "and" | "or" | "coalesce" | "parameters" | "variables" | "copyindex" | "fail", _) => {
                Err(wrong_number())
            }
            _ => match lambdas::call(self, &lower, arguments) {
                Some(value) => value,
                None => resource_functions::call(self, name, arguments),
            },
        }
    }

    fn parameter(&self, wanted: &Value) -> Result<Value, Halt> {
        let name = text(wanted).map_err(|reason| in_function("parameters", &reason))?;
        let known = self.arguments.as_ref().unwrap_or(self.facts.parameters);
        match known.get(&name.to_lowercase()) {
            Some(value) => Ok(value.clone()),
            // It may be one whose default value comes later.
            None if self.place == Where::Default
                && self
                    .facts
                    .definitions
                    .get("parameters")
                    .and_then(Value::as_object)
                    .is_some_and(|all| find(all, name).is_some()) =>
            {
                Err(Halt::Unknown)
            }
            None => Err(Halt::Wrong(format!("The template parameter '{name}' is not found."))),
        }
    }

    /// `copyIndex([name], [offset])`
    fn copy_index(&self, arguments: &[Value]) -> Result<Value, Halt> {
        let (name, offset) = match arguments {
            [] => (None, 0),
            [Value::String(name)] => (Some(name), 0),
            [Value::String(name), offset] => {
                (Some(name), whole(offset).map_err(|reason| in_function("copyIndex", &reason))?)
            }
            [offset, ..] => (None, whole(offset).map_err(|reason| in_function("copyIndex", &reason))?),
        };
        let round = match name {
            Some(name) => self.copies.iter().rev().find(|(other, _)| other.eq_ignore_ascii_case(name)),
            None => self.copies[..self.resource_copies].last().or(self.copies.last()),
        };
        round.map(|(_, index)| (index + offset).into()).ok_or_else(|| {
            Halt::Wrong(
                "The template function 'copyIndex' is not expected at this location: there is no such loop.".to_owned(),
            )
        })
    }

    pub(super) fn lambda_variable(&self, name: &str) -> Option<Value> {
        let found = self.lambda_variables.iter().rev().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    }
}

/// The number of rounds of a loop.
pub(in crate::deployments) fn copy_count(count: &Value) -> Result<usize, String> {
    match count.as_i64().map(usize::try_from) {
        Some(Ok(count)) if count <= MOST_COPIES => Ok(count),
        _ => Err(format!("The copy count must be a number from 0 to {MOST_COPIES} and is {count}.")),
    }
}

fn is_property_copy(value: &Value) -> bool {
    let is_loop = |item: &Value| ["name", "count", "input"].iter().all(|name| item.get(name).is_some());
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_loop))
}

pub(super) fn in_function(name: &str, reason: &str) -> Halt {
    Halt::Wrong(format!("Unable to evaluate the template language function '{name}': {reason}."))
}

/// A member of an object, whose name is read in any letter case, or an item of a list.
fn member(of: &Value, name: &Value) -> Result<Value, Halt> {
    let found = match (of, name) {
        (Value::Object(members), Value::String(name)) => find(members, name).cloned(),
        (Value::Array(_), Value::Number(index)) => {
            let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
            index.and_then(|index| items(of).ok()?.get(index).cloned())
        }
        _ => {
            return Err(Halt::Wrong(format!(
                "The language expression property '{}' can't be evaluated: a value of the type '{}' has no such parts.",
                printed(name),
                kind(of)
            )));
        }
    };
    found.ok_or_else(|| match of {
        Value::Object(members) => Halt::Wrong(format!(
            "The language expression property '{}' doesn't exist, available properties are '{}'.",
            printed(name),
            members.keys().cloned().collect::<Vec<_>>().join(", ")
        )),
        _ => Halt::Wrong(format!("The language expression array index '{}' is out of bounds.", printed(name))),
    })
}
