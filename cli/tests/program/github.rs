//! `--output github`: annotations on standard output, and the summary of the job.

use super::support::*;

const WITH_PROBLEMS: &str = "component: storage\nstorageAcounts: []\nresourceGroupName: 'a, b'\n";

/// Runs `svc` as a step of a job whose workspace is the folder.
fn step(folder: &Folder, arguments: &[&str]) -> (Output, String) {
    let summary = folder.path("summary.md");
    let workspace = std::fs::canonicalize(folder.path("")).unwrap();
    let child = folder
        .command(arguments)
        .env("GITHUB_WORKSPACE", workspace)
        .env("GITHUB_STEP_SUMMARY", &summary)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = finish(child);
    (output, std::fs::read_to_string(summary).unwrap_or_default())
}

#[test]
fn findings_are_annotations_of_the_document() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("env")).unwrap();
    folder.write("env/more.yml", WITH_PROBLEMS);
    let (output, summary) = step(&folder, &["validate", "env/more.yml", "-o", "github"]);
    assert_eq!(output.status, 2);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=env/more.yml,line=1,col=1,title=SettingsInvalid::location: required, but not set"
    );
    assert_eq!(
        lines[1],
        "::error file=env/more.yml,line=2,col=1,title=SettingsInvalid::storageAcounts: unknown key, did you mean 'storageAccounts'?"
    );
    assert!(
        summary.starts_with(
            "### svc validate `more.yml`\n\n| | Where | What |\n|---|---|---|\n| error | `env/more.yml:1` | "
        ),
        "{summary}"
    );
}

#[test]
fn warnings_point_at_their_line_and_results_are_counted() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}").replace("[orders]", "[orders, '']"));
    let (output, summary) = step(&folder, &["plan", "storage.yml", "--cloud", "local", "-o", "github"]);
    assert_eq!(output.status, 0, "{output:?}");
    let warning = output.stdout.lines().find(|line| line.starts_with("::warning ")).unwrap();
    assert!(warning.starts_with("::warning file=storage.yml,line=7,col="), "{warning}");
    assert!(warning.contains("::storageAccounts[0].queue"), "{warning}");
    assert!(!output.stderr.contains("WARNING"), "it is told once: {output:?}");
    assert!(output.stdout.contains("Plan: 3 to create"), "{output:?}");
    let counts = "| To create | To change | To delete | Up to date | Kept | Skipped | Failed |\n|---|---|---|---|---|---|---|\n| 3 | 0 | 0 | 0 | 0 | 0 | 0 |\n";
    assert!(summary.starts_with("### svc plan `storage.yml`\n\n") && summary.contains(counts), "{summary}");
    // The next step adds to it.
    let (output, summary) = step(&folder, &["apply", "storage.yml", "--cloud", "local", "-y", "-o", "github"]);
    assert_eq!(output.status, 0, "{output:?}");
    assert!(summary.contains("### svc plan") && summary.contains("### svc apply `storage.yml`"), "{summary}");
    assert!(summary.contains("| Created | Changed |"), "{summary}");
}

/// A file of the project is none of the documents, and what is kept comes as a message of its own.
#[test]
fn warnings_about_files_of_the_project_and_what_is_kept_point_at_their_line() {
    let folder = Folder::new();
    folder.write("env/storage.yml", &format!("component: storage\n{DOCUMENT}"));
    folder.write("_names/generators.yml", "formats:\n  - {name: storge, components: [{source: name}]}\n");
    let arguments = ["env/storage.yml", "--cloud", "local", "-o", "github"];
    let (output, _) = step(&folder, &[&["apply", "-y"], &arguments[..]].concat());
    assert_eq!(output.status, 0, "{output:?}");
    let at = |output: &Output, place: &str| output.stdout.lines().any(|line| line.starts_with(place));
    assert!(
        at(&output, "::warning file=_names/generators.yml,line=2,col=12::formats[0].name: no kind of"),
        "{output:?}"
    );
    folder.write(
        "env/storage.yml",
        &format!("component: storage\n{}", DOCUMENT.replace("Standard", "Premium").replace("queue: [orders]", "")),
    );
    let (output, _) = step(&folder, &[&["plan"], &arguments[..]].concat());
    assert!(at(&output, "::warning file=env/storage.yml,line=6,col="), "{output:?}");
}

#[test]
fn what_is_not_about_a_line_is_an_annotation_too() {
    let folder = Folder::new();
    let (output, summary) = step(&folder, &["apply", "storage.yml", "--output=github"]);
    assert_eq!(output.status, 2);
    assert_eq!(
        output.stdout,
        "::error title=ComponentMissing::storage.yml has no 'component', so it is not known which command it is for.%0A\
         Add 'component: storage', which its keys look like.\n"
    );
    assert!(summary.contains("| error | `ComponentMissing` |"), "{summary}");
    // Where there is no summary to write, none is missed.
    let output = folder.svc(&["apply", "storage.yml", "-o", "github"]);
    assert_eq!((output.status, output.stderr.as_str()), (2, ""), "{output:?}");
}

#[test]
fn the_summary_has_the_plan_and_tells_its_warnings_once() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}").replace("[orders]", "[orders, '']"));
    let own = ["--plan-report", "plan.json"];
    let arguments = ["plan", "storage.yml", "--cloud", "local", "-o", "github"];
    let (output, summary) = step(&folder, &[&arguments[..], &own[..]].concat());
    assert_eq!(output.status, 0, "{output:?}");
    assert!(folder.path("plan.json").is_file(), "the file of the option is written, too");
    assert!(summary.contains("## Plan of `storage.yml` for "), "{summary}");
    assert_eq!(summary.matches("the item is empty").count(), 1, "{summary}");
    // What was approved is what was reviewed; what differs is shown with the plan that differs.
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}").replace("[orders]", "[late]"));
    std::fs::remove_file(folder.path("summary.md")).unwrap();
    let (output, summary) = step(&folder, &[&arguments[..], &["--approved-plan", "plan.json"]].concat());
    assert_eq!(output.status, 1, "{output:?}");
    assert!(summary.contains("| error | `PlanChanged` |") && summary.contains("## Plan of `storage.yml`"), "{summary}");
}
