//! Microsoft.Network: what its types have in common, and their entries.

use super::{
    Departure, Etag, LocationRule, Refusal, ResourceId, ResourceType, State, TRACKED, bastion_hosts,
    by_async_operation, by_either_header, by_location, done, front_door_security, in_groups, network_interfaces,
    private_dns, private_endpoints, public_addresses, subnets, virtual_networks,
};
use crate::moment::Moment;
use crate::operations::Operation;
use std::time::Duration;

/// Among them are those that the commands of Azure CLI 2.91 use.
const NETWORK: ResourceType = ResourceType {
    create: by_async_operation(201),
    update: by_async_operation(200),
    delete: by_location(202),
    etag: Etag::Weak,
    patches_tags_only: true,
    check_name: |id| check_resource_name(id.name()),
    ..TRACKED
};
const NETWORK_CHILD: ResourceType =
    ResourceType { location: LocationRule::Absent, provisioning_state: true, ..NETWORK };
const DNS: ResourceType = ResourceType {
    location: LocationRule::Global,
    // REST specification of 2024-06-01, `PrivateZonePut`, `VirtualNetworkLinkPut`.
    create: by_either_header(202),
    update: by_either_header(202),
    patch: by_either_header(202),
    delete: by_either_header(202),
    operation_words: Some(("privateDnsOperationStatuses", "privateDnsOperationResults")),
    seconds: 30,
    etag: Etag::Strong,
    // REST specification of Microsoft.Network/privateDnsZones, `If-Match`.
    checks_etag: true,
    ..TRACKED
};

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: virtual_networks::NETWORK,
        read_only: &["resourceGuid", "defaultPublicNatGateway", "flowLogs"],
        check: virtual_networks::check_network,
        complete: virtual_networks::complete_network,
        companions: Some(virtual_networks::subnet_companions),
        shown: Some(virtual_networks::show_network),
        check_delete: virtual_networks::check_network_departure,
        ..NETWORK
    },
    ResourceType {
        name: subnets::SUBNET,
        read_only: subnets::SUBNET_READ_ONLY,
        check: subnets::check_subnet,
        complete: subnets::complete_subnet,
        shown: Some(subnets::show_subnet),
        check_delete: subnets::check_subnet_departure,
        ..NETWORK_CHILD
    },
    ResourceType { name: "Microsoft.Network/networkSecurityGroups", ..NETWORK },
    ResourceType {
        name: public_addresses::PUBLIC_ADDRESS,
        // Seen with addresses, route tables and load balancers: 412, `PreconditionFailedEtagMismatch`.
        checks_etag: true,
        read_only: &["ipAddress", "ipConfiguration", "resourceGuid"],
        check: public_addresses::check,
        fixed: public_addresses::FIXED,
        complete: public_addresses::complete,
        shown: Some(public_addresses::show),
        check_delete: public_addresses::check_departure,
        ..NETWORK
    },
    ResourceType {
        name: bastion_hosts::BASTION,
        patch: by_async_operation(202),
        seconds: 600,
        check: bastion_hosts::check,
        fixed: bastion_hosts::FIXED,
        complete: bastion_hosts::complete,
        check_delete: check_departure_not_busy,
        ..NETWORK
    },
    ResourceType {
        name: private_endpoints::ENDPOINT,
        checks_etag: true,
        seconds: 60,
        read_only: &["networkInterfaces", "customDnsConfigs"],
        check: private_endpoints::check,
        fixed: private_endpoints::FIXED,
        complete: private_endpoints::complete,
        companions: Some(private_endpoints::interface),
        shown: Some(private_endpoints::show),
        check_delete: private_endpoints::check_departure,
        ..NETWORK
    },
    ResourceType {
        name: private_dns::ZONE_GROUP,
        checks_etag: true,
        check: private_dns::check_zone_group,
        shown: Some(private_dns::show_zone_group),
        ..NETWORK_CHILD
    },
    ResourceType {
        name: network_interfaces::INTERFACE,
        read_only: &["privateEndpoint", "resourceGuid", "macAddress", "hostedWorkloads"],
        check: network_interfaces::check,
        complete: network_interfaces::complete,
        check_delete: network_interfaces::check_departure,
        goes_with: Some(network_interfaces::owner),
        ..NETWORK
    },
    ResourceType {
        name: private_dns::ZONE,
        read_only: private_dns::ZONE_READ_ONLY,
        check_name: |id| private_dns::check_zone_name(id.name()),
        complete: private_dns::complete_zone,
        shown: Some(private_dns::show_zone),
        check_delete: private_dns::check_zone_departure,
        ..DNS
    },
    ResourceType {
        name: private_dns::LINK,
        read_only: &["virtualNetworkLinkState"],
        check_name: |id| check_resource_name(id.name()),
        check: private_dns::check_link,
        fixed: private_dns::LINK_FIXED,
        complete: private_dns::complete_link,
        goes_with: Some(private_dns::network_of_link),
        ..DNS
    },
    ResourceType {
        name: front_door_security::FIREWALL_POLICY,
        // REST specification of 2024-02-01, `WafPolicyCreateOrUpdate`.
        printed: in_groups(
            "Microsoft.Network/frontdoorwebapplicationfirewallpolicies",
            "Microsoft.Network/FrontDoorWebApplicationFirewallPolicies",
        )
        .and_empty_tags(),
        location: LocationRule::GlobalOr(&[]),
        create: by_location(201),
        update: by_location(202),
        patch: done(200),
        read_only: front_door_security::FIREWALL_READ_ONLY,
        check_name: front_door_security::check_firewall_name,
        check: front_door_security::check_firewall,
        complete: front_door_security::complete_firewall,
        shown: Some(front_door_security::show_firewall),
        check_delete: front_door_security::check_firewall_departure,
        ..NETWORK
    },
    ResourceType {
        name: front_door_security::CLASSIC,
        location: LocationRule::GlobalOr(&[]),
        create: by_async_operation(201),
        update: by_async_operation(202),
        delete: by_async_operation(202),
        seconds: 240,
        etag: Etag::None,
        check_name: |_| Ok(()),
        check: front_door_security::check_classic,
        patches_tags_only: false,
        ..NETWORK
    },
];

/// 1 to 80 letters, digits, `_`, `.` and `-`; a letter or digit first, a letter, digit or `_` last. Source:
/// learn.microsoft.com, "Naming rules and restrictions for Azure resources".
pub(super) fn check_resource_name(name: &str) -> Result<(), Refusal> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let last = name.bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if first && last && name.len() <= 80 && name.bytes().all(legal) {
        return Ok(());
    }
    Err(Refusal::bad_request(
        "InvalidResourceName",
        format!(
            "Resource name {name} is invalid. The name can be up to 80 characters long. It must begin with a word character, and it \
             must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'."
        ),
    ))
}

/// The refusal of a body that does not make sense.
pub(super) fn invalid_format(message: &str) -> Refusal {
    Refusal::bad_request("InvalidRequestFormat", format!("Cannot parse the request. {message}"))
}

/// The refusal of an id that leads nowhere, or into another region.
pub(super) fn invalid_reference(target: &str, by: &ResourceId) -> Refusal {
    Refusal::bad_request(
        "InvalidResourceReference",
        format!(
            "Resource {target} referenced by resource {} was not found. Please make sure that the referenced resource exists, and \
             that both resources are in the same region.",
            by.text()
        ),
    )
}

/// Refuses a write that needs a resource while an operation works on it.
pub(super) fn check_not_busy(state: &State, id: &ResourceId, by: &ResourceId, now: Moment) -> Result<(), Refusal> {
    let own = state.get_any(&id.key()).and_then(|resource| resource.operation.as_ref());
    match own.and_then(|id| state.operation(id)) {
        Some(operation) => Err(another_operation(operation, by, now)),
        None => Ok(()),
    }
}

/// Refuses to delete what an operation works on.
pub(super) fn check_departure_not_busy(departure: &Departure<'_>) -> Result<(), Refusal> {
    match departure.is_direct() {
        true => check_not_busy(departure.state, departure.id, departure.id, departure.now),
        false => Ok(()),
    }
}

/// The refusal of a write while another operation works on what it needs. Private endpoints and what they use are refused
/// with 429, everything else with 409, as Azure does; both say when to try again.
pub(super) fn another_operation(operation: &Operation, by: &ResourceId, now: Moment) -> Refusal {
    let endpoint = |type_name: &str| type_name.eq_ignore_ascii_case(private_endpoints::ENDPOINT);
    let works_on_endpoint = ResourceId::parse(&operation.resource).is_some_and(|id| endpoint(&id.type_name()));
    let mut refusal = if endpoint(&by.type_name()) || works_on_endpoint {
        Refusal::new(
            429,
            "RetryableErrorDueToAnotherOperation",
            format!(
                "Operation on resource {} cannot proceed because operation {} on resource {} is in progress. Please retry later.",
                by.text(),
                operation.id,
                operation.resource
            ),
        )
    } else {
        Refusal::conflict(
            "AnotherOperationInProgress",
            format!(
                "Another operation on this or dependent resource is in progress: operation {} on resource {}.",
                operation.id, operation.resource
            ),
        )
    };
    let wait = operation.ends.map_or(Duration::from_secs(1), |end| now.until(end));
    refusal.retry_after = Some(wait.min(Duration::from_secs(15)));
    refusal
}
