//! The parts that web apps, slots and function apps have alike.

use serde_json::{Value, json};

use super::app_settings::{self, AppSettings};
use super::plan::Plan;
use super::solutions::Solution;
use super::stacks::{self, Judgement, Runner};
use crate::azure::ResourceId;
use crate::azure::types::COMPONENT;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::found::Found;
use crate::commands::shared::wanted::Wanted;
use crate::desired::{Reference, Source, placeholder};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The setting that names the application insights of a document.
const DEPENDENCY: &str = "service.dependencies.appInsights";

/// The setting with the connection string.
pub(super) const CONNECTION_STRING: &str = "APPLICATIONINSIGHTS_CONNECTION_STRING";
const CONNECTION_STRING_PATH: &str = "properties.APPLICATIONINSIGHTS_CONNECTION_STRING";
/// The setting that turns on the agent of web apps, and its value for Linux; the document says that an app reports, not with which version (Azure Monitor documentation, "Application monitoring
/// for App Service").
const AGENT: (&str, &str) = ("ApplicationInsightsAgent_EXTENSION_VERSION", "~3");
const AGENT_PATH: &str = "properties.ApplicationInsightsAgent_EXTENSION_VERSION";

/// The place of an app: the part of its body that every app and slot has.
pub(super) fn body(plan: &Plan) -> Value {
    json!({ "location": plan.location, "properties": { "serverFarmId": plan.id.as_str() } })
}

/// The part of a body with a technology stack.
pub(super) fn with_stack(mut body: Value, stack: &str) -> Value {
    body["properties"]["siteConfig"]["linuxFxVersion"] = json!(stack);
    body
}

/// The body that a new app gets, and that an existing one keeps as it has it.
pub(super) fn creation_body(kind: &str) -> Value {
    json!({
        "kind": kind,
        "properties": { "reserved": true, "httpsOnly": true, "siteConfig": { "minTlsVersion": "1.2" } },
    })
}

/// A stack and its version; a finding where Azure has none of the name, a warning where the version is not known or retired.
pub(super) fn stack<'a>(text: &'a str, runner: Runner, place: &Place, compilation: &mut Compilation<'_>) -> &'a str {
    let stack = text.trim();
    match stacks::judge(stack, runner) {
        Judgement::Known => {}
        Judgement::Doubtful(message) => compilation.warning(place, message),
        Judgement::Refused(message) => compilation.finding(place.clone(), FindingCode::UnknownValue, message),
    }
    stack
}

/// The relation of an app to the application insights of the document.
pub(super) enum Insights {
    /// The document does not say, or cannot be followed.
    Unsaid,
    /// It reports with this connection string, which these application insights have.
    On(String, Option<ResourceId>),
    /// It reports with the connection string of those that another document of the run makes.
    New(ResourceId),
    /// It no longer reports to those with this connection string; none where that is not known.
    Off(Option<String>),
}

impl Insights {
    /// Sets the app settings of an app or slot, or removes those that lead to the application insights of the document.
    pub(super) fn set(
        &self,
        agent: bool,
        app: &ResourceId,
        settings: &mut AppSettings,
        compilation: &mut Compilation<'_>,
    ) {
        match self {
            Insights::Unsaid => {}
            Insights::On(connection_string, component) => {
                settings.set(CONNECTION_STRING, connection_string);
                settings.read_from.extend(component.as_ref().map(connection_string_reference));
                if agent {
                    settings.set_where_missing(AGENT.0, AGENT.1, AGENT_PATH);
                }
            }
            Insights::New(component) => {
                settings.references.push(connection_string_reference(component));
                if agent {
                    settings.set_where_missing(AGENT.0, AGENT.1, AGENT_PATH);
                }
            }
            Insights::Off(connection_string) => {
                let (id, resource_type) = app_settings::of(app);
                let before = compilation.before(resource_type, &id);
                let value = |name: &str| app_settings::value(before, name);
                if connection_string.is_none() || value(CONNECTION_STRING) != connection_string.as_deref() {
                    return;
                }
                settings.remove(CONNECTION_STRING);
                if agent && value(AGENT.0).is_some() {
                    settings.remove(AGENT.0);
                }
            }
        }
    }
}

/// The origins of the connection string: the setting that it is sent at all, and before that the one that names what has it.
pub(super) fn insights_origins(enabled: &'static str) -> Vec<(&'static str, &'static str)> {
    vec![(CONNECTION_STRING_PATH, "/service.dependencies.appInsights"), (CONNECTION_STRING_PATH, enabled)]
}

/// The connection string that application insights have.
fn connection_string_reference(component: &ResourceId) -> Reference {
    Reference {
        path: CONNECTION_STRING_PATH,
        of: component.clone(),
        resource_type: &COMPONENT,
        source: Source::Property("properties.ConnectionString"),
        text: "{}".to_owned(),
    }
}

/// The relation of an app to the application insights of the document.
pub(super) fn insights(
    enabled: Option<bool>,
    place: &Place,
    plan: &Plan,
    solution: &Solution<'_>,
    compilation: &mut Compilation<'_>,
) -> Insights {
    let dependencies = solution.settings.service.dependencies.as_ref();
    let service = dependencies.and_then(|dependencies| dependencies.app_insights.as_ref());
    match (enabled, service) {
        (Some(true), _) => reporting(service, place, plan, solution, compilation).unwrap_or(Insights::Unsaid),
        (Some(false), Some(service)) => {
            // Where they are gone nothing can be told from their connection string, and nothing is wrong.
            let place = solution.root.dotted(DEPENDENCY);
            let wanted = compilation.find(Wanted::Type(COMPONENT.name)).published_as(service, &place);
            let known = wanted.near(Some(&plan.location)).whole().one_known();
            Insights::Off(known.as_ref().and_then(connection_string_of).map(str::to_owned))
        }
        (Some(false) | None, _) => Insights::Unsaid,
    }
}

/// The connection string of application insights.
fn connection_string_of(insights: &Found) -> Option<&str> {
    let text = insights.details.as_ref()?.pointer("/properties/ConnectionString")?.as_str();
    text.filter(|text| !text.is_empty())
}

/// The application insights that an app is to report to; none, with a finding or a warning, where there are none.
fn reporting(
    service: Option<&String>,
    place: &Place,
    plan: &Plan,
    solution: &Solution<'_>,
    compilation: &mut Compilation<'_>,
) -> Option<Insights> {
    let Some(service) = service else {
        let message = format!("application insights is enabled, but {DEPENDENCY} is not set; the app will not report");
        compilation.warning(&place.dotted("enableAppInsight"), message);
        return None;
    };
    let dependency_place = solution.root.dotted(DEPENDENCY);
    let wanted = compilation.find(Wanted::Type(COMPONENT.name)).published_as(service, &dependency_place);
    let found = wanted.near(Some(&plan.location)).whole().one();
    if found.placeholder {
        return Some(Insights::On(placeholder(&format!("connection string of '{service}'")), None));
    }
    let Some(text) = connection_string_of(&found) else {
        // Azure decides it when it makes them.
        if found.is_new {
            return Some(Insights::New(found.id));
        }
        let message = format!("the application insights {} have no connection string", found.id);
        compilation.finding(dependency_place, FindingCode::DependencyNotUsable, message);
        return None;
    };
    Some(Insights::On(text.to_owned(), Some(found.id)))
}
