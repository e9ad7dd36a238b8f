//! Function apps: how they get at their storage account, and what of that stays as it is.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::solutions::{document_of, everything_said};

/// The resource group of [`document`].
const SHOP: &str = "resourceGroups/rg-shop-paas-bcaf29f2";
/// Its function app.
const APP: &str = "resourceGroups/rg-shop-paas-bcaf29f2/providers/Microsoft.Web/sites/func-orders-dev-f8274b04";
/// The account of the landing zone.
const ACCOUNT: &str = "resourceGroups/rg-landing-zone/providers/Microsoft.Storage/storageAccounts/stwebfunctions";
/// The permissions that let the caller assign roles, and those that do not.
pub(crate) const OWNER: &str = r#"{"value": [{"actions": ["*"], "notActions": []}]}"#;
pub(crate) const CONTRIBUTOR: &str =
    r#"{"value": [{"actions": ["*"], "notActions": ["Microsoft.Authorization/*/Write"]}]}"#;

/// A document with one function app, Orders, on a plan of its own.
fn document(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("        {line}\n")).collect();
    document_of(
        "storage: web-storage",
        &format!(
            "appServicePlans:\n  - name: Jobs\n    sku: B1\n    region: UK South\n    functions:\n      - name: Orders\n        runtime: PYTHON|3.12\n{lines}"
        ),
    )
}

/// Runs a document as somebody with these permissions on the account.
pub(crate) fn deploy(deployment: &Deployment, permissions: &str, cloud: &LocalCloud) -> Outcome {
    cloud.misbehave(fault(&format!("status=200,path=/permissions,body={permissions}")));
    deployment.deploy(cloud)
}

fn app_settings(cloud: &LocalCloud) -> serde_json::Map<String, Value> {
    resource(cloud, &format!("{APP}/config/appsettings"))["properties"].as_object().unwrap().clone()
}

/// The number of writes, by types.
fn written(cloud: &LocalCloud, before: usize, part: &str) -> usize {
    writes(&requests_after(cloud, before)).iter().filter(|request| request.url.contains(part)).count()
}

#[test]
fn who_may_assign_roles_gets_access_by_identity() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let outcome = deploy(&deployment, OWNER, &cloud);
    assert_eq!(outcome.summary(), "created 7");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    assert_eq!(
        Value::Object(app_settings(&cloud)),
        json!({
            "FUNCTIONS_EXTENSION_VERSION": "~4",
            "FUNCTIONS_WORKER_RUNTIME": "python",
            "AzureWebJobsStorage__accountName": "stwebfunctions",
            "AzureWebJobsStorage__credential": "managedidentity",
        })
    );
    let app = resource(&cloud, APP);
    assert_eq!((&app["kind"], &app["identity"]["type"]), (&json!("functionapp,linux"), &json!("SystemAssigned")));
    let roles: Vec<&str> = outcome
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type == "Microsoft.Authorization/roleAssignments")
        .map(|action| action.resource.resource_id.as_str())
        .collect();
    assert_eq!(roles.len(), 3);
    for role in roles {
        assert!(role.starts_with(&in_subscription(ACCOUNT)), "{role}");
        let role = cloud.resource(role).unwrap();
        assert_eq!(role["properties"]["principalId"], app["identity"]["principalId"]);
        assert_eq!(role["properties"]["principalType"], "ServicePrincipal");
    }
    let before = cloud.requests().len();
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 7");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn who_may_not_assign_roles_gets_access_by_a_key_and_reads_why() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let outcome = deploy(&deployment, CONTRIBUTOR, &cloud);
    assert_eq!(outcome.summary(), "created 4");
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:4:14: service.dependencies.storage: the function app accesses the storage account 'stwebfunctions' with a key, because you may not assign roles on it (Microsoft.Authorization/roleAssignments/write)"
        ]
    );
    let settings = app_settings(&cloud);
    let text = settings["AzureWebJobsStorage"].as_str().unwrap();
    let key = text
        .strip_prefix("DefaultEndpointsProtocol=https;AccountName=stwebfunctions;AccountKey=")
        .and_then(|rest| rest.strip_suffix(";EndpointSuffix=core.windows.net"))
        .unwrap();
    assert!(key.len() > 20);
    assert!(resource(&cloud, APP)["identity"].is_null());
    let second = deploy(&deployment, CONTRIBUTOR, &cloud);
    assert_eq!(second.summary(), "unchanged 4");
    assert!(second.warnings().is_empty(), "what works is no news");
    for outcome in [outcome, second] {
        assert!(!everything_said(&outcome).contains(key));
    }
}

#[test]
fn a_key_that_was_just_read_is_not_said_where_a_server_echoes_it() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let keys = json!({"keys": [
        {"keyName": "key1", "permissions": "FULL", "value": "planted-first=="},
        {"keyName": "key2", "permissions": "FULL", "value": "planted-second=="},
    ]});
    cloud.misbehave(fault(&format!("status=200,method=POST,path=/listKeys,body={keys}")));
    let echo = "AccountName=stwebfunctions;AccountKey=planted-first==;EndpointSuffix=x, planted-first%3D%3D, planted-second==, key1, FULL";
    let body = json!({"error": {"code": "BadRequest", "message": echo}});
    cloud.misbehave(fault(&format!("status=400,method=PUT,path=config/appsettings,body={body}")));
    let outcome = deploy(&deployment, CONTRIBUTOR, &cloud);
    assert_eq!(outcome.counts().failed, 1);
    let said = everything_said(&outcome);
    assert!(
        said.contains("AccountName=stwebfunctions;AccountKey=***;EndpointSuffix=x, ***, ***, key1, FULL"),
        "{said}"
    );
    assert!(!said.contains("planted"), "{said}");
}

#[test]
fn a_server_that_lists_secrets_without_end_is_refused() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let keys = json!({"keys": [{"keyName": "key1", "value": "k".repeat(300 << 10)}]});
    cloud.misbehave(fault(&format!("status=200,method=POST,path=/listKeys,body={keys}")));
    let outcome = deploy(&deployment, CONTRIBUTOR, &cloud);
    assert_eq!(outcome.counts().failed, 1);
    let said = everything_said(&outcome);
    assert!(said.contains("(an answer with more than 256 KiB of secrets)"), "{said}");
}

#[test]
fn two_people_do_not_change_the_access_back_and_forth() {
    for (first, second, summary) in [(OWNER, CONTRIBUTOR, "unchanged 4"), (CONTRIBUTOR, OWNER, "unchanged 4")] {
        let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
        deploy(&deployment, first, &cloud);
        let settings = app_settings(&cloud);
        let before = cloud.requests().len();
        assert_eq!(deploy(&deployment, second, &cloud).summary(), summary);
        assert!(writes(&requests_after(&cloud, before)).is_empty());
        assert_eq!(app_settings(&cloud), settings);
    }
}

/// Deploys an app, puts app settings in place of those of its storage account, and deploys it again.
fn with_settings(settings: Value, permissions: &str) -> (LocalCloud, Outcome) {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deploy(&deployment, permissions, &cloud);
    tamper(&cloud, &format!("{APP}/config/appsettings"), |body| {
        let properties = body["properties"].as_object_mut().unwrap();
        properties.retain(|name, _| name.starts_with("FUNCTIONS"));
        properties.extend(settings.as_object().unwrap().clone());
    });
    let outcome = deploy(&deployment, permissions, &cloud);
    (cloud, outcome)
}

#[test]
fn what_works_stays_as_it_is() {
    for settings in [
        json!({"AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=stwebfunctions;AccountKey=old;EndpointSuffix=core.windows.net"}),
        json!({"AzureWebJobsStorage": "@Microsoft.KeyVault(SecretUri=https://kv-web.vault.azure.net/secrets/storage)"}),
        json!({"AzureWebJobsStorage__accountName": "StWebFunctions"}),
        json!({"AzureWebJobsStorage__blobServiceUri": "https://stwebfunctions.blob.core.windows.net"}),
        json!({"AzureWebJobsStorage__accountName": "stwebfunctions", "AzureWebJobsStorage__clientId": "of another identity"}),
    ] {
        for permissions in [OWNER, CONTRIBUTOR] {
            let (_, outcome) = with_settings(settings.clone(), permissions);
            assert_eq!((outcome.counts().modified, outcome.counts().created), (0, 0), "{settings} {outcome:?}");
        }
    }
}

#[test]
fn another_account_is_changed_in_the_form_that_is_there() {
    let (cloud, outcome) = with_settings(json!({"AzureWebJobsStorage": "AccountName=other;AccountKey=old"}), OWNER);
    assert_eq!(outcome.counts().modified, 1);
    let settings = app_settings(&cloud);
    assert!(settings["AzureWebJobsStorage"].as_str().unwrap().contains("AccountName=stwebfunctions;"));
    assert!(!settings.contains_key("AzureWebJobsStorage__accountName"));
    let (cloud, outcome) = with_settings(json!({"AzureWebJobsStorage__accountName": "other"}), CONTRIBUTOR);
    assert_eq!(outcome.counts().modified, 1);
    assert_eq!(app_settings(&cloud)["AzureWebJobsStorage__accountName"], "stwebfunctions");
    let (cloud, _) =
        with_settings(json!({"AzureWebJobsStorage__blobServiceUri": "https://other.blob.core.windows.net"}), OWNER);
    let settings = app_settings(&cloud);
    assert_eq!(settings["AzureWebJobsStorage__queueServiceUri"], "https://stwebfunctions.queue.core.windows.net");
    assert!(!settings.contains_key("AzureWebJobsStorage__accountName"));
}

#[test]
fn an_account_without_keys_that_the_caller_may_not_open_is_an_error() {
    let cloud = landing_zone();
    tamper(&cloud, ACCOUNT, |account| account["properties"]["allowSharedKeyAccess"] = json!(false));
    let outcome = deploy(&Deployment::new(WEB, &document("")), CONTRIBUTOR, &cloud);
    assert_eq!(
        outcome.failed_with().1,
        format!(
            "settings.yml has 1 problem:\n[1] 4:14 service.dependencies.storage: the storage account {} does not allow keys (allowSharedKeyAccess), and you may not assign roles on it (Microsoft.Authorization/roleAssignments/write); one of the two is required",
            in_subscription(ACCOUNT)
        )
    );
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn a_role_that_somebody_else_assigned_is_not_assigned_again() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let first = deploy(&deployment, OWNER, &cloud);
    let made = first.plan().iter().find(|action| action.resource.resource_type.ends_with("/roleAssignments")).unwrap();
    let mut other = cloud.resource(&made.resource.resource_id).unwrap();
    let (scope, _) = made.resource.resource_id.rsplit_once('/').unwrap();
    other["id"] = json!(format!("{scope}/11111111-2222-3333-4444-555555555555"));
    delete_by_id(&cloud, &made.resource.resource_id, "2022-04-01");
    cloud.import(&[other]).unwrap();
    let before = cloud.requests().len();
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 7");
    assert_eq!(written(&cloud, before, "roleAssignments"), 0);
}

#[test]
fn an_identity_that_others_added_stays() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deploy(&deployment, OWNER, &cloud);
    let other = in_subscription(
        "resourceGroups/rg-landing-zone/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-other",
    );
    tamper(&cloud, APP, |app| {
        app["identity"] = json!({"type": "UserAssigned", "userAssignedIdentities": {other.as_str(): {"clientId": "1", "principalId": "2"}}});
    });
    let before = cloud.requests().len();
    let outcome = deploy(&deployment, OWNER, &cloud);
    let sent = writes(&requests_after(&cloud, before));
    let app = sent
        .iter()
        .find(|request| request.url.contains("func-orders") && !request.url.contains("roleAssignments"))
        .unwrap();
    assert_eq!(
        app.body.as_ref().unwrap()["identity"],
        json!({"type": "UserAssigned, SystemAssigned", "userAssignedIdentities": {other.as_str(): {}}}),
        "{outcome:?}"
    );
}

#[test]
fn a_function_app_reports_to_insights_and_stays_loaded() {
    let text = document("enableAppInsight: true")
        .replace("storage: web-storage", "storage: web-storage\n    appInsights: web-insights");
    let cloud = landing_zone();
    deploy(&Deployment::new(WEB, &text), CONTRIBUTOR, &cloud);
    assert!(
        app_settings(&cloud)["APPLICATIONINSIGHTS_CONNECTION_STRING"].as_str().unwrap().starts_with("Instrumentation")
    );
    let config = resource(&cloud, &format!("{APP}/config/web"));
    assert_eq!(config["properties"]["alwaysOn"], true);
    assert!(resource(&cloud, SHOP)["location"].is_string());
}

#[test]
fn the_account_of_the_app_goes_before_that_of_the_document() {
    let text = document("service: {dependencies: {storage: central-files}}");
    let cloud = landing_zone();
    deploy(&Deployment::new(WEB, &text), OWNER, &cloud);
    assert_eq!(app_settings(&cloud)["AzureWebJobsStorage__accountName"], "stlandingzone");
}

#[test]
fn without_a_credential_the_plan_shows_what_it_would_take() {
    let project = Project::new();
    project.write(
        "web.yml",
        document("enableAppInsight: true")
            .replace("storage: web-storage", "storage: web-storage\n    appInsights: web-insights"),
    );
    let (messages, status) = crate::support::offline::command(WEB, &project, "web.yml");
    assert_eq!(status, 0, "{messages:?}");
    let plan = crate::support::offline::with_event(&messages, "plan")[0];
    let actions = plan["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 7);
    let changes: Vec<&Value> = actions.iter().flat_map(|action| action["changes"].as_array().unwrap()).collect();
    let after = |path: &str| changes.iter().find(|change| change["path"] == path).unwrap()["after"].clone();
    assert_eq!(after("properties.principalId"), "\"(known after apply)\"");
    assert_eq!(after("properties.APPLICATIONINSIGHTS_CONNECTION_STRING"), "\"***\"");
    assert_eq!(
        after("properties.AzureWebJobsStorage__accountName"),
        "\"<storage account published as 'web-storage'>\""
    );
}

#[test]
fn an_app_that_is_made_again_gets_its_roles_with_its_new_identity() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let first = deploy(&deployment, OWNER, &cloud);
    let roles: Vec<&str> = first
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type.ends_with("/roleAssignments"))
        .map(|action| action.resource.resource_id.as_str())
        .collect();
    let gone = cloud.resource(roles[0]).unwrap()["properties"]["principalId"].as_str().unwrap().to_owned();
    delete_by_id(&cloud, &in_subscription(APP), "2025-03-01");
    let before = cloud.requests().len();
    let outcome = deploy(&deployment, OWNER, &cloud);
    assert_eq!(outcome.summary(), "created 2, modified 3, unchanged 2");
    let action = outcome.action(roles[0].rsplit('/').next().unwrap());
    assert_eq!(action.changes.len(), 1);
    let change = &action.changes[0];
    assert_eq!(
        (
            change.path.as_str(),
            change.before.as_ref().map(ToString::to_string).as_deref(),
            change.after.as_ref().map(ToString::to_string).as_deref()
        ),
        ("properties.principalId", Some(format!("\"{gone}\"").as_str()), Some("\"(known after apply)\""))
    );
    assert_eq!(written(&cloud, before, "roleAssignments"), 6, "each is deleted and made");
    let principal = resource(&cloud, APP)["identity"]["principalId"].clone();
    assert_ne!(principal, gone.as_str());
    for role in roles {
        assert_eq!(cloud.resource(role).unwrap()["properties"]["principalId"], principal);
    }
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 7");
}

#[test]
fn a_role_of_the_new_identity_under_any_name_is_right_although_ours_is_of_the_old_one() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    let first = deploy(&deployment, OWNER, &cloud);
    let made = first.plan().iter().find(|action| action.resource.resource_type.ends_with("/roleAssignments")).unwrap();
    let mut other = cloud.resource(&made.resource.resource_id).unwrap();
    let (scope, _) = made.resource.resource_id.rsplit_once('/').unwrap();
    other["id"] = json!(format!("{scope}/11111111-2222-3333-4444-555555555555"));
    let mut orphan = cloud.resource(&made.resource.resource_id).unwrap();
    orphan["properties"]["principalId"] = json!("99999999-9999-4999-8999-999999999999");
    cloud.import(&[orphan, other]).unwrap();
    assert_eq!(deploy(&deployment, OWNER, &cloud).summary(), "unchanged 7");
}

#[test]
fn a_role_that_somebody_assigns_meanwhile_is_assigned() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    cloud.misbehave(fault(&format!("status=200,path=/permissions,body={OWNER}")));
    let exists = r#"{"error": {"code": "RoleAssignmentExists", "message": "The role assignment already exists."}}"#;
    cloud.misbehave(fault(&format!("status=409,method=PUT,path=roleAssignments,times=1,body={exists}")));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 7");
}

#[test]
fn an_old_version_of_the_functions_runtime_is_kept_with_a_warning() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &document("")));
    deploy(&deployment, OWNER, &cloud);
    let path = format!("{APP}/config/appsettings");
    for (version, warnings) in [("4.1037.0", 0), ("~3", 1)] {
        tamper(&cloud, &path, |body| body["properties"]["FUNCTIONS_EXTENSION_VERSION"] = json!(version));
        let outcome = deploy(&deployment, OWNER, &cloud);
        assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("unchanged 7", warnings), "{version}");
        assert_eq!(app_settings(&cloud)["FUNCTIONS_EXTENSION_VERSION"], version);
    }
    let outcome = deploy(&deployment, OWNER, &cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:13:22: webSolutions[0].appServicePlans[0].functions[0].runtime: the function app runs version ~3 of the functions runtime, which Azure no longer supports; it is kept; set its app setting FUNCTIONS_EXTENSION_VERSION to ~4"
        ]
    );
}
