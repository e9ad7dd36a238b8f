//! Origins: named by what they lead to, and known again under whatever name.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::front_door::*;

/// An API management service in another region than the first, in a solution of its own.
fn gateway(name: &str, region: &str, priority: u8) -> String {
    format!(
        "  - name: Gateways {region}
    apiManagementServices:
      - name: {name}
        region: {region}
        sku: Consumption
        publisherName: Contoso
        publisherEmail: ops@contoso.com
        backendpool: api
        priority: {priority}
"
    )
}

/// [`web_document`] with further solutions.
fn with_solutions(solutions: &str, front_door: &str) -> String {
    let text = web_document(APPS, front_door);
    match text.split_once("frontdoor:\n  name") {
        Some((before, after)) => format!("{before}{solutions}frontdoor:\n  name{after}"),
        None => text + solutions,
    }
}

/// The origins of the pool `api`, with their hosts.
fn origins(cloud: &LocalCloud) -> Vec<(String, String)> {
    let start = in_subscription(&in_door("originGroups/api/origins/")).to_lowercase();
    let mut origins: Vec<(String, String)> = cloud
        .ids()
        .into_iter()
        .filter(|id| id.to_lowercase().starts_with(&start))
        .map(|id| {
            let host = cloud.resource(&id).unwrap()["properties"]["hostName"].as_str().unwrap().to_owned();
            (id.rsplit('/').next().unwrap().to_owned(), host)
        })
        .collect();
    origins.sort();
    origins
}

#[test]
fn two_services_of_one_name_in_one_pool_are_two_origins() {
    let cloud = landing_zone();
    let gateways = gateway("orders", "uksouth", 1) + &gateway("orders", "westeurope", 2);
    let deployment = Deployment::new(WEB, &with_solutions(&gateways, FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let origins = origins(&cloud);
    let names: Vec<&str> = origins.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[0].starts_with("apim-orders-dev-euw-") && names[1].starts_with("apim-orders-dev-uks-"), "{names:?}");
    assert_eq!(names[2], ORDERS);
    assert!(origins.iter().all(|(name, host)| host.starts_with(name.as_str())), "{origins:?}");
    let priority = |name: &str| properties(&cloud, &format!("originGroups/api/origins/{name}"))["priority"].clone();
    assert_eq!((priority(names[0]), priority(names[1])), (json!(2), json!(1)));
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn two_documents_do_not_take_origins_from_each_other() {
    let cloud = landing_zone();
    let first = Deployment::new(WEB, &with_solutions(&gateway("orders", "uksouth", 1), FRONT_DOOR));
    assert_eq!(first.deploy(&cloud).counts().failed, 0);
    let second = Deployment::new(WEB, &{
        let text = with_solutions(&gateway("orders", "westeurope", 2), "");
        let (before, after) = text.split_once("  - name: Shop").unwrap();
        format!("{before}{}", &after[after.find("  - name: Gateways").unwrap()..])
    });
    let outcome = second.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let names: Vec<String> = origins(&cloud).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for deployment in [&first, &second, &first, &second] {
        let again = deployment.deploy(&cloud);
        assert!(again.plan().is_empty(), "{:#?}", again.descriptions());
    }
}

#[test]
fn an_origin_of_another_name_for_the_same_host_is_that_origin() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    // As it was named before, or by somebody else.
    let mut origin = resource(&cloud, &in_door(&format!("originGroups/shop/origins/{BLUE}")));
    delete_by_id(&cloud, origin["id"].as_str().unwrap(), "2025-06-01");
    origin["id"] = json!(in_subscription(&in_door("originGroups/shop/origins/shop-blue")));
    origin["name"] = json!("shop-blue");
    origin["properties"]["hostName"] = json!(origin["properties"]["hostName"].as_str().unwrap().to_uppercase());
    cloud.import(&[origin]).unwrap();
    assert!(deployment.deploy(&cloud).plan().is_empty());
    deployment.rewrite(&web_document(&APPS.replace("weight: 60", "weight: 10"), FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let [action] = outcome.plan() else { panic!("{:#?}", outcome.descriptions()) };
    assert_eq!(action.resource.name, "shop-blue");
    assert_eq!(properties(&cloud, "originGroups/shop/origins/shop-blue")["weight"], 10);
    assert!(cloud.resource(&in_subscription(&in_door(&format!("originGroups/shop/origins/{BLUE}")))).is_none());
}

#[test]
fn a_domain_of_another_name_for_the_same_host_is_that_domain() {
    let (cloud, deployment) = (landing_zone(), deployment());
    let door = FRONT_DOOR.replace("endpoints: [www.contoso.com]", "endpoints: [contoso-edge]").replace(
        "  - domainName: www.Contoso.com\n    sessionAffinity: Enabled\n    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n",
        "",
    );
    deployment.rewrite(&web_document(APPS, &door));
    deployment.deploy(&cloud);
    let by_hand = json!({"id": in_subscription(&in_door("customDomains/by-hand")), "properties": {
        "hostName": "www.contoso.com", "tlsSettings": {"certificateType": "ManagedCertificate"}}});
    cloud.import(&[by_hand]).unwrap();
    deployment.rewrite(&web_document(
        APPS,
        &FRONT_DOOR.replace("    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n", ""),
    ));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert!(
        outcome.plan().iter().all(|action| action.resource.label != "custom domain"),
        "{:#?}",
        outcome.descriptions()
    );
    let pages = properties(&cloud, &format!("afdEndpoints/{DOOR}/routes/pages"));
    assert!(pages["customDomains"][0]["id"].as_str().unwrap().ends_with("/customdomains/by-hand"), "{pages:#}");
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn what_the_document_does_not_say_of_an_existing_front_door_stays() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    let change = |path: &str, change: &dyn Fn(&mut Value)| {
        tamper(&cloud, &in_door(path), |resource| change(&mut resource["properties"]));
    };
    // The pool `shop` says its path, not its protocol; `api` the other way round.
    change("originGroups/shop", &|pool| {
        pool["healthProbeSettings"]["probeProtocol"] = json!("Http");
        pool["healthProbeSettings"]["probeIntervalInSeconds"] = json!(30);
        pool["loadBalancingSettings"]["sampleSize"] = json!(8);
    });
    change("originGroups/api", &|pool| pool["healthProbeSettings"]["probePath"] = json!("/well"));
    change(&format!("originGroups/shop/origins/{BLUE}"), &|origin| {
        origin["priority"] = json!(3);
        origin["originHostHeader"] = json!("blue.contoso.com");
    });
    change(&format!("originGroups/api/origins/{ORDERS}"), &|origin| origin["weight"] = json!(7));
    change(&format!("afdEndpoints/{DOOR}/routes/pages"), &|route| {
        route["supportedProtocols"] = json!(["Https"]);
        route["cacheConfiguration"] = Value::Null;
    });
    change(&format!("afdEndpoints/{DOOR}/routes/shop"), &|route| {
        route["cacheConfiguration"]["queryStringCachingBehavior"] = json!("IgnoreQueryString");
    });
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.plan().is_empty(), "{:#?}", outcome.descriptions());
    // What it says is made so.
    let door = FRONT_DOOR
        .replace("endpoints: [www.contoso.com]", "endpoints: [www.contoso.com]\n    enableCaching: true")
        .replace("acceptedProtocols: [Https]", "acceptedProtocols: [Https]\n    enableCaching: true");
    deployment.rewrite(&web_document(APPS, &door));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let [action] = outcome.plan() else { panic!("{:#?}", outcome.descriptions()) };
    assert_eq!(action.resource.name, "pages", "the other one has a cache, of its own kind");
    let cache = properties(&cloud, &format!("afdEndpoints/{DOOR}/routes/pages"))["cacheConfiguration"].clone();
    assert_eq!(cache["queryStringCachingBehavior"], "UseQueryString");
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn a_host_header_that_follows_the_host_goes_on_following_it() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    tamper(&cloud, &in_door(&format!("originGroups/shop/origins/{BLUE}")), |origin| {
        origin["properties"]["hostName"] = json!("gone.azurewebsites.net");
        origin["properties"]["originHostHeader"] = json!("gone.azurewebsites.net");
    });
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let origin = properties(&cloud, &format!("originGroups/shop/origins/{BLUE}"));
    assert_eq!(
        (&origin["hostName"], &origin["originHostHeader"]),
        (&host_of_app(&cloud, "shop-blue"), &host_of_app(&cloud, "shop-blue"))
    );
}
