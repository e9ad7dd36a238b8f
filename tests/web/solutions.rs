//! Web solutions: plans, web apps with slots, and their app settings.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

/// The resource group of [`document`].
pub(crate) const SHOP: &str = "resourceGroups/rg-shop-paas-bcaf29f2";
/// Its app service plan.
const PLAN: &str = "serverfarms/plan-front-dev-uks-b6c207fd";
/// Its web app.
const APP: &str = "sites/app-store-dev-13e2bd70";

/// A document with one solution, Shop, and what its items say beside that. Lines of the service object come first.
pub(crate) fn document_of(dependencies: &str, solution: &str) -> String {
    let dependencies: String = dependencies.lines().map(|line| format!("    {line}\n")).collect();
    let solution: String = solution.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "service:\n  publish: {{frontdoor: edge, frontdoorResourceGroup: edge-group, webapp: shop-app}}\n  dependencies:\n{dependencies}webSolutions:\n  \
         - name: Shop\n{solution}"
    )
}

/// A document with one web app, Store, on the plan Front.
pub(crate) fn document(app: &str) -> String {
    let app: String = app.lines().map(|line| format!("        {line}\n")).collect();
    document_of(
        "appInsights: web-insights\nvnet: hub-network",
        &format!(
            "appServicePlans:\n  - name: Front\n    sku: S1\n    region: UK South\n    webapps:\n      - name: Store\n        runTime: NODE|22-lts\n{app}"
        ),
    )
}

/// The path of a resource of Microsoft.Web in the group of [`document`].
fn web(path: &str) -> String {
    format!("{SHOP}/providers/Microsoft.Web/{path}")
}

/// The path of the app settings of the app.
fn app_settings() -> String {
    web(&format!("{APP}/config/appsettings"))
}

/// The bodies of the PUTs of a path.
pub(crate) fn bodies(cloud: &LocalCloud, before: usize, path: &str) -> Vec<Value> {
    let requests = writes(&requests_after(cloud, before));
    let is_it = |url: &str| url.split('?').next() == Some(in_subscription(path).as_str());
    requests
        .iter()
        .filter(|request| request.method == "PUT" && is_it(&request.url))
        .map(|request| request.body.clone().unwrap())
        .collect()
}

/// Everything an operation said, as the host gets it.
pub(crate) fn everything_said(outcome: &Outcome) -> String {
    outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_web_app_is_made_with_its_plan_and_found_done() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 3");
    let made = bodies(&cloud, 0, &web(APP));
    assert_eq!(
        made,
        [json!({
            "location": "uksouth",
            "kind": "app,linux",
            "tags": {"svc-service": "shop-app"},
            "properties": {
                "serverFarmId": in_subscription(&web(PLAN)),
                "reserved": true,
                "httpsOnly": true,
                "siteConfig": {"linuxFxVersion": "NODE|22-lts", "minTlsVersion": "1.2"},
            },
        })]
    );
    let plan = json!({"location": "uksouth", "kind": "linux", "sku": {"name": "S1"}, "properties": {"reserved": true}});
    assert_eq!(bodies(&cloud, 0, &web(PLAN)), [plan]);
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 3");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn one_changed_weight_of_the_example_is_one_change() {
    let (cloud, deployment) = (landing_zone(), Deployment::example(WEB, "examples/web.yml"));
    let first = deployment.deploy(&cloud);
    assert_eq!(first.errors(), [] as [&svc_engine::protocol::ErrorReport; 0]);
    let count = first.counts().created;
    assert!(count > 50, "{count}");
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), format!("unchanged {count}"));
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    let text = std::fs::read_to_string(repository("examples/web.yml")).unwrap();
    deployment.rewrite(&text.replace("weight: 200", "weight: 300"));
    let before = cloud.requests().len();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), format!("modified 1, unchanged {}", count - 1));
    assert_eq!(outcome.plan()[0].changes.len(), 1);
    assert_eq!(outcome.plan()[0].changes[0].path, "properties.weight");
    assert_eq!(writes(&requests_after(&cloud, before)).len(), 1);
}

#[test]
fn what_a_new_app_gets_an_existing_one_keeps_as_it_has_it() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deployment.deploy(&cloud);
    tamper(&cloud, &web(APP), |app| {
        app["kind"] = json!("app");
        app["properties"]["httpsOnly"] = json!(false);
    });
    tamper(&cloud, &web(&format!("{APP}/config/web")), |config| config["properties"]["minTlsVersion"] = json!("1.0"));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 3");
    deployment.rewrite(&document("").replace("NODE|22-lts", "NODE|24-lts"));
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 2");
    let sent = &bodies(&cloud, before, &web(APP))[0];
    assert_eq!(
        (&sent["kind"], &sent["properties"]["httpsOnly"], &sent["properties"]["siteConfig"]),
        (&json!("app"), &json!(false), &json!({"linuxFxVersion": "NODE|24-lts"}))
    );
    let config = resource(&cloud, &web(&format!("{APP}/config/web")));
    assert_eq!(config["properties"]["minTlsVersion"], "1.0");
}

#[test]
fn azures_spelling_of_a_stack_and_of_a_sku_is_no_change() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deployment.deploy(&cloud);
    deployment.rewrite(&document("").replace("NODE|22-lts", "node|22-LTS").replace("sku: S1", "sku: s1"));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 3");
}

#[test]
fn another_size_of_a_plan_is_sent_without_what_followed_from_the_old_one() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deployment.deploy(&cloud);
    tamper(&cloud, &web(PLAN), |plan| plan["sku"]["capacity"] = json!(3));
    deployment.rewrite(&document("").replace("sku: S1", "sku: P1v3"));
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 2");
    assert_eq!(bodies(&cloud, before, &web(PLAN))[0]["sku"], json!({"name": "P1v3", "capacity": 3}));
}

#[test]
fn app_settings_of_others_survive() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true"));
    let cloud = landing_zone();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 4");
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["PAYMENT_KEY"] = json!("planted-by-somebody-else");
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!("InstrumentationKey=earlier");
        settings["properties"]["ApplicationInsightsAgent_EXTENSION_VERSION"] = json!("~2");
    });
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 3");
    let settings = resource(&cloud, &app_settings());
    let settings = settings["properties"].as_object().unwrap();
    assert_eq!(settings["PAYMENT_KEY"], "planted-by-somebody-else");
    // The document says that the app reports, and not with which version of the agent.
    assert_eq!(settings["ApplicationInsightsAgent_EXTENSION_VERSION"], "~2");
    let connection_string = settings["APPLICATIONINSIGHTS_CONNECTION_STRING"].as_str().unwrap();
    assert!(connection_string.starts_with("InstrumentationKey=") && !connection_string.ends_with("earlier"));
    assert_eq!(settings.len(), 3);
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
}

#[test]
fn app_settings_that_others_write_while_the_plan_waits_for_its_answer_survive() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true"));
    let cloud = landing_zone();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 4");
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!("InstrumentationKey=earlier");
    });
    let operation = deployment.start(&deployment.request(&cloud));
    let outcome = follow(&operation, |actions| {
        tamper(&cloud, &app_settings(), |settings| settings["properties"]["LATE"] = json!("written meanwhile"));
        actions.iter().map(|action| action.index).collect()
    });
    assert_eq!(outcome.summary(), "modified 1, unchanged 3");
    let settings = resource(&cloud, &app_settings());
    assert_eq!(settings["properties"]["LATE"], "written meanwhile");
    assert_eq!(settings["properties"]["ApplicationInsightsAgent_EXTENSION_VERSION"], "~3");
}

#[test]
fn secrets_of_app_settings_are_said_nowhere() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true\nslots: [staging]"));
    let cloud = landing_zone();
    let first = deployment.deploy(&cloud);
    assert_eq!(
        first.action("appsettings").changes[0].after.as_ref().map(ToString::to_string).as_deref(),
        Some("\"*** of application insights 'appi-web'\"")
    );
    let settings = resource(&cloud, &app_settings());
    let connection_string = settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"].as_str().unwrap();
    let old = "InstrumentationKey=00000000-aaaa-bbbb-cccc-000000000000;IngestionEndpoint=https://old.example";
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!(old);
        settings["properties"]["PAYMENT_KEY"] = json!("planted-by-somebody-else");
    });
    let second = deployment.deploy(&cloud);
    assert_eq!(second.summary(), "modified 1, unchanged 5");
    cloud.misbehave(fault("status=400,method=PUT,path=config/appsettings,times=always"));
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!(old);
    });
    let third = deployment.deploy(&cloud);
    assert_eq!(third.counts().failed, 1);
    for outcome in [first, second, third] {
        let said = everything_said(&outcome);
        for secret in [connection_string, old, "planted-by-somebody-else"] {
            assert!(!said.contains(secret), "{secret} in {said}");
        }
    }
}

#[test]
fn what_others_keep_in_app_settings_is_not_said_where_a_server_echoes_it_and_its_ordinary_words_are() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true"));
    let cloud = landing_zone();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 4");
    let hook = "https://hooks.example/run?code=planted-code";
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!("InstrumentationKey=earlier");
        settings["properties"]["PAYMENT_KEY"] = json!("planted-by-somebody-else");
        settings["properties"]["Orders"] = json!("Server=sql-shop;User=shop;Password=planted-password");
        settings["properties"]["HOOK"] = json!(hook);
        settings["properties"]["ASPNETCORE_ENVIRONMENT"] = json!("Production");
    });
    let echo = "Production of sql-shop: planted-by-somebody-else, planted-password, planted-code, 4fB1Xr0uT9qWzL2k";
    let body = json!({"error": {"code": "BadRequest", "message": echo}});
    cloud.misbehave(fault(&format!("status=400,method=PUT,path=config/appsettings,times=always,body={body}")));
    let operation = deployment.start(&deployment.request(&cloud));
    let outcome = follow(&operation, |actions| {
        // It is in no answer before the one that the request is made of.
        tamper(&cloud, &app_settings(), |settings| settings["properties"]["LATE"] = json!("4fB1Xr0uT9qWzL2k"));
        actions.iter().map(|action| action.index).collect()
    });
    assert_eq!(outcome.counts().failed, 1);
    let said = everything_said(&outcome);
    assert!(said.contains("Production of sql-shop: ***, ***, ***, ***"), "{said}");
    assert!(!said.contains("planted"), "{said}");
}

#[test]
fn insights_that_nobody_names_are_a_warning() {
    let text = document("enableAppInsight: true").replace("    appInsights: web-insights\n", "");
    let outcome = Deployment::new(WEB, &text).deploy(&landing_zone());
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:14:31: webSolutions[0].appServicePlans[0].webapps[0].enableAppInsight: application insights is enabled, but service.dependencies.appInsights is not set; the app will not report"
        ]
    );
    assert_eq!(outcome.summary(), "created 3");
}

#[test]
fn slots_are_made_on_the_plan_of_their_app_and_published() {
    let app = "slots:\n  - staging\n  - name: beta\n    service: {publish: {slot: shop-beta}}\n  - production";
    let text = document(app).replace("webapp: shop-app", "webapp: shop-app, slot: shop-slot");
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &text));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 5");
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:19:17: webSolutions[0].appServicePlans[0].webapps[0].slots[2]: 'production' is the app itself, not a slot; it is skipped"
        ]
    );
    for (slot, service) in [("staging", "shop-slot"), ("beta", "shop-beta")] {
        let body = &bodies(&cloud, 0, &web(&format!("{APP}/slots/{slot}")))[0];
        assert_eq!(body["tags"], json!({"svc-service": service}));
        assert_eq!(body["properties"]["siteConfig"]["linuxFxVersion"], "NODE|22-lts");
        assert_eq!(body["properties"]["serverFarmId"], in_subscription(&web(PLAN)));
    }
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 5");
}

#[test]
fn settings_of_slots_are_compared_with_what_they_have() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true\nslots: [staging]"));
    let cloud = landing_zone();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 6");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 6");
    let path = web(&format!("{APP}/slots/staging/config/appsettings"));
    tamper(&cloud, &path, |settings| settings["properties"] = json!({"OTHER": "stays"}));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 5");
    assert_eq!(resource(&cloud, &path)["properties"]["OTHER"], "stays");
}

#[test]
fn the_runtime_of_a_slot_is_that_of_its_app_once() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("slots: [staging]")));
    deployment.deploy(&cloud);
    deployment.rewrite(&document("slots: [staging]").replace("NODE|22-lts", "NODE|24-lts"));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 3");
    let slot = resource(&cloud, &web(&format!("{APP}/slots/staging/config/web")));
    assert_eq!(slot["properties"]["linuxFxVersion"], "NODE|22-lts", "it is swapped when its owner is ready");
    deployment.rewrite(&document("slots: [staging, next]").replace("NODE|22-lts", "NODE|24-lts"));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 4");
    let slot = resource(&cloud, &web(&format!("{APP}/slots/next/config/web")));
    assert_eq!(slot["properties"]["linuxFxVersion"], "NODE|24-lts");
}

#[test]
fn a_list_that_says_none_has_no_slots() {
    for slots in ["[none]", "[NONE]", "[{name: none}]", "[]"] {
        let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document(&format!("slots: {slots}"))));
        assert_eq!(deployment.deploy(&cloud).summary(), "created 3", "{slots}");
    }
    let two = Deployment::new(WEB, &document("slots: [none, staging]")).rehearse(&landing_zone());
    assert_eq!(two.counts().created, 5, "beside another one it is a name");
}

#[test]
fn an_app_that_is_to_report_no_longer_loses_the_settings_of_that() {
    let with = |enabled: &str| document(&format!("enableAppInsight: {enabled}\nslots: [staging]"));
    let deployment = Deployment::new(WEB, &with("true"));
    let cloud = landing_zone();
    deployment.deploy(&cloud);
    tamper(&cloud, &app_settings(), |settings| settings["properties"]["PAYMENT_KEY"] = json!("of somebody else"));
    deployment.rewrite(&document("slots: [staging]"));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4", "what is not said changes nothing");
    deployment.rewrite(&with("false"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 2, unchanged 4");
    let changes: Vec<_> = outcome.plan()[0]
        .changes
        .iter()
        .map(|change| {
            (
                change.path.as_str(),
                change.before.as_deref().and_then(Value::as_str),
                change.after.as_deref().and_then(Value::as_str),
            )
        })
        .collect();
    assert_eq!(
        changes,
        [
            ("properties.APPLICATIONINSIGHTS_CONNECTION_STRING", Some("***"), None),
            ("properties.ApplicationInsightsAgent_EXTENSION_VERSION", Some("~3"), None),
        ]
    );
    assert_eq!(resource(&cloud, &app_settings())["properties"], json!({"PAYMENT_KEY": "of somebody else"}));
    let slot = resource(&cloud, &web(&format!("{APP}/slots/staging/config/appsettings")));
    assert_eq!(slot["properties"], json!({}));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
    deployment.rewrite(&with("true"));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 2, unchanged 4");
}

#[test]
fn an_app_that_reports_elsewhere_goes_on_with_it() {
    let deployment = Deployment::new(WEB, &document("enableAppInsight: true"));
    let cloud = landing_zone();
    deployment.deploy(&cloud);
    let other = "InstrumentationKey=00000000-aaaa-bbbb-cccc-000000000000;IngestionEndpoint=https://other.example";
    tamper(&cloud, &app_settings(), |settings| {
        settings["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"] = json!(other);
    });
    let off = document("enableAppInsight: false");
    for text in
        [off.clone(), off.replace("    appInsights: web-insights\n", ""), off.replace("web-insights", "gone-insights")]
    {
        deployment.rewrite(&text);
        let outcome = deployment.deploy(&cloud);
        assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("unchanged 3", 0));
    }
    assert_eq!(resource(&cloud, &app_settings())["properties"]["APPLICATIONINSIGHTS_CONNECTION_STRING"], other);
}

#[test]
fn a_document_with_nothing_to_deploy_says_so() {
    let text = "service:\n  publish: {frontdoor: edge, frontdoorResourceGroup: edge-group}\n";
    let outcome = Deployment::new(WEB, text).deploy(&landing_zone());
    assert_eq!(
        outcome.warnings(),
        ["settings.yml:1:1: webSolutions: not set, and frontdoor is not set either; nothing is deployed"]
    );
    assert_eq!(outcome.counts().failed, 0);
}

#[test]
fn tags_of_the_tag_settings_are_on_everything() {
    let text = document("slots: [staging]\nprivateEndpoints: [{subnetName: endpoints}]");
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &text));
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    let outcome = deployment.deploy(&cloud);
    for action in outcome.plan() {
        assert_eq!(
            cloud.resource(&action.resource.resource_id).unwrap()["tags"]["owner"],
            "shop",
            "{}",
            action.description
        );
    }
}

#[test]
fn a_windows_plan_is_left_alone_and_what_is_not_on_it_goes_on() {
    let second = "  - name: Second\n    sku: B1\n    region: UK South\n    webapps: [{name: Second, runTime: PHP|8.3}]";
    let solution = format!(
        "appServicePlans:\n  - name: Front\n    sku: S1\n    region: UK South\n    webapps: [{{name: Store, runTime: NODE|22-lts}}]\n{second}"
    );
    let deployment = Deployment::new(WEB, &document_of("storage: web-storage", &solution));
    let cloud = landing_zone();
    let plan = json!({"id": in_subscription(&web(PLAN)), "location": "uksouth", "kind": "app", "sku": {"name": "S1"}, "properties": {"reserved": false}});
    cloud.import(&[group("rg-shop-paas-bcaf29f2", ""), plan]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.md");
    deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"planReport": file}}));
    let report = std::fs::read_to_string(&file).unwrap();
    assert!(report.contains("it runs Windows, and Azure cannot make it run Linux."), "{report}");
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 2, unchanged 1, skipped 1, failed 1");
    let error = outcome.errors()[0];
    assert_eq!(
        (error.failure.code.as_str(), error.failure.message.as_str()),
        (
            "ExistsOnWindows",
            "settings.yml:8:9: the app service plan 'plan-front-dev-uks-b6c207fd' in resource group 'rg-shop-paas-bcaf29f2' cannot be changed: it runs Windows, and Azure cannot make it run Linux."
        )
    );
    assert!(error.failure.recommendation.as_ref().unwrap().starts_with("Choose another name"));
    assert!(outcome.warnings()[0].contains("app-store-dev-13e2bd70"), "{:?}", outcome.warnings());
}

#[test]
fn a_run_that_was_cut_is_finished_by_the_next() {
    let deployment = Deployment::example(WEB, "examples/web.yml");
    let cloud = landing_zone();
    cloud.misbehave(fault("fails=QuotaExceeded,method=PUT,path=plan-front"));
    cloud.misbehave(fault("status=403,method=PUT,path=slots/staging"));
    cloud.misbehave(fault("status=403,method=PUT,path=config/appsettings"));
    let first = deployment.deploy(&cloud);
    assert!(first.counts().failed >= 2 && first.counts().skipped > 0, "{}", first.summary());
    let second = deployment.deploy(&cloud);
    assert_eq!(second.errors(), [] as [&svc_engine::protocol::ErrorReport; 0]);
    let all = first.plan().len();
    assert_eq!(deployment.deploy(&cloud).summary(), format!("unchanged {all}"));
}

#[test]
fn names_that_others_have_are_explained() {
    let deployment = Deployment::new(WEB, &document(""));
    let cloud = landing_zone();
    let other = |path: &str, properties: Value| json!({"id": in_subscription(&format!("resourceGroups/rg-landing-zone/providers/{path}")), "location": "uksouth", "properties": properties});
    let plan = in_subscription("resourceGroups/rg-landing-zone/providers/Microsoft.Web/serverfarms/other");
    cloud
        .import(&[
            json!({"id": plan, "location": "uksouth", "sku": {"name": "S1"}, "properties": {"reserved": true}}),
            other("Microsoft.Web/sites/app-store-dev-13e2bd70", json!({"serverFarmId": plan})),
        ])
        .unwrap();
    assert_eq!(deployment.deploy(&cloud).failed_with().0, "NameTaken");
    // Who may not ask about names learns it when the app is made.
    cloud.misbehave(fault("status=403,method=POST,path=checkNameAvailability,times=always"));
    let outcome = deployment.deploy(&cloud);
    let error = outcome.errors()[0];
    assert!(error.failure.message.contains("already exists"), "{error:?}");
    assert!(error.failure.recommendation.as_ref().unwrap().contains("naming file (_names)"), "{error:?}");
}
