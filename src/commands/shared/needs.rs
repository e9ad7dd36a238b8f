//! The needs of look-ups: noted by a first compilation, read once for the whole run.

use std::collections::BTreeSet;

/// The reads that a run needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// A resource group is looked up.
    pub(crate) groups: bool,
    /// Another resource is looked up.
    pub(crate) resources: bool,
    /// A resource is looked up by its exception tag.
    pub(crate) exceptions: bool,
    /// A private DNS zone is looked up by its name.
    pub(crate) zones: bool,
    /// Types and publish names of resources that are needed whole.
    pub(crate) details: BTreeSet<(String, String)>,
    /// The same, with a type of what is below them, whose names are needed.
    pub(crate) children: BTreeSet<(String, String, &'static str)>,
    /// Publish names of resource groups of which it matters what is in them.
    pub(crate) contents: BTreeSet<String>,
    /// The same, with a type and a name of something below them that has to be there.
    pub(crate) parts: BTreeSet<(String, String, &'static str, String)>,
    /// Types and publish names of resources of which it matters what the caller may do with them.
    pub(crate) permissions: BTreeSet<(String, String)>,
    /// Resources of the document's own that decide by how they are what is wanted: their types, and their ids below the
    /// subscription, which is not known yet when they are noted.
    pub(crate) own: BTreeSet<(&'static str, String)>,
}

impl Needs {
    /// The needs of a look at everything that is published, or excepted, in the subscription.
    #[must_use]
    pub fn everything_published() -> Needs {
        Needs { groups: true, resources: true, exceptions: true, ..Needs::default() }
    }

    /// Adds what another document needs.
    pub fn join(&mut self, other: Needs) {
        let Needs { groups, resources, exceptions, zones, details, children, contents, parts, permissions, own } =
            other;
        self.groups |= groups;
        self.resources |= resources;
        self.exceptions |= exceptions;
        self.zones |= zones;
        self.details.extend(details);
        self.children.extend(children);
        self.contents.extend(contents);
        self.parts.extend(parts);
        self.permissions.extend(permissions);
        self.own.extend(own);
    }

    /// Whether the names of resources of a type are needed that are below others.
    pub(super) fn has_children(&self, children: &str) -> bool {
        self.children.iter().any(|(_, _, known)| *known == children)
    }
}
