//! Generated names: the naming convention and the locations.

mod as_they_are;
mod behind;
mod convention;
mod fallback;
mod kind;
mod location;
mod naming_files;
mod overrides;
mod parts;

pub use convention::{Convention, NameContext, NameError, NameRequest, hash};
pub use kind::{Architecture, Environment, ResourceKind, generator_of_worldwide};
pub use location::{Location, normalise_location, same_location};
pub use naming_files::{GENERATORS_SCHEMA, LOCATIONS_SCHEMA, RESOURCES_SCHEMA, TOKENS_SCHEMA};
pub use overrides::{NAMING_FOLDER, ProjectNames, project_convention};
pub use parts::{NamePart, NameParts, OF_NAME};

/// The values that editors offer for a setting, by the name in its schema; none where they are not names.
#[must_use]
pub fn offered(name: &str) -> Option<Vec<String>> {
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    Some(match name {
        "locations" => owned(Location::all().map(Location::display_name).collect()),
        "location names" => owned(Location::all().map(Location::name).collect()),
        "kinds" => owned(<ResourceKind as strum::VariantArray>::VARIANTS.iter().map(|kind| kind.name()).collect()),
        _ => return None,
    })
}
