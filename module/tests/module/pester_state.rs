//! The Pester tests have no `svc` that could import the landing zone of the examples, so a state file of the local cloud
//! that holds it is checked in.

use serde_json::Value;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::{read, root};

const ADVICE: &str = "docs/powershell-module.md says how tests/pester/landing-zone-state.json is made anew";

#[test]
fn the_state_file_of_the_pester_tests_holds_the_landing_zone() {
    // A copy, because the local cloud writes its state file.
    let folder = tempfile::tempdir().unwrap();
    let state_file = folder.path().join("state.json");
    std::fs::write(&state_file, read(&root().join("tests/pester/landing-zone-state.json"))).unwrap();
    let options = LocalCloudOptions { state_file: Some(state_file), ..LocalCloudOptions::default() };
    let cloud = LocalCloud::start(options).unwrap_or_else(|error| panic!("{error} {ADVICE}."));
    let resources: Vec<Value> = serde_json::from_str(&read(&root().join("examples/landing-zone.json"))).unwrap();
    assert!(!resources.is_empty());
    for resource in resources {
        let id = resource["id"].as_str().unwrap();
        let found = cloud.resource(id).unwrap_or_else(|| panic!("{id} is missing: {ADVICE}."));
        assert!(holds(&found, &resource), "{id} is {found:#} there, not {resource:#}: {ADVICE}.");
    }
}

/// Whether everything that is wanted is there. The local cloud has filled in more.
fn holds(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| found.get(name).is_some_and(|found| holds(found, wanted)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| holds(found, wanted))
        }
        // Azure spells ids, types and locations its own way.
        (Value::String(found), Value::String(wanted)) => found.eq_ignore_ascii_case(wanted),
        (found, wanted) => found == wanted,
    }
}
