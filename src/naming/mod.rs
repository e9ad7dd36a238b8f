//! Generated names: the naming convention and the locations.

mod convention;
mod kind;
mod location;
mod project_files;

pub use convention::{Convention, NameContext, NameError, NameRequest, hash};
pub use kind::{Architecture, Environment, ResourceKind};
pub use location::{Location, normalise_location, same_location};
#[cfg(feature = "internals")]
pub use project_files::ProjectNames;
pub use project_files::project_convention;
