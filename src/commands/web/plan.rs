//! App service plans and what is on them.

use serde_json::json;

use super::settings::AppServicePlan;
use super::solutions::Solution;
use super::{Backend, function_app, web_app};
use crate::azure::ResourceId;
use crate::azure::types::{APP_SERVICE_PLAN, PlanSku, Runs};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::service::Named;
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The kind of a new plan.
const KIND: &str = "linux";
/// The same of a Flex Consumption plan.
const FLEX_KIND: &str = "functionapp";
/// The tier of Flex Consumption plans, which Azure does not tell from the sku's name alone.
const FLEX_TIER: &str = "FlexConsumption";

/// The plans without machines of their own, which run Windows only.
const SHARED: &[&str] = &["D1", "Shared"];
/// The most slots of an app on any plan.
const MOST_SLOTS: usize = 20;

/// The plan that an app is on.
pub(super) struct Plan {
    pub(super) id: ResourceId,
    /// The location of it and its apps.
    pub(super) location: String,
    /// Its sku; none where there is no such sku.
    pub(super) sku: Option<PlanSku>,
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
    let request = NameRequest::new(ResourceKind::AppServicePlan, &plan.name, Architecture::Paas, Some(&location));
    let name = compilation.name(&APP_SERVICE_PLAN, &request, &place.dotted("name"));
    let id = APP_SERVICE_PLAN.child_of(&solution.group, &name);
    if let Some(kind) = plan.kind.as_ref().filter(|kind| !kind.eq_ignore_ascii_case(KIND)) {
        compilation.warning(&place.dotted("kind"), format!("plans are Linux plans; '{kind}' is ignored"));
    }
    let sku = sku(&plan.sku, &id, place, compilation);
    let publish = solution.publish(
        "service.publish.appServicePlan",
        plan.service.publish().and_then(|publish| publish.app_service_plan.as_ref()),
        place,
        solution.settings.service.publish.app_service_plan.as_ref(),
    );
    let is_flex = sku.is_some_and(PlanSku::is_flex);
    let mut body = json!({ "location": location, "sku": { "name": sku.map_or(plan.sku.as_str(), |sku| sku.name) } });
    if is_flex {
        body["sku"]["tier"] = json!(FLEX_TIER);
    }
    compilation.add(Desired {
        creation_body: json!({ "kind": if is_flex { FLEX_KIND } else { KIND }, "properties": { "reserved": true } }),
        tags: compilation.tags(publish.as_ref()),
        elsewhere: compilation.ids_elsewhere(&APP_SERVICE_PLAN, &request, &solution.group),
        origins: vec![("location", "region"), ("sku", "sku")],
        ..Desired::new(id.clone(), &APP_SERVICE_PLAN, body, place.clone())
    });
    let on = Plan { id, location, sku };
    on.check_apps(plan, place, compilation);
    for (index, app) in plan.webapps.iter().flatten().enumerate() {
        web_app::compile(app, &place.dotted("webapps").index(index), &on, solution, backends, compilation);
    }
    for (index, function) in plan.functions.iter().flatten().enumerate() {
        function_app::compile(function, &place.dotted("functions").index(index), &on, solution, compilation);
    }
}

/// The sku of a plan; a finding where there is none of the name, or it cannot be had.
fn sku(text: &str, id: &ResourceId, place: &Place, compilation: &mut Compilation<'_>) -> Option<PlanSku> {
    let place = place.dotted("sku");
    if SHARED.iter().any(|shared| text.trim().eq_ignore_ascii_case(shared)) {
        let message = "shared plans cannot run Linux; use B1 or higher";
        compilation.finding(place, FindingCode::CombinationNotInAzure, message);
        return None;
    }
    let Some(sku) = PlanSku::find(text) else {
        compilation.finding(place, FindingCode::UnknownValue, PlanSku::not_valid(text));
        return None;
    };
    if sku.needs_environment() {
        // One that is there is in its environment already.
        let is_new = compilation.before(&APP_SERVICE_PLAN, id).is_none();
        if is_new && compilation.is_connected() {
            let message = format!(
                "a new plan of the sku {} needs an App Service Environment, which the settings cannot name; use P0v3 or higher",
                sku.name
            );
            compilation.finding(place, FindingCode::CombinationNotInAzure, message);
        }
    }
    Some(sku)
}

impl Plan {
    /// Finds apps that a plan of the sku does not run, and more of them than it takes.
    fn check_apps(&self, plan: &AppServicePlan, place: &Place, compilation: &mut Compilation<'_>) {
        let Some(sku) = self.sku else { return };
        let functions = plan.functions.as_ref().map_or(0, Vec::len);
        let has_webapps = plan.webapps.as_ref().is_some_and(|apps| !apps.is_empty());
        let what = match sku.tier.runs {
            Runs::Everything => None,
            Runs::WebApps => (functions > 0).then_some(("functions", "only web apps; use B1 or higher, EP1 or FC1")),
            Runs::Functions => has_webapps.then_some(("webapps", "only function apps; use B1 or higher")),
            Runs::Workflows if has_webapps => Some(("webapps", "only logic apps; use B1 or higher")),
            Runs::Workflows => {
                (functions > 0).then_some(("functions", "only logic apps; use B1 or higher, EP1 or FC1"))
            }
        };
        if let Some((list, what)) = what {
            let message = format!("a plan of the sku {} runs {what}", sku.name);
            compilation.finding(place.dotted(list), FindingCode::CombinationNotInAzure, message);
        } else if sku.is_flex() && functions > 1 {
            let message = format!(
                "a plan of the sku {} takes only one function app, found {functions}; use a plan for each",
                sku.name
            );
            compilation.finding(place.dotted("functions"), FindingCode::CombinationNotInAzure, message);
        }
    }

    /// Finds private endpoints of apps on a plan of a sku that has none.
    pub(super) fn check_endpoints<E>(
        &self,
        endpoints: Option<&Vec<E>>,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        let has_any = endpoints.is_some_and(|endpoints| !endpoints.is_empty());
        if let Some(sku) = self.sku.filter(|sku| has_any && !sku.tier.private_endpoints) {
            let instead = if sku.tier.runs == Runs::Functions { "EP1 or FC1" } else { "B1 or higher" };
            let message =
                format!("apps on a plan of the sku {} cannot have private endpoints; use {instead}", sku.name);
            compilation.finding(place.dotted("privateEndpoints"), FindingCode::CombinationNotInAzure, message);
        }
    }

    /// Finds more slots than an app on the plan may have.
    pub(super) fn check_slots(&self, count: usize, place: &Place, compilation: &mut Compilation<'_>) {
        let Some(sku) = self.sku.filter(|sku| count > sku.tier.slots) else { return };
        let (most, instead) = match sku.tier.slots {
            0 => ("no slots".to_owned(), "; use S1 or higher"),
            most if most < MOST_SLOTS => (format!("at most {most} slots"), "; use P0v3 or higher"),
            most => (format!("at most {most} slots"), ""),
        };
        let message = format!("an app on a plan of the sku {} can have {most}, found {count}{instead}", sku.name);
        compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
    }

    /// Whether apps on the plan can stay loaded when nobody asks for them.
    pub(super) fn has_always_on(&self) -> bool {
        self.sku.is_some_and(|sku| sku.tier.always_on)
    }

    /// Whether it is a Flex Consumption plan.
    pub(super) fn is_flex(&self) -> bool {
        self.sku.is_some_and(PlanSku::is_flex)
    }
}
