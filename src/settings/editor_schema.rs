//! The JSON Schema as editors get it, made from that of the type. It takes what the program takes; what it offers and shows is
//! spelled as the documentation spells it.

use std::collections::HashMap;

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::document::counts_as_absent;
use super::shape::{ALIASES, EMPTY_ITEMS, REQUIRED_KEY, json_type};

/// Says which values are offered for a setting that takes others, too.
const OFFERED: &str = "x-offered";
/// Says of an object with keys of the user's own, whose values the program looks at itself, what they are: `scalars`, or `given
/// scalars`, none of which may be left empty.
const VALUES: &str = "x-values";
/// What a list says that holds nothing.
const NOTHING: &str = r"^\s*[Nn][Oo][Nn][Ee]\s*$";

/// What a schema has beside its type.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    /// Its `$id`.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Documents of the type: the examples of its keys are what these have there.
    pub documents: &'a [Value],
    /// The values that are offered, by the name in `x-offered`.
    pub offered: fn(&str) -> Vec<String>,
    /// Whether keys that mean nothing are ignored.
    pub ignores_unknown_keys: bool,
}

/// The schema as editors get it: what counts as absent may be null, texts may be numbers, numbers may be quoted, other keys for a
/// setting are there with the one that replaces them, a list may hold only `none`.
#[must_use]
pub fn editor_schema(schema: &Schema, editor: &Editor<'_>) -> Schema {
    let mut examples = Examples::default();
    let documents: Vec<&Value> = editor.documents.iter().collect();
    examples.collect(schema.as_value(), &documents);
    let mut members = Writer { editor, examples }.setting(editor.title, schema.as_value(), false, None);
    members.insert("$id".to_owned(), editor.id.into());
    if let Some(draft) = schema.get("$schema") {
        members.insert("$schema".to_owned(), draft.clone());
    }
    Schema::from(members)
}

struct Writer<'a> {
    editor: &'a Editor<'a>,
    examples: Examples,
}

impl Writer<'_> {
    /// A schema with what people read. `optional`: it may be null.
    fn setting(&self, title: &str, schema: &Value, optional: bool, example: Option<&Value>) -> Map<String, Value> {
        let kinds = kinds(schema);
        let about = about(title, schema, &kinds);
        let mut members = about.clone();
        for key in ["default", "deprecated"] {
            members.extend(schema.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        if members.contains_key("deprecated")
            && let Some(description) = members.get("description").cloned()
        {
            members.insert("deprecationMessage".to_owned(), description);
        }
        let is_choice = |kind: &&Value| !choices(kind).is_empty();
        if kinds.iter().any(is_choice) && kinds.iter().all(|kind| is_choice(kind) || is(kind, "boolean")) {
            add_choices(&mut members, &kinds, optional);
        } else if let [only] = kinds.as_slice() {
            members.extend(self.kind(title, only, optional));
        } else {
            let kind = |(index, kind): (usize, &&Value)| {
                let mut members = about.clone();
                members.extend(self.kind(title, kind, optional && index == 0));
                Value::Object(members)
            };
            members.insert("anyOf".to_owned(), kinds.iter().enumerate().map(kind).collect());
        }
        if let Some(offered) = schema.get(OFFERED).and_then(Value::as_str) {
            let snippets =
                (self.editor.offered)(offered).into_iter().map(|value| json!({"label": value, "body": value}));
            let snippets: Value = snippets.collect();
            match members.get_mut("items") {
                Some(items) => items["defaultSnippets"] = snippets,
                None => drop(members.insert("defaultSnippets".to_owned(), snippets)),
            }
        }
        if let Some(example) =
            example.filter(|_| !members.contains_key("enum") && !kinds.iter().any(|kind| is(kind, "boolean")))
        {
            // Editors offer the examples, of a list for its items.
            match (example.as_array(), members.get_mut("items")) {
                (Some(list), Some(items)) => items["examples"] = list.iter().take(1).cloned().collect(),
                _ => drop(members.insert("examples".to_owned(), json!([example]))),
            }
        }
        members
    }

    /// What a value of one JSON type may be.
    fn kind(&self, title: &str, schema: &Value, optional: bool) -> Map<String, Value> {
        let mut members = Map::new();
        let Some(name) = json_type(schema) else { return members };
        let mut types = vec![name];
        match name {
            "object" => self.add_object(&mut members, schema),
            "array" => self.add_list(&mut members, title, schema, optional),
            "string" => types.push("number"),
            _ => types.push("string"),
        }
        if optional {
            types.push("null");
        }
        members.insert("type".to_owned(), if types.len() == 1 { name.into() } else { json!(types) });
        let quoted = match name {
            "integer" => Some(r"^\s*[-+]?[0-9]*\s*$"),
            "number" => Some(r"^\s*[-+]?[0-9]*[.]?[0-9]*([eE][-+]?[0-9]+)?\s*$"),
            "boolean" => Some(r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])?\s*$"),
            _ => None,
        };
        // A pattern holds for text only, a range for numbers only.
        members.extend(quoted.map(|pattern| ("pattern".to_owned(), pattern.into())));
        for key in ["pattern", "minimum", "maximum"] {
            members.extend(schema.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        members
    }

    fn add_object(&self, members: &mut Map<String, Value>, schema: &Value) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            let values = match (schema.get("additionalProperties"), schema.get(VALUES).and_then(Value::as_str)) {
                (_, Some("scalars")) => json!({"type": ["string", "number", "boolean", "null"]}),
                (_, Some(_)) => json!({"type": ["string", "number", "boolean"], "pattern": r"\S"}),
                (Some(values @ Value::Object(_)), None) => Value::Object(self.kind("", values, true)),
                (Some(Value::Bool(false)), None) => Value::Bool(false),
                _ => return,
            };
            members.insert("additionalProperties".to_owned(), values);
            return;
        };
        let object = signature(properties);
        let is_required = |name: &str| texts(schema.get("required")).any(|required| required == name);
        let mut known = Map::new();
        let mut required = Vec::new();
        let mut aliased = Vec::new();
        for (name, property) in properties {
            let example = self.examples.of(&object, name);
            let optional = !is_required(name);
            known.insert(name.clone(), Value::Object(self.setting(name, property, optional, example)));
            let aliases: Vec<&str> = texts(property.get(ALIASES)).collect();
            for alias in &aliases {
                known.insert((*alias).to_owned(), Value::Object(self.alias(alias, name, property, optional)));
                aliased.push(one_of_both(name, alias, !optional));
            }
            let has_to_be_there = !optional || property.get(REQUIRED_KEY) == Some(&Value::Bool(true));
            if has_to_be_there && aliases.is_empty() {
                required.push(Value::from(name.as_str()));
            }
        }
        members.insert("properties".to_owned(), Value::Object(known));
        if !self.editor.ignores_unknown_keys {
            members.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        if !required.is_empty() {
            members.insert("required".to_owned(), Value::Array(required));
        }
        if !aliased.is_empty() {
            members.insert("allOf".to_owned(), Value::Array(aliased));
        }
    }

    /// Another key for a setting.
    fn alias(&self, alias: &str, name: &str, property: &Value, optional: bool) -> Map<String, Value> {
        let mut members = self.setting(alias, property, optional, None);
        members.insert("description".to_owned(), format!("The same as {name}, which replaces it.").into());
        members.insert("deprecated".to_owned(), true.into());
        members.insert("deprecationMessage".to_owned(), format!("Use {name}.").into());
        members
    }

    fn add_list(&self, members: &mut Map<String, Value>, title: &str, schema: &Value, optional: bool) {
        let Some(items) = schema.get("items") else { return };
        let may_be_empty = schema.get(EMPTY_ITEMS).and_then(Value::as_str) != Some("refused");
        let mut list = Map::new();
        let mut item = self.setting(title, items, may_be_empty, None);
        // A value is shown with the text of its key; an object has one of its own.
        if !item.contains_key("properties") {
            item.extend(about(title, schema, &[]));
        }
        list.insert("items".to_owned(), Value::Object(item));
        if !optional && schema.get("minItems").and_then(Value::as_u64).is_some_and(|least| least > 0) {
            list.insert("contains".to_owned(), json!({"not": {"type": "null"}}));
        }
        if is_any_text(items) {
            members.extend(list);
        } else {
            // A list that holds only `none` is empty.
            let nothing = json!({
                "contains": {"type": "string", "pattern": NOTHING},
                "maxContains": 1,
                "items": {"type": ["string", "null"], "pattern": NOTHING},
            });
            members.insert("if".to_owned(), nothing);
            members.insert("else".to_owned(), Value::Object(list));
        }
    }
}

/// The alternatives of a schema without null; itself where there are none.
fn kinds(schema: &Value) -> Vec<&Value> {
    let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
    let Some(alternatives) = alternatives else { return vec![schema] };
    alternatives.iter().filter(|kind| json_type(kind) != Some("null")).flat_map(kinds).collect()
}

/// Title and description. The text of an enumeration, or of an object, stands in where the setting has none of its own.
fn about(title: &str, schema: &Value, kinds: &[&Value]) -> Map<String, Value> {
    let mut members = Map::new();
    if !title.is_empty() {
        members.insert("title".to_owned(), title.into());
    }
    let only = kinds.first().filter(|_| kinds.len() == 1);
    let text = schema.get("description").or_else(|| only?.get("description")).and_then(Value::as_str);
    if let Some(text) = text {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match schema.get("default") {
            Some(Value::String(default)) => format!("{text} Default: {default}."),
            Some(default) if !default.is_null() => format!("{text} Default: {default}."),
            _ => text,
        };
        members.insert("description".to_owned(), text.into());
    }
    members
}

/// The values of an enumeration, or of one of its variants.
fn choices(schema: &Value) -> Vec<&Value> {
    match (schema.get("enum").and_then(Value::as_array), schema.get("const")) {
        (Some(values), _) => values.iter().filter(|value| !value.is_null()).collect(),
        (None, Some(only)) => vec![only],
        _ => Vec::new(),
    }
}

/// One enumeration of all the choices, and what each of them means.
fn add_choices(members: &mut Map<String, Value>, kinds: &[&Value], optional: bool) {
    let is_switch = kinds.iter().any(|kind| is(kind, "boolean"));
    let mut values: Vec<Value> = Vec::new();
    let mut meanings: Vec<Value> = Vec::new();
    for kind in kinds {
        let flags = [Value::Bool(true), Value::Bool(false)];
        let known = if is(kind, "boolean") { flags.iter().collect() } else { choices(kind) };
        // Quoted, it is the boolean that is offered.
        for value in known.into_iter().filter(|value| !is_switch || !["true", "false"].iter().any(|flag| value == flag))
        {
            values.push(value.clone());
            let is_variant = kind.get("const").is_some();
            meanings.push(kind.get("description").filter(|_| is_variant).cloned().unwrap_or_else(|| "".into()));
        }
    }
    if optional {
        values.push(Value::Null);
        meanings.push("As if the key were not there.".into());
    }
    if meanings.iter().filter(|meaning| *meaning != "").count() > usize::from(optional) {
        // The first is what editors show for JSON, the second what they show for YAML.
        members.insert("enumDescriptions".to_owned(), Value::Array(meanings.clone()));
        members.insert("markdownEnumDescriptions".to_owned(), Value::Array(meanings));
    }
    members.insert("enum".to_owned(), Value::Array(values));
}

/// Of a setting and its other key there is at most one, and one where it is mandatory.
fn one_of_both(name: &str, alias: &str, required: bool) -> Value {
    let mut rule = json!({"if": {"required": [alias]}, "then": {"properties": {name: false}}});
    if required {
        rule["else"] = json!({"required": [name]});
    }
    rule
}

fn is(schema: &Value, name: &str) -> bool {
    json_type(schema) == Some(name) && choices(schema).is_empty()
}

fn is_any_text(schema: &Value) -> bool {
    kinds(schema).iter().any(|kind| is(kind, "string"))
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Objects of one type have the same keys wherever they are.
fn signature(properties: &Map<String, Value>) -> String {
    properties.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// What documents have at the keys of each type of object.
#[derive(Debug, Default)]
struct Examples(HashMap<(String, String), Value>);

impl Examples {
    fn of(&self, object: &str, key: &str) -> Option<&Value> {
        self.0.get(&(object.to_owned(), key.to_owned()))
    }

    /// Notes the first value of each key that is no object.
    fn collect(&mut self, schema: &Value, values: &[&Value]) {
        for kind in kinds(schema) {
            if let Some(items) = kind.get("items") {
                let each: Vec<&Value> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
                self.collect(items, &each);
            }
            let Some(properties) = kind.get("properties").and_then(Value::as_object) else { continue };
            let object = signature(properties);
            for (key, property) in properties {
                let said = values.iter().filter_map(|value| value.as_object()?.get(key));
                let said: Vec<&Value> = said.filter(|value| !counts_as_absent(value)).collect();
                let is_plain = |value: &&&Value| match value {
                    Value::Object(_) => false,
                    Value::Array(items) => !items.iter().any(|item| item.is_object() || item.is_array()),
                    _ => true,
                };
                if let Some(first) = said.iter().find(is_plain) {
                    self.0.entry((object.clone(), key.clone())).or_insert_with(|| (*first).clone());
                }
                self.collect(property, &said);
            }
        }
    }
}
