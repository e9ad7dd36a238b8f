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

/// A step of a path.
enum Step {
    Member(String),
    Each,
}

impl<'a> Content<'a> {
    pub(super) fn of(body: &'a Body) -> Content<'a> {
        Content { body, item: None }
    }

    /// The same resource where an item of the list `field` is looked at.
    pub(super) fn at(&self, field: &'a str, item: Option<&'a Value>) -> Content<'a> {
        Content { body: self.body, item: Some((field, item)) }
    }

    /// The values of a field: one, which may be missing, or those of all items where the field has `[*]`.
    pub(super) fn values(&self, field: &str) -> Vec<Option<&'a Value>> {
        let mut found = Vec::new();
        if let Some((list, item)) = self.item
            && let Some(rest) = without_prefix(field, list)
        {
            walk(item, &steps(rest.trim_start_matches('.')), &mut found);
            return found;
        }
        let Some(steps) = path_of(self.body, field) else { return vec![None] };
        match steps.split_first() {
            Some((Step::Member(first), rest)) => walk(member_of(self.body, first), rest, &mut found),
            _ => found.push(None),
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
        let path = shown_path(self.body, field);
        let result = if result { "True" } else { "False" };
        json!({"result": result, "expressionKind": kind, "expression": field, "path": path, "expressionValue": value, "targetValue": target,
            "operator": operator})
    }
}

/// Sets a field, or takes it away.
pub(super) fn set(body: &mut Body, field: &str, value: Option<Value>) {
    let path = shown_path(body, field);
    let Some((parents, last)) = path.rsplit_once('.').map_or(Some(("", path.as_str())), Some) else { return };
    let mut members = body;
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        let entry = members.entry(parent.to_owned()).or_insert_with(|| json!({}));
        let Value::Object(next) = entry else { return };
        members = next;
    }
    members.retain(|known, _| !known.eq_ignore_ascii_case(last));
    if let Some(value) = value {
        members.insert(last.to_owned(), value);
    }
}

/// Whether two values are one: texts ignore case, texts and what they say are alike, locations have two spellings.
pub(super) fn same(one: &Value, other: &Value, field: &str) -> bool {
    let text = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned).to_lowercase();
        if field.eq_ignore_ascii_case("location") { text.replace(' ', "") } else { text }
    };
    text(one) == text(other)
}

/// The path of a field in a body, in the casing of the field: `properties.minimumTlsVersion`.
fn shown_path(body: &Body, field: &str) -> String {
    if let Some(tag) = tag_of(field) {
        return format!("tags.{tag}");
    }
    let type_name = body.get("type").and_then(Value::as_str).unwrap_or_default();
    let Some(rest) = without_prefix(field, type_name).and_then(|rest| rest.strip_prefix('/')) else {
        return field.to_owned();
    };
    let first = rest.split(['.', '[']).next().unwrap_or_default();
    if ENVELOPE.iter().any(|known| known.eq_ignore_ascii_case(first)) {
        rest.to_owned()
    } else {
        format!("properties.{rest}")
    }
}

/// The steps to a field; none where it is one of another type.
fn path_of(body: &Body, field: &str) -> Option<Vec<Step>> {
    if let Some(tag) = tag_of(field) {
        return Some(vec![Step::Member("tags".to_owned()), Step::Member(tag.to_owned())]);
    }
    let path = shown_path(body, field);
    (!path.contains('/')).then(|| steps(&path))
}

fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let name = part.strip_suffix("[*]");
        steps.push(Step::Member(name.unwrap_or(part).to_owned()));
        steps.extend(name.map(|_| Step::Each));
    }
    steps
}

/// The name of a tag in `tags.x`, `tags[x]` or `tags['x']`.
fn tag_of(field: &str) -> Option<&str> {
    let rest = without_prefix(field, "tags")?;
    match rest.strip_prefix('.') {
        Some(name) => Some(name),
        None => Some(rest.strip_prefix('[')?.strip_suffix(']')?.trim_matches('\'')),
    }
}

fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix))?;
    text.get(prefix.len()..)
}

fn member_of<'v>(members: &'v Body, name: &str) -> Option<&'v Value> {
    members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn walk<'v>(value: Option<&'v Value>, steps: &[Step], found: &mut Vec<Option<&'v Value>>) {
    match steps.split_first() {
        None => found.push(value.filter(|value| !value.is_null())),
        Some((Step::Each, rest)) => {
            let items = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            items.iter().for_each(|item| walk(Some(item), rest, found));
        }
        Some((Step::Member(name), rest)) => {
            let members = value.and_then(Value::as_object);
            // Aliases leave out the `properties` of what is in lists.
            let inner = || member_of(members?.get("properties")?.as_object()?, name);
            walk(members.and_then(|members| member_of(members, name)).or_else(inner), rest, found);
        }
    }
}
