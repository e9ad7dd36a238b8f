//! Microsoft.Cdn: Azure Front Door Standard and Premium; and what of the classic Front Door is looked up.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::front_door_parts::{protected_domains, requests_of, same_requests, without_domains, without_requests};
use super::name_rule::{ALPHANUMERIC_ENDS, LETTERS_DIGITS_HYPHENS, NameRule};
use super::{Exclusive, LeftAlone, Listing, ResourceType, RetiredValue, TagLimits};
use crate::azure::ResourceId;
use crate::protocol::Code;

const API_VERSION: &str = "2025-12-01";

/// Front Door profiles. Classic CDN profiles are of the same type.
pub static CDN_PROFILE: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles",
    label: "Front Door profile",
    api_version: API_VERSION,
    name_rule: Some(
        NameRule::new(1, 260, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS).called("CDN or Front Door profile"),
    ),
    listing: Listing::InGroup,
    tags: Some(TagLimits::FEW),
    read_only: &[
        "kind",
        "identity.principalId",
        "identity.tenantId",
        "identity.userAssignedIdentities.*.principalId",
        "identity.userAssignedIdentities.*.clientId",
        "properties.resourceState",
        "properties.extendedProperties",
        "properties.frontDoorId",
    ],
    left_alone: Some(profile_is_left_alone),
    // Sources: the retirement FAQs of Azure CDN and of Azure CDN from Edgio.
    retired_values: &[
        RetiredValue {
            path: "sku.name",
            is: |sku| names(sku, &["verizon", "edgio"]),
            notice: "Azure CDN from Edgio, formerly Verizon, was shut down on 15 January 2025",
        },
        RetiredValue {
            path: "sku.name",
            is: |sku| names(sku, &["akamai"]),
            notice: "Azure CDN from Akamai ended on 31 October 2023",
        },
        RetiredValue {
            path: "sku.name",
            is: |sku| names(sku, &["chinacdn"]),
            notice: "Azure CDN in China ended on 1 December 2025",
        },
        RetiredValue {
            path: "sku.name",
            is: |sku| names(sku, &["microsoft"]),
            notice: "Azure CDN from Microsoft (classic) takes no new profiles since 15 August 2025 and ends on 30 September 2027",
        },
    ],
    ..ResourceType::PLAIN
};

/// Endpoints of a Front Door profile: its own host names.
pub static FRONT_DOOR_ENDPOINT: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/afdEndpoints",
    label: "endpoint",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 46, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS).called("Front Door endpoint")),
    listing: Listing::InParent,
    tags: Some(TagLimits::FEW),
    read_only: &["properties.profileName", "properties.hostName", "properties.deploymentStatus"],
    told: Some(host_name),
    ..ResourceType::PLAIN
};

/// Routes of an endpoint.
pub static ROUTE: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/afdEndpoints/routes",
    label: "route",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 90, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    listing: Listing::InParent,
    read_only: &["properties.endpointName", "properties.deploymentStatus", "properties.customDomains[].isActive"],
    sets: &[
        "properties.patternsToMatch",
        "properties.supportedProtocols",
        "properties.cacheConfiguration.compressionSettings.contentTypesToCompress",
    ],
    exclusive: Some(Exclusive { has: requests_of, without: without_requests, replaces: same_requests }),
    ..ResourceType::PLAIN
};

/// Origin groups of a Front Door profile.
pub static ORIGIN_GROUP: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/originGroups",
    label: "origin group",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 90, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    listing: Listing::InParent,
    read_only: &["properties.profileName", "properties.deploymentStatus"],
    ..ResourceType::PLAIN
};

/// Origins of an origin group.
pub static ORIGIN: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/originGroups/origins",
    label: "origin",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 90, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    listing: Listing::InParent,
    read_only: &["properties.originGroupName", "properties.deploymentStatus"],
    any_case: &["properties.hostName"],
    known_by: Some("properties.hostName"),
    ..ResourceType::PLAIN
};

/// Custom domains of a Front Door profile.
pub static CUSTOM_DOMAIN: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/customDomains",
    label: "custom domain",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 260, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    listing: Listing::InParent,
    read_only: &[
        "properties.profileName",
        "properties.deploymentStatus",
        "properties.domainValidationState",
        "properties.validationProperties",
        // The settings say which one, or Azure manages one itself.
        "properties.tlsSettings.secret",
    ],
    any_case: &["properties.hostName"],
    known_by: Some("properties.hostName"),
    told: Some(validation),
    unfinished: Some(waits_for_validation),
    ..ResourceType::PLAIN
};

/// Secrets of a Front Door profile: references to certificates in key vaults. They hold nothing secret themselves.
pub static FRONT_DOOR_SECRET: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/secrets",
    label: "certificate reference",
    api_version: API_VERSION,
    listing: Listing::InParent,
    read_only: &[
        "properties.profileName",
        "properties.deploymentStatus",
        "properties.parameters.subject",
        "properties.parameters.expirationDate",
        "properties.parameters.certificateAuthority",
        "properties.parameters.subjectAlternativeNames",
        "properties.parameters.thumbprint",
    ],
    ..ResourceType::PLAIN
};

/// Security policies of a Front Door profile: which web application firewall policy holds for which domains.
pub static SECURITY_POLICY: ResourceType = ResourceType {
    name: "Microsoft.Cdn/profiles/securityPolicies",
    label: "security policy",
    api_version: API_VERSION,
    name_rule: Some(NameRule::new(1, 260, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    listing: Listing::InParent,
    read_only: &[
        "properties.profileName",
        "properties.deploymentStatus",
        "properties.parameters.associations[].domains[].isActive",
    ],
    exclusive: Some(Exclusive { has: protected_domains, without: without_domains, replaces: |_, _| false }),
    ..ResourceType::PLAIN
};

/// Web application firewall policies of a front door. They are only looked up.
pub static FIREWALL_POLICY: ResourceType = ResourceType {
    name: "Microsoft.Network/FrontDoorWebApplicationFirewallPolicies",
    label: "web application firewall policy",
    api_version: "2025-11-01",
    ..ResourceType::PLAIN
};

/// Classic front doors. They are only looked up: none can be made since April 2025.
pub static CLASSIC_FRONT_DOOR: ResourceType = ResourceType {
    name: "Microsoft.Network/frontDoors",
    label: "classic Front Door",
    api_version: "2025-11-01",
    // Source: the retirement FAQ of Azure Front Door (classic).
    retired: Some(
        "Azure Front Door (classic) takes no new front doors since 1 April 2025 and ends on 31 March 2027; a front door of the settings is Azure Front Door \
         Standard or Premium",
    ),
    ..ResourceType::PLAIN
};

/// Whether a sku is that of one of these vendors: `Standard_Verizon`.
fn names(sku: &str, vendors: &[&str]) -> bool {
    let sku = sku.to_lowercase();
    vendors.iter().any(|vendor| sku.contains(vendor))
}

/// The tiers of Front Door; a profile of any other is a classic CDN.
pub const STANDARD_FRONT_DOOR: &str = "Standard_AzureFrontDoor";
/// The tier with managed rules of the web application firewall, and private origins.
pub const PREMIUM_FRONT_DOOR: &str = "Premium_AzureFrontDoor";

/// The tier of a profile that is no Front Door but a classic CDN.
#[must_use]
pub fn classic_tier(profile: &Value) -> Option<&str> {
    let tier = text(profile, "/sku/name")?;
    let front_door = [STANDARD_FRONT_DOOR, PREMIUM_FRONT_DOOR];
    (!front_door.iter().any(|known| known.eq_ignore_ascii_case(tier))).then_some(tier)
}

/// A classic CDN has other children, and a Standard profile takes no Premium firewall policy: going on would leave a front
/// door half-done. (Azure Front Door documentation, "Migrate Azure CDN from Microsoft (classic)" and "Upgrade from Standard
/// to Premium tier".)
fn profile_is_left_alone(existing: &Value, wanted: &Value) -> Option<LeftAlone> {
    let name = text(existing, "/name").unwrap_or_default();
    let id = ResourceId::new(text(existing, "/id").unwrap_or_default());
    let group = id.resource_group().unwrap_or_default();
    if let Some(tier) = classic_tier(existing) {
        return Some(LeftAlone {
            code: Code::ClassicProfile,
            reason: format!("it is a classic CDN profile of the tier {tier}, which Azure has retired"),
            recommendation: format!(
                "Migrate it with 'Move-AzCdnProfileToAFD -ResourceGroupName {group} -ProfileName {name} -SkuName {STANDARD_FRONT_DOOR}' and then \
                 Invoke-AzCdnCommitProfileToAFDMigration, or delete it. Then run the command again."
            ),
        });
    }
    let (has, asked) = (text(existing, "/sku/name")?, text(wanted, "/sku/name")?);
    (has.eq_ignore_ascii_case(STANDARD_FRONT_DOOR) && asked.eq_ignore_ascii_case(PREMIUM_FRONT_DOOR)).then(|| LeftAlone {
        code: Code::TierTooLow,
        reason: format!("its tier is {has}, but a web application firewall policy or the sku in the settings requires {asked}"),
        recommendation: format!(
            "Upgrade it (without downtime, but it cannot be undone): 'Update-AzFrontDoorCdnProfile -ResourceGroupName {group} -ProfileName {name} \
             -ProfileUpgradeParameter @{{}}'. Then run the command again."
        ),
    })
}

fn host_name(endpoint: &Value) -> Option<Value> {
    text(endpoint, "/properties/hostName").map(|host| json!({ "hostName": host }))
}

/// The TXT record that proves that a domain is one's own; none when that is proved.
fn validation(domain: &Value) -> Option<Value> {
    let (state, [name, value]) = (open_state(domain)?, record(domain)?);
    Some(json!({
        "domainValidationState": state,
        "dnsRecord": { "type": "TXT", "name": name, "value": value },
    }))
}

fn waits_for_validation(domain: &Value, existing: &HashMap<ResourceId, Value>) -> Option<String> {
    let (state, host) = (open_state(domain)?, text(domain, "/properties/hostName")?);
    let Some([name, value]) = record(domain) else {
        return Some(format!("is not validated yet (state {state})"));
    };
    let profile = ResourceId::new(text(domain, "/id")?).parent();
    let mut endpoints = existing
        .iter()
        .filter(|(id, _)| id.parent() == profile && id.resource_type().eq_ignore_ascii_case(FRONT_DOOR_ENDPOINT.name));
    let target = match (endpoints.next(), endpoints.next()) {
        (Some((_, endpoint)), None) => text(endpoint, "/properties/hostName"),
        _ => None,
    };
    let traffic = target.map_or(String::new(), |target| {
        format!(", and for its traffic a CNAME record '{host}' that points to '{target}'")
    });
    // After a week without the record Azure gives up, and the token has to be made anew (Azure Front Door documentation,
    // "Domains in Azure Front Door").
    let renewal = if matches!(state, "TimedOut" | "Rejected") {
        "; Azure has given up waiting, so regenerate the validation token of the domain first"
    } else {
        ""
    };
    Some(format!(
        "is not validated yet (state {state}): it needs the TXT record '{name}' with the value '{value}'{traffic}{renewal}"
    ))
}

/// The state of a domain that is not validated.
fn open_state(domain: &Value) -> Option<&str> {
    text(domain, "/properties/domainValidationState").filter(|state| !state.eq_ignore_ascii_case("Approved"))
}

/// Name and value of the TXT record of a domain; that of a wildcard domain is at the domain above.
fn record(domain: &Value) -> Option<[String; 2]> {
    let host = text(domain, "/properties/hostName")?;
    let token = text(domain, "/properties/validationProperties/validationToken")?;
    Some([format!("_dnsauth.{}", host.trim_start_matches("*.")), token.to_owned()])
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cdn/profiles/fd";

    fn domain(state: &str, host: &str) -> Value {
        json!({ "id": format!("{PROFILE}/customDomains/d"), "properties": {
            "hostName": host, "domainValidationState": state, "validationProperties": { "validationToken": "token-1" } } })
    }

    #[test]
    fn tiers_of_classic_networks_are_retired() {
        let notice = |sku: &str| CDN_PROFILE.retirement("sku.name", &sku.into());
        for (sku, vendor) in [
            ("Premium_Verizon", "Edgio"),
            ("edgio", "Edgio"),
            ("Standard_Akamai", "Akamai"),
            ("Standard_ChinaCdn", "China"),
            ("Standard_Microsoft", "Microsoft"),
        ] {
            assert!(notice(sku).is_some_and(|notice| notice.contains(vendor)), "{sku}");
        }
        assert_eq!((notice(STANDARD_FRONT_DOOR), notice(PREMIUM_FRONT_DOOR)), (None, None));
        assert!(CLASSIC_FRONT_DOOR.retired.is_some_and(|notice| notice.contains("2027")));
    }

    #[test]
    fn a_domain_that_is_not_validated_tells_its_record() {
        let told = validation(&domain("Pending", "www.contoso.com")).unwrap();
        assert_eq!(told["dnsRecord"], json!({"type": "TXT", "name": "_dnsauth.www.contoso.com", "value": "token-1"}));
        assert_eq!(told["domainValidationState"], "Pending");
        assert_eq!(
            validation(&domain("Submitting", "*.contoso.com")).unwrap()["dnsRecord"]["name"],
            "_dnsauth.contoso.com"
        );
        assert_eq!(validation(&domain("Approved", "www.contoso.com")), None);
    }

    #[test]
    fn what_a_waiting_domain_needs_is_one_sentence() {
        let none = HashMap::new();
        let sentence = |state: &str, existing: &HashMap<ResourceId, Value>| {
            waits_for_validation(&domain(state, "www.contoso.com"), existing)
        };
        assert_eq!(sentence("Approved", &none), None);
        let record = "it needs the TXT record '_dnsauth.www.contoso.com' with the value 'token-1'";
        assert_eq!(sentence("Pending", &none).unwrap(), format!("is not validated yet (state Pending): {record}"));
        assert!(sentence("TimedOut", &none).unwrap().ends_with("regenerate the validation token of the domain first"));
        let endpoint = |name: &str, host: &str| {
            (ResourceId::new(format!("{PROFILE}/afdEndpoints/{name}")), json!({"properties": {"hostName": host}}))
        };
        let one = HashMap::from([endpoint("e", "e.example.net")]);
        assert_eq!(
            sentence("Pending", &one).unwrap(),
            format!(
                "is not validated yet (state Pending): {record}, and for its traffic a CNAME record 'www.contoso.com' that points to 'e.example.net'"
            )
        );
        let two = HashMap::from([endpoint("e", "e.example.net"), endpoint("f", "f.example.net")]);
        assert!(!sentence("Pending", &two).unwrap().contains("CNAME"));
        let without = json!({"id": PROFILE, "properties": {"hostName": "h", "domainValidationState": "Submitting"}});
        assert_eq!(waits_for_validation(&without, &none).unwrap(), "is not validated yet (state Submitting)");
    }

    #[test]
    fn profiles_that_cannot_become_what_is_wanted_are_left_alone() {
        let profile = |tier: &str| json!({"id": PROFILE, "name": "fd", "sku": {"name": tier}});
        for (has, asked, code) in [
            ("Standard_Microsoft", STANDARD_FRONT_DOOR, Some(Code::ClassicProfile)),
            ("Premium_Verizon", PREMIUM_FRONT_DOOR, Some(Code::ClassicProfile)),
            (STANDARD_FRONT_DOOR, PREMIUM_FRONT_DOOR, Some(Code::TierTooLow)),
            (STANDARD_FRONT_DOOR, STANDARD_FRONT_DOOR, None),
            (PREMIUM_FRONT_DOOR, STANDARD_FRONT_DOOR, None),
            ("premium_azurefrontdoor", PREMIUM_FRONT_DOOR, None),
        ] {
            let left = profile_is_left_alone(&profile(has), &profile(asked));
            assert_eq!(left.as_ref().map(|left| left.code.clone()), code, "{has} {asked}");
            if let Some(left) = left {
                assert!(left.recommendation.contains("-ResourceGroupName g -ProfileName fd"), "{left:?}");
            }
        }
    }
}
