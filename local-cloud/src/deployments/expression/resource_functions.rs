//! Functions of resources and of the deployment. Source: learn.microsoft.com, "Resource functions", "Scope functions" and "Deployment
//! functions for ARM templates".

use super::values::text;
use super::{Evaluator, Halt, Node, Where};
use crate::deployments::presentation;
use crate::deployments::record::{self, Kind, Step};
use crate::directory;
use crate::lookup;
use crate::path::{GROUP_TYPE, ResourceId};
use crate::query::check_api_version;
use crate::reply::Refusal;
use crate::resource_types::{self, Call};
use crate::{LOCAL_SUBSCRIPTION_ID, LOCAL_TENANT_ID};
use serde_json::{Value, json};

pub(super) fn call(evaluator: &Evaluator<'_>, name: &str, arguments: &[Node]) -> Result<Value, Halt> {
    let lower = name.to_lowercase();
    let scope = evaluator.facts.scope;
    let wrong_number =
        || Halt::Wrong(format!("The template function '{name}' does not take {} arguments.", arguments.len()));
    match (lower.as_str(), arguments) {
        ("resourceid", [_, _, ..]) => resource_id(scope, &evaluator.values(arguments)?, true),
        ("subscriptionresourceid", [_, _, ..]) => {
            resource_id(&scope.with_group(None), &evaluator.values(arguments)?, false)
        }
        ("tenantresourceid", [_, _, ..]) => id_below("", &evaluator.values(arguments)?),
        ("extensionresourceid", [_, _, _, ..]) => {
            let values = evaluator.values(arguments)?;
            id_below(text(&values[0])?, &values[1..])
        }
        ("reference", [_] | [_, _] | [_, _, _]) => reference(evaluator, &evaluator.values(arguments)?),
        ("references", [_] | [_, _]) => references(evaluator, &evaluator.values(arguments)?),
        ("resourcegroup", []) => resource_group(evaluator),
        ("subscription", []) => Ok(json!({
            "id": scope.with_group(None).text(),
            "subscriptionId": scope.subscription,
            "tenantId": LOCAL_TENANT_ID,
            "displayName": "Local cloud",
        })),
        ("tenant", []) => Ok(json!({
            "countryCode": "GB",
            "displayName": "Local cloud",
            "id": format!("/tenants/{LOCAL_TENANT_ID}"),
            "tenantId": LOCAL_TENANT_ID,
        })),
        ("deployer", []) => Ok(json!({
            "objectId": LOCAL_SUBSCRIPTION_ID, "tenantId": LOCAL_TENANT_ID, "userPrincipalName": "",
        })),
        ("deployment", []) => Ok(evaluator.facts.deployment.clone()),
        ("environment", []) => Ok(directory::environment(evaluator.facts.base)),
        (
            "resourceid"
            | "subscriptionresourceid"
            | "tenantresourceid"
            | "extensionresourceid"
            | "reference"
            | "references"
            | "resourcegroup"
            | "subscription"
            | "tenant"
            | "deployer"
            | "deployment"
            | "environment",
            _,
        ) => Err(wrong_number()),
        (list, [_, _] | [_, _, _]) if list.starts_with("list") => {
            list_action(evaluator, name, &evaluator.values(arguments)?)
        }
        _ => Err(Halt::Wrong(format!(
            "The template function '{name}' is not valid: the local cloud knows none of this name."
        ))),
    }
}

/// `resourceId([subscription], [group], type, names...)`. The type is the first argument with a slash.
fn resource_id(scope: &ResourceId, values: &[Value], in_group: bool) -> Result<Value, Halt> {
    let is_type = |value: &Value| value.as_str().is_some_and(|text| text.contains('/'));
    let most = if in_group { 3 } else { 2 };
    let at = values.iter().take(most).position(is_type).ok_or_else(|| {
        Halt::Wrong("Unable to evaluate the template language function 'resourceId': no argument is a resource type like 'Microsoft.Storage/storageAccounts'.".to_owned())
    })?;
    let mut scope = scope.container();
    let given = values[..at].iter().map(|value| text(value).map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
    match given.as_slice() {
        [] => {}
        [group] if in_group => scope.group = Some(group.clone()),
        [subscription] => scope.subscription = Some(subscription.clone()),
        [subscription, group, ..] => {
            scope = ResourceId::of_subscription(subscription).with_group(Some(group));
        }
    }
    let rest = &values[at..];
    if text(&rest[0])?.eq_ignore_ascii_case(GROUP_TYPE)
        && let [_, group] = rest
    {
        scope.group = Some(text(group)?.to_owned());
        return Ok(scope.text().into());
    }
    id_below(&scope.text(), rest)
}

/// The id of a resource on a scope: a type, and a name for each of its levels.
fn id_below(scope: &str, values: &[Value]) -> Result<Value, Halt> {
    let (kind, names) = (text(&values[0])?, values[1..].iter().map(text).collect::<Result<Vec<_>, _>>()?);
    let mut levels = kind.split('/');
    let namespace = levels.next().unwrap_or_default();
    let levels: Vec<&str> = levels.collect();
    // A name may have those of its parents before it.
    let names: Vec<&str> = names.iter().flat_map(|name| name.split('/')).collect();
    if levels.len() != names.len() {
        return Err(Halt::Wrong(format!(
            "Unable to evaluate template language function 'resourceId': the type '{kind}' requires '{}' resource name argument(s).",
            levels.len()
        )));
    }
    let path: String = levels.iter().zip(&names).map(|(level, name)| format!("/{level}/{name}")).collect();
    Ok(format!("{}/providers/{namespace}{path}", scope.trim_end_matches('/')).into())
}

/// What may be read when something is deployed only.
fn check_running(evaluator: &Evaluator<'_>, name: &str) -> Result<(), Halt> {
    match (evaluator.place, evaluator.facts.running) {
        (Where::Body | Where::Output, true) => Ok(()),
        (Where::Body | Where::Output, false) => Err(Halt::Unknown),
        _ => Err(Halt::Wrong(format!(
            "The template function '{name}' is not expected at this location: its value is known only when the resource is deployed."
        ))),
    }
}

fn resource_group(evaluator: &Evaluator<'_>) -> Result<Value, Halt> {
    let scope = evaluator.facts.scope;
    if scope.group.is_none() {
        return Err(Halt::Wrong(
            "The template function 'resourceGroup' is not expected at this location: the deployment is not one of a resource group."
                .to_owned(),
        ));
    }
    let body = lookup::look_up(evaluator.facts.state, &scope.container()).map_err(Halt::Refused)?;
    let mut group = json!({"id": scope.container().text(), "name": scope.group, "type": GROUP_TYPE});
    for name in ["location", "tags", "managedBy", "properties"] {
        if let (Some(value), Some(members)) = (body.get(name), group.as_object_mut()) {
            members.insert(name.to_owned(), value.clone());
        }
    }
    Ok(group)
}

/// The resource that an argument of `reference` or of a list function names.
pub(in crate::deployments) fn target<'s>(steps: &'s [Step], wanted: &str) -> Option<&'s Step> {
    let same = |text: &str| text.eq_ignore_ascii_case(wanted);
    let by_symbol = steps.iter().find(|step| step.symbol.as_deref().is_some_and(same));
    let by_id = || steps.iter().find(|step| same(&step.id));
    let by_name = || steps.iter().find(|step| same(&step.name));
    let by_type_and_name = || steps.iter().find(|step| same(&step.short_id()));
    by_symbol.or_else(by_id).or_else(by_name).or_else(by_type_and_name)
}

/// The id that is meant, and the api-version and step where the template has it.
fn referenced<'e>(evaluator: &'e Evaluator<'_>, wanted: &str) -> Result<(ResourceId, Option<&'e Step>), Halt> {
    let step = target(evaluator.facts.steps, wanted);
    let id = step.map_or_else(|| ResourceId::parse(wanted), |step| ResourceId::parse(&step.id));
    match id {
        Some(id) => Ok((id, step)),
        None => Err(Halt::Wrong(format!(
            "The template reference '{wanted}' is not valid: could not find template resource or resource copy with this name."
        ))),
    }
}

/// Remembers that a resource of the template has to be there.
fn touch(evaluator: &Evaluator<'_>, step: Option<&Step>) {
    if let Some(step) = step.filter(|step| step.kind != Kind::LeftOut) {
        evaluator.facts.touched.borrow_mut().push(step.id.clone());
    }
}

/// `reference(nameOrId, [apiVersion], ['Full'])`
fn reference(evaluator: &Evaluator<'_>, values: &[Value]) -> Result<Value, Halt> {
    let wanted = text(&values[0])?;
    let (id, step) = referenced(evaluator, wanted)?;
    // Azure waits for what is named without an api-version, and for what is not named by its id.
    touch(evaluator, step.filter(|_| values.len() == 1 || !wanted.starts_with('/')));
    check_running(evaluator, "reference")?;
    let version = match values.get(1).filter(|version| !version.is_null()) {
        Some(version) => Some(text(version)?),
        None => step.map(|step| step.api_version.as_str()),
    };
    let Some(version) = version else {
        return Err(Halt::Wrong(format!(
            "The resource '{wanted}' is not defined in the template, so 'reference' needs an API version."
        )));
    };
    let full = match values.get(2).map(text).transpose()? {
        None => false,
        Some(word) if word.eq_ignore_ascii_case("full") => true,
        Some(word) if word.eq_ignore_ascii_case("properties") => false,
        Some(word) => return Err(Halt::Wrong(format!("'{word}' is not one of 'Full' and 'Properties'."))),
    };
    read(evaluator, &id, version, full, step)
}

/// The resources of a loop: `references(symbol, ['Full'])`.
fn references(evaluator: &Evaluator<'_>, values: &[Value]) -> Result<Value, Halt> {
    let wanted = text(&values[0])?;
    let full = values.get(1).map(text).transpose()?.is_some_and(|word| word.eq_ignore_ascii_case("full"));
    let is_in_loop = |step: &&Step| step.collection.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    let steps: Vec<&Step> = evaluator.facts.steps.iter().filter(is_in_loop).collect();
    if steps.is_empty() {
        return Err(Halt::Wrong(format!("The template has no loop of resources with the name '{wanted}'.")));
    }
    steps.iter().for_each(|step| touch(evaluator, Some(step)));
    check_running(evaluator, "references")?;
    let read_one = |step: &&Step| {
        let id = ResourceId::parse(&step.id).unwrap_or_default();
        read(evaluator, &id, &step.api_version, full, Some(step))
    };
    steps.iter().map(read_one).collect()
}

fn read(
    evaluator: &Evaluator<'_>,
    id: &ResourceId,
    version: &str,
    full: bool,
    step: Option<&Step>,
) -> Result<Value, Halt> {
    let state = evaluator.facts.state;
    if step.is_some_and(|step| step.kind == Kind::LeftOut) {
        return Err(Halt::Refused(Refusal::not_found(
            "ResourceNotFound",
            format!("The resource '{}' has a condition that is false, so it cannot be referred to.", id.text()),
        )));
    }
    let type_name = id.type_name();
    check_api_version(version, &type_name, resource_types::find(&type_name)).map_err(Halt::Refused)?;
    let body = match state.deployment(&id.key()) {
        Some(deployment) => presentation::shown(deployment),
        None if type_name.eq_ignore_ascii_case(record::TYPE) => return Err(Halt::Refused(presentation::not_found(id))),
        None if (resource_types::of(id).readable)(id) => {
            lookup::view(state, id).map(Value::Object).map_err(Halt::Refused)?
        }
        None => return Err(Halt::Wrong(format!("The resource '{}' cannot be read.", id.text()))),
    };
    let Value::Object(mut body) = body else { return Ok(body) };
    if !full {
        return Ok(body.shift_remove("properties").unwrap_or_else(|| json!({})));
    }
    for name in ["id", "name", "type", "etag", "systemData"] {
        body.shift_remove(name);
    }
    let scope = id.container();
    let relative = id.text().strip_prefix(&scope.text()).map(|rest| rest.trim_start_matches("/providers/").to_owned());
    let more = json!({
        "apiVersion": version,
        "subscriptionId": id.subscription,
        "resourceGroupName": id.group,
        "scope": scope.text(),
        "resourceId": relative,
        "referenceApiVersion": version,
        "condition": true,
        "isConditionTrue": true,
        "isTemplateResource": step.is_some(),
        "isAction": false,
        "provisioningOperation": "Read",
    });
    if let Value::Object(more) = more {
        body.extend(more);
    }
    Ok(Value::Object(body))
}

/// `list*(nameOrId, apiVersion, [functionValues])`: an action that gives what a GET does not show.
fn list_action(evaluator: &Evaluator<'_>, name: &str, values: &[Value]) -> Result<Value, Halt> {
    let wanted = text(&values[0])?;
    let (id, step) = referenced(evaluator, wanted)?;
    touch(evaluator, step.filter(|_| !wanted.starts_with('/')));
    check_running(evaluator, name)?;
    let version = text(&values[1])?;
    let type_name = id.type_name();
    check_api_version(version, &type_name, resource_types::find(&type_name)).map_err(Halt::Refused)?;
    if step.is_some_and(|step| step.kind == Kind::LeftOut) {
        return Err(Halt::Wrong(format!(
            "The resource '{}' has a condition that is false, so it cannot be referred to.",
            id.text()
        )));
    }
    if !type_name.eq_ignore_ascii_case(record::TYPE) {
        lookup::look_up(evaluator.facts.state, &id).map_err(Halt::Refused)?;
    }
    let action = resource_types::action(&id, name).ok_or_else(|| {
        Halt::Wrong(format!("The template function '{name}' is not valid: resources of the type '{type_name}' have no such action in the local cloud."))
    })?;
    let body = values.get(2).cloned().unwrap_or_default();
    let answer = action(&Call { id: &id, body: &body, state: evaluator.facts.state }).map_err(Halt::Refused)?;
    Ok(answer.body.unwrap_or_default())
}
