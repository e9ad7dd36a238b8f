//! The fields of a resource as policies name them: `location`, `tags['x']`, and aliases such as
//! `Microsoft.Storage/storageAccounts/networkAcls.ipRules[*].value`. Azure has a list of aliases; here each is read as the path that it nearly
//! always is. Source: learn.microsoft.com, "Azure Policy definition structure alias" and "Fields".

use crate::state::Body;
use serde_json::{Value, json};

/// Members of a body beside `properties` that aliases name.
const ENVELOPE: &[&str] = &["kind", "sku", "identity", "zones", "plan", "location", "managedBy", "extendedLocation"];

/// A resource, and the item of a list that is looked at within it.
pub(super) struct Content<'a> {
    pub(super) body: &'a Body,
    item: Option<(&'a str, Option<&'a Value>)>,
}

impl<'a> Content<'a> {
    pub(super) fn of(body: &'a Body) -> Content<'a> {
        Content { body, item: None }
    }

    /// The same resource where an item of the list `field` is looked at.
    pub(super) fn at<'b>(&self, field: &'b str, item: Option<&'b Value>) -> Content<'b>
    where
        'a: 'b,
    {
        Content { body: self.body, item: Some((field, item)) }
    }

    /// The values of a field: one, which may be missing, or those of all items where the field has `[*]`.
    pub(super) fn values(&self, field: &str) -> Vec<Option<&'a Value>> {
        let mut found = Vec::new();
        let within = self.item.and_then(|(list, item)| Some((item, without_prefix(field, list)?)));
        let path = path_of(self.body, field);
        match (within, tag_of(field), path.split_once('.').unwrap_or((&path, ""))) {
            (Some((item, rest)), ..) => walk(item, rest.trim_start_matches('.'), &mut found),
            // Of another type.
            _ if path.contains('/') => found.push(None),
            (_, Some(tag), _) => found.push(self.body.get("tags").and_then(|tags| member_of(tags.as_object()?, tag))),
            (.., (first, rest)) => walk(member_of(self.body, first), rest, &mut found),
        }
        found
    }

    /// A comparison as Azure tells it: what was compared, and with what.
    pub(super) fn told(
        &self,
        (kind, field, value): (&str, &str, Option<&Value>),
        (operator, target): (&str, &Value),
        result: bool,
    ) -> Value {
        let path = path_of(self.body, field);
        let result = if result { "True" } else { "False" };
        json!({"result": result, "expressionKind": kind, "expression": field, "path": path, "expressionValue": value, "targetValue": target,
            "operator": operator})
    }
}

/// Sets a field, or takes it away.
pub(super) fn set(body: &mut Body, field: &str, value: Option<Value>) {
    let path = path_of(body, field);
    let tag = tag_of(field).map(|tag| ("tags", tag));
    let (parents, last) = tag.or_else(|| path.rsplit_once('.')).unwrap_or(("", &path));
    let mut members = body;
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        let Value::Object(next) = members.entry(parent.to_owned()).or_insert_with(|| json!({})) else { return };
        members = next;
    }
    members.retain(|known, _| !known.eq_ignore_ascii_case(last));
    members.extend(value.map(|value| (last.to_owned(), value)));
}

/// Whether two values are one: texts ignore case, texts and what they say are alike, locations have two spellings.
pub(super) fn same(one: &Value, other: &Value, field: &str) -> bool {
    let text = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned).to_lowercase();
        if field.eq_ignore_ascii_case("location") { text.replace(' ', "") } else { text }
    };
    text(one) == text(other)
}

/// The path of a field in a body, in the casing of the field: `properties.minimumTlsVersion`. With a slash where it is one of another type.
fn path_of(body: &Body, field: &str) -> String {
    if let Some(tag) = tag_of(field) {
        return format!("tags.{tag}");
    }
    let type_name = body.get("type").and_then(Value::as_str).unwrap_or_default();
    let Some(rest) = without_prefix(field, type_name).and_then(|rest| rest.strip_prefix('/')) else {
        return field.to_owned();
    };
    let first = rest.split(['.', '[']).next().unwrap_or_default();
    let is_top = ENVELOPE.iter().any(|known| known.eq_ignore_ascii_case(first));
    if is_top { rest.to_owned() } else { format!("properties.{rest}") }
}

/// The name of a tag in `tags.x`, `tags[x]` or `tags['x']`.
fn tag_of(field: &str) -> Option<&str> {
    let rest = without_prefix(field, "tags")?;
    rest.strip_prefix('.').or_else(|| Some(rest.strip_prefix('[')?.strip_suffix(']')?.trim_matches('\'')))
}

/// The rest of a text that begins with a prefix, ignoring case.
pub(super) fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix))?;
    text.get(prefix.len()..)
}

fn member_of<'v>(members: &'v Body, name: &str) -> Option<&'v Value> {
    let name = name.trim_end_matches("[*]");
    members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Collects the values at a path below one.
fn walk<'v>(value: Option<&'v Value>, path: &str, found: &mut Vec<Option<&'v Value>>) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    if first.is_empty() {
        return found.push(value.filter(|value| !value.is_null()));
    }
    let members = value.and_then(Value::as_object);
    // Aliases leave out the `properties` of what is in lists.
    let inner = || member_of(members?.get("properties")?.as_object()?, first);
    let value = members.and_then(|members| member_of(members, first)).or_else(inner);
    match first.ends_with("[*]") {
        true => value.and_then(Value::as_array).into_iter().flatten().for_each(|item| walk(Some(item), rest, found)),
        false => walk(value, rest, found),
    }
}
