//! CDNs of web apps: a Front Door profile each.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;
use crate::web::front_door::web_document;

const PROFILE_NAME: &str = "cdn-assets-dev-euw-42128158";

/// A web app with a CDN of this sku.
fn app(sku: &str) -> String {
    format!(
        "\
- name: shopfront
  runTime: 'NODE|22-lts'
  contentDeliveryNetwork:
    name: assets
    sku: {sku}
    region: westeurope
"
    )
}

fn deployment(sku: &str) -> Deployment {
    Deployment::new(WEB, &web_document(&app(sku), ""))
}

fn profile_path(cloud: &LocalCloud) -> String {
    let requests = shown(&cloud.requests());
    let app =
        requests.iter().find_map(|line| line.strip_prefix("PUT ")?.split_once("/providers/Microsoft.Web/")).unwrap();
    format!("{}/providers/Microsoft.Cdn/profiles/{PROFILE_NAME}", app.0)
}

fn cdn_actions(outcome: &Outcome) -> Vec<(&str, &str)> {
    let actions = outcome.plan().iter().filter(|action| action.resource.resource_type.starts_with("Microsoft.Cdn/"));
    actions.map(|action| (action.resource.resource_type.as_str(), action.resource.name.as_str())).collect()
}

fn cdn_warnings(outcome: &Outcome) -> Vec<&str> {
    outcome.warnings().into_iter().filter(|warning| warning.contains("contentDeliveryNetwork")).collect()
}

#[test]
fn a_cdn_is_a_front_door_profile_before_the_app() {
    let (cloud, deployment) = (landing_zone(), deployment("Standard"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert!(cdn_warnings(&outcome).is_empty());
    let endpoint = "endpoint-cdn-app-shopfront-dev-505cd7c7";
    assert_eq!(
        cdn_actions(&outcome),
        [
            ("Microsoft.Cdn/profiles", PROFILE_NAME),
            ("Microsoft.Cdn/profiles/afdEndpoints", endpoint),
            ("Microsoft.Cdn/profiles/originGroups", "default"),
            ("Microsoft.Cdn/profiles/originGroups/origins", "app-shopfront-dev-505cd7c7"),
            ("Microsoft.Cdn/profiles/afdEndpoints/routes", "default"),
        ]
    );
    let profile = resource(&cloud, &profile_path(&cloud));
    assert_eq!(
        (&profile["sku"]["name"], &profile["tags"]),
        (&json!("Standard_AzureFrontDoor"), &json!({"svc-service": "shop-cdn"}))
    );
    let inside = |path: &str| resource(&cloud, &format!("{}/{path}", profile_path(&cloud)));
    assert_eq!(inside(&format!("afdEndpoints/{endpoint}"))["tags"], json!({"svc-service": "shop-cdn-endpoint"}));
    let origin = inside("originGroups/default/origins/app-shopfront-dev-505cd7c7")["properties"].clone();
    assert!(origin["hostName"].as_str().unwrap().starts_with("app-shopfront-dev-505cd7c7"), "{origin:#}");
    assert_eq!(origin["originHostHeader"], origin["hostName"]);
    let route = inside(&format!("afdEndpoints/{endpoint}/routes/default"))["properties"].clone();
    assert_eq!((&route["linkToDefaultDomain"], &route["patternsToMatch"]), (&json!("Enabled"), &json!(["/*"])));
    assert_eq!(route["cacheConfiguration"]["queryStringCachingBehavior"], "IgnoreQueryString");
    assert!(deployment.deploy(&cloud).plan().is_empty());
}

#[test]
fn skus_of_the_old_vendors_are_taken_with_the_retirement_named() {
    let told = |sku: &str| {
        let outcome = deployment(sku).rehearse(&landing_zone());
        let tier = outcome.action(PROFILE_NAME).changes.iter().find(|change| change.path == "sku.name").unwrap();
        let warnings = cdn_warnings(&outcome)
            .into_iter()
            .map(|warning| warning.rsplit_once("sku: ").unwrap().1.to_owned())
            .collect();
        (tier.after.as_ref().unwrap().to_string(), warnings)
    };
    let (standard, premium) = ("\"Standard_AzureFrontDoor\"", "\"Premium_AzureFrontDoor\"");
    let used = |tier: &str| format!("; Azure Front Door {tier} is used");
    let cases = [
        ("Standard_AzureFrontDoor", standard, None),
        ("premium", premium, None),
        ("Standard_Verizon", standard, Some("Azure CDN from Edgio, formerly Verizon, was shut down on 15 January 2025".to_owned() + &used("Standard"))),
        ("Premium_Verizon", premium, Some("Azure CDN from Edgio, formerly Verizon, was shut down on 15 January 2025".to_owned() + &used("Premium"))),
        ("Standard_Akamai", standard, Some("Azure CDN from Akamai ended on 31 October 2023".to_owned() + &used("Standard"))),
        ("Standard_ChinaCdn", standard, Some("Azure CDN in China ended on 1 December 2025".to_owned() + &used("Standard"))),
        (
            "Microsoft",
            standard,
            Some("Azure CDN from Microsoft (classic) takes no new profiles since 15 August 2025 and ends on 30 September 2027".to_owned() + &used("Standard")),
        ),
        ("Golden", standard, Some("'Golden' is not a CDN tier, so Azure Front Door Standard is used; use Standard or Premium".to_owned())),
    ];
    for (sku, tier, warning) in cases {
        let warnings: Vec<String> = warning.into_iter().collect();
        assert_eq!(told(sku), (tier.to_owned(), warnings), "{sku}");
    }
}

#[test]
fn the_region_has_one_spelling_because_it_is_in_the_name() {
    for (region, problem) in [
        ("West Europe", "the region of a CDN is in lower case without spaces: use 'westeurope', not 'West Europe'"),
        ("WestEurope", "the region of a CDN is in lower case without spaces: use 'westeurope', not 'WestEurope'"),
        ("Nowhere Land", "'Nowhere Land' is not an Azure location"),
        ("westeuropa", "'westeuropa' is not an Azure location, did you mean West Europe (westeurope)?"),
    ] {
        let text = web_document(&app("Standard").replace("westeurope", region), "");
        let outcome = Deployment::new(WEB, &text).deploy(&landing_zone());
        let (_, message) = outcome.failed_with();
        assert!(message.ends_with(&format!("contentDeliveryNetwork.region: {problem}")), "{message}");
        assert_eq!(message.lines().count(), 2, "{message}");
    }
}

#[test]
fn an_endpoint_name_that_is_too_long_is_cut_and_ends_in_its_hash() {
    let apps = app("Standard").replace("name: shopfront", "name: shopfront-of-the-northern-hemisphere");
    let outcome = Deployment::new(WEB, &web_document(&apps, "")).deploy(&landing_zone());
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let actions = cdn_actions(&outcome);
    let name = actions.iter().find(|(kind, _)| kind.ends_with("/afdEndpoints")).unwrap().1;
    assert_eq!(name.len(), 46);
    assert!(name.starts_with("endpoint-cdn-app-shopfront-of-the-northern"), "{name}");
}

#[test]
fn a_classic_profile_of_the_name_is_left_alone_and_the_rest_goes_on() {
    let (cloud, deployment) = (landing_zone(), deployment("Standard_Microsoft"));
    // Where it will be is known from a first run elsewhere.
    let elsewhere = landing_zone();
    deployment.deploy(&elsewhere);
    let path = profile_path(&elsewhere);
    let group = path.split('/').nth(1).unwrap();
    let mut classic = published(&path, "global", "shop-cdn", json!({}));
    classic["sku"] = json!({"name": "Standard_Microsoft"});
    cloud.import(&[published(&format!("resourceGroups/{group}"), "uksouth", "", json!({})), classic]).unwrap();
    let before = resource(&cloud, &path);
    let check = |outcome: &Outcome| {
        let [error] = &outcome.errors()[..] else { panic!("{:#?}", outcome.errors()) };
        assert_eq!((error.failure.code.as_str(), error.terminating), ("ClassicProfile", false));
        assert!(
            error.failure.message.ends_with(&format!(
                "the Front Door profile '{PROFILE_NAME}' in resource group '{group}' cannot be changed: it is a classic CDN profile of the tier Standard_Microsoft, which \
                 Azure has retired."
            )),
            "{}",
            error.failure.message
        );
        let migration = format!(
            "Move-AzCdnProfileToAFD -ResourceGroupName {group} -ProfileName {PROFILE_NAME} -SkuName Standard_AzureFrontDoor"
        );
        assert!(error.failure.recommendation.as_ref().unwrap().contains(&migration), "{error:#?}");
        assert!(outcome.warnings().iter().any(|warning| {
            warning.starts_with("4 resources were skipped because the Front Door profile")
                && warning.contains("endpoint 'endpoint-cdn-app-shopfront-")
        }));
        assert!(cdn_actions(outcome).is_empty());
    };
    let rehearsal = deployment.rehearse(&cloud);
    check(&rehearsal);
    assert_eq!((rehearsal.counts().failed, rehearsal.counts().what_if), (1, true));
    assert!(rehearsal.deployment_failed().done.is_empty());
    let outcome = deployment.deploy(&cloud);
    check(&outcome);
    assert_eq!((outcome.counts().failed, outcome.counts().skipped), (1, 4));
    assert!(outcome.counts().created > 0, "the app and its plan are made");
    assert_eq!(resource(&cloud, &path), before);
    // Nothing is left to do but the profile, and that is said again.
    let again = deployment.deploy(&cloud);
    check(&again);
    assert!(!again.verbose().iter().any(|line| line.starts_with("Everything")), "{:#?}", again.verbose());
    assert_eq!(
        again.deployment_failed().failure.message,
        format!(
            "1 of 5 resources failed: Front Door profile '{PROFILE_NAME}' (ClassicProfile). 4 are skipped. Run the command again when the causes are gone."
        )
    );
}

#[test]
fn a_cdn_can_be_planned_without_credentials() {
    let project = Project::new();
    project.write("settings.yml", web_document(&app("Premium"), ""));
    let (messages, status) = offline::command(WEB, &project, "settings.yml");
    assert_eq!(status, 0, "{messages:#?}");
    let plan: &Value = offline::with_event(&messages, "plan")[0];
    let names: Vec<&Value> = plan["actions"].as_array().unwrap().iter().map(|action| &action["name"]).collect();
    assert!(names.contains(&&json!(PROFILE_NAME)), "{names:?}");
}
