//! `svc drift`: what differs, in every form, and how it ends.

use std::process::Stdio;

use serde_json::{Value, json};

use super::sarif::checked;
use super::support::*;

const CHANGED: &str =
    "1 changed value, 2 up to date. 1 of them is a default, which a run sets back only with enforceDefaults.";

/// A folder with a document that is deployed, and whose account somebody has changed.
fn changed() -> Folder {
    let folder = Folder::new();
    folder.write("env/storage.yml", &format!("component: storage\n{DOCUMENT}"));
    assert_eq!(folder.svc(&["apply", "env", "--cloud", "local", "--yes"]).status, 0);
    let quiet = drift(&folder, &[]);
    assert_eq!((quiet.status, quiet.stdout.as_str()), (0, "No differences, 3 up to date.\n"), "{quiet:?}");
    let state = std::fs::read_to_string(folder.path("env/.svc/local-cloud.json")).unwrap();
    assert!(state.contains("TLS1_2"));
    folder.write("env/.svc/local-cloud.json", &state.replace("TLS1_2", "TLS1_0"));
    folder
}

fn drift(folder: &Folder, arguments: &[&str]) -> Output {
    folder.svc(&[&["drift", "env", "--cloud", "local"], arguments].concat())
}

#[test]
fn what_differs_is_told_by_resource_and_ends_with_4() {
    let folder = changed();
    let output = drift(&folder, &[]);
    assert_eq!(output.status, 4, "{output:?}");
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines[0], "storage account 'stordersdb8e13ec'");
    assert!(lines[1].starts_with("    properties.minimumTlsVersion: TLS1_2 -> TLS1_0"), "{output:?}");
    assert_eq!(lines[2..], [CHANGED]);
    let output = drift(&folder, &["-q"]);
    assert_eq!((output.status, output.stdout.as_str()), (4, format!("{CHANGED}\n").as_str()), "{output:?}");
    // What it says to do is what helps.
    assert_eq!(folder.svc(&["apply", "env", "--cloud", "local", "--yes"]).status, 0);
    assert_eq!(drift(&folder, &[]).status, 4);
    assert_eq!(folder.svc(&["apply", "env", "--cloud", "local", "--yes", "--enforce-defaults"]).status, 0);
    assert_eq!(drift(&folder, &[]).status, 0);
}

#[test]
fn a_comparison_changes_nothing() {
    let folder = changed();
    for _ in 0..2 {
        assert_eq!(drift(&folder, &[]).status, 4);
    }
}

#[test]
fn a_difference_is_a_result_of_a_log_with_a_line_and_a_fingerprint() {
    let folder = changed();
    let output = drift(&folder, &["-o", "sarif"]);
    assert_eq!(output.status, 4, "{output:?}");
    let run = checked(&output);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{run:#}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "env/storage.yml");
    assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 1), "{run:#}");
    let fingerprints = results[0]["partialFingerprints"].as_object().unwrap();
    assert_eq!(fingerprints.len(), 1, "{run:#}");
    let again = checked(&drift(&folder, &["-o", "sarif"]));
    assert_eq!(again["results"][0]["partialFingerprints"], results[0]["partialFingerprints"]);
    // It is that of the report.
    assert_eq!(drift(&folder, &["--plan-report", "drift.json", "-q"]).status, 4);
    let report: Value = serde_json::from_slice(&std::fs::read(folder.path("drift.json")).unwrap()).unwrap();
    assert!(fingerprints.values().any(|print| *print == report["differences"][0]["fingerprint"]), "{run:#}");
}

#[test]
fn other_forms_are_messages_and_annotations() {
    let folder = changed();
    let output = drift(&folder, &["-o", "json"]);
    let drift_message = &output.with_event("drift")[0];
    assert_eq!((output.status, &drift_message["hasDifferences"]), (4, &json!(true)), "{output:?}");
    assert!(output.with_event("plan").is_empty() && output.with_event("result").is_empty(), "{output:?}");
    let output = drift(&folder, &["-o", "github"]);
    assert_eq!(output.status, 4, "{output:?}");
    let told = output.stdout.lines().find(|line| line.starts_with("::warning file=")).unwrap();
    assert!(
        told.contains("env/storage.yml,line=")
            && told.contains("storage account 'stordersdb8e13ec': properties.minimumTlsVersion: TLS1_2 -> TLS1_0"),
        "{told}"
    );
    let mut command = folder.command(&["drift", "env", "--cloud", "local", "-o", "github"]);
    let child =
        command.env("GITHUB_STEP_SUMMARY", folder.path("summary.md")).stdout(Stdio::piped()).stderr(Stdio::piped());
    assert_eq!(finish(child.spawn().unwrap()).status, 4);
    let summary = std::fs::read_to_string(folder.path("summary.md")).unwrap();
    assert!(summary.contains("## Drift of ") && summary.matches("minimumTlsVersion").count() == 1, "{summary}");
}

#[test]
fn what_cannot_be_compared_is_no_difference() {
    let folder = Folder::new();
    assert_eq!(folder.svc(&["drift", "missing", "--cloud", "local"]).status, 2);
    folder.write("env/storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let offline = folder.svc(&["drift", "env", "--cloud", "local", "--offline"]);
    assert_eq!(offline.status, 2, "{offline:?}");
    let unreachable = folder.svc(&["drift", "env", "--resource-manager-endpoint", "http://127.0.0.1:1/"]);
    assert_eq!(unreachable.status, 1, "{unreachable:?}");
}

#[test]
fn what_is_not_there_is_missing() {
    let folder = Folder::new();
    folder.write("env/storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let output = drift(&folder, &[]);
    assert_eq!(output.status, 4, "{output:?}");
    assert!(output.stdout.ends_with("\n3 missing resources.\n"), "{output:?}");
}
