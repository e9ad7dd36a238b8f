//! `svc validate -o sarif`, held against the schema of the standard (OASIS: "Static Analysis Results Interchange Format (SARIF) Version
//! 2.1.0", `sarif-schema-2.1.0.json`).

use serde_json::{Value, json};

use super::support::*;

/// The log of a run, which is as the standard wants it.
fn log(folder: &Folder, files: &[&str]) -> (i32, Value) {
    let output = folder.svc(&[&["validate", "-o", "sarif"], files].concat());
    (output.status, checked(&output))
}

/// The run of the log that was printed, which is as the standard wants it.
pub(crate) fn checked(output: &Output) -> Value {
    let log: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    // As published, one of its patterns is none in today's dialect. It is that of a language, which these logs do not name.
    let schema = include_str!("sarif-schema-2.1.0.json").replace("{2}]?$", "{2}(-x)?$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let wrong: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{log:#}");
    log["runs"][0].clone()
}

#[test]
fn findings_have_places() {
    let folder = Folder::new();
    let document = |name: &str, more: &str| format!("component: storage\n{}{more}", DOCUMENT.replace("Orders", name));
    folder.write("good.yml", &document("Good", ""));
    folder.write("env/wrong one.yml", &document("Wrong", "    colour: red\n    sku: é\n"));
    let (status, run) = log(&folder, &["good.yml", "env/wrong one.yml"]);
    assert_eq!(status, 2);
    let results = run["results"].as_array().unwrap();
    let levels = |results: &[Value]| -> Vec<String> {
        results.iter().map(|result| result["level"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(levels(results), ["error", "error"], "{run:#}");
    let first = &results[0]["locations"][0];
    assert_eq!(
        first["physicalLocation"],
        json!({ "artifactLocation": { "uri": "env/wrong%20one.yml" }, "region": { "startLine": 8, "startColumn": 5 } })
    );
    assert_eq!(first["logicalLocations"][0]["fullyQualifiedName"], "storageAccounts[0].colour");
    assert_eq!((&results[0]["ruleId"], &results[0]["ruleIndex"]), (&json!("UnknownKey"), &json!(0)));
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "UnknownKey");
    assert_eq!(run["invocations"], json!([{ "executionSuccessful": true }]));
    folder.write("env/warned.yml", &document("Warned", "    kind: BlobStorage\n"));
    std::fs::remove_file(folder.path("env/wrong one.yml")).unwrap();
    for files in [&["good.yml", "env/warned.yml"][..], &["env"], &["env/warned.yml"]] {
        let (status, run) = log(&folder, files);
        let results = run["results"].as_array().unwrap();
        assert_eq!((status, levels(results)), (0, vec!["warning".to_owned()]), "{run:#}");
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "env/warned.yml", "{run:#}");
        assert_eq!(place["region"]["startLine"], 8, "{run:#}");
        let setting = &results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
        assert_eq!(*setting, "storageAccounts[0].kind", "{run:#}");
    }
    // One with a code has the rule of its code.
    folder.write("env/warned.yml", &document("Warned", "    kind: StorageV2\n").replace("[orders]", "[orders, '']"));
    let (_, run) = log(&folder, &["env/warned.yml"]);
    assert_eq!((&run["results"][0]["ruleId"], &run["results"][0]["level"]), (&json!("EmptyItem"), &json!("warning")));
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
