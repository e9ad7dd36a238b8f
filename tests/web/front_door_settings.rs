//! The settings of front doors: what is refused, what is warned of, and the forms they may have.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::front_door::*;

const ALL: &[(&str, &str)] = &[];

/// The front door of the document with these replacements.
pub(crate) fn changed(replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(FRONT_DOOR.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    })
}

pub(crate) fn deployment_of(front_door: &str) -> Deployment {
    Deployment::new(WEB, &web_document(APPS, front_door))
}

/// The problems that a document is refused for, without line and column.
pub(crate) fn problems(outcome: &Outcome) -> Vec<String> {
    let (_, message) = outcome.failed_with();
    let lines = message.lines().skip(1);
    lines.map(|line| line.splitn(3, ' ').nth(2).unwrap_or_default().to_owned()).collect()
}

/// The warnings with this part, without file, line and column.
pub(crate) fn warnings(outcome: &Outcome, part: &str) -> Vec<String> {
    let of_part = outcome.warnings().into_iter().filter(|warning| warning.contains(part));
    of_part.map(|warning| warning.split_once(": ").unwrap().1.to_owned()).collect()
}

/// A web application firewall policy of a tier, for an import.
fn firewall(name: &str, tier: &str) -> Value {
    let path = format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/{name}");
    let mut policy = published(&path, "global", name, json!({}));
    policy["sku"] = json!({ "name": tier });
    policy
}

fn tier_of(cloud: &LocalCloud) -> Value {
    resource(cloud, &in_door(""))["sku"]["name"].clone()
}

/// The replaced module let such a domain have the policy of the one before it.
#[test]
fn a_domain_without_a_policy_beside_those_with_one_is_told() {
    let told = |front_door: &str| {
        let outcome = deployment_of(front_door).deploy_with(&landing_zone(), json!({"whatIf": true}));
        warnings(&outcome, "no web application firewall policy guards")
    };
    let inherited = "frontdoor.customDomains[1].service.dependencies.webApplicationFirewallPolicy: no web application firewall policy guards the domain 'shop.contoso.com', \
        although other domains of the front door have one; the replaced module let it have 'web-firewall', the policy of a domain before it; set it here to have it again";
    assert_eq!(told(FRONT_DOOR), [inherited]);
    // Before the first domain with a policy there was nothing to have.
    let second = changed(&[
        ("    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n", ""),
        ("{keyvault: web-keyvault}", "{keyvault: web-keyvault, webApplicationFirewallPolicy: web-firewall}"),
    ]);
    let [first] = &told(&second)[..] else { panic!() };
    assert!(first.ends_with("'www.contoso.com', although other domains of the front door have one"), "{first}");
    let none = changed(&[("    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n", "")]);
    assert_eq!(told(&none), [] as [&str; 0]);
}

#[test]
fn answers_of_an_api_that_are_cached_by_default_are_told() {
    const APIS: &str = "    apiManagementServices:\n      - {name: gateway, region: UK South, publisherName: Contoso, publisherEmail: a@contoso.com, sku: Developer, backendpool: api}\n";
    let document = |caching: &str| {
        let front_door = FRONT_DOOR.replace("    enableCaching: false\n", caching);
        web_document(APPS, &front_door).replace("frontdoor:\n", &format!("{APIS}frontdoor:\n"))
    };
    let told = |text: &str| {
        warnings(
            &Deployment::new(WEB, text).deploy_with(&landing_zone(), json!({"whatIf": true})),
            "cached at the edge",
        )
    };
    assert_eq!(
        told(&document("")),
        [
            "frontdoor.rules[2].enableCaching: not set, so answers of the API management service 'gateway' are cached at the edge, which the replaced module did not do; set it to false, or to true if they may be"
        ]
    );
    for said in ["    enableCaching: false\n", "    enableCaching: true\n"] {
        assert_eq!(told(&document(said)), [] as [&str; 0], "{said}");
    }
    // The routes of the pools of web apps say nothing either, and no answer of an API is in them.
    let of_apps = web_document(APPS, &FRONT_DOOR.replace("    enableCaching: false\n", ""));
    assert_eq!(told(&of_apps), [] as [&str; 0]);
}

#[test]
fn what_azure_would_refuse_is_refused_before_anything_is_contacted() {
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[("  - name: api\n    protocol: http\n", "  - name: api\n  - name: spare\n")],
            "frontdoor.backEndPools[2].name: no web app or API management service in the document names the pool 'spare'",
        ),
        (
            &[("backEndPoolname: shop", "backEndPoolname: shops")],
            "frontdoor.rules[0].backEndPoolname: the front door has no pool 'shops', did you mean 'shop'?",
        ),
        (
            &[("endpoints: [www.contoso.com]", "endpoints: [ww.contoso.com]")],
            "frontdoor.rules[0].endpoints[0]: 'ww.contoso.com' is neither a custom domain of the front door nor the front door 'contoso-edge' itself, \
             did you mean 'www.contoso.com'?",
        ),
        (
            &[
                ("domainName: www.Contoso.com", "domainName: https://www.contoso.com"),
                ("[www.contoso.com]", "['https://www.contoso.com']"),
            ],
            "frontdoor.customDomains[0].domainName: expected a host name such as www.contoso.com, found 'https://www.contoso.com'",
        ),
        (
            &[
                ("domainName: www.Contoso.com", "domainName: '*.contoso.com'"),
                ("[www.contoso.com]", "['*.contoso.com']"),
            ],
            "frontdoor.customDomains[0].domainName: Azure manages no certificates for wildcard domains; name one in a key vault with \
             customCertificateSecretName",
        ),
        (
            &[("    service: {dependencies: {keyvault: web-keyvault}}\n", "")],
            "frontdoor.customDomains[1].service.dependencies.keyvault: the certificate 'web-certificate' requires a key vault, here or at the root",
        ),
        (
            &[("customCertificateSecretName: web-certificate", "customCertificateSecretName: web/certificate")],
            "frontdoor.customDomains[1].customCertificateSecretName: names of key vault secrets can contain only letters, digits and hyphens; found 'web/certificate'",
        ),
        (
            &[("healthCheckPath: /health", "healthCheckPath: health")],
            "frontdoor.backEndPools[0].healthCheckPath: 'health' is not a path; it must begin with a slash",
        ),
        (
            &[("name: pages", "name: all pages")],
            "frontdoor.rules[0].name: route names can contain only letters, digits and hyphens; 'all pages' contains ' '",
        ),
        (
            &[("pattern: ['/*']", "pattern: ['*.html']")],
            "frontdoor.rules[0].pattern[0]: '*.html' is not a pattern such as / or /api/*; it must begin with a slash, and can end with a star after a slash",
        ),
        (
            &[("pattern: ['/*']", "pattern: ['/pages*']")],
            "frontdoor.rules[0].pattern[0]: '/pages*' is not a pattern such as / or /api/*; it must begin with a slash, and can end with a star after a slash",
        ),
        (
            &[("pattern: ['/*']", "pattern: [none]")],
            "frontdoor.rules[0].pattern: at least one pattern is required; use /* for all requests",
        ),
    ];
    let cloud = landing_zone();
    for (replacements, problem) in cases {
        let outcome = deployment_of(&changed(replacements)).deploy(&cloud);
        assert_eq!(problems(&outcome), [*problem], "{outcome:#?}");
    }
    assert!(cloud.requests().is_empty());
}

#[test]
fn one_host_name_has_a_pattern_once_for_each_protocol() {
    let cloud = landing_zone();
    let api = "    enableCaching: false";
    let twice = changed(&[("pattern: ['/api/*']", "pattern: [/x, /Shop]")]);
    let found = problems(&deployment_of(&twice).deploy(&cloud));
    let [problem] = &found[..] else { panic!("{found:#?}") };
    assert!(
        problem.starts_with("frontdoor.rules[2].pattern[1]: the pattern '/Shop' is already used for the same host name by frontdoor.rules[1].pattern[0] (settings.yml:"),
        "{problem}"
    );
    // Another protocol, or another host name, is another route.
    let protocol = twice.replace(api, &format!("{api}\n    acceptedProtocols: [Http]"));
    assert_eq!(deployment_of(&protocol).deploy(&cloud).counts().failed, 0);
    let host = twice.replace(api, &format!("{api}\n    endpoints: [www.contoso.com]"));
    assert_eq!(deployment_of(&host).deploy(&landing_zone()).counts().failed, 0);
}

#[test]
fn a_backend_that_names_no_declared_pool_is_warned_of_and_gets_no_origin() {
    let cloud = landing_zone();
    let apps = format!("{APPS}- {{name: stray, runTime: 'NODE|22-lts', backendpool: shops}}\n");
    let outcome = Deployment::new(WEB, &web_document(&apps, FRONT_DOOR)).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        warnings(&outcome, "stray"),
        [
            "webSolutions[0].appServicePlans[0].webapps[3].backendpool: the front door has no pool 'shops', so 'stray' gets no requests from it, did you mean \
            'shop'?"
        ]
    );
    assert!(!door_actions(&outcome).iter().any(|action| action.resource.name.contains("stray")));
}

#[test]
fn session_affinity_is_that_of_a_pool_and_disagreement_is_told() {
    let affinity = |outcome: &Outcome, pool: &str| planned(outcome, pool)["properties.sessionAffinityState"].clone();
    // www asks for it, and shop, which is sent to the same pool, does not; neither does the front door itself, which is as well.
    let outcome = deployment_of(FRONT_DOOR).rehearse(&landing_zone());
    assert_eq!([affinity(&outcome, "shop"), affinity(&outcome, "api")], ["\"Enabled\"", "\"Disabled\""]);
    let sentence = |place: &str, who: &str, pool: &str| {
        format!(
            "{place}.sessionAffinity: Azure has one session affinity for each pool, and {who} enables it, so it is also on for the pool '{pool}' here"
        )
    };
    let www = "the domain 'www.contoso.com'";
    assert_eq!(
        warnings(&outcome, "session affinity"),
        [sentence("frontdoor", www, "shop"), sentence("frontdoor.customDomains[1]", www, "shop")]
    );
    // The front door asks for all of its pools.
    let outcome =
        deployment_of(&changed(&[("sessionAffinity: Disabled", "sessionAffinity: true")])).rehearse(&landing_zone());
    assert_eq!([affinity(&outcome, "shop"), affinity(&outcome, "api")], ["\"Enabled\"", "\"Enabled\""]);
    assert_eq!(
        warnings(&outcome, "session affinity"),
        [sentence("frontdoor.customDomains[1]", "the front door", "shop")]
    );
    // A domain asks, and the front door, to which no rule of the pool leads, does not want it.
    let outcome = deployment_of(&changed(&[
        ("[shop.contoso.com, contoso-edge]", "[shop.contoso.com]"),
        ("    sessionAffinity: Disabled", "    sessionAffinity: Enabled"),
    ]))
    .rehearse(&landing_zone());
    assert_eq!(warnings(&outcome, "session affinity"), [sentence("frontdoor", www, "shop")]);
    // Where nobody asks, nobody is told.
    let outcome =
        deployment_of(&changed(&[("sessionAffinity: Enabled", "sessionAffinity: 'false'")])).rehearse(&landing_zone());
    assert_eq!(affinity(&outcome, "shop"), "\"Disabled\"");
    assert!(warnings(&outcome, "session affinity").is_empty());
}

#[test]
fn the_front_door_itself_has_several_names() {
    for own in ["contoso-edge", "Contoso-Edge.azurefd.net", DOOR] {
        let outcome = deployment_of(&changed(&[("[shop.contoso.com, contoso-edge]", &format!("[{own}]"))]))
            .rehearse(&landing_zone());
        let route = planned_of(&outcome, "shop", "route");
        assert!(
            route.contains(&("properties.linkToDefaultDomain".to_owned(), "\"Enabled\"".to_owned())),
            "{own}: {route:#?}"
        );
    }
}

/// The planned properties of the one of several resources of a name.
fn planned_of(outcome: &Outcome, name: &str, label: &str) -> Vec<(String, String)> {
    let start = format!("Create {label} '{name}'");
    let action = outcome.plan().iter().find(|action| action.description.starts_with(&start)).unwrap();
    action
        .changes
        .iter()
        .map(|change| (change.path.clone(), change.after.as_ref().map(ToString::to_string).unwrap()))
        .collect()
}

#[test]
fn the_policy_of_the_root_holds_for_domains_without_their_own_and_the_plan_says_so() {
    let cloud = landing_zone();
    let own = resource(
        &cloud,
        &format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/wafweb"),
    );
    cloud.import(&[firewall("others", own["sku"]["name"].as_str().unwrap())]).unwrap();
    let root = "dependencies: {webApplicationFirewallPolicy: others}\n";
    let outcome = Deployment::new(WEB, &web_document_with(root, APPS, FRONT_DOOR)).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        warnings(&outcome, "web application firewall"),
        [
            "service.dependencies.webApplicationFirewallPolicy: the web application firewall policy published as 'others' applies to the domains that name no policy: \
            shop.contoso.com; the own host name of the front door is not covered"
        ]
    );
    let covered = |name: &str| {
        let policy = resource(&cloud, &in_door(&format!("securityPolicies/{name}")));
        let domains = policy["properties"]["parameters"]["associations"][0]["domains"].as_array().unwrap().clone();
        domains
            .iter()
            .map(|domain| domain["id"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (covered("web-firewall"), covered("others")),
        (vec!["www-contoso-com".to_owned()], vec!["shop-contoso-com".to_owned()])
    );

    let without = "name: contoso-edge\nregion: UK South\nsessionAffinity: Disabled\nbackEndPools: [{name: shop}]\n\
                   rules: [{name: all, pattern: ['/*'], backEndPoolname: shop}]\n";
    let outcome = Deployment::new(WEB, &web_document_with(root, &APPS.replace("pool: api", "pool: shop"), without))
        .rehearse(&landing_zone());
    assert_eq!(
        warnings(&outcome, "web application firewall"),
        [
            "service.dependencies.webApplicationFirewallPolicy: the web application firewall policy published as 'others' has no effect: the front door has no \
            custom domains, and its own host name is not covered"
        ]
    );
}

#[test]
fn one_policy_that_several_domains_name_is_one_security_policy() {
    let (cloud, both) = (
        landing_zone(),
        changed(&[("keyvault: web-keyvault", "keyvault: web-keyvault, webApplicationFirewallPolicy: web-firewall")]),
    );
    let outcome = deployment_of(&both).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let policy = resource(&cloud, &in_door("securityPolicies/web-firewall"));
    assert_eq!(policy["properties"]["parameters"]["associations"][0]["domains"].as_array().unwrap().len(), 2);
    assert!(deployment_of(&both).deploy(&cloud).plan().is_empty());
}

#[test]
fn the_tier_follows_the_policies() {
    let policy = |name: &str| {
        changed(&[("webApplicationFirewallPolicy: web-firewall", &format!("webApplicationFirewallPolicy: {name}"))])
    };
    for (tier, name) in [("Standard_AzureFrontDoor", "standard"), ("Premium_AzureFrontDoor", "premium")] {
        let cloud = landing_zone();
        cloud.import(&[firewall(name, tier)]).unwrap();
        let outcome = deployment_of(&policy(name)).deploy(&cloud);
        assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
        assert_eq!(tier_of(&cloud), tier);
    }
    let cloud = landing_zone();
    cloud
        .import(&[
            firewall("standard", "Standard_AzureFrontDoor"),
            firewall("premium", "Premium_AzureFrontDoor"),
            firewall("old", "Classic_AzureFrontDoor"),
        ])
        .unwrap();
    let both = policy("premium")
        .replace("keyvault: web-keyvault", "keyvault: web-keyvault, webApplicationFirewallPolicy: standard");
    assert_eq!(
        problems(&deployment_of(&both).deploy(&cloud)),
        [
            "frontdoor.customDomains[1].service.dependencies.webApplicationFirewallPolicy: the web application firewall policy published as 'standard' is of the tier Standard_AzureFrontDoor, but the one published as 'premium' makes the front door Premium_AzureFrontDoor: the policies of a front door have its tier"
        ]
    );
    assert_eq!(
        problems(&deployment_of(&policy("old")).deploy(&cloud)),
        [
            "frontdoor.customDomains[0].service.dependencies.webApplicationFirewallPolicy: the web application firewall policy 'old' is of the tier \
            Classic_AzureFrontDoor, which is the tier of the classic Front Door; migrate it, or use one of the tier Standard_AzureFrontDoor or \
            Premium_AzureFrontDoor"
        ]
    );
    assert!(shown(&cloud.requests()).iter().all(|line| line.starts_with("GET") || line.starts_with("POST")));
}

#[test]
fn an_upgraded_front_door_stays_upgraded_and_one_that_is_too_low_is_left_alone() {
    let cloud = landing_zone();
    let plain = changed(&[("    service: {dependencies: {webApplicationFirewallPolicy: web-firewall}}\n", "")]);
    let deployment = deployment_of(&plain);
    deployment.deploy(&cloud);
    assert_eq!(tier_of(&cloud), "Standard_AzureFrontDoor");
    // The front door is of the Standard tier, and the document names a Premium policy from now on.
    cloud.import(&[firewall("premium", "Premium_AzureFrontDoor")]).unwrap();
    deployment.rewrite(&web_document(
        &APPS.replace("weight: 60", "weight: 61"),
        &FRONT_DOOR.replace("web-firewall", "premium"),
    ));
    let before = cloud.requests().len();
    let outcome = deployment.deploy(&cloud);
    let [error] = &outcome.errors()[..] else { panic!("{:#?}", outcome.errors()) };
    assert_eq!((error.failure.code.as_str(), error.terminating), ("TierTooLow", false));
    assert!(error.failure.message.ends_with("cannot be changed: its tier is Standard_AzureFrontDoor, but a web application firewall policy or the sku in the settings requires Premium_AzureFrontDoor."), "{}", error.failure.message);
    assert!(
        error
            .failure
            .recommendation
            .as_ref()
            .unwrap()
            .contains(&format!("-ProfileName {DOOR} -ProfileUpgradeParameter @{{}}"))
    );
    assert!(!shown(&requests_after(&cloud, before)).iter().any(|line| line.starts_with("PUT")));
    let skipped = warnings(&outcome, "skipped");
    assert!(
        outcome
            .warnings()
            .iter()
            .any(|warning| warning.starts_with("13 resources were skipped because the Front Door profile")),
        "{skipped:#?}"
    );
    // Upgraded by hand, the rest follows; without the policy nobody takes it back.
    tamper(&cloud, &in_door(""), |profile| profile["sku"]["name"] = json!("Premium_AzureFrontDoor"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    deployment.rewrite(&web_document(APPS, &plain));
    let outcome = deployment.deploy(&cloud);
    assert!(
        !outcome
            .plan()
            .iter()
            .any(|action| action.resource.name == DOOR && action.resource.resource_type == "Microsoft.Cdn/profiles")
    );
    assert_eq!(tier_of(&cloud), "Premium_AzureFrontDoor");
}

#[test]
fn a_classic_front_door_of_the_same_name_is_reported_and_not_touched() {
    let cloud = landing_zone();
    let classic = format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoors/old-edge");
    cloud.import(&[published(&classic, "global", "edge", json!({"friendlyName": "old"}))]).unwrap();
    let outcome = deployment_of(&changed(ALL)).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        warnings(&outcome, "classic"),
        [
            "service.publish.frontdoor: the classic Front Door 'old-edge' in resource group 'rg-landing-zone' is also published as 'edge'; it is not changed; \
            Azure Front Door (classic) takes no new front doors since 1 April 2025 and ends on 31 March 2027; a front door of the settings is Azure Front Door \
            Standard or Premium"
        ]
    );
    assert!(!shown(&writes(&cloud.requests())).iter().any(|line| line.contains("frontDoors/")));
}

#[test]
fn a_front_door_of_the_name_of_a_solution_shares_its_group() {
    let (cloud, door) = (landing_zone(), changed(&[("name: contoso-edge", "name: shop"), ("contoso-edge]", "shop]")]));
    let outcome = deployment_of(&door).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(
        warnings(&outcome, "name of a web solution"),
        [
            "service.publish.frontdoorResourceGroup: the front door has the name of a web solution and so the same resource group 'rg-shop-paas-bcaf29f2'; the group is published under the solution's name, not as 'edge-group'"
        ]
    );
    assert!(
        door_actions(&outcome)
            .iter()
            .all(|action| action.resource.resource_group.as_deref() == Some("rg-shop-paas-bcaf29f2"))
    );
    assert!(deployment_of(&door).deploy(&cloud).plan().is_empty());
}

#[test]
fn forms_that_documents_of_the_replaced_module_have_are_taken() {
    let door = changed(&[
        ("region: UK South", "location: UK South"),
        ("sessionAffinity: Disabled", "sessionAffinity: false"),
        ("    protocol: http", "    protocol: ''\n    healthCheckPath:"),
        ("    enableCaching: false", "    enableCaching:\n    acceptedProtocols:\n    endpoints: []"),
    ]);
    let outcome = deployment_of(&door).deploy(&landing_zone());
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let api = planned(&outcome, "api");
    assert_eq!(api["properties.healthProbeSettings.probePath"], "\"/index.html\"");
    assert_eq!(api["properties.healthProbeSettings.probeProtocol"], "\"Https\"");
    let route = planned_of(&outcome, "api", "route");
    assert!(route.iter().any(|(path, _)| path.starts_with("properties.cacheConfiguration")), "{route:#?}");
    assert!(route.contains(&("properties.supportedProtocols".to_owned(), "[\"Http\",\"Https\"]".to_owned())));
}
