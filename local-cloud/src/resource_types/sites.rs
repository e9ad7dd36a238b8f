//! Microsoft.Web/sites: web apps and function apps. What a site is configured with is in `site_config`.

use super::app_service_plans::{self, PLAN, Tier};
use super::collections::DefaultChild;
use super::flex_consumption;
use super::identities::complete_identity;
use super::private_link::show_connections;
use super::web::{self, invalid_value};
use super::{
    ActionEntry, Answer, Call, CommandEntry, Companion, Refusal, ResourceId, State, Write, changed, fill,
    properties_mut, property, random_of, shape, site_config, slots, text,
};
use crate::LOCAL_TENANT_ID;
use crate::locations::run_together;
use crate::lookup::look_up;
use crate::state::{Body, Resource};
use serde_json::{Value, json};
use std::borrow::Cow;

pub(super) const SITE: &str = "Microsoft.Web/sites";
/// What every default host name ends in.
const DOMAIN: &str = ".azurewebsites.net";

/// Whether an app takes the names and passwords of its publishing profile. Source: azure-rest-api-specs 2024-11-01,
/// `ListPublishingCredentialsPolicies`.
pub(super) const PUBLISHING_POLICIES: &[DefaultChild] =
    &[("ftp", || json!({"allow": true})), ("scm", || json!({"allow": true}))];

pub(super) const READ_ONLY: &[&str] = &[
    "state",
    "hostNames",
    "enabledHostNames",
    "repositorySiteName",
    "usageState",
    "availabilityState",
    "lastModifiedTimeUtc",
    "customDomainVerificationId",
    "trafficManagerHostNames",
    "targetSwapSlot",
    "outboundIpAddresses",
    "possibleOutboundIpAddresses",
    "inboundIpAddress",
    "suspendedTill",
    "maxNumberOfWorkers",
    "resourceGroup",
    "isDefaultContainer",
    "defaultHostName",
    "slotSwapStatus",
    "inProgressOperationId",
    "sku",
    "privateEndpointConnections",
];

/// How far a label in a default host name is the same for the same name.
const SCOPES: &[&str] = &["TenantReuse", "SubscriptionReuse", "ResourceGroupReuse", "NoReuse"];

pub(super) fn is_function_app(site: &Body) -> bool {
    text(site, "kind").is_some_and(|kind| kind.to_lowercase().split(',').any(|word| word.trim() == "functionapp"))
}

pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    web::check_name(id, "name", 2..=60)?;
    if id.name().starts_with('-') || id.name().ends_with('-') {
        return Err(invalid_value("name"));
    }
    Ok(())
}

/// The id of the plan a site names; a plan of its own group may be named without its id.
pub(super) fn plan_id(id: &ResourceId, body: &Body) -> Option<ResourceId> {
    let plan = text(body, "properties/serverFarmId").filter(|plan| !plan.trim().is_empty())?;
    if plan.starts_with('/') {
        return ResourceId::parse(plan).filter(|plan| plan.type_name().eq_ignore_ascii_case(PLAN));
    }
    Some(id.container().with(Some("Microsoft.Web"), "serverfarms", plan))
}

/// The plan of a site, where it is there.
pub(super) fn plan_of<'a>(state: &'a State, id: &ResourceId, site: &Body) -> Option<Cow<'a, Body>> {
    look_up(state, &plan_id(id, site)?).ok()
}

/// The plan that a body names exists and is where the body is.
pub(super) fn check_plan<'a>(write: &Write<'a>, body: &Body) -> Result<Cow<'a, Body>, Refusal> {
    if text(body, "properties/serverFarmId").is_none_or(|plan| plan.trim().is_empty()) {
        // Azure makes a plan for some of them.
        return Err(Refusal::bad_request(
            "BadRequest",
            "The parameter serverFarmId has an invalid value. The local cloud makes no plan for a site that names none; make a \
             plan first and give its id.",
        ));
    }
    let id = plan_id(write.id, body).ok_or_else(|| invalid_value("serverFarmId"))?;
    let not_found = |message: String| Refusal::not_found("NotFound", message);
    let plan =
        look_up(write.state, &id).map_err(|_| not_found(format!("Cannot find serverfarm with name {}.", id.name())))?;
    let region = |body: &Body| run_together(text(body, "location").unwrap_or_default());
    if region(&plan) != region(write.body) {
        return Err(not_found(format!(
            "Cannot find serverfarm with name {} in {}: it is in {}.",
            id.name(),
            region(write.body),
            region(&plan)
        )));
    }
    if id.subscription.as_deref().map(str::to_lowercase) != write.id.subscription.as_deref().map(str::to_lowercase) {
        return Err(not_found(format!("Cannot find serverfarm with name {} in this subscription.", id.name())));
    }
    Ok(plan)
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let plan = check_plan(write, write.body)?;
    check_app(write, &plan)?;
    if write.existing.is_some() {
        return Ok(());
    }
    let host = default_host_name(write.id, write.body, write.id.name());
    if is_host_name_taken(write.state, write.id, &host) {
        return Err(Refusal::conflict(
            "Conflict",
            format!("Website with given name {} already exists.", write.id.name()),
        ));
    }
    Ok(())
}

/// What is wanted of sites and slots alike.
pub(super) fn check_app(write: &Write<'_>, plan: &Body) -> Result<(), Refusal> {
    shape::check_properties(write.body, "app")?;
    let scope = "autoGeneratedDomainNameLabelScope";
    if let (Some(existing), Some(wanted)) = (write.existing, property(write.body, scope).and_then(Value::as_str))
        && property(existing, scope).and_then(Value::as_str) != Some(wanted)
    {
        return Err(Refusal::conflict("Conflict", format!("The {scope} of a site cannot be changed.")));
    }
    check_tier(write, plan)?;
    match property(write.body, "siteConfig") {
        None => Ok(()),
        Some(config) => site_config::check_config(config.as_object().unwrap_or(&Body::new()), write.body, plan),
    }
}

/// The plan runs apps of this kind, and an existing app can come to it.
fn check_tier(write: &Write<'_>, plan: &Body) -> Result<(), Refusal> {
    let Some(tier) = app_service_plans::tier_of(plan) else { return Ok(()) };
    let is_function = is_function_app(write.body) || write.existing.is_some_and(is_function_app);
    let is_workflow = text(write.body, "kind").is_some_and(|kind| kind.to_lowercase().contains("workflowapp"));
    let runs = match is_function {
        true => is_workflow || app_service_plans::runs_function_apps(tier),
        false => app_service_plans::runs_web_apps(tier),
    };
    if !runs {
        let what = if is_function { "Function apps" } else { "Web apps" };
        return Err(Refusal::conflict(
            "Conflict",
            format!("{what} are not supported by plans of the tier '{}'.", tier.name),
        ));
    }
    let before = write.existing.and_then(|existing| plan_of(write.state, write.id, existing));
    let is_flex = app_service_plans::is_flex(tier);
    if let Some(before) = before.as_deref().and_then(app_service_plans::tier_of)
        && app_service_plans::is_flex(before) != is_flex
    {
        let message = format!("A site cannot be moved from a plan of the tier '{}' to '{}'.", before.name, tier.name);
        return Err(Refusal::conflict("Conflict", message));
    }
    match is_flex {
        true => {
            flex_consumption::check_alone(write.state, &write.id.key(), plan)?;
            flex_consumption::check(write)
        }
        false if property(write.body, "functionAppConfig").is_some_and(Value::is_object) => Err(Refusal::bad_request(
            "BadRequest",
            "Site.FunctionAppConfig is invalid. The FunctionAppConfig section is for Flex Consumption sites only.",
        )),
        false => Ok(()),
    }
}

/// True when another site or slot, in any subscription and group, has a default host name already.
pub(super) fn is_host_name_taken(state: &State, id: &ResourceId, host: &str) -> bool {
    state.all().any(|(key, other)| {
        key != id.key()
            && [SITE, super::slots::SLOT].contains(&other.text("type"))
            && text(&other.body, "properties/defaultHostName").is_some_and(|other| other.eq_ignore_ascii_case(host))
    })
}

/// `name.azurewebsites.net`, or with a label scope a name that nobody can take over later: `name-hash.region-01...`, where
/// the hash is the same for the same name within the scope.
pub(super) fn default_host_name(id: &ResourceId, body: &Body, name: &str) -> String {
    let name = name.to_lowercase();
    let Some(scope) = text(body, "properties/autoGeneratedDomainNameLabelScope").filter(|scope| !scope.is_empty())
    else {
        return format!("{name}{DOMAIN}");
    };
    let subscription = id.subscription.as_deref().unwrap_or_default();
    let within = match super::known_value(SCOPES, scope) {
        Some("TenantReuse") => LOCAL_TENANT_ID.to_owned(),
        Some("SubscriptionReuse") => subscription.to_owned(),
        Some("ResourceGroupReuse") => id.container().key(),
        _ => uuid::Uuid::new_v4().to_string(),
    };
    let region = run_together(text(body, "location").unwrap_or_default());
    format!("{name}-{}.{region}-01{DOMAIN}", domain_label_hash(&format!("{within}/{name}")))
}

/// The 16 letters and digits in a generated host name; the same for the same text.
pub(super) fn domain_label_hash(text: &str) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = random_of(&text.to_lowercase());
    (0..16).map(|_| char::from(LETTERS[random.usize(..LETTERS.len())])).collect()
}

/// The host name of the site that deployments go to.
pub(super) fn deployment_host_name(host: &str) -> String {
    let (label, rest) = host.split_once('.').unwrap_or((host, ""));
    format!("{label}.scm.{rest}")
}

/// The record of a host name in the zone for private endpoints: without the domain.
pub(super) fn private_record(host: &str) -> &str {
    host.strip_suffix(DOMAIN).unwrap_or(host)
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let plan = plan_of(write.state, write.id, body);
    complete_app(write, body, plan.as_deref(), write.id.name());
}

/// Fills in what sites and slots have alike. `name` is the one in the host name.
pub(super) fn complete_app(write: &Write<'_>, body: &mut Body, plan: Option<&Body>, name: &str) {
    complete_identity(write, body);
    let linux = plan.is_some_and(app_service_plans::is_linux);
    let kind_before = write.existing.and_then(|existing| text(existing, "kind"));
    fill(body, "kind", kind_before.unwrap_or(if linux { "app,linux" } else { "app" }));
    let function_app = is_function_app(body);
    let host = complete_host_name(write, body, name);
    let plan_id = plan.and_then(|plan| text(plan, "id")).map(str::to_owned);
    let Some(properties) = properties_mut(body) else { return };
    properties.shift_remove("siteConfig");
    if let Some(plan_id) = plan_id {
        properties.insert("serverFarmId".to_owned(), plan_id.into());
    }
    properties.insert("reserved".to_owned(), linux.into());
    fill(properties, "clientAffinityEnabled", !function_app);
    let stopped = properties.get("enabled") == Some(&json!(false));
    for (member, value) in [
        ("state", json!(if stopped { "Stopped" } else { "Running" })),
        ("repositorySiteName", json!(write.id.top().name())),
        ("usageState", json!("Normal")),
        ("availabilityState", json!("Normal")),
        ("lastModifiedTimeUtc", json!(write.now.text())),
        ("containerSize", json!(if function_app { 1536 } else { 0 })),
        ("customDomainVerificationId", json!(verification_id(write.id))),
        ("resourceGroup", json!(write.id.group.clone().unwrap_or_default())),
    ] {
        properties.insert(member.to_owned(), value);
    }
    insert_host_names(properties, &host);
    insert_addresses(properties, write.id);
}

/// The host name of an app: the one it has, or a new one. The scope of the label in it stays as well.
fn complete_host_name(write: &Write<'_>, body: &mut Body, name: &str) -> String {
    let before = |name: &str| write.existing.and_then(|existing| property(existing, name)).cloned();
    let scope = before("autoGeneratedDomainNameLabelScope");
    if let (Some(scope), Some(properties)) = (scope, properties_mut(body)) {
        fill(properties, "autoGeneratedDomainNameLabelScope", scope);
    }
    let host = before("defaultHostName").and_then(|host| host.as_str().map(str::to_owned));
    host.unwrap_or_else(|| default_host_name(write.id, body, name))
}

/// The host names under which an app and its deployments answer.
fn insert_host_names(properties: &mut Body, host: &str) {
    let deployment_host = deployment_host_name(host);
    let ssl_state = |name: &str, host_type: &str| json!({"name": name, "sslState": "Disabled", "hostType": host_type, "thumbprint": null, "virtualIP": null});
    for (member, value) in [
        ("hostNames", json!([host])),
        ("enabledHostNames", json!([host, deployment_host])),
        ("hostNameSslStates", json!([ssl_state(host, "Standard"), ssl_state(&deployment_host, "Repository")])),
        ("defaultHostName", json!(host)),
    ] {
        properties.insert(member.to_owned(), value);
    }
}

/// The addresses of an app, the same for all apps of a resource group.
fn insert_addresses(properties: &mut Body, id: &ResourceId) {
    let mut random = random_of(&id.container().key());
    // The range of addresses for benchmarks (RFC 2544): none of them is anybody's.
    let mut address = || format!("198.18.{}.{}", random.u8(..), random.u8(1..255));
    let (inbound, outbound) = (address(), [address(), address(), address()].join(","));
    for (member, value) in [
        ("inboundIpAddress", json!(inbound)),
        ("outboundIpAddresses", json!(outbound)),
        ("possibleOutboundIpAddresses", json!(outbound)),
    ] {
        properties.insert(member.to_owned(), value);
    }
}

/// What proves that a domain belongs to a subscription: the same for all its sites.
fn verification_id(id: &ResourceId) -> String {
    let mut random = random_of(&id.subscription.as_deref().unwrap_or_default().to_lowercase());
    (0..64).map(|_| format!("{:X}", random.u8(..16))).collect()
}

/// A site shows its connections, the tier of its plan, and little of its configuration.
pub(super) fn show(state: &State, body: &mut Body) {
    show_connections(state, body);
    show_app(state, body);
}

/// The host names that were bound to an app.
pub(super) fn bindings<'a>(state: &'a State, app: &ResourceId) -> Vec<&'a Resource> {
    state.below(&format!("{}/hostnamebindings/", app.key())).map(|(_, binding)| binding).collect()
}

/// What follows from other resources for sites and slots alike.
pub(super) fn show_app(state: &State, body: &mut Body) {
    let Some(id) = text(body, "id").and_then(ResourceId::parse) else { return };
    let tier =
        plan_of(state, &id, body).and_then(|plan| app_service_plans::tier_of(&plan)).map(|tier: &Tier| tier.name);
    let config = site_config::summary(state, &id);
    let bound: Vec<Value> = bindings(state, &id).iter().map(|binding| binding.text("name").into()).collect();
    if let Some(properties) = properties_mut(body) {
        properties.insert("sku".to_owned(), tier.into());
        properties.insert("siteConfig".to_owned(), config);
        for list in ["hostNames", "enabledHostNames"] {
            if let Some(Value::Array(names)) = properties.get_mut(list) {
                let new = bound.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>();
                names.extend(new);
            }
        }
    }
}

/// `POST {app}/restart`: nothing runs here that would begin anew.
fn restart(_: &Call<'_>) -> Result<Answer, Refusal> {
    Ok(Answer::empty(200))
}

fn in_state(call: &Call<'_>, state: &str) -> Vec<Companion> {
    changed(call, |properties| drop(properties.insert("state".to_owned(), state.into())))
}

/// What changes an app.
pub(super) const COMMANDS: &[CommandEntry] = &[
    ("start", |call| Ok(in_state(call, "Running"))),
    ("stop", |call| Ok(in_state(call, "Stopped"))),
    ("slotsswap", |call| slots::exchange(call, true)),
    ("applySlotConfig", |call| slots::exchange(call, false)),
];
/// What is done to an app and leaves it as it is.
pub(super) const ACTIONS: &[ActionEntry] = &[("restart", restart)];

/// `POST /subscriptions/{id}/providers/Microsoft.Web/checknameavailability`.
pub(super) fn check_name_availability(call: &Call<'_>) -> Result<Answer, Refusal> {
    let member = |name: &str| call.body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = member("name").ok_or_else(|| invalid_value("name"))?;
    let kind = member("type").ok_or_else(|| invalid_value("type"))?;
    if !["Site", "Slot", SITE, super::slots::SLOT].iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        return Err(invalid_value("type"));
    }
    let answer = |reason: &str, message: String| json!({"nameAvailable": false, "reason": reason, "message": message});
    let host = format!("{}{DOMAIN}", name.to_lowercase());
    let body = if check_name(&call.id.with(Some("Microsoft.Web"), "sites", name)).is_err() {
        answer(
            "Invalid",
            format!("The name '{name}' is invalid: 2 to 60 letters, digits and inner hyphens are required."),
        )
    } else if is_host_name_taken(call.state, call.id, &host) {
        answer("AlreadyExists", format!("Hostname '{name}' already exists. Please select a different name."))
    } else {
        json!({"nameAvailable": true, "reason": "", "message": ""})
    };
    Ok(Answer::json(200, body))
}
