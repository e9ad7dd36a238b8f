//! App service plans and what is on them.

use serde_json::json;

use super::settings::AppServicePlan;
use super::solutions::Solution;
use super::{Backend, function_app, web_app};
use crate::azure::ResourceId;
use crate::azure::types::APP_SERVICE_PLAN;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::service::Named;
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The kind of every plan.
const KIND: &str = "linux";

/// The plan that an app is on.
pub(super) struct Plan<'a> {
    /// The plan.
    pub(super) id: ResourceId,
    /// Where it and its apps are.
    pub(super) location: String,
    /// Its sku, as it is written.
    pub(super) sku: &'a str,
}

/// Adds a plan and its apps.
pub(super) fn compile(
    plan: &AppServicePlan,
    place: &Place,
    solution: &Solution<'_>,
    backends: &mut Vec<Backend>,
    compilation: &mut Compilation<'_>,
) {
    let location = compilation.location(&plan.region, place.dotted("region"));
    let request = NameRequest {
        kind: ResourceKind::AppServicePlan,
        name: &plan.name,
        architecture: Architecture::Paas,
        location: Some(&location),
    };
    let name = compilation.name(&APP_SERVICE_PLAN, &request, &place.dotted("name"));
    let id = APP_SERVICE_PLAN.child_of(&solution.group, &name);
    if let Some(kind) = plan.kind.as_ref().filter(|kind| !kind.eq_ignore_ascii_case(KIND)) {
        compilation.warning(&place.dotted("kind"), format!("plans are Linux plans; '{kind}' is ignored"));
    }
    if letters(&plan.sku) == "D" {
        compilation.finding(
            place.dotted("sku"),
            FindingCode::CombinationNotInAzure,
            "shared plans cannot run Linux; use B1 or higher",
        );
    }
    let publish = solution.publish(
        "service.publish.appServicePlan",
        plan.service.publish().and_then(|publish| publish.app_service_plan.as_ref()),
        place,
        solution.settings.service.publish.app_service_plan.as_ref(),
    );
    compilation.add(Desired {
        creation_body: json!({ "kind": KIND }),
        tags: compilation.tags(publish.as_ref()),
        origins: vec![("location", "region"), ("sku.name", "sku")],
        ..Desired::new(
            id.clone(),
            &APP_SERVICE_PLAN,
            json!({ "location": location, "sku": { "name": plan.sku }, "properties": { "reserved": true } }),
            place.clone(),
        )
    });
    let on = Plan { id, location, sku: &plan.sku };
    for (index, app) in plan.webapps.iter().flatten().enumerate() {
        web_app::compile(app, &place.dotted("webapps").index(index), &on, solution, backends, compilation);
    }
    for (index, function) in plan.functions.iter().flatten().enumerate() {
        function_app::compile(function, &place.dotted("functions").index(index), &on, solution, compilation);
    }
}

impl Plan<'_> {
    /// How many slots an app on the plan may have; none where that is not known (App Service documentation, "App Service
    /// limits").
    pub(super) fn most_slots(&self) -> Option<usize> {
        match letters(self.sku).as_str() {
            "F" | "D" | "B" => Some(0),
            "S" => Some(5),
            "P" | "I" => Some(20),
            _ => None,
        }
    }

    /// Whether apps on the plan can stay loaded when nobody asks for them.
    pub(super) fn has_always_on(&self) -> bool {
        matches!(letters(self.sku).as_str(), "B" | "S" | "P" | "I")
    }
}

/// The letters that a sku begins with, which tell the tier.
fn letters(sku: &str) -> String {
    sku.trim().chars().take_while(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase()).collect()
}
