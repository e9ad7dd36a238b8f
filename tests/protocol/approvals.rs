//! The approvals: what is approved is done, what is declined or failed holds back only what needs it.

use serde_json::json;
use svc_engine::protocol::ErrorCategory;

use crate::support::*;

const LEDGER: &str =
    "resourceGroups/rg-shop-iaas-99b8167f/providers/Microsoft.Storage/storageAccounts/stledger4239756b";

/// Two accounts, Orders with three children and Ledger with one.
fn project() -> Project {
    let orders = "accountType: Standard\nblobContainer: [{name: invoices}]\nqueue: [orders, returns]";
    let ledger = "accountType: Standard\nblobContainer: [{name: entries}]";
    Project::with(&document_of(&[("Orders", orders), ("Ledger", ledger)]))
}

#[test]
fn what_needs_a_declined_account_is_skipped_with_a_warning() {
    let (cloud, project) = (cloud(), project());
    let outcome = run_approving(&project.request(&cloud), |action| action.resource.name != "stordersdb8e13ec");
    assert_eq!(outcome.summary(), "created 3, skipped 4");
    assert_eq!(
        outcome.warnings(),
        [
            "3 resources were skipped because the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not approved: \
             blob container 'invoices' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'; \
             queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'; \
             queue 'returns' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'."
        ]
    );
    assert!(outcome.errors().is_empty());
    assert!(!shown(&cloud.requests()).iter().any(|request| request.contains("stordersdb8e13ec")));
    assert_eq!(project.deploy(&cloud).summary(), "created 4, unchanged 3");
}

#[test]
fn a_declined_child_holds_nothing_back() {
    let (cloud, project) = (cloud(), project());
    let outcome = run_approving(&project.request(&cloud), |action| action.resource.name != "invoices");
    assert_eq!(outcome.summary(), "created 6, skipped 1");
    assert!(outcome.warnings().is_empty(), "the user knows: {:?}", outcome.warnings());
}

#[test]
fn declining_everything_changes_nothing() {
    let (cloud, project) = (cloud(), project());
    let outcome = run_approving(&project.request(&cloud), |_| false);
    assert_eq!(outcome.summary(), "skipped 7");
    assert!(writes(&cloud.requests()).is_empty());
    // A host that only knows the group says no to it: that is one warning, for all that is in the group.
    let outcome = run_approving(&project.request(&cloud), |action| action.resource.name != "rg-shop-iaas-99b8167f");
    assert_eq!(outcome.summary(), "skipped 7");
    assert_eq!(outcome.warnings().len(), 1);
    assert!(
        outcome.warnings()[0].starts_with(
            "6 resources were skipped because the resource group 'rg-shop-iaas-99b8167f' was not approved: "
        ),
        "{:?}",
        outcome.warnings()
    );
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn an_answer_that_names_unknown_actions_does_no_harm() {
    let (cloud, project) = (cloud(), project());
    let outcome = follow(&start(&project.request(&cloud)), |_| vec![0, 99]);
    assert_eq!(outcome.summary(), "created 1, skipped 6");
}

#[test]
fn a_failing_account_holds_back_only_what_is_in_it_and_a_second_run_finishes() {
    let (cloud, project) = (cloud(), project());
    cloud.misbehave(fault(
        r#"status=400,method=PUT,path=/stordersdb8e13ec?,body={"error":{"code":"AccountQuotaExceeded","message":"No more accounts."}}"#,
    ));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 3, skipped 3, failed 1");
    let [error] = outcome.errors()[..] else { panic!("not one error: {outcome:#?}") };
    assert!(!error.terminating);
    assert_eq!(error.failure.code.as_str(), "AccountQuotaExceeded");
    assert_eq!(error.failure.category, ErrorCategory::LimitsExceeded);
    assert_eq!(
        error.failure.message,
        "storage.yml:4:5: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created: No more accounts."
    );
    assert_eq!(error.failure.target.as_deref(), Some("storage.yml:4:5"));
    assert_eq!(error.failure.resource_id.as_deref(), Some(in_subscription(ACCOUNT).as_str()));
    assert!(error.failure.request_id.is_some());
    assert_eq!(
        outcome.warnings(),
        [
            "3 resources were skipped because the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' failed: \
             blob container 'invoices' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'; \
             queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'; \
             queue 'returns' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'."
        ]
    );
    resource(&cloud, &format!("{LEDGER}/blobServices/default/containers/entries"));

    assert_eq!(project.deploy(&cloud).summary(), "created 4, unchanged 3");
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 7");
}

#[test]
fn a_failing_group_holds_everything_back() {
    let (cloud, project) = (cloud(), project());
    cloud.misbehave(fault("status=403,method=PUT"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "skipped 6, failed 1");
    assert_eq!(
        outcome.errors()[0].failure.message,
        "storage.yml:2:20: the resource group 'rg-shop-iaas-99b8167f' was not created: The local cloud was told to answer like this."
    );
    assert_eq!(writes(&cloud.requests()).len(), 1);
}

#[test]
fn a_failing_change_of_an_existing_account_holds_back_what_is_new_in_it() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    let orders = "accountType: Standard\nsupportsHttpsTrafficOnly: false\nqueue: [orders, returns, new-queue]";
    project.write("storage.yml", document_of(&[("Orders", orders)]));
    cloud.misbehave(fault("status=409,method=PUT,path=/stordersdb8e13ec?"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 3, skipped 1, failed 1");
    assert!(
        outcome.errors()[0].failure.message.contains("was not changed: "),
        "{}",
        outcome.errors()[0].failure.message
    );
    let request = with(project.request(&cloud), json!({"whatIf": true}));
    assert_eq!(run(&request).plan().len(), 2);
}
