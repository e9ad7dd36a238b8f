//! The shape that a settings document may have, read once from the JSON Schema of its type. The schema that editors get
//! (`editor_schema`) is made from the same one.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::document::counts_as_absent;

/// Says what becomes of the empty items of a list: `refused`, or `unless blank`.
pub(super) const EMPTY_ITEMS: &str = "x-empty-items";
/// Other keys that are accepted for a setting.
pub(super) const ALIASES: &str = "x-aliases";
/// Numbers that are accepted beside those of a choice, and not offered.
pub(super) const ALSO: &str = "x-also";
/// Marks a setting whose key has to be there, even without a value.
pub(super) const REQUIRED_KEY: &str = "x-required-key";

/// The JSON Schema of a settings type, without references.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

/// The shapes that a value may have. Null is allowed everywhere: it counts as absent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Object(Vec<Field>),
    /// An object with keys of the user's own.
    Map(Box<Shape>),
    List {
        items: Box<Shape>,
        /// The least number of items.
        least: usize,
        /// The treatment of items without a value (`x-empty-items` in the schema).
        empty: EmptyItems,
    },
    /// The values that are allowed; empty: any text.
    Text(Vec<String>),
    Integer {
        minimum: Option<i64>,
        maximum: Option<i64>,
        /// Empty: all in the range.
        choices: Vec<i64>,
        /// The numbers that are accepted beside the choices (`x-also` in the schema).
        also: Vec<i64>,
    },
    Number,
    Boolean,
    /// The first one whose JSON type fits.
    OneOf(Vec<Shape>),
    Any,
}

/// The treatment of items of a list that have no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EmptyItems {
    /// They are left out, with a warning.
    LeftOut,
    /// They are wrong: without them the list would mean something else.
    Refused,
    /// They are left out; a blank is a value.
    UnlessBlank,
}

impl EmptyItems {
    /// Whether an item has no value.
    pub(super) fn is_empty(self, item: &Value) -> bool {
        let is_blank = || self == EmptyItems::UnlessBlank && item.as_str().is_some_and(|text| !text.is_empty());
        counts_as_absent(item) && !is_blank()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    /// Other keys that are accepted for it (`x-aliases` in the schema).
    pub(super) aliases: Vec<String>,
    pub(super) required: bool,
    /// The key has to be there, whatever its value is (`x-required-key` in the schema).
    pub(super) required_key: bool,
    pub(super) shape: Shape,
}

impl Shape {
    pub(super) fn from_schema(schema: &Value) -> Shape {
        if let Some(alternatives) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            return Shape::from_alternatives(alternatives);
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            return Shape::from_choices(choices, schema.get(ALSO));
        }
        if let Some(only) = schema.get("const") {
            return Shape::from_choices(std::slice::from_ref(only), None);
        }
        match json_type(schema) {
            Some("object") => Shape::from_object(schema),
            Some("array") => Shape::List {
                items: Box::new(schema.get("items").map_or(Shape::Any, Shape::from_schema)),
                least: schema.get("minItems").and_then(Value::as_u64).map_or(0, |least| least as usize),
                empty: match schema.get(EMPTY_ITEMS).and_then(Value::as_str) {
                    Some("refused") => EmptyItems::Refused,
                    Some("unless blank") => EmptyItems::UnlessBlank,
                    _ => EmptyItems::LeftOut,
                },
            },
            Some("string") => Shape::Text(Vec::new()),
            Some("integer") => Shape::Integer {
                minimum: schema.get("minimum").and_then(Value::as_i64),
                maximum: schema.get("maximum").and_then(Value::as_i64),
                choices: Vec::new(),
                also: Vec::new(),
            },
            Some("number") => Shape::Number,
            Some("boolean") => Shape::Boolean,
            _ => Shape::Any,
        }
    }

    fn from_alternatives(alternatives: &[Value]) -> Shape {
        let mut shapes: Vec<Shape> = Vec::new();
        for alternative in alternatives.iter().filter(|alternative| json_type(alternative) != Some("null")) {
            match (shapes.last_mut(), Shape::from_schema(alternative)) {
                // Variants with documentation come as one constant each.
                (Some(Shape::Text(known)), Shape::Text(more)) if !known.is_empty() && !more.is_empty() => {
                    known.extend(more)
                }
                (_, shape) => shapes.push(shape),
            }
        }
        if shapes.len() == 1 { shapes.remove(0) } else { Shape::OneOf(shapes) }
    }

    fn from_choices(choices: &[Value], also: Option<&Value>) -> Shape {
        let integers = |values: &[Value]| -> Vec<i64> { values.iter().filter_map(Value::as_i64).collect() };
        let numbers = integers(choices);
        if numbers.is_empty() {
            Shape::Text(choices.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        } else {
            let also = also.and_then(Value::as_array).map(|also| integers(also)).unwrap_or_default();
            Shape::Integer { minimum: None, maximum: None, choices: numbers, also }
        }
    }

    fn from_object(schema: &Value) -> Shape {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
                return Shape::Object(Vec::new());
            }
            let values = schema.get("additionalProperties").filter(|values| values.is_object());
            return Shape::Map(Box::new(values.map_or(Shape::Any, Shape::from_schema)));
        };
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        Shape::Object(
            properties
                .iter()
                .map(|(name, property)| Field {
                    name: name.clone(),
                    aliases: property
                        .get(ALIASES)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .map(str::to_owned)
                        .collect(),
                    required: required.contains(&name.as_str()),
                    required_key: property.get(REQUIRED_KEY) == Some(&Value::Bool(true)),
                    shape: Shape::from_schema(property),
                })
                .collect(),
        )
    }
}

/// The JSON type of a schema; of two types the one that is not null.
pub(super) fn json_type(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}
