//! The existing resources.

use std::collections::HashMap;

use serde_json::Value;

use crate::azure::ResourceId;

/// The resources that exist, by id.
pub type Existing = HashMap<ResourceId, Value>;

/// The knowledge of the world when the plan is made.
#[derive(Debug)]
pub enum World {
    /// The existing resources were read.
    Known(Existing),
    /// Nobody could be asked: a plan without credentials.
    Unknown,
}
