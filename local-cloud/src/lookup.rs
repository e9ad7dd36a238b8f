//! The resources that are there: those that were put, those their parents bring along, and the refusals when they are missing.

use super::operations::{Change, Operation};
use super::path::{ResourceId, SUBSCRIPTION_TYPE};
use super::reply::Refusal;
use super::resource_types::{self, ResourceType, collections};
use super::state::{Body, Resource, State};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The body of a resource that exists: one that was put, or one that its parent brings along.
pub(super) fn look_up<'a>(state: &'a State, id: &ResourceId) -> Result<Cow<'a, Body>, Refusal> {
    if let Some(resource) = state.get(&id.key()) {
        return Ok(Cow::Borrowed(&resource.body));
    }
    if id.is_container() && id.group.is_none() {
        return Ok(Cow::Owned(subscription_body(id)));
    }
    require_group(state, id)?;
    let entry = resource_types::of(id);
    if let Some(implied) = entry.implied
        && id.name().eq_ignore_ascii_case("default")
    {
        let parent = look_up(state, &id.parent())?;
        let mut body = identity(id, entry);
        body.extend(implied(&parent)?);
        return Ok(Cow::Owned(body));
    }
    Err(missing(id, entry))
}

/// The body of a resource as a GET returns it: with what follows from other resources.
pub(super) fn view(state: &State, id: &ResourceId) -> Result<Body, Refusal> {
    // What follows from other resources is stored where it was changed.
    let body = match collections::item(state, id).filter(|_| state.get(&id.key()).is_none()) {
        Some(item) => item,
        None => look_up(state, id)?.into_owned(),
    };
    Ok(shown(state, resource_types::of(id), body))
}

/// A stored body as it is shown: with what follows from other resources, and printed as Azure prints it.
pub(super) fn shown(state: &State, entry: &ResourceType, mut body: Body) -> Body {
    if let Some(add) = entry.shown {
        add(state, &mut body);
    }
    print_as_azure(entry, &mut body);
    body
}

/// Gives id, type and tags the spelling of Azure, where that is not the one of the request.
pub(super) fn print_as_azure(entry: &ResourceType, body: &mut Body) {
    let Some(printed) = entry.printed else { return };
    if let Some(id) = body.get("id").and_then(Value::as_str).and_then(ResourceId::parse) {
        body.insert("id".to_owned(), id.spelled(printed.group_word, printed.in_ids).into());
    }
    body.insert("type".to_owned(), printed.type_name.into());
    if printed.empty_tags {
        let tags = body.entry("tags").or_insert(Value::Null);
        if tags.is_null() {
            *tags = json!({});
        }
    }
}

/// The refusal for a resource that is not there.
fn missing(id: &ResourceId, entry: &ResourceType) -> Refusal {
    match entry.missing {
        Some((code, message)) => Refusal::not_found(code, message),
        None => {
            let scope = match &id.group {
                Some(group) => format!(" under resource group '{group}'"),
                None => String::new(),
            };
            Refusal::not_found(
                "ResourceNotFound",
                format!(
                    "The Resource '{}/{}'{scope} was not found. For more details please go to \
                     https://aka.ms/ARMResourceNotFoundFix",
                    id.type_name(),
                    id.names().join("/")
                ),
            )
        }
    }
}

/// The group of an id has to exist.
pub(super) fn require_group(state: &State, id: &ResourceId) -> Result<(), Refusal> {
    match &id.group {
        Some(group) if state.get(&id.container().key()).is_none() => {
            Err(Refusal::not_found("ResourceGroupNotFound", format!("Resource group '{group}' could not be found.")))
        }
        _ => Ok(()),
    }
}

/// The operation that is deleting a resource, if there is one.
pub(super) fn deletion<'a>(state: &'a State, resource: &Resource) -> Option<&'a Operation> {
    let operation = state.operation(resource.operation.as_ref()?)?;
    (operation.change == Change::Delete).then_some(operation)
}

/// The group and the parent of an id have to exist, and the group must not be on its way out.
pub(super) fn require_parents(state: &State, id: &ResourceId) -> Result<(), Refusal> {
    if let Some(group) = state.get(&id.container().key()).filter(|group| deletion(state, group).is_some()) {
        return Err(Refusal::conflict(
            "ResourceGroupBeingDeleted",
            format!(
                "The resource group '{}' is in deprovisioning state and cannot perform this operation.",
                group.text("name")
            ),
        ));
    }
    if id.is_container() {
        return Ok(());
    }
    require_group(state, id)?;
    let parent = id.parent();
    if parent.is_container() {
        return Ok(());
    }
    match look_up(state, &parent) {
        Err(refusal) if refusal.status == 404 && id.is_child() => Err(Refusal::not_found(
            "ParentResourceNotFound",
            format!(
                "Failed to perform 'write' on resource(s) of type '{}', because the parent resource '{}' could not be found.",
                id.type_name(),
                parent.text()
            ),
        )),
        other => other.map(drop),
    }
}

/// Id, name and type. A known type is printed in Azure's casing.
pub(super) fn identity(id: &ResourceId, entry: &ResourceType) -> Body {
    let type_name = if entry.name.is_empty() { id.type_name() } else { entry.name.to_owned() };
    Body::from_iter([
        ("id".to_owned(), id.text().into()),
        ("name".to_owned(), id.name().into()),
        ("type".to_owned(), type_name.into()),
    ])
}

/// A subscription as Azure shows it; it exists without being created.
fn subscription_body(id: &ResourceId) -> Body {
    let subscription = id.name();
    Body::from_iter([
        ("id".to_owned(), id.text().into()),
        ("name".to_owned(), subscription.into()),
        ("type".to_owned(), SUBSCRIPTION_TYPE.into()),
        ("subscriptionId".to_owned(), subscription.into()),
        ("tenantId".to_owned(), super::LOCAL_TENANT_ID.into()),
        ("displayName".to_owned(), "Local cloud".into()),
        ("state".to_owned(), "Enabled".into()),
        (
            "subscriptionPolicies".to_owned(),
            json!({"locationPlacementId": "Public_2014-09-01", "quotaId": "Local", "spendingLimit": "Off"}),
        ),
        ("authorizationSource".to_owned(), "RoleBased".into()),
        ("managedByTenants".to_owned(), json!([])),
    ])
}
