//! The question that `svc` asks in a cloud that is not this machine's: one question for the whole plan, before anything is changed.

use std::process::Command;

use crate::support::internet::Internet;
use crate::support::*;

/// The program with these arguments, run by a command that gets them; without one nobody can be asked.
fn command(internet: &Internet, project: &Project, text: &str, more: &[&str], terminal: Option<&str>) -> Command {
    project.write("alerts.yml", text);
    let svc = env!("CARGO_BIN_EXE_svc");
    let mut command = Command::new(if terminal.is_some() { "python3" } else { svc });
    if let Some(answers) = terminal {
        command.args(["-c", include_str!("../on_a_terminal.py"), answers, svc]);
    }
    command
        .args(["New-SvcMonitorResourceHealthAlerts", "-Cloud", "public", "-SettingsFile"])
        .arg(project.path("alerts.yml"))
        .args(["-SubscriptionId", svc_local_cloud::LOCAL_SUBSCRIPTION_ID])
        .args(more)
        .stdin(std::process::Stdio::null())
        .env_clear();
    if terminal.is_some() {
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    }
    // Python is found on the path of this machine.
    for (name, value) in internet
        .signed_in()
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.as_str() != "PATH" || terminal.is_none())
    {
        command.env(name, value.as_str().unwrap());
    }
    command
}

/// Runs a command. Returns the exit status, standard output and standard error.
fn outcome(mut command: Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The program with these arguments and nobody to ask.
fn svc(internet: &Internet, project: &Project, text: &str, more: &[&str]) -> (Option<i32>, String, String) {
    outcome(command(internet, project, text, more, None))
}

fn rules(names: &[&str]) -> String {
    let alerts: String = names.iter().map(|name| format!("  - name: {name}\n")).collect();
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: health}}}}\nalerts:\n{alerts}"
    )
}

#[test]
fn without_a_terminal_every_change_of_a_cloud_takes_consent() {
    let cloud = cloud();
    let (internet, project) = (Internet::with(&cloud), Project::new());
    for more in [&[][..], &["-Confirm"]] {
        let (status, shown, errors) = svc(&internet, &project, &rules(&["One", "Two"]), more);
        assert_eq!(status, Some(1), "{shown}{errors}");
        assert!(
            errors.ends_with(
                "ERROR ConfirmationUnavailable: Cannot ask for confirmation: standard input is not a terminal.\n  Pass --yes in unattended runs.\n"
            ),
            "{errors}"
        );
        assert!(shown.contains("Plan: 3 to create, 0 to change, 0 to delete."), "{shown}");
        assert!(!shown.contains("Result: "), "{shown}");
    }
    assert!(writes(&requests_after(&cloud, 0)).is_empty(), "it fails before any change");

    let (status, shown, _) = svc(&internet, &project, &rules(&["One", "Two"]), &["--yes"]);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains("Result: 3 created ("), "{shown}");
    let (status, shown, _) = svc(&internet, &project, &rules(&["One", "Three"]), &["-Confirm:$false"]);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains("Result: 1 created, 1 deleted, 2 up to date ("), "{shown}");
    // Nothing to ask, nobody needed; and a rehearsal asks nobody.
    for (names, more) in
        [(["One", "Three"], &["-Confirm"][..]), (["One", "Three"], &[]), (["One", "Four"], &["-WhatIf"])]
    {
        assert_eq!(svc(&internet, &project, &rules(&names), more).0, Some(0));
    }
}

#[test]
fn at_a_terminal_one_question_is_asked_for_the_whole_plan() {
    if !Command::new("python3")
        .args(["-c", "import pty, os; os.waitstatus_to_exitcode"])
        .output()
        .is_ok_and(|output| output.status.success())
    {
        eprintln!("SKIPPED: there is no python3 with pseudo terminals, so nobody answers prompts in the tests.");
        return;
    }
    let cloud = cloud();
    let (internet, project) = (Internet::with(&cloud), Project::new());
    let asked =
        |names: &[&str], answers: &str| outcome(command(&internet, &project, &rules(names), &[], Some(answers)));
    for (answers, status) in [("", 1), ("what?,n", 1), ("!", 1), ("^", 130)] {
        let (ended, shown, _) = asked(&["One", "Two"], answers);
        assert_eq!(ended, Some(status), "{answers}: {shown}");
        assert!(shown.contains("Apply 3 changes to ") && shown.contains("? [y/N] "), "{shown}");
    }
    assert!(writes(&requests_after(&cloud, 0)).is_empty(), "nothing is changed without a yes");
    let (ended, shown, _) = asked(&["One", "Two"], "y");
    assert_eq!(ended, Some(0), "{shown}");
    assert!(shown.contains("Result: 3 created (") && !shown.contains("will be deleted:"), "{shown}");
    let (ended, shown, _) = asked(&["One", "Three"], "y");
    assert_eq!(ended, Some(0), "{shown}");
    let (list, question) = (shown.find("1 resource will be deleted:"), shown.find("Apply 2 changes to "));
    assert!(list.is_some() && list < question, "deletions are listed again above the question: {shown}");
    assert!(shown.contains("Result: 1 created, 1 deleted, 2 up to date ("), "{shown}");
}
