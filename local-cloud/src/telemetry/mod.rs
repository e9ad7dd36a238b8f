//! The past, as Azure Monitor keeps it: values of metrics, the activity log, tables of workspaces. It is imported, and asked
//! for; only who has changed what is noted as it happens.

mod activity_log;
mod changes;
mod import;
mod metrics;
mod queries;
mod tables;

pub(super) use activity_log::events;
pub(super) use changes::{Author, graph, record};
pub(super) use import::import;
pub(super) use metrics::{of_resource, of_subscription};
pub(super) use queries::query;

use super::moment::Moment;
use super::reply::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything that is kept of the past.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Telemetry {
    pub(super) metrics: Vec<Series>,
    /// As Azure answers them, in no order.
    pub(super) activity_log: Vec<Map<String, Value>>,
    pub(super) tables: Vec<Table>,
    /// The changes by requests, the oldest first: the `properties` of rows of `resourcechanges`, each with the application of its token.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) changes: Vec<Map<String, Value>>,
}

/// Some time of one time series of a metric. Of two that overlap, the later one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Series {
    /// The id of the resource.
    pub(super) resource: String,
    pub(super) namespace: String,
    pub(super) metric: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) dimensions: BTreeMap<String, String>,
    pub(super) from: Moment,
    pub(super) to: Moment,
    /// The minutes of a value. It is the value of each of them.
    pub(super) minutes: u64,
    /// They are repeated until the end; none stands for no value.
    pub(super) values: Vec<Option<f64>>,
}

/// A table of a workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The id of the workspace, in lower case.
    pub(super) workspace: String,
    pub(super) name: String,
    pub(super) rows: Vec<Map<String, Value>>,
}

impl Telemetry {
    pub(super) fn is_empty(&self) -> bool {
        *self == Telemetry::default()
    }
}

/// The two moments of `timespan=from/to`, in minutes since 1970.
fn timespan(text: &str) -> Result<(f64, f64), Refusal> {
    let moments = text
        .split_once('/')
        .and_then(|(from, to)| Some((super::kusto::minutes_of(from)?, super::kusto::minutes_of(to)?)));
    moments.filter(|(from, to)| from < to).ok_or_else(|| {
        Refusal::bad_request("BadRequest", format!("The timespan '{text}' is not an interval of two times."))
    })
}
