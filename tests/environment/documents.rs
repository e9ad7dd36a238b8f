//! The documents of a deployment, and everything that is wrong with any of them in one error.

use serde_json::json;

use super::*;

#[test]
fn a_folder_stands_for_its_documents() {
    let tags = "tags: {mandatory: {owner: ops}}";
    let environment = Environment::of(&[
        ("storage.yml", STORAGE),
        ("_shared.yml", "nonsense: ["),
        ("logAlertDefinitions.yml", "nonsense: ["),
        ("tags.yml", tags),
        ("notes.md", "# Notes"),
        ("below/web.yml", "nonsense: ["),
    ]);
    let cloud = cloud();
    let outcome = environment.deploy_twice(&cloud);
    assert_eq!(outcome.summary(), "created 2");
    let storage = environment.path("storage.yml");
    assert!(outcome.plan().iter().all(|action| action.document.as_ref() == Some(&storage)), "{:#?}", outcome.plan());
    assert!(outcome.resources().iter().all(|resource| resource.document.as_ref() == Some(&storage)));
}

#[test]
fn a_file_that_is_named_twice_is_one_document() {
    let environment = Environment::of(&[("storage.yml", STORAGE)]);
    let cloud = cloud();
    let file = environment.project.path("storage.yml");
    let files =
        json!({"settingsFiles": [file, environment.project.path(""), environment.project.path("./storage.yml")]});
    let outcome = run_deployment(&with(environment.request(&cloud), files));
    assert_eq!(outcome.summary(), "created 2");
}

#[test]
fn definitions_of_log_alerts_that_are_named_beside_documents_are_left_out() {
    // As a shell writes `*.yml` out.
    let environment = Environment::of(&[("storage.yml", STORAGE), ("logAlertDefinitions.yml", "nonsense: [")]);
    let cloud = cloud();
    let named = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| environment.project.path(name)).collect();
        run_deployment(&with(environment.request(&cloud), json!({"settingsFiles": files})))
    };
    assert_eq!(named(&["logAlertDefinitions.yml", "storage.yml"]).summary(), "created 2");
    // Alone it is taken for what it is not.
    assert_eq!(named(&["logAlertDefinitions.yml"]).failed_with().0, "SettingsInvalid");
}

#[test]
fn an_empty_folder_is_an_error() {
    let environment = Environment::of(&[("_names/tokens.yml", "tokens: {}")]);
    let outcome = environment.rehearse(&cloud());
    let report = outcome.last_error();
    assert_eq!(report.failure.code.as_str(), "SettingsFileNotFound");
    assert!(
        report.failure.message.ends_with("has no settings documents: *.yml, *.yaml or *.json."),
        "{}",
        report.failure.message
    );
}

#[test]
fn objects_are_told_apart_by_their_numbers() {
    let cloud = cloud();
    let account = |name: &str| {
        json!({"component": "storage", "location": "uksouth", "resourceGroupName": name,
        "storageAccounts": [{"storageAccountName": name, "accountType": "Standard"}]})
    };
    let request =
        |settings: Value| json!({"settings": settings, "context": {"cloud": cloud.endpoint()}, "environment": {}});
    let outcome = run_deployment(&request(json!([account("one"), account("two")])));
    assert_eq!(outcome.summary(), "created 4");
    let of = |number: &str| outcome.plan().iter().filter(|action| action.document.as_deref() == Some(number)).count();
    assert_eq!((of("0"), of("1")), (2, 2));
    let mut wrong = account("two");
    wrong["colour"] = json!("red");
    let outcome = run_deployment(&request(json!([account("one"), wrong])));
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid");
    assert!(message.starts_with("The settings object [1] has 1 problem:\n[1] [1].colour: unknown key"), "{message}");
    assert_eq!(outcome.last_error().failure.document.as_deref(), Some("1"));
}

#[test]
fn all_findings_of_all_documents_are_one_error() {
    let environment = Environment::of(&[
        ("a.yml", "component: storage\nlocation: Mars\nresourceGroupName: Shop\nstorageAccounts: []\n"),
        ("b.yml", "location: UK South\nstorageAccounts: []\n"),
        ("c.yml", "component: stroage\n"),
        ("d.yml", "component: [\n"),
    ]);
    let cloud = cloud();
    let outcome = environment.deploy(&cloud);
    let report = outcome.last_error();
    assert_eq!(report.failure.code.as_str(), "SettingsInvalid");
    let found: Vec<(String, &str)> = report
        .findings
        .iter()
        .map(|finding| (finding.file.clone().unwrap().rsplit('/').next().unwrap().to_owned(), finding.code.as_str()))
        .collect();
    let names = ["a.yml", "b.yml", "c.yml", "d.yml"];
    assert_eq!(
        found,
        [
            (names[0].to_owned(), "UnknownLocation"),
            (names[1].to_owned(), "ComponentMissing"),
            (names[2].to_owned(), "ComponentMissing"),
            (names[3].to_owned(), "SyntaxError"),
        ]
    );
    assert!(report.findings[1].message.contains("look like storage"), "{}", report.findings[1].message);
    assert!(cloud.requests().is_empty(), "nothing is contacted");
}

#[test]
fn a_document_without_a_component_names_the_likely_one() {
    let environment = Environment::of(&[("b.yml", "location: UK South\nstorageAccounts: []\n")]);
    let outcome = environment.rehearse(&cloud());
    assert_eq!(outcome.last_error().failure.code.as_str(), "ComponentMissing");
}

#[test]
fn members_of_requests_are_for_one_kind_of_command() {
    let environment = Environment::of(&[("storage.yml", STORAGE)]);
    let cloud = cloud();
    let outcome = run(&environment.request(&cloud));
    assert_eq!(outcome.last_error().failure.code.as_str(), "RequestInvalid");
    let one = json!({"settingsFile": environment.project.path("storage.yml"), "context": {"cloud": cloud.endpoint()}});
    assert_eq!(run_deployment(&one).last_error().failure.code.as_str(), "RequestInvalid");
    let both = with(environment.request(&cloud), json!({"settings": {}}));
    assert_eq!(run_deployment(&both).last_error().failure.code.as_str(), "SettingsAmbiguous");
    assert_eq!(run_deployment(&json!({"environment": {}})).last_error().failure.code.as_str(), "SettingsMissing");
}

/// The alert commands have neither parameter, and core monitoring has no OmitTags; a deployment has both, for all of its documents.
#[test]
fn tag_parameters_of_a_deployment_hold_for_every_document() {
    const HEALTH: &str = "component: resourceHealthAlerts\nlocation: UK South\nservice: {publish: {resourceHealthAlert: shop-health, resourceGroup: shop-health-group}}\nalerts: [{name: All, eventStatus: [Active]}]\n";
    let environment = Environment::of(&[("storage.yml", STORAGE), ("core.yml", CORE), ("health.yml", HEALTH)]);
    let cloud = cloud();
    environment.project.write("other/tags.yml", "tags: {custom: {owner: ops}}");
    let tagged = |members: Value| {
        let members =
            with(members, json!({"whatIf": true, "tagSettingsFile": environment.project.path("other/tags.yml")}));
        let outcome = run_deployment(&with(environment.request(&cloud), members));
        assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
        let is_tagged = |name: &str| {
            let actions = outcome.plan().iter().filter(|action| action.resource.name.starts_with(name));
            let tags: Vec<bool> =
                actions.map(|action| action.changes.iter().any(|change| change.path == "tags.owner")).collect();
            assert_eq!(tags.len(), 1, "{name}");
            tags[0]
        };
        ["rg-platform-core-", "stordersdb8e13ec", "rg-resourcehealth-alerts-mon-", "alt-all-"].map(is_tagged)
    };
    assert_eq!(tagged(json!({})), [true; 4]);
    assert_eq!(tagged(json!({"omitTags": true})), [false; 4]);
}

#[test]
fn the_local_cloud_keeps_its_state_in_the_folder() {
    let environment = Environment::of(&[("storage.yml", STORAGE)]);
    let folder = environment.project.path("");
    let local = |files: Value| json!({"settingsFiles": files, "context": {"cloud": "local"}, "environment": {}});
    assert_eq!(run_deployment(&local(json!([folder]))).summary(), "created 2");
    assert!(environment.project.path(".svc/local-cloud.json").is_file());
    // Beside the first document it is the same file.
    let again = run_deployment(&local(json!([environment.project.path("storage.yml")])));
    assert_eq!(again.summary(), "unchanged 2");
}

#[test]
fn an_unchanged_environment_says_of_each_resource_which_document_it_is_of() {
    let environment = Environment::of(&[("storage.yml", STORAGE), ("core.yml", CORE)]);
    let cloud = crate::support::estate::landing_zone();
    environment.deploy_twice(&cloud);
    let request = with(environment.request(&cloud), json!({"context": {"includeUnchanged": true}}));
    let outcome = run_deployment(&request);
    let of = |file: &str| {
        outcome.unchanged().iter().filter(|one| one.document.as_ref() == Some(&environment.path(file))).count()
    };
    assert_eq!((of("storage.yml"), of("storage.yml") + of("core.yml")), (2, outcome.unchanged().len()));
}

#[test]
fn all_documents_are_checked_without_contacting_anything() {
    let environment =
        Environment::of(&[("a.yml", STORAGE), ("b.yml", &STORAGE.replace("Shop", "Other").replace("Orders", "More"))]);
    let request = json!({"settingsFiles": [environment.project.path("")], "environment": {}});
    let outcome =
        follow(&crate::start_at(Work::Validate(Job::Deployment), request.to_string().as_bytes(), UNHURRIED), |_| {
            Vec::new()
        });
    let report = outcome.last_error();
    assert_eq!(report.findings.len(), 1, "{report:#?}");
    assert_eq!(report.findings[0].code.as_str(), "ServiceAmbiguous");
}
