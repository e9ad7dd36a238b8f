//! One log alert rule.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::definitions::{self, Definition, built_in};
use super::query::{COMPUTER, Columns, fill, filtered, mentions, parameter_text, refused_operator};
use super::settings::{Alert, AlertSet, LogAlertSettings, Suppress};
use crate::azure::ResourceId;
use crate::azure::types::SCHEDULED_QUERY_RULE;
use crate::commands::shared::alerts::{AlertRule, action_groups, check_window, duration, rule_name, way_out};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::lookup::{Found, Wanted};
use crate::commands::shared::retirements::{Retired, notice};
use crate::commands::shared::service::{Named, is_nothing};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// For how many minutes Azure can mute a rule (azurerm provider, scheduled_query_rules_alert_v2).
const MUTINGS: &[i64] = &[5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440, 2880];
/// The frequency in minutes up to which a rule can resolve its alerts (Azure Monitor, "Create a log search alert rule").
const LONGEST_RESOLVING_FREQUENCY: i64 = 720;
/// The action property that action groups take as the subject of their mails (Azure Monitor, "Customize email subject").
const EMAIL_SUBJECT: &str = "Email.Subject";

const PAYLOAD: &str = "customisedActions.webhookJsonPayload";

const ORIGINS: &[(&str, &str)] = &[
    ("properties.enabled", "enabled"),
    ("properties.scopes", "/service.dependencies.workspace"),
    ("properties.muteActionsDuration", "suppress"),
    ("properties.autoMitigate", "suppress"),
    ("properties.actions.actionProperties", "customisedActions.emailSubject"),
    ("properties.actions.customProperties", PAYLOAD),
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

impl Rule<'_> {
    pub(super) fn compile(&self, group: &ResourceId, workspace: &Found, compilation: &mut Compilation<'_>) {
        let Ok(definition) = self.definition(compilation) else { return };
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
        let (Some(schedule), Some(severity), Some(threshold), Some(query), Some(description)) =
            (schedule, severity, threshold, query, description)
        else {
            return;
        };
        let (frequency, window) = (schedule.frequency_in_minutes, schedule.time_window_in_minutes);
        if alert.schedule.is_some() {
            check_window(frequency, window, self.place.dotted("schedule.timeWindowInMinutes"), compilation);
        }
        let suppress = alert.suppress.as_ref().or(definition.and_then(|definition| definition.suppress.as_ref()));
        let muting = suppress.and_then(|suppress| self.muting(suppress, frequency, compilation));
        let own = alert.service.dependencies();
        let action_groups = action_groups(
            (own.and_then(|own| own.action_groups.as_ref()), self.place),
            (self.settings.service.dependencies().and_then(|root| root.action_groups.as_ref()), self.root),
            compilation,
        );
        let mut actions = json!({ "actionGroups": action_groups.iter().map(ResourceId::as_str).collect::<Vec<_>>() });
        let customised = alert.customised_actions.as_ref();
        if let Some(subject) = customised.and_then(|customised| customised.email_subject.as_ref()) {
            actions["actionProperties"] = json!({ EMAIL_SUBJECT: subject });
        }
        if let Some(payload) = customised.and_then(|customised| customised.webhook_json_payload.as_ref()) {
            actions["customProperties"] = self.custom_properties(payload, compilation);
        }
        let properties = json!({
            "enabled": alert.enabled.unwrap_or(true),
            "severity": severity.number(),
            "scopes": [workspace.id.as_str()],
            "evaluationFrequency": duration(frequency),
            "windowSize": duration(window),
            "criteria": { "allOf": [{
                "query": self.query(query, definition, compilation),
                "timeAggregation": "Count",
                "operator": threshold.operator.wire(),
                "threshold": threshold.value,
            }] },
            "muteActionsDuration": muting.map(duration),
            "autoMitigate": muting.is_none() && frequency <= LONGEST_RESOLVING_FREQUENCY,
            "actions": actions,
        });
        // The tables of the built-in queries are filled by what may be set up after the rules; Azure would refuse them.
        let is_built_in = |definition: &Definition| built_in().iter().any(|known| std::ptr::eq(known, definition));
        let creation_properties = match definition {
            Some(definition) if alert.query.is_none() && is_built_in(definition) => {
                json!({ "skipQueryValidation": true })
            }
            _ => Value::Null,
        };
        let publish = Published::first(
            "service.publish.logAlert",
            (alert.service.publish().and_then(|publish| publish.log_alert.as_ref()), self.place),
            (self.settings.service.publish().and_then(|publish| publish.log_alert.as_ref()), self.root),
        );
        let rule = AlertRule {
            group,
            resource_type: &SCHEDULED_QUERY_RULE,
            name: self.name(&workspace.location, compilation),
            location: &workspace.location,
            properties,
            creation_properties,
            description: alert.description.as_ref(),
            default_description: description.clone(),
            is_our_description: |text| built_in().iter().any(|known| known.description == text),
            way_out: way_out(self.group_name, self.set.name.as_ref(), alert.name.as_ref()),
            publish,
            origins: self.origins(),
            place: self.place,
        };
        rule.add(compilation);
    }

    /// The definition that the alert names, when it names one; an error when there is none of that name.
    fn definition(&self, compilation: &mut Compilation<'_>) -> Result<Option<&Definition>, ()> {
        let Some(name) = &self.alert.definition else { return Ok(None) };
        match definitions::find(&self.settings.definitions, &self.set.kind, name) {
            Ok(definition) => Ok(Some(definition)),
            Err(message) => {
                compilation.finding(self.place.dotted("definition"), FindingCode::UnknownDefinition, message);
                Err(())
            }
        }
    }

    /// Where the properties come from: the alert, or the definition, or the root of the document, for what it leaves out.
    fn origins(&self) -> Vec<(&'static str, &'static str)> {
        const ACTION_GROUPS: &str = "service.dependencies.actionGroups";
        let alert = self.alert;
        let or_definition = |given: bool, setting: &'static str| if given { setting } else { "definition" };
        let own_groups = alert.service.dependencies().is_some_and(|own| own.action_groups.is_some());
        let criteria = [
            (alert.query.is_some(), "query"),
            (alert.parameters.is_some(), "parameters"),
            (alert.threshold.is_some(), "threshold"),
        ];
        let criteria = criteria.iter().find(|(given, _)| *given).map_or("definition", |(_, setting)| setting);
        let scheduled = alert.schedule.is_some();
        let own = [
            ("properties.severity", or_definition(alert.severity.is_some(), "severity")),
            ("properties.description", or_definition(alert.description.is_some(), "description")),
            ("properties.evaluationFrequency", or_definition(scheduled, "schedule.frequencyInMinutes")),
            ("properties.windowSize", or_definition(scheduled, "schedule.timeWindowInMinutes")),
            ("properties.criteria", criteria),
            (
                "properties.actions.actionGroups",
                if own_groups { ACTION_GROUPS } else { "/service.dependencies.actionGroups" },
            ),
        ];
        ORIGINS.iter().copied().chain(own).collect()
    }

    /// `log-<group>[-<set>][-<alert>]-<index>`, in the location of the workspace.
    fn name(&self, location: &str, compilation: &mut Compilation<'_>) -> String {
        let (set, alert) = (self.set.name.as_ref(), self.alert.name.as_ref());
        let name = rule_name("log", self.group_name, set, alert, self.index);
        let request = NameRequest {
            kind: ResourceKind::Alert,
            name: &name,
            architecture: Architecture::Monitor,
            location: Some(location).filter(|location| !location.is_empty()),
        };
        compilation.name(&SCHEDULED_QUERY_RULE, &request, &self.place.dotted("name"))
    }

    /// The query as it is sent: with its parameters and its filters.
    fn query(&self, query: &str, definition: Option<&Definition>, compilation: &mut Compilation<'_>) -> String {
        let place = self.place.dotted("query");
        let query = fill(query, &self.parameters(query, definition, compilation));
        // What a definition says is checked where it is read; a parameter may still bring something in.
        if let Some(refused) = refused_operator(&query) {
            let message = format!("the query uses '{refused}', which Azure's log alerts do not support");
            compilation.finding(place, FindingCode::QueryRefused, message);
        }
        let named = definition.map(|definition| definition.columns.as_deref().unwrap_or_default());
        let columns = match named {
            Some(named) if self.alert.query.is_none() => Columns::Named(named),
            _ => Columns::Unknown,
        };
        let has_computer = named.is_some_and(|named| named.iter().any(|column| column.eq_ignore_ascii_case(COMPUTER)));
        let excluded = self.excluded(has_computer, compilation);
        filtered(&query, columns, !self.alert.monitor_on_prem.unwrap_or_default(), &excluded)
    }

    /// The values of the parameters: those of the alert, else those of the definition.
    fn parameters(
        &self,
        query: &str,
        definition: Option<&Definition>,
        compilation: &mut Compilation<'_>,
    ) -> BTreeMap<String, String> {
        let defaults = definition.and_then(|definition| definition.parameters.as_ref());
        let mut values: BTreeMap<String, String> = defaults
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), parameter_text(value)?)))
            .collect();
        let known: Vec<String> = values.keys().cloned().collect();
        for (name, value) in self.alert.parameters.iter().flatten().filter(|(_, value)| !value.is_null()) {
            let place = self.place.dotted("parameters").member(name);
            let Some(text) = parameter_text(value) else {
                compilation.finding(place, FindingCode::WrongType, "expected text, a number, true or false");
                continue;
            };
            let declared = known.iter().find(|known| known.eq_ignore_ascii_case(name));
            let in_own_query = self.alert.query.is_some() && mentions(query, name);
            match declared {
                Some(declared) => {
                    values.insert(declared.clone(), text);
                }
                None if in_own_query => {
                    values.insert(name.clone(), text);
                }
                None => {
                    let has = if known.is_empty() {
                        "it has no parameters".to_owned()
                    } else {
                        format!("its parameters are {}", known.join(", "))
                    };
                    compilation
                        .warning(&place, format!("the query has no parameter '{name}', so it is ignored; {has}"));
                }
            }
        }
        values
    }

    /// The names of the resources that the alert is not for, each once.
    fn excluded(&self, has_computer: bool, compilation: &mut Compilation<'_>) -> Vec<String> {
        let place = self.place.dotted("exclusions");
        let exclusions: Vec<(usize, &String)> =
            self.alert.exclusions.iter().flatten().enumerate().filter(|(_, name)| !is_nothing(name)).collect();
        if exclusions.is_empty() {
            return Vec::new();
        }
        if !has_computer {
            let message = "the definition has no column Computer, which exclusions need; nothing is excluded";
            compilation.warning(&place, message);
            return Vec::new();
        }
        let mut names: Vec<String> = Vec::new();
        for (index, exclusion) in exclusions {
            for found in compilation.find(Wanted::Any).excepted_as(exclusion, &place.index(index)) {
                if !names.iter().any(|known| known.eq_ignore_ascii_case(found.id.name())) {
                    names.push(found.id.name().to_owned());
                }
            }
        }
        // Azure gives no order to what it lists, and another order would be another query.
        names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
        names
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
