//! The answers to the writes of a type, and the spelling of the type in answers of Azure.

/// The way in which the client learns that a write is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// It is done when it is answered.
    Done,
    /// By the URL in the `Azure-AsyncOperation` header.
    AsyncOperation,
    /// By the URL in the `Location` header.
    Location,
    /// By either of these headers.
    EitherHeader,
    /// By `properties.provisioningState` of the resource.
    ProvisioningState,
}

/// The answer to one kind of write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) follow: Follow,
    /// Whether the resource is in the body. One that is created with 202 is found only when it is made, in either case.
    pub(crate) shows: bool,
}

const fn reply(status: u16, follow: Follow) -> Reply {
    Reply { status, follow, shows: status != 202 }
}

pub(super) const fn done(status: u16) -> Reply {
    reply(status, Follow::Done)
}

pub(super) const fn by_async_operation(status: u16) -> Reply {
    reply(status, Follow::AsyncOperation)
}

pub(super) const fn by_location(status: u16) -> Reply {
    reply(status, Follow::Location)
}

pub(super) const fn by_either_header(status: u16) -> Reply {
    reply(status, Follow::EitherHeader)
}

pub(super) const fn by_state(status: u16) -> Reply {
    reply(status, Follow::ProvisioningState)
}

/// A type as Azure prints it, where that is not as the request has it. A test holds every one against the answers of the
/// examples of the REST specifications.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printed {
    /// In `type`.
    pub(crate) type_name: &'static str,
    /// In ids: namespace and types.
    pub(crate) in_ids: &'static str,
    /// The word before the name of the group in ids.
    pub(crate) group_word: &'static str,
    /// Whether a resource without tags has `{}`.
    pub(crate) empty_tags: bool,
}

/// A type whose ids have `resourcegroups`.
pub(super) const fn in_lower_groups(type_name: &'static str, in_ids: &'static str) -> Printed {
    Printed { type_name, in_ids, group_word: "resourcegroups", empty_tags: false }
}

/// A type whose ids have `resourceGroups`.
pub(super) const fn in_groups(type_name: &'static str, in_ids: &'static str) -> Printed {
    Printed { group_word: "resourceGroups", ..in_lower_groups(type_name, in_ids) }
}

impl Printed {
    /// With `{}` where there are no tags.
    pub(super) const fn and_empty_tags(self) -> Option<Printed> {
        Some(Printed { empty_tags: true, ..self })
    }
}
