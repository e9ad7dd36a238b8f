//! The plan on file, and the run that does what was approved and nothing else.

use std::path::Path;

use serde_json::{Value, json};
use svc_engine::protocol::Message;

use crate::support::*;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A plan that is made, written to `plan.json`, and changed by nobody.
fn rehearsed(project: &Project, cloud: &svc_local_cloud::LocalCloud) -> Value {
    let file = project.path("plan.json");
    let request = with(project.request(cloud), json!({"whatIf": true, "context": {"planReport": file}}));
    run(&request);
    read(&file)
}

fn approved(project: &Project, cloud: &svc_local_cloud::LocalCloud, what_if: bool) -> Outcome {
    let context = json!({"approvedPlan": project.path("plan.json")});
    run(&with(project.request(cloud), json!({"whatIf": what_if, "context": context})))
}

#[test]
fn the_plan_is_written_with_what_belongs_to_it() {
    let (project, cloud) = (Project::with(&document("queue: [orders]")), cloud());
    let report = rehearsed(&project, &cloud);
    assert_eq!((&report["format"], &report["command"]), (&json!(2), &json!("New-SvcIaasStorage")));
    assert_eq!((&report["documents"], &report["whatIf"]), (&json!(["storage.yml"]), &json!(true)));
    assert_eq!(report["target"]["endpoint"], cloud.endpoint().trim_end_matches('/'));
    assert_eq!(report["counts"], json!({"create": 3, "modify": 0, "delete": 0, "unchanged": 0, "kept": 0}));
    assert_eq!(report["actions"][2]["dependsOn"], json!([0, 1]));
    assert!(report["created"].as_str().unwrap().ends_with('Z'), "{}", report["created"]);
    // It is there where nothing changes, too.
    project.deploy(&cloud);
    let report = rehearsed(&project, &cloud);
    assert_eq!((&report["counts"]["unchanged"], &report["actions"]), (&json!(3), &json!([])));
}

#[test]
fn it_is_written_before_the_question() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let file = project.path("plan.json");
    let operation = start(&with(project.request(&cloud), json!({"context": {"planReport": [file]}})));
    let mut there = false;
    let outcome = follow(&operation, |actions| {
        there = file.is_file();
        assert!(cloud.resource(&actions[0].resource.resource_id).is_none());
        Vec::new()
    });
    assert!(there && outcome.plan().len() == 2);
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_folder_gets_every_form_named_after_the_document() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let folder = project.path("plans");
    std::fs::create_dir(&folder).unwrap();
    let environment = json!({"SVC_PLAN_REPORT": folder});
    run(&with(project.request(&cloud), json!({"whatIf": true, "environment": environment})));
    assert_eq!(names(&folder), ["storage.html", "storage.json", "storage.md"], "and nothing half written");
    assert_eq!(read(&folder.join("storage.json"))["documents"], json!(["storage.yml"]));
    let markdown = std::fs::read_to_string(folder.join("storage.md")).unwrap();
    assert!(markdown.starts_with("## Plan of `storage.yml` for ") && markdown.contains("2 to create"), "{markdown}");
    let page = std::fs::read_to_string(folder.join("storage.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("stordersdb8e13ec"));
    // Another document of that name has the same one: what a plan is called does not depend on what was planned before.
    std::fs::create_dir(project.path("other")).unwrap();
    project.write("other/storage.yml", document("queue: [orders]"));
    let other = json!({"settingsFile": project.path("other/storage.yml"), "whatIf": true, "environment": environment});
    run(&with(project.request(&cloud), other));
    assert_eq!(names(&folder), ["storage.html", "storage.json", "storage.md"]);
    assert_eq!(read(&folder.join("storage.json"))["counts"]["create"], 3);
}

#[test]
fn warnings_of_the_plan_are_those_that_were_said_and_those_that_were_too_many() {
    let empty = vec!["''"; 130].join(", ");
    let text = format!("component: storages\n{}", document(&format!("queue: [orders, {empty}]")));
    let (project, cloud) = (Project::with(&text), cloud());
    let files = [project.path("plan.json"), project.path("plan.md"), project.path("plan.html")];
    let context = json!({"offline": true, "planReport": files});
    let outcome = run(&with(project.request(&cloud), json!({"whatIf": true, "omitTags": true, "context": context})));
    let said = outcome.warnings();
    let warnings: Vec<String> = serde_json::from_value(read(&files[0])["warnings"].clone()).unwrap();
    assert_eq!(warnings.len(), 3 + 130, "{warnings:#?}");
    let (more, sent) = said.split_last().unwrap();
    assert!(more.ends_with(" more warnings."), "{more}");
    assert!(sent.iter().all(|warning| warnings.iter().any(|kept| kept == warning)), "{said:#?}");
    for what in ["component", "as was asked for", "The plan is made offline"] {
        assert!(warnings.iter().any(|warning| warning.contains(what)), "{what} is not in {warnings:#?}");
    }
    for file in &files[1..] {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains("This plan was made offline"), "{}", file.display());
    }
    // Offline and under what-if the result counts what is planned.
    assert_eq!(outcome.summary(), "created 3");
}

#[test]
fn what_stays_as_it_is_is_in_the_plan() {
    let (project, cloud) = (Project::with(&document("replication: LRS")), cloud());
    project.deploy(&cloud);
    project.write("storage.yml", document("replication: ZRS"));
    let report = rehearsed(&project, &cloud);
    assert_eq!((&report["counts"]["kept"], &report["actions"]), (&json!(1), &json!([])), "{report}");
    assert_eq!(report["kept"][0]["wanted"], "Standard_ZRS");
}

#[test]
fn what_cannot_be_written_ends_the_run_before_anything_is_changed() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    for path in [project.path("plan.txt"), project.path("plan"), project.path("no-folder/plan.json")] {
        let outcome = run(&with(project.request(&cloud), json!({"context": {"planReport": path}})));
        let error = outcome.errors()[0];
        assert_eq!(error.failure.code.as_str(), "PlanReportFailed", "{}", path.display());
        if error.failure.message.contains("its extension is unknown") {
            let advice = error.failure.recommendation.as_deref().unwrap();
            assert_eq!(advice, "Use a folder that exists, or a file that ends with .md, .html or .json.");
        }
        assert!(outcome.plan().is_empty() && writes(&cloud.requests()).is_empty());
    }
    let outcome = run(&with(project.request(&cloud), json!({"context": {"planReport": ["plan.json"]}})));
    assert_eq!(outcome.errors()[0].failure.code.as_str(), "PathNotAbsolute");
}

#[test]
fn an_offline_plan_on_file_says_so_and_approves_nothing() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let file = project.path("plan.json");
    let request =
        with(project.request(&cloud), json!({"whatIf": true, "context": {"offline": true, "planReport": file}}));
    run(&request);
    let report = read(&file);
    assert_eq!((&report["offline"], report.get("target")), (&json!(true), None));
    let outcome = approved(&project, &cloud, false);
    let error = outcome.errors()[0];
    assert_eq!(error.failure.code.as_str(), "ApprovedPlanInvalid");
    assert!(error.failure.message.contains("it was made offline"), "{}", error.failure.message);
}

#[test]
fn what_was_approved_is_done_and_questions_are_asked_as_before() {
    let (project, cloud) = (Project::with(&document("queue: [orders]")), cloud());
    rehearsed(&project, &cloud);
    assert_eq!(approved(&project, &cloud, true).plan().len(), 3, "checked under what-if, too");
    // An editor may have put a mark before the text.
    let text = std::fs::read_to_string(project.path("plan.json")).unwrap();
    project.write("plan.json", format!("\u{FEFF}{text}"));
    let outcome = approved(&project, &cloud, false);
    assert_eq!((outcome.plan().len(), outcome.summary().as_str()), (3, "created 3"));
    assert_eq!(approved(&project, &cloud, false).summary(), "unchanged 3", "all of it is done already");
}

#[test]
fn what_was_not_approved_ends_the_run_before_anything_is_changed() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    rehearsed(&project, &cloud);
    project.write("storage.yml", document("queue: [orders]"));
    for what_if in [true, false] {
        let outcome = approved(&project, &cloud, what_if);
        let error = outcome.errors()[0];
        assert_eq!(error.failure.code.as_str(), "PlanChanged");
        assert!(
            error.failure.message.contains(
                "[1] queue 'stordersdb8e13ec/default/orders' is to be created; the approved plan has no such resource"
            ),
            "{}",
            error.failure.message
        );
        assert_eq!(outcome.plan().len(), 3, "the new plan is shown");
        let is_refused = |message: &Message| matches!(message, Message::Plan { refused: true, .. });
        assert!(outcome.messages.iter().any(is_refused), "and nobody is asked about it");
        assert!(writes(&cloud.requests()).is_empty());
    }
}

#[test]
fn a_run_that_failed_half_way_goes_on_with_the_same_file() {
    let (project, cloud) = (Project::with(&document("queue: [orders]")), cloud());
    rehearsed(&project, &cloud);
    cloud.misbehave(fault("status=403,method=PUT,path=queues/orders"));
    let outcome = approved(&project, &cloud, false);
    assert_eq!(outcome.summary(), "created 2, failed 1");
    assert_eq!(approved(&project, &cloud, false).summary(), "created 1, unchanged 2");
}

#[test]
fn the_approved_plan_is_not_overwritten_by_another_one() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let before = rehearsed(&project, &cloud);
    project.write("storage.yml", document("queue: [orders]"));
    let file = project.path("plan.json");
    let request = with(project.request(&cloud), json!({"context": {"approvedPlan": file, "planReport": file}}));
    assert_eq!(run(&request).errors()[0].failure.code.as_str(), "PlanChanged");
    assert_eq!(read(&file), before);
}

#[test]
fn a_file_that_is_no_plan_for_this_approves_nothing() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let report = rehearsed(&project, &cloud);
    let half_written = report.to_string().split_at(report.to_string().len() / 2).0.to_owned();
    let mut repeated = report.clone();
    repeated["actions"] = json!([report["actions"][0], report["actions"][0]]);
    let mut without_key = report.clone();
    without_key["digestKey"] = json!("");
    let mut other = report.clone();
    other["documents"] = json!(["other.yml"]);
    let mut later = report.clone();
    later["format"] = json!(1);
    let mut of_production = report.clone();
    of_production["environment"] = json!("production");
    let mut elsewhere = report;
    elsewhere["target"]["subscriptionId"] = json!("11111111-2222-3333-4444-555555555555");
    for (text, reason) in [
        (String::new(), "it is not a plan, because it is not JSON: "),
        ("{".to_owned(), "it is not a plan, because it is not JSON: line 1, column 1: the object has no end."),
        (half_written, "it is not a plan, because it is not JSON: "),
        ("[2]".to_owned(), "it is not a plan: it is no object with a 'format'"),
        (r#"{"format": 2}"#.to_owned(), "it is not a plan: line 1, column "),
        (json!({"format": "2"}).to_string(), "its format is \"2\", expected 2"),
        (repeated.to_string(), "it has two actions for '/subscriptions/"),
        (without_key.to_string(), "its digestKey is no key"),
        (other.to_string(), "it is a plan for 'other.yml', not for 'storage.yml'"),
        (later.to_string(), "its format is 1, expected 2"),
        (of_production.to_string(), "it is a plan for the environment production, not for development"),
        (elsewhere.to_string(), "it is a plan for the subscription 11111111-2222-3333-4444-555555555555"),
    ] {
        project.write("plan.json", text);
        let outcome = approved(&project, &cloud, false);
        let error = outcome.errors()[0];
        assert_eq!(error.failure.code.as_str(), "ApprovedPlanInvalid");
        assert!(error.failure.message.contains(reason), "{}", error.failure.message);
        assert!(writes(&cloud.requests()).is_empty());
    }
}

#[test]
fn the_target_is_said_once_and_before_anything_is_read() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let outcome = run(&with(project.request(&cloud), json!({"context": {"subscriptionName": "Shop"}})));
    let targets: Vec<_> = outcome
        .messages
        .iter()
        .filter_map(|message| if let Message::Target(target) = message { Some(target) } else { None })
        .collect();
    let [target] = targets[..] else { panic!("not one target: {targets:?}") };
    assert_eq!(target.subscription_name.as_deref(), Some("Shop"));
    assert_eq!((&target.identity, target.endpoint.as_str()), (&None, cloud.endpoint().trim_end_matches('/')));
    let plan = outcome.messages.iter().find_map(|message| match message {
        Message::Plan { target, .. } => target.clone(),
        _ => None,
    });
    assert_eq!(target.made_with.environment, "development");
    let bare = svc_engine::protocol::Target { made_with: Default::default(), ..target.clone() };
    assert_eq!(plan, Some(bare), "a plan says the environment beside its target");
}
