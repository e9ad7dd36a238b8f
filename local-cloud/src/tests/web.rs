//! App Service plans, sites and slots.

use super::common::{Bench, absolute, change_members, quick};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};

pub(super) const WEB: &str = "2025-05-01";

/// A resource of Microsoft.Web in the group `g`: `sites`, or with children `sites/s/slots`.
pub(super) fn web_path(kind: &str, name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Web/{kind}/{name}")
}

/// A Linux plan.
pub(super) fn plan_body(sku: &str) -> Value {
    json!({"location": "uksouth", "kind": "linux", "sku": {"name": sku}, "properties": {"reserved": true}})
}

/// A web app on the plan `p`.
pub(super) fn site_body(change: Value) -> Value {
    let mut body = json!({"location": "uksouth", "kind": "app,linux", "properties": {
        "serverFarmId": absolute(&web_path("serverfarms", "p")),
        "siteConfig": {"linuxFxVersion": "NODE|22-lts"},
    }});
    change_members(&mut body["properties"], change);
    body
}

/// A slot on the plan of its site.
fn slot_body() -> Value {
    json!({"location": "uksouth", "properties": {}})
}

/// A cloud with the plan `p` in the group `g`.
pub(super) fn web_bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&web_path("serverfarms", "p"), WEB, &plan_body("S1"));
    bench
}

#[test]
fn a_plan_is_made_by_an_operation_and_filled_in() {
    let bench = Bench::with(LocalCloudOptions { operation_time: OperationTime::Factor(1000.0), ..quick() });
    bench.group("g");
    let plan = web_path("serverfarms", "p");
    let started = bench.put(&plan, WEB, &plan_body("P1v3"));
    assert_eq!((started.status, &started.json()["properties"]["provisioningState"]), (202, &json!("InProgress")));
    assert_eq!(started.json()["sku"]["tier"], "PremiumV3");
    assert_eq!(bench.follow(started.header("location").unwrap()).status, 202);
    assert_eq!(bench.follow(started.header("azure-asyncoperation").unwrap()).json()["status"], "InProgress");
    assert_eq!(bench.get(&plan, WEB).status, 404);
    // What is being made cannot be built on yet.
    let site = web_path("sites", "shop");
    assert_eq!(bench.put(&site, WEB, &site_body(json!({}))).refusal(), (404, "NotFound".into()));

    let bench = web_bench();
    let finished = bench.finish(&bench.put(&web_path("serverfarms", "q"), WEB, &plan_body("p1V3"))).json();
    let sku = json!({"name": "P1v3", "tier": "PremiumV3", "size": "P1v3", "family": "Pv3", "capacity": 1});
    assert_eq!(
        (&finished["sku"], &finished["kind"], &finished["location"]),
        (&sku, &json!("linux"), &json!("UK South"))
    );
    let properties = &finished["properties"];
    assert_eq!((&properties["reserved"], &properties["numberOfSites"]), (&json!(true), &json!(0)));
    assert_eq!((&properties["status"], &properties["maximumNumberOfWorkers"]), (&json!("Ready"), &json!(30)));
    // `kind` does not make a Linux plan: `reserved` does.
    let mut body = plan_body("B1");
    body["properties"] = json!({});
    let windows = bench.made(&web_path("serverfarms", "w"), WEB, &body);
    assert_eq!((&windows["properties"]["reserved"], &windows["sku"]["family"]), (&json!(false), &json!("B")));
    let elastic = bench.made(&web_path("serverfarms", "e"), WEB, &plan_body("EP2"));
    assert_eq!((&elastic["sku"]["tier"], &elastic["sku"]["family"]), (&json!("ElasticPremium"), &json!("EP")));
    assert_eq!(elastic["properties"]["elasticScaleEnabled"], true);
}

#[test]
fn plans_azure_refuses_are_refused() {
    let bench = web_bench();
    let refused = |name: &str, body: &Value| {
        let (status, code, message) = bench.refused(&web_path("serverfarms", name), WEB, body);
        (status, code, message)
    };
    assert!(refused("q", &plan_body("S9")).2.contains("sku.name"));
    assert!(refused("q", &json!({"location": "uksouth"})).2.contains("sku.name"));
    assert!(refused("q", &plan_body("D1")).2.contains("not available for Linux"));
    let mut many = plan_body("B1");
    many["sku"]["capacity"] = json!(4);
    assert!(refused("q", &many).2.contains("at most 3 instances"));
    assert!(refused("a_b", &plan_body("B1")).2.contains("letters, digits and hyphens"));
    let mut windows = plan_body("S1");
    windows["properties"]["reserved"] = json!(false);
    assert_eq!(refused("p", &windows).0, 409);
    // A body without a sku keeps the one there is.
    let kept = bench.made(&web_path("serverfarms", "p"), WEB, &json!({"location": "uksouth", "tags": {"a": "b"}}));
    assert_eq!((&kept["sku"]["name"], &kept["properties"]["reserved"]), (&json!("S1"), &json!(true)));
}

#[test]
fn a_plan_counts_its_sites_and_stays_while_it_has_any() {
    let bench = web_bench();
    let (plan, site) = (web_path("serverfarms", "p"), web_path("sites", "shop"));
    bench.made(&site, WEB, &site_body(json!({})));
    bench.made(&format!("{site}/slots/next"), WEB, &slot_body());
    assert_eq!(bench.get(&plan, WEB).json()["properties"]["numberOfSites"], 1);
    let refused = bench.delete(&plan, WEB);
    assert_eq!(refused.refusal(), (409, "Conflict".into()));
    assert!(refused.text.contains("has web app(s) shop"), "{refused:?}");
    assert!(bench.refused(&plan, WEB, &plan_body("B1")).2.contains("number of slots allowed for the 'Basic' SKU"));
    assert_eq!(bench.delete(&site, WEB).status, 200);
    assert_eq!(bench.get(&format!("{site}/slots/next"), WEB).status, 404);
    assert_eq!(bench.get(&plan, WEB).json()["properties"]["numberOfSites"], 0);
    assert_eq!(bench.delete(&plan, WEB).status, 200);
}

#[test]
fn a_site_is_made_by_an_operation_and_filled_in() {
    let bench = web_bench();
    let started = bench.put(&web_path("sites", "Shop"), WEB, &site_body(json!({"httpsOnly": true})));
    assert_eq!((started.status, &started.json()["properties"]["state"]), (202, &json!("Running")));
    assert_eq!(bench.follow(started.header("azure-asyncoperation").unwrap()).json()["status"], "Succeeded");
    let site = bench.finish(&started).json();
    assert_eq!((&site["kind"], &site["location"]), (&json!("app,linux"), &json!("UK South")));
    let properties = &site["properties"];
    assert_eq!(properties["defaultHostName"], "shop.azurewebsites.net");
    assert_eq!(properties["hostNames"], json!(["shop.azurewebsites.net"]));
    assert_eq!(properties["enabledHostNames"], json!(["shop.azurewebsites.net", "shop.scm.azurewebsites.net"]));
    assert_eq!(properties["hostNameSslStates"][1]["hostType"], "Repository");
    assert_eq!((&properties["state"], &properties["sku"]), (&json!("Running"), &json!("Standard")));
    assert_eq!((&properties["reserved"], &properties["httpsOnly"]), (&json!(true), &json!(true)));
    assert_eq!(properties["repositorySiteName"], "Shop");
    assert!(properties["outboundIpAddresses"].as_str().unwrap().split(',').count() > 1);
    let id = properties["customDomainVerificationId"].as_str().unwrap();
    assert_eq!(id.len(), 64);
    let other = bench.made(&web_path("sites", "other"), WEB, &site_body(json!({})));
    assert_eq!(other["properties"]["customDomainVerificationId"], id, "it is that of the subscription");
    // Read-only members may be sent back and have no effect.
    let mut back = site.clone();
    back["properties"]["defaultHostName"] = json!("elsewhere.example.com");
    back["properties"]["state"] = json!("Stopped");
    let again = bench.put(&web_path("sites", "shop"), WEB, &back);
    assert_eq!(again.status, 200, "{again:?}");
    assert_eq!(again.json()["properties"]["defaultHostName"], "shop.azurewebsites.net");
    assert_eq!(again.json()["properties"]["state"], "Running");
    assert_eq!(again.json()["name"], "Shop", "the casing first sent stays");
}

#[test]
fn with_a_label_scope_the_host_name_cannot_be_guessed_and_stays() {
    let bench = web_bench();
    bench.group("h");
    let body = |scope: &str| site_body(json!({"autoGeneratedDomainNameLabelScope": scope}));
    let path = web_path("sites", "shop");
    let host = |site: &Value| site["properties"]["defaultHostName"].as_str().unwrap().to_owned();
    let first = host(&bench.made(&path, WEB, &body("TenantReuse")));
    let (label, rest) = first.split_once('.').unwrap();
    assert_eq!((rest, label.len()), ("uksouth-01.azurewebsites.net", "shop-".len() + 16));
    // Nobody else's name is in the way, and another scope gives another name.
    let elsewhere = "resourceGroups/h/providers/Microsoft.Web/sites/shop";
    assert_ne!(host(&bench.made(elsewhere, WEB, &body("ResourceGroupReuse"))), first);
    assert_eq!(host(&bench.made(&path, WEB, &site_body(json!({})))), first, "it stays when the scope is left out");
    let changed = bench.refused(&path, WEB, &body("NoReuse"));
    assert_eq!((changed.0, changed.1.as_str()), (409, "Conflict"));
    assert!(bench.refused(&web_path("sites", "x1"), WEB, &body("WorldReuse")).2.contains("LabelScope"));
    assert_eq!(bench.delete(&path, WEB).status, 200);
    assert_eq!(host(&bench.made(&path, WEB, &body("TenantReuse"))), first, "the tenant may have it again");
}

#[test]
fn sites_azure_refuses_are_refused() {
    let bench = web_bench();
    bench.group("h");
    let refused = |name: &str, change: Value| bench.refused(&web_path("sites", name), WEB, &site_body(change));
    for name in ["a", "-ab", "ab-", "a_b", &"x".repeat(61)] {
        assert_eq!(refused(name, json!({})).1, "BadRequest", "{name}");
    }
    let missing = refused("ab", json!({"serverFarmId": absolute(&web_path("serverfarms", "none"))}));
    assert_eq!(missing, (404, "NotFound".into(), "Cannot find serverfarm with name none.".into()));
    assert_eq!(refused("ab", json!({"serverFarmId": absolute("resourceGroups/g")})).1, "BadRequest");
    for nothing in [json!(null), json!(" ")] {
        let (_, code, message) = refused("ab", json!({"serverFarmId": nothing}));
        assert!(code == "BadRequest" && message.contains("makes no plan for a site that names none"), "{message}");
    }
    let mut elsewhere = site_body(json!({}));
    elsewhere["location"] = json!("westeurope");
    assert!(bench.refused(&web_path("sites", "ab"), WEB, &elsewhere).2.contains("westeurope: it is in uksouth"));
    for stack in ["NODE", "NODE|", "NODE| 22", "COBOL|85", "|22", "DOTNET-ISOLATED|8.0"] {
        let message = refused("ab", json!({"siteConfig/linuxFxVersion": stack})).2;
        assert!(message.contains("LinuxFxVersion"), "{stack}: {message}");
    }
    assert!(refused("ab", json!({"siteConfig/minTlsVersion": "1.4"})).2.contains("minTlsVersion"));
    assert!(refused("ab", json!({"siteConfig/ftpsState": "On"})).2.contains("ftpsState"));
    assert!(refused("ab", json!({"siteConfig/alwaysOn": "yes"})).2.contains("alwaysOn"));
    assert!(refused("ab", json!({"httpsOnly": "true"})).2.contains("httpsOnly"));
    assert!(refused("ab", json!({"clientCertMode": "Maybe"})).2.contains("clientCertMode"));
    // A name is worldwide.
    bench.made(&web_path("sites", "taken"), WEB, &site_body(json!({})));
    let again = bench.refused("resourceGroups/h/providers/Microsoft.Web/sites/TAKEN", WEB, &site_body(json!({})));
    assert_eq!(again, (409, "Conflict".into(), "Website with given name TAKEN already exists.".into()));
    // Of a plan only its name may be given.
    bench.made(&web_path("sites", "short"), WEB, &site_body(json!({"serverFarmId": "p"})));
    let short = bench.get(&web_path("sites", "short"), WEB).json();
    assert!(short["properties"]["serverFarmId"].as_str().unwrap().ends_with("/serverfarms/p"));
}

#[test]
fn what_a_plan_does_not_allow_is_refused() {
    let bench = web_bench();
    let on = |plan: &str, config: Value| {
        let plan = absolute(&web_path("serverfarms", plan));
        site_body(json!({"serverFarmId": plan, "siteConfig": config}))
    };
    bench.made(&web_path("serverfarms", "free"), WEB, &plan_body("F1"));
    let mut windows = plan_body("B1");
    windows["properties"]["reserved"] = json!(false);
    bench.made(&web_path("serverfarms", "windows"), WEB, &windows);
    let site = web_path("sites", "shop");
    let always = bench.refused(&site, WEB, &on("free", json!({"alwaysOn": true})));
    assert!(always.0 == 409 && always.2.contains("AlwaysOn cannot be set"), "{always:?}");
    let stack = bench.refused(&site, WEB, &on("windows", json!({"linuxFxVersion": "NODE|22-lts"})));
    assert!(stack.2.contains("LinuxFxVersion"), "{stack:?}");
    bench.made(&site, WEB, &on("p", json!({"alwaysOn": true})));
}

#[test]
fn an_identity_gets_its_ids_and_keeps_them() {
    let bench = web_bench();
    let path = web_path("sites", "shop");
    let mut body = site_body(json!({}));
    body["identity"] = json!({"type": "SystemAssigned"});
    let made = bench.made(&path, WEB, &body);
    let principal = made["identity"]["principalId"].as_str().unwrap();
    assert_eq!(made["identity"]["tenantId"], crate::LOCAL_TENANT_ID);
    assert_eq!(bench.made(&path, WEB, &body)["identity"]["principalId"], principal);
    assert_eq!(bench.made(&path, WEB, &site_body(json!({})))["identity"]["principalId"], principal);
    body["identity"] = json!({"type": "None"});
    assert_eq!(bench.made(&path, WEB, &body).get("identity"), None);
    let user = absolute("resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/u");
    body["identity"] = json!({"type": "UserAssigned", "userAssignedIdentities": {user.as_str(): {}}});
    let made = bench.made(&path, WEB, &body);
    assert!(made["identity"]["userAssignedIdentities"][user]["clientId"].is_string());
    assert_eq!(made["identity"].get("principalId"), None);
}

#[test]
fn a_slot_is_a_site_of_its_own() {
    let bench = web_bench();
    let site = web_path("sites", "shop");
    let slot = |name: &str| format!("{site}/slots/{name}");
    let orphan = bench.put(&slot("next"), WEB, &slot_body());
    assert_eq!(orphan.refusal(), (404, "ParentResourceNotFound".into()));
    bench.made(&site, WEB, &site_body(json!({})));
    let started = bench.put(&slot("Next"), WEB, &slot_body());
    assert_eq!(started.status, 202);
    let made = bench.finish(&started).json();
    assert_eq!((&made["name"], &made["type"]), (&json!("shop/Next"), &json!("Microsoft.Web/sites/slots")));
    assert_eq!(made["properties"]["defaultHostName"], "shop-next.azurewebsites.net");
    assert!(made["properties"]["serverFarmId"].as_str().unwrap().ends_with("/serverfarms/p"), "that of the site");
    assert_eq!(bench.put(&slot("next"), WEB, &slot_body()).json()["name"], "shop/Next");
    for name in ["production", "x", "a_b"] {
        assert_eq!(bench.refused(&slot(name), WEB, &slot_body()).1, "BadRequest", "{name}");
    }
    // The host name of a slot is that of a site somebody else may have.
    bench.made(&web_path("sites", "shop-old"), WEB, &site_body(json!({})));
    assert!(bench.refused(&slot("old"), WEB, &slot_body()).2.contains("shop-old already exists"));
    assert!(bench.refused(&web_path("sites", "shop-next"), WEB, &site_body(json!({}))).2.contains("already exists"));
}

#[test]
fn a_tier_has_so_many_slots() {
    let bench = web_bench();
    for (sku, slots) in [("F1", 0), ("B1", 0), ("S1", 5), ("P1v3", 20)] {
        let name = format!("on-{}", sku.to_lowercase());
        bench.made(&web_path("serverfarms", &name), WEB, &plan_body(sku));
        let plan = absolute(&web_path("serverfarms", &name));
        bench.made(&web_path("sites", &name), WEB, &site_body(json!({"serverFarmId": plan})));
        let slot = |number: usize| web_path(&format!("sites/{name}/slots"), &format!("s{number}"));
        for number in 0..slots {
            bench.made(&slot(number), WEB, &slot_body());
        }
        let (status, code, message) = bench.refused(&slot(slots), WEB, &slot_body());
        assert_eq!((status, code.as_str()), (409, "Conflict"), "{sku}");
        assert!(message.contains("exceed the number of slots allowed"), "{message}");
        // One that is there can still be written.
        if slots > 0 {
            assert_eq!(bench.put(&slot(0), WEB, &slot_body()).status, 200);
        }
    }
}

#[test]
fn names_can_be_asked_for() {
    let bench = web_bench();
    bench.made(&web_path("sites", "shop"), WEB, &site_body(json!({})));
    let ask = |body: Value| bench.call("POST", "providers/Microsoft.Web/checknameavailability", WEB, Some(&body));
    let answer = |name: &str| ask(json!({"name": name, "type": "Microsoft.Web/sites"})).json();
    assert_eq!(answer("other")["nameAvailable"], true);
    assert_eq!((&answer("SHOP")["nameAvailable"], &answer("shop")["reason"]), (&json!(false), &json!("AlreadyExists")));
    assert_eq!(answer("a_b")["reason"], "Invalid");
    assert_eq!(ask(json!({"name": "other"})).refusal(), (400, "BadRequest".into()));
    assert_eq!(ask(json!({"name": "other", "type": "Microsoft.Web/plans"})).refusal().0, 400);
}

#[test]
fn sites_that_exist_already_can_be_imported() {
    let bench = Bench::new();
    let id = absolute(&web_path("sites", "old"));
    let old = json!({"id": id, "location": "uksouth", "kind": "app", "properties": {
        "defaultHostName": "old-0123456789abcdef.uksouth-01.azurewebsites.net",
        "siteConfig": {"appSettings": [{"name": "A", "value": "1"}], "ftpsState": "Disabled"},
    }});
    bench.cloud.import(&[old]).unwrap();
    let site = bench.get(&id, WEB).json();
    assert_eq!(site["properties"]["defaultHostName"], "old-0123456789abcdef.uksouth-01.azurewebsites.net");
    assert_eq!((&site["kind"], &site["properties"]["siteConfig"]["appSettings"]), (&json!("app"), &Value::Null));
    assert_eq!(bench.get(&format!("{id}/config/web"), WEB).json()["properties"]["ftpsState"], "Disabled");
    let settings = bench.call("POST", &format!("{id}/config/appsettings/list"), WEB, None).json();
    assert_eq!(settings["properties"], json!({"A": "1"}));
}
