//! The JSON Schema as editors get it, made from that of the type. It takes what the program takes, but for the letter case of keys;
//! what it offers and shows is spelled as the documentation spells it.

mod choices;
mod examples;
mod value_references;

use schemars::Schema;
use serde_json::{Map, Value, json};

use self::choices::{add_choices, choices};
use self::examples::{Examples, signature};
pub use self::value_references::with_references;
use super::shape::{ALIASES, EMPTY_ITEMS, REQUIRED_KEY, json_type};

/// Says which values are offered for a setting that takes others, too.
const OFFERED: &str = "x-offered";
/// Says of an object with keys of the user's own, whose values the program looks at itself, what they are: `scalars`, or `given
/// scalars`, none of which may be left empty.
const VALUES: &str = "x-values";
/// The word of a list that holds nothing.
const NOTHING: &str = r"^\s*[Nn][Oo][Nn][Ee]\s*$";
/// The text in place of a list that holds nothing, or that need not be there.
const NO_LIST: &str = r"^\s*([Nn][Oo][Nn][Ee]\s*)?$";

/// The parts of a schema beside its type.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    /// Its `$id`.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Documents of the type: the examples of its keys are what these have there.
    pub documents: &'a [Value],
    /// An example for what no document has, by the key of the object and the key in it.
    pub example: fn(&str, &str) -> Option<&'static str>,
    /// The values that are offered, by the name in `x-offered`.
    pub offered: fn(&str) -> Vec<String>,
    /// Whether keys that mean nothing are ignored.
    pub ignores_unknown_keys: bool,
}

/// The schema as editors get it: what counts as absent may be null or an empty text, texts may be numbers, numbers may be quoted,
/// values of a choice may have any letter case, other keys for a setting are there with the one that replaces them, a list may hold
/// only `none` or be written as its only item.
#[must_use]
pub fn editor_schema(schema: &Schema, editor: &Editor<'_>) -> Schema {
    let mut examples = Examples::default();
    let documents: Vec<&Value> = editor.documents.iter().collect();
    examples.collect(schema.as_value(), &documents);
    let root = Key { title: editor.title, at: "#" };
    let mut members = Writer { editor, examples }.setting(root, schema.as_value(), false, None);
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

/// The name of a schema, and its place in the whole one: a single item of a list refers to that of the items.
#[derive(Clone, Copy)]
struct Key<'a> {
    title: &'a str,
    at: &'a str,
}

impl Writer<'_> {
    /// A schema with what people read. `optional`: it may be null.
    fn setting(&self, key: Key<'_>, schema: &Value, optional: bool, example: Option<&Value>) -> Map<String, Value> {
        let kinds = kinds(schema);
        let about = about(key.title, schema, &kinds);
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
            add_choices(&mut members, &about, &kinds, optional);
        } else if let [only] = kinds.as_slice() {
            members.extend(self.kind(key, only, optional));
        } else {
            let kind = |(index, kind): (usize, &&Value)| {
                let mut members = about.clone();
                let at = format!("{}/anyOf/{index}", key.at);
                members.extend(self.kind(Key { at: &at, ..key }, kind, optional && index == 0));
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
        let own = schema.get("examples").and_then(|examples| examples.get(0));
        let is_free = |kind: &&Value| choices(kind).is_empty() && !is(kind, "boolean");
        if let Some(example) = own.or(example).filter(|_| kinds.iter().all(is_free)) {
            // Editors offer the examples, of a list for its items.
            match (example.as_array(), members.get_mut("items")) {
                (Some(list), Some(items)) => items["examples"] = list.iter().take(1).cloned().collect(),
                _ => drop(members.insert("examples".to_owned(), json!([example]))),
            }
        }
        members
    }

    /// The schema of a value of one JSON type.
    fn kind(&self, key: Key<'_>, schema: &Value, optional: bool) -> Map<String, Value> {
        let mut members = Map::new();
        let Some(name) = json_type(schema) else { return members };
        let mut types = vec![name];
        match name {
            "object" => self.add_object(&mut members, key, schema),
            "array" => types.extend(self.add_list(&mut members, key, schema, optional)),
            "string" => {
                types.push("number");
                if !optional {
                    members.insert("minLength".to_owned(), 1.into());
                }
            }
            _ => types.push("string"),
        }
        if optional {
            types.push("null");
        }
        members.insert("type".to_owned(), if types.len() == 1 { name.into() } else { json!(types) });
        let quoted = match name {
            "integer" => Some("[-+]?[0-9]+"),
            "number" => Some(r"[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"),
            "boolean" => Some("([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])"),
            _ => None,
        };
        // A pattern holds for text only, a range for numbers only. Nothing at all is as good as null.
        let or_blank = if optional { "?" } else { "" };
        let pattern = |quoted| ("pattern".to_owned(), format!(r"^\s*({quoted}){or_blank}\s*$").into());
        members.extend(quoted.map(pattern));
        for key in ["pattern", "minimum", "maximum"] {
            members.extend(schema.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        members
    }

    fn add_object(&self, members: &mut Map<String, Value>, object: Key<'_>, schema: &Value) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            let values = match (schema.get("additionalProperties"), schema.get(VALUES).and_then(Value::as_str)) {
                (_, Some("scalars")) => json!({"type": ["string", "number", "boolean", "null"]}),
                (_, Some(_)) => json!({"type": ["string", "number", "boolean"], "pattern": r"\S"}),
                (Some(values @ Value::Object(_)), None) => {
                    let at = format!("{}/additionalProperties", object.at);
                    Value::Object(self.kind(Key { title: "", at: &at }, values, true))
                }
                (Some(Value::Bool(false)), None) => Value::Bool(false),
                _ => return,
            };
            members.insert("additionalProperties".to_owned(), values);
            return;
        };
        let keys = signature(properties);
        let is_required = |name: &str| texts(schema.get("required")).any(|required| required == name);
        let mut known = Map::new();
        let mut required = Vec::new();
        let mut aliased = Vec::new();
        for (name, property) in properties {
            let of_text = || (self.editor.example)(object.title, name).filter(|_| is_text(property)).map(Value::from);
            let example = self.examples.of(&keys, name).cloned().or_else(of_text);
            let optional = !is_required(name);
            let at = format!("{}/properties/{name}", object.at);
            let key = Key { title: name, at: &at };
            known.insert(name.clone(), Value::Object(self.setting(key, property, optional, example.as_ref())));
            let aliases: Vec<&str> = texts(property.get(ALIASES)).collect();
            for alias in &aliases {
                known.insert((*alias).to_owned(), Value::Object(self.alias(alias, key, property, optional)));
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
    fn alias(&self, alias: &str, key: Key<'_>, property: &Value, optional: bool) -> Map<String, Value> {
        let mut members = self.setting(Key { title: alias, ..key }, property, optional, None);
        members.remove("examples");
        members.insert("description".to_owned(), format!("Deprecated; use `{}`.", key.title).into());
        members.insert("deprecated".to_owned(), true.into());
        members.insert("deprecationMessage".to_owned(), format!("Use {}.", key.title).into());
        members
    }

    /// Adds what a list says of its items. Returns the types that it may have beside that of a list: those of a single item.
    fn add_list(
        &self,
        members: &mut Map<String, Value>,
        key: Key<'_>,
        schema: &Value,
        optional: bool,
    ) -> Vec<&'static str> {
        let Some(items) = schema.get("items") else { return Vec::new() };
        let may_be_empty = schema.get(EMPTY_ITEMS).and_then(Value::as_str) != Some("refused");
        let mut list = Map::new();
        let is_text = is_any_text(items);
        let at = if is_text { format!("{}/items", key.at) } else { format!("{}/else/items", key.at) };
        let mut item = self.setting(Key { at: &at, ..key }, items, may_be_empty, None);
        // A value is shown with the text of its key; an object has one of its own.
        if !item.contains_key("properties") {
            let about = about(key.title, schema, &[]);
            let alternatives = item.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten();
            let titled = alternatives.filter_map(Value::as_object_mut).filter(|kind| kind.contains_key("title"));
            let texts = titled.map(|kind| {
                kind.extend(about.clone());
                kind.remove("title")
            });
            let count = texts.count();
            // Editors show the title of every schema that a value fits, and that of the list is enough.
            if count > 0 {
                about.keys().for_each(|key| drop(item.remove(key)));
            } else {
                item.extend(about);
            }
        }
        list.insert("items".to_owned(), Value::Object(item));
        if !optional && schema.get("minItems").and_then(Value::as_u64).is_some_and(|least| least > 0) {
            list.insert("contains".to_owned(), json!({"not": {"type": "null"}}));
        }
        if is_text {
            members.extend(list);
            if !optional {
                members.insert("pattern".to_owned(), r"\S".into());
            }
            let has_keys = kinds(items).iter().any(|kind| is(kind, "object"));
            if has_keys {
                members.insert("if".to_owned(), json!({"type": "object"}));
                members.insert("then".to_owned(), json!({"$ref": at}));
            }
            return if has_keys { vec!["object", "string", "number"] } else { vec!["string", "number"] };
        }
        // A list that holds only `none` is empty.
        let nothing = json!({
            "type": ["array", "string"],
            "pattern": if optional { NO_LIST } else { NOTHING },
            "contains": {"type": "string", "pattern": NOTHING},
            "maxContains": 1,
            "items": {"type": ["string", "null"], "pattern": NOTHING},
        });
        list.insert("if".to_owned(), json!({"type": ["object", "string", "number"]}));
        list.insert("then".to_owned(), json!({"$ref": at}));
        members.insert("if".to_owned(), nothing);
        members.insert("else".to_owned(), Value::Object(list));
        let is_choice = kinds(items).iter().any(|kind| !choices(kind).is_empty());
        if is_choice { vec!["string"] } else { vec!["object", "string"] }
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
    // What its key says elsewhere is not for an object without keys.
    let text = if only.is_some_and(|only| has_no_keys(only)) { Some(NO_KEYS) } else { text };
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

/// The text of an object that takes no key.
const NO_KEYS: &str = "Accepted, but ignored: it has no keys.";

/// Whether an object takes no key at all.
fn has_no_keys(schema: &Value) -> bool {
    is(schema, "object") && schema.get("properties").is_none() && schema["additionalProperties"] == false
}

/// Whether a setting is a text, or a list of them.
fn is_text(schema: &Value) -> bool {
    is_any_text(schema) || kinds(schema).iter().filter_map(|kind| kind.get("items")).any(is_any_text)
}

fn is_any_text(schema: &Value) -> bool {
    kinds(schema).iter().any(|kind| is(kind, "string"))
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
