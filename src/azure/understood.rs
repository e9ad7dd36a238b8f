//! Whether an answer is one to what was asked. A success without the resource, or without the list, is the answer of somebody else: taken for
//! "there is none", it would have the run create what exists.

use serde_json::{Map, Value};

use super::resource_id::ResourceId;
use super::secret_answer::is_list_of_settings;
use crate::protocol::cut;

/// The most of an answer that a message repeats, in characters.
const MOST_REPEATED: usize = 200;

/// The required members of the entries of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entries {
    /// Resources: each has its id.
    Resources,
    /// The permissions of the caller: each has `actions`.
    Permissions,
    /// Events of the activity log: each has its time.
    Events,
}

/// The resource of a path. Providers write ids in spellings of their own, some even those of another resource: the name tells as well.
///
/// # Errors
/// What the answer is instead.
pub(super) fn resource(path: &str, body: Option<Value>) -> Result<Value, String> {
    let (id, name) = identity(&body).map_err(|instead| format!("{instead} instead of the resource"))?;
    let is_id = id.is_some_and(|id| ResourceId::new(id) == ResourceId::new(path));
    let wanted = path.rsplit('/').next().unwrap_or_default();
    // The name of what is below something may have the names above in front.
    let is_name = name.and_then(|name| name.rsplit('/').next()).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    match (is_id || is_name, id.or(name)) {
        (false, Some(other)) => Err(format!("'{}' instead of the resource", cut(other, MOST_REPEATED))),
        _ => Ok(body.unwrap_or_default()),
    }
}

/// The resource that a write or its operation answers with, under whatever id: it was named in the request.
///
/// # Errors
/// What the answer is instead.
pub(super) fn written(body: Option<Value>) -> Result<Value, String> {
    identity(&body).map_err(|instead| format!("{instead} instead of the resource"))?;
    Ok(body.unwrap_or_default())
}

/// The status of an operation, which may be an error in its place.
///
/// # Errors
/// What the answer is instead.
pub(super) fn operation(body: Option<Value>) -> Result<Value, String> {
    match body {
        Some(body) if body.get("status").is_some_and(Value::is_string) => Ok(body),
        body => Err(match object(&body) {
            Err(instead) => format!("{instead} instead of the state of the operation"),
            Ok(_) => "an answer without the 'status' of the operation".to_owned(),
        }),
    }
}

/// The answer of an action; one that lists the settings of an app is a resource, of another no more is known than that it is an object.
///
/// # Errors
/// What the answer is instead.
pub(super) fn answer_of(action: &str, body: Option<Value>) -> Result<Value, String> {
    let members = object(&body).map_err(|instead| format!("{instead} instead of the answer of the action"))?;
    if is_list_of_settings(action) {
        // Without settings it may be left out.
        if members.get("properties").is_some_and(|settings| !settings.is_object() && !settings.is_null()) {
            return Err("an answer without an object in 'properties'".to_owned());
        }
        return written(body);
    }
    Ok(body.unwrap_or_default())
}

/// The answer to the question whether a name is free.
///
/// # Errors
/// What the answer is instead.
pub(super) fn about_a_name(body: Option<Value>) -> Result<Value, String> {
    let members = object(&body).map_err(|instead| format!("{instead} instead of an answer"))?;
    if !members.get("nameAvailable").is_some_and(Value::is_boolean) {
        return Err("an answer without 'nameAvailable'".to_owned());
    }
    Ok(body.unwrap_or_default())
}

/// An answer that has a list in one of its members.
///
/// # Errors
/// What the answer is instead.
pub(super) fn with_list(body: Option<Value>, member: &str) -> Result<Value, String> {
    let members = object(&body).map_err(|instead| format!("{instead} instead of an answer"))?;
    if !members.get(member).is_some_and(Value::is_array) {
        return Err(format!("an answer without a list in '{member}'"));
    }
    Ok(body.unwrap_or_default())
}

/// The entries of a page of a listing, and the link to the next page.
///
/// # Errors
/// What the answer is instead.
pub(super) fn page(body: Option<Value>, entries: Entries) -> Result<(Vec<Value>, Option<String>), String> {
    object(&body).map_err(|instead| format!("{instead} instead of a list"))?;
    let Some(Value::Object(mut page)) = body else { return Ok((Vec::new(), None)) };
    let Some(Value::Array(items)) = page.remove("value") else {
        return Err("an answer without a list in 'value'".to_owned());
    };
    let is_right = |item: &Value| match entries {
        Entries::Resources => item.get("id").and_then(Value::as_str).is_some_and(|id| !id.is_empty()),
        Entries::Permissions => item.get("actions").is_some_and(Value::is_array),
        Entries::Events => item.get("eventTimestamp").is_some_and(Value::is_string),
    };
    if !items.iter().all(is_right) {
        let what = match entries {
            Entries::Resources => "'id'",
            Entries::Permissions => "'actions'",
            Entries::Events => "'eventTimestamp'",
        };
        return Err(format!("a list with an entry without {what}"));
    }
    match page.remove("nextLink") {
        None | Some(Value::Null) => Ok((items, None)),
        Some(Value::String(link)) => Ok((items, Some(link).filter(|link| !link.is_empty()))),
        Some(_) => Err("a list whose 'nextLink' is no text".to_owned()),
    }
}

/// The id and name of a resource, at least one of them.
fn identity(body: &Option<Value>) -> Result<(Option<&str>, Option<&str>), String> {
    let members = object(body)?;
    let text = |member: &str| members.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("id"), text("name")) {
        (None, None) if members.is_empty() => Err("an empty object".to_owned()),
        (None, None) => Err("an object without 'id' and 'name'".to_owned()),
        both => Ok(both),
    }
}

/// The members of an answer that is an object and no error.
fn object(body: &Option<Value>) -> Result<&Map<String, Value>, String> {
    let members = match body {
        None => return Err("nothing".to_owned()),
        Some(Value::Object(members)) => members,
        Some(Value::Null) => return Err("null".to_owned()),
        Some(Value::Array(_)) => return Err("a list".to_owned()),
        Some(_) => return Err("a single value".to_owned()),
    };
    match members.get("error") {
        None | Some(Value::Null) => Ok(members),
        Some(error) => {
            let code = error.get("code").and_then(Value::as_str).unwrap_or_default();
            let code = if code.is_empty() { String::new() } else { format!(" '{}'", cut(code, MOST_REPEATED)) };
            Err(format!("an error{code}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATH: &str = "/subscriptions/1/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/st";

    #[test]
    fn a_resource_is_known_by_its_id_or_its_name() {
        for body in [
            json!({"id": PATH.to_uppercase()}),
            json!({"id": "of/the/action", "name": "ST"}),
            json!({"name": "above/st"}),
            json!({"id": PATH, "error": null}),
        ] {
            assert_eq!(resource(PATH, Some(body.clone())), Ok(body));
        }
        for (body, instead) in [
            (None, "nothing"),
            (Some(json!(null)), "null"),
            (Some(json!({})), "an empty object"),
            (Some(json!([])), "a list"),
            (Some(json!(7)), "a single value"),
            (Some(json!({"tags": {}})), "an object without 'id' and 'name'"),
            (Some(json!({"id": 7, "name": ""})), "an object without 'id' and 'name'"),
            (Some(json!({"id": PATH, "error": {"code": "Busy"}})), "an error 'Busy'"),
            (Some(json!({"name": "other"})), "'other'"),
        ] {
            assert_eq!(resource(PATH, body.clone()), Err(format!("{instead} instead of the resource")), "{body:?}");
        }
    }

    #[test]
    fn a_listing_is_a_list_of_what_was_asked_for() {
        let listed = page(Some(json!({"value": [{"id": PATH}], "nextLink": "n"})), Entries::Resources);
        assert_eq!(listed, Ok((vec![json!({"id": PATH})], Some("n".to_owned()))));
        assert_eq!(page(Some(json!({"value": [], "nextLink": ""})), Entries::Resources), Ok((Vec::new(), None)));
        for (body, entries) in [
            (None, Entries::Resources),
            (Some(json!(null)), Entries::Resources),
            (Some(json!([{"id": PATH}])), Entries::Resources),
            (Some(json!({})), Entries::Resources),
            (Some(json!({"value": null})), Entries::Resources),
            (Some(json!({"value": {"id": PATH}})), Entries::Resources),
            (Some(json!({"value": [null]})), Entries::Resources),
            (Some(json!({"value": [{"name": "st"}]})), Entries::Resources),
            (Some(json!({"value": [], "error": {"code": "Busy"}})), Entries::Resources),
            (Some(json!({"value": [], "nextLink": {"href": "n"}})), Entries::Resources),
            (Some(json!({"value": [{"id": PATH}]})), Entries::Permissions),
        ] {
            assert!(page(body.clone(), entries).is_err(), "{body:?}");
        }
        assert!(page(Some(json!({"value": [{"actions": ["*"], "notActions": []}]})), Entries::Permissions).is_ok());
    }
}
