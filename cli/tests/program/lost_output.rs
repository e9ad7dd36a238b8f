//! A device that is full: the exit status tells that the output is lost, and what is under way goes on.
#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::process::Stdio;
use std::time::Duration;

use svc_local_cloud::{LocalCloudOptions, OperationTime};

use super::support::*;

const LOST: &str =
    "WARNING: Some of the output is lost: standard output cannot be written: No space left on device (os error 28).\n";

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// Runs `svc` with its output on a device that is full.
fn svc_onto_a_full_device(folder: &Folder, arguments: &[&str]) -> Output {
    finish(folder.command(arguments).stdout(full()).stderr(Stdio::piped()).spawn().unwrap())
}

#[test]
fn the_exit_status_says_whether_something_was_changed() {
    for form in ["text", "json"] {
        let folder = Folder::new();
        let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local", "-Output", form];
        let rehearsed = svc_onto_a_full_device(&folder, &[&arguments[..], &["-WhatIf"]].concat());
        assert_eq!((rehearsed.status, rehearsed.told().as_str()), (1, LOST), "{form}");
        let deployed = svc_onto_a_full_device(&folder, &arguments);
        assert_eq!((deployed.status, deployed.told().as_str()), (3, LOST), "{form}");
        let again = svc_onto_a_full_device(&folder, &arguments);
        assert_eq!((again.status, again.told().as_str()), (1, LOST), "{form}: everything is up to date");
        assert!(folder.svc(&arguments[..5]).stdout.contains("Everything is up to date: 3 resources"), "{form}");
    }
}

#[test]
fn what_is_worse_than_lost_output_keeps_its_status() {
    let folder = Folder::new();
    folder.write("storage.yml", "location: UK South\n");
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local", "-Output", "json"];
    assert_eq!(svc_onto_a_full_device(&folder, &arguments).status, 2);
}

#[test]
fn a_signal_goes_before_lost_output() {
    let folder = Folder::new();
    let operation_time = OperationTime::Fixed(Duration::from_secs(60));
    let cloud = cloud(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()];
    let child = folder.command(&arguments).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the creation of the account", || {
        cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
    });
    signal(child.id(), "TERM");
    assert_eq!(finish(child).status, 143);
}

#[test]
fn standard_error_counts_as_well() {
    let folder = Folder::new();
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local", "-Verbose"];
    let run = || finish(folder.command(&arguments).stdout(Stdio::piped()).stderr(full()).spawn().unwrap());
    let output = run();
    assert_eq!(output.status, 3, "{output:?}");
    assert!(output.stdout.contains("Result: 3 created ("), "{output:?}");
    assert_eq!(run().status, 1);
}

#[test]
fn schemas_help_and_imports_are_no_exception() {
    let folder = Folder::new();
    for arguments in [&["schema", "new-iaas-storage"][..], &["--help"], &["--version"]] {
        let output = svc_onto_a_full_device(&folder, arguments);
        assert_eq!(output.status, 1, "{arguments:?}: {output:?}");
    }
    let group = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001/resourceGroups/existing";
    folder.write("resources.json", &format!(r#"[{{"id": "{group}", "location": "uksouth"}}]"#));
    let import = ["local", "import", "resources.json", "--state", "state.json"];
    let output = svc_onto_a_full_device(&folder, &import);
    assert_eq!((output.status, output.told().as_str()), (3, LOST), "the state was changed");
}
