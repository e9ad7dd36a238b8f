//! The things that look-ups look for: a type, all of a namespace, or anything.

use super::found::Found;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, resource_type};
use crate::desired::placeholder;

/// The types that a publish name may stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted<'a> {
    /// Just this one.
    Type(&'a str),
    /// All of a namespace, such as `Microsoft.Storage`.
    Namespace(&'a str),
    /// All.
    Any,
}

impl Wanted<'_> {
    pub(crate) const GROUP: Wanted<'static> = Wanted::Type(RESOURCE_GROUP_TYPE);

    pub(super) fn fits(&self, found: &str) -> bool {
        match self {
            Wanted::Type(wanted) => wanted.eq_ignore_ascii_case(found),
            Wanted::Namespace(wanted) => {
                found.split('/').next().is_some_and(|namespace| namespace.eq_ignore_ascii_case(wanted))
            }
            // Groups are looked up among groups only.
            Wanted::Any => !found.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE),
        }
    }

    /// The words of sentences for one of what fits, and for several.
    pub(super) fn labels(&self) -> [String; 2] {
        let of = |whose: &str| [format!("resource of {whose}"), format!("resources of {whose}")];
        match self {
            Wanted::Type(wanted) => match resource_type(wanted) {
                Some(known) => [known.label.to_owned(), format!("{}s", known.label)],
                None => of(&format!("the type {wanted}")),
            },
            Wanted::Namespace(wanted) => of(wanted),
            Wanted::Any => ["resource".to_owned(), "resources".to_owned()],
        }
    }

    /// Stands for what is wanted under a publish name.
    pub(super) fn placeholder(&self, service: &str, subscription: &ResourceId) -> Found {
        let [label, _] = self.labels();
        let name = placeholder(&format!("{label} published as '{service}'"));
        let somewhere = || subscription.group(&unknown_group());
        let id = match self {
            Wanted::Type(wanted) if wanted.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) => subscription.group(&name),
            Wanted::Type(wanted) => somewhere().resource(wanted, &name),
            Wanted::Namespace(_) | Wanted::Any => somewhere().resource(&placeholder("its type"), &name),
        };
        Found::placeholder(id)
    }
}

/// The name of a resource group of which nothing is known.
pub(in crate::commands) fn unknown_group() -> String {
    placeholder("its resource group")
}
