//! The scripts of `action.yml`, which a runner of GitHub calls: what they hand to `svc`, and what they make of how it ends.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::support::*;

const COMPONENT: &str = "component: storage\n";

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../packaging/action").join(name)
}

/// A folder with a document that says its command.
fn checked_out() -> Folder {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("{COMPONENT}{DOCUMENT}"));
    folder
}

/// Runs a script of the action on the local cloud in the folder, with variables, and `svc` on the PATH.
fn run(folder: &Folder, name: &str, variables: &[(&str, &str)]) -> Output {
    let svc = PathBuf::from(env!("CARGO_BIN_EXE_svc"));
    let path = format!("{}:{}:/usr/bin:/bin", folder.path("bin").display(), svc.parent().unwrap().display());
    let mut command = Command::new(script(name));
    command.current_dir(folder.path("")).env_clear().env("PATH", path).envs(variables.iter().copied());
    command.env("SVC_CLOUD", "local").env("REPORTS", "plans").env("GITHUB_OUTPUT", folder.path("output.txt"));
    finish(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// What the step has written as its output, which is then empty again.
fn outputs(folder: &Folder) -> String {
    let written = std::fs::read_to_string(folder.path("output.txt")).unwrap_or_default();
    folder.write("output.txt", "");
    written
}

#[test]
fn a_plan_is_applied_and_then_there_are_no_changes() {
    let folder = checked_out();
    let step = |command: &str| {
        let output = run(&folder, "run", &[("COMMAND", command), ("DOCUMENTS", "storage.yml\n")]);
        assert_eq!(output.status, 0, "{command}: {output:?}");
        outputs(&folder)
    };
    assert_eq!(step("validate"), "");
    assert_eq!(step("plan"), "changes=true\n");
    assert!(std::fs::read_to_string(folder.path("plans/storage.yml/plan.md")).unwrap().contains("stordersdb8e13ec"));
    assert_eq!(step("apply"), "changes=true\n");
    assert_eq!(step("plan"), "changes=false\n");
}

#[test]
fn what_was_approved_is_done_and_nothing_else() {
    let folder = checked_out();
    let document = ("DOCUMENTS", "storage.yml");
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), document]).status, 0);
    std::fs::copy(folder.path("plans/storage.yml/plan.json"), folder.path("approved.json")).unwrap();
    let approved = ("APPROVED_PLAN", "approved.json");
    folder.write("storage.yml", &format!("{COMPONENT}{DOCUMENT}    table: [late]\n"));
    let output = run(&folder, "run", &[("COMMAND", "apply"), document, approved]);
    assert_eq!(output.status, 1, "{output:?}");
    folder.write("storage.yml", &format!("{COMPONENT}{DOCUMENT}"));
    let output = run(&folder, "run", &[("COMMAND", "apply"), document, approved]);
    assert_eq!(output.status, 0, "{output:?}");
}

#[test]
fn a_document_that_fails_does_not_keep_the_others_and_fails_the_step() {
    let folder = checked_out();
    folder.write("broken.yml", "component: storage\nlocation: Nowhere\nstorageAccounts: 1\n");
    let output = run(&folder, "run", &[("COMMAND", "apply"), ("DOCUMENTS", "broken.yml\n\nstorage.yml")]);
    assert_eq!(output.status, 2, "{output:?}");
    assert_eq!(outputs(&folder), "changes=true\n");
    assert!(folder.deploy(&[]).stdout.contains("Everything is up to date"));
}

#[test]
fn inputs_that_are_none_are_told() {
    let folder = checked_out();
    for (command, documents, told) in [("destroy", "storage.yml", "'destroy'"), ("plan", "", "documents")] {
        let output = run(&folder, "run", &[("COMMAND", command), ("DOCUMENTS", documents)]);
        assert_eq!(output.status, 2, "{output:?}");
        assert!(output.stdout.starts_with("::error::") && output.stdout.contains(told), "{output:?}");
    }
}

/// A `gh` that keeps what it was called with, and the text of the comment.
fn fake_gh(folder: &Folder) {
    std::fs::create_dir_all(folder.path("bin")).unwrap();
    let kept = folder.path("called").display().to_string();
    let text = format!(
        "#!/bin/sh\necho \"$@\" >>{kept}.txt\nwhile [ $# -gt 0 ]; do [ \"$1\" = --body-file ] && cat \"$2\" >{kept}.md; shift; done\n"
    );
    folder.write("bin/gh", &text);
    std::fs::set_permissions(folder.path("bin/gh"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_plans_are_commented_once_and_not_too_long() {
    let folder = checked_out();
    fake_gh(&folder);
    let variables = [("NUMBER", "17"), ("GITHUB_REPOSITORY", "shop/environment")];
    let nothing = run(&folder, "comment", &variables);
    assert_eq!((nothing.status, folder.path("called.txt").exists()), (0, false), "{nothing:?}");
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), ("DOCUMENTS", "storage.yml")]).status, 0);
    assert_eq!(run(&folder, "comment", &variables).status, 0);
    let called = std::fs::read_to_string(folder.path("called.txt")).unwrap();
    assert!(called.starts_with("pr comment 17 --repo shop/environment --body-file "), "{called}");
    assert!(called.ends_with("--edit-last --create-if-none\n"), "{called}");
    let comment = || std::fs::read_to_string(folder.path("called.md")).unwrap();
    assert!(comment().starts_with("## storage.yml\n\n") && comment().contains("stordersdb8e13ec"), "{}", comment());
    folder.write("plans/storage.yml/plan.md", &"ü".repeat(40_000));
    assert_eq!(run(&folder, "comment", &variables).status, 0);
    assert!(comment().len() < 65_536 && comment().contains("The plan goes on"), "{}", comment().len());
}
