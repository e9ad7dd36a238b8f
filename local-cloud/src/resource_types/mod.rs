//! The facts that the local cloud knows of each resource type: one entry per type, one file per provider.
//!
//! Status codes and ways to follow a long-running operation are what Microsoft's own management libraries accept for the
//! type (azure-mgmt-* packages of 2026); their api-versions are in `published`. A type without an entry is stored as it comes.

mod action_groups;
mod actions;
mod activity_log_alerts;
mod address_pools;
mod address_range;
mod advisor;
mod alert_rules;
mod answers;
mod api_management;
mod app_service_plans;
pub(super) mod authorization;
mod bastion_hosts;
mod bodies;
mod cdn;
pub(super) mod collections;
mod components;
mod diagnostic_settings;
mod flex_consumption;
mod front_door_domains;
mod front_door_endpoints;
mod front_door_origins;
mod front_door_routes;
mod front_door_security;
mod identities;
mod insights;
mod keyvault;
mod log_queries;
mod metric_alerts;
mod network;
mod network_interfaces;
mod operationalinsights;
mod private_dns;
mod private_endpoints;
pub(super) mod private_link;
mod public_addresses;
mod resources;
mod scheduled_query_rules;
pub(super) mod shape;
mod site_config;
mod sites;
mod slots;
mod solutions;
mod storage;
mod storage_defaults;
mod storage_services;
mod subnets;
mod virtual_networks;
mod web;

pub(super) use self::actions::{Action, Call, action, command, needed_for_action, provider_action, question};
use self::actions::{ActionEntry, CommandEntry, changed};
pub(super) use self::answers::{Follow, Printed, Reply};
use self::answers::{by_async_operation, by_either_header, by_location, by_state, done, in_groups, in_lower_groups};
pub(super) use self::bodies::properties_mut;
use self::bodies::{
    complete_parts, fill, guid_of, known_value, list, list_mut, made_up_key, property, random_of, reference, text,
};
use super::moment::Moment;
use super::path::ResourceId;
use super::published;
use super::reply::{Answer, Refusal};
use super::state::{Body, State};

/// The rules of types for `location`, and the ways in which they print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocationRule {
    /// A region is required and printed run together: `uksouth`.
    Region,
    /// A region is required and printed for people: `UK South`.
    DisplayedRegion,
    /// A region or `global` is required; `global` stays as it is written.
    RegionOrGlobal,
    /// `global`, printed as `Global`, or one of these regions is required.
    GlobalOr(&'static [&'static str]),
    /// `global` is required.
    Global,
    /// Checked only when given.
    Optional,
    /// The type has none; what is sent is dropped.
    Absent,
}

/// The etag a type carries in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Etag {
    None,
    /// `"0x8D..."`, in the body, quoted.
    Storage,
    /// `W/"guid"`, in the body.
    Weak,
    /// `"guid"`, in the body, quoted.
    Strong,
}

/// A write (PUT, or PATCH already merged) as the functions of a type see it.
pub(super) struct Write<'a> {
    pub(super) id: &'a ResourceId,
    /// The wanted body, without what only the service sets.
    pub(super) body: &'a Body,
    /// The body that is there.
    pub(super) existing: Option<&'a Body>,
    pub(super) state: &'a State,
    pub(super) now: Moment,
    /// The api-version of the request; empty for what is not written by one.
    pub(super) api_version: &'a str,
}

/// The facts about a resource type.
pub(super) struct ResourceType {
    /// In the casing of the specifications.
    pub(super) name: &'static str,
    /// The spelling in which Azure prints it, where that is another one.
    pub(super) printed: Option<Printed>,
    pub(super) location: LocationRule,
    pub(super) create: Reply,
    /// The provisioning state while it is being created.
    pub(super) creating: &'static str,
    /// The one in the answer to the creation, where that is another.
    pub(super) accepted: Option<&'static str>,
    /// The words for its operations in URLs of the group, statuses and results, where they are not at a location.
    pub(super) operation_words: Option<(&'static str, &'static str)>,
    /// PUT on an existing one.
    pub(super) update: Reply,
    pub(super) patch: Reply,
    /// DELETE of an existing one; of a missing one it is 204.
    pub(super) delete: Reply,
    /// Whether the answer to a deletion has the resource that was there.
    pub(super) shows_deleted: bool,
    /// The time that a slow write takes in Azure, in seconds.
    pub(super) seconds: u32,
    /// Whether `properties.provisioningState` exists.
    pub(super) provisioning_state: bool,
    pub(super) etag: Etag,
    /// Whether a write may name, in `If-Match`, the etag that it expects.
    pub(super) checks_etag: bool,
    pub(super) system_data: bool,
    /// Names in `properties` that only the service sets.
    pub(super) read_only: &'static [&'static str],
    /// Names in `properties` that are for the write only, and in no answer.
    pub(super) write_only: &'static [&'static str],
    /// Whether no two resources of the type, in any subscription and group, may have one name.
    pub(super) worldwide_name: bool,
    /// Refuses a name; called for new resources only.
    pub(super) check_name: fn(&ResourceId) -> Result<(), Refusal>,
    /// Gives members that are in no shape of the type their own spelling.
    pub(super) spell: fn(&mut Body),
    /// Refuses a body, alone or together with what exists.
    pub(super) check: fn(&Write<'_>) -> Result<(), Refusal>,
    /// The properties of an existing resource that cannot be changed in every way, beside its location.
    pub(super) fixed: &'static [Fixed],
    /// Fills in what Azure fills in.
    pub(super) complete: fn(&Write<'_>, &mut Body),
    /// The resource that exists as soon as its parent does, as a body without id, name and type; refused where the
    /// parent is of a kind that has none.
    pub(super) implied: Option<Implied>,
    /// False for what a GET refuses and listings leave out: secrets, which an action gives.
    pub(super) readable: fn(&ResourceId) -> bool,
    /// Error code and message when it is missing, where they are not `ResourceNotFound`.
    pub(super) missing: Option<(&'static str, &'static str)>,
    pub(super) actions: &'static [ActionEntry],
    pub(super) commands: &'static [CommandEntry],
    /// A PATCH changes the tags; whatever else it sends has no effect.
    pub(super) patches_tags_only: bool,
    /// Adds what follows from other resources to a body that is about to be shown.
    pub(super) shown: Option<Shown>,
    /// The other resources that a write creates, replaces and removes.
    pub(super) companions: Option<Companions>,
    /// Refuses a deletion.
    pub(super) check_delete: fn(&Departure<'_>) -> Result<(), Refusal>,
    /// The id of the resource that takes this one along when it is deleted, where that is not the parent.
    pub(super) goes_with: Option<fn(&Body) -> Option<&str>>,
    /// The resource that takes the place of a deleted one, where something of it remains.
    pub(super) remains: Option<fn(&Body, Moment) -> Option<Body>>,
}

/// A property that cannot be changed in every way once the resource exists.
pub(super) struct Fixed {
    /// Its path in the body; `[]` stands for every item of a list.
    pub(super) path: &'static str,
    /// Refuses a change of it; the second argument is what exists.
    pub(super) check: fn(&Write<'_>, &Body) -> Result<(), Refusal>,
}

/// See [`ResourceType::implied`]; the argument is the parent.
pub(super) type Implied = fn(&Body) -> Result<Body, Refusal>;
/// See [`ResourceType::shown`].
pub(super) type Shown = fn(&State, &mut Body);
/// See [`ResourceType::companions`]; the body is what is about to be stored.
pub(super) type Companions = fn(&Write<'_>, &mut Body) -> Vec<Companion>;

/// The effect of a write on another resource.
pub(super) enum Companion {
    /// Creates it or replaces it.
    Put(Body),
    /// Removes the resource with this key.
    Remove(String),
}

/// A resource that is about to be deleted.
pub(super) struct Departure<'a> {
    pub(super) id: &'a ResourceId,
    pub(super) body: &'a Body,
    pub(super) state: &'a State,
    pub(super) now: Moment,
    /// The key of what is deleted: this resource, or the group it is in.
    pub(super) leaving: &'a str,
}

impl ResourceType {
    /// The api-versions that are taken, from the oldest on; none where any is.
    pub(super) fn api_versions(&self) -> &'static [&'static str] {
        published::api_versions(self.name)
    }
}

impl Departure<'_> {
    /// True when the resource itself is deleted and not its group.
    fn is_direct(&self) -> bool {
        self.leaving == self.id.key()
    }

    /// True when another resource goes along.
    fn takes_along(&self, key: &str) -> bool {
        key.strip_prefix(self.leaving).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The facts that most tracked resources have in common.
const TRACKED: ResourceType = ResourceType {
    name: "",
    printed: None,
    location: LocationRule::Region,
    create: done(201),
    creating: "Creating",
    accepted: None,
    operation_words: None,
    update: done(200),
    patch: done(200),
    delete: done(200),
    shows_deleted: false,
    seconds: 10,
    provisioning_state: true,
    etag: Etag::None,
    checks_etag: false,
    system_data: false,
    read_only: &[],
    write_only: &[],
    worldwide_name: false,
    check_name: |_| Ok(()),
    spell: |_| {},
    check: |_| Ok(()),
    fixed: &[],
    complete: |_, _| {},
    implied: None,
    readable: |_| true,
    missing: None,
    actions: &[],
    commands: &[],
    patches_tags_only: false,
    shown: None,
    companions: None,
    check_delete: |_| Ok(()),
    goes_with: None,
    remains: None,
};

/// The facts that most children and extensions have in common.
const PROXY: ResourceType = ResourceType { location: LocationRule::Absent, provisioning_state: false, ..TRACKED };

/// A type without an entry: a resource of a group.
static UNKNOWN_TRACKED: ResourceType = TRACKED;
/// A type without an entry that has no location: a lock, a policy.
static UNKNOWN_PROXY: ResourceType = PROXY;
/// A type without an entry: a child, an extension or a resource of a subscription.
static UNKNOWN_OTHER: ResourceType = ResourceType { location: LocationRule::Optional, ..TRACKED };

/// Every entry, by provider.
static PROVIDERS: &[&[ResourceType]] = &[
    resources::TYPES,
    storage::TYPES,
    storage_services::TYPES,
    network::TYPES,
    insights::TYPES,
    operationalinsights::TYPES,
    keyvault::TYPES,
    web::TYPES,
    api_management::TYPES,
    cdn::TYPES,
    advisor::TYPES,
    authorization::TYPES,
];

/// Every entry.
pub(super) fn all() -> impl Iterator<Item = &'static ResourceType> {
    PROVIDERS.iter().copied().flatten()
}

/// The entry of a type, if it has one.
pub(super) fn find(type_name: &str) -> Option<&'static ResourceType> {
    all().find(|entry| entry.name.eq_ignore_ascii_case(type_name))
}

/// The entry that holds for a resource.
pub(super) fn of(id: &ResourceId) -> &'static ResourceType {
    find(&id.type_name()).unwrap_or_else(|| {
        if published::is_unplaced(&id.type_name()) {
            return &UNKNOWN_PROXY;
        }
        let plain = id.group.is_some() && !id.is_child() && !id.is_extension();
        if plain { &UNKNOWN_TRACKED } else { &UNKNOWN_OTHER }
    })
}

/// Whether Azure is known to list the resources of a type.
pub(super) fn has_collection(sample: &ResourceId) -> bool {
    let type_name = sample.type_name();
    find(&type_name).is_some_and(|entry| (entry.readable)(sample))
        || published::has_collection(&type_name)
        || private_link::has_groups(&type_name)
}

/// The key of the resource that takes this one along when it is deleted.
pub(super) fn goes_with(body: &Body) -> Option<String> {
    let owner = find(text(body, "type")?)?.goes_with?;
    Some(owner(body)?.to_lowercase())
}

/// The remains of a resource that is deleted now.
pub(super) fn remains(body: &Body, now: Moment) -> Option<Body> {
    find(text(body, "type")?)?.remains?(body, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_can_be_followed_by_real_clients() {
        let mut seen = BTreeSet::new();
        for entry in all() {
            assert!(seen.insert(entry.name.to_lowercase()), "{} is listed twice", entry.name);
            for reply in [entry.create, entry.update, entry.patch] {
                assert!([200, 201, 202].contains(&reply.status), "{}: {reply:?}", entry.name);
                assert!(reply.status != 202 || reply.follow != Follow::Done, "{}: 202 leads nowhere", entry.name);
                if reply.follow == Follow::ProvisioningState {
                    assert!(entry.provisioning_state, "{} has no provisioning state to follow", entry.name);
                }
            }
            assert!([200, 202, 204].contains(&entry.delete.status), "{}: {:?}", entry.name, entry.delete);
        }
    }

    #[test]
    fn types_that_refuse_201_never_get_it() {
        for name in
            ["Microsoft.Storage/storageAccounts", "Microsoft.Insights/metricAlerts", "Microsoft.Web/serverfarms"]
        {
            let entry = find(name).unwrap();
            assert_ne!(entry.create.status, 201, "{name}");
        }
    }
}
