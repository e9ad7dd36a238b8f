//! The stored bodies of the types of web hosting, held against Azure's own schemas where these are at hand.

use super::common::{Bench, absolute, network_path};
use super::front_door::{
    CDN, STANDARD, domain_body, endpoint_body, front_door_path, group_body, origin_body, profile_body,
};
use super::front_door_routes::{policy_body, route_body};
use super::schemas::{assert_fit, put_request, without_read_only};
use super::web::{WEB, plan_body, site_body, web_path};
use super::{api_management, authorization};
use crate::resource_types;
use serde_json::{Value, json};

/// Members that no entry names, since every type has them, or since they are below `properties`.
const READ_ONLY: &[&str] = &[
    "etag",
    "systemData",
    "provisioningState",
    "isActive",
    "numberOfSites",
    "machineKey",
    "sslState",
    "hostType",
    "thumbprint",
];

/// Null says that there is nothing, which a request does not say.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            members.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

#[test]
fn stored_bodies_fit_the_published_schemas() {
    let bench = Bench::new();
    bench.group("g");
    let firewall = network_path("frontDoorWebApplicationFirewallPolicies", "waf");
    let web_settings = json!({"properties": {"alwaysOn": true, "ftpsState": "Disabled"}});
    let mut requests = Vec::new();
    for (path, version, body) in [
        (web_path("serverfarms", "p"), WEB, plan_body("P1v3")),
        (web_path("sites", "shop"), WEB, site_body(json!({"httpsOnly": true}))),
        (web_path("sites/shop/slots", "next"), WEB, json!({"location": "uksouth", "properties": {}})),
        (web_path("sites/shop/config", "web"), WEB, web_settings),
        (front_door_path(""), CDN, profile_body(STANDARD)),
        (front_door_path("afdEndpoints/e"), CDN, endpoint_body()),
        (front_door_path("originGroups/o"), CDN, group_body()),
        (front_door_path("originGroups/o/origins/web"), CDN, origin_body()),
        (front_door_path("customDomains/www"), CDN, domain_body("www.example.com")),
        (front_door_path("afdEndpoints/e/routes/r"), CDN, route_body(json!({}))),
        (firewall.clone(), "2025-11-01", json!({"location": "Global", "sku": {"name": STANDARD}, "properties": {}})),
        (front_door_path("securityPolicies/s"), CDN, policy_body(&absolute(&firewall), &["afdEndpoints/e"])),
        (api_management::path("apim-shop"), api_management::SERVICES, api_management::body(json!({}))),
        (
            authorization::on("resourceGroups/g", authorization::ONE),
            authorization::ROLES,
            authorization::body(json!({})),
        ),
    ] {
        let mut stored = bench.made(&path, version, &body);
        let type_name = stored["type"].as_str().unwrap().to_owned();
        let entry = resource_types::find(&type_name).unwrap_or_else(|| panic!("{type_name} has no entry"));
        // Below `properties` only: `status` of a plan is read-only, that of something else may not be.
        if let Some(Value::Object(properties)) = stored.get_mut("properties") {
            properties.retain(|name, _| !entry.read_only.contains(&name.as_str()));
        }
        without_read_only(&mut stored, READ_ONLY);
        without_nulls(&mut stored);
        requests.push(put_request(&path, version, &stored));
    }
    assert_fit(requests);
}
