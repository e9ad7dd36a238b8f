//! The rules for one document, which hold for several: the plan on file, the approved plan, being stopped and run again.

use super::*;

/// Another document like [`STORAGE`], with a group and an account of its own.
fn other() -> String {
    STORAGE.replace("Shop", "Other").replace("shop-", "other-").replace("Orders", "Ledger")
}

#[test]
fn one_report_has_the_plan_of_all_documents() {
    let environment = Environment::of(&[("a.yml", STORAGE), ("b.yml", &other())]);
    let cloud = cloud();
    let files = ["plan.json", "plan.md", "plan.html"].map(|file| environment.project.path(&format!("plans/{file}")));
    std::fs::create_dir(environment.project.path("plans")).unwrap();
    let request = with(environment.request(&cloud), json!({"whatIf": true, "context": {"planReport": files}}));
    assert!(run_deployment(&request).errors().is_empty());
    let texts = files.map(|file| std::fs::read_to_string(file).unwrap());
    let plan: Value = serde_json::from_str(&texts[0]).unwrap();
    assert_eq!((&plan["command"], &plan["documents"]), (&json!("New-SvcDeployment"), &json!(["a.yml", "b.yml"])));
    let documents: Vec<&str> =
        plan["actions"].as_array().unwrap().iter().map(|action| action["document"].as_str().unwrap()).collect();
    for file in ["a.yml", "b.yml"] {
        let path = environment.path(file);
        assert_eq!(
            documents.iter().filter(|document| document.ends_with(file) && path.ends_with(*document)).count(),
            2
        );
        assert!(texts[1].contains(file) && texts[2].contains(file), "{file}\n{}", texts[1]);
    }
}

#[test]
fn an_approved_plan_holds_for_all_documents_and_for_nothing_else() {
    let environment = Environment::of(&[("a.yml", STORAGE), ("b.yml", &other())]);
    let cloud = cloud();
    let file = environment.project.path("plans/plan.json");
    std::fs::create_dir(environment.project.path("plans")).unwrap();
    run_deployment(&with(environment.request(&cloud), json!({"whatIf": true, "context": {"planReport": file}})));
    let approved = with(environment.request(&cloud), json!({"context": {"approvedPlan": file}}));
    let more = other() + "  - storageAccountName: More\n    accountType: Standard\n";
    environment.project.write("b.yml", &more);
    let before = cloud.requests().len();
    let outcome = run_deployment(&approved);
    let report = outcome.last_error();
    assert_eq!(report.failure.code.as_str(), "PlanChanged");
    assert!(report.failure.message.contains("stmore"), "{}", report.failure.message);
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    environment.project.write("b.yml", other());
    assert_eq!(run_deployment(&approved).summary(), "created 4");
    // It is for these documents.
    environment.project.write("c.yml", other().replace("Other", "Third").replace("other-", "third-"));
    assert_eq!(run_deployment(&approved).last_error().failure.code.as_str(), "ApprovedPlanInvalid");
}

#[test]
fn a_run_that_was_stopped_is_finished_by_the_next_one() {
    let environment = Environment::of(&[("a.yml", STORAGE), ("b.yml", &other())]);
    let cloud = cloud();
    cloud.misbehave(fault("never-ends,method=PUT,path=/storageAccounts/stledger"));
    let operation = start_deployment(&environment.request(&cloud));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        if let Message::Plan { id, actions, .. } = &message {
            let all: Vec<usize> = actions.iter().map(|action| action.index).collect();
            operation.answer(&json!({"id": id, "approved": all}).to_string()).unwrap();
            wait_until("the accounts are being created", || {
                let begun = |name: &str| {
                    cloud.requests().iter().any(|request| request.method == "PUT" && request.url.contains(name))
                };
                begun("/storageAccounts/storders") && begun("/storageAccounts/stledger")
            });
            operation.cancel();
        }
        messages.push(message);
    }
    let stopped = Outcome { messages };
    assert!(stopped.errors().is_empty(), "{:#?}", stopped.errors());
    let [warning] = stopped.warnings()[..] else { panic!("{:#?}", stopped.warnings()) };
    assert!(
        warning.contains("storage account 'stledger") && warning.ends_with("Run the command again to finish."),
        "{warning}"
    );
    cloud.end_operations();
    let finished = environment.deploy(&cloud);
    assert!(finished.errors().is_empty(), "{:#?}", finished.errors());
    assert!(environment.deploy(&cloud).plan().is_empty());
    let written = writes(&cloud.requests());
    for name in ["/storageAccounts/storders", "/storageAccounts/stledger"] {
        let creations = written.iter().filter(|request| {
            request.method == "PUT"
                && request.url.contains(name)
                && request.url.split('?').next().unwrap().rsplit('/').nth(1) == Some("storageAccounts")
        });
        assert_eq!(creations.count(), 1, "{name} is created once");
    }
}

#[test]
fn only_what_is_approved_of_several_documents_is_made() {
    let environment = Environment::of(&[("a.yml", STORAGE), ("b.yml", &other())]);
    let cloud = cloud();
    let of_a = environment.path("a.yml");
    let outcome = follow(&start_deployment(&environment.request(&cloud)), |actions| {
        let of_a = actions.iter().filter(|action| action.document.as_ref() == Some(&of_a));
        of_a.map(|action| action.index).collect()
    });
    assert_eq!(outcome.summary(), "created 2, skipped 2");
    assert_eq!(environment.deploy(&cloud).summary(), "created 2, unchanged 2");
}
