//! Values of a body that only another resource has: the host name that Azure gave to a web app, the key of a storage
//! account. They are never guessed: what can be read when the plan is made is compared, the rest is read just before it is sent.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Value, json};

use super::{Desired, World, compare};
use crate::azure::{ArmClient, ArmError, Refusal, ResourceId, ResourceType};

/// What the plan shows for a value that is not known yet.
pub(super) const KNOWN_AFTER_APPLY: &str = "(known after apply)";

/// A value of a body that only another resource has.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Where it goes in the body: `properties.hostName`.
    pub path: &'static str,
    /// The resource that has it.
    pub of: ResourceId,
    /// The facts of that resource's type.
    pub resource_type: &'static ResourceType,
    /// How it is had.
    pub source: Source,
    /// The whole value, in which `{}` stands for what the resource has.
    pub text: String,
}

/// How a value of another resource is had.
#[derive(Debug, Clone)]
pub enum Source {
    /// By reading the resource: the path of a property.
    Property(&'static str),
    /// By reading the resource: the host name in the URL at the path of a property.
    Host(&'static str),
    /// By a POST of one of its actions, whose answer is a secret.
    Action {
        /// The action: `listKeys`.
        name: &'static str,
        /// The JSON pointer of the value in the answer: `/keys/0/value`.
        pointer: &'static str,
        /// An existing value with this in it is right, without asking: `AccountName=stx;`.
        right: String,
    },
}

impl Source {
    /// The value in an answer; none when it is not there, or empty.
    fn read(&self, answer: &Value) -> Option<String> {
        let value = match self {
            Source::Property(path) | Source::Host(path) => compare::at(answer, path)?.as_str()?,
            Source::Action { pointer, .. } => answer.pointer(pointer)?.as_str()?,
        };
        let value = match self {
            Source::Host(_) => url::Url::parse(value).ok()?.host_str()?.to_owned(),
            Source::Property(_) | Source::Action { .. } => value.to_owned(),
        };
        Some(value).filter(|value| !value.is_empty())
    }
}

/// A desired resource with the values that can be known now, and the references that are left.
pub(super) fn resolve<'a>(
    resource: &'a Desired,
    existing: Option<&Value>,
    world: &World,
) -> (Cow<'a, Desired>, Vec<Reference>) {
    if resource.references.is_empty() {
        return (Cow::Borrowed(resource), Vec::new());
    }
    let mut resolved = resource.clone();
    let mut left = Vec::new();
    for reference in &resource.references {
        let value = match (&reference.source, world) {
            (Source::Property(_) | Source::Host(_), World::Known(world)) => world
                .get(&reference.of)
                .and_then(|of| reference.source.read(of))
                .map(|value| reference.text.replace("{}", &value)),
            (Source::Action { right, .. }, _) => existing
                .and_then(|existing| compare::at(existing, reference.path))
                .and_then(Value::as_str)
                .filter(|known| known.contains(right.as_str()))
                .map(str::to_owned),
            (Source::Property(_) | Source::Host(_), World::Unknown) => None,
        };
        match value {
            Some(value) => compare::put(&mut resolved.body, reference.path, json!(value)),
            None => left.push(reference.clone()),
        }
    }
    (Cow::Owned(resolved), left)
}

/// The body with the values that are known by now. Secrets among them are announced before anything else is done with them.
///
/// # Errors
/// The request that fails, or the value that is not there.
pub(super) async fn complete_body(
    client: &ArmClient,
    body: &Value,
    references: &[Reference],
) -> Result<Value, ArmError> {
    let mut body = body.clone();
    // An origin takes two values from one app: what is read is read once.
    let mut answers: HashMap<(&ResourceId, Option<&str>), Option<Value>> = HashMap::new();
    for reference in references {
        let (api_version, id) = (reference.resource_type.api_version, reference.of.as_str());
        let (action, what) = match &reference.source {
            Source::Property(path) | Source::Host(path) => (None, *path),
            Source::Action { name, .. } => (Some(*name), *name),
        };
        let answer = match answers.entry((&reference.of, action)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(match action {
                None => client.get(id, api_version).await?,
                Some(name) => client.action(&format!("{id}/{name}"), api_version).await?,
            }),
        };
        let Some(value) = answer.as_ref().and_then(|answer| reference.source.read(answer)) else {
            let message = format!("The {} {id} has no {what}.", reference.resource_type.label);
            return Err(ArmError::Refused(Box::new(Refusal {
                code: "ReferenceNotAvailable".to_owned(),
                message,
                ..Refusal::default()
            })));
        };
        if matches!(reference.source, Source::Action { .. }) {
            client.announce_secret(&value);
        }
        compare::put(&mut body, reference.path, json!(reference.text.replace("{}", &value)));
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::types::STORAGE_ACCOUNT;
    use crate::plan::{Existing, plan};
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
        assert_eq!(changed[0].changes[0].after.as_deref(), Some("\"at x.example!\""));
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
            assert_eq!(changed[0].changes[0].after.as_deref(), Some("\"(known after apply)\""));
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
