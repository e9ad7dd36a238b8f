//! What the template itself defines: variables and functions.

use super::evaluate::in_function;
use super::values::{find, text};
use super::{Evaluator, Halt, Node, Where};
use serde_json::Value;

/// How deep functions of a template may call each other.
const DEEPEST: usize = 60;

impl Evaluator<'_> {
    /// The value of a variable, which is evaluated once.
    pub(super) fn variable(&self, wanted: &Value) -> Result<Value, Halt> {
        let name = text(wanted).map_err(|reason| in_function("variables", &reason))?;
        let key = name.to_lowercase();
        if self.arguments.is_some() || self.place == Where::Default {
            return Err(Halt::Wrong("The template function 'variables' is not expected at this location.".to_owned()));
        }
        match self.facts.variables.borrow().get(&key) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => {
                return Err(Halt::Wrong(format!("The template variable '{name}' is defined by itself.")));
            }
            None => {}
        }
        let all = self.facts.definitions.get("variables").and_then(Value::as_object);
        let missing = || Halt::Wrong(format!("The template variable '{name}' is not found."));
        let all = all.ok_or_else(missing)?;
        self.facts.variables.borrow_mut().insert(key.clone(), None);
        let evaluator = Evaluator::new(self.facts, Where::Variable);
        let loops = all.get("copy").and_then(Value::as_array).into_iter().flatten();
        let copy = loops
            .into_iter()
            .find(|copy| copy.get("name").and_then(Value::as_str).is_some_and(|n| n.eq_ignore_ascii_case(name)));
        let place = format!("variables.{name}");
        let value = match (find(all, name).filter(|_| key != "copy"), copy) {
            (Some(value), _) => evaluator.resolve(value, &place),
            (None, Some(copy)) => evaluator.property_copy(copy, &place).map(|(_, values)| values),
            (None, None) => Err(missing()),
        };
        let value = value.and_then(|value| self.facts.effort.keep_variable(&value).map(|()| value));
        let mut known = self.facts.variables.borrow_mut();
        match &value {
            Ok(value) => known.insert(key, Some(value.clone())),
            Err(_) => known.remove(&key),
        };
        value
    }

    /// A function that the template defines.
    pub(super) fn own_function(&self, namespace: &str, name: &str, arguments: &[Node]) -> Result<Value, Halt> {
        let shown = format!("{namespace}.{name}");
        let namespaces = self.facts.definitions.get("functions").and_then(Value::as_array).into_iter().flatten();
        let is_it = |other: &&Value| {
            other.get("namespace").and_then(Value::as_str).is_some_and(|n| n.eq_ignore_ascii_case(namespace))
        };
        let members = namespaces.into_iter().filter(is_it).filter_map(|one| one.get("members")?.as_object());
        let function = members.into_iter().find_map(|members| find(members, name));
        let function = function.ok_or_else(|| {
            Halt::Wrong(format!(
                "The template function '{shown}' is not valid: the template defines none of this name."
            ))
        })?;
        let parameters = function.get("parameters").and_then(Value::as_array).cloned().unwrap_or_default();
        if parameters.len() != arguments.len() {
            return Err(Halt::Wrong(format!(
                "The template function '{shown}' takes {} arguments and has {}.",
                parameters.len(),
                arguments.len()
            )));
        }
        if self.depth > DEEPEST {
            return Err(Halt::Wrong(format!("The template function '{shown}' calls itself without end.")));
        }
        let names = parameters
            .iter()
            .map(|parameter| parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_lowercase());
        let mut inner = self.clone();
        inner.arguments = Some(names.zip(self.values(arguments)?).collect());
        inner.lambda_variables.clear();
        inner.lenient = false;
        inner.depth += 1;
        let value = function.get("output").and_then(|output| output.get("value")).unwrap_or(&Value::Null);
        inner.resolve(value, &format!("functions.{shown}"))
    }
}
