//! The three activity log alerts of the subscription.

use serde_json::{Value, json};

use super::{GLOBAL, Run};
use crate::azure::ResourceId;
use crate::azure::types::{ACTIVITY_LOG_ALERT, KEY_VAULT, STORAGE_ACCOUNT, WORKSPACE};
use crate::commands::shared::alerts::as_actions;
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::property::Literal::Flag;
use crate::commands::shared::property::{self, Property, sent};
use crate::desired::Desired;
use crate::naming::{Architecture, Location, NameRequest, ResourceKind};
use crate::protocol::{FindingCode, nearest};
use crate::settings::Place;

/// The field of a service health event that says where it is (samples of "Service health alerts"); locations stand there as
/// people write them.
pub(super) const IMPACTED_REGIONS: &str = "properties.impactedServices[*].ImpactedRegions[*].RegionName";

/// An alert rule that every document has.
pub(super) struct KnownAlert {
    /// The end of its name.
    pub(super) suffix: &'static str,
    /// Its key in `alerts`.
    pub(super) key: &'static str,
    /// Its key in `service.publish`.
    pub(super) publish: &'static str,
    /// Whether the settings say which locations it reports.
    pub(super) has_locations: bool,
}

pub(super) const ALERTS: [KnownAlert; 3] = [
    KnownAlert { suffix: "KeyvaultAdmin", key: "keyvaultAdmin", publish: "keyvaultAdminAlert", has_locations: false },
    KnownAlert {
        suffix: "ResourceHealth",
        key: "resourceHealth",
        publish: "resourceHealthAlert",
        has_locations: false,
    },
    KnownAlert { suffix: "ServiceHealth", key: "serviceHealth", publish: "serviceHealthAlert", has_locations: true },
];

/// The settings of an alert.
struct Rule<'a> {
    known: &'static KnownAlert,
    action_group: &'a str,
    enabled: Option<bool>,
    publish: Published,
    conditions: Value,
    /// Whether the conditions are a default, which one that exists may have otherwise.
    is_default: bool,
}

/// The properties of a rule that one setting says each: whether it is enabled.
pub(super) const OF_RULE: &[Property<Option<bool>>] =
    &[Property::new("enabled", "properties.enabled", Flag(false), |enabled| sent(*enabled))];

impl Run<'_> {
    pub(super) fn alerts(&self, action_groups: &[(&str, ResourceId)], compilation: &mut Compilation<'_>) {
        let (alerts, publish) = (&self.settings.alerts, &self.settings.service.publish);
        let types: Vec<Value> =
            [&KEY_VAULT, &WORKSPACE, &STORAGE_ACCOUNT].map(|kind| resource_type(kind.name)).to_vec();
        let [keyvault_admin, resource_health, service_health] = &ALERTS;
        let rules = [
            Rule {
                known: keyvault_admin,
                action_group: &alerts.keyvault_admin.action_group_name,
                enabled: alerts.keyvault_admin.enabled,
                publish: self.published(keyvault_admin.publish, &publish.keyvault_admin_alert),
                conditions: json!([category("Administrative"), resource_type(KEY_VAULT.name)]),
                is_default: false,
            },
            Rule {
                known: resource_health,
                action_group: &alerts.resource_health.action_group_name,
                enabled: alerts.resource_health.enabled,
                publish: self.published(resource_health.publish, &publish.resource_health_alert),
                conditions: json!([category("ResourceHealth"), { "anyOf": types }]),
                is_default: false,
            },
            Rule {
                known: service_health,
                action_group: &alerts.service_health.action_group_name,
                enabled: alerts.service_health.enabled,
                publish: self.published(service_health.publish, &publish.service_health_alert),
                conditions: json!([
                    category("ServiceHealth"),
                    { "field": IMPACTED_REGIONS, "containsAny": self.impacted_locations(compilation) },
                ]),
                is_default: alerts.service_health.impacted_locations.is_none(),
            },
        ];
        for rule in rules {
            self.alert(rule, action_groups, compilation);
        }
    }

    fn alert(&self, rule: Rule<'_>, action_groups: &[(&str, ResourceId)], compilation: &mut Compilation<'_>) {
        let place = self.root.dotted("alerts").dotted(rule.known.key);
        let name = format!("{}-{}", self.settings.name, rule.known.suffix);
        let request = NameRequest::new(ResourceKind::Alert, &name, Architecture::Core, Some(GLOBAL));
        let name = compilation.name(&ACTIVITY_LOG_ALERT, &request, &self.root.dotted("name"));
        let notified = self.notified(rule.action_group, action_groups, &place.dotted("actionGroupName"), compilation);
        let id = ACTIVITY_LOG_ALERT.child_of(self.group, &name);
        let mut desired = Desired::new(id, &ACTIVITY_LOG_ALERT, json!({ "location": GLOBAL }), place);
        desired.origins.push(("properties.actions", "actionGroupName"));
        desired.origins.extend(rule.known.has_locations.then_some(("properties.condition", "impactedLocations")));
        desired.set("properties.scopes", Some(json!([compilation.subscription().as_str()])), Value::Null);
        desired.set("properties.actions.actionGroups", Some(as_actions(&notified)), Value::Null);
        property::put(OF_RULE, &rule.enabled, &mut desired, compilation);
        let condition = json!({ "allOf": rule.conditions });
        desired.set("properties.condition", (!rule.is_default).then(|| condition.clone()), condition);
        desired.tags = compilation.tags(Some(&rule.publish));
        desired.depends_on = notified;
        compilation.add(desired);
    }

    /// The action group of a name; a finding when there is none.
    fn notified(
        &self,
        name: &str,
        action_groups: &[(&str, ResourceId)],
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) -> Vec<ResourceId> {
        let found = action_groups.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if found.is_none() {
            let message = match nearest(name, action_groups.iter().map(|(known, _)| *known)) {
                Some(near) => format!("no action group of actionGroups has the name '{name}', did you mean '{near}'?"),
                None if action_groups.is_empty() => {
                    format!("no action group has the name '{name}', because actionGroups is empty; add it there")
                }
                None => {
                    let known: Vec<&str> = action_groups.iter().map(|(known, _)| *known).collect();
                    format!(
                        "no action group of actionGroups has the name '{name}'; known names are {}",
                        known.join(", ")
                    )
                }
            };
            compilation.finding(place.clone(), FindingCode::UnknownValue, message);
        }
        found.map(|(_, id)| id.clone()).into_iter().collect()
    }

    /// The locations to report, as people write them, each once.
    fn impacted_locations(&self, compilation: &mut Compilation<'_>) -> Vec<&'static str> {
        let place = self.root.dotted("alerts.serviceHealth.impactedLocations");
        let mut locations = Vec::new();
        match &self.settings.alerts.service_health.impacted_locations {
            // None of them would be a rule that never fires.
            Some(asked) if !asked.is_empty() => {
                for (index, text) in asked.iter().enumerate() {
                    if let Some(location) = compilation.known_location(text, place.index(index))
                        && !locations.contains(&location.display_name())
                    {
                        locations.push(location.display_name());
                    }
                }
            }
            // One that is not known is a finding of its own.
            _ => locations.extend(Location::find(self.location).map(Location::display_name)),
        }
        locations
    }
}

fn category(name: &str) -> Value {
    json!({ "field": "category", "equals": name })
}

fn resource_type(name: &str) -> Value {
    json!({ "field": "resourceType", "equals": name })
}
