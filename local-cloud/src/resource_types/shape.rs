//! Which members an object of a body may have and must have, for the services that refuse any other.
//!
//! The facts are in `shapes.json`, with their sources at the top of the file of each type: by type, the `properties` of its bodies, or by a name
//! something in them. A name with `!` is required, and a required text is not blank either. A member is one of [`KINDS`], an object, or a list
//! of such objects.

use super::Refusal;
use crate::state::Body;
use serde_json::Value;
use std::sync::LazyLock;

// A test reads the file too: it cannot be one that is not read here.
static SHAPES: LazyLock<Body> =
    LazyLock::new(|| serde_json::from_str(include_str!("../shapes.json")).unwrap_or_default());

/// What a member holds that is no object and no list of objects: its name in the file, whether a value fits, and what is wanted, for
/// people.
type ValueKind = (&'static str, fn(&Value) -> bool, &'static str);

const KINDS: &[ValueKind] = &[
    ("text", Value::is_string, "a text"),
    ("boolean", Value::is_boolean, "true or false"),
    ("integer", |value| value.is_i64() || value.is_u64(), "an integer"),
    ("number", Value::is_number, "a number"),
    ("texts", |value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of texts"),
    ("map", |value| value.as_object().is_some_and(|map| map.values().all(Value::is_string)), "an object of texts"),
    // It depends on other members and is checked elsewhere.
    ("any", |_| true, ""),
];

/// The members of a shape: names, whether they are required, and what they hold.
fn members(shape: &Value) -> impl Iterator<Item = (&str, bool, &Value)> {
    shape.as_object().into_iter().flatten().map(|(name, kind)| match name.strip_suffix('!') {
        Some(name) => (name, true, kind),
        None => (name.as_str(), false, kind),
    })
}

/// The names of what a shape has.
pub(super) fn names(shape: &str) -> impl Iterator<Item = &'static str> {
    members(&SHAPES[shape]).map(|(name, _, _)| name)
}

/// The lists of objects that a shape has: their names, and the shape of their items.
pub(super) fn lists(shape: &str) -> impl Iterator<Item = (&'static str, &'static Value)> {
    members(&SHAPES[shape]).filter(|(_, _, kind)| kind.is_array()).map(|(name, _, kind)| (name, &kind[0]))
}

/// Whether a shape has a member.
pub(super) fn has(shape: &Value, name: &str) -> bool {
    members(shape).any(|(known, ..)| known == name)
}

/// The refusal of a body that is not what the service reads.
pub(super) fn invalid_content(problem: &str) -> Refusal {
    Refusal::bad_request(
        "InvalidRequestContent",
        format!("The request content was invalid and could not be deserialized: '{problem}'"),
    )
}

/// Refuses an object with a member that is unknown, missing or of another kind. `path` says where the object stands.
pub(super) fn check(object: &Body, path: &str, shape: &str) -> Result<(), Refusal> {
    check_object(object, path, &SHAPES[shape])
}

fn check_object(object: &Body, path: &str, shape: &Value) -> Result<(), Refusal> {
    for name in object.keys() {
        if !has(shape, name) {
            return Err(invalid_content(&format!("Could not find member '{name}' on object at '{path}'.")));
        }
    }
    for (name, is_required, kind) in members(shape) {
        let value = object.get(name).filter(|value| !value.is_null());
        let blank = value.is_none_or(|value| value.as_str().is_some_and(|text| text.trim().is_empty()));
        if is_required && blank {
            return Err(invalid_content(&format!("Required property '{name}' is missing at '{path}'.")));
        }
        if let Some(value) = value {
            check_kind(value, &format!("{path}.{name}"), kind)?;
        }
    }
    Ok(())
}

/// Gives the members of an object that are known their own spelling: services read the names of members in any.
pub(super) fn spell(object: &mut Body, shape: &str) {
    spell_object(object, &SHAPES[shape]);
}

fn spell_object(object: &mut Body, shape: &Value) {
    let entries = std::mem::take(object);
    for (name, mut value) in entries {
        let Some((known, _, kind)) = members(shape).find(|(known, ..)| known.eq_ignore_ascii_case(&name)) else {
            object.insert(name, value);
            continue;
        };
        match &mut value {
            Value::Object(object) if kind.is_object() => spell_object(object, kind),
            Value::Array(items) => {
                let objects = items.iter_mut().filter_map(Value::as_object_mut).filter(|_| kind.is_array());
                objects.for_each(|item| spell_object(item, &kind[0]));
            }
            _ => {}
        }
        object.insert(known.to_owned(), value);
    }
}

/// [`spell`] of the `properties` of a body.
pub(super) fn spell_properties(body: &mut Body, type_name: &str) {
    if let Some(Value::Object(properties)) = body.get_mut("properties") {
        spell(properties, type_name);
    }
}

/// [`check`] of the `properties` of a body; without any it is an empty object.
pub(super) fn check_properties(body: &Body, type_name: &str) -> Result<(), Refusal> {
    let properties = body.get("properties").filter(|properties| !properties.is_null());
    check_kind(properties.unwrap_or(&Value::Object(Body::new())), "properties", &SHAPES[type_name])
}

fn check_kind(value: &Value, path: &str, kind: &Value) -> Result<(), Refusal> {
    let cannot_convert =
        |wanted: &str| invalid_content(&format!("Error converting value {value} to {wanted}. Path '{path}'."));
    match kind {
        Value::Object(_) => check_object(value.as_object().ok_or_else(|| cannot_convert("an object"))?, path, kind),
        Value::Array(_) => {
            let items = value.as_array().ok_or_else(|| cannot_convert("a list"))?;
            let mut items = items.iter().enumerate();
            items.try_for_each(|(index, item)| check_kind(item, &format!("{path}[{index}]"), &kind[0]))
        }
        _ => match KINDS.iter().find(|(name, ..)| kind == name) {
            Some((_, fits, wanted)) if !fits(value) => Err(cannot_convert(wanted)),
            _ => Ok(()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    static SHAPE: LazyLock<Value> = LazyLock::new(|| {
        let part = json!({"name!": "text", "size": "number"});
        json!({
            "on!": "boolean", "count": "integer", "names": "texts", "map": "map", "part": part, "parts": [part], "rest": "any",
        })
    });

    fn check_it(properties: &Value) -> Result<(), Refusal> {
        check_kind(properties, "properties", &SHAPE)
    }

    /// What stands at the leaves of a shape.
    fn kinds(shape: &Value) -> Vec<&str> {
        match shape {
            Value::Object(members) => members.values().flat_map(kinds).collect(),
            Value::Array(items) => items.iter().flat_map(kinds).collect(),
            kind => vec![kind.as_str().unwrap()],
        }
    }

    #[test]
    fn the_file_has_shapes_of_types_and_of_what_is_in_them() {
        let all: Body = serde_json::from_str(include_str!("../shapes.json")).unwrap();
        assert_eq!(all, *SHAPES);
        for (name, shape) in &all {
            let is_type = name.contains('/');
            assert_eq!(super::super::find(name).is_some(), is_type, "{name}");
            for kind in kinds(shape) {
                assert!(KINDS.iter().any(|(known, ..)| *known == kind), "{name}: {kind}");
            }
        }
    }

    #[test]
    fn what_fits_is_taken() {
        for properties in [
            json!({"on": true, "count": null}),
            json!({
                "on": false, "count": 3, "names": ["a"], "map": {"a": "b"}, "part": {"name": "a", "size": 0.5},
                "parts": [{"name": "a"}, {"name": "b", "size": 2}], "rest": [1],
            }),
        ] {
            check_it(&properties).unwrap();
        }
    }

    #[test]
    fn known_members_get_their_own_spelling() {
        let mut properties = json!({
            "ON": true, "Parts": [{"NAME": "A"}, 1], "part": {"Size": 1}, "Map": {"Key": "b"}, "Other": {"Name": "a"},
        });
        spell_object(properties.as_object_mut().unwrap(), &SHAPE);
        assert_eq!(
            properties,
            json!({
                "on": true, "parts": [{"name": "A"}, 1], "part": {"size": 1}, "map": {"Key": "b"}, "Other": {"Name": "a"},
            })
        );
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (properties, place) in [
            (json!({}), "'on' is missing at 'properties'"),
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
            let refusal = check_it(&properties).unwrap_err();
            assert_eq!((refusal.status, refusal.code.as_str()), (400, "InvalidRequestContent"));
            assert!(refusal.message.contains(place), "{place}: {}", refusal.message);
        }
    }
}
