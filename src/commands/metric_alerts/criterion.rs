//! The conditions of a metric alert rule, as Azure takes them.

use serde_json::{Value, json};

use super::rule::Rule;
use super::settings::{Condition, DynamicThreshold, Operator, Sensitivity, Threshold};
use crate::commands::shared::alerts::{TimeAggregation, check_values, whole};
use crate::commands::shared::compilation::Compilation;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// For how many periods a dynamic threshold looks, and how many of them fail, where the settings do not say: what the portal
/// offers.
const PERIODS: i64 = 4;

impl Rule<'_> {
    /// One condition; none, with a finding, where it says no threshold, or two.
    pub(super) fn criterion(
        &self,
        index: usize,
        condition: &Condition,
        compilation: &mut Compilation<'_>,
    ) -> Option<Value> {
        let place = self.place.dotted("conditions").index(index);
        let namespace = self.namespace(condition, &place, compilation);
        let (kind, threshold) = match (&condition.threshold, &condition.dynamic_threshold) {
            (Some(threshold), None) => ("StaticThresholdCriterion", fixed(threshold, &place, compilation)),
            (None, Some(dynamic)) => ("DynamicThresholdCriterion", learned(dynamic, &place, compilation)),
            (None, None) => {
                let message = "required, unless dynamicThreshold is set";
                compilation.finding(place.dotted("threshold"), FindingCode::Missing, message);
                return None;
            }
            (Some(_), Some(_)) => {
                let message = "threshold and dynamicThreshold are both set; use one of them";
                compilation.finding(place.dotted("dynamicThreshold"), FindingCode::CombinationNotInAzure, message);
                return None;
            }
        };
        let mut criterion = json!({
            "criterionType": kind,
            "name": format!("Alert Criteria {index}"),
            "metricName": condition.metric_name,
            "metricNamespace": namespace,
        });
        for (name, value) in threshold {
            criterion[name] = value;
        }
        for (number, dimension) in condition.dimensions.iter().flatten().enumerate() {
            check_values(&dimension.values, &place.dotted("dimensions").index(number), compilation);
        }
        // Without dimensions those of before go.
        criterion["dimensions"] = json!(condition.dimensions.as_ref().filter(|dimensions| !dimensions.is_empty()));
        Some(criterion)
    }

    /// The namespace of the metric: that of the platform has the name of the type, or of one below it. Others are those of
    /// custom and guest metrics, which may have any name.
    fn namespace<'a>(
        &'a self,
        condition: &'a Condition,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) -> &'a String {
        let resource_type = &self.set.resource_type;
        let Some(namespace) = &condition.metric_namespace else { return resource_type };
        let (given, wanted) = (namespace.to_ascii_lowercase(), resource_type.to_ascii_lowercase());
        let of_platform = given.starts_with("microsoft.") && given.contains('/');
        let of_type = given.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if of_platform && !of_type {
            let message = format!(
                "'{namespace}' does not have metrics of {resource_type}; use that type, one below it, or a namespace of custom metrics"
            );
            compilation.finding(place.dotted("metricNamespace"), FindingCode::ValueRefused, message);
        }
        namespace
    }
}

/// A threshold that the settings say. What a dynamic one had before goes.
fn fixed(threshold: &Threshold, place: &Place, compilation: &mut Compilation<'_>) -> Vec<(&'static str, Value)> {
    if threshold.operator == Operator::NotEquals {
        let place = place.dotted("threshold.operator");
        compilation.warning(&place, "Azure no longer lists NotEquals for metric alerts and may refuse it");
    }
    vec![
        ("timeAggregation", json!(threshold.time_aggregation)),
        ("operator", json!(threshold.operator)),
        ("threshold", whole(threshold.value)),
        ("alertSensitivity", Value::Null),
        ("failingPeriods", Value::Null),
        ("ignoreDataBefore", Value::Null),
    ]
}

/// A threshold that Azure learns. What a static one had before goes.
fn learned(dynamic: &DynamicThreshold, place: &Place, compilation: &mut Compilation<'_>) -> Vec<(&'static str, Value)> {
    let periods = dynamic.failing_periods.as_ref();
    let (failing, number) = periods.map_or((PERIODS, PERIODS), |periods| {
        (periods.min_failing_periods_to_alert, periods.number_of_evaluation_periods)
    });
    if failing > number {
        let message = format!("{failing} is more than numberOfEvaluationPeriods, {number}");
        let place = place.dotted("dynamicThreshold.failingPeriods.minFailingPeriodsToAlert");
        compilation.finding(place, FindingCode::OutOfRange, message);
    }
    let periods = json!({ "numberOfEvaluationPeriods": number, "minFailingPeriodsToAlert": failing });
    vec![
        ("timeAggregation", json!(dynamic.time_aggregation.unwrap_or(TimeAggregation::Average))),
        ("operator", json!(dynamic.operator)),
        ("alertSensitivity", json!(dynamic.sensitivity.unwrap_or(Sensitivity::Medium))),
        ("failingPeriods", periods),
        ("threshold", Value::Null),
    ]
}
