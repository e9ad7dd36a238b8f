//! The facts that Azure publishes beside the rules of its types: namespaces, collections and api-versions.
//!
//! The facts and their sources are in `published.json`.

use super::resource_types;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An api-version for types of which none is known, which take any.
pub(super) const ANY_VERSION: &str = "2025-04-01";

/// A type, the id of a group of it, and the private DNS zones that the group needs, where `{region}` is the region of the resource.
pub(super) type PrivateLinkGroup = (&'static str, &'static str, Vec<&'static str>);

/// The categories of what a type logs and measures, and the logs of the group `audit`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(super) struct Categories {
    pub(super) logs: Vec<&'static str>,
    pub(super) audit: Vec<&'static str>,
    pub(super) metrics: Vec<&'static str>,
}

/// A kind of storage accounts, the skus that it takes, and the services that it has.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(super) struct StorageKind {
    pub(super) skus: Vec<&'static str>,
    pub(super) endpoints: Vec<&'static str>,
}

#[derive(Default, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct Published {
    namespaces: Vec<&'static str>,
    /// The types without rules whose resources are listed.
    collections: Vec<&'static str>,
    /// By the beginning of a type name; the longest one holds.
    versions: BTreeMap<&'static str, Vec<&'static str>>,
    /// The built-in roles, by GUID.
    roles: BTreeMap<&'static str, &'static str>,
    /// The beginnings of the names of types that have no location, also in a resource group.
    unplaced: Vec<&'static str>,
    /// The types without rules that are made with 200.
    #[serde(rename = "madeWith200")]
    made_with_200: Vec<&'static str>,
    /// A type, the id of a group of it, and the private DNS zones that the group needs.
    #[serde(rename = "privateLinkGroups")]
    private_link_groups: Vec<PrivateLinkGroup>,
    /// Name, display name and paired region; an empty one where a region has none.
    regions: Vec<(&'static str, &'static str, &'static str)>,
    #[serde(rename = "diagnosticCategories")]
    diagnostic_categories: BTreeMap<&'static str, Categories>,
    #[serde(rename = "storageKinds")]
    storage_kinds: BTreeMap<&'static str, StorageKind>,
    /// The actions of a service in a subnet that is delegated to it, where these are not joining it.
    #[serde(rename = "delegationActions")]
    delegation_actions: BTreeMap<&'static str, Vec<&'static str>>,
    /// The first api-version of a type, in the same way, where it is not the first of all.
    first: BTreeMap<&'static str, &'static str>,
}

// A test reads the file too: it cannot be one that is not read here.
static PUBLISHED: LazyLock<Published> =
    LazyLock::new(|| serde_json::from_str(include_str!("published.json")).unwrap_or_default());

/// The api-versions of every type that is known, by its name in lower case.
static VERSIONS: LazyLock<BTreeMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let names = resource_types::all().map(|entry| entry.name).chain(PUBLISHED.collections.iter().copied());
    names.map(|name| (name.to_lowercase(), versions_of(name))).collect()
});

fn longest<'a, T>(table: &'a BTreeMap<&'static str, T>, type_name: &str) -> Option<&'a T> {
    let holds = |prefix: &&str| type_name.starts_with(prefix);
    table.iter().filter(|(prefix, _)| holds(prefix)).max_by_key(|(prefix, _)| prefix.len()).map(|(_, value)| value)
}

fn versions_of(type_name: &str) -> Vec<&'static str> {
    let first = longest(&PUBLISHED.first, type_name).copied().unwrap_or_default();
    let versions = longest(&PUBLISHED.versions, type_name).map_or(&[][..], Vec::as_slice);
    versions.iter().copied().filter(|version| *version >= first).collect()
}

/// The api-versions of a type, from the oldest on; none where they are not known.
pub(super) fn api_versions(type_name: &str) -> &'static [&'static str] {
    VERSIONS.get(&type_name.to_lowercase()).map_or(&[], Vec::as_slice)
}

/// Whether there is a resource provider of this namespace.
pub(super) fn has_namespace(namespace: &str) -> bool {
    PUBLISHED.namespaces.iter().any(|known| known.eq_ignore_ascii_case(namespace))
}

/// The GUIDs and names of built-in roles.
pub(super) fn roles() -> impl Iterator<Item = (&'static str, &'static str)> {
    PUBLISHED.roles.iter().map(|(guid, name)| (*guid, *name))
}

/// Whether a type without rules has no location, also in a resource group.
pub(super) fn is_unplaced(type_name: &str) -> bool {
    let type_name = type_name.to_lowercase();
    PUBLISHED.unplaced.iter().any(|prefix| type_name.starts_with(&prefix.to_lowercase()))
}

/// Whether the first PUT of a resource of a type without rules is answered with 200.
pub(super) fn is_made_with_200(type_name: &str) -> bool {
    PUBLISHED.made_with_200.iter().any(|known| known.eq_ignore_ascii_case(type_name))
}

/// Whether resources of this type, for which there are no rules, are listed.
pub(super) fn has_collection(type_name: &str) -> bool {
    PUBLISHED.collections.iter().any(|known| known.eq_ignore_ascii_case(type_name))
}

/// The groups by which private endpoints reach resources of a type.
pub(super) fn private_link_groups(type_name: &str) -> impl Iterator<Item = &'static PrivateLinkGroup> {
    PUBLISHED.private_link_groups.iter().filter(move |(name, ..)| name.eq_ignore_ascii_case(type_name))
}

/// The actions of a service in a subnet that is delegated to it, where it is not only joined.
pub(super) fn delegation_actions(service: &str) -> Option<&'static [&'static str]> {
    let known = PUBLISHED.delegation_actions.iter().find(|(name, _)| name.eq_ignore_ascii_case(service));
    known.map(|(_, actions)| actions.as_slice())
}

/// The diagnostic categories of a type; none where they are not known, and any is taken.
pub(super) fn diagnostic_categories(type_name: &str) -> Option<&'static Categories> {
    let mut all = PUBLISHED.diagnostic_categories.iter();
    all.find(|(name, _)| name.eq_ignore_ascii_case(type_name)).map(|(_, categories)| categories)
}

/// The kinds of storage accounts, by name.
pub(super) fn storage_kinds() -> impl Iterator<Item = (&'static str, &'static StorageKind)> {
    PUBLISHED.storage_kinds.iter().map(|(name, kind)| (*name, kind))
}

/// Name, display name and paired region of every region.
pub(super) fn regions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PUBLISHED.regions.iter().copied()
}

/// Every namespace there is.
pub(super) fn namespaces() -> impl Iterator<Item = &'static str> {
    PUBLISHED.namespaces.iter().copied()
}

/// The types of a namespace that have a collection and no rules.
pub(super) fn collections(namespace: &str) -> impl Iterator<Item = &'static str> {
    let of = move |name: &&str| name.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case(namespace));
    PUBLISHED.collections.iter().copied().filter(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_said_once_and_in_order() {
        let published: Published = serde_json::from_str(include_str!("published.json")).unwrap();
        for names in [&published.namespaces, &published.collections] {
            let mut seen = std::collections::BTreeSet::new();
            assert!(names.iter().all(|name| seen.insert(name.to_lowercase())), "{names:?}");
        }
        for name in &published.collections {
            assert!(resource_types::find(name).is_none(), "{name} has rules");
            assert!(has_namespace(name.split('/').next().unwrap()), "{name}");
        }
        for (prefix, versions) in &published.versions {
            assert!(versions.is_sorted_by_key(|version| &version[..10]), "{prefix}: {versions:?}");
            assert!(resource_types::all().any(|entry| entry.name.starts_with(prefix)), "{prefix} is of no type");
        }
        for prefix in published.first.keys() {
            assert!(resource_types::all().any(|entry| entry.name.starts_with(prefix)), "{prefix} is of no type");
        }
        for entry in resource_types::all() {
            assert!(!api_versions(entry.name).is_empty(), "{} has no api-versions", entry.name);
            assert!(has_namespace(entry.name.split('/').next().unwrap()), "{}", entry.name);
        }
    }
}
