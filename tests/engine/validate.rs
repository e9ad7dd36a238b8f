//! The requests of the example and of the document that uses every field, held against Azure's own schemas.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use svc_engine::local::{LocalCloud, LocalCloudOptions};

use super::support::*;

/// `arm/validate_arm.py` of the shared folder: where `SVC_SHARED` says, or beside the project.
fn validator() -> Option<PathBuf> {
    let named = std::env::var_os("SVC_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared"));
    let shared = named.into_iter().chain(beside).find(|folder| folder.join("spec/command-set.md").is_file())?;
    Some(shared.join("arm/validate_arm.py")).filter(|script| script.is_file())
}

/// Deploys a document, changes it, deploys it again, and validates every request.
fn validate(settings: &str) {
    let python = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    let Some(validator) = validator().filter(|_| python) else {
        eprintln!(
            "SKIPPED: the requests of {settings} are not validated; ../shared/arm/validate_arm.py or python3 is missing."
        );
        return;
    };
    let project = Project::with(&std::fs::read_to_string(repository(settings)).unwrap());
    let log = project.path("requests.jsonl");
    let options = LocalCloudOptions { request_log: Some(log.clone()), ..LocalCloudOptions::default() };
    let cloud: LocalCloud = cloud_with(options);
    let group = json!({"id": in_subscription("resourceGroups/existing"), "location": "uksouth", "tags": {"svc-service": "fields-group"}});
    cloud.import(&[group]).unwrap();
    let created = project.deploy(&cloud).counts();
    assert!(created.created > 10 && created.failed == 0, "{created:?}");
    // Bodies of modifications are made of what exists, so they are other ones: every account gets another tag.
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    project.write("tags.yml", "tags: {mandatory: {owner: shop}}");
    let modified = run(&request).counts();
    assert!(modified.modified > 2 && modified.failed == 0, "{modified:?}");
    drop(cloud);
    let output = Command::new("python3").arg(&validator).arg(&log).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_example() {
    validate("examples/storage.yml");
}

#[test]
fn every_field() {
    validate("tests/settings/storage-all-fields.yml");
}
