//! Values: what `$(name)` in documents and tag settings stands for, in which environment, and what is said of them.

use serde_json::{Value, json};
use svc_engine::protocol::{FilePlace, Message};
use svc_engine::run::{Job, Start, Work, start as start_work};
use svc_local_cloud::LocalCloud;

use crate::support::*;
use crate::template::make;

const STORAGE: &str = "\
location: $(location)
resourceGroupName: Shop
storageAccounts:
  - storageAccountName: Orders
    accountType: $(tier)
    replication: $(replication)
    supportsHttpsTrafficOnly: $(https)
    blobContainer: $(containers)
  - storageAccountName: Cost-$(centre)
    accountType: Standard
    queue: $(queues)
";

const ALL: &str = "\
location: UK South
tier: Standard
replication: LRS
https: true
centre: 7
containers:
  - name: invoices
    publicAccess: None
queues:
  - orders
";

/// A project with values for all environments, and those of each.
fn project(text: &str, all: &str, of: &[(&str, &str)]) -> Project {
    let project = Project::with(text);
    project.write("_values/all.yml", all);
    of.iter().for_each(|(environment, text)| project.write(&format!("_values/{environment}.yml"), text));
    project
}

/// The request of an environment.
fn request(project: &Project, cloud: &LocalCloud, environment: &str) -> Value {
    with(project.request(cloud), json!({"context": {"environment": environment}}))
}

/// The findings of a run, each with its file, its place and its setting.
fn findings(project: &Project) -> Vec<String> {
    let outcome = run(&project.request(&cloud()));
    let root = format!("{}/", project.path("").display().to_string().trim_end_matches('/'));
    let shown = |finding: &svc_engine::protocol::FindingReport| {
        let file = finding.file.as_deref().unwrap_or_default();
        let (line, column) = (finding.line.unwrap_or_default(), finding.column.unwrap_or_default());
        let file = file.strip_prefix(&root).unwrap_or(file);
        format!("{file}:{line}:{column} {} {}: {}", finding.code.as_str(), finding.path, finding.message)
    };
    outcome.last_error().findings.iter().map(shown).collect()
}

#[test]
fn a_value_has_its_type_and_is_told_where_it_stands() {
    let (cloud, project) = (cloud(), project(STORAGE, ALL, &[("production", "centre: 8\nqueues:\n")]));
    let outcome = run(&request(&project, &cloud, "development"));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let names: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    let made = |name: &str| names.iter().any(|made| made.starts_with(name));
    assert!(["stordersdb8e13ec", "invoices", "stcost7", "orders"].into_iter().all(made), "{names:?}");
    let origin = |name: &str, path: &str| {
        let change = outcome.action(name).changes.iter().find(|change| change.path == path);
        change.unwrap_or_else(|| panic!("{path}")).origin.clone().unwrap()
    };
    assert_eq!(origin("stordersdb8e13ec", "location"), "_values/all.yml:1:11");
    assert_eq!(origin("stordersdb8e13ec", "properties.supportsHttpsTrafficOnly"), "_values/all.yml:4:8");
    assert_eq!(outcome.action("invoices").origin.as_deref(), Some("_values/all.yml:7:5"));
    assert_eq!(run(&request(&project, &cloud, "development")).summary(), "unchanged 5");
    // Another environment has another value, and one that is nothing leaves the setting out.
    let other = self::cloud();
    let outcome = run(&request(&project, &other, "production"));
    let names: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
    assert!(names.iter().any(|name| name.starts_with("stcost8")) && !names.contains(&"orders"), "{names:?}");
}

#[test]
fn what_is_wrong_is_told_where_it_can_be_mended() {
    let all = "location: UK South\ntier: Standrd\nreplication: LRS\nhttps: maybe\ncentre: [1]\ncontainers:\n  - nam: x\nqueus: 1\n";
    let project = project(STORAGE, all, &[]);
    assert_eq!(
        findings(&project),
        [
            "_values/all.yml:2:7 UnknownValue storageAccounts[0].accountType: 'Standrd' is not valid; use Standard or Premium (for '$(tier)' in storage.yml:5:18)",
            "_values/all.yml:4:8 WrongType storageAccounts[0].supportsHttpsTrafficOnly: expected true or false, found 'maybe' (for '$(https)' in storage.yml:7:31)",
            "_values/all.yml:7:5 UnknownKey storageAccounts[0].blobContainer[0].nam: unknown key, did you mean 'name'? (for '$(containers)' in storage.yml:8:20)",
            "storage.yml:9:25 ReferenceInvalid storageAccounts[1].storageAccountName: '$(centre)' stands for a list (_values/all.yml:5:9), which cannot be a part of a text",
            "storage.yml:11:12 ValueNotFound storageAccounts[1].queue: 'queues' has no value in the environment development, did you mean 'queus'?",
        ]
    );
}

#[test]
fn references_that_are_none_are_findings_and_hide_nothing_else() {
    let document = |name: &str| document("").replace("Orders", name);
    let only = |text: &str, all: &str| {
        let findings = findings(&project(text, all, &[]));
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings.into_iter().next().unwrap()
    };
    for name in ["\"$(a b)\"", "\"x$(\"", "\"$()\"", "\"$(a.b)\"", "\"$(env:)\""] {
        let finding = only(&document(name), "a: 1\n");
        assert!(finding.contains("ReferenceInvalid") && finding.contains("is no reference to a value"), "{finding}");
    }
    let finding = only(&document("$(env:NOT_SET)"), "{}\n");
    assert!(
        finding.ends_with("ValueNotFound storageAccounts[0].storageAccountName: the variable NOT_SET is not set"),
        "{finding}"
    );
    // What is in a value is looked at, too.
    for (all, what) in [
        ("a: $(b)\nb: x\n", "a value cannot refer to another value"),
        ("a: [x, {b: 'y$(env:C)'}]\n", "a value cannot refer to another value"),
        ("a b: x\n", "'a b' is not the name of a value"),
        ("- a\n", "expected names with their values"),
        ("a: 1\na: 2\n", "duplicate key 'a'"),
    ] {
        let finding = only(&self::document(""), all);
        assert!(finding.starts_with("_values/all.yml:") && finding.contains(what), "{finding}");
    }
    // Half a file, and one that is empty.
    assert!(only(&self::document(""), "a: [1\n").starts_with("_values/all.yml:"));
    assert_eq!(run(&project(&self::document(""), "# nothing yet\n", &[]).request(&cloud())).summary(), "created 2");
}

#[test]
fn a_literal_is_what_it_says() {
    let queues = "storageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n    queue: [$(a)]\n";
    let text = format!("location: UK South\nresourceGroupName: Shop\n{queues}");
    let project = project(&text, "a: 'x$$(y)'\n", &[]);
    let findings = findings(&project);
    assert!(findings.iter().any(|finding| finding.contains("'x$(y)'")), "{findings:#?}");
    project.write("storage.yml", text.replace("$(a)", "'$$(a)'"));
    let findings = self::findings(&project);
    assert!(findings.iter().any(|finding| finding.contains("'$(a)'")), "{findings:#?}");
}

#[test]
fn without_a_folder_a_reference_is_text_and_that_is_told_where_it_is_all_there_is() {
    let text = document("").replace("Orders", "$(name)");
    let outcome = run(&Project::with(&text).request(&cloud()));
    let told: Vec<&str> = outcome.warnings().into_iter().filter(|warning| warning.contains("plain text")).collect();
    let [warning] = told[..] else { panic!("{:#?}", outcome.warnings()) };
    assert!(warning.ends_with("'$(name)' is plain text, because there is no folder '_values'"), "{warning}");
    let text = document("").replace("Orders", "Orders$(name)");
    let outcome = run(&Project::with(&text).request(&cloud()));
    assert!(!outcome.warnings().iter().any(|warning| warning.contains("plain text")), "{:#?}", outcome.warnings());
}

#[test]
fn values_that_no_document_uses_are_told_and_those_of_other_documents_are_not() {
    let project = project(
        STORAGE,
        &format!("{ALL}spare: 1\nother: 2\nowner: shop\n"),
        &[("development", "left: 3\n"), ("prodction", "")],
    );
    project.write("apps/web.yml", "component: web\nname: shop-$(other)\n");
    project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: $(owner)}}\n");
    let outcome = run(&project.request(&cloud()));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let warnings: Vec<&str> = outcome.warnings().into_iter().filter(|warning| warning.contains("_values")).collect();
    assert_eq!(
        warnings,
        [
            "The file '_values/prodction.yml' is not read: did you mean 'production.yml'?",
            "_values/development.yml:1:1: left: no document uses this value",
            "_values/all.yml:11:1: spare: no document uses this value",
        ]
    );
    let place = outcome.messages.iter().find_map(|message| match message {
        Message::Warning(warning) if warning.message.contains("spare") => warning.place.clone(),
        _ => None,
    });
    let file = project.path("_values/all.yml").display().to_string();
    assert_eq!(place, Some(FilePlace { file, line: 11, column: 1 }));
}

#[test]
fn the_nearest_folder_counts_and_a_file_in_its_place_is_none() {
    let (cloud, project) = (cloud(), Project::with(""));
    let text = document("").replace("Orders", "$(name)");
    project.write("_values/all.yml", "name: Far\n");
    project.write("shop/storage.yml", &text);
    let request = project.request_for("shop/storage.yml", &cloud);
    assert!(run(&request).plan().iter().any(|action| action.resource.name.starts_with("stfar")));
    project.write("shop/_values/test.yml", "name: Near\n");
    let outcome = run(&request);
    assert_eq!(outcome.last_error().findings.len(), 1, "the far one is not read");
    let outcome = run(&with(request.clone(), json!({"context": {"environment": "test"}})));
    assert!(outcome.plan().iter().any(|action| action.resource.name.starts_with("stnear")));
    std::fs::remove_dir_all(project.path("shop/_values")).unwrap();
    project.write("shop/_values", "name: File\n");
    assert_eq!(run(&request).summary(), "unchanged 2");
}

#[test]
fn values_cannot_make_a_document_larger_than_it_may_be() {
    let large = format!("a:\n{}", "  - x: y\n".repeat(120_000));
    let list = "  - $(a)\n".repeat(40);
    let findings = findings(&project(&format!("{}more:\n{list}", document("")), &large, &[]));
    assert!(
        findings.iter().any(|finding| finding.ends_with("the values add too much to the document")),
        "{findings:#?}"
    );
    let deep = format!("a: {}1{}\n", "[".repeat(62), "]".repeat(62));
    let findings = self::findings(&project(&format!("{}more: [[$(a)]]\n", document("")), &deep, &[]));
    assert!(findings.iter().any(|finding| finding.contains("TooDeep")), "{findings:#?}");
}

const SECRET: &str = "hunter2-of-the-caller";
const OLD_SECRET: &str = "yesterdays-secret-of-all";

/// A project with a variable of the caller in a tag, alone and in a text.
fn secretive() -> Project {
    let project = project(&format!("component: storage\n{}", document("")), "region: uk\n", &[]);
    project.write(
        "_tags/globalTags.yml",
        "tags: {mandatory: {owner: '$(env:OWNER)', cost: '$(region)/$(env:OWNER)/x'}}\n",
    );
    project
}

fn with_owner(request: Value, owner: &str) -> Value {
    with(request, json!({"environment": {"OWNER": owner}}))
}

#[test]
fn a_variable_is_a_secret_wherever_it_lands() {
    let (cloud, project) = (cloud(), secretive());
    let reports: Vec<_> = ["plan.md", "plan.html", "plan.json"].map(|file| project.path(file)).into();
    let request = |owner: &str| {
        let request =
            with(project.request(&cloud), json!({"context": {"planReport": reports, "includeUnchanged": true}}));
        with_owner(request, owner)
    };
    let hidden = |outcome: &Outcome, of: &str| {
        let mut texts = vec![serde_json::to_string(&outcome.messages).unwrap()];
        texts.extend(reports.iter().filter_map(|file| std::fs::read_to_string(file).ok()));
        for text in texts {
            assert!(!text.contains(SECRET) && !text.contains(OLD_SECRET), "{of}: {text}");
        }
    };
    let first = run(&request(OLD_SECRET));
    hidden(&first, "a creation");
    assert_eq!(resource(&cloud, ACCOUNT)["tags"], json!({"owner": OLD_SECRET, "cost": format!("uk/{OLD_SECRET}/x")}));
    let second = run(&request(SECRET));
    assert_eq!(second.summary(), "modified 1, unchanged 1");
    hidden(&second, "a change");
    assert_eq!(
        second.action("stordersdb8e13ec").changes[0].after.as_ref().map(ToString::to_string).as_deref(),
        Some("\"uk/***/x\"")
    );
    hidden(&run(&request(SECRET)), "a second run");
    // What is wrong with the document is told without it, too.
    project.write("storage.yml", document("").replace("Standard", "$(env:OWNER)"));
    let outcome = run(&request(SECRET));
    assert_eq!(outcome.last_error().findings.len(), 1);
    hidden(&outcome, "a finding");
}

#[test]
fn a_template_asks_for_a_variable_and_has_none_in_a_name() {
    let (cloud, project) = (cloud(), secretive());
    let made = make(&with_owner(project.request(&cloud), SECRET));
    let report = made.report();
    assert!(!serde_json::to_string(&made.outcome.messages).unwrap().contains(SECRET));
    let secrets: Vec<&str> = report
        .parameters
        .iter()
        .filter(|parameter| parameter.secret)
        .map(|parameter| parameter.name.as_str())
        .collect();
    assert_eq!(secrets.len(), 2, "{secrets:?}");
    project.write("storage.yml", format!("component: storage\n{}", document("").replace("Orders", "$(env:OWNER)")));
    let made = make(&with_owner(project.request(&cloud), "hunter2secret"));
    let (code, message) = made.outcome.failed_with();
    assert_eq!(code, "TemplateImpossible");
    assert!(message.contains("a part of a name") && !message.contains("hunter2"), "{message}");
}

#[test]
fn an_approved_plan_is_for_its_secrets() {
    let (cloud, project) = (cloud(), secretive());
    let file = project.path("plan.json");
    let plan = with(project.request(&cloud), json!({"whatIf": true, "context": {"planReport": [&file]}}));
    run(&with_owner(plan, SECRET));
    let apply = with(project.request(&cloud), json!({"context": {"approvedPlan": &file}}));
    let (code, message) = {
        let outcome = run(&with_owner(apply.clone(), OLD_SECRET));
        let (code, message) = outcome.failed_with();
        (code.to_owned(), message.to_owned())
    };
    assert_eq!(code, "PlanChanged");
    assert!(message.contains("tags.owner is to be another secret than in the approved plan"), "{message}");
    assert_eq!(run(&with_owner(apply.clone(), SECRET)).summary(), "created 2");
    assert_eq!(run(&with_owner(apply, SECRET)).summary(), "unchanged 2");
}

#[test]
fn a_variable_that_cannot_be_hidden_is_refused() {
    let project = secretive();
    let outcome = run(&with_owner(project.request(&cloud()), "short"));
    let [first, ..] = &outcome.last_error().findings[..] else { panic!("no finding") };
    assert_eq!(
        first.message,
        "the variable OWNER has fewer than 6 characters, too few to be hidden as a secret; what is none belongs into _values"
    );
}

#[test]
fn items_and_documents_are_left_out_of_environments() {
    let (cloud, text) = (
        cloud(),
        format!(
            "{}    blobContainer: [{{name: one}}, {{name: two, onlyIn: [Production, test]}}]\n  - storageAccountName: Extra\n    accountType: $(nothing)\n    NOTIN: development\n",
            document("")
        ),
    );
    let project = Project::with(&text);
    let outcome = run(&project.request(&cloud));
    assert_eq!(outcome.summary(), "created 3, left out 2");
    assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
    let told: Vec<&str> = outcome.verbose().into_iter().filter(|line| line.contains("left out")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].ends_with("storageAccounts[0].blobContainer[1] is left out: it is only in Production and test."),
        "{told:?}"
    );
    let left_out = outcome.messages.iter().find_map(|message| match message {
        Message::Plan { made_with, .. } => Some(made_with.left_out),
        _ => None,
    });
    assert_eq!(left_out, Some(2));
    // What is behind what is left out keeps its place.
    let moved =
        text.replace("[{name: one}, ", "[").replace("onlyIn: [Production, test]}]", "onlyIn: test}, {name: A!}]");
    let findings = findings(&Project::with(&moved));
    assert!(
        findings.iter().any(|finding| finding.contains("blobContainer[1].name: ") && finding.contains("'a!'")),
        "{findings:#?}"
    );
    // What is taken out of an environment is taken out of the document: of a storage account it stays.
    project.write("storage.yml", text.replace("{name: one}", "{name: one, notIn: development}"));
    let outcome = run(&project.request(&cloud));
    assert_eq!(outcome.summary(), "unchanged 2, left out 3");
    project.write("storage.yml", format!("onlyIn: production\n{text}"));
    let outcome = run(&project.request(&cloud));
    assert_eq!((outcome.summary().as_str(), outcome.plan().len()), ("left out 1", 0));
}

#[test]
fn what_says_nothing_of_environments_is_a_finding() {
    for (said, code, what) in [
        ("onlyIn: prodction", "UnknownValue", "did you mean 'production'?"),
        ("onlyIn: []", "WrongType", "expected the names of environments"),
        ("onlyIn: [{a: b}]", "WrongType", "expected the names of environments"),
        ("onlyIn: test\nnotIn: test", "DuplicateKey", "use onlyIn or notIn, not both"),
    ] {
        let findings = findings(&Project::with(&format!("{said}\n{}", document(""))));
        let [finding] = &findings[..] else { panic!("{findings:#?}") };
        assert!(finding.contains(code) && finding.contains(what), "{finding}");
    }
    let nested = format!("{}    privateEndpoints: {{}}\nservice: {{onlyIn: test}}\n", document(""));
    let findings = findings(&Project::with(&nested));
    assert!(findings.iter().any(|finding| finding.contains("onlyIn")), "{findings:#?}");
}

#[test]
fn an_alert_that_is_left_out_is_a_planned_deletion() {
    let cloud = crate::support::estate::landing_zone();
    let text = std::fs::read_to_string(repository("examples/log-alerts.yml")).unwrap();
    let at = text.rfind("          - definition: ").unwrap_or_else(|| panic!("{text}"));
    let project = Project::with(&text);
    let request = |environment: &str| {
        let request = with(project.request(&cloud), json!({"context": {"environment": environment}}));
        let operation = crate::start_at(Work::Deploy(Job::Component), request.to_string().as_bytes(), UNHURRIED);
        follow(&operation, |actions| actions.iter().map(|action| action.index).collect())
    };
    let created = request("development");
    assert!(created.errors().is_empty(), "{:#?}", created.errors());
    let (before, after) = text.split_at(at + "          - ".len());
    project.write("storage.yml", format!("{before}onlyIn: [production]\n            {after}"));
    let outcome = request("development");
    assert_eq!(outcome.counts().deleted, 1, "{:#?}", outcome.descriptions());
}

#[test]
fn a_check_reads_values_and_contacts_nothing() {
    let project = project(&format!("component: storage\n{STORAGE}"), ALL, &[]);
    let request = json!({"settingsFile": project.path("storage.yml"), "environment": {}}).to_string();
    let operation = start_work(Start::new(Work::Validate(Job::Component), request.as_bytes()));
    while let Some(message) = next(&operation) {
        assert!(!matches!(message, Message::Error(_)), "{message:?}");
    }
}
