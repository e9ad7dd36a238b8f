//! The wanted and the existing resources: plain data that the stages hand on.

pub mod body;
mod existing;
mod group_content;
pub(crate) mod items;
pub(crate) mod origin;
mod owned_profile;
mod placeholder;
mod reference;
mod resource;

pub use existing::{Existing, World};
pub use group_content::GroupContent;
pub use owned_profile::OwnedProfile;
pub(crate) use placeholder::{KNOWN_AFTER_APPLY, has_placeholder, is_unknown, placeholder};
pub use reference::{Reference, Source};
pub use resource::{AnyCase, Desired, Required, Tag, Tags, Texts, Watch};
