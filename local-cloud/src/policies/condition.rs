//! The conditions of policy rules. Source: learn.microsoft.com, "Azure Policy definition structure policy rule".

use super::field::{Content, same};
use serde_json::{Value, json};

/// What a rule asks of a resource.
#[derive(Debug, PartialEq)]
pub(super) enum Condition {
    AllOf(Vec<Condition>),
    AnyOf(Vec<Condition>),
    Not(Box<Condition>),
    Test { of: Subject, operator: Operator, target: Value },
}

/// What is compared.
#[derive(Debug, PartialEq)]
pub(super) enum Subject {
    /// A field of the resource, by its name or alias.
    Field(String),
    /// The number of items of a list that a condition holds for.
    Count { field: String, condition: Option<Box<Condition>> },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Equals,
    In,
    Like,
    Exists,
    Less,
    LessOrEquals,
    Greater,
    GreaterOrEquals,
    Not(&'static Operator),
}

const OPERATORS: &[(&str, Operator)] = &[
    ("equals", Operator::Equals),
    ("notEquals", Operator::Not(&Operator::Equals)),
    ("in", Operator::In),
    ("notIn", Operator::Not(&Operator::In)),
    ("like", Operator::Like),
    ("notLike", Operator::Not(&Operator::Like)),
    ("exists", Operator::Exists),
    ("less", Operator::Less),
    ("lessOrEquals", Operator::LessOrEquals),
    ("greater", Operator::Greater),
    ("greaterOrEquals", Operator::GreaterOrEquals),
];

impl Condition {
    /// Reads a condition. Refuses what the local cloud would not evaluate as Azure does, with the reason.
    pub(super) fn read(rule: &Value) -> Result<Condition, String> {
        let members = rule.as_object().ok_or("A policy condition must be a JSON object.")?;
        let member = |name: &str| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, it)| it);
        let several = |list: &Value| {
            let list = list.as_array().filter(|list| !list.is_empty());
            let list = list.ok_or("allOf and anyOf must have conditions.")?;
            list.iter().map(Condition::read).collect::<Result<Vec<_>, _>>()
        };
        if let Some(list) = member("allOf") {
            return several(list).map(Condition::AllOf);
        }
        if let Some(list) = member("anyOf") {
            return several(list).map(Condition::AnyOf);
        }
        if let Some(inner) = member("not") {
            return Ok(Condition::Not(Box::new(Condition::read(inner)?)));
        }
        let field_of =
            |value: &Value| value.as_str().map(str::to_owned).ok_or("The field of a policy condition must be a text.");
        let of = match (member("field"), member("count")) {
            (Some(field), None) => Subject::Field(field_of(field)?),
            (None, Some(count)) => {
                let field = field_of(&count["field"])?;
                let condition = count.get("where").map(Condition::read).transpose()?.map(Box::new);
                Subject::Count { field, condition }
            }
            _ => return Err("The local cloud evaluates allOf, anyOf, not, field and count.".to_owned()),
        };
        let found = OPERATORS.iter().find_map(|(name, operator)| Some((*operator, member(name)?.clone())));
        let (operator, target) = found.ok_or_else(|| {
            let known: Vec<&str> = OPERATORS.iter().map(|(name, _)| *name).collect();
            format!("A policy condition needs an operator; the local cloud has {}.", known.join(", "))
        })?;
        Ok(Condition::Test { of, operator, target })
    }

    /// Whether the condition holds; notes each comparison as Azure tells it.
    pub(super) fn holds(&self, content: &Content<'_>, evaluated: &mut Vec<Value>) -> bool {
        match self {
            Condition::AllOf(list) => list.iter().all(|condition| condition.holds(content, evaluated)),
            Condition::AnyOf(list) => list.iter().any(|condition| condition.holds(content, evaluated)),
            Condition::Not(condition) => !condition.holds(content, evaluated),
            Condition::Test { of: Subject::Count { field, condition }, operator, target } => {
                let is_counted = |item: &Option<&Value>| {
                    let inner = content.at(field, *item);
                    condition.as_ref().is_none_or(|condition| condition.holds(&inner, &mut Vec::new()))
                };
                let count = json!(content.values(field).iter().filter(|item| is_counted(item)).count());
                let result = operator.holds(Some(&count), target, field);
                evaluated.push(content.told("Count", field, Some(&count), operator.name(), target, result));
                result
            }
            Condition::Test { of: Subject::Field(field), operator, target } => {
                let values = content.values(field);
                let result = values.iter().all(|value| operator.holds(*value, target, field));
                let value = values.first().copied().flatten();
                evaluated.push(content.told("Field", field, value, operator.name(), target, result));
                result
            }
        }
    }
}

impl Operator {
    fn name(self) -> &'static str {
        OPERATORS.iter().find(|(_, operator)| *operator == self).map_or("", |(name, _)| name)
    }

    fn holds(self, value: Option<&Value>, target: &Value, field: &str) -> bool {
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        let numbers = || value.and_then(number).zip(number(target));
        match self {
            Operator::Not(operator) => !operator.holds(value, target, field),
            Operator::Exists => value.is_some() == same(target, &json!(true), ""),
            Operator::Equals => value.is_some_and(|value| same(value, target, field)),
            Operator::In => {
                let listed = target.as_array().map_or(&[][..], Vec::as_slice);
                value.is_some_and(|value| listed.iter().any(|target| same(value, target, field)))
            }
            Operator::Like => match (value.and_then(Value::as_str), target.as_str()) {
                (Some(value), Some(target)) => like(&value.to_lowercase(), &target.to_lowercase()),
                _ => false,
            },
            Operator::Less => numbers().is_some_and(|(value, target)| value < target),
            Operator::LessOrEquals => numbers().is_some_and(|(value, target)| value <= target),
            Operator::Greater => numbers().is_some_and(|(value, target)| value > target),
            Operator::GreaterOrEquals => numbers().is_some_and(|(value, target)| value >= target),
        }
    }
}

/// Whether a text is like a pattern, in which one `*` stands for anything.
fn like(text: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => text == pattern,
        Some((start, end)) => text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
    }
}
