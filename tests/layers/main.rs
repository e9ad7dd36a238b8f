//! The rooms of the engine, and which of them may use which. `docs/architecture.md` says the same in the same words.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail the test that calls them")]

mod doc_comments;
mod links;
mod names;
mod paths;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use paths::{Use, uses_of};

/// Each room of `src/` with the rooms below it that it may use, from the ground up.
const ROOMS: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("kusto", &[]),
    ("settings", &["protocol"]),
    ("naming", &["protocol", "settings"]),
    ("azure", &["protocol", "settings", "naming"]),
    ("desired", &["protocol", "settings", "naming", "azure"]),
    ("plan", &["protocol", "settings", "naming", "azure", "desired"]),
    ("commands", &["protocol", "kusto", "settings", "naming", "azure", "desired", "plan"]),
    ("rehearsal", &["protocol", "kusto", "azure"]),
    ("world", &["protocol", "settings", "naming", "azure", "desired", "plan", "commands", "rehearsal"]),
    ("apply", &["protocol", "settings", "naming", "azure", "desired", "plan", "world"]),
    ("report", &["protocol", "settings", "azure", "desired", "plan"]),
    ("template", &["protocol", "settings", "naming", "azure", "desired", "plan", "commands"]),
    (
        "run",
        &[
            "protocol",
            "settings",
            "naming",
            "azure",
            "desired",
            "plan",
            "commands",
            "world",
            "apply",
            "report",
            "template",
            "rehearsal",
        ],
    ),
];

/// The packages that use the engine, and what else of this workspace they may use.
const HOSTS: &[(&str, &[&str])] = &[("cli", &["svc_local_cloud"]), ("ffi", &[]), ("module", &[])];

const ROOMS_RULE: &str = "A room uses only rooms below it: protocol, kusto, settings, naming, azure, desired, plan, commands, rehearsal, world, apply, report, template, run.";
const PURE_RULE: &str =
    "The rooms kusto, plan, commands, rehearsal, report and template are pure: they have no async and no client.";
const COMMAND_RULE: &str = "A command uses no other command; what two commands need is in commands/shared.";
const REGISTRY_RULE: &str = "The registry is on top of the commands; no command uses it.";
const HOST_RULE: &str =
    "A host uses the rooms protocol, report and run; only the program and run also use the local cloud.";
const LOCAL_CLOUD_RULE: &str = "The local cloud uses nothing of the engine.";
const DEPLOYMENTS_RULE: &str = "Only the program has the deployments of the local cloud.";
const INTERNALS_RULE: &str = "No host turns on the feature internals.";
const SAFE_RULE: &str = "No package has unsafe code: the compiler forbids it.";

#[test]
fn rooms_use_only_what_is_below_them() {
    for (file, used) in uses_below("src") {
        let Some(room) = room_of(&file) else { continue };
        let allowed = ROOMS.iter().find(|(name, _)| *name == room).map(|(_, allowed)| *allowed);
        let allowed =
            allowed.unwrap_or_else(|| panic!("{}: the room '{room}' is not in the table of rooms.", file.display()));
        for Use { path, line } in used {
            let ["crate", other, ..] = path.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
                let is_local_cloud = path.first().is_some_and(|first| first == "svc_local_cloud");
                assert!(!is_local_cloud || room == "run", "{}:{line}: {HOST_RULE}", file.display());
                continue;
            };
            let is_room = ROOMS.iter().any(|(name, _)| *name == other);
            let is_allowed = !is_room || other == room || allowed.contains(&other);
            assert!(is_allowed, "{}:{line}: {room} uses {other}. {ROOMS_RULE}", file.display());
        }
    }
}

#[test]
fn the_table_of_rooms_has_no_circle() {
    for (index, (room, allowed)) in ROOMS.iter().enumerate() {
        let below: BTreeSet<&str> = ROOMS[..index].iter().map(|(name, _)| *name).collect();
        assert!(allowed.iter().all(|other| below.contains(other)), "{room}: {ROOMS_RULE}");
    }
}

#[test]
fn plan_commands_report_and_template_are_pure() {
    for room in ["kusto", "plan", "commands", "rehearsal", "report", "template"] {
        for file in rust_files(&repository(&format!("src/{room}"))) {
            let text = std::fs::read_to_string(&file).unwrap();
            for (index, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let is_impure =
                    ["async ", ".await", "ArmClient", "reqwest::", "tokio::"].iter().any(|word| code.contains(word));
                assert!(!is_impure, "{}:{}: {PURE_RULE}", file.display(), index + 1);
            }
        }
    }
}

#[test]
fn commands_keep_apart() {
    for (file, used) in uses_below("src/commands") {
        let relative = file.strip_prefix(repository("src/commands")).unwrap().to_owned();
        let own =
            relative.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        // The schemas are of the whole registry.
        if ["mod", "registry", "schemas"].contains(&own.as_str()) {
            continue;
        }
        for Use { path, line } in used {
            let ["crate", "commands", other, ..] = path.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
                continue;
            };
            assert!(other != "registry", "{}:{line}: {REGISTRY_RULE}", file.display());
            let is_folder = repository(&format!("src/commands/{other}")).is_dir();
            let is_allowed = !is_folder || other == own || (other == "shared" && own != "shared");
            assert!(is_allowed, "{}:{line}: {own} uses {other}. {COMMAND_RULE}", file.display());
        }
    }
}

#[test]
fn hosts_use_the_front_door() {
    for (host, others) in HOSTS {
        for (file, used) in uses_below(&format!("{host}/src")) {
            for Use { path, line } in used {
                let place = || format!("{}:{line}: {}", file.display(), path.join("::"));
                match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["svc_engine", room, ..] => {
                        assert!(["protocol", "report", "run"].contains(&room), "{}. {HOST_RULE}", place());
                    }
                    ["svc_local_cloud", ..] => {
                        assert!(others.contains(&"svc_local_cloud"), "{}. {HOST_RULE}", place());
                    }
                    _ => {}
                }
            }
        }
        let manifest = std::fs::read_to_string(repository(&format!("{host}/Cargo.toml"))).unwrap();
        assert!(!manifest.contains("internals"), "{host}/Cargo.toml: {INTERNALS_RULE}");
    }
}

#[test]
fn the_local_cloud_is_a_witness() {
    for (file, used) in uses_below("local-cloud/src") {
        for Use { path, line } in used {
            let uses_engine = path.first().is_some_and(|first| first == "svc_engine");
            assert!(!uses_engine, "{}:{line}: {LOCAL_CLOUD_RULE}", file.display());
        }
    }
    let manifest = std::fs::read_to_string(repository("local-cloud/Cargo.toml")).unwrap();
    assert!(!manifest.contains("svc-deploy."), "local-cloud/Cargo.toml: {LOCAL_CLOUD_RULE}");
}

#[test]
fn the_library_links_no_deployments() {
    let turns_on = |package: &str| {
        let manifest = std::fs::read_to_string(repository(package).join("Cargo.toml")).unwrap();
        manifest.contains(r#"features = ["deployments"]"#)
    };
    assert!(turns_on("cli"), "cli/Cargo.toml: {DEPLOYMENTS_RULE}");
    for package in ["", "ffi", "module"] {
        assert!(!turns_on(package), "{package}/Cargo.toml: {DEPLOYMENTS_RULE}");
    }
    let local_cloud = std::fs::read_to_string(repository("local-cloud/Cargo.toml")).unwrap();
    assert!(!local_cloud.contains("default ="), "local-cloud/Cargo.toml: {DEPLOYMENTS_RULE}");
}

#[test]
fn unsafe_code_is_forbidden() {
    let lints = |package: &str| std::fs::read_to_string(repository(package).join("Cargo.toml")).unwrap();
    let workspace = lints("");
    assert!(workspace.lines().any(|line| line == r#"unsafe_code = "forbid""#), "Cargo.toml: {SAFE_RULE}");
    let members = workspace.lines().find_map(|line| line.strip_prefix("members = ")).unwrap();
    let members: Vec<String> = serde_json::from_str(members).unwrap();
    for package in members.iter().map(String::as_str).chain([""]) {
        assert!(lints(package).contains("\n[lints]\nworkspace = true\n"), "{package}/Cargo.toml: {SAFE_RULE}");
    }
}

#[test]
fn the_documentation_states_the_same_rules() {
    let text = std::fs::read_to_string(repository("docs/architecture.md")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hosts = [HOST_RULE, LOCAL_CLOUD_RULE, DEPLOYMENTS_RULE, INTERNALS_RULE];
    for rule in [ROOMS_RULE, PURE_RULE, COMMAND_RULE, REGISTRY_RULE, SAFE_RULE].into_iter().chain(hosts) {
        assert!(text.contains(rule), "docs/architecture.md does not say: {rule}");
    }
}

/// The paths that every file below a folder uses.
fn uses_below(folder: &str) -> Vec<(PathBuf, Vec<Use>)> {
    let root = repository(folder);
    let source = root.ancestors().find(|folder| folder.ends_with("src")).unwrap().to_owned();
    let files = rust_files(&root);
    assert!(!files.is_empty(), "{folder} has no source files");
    files.into_iter().map(|file| (file.clone(), uses_of(&file, &source))).collect()
}

/// The room that a file of `src/` belongs to; none for `lib.rs`.
fn room_of(file: &Path) -> Option<String> {
    let relative = file.strip_prefix(repository("src")).unwrap();
    let first = relative.components().next()?.as_os_str().to_str()?;
    (first != "lib.rs").then(|| first.trim_end_matches(".rs").to_owned())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
