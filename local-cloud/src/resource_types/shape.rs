//! Which members an object of a body may have and must have, for the services that refuse any other.

use super::Refusal;
use crate::state::Body;
use serde_json::Value;

/// What a member holds. Null stands for an absent member.
pub(super) enum Kind {
    Text,
    Boolean,
    /// A number without a fraction.
    Integer,
    Number,
    /// A list of texts.
    Texts,
    /// An object whose values are texts.
    TextMap,
    Object(&'static [Member]),
    /// A list of objects.
    Objects(&'static [Member]),
    /// Anything: it depends on other members and is checked elsewhere.
    Any,
}

/// A member of an object.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// A required text is not blank either.
    pub(super) required: bool,
}

pub(super) const fn required(name: &'static str, kind: Kind) -> Member {
    Member { name, kind, required: true }
}

pub(super) const fn optional(name: &'static str, kind: Kind) -> Member {
    Member { name, kind, required: false }
}

/// The refusal of a body that is not what the service reads.
pub(super) fn invalid_content(problem: &str) -> Refusal {
    Refusal::bad_request(
        "InvalidRequestContent",
        format!("The request content was invalid and could not be deserialized: '{problem}'"),
    )
}

/// Refuses an object with a member that is unknown, missing or of another kind. `path` says where the object stands.
pub(super) fn check(object: &Body, path: &str, members: &[Member]) -> Result<(), Refusal> {
    for name in object.keys() {
        if !members.iter().any(|member| member.name == name) {
            return Err(invalid_content(&format!("Could not find member '{name}' on object at '{path}'.")));
        }
    }
    for member in members {
        let value = object.get(member.name).filter(|value| !value.is_null());
        let blank = value.is_none_or(|value| value.as_str().is_some_and(|text| text.trim().is_empty()));
        if member.required && blank {
            return Err(invalid_content(&format!("Required property '{}' is missing at '{path}'.", member.name)));
        }
        if let Some(value) = value {
            check_kind(value, &format!("{path}.{}", member.name), &member.kind)?;
        }
    }
    Ok(())
}

/// Gives the members of an object that are known their own spelling: services read the names of members in any.
pub(super) fn spell(object: &mut Body, members: &[Member]) {
    let entries = std::mem::take(object);
    for (name, mut value) in entries {
        let Some(member) = members.iter().find(|member| member.name.eq_ignore_ascii_case(&name)) else {
            object.insert(name, value);
            continue;
        };
        match (&member.kind, &mut value) {
            (Kind::Object(inner), Value::Object(object)) => spell(object, inner),
            (Kind::Objects(inner), Value::Array(items)) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(|item| spell(item, inner));
            }
            _ => {}
        }
        object.insert(member.name.to_owned(), value);
    }
}

/// [`spell`] of the `properties` of a body.
pub(super) fn spell_properties(body: &mut Body, members: &[Member]) {
    if let Some(Value::Object(properties)) = body.get_mut("properties") {
        spell(properties, members);
    }
}

/// [`check`] of the `properties` of a body; without any it is an empty object.
pub(super) fn check_properties(body: &Body, members: &[Member]) -> Result<(), Refusal> {
    match body.get("properties") {
        None | Some(Value::Null) => check(&Body::new(), "properties", members),
        Some(value) => check_kind_of_object(value, "properties", members),
    }
}

fn check_kind_of_object(value: &Value, path: &str, members: &[Member]) -> Result<(), Refusal> {
    let object = value.as_object().ok_or_else(|| cannot_convert(value, path, "an object"))?;
    check(object, path, members)
}

fn check_kind(value: &Value, path: &str, kind: &Kind) -> Result<(), Refusal> {
    let (fits, wanted) = match kind {
        Kind::Any => (true, ""),
        Kind::Text => (value.is_string(), "a text"),
        Kind::Boolean => (value.is_boolean(), "true or false"),
        Kind::Integer => (value.is_i64() || value.is_u64(), "an integer"),
        Kind::Number => (value.is_number(), "a number"),
        Kind::Texts => (value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of texts"),
        Kind::TextMap => {
            (value.as_object().is_some_and(|map| map.values().all(Value::is_string)), "an object of texts")
        }
        Kind::Object(members) => return check_kind_of_object(value, path, members),
        Kind::Objects(members) => {
            let list = value.as_array().ok_or_else(|| cannot_convert(value, path, "a list"))?;
            for (index, item) in list.iter().enumerate() {
                check_kind_of_object(item, &format!("{path}[{index}]"), members)?;
            }
            return Ok(());
        }
    };
    if fits { Ok(()) } else { Err(cannot_convert(value, path, wanted)) }
}

fn cannot_convert(value: &Value, path: &str, wanted: &str) -> Refusal {
    invalid_content(&format!("Error converting value {value} to {wanted}. Path '{path}'."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PARTS: &[Member] = &[required("name", Kind::Text), optional("size", Kind::Number)];
    const MEMBERS: &[Member] = &[
        required("on", Kind::Boolean),
        optional("count", Kind::Integer),
        optional("names", Kind::Texts),
        optional("map", Kind::TextMap),
        optional("part", Kind::Object(PARTS)),
        optional("parts", Kind::Objects(PARTS)),
        optional("rest", Kind::Any),
    ];

    #[test]
    fn what_fits_is_taken() {
        for body in [
            json!({"properties": {"on": true, "count": null}}),
            json!({"properties": {
                "on": false, "count": 3, "names": ["a"], "map": {"a": "b"}, "part": {"name": "a", "size": 0.5},
                "parts": [{"name": "a"}, {"name": "b", "size": 2}], "rest": [1],
            }}),
        ] {
            check_properties(body.as_object().unwrap(), MEMBERS).unwrap();
        }
    }

    #[test]
    fn known_members_get_their_own_spelling() {
        let mut body = json!({"properties": {
            "ON": true, "Parts": [{"NAME": "A"}, 1], "part": {"Size": 1}, "Map": {"Key": "b"}, "Other": {"Name": "a"},
        }});
        spell_properties(body.as_object_mut().unwrap(), MEMBERS);
        assert_eq!(
            body,
            json!({"properties": {
                "on": true, "parts": [{"name": "A"}, 1], "part": {"size": 1}, "map": {"Key": "b"}, "Other": {"Name": "a"},
            }})
        );
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (properties, place) in [
            (json!(null), "'on' is missing at 'properties'"),
            (json!([]), "'properties'"),
            (json!({"on": "true"}), "'properties.on'"),
            (json!({"on": true, "count": 1.5}), "'properties.count'"),
            (json!({"on": true, "names": "a"}), "'properties.names'"),
            (json!({"on": true, "names": [1]}), "'properties.names'"),
            (json!({"on": true, "map": {"a": 1}}), "'properties.map'"),
            (json!({"on": true, "part": {}}), "'name' is missing at 'properties.part'"),
            (json!({"on": true, "parts": {}}), "'properties.parts'"),
            (json!({"on": true, "parts": [{"name": "a"}, {"name": " "}]}), "missing at 'properties.parts[1]'"),
            (json!({"on": true, "parts": [{"name": "a", "sise": 1}]}), "'sise' on object at 'properties.parts[0]'"),
        ] {
            let refusal =
                check_properties(json!({"properties": properties}).as_object().unwrap(), MEMBERS).unwrap_err();
            assert_eq!((refusal.status, refusal.code.as_str()), (400, "InvalidRequestContent"));
            assert!(refusal.message.contains(place), "{place}: {}", refusal.message);
        }
    }
}
