//! The parts that leave a front door: what leaves the document leaves it; what leads to others, or is used by others, stays.

use serde_json::{Value, json};
use svc_engine::protocol::{ActionKind, Confirm};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::front_door::*;

/// The front door of [`web_document`] without the pool `api`, and its rule.
fn without_api() -> String {
    let door = FRONT_DOOR.replace("  - name: api\n    protocol: http\n", "");
    door.split_once("  - name: api\n    pattern").unwrap().0.to_owned()
}

/// The web apps with one that names no pool any more.
fn orders_at_large() -> String {
    APPS.replace(", backendpool: api, priority: 2", "")
}

/// A front door, and the same with a swap of patterns, a domain that moves to another rule, and without a pool and a domain with its
/// security policy.
pub(crate) fn front_door_that_loses_and_moves() -> [String; 2] {
    let later = FRONT_DOOR
        .replace("  - name: api\n    protocol: http\n", "")
        .replace(
            "  - domainName: www.Contoso.com\n    sessionAffinity: Enabled\n    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n",
            "",
        )
        .replace("[shop.contoso.com, contoso-edge]", "[contoso-edge]")
        .replace("[www.contoso.com]", "[shop.contoso.com]")
        .replace("backEndPoolname: api", "backEndPoolname: shop")
        .replace("pattern: [/shop, '/shop/*']", "pattern: ['/api/*', /more]")
        .replace("pattern: ['/api/*']\n", "pattern: ['/shop/*']\n");
    [web_document(APPS, FRONT_DOOR), web_document(&orders_at_large(), &later)]
}

/// The planned deletions, each with how it is asked for.
fn deletions(outcome: &Outcome) -> Vec<(&str, &str, Confirm)> {
    let deleted = outcome.plan().iter().filter(|action| action.action == ActionKind::Delete);
    deleted.map(|action| (action.resource.label.as_str(), action.resource.name.as_str(), action.confirm)).collect()
}

fn exists(cloud: &LocalCloud, path: &str) -> bool {
    cloud.resource(&in_subscription(&in_door(path))).is_some()
}

/// The warnings with this part, without file, line and column.
fn warnings<'a>(outcome: &'a Outcome, part: &str) -> Vec<&'a str> {
    let with_part = outcome.warnings().into_iter().filter(|warning| warning.contains(part));
    with_part.map(|warning| warning.split_once(": ").unwrap().1).collect()
}

fn deployed() -> (LocalCloud, Deployment) {
    let (cloud, deployment) = (landing_zone(), deployment());
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    (cloud, deployment)
}

/// Puts something into the front door as somebody else would.
fn import(cloud: &LocalCloud, path: &str, properties: Value) {
    cloud.import(&[json!({"id": in_subscription(&in_door(path)), "properties": properties})]).unwrap();
}

/// A route of somebody else that sends requests to a pool.
fn route_to(pool: &str, domains: &[&str]) -> Value {
    let id = |path: &str| json!({"id": in_subscription(&in_door(path))});
    let domains: Vec<Value> = domains.iter().map(|domain| id(&format!("customDomains/{domain}"))).collect();
    json!({"originGroup": id(&format!("originGroups/{pool}")), "patternsToMatch": ["/*"], "supportedProtocols": ["Https"],
        "customDomains": domains, "linkToDefaultDomain": "Enabled", "enabledState": "Enabled"})
}

fn origin_to(host: &str) -> Value {
    json!({"hostName": host, "enabledState": "Enabled", "priority": 1, "weight": 1})
}

#[test]
fn a_pool_its_origins_and_its_rule_go_like_a_modification() {
    let (cloud, deployment) = deployed();
    deployment.rewrite(&web_document(&orders_at_large(), &without_api()));
    let rehearsal = deployment.rehearse(&cloud);
    let expected = [
        ("route", "api", Confirm::Normal),
        ("origin", ORDERS, Confirm::Normal),
        ("origin group", "api", Confirm::Normal),
    ];
    assert_eq!(deletions(&rehearsal), expected);
    assert_eq!((rehearsal.counts().deleted, rehearsal.plan().len()), (3, 3));
    let of_door = format!("of Front Door profile '{DOOR}' in resource group '{GROUP_NAME}'");
    let origin = rehearsal.plan().iter().find(|action| action.resource.label == "origin").unwrap();
    assert_eq!(origin.question, format!("Delete origin '{ORDERS}' of origin group 'api' {of_door}?"));
    assert_eq!(origin.depends_on, [0], "the route goes before the last origin of its pool");
    assert!(exists(&cloud, "originGroups/api"), "a rehearsal deletes nothing");
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.counts().failed, outcome.counts().deleted), (0, 3), "{:#?}", outcome.errors());
    assert!(!exists(&cloud, "originGroups/api") && !exists(&cloud, &format!("afdEndpoints/{DOOR}/routes/api")));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn a_domain_goes_when_that_is_confirmed_and_with_it_what_protected_only_it() {
    let (cloud, deployment) = deployed();
    let door = FRONT_DOOR
        .replace(
            "  - domainName: www.Contoso.com\n    sessionAffinity: Enabled\n    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n",
            "",
        )
        .replace("endpoints: [www.contoso.com]", "endpoints: [contoso-edge]");
    deployment.rewrite(&web_document(APPS, &door));
    let rehearsal = deployment.rehearse(&cloud);
    assert_eq!(
        deletions(&rehearsal),
        [("security policy", "web-firewall", Confirm::Always), ("custom domain", "www-contoso-com", Confirm::Always)]
    );
    let question = &rehearsal.action("www-contoso-com").question;
    assert!(
        question.starts_with("Delete custom domain 'www-contoso-com' of ")
            && question.ends_with("? This cannot be undone.")
    );
    // What is not confirmed stays, and so does what would need it.
    let declined = deployment.deploy_approving(&cloud, |action| action.confirm == Confirm::Normal);
    assert_eq!((declined.counts().failed, declined.counts().skipped), (0, 2), "{:#?}", declined.errors());
    assert!(exists(&cloud, "customDomains/www-contoso-com") && exists(&cloud, "securityPolicies/web-firewall"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.counts().failed, outcome.counts().deleted), (0, 2), "{:#?}", outcome.errors());
    assert!(!exists(&cloud, "customDomains/www-contoso-com"));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn an_app_that_changes_its_pool_leaves_the_old_one() {
    let (cloud, deployment) = deployed();
    deployment.rewrite(&web_document(
        &APPS.replace(
            "shop-green, runTime: 'NODE|22-lts', backendpool: Shop",
            "shop-green, runTime: 'NODE|22-lts', backendpool: api",
        ),
        FRONT_DOOR,
    ));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(deletions(&outcome), [("origin", GREEN, Confirm::Normal)]);
    assert!(!exists(&cloud, &format!("originGroups/shop/origins/{GREEN}")));
    assert!(exists(&cloud, &format!("originGroups/api/origins/{GREEN}")));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn the_last_origin_of_a_pool_goes_after_the_one_that_takes_its_place() {
    let (cloud, deployment) = deployed();
    let apps = APPS
        .replace("backendpool: api, priority: 2", "backendpool: shop")
        .replace("backendpool: Shop, weight: 40, backendHostHeader: false", "backendpool: api");
    deployment.rewrite(&web_document(&apps, FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(outcome.counts().deleted, 2);
    assert!(exists(&cloud, &format!("originGroups/api/origins/{GREEN}")));
    assert!(!exists(&cloud, &format!("originGroups/api/origins/{ORDERS}")));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn a_pool_of_another_name_takes_the_place_of_the_old_one() {
    let (cloud, deployment) = deployed();
    let door = FRONT_DOOR
        .replace("  - name: shop\n    healthCheckPath", "  - name: store\n    healthCheckPath")
        .replace("backEndPoolname: shop", "backEndPoolname: store")
        .replace("backEndPoolname: Shop", "backEndPoolname: store");
    let apps =
        APPS.replace("backendpool: shop", "backendpool: store").replace("backendpool: Shop", "backendpool: store");
    deployment.rewrite(&web_document(&apps, &door));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(outcome.summary().split(", unchanged").next(), Some("created 3, modified 2"));
    assert_eq!(outcome.counts().deleted, 3, "the pool and its origins");
    assert!(exists(&cloud, "originGroups/store") && !exists(&cloud, "originGroups/shop"));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn what_azure_refuses_because_of_another_part_comes_with_the_right_advice() {
    let (cloud, deployment) = deployed();
    let endpoint =
        json!({"id": in_subscription(&in_door("afdEndpoints/theirs")), "location": "global", "properties": {}});
    cloud.import(&[endpoint]).unwrap();
    deployment.rewrite(&web_document(APPS, &FRONT_DOOR.replace("[www.contoso.com]", "[contoso-edge]")));
    assert_eq!(deployment.deploy(&cloud).counts().failed, 0);
    import(&cloud, "afdEndpoints/theirs/routes/all", route_to("api", &["www-contoso-com"]));
    deployment.rewrite(&web_document(APPS, FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    let [error] = &outcome.errors()[..] else { panic!("{:#?}", outcome.errors()) };
    assert!(error.failure.message.contains("route 'pages'"), "{error:#?}");
    let advice = "A route of another endpoint of the front door has the domain. Take it out of that route, then run the command again.";
    assert_eq!(error.failure.recommendation.as_deref(), Some(advice));
}

#[test]
fn origins_that_lead_elsewhere_stay_and_keep_their_pool() {
    let (cloud, deployment) = deployed();
    import(&cloud, "originGroups/shop/origins/theirs", origin_to("theirs.example.com"));
    import(&cloud, "originGroups/api/origins/theirs", origin_to("theirs.example.com"));
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.plan().is_empty(), "nobody takes an origin of others from a pool");
    let told = ["shop", "api"].map(|pool| format!("the pool '{pool}' has origins that lead elsewhere than to apps of the document: 'theirs'; they are kept, and requests go to them, too"));
    assert_eq!(
        warnings(&outcome, "requests go"),
        [format!("frontdoor.backEndPools[0]: {}", told[0]), format!("frontdoor.backEndPools[1]: {}", told[1])]
    );
    deployment.rewrite(&web_document(&orders_at_large(), &without_api()));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(deletions(&outcome), [("route", "api", Confirm::Normal), ("origin", ORDERS, Confirm::Normal)]);
    let warning = [
        "frontdoor: the document does not have the pool 'api', but it has origins that lead elsewhere than to apps of the document: 'theirs'; it is kept",
    ];
    assert_eq!(warnings(&outcome, "is kept"), warning);
    assert!(exists(&cloud, "originGroups/api/origins/theirs") && exists(&cloud, "originGroups/shop/origins/theirs"));
    let again = deployment.deploy(&cloud);
    assert_eq!((again.plan().len(), warnings(&again, "is kept")), (0, warning.to_vec()));
}

#[test]
fn the_origin_of_an_app_that_the_document_no_longer_has_stays_and_is_told() {
    let (cloud, deployment) = deployed();
    let apps = APPS.lines().filter(|line| !line.contains("shop-green")).map(|line| format!("{line}\n"));
    deployment.rewrite(&web_document(&apps.collect::<String>(), FRONT_DOOR));
    for outcome in [deployment.rehearse(&cloud), deployment.deploy(&cloud)] {
        assert!(outcome.plan().is_empty());
        assert_eq!(
            warnings(&outcome, "requests go"),
            [format!(
                "frontdoor.backEndPools[0]: the pool 'shop' has origins that lead elsewhere than to apps of the document: '{GREEN}'; they are kept, and requests go to them, too"
            )]
        );
    }
    assert!(exists(&cloud, &format!("originGroups/shop/origins/{GREEN}")));
    // One that is switched off gets none.
    tamper(&cloud, &in_door(&format!("originGroups/shop/origins/{GREEN}")), |origin| {
        origin["properties"]["enabledState"] = json!("Disabled");
    });
    assert!(warnings(&deployment.deploy(&cloud), "requests go").is_empty());
}

#[test]
fn what_another_endpoint_uses_stays() {
    let (cloud, deployment) = deployed();
    let endpoint =
        json!({"id": in_subscription(&in_door("afdEndpoints/theirs")), "location": "global", "properties": {}});
    cloud.import(&[endpoint]).unwrap();
    import(
        &cloud,
        "customDomains/theirs",
        json!({"hostName": "theirs.contoso.com", "tlsSettings": {"certificateType": "ManagedCertificate"}}),
    );
    import(&cloud, "afdEndpoints/theirs/routes/all", route_to("api", &["theirs"]));
    deployment.rewrite(&web_document(&orders_at_large(), &without_api()));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(deletions(&outcome), [("route", "api", Confirm::Normal)]);
    let uses = "but the route 'all' of the endpoint 'theirs' uses it; it is kept";
    assert_eq!(
        warnings(&outcome, "is kept"),
        [
            format!("frontdoor: the document does not have the custom domain 'theirs', {uses}"),
            format!("frontdoor: the document does not have the pool 'api', {uses} with its origins"),
        ]
    );
    assert!(exists(&cloud, &format!("originGroups/api/origins/{ORDERS}")));
}

#[test]
fn what_somebody_else_put_into_the_front_door_is_planned_to_go() {
    let (cloud, deployment) = deployed();
    import(
        &cloud,
        "originGroups/stray",
        json!({"loadBalancingSettings": {"sampleSize": 4, "successfulSamplesRequired": 3}}),
    );
    import(
        &cloud,
        "customDomains/stray",
        json!({"hostName": "stray.contoso.com", "tlsSettings": {"certificateType": "ManagedCertificate"}}),
    );
    let outcome = deployment.rehearse(&cloud);
    assert_eq!(
        deletions(&outcome),
        [("origin group", "stray", Confirm::Normal), ("custom domain", "stray", Confirm::Always)]
    );
}

#[test]
fn what_others_associated_with_a_firewall_policy_stays_associated() {
    let (cloud, deployment) = deployed();
    let endpoint = in_subscription(&in_door(&format!("afdEndpoints/{DOOR}")));
    tamper(&cloud, &in_door("securityPolicies/web-firewall"), |policy| {
        let domains = &mut policy["properties"]["parameters"]["associations"][0]["domains"];
        domains.as_array_mut().unwrap().push(json!({ "id": endpoint }));
    });
    assert!(deployment.deploy(&cloud).plan().is_empty());
    // Another domain joins, and the endpoint is still there.
    let both = FRONT_DOOR
        .replace("keyvault: web-keyvault", "keyvault: web-keyvault, webApplicationFirewallPolicy: web-firewall");
    deployment.rewrite(&web_document(APPS, &both));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(outcome.plan().len(), 1, "{:#?}", outcome.descriptions());
    assert_eq!(protected(&cloud, "web-firewall"), [DOOR, "shop-contoso-com", "www-contoso-com"]);
    // A domain that names no policy any more stays protected, which is told.
    deployment.rewrite(&web_document(APPS, FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.plan().is_empty());
    assert_eq!(
        warnings(&outcome, "stays associated"),
        [
            "frontdoor: the custom domain 'shop-contoso-com' names no web application firewall policy, but is associated with the security policy 'web-firewall'; it stays associated"
        ]
    );
}

/// The names of what a security policy protects.
fn protected(cloud: &LocalCloud, policy: &str) -> Vec<String> {
    let associations = properties(cloud, &format!("securityPolicies/{policy}"))["parameters"]["associations"].clone();
    let domains =
        associations.as_array().unwrap().iter().flat_map(|association| association["domains"].as_array().unwrap());
    let mut names: Vec<String> =
        domains.map(|domain| domain["id"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_domain_changes_its_firewall_policy_in_one_run() {
    let (cloud, deployment) = deployed();
    let tier = properties_of_firewall(&cloud);
    let path = format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/second");
    let mut second = published(&path, "global", "second", json!({}));
    second["sku"] = tier;
    cloud.import(&[second]).unwrap();
    let door = FRONT_DOOR.replace("webApplicationFirewallPolicy: web-firewall", "webApplicationFirewallPolicy: second");
    deployment.rewrite(&web_document(APPS, &door));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(deletions(&outcome), [("security policy", "web-firewall", Confirm::Always)]);
    assert_eq!(protected(&cloud, "second"), ["www-contoso-com"]);
    assert!(deployment.deploy(&cloud).plan().is_empty());
    // A policy that protects more than what leaves it loses only that.
    let both = door.replace("keyvault: web-keyvault", "keyvault: web-keyvault, webApplicationFirewallPolicy: second");
    deployment.rewrite(&web_document(APPS, &both));
    deployment.deploy(&cloud);
    deployment.rewrite(&web_document(
        APPS,
        &both.replacen("webApplicationFirewallPolicy: second", "webApplicationFirewallPolicy: web-firewall", 1),
    ));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        (protected(&cloud, "second"), protected(&cloud, "web-firewall")),
        (vec!["shop-contoso-com".to_owned()], vec!["www-contoso-com".to_owned()])
    );
    // A swap takes a step between.
    let swapped = both.replacen(
        "keyvault: web-keyvault, webApplicationFirewallPolicy: second",
        "keyvault: web-keyvault, webApplicationFirewallPolicy: web-firewall",
        1,
    );
    deployment.rewrite(&web_document(APPS, &swapped));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        (protected(&cloud, "second"), protected(&cloud, "web-firewall")),
        (vec!["www-contoso-com".to_owned()], vec!["shop-contoso-com".to_owned()])
    );
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

fn properties_of_firewall(cloud: &LocalCloud) -> Value {
    let path = format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/wafweb");
    resource(cloud, &path)["sku"].clone()
}

#[test]
fn a_deletion_that_fails_is_told_and_made_by_the_next_run() {
    let (cloud, deployment) = deployed();
    deployment.rewrite(&web_document(&orders_at_large(), &without_api()));
    cloud.misbehave(fault("status=400,method=DELETE,path=routes/api"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.counts().failed, outcome.counts().skipped), (1, 2));
    let [error] = &outcome.errors()[..] else { panic!("{:#?}", outcome.errors()) };
    assert!(
        error.failure.message.contains("the route 'api' of endpoint")
            && error.failure.message.contains("was not deleted"),
        "{error:#?}"
    );
    assert!(
        outcome
            .warnings()
            .iter()
            .any(|warning| warning.starts_with("2 resources were skipped because the route 'api'"))
    );
    let again = deployment.deploy(&cloud);
    assert_eq!((again.counts().failed, again.counts().deleted), (0, 3), "{:#?}", again.errors());
}

#[test]
fn without_a_look_at_the_front_door_no_deletions_are_shown_and_that_is_said() {
    let project = Project::new();
    project.write("settings.yml", web_document(APPS, FRONT_DOOR));
    let (messages, _) = crate::support::offline::command(WEB, &project, "settings.yml");
    let warned = messages.iter().any(|message| {
        message["message"].as_str().is_some_and(|text| {
            text.ends_with(": what else is in the front door is not known, so the plan shows no deletions.")
        })
    });
    assert!(warned, "{messages:#?}");
}
