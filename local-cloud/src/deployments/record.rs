//! A deployment as it is kept.

use super::expression::Facts;
use super::parameters::is_secure;
use super::template::members_of;
use crate::deployment_paths::TYPE;
use crate::moment::Moment;
use crate::path::ResourceId;
use crate::state::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The progress of a deployment or of a step of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Progress {
    /// Nothing has been done yet.
    #[default]
    Accepted,
    Running,
    Succeeded,
    Failed,
    Canceled,
}

impl Progress {
    /// True when it will not change any more.
    pub(super) fn is_final(self) -> bool {
        !matches!(self, Progress::Accepted | Progress::Running)
    }
}

/// One resource of a template.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Step {
    /// The symbolic name.
    pub(super) symbol: String,
    pub(super) id: String,
    /// The whole name: `account/default/container`.
    pub(super) name: String,
    pub(super) type_name: String,
    pub(super) api_version: String,
    /// The location of the resource.
    pub(super) location: Option<String>,
    /// The steps that have to succeed first.
    pub(super) after: Vec<usize>,
    pub(super) progress: Progress,
    /// The operation or the nested deployment it waits for.
    pub(super) waits_for: Option<String>,
    /// The number of times that the request was tried in vain for a reason that may pass.
    pub(super) attempts: u32,
    /// The moment at which it is tried again.
    pub(super) not_before: Option<Moment>,
    pub(super) started: Option<Moment>,
    pub(super) ended: Option<Moment>,
    /// The HTTP status of the request.
    pub(super) status: u16,
    pub(super) error: Option<Value>,
}

impl Step {
    /// True for a nested deployment.
    pub(super) fn is_deployment(&self) -> bool {
        self.type_name.eq_ignore_ascii_case(TYPE)
    }
}

/// A deployment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Deployment {
    pub(super) id: String,
    /// Of deployments of subscriptions.
    pub(super) location: Option<String>,
    pub(super) tags: Option<Value>,
    pub(super) template: Value,
    /// The values of all parameters by name in lower case, and secrets too; nothing once it has ended.
    pub(super) parameters: BTreeMap<String, Value>,
    /// The parameters as they are shown.
    pub(super) shown_parameters: Value,
    /// The URL under which the client found the local cloud.
    pub(super) base: String,
    pub(super) correlation: String,
    /// The id of its operation.
    pub(super) operation: String,
    pub(super) started: Moment,
    pub(super) ended: Option<Moment>,
    pub(super) progress: Progress,
    /// The moment at which it is to be looked at next, beside the end of an operation.
    pub(super) wake: Option<Moment>,
    pub(super) steps: Vec<Step>,
    pub(super) error: Option<Value>,
    /// It is carried out on a copy of the state, to see what it does.
    #[serde(skip)]
    pub(super) is_rehearsal: bool,
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

    /// The resource of a step as the template has it.
    pub(super) fn resource(&self, step: &Step) -> &Map<String, Value> {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.template["resources"][&step.symbol].as_object().unwrap_or(&NONE)
    }

    /// The facts that its expressions are about.
    pub(super) fn facts<'a>(&'a self, state: &'a State, steps: &'a [Step]) -> Facts<'a> {
        let (touched, effort) = Default::default();
        Facts { state, parameters: &self.parameters, scope: self.scope(), steps, touched, effort }
    }

    /// The values of secure parameters.
    pub(super) fn secrets(&self) -> Vec<String> {
        let declared = members_of(&self.template, "parameters").filter(|(_, declaration)| is_secure(declaration));
        let values = declared.filter_map(|(name, _)| self.parameters.get(&name.to_lowercase())?.as_str());
        values.filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }
}
