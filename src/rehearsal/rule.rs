//! A rule as Azure has it, what is asked for its rehearsal, and the course that follows from the answers.

use std::sync::Arc;

use serde_json::Value;

use super::activity_log::{self, Conditions};
use super::course::Course;
use super::log_rule::LogRule;
use super::metric_rule::MetricRule;
use super::moments::Span;
use crate::azure::types::{ACTIVITY_LOG_ALERT, METRIC_ALERT, SCHEDULED_QUERY_RULE};
use crate::azure::{ResourceId, ResourceType};

/// A question to Azure Monitor. Equal ones have equal answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// The events of a subscription: a GET of pages, each with a list in `value`.
    Events {
        /// The path.
        path: String,
        /// The query of the address, without the api-version.
        query: String,
    },
    /// The values of metrics: a GET of one answer.
    Metrics {
        /// The path, below a resource or a subscription.
        path: String,
        /// The query of the address, without the api-version.
        query: String,
    },
    /// The rows of a log query: a POST of one answer.
    Log {
        /// The path, below a workspace.
        path: String,
        /// The query and its time.
        body: Value,
    },
}

/// The answers to the questions of a rule, in their order.
pub(super) type Answers = [Arc<Value>];

/// The kinds of alert rules.
#[derive(Debug)]
enum RuleKind {
    ActivityLog(Conditions),
    Metric(MetricRule),
    Log(LogRule),
}

/// A rule that can be rehearsed.
#[derive(Debug)]
pub struct Rule {
    kind: RuleKind,
    span: Span,
    /// The number of its action groups.
    pub(super) action_groups: usize,
}

/// Whether a type is one of alert rules.
#[must_use]
pub fn is_rule(resource_type: &str) -> bool {
    [&ACTIVITY_LOG_ALERT, &METRIC_ALERT, &SCHEDULED_QUERY_RULE].iter().any(|kind| is(kind, resource_type))
}

fn is(kind: &ResourceType, resource_type: &str) -> bool {
    kind.name.eq_ignore_ascii_case(resource_type)
}

impl Rule {
    /// The rule of a body, over a time.
    ///
    /// # Errors
    /// The reason why it cannot be rehearsed: a complete sentence.
    pub fn of(resource_type: &str, body: &Value, span: Span) -> Result<Rule, String> {
        let properties = &body["properties"];
        let kind = if is(&ACTIVITY_LOG_ALERT, resource_type) {
            RuleKind::ActivityLog(Conditions::of(properties)?)
        } else if is(&METRIC_ALERT, resource_type) {
            RuleKind::Metric(MetricRule::of(properties)?)
        } else {
            RuleKind::Log(LogRule::of(properties, span)?)
        };
        let groups = |list: &Value| list.as_array().map_or(0, Vec::len);
        let actions = &properties["actions"];
        Ok(Rule { kind, span, action_groups: groups(actions).max(groups(&actions["actionGroups"])) })
    }

    /// The questions for a rehearsal: at most one of each metric namespace, else one.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        match &self.kind {
            RuleKind::ActivityLog(conditions) => vec![conditions.question(self.span)],
            RuleKind::Metric(rule) => rule.questions(self.span),
            RuleKind::Log(rule) => vec![rule.question()],
        }
    }

    /// The course that follows from the answers.
    ///
    /// # Errors
    /// What is wrong with an answer: a complete sentence.
    pub(super) fn course(&self, answers: &Answers) -> Result<Course, String> {
        match &self.kind {
            RuleKind::ActivityLog(conditions) => Ok(activity_log::course(conditions, self.span, answers)),
            RuleKind::Metric(rule) => rule.course(self.span, answers),
            RuleKind::Log(rule) => rule.course(answers),
        }
    }

    /// All of its tables, where the answers say that none of them has had a row for thirty days.
    pub(super) fn empty_tables(&self, answers: &Answers) -> Vec<String> {
        match &self.kind {
            RuleKind::Log(rule) => rule.empty_tables(answers),
            _ => Vec::new(),
        }
    }
}

/// The resource of an id that is complete. What is to be made in the same run has none yet.
pub(super) fn complete_id(value: &Value) -> Result<ResourceId, String> {
    value.as_str().and_then(ResourceId::checked).ok_or_else(|| "What it watches is not there yet.".to_owned())
}

/// The length of a duration of a body in minutes.
pub(super) fn minutes(value: &Value) -> Option<i64> {
    let seconds = crate::azure::parse_duration(value.as_str()?)?.as_secs();
    i64::try_from(seconds / 60).ok().filter(|minutes| *minutes > 0)
}

/// Whether a value passes a threshold.
///
/// # Errors
/// The operator is not known: a complete sentence.
pub(super) fn passes(operator: &str, threshold: f64) -> Result<impl Fn(f64) -> bool + use<>, String> {
    let compare: fn(f64, f64) -> bool = match operator {
        "GreaterThan" => |value, threshold| value > threshold,
        "GreaterThanOrEqual" => |value, threshold| value >= threshold,
        "LessThan" => |value, threshold| value < threshold,
        "LessThanOrEqual" => |value, threshold| value <= threshold,
        "Equals" | "Equal" => |value, threshold| value == threshold,
        "NotEquals" => |value, threshold| value != threshold,
        other => return Err(format!("Its operator '{other}' is not known.")),
    };
    Ok(move |value| compare(value, threshold))
}

/// A text of a body; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// The dimensions of a condition: each chooses values of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dimension {
    pub(super) name: String,
    pub(super) excludes: bool,
    pub(super) values: Vec<String>,
}

impl Dimension {
    pub(super) fn all(condition: &Value) -> Vec<Dimension> {
        let of = |dimension: &Value| Dimension {
            name: text(dimension, "name").to_owned(),
            excludes: text(dimension, "operator").eq_ignore_ascii_case("Exclude"),
            values: dimension["values"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
        };
        condition["dimensions"].as_array().into_iter().flatten().map(of).collect()
    }

    /// Whether it stands for every value.
    pub(super) fn is_all(&self) -> bool {
        !self.excludes && self.values.iter().any(|value| value == "*")
    }

    /// Whether a value is chosen.
    pub(super) fn fits(&self, value: &str) -> bool {
        self.is_all() || self.values.iter().any(|known| known.eq_ignore_ascii_case(value)) != self.excludes
    }
}
