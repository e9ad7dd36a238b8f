//! The members that Azure fills in where a body does not say them, as far as they depend on nothing else.
//!
//! The facts are in `members.json`: by type, the body that is filled in. `name?` is filled in only where there is such an object, `name[]`
//! in every item of such a list; a text instead of a body is the type that has the same.

use super::state::Body;
use serde_json::Value;
use std::sync::LazyLock;

// A test reads the file too: it cannot be one that is not read here.
static MEMBERS: LazyLock<Body> =
    LazyLock::new(|| serde_json::from_str(include_str!("members.json")).unwrap_or_default());

/// The members of a type, or of something else that is known by a name.
pub(super) fn of(name: &str) -> Option<&'static Body> {
    match MEMBERS.get(name)? {
        Value::String(other) => of(other),
        members => members.as_object(),
    }
}

/// Fills in what a body does not say.
pub(super) fn fill(type_name: &str, body: &mut Body) {
    if let Some(members) = of(type_name) {
        fill_in(members, body);
    }
}

fn fill_in(members: &Body, body: &mut Body) {
    for (name, value) in members {
        let Value::Object(inner) = value else {
            if body.get(name).is_none_or(Value::is_null) {
                body.insert(name.clone(), value.clone());
            }
            continue;
        };
        let (name, only_there) = name.strip_suffix('?').map_or((name.as_str(), false), |name| (name, true));
        if let Some(list) = name.strip_suffix("[]") {
            let items = body.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
            items.filter_map(Value::as_object_mut).for_each(|item| fill_in(inner, item));
            continue;
        }
        if !only_there && body.get(name).is_none_or(Value::is_null) {
            body.insert(name.to_owned(), Value::Object(Body::new()));
        }
        if let Some(Value::Object(holder)) = body.get_mut(name) {
            fill_in(inner, holder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource_types;
    use serde_json::json;

    #[test]
    fn every_name_is_of_a_type_or_used() {
        let all: Body = serde_json::from_str(include_str!("members.json")).unwrap();
        for (name, members) in &all {
            let known = resource_types::find(name).is_some() || ["sources", "siteConfig"].contains(&name.as_str());
            assert!(known, "{name} is of no type");
            assert!(members.as_str().is_none_or(|other| all.contains_key(other)), "{name}");
        }
    }

    #[test]
    fn what_is_said_stays_and_what_is_not_there_is_filled_in() {
        let members = json!({"a": 1, "b": {"c": []}, "d?": {"e": true}, "f[]": {"g": null, "h": 2}});
        let filled = |mut body: Value| {
            fill_in(members.as_object().unwrap(), body.as_object_mut().unwrap());
            body
        };
        assert_eq!(filled(json!({})), json!({"a": 1, "b": {"c": []}}));
        assert_eq!(
            filled(json!({"a": null, "b": {"c": [1]}, "d": {}, "f": [{"h": 3}, "x"]})),
            json!({"a": 1, "b": {"c": [1]}, "d": {"e": true}, "f": [{"h": 3, "g": null}, "x"]})
        );
    }
}
