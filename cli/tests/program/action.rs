//! The scripts of `action.yml`, which a runner of GitHub calls: what they hand to `svc`, and what they make of how it ends.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

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
    assert!(std::fs::read_to_string(folder.path("plans/plan.md")).unwrap().contains("stordersdb8e13ec"));
    assert_eq!(step("apply"), "changes=true\n");
    assert_eq!(step("plan"), "changes=false\n");
}

#[test]
fn what_was_approved_is_done_and_nothing_else() {
    let folder = checked_out();
    let document = ("DOCUMENTS", "storage.yml");
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), document]).status, 0);
    std::fs::copy(folder.path("plans/plan.json"), folder.path("approved.json")).unwrap();
    let approved = ("APPROVED_PLAN", "approved.json");
    folder.write("storage.yml", &format!("{COMPONENT}{DOCUMENT}    table: [late]\n"));
    let output = run(&folder, "run", &[("COMMAND", "apply"), document, approved]);
    assert_eq!(output.status, 1, "{output:?}");
    folder.write("storage.yml", &format!("{COMPONENT}{DOCUMENT}"));
    let output = run(&folder, "run", &[("COMMAND", "apply"), document, approved]);
    assert_eq!(output.status, 0, "{output:?}");
}

/// As `svc plan`, `apply` and `validate` of several documents are one run, so is the step: one plan, and nothing is changed where a part is wrong.
#[test]
fn several_documents_are_one_deployment() {
    let folder = checked_out();
    folder.write("broken.yml", "component: storage\nlocation: Nowhere\nstorageAccounts: 1\n");
    let output = run(&folder, "run", &[("COMMAND", "apply"), ("DOCUMENTS", "broken.yml\r\n\r\nstorage.yml")]);
    assert_eq!(output.status, 2, "{output:?}");
    assert_eq!(outputs(&folder), "changes=true\n");
    folder.write("broken.yml", &format!("{COMPONENT}{DOCUMENT}").replace("orders", "parcels"));
    let documents = ("DOCUMENTS", "broken.yml\nstorage.yml\n");
    let output = run(&folder, "run", &[("COMMAND", "plan"), documents]);
    assert_eq!(output.status, 0, "{output:?}");
    let plan = std::fs::read_to_string(folder.path("plans/plan.md")).unwrap();
    assert!(plan.contains("`broken.yml`") && plan.contains("`storage.yml`"), "{plan}");
    // What was planned together is approved together.
    std::fs::copy(folder.path("plans/plan.json"), folder.path("approved.json")).unwrap();
    let output = run(&folder, "run", &[("COMMAND", "apply"), documents, ("APPROVED_PLAN", "approved.json")]);
    assert_eq!(output.status, 0, "{output:?}");
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

/// A `gh` that lists the comments of `comments.txt`, an id and a first line each, and keeps what it was called with otherwise, and the text of the comment.
fn fake_gh(folder: &Folder) {
    std::fs::create_dir_all(folder.path("bin")).unwrap();
    let (listed, kept) =
        (folder.path("comments.txt").display().to_string(), folder.path("called").display().to_string());
    let text = format!(
        "#!/bin/sh\ncase $* in\n*--paginate*) cat {listed} || exit 1 ;;\n*) echo \"$@\" >>{kept}.txt && cat >{kept}.md ;;\nesac\n"
    );
    folder.write("bin/gh", &text);
    std::fs::set_permissions(folder.path("bin/gh"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

const PULL_REQUEST: [(&str, &str); 6] = [
    ("NUMBER", "17"),
    ("GITHUB_REPOSITORY", "shop/environment"),
    ("GITHUB_WORKFLOW", "plan"),
    ("GITHUB_JOB", "production"),
    ("RUN", "https://github.com/shop/environment/actions/runs/8"),
    ("TITLE", "Production"),
];

/// Comments, and tells what `gh` was called with and the text of the comment; none where it was not called.
fn comment(folder: &Folder) -> Option<(String, String)> {
    let output = run(folder, "comment", &PULL_REQUEST);
    assert_eq!(output.status, 0, "{output:?}");
    let called = std::fs::read_to_string(folder.path("called.txt")).ok()?;
    std::fs::remove_file(folder.path("called.txt")).unwrap();
    Some((called, std::fs::read_to_string(folder.path("called.md")).unwrap()))
}

#[test]
fn the_plan_is_commented_once_beside_what_others_comment() {
    let folder = checked_out();
    fake_gh(&folder);
    let theirs = "1 The coverage is 93 %.\n2 <!-- svc: plan, production, Test -->\r\n";
    folder.write("comments.txt", theirs);
    assert_eq!(comment(&folder), None, "There is no plan, and no comment of an earlier one.");
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), ("DOCUMENTS", "storage.yml")]).status, 0);
    let (called, text) = comment(&folder).unwrap();
    assert_eq!(called, "api --silent --method POST repos/shop/environment/issues/17/comments --field body=@-\n");
    let marker = "<!-- svc: plan, production, Production -->";
    assert!(text.starts_with(&format!("{marker}\n# Production\n\n## Plan of `storage.yml`")), "{text}");
    assert!(text.contains("stordersdb8e13ec"), "{text}");
    folder.write("comments.txt", &format!("{theirs}31 {marker}\r\n4 Looks good.\n"));
    let (called, _) = comment(&folder).unwrap();
    assert_eq!(called, "api --silent --method PATCH repos/shop/environment/issues/comments/31 --field body=@-\n");
}

#[test]
fn the_comment_of_an_earlier_plan_says_that_there_is_no_newer_one() {
    let folder = checked_out();
    fake_gh(&folder);
    folder.write("comments.txt", "31 <!-- svc: plan, production, Production -->\n");
    let plan = |document: &str| run(&folder, "run", &[("COMMAND", "plan"), ("DOCUMENTS", document)]).status;
    assert_eq!(plan("storage.yml"), 0);
    // A step before this one planned something; this one fails.
    assert_eq!(plan("missing.yml"), 2);
    let (called, text) = comment(&folder).unwrap();
    assert!(called.contains("PATCH") && called.contains("/comments/31 "), "{called}");
    assert!(text.ends_with("There is no plan of the newest commit; the [run](https://github.com/shop/environment/actions/runs/8) says why.\n"), "{text}");
}

#[test]
fn comments_that_cannot_be_listed_are_not_written_twice() {
    let folder = checked_out();
    fake_gh(&folder);
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), ("DOCUMENTS", "storage.yml")]).status, 0);
    assert_ne!(run(&folder, "comment", &PULL_REQUEST).status, 0);
    assert!(!folder.path("called.txt").exists());
}

fn action() -> Value {
    let text = include_str!("../../../action.yml");
    svc_engine::run::settings_object(text.to_owned()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// What stands behind a mark, at every place where the mark does.
fn between<'a>(text: &'a str, begin: &'a str, is_part: fn(char) -> bool) -> BTreeSet<&'a str> {
    let parts =
        text.split(begin).skip(1).map(|rest| rest.split(|character| !is_part(character)).next().unwrap_or_default());
    parts.filter(|part| !part.is_empty()).collect()
}

#[test]
fn each_step_gives_its_script_the_variables_that_it_reads() {
    let action = action();
    let mut seen = 0;
    for step in action["runs"]["steps"].as_array().unwrap() {
        let (_, name) = step["run"].as_str().unwrap().trim_matches('"').rsplit_once('/').unwrap();
        let text = std::fs::read_to_string(script(name)).unwrap();
        let is_name = |character: char| character.is_ascii_uppercase() || character == '_';
        let mut read = between(&text, "$", is_name);
        read.extend(between(&text, "${", is_name));
        // Of the runner itself.
        read.retain(|variable| !variable.starts_with("GITHUB_") && !variable.starts_with("RUNNER_"));
        let mut given: BTreeSet<&str> = step["env"].as_object().unwrap().keys().map(String::as_str).collect();
        // For the line that calls the script, and for `gh`.
        given.retain(|variable| !["ACTION_FOLDER", "GH_TOKEN"].contains(variable));
        assert_eq!(given, read, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 3);
}

#[test]
fn its_inputs_are_used_and_the_docs_name_no_others() {
    let action = action();
    let inputs: BTreeSet<&str> = action["inputs"].as_object().unwrap().keys().map(String::as_str).collect();
    let used = between(include_str!("../../../action.yml"), "inputs.", |character| {
        character.is_ascii_lowercase() || character == '-'
    });
    assert_eq!(inputs, used);
    let documented = super::pipelines::inputs_of_the_action();
    assert!(documented.len() >= 3, "{documented:?}");
    for input in documented {
        assert!(inputs.contains(input.as_str()), "{input}");
    }
}
