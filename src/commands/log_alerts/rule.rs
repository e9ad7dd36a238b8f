//! One log alert rule.

use serde_json::{Map, Value, json};

use super::definitions::{self, Definition, too_long};
use super::settings::{Alert, AlertSet, LogAlertSettings, Schedule, Suppress, Threshold};
use crate::azure::ResourceId;
use crate::azure::types::SCHEDULED_QUERY_RULE;
use crate::commands::shared::alerts::{AlertRule, Severity, action_groups, check_window, duration, rule_name, way_out};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::found::Found;
use crate::commands::shared::property::Literal::Flag;
use crate::commands::shared::property::{Property, sent};
use crate::commands::shared::retirements::{Retired, notice};
use crate::commands::shared::service::Named;
use crate::desired::{AnyCase, Texts};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// For how many minutes Azure can mute a rule (azurerm provider, scheduled_query_rules_alert_v2).
const MUTINGS: &[i64] = &[5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880];
/// The frequency in minutes up to which a rule can resolve its alerts (Azure Monitor, "Create a log search alert rule").
const LONGEST_RESOLVING_FREQUENCY: i64 = 720;
/// The action property that action groups take as the subject of their mails (Azure Monitor, "Customize email subject").
pub(super) const EMAIL_SUBJECT: &str = "Email.Subject";

/// The query of the one condition of a rule.
const QUERY: &str = "/properties/criteria/allOf/0/query";
const PAYLOAD: &str = "customisedActions.webhookJsonPayload";

/// The beginning of the names of rules.
pub(super) const PREFIX: &str = "log";

/// The properties of a rule that one setting says each.
pub(super) const PROPERTIES: &[Property<Alert>] = &[
    Property::always("enabled", "properties.enabled", Flag(true), |alert| sent(alert.enabled)),
    // While one alert of a rule that resolves them is open, Azure notifies of no other.
    Property::always("autoMitigate", "properties.autoMitigate", Flag(false), |alert| sent(alert.auto_mitigate)),
];

const ORIGINS: &[(&str, &str)] = &[
    ("name", "../../../../name"),
    ("name", "../../name"),
    ("name", "name"),
    ("properties.severity", "definition"),
    ("properties.severity", "severity"),
    ("properties.description", "definition"),
    ("properties.description", "description"),
    ("properties.evaluationFrequency", "definition"),
    ("properties.evaluationFrequency", "schedule.frequencyInMinutes"),
    ("properties.windowSize", "definition"),
    ("properties.windowSize", "schedule.timeWindowInMinutes"),
    ("properties.overrideQueryTimeRange", "definition"),
    ("properties.overrideQueryTimeRange", "parameters"),
    ("properties.skipQueryValidation", "definition"),
    ("properties.skipQueryValidation", "query"),
    ("properties.scopes", "/service.dependencies.workspace"),
    ("properties.muteActionsDuration", "suppress.enabled"),
    ("properties.muteActionsDuration", "suppress.mins"),
    ("properties.resolveConfiguration", "autoMitigate"),
    ("properties.ruleResolveConfiguration", "autoMitigate"),
    ("properties.actions.actionGroups", "/service.dependencies.actionGroups"),
    ("properties.actions.actionGroups", "service.dependencies.actionGroups"),
    ("properties.actions.actionProperties", "customisedActions.emailSubject"),
    ("properties.actions.customProperties", PAYLOAD),
    ("properties.criteria.allOf[].query", "exclusions"),
    ("properties.criteria.allOf[].query", "monitorOnPrem"),
    ("properties.criteria.allOf[].query", "definition"),
    ("properties.criteria.allOf[].query", "parameters"),
    ("properties.criteria.allOf[].query", "query"),
    ("properties.criteria", "definition"),
    ("properties.criteria", "parameters"),
    ("properties.criteria", "query"),
    ("properties.criteria.allOf[].operator", "definition"),
    ("properties.criteria.allOf[].operator", "threshold.operator"),
    ("properties.criteria.allOf[].threshold", "definition"),
    ("properties.criteria.allOf[].threshold", "threshold.value"),
    ("properties.criteria.allOf[].timeAggregation", "timeAggregation"),
    ("properties.criteria.allOf[].metricMeasureColumn", "measure"),
    ("properties.criteria.allOf[].dimensions", "dimensions"),
    ("properties.criteria.allOf[].failingPeriods", "failingPeriods"),
];

/// An alert and where it stands.
pub(super) struct Rule<'a> {
    pub(super) settings: &'a LogAlertSettings,
    pub(super) root: &'a Place,
    pub(super) group_name: &'a str,
    pub(super) set: &'a AlertSet,
    pub(super) alert: &'a Alert,
    /// The position in the set, part of the name.
    pub(super) index: usize,
    pub(super) place: &'a Place,
}

/// The values that an alert and its definition come to.
struct Whole<'a> {
    schedule: &'a Schedule,
    severity: Severity,
    threshold: &'a Threshold,
    query: &'a str,
    description: &'a String,
    suppress: Option<&'a Suppress>,
}

impl<'a> Rule<'a> {
    pub(super) fn compile(&self, group: &ResourceId, workspace: &Found, compilation: &mut Compilation<'_>) {
        let Ok(definition) = self.definition(compilation) else { return };
        let Some(whole) = self.whole(definition, compilation) else { return };
        let alert = self.alert;
        let (frequency, window) = (whole.schedule.frequency_in_minutes, whole.schedule.time_window_in_minutes);
        if alert.schedule.is_some() {
            check_window(frequency, window, self.place.dotted("schedule.timeWindowInMinutes"), compilation);
        }
        if let Some(problem) = alert.description.as_deref().and_then(too_long) {
            compilation.finding(self.place.dotted("description"), FindingCode::OutOfRange, problem);
        }
        let muting = whole.suppress.and_then(|suppress| self.muting(suppress, frequency, compilation));
        self.check_resolving(muting, frequency, compilation);
        let (condition, look_back, names) =
            self.condition((whole.query, whole.threshold), definition, (frequency, window), compilation);
        let is_built_in = definition.is_some_and(|definition| alert.query.is_none() && definition.is_built_in());
        let properties = json!({
            "severity": whole.severity.number(),
            "scopes": [workspace.id.as_str()],
            "evaluationFrequency": duration(frequency),
            "windowSize": duration(window),
            "overrideQueryTimeRange": look_back,
            "criteria": { "allOf": [condition] },
            "muteActionsDuration": muting.map(duration),
            // Azure takes only one of the ways in which alerts resolve, and api-version 2023-12-01 called the other by another name.
            "resolveConfiguration": Value::Null,
            "ruleResolveConfiguration": Value::Null,
            // The tables of the built-in queries are filled by what may be set up after the rules; Azure would refuse them.
            "skipQueryValidation": is_built_in,
            "actions": self.actions(compilation),
        });
        let publish = Published::first(
            "service.publish.logAlert",
            (alert.service.publish().and_then(|publish| publish.log_alert.as_ref()), self.place),
            (self.settings.service.publish().and_then(|publish| publish.log_alert.as_ref()), self.root),
        );
        let (set, name) = (self.set.name.as_ref(), alert.name.as_ref());
        let rule = AlertRule {
            alert: (alert, PROPERTIES),
            group,
            resource_type: &SCHEDULED_QUERY_RULE,
            name: (rule_name(PREFIX, self.group_name, set, name, self.index), &workspace.location),
            location: &workspace.location,
            properties,
            description: alert.description.as_ref(),
            default_description: whole.description.clone(),
            our_descriptions: Texts::Known(definitions::descriptions(&self.settings.definitions)),
            way_out: way_out(self.group_name, set, name),
            publish,
            // Listings may spell the names of what is excluded in another case than they did before.
            any_case: vec![AnyCase { pointer: QUERY, spans: names }],
            // Azure looks at every query of which nothing is said.
            also_right: if is_built_in { Vec::new() } else { vec![("properties.skipQueryValidation", Value::Null)] },
            origins: ORIGINS.to_vec(),
            place: self.place,
        };
        rule.add(compilation);
    }

    /// The values that the alert says, and its definition where the alert says nothing; findings for what neither says.
    fn whole<'b>(&'b self, definition: Option<&'b Definition>, compilation: &mut Compilation<'_>) -> Option<Whole<'b>> {
        let alert = self.alert;
        let schedule = alert.schedule.as_ref().or(definition.map(|definition| &definition.schedule));
        let severity = alert.severity.or(definition.map(|definition| definition.severity));
        let threshold = alert.threshold.as_ref().or(definition.map(|definition| &definition.threshold));
        let query = alert.query.as_ref().or(definition.map(|definition| &definition.query));
        let description = alert.description.as_ref().or(definition.map(|definition| &definition.description));
        let needed = [
            (schedule.is_none(), "schedule"),
            (severity.is_none(), "severity"),
            (threshold.is_none(), "threshold"),
            (query.is_none(), "query"),
            (description.is_none(), "description"),
        ];
        for (_, setting) in needed.iter().filter(|(is_missing, _)| *is_missing) {
            let message = "required, unless the alert names a definition";
            compilation.finding(self.place.dotted(setting), FindingCode::Missing, message);
        }
        Some(Whole {
            schedule: schedule?,
            severity: severity?,
            threshold: threshold?,
            query: query?,
            description: description?,
            suppress: alert.suppress.as_ref().or(definition.and_then(|definition| definition.suppress.as_ref())),
        })
    }

    /// A finding where the alert asks for what Azure does not let resolve.
    fn check_resolving(&self, muting: Option<i64>, frequency: i64, compilation: &mut Compilation<'_>) {
        if self.alert.auto_mitigate != Some(true) {
            return;
        }
        let mut refuse = |message: &str| {
            let place = self.place.dotted("autoMitigate");
            compilation.finding(place, FindingCode::CombinationNotInAzure, message);
        };
        if muting.is_some() {
            refuse(
                "an alert that is suppressed cannot resolve by itself; set suppress.enabled to false, or leave this out",
            );
        }
        if frequency > LONGEST_RESOLVING_FREQUENCY {
            refuse("an alert whose query runs less than every 12 hours cannot resolve by itself; leave this out");
        }
    }

    /// The actions: who is notified, and with what. A member that the alert does not say is not to be there: it may have said so before.
    fn actions(&self, compilation: &mut Compilation<'_>) -> Value {
        let own = self.alert.service.dependencies();
        let action_groups = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), self.place),
            (self.settings.service.dependencies().and_then(|root| root.action_groups.as_ref()), self.root),
            compilation,
        );
        let customised = self.alert.customised_actions.as_ref();
        let subject = customised.and_then(|customised| customised.email_subject.as_ref());
        let payload = customised.and_then(|customised| customised.webhook_json_payload.as_ref());
        json!({
            "actionGroups": action_groups.iter().map(ResourceId::as_str).collect::<Vec<_>>(),
            "actionProperties": subject.map(|subject| json!({ EMAIL_SUBJECT: subject })),
            "customProperties": payload.map(|payload| self.custom_properties(payload, compilation)),
        })
    }

    /// The definition that the alert names, when it names one; an error when there is none of that name, or nobody knows.
    fn definition(&self, compilation: &mut Compilation<'_>) -> Result<Option<&Definition>, ()> {
        let Some(name) = &self.alert.definition else { return Ok(None) };
        if self.settings.definitions_are_wrong {
            return Err(());
        }
        match definitions::find(&self.settings.definitions, &self.set.kind, name) {
            Ok(definition) => Ok(Some(definition)),
            Err(message) => {
                compilation.finding(self.place.dotted("definition"), FindingCode::UnknownDefinition, message);
                Err(())
            }
        }
    }

    /// For how many minutes the rule is muted after it fired, in a value that Azure has.
    fn muting(&self, suppress: &Suppress, frequency: i64, compilation: &mut Compilation<'_>) -> Option<i64> {
        if !suppress.enabled {
            return None;
        }
        let own = self.alert.suppress.is_some();
        let place = |setting: &str| self.place.dotted(if own { setting } else { "definition" });
        if suppress.windows.is_some() {
            compilation.warning(&place("suppress.windows"), notice(Retired::LogAlertSuppressWindows));
        }
        let Some(minutes) = suppress.mins else {
            compilation.warning(&place("suppress"), "suppress.mins is not set, so nothing is suppressed");
            return None;
        };
        let wanted = minutes.max(frequency);
        let longest = MUTINGS.iter().copied().max().unwrap_or(wanted);
        let muting = MUTINGS.iter().copied().find(|muting| *muting >= wanted).unwrap_or(longest);
        if muting != minutes {
            let reason = if muting < minutes {
                "Azure suppresses for at most two days"
            } else if muting == frequency {
                "Azure suppresses for at least the frequency"
            } else {
                "Azure does not allow this value"
            };
            let message = format!("{reason}; {muting} minutes are used instead of {minutes}");
            compilation.warning(&place("suppress.mins"), message);
        }
        Some(muting)
    }

    /// The top-level members of a payload as texts.
    fn custom_properties(&self, payload: &str, compilation: &mut Compilation<'_>) -> Value {
        let place = self.place.dotted(PAYLOAD);
        let members = match serde_json::from_str(payload) {
            Ok(Value::Object(members)) => members,
            Ok(_) => {
                compilation.finding(place, FindingCode::WrongType, "the payload must be a JSON object");
                return Value::Null;
            }
            Err(error) => {
                compilation.finding(place, FindingCode::WrongType, format!("the payload is invalid JSON: {error}"));
                return Value::Null;
            }
        };
        compilation.warning(&place, notice(Retired::LogAlertPayload));
        let text = |value: Value| match value {
            Value::String(text) => Value::String(text),
            other => Value::String(other.to_string()),
        };
        Value::Object(members.into_iter().map(|(name, value)| (name, text(value))).collect::<Map<_, _>>())
    }
}
