//! `svc export`: the document goes to standard output or to a new file, and its plan is empty.

use super::support::*;

/// A folder in whose local cloud the storage document is deployed, and the name of its resource group.
fn deployed() -> (Folder, String) {
    let folder = Folder::new();
    let output = folder.deploy(&["-Confirm:false", "--output", "json"]);
    assert_eq!(output.status, 0, "{output:?}");
    let group =
        output.with_event("resource").iter().find_map(|message| message["resourceGroup"].as_str().map(str::to_owned));
    (folder, group.unwrap())
}

fn export(folder: &Folder, group: &str, arguments: &[&str]) -> Output {
    folder.svc(&[&["export", "storage", "--resource-group", group, "--cloud", "local"], arguments].concat())
}

#[test]
fn the_document_is_printed_or_written_and_its_plan_is_empty() {
    let (folder, group) = deployed();
    let printed = export(&folder, &group, &[]);
    assert_eq!((printed.status, printed.told().as_str()), (0, ""), "{printed:?}");
    assert!(printed.stdout.contains("component: storage\n"), "{printed:?}");
    let written = export(&folder, &group, &["--path", "exported.yml"]);
    let hint = "The document is in 'exported.yml'. A plan of it changes nothing: svc plan exported.yml\n";
    assert_eq!((written.status, written.stdout.as_str()), (0, hint), "{written:?}");
    assert_eq!(std::fs::read_to_string(folder.path("exported.yml")).unwrap(), printed.stdout);
    let plan = folder.svc(&["plan", "exported.yml", "--cloud", "local", "--detailed-exitcode"]);
    assert_eq!(plan.status, 0, "{plan:?}");
    assert!(plan.stdout.contains("Everything is up to date"), "{plan:?}");
}

/// A rule that no document can say would be deleted by its plan.
#[test]
fn a_plan_that_is_not_empty_is_said_and_is_status_4() {
    let folder = Folder::new();
    let state = folder.path("state.json");
    let id = |path: &str| format!("/subscriptions/10ca1c10-0d00-4000-8000-000000000001/resourceGroups/{path}");
    let scope = id("rg-rules/providers/Microsoft.Compute/virtualMachines/vm");
    let rule = |name: &str| {
        serde_json::json!({
            "id": id(&format!("rg-rules/providers/Microsoft.Insights/metricAlerts/{name}")), "location": "global",
            "properties": {
                "description": "Busy.", "severity": 3, "enabled": true, "scopes": [scope], "evaluationFrequency": "PT1M", "windowSize": "PT5M",
                "targetResourceType": "Microsoft.Compute/virtualMachines", "targetResourceRegion": "uksouth", "autoMitigate": true,
                "criteria": {
                    "odata.type": "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria",
                    "allOf": [{
                        "criterionType": "StaticThresholdCriterion", "name": "Metric1", "metricName": "Percentage CPU",
                        "metricNamespace": "Microsoft.Compute/virtualMachines", "operator": "GreaterThan", "threshold": 80,
                        "timeAggregation": "Average",
                    }],
                },
            },
        })
    };
    let tags = |name: &str| serde_json::json!({ "svc-service": name });
    let resources = serde_json::json!([
        {"id": id("rg-rules"), "location": "uksouth", "tags": tags("rules")},
        {"id": scope.replace("rg-rules", "rg-servers"), "location": "uksouth", "tags": tags("server")},
        rule("mtr-cpu-0"), rule("of-others"),
    ]);
    let text =
        resources.to_string().replace("rg-rules/providers/Microsoft.Compute", "rg-servers/providers/Microsoft.Compute");
    std::fs::write(folder.path("there.json"), text).unwrap();
    let imported = folder.svc(&["local", "import", "there.json", "--state", state.to_str().unwrap()]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let export = |path: &str, more: &[&str]| {
        let state = ["--cloud", "local", "--local-state-file", state.to_str().unwrap()];
        let arguments = ["export", "metricAlerts", "-g", "rg-rules", "--names", "--path", path];
        folder.svc(&[&arguments[..], &state, more].concat())
    };
    let hint = "A plan of it is not empty; see it with svc plan one/rules.yml\n";
    let output = export("one/rules.yml", &["--detailed-exitcode"]);
    assert_eq!(output.status, 4, "{output:?}");
    assert!(output.stdout.ends_with(hint), "{output:?}");
    assert!(
        output.told().contains("A plan of the document is not empty: Delete metric alert 'of-others'"),
        "{output:?}"
    );
    assert_eq!(export("two/rules.yml", &[]).status, 0);
    let json = export("three/rules.yml", &["--detailed-exitcode", "-o", "json"]);
    assert_eq!(json.status, 4, "{json:?}");
    assert_eq!(json.with_event("document")[0]["differences"].as_array().map(Vec::len), Some(1), "{json:?}");
    let whole = folder.svc(&["export", "metricAlerts", "--help"]);
    assert!(
        whole.stdout.contains("Ends with status 4 where a plan of the document would change something."),
        "{whole:?}"
    );
}

#[test]
fn a_file_that_exists_is_not_overwritten() {
    let folder = Folder::new();
    let output = export(&folder, "rg-x", &["--path", "storage.yml"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{output:?}");
    let message = format!(
        "ERROR FileExists: '{}' is not overwritten: it exists already. Nothing was changed.\n",
        folder.path("storage.yml").display()
    );
    assert!(output.stderr.starts_with(&message) && output.stderr.to_lowercase().contains("-overwrite"), "{output:?}");
    let output = export(&folder, "rg-x", &["--path", "storage.yml", "--overwrite"]);
    assert!(output.status == 2 && output.stderr.contains("is not an exported settings document"), "{output:?}");
    let alone = export(&folder, "rg-x", &["--overwrite"]);
    assert!(alone.status == 2 && alone.stderr.contains("--path <FILE>"), "{alone:?}");
    assert_eq!(std::fs::read_to_string(folder.path("storage.yml")).unwrap(), DOCUMENT);
}

#[test]
fn names_of_others_have_a_folder_to_themselves() {
    let (folder, group) = deployed();
    let state = folder.path(".svc/local-cloud.json");
    let names = |path: &str| {
        export(&folder, &group, &["--names", "--path", path, "--local-state-file", state.to_str().unwrap()])
    };
    let output = names("old/storage.yml");
    assert_eq!(output.status, 0, "{output:?}");
    let document = std::fs::read_to_string(folder.path("old/storage.yml")).unwrap();
    assert!(document.contains(&format!("resourceGroupName: {group}\n")), "{document}");
    assert!(folder.path("old/_names/generators.yml").is_file() && folder.path("old/_names/resources.yml").is_file());
    let plan = ["plan", "old/storage.yml", "--cloud", "local", "--local-state-file", state.to_str().unwrap()];
    let plan = folder.svc(&plan);
    assert!(plan.stdout.contains("Everything is up to date"), "{plan:?}");
    let again = names("old/other.yml");
    assert_eq!(again.status, 2, "{again:?}");
    assert!(again.stderr.contains("old' is not overwritten: '"), "{again:?}");
    assert!(!folder.path("old/other.yml").exists());
    let alone = export(&folder, &group, &["--names"]);
    assert!(alone.status == 2 && alone.stderr.contains("--path <FILE>"), "{alone:?}");
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_written() {
    let (folder, group) = deployed();
    for (arguments, status, text) in [
        (["export", "storage", "-g", "missing", "--path", "x.yml"], 1, "The resource group 'missing' does not exist."),
        (["export", "bastionHosts", "-g", group.as_str(), "--path", "x.yml"], 1, "has no bastion hosts to write"),
        (
            ["export", "web", "-g", group.as_str(), "--path", "x.yml"],
            1,
            "has no app service plans, API management services or",
        ),
        (["export", "stora", "-g", group.as_str(), "--path", "x.yml"], 2, "invalid value 'stora'"),
        // As a script writes it whose variable is not set.
        (["export", "storage", "-g", group.as_str(), "--path", ""], 2, "--path is set to nothing."),
    ] {
        let output = folder.svc(&[&arguments[..], &["--cloud", "local"]].concat());
        assert_eq!(output.status, status, "{output:?}");
        assert!(output.stderr.contains(text), "{output:?}");
        assert!(!folder.path("x.yml").exists());
    }
    assert_eq!(folder.svc(&["export", "storage"]).status, 2);
}

#[test]
fn an_environment_is_a_folder_of_documents() {
    let (folder, _) = deployed();
    let output = folder.svc(&["export", "--all", "--path", "estate", "--cloud", "local"]);
    assert_eq!(output.status, 0, "{output:?}");
    let (said, command) = output.stdout.trim_end().split_once(": svc ").unwrap();
    assert_eq!(said, "The documents are in 'estate'. A plan of them changes nothing");
    // It is what it says that it is.
    let command: Vec<&str> = command.split(' ').chain(["--cloud", "local", "--detailed-exitcode"]).collect();
    let plan = folder.svc(&command);
    assert_eq!(plan.status, 0, "{plan:?}");
    assert!(folder.path("estate/storage.yml").exists());
    let again = folder.svc(&["export", "--all", "--path", "estate", "--cloud", "local"]);
    assert_eq!(again.status, 2, "{again:?}");
    for arguments in [&["export", "--all", "-g", "x"][..], &["export", "--path", "x"], &["export", "--all"]] {
        assert_eq!(folder.svc(&[arguments, &["--cloud", "local"]].concat()).status, 2, "{arguments:?}");
    }
}

#[test]
fn programs_get_the_document_in_a_message() {
    let (folder, group) = deployed();
    let output = export(&folder, &group, &["-o", "json"]);
    assert_eq!(output.status, 0, "{output:?}");
    let documents = output.with_event("document");
    assert_eq!(documents.len(), 1, "{output:?}");
    assert_eq!(documents[0]["component"], "storage");
    assert!(documents[0]["text"].as_str().unwrap().contains("component: storage\n"));
}

#[test]
fn its_help_has_examples_and_no_options_of_plans() {
    let folder = Folder::new();
    let help = folder.svc(&["export", "--help"]).stdout;
    assert!(help.contains("svc export storage --resource-group rg-shop --path storage.yml"), "{help}");
    for option in ["--plan-report", "--approved-plan", "--offline", "--what-if", "--allow-foreign-deletes"] {
        assert!(!help.contains(option), "{option}: {help}");
    }
    for option in ["--subscription-id", "--environment", "--service-tag-key", "--verbose"] {
        assert!(help.contains(option), "{option}: {help}");
    }
}

/// A network that has lost its publish name gets one, and the document has it.
#[test]
fn tags_are_asked_for_and_the_document_has_their_names() {
    let example = |file: &str| format!("{}/../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new();
    let state = folder.path("state.json");
    let state_file = state.to_str().unwrap();
    let on_the_state =
        |arguments: &[&str]| folder.svc(&[arguments, &["--cloud", "local", "--local-state-file", state_file]].concat());
    let imported = folder.svc(&["local", "import", &example("landing-zone.json"), "--state", state_file]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let deployed = on_the_state(&["apply", &example("private-endpoints.yml"), "--yes"]);
    assert_eq!(deployed.status, 0, "{deployed:?}");
    let mut content: serde_json::Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
    let network =
        content["resources"].as_array_mut().unwrap().iter_mut().find(|one| one["body"]["name"] == "vnet-spoke");
    network.unwrap()["body"]["tags"] = serde_json::json!({});
    std::fs::write(&state, content.to_string()).unwrap();
    let export = ["export", "privateEndpoints", "-g", "rg-landing-zone", "--path", "endpoints.yml", "--tag"];
    let refused = on_the_state(&["export", "privateEndpoints", "-g", "rg-landing-zone", "--yes"]);
    assert_eq!(refused.status, 2, "--yes is about --tag: {refused:?}");
    assert_eq!(on_the_state(&["export", "privateEndpoints", "-g", "rg-landing-zone", "--tag"]).status, 2, "no --path");
    let asked = on_the_state(&[&export[..], &["--confirm"]].concat());
    assert_eq!(asked.status, 1, "nobody can answer here: {asked:?}");
    assert!(!folder.path("endpoints.yml").exists());
    let output = on_the_state(&[&export[..], &["--yes", "--detailed-exitcode"]].concat());
    assert_eq!(output.status, 0, "{output:?}");
    assert!(output.stdout.contains("tags.svc-service: (none) -> vnet-spoke "), "{output:?}");
    assert!(output.stdout.contains(" --tag\n"), "{output:?}");
    assert!(output.stdout.ends_with("A plan of it changes nothing: svc plan endpoints.yml\n"), "{output:?}");
    let text = std::fs::read_to_string(folder.path("endpoints.yml")).unwrap();
    assert!(text.contains("vnet: vnet-spoke\n"), "{text}");
}
