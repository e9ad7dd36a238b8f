//! What `svc` asks in a cloud that is not this machine's: deletions, before anything is changed, and nothing else.

use std::process::Command;

use crate::support::internet::Internet;
use crate::support::*;

/// The program with these arguments and nobody to ask. Returns the exit status, standard output and standard error.
fn svc(internet: &Internet, project: &Project, text: &str, more: &[&str]) -> (Option<i32>, String, String) {
    project.write("alerts.yml", text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
    command
        .args(["New-SvcMonitorResourceHealthAlerts", "-Cloud", "public", "-SettingsFile"])
        .arg(project.path("alerts.yml"))
        .args(["-SubscriptionId", svc_local_cloud::LOCAL_SUBSCRIPTION_ID])
        .args(more)
        .stdin(std::process::Stdio::null())
        .env_clear();
    for (name, value) in internet.signed_in().as_object().unwrap() {
        command.env(name, value.as_str().unwrap());
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn rules(names: &[&str]) -> String {
    let alerts: String = names.iter().map(|name| format!("  - name: {name}\n")).collect();
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: health}}}}\nalerts:\n{alerts}"
    )
}

#[test]
fn a_deletion_in_a_cloud_is_asked_for_and_a_creation_is_not() {
    let cloud = cloud();
    let (internet, project) = (Internet::with(&cloud), Project::new());
    let (status, shown, errors) = svc(&internet, &project, &rules(&["One", "Two"]), &[]);
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{shown}");
    assert!(shown.contains("Result: 3 created ("), "{shown}");

    let before = cloud.requests().len();
    let (status, shown, errors) = svc(&internet, &project, &rules(&["One", "Three"]), &[]);
    assert_eq!(status, Some(1), "{shown}{errors}");
    assert_eq!(
        errors,
        "ERROR ConfirmationUnavailable: Cannot ask for confirmation: standard input is not a terminal.\n  Pass --confirm=false (-Confirm:$false) in unattended runs.\n"
    );
    assert!(shown.contains("Plan: 1 to create, 0 to modify, 1 to delete."), "{shown}");
    assert!(!shown.contains("Result: "), "{shown}");
    assert!(writes(&requests_after(&cloud, before)).is_empty(), "it fails before any change");

    let (status, shown, errors) = svc(&internet, &project, &rules(&["One", "Three"]), &["-Confirm:$false"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{shown}");
    assert!(shown.contains("Result: 1 created, 1 deleted, 2 up to date ("), "{shown}");
    // Nothing to ask, nobody needed.
    let (status, shown, _) = svc(&internet, &project, &rules(&["One", "Three"]), &["-Confirm"]);
    assert_eq!(status, Some(0), "{shown}");
}
