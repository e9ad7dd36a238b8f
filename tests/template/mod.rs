//! Documents as ARM templates: golden files, how they hang together, and what is refused and told.

mod golden;
mod late_binding;
mod refusals;
mod stacks;
mod structure;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_engine::protocol::{Message, TemplateReport};
use svc_engine::run::{self, Start, Work};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::*;
use crate::support::examples::Example;
use crate::support::*;

/// The messages of a run that makes a template.
pub(crate) struct Made {
    pub(crate) outcome: Outcome,
    template: Value,
}

impl Made {
    /// The template and what belongs to it.
    pub(crate) fn report(&self) -> &TemplateReport {
        let reports: Vec<&TemplateReport> = self
            .outcome
            .messages
            .iter()
            .filter_map(|message| if let Message::Template(report) = message { Some(report) } else { None })
            .collect();
        let [report] = reports[..] else { panic!("not one template: {:#?}", self.outcome) };
        report
    }

    pub(crate) fn template(&self) -> &Value {
        assert!(!self.template.is_null(), "no template: {:#?}", self.outcome);
        &self.template
    }
}

/// Makes a template with a request.
pub(crate) fn make(request: &Value) -> Made {
    let operation = run::start(Start::new(Work::Template, request.to_string().as_bytes()));
    let outcome = follow(&operation, |_| panic!("a template asks nothing"));
    let text = |message: &Message| match message {
        Message::Template(report) => Some(serde_json::from_str(&report.template).unwrap()),
        _ => None,
    };
    let template = outcome.messages.iter().find_map(text).unwrap_or_default();
    Made { outcome, template }
}

/// Makes the template of a text.
pub(crate) fn make_of(text: &str, cloud: &LocalCloud, options: Value) -> Made {
    let project = Project::with(text);
    make(&with(project.request(cloud), json!({ "template": options })))
}

/// The cloud in which an example can be deployed.
pub(crate) fn zone_of(example: &Example) -> LocalCloud {
    if example.is_example() { landing_zone() } else { fields_zone_with(LocalCloudOptions::default()) }
}

/// Makes the template of an example.
pub(crate) fn make_example(example: &Example, cloud: &LocalCloud, options: Value) -> Made {
    let deployment = Deployment::new(example.command, &example.text());
    make(&with(deployment.request(cloud), json!({ "template": options })))
}

/// Whether an example is for an alert command.
pub(crate) fn is_of_alerts(example: &Example) -> bool {
    example.command.ends_with("Alerts")
}

/// A template of the whole, or of a nested deployment, with what it is called.
pub(crate) struct Part<'a> {
    pub(crate) name: String,
    pub(crate) template: &'a Value,
}

/// A template and those in it, which have none in them.
pub(crate) fn parts(template: &Value) -> Vec<Part<'_>> {
    let mut parts = vec![Part { name: "the template".to_owned(), template }];
    for (symbol, resource) in template["resources"].as_object().unwrap() {
        if let Some(template) = resource.pointer("/properties/template") {
            parts.push(Part { name: symbol.clone(), template });
        }
    }
    parts
}

/// The resources of a template, but not the nested deployments.
pub(crate) fn resources(template: &Value) -> Vec<&Value> {
    let all = template["resources"].as_object().unwrap().values();
    all.filter(|resource| resource.pointer("/properties/template").is_none()).collect()
}

/// The types of everything that a template makes.
pub(crate) fn types(template: &Value) -> BTreeSet<&str> {
    let all = parts(template).into_iter().flat_map(|part| resources(part.template));
    all.map(|resource| resource["type"].as_str().unwrap()).collect()
}

/// The texts of a value.
pub(crate) fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        _ => {}
    }
}
