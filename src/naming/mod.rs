//! Generated names: the naming convention and the locations.

mod convention;
mod kind;
mod location;
mod overrides;

pub use convention::{Convention, NameContext, NameError, NameRequest, hash};
pub use kind::{Architecture, Environment, ResourceKind};
pub use location::{Location, normalise_location, same_location};
#[cfg(feature = "internals")]
pub use overrides::ProjectNames;
pub use overrides::project_convention;
