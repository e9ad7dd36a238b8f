//! The regions of the local cloud: the public Azure regions, which are in `published.json`.

use super::published;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    /// The run-together form, `uksouth`.
    pub(super) name: &'static str,
    /// The form for people, `UK South`.
    pub(super) display_name: &'static str,
    /// The region geo-redundant storage copies to, if there is one.
    pub(super) pair: Option<&'static str>,
}

/// Every region.
pub(super) fn all() -> impl Iterator<Item = Region> {
    published::regions().map(|(name, display_name, pair)| Region {
        name,
        display_name,
        pair: (!pair.is_empty()).then_some(pair),
    })
}

/// The region a location names, ignoring case and blanks.
pub(super) fn find(location: &str) -> Option<Region> {
    let name = run_together(location);
    all().find(|region| region.name == name)
}

/// A location without blanks, in lower case: how Azure compares locations.
pub(super) fn run_together(location: &str) -> String {
    location.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase()
}
