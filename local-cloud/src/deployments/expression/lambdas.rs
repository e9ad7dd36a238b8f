//! Functions that take lambdas. Source: learn.microsoft.com, "Lambda functions for ARM templates".

use super::values::{items, members, printed, text, truth};
use super::{Evaluator, Halt, Node};
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// A lambda: the names of its variables and what it gives.
struct Lambda<'n> {
    names: Vec<String>,
    body: &'n Node,
}

/// The value of a function with lambdas; none where the name is that of no such function.
pub(super) fn call(evaluator: &Evaluator<'_>, name: &str, arguments: &[Node]) -> Option<Result<Value, Halt>> {
    let work = match name {
        "lambdavariables" => lambda_variables(evaluator, arguments),
        "lambda" => Err(Halt::Wrong("A lambda is an argument of a function like 'map'.".to_owned())),
        "map" => map(evaluator, arguments),
        "filter" => filter(evaluator, arguments),
        "reduce" => reduce(evaluator, arguments),
        "sort" => sort(evaluator, arguments),
        "toobject" => to_object(evaluator, arguments),
        "groupby" => group_by(evaluator, arguments),
        "mapvalues" => map_values(evaluator, arguments),
        _ => return None,
    };
    Some(work.map_err(|halt| match halt {
        Halt::Wrong(reason) if !reason.ends_with('.') => {
            Halt::Wrong(format!("Unable to evaluate the template language function '{name}': {reason}."))
        }
        other => other,
    }))
}

fn lambda_variables(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [name] = arguments else { return Err(wrong("it takes one argument")) };
    let name = evaluator.node(name)?;
    let name = text(&name)?;
    evaluator.lambda_variable(name).ok_or_else(|| wrong(&format!("there is no lambda with the variable '{name}'")))
}

fn wrong(reason: &str) -> Halt {
    Halt::Wrong(reason.to_owned())
}

/// The lambda that an argument is; it has at least `least` variables and at most `most`.
fn lambda<'n>(evaluator: &Evaluator<'_>, node: &'n Node, least: usize, most: usize) -> Result<Lambda<'n>, Halt> {
    let Node::Call { namespace: None, name, arguments } = node else { return Err(wrong("an argument is no lambda")) };
    let Some((body, names)) = arguments.split_last().filter(|_| name.eq_ignore_ascii_case("lambda")) else {
        return Err(wrong("an argument is no lambda"));
    };
    let names =
        evaluator.values(names)?.iter().map(|name| text(name).map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
    if !(least..=most).contains(&names.len()) {
        return Err(wrong(&format!("a lambda has {} variables, and {least} to {most} are expected", names.len())));
    }
    Ok(Lambda { names, body })
}

impl Lambda<'_> {
    /// Its value for these values of its variables; further ones are left out.
    fn apply(&self, evaluator: &Evaluator<'_>, values: &[&Value]) -> Result<Value, Halt> {
        let variables = self.names.iter().cloned().zip(values.iter().map(|value| (*value).clone())).collect();
        evaluator.with_lambda_variables(variables).node(self.body)
    }
}

fn map(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [list, function] = arguments else { return Err(wrong("it takes a list and a lambda")) };
    let (list, function) = (evaluator.node(list)?, lambda(evaluator, function, 1, 2)?);
    let apply = |(index, item)| function.apply(evaluator, &[item, &Value::from(index)]);
    items(&list)?.iter().enumerate().map(apply).collect()
}

fn filter(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [list, function] = arguments else { return Err(wrong("it takes a list and a lambda")) };
    let (list, function) = (evaluator.node(list)?, lambda(evaluator, function, 1, 2)?);
    let mut kept = Vec::new();
    for (index, item) in items(&list)?.iter().enumerate() {
        if truth(&function.apply(evaluator, &[item, &Value::from(index)])?)? {
            kept.push(item.clone());
        }
    }
    Ok(Value::Array(kept))
}

fn reduce(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [list, first, function] = arguments else { return Err(wrong("it takes a list, a first value and a lambda")) };
    let (list, mut value, function) =
        (evaluator.node(list)?, evaluator.node(first)?, lambda(evaluator, function, 2, 3)?);
    for (index, item) in items(&list)?.iter().enumerate() {
        value = function.apply(evaluator, &[&value, item, &Value::from(index)])?;
    }
    Ok(value)
}

fn sort(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [list, function] = arguments else { return Err(wrong("it takes a list and a lambda")) };
    let (list, function) = (evaluator.node(list)?, lambda(evaluator, function, 2, 2)?);
    let mut sorted = items(&list)?.to_vec();
    let mut problem = None;
    sorted.sort_by(|one, other| {
        let less = |one, other| -> Result<bool, Halt> { Ok(truth(&function.apply(evaluator, &[one, other])?)?) };
        match (less(one, other), less(other, one)) {
            (Ok(true), Ok(false)) => Ordering::Less,
            (Ok(false), Ok(true)) => Ordering::Greater,
            (Ok(_), Ok(_)) => Ordering::Equal,
            (Err(halt), _) | (_, Err(halt)) => {
                problem.get_or_insert(halt);
                Ordering::Equal
            }
        }
    });
    problem.map_or(Ok(Value::Array(sorted)), Err)
}

fn to_object(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let (list, key, value) = match arguments {
        [list, key] => (list, key, None),
        [list, key, value] => (list, key, Some(lambda(evaluator, value, 1, 1)?)),
        _ => return Err(wrong("it takes a list and one or two lambdas")),
    };
    let (list, key) = (evaluator.node(list)?, lambda(evaluator, key, 1, 1)?);
    let mut object = Map::new();
    for item in items(&list)? {
        let name = printed(&key.apply(evaluator, &[item])?);
        let value = value.as_ref().map_or_else(|| Ok(item.clone()), |value| value.apply(evaluator, &[item]))?;
        object.insert(name, value);
    }
    Ok(Value::Object(object))
}

fn group_by(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [list, key] = arguments else { return Err(wrong("it takes a list and a lambda")) };
    let (list, key) = (evaluator.node(list)?, lambda(evaluator, key, 1, 1)?);
    let mut groups: Map<String, Value> = Map::new();
    for item in items(&list)? {
        let name = printed(&key.apply(evaluator, &[item])?);
        if let Value::Array(group) = groups.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
            group.push(item.clone());
        }
    }
    Ok(Value::Object(groups))
}

fn map_values(evaluator: &Evaluator<'_>, arguments: &[Node]) -> Result<Value, Halt> {
    let [object, function] = arguments else { return Err(wrong("it takes an object and a lambda")) };
    let (object, function) = (evaluator.node(object)?, lambda(evaluator, function, 1, 1)?);
    let apply = |(name, value): (&String, &Value)| Ok((name.clone(), function.apply(evaluator, &[value])?));
    members(&object)?.iter().map(apply).collect::<Result<Map<_, _>, Halt>>().map(Value::Object)
}
