//! API management services.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::settings::ApiManagement;
use super::solutions::Solution;
use super::{Backend, Routing};
use crate::azure::types::API_MANAGEMENT;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::property::{self, Property, sent};
use crate::commands::shared::service::Named;
use crate::desired::{Desired, Source};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::{FindingCode, not_valid};
use crate::settings::Place;

/// The tiers, as Azure spells them (REST specification of Microsoft.ApiManagement), with the least and most units of each (API
/// Management documentation, "API Management limits").
const TIERS: &[(&str, RangeInclusive<i64>)] = &[
    ("Developer", 1..=1),
    ("Basic", 1..=2),
    ("Standard", 1..=4),
    ("Premium", 1..=31),
    (CONSUMPTION, 0..=0),
    ("Isolated", 1..=1),
    ("BasicV2", 1..=10),
    ("StandardV2", 1..=10),
    ("PremiumV2", 1..=30),
];

/// The names of the tiers.
pub(super) fn tiers() -> impl Iterator<Item = &'static str> {
    TIERS.iter().map(|(tier, _)| *tier)
}

/// The tier without units.
const CONSUMPTION: &str = "Consumption";

/// The longest name and e-mail address of a publisher, in characters (REST specification).
const LONGEST_PUBLISHER: usize = 100;

/// The properties of a service that one setting says each.
pub(super) const PROPERTIES: &[Property<ApiManagement>] = &[
    Property::required("publisherName", "properties.publisherName", |service: &ApiManagement| {
        sent(Some(&service.publisher_name))
    }),
    Property::required("publisherEmail", "properties.publisherEmail", |service| sent(Some(&service.publisher_email))),
];

/// The settings of what several of them decide.
const ORIGINS: &[(&str, &str)] = &[("location", "region"), ("sku", "sku"), ("sku.capacity", "skuCount")];

/// Adds a service.
pub(super) fn compile(
    service: &ApiManagement,
    place: &Place,
    solution: &Solution<'_>,
    backends: &mut Vec<Backend>,
    compilation: &mut Compilation<'_>,
) {
    let location = compilation.location(&service.region, place.dotted("region"));
    let request =
        NameRequest::new(ResourceKind::ApiManagementService, &service.name, Architecture::Paas, Some(&location));
    let name = compilation.name(&API_MANAGEMENT, &request, &place.dotted("name"));
    let id = API_MANAGEMENT.child_of(&solution.group, &name);
    let sku = sku(service, place, compilation);
    check_publisher(service, place, compilation);
    let publish = solution.publish(
        "service.publish.apiManagement",
        service.service.publish().and_then(|publish| publish.api_management.as_ref()),
        place,
        solution.settings.service.publish.api_management.as_ref(),
    );
    let mut desired = Desired {
        creation_body: creation_body(&sku),
        tags: compilation.tags(publish.as_ref()),
        elsewhere: compilation.ids_elsewhere(&API_MANAGEMENT, &request, &solution.group),
        origins: ORIGINS.to_vec(),
        ..Desired::new(
            id.clone(),
            &API_MANAGEMENT,
            json!({
                "location": location,
                "sku": sku,
            }),
            place.clone(),
        )
    };
    property::put(PROPERTIES, service, &mut desired, compilation);
    compilation.add(desired);
    let host = Source::Host("properties.gatewayUrl");
    let routing = Routing {
        pool: service.backendpool.clone(),
        host_header: service.backend_host_header,
        weight: service.weight,
        priority: service.priority,
    };
    backends.push(Backend {
        routing,
        name: service.name.clone(),
        id: id.clone(),
        resource_type: &API_MANAGEMENT,
        host,
        place: place.clone(),
    });
}

/// The units of a new service where the settings do not say them: an existing one keeps its own.
fn creation_body(sku: &Value) -> Value {
    if sku.get("capacity").is_some() {
        return Value::Null;
    }
    json!({ "sku": { "capacity": if sku["name"] == CONSUMPTION { 0 } else { 1 } } })
}

/// The tier, and the number of units where the settings say it.
fn sku(service: &ApiManagement, place: &Place, compilation: &mut Compilation<'_>) -> Value {
    let Some((tier, units)) = TIERS.iter().find(|(tier, _)| tier.eq_ignore_ascii_case(service.sku.trim())) else {
        let names: Vec<&str> = tiers().collect();
        compilation.finding(place.dotted("sku"), FindingCode::UnknownValue, not_valid(&service.sku, &names));
        return json!({ "name": service.sku });
    };
    let Some(count) = service.sku_count else { return json!({ "name": tier }) };
    let count_place = place.dotted("skuCount");
    if *tier == CONSUMPTION {
        if count > 1 {
            compilation.warning(&count_place, format!("the tier {CONSUMPTION} has no units; {count} is ignored"));
        }
        return json!({ "name": tier });
    }
    if !units.contains(&count) {
        let (least, most) = (units.start(), units.end());
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let message = format!("{count} is out of range for the tier {tier}; use {range}");
        compilation.finding(count_place, FindingCode::OutOfRange, message);
    }
    json!({ "name": tier, "capacity": count })
}

fn check_publisher(service: &ApiManagement, place: &Place, compilation: &mut Compilation<'_>) {
    if !is_email_address(&service.publisher_email) {
        let message = format!("expected an email address, found '{}'", service.publisher_email);
        compilation.finding(place.dotted("publisherEmail"), FindingCode::UnknownValue, message);
    }
    for (setting, text) in [("publisherName", &service.publisher_name), ("publisherEmail", &service.publisher_email)] {
        let length = text.chars().count();
        if length > LONGEST_PUBLISHER {
            let message = format!("{length} characters are too many; Azure takes at most {LONGEST_PUBLISHER}");
            compilation.finding(place.dotted(setting), FindingCode::OutOfRange, message);
        }
    }
}

/// Whether there is a mailbox and a domain with a full stop in it. More only the mail server knows.
fn is_email_address(text: &str) -> bool {
    let Some((mailbox, domain)) = text.rsplit_once('@') else { return false };
    let bad = |character: char| character.is_whitespace() || character == '@';
    !mailbox.is_empty()
        && !text.replacen('@', "", 1).contains(bad)
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for text in ["a@b.c", "first.last+tag@mail.example.com", "ops@contoso.co.uk"] {
            assert!(is_email_address(text), "{text}");
        }
        for text in ["", "a", "a@b", "@b.c", "a@", "a b@c.d", "a@b@c.d", "a@b..c", "a@.c"] {
            assert!(!is_email_address(text), "{text}");
        }
    }
}
