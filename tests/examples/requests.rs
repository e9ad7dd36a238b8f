//! The requests of the examples and of the documents that use every field, held against Azure's own schemas.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::environment::shop::deploy_in_turn;
use crate::support::estate::*;
use crate::support::examples::{Example, documents};
use crate::support::*;

/// `arm/validate_arm.py` of the shared folder: where `SVC_SHARED` says, or beside the project.
fn validator() -> Option<PathBuf> {
    let named = std::env::var_os("SVC_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared"));
    let shared = named.into_iter().chain(beside).find(|folder| folder.join("spec/command-set.md").is_file())?;
    Some(shared.join("arm/validate_arm.py")).filter(|script| script.is_file())
}

/// Deploys a document, changes what exists, deploys it again, and validates every request.
fn validate(example: &Example) {
    let settings = example.file;
    let Some(validator) = validator_for(settings) else { return };
    let deployment = Deployment::new(example.command, &example.text());
    let log = deployment.project.path("requests.jsonl");
    // The validator checks secrets as well.
    let options =
        LocalCloudOptions { request_log: Some(log.clone()), request_log_secrets: true, ..LocalCloudOptions::default() };
    let cloud = fields_zone_with(options);
    let created = deployment.deploy(&cloud).counts();
    assert!(created.created >= 3 && created.failed == 0, "{settings}: {created:?}");
    // Bodies of modifications are made of what exists, so they are other ones: what takes tags gets another one.
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    for change in
        [change_endpoints, change_settings, change_rules, change_queries, change_receivers, change_app_settings]
    {
        change(&cloud);
    }
    let modified = deployment.deploy(&cloud).counts();
    assert!(modified.modified > 2 && modified.failed == 0, "{settings}: {modified:?}");
    drop(cloud);
    check(settings, &validator, &log);
}

/// The validator, where it can be run; else it is said that these requests are not validated.
pub(crate) fn validator_for(settings: &str) -> Option<PathBuf> {
    let python = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    let validator = validator().filter(|_| python);
    if validator.is_none() {
        eprintln!(
            "SKIPPED: the requests of {settings} are not validated; ../shared/arm/validate_arm.py or python3 is missing."
        );
    }
    validator
}

/// Validates every request of a log.
pub(crate) fn check(settings: &str, validator: &Path, log: &Path) {
    let check = repository("tests/check_requests.py");
    let output = Command::new("python3").args([&check, validator, log]).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{settings}: {said}");
}

/// Takes the tags off every private endpoint, and a zone out of every zone group.
fn change_endpoints(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    for request in puts.iter().filter(|request| request.method == "PUT") {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        if path.ends_with("/privateDnsZoneGroups/default") {
            tamper(cloud, &path, |body| {
                let zones = body["properties"]["privateDnsZoneConfigs"].as_array_mut().unwrap();
                zones[0]["name"] = json!("another");
            });
        } else if path.contains("/privateEndpoints/") {
            tamper(cloud, &path, |body| body["tags"] = json!({}));
        }
    }
}

/// Switches the first log of every diagnostic setting off.
fn change_settings(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    for request in puts.iter().filter(|request| request.url.contains("/diagnosticSettings/")) {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        tamper(cloud, &path, |body| body["properties"]["logs"][0]["enabled"] = json!(false));
    }
}

/// Switches every rule the other way, and adds one to the group that the document does not have.
fn change_rules(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    let rules = puts.iter().filter(|request| request.url.to_lowercase().contains("alerts/alt-"));
    for request in rules {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        tamper(cloud, &path, |body| {
            body["properties"]["enabled"] = json!(body["properties"]["enabled"] != json!(true));
        });
        let mut other = resource(cloud, &path);
        other["id"] = json!(format!("{}-other", in_subscription(&path)));
        other["name"] = json!(format!("{}-other", path.rsplit('/').next().unwrap()));
        cloud.import(&[other]).unwrap();
    }
}

/// Gives every log alert another query.
fn change_queries(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    for request in puts.iter().filter(|request| request.url.contains("/scheduledQueryRules/")) {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        tamper(cloud, &path, |body| body["properties"]["criteria"]["allOf"][0]["query"] = json!("Heartbeat"));
    }
}

/// Takes the receivers out of action groups.
fn change_receivers(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    for request in puts.iter().filter(|request| request.url.contains("/actionGroups/")) {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        tamper(cloud, &path, |body| body["properties"]["emailReceivers"] = json!([]));
    }
}

/// Changes a setting of every app that has some.
fn change_app_settings(cloud: &LocalCloud) {
    let puts = writes(&cloud.requests());
    for request in puts.iter().filter(|request| request.url.contains("/config/appsettings")) {
        let path = request.url.split('?').next().unwrap().trim_start_matches(&in_subscription("")).to_owned();
        tamper(cloud, &path, |body| body["properties"]["FUNCTIONS_EXTENSION_VERSION"] = json!("~3"));
    }
}

#[test]
fn the_requests_of_every_example_and_of_every_field() {
    documents().iter().for_each(validate);
}

#[test]
fn the_requests_of_the_environment() {
    let name = "examples/environment";
    let Some(validator) = validator_for(name) else { return };
    let project = Project::new();
    let log = project.path("requests.jsonl");
    let cloud = landing_zone_with(LocalCloudOptions {
        request_log: Some(log.clone()),
        request_log_secrets: true,
        ..LocalCloudOptions::default()
    });
    for outcome in deploy_in_turn(&cloud) {
        assert_eq!(outcome.counts().failed, 0, "{outcome:#?}");
    }
    drop(cloud);
    check(name, &validator, &log);
}
