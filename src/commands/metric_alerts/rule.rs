//! One metric alert rule.

use serde_json::{Value, json};

use super::monitored::Targets;
use super::settings::{Alert, AlertSet, Condition, MetricAlertSettings};
use crate::azure::ResourceId;
use crate::azure::types::METRIC_ALERT;
use crate::commands::shared::alerts::{
    AlertRule, Severity, action_groups, as_actions, check_description, check_window, duration, rule_name, way_out,
};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::property::Literal::{Flag, Text};
use crate::commands::shared::property::{Property, sent};
use crate::commands::shared::service::Named;
use crate::desired::Texts;
use crate::naming::normalise_location;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// Azure takes no more conditions in one rule ("Multi-dimension and multi-resource metric alerts").
const MOST_CONDITIONS: usize = 5;

/// The beginning of the names of rules.
pub(super) const PREFIX: &str = "mtr";

/// The properties of a rule that one setting says each.
pub(super) const PROPERTIES: &[Property<Alert>] = &[
    Property::always("enabled", "properties.enabled", Flag(true), |alert| sent(alert.enabled)),
    Property::always("severity", "properties.severity", Text("Informational"), |alert: &Alert| sent(alert.severity))
        .spelled(Severity::SPELLING),
];

const ORIGINS: &[(&str, &str)] = &[
    ("name", "../../../../name"),
    ("name", "../../name"),
    ("name", "name"),
    ("properties.description", "description"),
    ("properties.evaluationFrequency", "schedule.frequencyInMinutes"),
    ("properties.windowSize", "schedule.timeWindowInMinutes"),
    ("properties.criteria", "conditions"),
    ("properties.criteria.allOf", "conditions"),
    ("properties.criteria.allOf[].threshold", "conditions[].threshold.value"),
    ("properties.criteria.allOf[].operator", "conditions[].threshold.operator"),
    ("properties.criteria.allOf[].operator", "conditions[].dynamicThreshold.operator"),
    ("properties.criteria.allOf[].timeAggregation", "conditions[].threshold.timeAggregation"),
    ("properties.criteria.allOf[].timeAggregation", "conditions[].dynamicThreshold.timeAggregation"),
    ("properties.criteria.allOf[].alertSensitivity", "conditions[].dynamicThreshold.sensitivity"),
    ("properties.criteria.allOf[].failingPeriods", "conditions[].dynamicThreshold.failingPeriods"),
    ("properties.scopes", "service.dependencies.targetResourceGroups"),
    ("properties.scopes", "service.dependencies.targetResources"),
    ("properties.targetResourceRegion", "targetResourceLocation"),
    ("properties.actions", "/service.dependencies.actionGroups"),
    ("properties.actions", "service.dependencies.actionGroups"),
];

/// An alert and where it stands.
pub(super) struct Rule<'a> {
    pub(super) settings: &'a MetricAlertSettings,
    pub(super) root: &'a Place,
    pub(super) group_name: &'a str,
    pub(super) set: &'a AlertSet,
    pub(super) alert: &'a Alert,
    /// The position in the set, part of the name.
    pub(super) index: usize,
    pub(super) place: &'a Place,
}

impl Rule<'_> {
    pub(super) fn compile(&self, group: &ResourceId, compilation: &mut Compilation<'_>) {
        let conditions = self.alert.conditions.as_deref().unwrap_or_default();
        let criteria: Vec<Value> = conditions
            .iter()
            .enumerate()
            .filter_map(|(index, condition)| self.criterion(index, condition, compilation))
            .collect();
        let (frequency, window) = self.schedule(compilation);
        let Some(Targets { scopes, several, location }) = self.targets(compilation) else { return };
        self.check_conditions(conditions, several, compilation);
        let own = self.alert.service.dependencies();
        let actions = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), self.place),
            (self.settings.service.dependencies().and_then(|root| root.action_groups.as_ref()), self.root),
            compilation,
        );
        let properties = json!({
            "scopes": scopes.iter().map(ResourceId::as_str).collect::<Vec<_>>(),
            "evaluationFrequency": duration(frequency),
            "windowSize": duration(window),
            "targetResourceType": self.set.resource_type,
            "targetResourceRegion": normalise_location(&location),
            "criteria": {
                "odata.type": "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria",
                "allOf": criteria,
            },
            "autoMitigate": true,
            "actions": as_actions(&actions),
        });
        check_description(&METRIC_ALERT, self.alert.description.as_ref(), self.place, compilation);
        let publish = Published::first(
            "service.publish.metricAlert",
            (self.alert.service.publish().and_then(|publish| publish.metric_alert.as_ref()), self.place),
            (self.settings.service.publish().and_then(|publish| publish.metric_alert.as_ref()), self.root),
        );
        let (set, name) = (self.set.name.as_ref(), self.alert.name.as_ref());
        let rule = AlertRule {
            alert: (self.alert, PROPERTIES),
            group,
            resource_type: &METRIC_ALERT,
            name: (rule_name(PREFIX, self.group_name, set, name, self.index), &location),
            location: "global",
            properties,
            description: self.alert.description.as_ref(),
            default_description: description(self.alert.name.as_deref(), &self.set.resource_type),
            our_descriptions: Texts::LikeBut(is_our_description, self.old_descriptions()),
            way_out: way_out(self.group_name, set, name),
            publish,
            any_case: Vec::new(),
            also_right: Vec::new(),
            origins: ORIGINS.to_vec(),
            place: self.place,
        };
        rule.add(compilation);
    }

    fn check_conditions(&self, conditions: &[Condition], several: bool, compilation: &mut Compilation<'_>) {
        let place = self.place.dotted("conditions");
        if conditions.is_empty() {
            compilation.finding(place, FindingCode::Missing, "at least one condition is required");
        } else if several && conditions.len() > 1 {
            let message = format!(
                "a rule over several resources or a resource group can have one condition, found {}",
                conditions.len()
            );
            compilation.finding(place, FindingCode::TooManyConditions, message);
        } else if conditions.len() > MOST_CONDITIONS {
            let message = format!("a rule can have at most {MOST_CONDITIONS} conditions, found {}", conditions.len());
            compilation.finding(place, FindingCode::TooManyConditions, message);
        } else if conditions.len() > 1 && conditions.iter().any(|condition| condition.dynamic_threshold.is_some()) {
            let message = format!("a rule with dynamicThreshold can have one condition, found {}", conditions.len());
            compilation.finding(place, FindingCode::TooManyConditions, message);
        }
    }

    /// The descriptions that the replaced module wrote for this alert where it has none: it named the alert, with nothing between the words where
    /// that has no name, and earlier the metric.
    fn old_descriptions(&self) -> Vec<String> {
        let metrics = self.alert.conditions.iter().flatten().map(|condition| condition.metric_name.as_str());
        let about = std::iter::once("").chain(metrics);
        about.map(|about| format!("Alert for {about} on {}", self.set.resource_type)).collect()
    }

    /// Frequency and window in minutes, with what Azure has instead of two minutes.
    fn schedule(&self, compilation: &mut Compilation<'_>) -> (i64, i64) {
        let Some(schedule) = &self.alert.schedule else { return (1, 5) };
        let mut frequency = schedule.frequency_in_minutes;
        if frequency == 2 {
            compilation.warning(
                &self.place.dotted("schedule.frequencyInMinutes"),
                "Azure does not support a frequency of 2 minutes; 1 minute is used",
            );
            frequency = 1;
        }
        let window = schedule.time_window_in_minutes;
        check_window(frequency, window, self.place.dotted("schedule.timeWindowInMinutes"), compilation);
        (frequency, window)
    }
}

/// The description of a rule whose alert gives none.
fn description(alert: Option<&str>, resource_type: &str) -> String {
    match alert {
        Some(alert) => format!("Alert for {alert} on {resource_type}"),
        None => format!("Alert on {resource_type}"),
    }
}

/// Whether a description is one of those, of today or of before: with nothing between the words where the alert has no name.
fn is_our_description(text: &str) -> bool {
    let is_type = |text: &str| text.contains('/') && !text.contains(char::is_whitespace);
    let of_named = text.strip_prefix("Alert for ").and_then(|rest| rest.rsplit_once("on "));
    of_named.map(|(_, kind)| kind).or_else(|| text.strip_prefix("Alert on ")).is_some_and(is_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_ours_are_known_again() {
        let kind = "Microsoft.Compute/virtualMachines";
        for text in [description(Some("Cpu on all"), kind), description(None, kind), format!("Alert for  on {kind}")] {
            assert!(is_our_description(&text), "{text}");
        }
        assert_eq!(description(None, kind), "Alert on Microsoft.Compute/virtualMachines");
        for text in ["Call Ops", "Alert for Cpu on the servers", "Alert for Cpu on call", "Alert on a/b, call Ops"] {
            assert!(!is_our_description(text), "{text}");
        }
    }
}
