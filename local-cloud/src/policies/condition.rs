//! The conditions of policy rules. Source: learn.microsoft.com, "Azure Policy definition structure policy rule".

use super::field::{Content, same};
use serde_json::{Value, json};

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

/// Whether a condition holds of a resource; notes each comparison as Azure tells it. Every part of it is looked at, so that what the local cloud
/// would not evaluate as Azure does is refused with the reason, whatever the resource.
pub(super) fn holds(rule: &Value, content: &Content<'_>, evaluated: &mut Vec<Value>) -> Result<bool, String> {
    let members = rule.as_object().ok_or("A policy condition must be a JSON object.")?;
    let member = |name: &str| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, it)| it);
    for (word, is_all) in [("allOf", true), ("anyOf", false)] {
        if let Some(list) = member(word) {
            let list =
                list.as_array().filter(|list| !list.is_empty()).ok_or(format!("{word} must have conditions."))?;
            let held = list.iter().map(|part| holds(part, content, evaluated)).collect::<Result<Vec<_>, _>>()?;
            return Ok(held.contains(&!is_all) != is_all);
        }
    }
    if let Some(inner) = member("not") {
        return Ok(!holds(inner, content, evaluated)?);
    }
    let found = OPERATORS.iter().find_map(|operator| Some((operator, member(operator.0)?)));
    let ((word, test, negates), target) = found.ok_or_else(|| {
        let known: Vec<&str> = OPERATORS.iter().map(|(name, ..)| *name).collect();
        format!("A policy condition needs an operator; the local cloud has {}.", known.join(", "))
    })?;
    let holds_of = |value: Option<&Value>, field: &str| test(value, target, field) != *negates;
    if let Some(field) = member("field").and_then(Value::as_str) {
        let values = content.values(field);
        let result = values.iter().all(|value| holds_of(*value, field));
        evaluated.push(content.told(("Field", field, values.first().copied().flatten()), (word, target), result));
        return Ok(result);
    }
    let Some((field, count)) = member("count").and_then(|count| Some((count["field"].as_str()?, count))) else {
        return Err("The local cloud evaluates allOf, anyOf, not, field and count.".to_owned());
    };
    let is_counted = |item| match count.get("where") {
        Some(condition) => holds(condition, &content.at(field, item), &mut Vec::new()),
        None => Ok(true),
    };
    is_counted(None)?;
    let counted = content.values(field).into_iter().map(is_counted).collect::<Result<Vec<_>, _>>()?;
    let number = json!(counted.into_iter().filter(|is_counted| *is_counted).count());
    let result = holds_of(Some(&number), field);
    evaluated.push(content.told(("Count", field, Some(&number)), (word, target), result));
    Ok(result)
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
