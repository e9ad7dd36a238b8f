//! Accounts that are there and not there: being deleted, or created by another run that Azure does not show yet.

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_local_cloud::LocalCloud;

use crate::support::*;

/// A cloud with the group of the document, in which something is going on.
fn cloud_with_group() -> LocalCloud {
    let (cloud, id) = (cloud(), in_subscription(GROUP));
    cloud.import(&[json!({"id": id, "location": "uksouth"})]).unwrap();
    cloud
}

fn account(state: &str) -> Value {
    json!({"id": in_subscription(ACCOUNT), "name": "stordersdb8e13ec", "type": "Microsoft.Storage/storageAccounts",
        "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"},
        "properties": {"provisioningState": state}})
}

/// The account is listed, and read so many times, in this state.
fn shows(cloud: &LocalCloud, listed: usize, read: usize, state: &str) {
    let list = json!({"value": [account(state)]});
    cloud.misbehave(fault(&format!(
        "status=200,method=GET,path={GROUP}/providers/Microsoft.Storage/storageAccounts?,times={listed},body={list}"
    )));
    cloud.misbehave(fault(&format!(
        "status=200,method=GET,path=/stordersdb8e13ec?,times={read},body={}",
        account(state)
    )));
}

#[test]
fn an_account_that_is_being_deleted_is_created_again_when_it_is_gone() {
    let (cloud, project) = (cloud_with_group(), Project::with(&document("queue: [orders]")));
    shows(&cloud, 2, 2, "Deleting");
    for outcome in [project.rehearse(&cloud), project.deploy(&cloud)] {
        let creates = |action: &&svc_engine::protocol::Action| {
            serde_json::to_value(action.action).unwrap() == "create" && action.resource.name == "stordersdb8e13ec"
        };
        assert_eq!(outcome.plan().iter().filter(creates).count(), 1, "{:#?}", outcome.descriptions());
        let told = "the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' is being deleted. It is created again as soon as it is gone.";
        assert!(outcome.warnings().iter().any(|warning| warning.ends_with(told)), "{:#?}", outcome.warnings());
        assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    }
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 3");
    // It was not written over while it was still there.
    let asked = shown(&cloud.requests());
    let first_write = asked.iter().position(|line| line.starts_with(&format!("PUT {ACCOUNT}"))).unwrap();
    let looks = asked[..first_write].iter().filter(|line| **line == format!("GET {ACCOUNT}")).count();
    assert_eq!(looks, 3, "twice there, once gone: {asked:#?}");
}

#[test]
fn an_account_whose_deletion_ends_and_that_stays_is_not_written_over() {
    let (cloud, project) = (cloud_with_group(), Project::with(&document("")));
    shows(&cloud, 1, 1, "Deleting");
    let body = account("Succeeded");
    cloud.misbehave(fault(&format!("status=200,method=GET,path=/stordersdb8e13ec?,times=always,body={body}")));
    let outcome = project.deploy(&cloud);
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.code.as_str(), "ChangedMeanwhile");
    assert!(
        report.failure.message.ends_with(": its deletion ended, and it is still there."),
        "{}",
        report.failure.message
    );
    assert!(writes(&cloud.requests()).iter().all(|request| !request.url.contains("/stordersdb8e13ec?")));
}

#[test]
fn a_plan_does_not_wait_for_an_account_that_may_be_under_way_and_a_run_says_that_it_does() {
    let (cloud, project) = (cloud_with_group(), Project::with(&document("")));
    let taken = json!({"nameAvailable": false, "reason": "AlreadyExists", "message": "Taken."});
    cloud.misbehave(fault(&format!("status=200,method=POST,path=/checkNameAvailability?,times=always,body={taken}")));
    let begun = std::time::Instant::now();
    let outcome = project.rehearse(&cloud);
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    let said =
        "is taken, elsewhere or by a run that is still creating it here, and no two in the world can have one name";
    assert!(outcome.last_error().failure.message.contains(said), "{}", outcome.last_error().failure.message);
    assert_eq!(outcome.failed_with().0, "NameTaken");

    let context = json!({"context": {"operationTimeout": "PT4S"}});
    let outcome = run(&with(project.request(&cloud), context));
    assert_eq!(outcome.failed_with().0, "NameTaken");
    assert!(
        outcome.last_error().failure.message.contains("is taken elsewhere, and no two"),
        "{}",
        outcome.last_error().failure.message
    );
    let why = "the name 'stordersdb8e13ec' is taken, perhaps by a run that is still creating the storage account here";
    let shown = |message: &Message| matches!(message, Message::Progress { status, .. } if status.contains(why));
    assert!(outcome.messages.iter().any(shown), "{outcome:#?}");
}
