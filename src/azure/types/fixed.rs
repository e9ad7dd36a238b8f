//! The properties that Azure cannot change on a resource that exists, and what becomes of such a change.

use std::collections::HashMap;

use serde_json::Value;

use crate::azure::ResourceId;

/// A property that keeps its value unless Azure allows the change.
#[derive(Debug)]
pub struct Fixed {
    /// Path in the body. `[]` stands for every item of a list; what is at such a path is a value, or a list of values.
    pub path: &'static str,
    /// Whether Azure changes this value into that one. Null is a property that is to go.
    pub allows: fn(&Value, &Value) -> bool,
    /// The outcome of a change that Azure does not allow.
    pub otherwise: Otherwise,
}

/// The outcome of a change that Azure does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// The value stays as it is. That is the rule for it, and no news.
    Left,
    /// The value stays as it is, with a warning: the resource works with it.
    Kept,
    /// The run ends with an error before anything is changed. The way out, in the imperative and without a full stop: `use
    /// another name for …`.
    Refused(&'static str),
}

/// The location of a resource, which cannot be changed (Azure Resource Manager documentation, "Resource location").
pub(super) const LOCATION: Fixed = Fixed { path: "location", allows: never, otherwise: Otherwise::Kept };

/// For properties that Azure changes in no way.
pub(super) fn never(_: &Value, _: &Value) -> bool {
    false
}

/// Takes the id and the body that are wanted, the resource itself where it exists, and everything else that was read.
pub(super) type Refuses =
    fn(id: &ResourceId, desired: &Value, own: Option<&Value>, others: &HashMap<ResourceId, Value>) -> Option<Refused>;

/// Why a resource cannot be made, or become, what is wanted. It ends the run before anything is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The path in the body whose setting is to blame.
    pub path: &'static str,
    /// The reason, as the end of a sentence that begins with the resource: `is already in the network as 'x'`.
    pub reason: String,
    /// The way out, in the imperative and without a full stop.
    pub way_out: String,
}
