//! The secrets of a resource, which are shown nowhere: by the table of its type, and, where people choose the names themselves, by name and form.

use serde_json::Value;

use super::ResourceType;
use crate::protocol::{is_secret_member, secret_urls};

impl ResourceType {
    /// Whether the value at a path, as a plan shows it (`properties.webhookReceivers[name].serviceUri`), is a secret.
    #[must_use]
    pub fn is_secret(&self, path: &str) -> bool {
        let without_names = without_names(path);
        self.secret.iter().any(|secret| matches_path(secret, &without_names).is_some())
    }

    /// Whether a text at a path is hidden: it is a secret, or a member of a free-form object that its name or its form makes one.
    #[must_use]
    pub fn hides(&self, path: &str, text: &str) -> bool {
        let without_names = without_names(path);
        let is_secret = self.secret.iter().any(|secret| matches_path(secret, &without_names).is_some());
        is_secret || self.free_form_member(&without_names).is_some_and(|name| is_secret_member(name, text))
    }

    /// The name of the member of a free-form object that is at a path.
    fn free_form_member<'p>(&self, path: &'p str) -> Option<&'p str> {
        let tags = self.tags.map(|_| "tags");
        let mut rests = self.free_form.iter().copied().chain(tags).filter_map(|free| matches_path(free, path));
        rests.find(|rest| !rest.is_empty())
    }

    /// Every secret of a body of the type.
    #[must_use]
    pub fn secrets_of<'a>(&self, body: &'a Value) -> Vec<&'a str> {
        let mut found = Vec::new();
        for path in self.secret {
            collect(body, path, &mut found);
        }
        found
    }

    /// Every text of a body of the type that is a secret by its name or its form only: members of free-form objects, and web addresses.
    /// Tags have names of people's own as well, and are names themselves: there the form alone counts.
    #[must_use]
    pub fn likely_secrets_of<'a>(&self, body: &'a Value) -> Vec<&'a str> {
        let mut found = Vec::new();
        for path in self.free_form {
            members_at(body, path, &mut |name, text| {
                if is_secret_member(name, text) {
                    found.push(text);
                }
            });
        }
        members_at(body, "tags", &mut |_, text| {
            if is_secret_member("", text) {
                found.push(text);
            }
        });
        each_text(body, &mut |text| found.extend(secret_urls(text)));
        found
    }
}

/// A path without the names of its items, which may have dots in them.
fn without_names(path: &str) -> String {
    let mut depth = 0_u32;
    path.chars()
        .filter(|character| {
            depth += u32::from(*character == '[');
            let outside = depth == 0;
            depth -= u32::from(*character == ']' && depth > 0);
            outside
        })
        .collect()
}

/// The rest of a path behind a pattern that it begins with: empty where that is all of it. None where it begins otherwise.
fn matches_path<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let mut rest = path;
    for member in pattern.split('.').map(|member| member.trim_end_matches("[]")) {
        if rest.is_empty() {
            return None;
        }
        let (first, more) = rest.split_once('.').unwrap_or((rest, ""));
        if member == "*" {
            return Some("");
        }
        if !member.eq_ignore_ascii_case(first) {
            return None;
        }
        rest = more;
    }
    Some(rest)
}

/// Visits the texts of the members of the objects at a path, with their names.
fn members_at<'a>(value: &'a Value, path: &str, visit: &mut impl FnMut(&'a str, &'a str)) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::Array(items) => items.iter().for_each(|item| members_at(item, path, visit)),
        Value::Object(members) if path.is_empty() => {
            members
                .iter()
                .filter_map(|(name, member)| Some((name, member.as_str()?)))
                .for_each(|(name, text)| visit(name, text));
        }
        Value::Object(members) => {
            let is_next = |name: &str| name.eq_ignore_ascii_case(first.trim_end_matches("[]"));
            members.iter().filter(|(name, _)| is_next(name)).for_each(|(_, member)| members_at(member, rest, visit));
        }
        _ => {}
    }
}

/// Visits every text of a value.
fn each_text<'a>(value: &'a Value, visit: &mut impl FnMut(&'a str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, visit)),
        Value::Object(members) => members.values().for_each(|member| each_text(member, visit)),
        _ => {}
    }
}

/// The texts at a path.
fn collect<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a str>) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::String(text) if path.is_empty() => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, path, found)),
        Value::Object(members) => {
            for (name, member) in members {
                if path.is_empty() || first == "*" || name.eq_ignore_ascii_case(first.trim_end_matches("[]")) {
                    collect(member, rest, found);
                }
            }
        }
        _ => {}
    }
}
