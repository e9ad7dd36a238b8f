//! The conditions of policy rules. Source: learn.microsoft.com, "Azure Policy definition structure policy rule".

use super::field::{Content, same};
use serde_json::{Value, json};

/// What a rule asks of a resource.
pub(super) enum Condition {
    AllOf(Vec<Condition>),
    AnyOf(Vec<Condition>),
    Not(Box<Condition>),
    Test { of: Subject, operator: &'static Operator, target: Value },
}

/// What is compared.
pub(super) enum Subject {
    /// A field of the resource, by its name or alias.
    Field(String),
    /// The number of items of a list that a condition holds for.
    Count { field: String, condition: Option<Box<Condition>> },
}

/// The word of an operator, what it says of a value, and whether it is about the opposite. The last argument is the name of the field.
type Operator = (&'static str, fn(Option<&Value>, &Value, &str) -> bool, bool);

static OPERATORS: &[Operator] = &[
    ("equals", is_equal, false),
    ("notEquals", is_equal, true),
    ("in", is_in, false),
    ("notIn", is_in, true),
    ("like", is_like, false),
    ("notLike", is_like, true),
    ("exists", |value, target, _| value.is_some() == same(target, &json!(true), ""), false),
    ("less", |value, target, _| numbers(value, target).is_some_and(|(one, other)| one < other), false),
    ("lessOrEquals", |value, target, _| numbers(value, target).is_some_and(|(one, other)| one <= other), false),
    ("greater", |value, target, _| numbers(value, target).is_some_and(|(one, other)| one > other), false),
    ("greaterOrEquals", |value, target, _| numbers(value, target).is_some_and(|(one, other)| one >= other), false),
];

impl Condition {
    /// Reads a condition. Refuses what the local cloud would not evaluate as Azure does, with the reason.
    pub(super) fn read(rule: &Value) -> Result<Condition, String> {
        let members = rule.as_object().ok_or("A policy condition must be a JSON object.")?;
        let member = |name: &str| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, it)| it);
        let several = |list: &Value| {
            let list =
                list.as_array().filter(|list| !list.is_empty()).ok_or("allOf and anyOf must have conditions.")?;
            list.iter().map(Condition::read).collect::<Result<Vec<_>, String>>()
        };
        let field = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or("The field of a policy condition must be a text.".to_owned())
        };
        let of = match (member("allOf"), member("anyOf"), member("not"), member("field"), member("count")) {
            (Some(list), ..) => return several(list).map(Condition::AllOf),
            (_, Some(list), ..) => return several(list).map(Condition::AnyOf),
            (_, _, Some(inner), ..) => return Ok(Condition::Not(Box::new(Condition::read(inner)?))),
            (.., Some(name), None) => Subject::Field(field(name)?),
            (.., None, Some(count)) => {
                let condition = count.get("where").map(Condition::read).transpose()?.map(Box::new);
                Subject::Count { field: field(&count["field"])?, condition }
            }
            _ => return Err("The local cloud evaluates allOf, anyOf, not, field and count.".to_owned()),
        };
        let found = OPERATORS.iter().find_map(|operator| Some((operator, member(operator.0)?.clone())));
        let (operator, target) = found.ok_or_else(|| {
            let known: Vec<&str> = OPERATORS.iter().map(|(name, ..)| *name).collect();
            format!("A policy condition needs an operator; the local cloud has {}.", known.join(", "))
        })?;
        Ok(Condition::Test { of, operator, target })
    }

    /// Whether the condition holds; notes each comparison as Azure tells it.
    pub(super) fn holds(&self, content: &Content<'_>, evaluated: &mut Vec<Value>) -> bool {
        let (of, (word, test, negates), target) = match self {
            Condition::AllOf(list) => return list.iter().all(|condition| condition.holds(content, evaluated)),
            Condition::AnyOf(list) => return list.iter().any(|condition| condition.holds(content, evaluated)),
            Condition::Not(condition) => return !condition.holds(content, evaluated),
            Condition::Test { of, operator, target } => (of, *operator, target),
        };
        let (kind, field, values) = match of {
            Subject::Field(field) => ("Field", field, content.values(field)),
            Subject::Count { field, condition } => {
                let is_counted = |item: &Option<&Value>| {
                    let inner = content.at(field, *item);
                    condition.as_ref().is_none_or(|condition| condition.holds(&inner, &mut Vec::new()))
                };
                let count = json!(content.values(field).iter().filter(|item| is_counted(item)).count());
                let result = test(Some(&count), target, field) != *negates;
                evaluated.push(content.told(("Count", field, Some(&count)), (word, target), result));
                return result;
            }
        };
        let result = values.iter().all(|value| test(*value, target, field) != *negates);
        evaluated.push(content.told((kind, field, values.first().copied().flatten()), (word, target), result));
        result
    }
}

fn is_equal(value: Option<&Value>, target: &Value, field: &str) -> bool {
    value.is_some_and(|value| same(value, target, field))
}

fn is_in(value: Option<&Value>, target: &Value, field: &str) -> bool {
    target.as_array().into_iter().flatten().any(|target| is_equal(value, target, field))
}

/// Whether a text is like a pattern, in which one `*` stands for anything.
fn is_like(value: Option<&Value>, target: &Value, _: &str) -> bool {
    let (Some(text), Some(pattern)) = (value.and_then(Value::as_str), target.as_str()) else { return false };
    let (text, pattern) = (text.to_lowercase(), pattern.to_lowercase());
    match pattern.split_once('*') {
        None => text == pattern,
        Some((start, end)) => text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
    }
}

fn numbers(value: Option<&Value>, target: &Value) -> Option<(f64, f64)> {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    value.and_then(number).zip(number(target))
}
