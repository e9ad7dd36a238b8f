//! Several documents, or a folder of them, in one run.

use super::support::*;

/// A document of one account in a group of its own.
fn document(name: &str) -> String {
    format!(
        "component: storage\nlocation: UK South\nresourceGroupName: {name}\nstorageAccounts:\n  - storageAccountName: {name}\n    \
         accountType: Standard\n"
    )
}

/// A folder with two documents, and what is none.
fn shop() -> Folder {
    let folder = Folder::new();
    folder.write("shop/orders.yml", &document("Orders"));
    folder.write("shop/media.yml", &document("Media"));
    folder.write("shop/_names/tokens.yml", "tokens: {}");
    folder
}

const LOCAL: [&str; 2] = ["--cloud", "local"];

#[test]
fn a_folder_is_planned_and_deployed_as_one() {
    let folder = shop();
    let plan = folder.svc(&[&["plan", "shop"][..], &LOCAL].concat());
    assert_eq!(plan.status, 0, "{plan:?}");
    for part in [
        "media.yml: 2 to create\n",
        "orders.yml: 2 to create\n",
        "Plan: 4 to create, 0 to change, 0 to delete in 2 documents.",
    ] {
        assert!(plan.stdout.contains(part), "{part}: {plan:?}");
    }
    let applied = folder.svc(&[&["apply", "shop/orders.yml", "-f", "shop/media.yml", "-y"][..], &LOCAL].concat());
    assert_eq!(applied.status, 0, "{applied:?}");
    assert!(applied.stdout.contains("Result: 4 created ("), "{applied:?}");
    // The state is beside the first document, which is in the folder.
    let again = folder.svc(&[&["plan", "shop", "--detailed-exitcode"][..], &LOCAL].concat());
    assert_eq!(again.status, 0, "{again:?}");
    assert!(again.stdout.contains("Everything is up to date: 4 resources"), "{again:?}");
}

#[test]
fn results_and_failures_name_their_document() {
    let folder = shop();
    let applied = folder.svc(&[&["apply", "shop", "-y"][..], &LOCAL].concat());
    let results: Vec<&str> = applied.stdout.lines().filter(|line| line.starts_with("+ created")).collect();
    assert_eq!(results.len(), 4, "{applied:?}");
    for file in ["orders.yml", "media.yml"] {
        assert_eq!(results.iter().filter(|line| line.ends_with(&format!(" s)  {file}"))).count(), 2, "{results:#?}");
    }
    let faults = vec!["status=403,method=PUT,path=/storageAccounts/stmedia,times=always".parse().unwrap()];
    let cloud = cloud(svc_local_cloud::LocalCloudOptions { faults, ..Default::default() });
    let failed = folder.svc(&["apply", "shop", "-y", "--cloud", cloud.endpoint()]);
    assert_eq!(failed.status, 3, "{failed:?}");
    // Its place says it already, so there is no line about it.
    assert!(failed.stderr.contains("ERROR AuthorizationFailed: media.yml:5:5: "), "{failed:?}");
    assert!(!failed.stderr.contains("orders.yml") && !failed.stderr.contains("document: "), "{failed:?}");
}

#[test]
fn programs_are_told_of_documents_by_their_paths() {
    let folder = shop();
    let planned = folder.svc(&[&["plan", "shop", "-o", "json"][..], &LOCAL].concat());
    let plan = &planned.with_event("plan")[0];
    for action in plan["actions"].as_array().unwrap() {
        let document = std::path::Path::new(action["document"].as_str().unwrap());
        assert!(document.is_absolute() && document.is_file(), "{action}");
    }
}

#[test]
fn the_deployment_is_a_command_of_its_own() {
    let folder = shop();
    for arguments in [
        &["new-deployment", "--settings-file", "shop/orders.yml", "--settings-file", "shop/media.yml"][..],
        &["new-deployment", "--settings-file", "shop"],
        &["New-SvcDeployment", "-SettingsFile", "shop/orders.yml,shop/media.yml"],
        &["new-svcdeployment", "-SettingsF", "shop"],
    ] {
        let output = folder.svc(&[arguments, &["--what-if"], &LOCAL].concat());
        assert_eq!(output.status, 0, "{arguments:?}: {output:?}");
        assert!(output.stdout.contains("Plan: 4 to create, 0 to change, 0 to delete in 2 documents."), "{output:?}");
    }
    let missing = folder.svc(&["new-deployment"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("ERROR SettingsMissing: "), "{missing:?}");
}

#[test]
fn a_list_of_objects_comes_from_standard_input() {
    let folder = Folder::new();
    let documents = |names: [&str; 2]| {
        let list = names.map(|name| svc_engine::run::settings_object(document(name)).unwrap());
        serde_json::to_string(&list).unwrap()
    };
    let arguments = [&["new-deployment", "--settings-object", "-", "--what-if"][..], &LOCAL].concat();
    let output = folder.svc_reading(&documents(["Orders", "Media"]), &arguments);
    assert!(output.stdout.contains("settings object [0]: 2 to create"), "{output:?}");
    let mixed = folder.svc(&["plan", "-", "storage.yml"]);
    assert_eq!(mixed.status, 2);
    assert!(mixed.stderr.contains("Standard input cannot be one of several documents"), "{mixed:?}");
}

#[test]
fn annotations_are_at_the_places_of_their_documents() {
    let folder = shop();
    let wrong = |name: &str| document(name).replace("UK South", "Mars");
    folder.write("shop/orders.yml", &wrong("Orders"));
    folder.write("shop/media.yml", &document("Media").replace("Standard\n", "Standard\n    queue: [one, '']\n"));
    let summary = folder.path("summary.md");
    let mut command = folder.command(&["validate", "shop", "-o", "github"]);
    command.env("GITHUB_WORKSPACE", folder.path("")).env("GITHUB_STEP_SUMMARY", &summary);
    let pipe = std::process::Stdio::piped;
    let output = finish(command.stdout(pipe()).stderr(pipe()).spawn().unwrap());
    assert_eq!(output.status, 2, "{output:?}");
    assert!(
        output.stdout.contains("::error file=shop/orders.yml,line=2,col=11,title=SettingsInvalid::location: "),
        "{output:?}"
    );
    folder.write("shop/orders.yml", &document("Orders"));
    let mut command = folder.command(&["validate", "shop", "-o", "github"]);
    command.env("GITHUB_WORKSPACE", folder.path("")).env("GITHUB_STEP_SUMMARY", &summary);
    let output = finish(command.stdout(pipe()).stderr(pipe()).spawn().unwrap());
    assert_eq!(output.status, 0, "{output:?}");
    assert!(output.stdout.contains("::warning file=shop/media.yml,line=7,col="), "{output:?}");
}
