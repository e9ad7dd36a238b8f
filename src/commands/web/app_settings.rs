//! App settings: put among those that are there already, which stay.

use serde_json::{Map, Value, json};

use crate::azure::types::{APP_SETTINGS, SLOT, SLOT_APP_SETTINGS};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::Compilation;
use crate::desired::{Desired, Reference};
use crate::settings::Place;

/// The settings of one app or slot.
#[derive(Debug, Default)]
pub(super) struct AppSettings {
    /// Values by their names; null for one that is to go.
    pub(super) values: Map<String, Value>,
    /// Values that other resources have.
    pub(super) references: Vec<Reference>,
    /// The references from which values that are known were read.
    pub(super) read_from: Vec<Reference>,
    /// Paths of values that are only set where an app has none.
    pub(super) enough: Vec<&'static str>,
    /// The setting of the document that each comes from.
    pub(super) origins: Vec<(&'static str, &'static str)>,
}

impl AppSettings {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), json!(value));
    }

    /// Sets what an app may have another value of, which it keeps. `path` is that of the setting in the body.
    pub(super) fn set_where_missing(&mut self, name: &str, value: &str, path: &'static str) {
        self.set(name, value);
        self.enough.push(path);
    }

    /// Has a setting removed, where the app has it.
    pub(super) fn remove(&mut self, name: &str) {
        self.values.insert(name.to_owned(), Value::Null);
    }
}

/// The id of the settings of an app or slot, and the facts of their type.
pub(super) fn of(app: &ResourceId) -> (ResourceId, &'static ResourceType) {
    let is_slot = app.is_of_type(SLOT.name);
    let resource_type = if is_slot { &SLOT_APP_SETTINGS } else { &APP_SETTINGS };
    (resource_type.child_of(app, "appsettings"), resource_type)
}

/// The value of a setting in what was read, under a name in any letter case; none for one without text.
pub(super) fn value<'a>(read: Option<&'a Value>, name: &str) -> Option<&'a str> {
    let settings = read?.get("properties")?.as_object()?;
    let (_, value) = settings.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    value.as_str().filter(|text| !text.is_empty())
}

/// Adds the settings of an app or slot, where there are any. `lock` is the app.
pub(super) fn add(
    settings: AppSettings,
    app: &ResourceId,
    lock: &ResourceId,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    if settings.values.is_empty() && settings.references.is_empty() {
        return;
    }
    let (id, resource_type) = of(app);
    compilation.add(Desired {
        lock: Some(lock.clone()),
        references: settings.references,
        read_from: settings.read_from,
        enough: settings.enough,
        origins: settings.origins,
        ..Desired::new(id, resource_type, json!({ "properties": settings.values }), place.clone())
    });
}
