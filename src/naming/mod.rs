//! Generated names: the naming convention, the locations, and the rules Azure has for names.

mod azure_rules;
mod convention;
mod kind;
mod location;
mod project_files;
#[cfg(test)]
mod tests;

pub use azure_rules::check_name;
pub use convention::{Convention, NameContext, NameError, NameRequest, hash};
pub use kind::{Architecture, Environment, ResourceKind};
pub use location::{Location, normalise_location, same_location};
pub use project_files::project_convention;
