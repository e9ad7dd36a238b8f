//! The properties in Azure that settings become, for the reference: as the resources of the example documents say themselves.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::azure::ResourceType;
use crate::commands::shared::command::Command;
use crate::commands::shared::compilation::Project;
use crate::commands::shared::lookup::Services;
use crate::desired::body;
use crate::desired::items::pairs;
use crate::desired::origin::without_items;
use crate::settings::{Document, Place};

/// The property of a resource that a setting becomes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArmProperty {
    /// The setting, with dots and without the numbers of items: `storageAccounts.accountType`.
    pub setting: String,
    /// The type of the resource.
    pub resource_type: &'static str,
    /// The path in its body, without the numbers of items: `name`, `sku.name`, `properties.minimumTlsVersion`, `tags.svc-service`.
    pub property: String,
}

/// The path of the name of a resource.
const NAME: &str = "name";

impl Command {
    /// The properties that the settings become, as far as the example documents have them.
    #[must_use]
    pub fn arm_properties(&self) -> BTreeSet<ArmProperty> {
        let mut found: BTreeSet<ArmProperty> = self.documents().flat_map(|document| self.told_by(&document)).collect();
        // What is inside of another property that the setting becomes is said by that.
        let all = found.clone();
        found.retain(|known| !all.iter().any(|whole| known.is_inside(whole)));
        found
    }

    /// The properties that the resources of one document tell.
    fn told_by(&self, document: &Arc<Document>) -> BTreeSet<ArmProperty> {
        let compiled = self.read(document).compile(&Project::without_files(), &Services::NotRead);
        let of = |resource_type: &'static str, place: &Place, property: &str| ArmProperty {
            setting: without_numbers(&place.path().to_string()),
            resource_type,
            property: property.to_owned(),
        };
        let mut found: BTreeSet<ArmProperty> =
            compiled.names.iter().map(|name| of(name.resource_type, &name.place, NAME)).collect();
        for desired in &compiled.desired {
            let resource_type = desired.resource_type.name;
            let entries: Vec<(String, Place)> = desired.entries().collect();
            found.extend(entries.iter().map(|(path, place)| of(resource_type, place, path)));
            // Below an entry is what has the same names.
            let mut below = |path: &str| {
                let general = without_items(path);
                let origin = desired.said(path).filter(|_| entries.iter().all(|(entry, _)| *entry != general));
                found.extend(origin.map(|place| of(resource_type, &place, &general)));
            };
            for body in [&desired.body, &desired.creation_body] {
                visit(desired.resource_type, "", body, &mut below);
            }
            let tags = desired.tags.iter().chain(&desired.creation_tags);
            found.extend(tags.map(|(key, tag)| of(resource_type, &tag.place, &format!("tags.{key}"))));
        }
        // By a name, or by something that exists, a resource refers to another one: that is not what the setting becomes. A zone that is made
        // is tagged with what it is looked for by: that is the zone's, and not what the look-up becomes.
        let names: BTreeSet<String> =
            found.iter().filter(|known| known.property == NAME).map(|known| known.setting.clone()).collect();
        found.retain(|known| {
            let is_tag = known.property.starts_with("tags.");
            let refers = known.property != NAME && !is_tag && names.contains(&known.setting);
            let of_look_up = known.setting.contains("dependencies.") && (known.property == "location" || is_tag);
            !refers && !of_look_up
        });
        found
    }
}

impl ArmProperty {
    fn is_inside(&self, whole: &ArmProperty) -> bool {
        let rest = self.property.strip_prefix(whole.property.as_str());
        self.setting == whole.setting
            && self.resource_type == whole.resource_type
            && rest.is_some_and(|rest| rest.starts_with('.'))
    }
}

/// Visits the paths of everything in a body, with the keys of items.
fn visit(resource_type: &ResourceType, path: &str, value: &Value, visitor: &mut impl FnMut(&str)) {
    let mut below = |path: String, value: &Value| {
        visitor(&path);
        visit(resource_type, &path, value, visitor);
    };
    match value {
        Value::Object(members) => {
            let dot = if path.is_empty() { "" } else { "." };
            members.iter().for_each(|(key, value)| below(format!("{path}{dot}{key}"), value));
        }
        Value::Array(items) => {
            let pairs = pairs(resource_type, &body::without_names(path), items, &[]).into_iter().flatten();
            pairs.zip(items).for_each(|(pair, value)| below(format!("{path}[{}]", pair.label), value));
        }
        _ => {}
    }
}

/// A path of a setting without the numbers of items.
fn without_numbers(path: &str) -> String {
    path.split('.').map(|part| part.split('[').next().unwrap_or_default()).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use crate::commands::find;

    fn of(command: &str, setting: &str) -> Vec<(String, String)> {
        let properties = find(command).unwrap().arm_properties().into_iter();
        let own = properties.filter(|property| property.setting == setting);
        own.map(|property| (property.property, property.resource_type.to_owned())).collect()
    }

    fn one(property: &str, resource_type: &str) -> Vec<(String, String)> {
        vec![(property.to_owned(), resource_type.to_owned())]
    }

    #[test]
    fn what_is_set_in_a_list_is_found_with_numbers_choices_and_names() {
        let rule = "Microsoft.Insights/metricAlerts";
        let of = |setting: &str| of("New-SvcMonitorMetricAlerts", setting);
        let condition = "groups.alertSets.alerts.conditions";
        assert_eq!(of(&format!("{condition}.threshold.value")), one("properties.criteria.allOf.threshold", rule));
        assert_eq!(of(&format!("{condition}.threshold.operator")), one("properties.criteria.allOf.operator", rule));
        assert_eq!(of("groups.name"), one("name", rule));
        assert_eq!((of("component"), of("groups.alertSets.resourceType")), (vec![], vec![]));
    }

    #[test]
    fn what_is_depended_on_is_found_where_its_id_is_and_nowhere_else() {
        let settings = "service.dependencies.workspace";
        let setting = "Microsoft.Insights/diagnosticSettings";
        assert_eq!(of("New-SvcIaasBastionHost", settings), one("properties.workspaceId", setting));
    }

    #[test]
    fn a_zone_is_where_endpoints_refer_to_it_and_not_the_tag_that_it_is_found_by() {
        let group = "Microsoft.Network/privateEndpoints/privateDnsZoneGroups";
        let of = |setting: &str| of("New-SvcIaasPrivateEndpoints", setting);
        let zones = of("privateEndpoints.service.dependencies.privateZones");
        assert_eq!(zones, one("properties.privateDnsZoneConfigs.properties.privateDnsZoneId", group));
        assert_eq!(of("privateEndpoints.service.dependencies"), vec![]);
    }

    #[test]
    fn what_is_inside_of_what_a_setting_becomes_is_not_said_beside_it() {
        let rule = "Microsoft.Insights/activityLogAlerts";
        let causes = of("New-SvcMonitorResourceHealthAlerts", "alerts.reasonType");
        assert_eq!(causes, one("properties.condition.allOf", rule));
    }

    #[test]
    fn a_value_that_would_be_wrong_is_not_tried() {
        let properties = of("New-SvcIaasBastionHost", "bastionHosts.bastionHostSubnetPrefix");
        assert_eq!(properties, one("properties.addressPrefix", "Microsoft.Network/virtualNetworks/subnets"));
    }
}
