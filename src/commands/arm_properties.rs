//! What settings become in Azure, for the reference: what the resources say of themselves, and for every other setting what is
//! different in them when the examples have another value there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::azure::ResourceId;
use crate::commands::shared::command::Command;
use crate::commands::shared::compilation::{Compiled, Project};
use crate::commands::shared::lookup::Services;
use crate::desired::{Desired, Tags};
use crate::naming::{Convention, NameContext};
use crate::protocol::{EXCEPTION_TAG_KEY, SERVICE_TAG_KEY};
use crate::settings::{Document, Place};

/// A text that no example has. Short, so that it is whole in every name, and without a letter that counts as hexadecimal.
const MARK: &str = "zq7";

/// Keys by which only something else is found or decided: what is different then is not what they become.
const DECIDES: &[&str] = &["vnet", "resourceNameSpace", "fileShare", "resourceType", "dependencies"];

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

impl Command {
    /// The properties that the settings become, as far as the example documents have them.
    #[must_use]
    pub fn arm_properties(&self) -> BTreeSet<ArmProperty> {
        let examples: Vec<Example> = self.documents().map(|document| Example::of(self, &document)).collect();
        let mut found: BTreeSet<ArmProperty> = examples.iter().flat_map(Example::told).collect();
        let told: BTreeSet<String> = found.iter().map(|property| property.setting.clone()).collect();
        let mut choices = BTreeMap::new();
        collect_choices("", self.settings_schema().as_value(), &mut choices);
        for example in &examples {
            example.try_below(&example.document, "", "", &told, &choices, &mut found);
        }
        found.retain(|known| !DECIDES.contains(&known.setting.rsplit('.').next().unwrap_or_default()));
        // What is inside of another property that the setting becomes is said by that.
        let all = found.clone();
        found.retain(|known| !all.iter().any(|whole| known.is_inside(whole)));
        found
    }
}

impl ArmProperty {
    fn is_inside(&self, whole: &ArmProperty) -> bool {
        let rest = self.property.strip_prefix(whole.property.as_str());
        self.setting == whole.setting
            && self.resource_type == whole.resource_type
            && rest.is_some_and(|rest| rest.starts_with(['.', '[']))
    }
}

/// A document, and what it wants.
struct Example<'a> {
    command: &'a Command,
    project: Project,
    document: Value,
    compiled: Compiled,
}

impl Example<'_> {
    fn of<'a>(command: &'a Command, document: &Arc<Document>) -> Example<'a> {
        let project = Project {
            convention: Convention::builtin(),
            name_context: NameContext::default(),
            subscription: ResourceId::subscription("00000000-0000-0000-0000-000000000000"),
            service_tag_key: SERVICE_TAG_KEY.to_owned(),
            exception_tag_key: EXCEPTION_TAG_KEY.to_owned(),
            environment_tag: None,
            tags: Tags::default(),
        };
        let compiled = command.read(document).compile(&project, &Services::NotRead);
        Example { command, project, document: document.value().clone(), compiled }
    }

    /// What the resources say of the settings that they come from.
    fn told(&self) -> BTreeSet<ArmProperty> {
        let mut found = BTreeSet::new();
        for desired in &self.compiled.desired {
            let mut note = |place: &Place, property: String| {
                let setting = without_numbers(&place.path().to_string());
                // By a name, or by something that exists, a resource refers to another one: that is not what the setting becomes. What
                // is in items is seen when another value is tried.
                let of_item = property.contains("[]");
                let refers = of_item
                    || setting.ends_with(".name")
                    || setting.contains("dependencies.") && property == "location";
                if !refers {
                    found.insert(ArmProperty { setting, resource_type: desired.resource_type.name, property });
                }
            };
            for (path, _) in &desired.origins {
                note(&desired.origin(path), (*path).to_owned());
            }
            // A zone that is made is tagged with what it is looked for by: that is the zone's, and not what the look-up becomes.
            let of_look_up = |place: &Place| place.path().to_string().contains("dependencies.");
            for (key, tag) in
                desired.tags.iter().chain(&desired.creation_tags).filter(|(_, tag)| !of_look_up(&tag.place))
            {
                note(&tag.place, format!("tags.{key}"));
            }
        }
        found
    }

    /// Tries another value for each setting in a part of the document of which nothing was told.
    fn try_below(
        &self,
        part: &Value,
        pointer: &str,
        setting: &str,
        told: &BTreeSet<String>,
        choices: &BTreeMap<String, Vec<Value>>,
        found: &mut BTreeSet<ArmProperty>,
    ) {
        if !told.contains(setting) {
            let chosen = choices.get(setting).map(Vec::as_slice).unwrap_or_default();
            // What is found by a name is referred to by its id, whatever else is called after it.
            let is_reference = setting.contains("dependencies.");
            let mut differences =
                others(part, chosen).into_iter().filter_map(|other| self.difference(pointer, other, is_reference));
            let note = |(resource_type, property)| ArmProperty { setting: setting.to_owned(), resource_type, property };
            found.extend(differences.next().into_iter().flatten().map(note));
        }
        match part {
            Value::Object(members) => {
                for (key, value) in members {
                    let (dot, pointer) = (if setting.is_empty() { "" } else { "." }, format!("{pointer}/{key}"));
                    self.try_below(value, &pointer, &format!("{setting}{dot}{key}"), told, choices, found);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.try_below(item, &format!("{pointer}/{index}"), setting, told, choices, found);
                }
            }
            _ => {}
        }
    }

    /// What is different where the document has another value; none where that value is wrong, or where nothing is different.
    fn difference(&self, pointer: &str, other: Value, is_reference: bool) -> Option<BTreeSet<(&'static str, String)>> {
        let mut changed = self.document.clone();
        *changed.pointer_mut(pointer)? = other;
        let document = Document::parse(None, changed.to_string()).ok()?;
        let compiled = self.command.read(&document).compile(&self.project, &Services::NotRead);
        let (before, after) = (&self.compiled.desired, &compiled.desired);
        let is_same_type =
            |(before, after): (&Desired, &Desired)| before.resource_type.name == after.resource_type.name;
        if !compiled.findings.is_empty() || before.len() != after.len() || !before.iter().zip(after).all(is_same_type) {
            return None;
        }
        let is_marked = |(before, after): &(&Desired, &Desired)| {
            before.id.name() != after.id.name() && after.id.name().to_lowercase().contains(MARK)
        };
        let named = before.iter().zip(after).filter(|pair| !is_reference && is_marked(pair));
        let mut found: BTreeSet<(&'static str, String)> =
            named.map(|(before, _)| (before.resource_type.name, "name".to_owned())).collect();
        // Where a name is in other properties, too, it is there as the name.
        if found.is_empty() {
            let (ids_before, ids_after) = (ids(before), ids(after));
            for (before, after) in before.iter().zip(after) {
                let mut note = |path: &str| {
                    found.insert((before.resource_type.name, path.to_owned()));
                };
                for [before, after] in [[&before.body, &after.body], [&before.creation_body, &after.creation_body]] {
                    compare(&without_ids(before, &ids_before), &without_ids(after, &ids_after), "", &mut note);
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }
}

/// Other values that may be right in place of one.
fn others(value: &Value, chosen: &[Value]) -> Vec<Value> {
    if !chosen.is_empty() && !value.is_object() && !value.is_array() {
        return chosen.iter().filter(|choice| *choice != value && !choice.is_null()).cloned().collect();
    }
    match value {
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) => {
            let whole = number.as_i64().unwrap_or_default();
            [1, -1, 5, -5, whole, 25].iter().map(|more| json!(whole + more)).collect()
        }
        Value::String(text) => {
            let new = [
                MARK.to_owned(),
                format!("https://{MARK}.example.com/"),
                format!("{MARK}@example.com"),
                format!("{text}{MARK}"),
            ];
            new.into_iter().chain(with_another_digit(text)).map(Value::from).collect()
        }
        // Only an object of the user's own takes any key.
        Value::Object(_) => vec![json!({ MARK: MARK })],
        Value::Array(_) | Value::Null => Vec::new(),
    }
}

/// The text with one of its digits changed: what has a form, such as a telephone number, an address range or a GUID.
fn with_another_digit(text: &str) -> Vec<String> {
    let digits = text.char_indices().rev().filter_map(|(at, digit)| Some((at, digit.to_digit(10)?)));
    let changed = digits.map(|(at, digit)| format!("{}{}{}", &text[..at], (digit + 1) % 10, &text[at + 1..]));
    changed.take(12).collect()
}

/// The values that a schema lists, by setting.
fn collect_choices(setting: &str, schema: &Value, choices: &mut BTreeMap<String, Vec<Value>>) {
    if let Some(values) = schema["enum"].as_array() {
        choices.entry(setting.to_owned()).or_default().extend(values.iter().cloned());
    }
    for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
        let dot = if setting.is_empty() { "" } else { "." };
        collect_choices(&format!("{setting}{dot}{key}"), schema, choices);
    }
    // A list has its items behind the rule that it may say that it holds nothing.
    let kinds = schema["anyOf"].as_array().into_iter().flatten();
    kinds.chain(schema.get("items")).chain(schema.get("else")).for_each(|kind| collect_choices(setting, kind, choices));
}

/// The ids of resources, each with what stands for it; an id that has another one in it comes first.
fn ids(resources: &[Desired]) -> Vec<(&str, String)> {
    let mut ids: Vec<(&str, String)> =
        resources.iter().enumerate().map(|(index, resource)| (resource.id.as_str(), format!("<{index}>"))).collect();
    ids.sort_by_key(|(id, _)| std::cmp::Reverse(id.len()));
    ids
}

/// A body in which the ids of the document's own resources are what stands for them, whatever they are called.
fn without_ids(body: &Value, ids: &[(&str, String)]) -> Value {
    match body {
        Value::String(text) => ids.iter().fold(text.clone(), |text, (id, instead)| text.replace(id, instead)).into(),
        Value::Array(items) => items.iter().map(|item| without_ids(item, ids)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), without_ids(value, ids)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Tells the paths at which two bodies differ.
fn compare(before: &Value, after: &Value, path: &str, note: &mut impl FnMut(&str)) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) => {
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for key in keys {
                let dot = if path.is_empty() { "" } else { "." };
                let value = |members: &serde_json::Map<String, Value>| members.get(key).cloned().unwrap_or_default();
                compare(&value(before), &value(after), &format!("{path}{dot}{key}"), note);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            before.iter().zip(after).for_each(|(before, after)| compare(before, after, path, note));
        }
        _ => note(path),
    }
}

/// A path without the numbers of items.
fn without_numbers(path: &str) -> String {
    path.split('.').map(|part| part.split('[').next().unwrap_or_default()).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(zones, one("properties.privateDnsZoneConfigs", group));
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

    #[test]
    fn ids_of_the_document_stand_for_themselves_whatever_they_are_called() {
        let ids = [("/a/one/b/two", "<1>".to_owned()), ("/a/one", "<0>".to_owned())];
        let body = json!({ "of": ["/a/one/b/two/c", "/a/one"], "count": 2 });
        assert_eq!(without_ids(&body, &ids), json!({ "of": ["<1>/c", "<0>"], "count": 2 }));
    }

    #[test]
    fn a_digit_is_changed_from_the_end() {
        assert_eq!(with_another_digit("10.0/26"), ["10.0/27", "10.0/36", "10.1/26", "11.0/26", "20.0/26"]);
    }
}
