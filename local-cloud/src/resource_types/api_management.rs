//! Microsoft.ApiManagement: services, and the deleted ones that still hold their names.
//!
//! Sources: azure-rest-api-specs 2024-05-01; learn.microsoft.com, "API Management limits" and "Soft-delete in API Management"; the
//! wording of the soft-delete refusal, hashicorp/terraform-provider-azurerm issue 11580.

use super::identities::complete_identity;
use super::private_link::show_connections;
use super::{
    Answer, Call, Companion, Departure, Etag, Fixed, LocationRule, PROXY, Refusal, ResourceId, ResourceType, State,
    TRACKED, Write, by_either_header, by_location, by_state, fill, list_mut, properties_mut, property, random_of, text,
};
use crate::locations::run_together;
use crate::moment::Moment;
use crate::state::{Body, Resource};
use serde_json::{Value, json};
use std::time::Duration;

const SERVICE: &str = "Microsoft.ApiManagement/service";
/// A deleted service prints this type; its id has the region before it.
const DELETED: &str = "Microsoft.ApiManagement/deletedservices";

/// The state in the answer to a creation. Source: azure-rest-api-specs, 2022-08-01 `ApiManagementCreateService`, where the answer
/// says that it becomes `Activating`, and has none of the addresses that a service gets later.
const ACCEPTED: &str = "Created";
const NOT_YET: &[&str] =
    &["gatewayRegionalUrl", "portalUrl", "developerPortalUrl", "managementApiUrl", "scmUrl", "publicIPAddresses"];

/// The time for which a deleted service can be brought back.
const RETENTION: Duration = Duration::from_secs(48 * 60 * 60);
/// The time for which a certificate of a host name is valid: an arbitrary choice.
const CERTIFICATE_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A sku, its generation, and the least and most units of it.
const SKUS: &[(&str, &str, u64, u64)] = &[
    ("Consumption", "consumption", 0, 0),
    ("Developer", "classic", 1, 1),
    ("Basic", "classic", 1, 2),
    ("Standard", "classic", 1, 4),
    ("Premium", "classic", 1, 31),
    ("Isolated", "classic", 1, 1),
    ("BasicV2", "v2", 1, 10),
    ("StandardV2", "v2", 1, 10),
    ("PremiumV2", "v2", 1, 30),
];

const READ_ONLY: &[&str] = &[
    "targetProvisioningState",
    "createdAtUtc",
    "gatewayUrl",
    "gatewayRegionalUrl",
    "portalUrl",
    "managementApiUrl",
    "scmUrl",
    "developerPortalUrl",
    "publicIPAddresses",
    "privateIPAddresses",
    "outboundPublicIPAddresses",
    "platformVersion",
    "privateEndpointConnections",
];

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: SERVICE,
        location: LocationRule::DisplayedRegion,
        create: by_either_header(201),
        creating: "Activating",
        accepted: Some(ACCEPTED),
        update: by_state(200),
        patch: by_location(202),
        delete: by_location(202),
        seconds: 1800,
        etag: Etag::Strong,
        system_data: true,
        read_only: READ_ONLY,
        worldwide_name: true,
        check_name,
        check,
        fixed: &[Fixed { path: "sku", check: check_generation }],
        complete,
        companions: Some(companions),
        shown: Some(show),
        check_delete,
        remains: Some(deleted_service),
        ..TRACKED
    },
    ResourceType { name: DELETED, worldwide_name: true, ..DELETED_TYPE },
    ResourceType {
        name: "Microsoft.ApiManagement/locations/deletedservices",
        // For what is imported; of what was deleted here, `deleted_service` says it.
        complete: |_, body| _ = body.insert("type".to_owned(), DELETED.into()),
        ..DELETED_TYPE
    },
];

const DELETED_TYPE: ResourceType = ResourceType {
    location: LocationRule::DisplayedRegion,
    delete: by_location(202),
    seconds: 60,
    shown: Some(show_deleted),
    ..PROXY
};

fn bad(message: String) -> Refusal {
    Refusal::bad_request("ValidationError", message)
}

/// 1 to 50 letters, digits and inner hyphens, a letter first.
fn is_name(name: &str) -> bool {
    (1..=50).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.ends_with('-')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    if is_name(id.name()) {
        return Ok(());
    }
    Err(bad(format!(
        "The service name '{}' is invalid: a letter, then letters, digits and inner hyphens, 50 at most.",
        id.name()
    )))
}

/// The deleted service that has a name, in any subscription.
fn deleted<'a>(state: &'a State, name: &str) -> Option<&'a Resource> {
    state.get(state.owner_of_worldwide_name(DELETED, name)?)
}

fn restores(body: &Body) -> bool {
    property(body, "restore") == Some(&json!(true))
}

/// The service that a body with `restore` brings back.
fn restored(write: &Write<'_>) -> Option<Body> {
    let deleted = deleted(write.state, write.id.name()).filter(|_| restores(write.body))?;
    let service = deleted.body.get("service")?.as_object()?;
    text(service, "id").filter(|id| id.eq_ignore_ascii_case(&write.id.text()))?;
    Some(service.clone())
}

fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let name = write.id.name();
    if write.state.get(&write.id.key()).is_some_and(|resource| resource.operation.is_some()) {
        return Err(in_transition(name));
    }
    let owner = write.state.owner_of_worldwide_name(SERVICE, name);
    if owner.is_some_and(|owner| owner != write.id.key()) {
        return Err(Refusal::conflict("ServiceAlreadyExists", format!("Api service already exists: {name}")));
    }
    if write.existing.is_none() && restores(write.body) {
        return restored(write).map(drop).ok_or_else(|| {
            Refusal::bad_request(
                "ServiceUndeleteNotPossible",
                format!("Undelete of Api service {name} is not possible: no service with this id was soft-deleted."),
            )
        });
    }
    if write.existing.is_none() && deleted(write.state, name).is_some() {
        return Err(Refusal::conflict(
            "ServiceAlreadyExistsInSoftDeletedState",
            format!(
                "Api service {name} was soft-deleted. In order to create the new service with the same name, you have to either \
                 undelete the service or purge it. See https://aka.ms/apimsoftdelete."
            ),
        ));
    }
    check_sku(write)?;
    for name in ["publisherEmail", "publisherName"] {
        let value = text(write.body, &format!("properties/{name}")).unwrap_or_default();
        if value.trim().is_empty() || value.len() > 100 {
            return Err(bad(format!("The {name} is required, and has at most 100 letters.")));
        }
        if name == "publisherEmail" && !value.contains('@') {
            return Err(bad(format!("The publisherEmail '{value}' is not an email address.")));
        }
    }
    Ok(())
}

fn sku(name: &str) -> Option<&'static (&'static str, &'static str, u64, u64)> {
    SKUS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))
}

fn check_sku(write: &Write<'_>) -> Result<(), Refusal> {
    let given = text(write.body, "sku/name").unwrap_or_default();
    let (name, _, least, most) = sku(given).ok_or_else(|| bad(format!("The sku '{given}' is not known.")))?;
    let capacity = write.body.get("sku").and_then(|sku| sku.get("capacity")).unwrap_or(&Value::Null);
    if !capacity.as_u64().is_some_and(|capacity| (*least..=*most).contains(&capacity)) {
        return Err(bad(match most {
            0 => format!("The capacity of the sku {name} must be 0, and is {capacity}."),
            _ => format!("The capacity of the sku {name} must be between {least} and {most}, and is {capacity}."),
        }));
    }
    Ok(())
}

fn check_generation(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    let of = |body| text(body, "sku/name").and_then(sku);
    match (of(existing), of(write.body)) {
        (Some((before, from, ..)), Some((name, to, ..))) if from != to => {
            Err(bad(format!("The sku of a service cannot be changed from {before} to {name}.")))
        }
        _ => Ok(()),
    }
}

/// The refusal of a request to a service while an operation works on it.
fn in_transition(name: &str) -> Refusal {
    let mut refusal = Refusal::conflict(
        "ServiceLocked",
        format!("The API Service {name} is transitioning at this time. Please try the request again later."),
    );
    refusal.retry_after = Some(Duration::from_secs(15));
    refusal
}

fn check_delete(departure: &Departure<'_>) -> Result<(), Refusal> {
    let busy = departure.state.get(&departure.id.key()).is_some_and(|resource| resource.operation.is_some());
    match busy && departure.is_direct() {
        true => Err(in_transition(departure.id.name())),
        false => Ok(()),
    }
}

fn complete(write: &Write<'_>, body: &mut Body) {
    if let Some(service) = restored(write) {
        // Everything else that was sent is ignored.
        *body = service;
        return;
    }
    complete_identity(write, body);
    let (sku, _, least, _) = text(body, "sku/name").and_then(sku).unwrap_or(&SKUS[1]);
    if let Some(Value::Object(given)) = body.get_mut("sku") {
        given.insert("name".to_owned(), (*sku).into());
        fill(given, "capacity", *least);
    }
    let consumption = *sku == SKUS[0].0;
    let name = text(body, "name").unwrap_or_default().to_lowercase();
    let region = run_together(text(body, "location").unwrap_or_default());
    let mut random = random_of(&write.id.key());
    let address = format!("198.18.{}.{}", random.u8(..), random.u8(1..255));
    let created = write.existing.and_then(|existing| property(existing, "createdAtUtc")).cloned();
    let Some(properties) = properties_mut(body) else { return };
    properties.shift_remove("restore");
    let url = |part: &str| json!(format!("https://{name}{part}.azure-api.net"));
    let unless_consumption = |value: Value| if consumption { Value::Null } else { value };
    for (member, value) in [
        ("targetProvisioningState", json!("")),
        ("createdAtUtc", created.unwrap_or_else(|| write.now.text().into())),
        ("gatewayUrl", url("")),
        ("gatewayRegionalUrl", unless_consumption(json!(format!("https://{name}-{region}-01.regional.azure-api.net")))),
        ("portalUrl", unless_consumption(url(".portal"))),
        ("developerPortalUrl", unless_consumption(url(".developer"))),
        ("managementApiUrl", unless_consumption(url(".management"))),
        ("scmUrl", unless_consumption(url(".scm"))),
        ("publicIPAddresses", unless_consumption(json!([address]))),
        ("privateIPAddresses", Value::Null),
        ("platformVersion", json!(if consumption { "mtv1" } else { "stv2" })),
    ] {
        properties.insert(member.to_owned(), value);
    }
    let gateway = json!([{
        "type": "Proxy", "hostName": format!("{name}.azure-api.net"), "keyVaultId": null, "certificateSource": "BuiltIn",
        "negotiateClientCertificate": false, "defaultSslBinding": true,
    }]);
    keep_gateway(properties, &gateway[0], write.now);
    fill(properties, "hostnameConfigurations", gateway);
}

/// A service shows the connections to it, and what it becomes while it is made.
fn show(state: &State, body: &mut Body) {
    show_connections(state, body);
    let making = [ACCEPTED, "Activating"].contains(&text(body, "properties/provisioningState").unwrap_or_default());
    if let Some(properties) = properties_mut(body).filter(|_| making) {
        properties.retain(|name, _| !NOT_YET.contains(&name.as_str()));
        properties.insert("targetProvisioningState".to_owned(), "Activating".into());
        properties.insert("platformVersion".to_owned(), "undetermined".into());
    }
}

/// A service that is brought back is no longer among the deleted ones.
fn companions(write: &Write<'_>, _: &mut Body) -> Vec<Companion> {
    let back = restored(write).and_then(|_| deleted(write.state, write.id.name()));
    back.map(|deleted| Companion::Remove(deleted.text("id").to_lowercase())).into_iter().collect()
}

/// The host name of the gateway stays beside those of the user, and what is only written is not kept: certificates and their
/// passwords. Source: azure-rest-api-specs, `ApiManagementCreateMultiRegionServiceWithCustomHostname`.
fn keep_gateway(properties: &mut Body, gateway: &Value, now: Moment) {
    for list in ["certificates", "hostnameConfigurations"] {
        for item in list_mut(properties, list) {
            let from_vault = item.get("keyVaultId").is_some_and(Value::is_string);
            if let Some(host) = text(item, "hostName").map(str::to_owned)
                && (from_vault || item.contains_key("encodedCertificate"))
            {
                let expiry = now.after(CERTIFICATE_TIME).text();
                let subject = format!("CN={host}");
                fill(
                    item,
                    "certificate",
                    json!({"expiry": expiry, "thumbprint": thumbprint(&host), "subject": subject}),
                );
                fill(item, "certificateSource", if from_vault { "KeyVault" } else { "Custom" });
            }
            item.retain(|member, _| !["encodedCertificate", "certificatePassword"].contains(&member.as_str()));
        }
    }
    let Some(Value::Array(hosts)) = properties.get_mut("hostnameConfigurations") else { return };
    if hosts.iter().all(|host| host["hostName"] != gateway["hostName"]) {
        let mut gateway = gateway.clone();
        gateway["defaultSslBinding"] = hosts.iter().all(|host| host["defaultSslBinding"] != json!(true)).into();
        hosts.insert(0, gateway);
    }
}

/// Forty digits that stand for a certificate.
fn thumbprint(host: &str) -> String {
    let mut random = random_of(host);
    (0..40).map(|_| format!("{:X}", random.u8(..16))).collect()
}

/// The remains of a deleted service: its name stays taken, and it can be brought back.
fn deleted_service(service: &Body, now: Moment) -> Option<Body> {
    let id = ResourceId::parse(text(service, "id")?)?;
    let region = run_together(text(service, "location")?);
    let subscription = ResourceId::of_subscription(id.subscription.as_deref()?);
    let own = subscription.with(Some("Microsoft.ApiManagement"), "locations", &region).with(
        None,
        "deletedservices",
        id.name(),
    );
    Some(Body::from_iter([
        ("id".to_owned(), own.text().into()),
        ("name".to_owned(), id.name().into()),
        ("type".to_owned(), DELETED.into()),
        ("location".to_owned(), text(service, "location")?.into()),
        (
            "properties".to_owned(),
            json!({
                "serviceId": id.text(),
                "deletionDate": now.text(),
                "scheduledPurgeDate": now.after(RETENTION).text(),
            }),
        ),
        ("service".to_owned(), Value::Object(service.clone())),
    ]))
}

/// Hides what a deleted service was: that is for bringing it back, not to be seen.
fn show_deleted(_: &State, body: &mut Body) {
    body.shift_remove("service");
}

/// `POST /subscriptions/{id}/providers/Microsoft.ApiManagement/checkNameAvailability`.
pub(super) fn check_name_availability(call: &Call<'_>) -> Result<Answer, Refusal> {
    let name = call.body.get("name").and_then(Value::as_str).unwrap_or_default();
    let taken = call.state.owner_of_worldwide_name(SERVICE, name).is_some() || deleted(call.state, name).is_some();
    let (reason, message) = match (is_name(name), taken) {
        (false, _) => ("Invalid", format!("'{name}' is not a valid service name.")),
        (true, true) => ("AlreadyExists", format!("{name} is already in use. Please select a different name.")),
        (true, false) => ("Valid", String::new()),
    };
    Ok(Answer::json(200, json!({"nameAvailable": reason == "Valid", "reason": reason, "message": message})))
}
