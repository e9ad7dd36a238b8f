//! Runs against Azure without any credential. They go through the program, because only there the search path can be emptied,
//! so that an Azure CLI on this machine makes no difference.

use std::process::Command;

use serde_json::Value;

use crate::support::*;

/// Runs `storage.yml` for the public cloud with no credential, and returns the messages and the exit status.
fn svc(project: &Project) -> (Vec<Value>, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["New-SvcIaasStorage", "-Cloud", "public", "-Output", "json", "-SettingsFile"])
        .arg(project.path("storage.yml"))
        .env_clear()
        .env("PATH", project.path(""))
        .env("HOME", project.path(""))
        .output()
        .unwrap();
    let messages = String::from_utf8(output.stdout).unwrap();
    (messages.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.code().unwrap())
}

/// The messages of one kind.
fn with_event<'a>(messages: &'a [Value], event: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["event"] == event).collect()
}

#[test]
fn a_real_run_without_a_credential_fails_and_says_what_was_tried() {
    let project = Project::with(&document(""));
    let (messages, status) = svc(&project);
    assert_eq!(status, 1);
    let [error] = with_event(&messages, "error")[..] else { panic!("not one error: {messages:#?}") };
    assert_eq!(error["code"], "CredentialUnavailable");
    assert_eq!(error["category"], "SecurityError");
    assert_eq!(error["terminating"], true);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("No credential for Azure was found. Tried: Azure CLI ("), "{message}");
    assert!(message.contains("), Azure Developer CLI ("), "{message}");
    let recommendation = error["recommendation"].as_str().unwrap();
    for way in ["Connect-AzAccount", "az login", "AZURE_CLIENT_SECRET", "--cloud local"] {
        assert!(recommendation.contains(way), "{way} is not in {recommendation}");
    }
    assert!(with_event(&messages, "plan").is_empty());
    // Settings that are wrong are said first.
    let (messages, status) = svc(&Project::with("location: UK South\n"));
    assert_eq!((status, &with_event(&messages, "error")[0]["code"]), (2, &Value::from("SettingsInvalid")));
}
