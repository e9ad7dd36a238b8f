//! Azure Front Door: profiles, endpoints, origins, domains and secrets.

use super::common::{Bench, absolute, change_members};
use serde_json::{Value, json};

pub(super) const CDN: &str = "2025-12-01";
const VAULTS: &str = "2024-11-01";
pub(super) const STANDARD: &str = "Standard_AzureFrontDoor";
pub(super) const PREMIUM: &str = "Premium_AzureFrontDoor";

/// A path below the profile `f` in the group `g`.
pub(super) fn front_door_path(below: &str) -> String {
    let separator = if below.is_empty() { "" } else { "/" };
    format!("resourceGroups/g/providers/Microsoft.Cdn/profiles/f{separator}{below}")
}

pub(super) fn profile_body(sku: &str) -> Value {
    json!({"location": "Global", "sku": {"name": sku}})
}

pub(super) fn endpoint_body() -> Value {
    json!({"location": "Global", "properties": {"enabledState": "Enabled"}})
}

pub(super) fn group_body() -> Value {
    json!({"properties": {"loadBalancingSettings": {"sampleSize": 4, "successfulSamplesRequired": 2}}})
}

pub(super) fn origin_body() -> Value {
    json!({"properties": {"hostName": "shop.example.com", "originHostHeader": "shop.example.com"}})
}

pub(super) fn domain_body(host: &str) -> Value {
    json!({"properties": {
        "hostName": host, "tlsSettings": {"certificateType": "ManagedCertificate", "minimumTlsVersion": "TLS12"},
    }})
}

/// A cloud with a profile `f` that has the endpoint `e`, and the origin group `o` with the origin `web`.
pub(super) fn front_door(sku: &str) -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&front_door_path(""), CDN, &profile_body(sku));
    bench.made(&front_door_path("afdEndpoints/e"), CDN, &endpoint_body());
    bench.made(&front_door_path("originGroups/o"), CDN, &group_body());
    bench.made(&front_door_path("originGroups/o/origins/web"), CDN, &origin_body());
    bench
}

/// The message of a refusal with 400.
pub(super) fn bad(bench: &Bench, path: &str, body: &Value) -> String {
    let (status, _, message) = bench.refused(path, CDN, body);
    assert_eq!(status, 400, "{message}");
    message
}

fn changed(mut body: Value, change: Value) -> Value {
    change_members(&mut body["properties"], change);
    body
}

#[test]
fn a_profile_is_made_by_an_operation_and_filled_in() {
    let bench = Bench::new();
    bench.group("g");
    let started = bench.put(&front_door_path(""), CDN, &profile_body("standard_azurefrontdoor"));
    assert_eq!(started.status, 201, "{started:?}");
    let made = bench.finish(&started).json();
    assert_eq!(
        (&made["sku"]["name"], &made["kind"], &made["location"]),
        (&json!(STANDARD), &json!("frontdoor"), &json!("Global"))
    );
    let guid = made["properties"]["frontDoorId"].as_str().unwrap().to_owned();
    assert!(uuid::Uuid::try_parse(&guid).is_ok());
    assert_eq!(
        (&made["properties"]["resourceState"], &made["properties"]["provisioningState"]),
        (&json!("Active"), &json!("Succeeded"))
    );
    let mut with_identity = profile_body(STANDARD);
    with_identity["identity"] = json!({"type": "SystemAssigned"});
    let again = bench.put(&front_door_path(""), CDN, &with_identity);
    assert_eq!(again.status, 202);
    let again = bench.get(&front_door_path(""), CDN).json();
    assert_eq!(again["properties"]["frontDoorId"], guid);
    assert!(again["identity"]["principalId"].is_string());
    assert!(bad(&bench, &front_door_path(""), &profile_body(PREMIUM)).contains("cannot be changed"));
}

#[test]
fn profiles_of_other_skus_are_refused_and_stay_readable_when_they_exist() {
    let bench = Bench::new();
    bench.group("g");
    let path = front_door_path("");
    let message = |sku: &str| bad(&bench, &path, &profile_body(sku));
    assert_eq!(
        message("Standard_Microsoft"),
        "Azure CDN from Microsoft (classic) no longer support new profile creation."
    );
    for sku in ["Standard_Verizon", "Premium_Verizon", "Standard_Akamai", "Standard_ChinaCdn"] {
        assert!(message(sku).contains("is retired"), "{sku}");
    }
    assert!(message("Basic").contains("not supported"));
    assert!(bad(&bench, &path, &json!({"location": "Global"})).contains("'Sku' is required"));
    let mut here = profile_body(STANDARD);
    here["location"] = json!("uksouth");
    assert!(bad(&bench, &path, &here).contains("'Global', not 'uksouth'"));
    assert!(
        bad(
            &bench,
            &path,
            &changed(
                json!({"location": "Global", "sku": {"name": STANDARD}, "properties": {}}),
                json!({"originResponseTimeoutSeconds": 10})
            )
        )
        .contains("between 16 and 240")
    );

    let classic = json!({"id": absolute(&path), "location": "westeurope", "sku": {"name": "Standard_Microsoft"}});
    bench.cloud.import(&[classic]).unwrap();
    let read = bench.get(&path, CDN).json();
    assert_eq!((&read["kind"], &read["sku"]["name"]), (&json!("cdn"), &json!("Standard_Microsoft")));
    assert!(
        bad(&bench, &front_door_path("afdEndpoints/e"), &endpoint_body()).contains("isn't allowed in this profile")
    );
    let tagged = bench.call("PATCH", &path, CDN, Some(&json!({"tags": {"a": "b"}})));
    assert_eq!(tagged.status, 202, "{tagged:?}");
}

#[test]
fn an_endpoint_gets_a_host_name_that_cannot_be_guessed() {
    let bench = front_door(STANDARD);
    let path = front_door_path("afdEndpoints/e");
    let made = bench.get(&path, CDN).json();
    let host = made["properties"]["hostName"].as_str().unwrap().to_owned();
    let hash = host.strip_prefix("e-").and_then(|rest| rest.strip_suffix(".z01.azurefd.net")).unwrap();
    assert_eq!(hash.len(), 16, "{host}");
    assert_eq!(made["properties"]["autoGeneratedDomainNameLabelScope"], "TenantReuse");
    assert_eq!(
        (&made["properties"]["profileName"], &made["properties"]["deploymentStatus"]),
        (&json!("f"), &json!("NotStarted"))
    );
    // It stays, and read-only members that are sent back have no effect.
    let again = bench.made(&path, CDN, &changed(endpoint_body(), json!({"hostName": "x.example.com"})));
    assert_eq!(again["properties"]["hostName"], host);
    let other_scope = changed(endpoint_body(), json!({"autoGeneratedDomainNameLabelScope": "NoReuse"}));
    assert!(bad(&bench, &path, &other_scope).contains("cannot be changed"));
    // The same name in the tenant is the same label.
    let second = "resourceGroups/g/providers/Microsoft.Cdn/profiles/second";
    bench.made(second, CDN, &profile_body(STANDARD));
    let taken = bench.refused(&format!("{second}/afdEndpoints/e"), CDN, &endpoint_body());
    assert_eq!((taken.0, taken.2.as_str()), (409, "That resource name isn't available."));
    bench.made(&format!("{second}/afdEndpoints/e"), CDN, &other_scope);
}

#[test]
fn endpoints_azure_refuses_are_refused() {
    let bench = front_door(STANDARD);
    let path = |name: &str| front_door_path(&format!("afdEndpoints/{name}"));
    for name in ["-a", "a-", "a_b", &"x".repeat(47)] {
        assert!(bad(&bench, &path(name), &endpoint_body()).contains("is invalid"), "{name}");
    }
    bench.made(&path(&"x".repeat(46)), CDN, &endpoint_body());
    let unknown = changed(endpoint_body(), json!({"color": "red"}));
    assert_eq!(bench.refused(&path("a"), CDN, &unknown).1, "InvalidRequestContent");
    let odd = changed(endpoint_body(), json!({"enabledState": "On"}));
    assert!(bad(&bench, &path("a"), &odd).contains("not one of Enabled, Disabled"));
    for number in 2..10 {
        bench.made(&path(&format!("n{number}")), CDN, &endpoint_body());
    }
    assert!(bad(&bench, &path("a"), &endpoint_body()).contains("at most 10 endpoints"));
}

#[test]
fn names_of_endpoints_can_be_asked_for() {
    let bench = front_door(STANDARD);
    let host = bench.get(&front_door_path("afdEndpoints/e"), CDN).json()["properties"]["hostName"].clone();
    for scope in ["resourceGroups/g/providers/Microsoft.Cdn", &front_door_path("")] {
        let ask = |name: &str| {
            let body = json!({"name": name, "type": "Microsoft.Cdn/Profiles/AfdEndpoints"});
            bench.call("POST", &format!("{scope}/checkEndpointNameAvailability"), CDN, Some(&body)).json()
        };
        assert_eq!(ask("e")["nameAvailable"], false);
        let free = ask("free");
        assert_eq!(free["nameAvailable"], true);
        assert_ne!(free["availableHostname"], host);
        assert_eq!(ask(&"x".repeat(47))["nameAvailable"], false);
    }
    let wrong = bench.call(
        "POST",
        "resourceGroups/g/providers/Microsoft.Cdn/checkEndpointNameAvailability",
        CDN,
        Some(&json!({"name": "e", "type": "Microsoft.Cdn/profiles"})),
    );
    assert_eq!(wrong.status, 400);
}

#[test]
fn origin_groups_and_origins_are_checked_and_filled_in() {
    let bench = front_door(STANDARD);
    let (group, origin) = (front_door_path("originGroups/p"), front_door_path("originGroups/o/origins/two"));
    assert_eq!(
        bad(&bench, &group, &json!({"properties": {"sessionAffinityState": "Enabled"}})),
        "Property 'Properties.LoadBalancingSettings' is required but it was not set."
    );
    for (change, part) in [
        (json!({"loadBalancingSettings/successfulSamplesRequired": 5}), "more than sampleSize"),
        (json!({"loadBalancingSettings/sampleSize": 256}), "between 0 and 255"),
        (json!({"sessionAffinityState": "On"}), "not one of Enabled, Disabled"),
        (json!({"healthProbeSettings": {"probeIntervalInSeconds": 256}}), "between 1 and 255"),
        (json!({"healthProbeSettings": {"probePath": "index.html"}}), "begin with '/'"),
        (json!({"healthProbeSettings": {"probeProtocol": "Tcp"}}), "Http, Https"),
        (json!({"healthProbeSettings": {"probeRequestType": "POST"}}), "GET, HEAD"),
    ] {
        assert!(bad(&bench, &group, &changed(group_body(), change)).contains(part), "{part}");
    }
    let made = bench.made(&group, CDN, &changed(group_body(), json!({"healthProbeSettings": {"probePath": "/a"}})));
    assert_eq!(made["properties"]["sessionAffinityState"], "Disabled");
    assert_eq!(made["properties"]["loadBalancingSettings"]["additionalLatencyInMilliseconds"], 50);
    assert_eq!(made["properties"]["healthProbeSettings"]["probeRequestType"], "HEAD");

    for (change, part) in [
        (json!({"hostName": null}), "'hostName' is missing"),
        (json!({"hostName": "https://shop.example.com"}), "neither a host name nor an IP address"),
        (json!({"priority": 0}), "between 1 and 5"),
        (json!({"priority": 6}), "between 1 and 5"),
        (json!({"weight": 0}), "between 1 and 1000"),
        (json!({"weight": 1001}), "between 1 and 1000"),
        (json!({"httpsPort": 0}), "between 1 and 65535"),
        (json!({"sharedPrivateLinkResource": {"groupId": "sites"}}), "Premium_AzureFrontDoor only"),
    ] {
        assert!(bad(&bench, &origin, &changed(origin_body(), change)).contains(part), "{part}");
    }
    let made = bench.made(&origin, CDN, &origin_body());
    let properties = &made["properties"];
    assert_eq!((&properties["httpPort"], &properties["httpsPort"]), (&json!(80), &json!(443)));
    assert_eq!((&properties["priority"], &properties["weight"]), (&json!(1), &json!(1000)));
    assert_eq!(
        (&properties["enforceCertificateNameCheck"], &properties["originGroupName"]),
        (&json!(true), &json!("o"))
    );
    let orphan = bench.put(&front_door_path("originGroups/none/origins/a"), CDN, &origin_body());
    assert_eq!(orphan.refusal(), (404, "ParentResourceNotFound".into()));
}

#[test]
fn a_custom_domain_waits_for_its_proof() {
    let bench = front_door(STANDARD);
    let path = front_door_path("customDomains/www");
    let started = bench.put(&path, CDN, &domain_body("www.example.com"));
    assert_eq!(started.status, 201);
    assert!(started.header("azure-asyncoperation").is_some());
    let made = bench.get(&path, CDN).json();
    let properties = &made["properties"];
    assert_eq!(
        (&properties["domainValidationState"], &properties["deploymentStatus"]),
        (&json!("Pending"), &json!("NotStarted"))
    );
    let token = properties["validationProperties"]["validationToken"].as_str().unwrap();
    assert!(token.starts_with('_') && token.len() == 32, "{token}");
    assert!(properties["validationProperties"]["expirationDate"].is_string());
    let again = bench.made(&path, CDN, &domain_body("www.example.com"));
    assert_eq!(again["properties"]["validationProperties"], properties["validationProperties"]);
    // One that is approved stays so.
    let id = absolute(&front_door_path("customDomains/old"));
    bench
        .cloud
        .import(&[
            json!({"id": id, "properties": {"hostName": "old.example.com", "domainValidationState": "Approved"}}),
        ])
        .unwrap();
    let old = bench.made(&id, CDN, &domain_body("old.example.com"));
    assert_eq!(old["properties"]["domainValidationState"], "Approved");
}

#[test]
fn custom_domains_azure_refuses_are_refused() {
    let bench = front_door(STANDARD);
    let path = |name: &str| front_door_path(&format!("customDomains/{name}"));
    let message = |host: &str, change: Value| bad(&bench, &path("a"), &changed(domain_body(host), change));
    for host in ["example", "a..b", "-a.example.com", "a_b.example.com", "www.*.example.com"] {
        assert!(message(host, json!({})).contains("not a valid host name"), "{host}");
    }
    assert!(message("*.example.com", json!({})).contains("wildcard domain"));
    assert!(message("*.example.com", json!({"tlsSettings": null})).contains("wildcard domain"));
    assert!(message("a.example.com", json!({"tlsSettings/certificateType": "None"})).contains("certificateType"));
    assert!(message("a.example.com", json!({"tlsSettings/minimumTlsVersion": "TLS11"})).contains("minimumTlsVersion"));
    let own = json!({"tlsSettings/certificateType": "CustomerCertificate"});
    assert!(message("a.example.com", own).contains("'TlsSettings.Secret' is required"));
    let nowhere = json!({"tlsSettings": {
        "certificateType": "CustomerCertificate", "secret": {"id": absolute(&front_door_path("secrets/none"))},
    }});
    assert!(message("*.example.com", nowhere).contains("does not exist"));
    bench.made(&path("a"), CDN, &domain_body("a.example.com"));
    assert_eq!(bench.refused(&path("b"), CDN, &domain_body("A.example.com")).0, 409);
    assert!(message("b.example.com", json!({})).contains("cannot be changed"));
}

#[test]
fn a_secret_is_a_certificate_of_a_vault_in_the_subscription() {
    let bench = front_door(STANDARD);
    let vault = "resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-web";
    let path = front_door_path("secrets/cert");
    let body = |change: Value| {
        let source = absolute(&format!("{vault}/secrets/certificate"));
        let mut body = json!({"properties": {"parameters": {
            "type": "CustomerCertificate", "secretSource": {"id": source}, "useLatestVersion": true,
        }}});
        change_members(&mut body["properties"]["parameters"], change);
        body
    };
    assert!(bad(&bench, &path, &body(json!({}))).contains("key vault"), "there is none");
    let vault_body = json!({"location": "uksouth", "properties": {
        "tenantId": crate::LOCAL_TENANT_ID, "sku": {"family": "A", "name": "standard"},
    }});
    bench.made(vault, VAULTS, &vault_body);
    assert!(bad(&bench, &path, &body(json!({}))).contains("has no secret 'certificate'"));
    bench.made(&format!("{vault}/secrets/certificate"), VAULTS, &json!({"properties": {"value": "x"}}));
    assert!(bad(&bench, &path, &body(json!({"useLatestVersion": false}))).contains("secretVersion"));
    assert!(
        bad(&bench, &path, &body(json!({"type": "ManagedCertificate"}))).contains("is not one of CustomerCertificate")
    );
    assert!(bad(&bench, &path, &body(json!({"secretSource/id": absolute(vault)}))).contains("secretSource"));
    let elsewhere = absolute(&format!("{vault}/secrets/certificate")).replace("000000000001/", "0000000000ff/");
    assert!(bad(&bench, &path, &body(json!({"secretSource/id": elsewhere}))).contains("same subscription"));
    let made = bench.made(&path, CDN, &body(json!({})));
    assert_eq!(made["properties"]["parameters"]["subject"], "CN=certificate");

    let domain = changed(
        domain_body("*.example.com"),
        json!({"tlsSettings": {
            "certificateType": "CustomerCertificate", "secret": {"id": absolute(&path)},
        }}),
    );
    bench.made(&front_door_path("customDomains/all"), CDN, &domain);
    let in_use = bench.delete(&path, CDN);
    assert_eq!(in_use.status, 409);
    assert!(in_use.text.contains("still associated with a custom domain"), "{in_use:?}");
    assert_eq!(bench.delete(&front_door_path("customDomains/all"), CDN).status, 202);
    assert_eq!(bench.delete(&path, CDN).status, 202);
}

#[test]
fn a_front_door_is_deleted_with_everything_in_it() {
    let bench = front_door(STANDARD);
    assert_eq!(bench.finish(&bench.delete(&front_door_path(""), CDN)).status, 200);
    for below in ["afdEndpoints/e", "originGroups/o", "originGroups/o/origins/web"] {
        assert_eq!(bench.get(&front_door_path(below), CDN).status, 404, "{below}");
    }
}

#[test]
fn children_are_listed() {
    let bench = front_door(STANDARD);
    for (kind, count) in [("afdEndpoints", 1), ("originGroups", 1), ("originGroups/o/origins", 1), ("customDomains", 0)]
    {
        let listed = bench.get(&front_door_path(kind), CDN).json();
        assert_eq!(listed["value"].as_array().unwrap().len(), count, "{kind}");
    }
}
