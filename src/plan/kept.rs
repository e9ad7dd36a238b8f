//! The values that the settings want otherwise and that stay as they are, as hosts are told of them.

use serde_json::Value;

use super::change::shown;
use super::resource_name;
use crate::azure::{ResourceId, ResourceType};
use crate::desired::Desired;
use crate::protocol::{Kept, Warning};
use crate::settings::Place;

/// A property that stays as it is, with what is said of that.
pub(super) fn property(resource: &Desired, path: &str, existing: &Value, wanted: &Value, reason: Warning) -> Kept {
    let text = |value: &Value| (!value.is_null()).then(|| shown(resource.resource_type, path, value));
    Kept {
        path: path.to_owned(),
        wanted: text(wanted),
        existing: text(existing),
        ..resource_kept(&resource.id, resource.resource_type, &resource.place, reason)
    }
}

/// A resource that stays although the settings do not have it, with what is said of that.
#[must_use]
pub fn resource_kept(id: &ResourceId, resource_type: &ResourceType, place: &Place, reason: Warning) -> Kept {
    Kept {
        resource: resource_name(id, resource_type.name, resource_type.label),
        path: String::new(),
        wanted: None,
        existing: None,
        orphan: false,
        reason: reason.message,
        place: reason.place,
        document: place.document(),
    }
}
