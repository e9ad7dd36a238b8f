//! `svc validate -o sarif`, held against the schema of the standard (OASIS: "Static Analysis Results Interchange Format (SARIF) Version
//! 2.1.0", `sarif-schema-2.1.0.json`).

use serde_json::{Value, json};

use super::support::*;

/// The log of a run, which is as the standard wants it.
fn log(folder: &Folder, files: &[&str]) -> (i32, Value) {
    let output = folder.svc(&[&["validate", "-o", "sarif"], files].concat());
    let log: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    // As published, one of its patterns is none in today's dialect. It is that of a language, which these logs do not name.
    let schema = include_str!("sarif-schema-2.1.0.json").replace("{2}]?$", "{2}(-x)?$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let wrong: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{log:#}");
    (output.status, log["runs"][0].clone())
}

#[test]
fn findings_have_places() {
    let folder = Folder::new();
    let document = |more: &str| format!("component: storage\n{DOCUMENT}{more}");
    folder.write("good.yml", &document(""));
    std::fs::create_dir(folder.path("env")).unwrap();
    folder.write("env/wrong one.yml", &document("    colour: red\n    sku: é\n"));
    folder.write("warned.yml", &document("    kind: BlobStorage\n"));
    let (status, run) = log(&folder, &["good.yml", "env/wrong one.yml", "warned.yml"]);
    assert_eq!(status, 2);
    let results = run["results"].as_array().unwrap();
    let levels: Vec<&str> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["error", "error", "warning"], "{run:#}");
    let first = &results[0]["locations"][0];
    assert_eq!(
        first["physicalLocation"],
        json!({ "artifactLocation": { "uri": "env/wrong%20one.yml" }, "region": { "startLine": 8, "startColumn": 5 } })
    );
    assert_eq!(first["logicalLocations"][0]["fullyQualifiedName"], "storageAccounts[0].colour");
    assert_eq!((&results[0]["ruleId"], &results[0]["ruleIndex"]), (&json!("UnknownKey"), &json!(0)));
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "UnknownKey");
    assert_eq!(results[2]["locations"][0]["physicalLocation"]["region"]["startLine"], 8, "{run:#}");
    assert_eq!(run["invocations"], json!([{ "executionSuccessful": true }]));
}

#[test]
fn what_cannot_be_checked_is_told() {
    let folder = Folder::new();
    let (status, run) = log(&folder, &["missing.yml"]);
    assert_eq!((status, &run["results"]), (2, &json!([])));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"], "SettingsFileNotFound");
    folder.write("good.yml", &format!("component: storage\n{DOCUMENT}"));
    let (status, run) = log(&folder, &["good.yml"]);
    assert_eq!((status, &run["results"]), (0, &json!([])));
    let plan = folder.svc(&["plan", "good.yml", "-o", "sarif"]);
    assert_eq!(plan.status, 2, "only documents are checked in this form: {plan:?}");
}
