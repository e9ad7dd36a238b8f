//! The front door of New-SvcPaasWeb: what is made of it, what a second run finds, and what an interrupted one leaves.

use serde_json::{Value, json};
use svc_engine::protocol::Action;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;

/// The name of the front door of [`web_document`].
pub(crate) const DOOR: &str = "fd-contoso-edge-dev-uks-aa5a3086";
pub(crate) const GROUP_NAME: &str = "rg-contoso-edge-paas-e85825d2";

/// The generated names of the web apps of [`web_document`], which are those of their origins.
pub(crate) const BLUE: &str = "app-shop-blue-dev-7a1dd0e2";
pub(crate) const GREEN: &str = "app-shop-green-dev-efb08cdf";
pub(crate) const ORDERS: &str = "app-orders-dev-4ffb7b2c";

/// The web apps of [`web_document`]: two in the pool `shop`, one in `api`.
pub(crate) const APPS: &str = "\
- {name: shop-blue, runTime: 'NODE|22-lts', backendpool: shop, weight: 60}
- {name: shop-green, runTime: 'NODE|22-lts', backendpool: Shop, weight: 40, backendHostHeader: false}
- {name: orders, runTime: 'NODE|22-lts', backendpool: api, priority: 2}
";

/// The front door of [`web_document`]: two pools, two domains, three rules.
pub(crate) const FRONT_DOOR: &str = "\
name: contoso-edge
region: UK South
sessionAffinity: Disabled
customDomains:
  - domainName: www.Contoso.com
    sessionAffinity: Enabled
    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}
  - domainName: shop.contoso.com
    sessionAffinity: Disabled
    customCertificateSecretName: web-certificate
    service: {dependencies: {keyvault: web-keyvault}}
backEndPools:
  - name: shop
    healthCheckPath: /health
  - name: api
    protocol: http
rules:
  - name: pages
    pattern: ['/*']
    backEndPoolname: shop
    endpoints: [www.contoso.com]
  - name: shop
    pattern: [/shop, '/shop/*']
    backEndPoolname: Shop
    endpoints: [shop.contoso.com, contoso-edge]
    acceptedProtocols: [Https]
  - name: api
    pattern: ['/api/*']
    backEndPoolname: api
    enableCaching: false
";

/// A document with these web apps and this front door; none where it is empty.
pub(crate) fn web_document(apps: &str, front_door: &str) -> String {
    web_document_with("", apps, front_door)
}

/// The same with further lines in the root's `service`.
pub(crate) fn web_document_with(service: &str, apps: &str, front_door: &str) -> String {
    let indented =
        |text: &str, by: usize| -> String { text.lines().map(|line| format!("{:by$}{line}\n", "")).collect() };
    let mut text = format!(
        "\
component: web
service:
  publish: {{frontdoor: edge, frontdoorResourceGroup: edge-group, cdn: shop-cdn, endpoint: shop-cdn-endpoint}}
{}webSolutions:
  - name: Shop
    appServicePlans:
      - name: shopplan
        sku: S1
        region: UK South
        webapps:
{}",
        indented(service, 2),
        indented(apps, 10)
    );
    if !front_door.is_empty() {
        text.push_str(&format!("frontdoor:\n{}", indented(front_door, 2)));
    }
    text
}

pub(crate) fn deployment() -> Deployment {
    Deployment::new(WEB, &web_document(APPS, FRONT_DOOR))
}

/// The path of something in the front door.
pub(crate) fn in_door(path: &str) -> String {
    let path = if path.is_empty() { String::new() } else { format!("/{path}") };
    format!("resourceGroups/{GROUP_NAME}/providers/Microsoft.Cdn/profiles/{DOOR}{path}")
}

/// The planned changes of Front Door.
pub(crate) fn door_actions(outcome: &Outcome) -> Vec<&Action> {
    outcome.plan().iter().filter(|action| action.resource.resource_type.starts_with("Microsoft.Cdn/")).collect()
}

/// The properties of something in the front door.
pub(crate) fn properties(cloud: &LocalCloud, path: &str) -> Value {
    resource(cloud, &in_door(path))["properties"].clone()
}

/// Members of an object, as far as they are wanted.
fn part_of(value: &Value, wanted: &Value) -> Value {
    wanted.as_object().unwrap().keys().map(|key| (key.clone(), value[key].clone())).collect()
}

/// The host name that Azure gave to the web app of a name.
pub(crate) fn host_of_app(cloud: &LocalCloud, name: &str) -> Value {
    let part = format!("/sites/app-{name}-");
    let requests = cloud.requests();
    let written = requests.iter().find(|request| request.method == "PUT" && request.url.contains(&part)).unwrap();
    let id = written.url.split('?').next().unwrap();
    cloud.resource(id).unwrap()["properties"]["defaultHostName"].clone()
}

fn put_order(cloud: &LocalCloud) -> Vec<String> {
    shown(&writes(&cloud.requests())).into_iter().filter(|line| line.contains(DOOR)).collect()
}

#[test]
fn a_front_door_converges_in_one_run() {
    let (cloud, deployment) = (landing_zone(), deployment());
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let descriptions: Vec<&str> = door_actions(&outcome).iter().map(|action| action.description.as_str()).collect();
    let of_door = format!("of Front Door profile '{DOOR}' in resource group '{GROUP_NAME}'.");
    let created = |what: &str| format!("Create {what} {of_door}");
    let of_endpoint = |what: &str| created(&format!("{what} of endpoint '{DOOR}'"));
    assert_eq!(
        descriptions,
        [
            format!("Create Front Door profile '{DOOR}' in resource group '{GROUP_NAME}'."),
            created(&format!("endpoint '{DOOR}'")),
            created("origin group 'shop'"),
            created(&format!("origin '{BLUE}' of origin group 'shop'")),
            created(&format!("origin '{GREEN}' of origin group 'shop'")),
            created("origin group 'api'"),
            created(&format!("origin '{ORDERS}' of origin group 'api'")),
            created("custom domain 'www-contoso-com'"),
            created("certificate reference 'kv-web-web-certificate-latest'"),
            created("custom domain 'shop-contoso-com'"),
            of_endpoint("route 'pages'"),
            of_endpoint("route 'shop'"),
            of_endpoint("route 'api'"),
            created("security policy 'web-firewall'"),
        ]
    );
    let before = cloud.requests().len();
    let again = deployment.deploy(&cloud);
    assert!(again.plan().is_empty(), "{:#?}", again.descriptions());
    assert!(shown(&requests_after(&cloud, before)).iter().all(|line| !line.starts_with("PUT")));
}

#[test]
fn everything_of_the_settings_reaches_azure() {
    let cloud = landing_zone();
    let outcome = deployment().deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let profile = resource(&cloud, &in_door(""));
    assert_eq!((&profile["location"], &profile["tags"]), (&json!("Global"), &json!({"svc-service": "edge"})));
    let group = resource(&cloud, &format!("resourceGroups/{GROUP_NAME}"));
    assert_eq!((&group["location"], &group["tags"]), (&json!("uksouth"), &json!({"svc-service": "edge-group"})));
    let tier = resource(
        &cloud,
        &format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/wafweb"),
    );
    assert_eq!(profile["sku"], tier["sku"], "the tier follows the firewall policy");
    let wanted = json!({
        "loadBalancingSettings": {"sampleSize": 4, "successfulSamplesRequired": 2, "additionalLatencyInMilliseconds": 0},
        "healthProbeSettings": {"probePath": "/health", "probeProtocol": "Https", "probeIntervalInSeconds": 120, "probeRequestType": "HEAD"},
        "sessionAffinityState": "Enabled",
    });
    assert_eq!(part_of(&properties(&cloud, "originGroups/shop"), &wanted), wanted);
    let api = properties(&cloud, "originGroups/api");
    assert_eq!(api["sessionAffinityState"], "Disabled");
    assert_eq!(api["healthProbeSettings"]["probePath"], "/index.html");
    assert_eq!(api["healthProbeSettings"]["probeProtocol"], "Http");
    let host = host_of_app(&cloud, "shop-blue");
    let wanted = json!({
        "hostName": host, "originHostHeader": host, "httpPort": 80, "httpsPort": 443, "priority": 1, "weight": 60,
        "enabledState": "Enabled", "enforceCertificateNameCheck": true,
    });
    assert_eq!(part_of(&properties(&cloud, &format!("originGroups/shop/origins/{BLUE}")), &wanted), wanted);
    let green = properties(&cloud, &format!("originGroups/shop/origins/{GREEN}"));
    assert_eq!((&green["hostName"], &green["originHostHeader"]), (&host_of_app(&cloud, "shop-green"), &Value::Null));
    let orders = properties(&cloud, &format!("originGroups/api/origins/{ORDERS}"));
    assert_eq!((&orders["priority"], &orders["weight"]), (&json!(2), &json!(100)));
    let id = |path: &str| json!({"id": in_subscription(&in_door(path))});
    let www = properties(&cloud, "customDomains/www-contoso-com");
    assert_eq!(
        (&www["hostName"], &www["tlsSettings"]["certificateType"]),
        (&json!("www.contoso.com"), &json!("ManagedCertificate"))
    );
    let shop = properties(&cloud, "customDomains/shop-contoso-com")["tlsSettings"].clone();
    assert_eq!(
        (&shop["certificateType"], &shop["minimumTlsVersion"]),
        (&json!("CustomerCertificate"), &json!("TLS12"))
    );
    assert_eq!(shop["secret"], id("secrets/kv-web-web-certificate-latest"));
    let parameters = properties(&cloud, "secrets/kv-web-web-certificate-latest")["parameters"].clone();
    let source = format!("{LANDING_ZONE}/providers/Microsoft.KeyVault/vaults/kv-web/secrets/web-certificate");
    assert_eq!(parameters["secretSource"], json!({"id": in_subscription(&source)}));
    assert_eq!(parameters["useLatestVersion"], true);
    let route = |name: &str| properties(&cloud, &format!("afdEndpoints/{DOOR}/routes/{name}"));
    let pages = route("pages");
    let domains = |route: &Value| -> Vec<Value> {
        route["customDomains"].as_array().unwrap().iter().map(|domain| json!({"id": domain["id"]})).collect()
    };
    assert_eq!(domains(&pages), [id("customDomains/www-contoso-com")]);
    let wanted = json!({
        "originGroup": id("originGroups/shop"), "patternsToMatch": ["/*"], "supportedProtocols": ["Http", "Https"],
        "linkToDefaultDomain": "Disabled", "forwardingProtocol": "MatchRequest", "httpsRedirect": "Disabled", "enabledState": "Enabled",
    });
    assert_eq!(part_of(&pages, &wanted), wanted);
    assert_eq!(pages["cacheConfiguration"]["queryStringCachingBehavior"], "UseQueryString");
    assert_eq!(pages["cacheConfiguration"]["compressionSettings"]["isCompressionEnabled"], true);
    let shop = route("shop");
    assert_eq!((&shop["linkToDefaultDomain"], &shop["supportedProtocols"]), (&json!("Enabled"), &json!(["Https"])));
    assert_eq!(domains(&shop), [id("customDomains/shop-contoso-com")]);
    let api = route("api");
    assert_eq!((&api["linkToDefaultDomain"], &api["cacheConfiguration"]), (&json!("Enabled"), &Value::Null));
    assert!(domains(&api).is_empty());
    let policy = properties(&cloud, "securityPolicies/web-firewall")["parameters"].clone();
    assert_eq!(policy["wafPolicy"]["id"].as_str().map(str::to_lowercase), tier["id"].as_str().map(str::to_lowercase));
    assert_eq!(policy["associations"][0]["patternsToMatch"], json!(["/*"]));
    let covered: Vec<&Value> =
        policy["associations"][0]["domains"].as_array().unwrap().iter().map(|domain| &domain["id"]).collect();
    assert_eq!(covered, [&id("customDomains/www-contoso-com")["id"]]);
}

#[test]
fn routes_wait_for_origins_and_security_policies_for_routes() {
    let cloud = landing_zone();
    deployment().deploy(&cloud);
    let order = put_order(&cloud);
    let position = |part: &str| {
        order.iter().position(|line| line.ends_with(part)).unwrap_or_else(|| panic!("no {part} in {order:#?}"))
    };
    for origin in [BLUE, GREEN] {
        assert!(position(&format!("/origins/{origin}")) < position("/routes/pages"), "{order:#?}");
    }
    assert!(position("/customDomains/www-contoso-com") < position("/routes/pages"));
    assert!(position("/secrets/kv-web-web-certificate-latest") < position("/customDomains/shop-contoso-com"));
    assert!(position("/routes/pages") < position("/securityPolicies/web-firewall"));
}

#[test]
fn a_changed_weight_is_one_modification() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    deployment.rewrite(&web_document(&APPS.replace("weight: 60", "weight: 10"), FRONT_DOOR));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let [action] = outcome.plan() else { panic!("{:#?}", outcome.descriptions()) };
    let [change] = &action.changes[..] else { panic!("{action:#?}") };
    assert_eq!((action.resource.name.as_str(), change.path.as_str()), (BLUE, "properties.weight"));
    assert_eq!(
        (
            change.before.as_ref().map(ToString::to_string).as_deref(),
            change.after.as_ref().map(ToString::to_string).as_deref()
        ),
        (Some("60"), Some("10"))
    );
    assert!(change.origin.as_ref().unwrap().contains("settings.yml:11:"), "{change:?}");
    let origin = properties(&cloud, &format!("originGroups/shop/origins/{BLUE}"));
    assert_eq!((&origin["weight"], &origin["originHostHeader"]), (&json!(10), &host_of_app(&cloud, "shop-blue")));
}

#[test]
fn what_the_settings_no_longer_ask_for_is_taken_back() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    let apps = APPS.replace("weight: 60", "weight: 60, backendHostHeader: false");
    let door = FRONT_DOOR
        .replace("endpoints: [www.contoso.com]", "endpoints: [www.contoso.com]\n    enableCaching: false")
        .replace("    customCertificateSecretName: web-certificate\n", "")
        .replace("endpoints: [shop.contoso.com, contoso-edge]", "endpoints: [contoso-edge]");
    deployment.rewrite(&web_document(&apps, &door));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(outcome.action("pages").changes[0].path, "properties.cacheConfiguration");
    assert_eq!(outcome.action("pages").changes[0].after, None);
    assert!(outcome.action(BLUE).description.ends_with(" to nothing."), "{:?}", outcome.descriptions());
    assert_eq!(properties(&cloud, &format!("afdEndpoints/{DOOR}/routes/pages"))["cacheConfiguration"], Value::Null);
    assert_eq!(properties(&cloud, &format!("afdEndpoints/{DOOR}/routes/shop"))["customDomains"], json!([]));
    assert_eq!(properties(&cloud, &format!("originGroups/shop/origins/{BLUE}"))["originHostHeader"], Value::Null);
    let tls = properties(&cloud, "customDomains/shop-contoso-com")["tlsSettings"].clone();
    assert_eq!(tls["certificateType"], "CustomerCertificate", "the document says nothing of the certificate");
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn what_others_changed_of_their_own_stays() {
    let (cloud, deployment) = (landing_zone(), deployment());
    deployment.deploy(&cloud);
    tamper(&cloud, &in_door(&format!("originGroups/shop/origins/{BLUE}")), |origin| {
        origin["properties"]["enabledState"] = json!("Disabled");
        origin["properties"]["weight"] = json!(5);
    });
    tamper(&cloud, &in_door(""), |profile| profile["properties"]["originResponseTimeoutSeconds"] = json!(120));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.descriptions().len(), 1, "{:#?}", outcome.descriptions());
    let origin = properties(&cloud, &format!("originGroups/shop/origins/{BLUE}"));
    assert_eq!((&origin["enabledState"], &origin["weight"]), (&json!("Disabled"), &json!(60)));
}

#[test]
fn the_result_has_the_record_that_validates_a_domain_and_every_run_reminds_of_it() {
    let (cloud, deployment) = (landing_zone(), deployment());
    let outcome = deployment.deploy(&cloud);
    let told = |name: &str| {
        let report =
            outcome.resources().into_iter().find(|report| report.resource.name == name && report.properties.is_some());
        report.unwrap().properties.clone().unwrap()
    };
    let domain = properties(&cloud, "customDomains/www-contoso-com");
    let token = &domain["validationProperties"]["validationToken"];
    assert_eq!(
        told("www-contoso-com"),
        json!({"domainValidationState": "Pending", "dnsRecord": {"type": "TXT", "name": "_dnsauth.www.contoso.com", "value": token}})
    );
    let host = properties(&cloud, &format!("afdEndpoints/{DOOR}"))["hostName"].clone();
    assert_eq!(told(DOOR), json!({ "hostName": host }));

    let reminders = |outcome: &Outcome| -> Vec<String> {
        outcome.warnings().into_iter().filter(|warning| warning.contains("not validated")).map(str::to_owned).collect()
    };
    assert!(reminders(&outcome).is_empty(), "the result has the record");
    let again = reminders(&deployment.deploy(&cloud));
    assert_eq!(again.len(), 2, "{again:#?}");
    let sentence = format!(
        "the custom domain 'www-contoso-com' of Front Door profile '{DOOR}' in resource group '{GROUP_NAME}' is not validated yet (state Pending): it needs the \
         TXT record '_dnsauth.www.contoso.com' with the value '{}', and for its traffic a CNAME record 'www.contoso.com' that points to '{}'.",
        token.as_str().unwrap(),
        host.as_str().unwrap()
    );
    assert!(again[0].ends_with(&sentence), "{again:#?}");
    tamper(&cloud, &in_door("customDomains/www-contoso-com"), |domain| {
        domain["properties"]["domainValidationState"] = json!("Approved");
    });
    assert_eq!(reminders(&deployment.deploy(&cloud)).len(), 1);
}

#[test]
fn a_run_that_failed_in_the_middle_is_finished_by_the_next() {
    let options = LocalCloudOptions {
        faults: vec![
            fault(&format!("status=400,method=PUT,path=origins/{BLUE}")),
            fault("status=400,method=PUT,path=customDomains/shop-contoso-com"),
        ],
        ..LocalCloudOptions::default()
    };
    let (cloud, deployment) = (landing_zone_with(options), deployment());
    let first = deployment.deploy(&cloud);
    assert_eq!(first.counts().failed, 2, "{:#?}", first.errors());
    let skipped: Vec<&str> = first.warnings().into_iter().filter(|warning| warning.contains("skipped")).collect();
    assert!(skipped.iter().any(|warning| warning.contains("route 'pages'")), "{skipped:#?}");
    assert!(
        cloud.resource(&in_subscription(&in_door(&format!("afdEndpoints/{DOOR}/routes/api")))).is_some(),
        "independent parts go on"
    );
    let second = deployment.deploy(&cloud);
    assert_eq!(second.counts().failed, 0, "{:#?}", second.errors());
    let mut names: Vec<&str> = second.plan().iter().map(|action| action.resource.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, [BLUE, "pages", "shop", "shop-contoso-com", "web-firewall"]);
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn a_plan_without_credentials_shows_what_is_known_after_the_apply() {
    let project = Project::new();
    project.write("settings.yml", web_document(APPS, FRONT_DOOR));
    let (messages, status) = offline::command(WEB, &project, "settings.yml");
    assert_eq!(status, 0, "{messages:#?}");
    let plan = offline::with_event(&messages, "plan")[0];
    let planned = |name: &str| -> Vec<(String, String)> {
        let mut actions = plan["actions"].as_array().unwrap().iter();
        // An app and its origin have one name.
        let is_it = |action: &Value| {
            action["name"] == name && action["resourceId"].as_str().unwrap().contains("Microsoft.Cdn/")
        };
        let action = actions.find(|action| is_it(action)).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let changes = action["changes"].as_array().unwrap();
        changes.iter().map(|change| (text(&change["path"]), text(&change["after"]))).collect()
    };
    let after_apply = |path: &str| (path.to_owned(), "\"(known after apply)\"".to_owned());
    let blue = planned(BLUE);
    assert!(blue.contains(&after_apply("properties.hostName")), "{blue:#?}");
    assert!(blue.contains(&after_apply("properties.originHostHeader")), "{blue:#?}");
    let green = planned(GREEN);
    assert!(!green.iter().any(|(path, _)| path == "properties.originHostHeader"), "{green:#?}");
    let domain = planned("shop-contoso-com");
    let secret = domain.iter().find(|(path, _)| path == "properties.tlsSettings.secret.id").unwrap();
    assert!(secret.1.contains("<key vault published as 'web-keyvault'>"), "{domain:#?}");
}
