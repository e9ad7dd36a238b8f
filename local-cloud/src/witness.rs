//! The knowledge of the local cloud about resource types, for tests that compare it with what somebody else knows.

use super::moment::Moment;
use super::path::ResourceId;
use super::resource_types::{self, ResourceType, Write};
use super::state::State;
use serde_json::Value;

/// A resource type of the local cloud.
#[derive(Clone, Copy)]
pub struct KnownType {
    entry: &'static ResourceType,
}

impl KnownType {
    /// The type of an id as the local cloud reads it; none where it has no entry for the type, or the text is the id of
    /// nothing.
    pub fn of(id: &str) -> Option<KnownType> {
        let entry = resource_types::find(&ResourceId::parse(id)?.type_name())?;
        Some(KnownType { entry })
    }

    /// The full type, in Azure's own casing.
    pub fn name(self) -> &'static str {
        self.entry.name
    }

    /// The api-versions that are taken; empty where any is.
    pub fn api_versions(self) -> &'static [&'static str] {
        self.entry.api_versions()
    }

    /// Whether no two resources of the type may have one name.
    pub fn has_worldwide_names(self) -> bool {
        self.entry.worldwide_name
    }

    /// The time that a slow write takes in Azure, in seconds.
    pub fn seconds(self) -> u32 {
        self.entry.seconds
    }

    /// Whether a write is refused whose `If-Match` names another etag than that of the resource.
    pub fn checks_etag(self) -> bool {
        self.entry.checks_etag
    }

    /// The paths of the properties that cannot be changed in every way, beside the location.
    pub fn fixed(self) -> impl Iterator<Item = &'static str> {
        self.entry.fixed.iter().map(|fixed| fixed.path)
    }

    /// Whether a fixed property is changed when a resource with an id, in an empty cloud, is written anew. What is wrong with
    /// the new body otherwise is no matter.
    pub fn changes(self, path: &str, id: &str, existing: &Value, wanted: &Value) -> bool {
        let (Some(id), Some(existing), Some(body)) = (ResourceId::parse(id), existing.as_object(), wanted.as_object())
        else {
            return false;
        };
        let state = State::default();
        let now = Moment::now();
        let write = Write { id: &id, body, existing: Some(existing), state: &state, now, api_version: "" };
        let fixed = self.entry.fixed.iter().filter(|fixed| fixed.path == path);
        fixed.map(|fixed| (fixed.check)(&write, existing)).all(|checked| checked.is_ok())
    }

    /// Whether a new resource of the type may have this id: its name, as far as that is not a matter of its body.
    pub fn takes(self, id: &str) -> bool {
        ResourceId::parse(id).is_some_and(|id| (self.entry.check_name)(&id).is_ok())
    }
}
