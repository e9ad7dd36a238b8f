//! Confirmation: on a terminal, and where there is none.

use std::process::Command;

use super::support::*;

#[test]
fn without_a_terminal_nobody_can_be_asked_and_nothing_is_done() {
    let folder = Folder::new();
    for flag in ["-Confirm", "--confirm", "-Confirm:$true"] {
        let output = folder
            .svc_reading("y\ny\ny\n", &["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local", flag]);
        assert_eq!(output.status, 1, "{flag}: {output:?}");
        assert_eq!(
            output.told(),
            "ERROR ConfirmationUnavailable: Cannot ask for confirmation: standard input is not a terminal.\n  Pass --yes in unattended runs.\n",
            "{flag}"
        );
        let json = folder.deploy(&[flag, "-Output", "json"]);
        let error = json.messages().pop().unwrap();
        assert_eq!(
            (json.status, &error["code"], &error["category"], &error["terminating"]),
            (1, &"ConfirmationUnavailable".into(), &"InvalidOperation".into(), &true.into())
        );
    }
    assert!(folder.deploy(&["-WhatIf"]).stdout.contains("Plan: 3 to create"), "nothing was done");
    // When there is nothing to do, nobody has to be asked.
    folder.deploy(&[]);
    assert_eq!(folder.deploy(&["-Confirm"]).status, 0);
    // What-if asks nothing, either.
    folder.write("storage.yml", &DOCUMENT.replace("[orders]", "[orders, returns]"));
    assert_eq!(folder.deploy(&["-Confirm", "-WhatIf"]).status, 0);
}

/// What the alert commands create and modify is no reason to ask, and what is deleted on the local cloud is a rehearsal.
#[test]
fn alert_commands_do_not_ask_on_the_local_cloud() {
    for (command, alerts) in [
        (
            "New-SvcMonitorMetricAlerts",
            "groups: [{name: Shop, alertSets: [{resourceType: Microsoft.Storage/storageAccounts, alerts: [{name: Orders, \
             conditions: [{metricName: Availability, threshold: {operator: LessThan, value: 99, timeAggregation: Average}}], \
             service: {dependencies: {targetResources: [orders]}}}]}]}]",
        ),
        ("New-SvcMonitorResourceHealthAlerts", "alerts: [{name: Orders}]"),
    ] {
        let folder = Folder::new();
        folder.write("storage.yml", &format!("{DOCUMENT}service: {{publish: {{storage: orders}}}}\n"));
        assert_eq!(folder.deploy(&[]).status, 0);
        let component = command.trim_start_matches("New-SvcMonitor");
        let document = format!(
            "component: {component}\nlocation: UK South\nservice: {{publish: {{resourceGroup: alerts}}}}\n{alerts}\n"
        );
        folder.write("alerts.yml", &document);
        let run =
            |more: &[&str]| folder.svc(&[&[command, "-SettingsFile", "alerts.yml", "-Cloud", "local"], more].concat());
        let planned = run(&["-WhatIf"]);
        assert!(planned.stdout.contains("Plan: 2 to create, 0 to change, 0 to delete."), "{command}: {planned:?}");
        let created = run(&[]);
        assert_eq!((created.status, created.told().as_str()), (0, ""), "{command}: {created:?}");
        assert!(created.stdout.contains("Result: 2 created ("), "{command}: {created:?}");
        folder.write("alerts.yml", &document.replace("name: Orders", "name: Returns"));
        // Said outright, it asks here as well.
        let asked = run(&["-Confirm"]);
        assert_eq!(asked.status, 1, "{command}: {asked:?}");
        assert!(asked.told().starts_with("ERROR ConfirmationUnavailable: "), "{command}: {asked:?}");
        let replaced = run(&[]);
        assert_eq!((replaced.status, replaced.told().as_str()), (0, ""), "{command}: {replaced:?}");
        assert!(replaced.stdout.contains("1 created, 1 deleted, 1 up to date ("), "{command}: {replaced:?}");
    }
}

/// Runs a program on a pseudo terminal, answers each prompt, and prints what it showed; exits with its status.
const ON_A_TERMINAL: &str = include_str!("../on_a_terminal.py");

/// The output on a terminal and the exit status; none, loudly, where there is no python3 with pseudo terminals.
fn on_a_terminal(folder: &Folder, answers: &str, arguments: &[&str]) -> Option<(String, i32)> {
    let has_pty = Command::new("python3").args(["-c", "import pty, os; os.waitstatus_to_exitcode"]).output();
    if !has_pty.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no python3 with pseudo terminals, so nobody answers prompts in the tests.");
        return None;
    }
    let output = Command::new("python3")
        .args(["-c", ON_A_TERMINAL, answers, env!("CARGO_BIN_EXE_svc")])
        .args(["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local"])
        .args(arguments)
        .current_dir(folder.path(""))
        .env("TERM", "xterm")
        .output()
        .unwrap();
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1)))
}

#[test]
fn on_a_terminal_every_change_is_asked_for() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "y,,n", &["-Confirm"]) else { return };
    assert_eq!(status, 0, "{shown}");
    for question in [
        "Create resource group 'rg-shop-iaas-99b8167f'?\n[Y] Yes  [A] Yes to All  [N] No  [L] No to All  (default is \"Y\"): ",
        "Create storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'?\n",
        "Create queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'?\n",
    ] {
        assert_eq!(shown.matches(question).count(), 1, "{question} in {shown}");
    }
    assert!(shown.contains("Result: 2 created, 1 skipped ("), "{shown}");
    // A text that is no answer is asked about again; Yes to All ends the asking.
    folder.write("storage.yml", &DOCUMENT.replace("[orders]", "[orders, returns, claims]"));
    let (shown, status) = on_a_terminal(&folder, "what,a", &["-Confirm"]).unwrap();
    assert_eq!(status, 0, "{shown}");
    assert_eq!(shown.matches("Create queue 'orders'").count(), 2, "asked, and asked again: {shown}");
    assert!(shown.contains("Result: 3 created, 2 up to date ("), "{shown}");
}

#[test]
fn no_to_all_and_the_end_of_input_change_nothing() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "l", &["-Confirm"]) else { return };
    assert_eq!(status, 1, "all declined: {shown}");
    assert!(shown.contains("Result: 3 skipped ("), "{shown}");
    let (shown, status) = on_a_terminal(&folder, "y,!", &["-Confirm"]).unwrap();
    assert_eq!(status, 1, "{shown}");
    assert!(shown.contains("Cannot ask for confirmation: standard input has ended."), "{shown}");
    assert!(folder.deploy(&["-WhatIf"]).stdout.contains("Plan: 3 to create"));
}

/// Everything else needs the resource group, so nothing is left to ask for, and nothing was done however it was declined.
#[test]
fn what_needs_what_was_declined_is_not_asked_for() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "n,y,y", &["-Confirm"]) else { return };
    assert_eq!(status, 1, "{shown}");
    assert_eq!(shown.matches("[Y] Yes").count(), 1, "{shown}");
    assert!(shown.contains("Result: 3 skipped ("), "{shown}");
}

#[test]
fn ctrl_c_at_a_prompt_ends_the_run_at_once() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "y,^", &["-Confirm"]) else { return };
    assert_eq!(status, 130, "{shown}");
    assert!(!shown.contains("Result: "), "{shown}");
    assert!(shown.ends_with("\nThe command was stopped. Nothing was changed.\n"), "{shown}");
    assert!(folder.deploy(&["-WhatIf"]).stdout.contains("Plan: 3 to create"), "nothing was done");
}

#[test]
fn another_signal_at_a_prompt_ends_the_run_at_once() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "y,~", &["-Confirm"]) else { return };
    assert_eq!(status, 143, "{shown}");
    assert!(!shown.contains("Result: "), "{shown}");
    assert!(shown.ends_with("\nThe command was stopped. Nothing was changed.\n"), "{shown}");
}

#[test]
fn without_confirm_a_terminal_is_not_asked() {
    let folder = Folder::new();
    let Some((shown, status)) = on_a_terminal(&folder, "", &[]) else { return };
    assert_eq!(status, 0, "{shown}");
    assert!(!shown.contains("[Y] Yes"), "{shown}");
    assert!(shown.contains("Result: 3 created ("), "{shown}");
}

#[test]
fn yes_and_confirm_contradict_each_other() {
    let folder = Folder::new();
    let output = folder.deploy(&["--yes", "--confirm"]);
    assert_eq!(output.status, 2, "{output:?}");
    assert!(output.stderr.contains("--yes and --confirm contradict each other"), "{output:?}");
    assert_eq!(folder.deploy(&["--yes", "--confirm=false"]).status, 0);
}
