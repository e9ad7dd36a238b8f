//! Backends that are attached to a front door that exists already, in a document without a front door of its own.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;
use crate::web::front_door::*;

const PROFILE: &str = "resourceGroups/rg-edge/providers/Microsoft.Cdn/profiles/fd-central";

/// A landing zone with a front door that somebody else made, with these origin groups.
fn with_front_door(pools: &[&str], tier: &str) -> LocalCloud {
    let cloud = landing_zone();
    let mut profile = published(PROFILE, "global", "edge", json!({}));
    profile["sku"] = json!({ "name": tier });
    profile["tags"]["theirs"] = json!("1");
    cloud.import(&[group("rg-edge", ""), profile]).unwrap();
    for pool in pools {
        let id = in_subscription(&format!("{PROFILE}/originGroups/{pool}"));
        let balancing = json!({"sampleSize": 8, "successfulSamplesRequired": 8});
        cloud.import(&[json!({"id": id, "properties": {"loadBalancingSettings": balancing}})]).unwrap();
    }
    cloud
}

fn deployment() -> Deployment {
    Deployment::new(WEB, &web_document(APPS, ""))
}

fn only_problem(outcome: &Outcome) -> String {
    let (_, message) = outcome.failed_with();
    assert_eq!(message.lines().count(), 2, "{message}");
    message.lines().nth(1).unwrap().splitn(3, ' ').nth(2).unwrap().to_owned()
}

#[test]
fn backends_join_the_pools_of_an_existing_front_door_and_nothing_else_of_it_is_touched() {
    let cloud = with_front_door(&["shop", "API"], "Standard_AzureFrontDoor");
    let before: Vec<Value> =
        [PROFILE.to_owned(), format!("{PROFILE}/originGroups/shop")].map(|path| resource(&cloud, &path)).into();
    let outcome = deployment().deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let written: Vec<String> =
        shown(&writes(&cloud.requests())).into_iter().filter(|line| line.contains("Microsoft.Cdn")).collect();
    let mut paths: Vec<&str> = written.iter().map(|line| line.rsplit_once("fd-central").unwrap().1).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            format!("/originGroups/API/origins/{ORDERS}"),
            format!("/originGroups/shop/origins/{BLUE}"),
            format!("/originGroups/shop/origins/{GREEN}")
        ]
    );
    let after: Vec<Value> =
        [PROFILE.to_owned(), format!("{PROFILE}/originGroups/shop")].map(|path| resource(&cloud, &path)).into();
    assert_eq!(before, after);
    let origin = resource(&cloud, &format!("{PROFILE}/originGroups/shop/origins/{BLUE}"));
    assert_eq!(origin["properties"]["weight"], 60);
    assert!(origin["properties"]["hostName"].as_str().unwrap().contains("shop-blue"), "{origin:#}");
    assert!(deployment().deploy(&cloud).plan().is_empty());
}

#[test]
fn a_pool_that_the_existing_front_door_does_not_have_is_refused_with_those_it_has() {
    let cloud = with_front_door(&["shop", "apis"], "Standard_AzureFrontDoor");
    let problem = "webSolutions[0].appServicePlans[0].webapps[2].backendpool: the front door 'fd-central' has no origin group 'api'; it has ";
    assert_eq!(only_problem(&deployment().deploy(&cloud)), format!("{problem}apis, shop, did you mean 'apis'?"));
    assert!(writes(&cloud.requests()).is_empty());
    let apps = APPS.lines().last().unwrap().to_owned();
    let empty = with_front_door(&[], "Standard_AzureFrontDoor");
    let outcome = Deployment::new(WEB, &web_document(&apps, "")).deploy(&empty);
    assert_eq!(only_problem(&outcome), format!("{}none", problem.replace("webapps[2]", "webapps[0]")));
}

#[test]
fn the_existing_front_door_is_looked_up_only_where_a_backend_names_a_pool() {
    let cloud = landing_zone();
    let outcome = Deployment::new(WEB, &web_document("- {name: alone, runTime: 'NODE|22-lts'}", "")).deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert!(!shown(&cloud.requests()).iter().any(|line| line.contains("Microsoft.Cdn")));
    let outcome = deployment().deploy(&cloud);
    assert_eq!(outcome.last_error().failure.code.as_str(), "ServiceNotFound");
    assert_eq!(
        only_problem(&outcome),
        "service.publish.frontdoor: no Front Door profile in this subscription is published as 'edge'"
    );
}

#[test]
fn under_what_if_a_front_door_that_is_not_there_is_a_placeholder() {
    let outcome = deployment().rehearse(&landing_zone());
    let warning = "no Front Door profile in this subscription is published as 'edge'; the plan shows a placeholder";
    assert!(outcome.warnings().iter().any(|told| told.ends_with(warning)), "{:#?}", outcome.warnings());
    let origin = door_actions(&outcome).into_iter().find(|action| action.resource.name == BLUE).unwrap();
    assert!(origin.resource.resource_id.contains("<Front Door profile published as 'edge'>/originGroups/shop/"));
    let project = Project::new();
    project.write("settings.yml", web_document(APPS, ""));
    let (messages, status) = offline::command(WEB, &project, "settings.yml");
    assert_eq!(status, 0, "{messages:#?}");
}

#[test]
fn nothing_is_attached_to_classic_ones() {
    let cloud = with_front_door(&[], "Standard_Microsoft");
    assert_eq!(
        only_problem(&deployment().deploy(&cloud)),
        "service.publish.frontdoor: 'fd-central' is not a front door but a classic CDN profile of the tier Standard_Microsoft"
    );
    let cloud = landing_zone();
    let classic = format!("{LANDING_ZONE}/providers/Microsoft.Network/frontDoors/old-edge");
    cloud.import(&[published(&classic, "global", "edge", json!({}))]).unwrap();
    let problem = only_problem(&deployment().deploy(&cloud));
    assert!(
        problem.starts_with(
            "service.publish.frontdoor: the resource published as 'edge' is the classic Front Door 'old-edge', but backends can only be attached to Azure Front Door Standard or Premium; Azure Front Door (classic) takes no new front doors since"
        ),
        "{problem}"
    );
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn a_redirect_goes_with_the_protocol_that_it_needs() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &web_document(APPS, FRONT_DOOR)));
    deployment.deploy(&cloud);
    let route = in_door(&format!("afdEndpoints/{DOOR}/routes/shop"));
    tamper(&cloud, &route, |route| {
        route["properties"]["supportedProtocols"] = json!(["Http", "Https"]);
        route["properties"]["httpsRedirect"] = json!("Enabled");
    });
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary().split(", ").next(), Some("modified 1"), "{outcome:#?}");
    let change =
        outcome.action("shop").changes.iter().find(|change| change.path == "properties.httpsRedirect").unwrap();
    assert_eq!(
        (
            change.before.as_ref().map(ToString::to_string).as_deref(),
            change.after.as_ref().map(ToString::to_string).as_deref()
        ),
        (Some("\"Enabled\""), Some("\"Disabled\""))
    );
    assert_eq!(resource(&cloud, &route)["properties"]["httpsRedirect"], "Disabled");
    assert!(deployment.deploy(&cloud).plan().is_empty());
}
