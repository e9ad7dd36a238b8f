//! The keys of a new document: from the schema of its settings type, with values of an example.

use serde_json::{Value, json};

use super::{NewDocument, made_up, member};
use crate::settings::{Written, WrittenKey};

/// Makes the keys of a document.
pub(super) struct Writer<'a> {
    pub(super) form: NewDocument,
    pub(super) component: &'static str,
    /// A document of the command whose values go together.
    pub(super) example: &'a Value,
    /// Lists have every item of the example, not only the first.
    pub(super) whole_lists: bool,
}

/// The values that the example has for one place: that of the example itself, and those of other items of the same list.
#[derive(Clone, Default)]
struct Seen<'a> {
    own: Option<&'a Value>,
    others: Vec<&'a Value>,
    /// Of an item of a list, those behind it.
    further: &'a [Value],
}

impl<'a> Seen<'a> {
    fn key(&self, key: &str) -> Seen<'a> {
        let others = self.others.iter().filter_map(|other| member(Some(other), key)).collect();
        Seen { own: member(self.own, key), others, further: &[] }
    }

    /// The items of the lists.
    fn items(&self) -> Seen<'a> {
        let own = self.own.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let (first, further) = own.split_first().map_or((None, own), |(first, further)| (Some(first), further));
        let others = self.others.iter().filter_map(|other| other.as_array()).flatten();
        Seen { own: first, others: further.iter().chain(others).collect(), further }
    }

    fn any(&self) -> Option<&'a Value> {
        self.own.or_else(|| self.others.first().copied())
    }
}

/// A key, and the one above it; that of an item of a list is that of the list.
#[derive(Clone, Copy)]
struct At<'a> {
    above: &'a str,
    name: &'a str,
}

impl Writer<'_> {
    /// The keys of a whole document.
    pub(super) fn document(&self, schema: &Value) -> Vec<WrittenKey> {
        let seen = Seen { own: Some(self.example), ..Seen::default() };
        self.keys("", schema, &seen)
    }

    fn keys(&self, above: &str, schema: &Value, seen: &Seen<'_>) -> Vec<WrittenKey> {
        let required: Vec<&str> = texts(schema.get("required"));
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties
            .filter_map(|(name, property)| self.key(At { above, name }, property, &required, &seen.key(name)))
            .collect()
    }

    fn key(&self, at: At<'_>, property: &Value, required: &[&str], seen: &Seen<'_>) -> Option<WrittenKey> {
        let is_component = at.name == "component";
        let is_required = is_component || required.contains(&at.name);
        if !is_required && seen.own.is_none() && self.form == NewDocument::Usual {
            return None;
        }
        let value = if is_component { Written::Plain(self.component.into()) } else { self.value(at, property, seen) };
        Some(WrittenKey {
            comment: comment(property),
            key: at.name.to_owned(),
            value,
            is_off: property.get("deprecated") == Some(&Value::Bool(true)),
            is_required,
        })
    }

    fn value(&self, at: At<'_>, property: &Value, seen: &Seen<'_>) -> Written {
        let schema = self.alternative(property, seen.own);
        if schema.get("properties").is_some() {
            return Written::Object(self.keys(at.name, schema, seen));
        }
        match json_type(schema) {
            Some("array") => self.list(at, schema, property, seen),
            Some("object") => {
                let value = seen.any().or_else(|| told(property)).cloned().unwrap_or_else(|| json!({}));
                Written::from(&value)
            }
            _ => Written::Plain(self.plain(at, schema, property, seen)),
        }
    }

    fn list(&self, at: At<'_>, schema: &Value, property: &Value, seen: &Seen<'_>) -> Written {
        let nothing = Value::Null;
        let items = schema.get("items").unwrap_or(&nothing);
        let of_items = seen.items();
        let item = self.alternative(items, of_items.own.or_else(|| of_items.any()));
        if item.get("properties").is_some() {
            let first = Written::Object(self.keys(at.name, item, &of_items));
            let further = of_items.further.iter().filter(|_| self.whole_lists).map(Written::from);
            return Written::List(std::iter::once(first).chain(further).collect());
        }
        let preferred = made_up::preferred(self.component, at.above, at.name).filter(|_| seen.own.is_none());
        let known = || seen.any().or_else(|| told(property)).or_else(|| elsewhere(self.example, at));
        match known().filter(|_| preferred.is_none()) {
            Some(value @ Value::Array(_)) => Written::from(value),
            _ => Written::List(vec![self.value(at, items, &of_items)]),
        }
    }

    /// A value for a key that has no keys below: that of the example, of the settings type, of another place of the example, or one
    /// that is made up.
    fn plain(&self, at: At<'_>, schema: &Value, property: &Value, seen: &Seen<'_>) -> Value {
        let preferred = || made_up::preferred(self.component, at.above, at.name);
        if let Some(value) = seen.own.is_none().then(preferred).flatten() {
            return value;
        }
        let known = seen.own.or_else(|| told(property)).or_else(|| told(schema));
        let known = known.or_else(|| seen.others.first().copied()).or_else(|| elsewhere(self.example, at));
        if let Some(known) = known.filter(|known| !known.is_array()) {
            return known.clone();
        }
        if let Some(choice) = choices(schema).first() {
            return Value::from(choice.as_str());
        }
        match json_type(schema) {
            Some("boolean") => json!(true),
            Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
            _ => made_up::text(at.above, at.name).unwrap_or("shop").into(),
        }
    }

    /// The alternative that is written of a value that may be several things: the one that the example has, or the one that shows the most keys.
    fn alternative<'a>(&self, schema: &'a Value, own: Option<&Value>) -> &'a Value {
        let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) else { return schema };
        let real = || alternatives.iter().filter(|alternative| json_type(alternative) != Some("null"));
        let has_keys = |alternative: &&Value| alternative.get("properties").is_some();
        let fits = |alternative: &&Value| own.is_some_and(|own| own.is_object() == has_keys(alternative));
        let most = if self.form == NewDocument::All { real().find(has_keys) } else { real().find(fits) };
        most.or_else(|| real().next()).unwrap_or(schema)
    }
}

/// The words of the settings type for a key, and the values that it may have.
fn comment(property: &Value) -> String {
    let mut text = property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
    let choices = choices(property);
    if choices.iter().any(|choice| !text.contains(choice.as_str())) {
        text.push_str(&format!(" One of {}.", choices.join(", ")));
    }
    text
}

/// The values that a key or the items of its list may have; none where there is no choice.
fn choices(schema: &Value) -> Vec<String> {
    let of_list = |list: &str| schema.get(list).and_then(Value::as_array).into_iter().flatten();
    let own = of_list("enum").chain(schema.get("const")).filter(|choice| !choice.is_null());
    let mut choices: Vec<String> =
        own.map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned)).collect();
    for inner in of_list("anyOf").chain(of_list("oneOf")).chain(schema.get("items")) {
        choices.extend(self::choices(inner));
    }
    choices
}

/// The value that the settings type itself gives.
fn told(property: &Value) -> Option<&Value> {
    let default = property.get("default").filter(|default| !default.is_null());
    default.or_else(|| property.get("examples")?.as_array()?.first())
}

/// The value that another place of the example has: the first value of the key below the same key.
fn elsewhere<'a>(example: &'a Value, at: At<'_>) -> Option<&'a Value> {
    fn below<'a>(value: &'a Value, above: &str, at: At<'_>) -> Option<&'a Value> {
        match value {
            Value::Object(members) => {
                let own = members.get(at.name).filter(|own| above == at.above && !own.is_object() && !own.is_null());
                own.or_else(|| members.iter().find_map(|(key, member)| below(member, key, at)))
            }
            Value::Array(items) => items.iter().find_map(|item| below(item, above, at)),
            _ => None,
        }
    }
    // The names of things are their own.
    if at.name == "name" { None } else { below(example, "", at) }
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The JSON type of a schema; of two types the one that is not null.
fn json_type(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    }
}
