//! GET, HEAD, PUT, PATCH and DELETE of one resource, resource group or subscription.

use super::OperationTime;
use super::lookup::{deletion, identity, look_up, require_group, require_parents, shown, view};
use super::members;
use super::moment::Moment;
use super::operations::{self, Change, Operation, Status, Surroundings};
use super::path::ResourceId;
use super::pending_faults::Faults;
use super::placement::check_location;
use super::policies;
use super::published;
use super::reply::{Answer, Refusal};
use super::resource_types::{
    self, Companion, Departure, Etag, Follow, LocationRule, Reply, ResourceType, Write, properties_mut, shape,
};
use super::state::{Body, Resource, State, set_provisioning_state};
use super::tags;
use serde_json::{Value, json};

/// The things that a write needs beside the state.
pub(super) struct Context<'a> {
    pub(super) around: &'a Surroundings,
    pub(super) faults: &'a Faults,
    pub(super) operation_time: OperationTime,
    /// Method and path of the request, for faults that concern its operation.
    pub(super) method: &'a str,
    pub(super) path: &'a str,
}

/// Members a body may carry that only the service sets.
const READ_ONLY: &[&str] = &["id", "name", "type", "systemData", "etag", "apiVersion"];

/// Members of the envelope of a resource, which are read in any spelling.
const ENVELOPE: &[&str] =
    &["id", "name", "type", "location", "tags", "kind", "sku", "identity", "zones", "plan", "properties", "etag"];

/// Members a PATCH replaces as a whole instead of merging. Source: azure-resource-manager-rpc, "Patch resource".
const REPLACED_BY_PATCH: &[&str] = &["tags"];

/// Refuses a write over another state of a resource than the one that the client has seen, where its type looks at that.
pub(super) fn check_etag(state: &State, id: &ResourceId, if_match: &str) -> Result<(), Refusal> {
    if !resource_types::of(id).checks_etag {
        return Ok(());
    }
    let has = state.get(&id.key()).map_or("", |resource| resource.text("etag"));
    if !has.is_empty() && (if_match == "*" || if_match == has) {
        return Ok(());
    }
    let message =
        format!("Etag provided in if-match header {if_match} does not match etag {has} of resource {}.", id.text());
    Err(Refusal::new(412, "PreconditionFailed", message))
}

/// GET and HEAD.
pub(super) fn get(state: &State, id: &ResourceId) -> Result<Answer, Refusal> {
    if !(resource_types::of(id).readable)(id) {
        return Err(Refusal::new(
            405,
            "MethodNotAllowed",
            format!("The requested resource '{}' does not support http method 'GET'.", id.text()),
        ));
    }
    Ok(Answer::json(200, Value::Object(view(state, id)?)))
}

/// PUT: creates the resource, or replaces what is writable in it.
pub(super) fn put(state: &mut State, id: &ResourceId, body: &Value, context: &Context<'_>) -> Result<Answer, Refusal> {
    let entry = resource_types::of(id);
    let wanted = spelled(object(body)?, entry);
    let existing = state.get(&id.key()).map(|resource| resource.body.clone());
    let reply = match existing {
        Some(_) => entry.update,
        None if published::is_made_with_200(&id.type_name()) => Reply { status: 200, ..entry.create },
        None => entry.create,
    };
    write(state, id, wanted, existing, reply, context)
}

/// PATCH: merges into what exists (RFC 7396), except tags, which it replaces.
pub(super) fn patch(
    state: &mut State,
    id: &ResourceId,
    body: &Value,
    context: &Context<'_>,
) -> Result<Answer, Refusal> {
    let entry = resource_types::of(id);
    let changes = spelled(object(body)?, entry);
    let existing = look_up(state, id)?.into_owned();
    let mut wanted = existing.clone();
    for (name, change) in changes.iter().filter(|(name, _)| *name == "tags" || !entry.patches_tags_only) {
        if REPLACED_BY_PATCH.contains(&name.as_str()) && !change.is_null() {
            wanted.insert(name.clone(), change.clone());
        } else {
            merge(wanted.entry(name.clone()).or_insert(Value::Null), change);
        }
    }
    wanted.retain(|_, value| !value.is_null());
    write(state, id, wanted, Some(existing), entry.patch, context)
}

fn object(body: &Value) -> Result<&Body, Refusal> {
    body.as_object().ok_or_else(|| {
        Refusal::bad_request("InvalidRequestContent", "The request content was invalid: a JSON object is expected.")
    })
}

/// A body with the members that are known in the spelling of the type.
fn spelled(body: &Body, entry: &ResourceType) -> Body {
    let canonical = |name: &String| ENVELOPE.iter().find(|known| known.eq_ignore_ascii_case(name));
    let member = |(name, value): (&String, &Value)| {
        (canonical(name).map_or_else(|| name.clone(), |known| (*known).to_owned()), value.clone())
    };
    let mut body: Body = body.iter().map(member).collect();
    shape::spell_properties(&mut body, entry.name);
    (entry.spell)(&mut body);
    body
}

/// JSON merge patch, RFC 7396.
fn merge(target: &mut Value, change: &Value) {
    let Value::Object(change) = change else {
        *target = change.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    if let Value::Object(target) = target {
        for (name, change) in change {
            if change.is_null() {
                target.shift_remove(name);
            } else {
                merge(target.entry(name.clone()).or_insert(Value::Null), change);
            }
        }
    }
}

fn write(
    state: &mut State,
    id: &ResourceId,
    mut wanted: Body,
    existing: Option<Body>,
    reply: Reply,
    context: &Context<'_>,
) -> Result<Answer, Refusal> {
    let entry = resource_types::of(id);
    require_parents(state, id)?;
    strip_read_only(&mut wanted, entry);
    policies::enforce(state, id, &mut wanted)?;
    tags::check_body(&wanted, entry.name)?;
    let location = check_location(&wanted, existing.as_ref(), id, entry)?;
    if let Some(location) = location {
        wanted.insert("location".to_owned(), location.into());
    }
    let now = context.around.now;
    let api_version = context.around.api_version.as_str();
    let input = Write { id, body: &wanted, existing: existing.as_ref(), state, now, api_version };
    if existing.is_none() {
        (entry.check_name)(id)?;
    }
    // A service that comes with its parent may be one the parent has not.
    if let Some(implied) = entry.implied {
        implied(look_up(state, &id.parent())?.as_ref())?;
    }
    shape::check_properties(&wanted, entry.name)?;
    (entry.check)(&input)?;
    if let Some(existing) = existing.as_ref() {
        entry.fixed.iter().try_for_each(|fixed| (fixed.check)(&input, existing))?;
    }
    if let Some(resource) = state.get_any(&id.key())
        && (resource.hidden || deletion(state, resource).is_some())
    {
        return Err(operation_in_progress(id));
    }
    let (body, companions) = with_companions(&input, entry);
    let change = if existing.is_some() { Change::Update } else { Change::Create };
    let resource = Resource::new(body);
    let Some(operation) = begin(id, entry, change, reply.follow, context) else {
        state.put(resource.clone());
        apply(state, companions, now);
        return Ok(Answer::json(reply.status, Value::Object(shown(state, entry, resource.body))));
    };
    let mut resource = resource;
    let under_way = if change == Change::Create { entry.creating } else { change.state() };
    set_provisioning_state(&mut resource.body, under_way);
    resource.hidden = reply.status == 202 && change == Change::Create;
    state.put(resource.clone());
    apply(state, companions, now);
    // Begun before it is shown: some types show that an operation works on another resource.
    state.begin(operation.clone());
    if let Some(accepted) = entry.accepted.filter(|_| change == Change::Create) {
        set_provisioning_state(&mut resource.body, accepted);
    }
    let body = shown(state, entry, resource.body);
    Ok(operations::started(reply, &operation, Some(body), context.around))
}

/// The resource as it is stored, and what its write does to other resources.
pub(super) fn with_companions(write: &Write<'_>, entry: &ResourceType) -> (Body, Vec<Companion>) {
    let mut body = completed(write, entry);
    let companions = entry.companions.map(|companions| companions(write, &mut body)).unwrap_or_default();
    (body, companions)
}

/// Carries out what a write does to other resources.
pub(super) fn apply(state: &mut State, companions: Vec<Companion>, now: Moment) {
    for companion in companions {
        match companion {
            Companion::Put(body) => state.put(Resource::new(body)),
            Companion::Remove(key) => state.remove_tree(&key, now),
        }
    }
}

/// The resource as it is stored: the identity, what is wanted, what Azure fills in.
pub(super) fn completed(write: &Write<'_>, entry: &ResourceType) -> Body {
    let mut body = identity(write.id, entry);
    if let Some(existing) = write.existing {
        // The casing first sent stays.
        for member in body.keys().cloned().collect::<Vec<_>>() {
            body.extend(existing.get(&member).map(|value| (member, value.clone())));
        }
    }
    body.extend(write.body.clone());
    if entry.provisioning_state
        && let Some(properties) = properties_mut(&mut body)
    {
        properties.insert("provisioningState".to_owned(), Status::Succeeded.text().into());
    }
    (entry.complete)(write, &mut body);
    members::fill(entry.name, &mut body);
    if let Some(Value::Object(properties)) = body.get_mut("properties") {
        properties.retain(|name, _| !entry.write_only.contains(&name.as_str()));
    }
    let unique = || uuid::Uuid::new_v4().to_string();
    let etag = match entry.etag {
        Etag::None => None,
        Etag::Storage => Some(format!("\"0x8{:014X}\"", fastrand::u64(..) >> 8)),
        Etag::Weak => Some(format!("W/\"{}\"", unique())),
        Etag::Strong => Some(format!("\"{}\"", unique())),
    };
    if let Some(etag) = etag {
        body.insert("etag".to_owned(), etag.into());
    }
    if entry.system_data {
        let before = |name: &str| write.existing?.get("systemData")?.get(name).cloned();
        let now = Value::from(write.now.text());
        body.insert(
            "systemData".to_owned(),
            json!({
                "createdBy": before("createdBy").unwrap_or_else(|| "local".into()),
                "createdByType": "Application",
                "createdAt": before("createdAt").unwrap_or_else(|| now.clone()),
                "lastModifiedBy": "local",
                "lastModifiedByType": "Application",
                "lastModifiedAt": now,
            }),
        );
    }
    body
}

fn strip_read_only(wanted: &mut Body, entry: &ResourceType) {
    wanted.retain(|name, _| !READ_ONLY.contains(&name.as_str()));
    if entry.location == LocationRule::Absent {
        wanted.shift_remove("location");
    }
    if let Some(Value::Object(properties)) = wanted.get_mut("properties") {
        properties.retain(|name, _| name != "provisioningState" && !entry.read_only.contains(&name.as_str()));
    }
}

/// DELETE. What is under the resource and on it goes with it.
pub(super) fn delete(state: &mut State, id: &ResourceId, context: &Context<'_>) -> Result<Answer, Refusal> {
    require_group(state, id)?;
    let key = id.key();
    let Some(resource) = state.get_any(&key).cloned() else {
        return Ok(Answer::empty(204));
    };
    if resource.hidden {
        return Err(operation_in_progress(id));
    }
    let entry = resource_types::of(id);
    if let Some(operation) = deletion(state, &resource) {
        return Ok(operations::started(entry.delete, operation, None, context.around));
    }
    check_departure(state, id, &resource, context)?;
    match begin(id, entry, Change::Delete, entry.delete.follow, context) {
        None => {
            state.remove_tree(&key, context.around.now);
            Ok(match entry.shows_deleted {
                true => Answer::json(entry.delete.status, Value::Object(shown(state, entry, resource.body))),
                false => Answer::empty(entry.delete.status),
            })
        }
        Some(operation) => {
            let mut resource = resource;
            set_provisioning_state(&mut resource.body, Change::Delete.state());
            state.put(resource);
            let answer = operations::started(entry.delete, &operation, None, context.around);
            state.begin(operation);
            Ok(answer)
        }
    }
}

/// Refuses to delete what others need, and a group with something in it that others outside of it need.
fn check_departure(state: &State, id: &ResourceId, resource: &Resource, context: &Context<'_>) -> Result<(), Refusal> {
    let leaving = id.key();
    let check = |id: &ResourceId, body: &Body| {
        let departure = Departure { id, body, state, now: context.around.now, leaving: &leaving };
        (resource_types::of(id).check_delete)(&departure)
    };
    check(id, &resource.body)?;
    if !id.is_container() {
        return Ok(());
    }
    for (key, resource) in state.below(&format!("{leaving}/")) {
        let Some(id) = ResourceId::parse(key) else { continue };
        check(&id, &resource.body).map_err(|refusal| {
            Refusal::conflict(
                "ResourceGroupDeletionBlocked",
                format!(
                    "Deletion of resource group '{}' failed as resources with identifiers '{}' could not be deleted. {}",
                    id.group.as_deref().unwrap_or_default(),
                    resource.text("id"),
                    refusal.message
                ),
            )
        })?;
    }
    Ok(())
}

/// The refusal of a write to what is being created unseen, or deleted.
fn operation_in_progress(id: &ResourceId) -> Refusal {
    Refusal::conflict(
        "AnotherOperationInProgress",
        format!("Another operation on the resource '{}' is in progress.", id.name()),
    )
}

/// The operation that a write starts, if it starts one.
fn begin(
    id: &ResourceId,
    entry: &ResourceType,
    change: Change,
    follow: Follow,
    context: &Context<'_>,
) -> Option<Operation> {
    if follow == Follow::Done {
        return None;
    }
    let fault = context.faults.for_operation(context.method, context.path);
    let now = context.around.now;
    let time = context.operation_time.of(entry.seconds);
    let (ends, failure) = match fault {
        Some(fault) => (fault.ends.then(|| now.after(time)), fault.failure),
        None => (Some(now.after(time)), None),
    };
    Some(Operation {
        id: uuid::Uuid::new_v4().to_string(),
        resource: id.text(),
        change,
        started: now,
        ends,
        failure,
        status: Status::InProgress,
    })
}
