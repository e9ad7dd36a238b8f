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

/// The text that the step has written as its output, which is then empty again.
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
    // The resource group, the account and what is in it.
    let planned = step("plan");
    assert!(planned.starts_with("changes=true\ncreate="), "{planned}");
    assert!(planned.ends_with("\nchange=0\ndelete=0\n") && !planned.contains("create=0"), "{planned}");
    assert!(std::fs::read_to_string(folder.path("plans/plan.md")).unwrap().contains("stordersdb8e13ec"));
    assert_eq!(step("apply"), planned);
    assert_eq!(step("plan"), "changes=false\ncreate=0\nchange=0\ndelete=0\n");
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

/// A `gh` that lists the comments or issues of `comments.txt`, an id, an author and a first line each, knows the text of `body.md`, and keeps what it was called
/// with otherwise, and the texts that it was given.
fn fake_gh(folder: &Folder) {
    std::fs::create_dir_all(folder.path("bin")).unwrap();
    let (listed, kept) =
        (folder.path("comments.txt").display().to_string(), folder.path("called").display().to_string());
    let body = folder.path("body.md").display().to_string();
    let text = format!(
        "#!/bin/sh\ncase $* in\n*graphql*) echo robot ;;\n*--paginate*) cat {listed} || exit 1 ;;\n*--jq*) cat {body} ;;\n*) echo \"$@\" >>{kept}.txt && cat >>{kept}.md ;;\nesac\n"
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

/// Runs a script that tells something, and tells what `gh` was called with and the text that it was given; none where it was not called.
fn telling(folder: &Folder, script: &str) -> Option<(String, String)> {
    let output = run(folder, script, &PULL_REQUEST);
    assert_eq!(output.status, 0, "{output:?}");
    let taken = |name: &str| {
        let text = std::fs::read_to_string(folder.path(name)).ok()?;
        std::fs::remove_file(folder.path(name)).unwrap();
        Some(text)
    };
    Some((taken("called.txt")?, taken("called.md")?))
}

fn comment(folder: &Folder) -> Option<(String, String)> {
    telling(folder, "comment")
}

/// Two nights, one edit more in the second, and the night after everything was set right.
#[test]
fn drift_is_one_issue_until_nothing_differs() {
    let folder = checked_out();
    fake_gh(&folder);
    folder.write(
        "comments.txt",
        "1 robot Something else.\n2 somebody <!-- svc drift: plan, production, Production -->\n",
    );
    let drift = || {
        let output = run(&folder, "run", &[("COMMAND", "drift"), ("DOCUMENTS", "storage.yml")]);
        assert_eq!(output.status, 0, "{output:?}");
        outputs(&folder)
    };
    assert_eq!(telling(&folder, "issue"), None, "nothing was compared");
    assert_eq!(run(&folder, "run", &[("COMMAND", "apply"), ("DOCUMENTS", "storage.yml")]).status, 0);
    outputs(&folder);
    assert_eq!(drift(), "changes=false\n");
    assert_eq!(telling(&folder, "issue"), None);
    let edit = |from: &str, to: &str| {
        let state = std::fs::read_to_string(folder.path(".svc/local-cloud.json")).unwrap();
        assert!(state.contains(from), "{from}");
        folder.write(".svc/local-cloud.json", &state.replace(from, to));
    };
    edit("TLS1_2", "TLS1_0");
    assert_eq!(drift(), "changes=true\n");
    let (called, text) = telling(&folder, "issue").unwrap();
    assert_eq!(
        called,
        "api --silent --method POST repos/shop/environment/issues --field title=Production --field body=@-\n"
    );
    let marker = "<!-- svc drift: plan, production, Production -->";
    assert!(text.starts_with(&format!("{marker}\n## Drift of ")) && text.contains("TLS1"), "{text}");
    assert!(
        text.ends_with("From the [last comparison](https://github.com/shop/environment/actions/runs/8).\n"),
        "{text}"
    );
    // The second night: the same difference, and nobody is told twice.
    folder.write("comments.txt", &format!("7 robot {marker}\r\n"));
    folder.write("body.md", &text);
    assert_eq!(drift(), "changes=true\n");
    let (called, same) = telling(&folder, "issue").unwrap();
    assert_eq!(
        (called.as_str(), &same),
        ("api --silent --method PATCH repos/shop/environment/issues/7 --field body=@-\n", &text)
    );
    edit("\"supportsHttpsTrafficOnly\":true", "\"supportsHttpsTrafficOnly\":false");
    drift();
    let (called, told) = telling(&folder, "issue").unwrap();
    assert_eq!(
        called.lines().last(),
        Some("api --silent --method POST repos/shop/environment/issues/7/comments --field body=@-")
    );
    assert!(told.ends_with("Since the comparison before this [one](https://github.com/shop/environment/actions/runs/8): 1 new, 0 gone.\n"), "{told}");
    edit("TLS1_0", "TLS1_2");
    edit("\"supportsHttpsTrafficOnly\":false", "\"supportsHttpsTrafficOnly\":true");
    assert_eq!(drift(), "changes=false\n");
    let (called, told) = telling(&folder, "issue").unwrap();
    assert_eq!(
        called.lines().last(),
        Some("api --silent --method PATCH repos/shop/environment/issues/7 --field state=closed --field body=@-")
    );
    assert!(told.starts_with("Nothing differs any more"), "{told}");
}

#[test]
fn a_comparison_that_failed_says_nothing_and_closes_nothing() {
    let folder = checked_out();
    fake_gh(&folder);
    folder.write("comments.txt", "7 robot <!-- svc drift: plan, production, Production -->\n");
    folder.write("plans/drift.md", "## Drift of yesterday\n");
    assert_eq!(run(&folder, "run", &[("COMMAND", "drift"), ("DOCUMENTS", "missing.yml")]).status, 2);
    assert_eq!(telling(&folder, "issue"), None);
}

#[test]
fn the_plan_is_commented_once_beside_what_others_comment() {
    let folder = checked_out();
    fake_gh(&folder);
    let theirs = "1 robot The coverage is 93 %.\n2 robot <!-- svc: plan, production, Test -->\r\n3 somebody <!-- svc: plan, production, Production -->\n";
    folder.write("comments.txt", theirs);
    assert_eq!(comment(&folder), None, "There is no plan, and no comment of an earlier one.");
    assert_eq!(run(&folder, "run", &[("COMMAND", "plan"), ("DOCUMENTS", "storage.yml")]).status, 0);
    let (called, text) = comment(&folder).unwrap();
    assert_eq!(called, "api --silent --method POST repos/shop/environment/issues/17/comments --field body=@-\n");
    let marker = "<!-- svc: plan, production, Production -->";
    assert!(text.starts_with(&format!("{marker}\n# Production\n\n## Plan of `storage.yml`")), "{text}");
    assert!(text.contains("stordersdb8e13ec"), "{text}");
    folder.write("comments.txt", &format!("{theirs}31 robot {marker}\r\n4 somebody Looks good.\n"));
    let (called, _) = comment(&folder).unwrap();
    assert_eq!(called, "api --silent --method PATCH repos/shop/environment/issues/comments/31 --field body=@-\n");
}

#[test]
fn the_comment_of_an_earlier_plan_says_that_there_is_no_newer_one() {
    let folder = checked_out();
    fake_gh(&folder);
    folder.write("comments.txt", "31 robot <!-- svc: plan, production, Production -->\n");
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

/// A `gh` that has one release with the archive of a version, and keeps what it was called with.
fn fake_release(folder: &Folder, version: &str) {
    let name = format!("svc-{version}-linux-x64");
    folder.write(&format!("release/{name}/svc"), &format!("#!/bin/sh\necho svc {version}\n"));
    let release = folder.path("release").display().to_string();
    let make = format!(
        "cd {release} && chmod 755 {name}/svc && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >SHA256SUMS"
    );
    assert!(Command::new("sh").args(["-c", &make]).status().unwrap().success());
    let called = folder.path("called.txt").display().to_string();
    folder.write(
        "bin/gh",
        &format!(
            "#!/bin/sh\necho \"$@\" >>{called}\ncase $* in\n*\"view v{version} \"*) ;;\n*\"view v\"*) exit 1 ;;\n*view*) echo v{version} ;;\n\
             *download*) cp {release}/*.tar.gz {release}/SHA256SUMS \"$RUNNER_TEMP/svc\" ;;\nesac\n"
        ),
    );
    std::fs::set_permissions(folder.path("bin/gh"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// An action that is pinned by commit has no tag to take the version from; its tree has it.
#[test]
fn the_action_installs_its_own_version_and_checks_who_built_it() {
    let own = env!("CARGO_PKG_VERSION");
    for (released, wanted) in [(own, ""), ("9.8.7", ""), ("1.2.3", "v1.2.3")] {
        let folder = Folder::new();
        fake_release(&folder, released);
        let (root, temp) = (concat!(env!("CARGO_MANIFEST_DIR"), "/.."), folder.path("temp").display().to_string());
        let path = folder.path("path.txt").display().to_string();
        let variables = [
            ("ACTION_FOLDER", root),
            ("ACTION_REPOSITORY", "shop/svc"),
            ("GITHUB_PATH", &path),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("RUNNER_ARCH", "X64"),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_TEMP", &temp),
            ("SVC_VERSION", wanted),
        ];
        let output = run(&folder, "install", &variables);
        assert_eq!(output.status, 0, "{output:?}");
        assert!(output.stdout.ends_with(&format!("svc {released}\n")), "{output:?}");
        let called = std::fs::read_to_string(folder.path("called.txt")).unwrap();
        let verified = format!("attestation verify svc-{released}-linux-x64.tar.gz --repo shop/svc\n");
        assert!(called.contains(&verified), "{called}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{temp}/svc/svc-{released}-linux-x64\n"));
    }
}

/// The newest majors, none of which runs on Node 20, which ended on GitHub's runners on 16 September 2026. Sources: the releases of
/// each, as of November 2026.
const ACTIONS: &[&str] = &[
    "actions/attest-build-provenance@v4",
    "actions/checkout@v7",
    "actions/download-artifact@v8",
    "actions/upload-artifact@v7",
    "azure/login@v3",
    "docker/setup-buildx-action@v4",
];

#[test]
fn pages_and_workflows_use_one_version_of_each_action() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut used = BTreeSet::new();
    for folder in ["docs", ".github/workflows"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(text) = std::fs::read_to_string(&entry) else { continue };
            let names = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
            used.extend(names.filter(|name| !name.starts_with("./") && !name.starts_with("OWNER/")).map(str::to_owned));
        }
    }
    assert_eq!(used, ACTIONS.iter().map(|name| (*name).to_owned()).collect());
}

fn action() -> Value {
    let text = include_str!("../../../action.yml");
    svc_engine::run::settings_object(text.to_owned()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The text behind a mark, at every place where the mark does.
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
        read.remove("ACTION_FOLDER");
        let mut given: BTreeSet<&str> = step["env"].as_object().unwrap().keys().map(String::as_str).collect();
        // For the line that calls the script, and for `gh`.
        given.retain(|variable| !["ACTION_FOLDER", "GH_TOKEN"].contains(variable));
        assert_eq!(given, read, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 4);
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
