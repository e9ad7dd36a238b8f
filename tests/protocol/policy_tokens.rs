//! Writes under an invoke policy of Azure's: a token for each, acquired when the write was refused for want of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_local_cloud::{LocalCloud, RecordedRequest};

use crate::environment::run_deployment;
use crate::environment::shop::folder;
use crate::support::estate::landing_zone;
use crate::support::*;

const DOCUMENT: &str = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n    replication: LRS\n    queue: [orders]\n";

fn acquisitions(cloud: &LocalCloud) -> Vec<RecordedRequest> {
    let requests = cloud.requests().into_iter();
    requests.filter(|request| request.url.contains("/providers/Microsoft.Authorization/acquirePolicyToken?")).collect()
}

/// The writes of accounts and what is in them, each with its status.
fn writes_of_storage(cloud: &LocalCloud) -> Vec<(RecordedRequest, u16)> {
    let requests = cloud.requests().into_iter().filter(|request| request.url.contains("/Microsoft.Storage/"));
    let writes = requests.filter(|request| ["PUT", "DELETE"].contains(&request.method.as_str()));
    writes.map(|request| (request.clone(), request.status)).collect()
}

/// A refusal for want of a token, in the shape of Azure/azure-sdk issue 10081.
fn wants_token(more: &Value) -> String {
    let mut details =
        json!({"shouldDeny": true, "endpointKind": "AzureResourceGraph", "isChangeReferenceRequired": false});
    details.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let info = json!({"policyDefinitionDisplayName": "Ask first", "evaluationDetails": {"missingPolicyTokenDetails": details}});
    json!({"error": {"code": "RequestDisallowedByPolicy", "message": "Disallowed by policy.", "additionalInfo": [{"type": "PolicyViolation", "info": info}]}})
        .to_string()
}

#[test]
fn a_write_gets_the_token_that_a_policy_wants_and_is_sent_again_as_it_was() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    cloud.misbehave(fault("policy-token=Microsoft.Storage"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 3");
    let writes = writes_of_storage(&cloud);
    // The account and the queue, each refused once; the group is under no such policy.
    let statuses: Vec<u16> = writes.iter().map(|(_, status)| *status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 2, "{statuses:?}");
    assert_eq!(statuses.len(), 4, "{statuses:?}");
    let asked = acquisitions(&cloud);
    assert_eq!(asked.len(), 2);
    for request in &asked {
        let operation = &request.body.as_ref().unwrap()["operation"];
        let url = operation["uri"].as_str().unwrap().trim_start_matches(cloud.endpoint()).to_owned();
        let same: Vec<_> = writes.iter().filter(|(write, _)| write.url == url).collect();
        assert_eq!(same.len(), 2, "{url}");
        assert!(same.iter().all(|(write, _)| write.body.as_ref() == operation.get("content")), "{operation}");
        assert_eq!(operation["httpMethod"], "put");
        assert!(request.body.as_ref().unwrap().get("changeReference").is_none());
    }
    // Nothing shows the token, not even to who asks for detail.
    let told: String = outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap()).collect();
    assert!(!told.contains("PoP ") && told.contains("A policy wants a token for PUT "), "{told}");
}

#[test]
fn a_deletion_gets_a_token_without_a_body() {
    let (cloud, project) =
        (cloud(), Project::with(&format!("{DOCUMENT}    service:\n      publish:\n        storage: orders\n")));
    project.deploy(&cloud);
    project.write(
        "storage.yml",
        format!("{DOCUMENT}    service:\n      publish:\n        storage: orders\n")
            .replace("    queue: [orders]\n", ""),
    );
    cloud.misbehave(fault("policy-token=Microsoft.Storage"));
    let outcome = run(&with(project.request(&cloud), json!({"context": {"prune": true}})));
    assert_eq!(outcome.summary(), "unchanged 2, deleted 1");
    let asked = acquisitions(&cloud);
    let operation = &asked[0].body.as_ref().unwrap()["operation"];
    assert_eq!((asked.len(), &operation["httpMethod"], operation.get("content")), (1, &json!("delete"), None));
}

#[test]
fn the_change_reference_of_the_context_goes_along() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    cloud.misbehave(fault("policy-token=Microsoft.Storage"));
    let reference = "/providers/Microsoft.Change/changes/42";
    run(&with(project.request(&cloud), json!({"context": {"changeReference": reference}})));
    let asked = acquisitions(&cloud);
    assert!(
        !asked.is_empty() && asked.iter().all(|request| request.body.as_ref().unwrap()["changeReference"] == reference)
    );
}

/// The failure, the number of times that a token was asked for, and the number of times that the account was sent.
fn failing(faults: &[String]) -> (String, usize, usize) {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    faults.iter().for_each(|text| cloud.misbehave(fault(text)));
    let outcome = project.deploy(&cloud);
    let errors = outcome.errors();
    assert_eq!(errors[0].failure.code.as_str(), "RequestDisallowedByPolicy", "{errors:?}");
    let sent = writes_of_storage(&cloud).len();
    (errors[0].failure.message.clone(), acquisitions(&cloud).len(), sent)
}

#[test]
fn a_policy_that_says_no_is_named_with_what_it_said() {
    let body = json!({"result": "Failed", "results": [
        {"policyInfo": {"policyDefinitionDisplayName": "Ask first"}, "result": "Failed", "message": "The account is frozen."},
        {"result": "Succeeded", "message": "Fine."}]});
    let no = format!("status=200,path=acquirePolicyToken,times=always,body={body}");
    let (message, asked, sent) = failing(&["policy-token=Microsoft.Storage".to_owned(), no]);
    assert!(
        message.ends_with("There is no policy token for it: 'Ask first' says: The account is frozen."),
        "{message}"
    );
    assert_eq!((asked, sent), (1, 1));
    for (body, reason) in [
        ("{}", "Azure answered with the result 'none'."),
        ("[]", "Azure answered with the result 'none'."),
        (r#"{"result":"Succeeded","token":""}"#, "Azure answered with the result 'Succeeded'."),
        (r#"{"result":"Succeeded","token":"a\nb"}"#, "Azure answered with the result 'Succeeded'."),
        (r#"{"result":"Failed","token":"PoP x"}"#, "Azure answered with the result 'Failed'."),
    ] {
        let answer = format!("status=200,path=acquirePolicyToken,times=always,body={body}");
        let (message, asked, sent) = failing(&["policy-token=Microsoft.Storage".to_owned(), answer]);
        assert!(message.ends_with(reason), "{body}: {message}");
        assert_eq!((asked, sent), (1, 1), "{body}");
    }
}

#[test]
fn who_may_not_ask_is_told_and_a_token_that_is_not_taken_is_not_asked_for_again() {
    let body = json!({"error": {"code": "AuthorizationFailed", "message": "You may not."}});
    let (message, asked, sent) = failing(&[
        "policy-token=Microsoft.Storage".to_owned(),
        format!("status=403,path=acquirePolicyToken,times=always,body={body}"),
    ]);
    assert!(message.ends_with("There is no policy token for it: You may not."), "{message}");
    assert_eq!((asked, sent), (1, 1));
    let refuses = format!("status=403,method=PUT,path=storageAccounts,times=always,body={}", wants_token(&json!({})));
    let (message, asked, sent) = failing(&[refuses]);
    assert!(message.contains("Denied by the policy 'Ask first'") && !message.contains("no policy token"), "{message}");
    assert_eq!((asked, sent), (1, 2));
}

#[test]
fn a_policy_that_wants_a_change_reference_is_not_asked_without_one() {
    let body = wants_token(&json!({"isChangeReferenceRequired": true}));
    let (message, asked, sent) =
        failing(&[format!("status=403,method=PUT,path=storageAccounts,times=always,body={body}")]);
    assert!(message.contains("wants a change reference, which changeReference in the context names"), "{message}");
    assert_eq!((asked, sent), (0, 1));
    // One that only looks on, and a plain denial, are none.
    for details in [json!({"shouldDeny": false}), json!({"shouldDeny": null})] {
        let refuses = format!("status=403,method=PUT,path=storageAccounts,times=always,body={}", wants_token(&details));
        assert_eq!(failing(&[refuses]).1, 0, "{details}");
    }
}

#[test]
fn a_token_that_has_expired_by_the_time_of_the_write_is_acquired_again() {
    let refuses = |times: usize| {
        format!(
            "status=403,method=PUT,path=storageAccounts/stordersdb8e13ec?,times={times},body={}",
            wants_token(&json!({}))
        )
    };
    for (expiration, expected) in
        [("2020-01-01T00:00:00Z", None), ("2099-01-01T00:00:00Z", Some(1)), ("soon", Some(1)), ("", Some(1))]
    {
        let (cloud, project) = (cloud(), Project::with(DOCUMENT));
        let token = json!({"result": "Succeeded", "token": "PoP early", "expiration": expiration});
        for text in [refuses(2), format!("status=200,path=acquirePolicyToken,body={token}")] {
            cloud.misbehave(fault(&text));
        }
        let outcome = project.deploy(&cloud);
        match expected {
            None => assert_eq!((outcome.summary().as_str(), acquisitions(&cloud).len()), ("created 3", 2)),
            Some(asked) => assert_eq!(
                (outcome.errors()[0].failure.code.as_str(), acquisitions(&cloud).len()),
                ("RequestDisallowedByPolicy", asked),
                "{expiration}"
            ),
        }
        let told: String = outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap()).collect();
        assert!(!told.contains("PoP "), "{told}");
    }
}

#[test]
fn every_write_of_an_environment_gets_its_token_once() {
    let cloud = landing_zone();
    let namespaces = [
        "Resources",
        "Storage",
        "OperationsManagement",
        "Web",
        "Insights",
        "OperationalInsights",
        "Network",
        "Cdn",
        "Advisor",
        "Authorization",
    ];
    namespaces.iter().for_each(|name| cloud.misbehave(fault(&format!("policy-token=Microsoft.{name}"))));
    let request = json!({"settingsFiles": [folder()], "environment": {}, "context": {"cloud": cloud.endpoint()}});
    let outcome = run_deployment(&request);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let mut sent: BTreeMap<(String, String, Option<String>), Vec<u16>> = BTreeMap::new();
    for write in
        cloud.requests().into_iter().filter(|request| ["PUT", "PATCH", "DELETE"].contains(&request.method.as_str()))
    {
        sent.entry((write.method, write.url, write.body.map(|body| body.to_string()))).or_default().push(write.status);
    }
    assert!(sent.len() > 80, "{}", sent.len());
    for (write, statuses) in &sent {
        assert!(matches!(statuses[..], [403, 200..=299]), "{write:?} {statuses:?}");
    }
    assert_eq!(acquisitions(&cloud).len(), sent.len());
    let told: String = outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap()).collect();
    assert!(!told.contains("PoP "));
}
