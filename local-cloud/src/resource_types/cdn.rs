//! Microsoft.Cdn: Azure Front Door Standard and Premium. The classic sorts cannot be made any more, only imported.
//!
//! Sources: azure-rest-api-specs 2025-12-01; learn.microsoft.com "Azure Front Door" (domain.md, endpoint.md, limits); the wording
//! of refusals, error reports in issues of hashicorp/terraform-provider-azurerm and Azure/bicep-types-az.

use super::{
    ActionEntry, Departure, LocationRule, Printed, Refusal, ResourceId, ResourceType, TRACKED, Write,
    by_async_operation, by_location, front_door_domains, front_door_endpoints, front_door_origins, front_door_routes,
    front_door_security, in_lower_groups, known_value, text,
};
use crate::lookup::look_up;
use crate::state::Body;
use serde_json::Value;

pub(super) const PROFILE: &str = "Microsoft.Cdn/profiles";
pub(super) const ENDPOINT: &str = "Microsoft.Cdn/profiles/afdEndpoints";
pub(super) const ROUTE: &str = "Microsoft.Cdn/profiles/afdEndpoints/routes";
pub(super) const ORIGIN_GROUP: &str = "Microsoft.Cdn/profiles/originGroups";
pub(super) const DOMAIN: &str = "Microsoft.Cdn/profiles/customDomains";
pub(super) const SECRET: &str = "Microsoft.Cdn/profiles/secrets";
pub(super) const SECURITY_POLICY: &str = "Microsoft.Cdn/profiles/securityPolicies";
pub(super) const RULE_SET: &str = "Microsoft.Cdn/profiles/ruleSets";

/// The skus of Front Door. Every other one is of a CDN that is closed to new profiles.
pub(super) const FRONT_DOOR_SKUS: &[&str] = &["Standard_AzureFrontDoor", PREMIUM];
pub(super) const PREMIUM: &str = "Premium_AzureFrontDoor";

/// A child of a profile. Its `read_only` and its rules are its own.
const CHILD: ResourceType = ResourceType {
    location: LocationRule::Absent,
    create: by_async_operation(201),
    update: by_async_operation(200),
    patch: by_async_operation(202),
    delete: by_async_operation(202),
    seconds: 20,
    system_data: true,
    read_only: &["profileName", "deploymentStatus"],
    check_name: |id| check_name(id.name(), 90),
    check_delete: check_departure,
    ..TRACKED
};

/// A child of a profile as Azure prints it: all in lower case but the provider. Sources: azure-rest-api-specs, 2024-02-01
/// `Routes_Create`, `AFDOrigins_Create`, `SecurityPolicies_Create`, `Secrets_Create`, 2021-06-01 `AFDEndpoints_Create`.
const fn child(spelling: &'static str) -> Printed {
    in_lower_groups(spelling, spelling)
}

const PROFILE_ACTIONS: &[ActionEntry] = &[
    ("checkEndpointNameAvailability", front_door_endpoints::check_name_availability),
    ("checkHostNameAvailability", front_door_endpoints::check_host_name),
    ("usages", front_door_endpoints::usages),
];
const ENDPOINT_ACTIONS: &[ActionEntry] =
    &[("purge", front_door_endpoints::purge), ("validateCustomDomain", front_door_endpoints::validate_domain)];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: PROFILE,
        printed: in_lower_groups("Microsoft.Cdn/profiles", "Microsoft.Cdn/profiles").and_empty_tags(),
        location: LocationRule::RegionOrGlobal,
        create: by_location(201),
        update: by_location(202),
        patch: by_location(202),
        delete: by_location(202),
        seconds: 60,
        read_only: &["resourceState", "frontDoorId", "extendedProperties"],
        check_name: |id| check_name(id.name(), 260),
        check: front_door_endpoints::check_profile,
        complete: front_door_endpoints::complete_profile,
        actions: PROFILE_ACTIONS,
        check_delete: |_| Ok(()),
        ..CHILD
    },
    ResourceType {
        name: ENDPOINT,
        printed: child("Microsoft.Cdn/profiles/afdendpoints").and_empty_tags(),
        location: LocationRule::GlobalOr(&[]),
        read_only: &["profileName", "deploymentStatus", "hostName"],
        check_name: |id| check_name(id.name(), front_door_endpoints::LONGEST_NAME),
        check: front_door_endpoints::check_endpoint,
        complete: front_door_endpoints::complete_endpoint,
        actions: ENDPOINT_ACTIONS,
        ..CHILD
    },
    ResourceType {
        name: ROUTE,
        printed: Some(child("Microsoft.Cdn/profiles/afdendpoints/routes")),
        read_only: &["endpointName", "deploymentStatus"],
        check: front_door_routes::check,
        complete: front_door_routes::complete,
        ..CHILD
    },
    ResourceType {
        name: ORIGIN_GROUP,
        printed: Some(child("Microsoft.Cdn/profiles/origingroups")),
        check: front_door_origins::check_group,
        complete: complete_child,
        ..CHILD
    },
    ResourceType {
        name: "Microsoft.Cdn/profiles/originGroups/origins",
        printed: Some(child("Microsoft.Cdn/profiles/origingroups/origins")),
        create: by_location(201),
        update: by_location(202),
        read_only: &["originGroupName", "deploymentStatus"],
        check: front_door_origins::check_origin,
        complete: complete_child,
        check_delete: front_door_origins::check_origin_departure,
        ..CHILD
    },
    ResourceType {
        name: DOMAIN,
        printed: Some(child("Microsoft.Cdn/profiles/customdomains")),
        seconds: 60,
        read_only: &["profileName", "deploymentStatus", "domainValidationState", "validationProperties"],
        check_name: |id| check_name(id.name(), 260),
        check: front_door_domains::check_domain,
        complete: front_door_domains::complete_domain,
        commands: &[("refreshValidationToken", front_door_domains::refresh_token)],
        ..CHILD
    },
    ResourceType {
        name: SECRET,
        printed: Some(child("Microsoft.Cdn/profiles/secrets")),
        check_name: |id| check_name(id.name(), 260),
        check: front_door_domains::check_secret,
        complete: front_door_domains::complete_secret,
        ..CHILD
    },
    ResourceType {
        name: SECURITY_POLICY,
        printed: Some(child("Microsoft.Cdn/profiles/securitypolicies")),
        check_name: |id| check_name(id.name(), 260),
        check: front_door_security::check,
        complete: complete_child,
        ..CHILD
    },
    ResourceType {
        name: RULE_SET,
        printed: Some(child("Microsoft.Cdn/profiles/rulesets")),
        check: |write| require_front_door(write).map(drop),
        complete: complete_child,
        ..CHILD
    },
    ResourceType {
        name: "Microsoft.Cdn/profiles/ruleSets/rules",
        printed: Some(child("Microsoft.Cdn/profiles/rulesets/rules")),
        ..CHILD
    },
];

/// The refusal of a value.
pub(super) fn bad(message: String) -> Refusal {
    Refusal::bad_request("BadRequest", message)
}

/// The refusal of something that is there already, or in use.
pub(super) fn conflict(message: String) -> Refusal {
    Refusal::conflict("Conflict", message)
}

/// Letters, digits and inner hyphens.
fn check_name(name: &str, longest: usize) -> Result<(), Refusal> {
    let ends = [name.bytes().next(), name.bytes().last()];
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if name.len() <= longest
        && name.bytes().all(legal)
        && ends.iter().all(|end| end.is_some_and(|byte| byte.is_ascii_alphanumeric()))
    {
        return Ok(());
    }
    Err(bad(format!("The name '{name}' is invalid: 1 to {longest} letters, digits and inner hyphens are required.")))
}

/// The profile of a child.
pub(super) fn profile_id(id: &ResourceId) -> ResourceId {
    id.top()
}

/// The profile of a child, which is of Front Door.
pub(super) fn require_front_door(write: &Write<'_>) -> Result<Body, Refusal> {
    let profile = look_up(write.state, &profile_id(write.id))?.into_owned();
    match text(&profile, "sku/name").and_then(|sku| known_value(FRONT_DOOR_SKUS, sku)) {
        Some(_) => Ok(profile),
        None => Err(bad("That action isn't allowed in this profile.".to_owned())),
    }
}

/// The resource of the same profile that `{"id"}` leads to, with its body.
pub(super) fn in_profile(
    write: &Write<'_>,
    holder: &Value,
    type_names: &[&str],
) -> Result<(ResourceId, Body), Refusal> {
    let text = holder.get("id").and_then(Value::as_str).unwrap_or_default();
    let wrong = || bad(format!("'{text}' is not the id of a {} of this profile.", type_names.join(" or ")));
    let id = ResourceId::parse(text).ok_or_else(wrong)?;
    let fits = type_names.iter().any(|name| id.type_name().eq_ignore_ascii_case(name));
    if !fits || profile_id(&id).key() != profile_id(write.id).key() {
        return Err(wrong());
    }
    let body =
        look_up(write.state, &id).map_err(|_| bad(format!("The resource '{text}' does not exist.")))?.into_owned();
    Ok((id, body))
}

/// Fills in what every child of a profile has.
pub(super) fn complete_child(write: &Write<'_>, body: &mut Body) {
    let parent = write.id.parent();
    let name_of_parent = match parent.type_name() {
        kind if kind.eq_ignore_ascii_case(ENDPOINT) => "endpointName",
        kind if kind.eq_ignore_ascii_case(ORIGIN_GROUP) => "originGroupName",
        _ => "profileName",
    };
    if let Some(properties) = super::properties_mut(body) {
        properties.insert(name_of_parent.to_owned(), parent.name().into());
        properties.insert("deploymentStatus".to_owned(), "NotStarted".into());
    }
}

/// Refuses to delete what another child of the profile needs: an origin group and a domain that a route has, a domain that a security policy
/// protects, the secret of a domain.
fn check_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let key = departure.id.key();
    let user = departure.state.referrers(&key).find(|(other, user)| {
        let needs = [ROUTE, DOMAIN, SECURITY_POLICY].contains(&user.text("type"));
        needs && !departure.takes_along(other)
    });
    match user {
        None => Ok(()),
        Some((_, user)) => {
            let kind = match user.text("type") {
                ROUTE => "route",
                DOMAIN => "custom domain",
                _ => "security policy",
            };
            Err(conflict(format!(
                "This resource is still associated with a {kind}. Please delete the association with the {kind} first before \
                 deleting this resource. It is '{}'.",
                user.text("id")
            )))
        }
    }
}
