//! Validation, what-if, the mode Complete, and deployments that go on for long.

use super::common::{Bench, RESOURCES, STORAGE, absolute, account_path, quick};
use super::deployments::{DEPLOYMENTS, account, bench, body, deployed, ended, path, template};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

fn what_if(bench: &Bench, body: &Value) -> Value {
    let reply = bench.call("POST", &format!("{}/whatIf", path("w")), DEPLOYMENTS, Some(body));
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

/// The changes by the last part of the id: what kind, and the paths of its properties.
fn changes(answer: &Value) -> Vec<(String, String, Vec<String>)> {
    let list = answer["properties"]["changes"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let one = |change: &Value| {
        let name = change["resourceId"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let paths =
            change["delta"].as_array().into_iter().flatten().map(|part| part["path"].as_str().unwrap().to_owned());
        (name, change["changeType"].as_str().unwrap().to_owned(), paths.collect())
    };
    list.iter().map(one).collect()
}

fn tagged(name: &str, tags: Value) -> Value {
    let mut resource = account(name);
    resource["tags"] = tags;
    resource
}

#[test]
fn validation_tries_everything_and_changes_nothing() {
    let bench = bench();
    let validate = |template: &Value| {
        bench.call("POST", &format!("{}/validate", path("v")), DEPLOYMENTS, Some(&body(template, json!({}))))
    };
    let good = validate(&template(json!([account("stgood")]), json!({})));
    assert_eq!(good.status, 200, "{good:?}");
    assert_eq!(good.json()["properties"]["validatedResources"], json!([{"id": absolute(&account_path("stgood"))}]));
    assert_eq!(good.json()["properties"]["provisioningState"], "Succeeded");
    let mut wrong = account("stwrong");
    wrong["kind"] = "NoSuchKind".into();
    let one = validate(&template(json!([wrong, account("stgood")]), json!({})));
    assert_eq!(one.refusal(), (400, "InvalidTemplateDeployment".into()));
    assert_eq!(one.json()["error"]["details"][0]["target"], absolute(&account_path("stwrong")));
    let mut also = wrong.clone();
    also["name"] = "stalso".into();
    let two = validate(&template(json!([wrong, also]), json!({})));
    assert_eq!(two.refusal(), (400, "MultipleErrorsOccurred".into()));
    assert_eq!(two.json()["error"]["details"].as_array().unwrap().len(), 2);
    let language = validate(&template(json!([account("[none()]")]), json!({})));
    assert_eq!(language.refusal(), (400, "InvalidTemplate".into()));
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside", "properties": {"mode": "Incremental",
        "expressionEvaluationOptions": {"scope": "inner"}, "template": template(json!([account("[none()]")]), json!({}))}});
    let inside = validate(&template(json!([nested]), json!({})));
    assert_eq!(inside.refusal(), (400, "InvalidTemplate".into()));
    assert_eq!(bench.cloud.ids().len(), 1, "{:?}", bench.cloud.ids());
    assert_eq!(bench.get(&path("v"), DEPLOYMENTS).status, 404);
}

#[test]
fn what_if_says_what_would_change() {
    let bench = bench();
    let before = template(json!([tagged("stone", json!({"a": "1", "b": "2"})), account("sttwo")]), json!({}));
    deployed(&bench, &path("d"), &body(&before, json!({})));
    let three = |answer: &Value| changes(answer).into_iter().map(|(name, kind, _)| (name, kind)).collect::<Vec<_>>();
    let same = what_if(&bench, &body(&before, json!({})));
    assert_eq!(three(&same), [("stone".into(), "NoChange".into()), ("sttwo".into(), "NoChange".to_owned())]);
    let mut template = template(
        json!([tagged("stone", json!({"a": "3", "c": "[parameters('secret')]"})), account("stthree")]),
        json!({"parameters": {"secret": {"type": "securestring"}}}),
    );
    template["resources"]["stone"]["properties"] = json!({"minimumTlsVersion": "TLS1_2"});
    let secret = json!({"secret": {"value": r#"hunter2 "2\"#}});
    let answer = what_if(&bench, &body(&template, secret.clone()));
    let paths: Vec<String> = ["tags.a", "tags.b", "properties.minimumTlsVersion", "tags.c"].map(str::to_owned).into();
    let mut found = changes(&answer);
    found[0].2.sort_by_key(|path| paths.iter().position(|other| other == path));
    assert_eq!(
        found,
        [
            ("stone".into(), "Modify".into(), paths),
            ("stthree".into(), "Create".into(), vec![]),
            ("sttwo".into(), "Ignore".into(), vec![])
        ]
    );
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    assert!(answer.to_string().contains("*******"), "{answer}");
    assert_eq!(bench.get(&account_path("stone"), STORAGE).json()["tags"], json!({"a": "1", "b": "2"}));
    assert_eq!(bench.get(&path("w"), DEPLOYMENTS).status, 404);
    let mut ids_only = body(&template, secret);
    ids_only["properties"]["whatIfSettings"] = json!({"resultFormat": "ResourceIdOnly"});
    let answer = what_if(&bench, &ids_only);
    assert_eq!(
        three(&answer),
        [("stone".into(), "Deploy".into()), ("stthree".into(), "Create".into()), ("sttwo".into(), "Ignore".to_owned())]
    );
    assert!(answer["properties"]["changes"][0].get("after").is_none());
    let mut wrong = account("stone");
    wrong["location"] = "ukwest".into();
    let failed = what_if(&bench, &body(&super::deployments::template(json!([wrong]), json!({})), json!({})));
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("Failed"), &json!("DeploymentFailed")),
        "{failed}"
    );
}

#[test]
fn what_if_looks_into_nested_deployments_and_is_followed_by_its_location() {
    let bench =
        Bench::with(LocalCloudOptions { operation_time: OperationTime::Fixed(Duration::from_millis(30)), ..quick() });
    bench.group("g");
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside", "resourceGroup": "new", "dependsOn": ["group"], "properties": {"mode": "Incremental",
        "expressionEvaluationOptions": {"scope": "inner"}, "template": template(json!({"store": account("stinner")}), json!({}))}});
    let resources = json!({"group": {"type": "Microsoft.Resources/resourceGroups", "apiVersion": RESOURCES, "name": "new", "location": "ukwest"}, "inside": nested});
    let mut body = body(&template(resources, json!({})), json!({}));
    body["location"] = "uksouth".into();
    let url = "providers/Microsoft.Resources/deployments/w/whatIf";
    let started = bench.call("POST", url, DEPLOYMENTS, Some(&body));
    assert_eq!((started.status, started.text.as_str()), (202, ""));
    let answer = bench.finish(&started).json();
    assert_eq!(
        changes(&answer),
        [("new".into(), "Create".into(), vec![]), ("stinner".into(), "Create".to_owned(), vec![])]
    );
    assert_eq!(answer["properties"]["changes"][1]["symbolicName"], "store");
    assert_eq!(answer["properties"]["changes"][1]["after"]["location"], "uksouth");
    let template = started.header("location").unwrap();
    assert!(template.contains("/operationResults/"), "{template}");
}

#[test]
fn a_deployment_that_goes_on_can_be_cancelled() {
    let bench = Bench::with(LocalCloudOptions { operation_time: OperationTime::Factor(1000.0), ..quick() });
    bench.group("g");
    let mut after = account("stafter");
    after["dependsOn"] = json!(["stslow"]);
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside",
        "properties": {"mode": "Incremental", "template": template(json!([account("stslow"), after]), json!({}))}});
    let body = body(&template(json!([nested]), json!({})), json!({}));
    let started = bench.put(&path("d"), DEPLOYMENTS, &body);
    let link = started.header("azure-asyncoperation").unwrap().to_owned();
    let status = bench.follow(&link);
    assert_eq!((&status.json()["status"], status.header("retry-after")), (&json!("Running"), Some("15")));
    assert_eq!(bench.put(&path("d"), DEPLOYMENTS, &body).refusal(), (409, "DeploymentActive".into()));
    assert_eq!(bench.delete(&path("d"), DEPLOYMENTS).refusal(), (409, "DeploymentActive".into()));
    assert_eq!(bench.call("POST", &format!("{}/cancel", path("d")), DEPLOYMENTS, None).status, 204);
    assert_eq!(ended(&bench, &path("d"), &link)["properties"]["provisioningState"], "Canceled");
    assert_eq!(bench.get(&path("inside"), DEPLOYMENTS).json()["properties"]["provisioningState"], "Canceled");
    let again = bench.call("POST", &format!("{}/cancel", path("d")), DEPLOYMENTS, None);
    assert_eq!(again.refusal(), (409, "DeploymentCannotBeCancelled".into()));
    bench.cloud.end_operations();
    assert_eq!(bench.get(&account_path("stslow"), STORAGE).status, 200, "what has begun goes on");
    assert_eq!(bench.get(&account_path("stafter"), STORAGE).status, 404);
}

#[test]
fn a_deployment_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let options = |time| LocalCloudOptions { state_file: Some(state.clone()), operation_time: time, ..quick() };
    let bench = Bench::with(options(OperationTime::Fixed(Duration::from_secs(2))));
    bench.group("g");
    let mut second = tagged("stsecond", json!({"secret": "[parameters('secret')]"}));
    second["dependsOn"] = json!(["stfirst"]);
    let template =
        template(json!([account("stfirst"), second]), json!({"parameters": {"secret": {"type": "securestring"}}}));
    bench.put(&path("d"), DEPLOYMENTS, &body(&template, json!({"secret": {"value": "hunter2"}})));
    assert_eq!(bench.get(&path("d"), DEPLOYMENTS).json()["properties"]["provisioningState"], "Running");
    drop(bench);
    let bench = Bench::with(options(OperationTime::Fixed(Duration::ZERO)));
    bench.cloud.end_operations();
    let shown = bench.get(&path("d"), DEPLOYMENTS).json();
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(bench.get(&account_path("stsecond"), STORAGE).json()["tags"]["secret"], "hunter2");
    bench.delete(&account_path("stsecond"), STORAGE);
    drop(bench);
    let saved = std::fs::read_to_string(&state).unwrap();
    assert!(saved.contains("\"deployments\":[\n{") && !saved.contains("hunter2"), "{saved}");
}

#[test]
fn secure_parameters_are_not_in_the_request_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("requests.jsonl");
    let bench = Bench::with(LocalCloudOptions { request_log: Some(log.clone()), ..quick() });
    bench.group("g");
    let inner = template(json!({}), json!({"parameters": {"inner": {"type": "secureString"}}}));
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside", "properties": {"mode": "Incremental",
        "expressionEvaluationOptions": {"scope": "inner"}, "template": inner, "parameters": {"inner": {"value": "in hunter2"}}}});
    let template = template(
        json!([nested]),
        json!({"parameters": {"Word": {"type": "SecureString"}, "plain": {"type": "string"}}}),
    );
    let shown = deployed(
        &bench,
        &path("d"),
        &body(&template, json!({"word": {"value": "hunter2"}, "plain": {"value": "visible"}})),
    );
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    let written = std::fs::read_to_string(&log).unwrap();
    assert!(written.contains("visible") && !written.contains("hunter2"), "{written}");
}
