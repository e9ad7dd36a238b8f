//! Tags: `{scope}/providers/Microsoft.Resources/tags/default`, and the rules for tags everywhere.

use super::lookup;
use super::path::ResourceId;
use super::reply::{Answer, Refusal};
use super::resource_types;
use super::state::{Body, Resource, State};
use serde_json::{Value, json};

/// The type of the tags of a resource, resource group or subscription.
pub(super) const TYPE: &str = "Microsoft.Resources/tags";

/// The limits. Source: MicrosoftDocs/azure-docs, management/tag-resources.md.
const MOST_TAGS: usize = 50;
const LONGEST_NAME: usize = 512;
const LONGEST_VALUE: usize = 256;
const ILLEGAL_IN_NAMES: &[char] = &['<', '>', '%', '&', '\\', '?', '/'];

/// Begins the names of tags that link a resource to another one, whose id follows with its slashes: the component of a web test.
/// Source: azure-rest-api-specs, Microsoft.Insights, `WebTestCreate`.
const LINK: &str = "hidden-link:";

/// Types with limits of their own: most tags, longest name.
const TYPE_LIMITS: &[(&str, usize, usize)] = &[
    ("Microsoft.Storage/storageAccounts", MOST_TAGS, 128),
    ("Microsoft.Network/privateDnsZones", 15, LONGEST_NAME),
    ("Microsoft.Network/privateDnsZones/virtualNetworkLinks", 15, LONGEST_NAME),
];

/// Checks the `tags` of a body that is about to be written.
pub(super) fn check_body(body: &Body, type_name: &str) -> Result<(), Refusal> {
    match body.get("tags") {
        None | Some(Value::Null) => Ok(()),
        Some(Value::Object(tags)) => check(tags, type_name),
        Some(_) => Err(Refusal::bad_request("InvalidRequestContent", "The tags must be a JSON object of texts.")),
    }
}

fn check(tags: &Body, type_name: &str) -> Result<(), Refusal> {
    let (most, longest_name) = TYPE_LIMITS
        .iter()
        .find(|(name, ..)| name.eq_ignore_ascii_case(type_name))
        .map_or((MOST_TAGS, LONGEST_NAME), |&(_, most, longest)| (most, longest));
    if tags.len() > most {
        return Err(Refusal::bad_request(
            "InvalidTagCount",
            format!("There are {} tags. At most {most} are allowed.", tags.len()),
        ));
    }
    for (name, value) in tags {
        if !is_legal_name(name) {
            return Err(Refusal::bad_request(
                "InvalidTagNameCharacters",
                format!("The tag name '{name}' is empty or has one of the characters '<,>,%,&,\\,?,/'."),
            ));
        }
        if name.chars().count() > longest_name {
            return Err(Refusal::bad_request(
                "InvalidTagNameLength",
                format!("The tag name '{name}' is longer than {longest_name} characters."),
            ));
        }
        match value {
            Value::String(text) if text.chars().count() > LONGEST_VALUE => {
                return Err(Refusal::bad_request(
                    "InvalidTagValueLength",
                    format!("The value of the tag '{name}' is longer than {LONGEST_VALUE} characters."),
                ));
            }
            Value::String(_) | Value::Null => {}
            _ => {
                return Err(Refusal::bad_request(
                    "InvalidRequestContent",
                    format!("The value of the tag '{name}' is not a text."),
                ));
            }
        }
    }
    let mut names: Vec<String> = tags.keys().map(|name| name.to_lowercase()).collect();
    names.sort();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Refusal::bad_request(
            "DuplicateTagNames",
            format!("The tag name '{}' is given twice; case makes no difference.", pair[0]),
        ));
    }
    Ok(())
}

fn is_legal_name(name: &str) -> bool {
    let is_link = name.get(..LINK.len()).is_some_and(|start| start.eq_ignore_ascii_case(LINK));
    let is_legal = |letter: char| !ILLEGAL_IN_NAMES.contains(&letter) || (is_link && letter == '/');
    !name.trim().is_empty() && name.chars().all(is_legal)
}

/// GET of `tags/default`.
pub(super) fn get(state: &State, scope: &ResourceId) -> Result<Answer, Refusal> {
    let tags = current(lookup::look_up(state, scope)?.as_ref());
    Ok(show(scope, tags))
}

/// PUT: these tags and no others.
pub(super) fn replace(state: &mut State, scope: &ResourceId, body: &Value) -> Result<Answer, Refusal> {
    let wanted = given(body)?;
    store(state, scope, wanted)
}

/// PATCH: `Merge`, `Replace` or `Delete`.
pub(super) fn patch(state: &mut State, scope: &ResourceId, body: &Value) -> Result<Answer, Refusal> {
    let given = given(body)?;
    // Two spellings of one name would otherwise be merged with each other.
    check(&given, resource_types::of(scope).name)?;
    let mut tags = current(lookup::look_up(state, scope)?.as_ref());
    let operation = body.get("operation").and_then(Value::as_str).unwrap_or_default();
    match operation.to_ascii_lowercase().as_str() {
        "merge" => {
            for (name, value) in given {
                remove(&mut tags, &name);
                tags.insert(name, value);
            }
        }
        "replace" => tags = given,
        "delete" => {
            for (name, value) in &given {
                // A tag goes only when its value is the one given.
                if find(&tags, name) == Some(value) {
                    remove(&mut tags, name);
                }
            }
        }
        _ => {
            return Err(Refusal::bad_request(
                "InvalidTagPatchOperation",
                format!("The operation '{operation}' is not one of Merge, Replace and Delete."),
            ));
        }
    }
    store(state, scope, tags)
}

/// DELETE: no tags at all.
pub(super) fn remove_all(state: &mut State, scope: &ResourceId) -> Result<Answer, Refusal> {
    store(state, scope, Body::new())?;
    Ok(Answer::empty(200))
}

/// The value of a tag; names compare ignoring case.
pub(super) fn find<'a>(tags: &'a Body, name: &str) -> Option<&'a Value> {
    tags.iter().find(|(other, _)| equal(other, name)).map(|(_, value)| value)
}

fn remove(tags: &mut Body, name: &str) {
    tags.retain(|other, _| !equal(other, name));
}

fn equal(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn current(body: &Body) -> Body {
    body.get("tags").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn given(body: &Value) -> Result<Body, Refusal> {
    body.get("properties").and_then(|properties| properties.get("tags")).and_then(Value::as_object).cloned().ok_or_else(
        || {
            Refusal::bad_request(
                "InvalidRequestContent",
                "The request content was invalid: properties.tags is missing.",
            )
        },
    )
}

fn store(state: &mut State, scope: &ResourceId, tags: Body) -> Result<Answer, Refusal> {
    let body = lookup::look_up(state, scope)?.into_owned();
    check(&tags, resource_types::of(scope).name)?;
    let mut resource = match state.get(&scope.key()) {
        Some(resource) => resource.clone(),
        None => Resource::new(body),
    };
    resource.body.insert("tags".to_owned(), Value::Object(tags.clone()));
    state.put(resource);
    Ok(show(scope, tags))
}

fn show(scope: &ResourceId, tags: Body) -> Answer {
    Answer::json(
        200,
        json!({
            "id": format!("{}/providers/Microsoft.Resources/tags/default", scope.text()),
            "name": "default",
            "type": "Microsoft.Resources/tags",
            "properties": {"tags": tags},
        }),
    )
}
