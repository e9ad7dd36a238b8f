//! A deployment as it is kept.

use super::expression::{Evaluator, Facts, Where};
use super::parameters::{self, is_secure};
use super::presentation::hash;
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::state::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The type of deployments.
pub(crate) const TYPE: &str = "Microsoft.Resources/deployments";

/// What a deployment does with resources of its group that the template has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// They stay.
    Incremental,
    /// They are deleted.
    Complete,
}

/// How far a deployment or a step of one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Progress {
    /// Nothing has been done yet.
    Accepted,
    Running,
    Succeeded,
    Failed,
    Canceled,
}

impl Progress {
    /// True when it will not change any more.
    pub(crate) fn is_final(self) -> bool {
        !matches!(self, Progress::Accepted | Progress::Running)
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Writes a resource.
    Deployed,
    /// Nothing: the resource exists and is only referred to.
    Existing,
    /// Nothing: the condition of the resource is false.
    LeftOut,
    /// Deletes a resource that is not in the template.
    Deleted,
}

/// One resource of a template.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// The symbolic name, with the round of its loop: `vaults[0]`.
    pub(crate) symbol: Option<String>,
    /// The name of the loop that it comes from, or the symbolic name of its loop.
    pub(crate) collection: Option<String>,
    pub(crate) id: String,
    /// The whole name: `account/default/container`.
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) api_version: String,
    pub(crate) kind: Kind,
    /// Where the resource is, as soon as that is known.
    #[serde(default)]
    pub(crate) location: Option<String>,
    /// Where it is in the template, as a JSON pointer.
    pub(crate) pointer: String,
    /// The loop and the round of it.
    pub(crate) copy: Option<(String, i64)>,
    /// The steps that have to succeed first.
    pub(crate) after: Vec<usize>,
    pub(crate) progress: Progress,
    /// The operation or the nested deployment it waits for.
    pub(crate) waits_for: Option<String>,
    /// How often the request was tried in vain for a reason that may pass.
    pub(crate) attempts: u32,
    /// When it is tried again.
    pub(crate) not_before: Option<Moment>,
    pub(crate) started: Option<Moment>,
    pub(crate) ended: Option<Moment>,
    /// The HTTP status of the request.
    pub(crate) status: u16,
    pub(crate) error: Option<Value>,
}

impl Step {
    /// A step that has not begun, waits for nothing, and is no part of a loop.
    pub(super) fn new(id: &ResourceId, name: &str, type_name: &str, api_version: &str, kind: Kind) -> Step {
        Step {
            symbol: None,
            collection: None,
            id: id.text(),
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            api_version: api_version.to_owned(),
            kind,
            location: None,
            pointer: String::new(),
            copy: None,
            after: Vec::new(),
            progress: Progress::Accepted,
            waits_for: None,
            attempts: 0,
            not_before: None,
            started: None,
            ended: None,
            status: 0,
            error: None,
        }
    }

    /// `Microsoft.Storage/storageAccounts/name`: the type and the name, which a template may name a resource by.
    pub(super) fn short_id(&self) -> String {
        format!("{}/{}", self.type_name, self.name)
    }

    /// The step has nothing to do any more, and those after it may begin.
    pub(super) fn is_done(&self) -> bool {
        self.progress == Progress::Succeeded
    }

    /// The resource is written by this deployment.
    pub(super) fn writes(&self) -> bool {
        self.kind == Kind::Deployed
    }
}

/// The template that defines what the expressions of a nested one mean.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outer {
    pub(crate) template: Value,
    pub(crate) scope: String,
}

/// A deployment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deployment {
    pub(crate) id: String,
    /// Of deployments of subscriptions.
    pub(crate) location: Option<String>,
    pub(crate) tags: Option<Value>,
    pub(crate) mode: Mode,
    pub(crate) template: Value,
    /// Of a nested deployment whose expressions belong to the template that has it.
    pub(crate) outer: Option<Outer>,
    /// The values of all parameters by name in lower case, and secrets too; nothing once it has ended.
    pub(crate) parameters: BTreeMap<String, Value>,
    /// The parameters as they are shown.
    pub(crate) shown_parameters: Value,
    /// Where the client found the local cloud.
    pub(crate) base: String,
    pub(crate) correlation: String,
    /// The id of its operation.
    pub(crate) operation: String,
    /// The deployment that it is part of.
    pub(crate) parent: Option<String>,
    pub(crate) started: Moment,
    pub(crate) ended: Option<Moment>,
    pub(crate) progress: Progress,
    /// When it is to be looked at next, beside the end of an operation.
    pub(crate) wake: Option<Moment>,
    pub(crate) steps: Vec<Step>,
    pub(crate) outputs: Option<Value>,
    pub(crate) error: Option<Value>,
    /// It is carried out on a copy of the state, to see what it does.
    #[serde(skip)]
    pub(crate) is_rehearsal: bool,
}

impl Deployment {
    /// The key of its id.
    pub(crate) fn key(&self) -> String {
        self.id.to_lowercase()
    }

    /// The subscription or resource group that it deploys to.
    pub(crate) fn scope(&self) -> ResourceId {
        ResourceId::parse(&self.id).unwrap_or_default().container()
    }

    pub(super) fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or_default()
    }

    /// The template whose parameters, variables and functions hold.
    pub(super) fn definitions(&self) -> &Value {
        self.outer.as_ref().map_or(&self.template, |outer| &outer.template)
    }

    /// Does something with the facts that its expressions are about.
    pub(super) fn with_facts<T>(
        &self,
        state: &State,
        now: Moment,
        running: bool,
        steps: &[Step],
        work: impl FnOnce(&Facts<'_>) -> T,
    ) -> T {
        let own = self.scope();
        let outer = self.outer.as_ref().and_then(|outer| ResourceId::parse(&outer.scope));
        let scope = outer.unwrap_or(own);
        let mut facts = Facts::new(state, self.definitions(), &self.parameters, &scope, now);
        facts.deployment = self.function_value();
        facts.base = &self.base;
        facts.steps = steps;
        facts.running = running;
        work(&facts)
    }

    /// What `deployment()` gives.
    fn function_value(&self) -> Value {
        let mut value = json!({
            "name": self.name(),
            "properties": {
                "template": self.template,
                "templateHash": hash(&self.template),
                "parameters": self.shown_parameters,
                "mode": self.mode,
                "provisioningState": Progress::Running,
            },
        });
        if let (Some(location), Some(members)) = (&self.location, value.as_object_mut()) {
            members.insert("location".to_owned(), location.as_str().into());
        }
        value
    }

    /// The values of secure parameters that are texts.
    pub(super) fn secrets(&self) -> Vec<String> {
        let declared = self.definitions().get("parameters").and_then(Value::as_object);
        let mut secrets = Vec::new();
        for (name, _) in declared.into_iter().flatten().filter(|(_, declaration)| is_secure(declaration)) {
            parameters::collect_texts(self.parameters.get(&name.to_lowercase()), &mut secrets);
        }
        secrets
    }

    /// The value of an output; secure ones have none.
    pub(super) fn evaluate_outputs(&self, facts: &Facts<'_>) -> Result<Value, (String, super::expression::Halt)> {
        let mut outputs = Map::new();
        let declared = self.template.get("outputs").and_then(Value::as_object);
        for (name, output) in declared.into_iter().flatten() {
            let place = format!("outputs.{name}");
            let evaluator = Evaluator::new(facts, Where::Output);
            let wrong = |halt| (name.clone(), halt);
            let applies = match output.get("condition") {
                None => Value::Bool(true),
                Some(condition) => evaluator.resolve(condition, &format!("{place}.condition")).map_err(wrong)?,
            };
            if applies == Value::Bool(false) {
                continue;
            }
            let value = match output.get("copy") {
                Some(copy) => {
                    let mut copy = copy.clone();
                    if let Some(members) = copy.as_object_mut() {
                        members.insert("name".to_owned(), name.as_str().into());
                    }
                    evaluator.property_copy(&copy, &place).map(|(_, values)| values).map_err(wrong)?
                }
                None => {
                    let value = output.get("value").unwrap_or(&Value::Null);
                    evaluator.resolve(value, &format!("{place}.value")).map_err(wrong)?
                }
            };
            let declared = output.get("type").and_then(Value::as_str).unwrap_or_default();
            let kind = parameters::shown_type(declared);
            if !parameters::has_type(&value, declared) {
                let message = format!(
                    "The template output '{name}' is not valid: Template output JToken type is not valid. Expected '{kind}'. Actual '{}'.",
                    parameters::json_type(&value)
                );
                return Err((name.clone(), super::expression::Halt::Wrong(message)));
            }
            let shown = if is_secure(output) { json!({"type": kind}) } else { json!({"type": kind, "value": value}) };
            outputs.insert(name.clone(), shown);
        }
        Ok(Value::Object(outputs))
    }
}
