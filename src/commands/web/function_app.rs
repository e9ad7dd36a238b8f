//! Function apps.

use serde_json::json;

use super::app::{self, CONNECTION_STRING};
use super::app_settings::{self, AppSettings};
use super::function_storage;
use super::plan::Plan;
use super::settings::FunctionApp;
use super::solutions::{Connected, Solution};
use crate::azure::types::{FUNCTION_APP, WEB_APP};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::{Retired, notice};
use crate::commands::shared::service::Named;
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::settings::Place;

/// The kind of a new app.
const KIND: &str = "functionapp,linux";

/// The version of the functions runtime.
const RUNTIME_VERSION: &str = "~4";

/// The worker runtime of .NET functions in the process of their host.
const IN_PROCESS: &str = "dotnet";

/// Adds a function app with its private endpoints.
pub(super) fn compile(
    function: &FunctionApp,
    place: &Place,
    plan: &Plan<'_>,
    solution: &Solution<'_>,
    compilation: &mut Compilation<'_>,
) {
    let request = NameRequest {
        kind: ResourceKind::FunctionApp,
        name: &function.name,
        architecture: Architecture::Paas,
        location: Some(&plan.location),
    };
    let name = compilation.name(&WEB_APP, &request, &place.dotted("name"));
    let id = WEB_APP.child_of(&solution.group, &name);
    let stack = app::stack(&function.runtime, &place.dotted("runtime"), compilation);
    let worker = stack.split('|').next().unwrap_or_default().to_lowercase();
    if worker == IN_PROCESS {
        compilation.warning(&place.dotted("runtime"), notice(Retired::InProcessDotnet));
    }
    let mut settings = AppSettings::default();
    settings.set("FUNCTIONS_EXTENSION_VERSION", RUNTIME_VERSION);
    settings.set("FUNCTIONS_WORKER_RUNTIME", &worker);
    settings.origins.push(("properties.FUNCTIONS_WORKER_RUNTIME", "runtime"));
    if let Some(text) = app::connection_string(function.enable_app_insight, place, plan, solution, compilation) {
        settings.set(CONNECTION_STRING, &text);
        settings.origins.push(("properties.APPLICATIONINSIGHTS_CONNECTION_STRING", "enableAppInsight"));
    }
    let storage = function_storage::compile(function, &id, place, plan, solution, &mut settings, compilation);
    let mut body = app::body(plan, stack);
    if storage.needs_identity {
        body["identity"] = json!({ "type": "SystemAssigned" });
    }
    let mut creation_body = app::creation_body(KIND);
    if plan.has_always_on() {
        // Without it nothing wakes an app on such a plan when a timer or a queue does (Functions documentation, "Dedicated hosting plans").
        creation_body["properties"]["siteConfig"]["alwaysOn"] = json!(true);
    }
    let publish = solution.publish(
        "service.publish.function",
        function.service.publish().and_then(|publish| publish.function.as_ref()),
        place,
        solution.settings.service.publish.function.as_ref(),
    );
    compilation.add(Desired {
        creation_body,
        tags: compilation.tags(publish.as_ref()),
        depends_on: vec![plan.id.clone()],
        origins: vec![
            ("location", "../../region"),
            ("properties.serverFarmId", "../../name"),
            ("properties.siteConfig.linuxFxVersion", "runtime"),
            ("identity", storage.origin),
        ],
        ..Desired::new(id.clone(), &FUNCTION_APP, body, place.clone())
    });
    app_settings::add(settings, &id, &id, place, compilation);
    for assignment in storage.role_assignments {
        compilation.add(assignment);
    }
    let connected = Connected {
        endpoints: function.private_endpoints.as_ref(),
        name: &name,
        group_id: "sites",
        id: &id,
        location: &plan.location,
        place,
    };
    solution.add_endpoints(&connected, compilation);
}
