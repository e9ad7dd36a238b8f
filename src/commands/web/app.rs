//! What web apps, slots and function apps have alike.

use serde_json::{Value, json};

use super::plan::Plan;
use super::solutions::Solution;
use crate::azure::types::COMPONENT;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::lookup::Wanted;
use crate::commands::shared::retirements::stack_notice;
use crate::desired::placeholder;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The setting with the connection string.
pub(super) const CONNECTION_STRING: &str = "APPLICATIONINSIGHTS_CONNECTION_STRING";

/// The body of an app with a technology stack, without what only a new one gets.
pub(super) fn body(plan: &Plan<'_>, stack: &str) -> Value {
    json!({
        "location": plan.location,
        "properties": { "serverFarmId": plan.id.as_str(), "siteConfig": { "linuxFxVersion": stack } },
    })
}

/// What a new app gets, and an existing one keeps as it has it.
pub(super) fn creation_body(kind: &str) -> Value {
    json!({
        "kind": kind,
        "properties": { "reserved": true, "httpsOnly": true, "siteConfig": { "minTlsVersion": "1.2" } },
    })
}

/// A stack and its version; a finding where it has not both, a warning where Azure has retired it.
pub(super) fn stack<'a>(text: &'a str, place: &Place, compilation: &mut Compilation<'_>) -> &'a str {
    let stack = text.trim();
    if !stack.split_once('|').is_some_and(|(name, version)| !name.is_empty() && !version.is_empty()) {
        let message = format!("expected a stack and its version, such as NODE|22-lts or PYTHON|3.12, found '{text}'");
        compilation.finding(place.clone(), FindingCode::UnknownValue, message);
    }
    if let Some(notice) = stack_notice(stack) {
        compilation.warning(place, notice);
    }
    stack
}

/// The connection string of the application insights that an app reports to; none where it reports to none.
pub(super) fn connection_string(
    enabled: Option<bool>,
    place: &Place,
    plan: &Plan<'_>,
    solution: &Solution<'_>,
    compilation: &mut Compilation<'_>,
) -> Option<String> {
    const DEPENDENCY: &str = "service.dependencies.appInsights";
    enabled.filter(|enabled| *enabled)?;
    let dependencies = solution.settings.service.dependencies.as_ref();
    let Some(service) = dependencies.and_then(|dependencies| dependencies.app_insights.as_ref()) else {
        let message = format!("application insights is enabled, but {DEPENDENCY} is not set; the app will not report");
        compilation.warning(&place.dotted("enableAppInsight"), message);
        return None;
    };
    let dependency_place = solution.root.dotted(DEPENDENCY);
    let wanted = compilation.find(Wanted::Type(COMPONENT.name)).published_as(service, &dependency_place);
    let found = wanted.near(Some(&plan.location)).whole().one();
    if found.placeholder {
        return Some(placeholder(&format!("connection string of '{service}'")));
    }
    let known = found.details.as_ref().and_then(|details| details.pointer("/properties/ConnectionString"));
    let Some(text) = known.and_then(Value::as_str).filter(|text| !text.is_empty()) else {
        let message = format!("the application insights {} have no connection string", found.id);
        compilation.finding(dependency_place, FindingCode::DependencyNotUsable, message);
        return None;
    };
    Some(text.to_owned())
}
