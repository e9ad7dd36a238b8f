//! A front door that a document owns.

use super::Source;
use crate::azure::ResourceId;
use crate::settings::Place;

/// A front door that the document owns: what is in it and not in the document leaves it.
#[derive(Debug, Clone)]
pub struct OwnedProfile {
    /// Everything of the front door is in this profile.
    pub profile: ResourceId,
    /// The endpoint of the document. Others belong to somebody else.
    pub endpoint: ResourceId,
    /// Everything of the document that can be an origin, each with where Azure says under which host name it answers.
    pub apps: Vec<(ResourceId, Source)>,
    /// The object that describes it.
    pub place: Place,
}
