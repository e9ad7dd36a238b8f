//! Function apps.

use serde_json::{Value, json};

use super::app_settings::{self, AppSettings};
use super::function_storage::{Hosted, Storage};
use super::plan::Plan;
use super::settings::FunctionApp;
use super::solutions::{Connected, Solution};
use super::stacks::Runner;
use super::{app, flex};
use crate::azure::ResourceId;
use crate::azure::types::{FUNCTION_APP, WEB_APP};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::{Retired, notice};
use crate::commands::shared::service::Named;
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The kind of a new app.
const KIND: &str = "functionapp,linux";

/// The setting with the version of the functions runtime, and the version of a new app.
const RUNTIME_VERSION: (&str, &str) = ("FUNCTIONS_EXTENSION_VERSION", "~4");
/// The major version that is supported.
const SUPPORTED_VERSION: &str = "4";
/// The setting with the worker runtime.
const WORKER_RUNTIME: &str = "FUNCTIONS_WORKER_RUNTIME";

/// The worker runtime of .NET functions in the process of their host.
const IN_PROCESS: &str = "dotnet";

/// The tier that an app on a Flex Consumption plan shows.
const FLEX_TIER: &str = "FlexConsumption";

/// Adds a function app with its private endpoints.
pub(super) fn compile(
    function: &FunctionApp,
    place: &Place,
    plan: &Plan,
    solution: &Solution<'_>,
    compilation: &mut Compilation<'_>,
) {
    let request = NameRequest::new(ResourceKind::FunctionApp, &function.name, Architecture::Paas, Some(&plan.location));
    let name = compilation.name(&WEB_APP, &request, &place.dotted("name"));
    let id = WEB_APP.child_of(&solution.group, &name);
    let existing = compilation.before(&FUNCTION_APP, &id);
    check_move(existing, &id, plan, place, compilation);
    let stack = app::stack(&function.runtime, Runner::FunctionApp, &place.dotted("runtime"), compilation);
    let mut settings = runtime_settings(stack, &id, plan, place, compilation);
    let insights = app::insights(function.enable_app_insight, place, plan, solution, compilation);
    insights.set(false, &id, &mut settings, compilation);
    settings.origins.extend(app::insights_origins("enableAppInsight"));
    let storage = Hosted { function, app: &id, place, plan, solution }.compile(&mut settings, compilation);
    let container = storage.host.as_ref().filter(|_| plan.is_flex());
    let container = container.and_then(|host| flex::container(&id, existing, host, place, storage.origin));
    let (body, creation_body) = bodies(stack, &storage, &id, place, plan, compilation);
    let publish = solution.publish(
        "service.publish.function",
        function.service.publish().and_then(|publish| publish.function.as_ref()),
        place,
        solution.settings.service.publish.function.as_ref(),
    );
    compilation.add(Desired {
        creation_body,
        tags: compilation.tags(publish.as_ref()),
        depends_on: std::iter::once(&plan.id).chain(container.iter().map(|container| &container.id)).cloned().collect(),
        origins: vec![
            ("location", "../../region"),
            ("properties.serverFarmId", "../../name"),
            ("properties.siteConfig.linuxFxVersion", "runtime"),
            ("properties.functionAppConfig.runtime", "runtime"),
            ("properties.functionAppConfig.deployment", storage.origin),
            ("identity", storage.origin),
        ],
        ..Desired::new(id.clone(), &FUNCTION_APP, body, place.clone())
    });
    app_settings::add(settings, &id, &id, place, compilation);
    for resource in container.into_iter().chain(storage.role_assignments) {
        compilation.add(resource);
    }
    let endpoints = function.private_endpoints.as_ref();
    solution.add_endpoints(&Connected { endpoints, name: &name, group_id: "sites", id: &id, plan, place }, compilation);
}

/// The body of the app, and what only a new one gets.
fn bodies(
    stack: &str,
    storage: &Storage,
    id: &ResourceId,
    place: &Place,
    plan: &Plan,
    compilation: &mut Compilation<'_>,
) -> (Value, Value) {
    let (mut body, mut creation_body) = (app::body(plan), app::creation_body(KIND));
    if plan.is_flex() {
        body["properties"]["functionAppConfig"]["runtime"] =
            flex::runtime(stack, &place.dotted("runtime"), compilation);
        if let Some(host) = &storage.host {
            creation_body["properties"]["functionAppConfig"] = flex::creation_config(id, host);
        }
    } else {
        body = app::with_stack(body, stack);
    }
    if storage.needs_identity {
        body["identity"] = json!({ "type": "SystemAssigned" });
    }
    if plan.has_always_on() {
        // Without it nothing wakes an app on such a plan when a timer or a queue does (Functions documentation, "Dedicated hosting plans").
        creation_body["properties"]["siteConfig"]["alwaysOn"] = json!(true);
    }
    (body, creation_body)
}

/// The app settings of the runtime. Apps on Flex Consumption plans have them in their configuration, and Azure refuses them here.
fn runtime_settings(
    stack: &str,
    id: &ResourceId,
    plan: &Plan,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> AppSettings {
    let place = place.dotted("runtime");
    let worker = stack.split('|').next().unwrap_or_default().to_lowercase();
    let mut settings = AppSettings::default();
    if plan.is_flex() {
        return settings;
    }
    if worker == IN_PROCESS {
        compilation.warning(&place, notice(Retired::InProcessDotnet));
    }
    let (app_settings, resource_type) = app_settings::of(id);
    let (name, version) = RUNTIME_VERSION;
    match app_settings::value(compilation.before(resource_type, &app_settings), name) {
        None => settings.set(name, version),
        Some(known) if known.trim_start_matches('~').split('.').next() == Some(SUPPORTED_VERSION) => {}
        Some(known) => {
            let message = format!(
                "the function app runs version {known} of the functions runtime, which Azure no longer supports; it is kept; set its app setting {name} to {version}"
            );
            compilation.warning(&place, message);
        }
    }
    settings.set(WORKER_RUNTIME, &worker);
    settings.origins.push(("properties.FUNCTIONS_WORKER_RUNTIME", "runtime"));
    settings
}

/// Finds an app that is to move to a Flex Consumption plan, or away from one (Functions documentation, "Flex Consumption plan").
fn check_move(
    existing: Option<&Value>,
    id: &ResourceId,
    plan: &Plan,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    let text = |path: &str| existing.and_then(|existing| existing.pointer(path)).and_then(Value::as_str);
    // The plan itself tells where it is another one's sku that changes.
    let moves = text("/properties/serverFarmId").is_some_and(|known| !known.eq_ignore_ascii_case(plan.id.as_str()));
    let Some(tier) = text("/properties/sku").filter(|_| moves && plan.sku.is_some()) else { return };
    let (is_flex, other) = (tier.eq_ignore_ascii_case(FLEX_TIER), text("/properties/serverFarmId").unwrap_or_default());
    if is_flex != plan.is_flex() {
        let other = ResourceId::new(other);
        let message = format!(
            "the function app '{}' is on the plan '{}', and Azure moves no app to or from a Flex Consumption plan; use another name for the app, or delete it first",
            id.name(),
            other.name()
        );
        compilation.finding(place.dotted("../../sku"), FindingCode::CannotBeChanged, message);
    }
}
