//! App service plans: their skus, what fits on them, and what cannot be changed.

use serde_json::json;

use crate::support::estate::*;
use crate::support::*;
use crate::web::solutions::{document_of, everything_said};

/// The resource group of the documents here.
const SHOP: &str = "resourceGroups/rg-shop-paas-bcaf29f2/providers/Microsoft.Web";
/// The plan Front in UK South.
const PLAN: &str = "serverfarms/plan-front-dev-uks-b6c207fd";

/// A document with the plan Front of a sku, and lines of it.
fn plan(sku: &str, lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    document_of(
        "storage: web-storage\nvnet: hub-network",
        &format!("appServicePlans:\n  - name: Front\n    sku: {sku}\n    region: UK South\n{lines}"),
    )
}

const WEB_APP: &str = "webapps: [{name: Store, runTime: NODE|22-lts}]";
const FUNCTION: &str = "functions: [{name: Orders, runtime: PYTHON|3.12}]";
const SLOTS: &str = "webapps: [{name: Store, runTime: NODE|22-lts, slots: [s1, s2, s3, s4, s5, s6]}]";
const ENDPOINT: &str = "webapps: [{name: Store, runTime: NODE|22-lts, privateEndpoints: [{subnetName: endpoints}]}]";
const FUNCTION_ENDPOINT: &str =
    "functions: [{name: Orders, runtime: PYTHON|3.12, privateEndpoints: [{subnetName: endpoints}]}]";

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_a_sku_does_not_have_is_found_with_what_has_it() {
    let all = "F1, B1 to B3, S1 to S3, P1 to P3, P1v2 to P3v2, P0v3 to P3v3, P1mv3 to P5mv3, P0v4 to P3v4, P1mv4 to P5mv4, \
               I1 to I3, I1v2 to I6v2, I1mv2 to I5mv2, EP1 to EP3, WS1 to WS3, Y1 or FC1";
    let place = "webSolutions[0].appServicePlans[0]";
    let table = [
        ("S4", "", format!("10:14 {place}.sku: 'S4' is not valid, did you mean 'S1'? Use {all}")),
        ("Premium", "", format!("10:14 {place}.sku: 'Premium' is not valid; use {all}")),
        ("d1", "", format!("10:14 {place}.sku: shared plans cannot run Linux; use B1 or higher")),
        (
            "F1",
            FUNCTION,
            format!("12:20 {place}.functions: a plan of the sku F1 runs only web apps; use B1 or higher, EP1 or FC1"),
        ),
        (
            "fc1",
            WEB_APP,
            format!("12:18 {place}.webapps: a plan of the sku FC1 runs only function apps; use B1 or higher"),
        ),
        (
            "EP1",
            WEB_APP,
            format!("12:18 {place}.webapps: a plan of the sku EP1 runs only function apps; use B1 or higher"),
        ),
        (
            "WS1",
            FUNCTION,
            format!(
                "12:20 {place}.functions: a plan of the sku WS1 runs only logic apps; use B1 or higher, EP1 or FC1"
            ),
        ),
        (
            "FC1",
            "functions: [{name: Orders, runtime: PYTHON|3.12}, {name: Bills, runtime: NODE|22}]",
            format!(
                "12:20 {place}.functions: a plan of the sku FC1 takes only one function app, found 2; use a plan for each"
            ),
        ),
        (
            "FC1",
            "functions: [{name: Orders, runtime: DOTNET|8.0}]",
            format!(
                "12:45 {place}.functions[0].runtime: Flex Consumption plans do not run DOTNET; use DOTNET-ISOLATED, NODE, JAVA, POWERSHELL, PYTHON or CUSTOM"
            ),
        ),
        (
            "B1",
            SLOTS,
            format!(
                "12:62 {place}.webapps[0].slots: an app on a plan of the sku B1 can have no slots, found 6; use S1 or higher"
            ),
        ),
        (
            "S3",
            SLOTS,
            format!(
                "12:62 {place}.webapps[0].slots: an app on a plan of the sku S3 can have at most 5 slots, found 6; use P0v3 or higher"
            ),
        ),
        (
            "F1",
            ENDPOINT,
            format!(
                "12:73 {place}.webapps[0].privateEndpoints: apps on a plan of the sku F1 cannot have private endpoints; use B1 or higher"
            ),
        ),
        (
            "Y1",
            FUNCTION_ENDPOINT,
            format!(
                "12:76 {place}.functions[0].privateEndpoints: apps on a plan of the sku Y1 cannot have private endpoints; use EP1 or FC1"
            ),
        ),
    ];
    for (sku, lines, message) in table {
        let cloud = landing_zone();
        let outcome = Deployment::new(WEB, &plan(sku, lines)).deploy(&cloud);
        let expected = format!("settings.yml has 1 problem:\n[1] {message}");
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", expected.as_str()), "{sku} {lines}");
        assert!(cloud.requests().is_empty(), "nothing is contacted");
    }
}

#[test]
fn every_tier_that_needs_no_environment_is_made_with_what_runs_there() {
    for (sku, lines) in [
        ("F1", WEB_APP),
        ("b2", ENDPOINT),
        ("P1", SLOTS),
        ("P3mv3", SLOTS),
        ("p0V4", FUNCTION_ENDPOINT),
        ("EP2", FUNCTION_ENDPOINT),
        ("Y1", FUNCTION),
        ("FC1", FUNCTION_ENDPOINT),
        ("WS1", ""),
    ] {
        let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &plan(sku, lines)));
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.errors(), [] as [&svc_engine::protocol::ErrorReport; 0], "{sku}");
        assert!(outcome.counts().created >= 2, "{sku}");
        let again = deployment.deploy(&cloud);
        assert_eq!((again.plan().len(), again.counts().failed), (0, 0), "{sku}");
    }
}

#[test]
fn an_isolated_plan_is_kept_in_its_environment_and_not_made_without_one() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &plan("I1v2", WEB_APP)));
    assert_eq!(
        deployment.deploy(&cloud).failed_with().1,
        "settings.yml has 1 problem:\n[1] 10:14 webSolutions[0].appServicePlans[0].sku: a new plan of the sku I1v2 needs an App Service Environment, which the settings cannot name; use P0v3 or higher"
    );
    assert!(writes(&cloud.requests()).is_empty());
    let environment = in_subscription("resourceGroups/rg-landing-zone/providers/Microsoft.Web/hostingEnvironments/ase");
    let made = json!({"id": in_subscription(&format!("{SHOP}/{PLAN}")), "location": "uksouth", "sku": {"name": "I1v2"},
        "properties": {"reserved": true, "hostingEnvironmentProfile": {"id": environment}}});
    cloud.import(&[group("rg-shop-paas-bcaf29f2", ""), made]).unwrap();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 2");
    deployment.rewrite(&plan("I2v2", WEB_APP));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 2");
}

#[test]
fn a_plan_in_another_region_is_an_error_before_a_second_one_is_made() {
    let text = plan("S1", "webapps: [{name: Store, runTime: NODE|22-lts, slots: [staging]}]");
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &text));
    deployment.deploy(&cloud);
    let before = cloud.requests().len();
    deployment.rewrite(&text.replace("UK South", "UK West"));
    let group = "in resource group 'rg-shop-paas-bcaf29f2'";
    let place = "webSolutions[0].appServicePlans[0].region";
    let expected = format!(
        "settings.yml has 2 problems:\n[1] 11:17 {place}: the app service plan 'plan-front-dev-uks-b6c207fd' {group} has location 'UK South', which Azure cannot change to 'ukwest'; use that region, or another name for the plan and for each app on it, and delete the old ones when the new ones work\n[2] 11:17 {place}: the web app 'app-store-dev-13e2bd70' {group} has location 'UK South', which Azure cannot change to 'ukwest'; use that region for its plan, or another name for the app, and delete the old one when the new one works"
    );
    for outcome in [deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", expected.as_str()));
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty(), "no second plan");
    // A plan of the document in each region is none that has moved, and neither is one of another name.
    let both = plan("S1", "").replace(
        "    region: UK South\n",
        "    region: UK South\n      - name: Front\n        sku: S1\n        region: UK West\n",
    );
    deployment.rewrite(&both);
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 2");
    deployment.rewrite(&plan("S1", "").replace("UK South", "North Europe").replace("name: Front", "name: Back"));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 1");
}

#[test]
fn an_app_that_is_in_another_region_is_seen_although_its_plan_is_new() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &plan("B1", FUNCTION)));
    deployment.deploy(&cloud);
    let moved = plan("B1", FUNCTION).replace("UK South", "UK West").replace("name: Front", "name: Back");
    deployment.rewrite(&moved);
    let outcome = deployment.rehearse(&cloud);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "CannotBeChanged");
    assert!(message.contains("the function app 'func-orders-dev-f8274b04'"), "{message}");
    assert!(message.starts_with("settings.yml has 1 problem:"), "{message}");
    // To another plan in its region it moves.
    deployment.rewrite(&plan("B1", FUNCTION).replace("name: Front", "name: Back"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.counts().created, outcome.counts().modified), (1, 1), "{}", outcome.summary());
}

#[test]
fn a_plan_of_another_kind_is_an_error_in_the_plan() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &plan("B1", FUNCTION)));
    deployment.deploy(&cloud);
    let before = cloud.requests().len();
    deployment.rewrite(&plan("FC1", FUNCTION));
    assert_eq!(
        deployment.deploy(&cloud).failed_with(),
        (
            "CannotBeChanged",
            "settings.yml has 1 problem:\n[1] 10:14 webSolutions[0].appServicePlans[0].sku: the app service plan 'plan-front-dev-uks-b6c207fd' in resource group 'rg-shop-paas-bcaf29f2' has sku.name 'B1', which Azure cannot change to 'FC1'; use a sku of the same kind, or another name for the plan"
        )
    );
    deployment.rewrite(&plan("FC1", FUNCTION).replace("name: Front", "name: Flexible"));
    assert_eq!(
        deployment.deploy(&cloud).failed_with(),
        (
            "CannotBeChanged",
            "settings.yml has 1 problem:\n[1] 10:14 webSolutions[0].appServicePlans[0].sku: the function app 'func-orders-dev-f8274b04' is on the plan 'plan-front-dev-uks-b6c207fd', and Azure moves no app to or from a Flex Consumption plan; use another name for the app, or delete it first"
        )
    );
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    deployment.rewrite(&plan("S1", FUNCTION));
    assert_eq!(deployment.deploy(&cloud).counts().modified, 1);
}

#[test]
fn a_windows_plan_that_is_left_alone_is_not_up_to_date() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &plan("S1", WEB_APP)));
    let made = json!({"id": in_subscription(&format!("{SHOP}/{PLAN}")), "location": "uksouth", "kind": "app", "sku": {"name": "S1"}, "properties": {"reserved": false}});
    cloud.import(&[group("rg-shop-paas-bcaf29f2", ""), made]).unwrap();
    for outcome in [deployment.deploy(&cloud), deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
        assert_eq!(outcome.summary(), "unchanged 1, skipped 1, failed 1");
        assert!(!everything_said(&outcome).contains("Everything is up to date"), "{outcome:?}");
        assert_eq!(outcome.deployment_failed().failure.code.as_str(), "DeploymentFailed");
    }
}
