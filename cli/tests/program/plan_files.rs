//! The plan on file, and the plan that was approved, through the program.

use serde_json::Value;

use super::support::*;

fn read(folder: &Folder, file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder.path(file)).unwrap()).unwrap()
}

/// `storage.yml` with its component.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    folder
}

/// Runs a verb for `storage.yml` on the local cloud.
fn local(folder: &Folder, verb: &str, arguments: &[&str]) -> Output {
    folder.svc(&[&[verb, "storage.yml", "--cloud", "local"], arguments].concat())
}

#[test]
fn the_option_repeats_and_relative_paths_begin_at_the_working_directory() {
    let folder = folder();
    let files = ["plan.md", "plan.html", "plan.json"];
    let options: Vec<String> = files.iter().map(|file| format!("--plan-report={file}")).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let output = local(&folder, "plan", &options);
    assert_eq!(output.status, 0, "{output:?}");
    for file in files {
        let text = std::fs::read_to_string(folder.path(file)).unwrap();
        assert!(text.contains("stordersdb8e13ec"), "{file}: {text}");
        std::fs::remove_file(folder.path(file)).unwrap();
    }
    // A run writes them, too, and so does one that finds nothing to do.
    for (whole, counts) in [("create", 3), ("unchanged", 3)] {
        assert_eq!(local(&folder, "apply", &options).status, 0);
        assert_eq!(read(&folder, "plan.json")["counts"][whole], counts);
        assert!(files.iter().all(|file| folder.path(file).is_file()));
    }
}

#[test]
fn what_differs_from_the_approved_plan_is_status_1_and_what_is_no_plan_for_it_2() {
    let folder = folder();
    assert_eq!(local(&folder, "plan", &["--plan-report", "plan.json"]).status, 0);
    let more = format!("component: storage\n{DOCUMENT}").replace("[orders]", "[orders, late]");
    folder.write("storage.yml", &more);
    for verb in ["plan", "apply"] {
        let output = local(&folder, verb, &["--approved-plan", "plan.json", "--detailed-exitcode"]);
        assert_eq!(output.status, 1, "{output:?}");
        assert!(output.stderr.contains("The plan has 1 difference from the approved one:"), "{output:?}");
        assert!(output.stderr.contains("queue 'stordersdb8e13ec/default/late'"), "{output:?}");
    }
    folder.write("other.yml", &more);
    let output = folder.svc(&["apply", "other.yml", "--cloud", "local", "--approved-plan", "plan.json"]);
    assert_eq!(output.status, 2, "{output:?}");
    assert!(output.stderr.contains("it is a plan for 'storage.yml', not for 'other.yml'"), "{output:?}");
    // Nothing of it was made, and what was approved can be.
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let output = local(&folder, "apply", &["--approved-plan", "plan.json", "--output", "json"]);
    assert_eq!(output.status, 0, "{output:?}");
    assert_eq!(output.with_event("result")[0]["created"], 3);
}

#[test]
fn variables_name_both_files() {
    let folder = folder();
    let with = |name: &str, value: &str, verb: &str| {
        let mut command = folder.command(&[verb, "storage.yml", "--cloud", "local", "--output", "json"]);
        command.env(name, value).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        finish(command.spawn().unwrap())
    };
    assert_eq!(with("SVC_PLAN_REPORT", "plan.json", "plan").status, 0);
    assert_eq!(read(&folder, "plan.json")["whatIf"], true);
    assert_eq!(with("SVC_APPROVED_PLAN", "nowhere.json", "apply").status, 2);
    let output = with("SVC_APPROVED_PLAN", "plan.json", "apply");
    assert_eq!((output.status, &output.with_event("result")[0]["created"]), (0, &Value::from(3)), "{output:?}");
}

#[test]
fn json_output_has_what_is_up_to_date_where_that_is_asked_for() {
    let folder = folder();
    assert_eq!(local(&folder, "apply", &[]).status, 0);
    let output = local(&folder, "apply", &["--output", "json", "--include-unchanged"]);
    let unchanged = output.with_event("unchanged");
    assert_eq!(unchanged.len(), 3, "{output:?}");
    assert!(unchanged.iter().all(|resource| resource["resourceId"].is_string() && resource["name"].is_string()));
    for more in [&[][..], &["--include-unchanged=false"]] {
        let off = local(&folder, "apply", &[&["--output", "json"], more].concat());
        assert_eq!((off.status, off.with_event("unchanged").len()), (0, 0), "{off:?}");
    }
}

#[test]
fn a_guard_that_is_set_to_nothing_is_no_guard_that_is_missing() {
    let folder = folder();
    for option in ["approved-plan", "plan-report", "cloud", "subscription-id", "subscription-name"] {
        let output = folder.svc(&["apply", "storage.yml", "--yes", &format!("--{option}="), "--cloud=local"]);
        let refused =
            output.stderr.contains("is set to nothing") || output.stderr.contains("cannot be used multiple times");
        assert!(output.status != 0 && refused, "{option}: {output:?}");
    }
    let output = folder.svc(&["apply", "storage.yml", "--yes", "--cloud", ""]);
    assert!(output.status != 0 && output.stderr.contains("--cloud is set to nothing."), "{output:?}");
    assert!(!folder.path(".svc").exists(), "nothing was changed");
}

#[cfg(unix)]
#[test]
fn a_variable_that_cannot_be_read_is_no_variable_that_is_missing() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let unreadable = std::ffi::OsStr::from_bytes(b"local\xff");
    for variable in
        ["SVC_CLOUD", "SVC_APPROVED_PLAN", "SVC_OFFLINE", "SVC_ALLOW_FOREIGN_DELETES", "AZURE_SUBSCRIPTION_ID"]
    {
        let mut command = folder.command(&["apply", "storage.yml", "--yes", "--cloud", "local"]);
        let output = command.env(variable, unreadable).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(&format!("The variable {variable} cannot be read: it is not UTF-8.")), "{said}");
        assert!(!output.status.success() && !folder.path(".svc").exists());
        let empty = folder.command(&["apply", "storage.yml", "--yes"]).env(variable, "").output().unwrap();
        let said = String::from_utf8(empty.stderr).unwrap();
        assert!(!empty.status.success() && said.contains("is set to nothing"), "{variable}: {said}");
    }
}
