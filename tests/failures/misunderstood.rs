//! Successes that are none: what comes back is not what was asked for. Taken for "it is not there", it would be made anew over what is.

use serde_json::{Value, json};
use svc_engine::protocol::ErrorCategory;

use crate::sign_in::run_impatient;
use crate::support::internet::Internet;
use crate::support::*;

const GROUP_READ: &str = "the resource group 'rg-shop-iaas-99b8167f' cannot be read";
const ACCOUNT_READ: &str =
    "the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' cannot be read";

/// Runs a document over what is there, where one read is answered like this.
fn answered(path: &str, answer: &str) -> (Outcome, usize) {
    let (cloud, project) = (cloud(), Project::with(&document("queue: [orders]")));
    assert_eq!(project.deploy(&cloud).summary(), "created 3");
    // Something is to be done, so that a run that goes on would show it.
    project.write("storage.yml", document("minimumTlsVersion: TLS1_1\nqueue: [orders]"));
    cloud.misbehave(fault(&format!("status=200,method=GET,path={path},times=always,body={answer}")));
    let before = cloud.requests().len();
    let outcome = project.deploy(&cloud);
    let writes = writes(&requests_after(&cloud, before)).len();
    (outcome, writes)
}

#[test]
fn a_success_without_what_was_asked_for_is_not_understood() {
    let json = |value: Value| value.to_string();
    let (resource, list) = ("instead of the resource", "instead of a list");
    let group = format!("{GROUP}?");
    let accounts = format!("{GROUP}/providers/Microsoft.Storage/storageAccounts?");
    for (path, answer, what, reason) in [
        (&group, json(json!({})), GROUP_READ, format!("status 200, an empty object {resource}")),
        (&group, json(json!(null)), GROUP_READ, format!("status 200, null {resource}")),
        (&group, " ".to_owned(), GROUP_READ, format!("status 200, nothing {resource}")),
        (&group, json(json!([])), GROUP_READ, format!("status 200, a list {resource}")),
        (
            &group,
            json(json!({"error": {"code": "Busy", "message": "No."}})),
            GROUP_READ,
            format!("status 200, an error 'Busy' {resource}"),
        ),
        (
            &group,
            json(json!({"id": "/subscriptions/1/resourceGroups/other", "name": "other"})),
            GROUP_READ,
            format!("status 200, '/subscriptions/1/resourceGroups/other' {resource}"),
        ),
        (
            &group,
            json(json!({"tags": {}})),
            GROUP_READ,
            format!("status 200, an object without 'id' and 'name' {resource}"),
        ),
        (&accounts, json(json!({})), ACCOUNT_READ, "status 200, an answer without a list in 'value'".to_owned()),
        (&accounts, json(json!(null)), ACCOUNT_READ, format!("status 200, null {list}")),
        (&accounts, " ".to_owned(), ACCOUNT_READ, format!("status 200, nothing {list}")),
        (
            &accounts,
            json(json!({"value": {"id": "x"}})),
            ACCOUNT_READ,
            "status 200, an answer without a list in 'value'".to_owned(),
        ),
        (
            &accounts,
            json(json!({"value": [{"name": "stordersdb8e13ec"}]})),
            ACCOUNT_READ,
            "status 200, a list with an entry without 'id'".to_owned(),
        ),
        (
            &accounts,
            json(json!({"error": {"code": "Busy", "message": "No."}, "value": []})),
            ACCOUNT_READ,
            format!("status 200, an error 'Busy' {list}"),
        ),
    ] {
        let (outcome, writes) = answered(path, &answer);
        let report = outcome.last_error();
        assert_eq!(
            (report.failure.code.as_str(), report.failure.category),
            ("AnswerNotUnderstood", ErrorCategory::InvalidResult)
        );
        assert!(report.failure.message.contains(what), "{answer}: {}", report.failure.message);
        let end = format!(" did not answer as Azure Resource Manager does ({reason}).");
        assert!(report.failure.message.ends_with(&end), "{answer}: {}", report.failure.message);
        assert_eq!(writes, 0, "{answer}");
    }
}

#[test]
fn a_redirect_is_named_with_where_it_leads() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let leads = [("location", "https://login.proxy.example/start?from=x")];
    internet.answer_with("GET management.azure.com*/storageAccounts?", 302, &leads, "<html></html>");
    let project = Project::with(&document(""));
    let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let end = "management.azure.com did not answer as Azure Resource Manager does (status 302, a redirect to login.proxy.example).";
    assert!(outcome.last_error().failure.message.ends_with(end), "{:?}", outcome.last_error());
    assert!(internet.seen_by("login.proxy.example").is_empty());
}

#[test]
fn broken_json_is_told_with_the_reason() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    internet.answer_with("GET management.azure.com*/storageAccounts?", 200, &[], "{\"id\": \"/x\",");
    let project = Project::with(&document(""));
    let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let end = "(status 200, broken JSON: EOF while parsing a value at line 1 column 12).";
    assert!(outcome.last_error().failure.message.ends_with(end), "{:?}", outcome.last_error());
}

#[test]
fn an_error_of_megabytes_is_told_to_a_limit() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    let error = json!({"error": {"code": "Odd", "message": "x".repeat(1 << 20)}});
    cloud.misbehave(fault(&format!("status=400,method=PUT,body={error}")));
    let outcome = project.deploy(&cloud);
    let size: usize = outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap().len()).sum();
    assert!(size < 100_000, "{size}");
}
