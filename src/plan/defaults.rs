//! Defaults shape what is created. On a resource that exists, what the document does not say stays as it is, and is told.

use serde_json::Value;

use super::change::shown;
use super::{Plan, compare, sentences};
use crate::desired::{Desired, World, body};

/// Notes the defaults that an existing resource differs from.
pub(super) fn note(resource: &Desired, existing: &Value, wanted: &Value, plan: &mut Plan) {
    let kind = resource.resource_type;
    let told: Vec<String> = differing(resource, existing, wanted)
        .into_iter()
        .map(|(path, before, after)| {
            format!("{path} {} (default: {})", shown(kind, &path, &before), shown(kind, &path, &after))
        })
        .collect();
    if !told.is_empty() {
        let name = sentences::full_name(&resource.id, kind.label);
        plan.notes.push(format!("The {name} keeps what the document does not set: {}.", told.join(", ")));
        plan.open_defaults += told.len();
    }
}

/// Makes the defaults that existing resources differ from a part of what is wanted. What Azure cannot change stays as it is.
pub fn enforce_defaults(desired: &mut [Desired], world: &World) {
    let World::Known(existing) = world else { return };
    for resource in desired.iter_mut().filter(|resource| resource.watch.is_none() && !resource.keep_existing) {
        let Some(existing) = existing.get(&resource.id) else { continue };
        for (path, before, after) in differing(resource, existing, &resource.body) {
            let mut fixed = resource.resource_type.fixed_properties().filter(|fixed| fixed.path == path);
            if fixed.all(|fixed| (fixed.allows)(&before, &after)) {
                body::put(&mut resource.body, &path, after);
            }
        }
    }
}

/// The defaults that an existing resource differs from: the path, what is there, and the default. What the document says, `wanted`, is no
/// default; what Azure does not show, sets by itself or keeps secret cannot be told.
fn differing(resource: &Desired, existing: &Value, wanted: &Value) -> Vec<(String, Value, Value)> {
    let resource_type = resource.resource_type;
    if resource.creation_body.is_null() {
        return Vec::new();
    }
    // In the words that Azure is sent, without what is not compared anyway.
    let defaults = body::writable(resource_type, &resource.creation_body);
    let differences = compare::differences(resource_type, &defaults, existing);
    differences
        .into_iter()
        .filter(|difference| !resource_type.is_secret(&difference.path) && body::at(wanted, &difference.path).is_none())
        .filter_map(|difference| Some((difference.path, difference.before?, difference.after?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::{APP_SETTINGS, STORAGE_ACCOUNT};
    use crate::azure::{ResourceId, ResourceType};
    use crate::plan::plan;
    use crate::settings::{Document, Place, SettingsPath};

    fn planned(kind: &'static ResourceType, body: Value, creation_body: Value, existing: Value) -> Plan {
        let document = Document::from_object(json!({})).unwrap();
        let place = Place::value(&document, SettingsPath::root());
        let id = ResourceId::new("/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/this");
        let desired = Desired { creation_body, ..Desired::new(id.clone(), kind, body, place) };
        plan(&[desired], &World::Known([(id, existing)].into()))
    }

    #[test]
    fn a_default_that_differs_is_told_and_stays() {
        let defaults =
            json!({"properties": {"networkAcls": {"bypass": "AzureServices", "defaultAction": "Allow"}, "a": 1}});
        let existing = json!({"properties": {"networkAcls": {"bypass": "None", "defaultAction": "Deny"}, "a": 1}});
        let of_account = |body| planned(&STORAGE_ACCOUNT, body, defaults.clone(), existing.clone());
        let plan = of_account(json!({}));
        assert!(plan.changes.is_empty() && plan.warnings.is_empty());
        assert_eq!(
            plan.notes,
            ["The storage account 'this' in resource group 'g' keeps what the document does not set: \
                 properties.networkAcls.bypass \"None\" (default: \"AzureServices\"), properties.networkAcls.defaultAction \"Deny\" \
                 (default: \"Allow\")."]
        );
        let plan = of_account(json!({"properties": {"networkAcls": {"defaultAction": "Allow"}}}));
        let changed: Vec<&str> = plan.changes[0].changes.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(changed, ["properties.networkAcls.defaultAction"]);
        let sent = &plan.changes[0].body.as_ref().unwrap()["properties"]["networkAcls"];
        assert_eq!(sent, &json!({"bypass": "None", "defaultAction": "Allow"}));
        assert!(plan.notes[0].ends_with("set: properties.networkAcls.bypass \"None\" (default: \"AzureServices\")."));
    }

    #[test]
    fn what_is_not_shown_or_not_ours_to_tell_is_no_news() {
        let told = |kind, defaults: Value, existing: Value| planned(kind, json!({}), defaults, existing).notes;
        let none: [String; 0] = [];
        let properties = |value: Value| json!({ "properties": value });
        assert_eq!(told(&STORAGE_ACCOUNT, properties(json!({"a": 1})), properties(json!({}))), none, "not shown");
        assert_eq!(
            told(
                &STORAGE_ACCOUNT,
                properties(json!({"statusOfPrimary": "a"})),
                properties(json!({"statusOfPrimary": "b"}))
            ),
            none,
            "Azure's own"
        );
        let secret = |value: &str| properties(json!({"AzureWebJobsStorage": value}));
        assert_eq!(told(&APP_SETTINGS, secret("one"), secret("two")), none, "a secret");
        assert_eq!(told(&STORAGE_ACCOUNT, json!({"kind": "A"}), json!({"kind": "A"})), none, "alike");
    }
}
