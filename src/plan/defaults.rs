//! Defaults shape what is created. On a resource that exists, what the document does not say stays as it is, and is told.

use serde_json::Value;

use super::change::shown;
use super::{compare, sentences};
use crate::desired::{Desired, body};

/// One line about the defaults that an existing resource differs from; none when it differs from none. What the document says,
/// `wanted`, is no default; what Azure does not show, sets by itself or keeps secret cannot be told.
pub(super) fn kept(resource: &Desired, existing: &Value, wanted: &Value) -> Option<String> {
    let resource_type = resource.resource_type;
    if resource.creation_body.is_null() {
        return None;
    }
    // In the words that Azure is sent, without what is not compared anyway.
    let defaults = body::writable(resource_type, &resource.creation_body);
    let differences = compare::differences(resource_type, &defaults, existing);
    let told: Vec<String> = differences
        .iter()
        .filter(|difference| !resource_type.is_secret(&difference.path) && body::at(wanted, &difference.path).is_none())
        .filter_map(|difference| {
            let (before, after) = (difference.before.as_ref()?, difference.after.as_ref()?);
            let text = |value| shown(resource_type, &difference.path, value);
            Some(format!("{} {} (default: {})", difference.path, text(before), text(after)))
        })
        .collect();
    let name = sentences::full_name(&resource.id, resource_type.label);
    (!told.is_empty()).then(|| format!("The {name} keeps what the document does not set: {}.", told.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::{APP_SETTINGS, STORAGE_ACCOUNT};
    use crate::azure::{ResourceId, ResourceType};
    use crate::desired::World;
    use crate::plan::{Plan, plan};
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
