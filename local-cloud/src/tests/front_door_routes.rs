//! Azure Front Door: routes, security policies, firewall policies, and what is closed.

use super::common::{Bench, absolute, change_members, network_path};
use super::front_door::{
    CDN, PREMIUM, STANDARD, bad, domain_body, endpoint_body, front_door, front_door_path, group_body, origin_body,
};
use serde_json::{Value, json};

const FIREWALL: &str = "2025-11-01";

fn route_path(name: &str) -> String {
    front_door_path(&format!("afdEndpoints/e/routes/{name}"))
}

/// A route of the default domain to the group `o`.
pub(super) fn route_body(change: Value) -> Value {
    let mut body = json!({"properties": {
        "originGroup": {"id": absolute(&front_door_path("originGroups/o"))},
        "patternsToMatch": ["/*"],
        "linkToDefaultDomain": "Enabled",
    }});
    change_members(&mut body["properties"], change);
    body
}

fn domain_reference(name: &str) -> Value {
    json!([{"id": absolute(&front_door_path(&format!("customDomains/{name}")))}])
}

fn firewall(bench: &Bench, name: &str, sku: &str) -> String {
    let path = network_path("frontDoorWebApplicationFirewallPolicies", name);
    let body =
        json!({"location": "Global", "sku": {"name": sku}, "properties": {"policySettings": {"mode": "Prevention"}}});
    bench.made(&path, FIREWALL, &body);
    absolute(&path)
}

pub(super) fn policy_body(firewall: &str, domains: &[&str]) -> Value {
    let domains: Vec<Value> = domains.iter().map(|domain| json!({"id": absolute(&front_door_path(domain))})).collect();
    json!({"properties": {"parameters": {
        "type": "WebApplicationFirewall",
        "wafPolicy": {"id": firewall},
        "associations": [{"domains": domains, "patternsToMatch": ["/*"]}],
    }}})
}

#[test]
fn a_route_is_filled_in() {
    let bench = front_door(STANDARD);
    bench.made(&front_door_path("customDomains/www"), CDN, &domain_body("www.example.com"));
    let change = json!({"patternsToMatch": null, "customDomains": domain_reference("www"), "cacheConfiguration": {
        "queryStringCachingBehavior": "UseQueryString",
        "compressionSettings": {"isCompressionEnabled": true, "contentTypesToCompress": ["text/html"]},
    }});
    let made = bench.made(&route_path("r"), CDN, &route_body(change));
    let properties = &made["properties"];
    assert_eq!(
        (&properties["patternsToMatch"], &properties["supportedProtocols"]),
        (&json!(["/*"]), &json!(["Http", "Https"]))
    );
    assert_eq!(
        (&properties["forwardingProtocol"], &properties["httpsRedirect"]),
        (&json!("MatchRequest"), &json!("Disabled"))
    );
    assert_eq!((&properties["enabledState"], &properties["endpointName"]), (&json!("Enabled"), &json!("e")));
    assert_eq!(properties["customDomains"][0]["isActive"], true);
    // What was read can be sent back.
    assert_eq!(bench.put(&route_path("r"), CDN, &made).status, 200);
    let plain = bench.made(&route_path("r"), CDN, &route_body(json!({})));
    assert_eq!(
        (&plain["properties"]["cacheConfiguration"], &plain["properties"]["customDomains"]),
        (&Value::Null, &json!([]))
    );
}

#[test]
fn routes_azure_refuses_are_refused() {
    let bench = front_door(STANDARD);
    let message = |change: Value| bad(&bench, &route_path("r"), &route_body(change));
    for pattern in ["images/*", "/a*b", "/a*", "*", "/*/b"] {
        assert!(message(json!({"patternsToMatch": [pattern]})).contains("is invalid"), "{pattern}");
    }
    assert!(message(json!({"patternsToMatch": ["/a", "/A"]})).contains("twice"));
    assert!(message(json!({"linkToDefaultDomain": "Disabled"})).contains("custom domain"));
    assert!(message(json!({"supportedProtocols": ["Tcp"]})).contains("supportedProtocols"));
    assert!(message(json!({"forwardingProtocol": "Any"})).contains("forwardingProtocol"));
    let redirect = json!({"httpsRedirect": "Enabled", "supportedProtocols": ["Https"]});
    assert!(message(redirect).contains("both HTTP and HTTPS"));
    let compression = json!({"cacheConfiguration": {"compressionSettings": {"isCompressionEnabled": true}}});
    assert!(message(compression).contains("contentTypesToCompress"));
    let some = json!({"cacheConfiguration": {"queryStringCachingBehavior": "IncludeSpecifiedQueryStrings"}});
    assert!(message(some).contains("queryParameters"));
    assert!(message(json!({"customDomains": domain_reference("none")})).contains("does not exist"));
    assert!(message(json!({"originGroup": null})).contains("'Properties.OriginGroup' is required"));
    let other = absolute(&front_door_path("originGroups/o")).replace("/profiles/f/", "/profiles/other/");
    assert!(message(json!({"originGroup/id": other})).contains("of this profile"));
}

#[test]
fn a_route_needs_an_origin() {
    let bench = front_door(STANDARD);
    let to = |group: &str| {
        route_body(json!({"originGroup/id": absolute(&front_door_path(&format!("originGroups/{group}")))}))
    };
    let expected = "Please make sure that the originGroup is created successfully and at least one enabled origin is created under \
        the origin group.";
    assert_eq!(bad(&bench, &route_path("r"), &to("none")), expected);
    bench.made(&front_door_path("originGroups/empty"), CDN, &group_body());
    assert_eq!(bad(&bench, &route_path("r"), &to("empty")), expected);
    let mut off = origin_body();
    off["properties"]["enabledState"] = json!("Disabled");
    let origin = front_door_path("originGroups/empty/origins/a");
    bench.made(&origin, CDN, &off);
    assert_eq!(bad(&bench, &route_path("r"), &to("empty")), expected);
    bench.made(&origin, CDN, &origin_body());
    bench.made(&route_path("r"), CDN, &to("empty"));

    // What the route needs stays.
    let last = bench.delete(&origin, CDN);
    assert!(last.status == 409 && last.text.contains("the last origin"), "{last:?}");
    assert_eq!(bench.refused(&origin, CDN, &off).0, 409);
    let group = bench.delete(&front_door_path("originGroups/empty"), CDN);
    assert!(group.status == 409 && group.text.contains("still associated with a route"), "{group:?}");
    bench.made(&front_door_path("originGroups/empty/origins/b"), CDN, &origin_body());
    assert_eq!(bench.delete(&origin, CDN).status, 202);
    assert_eq!(bench.delete(&route_path("r"), CDN).status, 202);
    assert_eq!(bench.delete(&front_door_path("originGroups/empty"), CDN).status, 202);
}

#[test]
fn a_request_leads_to_one_route() {
    let bench = front_door(STANDARD);
    for name in ["www", "api"] {
        bench.made(
            &front_door_path(&format!("customDomains/{name}")),
            CDN,
            &domain_body(&format!("{name}.example.com")),
        );
    }
    let on = |domain: &str, pattern: &str, protocol: &str| {
        route_body(json!({
            "customDomains": domain_reference(domain), "linkToDefaultDomain": "Disabled",
            "patternsToMatch": [pattern], "supportedProtocols": [protocol],
        }))
    };
    bench.made(&route_path("first"), CDN, &on("www", "/Images/*", "Https"));
    let same = bench.refused(&route_path("second"), CDN, &on("www", "/images/*", "Https"));
    assert!(same.0 == 409 && same.2.contains("differ in domain, pattern or protocol"), "{same:?}");
    for (name, body) in [
        ("pattern", on("www", "/*", "Https")),
        ("protocol", on("www", "/images/*", "Http")),
        ("domain", on("api", "/images/*", "Https")),
        ("default", route_body(json!({"patternsToMatch": ["/images/*"]}))),
    ] {
        bench.made(&route_path(name), CDN, &body);
    }
    assert_eq!(bench.refused(&route_path("third"), CDN, &route_body(json!({"patternsToMatch": ["/images/*"]}))).0, 409);
    // The same route can be written again, and a domain is on one endpoint.
    assert_eq!(bench.put(&route_path("first"), CDN, &on("www", "/Images/*", "Https")).status, 200);
    bench.made(&front_door_path("afdEndpoints/e2"), CDN, &endpoint_body());
    let elsewhere = bench.refused(&front_door_path("afdEndpoints/e2/routes/r"), CDN, &on("www", "/other", "Https"));
    assert!(elsewhere.0 == 409 && elsewhere.2.contains("another endpoint"), "{elsewhere:?}");
    assert_eq!(bench.delete(&front_door_path("customDomains/www"), CDN).status, 409);
}

#[test]
fn a_security_policy_fits_its_profile() {
    let bench = front_door(STANDARD);
    bench.made(&front_door_path("customDomains/www"), CDN, &domain_body("www.example.com"));
    let path = |name: &str| front_door_path(&format!("securityPolicies/{name}"));
    let standard = firewall(&bench, "wafone", STANDARD);
    let premium = firewall(&bench, "waftwo", PREMIUM);
    let classic = firewall(&bench, "wafold", "Classic_AzureFrontDoor");
    for policy in [&premium, &classic] {
        assert!(bad(&bench, &path("s"), &policy_body(policy, &["afdEndpoints/e"])).contains("they are to be the same"));
    }
    let missing = standard.replace("wafone", "wafnone");
    assert!(bad(&bench, &path("s"), &policy_body(&missing, &["afdEndpoints/e"])).contains("does not exist"));
    assert!(bad(&bench, &path("s"), &policy_body(&standard, &["customDomains/none"])).contains("does not exist"));
    assert!(bad(&bench, &path("s"), &policy_body(&standard, &["originGroups/o"])).contains("of this profile"));
    let without = bench.put(&path("s"), CDN, &policy_body(&standard, &[]));
    assert_eq!(without.refusal(), (400, "InvalidRequestContent".into()));
    let mut pattern = policy_body(&standard, &["afdEndpoints/e"]);
    pattern["properties"]["parameters"]["associations"][0]["patternsToMatch"] = json!(["/images/*"]);
    assert!(bad(&bench, &path("s"), &pattern).contains("'/*' only"));
    bench.made(&path("s"), CDN, &policy_body(&standard, &["afdEndpoints/e", "customDomains/www"]));
    let twice = bad(&bench, &path("t"), &policy_body(&standard, &["customDomains/www"]));
    assert!(twice.contains("already associated with the security policy 's'"), "{twice}");
    assert_eq!(
        bench.put(&path("s"), CDN, &policy_body(&standard, &["afdEndpoints/e", "customDomains/www"])).status,
        200
    );

    let shown = bench.get(&standard, FIREWALL).json();
    assert_eq!(shown["properties"]["securityPolicyLinks"], json!([{"id": absolute(&path("s"))}]));
    assert_eq!(bench.delete(&standard, FIREWALL).status, 409);
    assert_eq!(bench.delete(&front_door_path("customDomains/www"), CDN).status, 409);
    assert_eq!(bench.delete(&front_door_path("afdEndpoints/e"), CDN).status, 409);
    assert_eq!(bench.delete(&path("s"), CDN).status, 202);
    assert_eq!(bench.delete(&standard, FIREWALL).status, 202);
}

#[test]
fn firewall_policies_are_checked_and_filled_in() {
    let bench = Bench::new();
    bench.group("g");
    let path = |name: &str| network_path("frontDoorWebApplicationFirewallPolicies", name);
    let body = |change: Value| {
        let mut body = json!({"location": "Global", "sku": {"name": STANDARD}, "properties": {}});
        change_members(&mut body, change);
        body
    };
    let refused = |name: &str, change: Value| bench.refused(&path(name), FIREWALL, &body(change)).2;
    assert!(refused("waf-one", json!({})).contains("letters and digits"));
    assert!(refused("1waf", json!({})).contains("letters and digits"));
    assert!(refused("waf", json!({"sku": {"name": "WAF_v2"}})).contains("not one of Classic_AzureFrontDoor"));
    assert!(refused("waf", json!({"location": "uksouth"})).contains("not available"));
    assert!(refused("waf", json!({"properties/policySettings": {"mode": "Off"}})).contains("Prevention, Detection"));
    let managed =
        json!({"properties/managedRules": {"managedRuleSets": [{"ruleSetType": "Microsoft_DefaultRuleSet"}]}});
    assert!(refused("waf", managed).contains("Premium sku only"));
    let made = bench.made(&path("waf"), FIREWALL, &body(json!({})));
    let settings = &made["properties"]["policySettings"];
    assert_eq!((&settings["mode"], &settings["enabledState"]), (&json!("Detection"), &json!("Enabled")));
    assert_eq!((&made["properties"]["resourceState"], &made["sku"]["name"]), (&json!("Enabled"), &json!(STANDARD)));
    assert!(refused("waf", json!({"sku": {"name": PREMIUM}})).contains("cannot be changed"));
}

#[test]
fn a_classic_front_door_can_be_read_but_not_made() {
    let bench = Bench::new();
    bench.group("g");
    let path = network_path("frontDoors", "old");
    let (status, code, message) = bench.refused(&path, FIREWALL, &json!({"location": "Global", "properties": {}}));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert_eq!(message, "Creation of new Frontdoors are not allowed as the resource has been deprecated.");
    let old = json!({"id": absolute(&path), "location": "Global", "tags": {"svc-service": "edge"}, "properties": {}});
    bench.cloud.import(&[old]).unwrap();
    assert_eq!(bench.get(&path, FIREWALL).json()["name"], "old");
    let listed = bench.get("resourceGroups/g/providers/Microsoft.Network/frontDoors", FIREWALL).json();
    assert_eq!(listed["value"].as_array().unwrap().len(), 1);
    let found =
        bench.get("resources?$filter=tagName eq 'svc-service' and tagValue eq 'edge'", super::common::RESOURCES).json();
    assert_eq!(found["value"][0]["type"], "Microsoft.Network/frontDoors");
    let changed = bench.put(&path, FIREWALL, &json!({"location": "Global", "tags": {}, "properties": {}}));
    assert_eq!(changed.status, 202, "{changed:?}");
}
