//! Web documents that are refused before anything is contacted, and those that are deployed with a warning.

use crate::support::estate::*;
use crate::support::*;
use crate::web::solutions::document_of;

/// The plan of most documents here.
const PLAN: &str = "appServicePlans:\n  - name: Front\n    sku: S1\n    region: UK South\n";

/// The stacks that web apps on Linux can run.
const WEB_STACKS: &str =
    "NODE, PYTHON, DOTNETCORE, PHP, JAVA, TOMCAT, JBOSSEAP, GO, RUBY, STATICSITE, DOCKER, COMPOSE or SITECONTAINERS";

fn with_app(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("        {line}\n")).collect();
    document_of("vnet: hub-network", &format!("{PLAN}    webapps:\n      - name: Store\n{lines}"))
}

fn with_function(dependencies: &str, lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("        {line}\n")).collect();
    document_of(dependencies, &format!("{PLAN}    functions:\n      - name: Orders\n{lines}"))
}

fn with_gateway(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    document_of(
        "vnet: hub-network",
        &format!("apiManagementServices:\n  - name: Gateway\n    region: UK South\n{lines}"),
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_wrong_is_said_with_its_place() {
    let gateway = "publisherName: Contoso\npublisherEmail: ops@contoso.com\nsku: Developer";
    let app = "webSolutions[0].appServicePlans[0].webapps[0]";
    let table = [
        (
            document_of("vnet: hub-network", "service: {publish: {resourceGroup: shop}}"),
            "6:5 webSolutions[0].appServicePlans: an app service plan or an API management service is required; the region of the first one becomes the region of the resource group"
                .to_owned(),
        ),
        (
            with_app("runTime: NODE"),
            format!("13:22 {app}.runTime: expected a stack and its version, such as NODE|22-lts or PYTHON|3.12, found 'NODE'"),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots:\n  - name: Production\n    service: {publish: {slot: live}}"),
            format!("15:17 {app}.slots[0]: 'Production' is the app itself, so its settings cannot be those of a slot; put them at the app"),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots: [staging]").replace("sku: S1", "sku: B2"),
            format!("14:20 {app}.slots: an app on a plan of the sku B2 can have no slots, found 1; use S1 or higher"),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots: [s1, s2, s3, s4, s5, s6]"),
            format!("14:20 {app}.slots: an app on a plan of the sku S1 can have at most 5 slots, found 6; use P0v3 or higher"),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots: [a b]"),
            format!("14:21 {app}.slots[0]: slot names can contain only letters, digits and hyphens; 'a b' contains ' '"),
        ),
        (
            with_app(&format!("runTime: NODE|22-lts\nslots: [{}]", "s".repeat(44))),
            format!(
                "14:21 {app}.slots[0]: the host name of a slot begins with 'app-store-dev-13e2bd70-{}…', which has 67 characters, and Azure takes 63; use a shorter name for the slot or the app",
                "s".repeat(40)
            ),
        ),
        (
            with_app("runTime: PYTHN|3.12"),
            format!("13:22 {app}.runTime: 'PYTHN' is not a stack of web apps, did you mean 'PYTHON'? Use {WEB_STACKS}"),
        ),
        (
            with_app("runTime: nonsense|1"),
            format!("13:22 {app}.runTime: 'nonsense' is not a stack of web apps; use {WEB_STACKS}"),
        ),
        (
            with_function("storage: web-storage", "runtime: PHP|8.4"),
            "13:22 webSolutions[0].appServicePlans[0].functions[0].runtime: 'PHP' is not a stack of function apps; use NODE, PYTHON, \
             DOTNET-ISOLATED, DOTNET, JAVA, POWERSHELL, GO, DOCKER or CUSTOM"
                .to_owned(),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots: [same, same]"),
            format!("14:27 {app}.slots[1]: duplicate slot 'same', first used by {app}.slots[0] (settings.yml:14:21)"),
        ),
        (
            with_app("runTime: NODE|22-lts\nweight: 1001"),
            format!("14:21 {app}.weight: 1001 is out of range; use 1 to 1000"),
        ),
        (
            with_app("runTime: NODE|22-lts\npriority: 6"),
            format!("14:23 {app}.priority: 6 is out of range; use 1 to 5"),
        ),
        (
            document_of("vnet: hub-network", &PLAN.replace("S1", "D1")),
            "9:14 webSolutions[0].appServicePlans[0].sku: shared plans cannot run Linux; use B1 or higher".to_owned(),
        ),
        (
            document_of("vnet: hub-network", &PLAN.replace("UK South", "UK Suoth")),
            "10:17 webSolutions[0].appServicePlans[0].region: 'UK Suoth' is not an Azure location, did you mean UK South (uksouth)?".to_owned(),
        ),
        (
            with_function("vnet: hub-network", "runtime: PYTHON|3.12"),
            "12:13 webSolutions[0].appServicePlans[0].functions[0].service.dependencies.storage: a storage account is required, here or at the root".to_owned(),
        ),
        (
            with_gateway(&gateway.replace("Developer", "Develper")),
            "12:14 webSolutions[0].apiManagementServices[0].sku: 'Develper' is not valid, did you mean 'Developer'? Use Developer, Basic, Standard, \
             Premium, Consumption, Isolated, BasicV2, StandardV2 or PremiumV2"
                .to_owned(),
        ),
        (
            with_gateway(&format!("{gateway}\nskuCount: 0")),
            "13:19 webSolutions[0].apiManagementServices[0].skuCount: 0 is out of range for the tier Developer; use 1".to_owned(),
        ),
        (
            with_gateway(&format!("{}\nskuCount: 5", gateway.replace("Developer", "standard"))),
            "13:19 webSolutions[0].apiManagementServices[0].skuCount: 5 is out of range for the tier Standard; use 1 to 4".to_owned(),
        ),
        (
            with_app("runTime: NODE|22-lts").replace("    region: UK South\n", "    region: UK South\n        location: UK South\n"),
            "11:9 webSolutions[0].appServicePlans[0].location: 'location' and 'region' are two names of one setting; remove one of them".to_owned(),
        ),
        (
            with_gateway(&gateway.replace("ops@contoso.com", "ops at contoso")),
            "11:25 webSolutions[0].apiManagementServices[0].publisherEmail: expected an email address, found 'ops at contoso'".to_owned(),
        ),
        (
            with_app("runTime: NODE|22-lts\nbackendpool: shop").replace("frontdoor: edge, ", ""),
            "2:12 service.publish.frontdoor: required, but not set".to_owned(),
        ),
    ];
    for (text, message) in table {
        let cloud = landing_zone();
        let outcome = Deployment::new(WEB, &text).deploy(&cloud);
        let expected = format!("settings.yml has 1 problem:\n[1] {message}");
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", expected.as_str()), "{text}");
        assert!(cloud.requests().is_empty(), "nothing is contacted");
    }
}

#[test]
fn what_is_retired_or_not_used_is_a_warning() {
    let plan = "webSolutions[0].appServicePlans[0]";
    let table = [
        (
            with_app("runTime: NODE|18-lts"),
            format!(
                "settings.yml:13:22: {plan}.webapps[0].runTime: Azure retired Node 20 on 30 April 2026, and everything older; 'NODE|18-lts' is deployed as written; change to NODE|22-lts"
            ),
        ),
        (
            with_app("runTime: PYTHON|3.99"),
            format!(
                "settings.yml:13:22: {plan}.webapps[0].runTime: 'PYTHON|3.99' is not a version of PYTHON that is known here, and Azure may refuse it; known ones are PYTHON|3.14, PYTHON|3.13, PYTHON|3.12, PYTHON|3.11"
            ),
        ),
        (
            with_function("storage: web-storage", "runtime: DOTNET|8.0"),
            format!(
                "settings.yml:13:22: {plan}.functions[0].runtime: Azure retired .NET functions in the process of their host on 10 November 2026; they are deployed as written; change to DOTNET-ISOLATED"
            ),
        ),
        (
            document_of("vnet: hub-network", &format!("{PLAN}    kind: windows\n")),
            format!("settings.yml:11:15: {plan}.kind: plans are Linux plans; 'windows' is ignored"),
        ),
        (
            with_app("runTime: NODE|22-lts\nslots: [{name: Production}]"),
            format!(
                "settings.yml:14:21: {plan}.webapps[0].slots[0]: 'Production' is the app itself, not a slot; it is skipped"
            ),
        ),
    ];
    for (text, warning) in table {
        let cloud = landing_zone();
        let outcome = Deployment::new(WEB, &text).deploy(&cloud);
        assert!(outcome.warnings().contains(&warning.as_str()), "{warning}\n{:?}", outcome.warnings());
        assert_eq!(outcome.counts().failed, 0);
    }
    let linux = document_of("vnet: hub-network", &format!("{PLAN}    kind: Linux\n"));
    assert!(Deployment::new(WEB, &linux).rehearse(&landing_zone()).warnings().is_empty());
}

#[test]
fn the_names_of_a_front_door_are_missed_only_where_there_is_one() {
    let text = with_app("runTime: NODE|22-lts");
    let without = text.replace("frontdoor: edge, frontdoorResourceGroup: edge-group, ", "");
    assert!(!without.contains("edge"), "{without}");
    let outcome = Deployment::new(WEB, &without).deploy(&landing_zone());
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    // It is told to those who asked for detail, and asks for nothing.
    assert_eq!(outcome.warnings(), Vec::<&str>::new());
    for name in ["frontdoor", "frontdoorResourceGroup"] {
        let told = format!(
            "settings.yml:2:12: service.publish.{name}: not set; required, if frontdoor or a backendpool is set"
        );
        assert!(outcome.verbose().contains(&told.as_str()), "{told}\n{:?}", outcome.verbose());
    }
    let door = crate::web::front_door::web_document(crate::web::front_door::APPS, crate::web::front_door::FRONT_DOOR);
    let outcome =
        Deployment::new(WEB, &door.replace(", frontdoorResourceGroup: edge-group", "")).deploy(&landing_zone());
    let (_, message) = outcome.failed_with();
    assert!(message.ends_with(" service.publish.frontdoorResourceGroup: required, but not set"), "{message}");
}

#[test]
fn insights_that_are_not_there_are_found_missing_before_anything_is_changed() {
    let text = with_app("runTime: NODE|22-lts\nenableAppInsight: true")
        .replace("vnet: hub-network", "appInsights: web-insihgts");
    let cloud = landing_zone();
    let outcome = Deployment::new(WEB, &text).deploy(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "ServiceNotFound",
            "settings.yml has 1 problem:\n[1] 4:18 service.dependencies.appInsights: no application insights in this subscription is published as 'web-insihgts', did you mean 'web-insights'?"
        )
    );
    assert!(writes(&cloud.requests()).is_empty());
    let outcome = Deployment::new(WEB, &text).rehearse(&cloud);
    assert!(outcome.warnings()[0].contains("the plan shows a placeholder"), "{:?}", outcome.warnings());
}
