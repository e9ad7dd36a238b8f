//! What a settings document may look like, read once from the JSON Schema of its type. The schema that editors get and
//! the rules that documents are checked by are one.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::document::counts_as_absent;
use super::vocabulary;

/// Says what becomes of the empty items of a list: `refused`, or `unless blank`.
const EMPTY_ITEMS: &str = "x-empty-items";
/// Marks a setting whose key has to be there, even without a value.
const REQUIRED_KEY: &str = "x-required-key";

/// The JSON Schema of a settings type, without references.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

/// The schema as editors get it: enumerations also in lower case, in the other words that stand for them and, where they may
/// be absent, as an empty text, because the engine takes all of them.
#[must_use]
pub fn editor_schema(mut schema: Schema) -> Schema {
    if let Some(members) = schema.as_object_mut() {
        members.values_mut().for_each(widen);
        require_keys(members);
    }
    schema
}

fn widen(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(widen);
            require_keys(members);
            // Variants with documentation come as one constant each, others as one list.
            if let Some(only @ Value::String(_)) = members.get("const").cloned() {
                members.remove("const");
                members.insert("enum".to_owned(), Value::Array(spellings(&[only])));
            } else if let Some(Value::Array(choices)) = members.get("enum").cloned() {
                members.insert("enum".to_owned(), Value::Array(spellings(&choices)));
            }
            add_empty_text(members);
            add_quoted(members);
        }
        Value::Array(items) => items.iter_mut().for_each(widen),
        _ => {}
    }
}

/// Requires the keys that have to be there.
fn require_keys(members: &mut Map<String, Value>) {
    let properties = members.get("properties").and_then(Value::as_object).into_iter().flatten();
    let is_marked = |property: &Value| property.get(REQUIRED_KEY) == Some(&Value::Bool(true));
    let marked: Vec<Value> =
        properties.filter(|(_, property)| is_marked(property)).map(|(name, _)| name.as_str().into()).collect();
    if !marked.is_empty()
        && let Some(required) = members.entry("required").or_insert_with(|| json!([])).as_array_mut()
    {
        required.extend(marked);
    }
}

/// Lets numbers and booleans be quoted.
fn add_quoted(members: &mut Map<String, Value>) {
    let pattern = match json_type(&Value::Object(members.clone())) {
        Some("integer") => r"^\s*-?[0-9]*\s*$",
        Some("number") => r"^\s*-?[0-9]*[.]?[0-9]*\s*$",
        Some("boolean") => r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])?\s*$",
        _ => return,
    };
    if let Some(Value::Array(choices)) = members.get_mut("enum") {
        let quoted: Vec<Value> =
            choices.iter().filter(|choice| choice.is_number()).map(|choice| choice.to_string().into()).collect();
        choices.extend(quoted);
    }
    match members.get_mut("type") {
        Some(Value::Array(types)) => types.push("string".into()),
        Some(only) => *only = json!([only.clone(), "string"]),
        None => {}
    }
    // A pattern holds for text only, a range for numbers only.
    members.insert("pattern".to_owned(), pattern.into());
}

/// Every spelling of the choices, without repetition.
fn spellings(choices: &[Value]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut add = |choice: Value| {
        if !all.contains(&choice) {
            all.push(choice);
        }
    };
    for choice in choices {
        add(choice.clone());
        if choice.is_null() {
            add("".into());
        }
        let Some(text) = choice.as_str() else { continue };
        for word in std::iter::once(text).chain(vocabulary::also_accepted(text).iter().copied()) {
            add(word.into());
            add(word.to_lowercase().into());
        }
    }
    all
}

/// Lets an enumeration that may be null be an empty text as well.
fn add_empty_text(members: &mut Map<String, Value>) {
    let Some(alternatives) = members.get_mut("anyOf").and_then(Value::as_array_mut) else { return };
    let is_null = |schema: &Value| json_type(schema) == Some("null");
    let is_enumeration = |schema: &Value| {
        let one_of = schema.get("oneOf").and_then(Value::as_array);
        schema.get("enum").is_some()
            || one_of.is_some_and(|variants| variants.iter().all(|variant| variant.get("enum").is_some()))
    };
    if alternatives.iter().any(is_null) && alternatives.iter().any(is_enumeration) {
        alternatives.push(json!({ "const": "" }));
    }
}

/// What a value may be. Null is allowed everywhere: it counts as absent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Object(Vec<Field>),
    /// An object with keys of the user's own.
    Map(Box<Shape>),
    List {
        items: Box<Shape>,
        /// How many items it must have at least.
        least: usize,
        /// What becomes of items without a value (`x-empty-items` in the schema).
        empty: EmptyItems,
    },
    /// The values that are allowed; empty: any text.
    Text(Vec<String>),
    Integer {
        minimum: Option<i64>,
        maximum: Option<i64>,
        /// Empty: all in the range.
        choices: Vec<i64>,
    },
    Number,
    Boolean,
    /// The first one whose JSON type fits.
    OneOf(Vec<Shape>),
    Any,
}

/// What becomes of the items of a list that have no value.
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
            return Shape::from_choices(choices);
        }
        if let Some(only) = schema.get("const") {
            return Shape::from_choices(std::slice::from_ref(only));
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

    fn from_choices(choices: &[Value]) -> Shape {
        let integers: Vec<i64> = choices.iter().filter_map(Value::as_i64).collect();
        if integers.is_empty() {
            Shape::Text(choices.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        } else {
            Shape::Integer { minimum: None, maximum: None, choices: integers }
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
                        .get("x-aliases")
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
fn json_type(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}
