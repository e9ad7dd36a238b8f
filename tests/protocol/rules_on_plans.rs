//! The rules of docs/policies.md, run on the plans that they are about: those in Rego by an engine of Rego, those of PSRule by the meaning that its
//! documentation gives the few words that they use.

use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::environment::run_deployment;
use crate::environment::shop::folder;
use crate::support::estate::landing_zone;
use crate::support::*;

/// The only block of a language in the page.
fn block(language: &str) -> String {
    let text = std::fs::read_to_string(repository("docs/policies.md")).unwrap();
    let (_, after) = text.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

/// The sentences of the rules in Rego about a plan.
fn denied_by_rego(plan: &Value) -> Vec<String> {
    let mut engine = regorus::Engine::new();
    engine.add_policy("plan.rego".to_owned(), block("rego")).unwrap();
    engine.set_input_json(&plan.to_string()).unwrap();
    let found = engine.eval_rule("data.main.deny".to_owned()).unwrap();
    serde_json::from_str(&found.to_json_str().unwrap()).unwrap()
}

/// Whether a condition of PSRule holds ("Expressions"): texts are compared without regard to case.
fn holds(condition: &Value, resource: &Value) -> bool {
    let members = condition.as_object().unwrap();
    if let Some(any) = members.get("anyOf") {
        assert_eq!(members.len(), 1, "{condition}");
        return any.as_array().unwrap().iter().any(|condition| holds(condition, resource));
    }
    let field = members["field"].as_str().unwrap();
    let value = field.split('.').try_fold(resource, |value, name| value.get(name));
    let same = |wanted: &Value| match (value.and_then(Value::as_str), wanted.as_str()) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => value == Some(wanted),
    };
    let rest: Vec<_> = members.iter().filter(|(name, _)| *name != "field").collect();
    match rest[..] {
        [(name, wanted)] if name == "equals" => same(wanted),
        [(name, wanted)] if name == "in" => wanted.as_array().unwrap().iter().any(same),
        [(name, wanted)] if name == "exists" => value.is_some() == wanted.as_bool().unwrap(),
        _ => panic!("{condition} has a word that this test does not know"),
    }
}

/// The rules of PSRule that the resources of a plan do not pass, with the names of these.
fn failed_by_psrule(plan: &Value) -> Vec<(String, String)> {
    let text = block("yaml");
    let rules: Vec<Value> =
        serde_yaml::Deserializer::from_str(&text).map(|rule| Value::deserialize(rule).unwrap()).collect();
    assert_eq!(rules.len(), 3);
    let resources = plan["actions"].as_array().unwrap().iter().filter_map(|action| action.get("after"));
    let mut failed = Vec::new();
    for resource in resources {
        for rule in &rules {
            assert_eq!(
                (&rule["apiVersion"], &rule["kind"]),
                (&json!("github.com/microsoft/PSRule/v1"), &json!("Rule"))
            );
            let (wanted, condition) = (&rule["spec"]["where"], &rule["spec"]["condition"]);
            if holds(wanted, resource) && !holds(condition, resource) {
                failed.push((
                    rule["metadata"]["name"].as_str().unwrap().to_owned(),
                    resource["name"].as_str().unwrap().to_owned(),
                ));
            }
        }
    }
    failed
}

fn plan_of(project: &Project, outcome: impl FnOnce(&std::path::Path) -> Outcome) -> Value {
    let path = project.path("plan.json");
    let outcome = outcome(&path);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn the_rules_of_the_docs_have_nothing_against_the_example() {
    let (cloud, project) = (landing_zone(), Project::new());
    let request = |plan: &std::path::Path| json!({"settingsFiles": [folder()], "whatIf": true, "environment": {}, "context": {"cloud": cloud.endpoint(), "planReport": [plan]}});
    let plan = plan_of(&project, |path| run_deployment(&request(path)));
    assert_eq!((denied_by_rego(&plan), failed_by_psrule(&plan)), (Vec::new(), Vec::new()));
    let kinds = |kind: &str| {
        plan["actions"].as_array().unwrap().iter().filter(|action| action["after"]["type"] == kind).count()
    };
    assert_eq!(
        (kinds("Microsoft.Storage/storageAccounts"), kinds("Microsoft.Web/sites")),
        (3, 3),
        "there is something to judge"
    );
}

#[test]
fn each_rule_of_the_docs_finds_what_it_is_for() {
    let (cloud, project) = (cloud(), Project::with(&document("minimumTlsVersion: TLS1_2\n")));
    let plan = |project: &Project, members: Value| {
        plan_of(project, |path| {
            run(&with(
                with(project.request(&cloud), json!({"whatIf": true, "context": {"planReport": [path]}})),
                members,
            ))
        })
    };
    let mut weak = plan(&project, json!({}));
    let [group, account] = weak["actions"].as_array_mut().unwrap().as_mut_slice() else {
        panic!("a group and an account")
    };
    account["after"]["properties"]["minimumTlsVersion"] = json!("TLS1_1");
    group["after"]["location"] = json!("westeurope");
    weak["actions"]
        .as_array_mut()
        .unwrap()
        .push(json!({"after": {"type": "Microsoft.Web/sites", "name": "app", "properties": {"httpsOnly": false}}}));
    assert_eq!(
        denied_by_rego(&weak),
        [
            "storage.yml:2:20: rg-shop-iaas-99b8167f: everything is in the United Kingdom",
            "storage.yml:4:5: stordersdb8e13ec: storage accounts speak TLS 1.2 or newer"
        ]
    );
    let failed = |rule: &str, name: &str| (rule.to_owned(), name.to_owned());
    assert_eq!(
        failed_by_psrule(&weak),
        [
            failed("Shop.Location", "rg-shop-iaas-99b8167f"),
            failed("Shop.Storage.MinimumTls", "stordersdb8e13ec"),
            failed("Shop.Web.HttpsOnly", "app")
        ]
    );
    // A deletion is one in a real plan.
    project.write("storage.yml", document("service:\n  publish:\n    storage: orders\n"));
    project.deploy(&cloud);
    project.write("storage.yml", document_of(&[("Ledger", "accountType: Standard\n")]));
    let plan = plan(&project, json!({"context": {"prune": true}}));
    assert_eq!(denied_by_rego(&plan), ["stordersdb8e13ec: storage accounts are deleted by hand"]);
}
