//! The rehearsals: how often an alert rule would have fired.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The firings of an alert rule in a time that has passed, had it been there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rehearsal {
    /// The time that was looked at: RFC 3339, UTC, whole minutes.
    pub from: String,
    /// Its end.
    pub to: String,
    /// The number of alerts that would have fired; none where that is not known, for the `reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fired: Option<usize>,
    /// The number of alerts that fire with the rule as it is; none for a new rule, or where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fired_before: Option<usize>,
    /// For how many minutes the condition was met, for whichever resource.
    pub minutes: usize,
    /// The last time at which an alert would have fired: RFC 3339, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_fired: Option<String>,
    /// The resources or values of dimensions that it would have fired for, those that fire most first; at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fired_for: Vec<String>,
    /// The number of notifications: one for each action group of the rule when an alert fires, and one when it resolves.
    pub notifications: usize,
    /// The moments that were looked at, where that is not each at which the rule would have run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Sampled>,
    /// The parts of the time in which the condition was met, in thousandths of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<[usize; 2]>,
    /// The reason why nothing is known, or why it never fires: a complete sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// All of it in one sentence, as every host shows it.
    pub sentence: String,
}

/// The moments at which a rule was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sampled {
    /// Their number.
    pub moments: usize,
    /// The number of times that the rule would have run.
    pub of: usize,
}
