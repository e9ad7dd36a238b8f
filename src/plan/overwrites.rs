//! The overwrites of a template: what it can say of a desired resource, and what it does to the existing one that the engine does not.

use serde_json::Value;

use super::change::{new_body, shown};
use super::compare;
use super::fixed::take_what_is_right;
use super::found::{Siblings, found};
use crate::azure::types::{APP_SETTINGS, SLOT_APP_SETTINGS};
use crate::desired::{Desired, body};

/// A desired resource as it has to be written where everything else is there already: under the name that the existing one has, and
/// without what others of its type and parent do. None where there is nothing that is ever written, or that is written once more.
#[must_use]
pub fn left_to_do(desired: &Desired, siblings: &Siblings<'_>) -> Option<Desired> {
    if desired.watch.is_some() || desired.never_made {
        return None;
    }
    let (resource, existing) = found(desired, siblings);
    if resource.keep_existing && existing.is_some() {
        return None;
    }
    let mut resource = resource.into_owned();
    if let Some(remainder) = resource.resource_type.remainder {
        // What exists under the wanted name stays in the template.
        resource.body = remainder(&resource.body, None, &mut siblings.of(&resource).map(|(_, body)| body))?;
    }
    Some(resource)
}

/// The changes of an existing resource that a template makes and the engine would not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Overwritten {
    /// Properties that the engine leaves as they are: `properties.minimumTlsVersion "TLS1_3" by "TLS1_2"`.
    pub properties: Vec<String>,
    /// Tags that others have set.
    pub tags: Vec<String>,
    /// App settings that others have set.
    pub settings: Vec<String>,
}

impl Overwritten {
    /// Whether it is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Overwritten::default()
    }
}

/// The parts of an existing resource that a deployment of a template overwrites and the engine keeps.
#[must_use]
pub fn overwritten(resource: &Desired, existing: &Value) -> Overwritten {
    let (resource_type, new) = (resource.resource_type, new_body(resource));
    let mut wanted = resource.body.clone();
    take_what_is_right(resource, existing, &mut wanted);
    let by_engine = compare::differences(resource_type, &wanted, existing);
    let is_by_engine = |path: &str| by_engine.iter().any(|difference| difference.path == path);
    let by_template = compare::differences(resource_type, &body::writable(resource_type, &new.body), existing);
    let properties = by_template.into_iter().filter(|difference| !is_by_engine(&difference.path));
    let properties = properties.filter_map(|difference| {
        let (before, after) = (difference.before.as_ref()?, difference.after.as_ref()?);
        let text = |value| shown(resource_type, &difference.path, value);
        Some(format!("{} {} by {}", difference.path, text(before), text(after)))
    });
    let members = |pointer: &str| existing.get(pointer).and_then(Value::as_object).into_iter().flatten();
    let has_tag = |key: &str| new.tags.keys().any(|known| known.eq_ignore_ascii_case(key));
    // Tags that begin so are Azure's own.
    let is_of_azure = |key: &str| key.to_ascii_lowercase().starts_with("hidden-");
    let tags = members("tags").map(|(key, _)| key).filter(|key| !has_tag(key) && !is_of_azure(key));
    let replaces_all = [APP_SETTINGS.name, SLOT_APP_SETTINGS.name].contains(&resource_type.name);
    let known = |name: &str| {
        let said = new.body.get("properties").and_then(Value::as_object);
        let references = resource.references.iter().chain(&resource.creation_references);
        said.into_iter().flatten().any(|(known, _)| known.eq_ignore_ascii_case(name))
            || references.filter_map(|reference| reference.path.strip_prefix("properties.")).any(|path| path == name)
    };
    let settings = members("properties").map(|(name, _)| name).filter(|name| replaces_all && !known(name));
    Overwritten {
        properties: properties.collect(),
        tags: if resource_type.tags.is_some() { tags.cloned().collect() } else { Vec::new() },
        settings: settings.cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::{STORAGE_ACCOUNT, SUBNET};
    use crate::azure::{ResourceId, ResourceType};
    use crate::desired::Watch;
    use crate::desired::World;
    use crate::settings::{Document, Place, SettingsPath};

    fn desired(path: &str, resource_type: &'static ResourceType, body: Value) -> Desired {
        let document = Document::from_object(json!({})).unwrap();
        let id = ResourceId::new(format!("/subscriptions/s/resourceGroups/g/providers/{path}"));
        Desired::new(id, resource_type, body, Place::value(&document, SettingsPath::root()))
    }

    #[test]
    fn what_the_engine_keeps_and_a_template_overwrites_is_told() {
        let account = Desired {
            creation_body: json!({"properties": {"minimumTlsVersion": "TLS1_2"}}),
            also_right: vec![("sku.name", json!("Standard_ZRS"))],
            ..desired(
                "Microsoft.Storage/storageAccounts/a",
                &STORAGE_ACCOUNT,
                json!({"sku": {"name": "Standard_LRS"}, "kind": "A"}),
            )
        };
        let account = Desired { also_right: vec![("kind", json!("B"))], ..account };
        let existing = json!({
            "sku": {"name": "Premium_LRS"}, "kind": "B",
            "properties": {"minimumTlsVersion": "TLS1_3"},
            "tags": {"owner": "shop", "hidden-link": "x"},
        });
        let told = overwritten(&account, &existing);
        assert_eq!(told.properties, [r#"kind "B" by "A""#, r#"properties.minimumTlsVersion "TLS1_3" by "TLS1_2""#]);
        assert_eq!(told.tags, ["owner"]);
        assert!(told.settings.is_empty());
    }

    #[test]
    fn app_settings_of_others_are_named_and_their_values_are_not() {
        let settings =
            desired("Microsoft.Web/sites/a/config/appsettings", &APP_SETTINGS, json!({"properties": {"OWN": "1"}}));
        let existing = json!({"properties": {"own": "1", "THEIRS": "secret"}});
        let told = overwritten(&settings, &existing);
        assert_eq!(told, Overwritten { settings: vec!["THEIRS".to_owned()], ..Overwritten::default() });
    }

    #[test]
    fn what_is_never_written_is_in_no_template() {
        let subnet = desired("Microsoft.Network/virtualNetworks/v/subnets/s", &SUBNET, json!({}));
        let kept = Desired { keep_existing: true, ..subnet.clone() };
        let world = World::Known([(subnet.id.clone(), json!({}))].into());
        let (here, nowhere) = (Siblings::in_world(&world), Siblings::in_world(&World::Unknown));
        assert!(left_to_do(&subnet, &here).is_some() && left_to_do(&kept, &nowhere).is_some());
        assert!(left_to_do(&kept, &here).is_none());
        assert!(left_to_do(&Desired { never_made: true, ..subnet.clone() }, &nowhere).is_none());
        assert!(left_to_do(&Desired { watch: Some(Watch::Unwanted), ..subnet }, &nowhere).is_none());
    }
}
