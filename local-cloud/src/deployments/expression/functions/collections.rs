//! Functions of lists, which take texts too where that makes sense. Source: learn.microsoft.com, "Array functions for ARM templates".

use super::super::values::{count, find, items, kind, text, whole};
use super::identifiers::listed;
use super::objects::same;
use super::{ANY, Function, function};
use serde_json::{Value, json};

pub(super) static FUNCTIONS: &[Function] = &[
    function("array", 1, 1, |arguments| {
        Ok(match &arguments[0] {
            list @ Value::Array(_) => list.clone(),
            one => json!([one]),
        })
    }),
    function("createArray", 0, ANY, |arguments| Ok(Value::Array(arguments.to_vec()))),
    function("contains", 2, 2, contains),
    function("empty", 1, 1, |arguments| {
        Ok(match &arguments[0] {
            Value::Null => true,
            other => length_of(other)? == 0,
        }
        .into())
    }),
    function("length", 1, 1, |arguments| Ok(length_of(&arguments[0])?.into())),
    function("first", 1, 1, |arguments| take_one(&arguments[0], |length| length.checked_sub(length))),
    function("last", 1, 1, |arguments| take_one(&arguments[0], |length| length.checked_sub(1))),
    function("flatten", 1, 1, |arguments| {
        let lists = items(&arguments[0])?.iter().map(items).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::Array(lists.concat()))
    }),
    function("indexOf", 2, 2, |arguments| index_of(arguments, false)),
    function("lastIndexOf", 2, 2, |arguments| index_of(arguments, true)),
    function("take", 2, 2, |arguments| {
        let number = usize::try_from(whole(&arguments[1])?).unwrap_or(0);
        part(&arguments[0], 0, number)
    }),
    function("skip", 2, 2, |arguments| {
        let number = usize::try_from(whole(&arguments[1])?).unwrap_or(0);
        part(&arguments[0], number, usize::MAX)
    }),
    function("range", 2, 2, |arguments| {
        let (start, number) = (whole(&arguments[0])?, count(&arguments[1])?);
        // Source: learn.microsoft.com, "range": the count is at most 10 000, and the sum at most 2147483647.
        if number > 10_000 {
            return Err(format!("the count {number} is greater than 10000"));
        }
        let end = i64::try_from(number).ok().and_then(|number| start.checked_add(number));
        match end.filter(|end| *end <= i64::from(i32::MAX) && start >= i64::from(i32::MIN)) {
            Some(end) => Ok((start..end).collect()),
            None => Err(format!("the sum of {start} and {number} is greater than {}", i32::MAX)),
        }
    }),
    function("min", 1, ANY, |arguments| extreme(arguments, Iterator::min)),
    function("max", 1, ANY, |arguments| extreme(arguments, Iterator::max)),
    function("indexFromEnd", 2, 2, |arguments| {
        from_end(arguments)?.ok_or_else(|| "the index is outside of the list".to_owned())
    }),
    function("tryIndexFromEnd", 2, 2, |arguments| Ok(from_end(arguments)?.unwrap_or_default())),
];

fn length_of(value: &Value) -> Result<usize, String> {
    match value {
        Value::String(text) => Ok(text.chars().count()),
        Value::Array(items) => Ok(items.len()),
        Value::Object(members) => Ok(members.len()),
        other => Err(format!("an argument is of the type '{}', which has no length", kind(other))),
    }
}

fn contains(arguments: &[Value]) -> Result<Value, String> {
    let wanted = &arguments[1];
    Ok(match &arguments[0] {
        Value::Array(items) => items.iter().any(|item| same(item, wanted)),
        Value::Object(members) => find(members, text(wanted)?).is_some(),
        container => text(container)?.contains(text(wanted)?),
    }
    .into())
}

fn take_one(value: &Value, which: fn(usize) -> Option<usize>) -> Result<Value, String> {
    match value {
        Value::Array(items) => Ok(which(items.len()).and_then(|at| items.get(at)).cloned().unwrap_or_default()),
        other => {
            let letters: Vec<char> = text(other)?.chars().collect();
            Ok(which(letters.len()).and_then(|at| letters.get(at)).map(char::to_string).unwrap_or_default().into())
        }
    }
}

fn part(value: &Value, skip: usize, take: usize) -> Result<Value, String> {
    match value {
        Value::Array(items) => Ok(items.iter().skip(skip).take(take).cloned().collect()),
        other => Ok(text(other)?.chars().skip(skip).take(take).collect::<String>().into()),
    }
}

/// Where something is, from 0; -1 where it is not. Texts compare ignoring case.
fn index_of(arguments: &[Value], last: bool) -> Result<Value, String> {
    let found = match &arguments[0] {
        Value::Array(items) if last => items.iter().rposition(|item| same(item, &arguments[1])),
        Value::Array(items) => items.iter().position(|item| same(item, &arguments[1])),
        container => {
            let (whole, part) = (text(container)?.to_lowercase(), text(&arguments[1])?.to_lowercase());
            let at = if last { whole.rfind(&part) } else { whole.find(&part) };
            at.map(|at| whole[..at].chars().count())
        }
    };
    Ok(found.map_or_else(|| json!(-1), |at| json!(at)))
}

fn extreme(arguments: &[Value], which: fn(std::vec::IntoIter<i64>) -> Option<i64>) -> Result<Value, String> {
    let numbers = listed(arguments)?.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
    which(numbers.into_iter()).map(Value::from).ok_or_else(|| "the list is empty".to_owned())
}

/// The item at an index that counts from the end, from 1.
fn from_end(arguments: &[Value]) -> Result<Option<Value>, String> {
    let items = items(&arguments[0])?;
    let at = usize::try_from(whole(&arguments[1])?).ok().filter(|index| *index > 0);
    Ok(at.and_then(|index| items.len().checked_sub(index)).and_then(|at| items.get(at)).cloned())
}
