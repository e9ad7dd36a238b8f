//! Microsoft.Web: App Service plans, web apps, function apps and their slots.
//!
//! Sources: azure-rest-api-specs 2025-05-01, how creations are answered 2023-12-01 `CreateOrUpdateAppServicePlan`,
//! `CreateOrUpdateFunctionAppFlexConsumption` and `CloneWebAppSlot` (which leaves `cloningInfo` out of the answer); the wording of refusals, error reports in issues of Azure/bicep,
//! hashicorp/terraform-provider-azurerm and Azure/azure-cli.

use super::{
    Follow, LocationRule, PROXY, Refusal, Reply, ResourceId, ResourceType, TRACKED, app_service_plans, done,
    site_config, sites, slots,
};

const WEB: ResourceType = ResourceType {
    location: LocationRule::DisplayedRegion,
    create: Reply { status: 202, follow: Follow::EitherHeader, shows: true },
    provisioning_state: false,
    ..TRACKED
};

/// The facts that a site and a slot have in common.
const APP: ResourceType = ResourceType {
    seconds: 45,
    read_only: sites::READ_ONLY,
    write_only: &["cloningInfo"],
    companions: Some(site_config::companions),
    actions: sites::ACTIONS,
    commands: sites::COMMANDS,
    ..WEB
};

const CONFIG: ResourceType = ResourceType {
    create: done(200),
    check_name: site_config::check_name,
    check: site_config::check,
    complete: site_config::complete,
    companions: Some(site_config::companions_of_web),
    readable: site_config::is_readable,
    actions: site_config::ACTIONS,
    ..PROXY
};

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: app_service_plans::PLAN,
        provisioning_state: true,
        creating: "InProgress",
        seconds: 15,
        read_only: app_service_plans::READ_ONLY,
        check_name: app_service_plans::check_name,
        check: app_service_plans::check,
        fixed: app_service_plans::FIXED,
        complete: app_service_plans::complete,
        shown: Some(app_service_plans::show),
        check_delete: app_service_plans::check_departure,
        ..WEB
    },
    ResourceType {
        name: sites::SITE,
        check_name: sites::check_name,
        check: sites::check,
        complete: sites::complete,
        shown: Some(sites::show),
        ..APP
    },
    ResourceType {
        name: slots::SLOT,
        check_name: slots::check_name,
        check: slots::check,
        complete: slots::complete,
        shown: Some(slots::show),
        ..APP
    },
    ResourceType { name: "Microsoft.Web/sites/config", ..CONFIG },
    ResourceType { name: "Microsoft.Web/sites/slots/config", ..CONFIG },
];

pub(super) fn invalid_value(parameter: &str) -> Refusal {
    Refusal::bad_request("BadRequest", format!("The parameter {parameter} has an invalid value."))
}

/// Letters, digits and hyphens, so many of them.
pub(super) fn is_name(name: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// [`is_name`] for the name of a resource.
pub(super) fn check_name(
    id: &ResourceId,
    parameter: &str,
    lengths: std::ops::RangeInclusive<usize>,
) -> Result<(), Refusal> {
    if is_name(id.name(), lengths.clone()) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "BadRequest",
        format!(
            "The parameter {parameter} has an invalid value. '{}' is to be {} to {} letters, digits and hyphens.",
            id.name(),
            lengths.start(),
            lengths.end()
        ),
    ))
}
