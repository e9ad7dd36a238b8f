//! The members that an object of a body may have and must have, for the services that refuse any other.
//!
//! The facts are in `shapes.json`, with their sources at the top of the file of each type: by type, the `properties` of its bodies, or by a name
//! something in them. A name with `!` is required, and a required text or list is not empty either. A member is one of [`KINDS`], one of some
//! texts in any letter case (`A|B`, or `=A` where there is but one), one of some numbers (`#30|60`), a whole number within bounds (`1..255`), an object, or a list of objects.
//! An object with `...` may have members that are not in the file.

use super::Refusal;
use crate::state::Body;
use serde_json::Value;
use std::sync::LazyLock;

// A test reads the file too: it cannot be one that is not read here.
static SHAPES: LazyLock<Body> =
    LazyLock::new(|| serde_json::from_str(include_str!("../shapes.json")).unwrap_or_default());

/// The code of a refusal of a value that is no choice, for types that have no other in `codes` of the file.
const NO_CHOICE: &str = "BadRequest";

/// The kind of a member that is no object and no list of objects: its name in the file, whether a value fits, and what is wanted, for
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
    let is_open = has(shape, "...");
    for name in object.keys() {
        if !is_open && !has(shape, name) {
            return Err(invalid_content(&format!("Could not find member '{name}' on object at '{path}'.")));
        }
    }
    for (name, is_required, kind) in members(shape) {
        let value = object.get(name).filter(|value| !value.is_null());
        if is_required && value.is_none_or(is_blank) {
            return Err(invalid_content(&format!("Required property '{name}' is missing at '{path}'.")));
        }
        if let Some(value) = value {
            check_kind(value, &format!("{path}.{name}"), kind)?;
        }
    }
    Ok(())
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty()) || value.as_array().is_some_and(Vec::is_empty)
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

/// [`spell`] of the `properties` of a body, where the type has a shape.
pub(crate) fn spell_properties(body: &mut Body, type_name: &str) {
    if let (Some(Value::Object(properties)), Some(shape)) = (body.get_mut("properties"), SHAPES.get(type_name)) {
        spell_object(properties, shape);
    }
}

/// [`check`] of the `properties` of a body, where the type has a shape; without any they are an empty object.
pub(crate) fn check_properties(body: &Body, type_name: &str) -> Result<(), Refusal> {
    let Some(shape) = SHAPES.get(type_name) else { return Ok(()) };
    let properties = body.get("properties").filter(|properties| !properties.is_null());
    let checked = check_kind(properties.unwrap_or(&Value::Object(Body::new())), "properties", shape);
    checked.map_err(|refusal| match SHAPES["codes"][type_name].as_str() {
        Some(code) if refusal.code == NO_CHOICE => Refusal::bad_request(code, refusal.message),
        _ => refusal,
    })
}

/// Gives the texts of properties that are choices their own spelling.
pub(super) fn spell_choices(properties: &mut Body, type_name: &str) {
    for (name, _, kind) in members(&SHAPES[type_name]) {
        let choices = kind.as_str().filter(|kind| kind.contains('|')).unwrap_or_default();
        if let Some(Value::String(value)) = properties.get_mut(name)
            && let Some(known) = choices.split('|').find(|known| known.eq_ignore_ascii_case(value))
        {
            known.clone_into(value);
        }
    }
}

fn check_kind(value: &Value, path: &str, kind: &Value) -> Result<(), Refusal> {
    let cannot_convert = |wanted: &str| cannot_convert(value, path, wanted);
    match kind {
        Value::Object(_) => check_object(value.as_object().ok_or_else(|| cannot_convert("an object"))?, path, kind),
        Value::Array(_) => {
            let items = value.as_array().ok_or_else(|| cannot_convert("a list"))?;
            let mut items = items.iter().enumerate();
            items.try_for_each(|(index, item)| check_kind(item, &format!("{path}[{index}]"), &kind[0]))
        }
        _ => match KINDS.iter().find(|(name, ..)| kind == name) {
            Some((_, fits, wanted)) if !fits(value) => Err(cannot_convert(wanted)),
            Some(_) => Ok(()),
            None => check_choice(value, path, kind.as_str().unwrap_or_default()),
        },
    }
}

fn check_choice(value: &Value, path: &str, choice: &str) -> Result<(), Refusal> {
    let (is_kind, fits, wanted) = match (choice.split_once(".."), choice.strip_prefix('#')) {
        (Some((least, most)), _) => {
            let number = value.as_f64().filter(|number| number.fract() == 0.0);
            let is_within = |number: f64| {
                least.parse().is_ok_and(|least: f64| number >= least)
                    && most.parse().is_ok_and(|most: f64| number <= most)
            };
            (number.is_some(), number.is_some_and(is_within), format!("between {least} and {most}"))
        }
        (_, Some(numbers)) => {
            let number = value.to_string();
            let fits = numbers.split('|').any(|known| known == number);
            (value.is_number(), fits, format!("one of {}", numbers.replace('|', ", ")))
        }
        _ => {
            let (text, choices) = (value.as_str(), choice.trim_start_matches('='));
            let fits = text.is_some_and(|text| choices.split('|').any(|known| known.eq_ignore_ascii_case(text)));
            (text.is_some(), fits, format!("one of {}", choices.replace('|', ", ")))
        }
    };
    match fits {
        true => Ok(()),
        false if !is_kind => Err(cannot_convert(value, path, &format!("what is {wanted}"))),
        false => Err(Refusal::bad_request(NO_CHOICE, format!("The value {value} of '{path}' is not {wanted}."))),
    }
}

fn cannot_convert(value: &Value, path: &str, wanted: &str) -> Refusal {
    invalid_content(&format!("Error converting value {value} to {wanted}. Path '{path}'."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    static SHAPE: LazyLock<Value> = LazyLock::new(|| {
        let part = json!({"name!": "text", "size": "number"});
        json!({
            "on!": "boolean", "count": "integer", "names": "texts", "map": "map", "part": part, "parts": [part], "rest": "any",
            "open": {"on": "boolean", "...": "any"}, "choice": "Low|High", "days": "#30|60", "port": "1..65535",
        })
    });

    fn check_it(properties: &Value) -> Result<(), Refusal> {
        check_kind(properties, "properties", &SHAPE)
    }

    /// The kinds at the leaves of a shape.
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
        for (name, shape) in all.iter().filter(|(name, _)| *name != "codes") {
            let is_type = name.contains('/');
            assert_eq!(super::super::find(name).is_some(), is_type, "{name}");
            for kind in kinds(shape) {
                let is_choice = ["|", "..", "="].iter().any(|mark| kind.contains(mark));
                assert!(is_choice || KINDS.iter().any(|(known, ..)| *known == kind), "{name}: {kind}");
            }
        }
    }

    #[test]
    fn what_fits_is_taken() {
        for properties in [
            json!({"on": true, "count": null}),
            json!({"on": true, "choice": "low", "days": 60, "port": 65535}),
            json!({"on": true, "choice": null, "port": 1.0, "open": {"other": 1}}),
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
    fn what_is_no_choice_is_refused_with_those_there_are() {
        for (name, value, wanted) in [
            ("choice", json!("Medium"), "is not one of Low, High."),
            ("days", json!(31), "is not one of 30, 60."),
            ("port", json!(0), "is not between 1 and 65535."),
            ("port", json!(65_536), "is not between 1 and 65535."),
        ] {
            let refusal = check_it(&json!({"on": true, name: value})).unwrap_err();
            assert_eq!(refusal.message, format!("The value {value} of 'properties.{name}' {wanted}"));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (properties, place) in [
            (json!({}), "'on' is missing at 'properties'"),
            (json!([]), "'properties'"),
            (json!({"on": "true"}), "'properties.on'"),
            (json!({"on": true, "count": 1.5}), "'properties.count'"),
            (json!({"on": true, "open": {"on": 1}}), "'properties.open.on'"),
            (json!({"on": true, "choice": 1}), "to what is one of Low, High. Path 'properties.choice'"),
            (json!({"on": true, "days": "30"}), "to what is one of 30, 60. Path 'properties.days'"),
            (json!({"on": true, "port": 1.5}), "to what is between 1 and 65535. Path 'properties.port'"),
            (json!({"on": true, "port": "1"}), "Path 'properties.port'"),
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
