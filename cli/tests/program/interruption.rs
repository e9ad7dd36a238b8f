//! Ctrl+C and the other signals to end: the command says what Azure is still working on, ends with 129, 130 or 143, and the next
//! run finishes.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use svc_local_cloud::{LocalCloudOptions, OperationTime};

use super::support::*;

#[test]
fn a_run_that_a_signal_ends_tells_which_and_names_what_is_under_way() {
    for (name, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if name != "HUP" || !is_hup_ignored() {
            ended_by(name, status);
        }
    }
}

/// Whether the tests run below nohup, so that every program they start ignores SIGHUP.
fn is_hup_ignored() -> bool {
    std::process::Command::new("sh").args(["-c", "kill -HUP $$"]).status().unwrap().success()
}

fn ended_by(name: &str, status: i32) {
    let folder = Folder::new();
    let operation_time = OperationTime::Fixed(Duration::from_secs(2));
    let cloud = cloud(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()];
    let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the creation of the account", || {
        cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
    });
    signal(child.id(), name);
    let output = finish(child);
    assert_eq!(output.status, status, "{name}: {output:?}");
    assert_eq!(
        output.told(),
        "WARNING: The command was stopped. Azure may still be working on 1 resource: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'. Run the command again to finish.\n"
    );
    let again = folder.svc(&arguments);
    assert_eq!(again.status, 0, "{again:?}");
    assert!(folder.svc(&arguments).stdout.contains("Everything is up to date: 3 resources"));
}

/// The terminal and its shell both send SIGHUP, timeout sends SIGTERM to the program and to its group: that is no impatience.
#[test]
fn a_signal_that_comes_twice_does_not_cut_the_warning_off() {
    let folder = Folder::new();
    let operation_time = OperationTime::Fixed(PATIENCE);
    let cloud = cloud(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()];
    let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the creation of the account", || {
        cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
    });
    for name in ["STOP", "TERM", "HUP", "CONT"] {
        signal(child.id(), name);
    }
    let output = finish(child);
    // Two threads may take one of them each, so either may be the first.
    let firsts: &[i32] = if is_hup_ignored() { &[143] } else { &[129, 143] };
    assert!(firsts.contains(&output.status), "{output:?}");
    assert!(output.stderr.contains("Azure may still be working on 1 resource: "), "{output:?}");
}

#[test]
fn a_hang_up_that_was_ignored_at_the_start_is_ignored() {
    let folder = Folder::new();
    let operation_time = OperationTime::Fixed(Duration::from_secs(2));
    let cloud = cloud(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let command = folder.command(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint()]);
    // What nohup does.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(command.get_program()).args(command.get_args());
    let shell = shell.current_dir(folder.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = shell.spawn().unwrap();
    wait_until("the creation of the account", || {
        cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
    });
    signal(child.id(), "HUP");
    let output = finish(child);
    assert_eq!((output.status, output.told().as_str()), (0, ""), "{output:?}");
    assert!(output.stdout.contains("Result: 3 created ("), "{output:?}");
}

#[test]
fn what_had_failed_before_the_interruption_is_told() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("{DOCUMENT}  - storageAccountName: Ledger\n    accountType: Standard\n"));
    let cloud = cloud(LocalCloudOptions {
        operation_time: OperationTime::Fixed(PATIENCE),
        faults: vec!["status=409,method=PUT,path=/stordersdb8e13ec?,times=always".parse().unwrap()],
        ..LocalCloudOptions::default()
    });
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint(), "-Verbose"];
    let mut child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut shown = String::new();
    while !shown.ends_with(" failed (Conflict).\n") {
        assert_ne!(errors.read_line(&mut shown).unwrap(), 0, "svc has ended: {shown}");
    }
    wait_until("the creation of the other account", || {
        cloud.requests().iter().any(|request| request.method == "PUT" && request.status == 202)
    });
    signal(child.id(), "INT");
    let output = finish(child);
    errors.read_to_string(&mut shown).unwrap();
    assert_eq!(output.status, 130, "{output:?} {shown}");
    assert!(shown.contains("WARNING: The command was stopped. Azure may still be working on 1 resource: "), "{shown}");
    assert_eq!(shown.matches("ERROR Conflict: storage.yml:4:5: ").count(), 1, "{shown}");
    assert!(output.stdout.contains("Result: 1 created, 1 skipped, 1 failed ("), "{output:?}");
}

#[test]
fn a_run_that_hangs_is_interrupted_before_any_change() {
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let folder = Folder::new();
        let faults = vec!["delay=3600000,times=always".parse().unwrap()];
        let cloud = cloud(LocalCloudOptions { faults, ..LocalCloudOptions::default() });
        let arguments =
            ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint(), "-Output", "json"];
        let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the first request", || !cloud.requests().is_empty());
        signal(child.id(), name);
        let output = finish(child);
        assert_eq!(output.status, status, "{output:?}");
        assert!(output.with_event("error").is_empty() && output.with_event("result").is_empty(), "{output:?}");
        let warnings = output.with_event("warning");
        assert_eq!(warnings.len(), 1, "{output:?}");
        assert_eq!(warnings[0]["message"], "The command was stopped. Nothing was changed.");
    }
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_deployment() {
    for form in ["text", "json"] {
        let folder = Folder::new();
        let cloud = cloud(LocalCloudOptions { latency: Duration::from_millis(20), ..LocalCloudOptions::default() });
        let arguments =
            ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", cloud.endpoint(), "-Output", form];
        let mut child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // What `| head -1` does.
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let output = finish(child);
        assert_eq!((output.status, output.told().as_str()), (0, ""), "{form}");
        let again = folder.svc(&arguments[..5]);
        assert!(again.stdout.contains("Everything is up to date: 3 resources"), "{form}: {again:?}");
    }
}
