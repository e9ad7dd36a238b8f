//! One metric alert rule.

use serde_json::{Value, json};

use super::settings::{Alert, AlertSet, Condition, MetricAlertSettings, Operator};
use crate::azure::types::METRIC_ALERT;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::commands::shared::alerts::{
    AlertRule, Severity, action_groups, all_published, as_actions, check_window, duration, rule_name,
};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::lookup::{Found, Wanted};
use crate::commands::shared::service::{Named, is_nothing};
use crate::naming::{Architecture, NameRequest, ResourceKind, normalise_location, same_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// Azure takes no more conditions in one rule ("Multi-dimension and multi-resource metric alerts").
const MOST_CONDITIONS: usize = 5;

const TARGET_RESOURCES: &str = "service.dependencies.targetResources";
const TARGET_GROUPS: &str = "service.dependencies.targetResourceGroups";

const ORIGINS: &[(&str, &str)] = &[
    ("properties.enabled", "enabled"),
    ("properties.severity", "severity"),
    ("properties.description", "description"),
    ("properties.evaluationFrequency", "schedule.frequencyInMinutes"),
    ("properties.windowSize", "schedule.timeWindowInMinutes"),
    ("properties.criteria", "conditions"),
    ("properties.scopes", "service.dependencies"),
    ("properties.targetResourceRegion", "targetResourceLocation"),
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
        let (scopes, several) = self.scopes(compilation);
        let Some(location) = self.location(&scopes, compilation) else { return };
        let conditions = self.alert.conditions.as_deref().unwrap_or_default();
        self.check_conditions(conditions, several, compilation);
        let name = self.name(&location, compilation);
        let own = self.alert.service.dependencies();
        let actions = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), self.place),
            (self.settings.service.dependencies().and_then(|root| root.action_groups.as_ref()), self.root),
            compilation,
        );
        let (frequency, window) = self.schedule(compilation);
        let criteria: Vec<Value> = conditions
            .iter()
            .enumerate()
            .map(|(index, condition)| self.criterion(index, condition, compilation))
            .collect();
        let properties = json!({
            "enabled": self.alert.enabled.unwrap_or(true),
            "severity": self.alert.severity.unwrap_or(Severity::Informational).number(),
            "scopes": scopes.iter().map(|found| found.id.as_str()).collect::<Vec<_>>(),
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
        let publish = Published::first(
            "service.publish.metricAlert",
            (self.alert.service.publish().and_then(|publish| publish.metric_alert.as_ref()), self.place),
            (self.settings.service.publish().and_then(|publish| publish.metric_alert.as_ref()), self.root),
        );
        let alert = self.alert.name.as_deref().unwrap_or_default();
        let rule = AlertRule {
            group,
            resource_type: &METRIC_ALERT,
            name,
            location: "global",
            properties,
            description: self.alert.description.as_ref(),
            default_description: format!("Alert for {alert} on {}", self.set.resource_type),
            default_descriptions: Vec::new(),
            publish,
            origins: ORIGINS.to_vec(),
            place: self.place,
        };
        rule.add(compilation);
    }

    /// What the rule watches, and whether that is more than one resource.
    fn scopes(&self, compilation: &mut Compilation<'_>) -> (Vec<Found>, bool) {
        let own = self.alert.service.dependencies();
        let some = |names: &&Vec<String>| names.iter().any(|name| !is_nothing(name));
        let resources = own.and_then(|own| own.target_resources.as_ref()).filter(some);
        let groups = own.and_then(|own| own.target_resource_groups.as_ref()).filter(some);
        let (names, setting, wanted) = match (resources, groups) {
            (Some(names), None) => (names, TARGET_RESOURCES, Wanted::Type(self.set.resource_type.as_str())),
            (None, Some(names)) => (names, TARGET_GROUPS, Wanted::Type(RESOURCE_GROUP_TYPE)),
            (both, _) => {
                let message = if both.is_some() {
                    "targetResources and targetResourceGroups are both set; use one of them"
                } else {
                    "set either targetResources or targetResourceGroups"
                };
                compilation.finding(self.place.dotted("service.dependencies"), FindingCode::Missing, message);
                return (Vec::new(), false);
            }
        };
        let place = self.place.dotted(setting);
        let mut scopes = all_published(names, wanted, &place, compilation);
        if let (Some(location), None) = (&self.alert.target_resource_location, groups) {
            // Groups are not filtered: where they are says nothing of what is in them, and a wrong one is told below.
            let any = !scopes.is_empty();
            scopes.retain(|found| found.placeholder || same_location(location, &found.location));
            if any && scopes.is_empty() {
                compilation.finding(
                    place,
                    FindingCode::ServiceNotFound,
                    format!("none of the targets is in '{location}'"),
                );
            }
        }
        let several = scopes.len() > 1 || groups.is_some();
        (scopes, several)
    }

    /// The one location of the rule; none when the targets are in several.
    fn location(&self, scopes: &[Found], compilation: &mut Compilation<'_>) -> Option<String> {
        let place = self.place.dotted("targetResourceLocation");
        let given = self.alert.target_resource_location.as_ref().map(|location| compilation.location(location, place));
        let known: Vec<&Found> = scopes.iter().filter(|found| !found.location.is_empty()).collect();
        let location = given.or_else(|| known.first().map(|found| normalise_location(&found.location)));
        let Some(location) = location else {
            // Without looking, the location is known only when the settings say it.
            return (!compilation.is_connected()).then(String::new);
        };
        let elsewhere: Vec<String> = known
            .iter()
            .filter(|found| !same_location(&found.location, &location))
            .map(|found| format!("{} ({})", found.id, found.location))
            .collect();
        if !elsewhere.is_empty() {
            let message = format!(
                "a rule watches one location, '{location}' here; in other locations are {}",
                elsewhere.join(", ")
            );
            compilation.finding(self.place.dotted("service.dependencies"), FindingCode::LocationsDiffer, message);
            return None;
        }
        Some(location)
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
        }
    }

    /// `mtr-<group>[-<set>][-<alert>]-<index>`, in the location of the targets.
    fn name(&self, location: &str, compilation: &mut Compilation<'_>) -> String {
        let (set, alert) = (self.set.name.as_ref(), self.alert.name.as_ref());
        let name = rule_name("mtr", self.group_name, set, alert, self.index);
        let request = NameRequest {
            kind: ResourceKind::Alert,
            name: &name,
            architecture: Architecture::Monitor,
            location: Some(location).filter(|location| !location.is_empty()),
        };
        compilation.name(&METRIC_ALERT, &request, &self.place.dotted("name"))
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

    fn criterion(&self, index: usize, condition: &Condition, compilation: &mut Compilation<'_>) -> Value {
        let threshold = &condition.threshold;
        if threshold.operator == Operator::NotEquals {
            let place = self.place.dotted("conditions").index(index).dotted("threshold.operator");
            compilation.warning(&place, "Azure no longer lists NotEquals for metric alerts and may refuse it");
        }
        let mut criterion = json!({
            "criterionType": "StaticThresholdCriterion",
            "name": format!("Alert Criteria {index}"),
            "metricName": condition.metric_name,
            "metricNamespace": self.set.resource_type,
            "timeAggregation": threshold.time_aggregation,
            "operator": threshold.operator,
            "threshold": whole(threshold.value),
        });
        if let Some(dimensions) = &condition.dimensions {
            criterion["dimensions"] = json!(dimensions);
        }
        criterion
    }
}

/// A number without a fraction where it has none: Azure gives back what people wrote.
fn whole(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the comparison shows that nothing is lost")]
    let integer = value as i64;
    #[expect(clippy::cast_precision_loss, reason = "the comparison shows that nothing is lost")]
    let same = integer as f64 == value;
    if same { json!(integer) } else { json!(value) }
}
