//! The plan of a deployment on file: what it is called, and that nobody reads of it where the documents were.

use std::path::Path;

use super::*;

/// Two documents in a folder of their own, and a folder for plans.
fn shop() -> Environment {
    let other = STORAGE.replace("Shop", "Other").replace("shop-", "other-").replace("Orders", "Others");
    let environment = Environment::of(&[("shop.env/orders.yml", STORAGE), ("shop.env/others.yml", &other)]);
    std::fs::create_dir(environment.project.path("plans")).unwrap();
    environment
}

/// Rehearses these files with a plan in the folder for plans. Returns the name of the plan and what it says.
fn planned(environment: &Environment, settings: &Value) -> (String, Value) {
    let plans = environment.project.path("plans");
    let cloud = cloud();
    let common =
        json!({"whatIf": true, "environment": {}, "context": {"cloud": cloud.endpoint(), "planReport": plans}});
    let outcome = run_deployment(&with(common, settings.clone()));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let json = find(&plans, "json");
    let report = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    (json.file_stem().unwrap().to_string_lossy().into_owned(), report)
}

fn find(folder: &Path, extension: &str) -> std::path::PathBuf {
    let mut entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.find(|path| path.extension().is_some_and(|own| own == extension)).unwrap()
}

/// The documents that the actions of a plan name, each once.
fn of_actions(report: &Value) -> Vec<&str> {
    let actions = report["actions"].as_array().unwrap().iter();
    let mut documents: Vec<&str> = actions.map(|action| action["document"].as_str().unwrap()).collect();
    documents.sort_unstable();
    documents.dedup();
    documents
}

#[test]
fn the_plan_of_a_folder_is_called_after_it_and_has_no_paths() {
    let environment = shop();
    let (name, report) = planned(&environment, &json!({"settingsFiles": [environment.project.path("shop.env")]}));
    assert_eq!(name, "shop.env");
    assert_eq!(report["documents"], json!(["orders.yml", "others.yml"]));
    assert_eq!(of_actions(&report), ["orders.yml", "others.yml"]);
    let folder = environment.path("");
    for extension in ["json", "md", "html"] {
        let text = std::fs::read_to_string(find(&environment.project.path("plans"), extension)).unwrap();
        assert!(text.contains("others.yml") && !text.contains(&folder), "{extension}: {text}");
    }
    let markdown = std::fs::read_to_string(find(&environment.project.path("plans"), "md")).unwrap();
    assert!(markdown.contains("#### `orders.yml`: 2 to create"), "a part for each document: {markdown}");
}

#[test]
fn the_plan_of_several_documents_is_called_after_the_command() {
    let environment = shop();
    let files = ["shop.env/others.yml", "shop.env/orders.yml"].map(|file| environment.project.path(file));
    assert_eq!(planned(&environment, &json!({"settingsFiles": files})).0, "New-SvcDeployment");
    let only = planned(&shop(), &json!({"settingsFiles": [environment.project.path("shop.env/orders.yml")]}));
    assert_eq!(only.0, "orders");
}

#[test]
fn the_plan_of_objects_tells_them_apart_by_their_numbers() {
    let account = |name: &str| {
        json!({"component": "storage", "location": "uksouth", "resourceGroupName": name,
            "storageAccounts": [{"storageAccountName": name, "accountType": "Standard"}]})
    };
    let (name, report) = planned(&shop(), &json!({"settings": [account("one"), account("two")]}));
    assert_eq!(name, "New-SvcDeployment");
    assert_eq!(report["documents"], json!(["settings object [0]", "settings object [1]"]));
    assert_eq!(of_actions(&report), ["settings object [0]", "settings object [1]"]);
}

#[test]
fn what_was_approved_of_several_documents_is_deployed_and_nothing_else() {
    let environment = shop();
    let cloud = cloud();
    let folder = json!({"settingsFiles": [environment.project.path("shop.env")], "environment": {},
        "context": {"cloud": cloud.endpoint()}});
    let plan = environment.project.path("plans/plan.json");
    run_deployment(&with(folder.clone(), json!({"whatIf": true, "context": {"planReport": plan}})));
    let approved = with(folder, json!({"context": {"approvedPlan": plan}}));
    let kept = std::fs::read_to_string(environment.project.path("shop.env/others.yml")).unwrap();
    environment.project.write("shop.env/others.yml", kept.replace("Others", "Elsewhere"));
    assert_eq!(run_deployment(&approved).last_error().failure.code.as_str(), "PlanChanged");
    environment.project.write("shop.env/others.yml", kept);
    assert_eq!(run_deployment(&approved).summary(), "created 4");
}
