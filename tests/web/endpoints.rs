//! The private endpoints of web apps and their slots.

use serde_json::Value;

use crate::support::estate::*;
use crate::web::solutions::document;

#[test]
fn apps_and_slots_get_private_endpoints() {
    let app = "privateEndpoints: [{subnetName: endpoints}, {name: named, subnetName: endpoints}]\nslots:\n  - name: Beta\n    privateEndpoints: [{subnetName: endpoints}]";
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document(app)));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 7");
    let endpoints: Vec<(&str, String)> = outcome
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type.ends_with("/privateEndpoints"))
        .map(|action| {
            let connections =
                planned(&outcome, &action.resource.name)["properties.privateLinkServiceConnections"].clone();
            let connections: Value = serde_json::from_str(&connections).unwrap();
            (action.resource.name.as_str(), connections[0]["properties"]["groupIds"][0].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(
        endpoints,
        [
            ("ped-0-beta-dev-uks-9865eec0", "sites-Beta".to_owned()),
            ("ped-0-store-dev-uks-c8c772bb", "sites".to_owned()),
            ("ped-named-dev-uks-fb4b4603", "sites".to_owned()),
        ]
    );
    for (name, _) in endpoints {
        assert_eq!(outcome.action(name).resource.resource_group.as_deref(), Some("rg-shop-paas-bcaf29f2"));
    }
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 7");
}

/// The resource group of the endpoint of an app, with these names in the document, in its solution and at the endpoint.
fn endpoint_group(document_names: &str, solution: &str, endpoint: &str) -> String {
    let app = format!("privateEndpoints: [{{subnetName: endpoints{endpoint}}}]");
    let text = document(&app).replace("webapp: shop-app", &format!("webapp: shop-app{document_names}"));
    let second = "  - name: Second\n    service: {publish: {resourceGroup: second}}\n    appServicePlans: [{name: Second, sku: S1, region: UK South}]\n";
    let text = format!("{}{second}", text.replace("  - name: Shop\n", &format!("  - name: Shop\n{solution}")));
    let outcome = Deployment::new(WEB, &text).rehearse(&landing_zone());
    outcome.action("ped-0-store-dev-uks-c8c772bb").resource.resource_group.clone().unwrap()
}

#[test]
fn where_private_endpoints_of_apps_go() {
    let own = "rg-shop-paas-bcaf29f2";
    let second = "rg-second-paas-f3b6176a";
    let publishes = |name: &str| format!("    service: {{publish: {{resourceGroup: {name}}}}}\n");
    let endpoint = |name: &str| format!(", service: {{publish: {{resourceGroup: {name}}}}}");
    assert_eq!(endpoint_group("", "", ""), own);
    assert_eq!(endpoint_group(", resourceGroup: shop", "", ""), own);
    assert_eq!(endpoint_group(", resourceGroup: second", &publishes("shop"), ""), second);
    assert_eq!(endpoint_group(", resourceGroup: landing-zone", &publishes("shop"), ""), "rg-landing-zone");
    assert_eq!(endpoint_group("", &publishes("shop"), &endpoint("shop")), own);
    assert_eq!(endpoint_group("", "", &endpoint("second")), second);
    assert_eq!(endpoint_group("", "", &endpoint("landing-zone")), "rg-landing-zone");
    assert_eq!(endpoint_group("", "", ", service: {dependencies: {resourceGroup: landing-zone}}"), "rg-landing-zone");
}

#[test]
fn a_group_for_endpoints_is_looked_for_only_where_an_endpoint_goes_there() {
    let cloud = landing_zone();
    let text = |endpoint: &str| {
        let app = format!("privateEndpoints: [{{subnetName: endpoints{endpoint}}}]");
        document(&app)
            .replace("webapp: shop-app", "webapp: shop-app, resourceGroup: of-later")
            .replace("  - name: Shop\n", "  - name: Shop\n    service: {publish: {resourceGroup: shop}}\n")
    };
    let own = ", service: {publish: {resourceGroup: landing-zone}}";
    let outcome = Deployment::new(WEB, &text(own)).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    let outcome = Deployment::new(WEB, &text("")).deploy(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "ServiceNotFound",
            "settings.yml has 1 problem:\n[1] 2:99 service.publish.resourceGroup: no resource group in this subscription is published as 'of-later'; the published ones are 'landing-zone', 'shop'"
        )
    );
}

#[test]
fn a_dependency_may_be_a_group_of_the_same_run() {
    let own = "rg-shop-paas-bcaf29f2";
    let of = |root: &str, endpoint: &str| {
        let app = format!("privateEndpoints: [{{subnetName: endpoints{endpoint}}}]");
        let text = document(&app).replace("vnet: hub-network", &format!("vnet: hub-network\n{root}"));
        let text = text.replace("  - name: Shop\n", "  - name: Shop\n    service: {publish: {resourceGroup: shop}}\n");
        let outcome = Deployment::new(WEB, &text).deploy(&landing_zone());
        assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
        outcome.action("ped-0-store-dev-uks-c8c772bb").resource.resource_group.clone().unwrap()
    };
    assert_eq!(of("", ", service: {dependencies: {resourceGroup: shop}}"), own);
    assert_eq!(of("    resourceGroup: shop", ""), own);
}

#[test]
fn an_endpoint_to_a_slot_waits_for_the_slot() {
    // At the slot, and at the app with the group id of the slot.
    for app in [
        "slots:\n  - name: Beta\n    privateEndpoints: [{name: beta, subnetName: endpoints}]",
        "privateEndpoints: [{name: beta, subnetName: endpoints, subResourceName: Sites-beta}]\nslots: [Beta]",
    ] {
        let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document(app)));
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.counts().failed, 0, "{app}: {:#?}", outcome.errors());
        let index =
            |end: &str| outcome.plan().iter().find(|action| action.resource.resource_type.ends_with(end)).unwrap();
        let (slot, endpoint) = (index("/sites/slots"), index("/privateEndpoints"));
        assert!(endpoint.depends_on.contains(&slot.index), "{app}: {endpoint:#?}");
        assert_eq!(deployment.deploy(&cloud).plan(), [], "{app}");
    }
}

#[test]
fn endpoints_of_two_equal_slots_need_names() {
    let slots =
        |name: &str| format!("slots:\n  - name: beta\n    privateEndpoints: [{{{name}subnetName: endpoints}}]\n");
    let second = |slots: &str| {
        let slots: String = slots.lines().map(|line| format!("            {line}\n")).collect();
        format!("          - name: Other\n            runTime: NODE|22-lts\n{slots}")
    };
    let text = format!("{}{}", document(&slots("")), second(&slots("")));
    let outcome = Deployment::new(WEB, &text).deploy(&landing_zone());
    let apps = "webSolutions[0].appServicePlans[0].webapps";
    let message = format!(
        "settings.yml has 1 problem:\n[1] 22:36 {apps}[1].slots[0].privateEndpoints[0]: duplicate private endpoint 'ped-0-beta-dev-uks-9865eec0', \
         first used by {apps}[0].slots[0].privateEndpoints[0] (settings.yml:17:36); an endpoint without a name is named after what it connects to, so set name"
    );
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
    let text = format!("{}{}", document(&slots("")), second(&slots("name: other, ")));
    assert_eq!(Deployment::new(WEB, &text).deploy(&landing_zone()).counts().failed, 0);
}
