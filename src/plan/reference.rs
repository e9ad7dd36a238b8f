//! Values of a body that only another resource has: the host name that Azure gave to a web app, the key of a storage
//! account. They are never guessed: what can be read when the plan is made is compared, the rest is read just before it is sent.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::change::References;
use crate::desired::{Desired, Reference, Source, World, body};

/// A desired resource with the values that can be known now, and where they and the others come from.
pub(super) fn resolve<'a>(
    resource: &'a Desired,
    existing: Option<&Value>,
    world: &World,
) -> (Cow<'a, Desired>, References) {
    let of_creation = resource.creation_references.iter().filter(|reference| is_meant(resource, existing, reference));
    let references: Vec<&Reference> = resource.references.iter().chain(of_creation).collect();
    let all = references.iter().copied().chain(&resource.read_from).cloned().collect();
    if references.is_empty() {
        return (Cow::Borrowed(resource), References { left: Vec::new(), all });
    }
    let mut resolved = resource.clone();
    let mut left = Vec::new();
    for reference in references {
        let value = match (&reference.source, world) {
            (Source::Property(_) | Source::Host(_), World::Known(world)) => world
                .get(&reference.of)
                .and_then(|of| reference.source.read(of))
                .map(|value| reference.text.replace("{}", &value)),
            (Source::Action { right, .. }, _) => existing
                .and_then(|existing| body::at(existing, reference.path))
                .and_then(Value::as_str)
                .filter(|known| known.contains(right.as_str()))
                .map(str::to_owned),
            (Source::Property(_) | Source::Host(_), World::Unknown) => None,
        };
        match value {
            Some(value) => body::put(&mut resolved.body, reference.path, json!(value)),
            None => left.push(reference.clone()),
        }
    }
    (Cow::Owned(resolved), References { left, all })
}

/// Whether a value that belongs to the creation is set: the resource is created, or has there what it has at the path of another
/// value of the same source.
fn is_meant(resource: &Desired, existing: Option<&Value>, reference: &Reference) -> bool {
    let Some(existing) = existing else { return true };
    let text = |path| body::at(existing, path).and_then(Value::as_str);
    let follows = |other: &Reference| {
        other.of == reference.of
            && text(other.path).zip(text(reference.path)).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
    };
    resource.references.iter().any(follows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::ResourceId;
    use crate::azure::types::STORAGE_ACCOUNT;
    use crate::desired::Existing;
    use crate::plan::plan;
    use crate::settings::{Document, Place, SettingsPath};

    fn reference(source: Source) -> Reference {
        let of = ResourceId::new("/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/other");
        Reference { path: "properties.note", of, resource_type: &STORAGE_ACCOUNT, source, text: "at {}!".to_owned() }
    }

    fn desired(source: Source) -> Desired {
        let document = Document::from_object(json!({})).unwrap();
        let id = ResourceId::new("/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/this");
        let place = Place::value(&document, SettingsPath::root());
        Desired { references: vec![reference(source)], ..Desired::new(id, &STORAGE_ACCOUNT, json!({}), place) }
    }

    fn world(resources: &[(&str, Value)]) -> World {
        let id = |name: &str| {
            ResourceId::new(format!(
                "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/{name}"
            ))
        };
        World::Known(resources.iter().map(|(name, body)| (id(name), body.clone())).collect::<Existing>())
    }

    #[test]
    fn a_value_that_can_be_read_is_compared() {
        let resource = desired(Source::Property("properties.host"));
        let other = ("other", json!({"properties": {"host": "x.example"}}));
        let right = world(&[other.clone(), ("this", json!({"properties": {"note": "at x.example!"}}))]);
        assert!(plan(std::slice::from_ref(&resource), &right).changes.is_empty());
        let wrong = world(&[other, ("this", json!({"properties": {"note": "at y.example!"}}))]);
        let changed = plan(&[resource], &wrong).changes;
        assert_eq!(changed[0].changes[0].after.as_ref().map(ToString::to_string).as_deref(), Some("\"at x.example!\""));
        assert_eq!(changed[0].body.as_ref().unwrap()["properties"]["note"], "at x.example!");
        assert!(changed[0].references.is_empty());
    }

    #[test]
    fn a_host_is_taken_out_of_its_url() {
        let answer =
            json!({"properties": {"gatewayUrl": "https://apim-x.azure-api.net/", "scmUrl": "none", "portalUrl": null}});
        let host = |path: &'static str| Source::Host(path).read(&answer);
        assert_eq!(host("properties.gatewayUrl").as_deref(), Some("apim-x.azure-api.net"));
        assert_eq!(host("properties.scmUrl"), None);
        assert_eq!(host("properties.portalUrl"), None);
    }

    #[test]
    fn a_value_of_what_does_not_exist_is_known_after_the_apply() {
        let resource = desired(Source::Property("properties.host"));
        for (world, existed) in [(World::Unknown, false), (world(&[]), false), (world(&[("this", json!({}))]), true)] {
            let changed = plan(std::slice::from_ref(&resource), &world).changes;
            assert_eq!(changed[0].changes[0].path, "properties.note");
            assert_eq!(
                changed[0].changes[0].after.as_ref().map(ToString::to_string).as_deref(),
                Some("\"(known after apply)\"")
            );
            assert_eq!(changed[0].references.len(), 1, "{existed}");
            assert!(changed[0].depends_on.contains(&resource.references[0].of));
        }
    }

    #[test]
    fn a_secret_is_not_asked_for_where_one_of_the_same_account_is_there() {
        let resource = desired(Source::Action {
            name: "listKeys",
            pointer: "/keys/0/value",
            right: "AccountName=other;".to_owned(),
        });
        let right = world(&[("this", json!({"properties": {"note": "AccountName=other;AccountKey=old"}}))]);
        assert!(plan(std::slice::from_ref(&resource), &right).changes.is_empty());
        let wrong = world(&[("this", json!({"properties": {"note": "AccountName=another;AccountKey=old"}}))]);
        assert_eq!(plan(&[resource], &wrong).changes[0].references.len(), 1);
    }
}
